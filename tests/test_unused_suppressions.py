"""Suppressions that suppress nothing, and the pages of what the engine says itself."""

from itertools import pairwise
from pathlib import Path

import pytest
from project import Run, codes, write

from neuronlint import engine, page, registry
from neuronlint.own import RULES, UNUSED, words
from neuronlint.rule import Rule
from neuronlint.settings import Settings

ALL = [UNUSED, *registry.installed()]
HOT = "import torch\n\nx = torch.zeros(2).cuda()"  # a finding of NL101


def unused(source: str) -> list[tuple[int, int, str]]:
    found = engine.check(source.encode(), Path("a.py"), ALL)
    return [(each.line, each.column, each.message) for each in found if each.code == "NL006"]


def cleaned(source: str) -> str:
    return engine.fix(source.encode(), Path("a.py"), ALL).source.decode()


@pytest.mark.parametrize("block", page.blocks(page.read(UNUSED)), ids=lambda block: block.kind)
def test_its_page_says_what_is_found(block: page.Block) -> None:
    found = engine.check(block.code.encode(), Path("a.py"), ALL)
    assert tuple((each.line, each.code) for each in found) == block.marks


def test_its_page_says_what_is_fixed() -> None:
    blocks = page.blocks(page.read(UNUSED))
    pairs = [(a, b) for a, b in pairwise(blocks) if b.kind == "fixed"]
    assert [cleaned(before.code) for before, _ in pairs] == [after.code for _, after in pairs]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_what_the_engine_says_itself_has_a_page(rule: Rule, run: Run) -> None:
    ran = run("rule", rule.code)
    assert ran.out.startswith(f"# {rule.name} ({rule.code})\n\n")
    assert ran == run("rule", rule.name)


def test_it_says_where_and_what() -> None:
    assert unused("x = 1  # a  # noqa: E1, NL101, NL201 why\n") == [
        (1, 13, "`NL101`, `NL201` suppress nothing; remove it")
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # noqa: NL101\n", "x = 1\n"),
        ("x = 1  # noqa: NL101", "x = 1"),
        ("x = 1\t # noqa: NL101  \n", "x = 1\n"),
        ("x = 1  # NoQA:NL101 the reason\n", "x = 1\n"),
        ("x = 1  # noqa: nl101, E1\nnl = 'NL'\n", "x = 1  # noqa: E1\nnl = 'NL'\n"),
        ("x = 1  # noqa: E1, NL101, E2 why\n", "x = 1  # noqa: E1, E2 why\n"),
        ("x = 1  # noqa: E1 NL101\n", "x = 1  # noqa: E1\n"),
        ("x = 1  # type: ignore  # noqa: NL101\n", "x = 1  # type: ignore\n"),
        ("x = 1  # noqa: NL101  # type: ignore\n", "x = 1  # type: ignore\n"),
        ("x = 1  # noqa: NL101 see #12\n", "x = 1\n"),
        ("x = 1  # noqa: E1  # noqa: NL101\n", "x = 1  # noqa: E1\n"),
        ("x = 1  # noqa: NL999, NL101\n", "x = 1  # noqa: NL999\n"),
        ("x = 1  # neuronlint: ignore[NL101] why\n", "x = 1\n"),
        ("x = 1  # neuronlint: ignore[cuda-call]\n", "x = 1\n"),
        ("x = 1  # neuronlint: ignore[E1,NL101]\n", "x = 1  # neuronlint: ignore[E1]\n"),
        ("# neuronlint: ignore-file[NL101]\nx = 1\n", "x = 1\n"),
        ("f(\n    # noqa: NL101\n    1,\n)\n", "f(\n    1,\n)\n"),
        ("x = 1\n# noqa: NL101", "x = 1\n"),
        ("# neuronlint: disable[NL101]\nx\n# neuronlint: enable[NL101]\ny\n", "x\ny\n"),
        ("# neuronlint: enable[NL101] why\ny\n", "y\n"),
        ("x = 1  # é noqa  # noqa: NL101\r\ny = 2\r\n", "x = 1  # é noqa\r\ny = 2\r\n"),
        ("x = 1  # noqa: NL101\ry = 2\r", "x = 1\ry = 2\r"),
        ("# noqa: NL101\r\ny = 2\r\n", "y = 2\r\n"),
    ],
)
def test_the_fix_leaves_what_is_not_ours(before: str, after: str) -> None:
    assert len(unused(before)) >= 1
    assert cleaned(before) == after


