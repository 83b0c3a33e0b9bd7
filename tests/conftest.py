"""A command line to test: neuronlint in an empty project, with a rule pack of its own."""

import io
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import Ran, Run, install
from shell import LOADED, START, Shell

from neuronlint import cli, store


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's cache out of the tests, and the tests out of it."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the sample pack is installed."""
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Has SIGINT reach what is started, though whoever started the tests may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run(
    pack: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Run:
    """Runs neuronlint in an empty project that asks for the rules of the sample pack."""
    monkeypatch.setattr(sys, "path", [str(pack), *sys.path])
    monkeypatch.chdir(tmp_path)
    for name in [*os.environ]:
        if name.startswith("NEURONLINT_") or name in ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NEURONLINT_DEBUG", "")
    monkeypatch.setattr(store, "_folder", [])  # what one run asks for is not for the next test
    Path(".git").mkdir()
    Path("neuronlint.toml").write_text('select = ["TST"]\n')

    def run(*args: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as left:
            cli.main(args)
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs are that start neuronlint, and a cache that knows the rules."""
    folder = tmp_path_factory.mktemp("starts")
    (folder / "short.py").write_text(LOADED + START.format("quick import main"))
    (folder / "long.py").write_text(START.format("cli import main"))
    first = Shell(tmp_path_factory.mktemp("first"), folder)
    first.short("package/clean.py")
    shutil.copytree(first.cache / "neuronlint", folder / "kept")
    for record in (folder / "kept").glob("folder-*"):
        record.unlink()
    return folder


@pytest.fixture
def shell(tmp_path: Path, starts: Path) -> Shell:
    return Shell(tmp_path, starts)
