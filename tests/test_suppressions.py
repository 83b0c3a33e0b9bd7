"""Which comments hide which findings, and which hide nothing."""

from itertools import pairwise
from pathlib import Path

import pytest
from project import Run, codes, write

from neuronlint import engine, page, registry
from neuronlint.own import RULES, UNUSED
from neuronlint.rule import Finding, Rule, Severity
from neuronlint.settings import Settings
from neuronlint.suppressions import Suppressions


def finding(line: int, end_line: int = 0, code: str = "NL101", name: str = "cuda-call") -> Finding:
    place = (line, 1, end_line or line, 2)
    return Finding(Path("a.py"), *place, code, name, "message", Severity.ERROR)


def covers(source: str, line: int = 1, end_line: int = 0, code: str = "NL101") -> bool:
    return Suppressions(source.encode()).covers(finding(line, end_line, code))


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "#noqa",
        "# NoQA",
        "# noqa: NL101",
        "# noqa:NL101",
        "# noqa : NL101",
        "# noqa: nl101",
        "# noqa: E501, NL101",
        "# noqa: E501 NL101",
        "# noqa: NL1",
        "# noqa: NL101 the reason",
        "# type: ignore  # noqa: NL101",
        "# noqa: E501  # noqa: NL101",
        "# neuronlint: ignore",
        "# neuronlint: ignore the reason",
        "# neuronlint: ignore[NL101]",
        "# neuronlint: ignore[E1, NL101] the reason [of mine]",
        "# neuronlint: ignore[NL1]",
        "# neuronlint: ignore[cuda-call]",
        "# neuronlint:ignore[nl101]",
    ],
)
def test_a_comment_that_names_the_rule_covers_its_line(comment: str) -> None:
    assert covers(f"x.cuda()  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: N801",
        "# noqa: NL102",
        "# noqa: because I say so",
        "# noqaNL101",
        "# no qa",
        "# flake8: noqa",
        "# flake8: noqa: NL101",
        "# ruff: noqa",
        "# neuronlint: ignore[NL102]",
        "# neuronlint: ignore[]",
        "# neuronlint: ignore[NL101",
        "# neuronlint: ignored",
        "# neuronlint: ignore-next",
        "# neuronlint",
    ],
)
def test_a_comment_that_means_something_else_covers_nothing(comment: str) -> None:
    assert not covers(f"x.cuda()  {comment}\n")


def test_a_comment_covers_no_other_line() -> None:
    source = "x.cuda()\ny.cuda()  # noqa\nz.cuda()\n"
    assert [covers(source, line) for line in (1, 2, 3)] == [False, True, False]


def test_text_in_a_string_is_no_comment() -> None:
    assert not covers('x.cuda("# noqa")\n')
    assert not covers('"""\n# neuronlint: ignore-file\n"""\nx.cuda()\n', 4)


def test_a_comment_on_the_last_line_of_a_finding_covers_it() -> None:
    assert covers("if x:\n    y()\n    z()  # noqa\n", 1, 3)


def test_a_comment_at_the_end_of_the_statement_covers_a_finding_inside() -> None:
    assert covers("f(\n    x.cuda(),\n    y,\n)  # noqa: NL101\n", 2)


def test_a_comment_after_a_multi_line_string_covers_the_line_it_opens_on() -> None:
    assert covers('x.cuda("""\ntext\n""")  # noqa\n', 1, 3)


def test_a_comment_in_the_midst_of_a_statement_covers_its_own_line_only() -> None:
    source = "f(\n    x.cuda(),  # noqa\n    y.cuda(),\n)\n"
    assert [covers(source, line) for line in (2, 3)] == [True, False]


def test_a_file_level_comment_covers_every_line() -> None:
    assert covers("x.cuda()\n# neuronlint: ignore-file\n")


def test_a_file_level_comment_with_codes_covers_those_only() -> None:
    source = "# neuronlint: ignore-file[NL1]\nx.cuda()\n"
    assert [covers(source, 2, code=code) for code in ("NL101", "NL201")] == [True, False]


def test_a_finding_about_the_file_itself_cannot_be_suppressed() -> None:
    assert not covers("# neuronlint: ignore-file\n# noqa\n", code="NL001")


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_lines_may_end_in_any_way(newline: str) -> None:
    source = newline.join(["x.cuda()", "f(", "y.cuda())  # noqa", ""])
    assert [covers(source, line) for line in (1, 2, 3)] == [False, True, True]


def test_a_source_that_the_tokenizer_rejects_is_read_line_by_line() -> None:
    source = "x = 0777'\ny.cuda()  # noqa: NL101\nf('# noqa',\n  z.cuda())\n  \u20ac = (\n"
    assert [covers(source, line) for line in (2, 3, 4)] == [True, False, False]


