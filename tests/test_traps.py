"""A project full of traps: none of its files runs when it is checked."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from neuronlint import store

MODULES = (
    *("setup", "conftest", "sitecustomize", "usercustomize", "noxfile", "__init__", "__main__"),
    *("libcst", "click", "yaml", "pathspec", "packaging", "pygls", "lsprotocol", "torch"),
    *("tomllib", "tomli", "typing", "importlib", "dataclasses", "json", "re", "pathlib", "ast"),
    *("neuronlint_rules", "rules", "neuronlint_plugin", "tokenize", "enum", "contextlib", "os"),
)
CONFIG = '[tool.neuronlint]\nselect = ["ALL"]\n'
SCRIPT = Path(sysconfig.get_path("scripts"), "neuronlint")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of Python files that leave a mark when they run, and a file to check."""
    folder, mark = tmp_path / "project", tmp_path / "mark"
    trap = f"import io\nio.open({str(mark)!r}, 'a').write(__name__)\nimport torch\nx.cuda()\n"
    for name in MODULES:
        for file in (folder / f"{name}.py", folder / "sub" / name / "__init__.py"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(trap)
    for name in ("neuronlint", "rules"):
        (folder / "sub" / name).mkdir(exist_ok=True)
        (folder / "sub" / name / "__init__.py").write_text(trap)
        (folder / "sub" / name / "__main__.py").write_text(trap)
    (folder / "evil.pth").write_text(f"import io; io.open({str(mark)!r}, 'a').write('pth')\n")
    (folder / "pyproject.toml").write_text(CONFIG)
    metadata = folder / "evil-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[neuronlint.rules]\nevil = neuronlint_plugin:RULES")
    return folder


def ran(project: Path, command: list[str], stdin: str = "") -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        command, cwd=project, input=stdin, capture_output=True, text=True, check=False
    )
    mark = project.parent / "mark"
    assert not mark.exists(), mark.read_text()
    return done


@pytest.mark.parametrize(
    "args", [["."], ["--fix", "--unsafe-fixes", "."], ["report", "."], ["rules"], ["-q", "sub"]]
)
def test_the_command_runs_none_of_them(project: Path, args: list[str]) -> None:
    done = ran(project, [str(SCRIPT), *args])
    assert done.returncode in (0, 1)
    assert not done.stderr
    assert "NL101" in done.stdout or args[0] in ("--fix", "report")


def test_the_module_runs_none_of_them(project: Path) -> None:
    for name in ("typing", "importlib"):  # which Python itself may load before us
        (project / f"{name}.py").unlink()
    done = ran(project, [sys.executable, "-m", "neuronlint", "."])
    assert (done.returncode, done.stderr) == (1, "")
    assert "NL101" in done.stdout


def test_the_list_of_operators_runs_none_of_them(project: Path) -> None:
    for name in ("typing", "importlib"):
        (project / f"{name}.py").unlink()
    ran(project, [sys.executable, "-m", "neuronlint.operators", "--device", "nothing"])


def test_the_server_runs_none_of_them(project: Path) -> None:
    pytest.importorskip("pygls")
    document = {
        **{"uri": (project / "setup.py").as_uri(), "languageId": "python", "version": 1},
        "text": (project / "setup.py").read_text(),
    }
    messages = [
        {
            **{"id": 1, "method": "initialize"},
            "params": {"processId": None, "rootUri": project.as_uri(), "capabilities": {}},
        },
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    stdin = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    done = ran(project, [str(SCRIPT), "server"], stdin)
    assert (done.returncode, done.stderr, done.stdout.count('"result"')) == (0, "", 2)


@pytest.mark.skipif(not hasattr(store.os, "getuid"), reason="needs users")
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_cache_that_others_may_write_to_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    monkeypatch.setattr(store, "_folder", [tmp_path])
    tmp_path.chmod(0o700)
    store.write("a", {"b": 1})
    assert store.read("a") == {"b": 1}
    tmp_path.chmod(mode)
    assert store.read("a") is None
    tmp_path.chmod(0o700)
    (tmp_path / "a.json").chmod(0o666)
    assert store.read("a") is None


@pytest.mark.skipif(not hasattr(store.os, "getuid"), reason="needs users")
def test_a_cache_of_somebody_else_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_folder", [tmp_path])
    store.write("a", {"b": 1})
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(store.os, "getuid", lambda: owner + 1)
    assert store.read("a") is None
