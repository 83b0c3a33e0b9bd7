"""The sentences of a readiness report, for the page, the text and the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from neuronlint.readiness.data import Data

DENOMINATOR = (
    "A file counts if it imports torch, if anything was found in it, or if it is CUDA source code. "
    "It is ready if nothing in it fails on the target or silently does something else there. "
    "Code that asks whether CUDA is there, and goes without it, does not lower the figure."
)
SETTLED = {
    "automatic": "fixed automatically",
    "review": "fix to review",
    "person": "by hand",
    "nothing": "nothing to do",
}
SEVERITIES = {
    "error": "Stops the program",
    "warning": "Silently does something else",
    "info": "Harmless",
}


def verdict(data: Data) -> str:
    """The report in a few words: `69 % ready for AWS Trainium`."""
    title, percent = data["target"]["title"], data["readiness"]["ready_percent"]
    match percent:
        case None:
            return "no PyTorch code found"
        case 100:
            return f"ready for {title}"
        case _:
            return f"{percent} % ready for {title}"


def meaning(data: Data) -> str:
    """What keeps the code from the target, in a sentence."""
    readiness, work = data["readiness"], data["work"]
    if readiness["ready_percent"] is None:
        return "No file that was looked at imports torch, and nothing tied to CUDA was found."
    parts = [
        *_part(work["errors"], "place stops", "places stop", " the program"),
        *_part(
            *(work["warnings"], "place silently does", "places silently do"),
            " something else, such as staying on the CPU",
        ),
        *_part(len(kernels(data)), "CUDA source file needs", "CUDA source files need", " porting"),
    ]
    if not parts:
        return "Nothing was found that would fail there, or silently do something else."
    *first, last = parts
    return f"{', '.join(first)}, and {last}." if first else f"{last}."


def _part(number: int, one: str, many: str, rest: str) -> list[str]:
    return [f"{number:,} {one if number == 1 else many}{rest}"] if number else []


def many(number: int, word: str) -> str:
    """A number of things in words: `1 file`, `1,023 files`."""
    return f"{number:,} {word if number == 1 else f'{word}s'}"


def formula(data: Data) -> str:
    """How the figure comes about, in numbers."""
    readiness = data["readiness"]
    percent = readiness["ready_percent"]
    return f"{readiness['ready']:,} ready files ÷ {readiness['counted']:,} files = {percent} %"


def steps(data: Data) -> Iterator[tuple[str, str, int, int]]:
    """What raises the figure, step by step: what to do, on how much, to how many files, percent."""
    readiness, work = data["readiness"], data["work"]
    if readiness["ready"] == readiness["counted"]:
        return
    for name, text, number in (
        ("after_fix", "Run `neuronlint --fix`: safe fixes", work["automatic"]),
        (
            "after_review",
            "Run `neuronlint --fix --unsafe-fixes` and review the changes",
            work["review"],
        ),
    ):
        yield text, many(number, "place"), readiness[name], readiness[f"{name}_percent"]
    also = f", {many(number, 'CUDA source file')}" if (number := len(kernels(data))) else ""
    yield (
        "Change the rest by hand",
        many(work["person"], "place") + also,
        readiness["counted"],
        100,
    )


def progress(data: Data) -> list[tuple[str, str, str]]:
    """What the earlier report says, and this one, row by row."""
    old, new = data["compared"], data
    rows = [("ready", _ready(old["readiness"]), _ready(new["readiness"]))]
    for name, title in (
        ("errors", "stops the program"),
        ("warnings", "silently does something else"),
        ("infos", "harmless"),
        ("automatic", "fixed automatically"),
        ("review", "fixes to review"),
        ("person", "by hand"),
        ("points", "points of effort"),
    ):
        rows.append((title, f"{old['work'][name]:,}", f"{new['work'][name]:,}"))
    return rows


def _ready(readiness: Data) -> str:
    percent = readiness["ready_percent"]
    share = "none" if percent is None else f"{percent} %"
    return f"{share} ({readiness['ready']:,} of {readiness['counted']:,} files)"


def most_work(data: Data, number: int) -> list[Data]:
    """The files with most points, of those with any place that blocks."""
    working = [each for each in data["files"] if not each["ready"] and each["counted"]]
    return sorted(
        working,
        key=lambda each: (-each["points"], -each["errors"] - each["warnings"], each["path"]),
    )[:number]


def kernels(data: Data) -> list[Data]:
    """The CUDA source files."""
    return [each for each in data["files"] if each["kind"] == "kernel"]


def unseen(data: Data) -> Iterator[str]:
    """What nothing was found out about, one sentence each."""
    seen = data["unseen"]
    read = sum(each["kind"] != "kernel" for each in data["files"])
    yield f"{many(read, 'file')} looked at, by reading the code; nothing was run."
    if number := len(seen["failed"]):
        yield f"{many(number, 'file')} could not be checked, and count as not ready."
    if number := len(seen["excluded"]):
        yield f"{many(number, 'Python file')} left out by the configuration."
    if seen["off"]:
        yield f"Rules that did not run: {', '.join(seen['off'])}."
    if number := len(seen["unknown"]):
        yield f"{many(number, 'name')} of torch.cuda unknown to every rule."
    if number := len(kernels(data)):
        yield f"{many(number, 'CUDA source file')} counted, not read."
    yield (
        f"{many(seen['mentioning'], 'line')} of code name CUDA without a finding: names of the "
        "project's own, texts, and code known to run only where CUDA is; "
        f"{many(seen['remarks'], 'line')} of comment do, too."
    )
    if number := seen["silenced"]:
        yield f"{many(number, 'comment')} in the code suppress findings."
