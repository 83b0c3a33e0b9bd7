"""Comments that are added to suppress what is found."""

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import Run, codes, write

from neuronlint import engine, noqa, registry
from neuronlint.own import UNUSED

RULES = [UNUSED, *registry.installed()]
SOURCES = sorted((Path(__file__).parent / "programs").rglob("*.py"))


def suppressed(raw: bytes, reason: str = "") -> bytes:
    return noqa.suppressed(raw, engine.check(raw, Path("a.py"), RULES), reason)


def added(source: str, reason: str = "") -> str:
    """The source with comments, which is clean and whose code is the same."""
    raw = suppressed(source.encode(), reason)
    assert engine.check(raw, Path("a.py"), RULES) == []
    assert ast.dump(ast.parse(raw)) == ast.dump(ast.parse(source.encode()))
    assert suppressed(raw, reason) == raw
    return raw.decode()


IMPORT = "import torch\n\nx = torch.zeros(2)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x.cuda()\n", "x.cuda()  # noqa: NL101\n"),
        ("x.cuda()", "x.cuda()  # noqa: NL101"),
        ("x.cuda() \t\n", "x.cuda()  # noqa: NL101\n"),
        ("x.cuda()  # why\n", "x.cuda()  # why  # noqa: NL101\n"),
        ("x.cuda()  # noqa: E501\n", "x.cuda()  # noqa: E501, NL101\n"),
        ("x.cuda()  # noqa: E501 long\n", "x.cuda()  # noqa: E501, NL101 long\n"),
        ("x.cuda()  # NOQA:E501 # é\n", "x.cuda()  # NOQA:E501, NL101 # é\n"),
        ("x.cuda()  # noqa: because\n", "x.cuda()  # noqa: because  # noqa: NL101\n"),
        ("x.cuda()  # type: ignore\n", "x.cuda()  # type: ignore  # noqa: NL101\n"),
        (
            "x.cuda()  # neuronlint: ignore[E1]\n",
            "x.cuda()  # neuronlint: ignore[E1]  # noqa: NL101\n",
        ),
        (
            "x.cuda(); torch.cuda.synchronize(); x.cuda()\n",
            "x.cuda(); torch.cuda.synchronize(); x.cuda()  # noqa: NL101, NL201\n",
        ),
        (
            "y = [\n    x.cuda(),\n    x,\n    x.cuda(),  # b\n]\n",
            "y = [\n    x.cuda(),  # noqa: NL101\n    x,\n    x.cuda(),  # b  # noqa: NL101\n]\n",
        ),
        ("y = x.cuda() + \\\n    1\n", "y = x.cuda() + \\\n    1  # noqa: NL101\n"),
        (
            "y = \\\n    x.cuda() + \\\n    1  # noqa: E1\n",
            "y = \\\n    x.cuda() + \\\n    1  # noqa: E1, NL101\n",
        ),
        ('f(x.cuda(), """\n#\n""")\n', 'f(x.cuda(), """\n#\n""")  # noqa: NL101\n'),
        (
            'f("""\n""", x.cuda(), """\n""", """\n""",\n)\n',
            'f("""\n""", x.cuda(), """\n""", """\n""",\n)  # noqa: NL101\n',
        ),
        ("y = 'a\\\nb', x.cuda()\n", "y = 'a\\\nb', x.cuda()  # noqa: NL101\n"),
        (
            "y = 1  # noqa: NL201\nx.cuda()  # noqa: NL102\n# noqa: NL101\nx.cuda()\n",
            "y = 1\nx.cuda()  # noqa: NL101\nx.cuda()  # noqa: NL101\n",
        ),
    ],
)
def test_a_comment_goes_where_it_counts(before: str, after: str) -> None:
    assert added(IMPORT + before) == IMPORT + after


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_stay(newline: str) -> None:
    before = f"{IMPORT}x.cuda()\ny = x.cuda() \\\n  + 1\nx.cuda()"
    after = (
        f"{IMPORT}x.cuda()  # noqa: NL101\ny = x.cuda() \\\n  + 1  # noqa: NL101\n"
        "x.cuda()  # noqa: NL101"
    )
    result = suppressed(before.replace("\n", newline).encode())
    assert result.decode() == after.replace("\n", newline)
    assert engine.check(result, Path("a.py"), RULES) == []


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b"# coding: latin-1\n'\xe9'\n"])
def test_the_encoding_stays(start: bytes) -> None:
    e = "é".encode("latin-1" if b"coding" in start else "utf-8")
    body = IMPORT.encode() + b"x.cuda()  # " + e + b"  # noqa: E501"
    assert suppressed(start + body) == start + body + b", NL101"


def test_a_reason_is_added_once() -> None:
    source = IMPORT + "x.cuda()\nx.cuda()  # noqa: E501\nx.cuda()  # noqa: E501 long\n"
    assert added(source, "for now") == (
        IMPORT + "x.cuda()  # noqa: NL101 for now\nx.cuda()  # noqa: E501, NL101 for now\n"
        "x.cuda()  # noqa: E501, NL101 long\n"
    )


