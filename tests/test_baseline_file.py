"""The file of a baseline, whatever is in it."""

from pathlib import Path

import pytest
from project import Run, write

from neuronlint import baseline
from neuronlint.baseline import Baseline, Entry
from neuronlint.user_error import UserError

FILE = "base.json"


def test_odd_names_and_texts_come_through(tmp_path: Path) -> None:
    odd = frozenset(
        {
            Entry("é/\udcff.py", "NL101", 'x = "\\u2028" \\xff', 3),
            Entry("b.py", "NL101", 'y = "日本"'),
        }
    )
    Baseline(tmp_path / FILE, odd).write()
    assert "日本" in (tmp_path / FILE).read_text(encoding="utf-8")
    assert baseline.read(tmp_path / FILE).entries == odd


def test_a_baseline_keeps_its_mode_and_leaves_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / FILE
    Baseline(file).write()
    file.chmod(0o640)
    Baseline(file).write()
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<<<<<<< HEAD\n{}", "not JSON"),
        ("", "not JSON"),
        ('{"version": 2, "findings": {}}', "a baseline of version 2; this reads 1"),
        ("[]", "not a baseline"),
        ('{"findings": {}}', "not a baseline"),
        ('{"version": 1, "findings": []}', "not a baseline"),
        ('{"version": 1, "findings": {"a.py": ["x"]}}', "not a baseline"),
        ('{"version": 1, "findings": {"a.py": [{"rule": "NL1"}]}}', "not a baseline"),
        ('{"version": 1, "findings": {"a.py": [{"rule": 1, "line": ""}]}}', "not a baseline"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_baseline_ends_in_one_line_and_status_2(
    run: Run, text: str, message: str
) -> None:
    write(FILE, text)
    for args in ([], ["--update-baseline"]):
        ran = run("--baseline", FILE, *args)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith(f"neuronlint: {FILE}: {message}")
        assert Path(FILE).read_text() == text


def test_a_failed_write_leaves_the_old_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / FILE
    Baseline(file).write()
    before = file.read_text()

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(UserError, match="cannot be written: No space left on device"):
        Baseline(file, frozenset({Entry("a.py", "NL101", "x")})).write()
    assert (file.read_text(), list(tmp_path.iterdir())) == (before, [file])
