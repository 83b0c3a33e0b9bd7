"""The tool that compares two versions of neuronlint, with two that are not real."""

import json
import subprocess
import sys
from pathlib import Path

from checkout import ROOT

DIFF = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+{new}\n"
FAKE = """\
#!{python}
import sys
assert sys.argv[1:4] == ["-I", "-m", "neuronlint"]
print({diff!r} if "--diff" in sys.argv else {rows!r}, end="")
sys.exit({status})
"""


def row(line: int, code: str, message: str = "old") -> str:
    return json.dumps(
        {"filename": "a.py", "code": code, "message": message, "location": {"row": line}}
    )


def fake(
    file: Path, found: list[tuple[int, str]], new: str, status: int = 1, message: str = "old"
) -> Path:
    """An executable that answers as a Python with neuronlint would."""
    rows = "".join(f"{row(*each, message)}\n" for each in found)
    diff = DIFF.format(new=new)
    file.write_text(FAKE.format(python=sys.executable, diff=diff, rows=rows, status=status))
    file.chmod(0o755)
    return file


def compare(
    old: Path, new: Path, source: Path | str, *options: str
) -> subprocess.CompletedProcess[str]:
    tool = [sys.executable, str(ROOT / "tools/ecosystem.py")]
    line = [*tool, "--old", str(old), "--new", str(new), str(source), *options]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_what_came_went_moved_and_is_fixed_otherwise_is_told(tmp_path: Path) -> None:
    old = fake(tmp_path / "old", [(1, "NL1"), (2, "NL2"), (3, "NL3")], "y")
    new = fake(tmp_path / "new", [(1, "NL1"), (5, "NL3"), (6, "NL4")], "z")
    ran = compare(old, new, tmp_path)
    assert ran.returncode == 1
    assert ran.stdout == (
        f"{tmp_path}: 3 findings before, 3 after\n"
        "  went  a.py:2: NL2 old\n"
        "  moved a.py:3 -> 5: NL3 old\n"
        "  came  a.py:6: NL4 old\n"
        "  fixes a.py:\n"
        "      @@ -4,2 +4,2 @@\n"
        "       -x\n"
        "      -+y\n"
        "      ++z\n"
    )


def test_what_is_said_in_other_words_has_neither_come_nor_gone(tmp_path: Path) -> None:
    old = fake(tmp_path / "old", [(1, "NL1"), (2, "NL1"), (4, "NL1")], "y")
    new = fake(tmp_path / "new", [(1, "NL1"), (3, "NL1"), (4, "NL2")], "y", message="new")
    ran = compare(old, new, tmp_path)
    assert ran.stdout == (
        f"{tmp_path}: 3 findings before, 3 after\n"
        "  says  a.py:1: NL1 old -> new\n"
        "  came  a.py:3: NL1 new\n"
        "  went  a.py:2: NL1 old\n"
        "  went  a.py:4: NL1 old\n"
        "  came  a.py:4: NL2 new\n"
    )


def test_fixes_that_are_not_sound_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "a.py").write_text("x\n")
    (folder / "b.py").write_text("(\n")  # it was no Python before
    one = fake(tmp_path / "one", [(1, "NL1"), (3, "NL003")], "y")
    breaks = '\nif "--fix" in sys.argv: open("a.py", "w").write("(")\n'
    one.write_text(one.read_text().replace("import sys\n", f"import sys{breaks}", 1))
    assert compare(one, one, folder).returncode == 0
    ran = compare(one, one, folder, "--sound")
    assert ran.returncode == 1
    assert ran.stdout == (
        f"{folder}: 2 findings before, 2 after\n"
        "  fails a.py:3: NL003 old\n"
        "  broke a.py\n"
        "  again a.py: a second fix changes it\n"
    )
    assert (folder / "a.py").read_text() == "x\n"


def test_versions_that_say_the_same_end_well(tmp_path: Path) -> None:
    one = fake(tmp_path / "one", [(1, "NL1")], "y")
    ran = compare(one, one, tmp_path)
    assert (ran.returncode, ran.stdout) == (0, f"{tmp_path}: 1 findings before, 1 after\n")


def test_a_version_that_fails_ends_in_one_line(tmp_path: Path) -> None:
    ran = compare(fake(tmp_path / "one", [], "", status=2), tmp_path / "none", tmp_path)
    assert ran.returncode == 2
    assert ran.stderr == f"ecosystem: {tmp_path}/none: neither a checkout nor a Python\n"


def test_a_checkout_is_pinned_by_a_whole_commit(tmp_path: Path) -> None:
    one = fake(tmp_path / "one", [], "")
    ran = compare(one, one, "https://example.org/code@main")
    assert ran.returncode == 2
    assert "neither a folder nor URL@COMMIT" in ran.stderr


def test_a_source_is_checked_out_at_its_commit(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for step in (["init", "-q"], [*name, "commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", *step], cwd=code, check=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=code, check=True, capture_output=True, text=True
    ).stdout.strip()
    one = fake(tmp_path / "one", [(1, "NL1")], "y")
    ran = compare(one, one, f"{code.as_uri()}@{head}")
    assert (ran.returncode, ran.stderr) == (0, "")
