"""The readiness report: its figure, what it counts, and the data and text it is told in."""

import json
import re
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from notebooks import dumped
from project import Run, write
from reports import finding

from neuronlint.readiness import words, work
from neuronlint.report import failure
from neuronlint.rule import Applicability, Fix, Severity

PORTABLE = "import torch\n\nx = torch.zeros(2)\n"
SAFE = "import torch\n\nx = torch.zeros(2).cuda()\n"
UNSAFE = "import torch\n\n\ndef f(x, model):\n    return model.cuda()(x)\n"
BY_HAND = "import apex\nimport torch\n"
GUARDED = "import torch\n\nif torch.cuda.is_available():\n    torch.cuda.empty_cache()\n"
Made = Callable[..., Any]


@pytest.fixture
def made(run: Run) -> Made:
    """Makes a report in JSON with the rules there are, and gives its data."""

    def made(*args: str) -> Any:
        ran = run("report", "--isolated", "--format", "json", *args)
        assert (ran.status, ran.err) == (0, "")
        return json.loads(ran.out)

    return made


def ready(data: Any) -> tuple[int, int, int]:
    """The files that are ready, those that count, and the percentage."""
    readiness = data["readiness"]
    return readiness["ready"], readiness["counted"], readiness["ready_percent"]


def test_portable_code_is_ready(made: Made) -> None:
    write("a.py", PORTABLE)
    write(
        "b.py", "import torch\n\nx = torch.zeros(2, device=torch.accelerator.current_accelerator())"
    )
    write("c.py", "print('no torch here, it does not count')\n")
    data = made()
    assert ready(data) == (2, 2, 100)
    assert words.verdict(data) == "ready for AWS Trainium"
    assert (data["work"]["grade"], data["work"]["points"]) == ("none", 0)
    assert list(words.steps(data)) == []


def test_fixing_raises_the_figure_by_what_it_fixed(made: Made, run: Run) -> None:
    write("portable.py", PORTABLE)
    write("safe.py", SAFE)
    write("also_safe.py", SAFE)
    write("unsafe.py", UNSAFE)
    write("by_hand.py", BY_HAND + SAFE)
    before = made()
    assert ready(before) == (1, 5, 20)
    assert [before["readiness"][name] for name in ("after_fix", "after_review")] == [3, 4]
    assert [before["work"][who] for who in ("automatic", "review", "person")] == [3, 1, 1]
    run("--isolated", "--fix")
    fixed = made()
    assert ready(fixed) == (3, 5, 60)
    assert [fixed["work"][who] for who in ("automatic", "review", "person")] == [0, 1, 1]
    run("--isolated", "--fix", "--unsafe-fixes")
    reviewed = made()
    assert ready(reviewed) == (4, 5, 80)
    assert [reviewed["work"][who] for who in ("automatic", "review", "person")] == [0, 0, 1]


def test_what_is_harmless_does_not_lower_the_figure(made: Made) -> None:
    write("a.py", GUARDED)
    data = made()
    assert data["work"]["infos"] > 0
    assert ready(data) == (1, 1, 100)


def test_a_figure_is_100_only_if_every_file_is_ready(made: Made) -> None:
    for number in range(199):
        write(f"a{number}.py", PORTABLE)
    write("b.py", SAFE)
    assert ready(made()) == (199, 200, 99)


def test_code_without_torch_has_no_figure(made: Made) -> None:
    write("a.py", "x = 1\n")
    data = made()
    assert ready(data) == (0, 0, None)
    assert words.verdict(data) == "no PyTorch code found"


def test_a_file_that_cannot_be_read_is_not_ready_and_is_named(made: Made) -> None:
    write("a.py", PORTABLE)
    write("b.py", "import torch\ntorch.cuda(\n")
    data = made()
    assert ready(data) == (1, 2, 50)
    assert data["unseen"]["failed"] == [
        {"path": "b.py", "place": "2:1", "message": "the file is not valid Python"}
    ]


def test_cuda_sources_count_as_files_that_are_not_ready(made: Made) -> None:
    write("a.py", PORTABLE)
    write("csrc/k.cu", "one\ntwo\n")
    write("csrc/k.cuh", "one\n")
    write("build/k.ptx", "one\n")
    data = made()
    assert ready(data) == (1, 3, 33)
    kernels = [(each["path"], each["lines"]) for each in words.kernels(data)]
    assert kernels == [("csrc/k.cu", 2), ("csrc/k.cuh", 1)]
    assert data["work"]["points"] == 2 * work.KERNEL_POINTS
    assert words.meaning(data) == "2 CUDA source files need porting."


def test_what_was_left_out_is_named_and_what_git_ignores_is_not(made: Made) -> None:
    write("a.py", PORTABLE)
    write("third_party/b.py", SAFE)
    write("generated.py", SAFE)
    write(".gitignore", "generated.py\n")
    data = made("--extend-exclude", "third_party")
    assert ready(data) == (1, 1, 100)
    assert data["unseen"]["excluded"] == ["third_party/b.py"]