def test_a_source_that_the_tokenizer_rejects_is_done_all_the_same(run: Run) -> None:
    source = b"x = safe_old, '''\n''', 0777\n"
    file = Path("a.py")
    file.write_bytes(source)
    assert codes(run("--add-noqa")) in (["NL001"], [])
    assert file.read_bytes() in (source, b"x = safe_old, '''\n''', 0777  # noqa: TST101\n")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_programs_are_clean_afterwards_and_do_the_same(path: Path) -> None:
    added(path.read_text(encoding="utf-8"))


_PARTS = st.lists(
    st.sampled_from(
        [
            *("x.cuda()", "y = (x.cuda(),\n  x.cuda()\n)", "y = x.cuda() \\\n  + x.cuda()"),
            *("y = '''\n''', x.cuda()", "y = x.cuda(), f'''\n{1}\n'''", "x.cuda()  # noqa: E1"),
            *("if y: x.cuda()", "# noqa: NL101", "y = 1  # noqa: NL101, E1", "x.cuda()  # \\"),
            *("torch.cuda.synchronize(); x.cuda()", "x.cuda()  # noqa", "y = '# noqa'"),
            *("x.cuda()  # neuronlint: ignore[NL101]", "# neuronlint: disable[NL201]"),
            *("# neuronlint: enable[NL201]", "x.cuda()  # noqa: NL201", "\f", "y = '\\\n#'"),
        ]
    ),
    max_size=8,
)


@settings(deadline=None)  # a machine may be busy
@given(_PARTS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_whatever_is_there_is_clean_afterwards(parts: list[str], newline: str, end: bool) -> None:
    text = (IMPORT + "\n".join(parts) + "\n" * end).replace("\n", newline)
    source = text.encode()
    after = suppressed(source)
    assert engine.check(after, Path("a.py"), RULES) == []
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
    assert after.count(b"\r\n") == after.count(b"\n") or newline == "\n"


def test_it_says_how_many_and_is_no_failure(run: Run) -> None:
    write("a.py", "x = safe_old, safe_old\nunsafe_old\n")
    write("b.py", "shown_old\n")
    write("c.py", "x = 1\n")
    ran = run("--add-noqa")
    assert (ran.status, ran.out, ran.err) == (0, "", "Suppressed 4 findings in 2 files.\n")
    assert Path("a.py").read_text() == (
        "x = safe_old, safe_old  # noqa: TST101\nunsafe_old  # noqa: TST102\n"
    )
    assert run().status == 0
    assert run("--add-noqa").err == "Suppressed 0 findings in 0 files.\n"


def test_a_path_behind_it_is_no_reason(run: Run) -> None:
    write("a.py", "safe_old\n")
    write("b.py", "safe_old\n")
    assert run("--add-noqa", "a.py").status == 0
    assert run("--add-noqa=not ours", "b.py").status == 0
    assert Path("a.py").read_text() == "safe_old  # noqa: TST101\n"
    assert Path("b.py").read_text() == "safe_old  # noqa: TST101 not ours\n"


def test_only_what_is_reported_is_suppressed(run: Run) -> None:
    write("a.py", "safe_old\n")
    run("--baseline", "base.json", "--update-baseline")
    write("a.py", "safe_old\nsafe_old\n")
    run("--baseline", "base.json", "--add-noqa")
    assert Path("a.py").read_text() == "safe_old\nsafe_old  # noqa: TST101\n"


def test_a_configured_fix_is_not_made(run: Run) -> None:
    Path("neuronlint.toml").write_text('select = ["TST"]\nfix = true\n')
    write("a.py", "safe_old\n")
    run("--add-noqa")
    assert Path("a.py").read_text() == "safe_old  # noqa: TST101\n"


def test_a_file_that_cannot_be_checked_is_a_failure(run: Run) -> None:
    write("a.py", "safe_old (\n")
    write("b.py", "safe_old\n")
    ran = run("--add-noqa", "--exit-zero")
    assert (ran.status, codes(ran)) == (1, ["NL001"])
    assert ran.err == "Suppressed 1 finding in 1 file.\n"
    assert Path("a.py").read_text() == "safe_old (\n"


def test_a_reason_that_a_file_cannot_hold_is_a_failure(run: Run) -> None:
    Path("a.py").write_bytes(b"# coding: ascii\nsafe_old\n")
    ran = run("--add-noqa=日本", "--output-format=concise")
    assert ran.status == 1
    assert "error NL005 cannot be given comments: ascii has no '日'" in ran.out
    assert Path("a.py").read_bytes() == b"# coding: ascii\nsafe_old\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fix"], "--add-noqa does not go with --fix"),
        (["--diff"], "--add-noqa does not go with --diff"),
        (["-"], "--add-noqa does not go with standard input"),
        (
            ["--baseline", "b.json", "--update-baseline"],
            "--add-noqa does not go with --update-baseline",
        ),
        (["--add-noqa=two\nlines"], "--add-noqa: a reason is one line of text"),
    ],
)
def test_wrong_use_ends_in_one_line_and_status_2(run: Run, args: list[str], message: str) -> None:
    file = write("a.py", "safe_old\n")
    ran = run("--add-noqa", *args)
    assert (ran.status, ran.out, ran.err) == (2, "", f"neuronlint: {message}\n")
    assert file.read_text() == "safe_old\n"
