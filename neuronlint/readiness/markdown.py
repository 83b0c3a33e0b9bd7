"""A readiness report in Markdown: the page without its charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from neuronlint.readiness import words
from neuronlint.readiness.data import Data

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!$])")
_FILES = 10


def markdown(data: Data) -> str:
    """The report as text that is read as it is, or rendered."""
    parts = [_head(data), _progress(data), _steps(data), _topics(data), _most_work(data)]
    parts += [_dependencies(data), _unseen(data), _findings(data)]
    return "\n".join(part for part in parts if part)


def _head(data: Data) -> str:
    work = data["work"]
    if data["readiness"]["ready_percent"] is None:
        return f"# {_plain(data['title'])}: {words.verdict(data)}\n\n{words.meaning(data)}\n"
    return (
        f"# {_plain(data['title'])}: {words.verdict(data)}\n\n{words.meaning(data)}\n\n"
        f"**{words.formula(data)}**: {words.DENOMINATOR}\n\n"
        f"Effort: **{work['grade']}** ({work['points']:,} points). {work['rule']}\n\n"
        f"Made {data['made']} by neuronlint {data['version']}, from the code alone; nothing ran.\n"
    )


def _progress(data: Data) -> str:
    old = data["compared"]
    if not old:
        return ""
    rows = words.progress(data)
    gone = [f"- {_place(each)}: {_said(each)}\n" for each in old["gone"]]
    listed = f"\nGone:\n\n{''.join(gone)}" if gone else ""
    return (
        f"## Since {_plain(old['made'])}\n\n{_table(('', 'then', 'now'), rows)}\n"
        f"{words.many(len(old['gone']), 'finding')} gone, {old['new']:,} new.\n{listed}"
    )


def _steps(data: Data) -> str:
    rows = [(what, much, f"{percent} %") for what, much, _, percent in words.steps(data)]
    table = _table(("to do", "on", "ready then"), rows, raw=1)
    return f"## What would raise it\n\n{table}" if rows else ""


def _topics(data: Data) -> str:
    names = ("errors", "warnings", "infos", "automatic", "review", "person")
    rows = [(each["topic"], *(f"{each[name]:,}" for name in names)) for each in data["topics"]]
    heads = ("topic", "fails", "silently else", "harmless", "automatic", "to review", "by hand")
    return f"## By topic\n\n{_table(heads, rows)}" if rows else ""


def _most_work(data: Data) -> str:
    names = ("errors", "warnings", "automatic", "review", "person", "points")
    rows = [
        (each["path"], *(f"{each[name]:,}" for name in names), each["grade"])
        for each in words.most_work(data, _FILES)
    ]
    heads = ("file", "fails", "silently else", "automatic", "to review", "by hand", "points")
    return f"## The files with most work\n\n{_table((*heads, 'effort'), rows)}" if rows else ""


def _dependencies(data: Data) -> str:
    rows = [(each["name"], each["places"], each["files"]) for each in data["dependencies"]]
    kernels = [each["path"] for each in data["files"] if each["kind"] == "kernel"]
    parts = [_table(("tied to CUDA", "places", "files"), rows)] if rows else []
    named = words.many(len(kernels), "CUDA source file")
    parts += [f"{named}, each to be ported:\n\n{_list(kernels)}"] if kernels else []
    return "## Libraries and kernels\n\n" + "\n".join(parts) if parts else ""


def _unseen(data: Data) -> str:
    unseen = data["unseen"]
    parts = [f"- {_plain(said)}\n" for said in words.unseen(data)]
    for name, title in (("failed", "Not checked"), ("unknown", "Unknown names")):
        rows = [f"- {_place(each)}: {_said(each)}\n" for each in unseen[name]]
        parts += [f"\n{title}:\n\n{''.join(rows)}"] if rows else []
    return "## What this report does not tell\n\n" + "".join(parts)


def _findings(data: Data) -> str:
    parts = ["## All findings\n"] if data["findings"] else []
    for path, group in groupby(data["findings"], key=lambda each: each["path"]):
        parts.append(f"\n### {_plain(path)}\n\n")
        parts += [
            f"- {each['place']} {each['severity']} {each['code']} "
            f"({words.SETTLED[each['settled']]}{', new' if each.get('new') else ''}): "
            f"{_said(each)}\n"
            for each in group
        ]
    return "".join(parts)


def _place(each: Data) -> str:
    return f"{_plain(each['path'])}:{_plain(each['place'])}"


def _said(each: Data) -> str:
    """A message; what it has in backticks stays code."""
    pieces = " ".join(each["message"].split()).split("`")
    return "".join(
        f"`{piece}`" if row % 2 and row + 1 < len(pieces) else _escaped(piece)
        for row, piece in enumerate(pieces)
    )


def _list(texts: Iterable[str]) -> str:
    return "".join(f"- {_plain(text)}\n" for text in texts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], raw: int = 0) -> str:
    """A table, numbers to the right; the first `raw` columns are Markdown already."""
    return "".join(_table_rows(heads, rows, raw))


def _table_rows(heads: Sequence[str], rows: Iterable[Sequence[object]], raw: int) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |\n"
    yield f"|---|{'---:|' * (len(heads) - 1)}\n"
    for row in rows:
        cells = [str(each) if at < raw else _plain(str(each)) for at, each in enumerate(row)]
        yield f"| {' | '.join(cells)} |\n"


def _plain(text: str) -> str:
    """The text on one line, with nothing in it that Markdown would obey."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
