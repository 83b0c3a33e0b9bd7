"""Which files to check, given the paths that were named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from neuronlint import formats, there
from neuronlint.ignores import Patterns

SUFFIXES = (".py", ".pyi", formats.NOTEBOOK)
DEFAULT_INCLUDE = (*(f"*{suffix}" for suffix in SUFFIXES), *formats.INCLUDE)
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


@dataclass(frozen=True)
class Found:
    """The files to check, and what could not be looked into, with the reason."""

    files: tuple[Path, ...] = ()
    unreadable: tuple[tuple[Path, str], ...] = ()


@dataclass(frozen=True)
class Filter:
    """Which files a project wants checked: patterns to include, none for Python, and to exclude.

    `usual` are those for what a project has beside Python, None where it has a list of its own.
    `forced` says that even a named path may be excluded.
    """

    exclude: tuple[Patterns, ...] = ()
    include: tuple[Patterns, ...] = ()
    gitignore: bool = True
    forced: bool = False
    usual: Patterns | None = None

    def excludes(self, path: Path, is_folder: bool) -> bool:
        """Whether a path is left out: the last of the patterns that say decides."""
        verdicts = (patterns.verdict(path, is_folder) for patterns in reversed(self.exclude))
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def may_include(self, name: str, folder: str) -> bool:
        """Whether a file of a name, in a folder of a name, may be of a kind to check."""
        return (
            name.endswith(SUFFIXES)
            or bool(self.include)
            or formats.of_name(name, folder) is not None
        )

    def includes(self, path: Path) -> bool:
        """Whether a file in a folder is of a kind to check."""
        usual = self.usual
        if (usual or not self.include) and path.name.endswith(SUFFIXES):
            return True
        if usual and formats.format_of(path) is not None and usual.verdict(path, False):
            return True
        return any(patterns.verdict(path, False) for patterns in self.include)

    def excludes_within(self, path: Path) -> bool:
        """Whether a path, or a folder of the project that it lies in, is left out."""
        folders = {patterns.folder for patterns in self.exclude}
        above = (each for each in path.parents if folders.intersection(each.parents))
        return self.excludes(path, there.is_folder(path)) or any(
            self.excludes(each, True) for each in above
        )

    def seen_from(self, folder: Path) -> Filter:
        """The filter with the patterns that count from a folder above counting from this one."""
        moved = (
            Patterns(folder, each.lines) if each.folder in folder.parents else each
            for each in self.exclude
        )
        return replace(self, exclude=tuple(moved))

    def counted_from(self, folder: Path) -> Filter:
        """The filter with the usual patterns of a project elsewhere counting from this folder."""
        if self.usual is None or self.usual.folder in (folder, *folder.parents):
            return self
        return replace(self, usual=Patterns(folder, self.usual.lines))


Filters = Callable[[Path], Filter]  # by folder


@dataclass
class _Walk:
    """The files met so far, by real path, and what could not be looked into."""

    found: dict[str, Path] = field(default_factory=dict)
    unreadable: list[tuple[Path, str]] = field(default_factory=list)

    def folder(self, path: Path, filters: Filters, ignores: tuple[Patterns, ...]) -> None:
        """Take in the files in and under a folder, in the order of their names."""
        there.lists(path)
        try:
            with os.scandir(path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable.append((path, error.strerror or str(error)))
            return
        here = path.absolute()
        project, real = filters(here), os.path.realpath(path)
        if any(entry.name == ".gitignore" for entry in entries):
            ignores = (*ignores, _ignores_of(path))
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not project.may_include(entry.name, here.name):
                continue
            child = path / entry.name
            full = child if here is path else here / entry.name
            if not _is_wanted(entry, full, is_folder, project) or project.excludes(full, is_folder):
                continue
            if project.gitignore and _is_ignored(full, is_folder, ignores):
                continue
            if is_folder:
                self.folder(child, filters, ignores)
            elif entry.is_symlink():
                self.file(child)
            else:
                self._take(child, os.path.join(real, entry.name))

    def file(self, path: Path) -> None:
        """Take in a file, wherever it lies."""
        if there.is_link(path):
            self._take(path, os.path.realpath(path), is_link=True)
        else:
            self._take(path, os.path.join(os.path.realpath(path.parent), path.name))

    def _take(self, path: Path, real: str, is_link: bool = False) -> None:
        """Take in a file, once; where it has several names, one that is no link."""
        if real not in self.found or (not is_link and there.is_link(self.found[real])):
            self.found[real] = path

    def named(self, path: Path, filters: Filters) -> None:
        """Take in a path that was named, whatever the patterns say unless they are forced."""
        full = path.absolute()
        project = filters(full.parent)
        is_folder = there.is_folder(path)
        is_excluded = (is_folder or project.forced) and project.excludes_within(full)
        if is_excluded and project.forced:
            return
        if is_folder:

            def within(inner: Path) -> Filter:
                project = filters(inner).counted_from(full)
                return project.seen_from(full) if is_excluded else project

            self.folder(path, within, _ignores_above(full))  # what is excluded is told from there
        else:
            self.file(path)


def find(paths: Iterable[Path], filters: Filters) -> Found:
    """The files that the paths stand for; `filters` tells what is wanted of a folder's content."""
    walk = _Walk()
    for path in map(_from_here, paths):
        walk.named(path, filters)
    return Found(tuple(walk.found.values()), tuple(walk.unreadable))


def _from_here(path: Path) -> Path:
    """The path from the current folder if it lies there, or as it is."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _is_wanted(entry: os.DirEntry[str], full: Path, is_folder: bool, project: Filter) -> bool:
    """Whether an entry is a file to check, or a folder other than a virtual environment.

    Links to folders are not followed, as git and ruff do not: what they lead to is either
    met anyway or lies outside.
    """
    if is_folder:
        return not there.exists(f"{entry.path}{os.sep}pyvenv.cfg")
    try:
        if not project.includes(full):
            return False
        return there.is_file(full) if entry.is_symlink() else entry.is_file()
    except OSError:  # a link in a circle
        return False


def _ignores_above(path: Path) -> tuple[Patterns, ...]:
    """The .gitignore files between a folder and the root of its repository.

    None if they ignore the folder itself: whoever names it wants to see into it.
    """
    above: list[Path] = []
    if not there.exists(path / ".git"):
        for parent in path.parents:
            above.insert(0, parent)
            if there.exists(parent / ".git"):
                break
        else:
            return ()
    ignores = tuple(_ignores_of(each) for each in above if there.is_file(each / ".gitignore"))
    return () if _is_ignored(path, True, ignores) else ignores


def _ignores_of(folder: Path) -> Patterns:
    text, file = "", folder / ".gitignore"
    with suppress(OSError):
        if there.is_file(file):  # to read a pipe is to wait for it
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
    return Patterns.of(folder.absolute(), text.splitlines())


def _is_ignored(path: Path, is_folder: bool, ignores: Sequence[Patterns]) -> bool:
    """Whether git ignores the path: the deepest .gitignore file that has an opinion decides."""
    for patterns in reversed(ignores):
        if (verdict := patterns.verdict(path, is_folder)) is not None:
            return verdict
    return False
