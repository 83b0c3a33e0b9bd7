"""Which findings in a source are meant to be there, as its comments say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from neuronlint.comments import layout_of
from neuronlint.layout import Layout, layout
from neuronlint.markers import Marker, Reach, foreign_pattern, markers
from neuronlint.report import FAILURES
from neuronlint.rule import Finding

_WORD = re.compile(rb"noqa|neuronlint", re.IGNORECASE)
_OTHERS = re.compile(rb"noqa[ \t]*:[ \t]*(?:[a-z]+[0-9]+[, \t]*)+", re.IGNORECASE)


def may_cover(source: bytes, findings: Sequence[Finding], foreign: Sequence[str] = ()) -> bool:
    """Whether a source may hold a marker that means one of the findings, at the first glance.

    A marker of codes that start otherwise than theirs is another linter's.
    """
    starts = {each.code.rstrip("0123456789").encode().lower() for each in findings}
    left = source.lower()
    if b"noqa" in left:
        left = _OTHERS.sub(lambda one: one[0] if any(s in one[0] for s in starts) else b"", left)
    pattern = foreign_pattern(tuple(foreign))
    return bool(_WORD.search(left) or (pattern and pattern.search(source.decode("latin-1"))))


class Suppressions:
    """The markers of one source, and what they were of use for so far.

    A marker counts on the first and the last line of a finding, and on the last line of the
    logical line in which the finding starts: where a formatter leaves the comment.
    `foreign` are markers of the project's own, which mean every finding on their line.
    """

    def __init__(
        self,
        source: bytes,
        foreign: Sequence[str] = (),
        layout: Callable[[bytes], Layout] = layout,
    ) -> None:
        pattern = foreign_pattern(tuple(foreign))
        wanted = _WORD.search(source) or (pattern and pattern.search(source.decode("latin-1")))
        self.layout = layout(source) if wanted else Layout()
        self.markers = tuple(markers(self.layout, foreign))
        self.used: set[tuple[Marker, str]] = set()
        self._by_row: dict[int, list[Marker]] = defaultdict(list)
        for marker in self.markers:
            if marker.reach is Reach.LINE:
                self._by_row[self.layout.subject(marker.comment)].append(marker)
        self._wide = [marker for marker in self.markers if marker.reach is not Reach.LINE]

    def covers(self, finding: Finding) -> bool:
        """Whether a marker says that this finding is meant to be there."""
        if not self.markers or finding.code in FAILURES:
            return False
        found = [
            (marker, word) for marker in self.reaching(finding) for word in marker.naming(finding)
        ]
        self.used.update(found)
        return bool(found)

    def reaching(self, finding: Finding) -> Iterator[Marker]:
        """The markers that are about a finding's place."""
        last = self.layout.last_row(finding.line)
        for row in {finding.line, finding.end_line, last}:
            yield from self._by_row.get(row, ())
        for marker in self._wide:
            if marker.reach is Reach.FILE or (
                marker.reach is Reach.START
                and marker.row < finding.line
                and not self._is_over(marker, finding)
            ):
                yield marker

    def _is_over(self, start: Marker, finding: Finding) -> bool:
        """Whether a range that has started is ended, for this finding's rule, before it."""
        return any(
            marker.reach is Reach.END
            and start.row < marker.row < finding.line
            and marker.naming(finding)
            for marker in self._wide
        )


def marker_row(finding: Finding, source: bytes) -> int | None:
    """The line of the source at whose end a marker for the finding belongs, None if it has none."""
    return None if finding.code in FAILURES else row_for(finding, _layout(source, finding.path))


def row_for(finding: Finding, layout: Layout) -> int:
    """The line at whose end a marker for the finding belongs.

    The finding's own first or last line, or, where the ends of those are inside a string or
    behind a backslash, the last one of the logical line.
    """
    rows = (finding.line, finding.end_line)
    return next((row for row in rows if layout.takes_comment(row)), layout.last_row(finding.line))


@lru_cache(maxsize=1)  # findings come file by file
def _layout(source: bytes, path: Path) -> Layout:
    return layout_of(path)(source)
