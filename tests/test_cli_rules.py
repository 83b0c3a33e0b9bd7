"""Which rules run on which file, and what becomes of their findings."""

from pathlib import Path

import pytest
from project import Run, codes, write


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["--select", "TST1"], ["TST101", "TST102"]),
        (["--select", "TST101,TST201"], ["TST101", "TST201"]),
        (["--select", "TST101", "--select", "TST102"], ["TST101", "TST102"]),
        (["--ignore", "TST1"], ["TST201"]),
        (["--select", "TST101", "--extend-select", "TST2"], ["TST101", "TST201"]),
    ],
)
def test_rules_are_chosen_by_the_start_of_their_code(
    run: Run, args: list[str], found: list[str]
) -> None:
    write("a.py", "safe_old\nunsafe_old\nshown_old\n")
    assert codes(run(*args)) == found


def test_a_rule_asked_for_by_select_runs_though_the_project_ignores_it(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nignore = ["TST101"]\n')
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run()) == ["TST102"]
    assert codes(run("--select", "TST101")) == ["TST101"]


def test_all_is_every_rule(run: Run) -> None:
    write("a.py", "safe_old\nunsafe_old\nshown_old\n")
    assert codes(run("--isolated", "--select", "ALL")) == ["TST101", "TST102", "TST201"]


def test_a_rule_is_chosen_by_its_name(run: Run) -> None:
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run("--select", "unsafe-old")) == ["TST102"]


def test_the_longer_start_of_a_code_decides(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST101"]\nignore = ["TST1"]\n')
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run()) == ["TST101"]


def test_at_the_same_length_ignore_decides(run: Run) -> None:
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run("--select", "TST1,TST101", "--ignore", "TST101")) == ["TST102"]


def test_no_rules_may_be_selected(run: Run) -> None:
    Path("neuronlint.toml").write_text("select = []\n")
    write("a.py", "safe_old\n")
    assert run().status == 0


@pytest.mark.parametrize(
    ("table", "left"),
    [
        ('"tests/**" = ["TST1"]', ["src/a.py"]),
        ('"tests/*" = ["TST1"]', ["src/a.py"]),
        ('"tests/" = ["TST1"]', ["src/a.py"]),
        ('"a.py" = ["ALL"]', []),
        ('"src/a.py" = ["safe-old"]', ["tests/sub/a.py"]),
        ('"**/sub/?.py" = ["TST101"]', ["src/a.py"]),
        ('"{src,lib}/[!b].py" = ["TST101"]', ["tests/sub/a.py"]),
        ('"!src/**.py" = ["TST101"]', ["src/a.py"]),
        ('"src/a.py" = ["TST102"]', ["src/a.py", "tests/sub/a.py"]),
    ],
)
def test_rules_are_left_out_by_file(run: Run, table: str, left: list[str]) -> None:
    text = f'select = ["TST"]\n[per-file-ignores]\n{table}\n'
    Path("neuronlint.toml").write_text(text)
    write("src/a.py", "safe_old\n")
    write("tests/sub/a.py", "safe_old\n")
    assert [line.split(":")[0] for line in run("-q").out.splitlines() if ".py:" in line] == left


def test_rules_are_left_out_by_file_by_option(run: Run) -> None:
    write("src/a.py", "safe_old\nunsafe_old\n")
    write("b.py", "safe_old\nunsafe_old\n")
    ran = run("--per-file-ignores", "src/*:TST101,TST102,b.py:TST102")
    assert codes(ran) == ["TST101"]


def test_more_rules_may_be_left_out_by_file(run: Run) -> None:
    Path("neuronlint.toml").write_text(
        'select = ["TST"]\n[per-file-ignores]\n"a.py" = ["TST101"]\n'
    )
    write("a.py", "safe_old\nunsafe_old\n")
    assert codes(run("--extend-per-file-ignores", "a.py:TST102")) == []
    assert codes(run("--per-file-ignores", "a.py:TST102")) == ["TST101"]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        ('TST101 = "info"', ["info TST101", "warning TST102"]),
        ('TST1 = "error"', ["error TST101", "error TST102"]),
        ('TST1 = "info"\nTST101 = "warning"', ["warning TST101", "info TST102"]),
        ('safe-old = "off"', ["warning TST102"]),
        ('TST1 = "off"\nTST101 = "error"', ["error TST101"]),
        ('TST = "off"', []),
    ],
)
def test_a_project_says_how_much_a_rule_matters(run: Run, table: str, lines: list[str]) -> None:
    Path("neuronlint.toml").write_text(f'select = ["TST"]\n[severity]\n{table}\n')
    write("a.py", "safe_old\nunsafe_old\n")
    shown = [line for line in run().out.splitlines() if line.startswith("a.py:")]
    assert [" ".join(line.split()[1:3]) for line in shown] == lines


def test_what_counts_less_than_its_rule_is_not_raised(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["NL101"]\nseverity.NL101 = "error"\n')
    guarded = "import torch\nif torch.cuda.is_available():\n    torch.zeros(2).cuda()\n"
    write("a.py", guarded)
    assert "a.py:3:20: warning NL101 " in run().out


def test_a_projects_own_gate_is_a_finding(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["NL702"]\ngates.decorators = ["on_card"]\n')
    write("a.py", "from ours import on_card\n\n\n@on_card\ndef test_it():\n    pass\n")
    assert "a.py:4:2: warning NL702 `on_card` skips on every accelerator but CUDA" in run().out


def test_a_decorator_that_no_project_names_is_none(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["NL702"]\n')
    write("a.py", "from ours import on_card\n\n\n@on_card\ndef test_it():\n    pass  # cuda\n")
    assert run().status == 0
