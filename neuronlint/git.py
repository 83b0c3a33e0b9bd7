"""What git knows of a repository: asked without a shell, and without its configuration's say."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from neuronlint.user_error import UserError

# A repository may be set up to run programs or to print differently; neither is wanted here.
_QUIETLY = (
    *("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "diff.relative=false"),
    *("-c", "diff.suppressBlankEmpty=false", "--no-pager"),
)
_DIFF = (
    *("diff", "--unified=0", "--find-renames", "--text", "--no-color", "--no-ext-diff"),
    *("--no-textconv", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"),
)


def top(folder: Path) -> Path:
    """The root of the repository that a folder is in; raises UserError where it is in none."""
    try:
        return Path(_line(folder, "rev-parse", "--show-toplevel"))
    except _RefusedError as refused:
        if "not a git repository" in str(refused) or not str(refused):
            raise UserError(f"{folder.absolute()} is in no git repository") from None
        raise UserError(f"git: {refused}") from None


def base(top: Path, ref: str) -> str:
    """The commit in which the current state and a ref part; raises UserError."""
    if not ref or ref.startswith("-") or not ref.isprintable():
        raise UserError(f"{ref!r} is no git ref")
    try:
        commit = _line(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    except _RefusedError:
        raise UserError(f"git knows no commit {ref!r}") from None
    try:
        return _line(top, "merge-base", "HEAD", commit)
    except _RefusedError:
        raise UserError(
            f"git knows no common ancestor of HEAD and {ref!r}; a shallow clone lacks it"
        ) from None


def diff(top: Path, commit: str) -> bytes:
    """What has changed in the files that git tracks since a commit, as a unified diff."""
    return _asked(top, *_DIFF, commit, "--")


def untracked(top: Path) -> list[Path]:
    """The files that git neither tracks nor ignores."""
    listed = _asked(top, "ls-files", "--others", "--exclude-standard", "-z")
    return [top / os.fsdecode(name) for name in listed.split(b"\0") if name]


class _RefusedError(Exception):
    """Git says no; the text is what it says, without its first word."""


def _line(folder: Path, *args: str) -> str:
    """The line that git answers; raises _RefusedError."""
    code, out, said = _run(folder, *args)
    if code:
        raise _RefusedError(said)
    return os.fsdecode(out.removesuffix(b"\n").removesuffix(b"\r"))


def _asked(folder: Path, *args: str) -> bytes:
    """What git answers; raises UserError."""
    code, out, said = _run(folder, *args)
    if code:
        raise UserError(f"git {args[0]}: {said}")
    return out


def _run(folder: Path, *args: str) -> tuple[int, bytes, str]:
    """The status, the output and the first complaint of git."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *_QUIETLY, *args],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise UserError(f"git cannot be run: {error.strerror}") from None
    first = os.fsdecode(done.stderr).strip().partition("\n")[0]
    return done.returncode, done.stdout, first.removeprefix("fatal: ")
