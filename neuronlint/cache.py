"""What was found the last time, for files that are as they were.

One file a project. A file of the project is known by when it changed and its size, or, where
those differ (a fresh checkout), by its content; what was found is kept by content.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neuronlint import store, there
from neuronlint.rule import Applicability, Edit, Finding, Fix, Rule, Severity
from neuronlint.settings import Settings
from neuronlint.stamps import stamp

_FORMAT = 5
_KEPT = 200_000  # files, and contents; beyond them a cache starts anew


class Cache:
    """The cache of one project.

    `files` are sign and content by path; `found` the findings by content and plan. A plan's key
    stands for neuronlint, Python, the rules and the settings.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._store = f"findings-{root.name or 'root'}"
        data = store.read(self._store) or {}
        self._files: dict[str, list[Any]] = {}
        self._found: dict[str, list[Any]] = {}
        match data:
            case {"format": number, "files": dict(files), "found": dict(found)} if (
                number == _FORMAT
            ):
                self._files, self._found = files, found
        self._changed = False

    def unchanged(self, path: Path, status: os.stat_result) -> str | None:
        """The content's key of a file that is as it was, by its sign."""
        match self._files.get(self._name(path)):
            case [sign, str(content)] if sign == there.sign_of(status):
                return content
        return None

    def remember(self, path: Path, status: os.stat_result, content: str) -> None:
        """Keep what a file's content was, if a change of it will tell."""
        sign = there.sign_of(status)
        if there.is_settled(sign, time.time_ns()):
            self._files[self._name(path)] = [sign, content]
            self._changed = True

    def findings(self, content: str, plan: str, path: Path) -> list[Finding] | None:
        """What a plan found in a content, None if that is not known."""
        found = self._found.get(f"{content} {plan}")
        if found is None:
            return None
        try:
            return [_finding(row, path) for row in found]
        except (IndexError, KeyError, TypeError, ValueError):
            return None

    def keep(self, content: str, plan: str, findings: Sequence[Finding]) -> None:
        """Keep what a plan found in a content."""
        self._found[f"{content} {plan}"] = [_row(finding) for finding in findings]
        self._changed = True

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if self._changed:
            files = self._files if len(self._files) <= _KEPT else {}
            found = self._found if len(self._found) <= _KEPT else {}
            store.write(self._store, {"format": _FORMAT, "files": files, "found": found})

    def _name(self, path: Path) -> str:
        return os.path.join(self._root, path)


def content_key(path: Path, source: bytes) -> str:
    """What stands for a content; its file's name and folder are part of it, since rules ask."""
    digest = hashlib.blake2b(source, digest_size=16)
    digest.update(f"\0{path.parent.name}/{path.name}".encode(errors="surrogateescape"))
    return digest.hexdigest()


def plan_key(rules: Sequence[Rule], settings: Settings) -> str:
    """What stands for all that findings depend on beside the content."""
    codes = [rule.code for rule in rules]
    packages = {rule.source.partition(".")[0] for rule in rules} | {"neuronlint"}
    stamps = [(package, stamp(package)) for package in sorted(packages)]
    own = (settings.torch, sorted(settings.gates), settings.style, settings.overrides)
    asked = (settings.markers, settings.targets, settings.operators, sorted(settings.known))
    held = sorted(settings.packages)
    parts = (_FORMAT, sys.version_info[:2], stamps, codes, own, asked, held)
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def _row(finding: Finding) -> list[Any]:
    fix = finding.fix
    edits = None if fix is None else [[e.start, e.end, e.text] for e in fix.edits]
    made = None if fix is None else [edits, fix.applicability.value, fix.since]
    place = [finding.line, finding.column, finding.end_line, finding.end_column]
    said = [finding.code, finding.name, finding.message, finding.severity.value]
    return [*place, *said, finding.symbol, finding.targets, made, finding.needs]


def _finding(row: list[Any], path: Path) -> Finding:
    *place, code, name, message, severity, symbol, targets, made, needs = row
    fix = None
    if made is not None:
        edits, applicability, since = made
        fix = Fix(tuple(Edit(*edit) for edit in edits), Applicability(applicability), since)
    line, column, end_line, end_column = place
    return Finding(
        path=path,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        code=code,
        name=name,
        message=message,
        severity=Severity(severity),
        fix=fix,
        symbol=symbol,
        targets=tuple(targets),
        needs=needs,
    )