@pytest.mark.parametrize(
    "source",
    [
        f"{HOT}  # noqa: NL101\n",
        f"{HOT}  # noqa: E501, NL101\n",
        f"{HOT}  # neuronlint: ignore[cuda-call]\n",
        f"# neuronlint: ignore-file[NL101]\n{HOT}\n",
        f"# neuronlint: disable[NL101]\n{HOT}\n# neuronlint: enable[NL101]\n",
        f"# neuronlint: disable[NL1]\n{HOT}\n# neuronlint: enable[NL101]\n",
        f"# neuronlint: disable\n{HOT}\n# neuronlint: enable[NL101]\n",
        "# neuronlint: disable\nx = 1\n# neuronlint: enable[NL101]\n",
        "x = 1  # noqa\n",
        "x = 1  # noqa: E501\n",
        "x = 1  # noqa: NL1\n",
        "x = 1  # noqa: NL999\n",
        "x = 1  # noqa: NL006\n",
        "x = 1  # noqa: NL006, NL101\n",
        "# neuronlint: ignore-file[NL006]\nx = 1  # noqa: NL101\n",
        "x = 1  # neuronlint: ignore\n",
        "x = '# noqa: NL101'\n",
        "x = 1  # mention of NL101\n",
    ],
)
def test_what_is_of_use_or_not_ours_is_no_finding(source: str) -> None:
    assert unused(source) == []


def test_two_markers_for_one_finding_are_both_of_use() -> None:
    assert unused(f"# neuronlint: ignore-file[NL101]\n{HOT}  # noqa: NL101\n") == []


def test_a_rule_that_did_not_run_leaves_its_suppressions(run: Run) -> None:
    write("a.py", "x = 1  # noqa: TST101, TST102\n")
    assert codes(run("--select", "TST,NL006")) == ["NL006"]
    assert "`TST101`, `TST102` suppress" in run("--select", "TST,NL006").out
    assert "`TST102` suppresses" in run("--select", "TST102,NL006").out
    assert run("--select", "TST").status == 0
    assert run("--select", "TST,NL006", "--ignore", "NL006").status == 0
    Path("neuronlint.toml").write_text(
        'select = ["TST", "NL006"]\nper-file-ignores = { "a.py" = ["TST"] }\n'
    )
    assert run().status == 0


def test_its_severity_is_the_projects_to_choose(run: Run) -> None:
    Path("neuronlint.toml").write_text(
        'select = ["TST", "NL006"]\nseverity = { unused-suppression = "info" }\n'
    )
    write("a.py", "x = 1  # noqa: TST101\n")
    assert "info NL006 [*] `TST101` suppresses nothing; remove it" in run().out
    assert run("--fix").status == 0
    assert Path("a.py").read_text() == "x = 1\n"


def test_a_fix_takes_the_suppression_of_what_it_fixes_along() -> None:
    source = "import torch\n\nx = [torch.zeros(2).cuda()]  # noqa: NL201\n"
    assert cleaned(source).endswith("x = [torch.zeros(2).to(DEVICE)]\n")


def test_a_file_that_was_not_checked_tells_of_no_unused_suppression() -> None:
    found = engine.check(b"import torch\nx = (  # noqa: NL101\ny.cuda()\n", Path("a.py"), ALL)
    assert [each.code for each in found] == ["NL001"]


def test_a_file_that_is_not_valid_python_tells_of_none_either() -> None:
    assert unused("x = 1  # noqa: NL101\nprint 1\n") == []
    found = engine.check(b"x = '\xff'  # noqa: NL101\n", Path("a.py"), ALL)
    assert found == []


def misspelt(comment: str) -> list[str]:
    settings = Settings(known=frozenset(words(ALL)))
    found = engine.check(f"x = 1  {comment}\n".encode(), Path("a.py"), ALL, settings)
    return [each.message for each in found]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# neuronlint: ingore", "`ingore` suppresses nothing; did you mean 'ignore'?"),
        (
            "# neuronlint: ignorefile",
            "`ignorefile` suppresses nothing; did you mean 'ignore-file'?",
        ),
        ("# neuronlint: skip[NL101]", "`skip` suppresses nothing"),
        (
            "# neuronlint: ignore[NL101",
            "`# neuronlint: ignore[NL101` suppresses nothing: it lacks a `]`",
        ),
        (
            "# neuronlint: ignore[cuda-cal]",
            "`cuda-cal` is no rule's code or name; did you mean 'cuda-call'?",
        ),
        ("# neuronlint: ignore[XX9]", "`XX9` is no rule's code or name"),
        ("# noqa: NL1010", "`NL1010` is no rule's code or name; did you mean 'NL110'?"),
    ],
)
def test_a_slip_of_the_pen_is_told(comment: str, message: str) -> None:
    assert misspelt(comment) == [message]


@pytest.mark.parametrize(
    "comment",
    [
        "# neuronlint: see the docs",
        "# neuronlint is fine",
        "# neuronlint: ignore[NL1]",
        "# noqa: E501, F4011, ABC123",
        "# a neuronlint-like comment",
    ],
)
def test_a_remark_is_no_slip(comment: str) -> None:
    assert misspelt(comment) == []


def test_a_code_is_looked_up_where_all_are_known(run: Run) -> None:
    write("a.py", "x = 1  # neuronlint: ignore[safe-odl]\n")
    ran = run("a.py", "--select", "TST2,NL006")
    assert "`safe-odl` is no rule's code or name; did you mean 'safe-old'?" in ran.out
