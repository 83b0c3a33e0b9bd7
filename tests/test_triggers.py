"""What a source must hold for a rule to find anything in it."""

import pytest

from neuronlint.triggers import Triggers


def found(word: str, text: str, may_fail: bool = False) -> list[str]:
    places = Triggers([word]).places(text.encode(), lambda offset: may_fail)
    return [text[offset : offset + 6] for offset in places]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("cuda", "x.cuda()"),
        ("cuda", "torch. cuda.seed()"),
        ("torch.cuda", "torch.\\\n  cuda.seed()"),
        ("*gpu*", "my_gpus = 1"),
        (".to(*rank", "x.to( args.local_rank)"),
        (".to(#", "x.to(  # the first\n 0)"),
        ("device=#", "device = 0"),
        ("is_cuda!(", "x.is_cuda"),
        ("skipif...gpu", "skipif(not has, reason=gpu)"),
        ("'inductor'", 'backend="inductor"'),
        ("'inductor'", "backend='inductor'"),
        ("import apex", "import os, apex"),
        ("import apex", "from apex.amp import init"),
        ("must import apex", "import apex"),
        ("must use cupy", "from cupy import zeros"),
        ("cuda with seed", "torch.cuda.seed()"),
        ("-*gpu'", "'--use-gpu'"),
    ],
)
def test_a_trigger_is_met(word: str, text: str) -> None:
    assert found(word, text)
    assert Triggers([word]).may_be_in(text.encode())


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("cuda", "use_cuda"),
        ("torch.cuda", "torch.cudart"),
        ("device=#", "device=a0"),
        ("is_cuda!(", "is_cuda()"),
        ("skipif...gpu", "skipif(a):\n    gpu"),
        ("'inductor'", "inductor"),
        ("'inductor'", "'inductor2'"),
        ("import apex", "import apex_tools"),
        ("import apex", "from a import apex"),
        ("cuda with seed", "torch.cuda.sync()"),
        ("-*gpu'", "'--gpu-memory'"),
    ],
)
def test_a_trigger_is_not_met(word: str, text: str) -> None:
    assert not found(word, text)


def test_an_import_that_must_succeed_is_none_where_every_one_may_fail() -> None:
    assert found("import apex", "import apex", may_fail=True)
    assert not found("must import apex", "import apex", may_fail=True)
    assert not found("must use cupy", "import cupy", may_fail=True)


@pytest.mark.parametrize(
    ("word", "is_used"), [("import apex", False), ("must use cupy", True), ("cupy", True)]
)
def test_what_uses_the_names_of_an_import_is_looked_at_where_the_trigger_says_so(
    word: str, is_used: bool
) -> None:
    [hit] = Triggers([word]).places(b"import cupy, apex").values()
    assert hit.is_used is is_used
    assert hit.words == {word}


def test_the_words_of_comments_and_prose_are_seen_at_the_first_glance_only() -> None:
    assert Triggers(["cuda"]).may_be_in(b"# for cuda\n")
