"""What a record must not hide of what is installed."""

import json
import os
import re
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from project import install
from shell import Shell

from neuronlint import toml
from neuronlint.stamps import NEEDED


def _pack(shell: Shell) -> Path:
    """A pack that is a module, and what is in it known."""
    install(shell.site)
    folder, module = shell.site / "sample_pack", shell.site / "sample_module.py"
    module.write_bytes((folder / "old.py").read_bytes())
    (shell.site / "sample_pack-1.dist-info" / "entry_points.txt").write_text(
        "[neuronlint.rules]\nsample = sample_module:RULES\n"
    )
    shell.write("package/clean.py", "safe_old\n")
    shell.learns("package")
    return module


def test_a_pack_of_one_module_that_changes_is_seen(shell: Shell) -> None:
    module = _pack(shell)
    with module.open("r+") as file:  # in its place: the folder around it stays as it was
        text = file.read().replace("is old", "was old")
        file.seek(0)
        file.write(text)
    assert shell.sees("package")


@pytest.mark.parametrize("name", ["old.py", "rows.json"])
def test_a_pack_that_gets_an_older_file_is_seen(shell: Shell, name: str) -> None:
    install(shell.site)
    file = shell.site / "sample_pack" / "old.py"
    if name != file.name:
        file.with_name(name).write_text('"is old"')
        text = file.read_text().replace('"`{old}` is old;', 'open(FILE).read() + "`{old}`;')
        file.write_text(f"FILE = {str(file.with_name(name))!r}\n{text}")
    shell.write("package/clean.py", "safe_old\n")
    shell.learns("package")
    changed = file.with_name(name)
    changed.write_text(changed.read_text().replace("is old", "was old"))
    os.utime(changed, (1, 1))
    assert shell.sees("package")


def test_a_link_that_leads_nowhere_in_a_pack_does_no_harm(shell: Shell) -> None:
    install(shell.site)
    (shell.site / "sample_pack" / "gone.py").symlink_to("nowhere")
    (shell.site / "sample_pack" / ".#old.py").symlink_to("user@host.1")  # an editor has it open
    shell.learns("package")


@pytest.mark.parametrize("place", ["click/__init__.py", "yaml.py", "pack.egg/EGG-INFO/PKG-INFO"])
def test_what_comes_before_what_neuronlint_needs_is_seen(shell: Shell, place: str) -> None:
    shell.learns("package/clean.py")
    file = shell.project.parent / "before" / place
    file.parent.mkdir(parents=True)
    file.write_text("raise SystemExit(7)\n")
    folder = file.parents[1] if "/" in place else file.parent
    shell.env = {"PYTHONPATH": f"{folder}:{shell.site}"}
    assert "click" in shell.looked("package/clean.py")[1] or shell.short("package/clean.py")[0] == 7


def test_all_that_neuronlint_needs_is_known() -> None:
    project = toml.read(Path(__file__).parents[1] / "pyproject.toml")["project"]
    named = {re.split(r"\W", each.lower())[0] for each in project["dependencies"]}
    homes = packages_distributions()
    assert {name.lower() for module in NEEDED for name in homes[module]} == named


def test_a_record_that_names_no_places_is_none(shell: Shell) -> None:
    """Whoever cannot know when the places of this machine changed cannot write a record for it."""
    shell.short("package/clean.py")
    (record,) = shell.cache.glob("neuronlint/folder-*.json")
    kept = json.loads(record.read_text())
    kept["installation"].update(places={}, points={}, packages={})
    record.write_text(json.dumps({**kept, "text": "made up"}))
    assert not shell.is_quick("package/clean.py")
