"""Measure neuronlint against others on public code, and print the table of docs/performance.md.

    python benchmarks/run.py --against parse,grep,ruff,ast-grep,flake8,fixit,torchfix

Without folders the packages are downloaded. All that is needed is installed into `--work`.
Figures are seconds of processor time on one processor, medians of rounds in which all take turns.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import corpora
import environments
from contestants import HERE, Field
from measuring import Contestant, Result, compete

OTHERS = ("parse", "grep", "rg", "ruff", "ast-grep", "flake8", "fixit", "torchfix")
BASE = "neuronlint, cold"


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--against", default="parse,grep,ruff,ast-grep", metavar="NAMES")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=49, help="files for the slow ones")
    parser.add_argument("--parts", default="start,whole,few", metavar="NAMES")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache/neuronlint-benchmarks")
    asked = parser.parse_args()
    names = [name for name in asked.against.split(",") if name]
    if unknown := set(names) - {*OTHERS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(OTHERS)}")
    work = asked.work.resolve()
    field = Field(work, names)
    folders = [folder.resolve() for folder in asked.folders] or corpora.downloaded(work)
    print(f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}; {environments.machine()}.")
    print(f"{'; '.join(field.versions())}.", flush=True)
    for line in _parts(field, folders, asked):
        print(line, flush=True)


def _parts(field: Field, folders: Sequence[Path], asked: argparse.Namespace) -> Iterator[str]:
    parts = asked.parts.split(",")
    if "start" in parts:
        yield from _start(field, asked.rounds)
    if "few" in parts:
        yield from _few(field, folders[0], asked.rounds, asked.sample)
    for folder in folders if "whole" in parts else ():
        yield from _whole(field, folder, asked.rounds)


def _start(field: Field, rounds: int) -> Iterator[str]:
    """What a run costs that has nothing to do, and what the engine does within."""
    folder = field.work / "start"
    folder.mkdir(exist_ok=True)
    (folder / "clean.py").write_text("x = 1\n")
    python = field.programs["neuronlint"] / "python"
    named = field.neuronlint("a file without a trigger", folder, "-j1")
    ones = [
        Contestant("python -c pass", [python, "-c", "pass"], folder),
        Contestant("python -c 'import click'", [python, "-c", "import click.core"], folder),
        Contestant("neuronlint --version", [*named.command[:1], "--version"], folder),
        Contestant(named.name, [w if w != "." else "clean.py" for w in named.command], folder),
    ]
    yield from _table("start-up", _compete(ones, 3 * rounds), "python -c pass", digits=3)
    inside = _inside(python)
    yield (
        f"\nA changed text of {inside['lines']:,} lines that are bound to CUDA: findings after "
        f"{1000 * inside['latency']:.0f} ms (median of 50). On its tree all rules cost "
        f"{inside['all'] / inside['cheap']:.2f} times the cheapest three "
        f"({', '.join(inside['codes'])}), the parse included."
    )


def _inside(python: Path) -> dict[str, float]:
    done = subprocess.run([python, HERE / "inside.py"], check=True, stdout=subprocess.PIPE)
    return dict(json.loads(done.stdout))


def _whole(field: Field, folder: Path, rounds: int) -> Iterator[str]:
    """All contestants that can be asked about a whole folder."""
    one = corpora.copied(folder, field.work / "copies" / "one" / folder.name)
    two = corpora.copied(folder, field.work / "copies" / "two" / folder.name)
    files = list(one.rglob("*.py"))
    size = sum(file.stat().st_size for file in files) / 1e6
    title = f"{folder.name}: {len(files):,} files, {size:.1f} MB"
    ones = [*field.ourselves(one, two), *field.others(one)]
    yield from _table(title, _compete(ones, rounds), BASE)


def _few(field: Field, folder: Path, rounds: int, number: int) -> Iterator[str]:
    """The contestants that are too slow for more than a few files."""
    slow = corpora.sample(folder, field.work / "copies" / "few" / folder.name, number)
    ones = list(field.slow(slow))
    if ones:
        cold = field.neuronlint("cold", slow, before=lambda: field.forget(slow))
        title = f"{number} files of {folder.name}"
        yield from _table(title, _compete([cold, *ones], rounds), BASE)


def _compete(ones: Sequence[Contestant], rounds: int) -> list[Result]:
    return compete(ones, rounds, lambda text: print(f"  {text}", file=sys.stderr, flush=True))


def _table(title: str, results: Sequence[Result], base: str, digits: int = 2) -> Iterator[str]:
    """The results in Markdown, with the ratio of each to the one named."""
    one = next(result for result in results if result.contestant.name == base)
    yield f"\n**{title}**\n"
    yield f"| | CPU s | to {base.removeprefix('neuronlint, ')} | wall s | MiB | rounds |"
    yield "|---|--:|--:|--:|--:|--:|"
    for result in results:
        figures = f"{result.cpu:.{digits}f} | {result.cpu / one.cpu:.2f} | {result.wall:.{digits}f}"
        rest = f"{result.memory:.0f} | {len(result.runs)}"
        yield f"| {result.contestant.name} | {figures} | {rest} |"


if __name__ == "__main__":
    main()
