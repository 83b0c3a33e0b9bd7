"""The tables of the kernel rules hold facts with a source, and each row is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import tomli
from neuronlint_rules.kernels import (
    cuda_compile,
    cuda_library,
    cuda_switch,
    redirect_shim,
    xla_route,
)

from neuronlint import Finding, Row, Rule, engine, read_table

FILES = (
    *("compile.toml", "interfaces.toml", "libraries.toml", "optimizers.toml", "shims.toml"),
    *("switches.toml", "xla.toml", "xla_environment.toml"),
)


def raw(file: str) -> dict[str, dict[str, Any]]:
    """The table as written, aliases and all."""
    return tomli.loads((files("neuronlint_rules.kernels") / file).read_text(encoding="utf-8"))


def rows(file: str) -> dict[str, Row]:
    """The rows of a table by old name."""
    return read_table("neuronlint_rules.kernels.some_rule", file)


def every_row() -> Iterator[tuple[str, Row]]:
    """All rows of all tables with their names."""
    for file in FILES:
        yield from rows(file).items()


def found(code: str, rule: Rule) -> list[Finding]:
    """What a rule finds in a source."""
    return engine.check(code.encode(), Path("example.py"), [rule])


def told(file: str) -> list[str]:
    """The names of a table that are to be found."""
    return [name for name, row in rows(file).items() if not row.harmless]


def test_every_table_is_tested() -> None:
    folder = files("neuronlint_rules.kernels")
    assert sorted(p.name for p in folder.iterdir() if p.name.endswith(".toml")) == list(FILES)


@pytest.mark.parametrize("file", FILES)
def test_rows_are_sorted_by_old_name(file: str) -> None:
    names = list(raw(file))
    assert names == sorted(names)


def test_every_row_has_a_source_in_words() -> None:
    for name, row in every_row():
        assert row.source, name
        assert "://" not in row.source, name


def test_every_row_says_what_the_name_does_and_what_to_do() -> None:
    for name, row in every_row():
        for text in () if row.harmless else (row.note, row.instead):
            assert text, name
            assert not text.endswith("."), name
            assert not text[0].isupper(), name
            assert text.count("`") % 2 == 0, name


def test_since_is_a_release_of_torch() -> None:
    for name, row in every_row():
        assert re.fullmatch(r"2\.\d+|", row.since), name
        if "torch.accelerator." in row.new + row.instead:
            assert row.since, name


def test_no_row_writes_the_device_of_a_vendor() -> None:
    for name, row in every_row():
        assert not re.search(r'"(neuron|xpu|npu|hpu|mps)"', row.new + row.instead), name


@pytest.mark.parametrize("name", told("libraries.toml"))
def test_a_library_is_found_where_it_is_imported(name: str) -> None:
    above, _, last = name.rpartition(".")
    imported = f"from {above} import {last}" if above else f"import {name}"
    assert [finding.line for finding in found(f"{imported}\n", cuda_library.rule)] == [1]
    optional = f"try:\n    {imported}\nexcept ImportError:\n    pass\n"
    assert found(optional, cuda_library.rule) == []


@pytest.mark.parametrize("name", told("interfaces.toml"))
def test_an_interface_is_found_where_it_is_called(name: str) -> None:
    code = f"import torch\nimport {name.partition('.')[0]}\n{name}.thing(1)\n"
    assert [finding.line for finding in found(code, cuda_library.rule)] == [3]


@pytest.mark.parametrize("name", told("compile.toml"))
def test_an_argument_of_compile_is_found(name: str) -> None:
    keyword, _, value = name.partition("=")
    given = f'{{"{value}": True}}' if keyword == "options" else f'"{value}"'
    code = f"import torch\ntorch.compile({keyword}={given})\n"
    assert [finding.line for finding in found(code, cuda_compile.rule)] == [2]


@pytest.mark.parametrize("name", told("switches.toml"))
def test_a_switch_is_found(name: str) -> None:
    keyword, _, value = name.partition("=")
    code = f"load({keyword}={value if value == 'True' else repr(value)})\n"
    assert [finding.line for finding in found(code, cuda_switch.rule)] == [1]


@pytest.mark.parametrize("name", told("optimizers.toml"))
def test_a_switch_of_an_optimizer_is_found(name: str) -> None:
    code = f"import torch\ntorch.optim.Adam([], {name})\n"
    assert [finding.line for finding in found(code, cuda_switch.rule)] == [2]


@pytest.mark.parametrize("name", told("shims.toml"))
def test_a_shim_is_found(name: str) -> None:
    variable, equals, value = name.partition("=")
    code = f"import os\nos.environ[{variable!r}] = {value!r}" if equals else f"\nimport {name}"
    assert [finding.line for finding in found(f"{code}\n", redirect_shim.rule)] == [2]


@pytest.mark.parametrize("name", told("xla.toml"))
def test_a_name_of_the_xla_route_is_found(name: str) -> None:
    root = name.partition(".")[0]
    code = f"import {root}\n{name}.thing()\n"
    assert [finding.line for finding in found(code, xla_route.rule)][-1] == 2


@pytest.mark.parametrize("name", told("xla_environment.toml"))
def test_a_variable_of_the_xla_route_is_found(name: str) -> None:
    code = f'import os\nos.environ["{name}"] = "1"\n'
    assert [finding.line for finding in found(code, xla_route.rule)] == [2]


def test_torch_neuronx_and_the_device_module_are_no_findings() -> None:
    code = "import torch\nimport torch_neuronx\nimport torch.neuron\ntorch.neuron.synchronize()\n"
    assert found(code, xla_route.rule) == []