def test_a_statement_over_lines_is_known_where_the_tokenizer_rejects_the_source() -> None:
    source = "f(\n  x.cuda(),\n  '''\n# noqa: NL101\n''')  # noqa: NL101\ny.cuda()\n(((\n"
    assert [covers(source, line) for line in (2, 6)] == [True, False]


def test_a_source_in_no_known_encoding_still_has_comments() -> None:
    raw = b"x.cuda()  # noqa \xff\n"
    assert Suppressions(raw).covers(finding(1))


def test_a_byte_order_mark_and_another_encoding_change_nothing() -> None:
    assert Suppressions(b"\xef\xbb\xbfx.cuda()  # noqa\n").covers(finding(1))
    assert Suppressions(b"# coding: latin-1\nx.cuda('\xe9')  # noqa\n").covers(finding(2))


# -- ranges --


@pytest.mark.parametrize(
    ("start", "end", "covered"),
    [
        ("disable", "enable", [3]),
        ("disable[NL101]", "enable[NL101]", [3]),
        ("disable[NL101] a reason", "enable[NL101] over", [3]),
        ("disable[cuda-call]", "enable[cuda-call]", [3]),
        ("disable[NL101]", "enable[NL1]", [3]),
        ("disable[NL101]", "enable", [3]),
        ("disable", "enable[NL101]", [3]),
        ("disable[NL1, NL2]", "enable[NL2]", [3, 5]),
        ("disable[NL101]", "enable[NL102]", [3, 5]),
        ("disable[NL102]", "enable[NL102]", []),
        ("disable[]", "enable", []),
        ("disabled", "enable", []),
    ],
)
def test_a_range_covers_what_lies_in_it(start: str, end: str, covered: list[int]) -> None:
    source = f"x.cuda()\n# neuronlint: {start}\nx.cuda()\n    # neuronlint: {end}\nx.cuda()\n"
    assert [line for line in (1, 3, 5) if covers(source, line)] == covered


def test_a_range_without_an_end_goes_to_the_end_of_the_file() -> None:
    assert covers("# neuronlint: disable[NL101]\nx\nx\nx.cuda()\n", 4)


def test_a_range_may_start_again() -> None:
    source = "# neuronlint: disable\n1\n# neuronlint: enable\n1\n# neuronlint: disable\n1\n"
    assert [covers(source, line) for line in (2, 4, 6)] == [True, False, True]


def test_disable_behind_code_is_about_its_line() -> None:
    source = "x.cuda()  # neuronlint: disable[NL101]\nx.cuda()\n"
    assert [covers(source, line) for line in (1, 2)] == [True, False]


def test_enable_behind_code_ends_nothing() -> None:
    source = "# neuronlint: disable\nx.cuda()  # neuronlint: enable\nx.cuda()\n"
    assert [covers(source, line) for line in (2, 3)] == [True, True]


# -- markers of the project's own --


@pytest.mark.parametrize("comment", ["#ignore-cuda", "# ignore-cuda", "# x # Ignore-CUDA: why"])
@pytest.mark.parametrize("marker", ["#ignore-cuda", "# ignore-cuda", "ignore-cuda"])
def test_a_foreign_marker_covers_its_line(comment: str, marker: str) -> None:
    suppressions = Suppressions(f"x.cuda()  {comment}\nx.cuda()\n".encode(), [marker])
    assert [suppressions.covers(finding(line)) for line in (1, 2)] == [True, False]


@pytest.mark.parametrize("comment", ["# ignore-cuda-graphs", "# ignore cuda", "'#ignore-cuda'"])
def test_what_only_looks_like_a_foreign_marker_covers_nothing(comment: str) -> None:
    suppressions = Suppressions(f"x.cuda()  {comment}\n".encode(), ["#ignore-cuda"])
    assert not suppressions.covers(finding(1))


@pytest.mark.parametrize("marker", ["", "#", "# "])
def test_an_empty_foreign_marker_is_none(marker: str) -> None:
    assert not Suppressions(b"x.cuda()  # \n", [marker]).covers(finding(1))


def test_foreign_markers_are_configured(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nforeign-markers = ["#keep-old"]\n')
    write("a.py", "safe_old  #keep-old\nunsafe_old  # keep-old: the API is ours\nshown_old\n")
    assert codes(run()) == ["TST201"]


# -- unused suppressions --

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


def test_settings_bring_the_foreign_markers() -> None:
    source = f"{HOT}  #ignore-cuda\n".encode()
    settings = Settings(markers=("#ignore-cuda",))
    assert engine.check(source, Path("a.py"), ALL, settings) == []
    assert [each.code for each in engine.check(source, Path("a.py"), ALL)] == ["NL101"]


def test_a_file_that_is_not_valid_python_tells_of_none_either() -> None:
    assert unused("x = 1  # noqa: NL101\nprint 1\n") == []
    found = engine.check(b"x = '\xff'  # noqa: NL101\n", Path("a.py"), ALL)
    assert found == []