def test_rules_that_did_not_run_are_named(made: Made) -> None:
    write("a.py", SAFE)
    assert made("--ignore", "NL101,NL3")["unseen"]["off"][:2] == ["NL101", "NL301"]
    assert all(code.startswith("NL8") for code in made()["unseen"]["off"])  # which are by choice
    assert made("--extend-select", "NL8")["unseen"]["off"] == []


def test_lines_that_name_cuda_without_a_finding_are_listed(made: Made) -> None:
    write("a.py", f"{SAFE}# the cuda way\nuses_cuda = False\nnccl = 'x'  # noqa: NL501\n")
    unseen = made()["unseen"]
    assert unseen["mentions"] == [
        {"path": "a.py", "line": 5, "text": "uses_cuda = False"},
        {"path": "a.py", "line": 6, "text": "nccl = 'x'  # noqa: NL501"},
    ]
    assert [unseen[name] for name in ("mentioning", "remarks", "silenced")] == [2, 1, 1]


def test_names_that_no_rule_knows_are_listed(made: Made) -> None:
    write("a.py", "import torch\n\ntorch.cuda.no_such_thing()\n")
    assert [each["path"] for each in made()["unseen"]["unknown"]] == ["a.py"]


def test_a_library_tied_to_cuda_is_counted(made: Made) -> None:
    write("a.py", BY_HAND)
    write("b.py", BY_HAND + "from apex import amp\n")
    assert made()["dependencies"] == [{"name": "apex", "places": 3, "files": 2}]


def test_a_baseline_hides_nothing(run: Run) -> None:
    write("neuronlint.toml", 'select = ["NL1"]\nbaseline = "known.json"\n')
    write("a.py", SAFE)
    run("--update-baseline")
    assert run().status == 0
    assert json.loads(run("report", "--format", "json").out)["work"]["errors"] == 1


def test_a_finding_has_its_lines_and_its_fix(made: Made) -> None:
    write("a.py", SAFE)
    (found,) = made()["findings"]
    assert (found["path"], found["place"], found["code"]) == ("a.py", "3:20", "NL101")
    assert found["excerpt"] == [{"line": 3, "parts": ["x = torch.zeros(2).", "cuda", "()"]}]
    assert found["diff"][-1]["old"] == ["x = torch.zeros(2).cuda()"]
    assert found["diff"][-1]["new"] == ["x = torch.zeros(2).to(DEVICE)"]
    assert (found["settled"], found["fix"]) == ("automatic", "safe")


def test_a_finding_in_a_notebook_is_in_its_cell(made: Made) -> None:
    write("a.ipynb", dumped("import torch\n", "x = 1\nx = torch.zeros(2).cuda()\n"))
    (found,) = made()["findings"]
    assert found["place"] == "cell 2:2:20"
    assert [each["line"] for each in found["excerpt"]] == [1, 2]
    assert found["diff"][-1]["cell"] == 2


def fixed(applicability: Applicability) -> Fix:
    return Fix((), applicability)


@pytest.mark.parametrize(
    ("one", "points"),
    [
        (finding(fix=fixed(Applicability.SAFE)), 0),
        (finding(fix=fixed(Applicability.UNSAFE)), 1),
        (finding(fix=fixed(Applicability.DISPLAY)), 5),
        (finding(), 5),
        (finding(severity=Severity.INFO), 0),
        (finding(code="NL601"), 20),
        (finding(code="NL601", fix=fixed(Applicability.UNSAFE)), 1),
        (failure(Path("a.py"), "NL001", "", ""), 5),
    ],
)
def test_points_are_as_the_rule_says(one: Any, points: int) -> None:
    assert work.points(one) == points
    assert str(points) in work.rule()


@pytest.mark.parametrize(
    ("points", "grade"),
    [(0, "none"), (1, "small"), (25, "small"), (26, "medium"), (500, "large"), (501, "very large")],
)
def test_a_grade_is_as_the_rule_says(points: int, grade: str) -> None:
    assert work.grade(points) == grade
    assert grade in work.rule()


@pytest.mark.parametrize(
    ("target", "title", "figures"),
    [
        ("neuron", "AWS Trainium", (0, 2, 0)),
        ("rocm", "AMD GPUs", (1, 2, 50)),
        ("cuda", "NVIDIA GPUs", (1, 1, 100)),
        ("cpu", "the CPU", (0, 2, 0)),
        ("neuron,mps", "AWS Trainium and Apple GPUs", (0, 2, 0)),
        ("any", "every device", (0, 2, 0)),
    ],
)
def test_a_report_is_about_a_target(
    made: Made, target: str, title: str, figures: tuple[int, int, int]
) -> None:
    write("a.py", SAFE)
    write("k.cu", "one\n")
    data = made("--target", target)
    assert data["target"]["title"] == title
    assert ready(data) == figures


