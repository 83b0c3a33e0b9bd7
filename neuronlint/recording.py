"""Records of what was said, and of what that hangs on, for `neuronlint.quick` to answer from."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuronlint import glance, record, registry, store, there
from neuronlint.files import Found
from neuronlint.options import Asked
from neuronlint.output import FOR_PEOPLE, Output
from neuronlint.own import UNUSED
from neuronlint.plans import Plans
from neuronlint.report import Report
from neuronlint.triggers import triggers

if TYPE_CHECKING:
    from neuronlint.there import Sign

# Options with which a run does no more than look and tell; others may write, or tell how it went.
_HARMLESS = (
    *("settings", "paths", "config", "isolated", "statistics", "exit_zero"),
    *("exit_non_zero_on_fix", "color", "quiet", "silent", "jobs", "cache_dir", "no_cut"),
)
_WRITING = ("fix", "fix-only", "baseline", "operators")
_KEPT = {record.RUN: 32, record.FOLDER: 512}  # records; one run may leave many of folders


@dataclass(frozen=True)
class Recording:
    """What is noted of a run: the words it was started with, and what it has looked at."""

    words: Sequence[str]
    started: int
    seen: there.Seen

    @classmethod
    def of(cls, asked: Asked, words: Sequence[str] | None) -> Recording | None:
        """A recording from now on, None of a run that does more than look and tell."""
        for each in fields(asked):
            if each.name not in _HARMLESS and getattr(asked, each.name) not in (False, None):
                return None
        if words is None or Path("-") in asked.paths or store.directory() is None:
            return None
        return cls(words, time.time_ns(), there.note())

    def keep(
        self, output: Output, plans: Plans, found: Found, report: Report, answer: tuple[str, int]
    ) -> None:
        """Store what was answered, if it will be the same as long as all is as it was."""
        there.forget()
        is_safe = not (found.unreadable or report.failed) and bool(found.files)
        if not is_safe or any(output.config.value(name) for name in _WRITING):
            return
        wanted = _wanted(plans)
        signs = {"looked": _needed(self.seen), "listed": self.seen.listed}
        options, files = record.parted(self.words)
        if [Path(file) for file in files] != [*output.asked.paths]:
            files = []
        if report.findings or not files or _may_hold(found, wanted):
            fixed = self.seen.told.union(str(finding.path) for finding in report.findings)
            # Whether two links lead to one file is told in the number of files.
            fixed.update(path for path in self.seen.looked if there.is_link(path))
            key = record.key_of(record.RUN, self.words)
            self._store(key, signs, wanted, sorted(fixed), answer)
        if files and wanted is not None and output.config.value("output-format") in FOR_PEOPLE:
            checked = {os.fspath(path) for path in found.files}
            looked = {path: sign for path, sign in self.seen.looked.items() if path not in checked}
            told, clean = sorted(self.seen.told), output.told(Report())
            root = output.config.file and os.path.abspath(output.config.file)
            for folder in dict.fromkeys(map(record.folder_of, files)):
                if not plans.is_led(Path(folder), output.config):
                    continue
                key = record.key_of(record.FOLDER, options, folder)
                more = {"kept": _kept(plans, found, folder), "root": root}
                self._store(key, {"looked": looked, "listed": {}}, wanted, told, clean, more)

    def _store(
        self,
        key: list[Any],
        signs: dict[str, dict[str, Sign]],
        wanted: dict[str, Any] | None,
        fixed: list[str],
        answer: tuple[str, int],
        more: dict[str, Any] | None = None,
    ) -> None:
        noted = (sign for part in signs.values() for sign in part.values())
        if not all(there.is_settled(sign, self.started) for sign in noted):
            return
        made = {
            "key": key,
            "installation": registry.installation(),
            **signs,
            "wanted": wanted,
            "fixed": fixed,
            "text": answer[0],
            "status": answer[1],
            **(more or {}),
        }
        store.write(record.name_of(key), made)
        store.thin(f"{key[1]}-", _KEPT[key[1]])


def _wanted(plans: Plans) -> dict[str, Any] | None:
    """What a source must hold for the rules of a run to find anything in it, where that is told."""
    rules = [rule for rule in plans.rules() if not rule.project]
    looked_for = triggers(tuple(rule for rule in rules if rule is not UNUSED), plans.words())
    if looked_for is None:
        return None
    codes = [rule.code for rule in rules] if UNUSED in rules else []
    return glance.noted(looked_for.clues(), codes)


def _may_hold(found: Found, wanted: dict[str, Any] | None) -> bool:
    """Whether a file may hold something: such a one is not known by its folder."""
    try:
        return wanted is None or any(glance.may_hold(p.read_bytes(), wanted) for p in found.files)
    except OSError:
        return True


def _kept(plans: Plans, found: Found, folder: str) -> list[str] | None:
    """The files of a folder that are not left out, None where named ones never are."""
    if not plans.is_forced(Path(folder)):
        return None
    full = (os.path.abspath(path) for path in found.files)
    return sorted(path for path in full if record.folder_of(path) == folder)


def _needed(seen: there.Seen) -> dict[str, Sign]:
    """What was looked at, without what is not there in folders whose names are known.

    A link that leads nowhere is there: what it leads to may come without a sign of it.
    """
    listed = {os.path.abspath(folder) for folder, sign in seen.listed.items() if sign}

    def is_known(path: str) -> bool:
        return os.path.dirname(os.path.abspath(path)) in listed and not os.path.lexists(path)

    looked = seen.looked.items()
    return {path: sign for path, sign in looked if sign is not None or not is_known(path)}
