"""Which comments hide which findings."""

from pathlib import Path

import pytest
from project import Run, codes, write

from neuronlint import engine, registry
from neuronlint.rule import Finding, Severity
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


def test_a_range_in_a_range_is_of_use_as_both_are() -> None:
    source = b"# neuronlint: disable\n# neuronlint: disable[NL101]\nx.cuda()\n"
    found = Suppressions(source)
    assert found.covers(finding(3))
    assert {marker.row for marker, _ in found.used} == {1, 2}


def test_disable_behind_code_is_about_its_line() -> None:
    source = "x.cuda()  # neuronlint: disable[NL101]\nx.cuda()\n"
    assert [covers(source, line) for line in (1, 2)] == [True, False]


def test_enable_behind_code_ends_nothing() -> None:
    source = "# neuronlint: disable\nx.cuda()  # neuronlint: enable\nx.cuda()\n"
    assert [covers(source, line) for line in (2, 3)] == [True, True]


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


def test_settings_bring_the_foreign_markers() -> None:
    source = b"import torch\n\nx = torch.zeros(2).cuda()  #ignore-cuda\n"
    rules = registry.installed()
    settings = Settings(markers=("#ignore-cuda",))
    assert engine.check(source, Path("a.py"), rules, settings) == []
    assert [each.code for each in engine.check(source, Path("a.py"), rules)] == ["NL101"]
