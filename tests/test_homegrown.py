"""What a repository holds itself is no library that it leans on."""

from pathlib import Path

import pytest
from neuronlint_rules import RULES
from project import write

from neuronlint import read_table
from neuronlint.plans import Plans
from neuronlint.projects import Projects
from neuronlint.runner import Plan, visit

IMPORTS = "import apex\nimport triton\nimport flash_attn\n"


def found(path: str) -> list[int]:
    """The lines of the imports that are of libraries."""
    plans = Plans(Projects(isolated=True), RULES, Plan(()))
    return [one.line for one in visit(Path(path), plans.of(Path(path))).findings]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("place", ["", "src/", "python/"])
def test_an_import_of_the_repositorys_own_package_is_no_librarys(place: str) -> None:
    write(".git/HEAD", "")
    write(f"{place}triton/__init__.py", "")
    write("tests/unit/a.py", IMPORTS)
    assert found("tests/unit/a.py") == [1, 3]


def test_an_own_module_counts_and_a_folder_without_code_does_not() -> None:
    write("setup.py", "")
    write("flash_attn.py", "")
    write("apex/README.md", "")
    write("a.py", IMPORTS)
    assert found("a.py") == [1, 2]


def test_a_folder_of_that_name_deeper_down_is_none_of_its_packages() -> None:
    write("pyproject.toml", "")
    write("model/ops/triton/__init__.py", "")
    write("model/ops/triton/a.py", IMPORTS)
    assert found("model/ops/triton/a.py") == [1, 2, 3]


def test_how_a_path_is_spelt_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    write("setup.cfg", "")
    write("apex/__init__.py", "")
    write("apex/a.py", IMPORTS)
    full = str(Path("apex/a.py").absolute())
    assert found("apex/a.py") == found(full) == [2, 3]
    monkeypatch.chdir("apex")
    assert found("a.py") == found(full) == [2, 3]


def test_a_package_beside_a_file_is_its_own() -> None:
    write(".git/HEAD", "")
    write("extensions/triton/__init__.py", "")
    write("extensions/a.py", IMPORTS)
    write("other/a.py", IMPORTS)
    assert found("extensions/a.py") == [1, 3]
    assert found("other/a.py") == [1, 2, 3]


@pytest.mark.parametrize("name", sorted(read_table("neuronlint_rules.kernels.x", "libraries.toml")))
def test_every_library_may_be_somebodys_own(name: str) -> None:
    root = name.partition(".")[0]
    write("setup.py", "")
    write("a.py", f"import {name}\n")
    write(f"{root}/__init__.py", "")
    assert found("a.py") == []


def test_what_stands_beside_a_file_in_no_repository_is_its_own() -> None:
    write("triton.py", "")
    write("a.py", IMPORTS)
    assert found("a.py") == [1, 3]
