"""Tell what a change of neuronlint makes of other people's code.

Two versions, each a Python in whose environment it is installed or a checkout of it, look at the
same folders. Printed is what only one of them finds, what both find at another line or in other
words, and where their fixes differ. With `--sound` the new one also fixes a copy of each folder,
and printed is what a rule failed on, what no longer parses and what a second fix changes. The exit
status is 1 if anything is.

    python tools/ecosystem.py --old ../main --new . [--sound] folder... URL@COMMIT...
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FAILURES = frozenset({"NL003", "NL004", "NL005"})  # a rule's, a fix's, a write's
OPTIONS = ("--isolated", "--no-cache", "--select", "ALL")
# The rules of a checkout are not installed: this names them as an installation would.
_PACK = """\
import importlib.metadata, pathlib, sys
import importlib.util as util
root = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(root))
init = root / "rules" / "__init__.py"
spec = util.spec_from_file_location("neuronlint_rules", init)
sys.modules["neuronlint_rules"] = module = util.module_from_spec(spec)
spec.loader.exec_module(module)
point = importlib.metadata.EntryPoint("builtin", "neuronlint_rules:RULES", "neuronlint.rules")
importlib.metadata.entry_points = lambda group: [point]
from neuronlint.cli import main
main()
"""


class FailedError(Exception):
    """A version or a checkout that cannot be used; the text says why."""


@dataclass(frozen=True)
class Place:
    """A finding without its line: what is to be the same before and after."""

    file: str
    code: str
    message: str


@dataclass(frozen=True)
class Seen:
    """What one version says of a folder: the lines of its findings, and its fixes by file."""

    lines: dict[Place, list[int]]
    diffs: dict[str, str]


def command(version: str) -> list[str]:
    """How to start a version: a Python in whose environment it is, or a checkout."""
    path = Path(version)
    if path.is_dir():
        if not (path / "neuronlint").is_dir():
            raise FailedError(f"{version}: no checkout of neuronlint")
        return [sys.executable, "-I", "-c", _PACK, str(path.absolute())]
    if not path.is_file():
        raise FailedError(f"{version}: neither a checkout nor a Python")
    # Isolated: nothing is imported from the folder that is looked at.
    return [str(path.absolute()), "-I", "-m", "neuronlint"]


def run(start: Sequence[str], folder: Path, *options: str) -> str:
    """What a version prints about a folder, which it calls `.`."""
    line = [*start, "check", *OPTIONS, *options, "."]
    with tempfile.TemporaryDirectory() as cache:
        env = {k: v for k, v in os.environ.items() if not k.startswith("NEURONLINT_")}
        env["XDG_CACHE_HOME"] = cache  # what one version keeps is not for the other
        ran = subprocess.run(line, cwd=folder, capture_output=True, check=False, env=env)
    if ran.returncode not in (0, 1):
        said = ran.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise FailedError(f"{start[-1]} ended with status {ran.returncode}: {said[-1]}")
    return ran.stdout.decode(errors="replace")


def seen(start: Sequence[str], folder: Path) -> Seen:
    """What a version says of a folder."""
    lines: dict[Place, list[int]] = defaultdict(list)
    for row in map(json.loads, run(start, folder, "--output-format", "json-lines").splitlines()):
        lines[_place(row, folder)].append(row["location"]["row"])
    return Seen(dict(lines), by_file(run(start, folder, "--diff", "--unsafe-fixes", "--quiet")))


def _place(row: dict[str, Any], folder: Path) -> Place:
    file = os.path.relpath(folder / row["filename"], folder)
    return Place(file, row["code"], row["message"])


def by_file(diff: str) -> dict[str, str]:
    """The parts of a unified diff by the files that they change."""
    parts = re.split(r"^(?=--- [^\n]*\n\+\+\+ )", diff, flags=re.MULTILINE)
    return {part[4 : part.index("\n")].split("\t")[0]: part for part in parts if "\n+++ " in part}


def compared(old: Seen, new: Seen) -> Iterator[str]:
    """Lines about findings that came, went or moved, and about fixes that changed."""
    were, are = ({place: [*rows] for place, rows in one.lines.items()} for one in (old, new))
    yield from sorted(_reworded(were, are))
    for place in sorted({*were, *are}, key=lambda p: (p.file, p.code, p.message)):
        before, after = Counter(were.get(place, ())), Counter(are.get(place, ()))
        gone, come = [sorted((a - b).elements()) for a, b in ((before, after), (after, before))]
        both = min(len(gone), len(come))
        told = f"{place.code} {place.message}"
        yield from (f"moved {place.file}:{a} -> {b}: {told}" for a, b in zip(gone, come))  # noqa: B905
        yield from (f"went  {place.file}:{line}: {told}" for line in gone[both:])
        yield from (f"came  {place.file}:{line}: {told}" for line in come[both:])
    for file in sorted({*old.diffs, *new.diffs}):
        before_, after_ = old.diffs.get(file, ""), new.diffs.get(file, "")
        if before_ != after_:
            yield f"fixes {file}:"
            lines = difflib.unified_diff(
                before_.splitlines(), after_.splitlines(), lineterm="", n=1
            )
            yield from (f"    {line}" for line in [*lines][2:])


def _reworded(old: dict[Place, list[int]], new: dict[Place, list[int]]) -> Iterator[str]:
    """Lines about findings that say something else, which are taken out of both."""
    said = {(p.file, p.code, line): p for p, lines in new.items() if p not in old for line in lines}
    for place in [place for place in old if place not in new]:
        for line in [*old[place]]:
            if other := said.pop((place.file, place.code, line), None):
                old[place].remove(line)
                new[other].remove(line)
                yield f"says  {place.file}:{line}: {place.code} {place.message} -> {other.message}"


def unsound(start: Sequence[str], folder: Path, scratch: Path) -> Iterator[str]:
    """Lines about what a version's fixes, unsafe ones included, make of a copy of a folder."""
    copy = scratch / "fixed"
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    once = run(start, copy, "--fix", "--unsafe-fixes", "--output-format", "json-lines")
    for row in map(json.loads, once.splitlines()):
        if row["code"] in FAILURES:
            place = os.path.relpath(copy / row["filename"], copy)
            yield f"fails {place}:{row['location']['row']}: {row['code']} {row['message']}"
    for file in sorted(copy.rglob("*.py")):
        original = folder / file.relative_to(copy)
        if _parses(original) and not _parses(file):
            yield f"broke {file.relative_to(copy)}"
    again = by_file(run(start, copy, "--diff", "--unsafe-fixes", "--quiet"))
    yield from (f"again {name}: a second fix changes it" for name in sorted(again))
    shutil.rmtree(copy)


