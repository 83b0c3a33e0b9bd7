"""The right word for a wrong one."""

from __future__ import annotations

from collections.abc import Iterable


def hint(word: str, words: Iterable[str], cutoff: float = 0.6) -> str:
    """A remark that names the word most like a wrong one, "" where none is."""
    from difflib import get_close_matches

    known = list(words)
    same = [each for each in known if each.lower() == word.lower()]
    near = same or get_close_matches(word, known, n=1, cutoff=cutoff)
    return f"; did you mean {near[0]!r}?" if near else ""
