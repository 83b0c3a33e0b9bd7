"""Tell at a glance a source in which nothing can be found, from what was noted of the rules.

Where a source may hold something, only the rules themselves can tell. This is loaded by the
shortest of runs: what it needs of the rules is plain data, made when they are loaded anyway.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# In the words of `neuronlint.triggers`; what has another sign is not understood here.
_UNDERSTOOD = r"[\w\s.()\[\]{}=*#!@,:'\"/<>+-]+"


_SHORT = 2  # letters: names that are in nearly every source, so that what is around them counts


def looked_for(triggers: Iterable[str], codes: Iterable[str]) -> dict[str, Any] | None:
    """What a source must hold for one of the triggers, or a comment that names one of the codes.

    None where that cannot be told: then there may be something in any source.
    """
    words = [_told(word) for word in sorted({*triggers})]
    if not all(words):
        return None
    letters = {word[0].lower() for code in codes if (word := re.match(r"[A-Za-z]+", code))}
    return {"words": words, "codes": sorted(letters)}


def may_hold(source: bytes, wanted: dict[str, Any]) -> bool:
    """Whether a source may hold something of what is looked for."""
    text = source.decode("latin-1")  # of other letters than ASCII none is looked for
    names = {*re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text)}
    for whole, parts, pattern in wanted["words"]:
        has_names = names.issuperset(whole) and all(part in text for part in parts)
        if has_names and (not pattern or re.search(pattern, text)):
            return True
    return bool(wanted["codes"]) and ("neuronlint" in text or _suppresses(text, wanted["codes"]))


def _suppresses(text: str, codes: list[str]) -> bool:
    """Whether a line has a `noqa` with what may be the start of a code behind it."""
    if "noqa" not in text.lower():
        return False
    pattern = rf"noqa[^\n]*\b(?:{'|'.join(codes)})(?:\d|\b)"
    return re.search(pattern, text, re.IGNORECASE | re.ASCII) is not None


def _told(word: str) -> tuple[list[str], list[str], str] | None:
    """The whole names, the parts of names, and the pattern without which a trigger is not there."""
    if not word.isascii() or not re.fullmatch(_UNDERSTOOD, word):
        return None
    whole: list[str] = []
    parts: list[str] = []
    text = word.removeprefix("import ")
    for piece in re.finditer(r"[^\W\d]\w*", text):
        before, after = text[: piece.start()], text[piece.end() :]
        is_part = before.endswith(("*", "#", "...")) or after.startswith(("*", "#", "..."))
        (parts if is_part else whole).append(piece[0])
    is_short = all(len(name) <= _SHORT for name in (*whole, *parts))
    pattern = _pattern(word) if is_short and "..." not in word else ""
    return (whole, parts, pattern) if whole or parts else None


def _pattern(word: str) -> str:
    """What finds at least what the trigger does: a call of a method may look like a function's."""
    blank = r"[\s\\]*"
    signs = {"#": r"[0-9]", "*": r"[\w.]*", " ": r"[\s\\]+"}
    found = re.findall(r"\w+|.", word.removesuffix("!(").removeprefix("import ").strip("*."))
    return "".join(
        part if re.match(r"\w", part) else signs.get(part) or f"{blank}{re.escape(part)}{blank}"
        for part in found
    )
