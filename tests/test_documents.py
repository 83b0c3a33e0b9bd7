"""Files beside Python: which are looked at, and what is made of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from neuronlint import Severity, engine, files, registry
from neuronlint.formats import LIMIT, Format, format_of
from neuronlint.kernels import kernels
from neuronlint.projects import Projects

RULES = [rule for rule in registry.installed() if rule.project]
LOOKED_AT = (
    *("requirements.txt", "requirements-dev.txt", "requirements/base.txt", "pyproject.toml"),
    *("setup.cfg", "environment.yml", "Dockerfile", "docker/Dockerfile.train", "a.dockerfile"),
    *("compose.yaml", "run.sh", "job.slurm", "conf/model.yaml", "conf/model.json", "tests/run.sh"),
)
PASSED_OVER = (
    *(
        "notes.txt",
        "poetry.lock",
        "uv.lock",
        "package-lock.json",
        "conda-lock.yml",
        "pnpm-lock.yaml",
    ),
    *(".github/workflows/test.yml", ".gitlab-ci.yml", "ci/test.yaml", ".hidden/a.json"),
    *("tests/data/a.yaml", "sub/tests/a.json", "a.toml"),
)


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*names: str, text: str = "") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def walked(*paths: str) -> set[str]:
    found = files.find(map(Path, paths or ("",)), Projects(isolated=True).filter)
    return {path.as_posix() for path in found.files}


def codes(name: str, text: str) -> list[str]:
    return [finding.code for finding in engine.check(text.encode(), Path(name), RULES)]


def test_a_folder_is_searched_for_what_a_project_consists_of() -> None:
    write(*LOOKED_AT, *PASSED_OVER)
    assert walked() == set(LOOKED_AT)


def test_folders_elsewhere_count_from_the_one_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("tests/project/a.yaml", "tests/project/.github/b.yaml", "here/keep")
    monkeypatch.chdir("here")
    found = files.find([tmp_path / "tests/project"], Projects(isolated=True).filter)
    assert [path.name for path in found.files] == ["a.yaml"]


def test_a_file_that_is_named_is_checked() -> None:
    write(".github/a.yml")
    assert walked(".github/a.yml") == {".github/a.yml"}


def test_include_decides_alone_and_extend_include_adds() -> None:
    write("a.yaml", "a.py", ".github/b.yml")
    write("pyproject.toml", text='[tool.neuronlint]\ninclude = ["*.py"]\n')
    assert {p.name for p in files.find([Path()], Projects().filter).files} == {"a.py"}
    write("pyproject.toml", text='[tool.neuronlint]\nextend-include = [".github/*.yml"]\n')
    found = {path.name for path in files.find([Path()], Projects().filter).files}
    assert found == {"a.py", "a.yaml", "b.yml", "pyproject.toml"}


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("requirements/x.txt", Format.REQUIREMENTS),
        ("x.txt", None),
        ("setup.py", None),
        ("Dockerfile", Format.CONTAINER),
        ("x.JSON", None),
    ],
)
def test_a_format_is_told_by_the_name(name: str, format: Format | None) -> None:
    assert format_of(Path(name)) is format


def test_a_backend_owns_a_file_with_its_name() -> None:
    assert codes("Dockerfile", "FROM nvidia/cuda:12\n") == ["NL903"]
    assert codes("Dockerfile.cuda", "FROM nvidia/cuda:12\n") == []
    assert codes("docker/rocm/Dockerfile", "FROM nvidia/cuda:12\n") == []


@pytest.mark.parametrize("name", ["a.yaml", "a.json", "pyproject.toml", "setup.cfg", "Dockerfile"])
@pytest.mark.parametrize(
    "text", ["[" * 50_000, "\x00 cuda", "cuda: {", "'cuda", "FROM\n", "device"]
)
def test_what_cannot_be_read_has_no_finding(name: str, text: str) -> None:
    assert codes(name, text) == []


def test_bytes_that_are_no_text_have_no_finding() -> None:
    assert engine.check(b"device: cuda \xff", Path("a.yaml"), RULES) == []


def test_a_place_counts_characters_whatever_ends_the_lines() -> None:
    source = "é: ü\r\nx: {ä: ö, device: cuda}\r\n".encode()
    (finding,) = engine.check(source, Path("a.yaml"), RULES)
    place = (finding.line, finding.column, finding.end_line, finding.end_column)
    assert place == (2, 19, 2, 23)
    assert finding.severity is Severity.ERROR


def test_python_is_not_looked_at_by_rules_for_other_files() -> None:
    assert codes("a.py", 'device = "cuda"\n') == []
    python = [rule for rule in registry.installed() if not rule.project]
    assert engine.check(b"device: cuda", Path("a.yaml"), python) == []


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    write("large.json", text='{"device": "cuda"}' + " " * LIMIT)
    write("small.json", text='{"device": "cuda"}')
    command = [sys.executable, "-m", "neuronlint", "check", "--no-cache", "--select", "NL9"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "small.json:1:12" in ran.stdout
    assert "large.json" not in ran.stdout


def test_no_parser_is_loaded_for_a_file_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))  # of the rules' words
    write("a.yaml", "pyproject.toml", text="a = 1\n")
    code = (
        "import sys; from neuronlint.cli import main\n"
        "try: main(['check', '--select', 'NL9', 'a.yaml', 'pyproject.toml'])\n"
        "except SystemExit: pass\n"
        "assert not {'yaml', 'libcst', 'neuronlint.documents'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-m", "neuronlint", "rules"], check=True, capture_output=True)
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_cuda_sources_are_counted() -> None:
    write("csrc/a.cu", "csrc/a.cuh", "csrc/a.cpp", "build/b.cu", "a.py")
    found = kernels([Path()], Projects(isolated=True).filter)
    assert [path.as_posix() for path in found] == ["csrc/a.cu", "csrc/a.cuh"]
