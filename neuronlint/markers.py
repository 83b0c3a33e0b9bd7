"""Comments that say which findings are meant to be there, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from neuronlint.layout import Comment, Layout
from neuronlint.rule import Finding

_NOQA = re.compile(
    r"#\s*noqa\b(?:\s*(?P<colon>:)\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?)?(?!\w)",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"#\s*neuronlint\s*:\s*(?P<word>ignore-file|ignore|disable|enable)(?![\w-])"
    r"(?:\s*\[(?P<codes>[^\]]*)\]|(?!\s*\[))",
    re.IGNORECASE,
)
_CODE = re.compile(r"[a-z][a-z0-9-]*", re.IGNORECASE)


class Reach(Enum):
    """Which findings a marker is about."""

    LINE = "ignore"
    FILE = "ignore-file"
    START = "disable"
    END = "enable"


@dataclass(frozen=True)
class Marker:
    """One marker: the comment it is in, where in that, and the codes it names, None for every one.

    `start` and `end` count in the comment's text; `listed` is the part of it with the codes.
    A foreign marker is one of the project's own, which says nothing of codes.
    """

    comment: Comment
    start: int
    end: int
    codes: tuple[str, ...] | None = None
    listed: tuple[int, int] = (0, 0)
    reach: Reach = Reach.LINE
    foreign: bool = False

    @property
    def row(self) -> int:
        """The line that the marker is on."""
        return self.comment.row

    def naming(self, finding: Finding) -> tuple[str, ...]:
        """The words with which the marker means a finding's rule, "" for it means every rule.

        A word is a code, the start of a code, or a name.
        """
        if self.codes is None:
            return ("",)
        code, name = finding.code.upper(), finding.name
        return tuple(
            word for word in self.codes if code.startswith(word.upper()) or name == word.lower()
        )


def markers(layout: Layout, foreign: Sequence[str] = ()) -> Iterator[Marker]:
    """The markers in the comments of a source, in source order."""
    pattern = foreign_pattern(tuple(foreign))
    for comment in layout.comments:
        yield from _noqas(comment)
        yield from _own(comment, layout)
        if pattern is not None:
            for match in pattern.finditer(comment.text):
                yield Marker(comment, match.start(), match.end(), foreign=True)


@lru_cache
def foreign_pattern(foreign: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds a project's own markers, however they are spaced; None where it has none."""
    texts = [marker.lstrip("#").split() for marker in foreign]
    choices = "|".join(r"\s+".join(map(re.escape, words)) for words in texts if words)
    return re.compile(rf"#\s*(?:{choices})(?![\w-])", re.IGNORECASE) if choices else None


def _noqas(comment: Comment) -> Iterator[Marker]:
    """The `noqa` markers in a comment; `# noqa:` before anything but codes is none, as in ruff."""
    for match in _NOQA.finditer(comment.text):
        if match["codes"]:
            codes = tuple(re.split(r"[,\s]+", match["codes"]))
            yield Marker(comment, *match.span(), codes, match.span("codes"))
        elif not match["colon"]:
            yield Marker(comment, *match.span())


def _own(comment: Comment, layout: Layout) -> Iterator[Marker]:
    """The `neuronlint:` markers in a comment.

    `disable` behind code is about that line, as whoever knows other linters expects.
    """
    for match in _OURS.finditer(comment.text):
        reach = Reach(match["word"].lower())
        if reach in (Reach.START, Reach.END) and not layout.is_alone(comment):
            if reach is Reach.END:
                continue
            reach = Reach.LINE
        codes = None if match["codes"] is None else tuple(_CODE.findall(match["codes"]))
        yield Marker(comment, *match.span(), codes, match.span("codes"), reach)
