"""What has changed since an earlier report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from neuronlint.readiness.data import FORMAT, Data
from neuronlint.readiness.figure import Figure
from neuronlint.user_error import UserError

_WORK = ("errors", "warnings", "infos", "automatic", "review", "person", "points")
_GONE = ("path", "place", "code", "message", "severity", "topic")


def read(file: Path) -> Data:
    """An earlier report in JSON; raises UserError where there is none that can be read."""
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise UserError(f"--compare: {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"--compare: {file}: not JSON: {error}") from None
    match data:
        case {"format": int(number), "readiness": dict()} if number != FORMAT:
            raise UserError(f"--compare: {file}: of format {number}; this reads {FORMAT}")
        case {
            "format": int(),
            "target": {"name": str()},
            "made": str(),
            "readiness": dict(readiness),
            "work": dict(work),
            "findings": list(findings),
        } if _is_whole(readiness, work, findings):
            return dict(data)
    raise UserError(f"--compare: {file}: not a report; neuronlint report -o old.json writes one")


def _is_whole(readiness: Data, work: Data, findings: list[Any]) -> bool:
    numbers = [*map(readiness.get, ("counted", "ready")), *map(work.get, _WORK)]
    return all(isinstance(each, int) for each in numbers) and all(
        isinstance(each, dict) and all(isinstance(each.get(name), str) for name in ("key", *_GONE))
        for each in findings
    )


def compare(old: Data, new: Data) -> Data:
    """The new report with what has changed in it; raises UserError for another target's."""
    before, after = old["target"]["name"], new["target"]["name"]
    if before != after:
        raise UserError(f"--compare: a report for the target {before}, not {after}")
    known = {each["key"] for each in old["findings"]}
    keys = {each["key"] for each in new["findings"]}
    gone = [each for each in old["findings"] if each["key"] not in keys]
    figure = Figure(old["readiness"]["counted"], old["readiness"]["ready"])
    compared = {
        "made": old["made"],
        "version": str(old.get("version", "")),
        "readiness": {
            "counted": figure.counted,
            "ready": figure.ready,
            "ready_percent": figure.percent(figure.ready),
        },
        "work": {name: old["work"][name] for name in _WORK},
        "gone": [{name: each[name] for name in _GONE} for each in gone],
        "new": sum(each["key"] not in known for each in new["findings"]),
    }
    findings = [{**each, "new": each["key"] not in known} for each in new["findings"]]
    return {**new, "findings": findings, "compared": compared}
