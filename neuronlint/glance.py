"""Tell at a glance a source in which nothing can be found, from what was noted of the rules.

Where a source may hold something, only the rules themselves can tell. This is loaded by the
shortest of runs: what it needs of the rules is plain data, made when they are loaded anyway.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Set
    from typing import Any

    Clue = tuple[list[str], list[str], str]  # names, parts of names, and a pattern, "" for none

# What is not of a name becomes a blank: a tenth of the time that an expression takes.
ONLY_NAMES = bytes(
    code if (chr(code).isalnum() and code < 128) or code == 95 else 32 for code in range(256)
)


def names_in(text: bytes) -> Set[bytes]:
    """All names in a text, and its numbers."""
    return frozenset(text.translate(ONLY_NAMES).split())


def noted(clues: list[Clue], codes: Iterable[str]) -> dict[str, Any]:
    """What a source must hold, as plain data: one of these clues, or a comment with a code."""
    return {"clues": clues, "codes": starts_of(codes)}


def may_hold(source: bytes, wanted: dict[str, Any]) -> bool:
    """Whether a source may hold something of what is looked for."""
    names = {name.decode() for name in names_in(source)}
    joined = " ".join(names)
    for whole, parts, pattern in wanted["clues"]:
        has_names = names.issuperset(whole) and all(part in joined for part in parts)
        if has_names and (not pattern or re.search(pattern.encode(), source)):
            return True
    return bool(wanted["codes"]) and may_suppress(source, wanted["codes"])


def starts_of(codes: Iterable[str]) -> list[str]:
    """The letters that codes start with, each once."""
    found = (re.match(r"[A-Za-z]+", code) for code in codes)
    return sorted({each[0].lower() for each in found if each})


def may_suppress(source: bytes, starts: list[str]) -> bool:
    """Whether a line may have a marker of ours, or a `noqa` with the start of a code behind it."""
    lowered = source.lower()
    if b"neuronlint" in lowered:
        return True
    if b"noqa" not in lowered:
        return False
    pattern = rf"noqa[^\n]*\b(?:{'|'.join(starts)})(?:\d|\b)"
    return re.search(pattern.encode(), lowered) is not None
