"""Answer without doing anything where nothing is left to do: where all is as a record has it.

A run that goes the long way leaves records (`neuronlint.recording`): what was looked at, what was
said of it, and what a source must hold for anything to be found in it. Where what was looked at
is as it was, the same is said again; a source that may not hold anything may even be new. In
doubt, and for all else, the long way is gone. So this knows of no option but where the cache is,
and loads next to nothing.
"""

from __future__ import annotations

import os
import sys

from neuronlint.record import FOLDER, PYTHON, RUN, folder_of, key_of, name_of, parted
from neuronlint.version import SAID

_COMPLETES = "_NEURONLINT_COMPLETE"  # a shell asks for words, and gives none

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    Answer = tuple[str, int]  # what is printed, and the exit status


def main() -> NoReturn:
    """Run neuronlint on the arguments of the process, and leave with its status."""
    try:
        answer = _answer(sys.argv[1:])
        if answer is None or not _printed(answer[0]):
            from neuronlint import cli

            cli.main()
    except KeyboardInterrupt:
        sys.exit(130)  # as the long way says of it
    sys.exit(answer[1])


def _answer(words: list[str]) -> Answer | None:
    """What there is to say, None where that is not known."""
    if os.environ.get(_COMPLETES):
        return None
    if words in (["--version"], ["-V"]):
        return SAID, 0
    try:
        return _of_run(words) or _of_files(words)
    except Exception:
        return None  # the folder is gone, or a record is not what we wrote


def _of_run(words: list[str]) -> Answer | None:
    """What was said of the same before, where it still holds."""
    record = _read(key_of(RUN, words), words)
    return _said(record) if record is not None and _holds(record) else None


def _of_files(words: list[str]) -> Answer | None:
    """What is said of files in which nothing is found, where these are such."""
    options, files = parted(words)
    folders = dict.fromkeys(map(folder_of, files))
    records = {each: _read(key_of(FOLDER, options, each), words) for each in folders}
    held = [record for record in records.values() if record is not None and _holds(record)]
    said = {(_said(record), record["root"]) for record in held}
    if len(held) != len(records) or len(said) != 1:
        return None
    is_kept = False
    for file in files:
        record = records[folder_of(file)]
        if record is None or not _is_clean(file, record["wanted"]):
            return None
        is_kept = is_kept or record["kept"] is None or os.path.abspath(file) in record["kept"]
    return said.pop()[0] if is_kept else None


def _said(record: dict[str, Any]) -> Answer | None:
    """What was said, None where that is nothing to say."""
    text, status = record["text"], record["status"]
    return (text, status) if type(text) is str and type(status) is int else None


def _read(key: list[Any], words: list[str]) -> dict[str, Any] | None:
    """The record for a key, None where there is none for just that."""
    from neuronlint import store

    record = store.read(name_of(key), _cache(words))
    return record if record is not None and record["key"] == key else None


def _cache(words: list[str]) -> str | None:
    """Where the cache may be, if not where it usually is; only what is kept there tells."""
    for number, word in enumerate(words):
        if word == "--cache-dir":
            return "".join(words[number + 1 : number + 2])
        if word.startswith("--cache-dir="):
            return word.partition("=")[2]
    return os.environ.get("NEURONLINT_CACHE_DIR")


def _holds(record: dict[str, Any]) -> bool:
    """Whether all is as it was; files in which nothing was and is to be found may be others.

    Not those that decide about others, and not those that are links.
    """
    from neuronlint import stamps, there

    if not stamps.holds(record["installation"]) or any(there.changed(record["listed"], True)):
        return False
    looked, fixed, wanted = record["looked"], record["fixed"], record["wanted"]
    for path in there.changed(looked):
        is_free = looked[path] and path.endswith(PYTHON) and path not in fixed
        if not (is_free and _is_clean(path, wanted)):
            return False
    return True


def _is_clean(file: str, wanted: dict[str, Any] | None) -> bool:
    """Whether nothing can be found in a file."""
    from neuronlint import glance, there

    if wanted is None or not there.is_file(file):
        return False
    with open(file, "rb") as stream:
        return not glance.may_hold(stream.read(), wanted)


def _printed(text: str) -> bool:
    """Whether all could be printed; where not, the long way tells why, or knows how."""
    try:
        if not text.isascii() and sys.stdout.encoding.lower() != "utf-8":
            return False
        if text:
            sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        return False
    return True
