"""What a fix does, in the few words that an editor's menu has room for."""

from __future__ import annotations

from collections.abc import Sequence

from neuronlint.rule import Applicability, Edit, Finding
from neuronlint.source import Source

_WIDTH = 60
_RISK = {Applicability.UNSAFE: "; unsafe: may change something"}


def title(finding: Finding, edits: Sequence[Edit], source: Source) -> str:
    """What the edits of a finding's fix do where the finding is, and how far to trust it."""
    assert finding.fix is not None
    risk = _RISK.get(finding.fix.applicability, "")
    return f"{_does(finding, edits, source)} ({finding.code}{risk})"


def _does(finding: Finding, edits: Sequence[Edit], source: Source) -> str:
    start = offset(source, finding.line, finding.column)
    end = offset(source, finding.end_line, finding.end_column)
    inside = [edit for edit in edits if edit.start <= end and start <= edit.end]
    if source.data[end : end + 2] == b"()":  # what a call is given for the first time
        inside = [edit for edit in edits if edit.start <= end + 1 and start <= edit.end]
        end += 2
    if not inside:
        return f"Fix {finding.name}"
    start, end = min(start, inside[0].start), max(end, *(edit.end for edit in inside))
    before = source.data[start:end]
    moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
    old, new = _short(before.decode()), _short(Source(before).edited(moved).data.decode())
    if not old:
        return f"Add `{new}`"
    return f"Replace `{old}` by `{new}`" if new else f"Remove `{old}`"


def offset(source: Source, line: int, column: int) -> int:
    """The offset of a line and column that count from 1, the column in characters."""
    start = source.line_starts[line - 1]
    end = source.line_starts[line] if line < len(source.line_starts) else None
    return start + len(source.data[start:end].decode()[: column - 1].encode())


def _short(code: str) -> str:
    """Code on one line, without its end where it is too long."""
    code = " ".join(code.split())
    return code if len(code) <= _WIDTH else f"{code[: _WIDTH - 1]}…"