def test_of_several_targets_a_finding_says_which_it_concerns(made: Made) -> None:
    write("a.py", "import torch\n\nx = torch.zeros(2, dtype=torch.float64).cuda()\n")
    targets = {each["code"]: each["targets"] for each in made("--target", "rocm,mps")["findings"]}
    assert targets["NL101"] == ["mps"]


def test_a_report_tells_what_has_changed(made: Made, run: Run) -> None:
    write("a.py", SAFE)
    write("b.py", UNSAFE)
    made_before = run("report", "--isolated", "-o", "old.json")
    assert made_before.out.startswith("old.json: ")
    write("a.py", PORTABLE)
    write("b.py", f"# moved\n{UNSAFE}")
    write("c.py", BY_HAND)
    data = made("--compare", "old.json")
    assert [each["path"] for each in data["compared"]["gone"]] == ["a.py"]
    assert [each["path"] for each in data["findings"] if each["new"]] == ["c.py"]
    assert data["compared"]["readiness"] == {"counted": 2, "ready": 0, "ready_percent": 0}
    assert ready(data) == (1, 3, 33)
    told = run("report", "--isolated", "--compare", "old.json").out
    assert "| ready | 0 % (0 of 2 files) | 33 % (1 of 3 files) |" in told
    assert "1 finding gone, 1 new." in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file or directory"),
        ("", "not JSON: Expecting value"),
        ("[]", "not a report"),
        ("{}", "not a report"),
        ('{"format": 99, "readiness": {}}', "of format 99; this reads 1"),
        ("[" * 100_000, "not JSON"),
        ('{"format": 1, "target": {"name": "neuron"}, "made": "", "readiness": {"counted": "x"},'
         ' "work": {}, "findings": []}', "not a report"),
    ],
)  # fmt: skip
def test_what_is_no_report_cannot_be_compared(run: Run, text: str | None, said: str) -> None:
    write("a.py", SAFE)
    if text is not None:
        write("old.json", text)
    ran = run("report", "--compare", "old.json", "-o", "new.json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("neuronlint: --compare: old.json: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not Path("new.json").exists()


def test_reports_for_two_targets_cannot_be_compared(run: Run) -> None:
    write("a.py", SAFE)
    run("report", "-o", "old.json")
    old = json.loads(Path("old.json").read_text())
    write("old.json", json.dumps({**old, "target": {"name": "mps", "title": "Apple"}}))
    ran = run("report", "--compare", "old.json")
    assert ran.err == "neuronlint: --compare: a report for the target mps, not neuron\n"
    assert ran.status == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("-o", "a.pdf"), "--output a.pdf: end it in .html, .md or .json, or use --format"),
        (("nowhere",), "nowhere: there is no such file or folder"),
        (("--target", "neurom"), "did you mean 'neuron'?"),
        (("-o", "a.json", "--target", "mps,cude"), "did you mean 'cuda'?"),
        (("-o", "a.py/b.md"), "a.py"),
    ],
)
def test_wrong_use_is_told_in_one_line(run: Run, args: tuple[str, ...], said: str) -> None:
    write("a.py", SAFE)
    ran = run("report", *args)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_page_without_what_it_needs_is_told_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name: None if name == "plotly" else found(name))
    write("a.py", SAFE)
    ran = run("report", "-o", "a.html")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "neuronlint: an HTML report needs plotly: pip install 'neuronlint[report]'; "
        "one in .md or .json does not\n"
    )
    assert run("report", "-o", "a.md").status == 0


def test_text_tells_each_finding_with_its_code_as_code(run: Run) -> None:
    write("a.py", SAFE)
    assert run("report", "--isolated").out.endswith(
        "### a.py\n\n- 3:20 error NL101 (fixed automatically): "
        "`.cuda()` moves to CUDA only; `.to(DEVICE)` moves to the device there is\n"
    )


def test_text_obeys_nothing_that_is_in_the_code(run: Run) -> None:
    write("neuronlint.toml", "")
    write("<b>|a`\x1b[2J\n# x.py", SAFE)
    ran = run("report")
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert "<b>" not in ran.out
    assert r"\<b\>\|a\`" in ran.out
    rows = [line for line in ran.out.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 3  # as there are tables


def test_a_page_holds_nothing_that_is_in_the_code_as_markup(run: Run) -> None:
    write("a.py", f'{SAFE}torch.zeros(2).cuda(); "</script><!--<script>"\n')
    assert run("report", "--isolated", "--title", "<i>", "-o", "a.html").status == 0
    page = Path("a.html").read_text()
    assert "<i>:" not in page
    assert "&lt;i&gt;: 0" in page
    assert page.count("</script>") == page.count("<script") == 3
    assert not re.search(r"(?:src|@import|url\()\s*=?\s*[\"']?https?:", page.split("<script>")[0])