def _parses(file: Path) -> bool:
    try:
        ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def checkout(source: str, into: Path) -> Path:
    """The folder that a source names: itself, or a new checkout of `URL@COMMIT`."""
    if Path(source).is_dir():
        return Path(source)
    url, _, commit = source.rpartition("@")
    if not url or not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise FailedError(
            f"{source}: neither a folder nor URL@COMMIT with all of a commit's digits"
        )
    folder = into / re.sub(r"\W+", "-", source)
    steps = [["init", "--quiet"], ["fetch", "--quiet", "--depth=1", "--", url, commit]]
    folder.mkdir()
    for step in [*steps, ["checkout", "--quiet", "FETCH_HEAD"]]:
        ran = subprocess.run(["git", *step], cwd=folder, capture_output=True, check=False)
        if ran.returncode:
            raise FailedError(f"{source}: git {step[0]}: {ran.stderr.decode().strip()}")
    return folder


def report(old: str, new: str, sources: Iterable[str], sound: bool = False) -> bool:
    """Whether two versions say the same of all sources; what they do not is printed."""
    starts = command(old), command(new)
    same = True
    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            folder = checkout(source, Path(scratch)).absolute()
            one, other = (seen(start, folder) for start in starts)
            counts = [sum(map(len, each.lines.values())) for each in (one, other)]
            lines = [*compared(one, other)]
            lines += unsound(starts[1], folder, Path(scratch)) if sound else ()
            print(f"{source}: {counts[0]} findings before, {counts[1]} after")
            print("".join(f"  {line}\n" for line in lines), end="", flush=True)
            same = same and not lines
    return same


def main() -> int:
    """Compare two versions; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", required=True, metavar="VERSION")
    parser.add_argument("--new", required=True, metavar="VERSION")
    parser.add_argument("--sound", action="store_true", help="try the fixes of the new one")
    parser.add_argument("sources", nargs="+", metavar="SOURCE")
    given = parser.parse_args()
    try:
        return 0 if report(given.old, given.new, given.sources, given.sound) else 1
    except FailedError as error:
        print(f"ecosystem: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
