"""The tables of facts hold what rules may rely on; no torch is needed to see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import tomli

from neuronlint.table import Row, TableError, read_table

TABLES = {
    "backends": ("cuda.toml", "cudnn.toml"),
    "device": ("tensor_types.toml",),
    "precision": ("amp.toml",),
    "runtime": ("accelerator.toml", "none.toml", "other.toml"),
}
FILES = [(topic, file) for topic, names in TABLES.items() for file in names]
TEXTS = ("new", "without", "instead", "older", "note")
ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    path
    for folder in ("neuronlint", "rules", "tests/rules")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".md", ".py", ".toml"}
]
ACCELERATOR: dict[str, str] = tomli.loads(
    Path(__file__).with_name("accelerator.toml").read_text(encoding="utf-8")
)["since"]


def raw(topic: str, file: str) -> dict[str, dict[str, Any]]:
    """The table as written, aliases and all."""
    text = (files("neuronlint_rules") / topic / file).read_text(encoding="utf-8")
    return tomli.loads(text)


def rows(topic: str, file: str) -> dict[str, Row]:
    """The table as a rule of the topic reads it."""
    return read_table(f"neuronlint_rules.{topic}.some_rule", file)


def every_row() -> Iterator[tuple[str, Row]]:
    """All rows of all tables with their names."""
    for topic, file in FILES:
        yield from rows(topic, file).items()


def release(text: str) -> tuple[int, ...]:
    """A release as numbers, so that 2.10 comes after 2.9."""
    return tuple(int(part) for part in text.split("."))


@pytest.mark.parametrize(("topic", "file"), FILES)
def test_rows_are_sorted_by_old_name(topic: str, file: str) -> None:
    names = list(raw(topic, file))
    assert names == sorted(names)


@pytest.mark.parametrize(("topic", "file"), FILES)
def test_an_alias_points_to_a_row_of_its_table(topic: str, file: str) -> None:
    table = raw(topic, file)
    aliases = {name: row["alias"] for name, row in table.items() if "alias" in row}
    read = rows(topic, file)
    assert all("alias" not in table[target] for target in aliases.values())
    assert all(read[name] == read[target] for name, target in aliases.items())


def test_no_name_is_in_two_tables() -> None:
    names = [name for name, _ in every_row()]
    assert len(names) == len(set(names))


def test_every_row_says_what_to_do() -> None:
    assert [name for name, row in every_row() if not (row.new or row.instead or row.harmless)] == []


def test_every_row_has_a_source_and_both_outcomes() -> None:
    for name, row in every_row():
        assert row.source, name
        for pair in (row.cpu, row.neuron):
            assert len(pair) == 2, name
            assert pair[0] in {"silent", "returns", "raises"}, name
            assert pair[1] in {"silent", "returns", "raises", ""}, name


def test_since_is_a_release_of_torch() -> None:
    assert [name for name, row in every_row() if row.new and not row.since] == []
    for name, row in every_row():
        for found in (row.since, row.older_since, row.added, row.gone):
            assert re.fullmatch(r"2\.\d+|", found), name


def test_no_row_suggests_an_invented_function() -> None:
    invented = {
        (name, found)
        for name, row in every_row()
        for text in TEXTS
        for found in re.findall(r"torch\.accelerator\.(\w+)", getattr(row, text))
        if found not in ACCELERATOR
    }
    assert invented == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_names_an_invented_function(path: Path) -> None:
    found = set(re.findall(r"\btorch\}?\.accelerator\.(\w+)", path.read_text(encoding="utf-8")))
    assert found - ACCELERATOR.keys() == set()


def test_an_older_form_says_which_release_has_it() -> None:
    for name, row in every_row():
        if row.older_since:
            assert re.fullmatch(r"torch\.get_device_module\(\)\.\w+", row.older), name
            assert release("2.4") <= release(row.older_since) < release(row.since), name
            # Only from 2.6 on can the fixed code ask for an accelerator, as `without` needs.
            assert not row.without or release(row.older_since) >= (2, 6), name


def test_no_row_is_older_than_the_functions_it_suggests() -> None:
    for name, row in every_row():
        for found in re.findall(r"torch\.accelerator\.(\w+)", row.new + row.instead):
            assert row.since, name
            assert release(ACCELERATOR[found]) <= release(row.since), name


def test_no_row_takes_the_capability_of_an_accelerator_for_that_of_cuda() -> None:
    new = {row.new for _, row in every_row()}
    assert "torch.accelerator.get_device_capability" not in new


def test_a_phrase_can_follow_a_semicolon() -> None:
    for name, row in every_row():
        assert not row.instead.endswith("."), name
        assert not row.instead[:1].isupper(), name
        assert row.instead.count("`") % 2 == 0, name


def test_a_branch_without_an_accelerator_needs_a_guard() -> None:
    assert [name for name, row in every_row() if row.without and not row.guard] == []


def test_a_guard_needs_torch_accelerator() -> None:
    guarded = {name: row.since for name, row in every_row() if row.guard}
    assert [name for name, since in guarded.items() if release(since) < (2, 6)] == []


def test_numbers_and_procedures_are_guarded_where_the_original_is_silent() -> None:
    table = rows("runtime", "accelerator.toml")
    assert table["torch.cuda.max_memory_allocated"].without == "0"
    assert table["torch.cuda.memory.empty_cache"].without == "None"
    assert table["torch.cuda.synchronize"].guard


def test_tensor_types_have_a_dtype() -> None:
    table = rows("device", "tensor_types.toml")
    assert [n for n, row in table.items() if not row.dtype and n != "torch.cuda.sparse"] == []
    assert table["torch.cuda.HalfTensor"].dtype == "torch.float16"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('["a"]\nnew = "b"\n', "t.toml: a: `since` is required with `new`"),
        ('["a"]\nnote = "b"\n', "t.toml: a: one of `new`, `instead` and `harmless` is required"),
        ('["a"]\nnews = "b"\n', "t.toml: a: unknown key `news`"),
        ('["a"]\nharmless = "yes"\n', "t.toml: a: `harmless` has a value of the wrong type"),
        (
            '["a"]\ninstead = "b"\ncpu = "raises"\n',
            "t.toml: a: `cpu` has a value of the wrong type",
        ),
        ('["a"]\nalias = "b"\n', "t.toml: a: alias of 'b', which is not a row of these files"),
        ('["a"]\nalias = "a"\n', "t.toml: a: alias of 'a', which is not a row of these files"),
        ('["a"]\nalias = "b"\nnote = "c"\n', "t.toml: a: an alias has no other key"),
        ('a = "b"\n', "t.toml: a: not a row"),
        ("[", "t.toml: "),
    ],
)
def test_a_table_with_a_mistake_names_the_file_and_the_row(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = a_pack(tmp_path, monkeypatch, {"t.toml": text})
    with pytest.raises(TableError) as caught:
        read_table(module, "t.toml")
    assert str(caught.value).startswith(message)


def test_a_name_in_two_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '["a"]\nharmless = true\n'
    module = a_pack(tmp_path, monkeypatch, {"t.toml": text, "u.toml": text})
    with pytest.raises(TableError, match=r"u\.toml: a: the row is also in t\.toml"):
        read_table(module, "t.toml", "u.toml")


def a_pack(directory: Path, monkeypatch: pytest.MonkeyPatch, tables: dict[str, str]) -> str:
    """The name of a rule's module in a package with these tables."""
    # Each test has a package of its own, since Python remembers what it imported.
    package = f"pack_{directory.name}"
    (directory / package).mkdir()
    (directory / package / "__init__.py").touch()
    for file, text in tables.items():
        (directory / package / file).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(directory)
    return f"{package}.some_rule"
