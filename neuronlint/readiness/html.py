"""A readiness report as one page that needs nothing else: no network, no other file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import util
from importlib.resources import files
from typing import TYPE_CHECKING

from neuronlint.readiness import words
from neuronlint.readiness.data import Data
from neuronlint.reporters.data import dumps
from neuronlint.user_error import UserError

if TYPE_CHECKING:
    from markupsafe import Markup

_NEEDED = ("jinja2", "plotly")
_MOST = 10
_EMBEDDED = ("title", "files", "findings", "rules")


def require() -> None:
    """Raise UserError where what makes the page is not installed."""
    if missing := [name for name in _NEEDED if util.find_spec(name) is None]:
        raise UserError(
            f"an HTML report needs {' and '.join(missing)}: pip install 'neuronlint[report]'; "
            "one in .md or .json does not"
        )


def html(data: Data) -> str:
    """The report as a page."""
    from jinja2 import Environment, StrictUndefined
    from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]  # it has no types

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters.update(coded=_coded, number=_number, percent=_percent)
    return environment.from_string(_part("page.html.jinja")).render(
        data=data,
        words=words,
        steps=list(words.steps(data)),
        bar=list(_bar(data)),
        most=words.most_work(data, _MOST),
        project=[each for each in data["findings"] if each["code"].startswith("NL9")],
        css=_markup(_part("page.css")),
        script=_markup(_part("page.js")),
        plotly=_markup(_inside_script(get_plotlyjs())),
        embedded=_markup(_json(data)),
    )


def _part(name: str) -> str:
    return (files("neuronlint.readiness") / name).read_text(encoding="utf-8")


def _json(data: Data) -> str:
    """What the script works with, as JSON that nothing in it can end or open a tag in."""
    shown = {name: data[name] for name in _EMBEDDED}
    return dumps(shown).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _inside_script(code: str) -> str:
    """The code with nothing in it that would end the script it is in."""
    return re.sub(r"</(?=script)|<!--", lambda found: f"\\x3c{found[0][1:]}", code, flags=re.I)


def _bar(data: Data) -> Iterator[tuple[str, str, int, int, str]]:
    """The pieces of the bar: their kind, what they are, files, percent then, and their width."""
    readiness = data["readiness"]
    counted, done = readiness["counted"], 0
    for kind, name, text in (
        ("ready", "ready", "ready now"),
        ("automatic", "after_fix", "with safe fixes"),
        ("review", "after_review", "with fixes to review"),
        ("person", "counted", "with work by hand"),
    ):
        number = readiness[name] - done
        done = readiness[name]
        percent = done * 100 // counted if counted else 0
        yield kind, text, number, percent, f"{100 * number / counted if counted else 0:.3f}%"


def _coded(text: str) -> Markup:
    """The text with what is in backticks as code."""
    from markupsafe import Markup, escape

    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece)
        if row % 2 and row + 1 < len(pieces)
        else escape(piece)
        for row, piece in enumerate(pieces)
    )


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)


def _number(value: int) -> str:
    return f"{value:,}"


def _percent(text: object) -> str:
    """The text with its percent signs kept at their numbers."""
    return str(text).replace(" %", "\u00a0%")
