"""What a finding counts on the devices that the code is for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from project import Run, write

from neuronlint import engine, profiles, registry
from neuronlint.overrides import Override
from neuronlint.rule import Finding, Severity
from neuronlint.settings import Settings
from neuronlint.target import Fact, Target, Verdict

RULES = registry.installed()
CODES = [rule.code for rule in RULES]
NAMES = profiles.names()[:-1]
SOURCE = """\
import flash_attn
import pynvml
import torch
import triton

torch.zeros(3).cuda()
torch.set_default_dtype(torch.float64)
torch.distributed.init_process_group("nccl")
torch.backends.cuda.matmul.allow_tf32 = True
torch.cuda.empty_cache()
"""
FACT = Fact("acme", "https://acme.example")


def found(source: str, *names: str, **more: object) -> list[Finding]:
    settings = replace(Settings(targets=profiles.chosen(names)), **more)  # type: ignore[arg-type]
    return engine.check(source.encode(), Path("a.py"), RULES, settings)


def levels(source: str, *names: str) -> dict[str, str]:
    return {each.symbol or each.code: each.severity.value for each in found(source, *names)}


def one(code: str, symbol: str = "", severity: Severity = Severity.ERROR) -> Finding:
    return Finding(Path("a.py"), 1, 1, 1, 1, code, "name", "", severity, symbol=symbol)


def acme(*verdicts: Verdict) -> Target:
    return Target("acme", "Acme", FACT, verdicts=verdicts)


def verdict(
    severity: Severity | None, rules: Iterable[str] = (), symbols: Iterable[str] = ()
) -> Verdict:
    return Verdict("why", "https://acme.example", severity, tuple(rules), tuple(symbols))


def test_the_default_target_leaves_every_finding_as_its_rule_says() -> None:
    assert not profiles.read(profiles.DEFAULT).verdicts
    plain = engine.check(SOURCE.encode(), Path("a.py"), RULES)
    assert [(each, each.severity, each.targets) for each in found(SOURCE, "neuron")] == [
        (each, each.severity, each.targets) for each in plain
    ]


def test_the_same_line_is_an_error_on_one_target_and_nothing_on_another() -> None:
    neuron = levels(SOURCE, "neuron")
    assert (neuron["flash_attn"], neuron["pynvml"], neuron["triton"]) == ("error",) * 3
    assert (neuron["NL101"], neuron["NL501"], neuron["torch.cuda.empty_cache"]) == (
        *("error", "error", "warning"),
    )
    assert levels(SOURCE, "rocm") == {
        "pynvml": "error",
        "torch.backends.cuda.matmul.allow_tf32": "info",
    }
    assert levels(SOURCE, "mps") == {**neuron, "torch.float64": "error"}
    assert levels(SOURCE, "xpu") == {
        **{name: level for name, level in neuron.items() if name != "triton"},
        "torch.float64": "warning",
    }
    assert levels(SOURCE, "cuda") == {}
    assert "torch.cuda.empty_cache" not in levels(SOURCE, "cpu")
    assert levels(SOURCE, "cpu")["NL101"] == "error"


def test_of_several_targets_a_finding_counts_as_on_the_worst_and_names_those_it_concerns() -> None:
    both = {each.symbol or each.code: each for each in found(SOURCE, "rocm", "xpu")}
    assert both["pynvml"].targets == ("rocm", "xpu")
    assert both["torch.float64"].targets == ("xpu",)
    assert "triton" not in both
    tf32 = both["torch.backends.cuda.matmul.allow_tf32"]
    assert (tf32.severity, tf32.targets) == (Severity.INFO, ("rocm", "xpu"))
    float64 = next(e for e in found(SOURCE, "mps", "xpu") if e.symbol == "torch.float64")
    assert (float64.severity, float64.targets) == (Severity.ERROR, ("mps", "xpu"))


def test_any_is_all_targets_together() -> None:
    assert [target.name for target in profiles.chosen(["any"])] == list(NAMES)
    worst = {each.symbol or each.code: each for each in found(SOURCE, "any")}
    assert worst["torch.float64"].severity is Severity.ERROR
    assert worst["torch.float64"].targets == ("hpu", "mps", "xpu")
    assert set(worst) == set(levels(SOURCE, "neuron")) | {"torch.float64"}


def test_a_fix_is_made_only_where_there_is_a_finding() -> None:
    settings = Settings(targets=profiles.chosen(["rocm"]))
    source = b"import torch\n\ntorch.zeros(3).cuda()\n"
    assert engine.fix(source, Path("a.py"), RULES, settings).source == source
    assert engine.fix(source, Path("a.py"), RULES).source != source


def test_the_longest_symbol_decides_and_then_the_longest_code() -> None:
    target = acme(
        verdict(Severity.INFO, ["NL"]),
        verdict(Severity.WARNING, ["NL6"]),
        verdict(None, symbols=["flash_attn"]),
        verdict(Severity.ERROR, symbols=["flash_attn.ops"]),
    )
    assert target.severity(one("NL101")) is Severity.INFO
    assert target.severity(one("NL601", "flash")) is Severity.WARNING
    assert target.severity(one("NL601", "flash_attn.bert")) is None
    assert target.severity(one("NL601", "flash_attn.ops.rms")) is Severity.ERROR
    assert target.severity(one("ACME1", "flash_attention")) is Severity.ERROR  # the rule's own


def test_a_verdict_with_rules_and_symbols_is_about_what_fits_both() -> None:
    target = acme(verdict(None, ["NL606"], ["torch.cuda"]))
    assert target.severity(one("NL606", "torch.cuda.synchronize")) is None
    assert target.severity(one("NL201", "torch.cuda.synchronize")) is Severity.ERROR
    assert target.severity(one("NL606", "mpsify")) is Severity.ERROR


def test_a_target_never_raises_what_a_finding_counts() -> None:
    target = acme(verdict(Severity.ERROR, ["NL1"]))
    assert target.severity(one("NL101", severity=Severity.INFO)) is Severity.INFO


def test_the_severity_of_the_project_goes_before_that_of_a_target() -> None:
    source = "import torch\n\ntorch.set_default_dtype(torch.float64)\n"
    raised = (Override("NL406", Severity.ERROR, Severity.ERROR),)
    assert [e.severity for e in found(source, "xpu")] == [Severity.WARNING]
    assert [e.severity for e in found(source, "xpu", overrides=raised)] == [Severity.ERROR]
    assert found(source, "rocm", overrides=raised) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_target_has_facts_with_sources_and_verdicts_about_rules_there_are(name: str) -> None:
    target = profiles.read(name)
    facts = [getattr(target, field.name) for field in fields(target)]
    listed = (*target.missing, *target.unsupported, *target.slow, *target.verdicts)
    sources = [each.source for each in (*listed, *facts) if isinstance(each, (Fact, Verdict))]
    assert len(sources) > 3
    assert all(source.startswith("https://") for source in sources)
    assert target.operators is not None
    assert target.operators.value in ("fails", "falls back to the CPU")
    known = {*CODES, *(code[:3] for code in CODES), "NL9", *(rule.name for rule in RULES)}
    assert {rule for each in target.verdicts for rule in each.rules} <= known


def test_a_broken_target_is_told_with_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "acme.toml"
    monkeypatch.setattr(profiles, "_files", lambda: {"acme": file})
    for text, said in (
        ("title = ", "not TOML"),
        ('title = "Acme"', "`device` is required"),
        ("acme = 1", "unknown key `acme`"),
        ('title = "A"\ndevice = {value = "acme"}', "`source` is required"),
    ):
        file.write_text(text)
        profiles.read.cache_clear()
        with pytest.raises(profiles.TargetError, match=said) as error:
            profiles.read("acme")
        assert str(error.value).startswith(str(file))
    profiles.read.cache_clear()


@pytest.fixture
def neuronlint(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs neuronlint in a folder with one file, and with a cache of its own."""
    monkeypatch.setenv("NEURONLINT_CACHE_DIR", "cache")
    write("neuronlint.toml", "")
    write("a.py", SOURCE)
    return run


def test_the_option_goes_before_the_configuration_and_the_cache_knows_both(neuronlint: Run) -> None:
    write("neuronlint.toml", 'target = ["rocm"]\n')
    for _ in range(2):  # the second time from the cache
        ran = neuronlint("--output-format", "concise", "a.py")
        assert "Found 2 findings (1 error, 1 info)" in ran.out
        asked = ("--target", "rocm,xpu", "--target", "mps")
        ran = neuronlint(*asked, "--output-format", "concise", "a.py")
        assert "NL406" in ran.out
        assert ran.out.splitlines()[1].endswith(" (rocm, xpu, mps)")


def test_formats_for_programs_have_a_field(neuronlint: Run) -> None:
    several = ("--target", "rocm,mps", "a.py")
    rows = json.loads(neuronlint("--output-format", "json", *several).out)
    assert {tuple(row["targets"]) for row in rows} == {("mps",), ("rocm", "mps")}
    log = json.loads(neuronlint("--output-format", "sarif", *several).out)
    results = log["runs"][0]["results"]
    assert [each["properties"]["targets"] for each in results] == [row["targets"] for row in rows]
    alone = neuronlint("--output-format", "json", "--target", "mps", "a.py").out
    assert all("targets" not in row for row in json.loads(alone))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--target", "nueron", "a.py"], "not 'nueron'; did you mean 'neuron'?"),
        (["--config", 'target = ["rcm"]', "a.py"], "not 'rcm'; did you mean 'rocm'?"),
        (["targets", "mpss"], "no target is called 'mpss'; did you mean 'mps'?"),
        (["targets", "any"], "'any' is all targets together; name one of them"),
    ],
)
def test_a_target_there_is_not_is_told_in_one_line(
    args: list[str], said: str, neuronlint: Run
) -> None:
    ran = neuronlint(*args)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(f"{said}\n")
    assert ran.err.count("\n") == 1


def test_the_targets_are_listed_and_told_about(neuronlint: Run) -> None:
    listed = neuronlint("targets").out
    assert [line.split()[0] for line in listed.splitlines()] == [*NAMES, "any"]
    page = neuronlint("targets", "mps").out
    assert page.startswith("mps: Apple GPUs")
    assert "  torch.float64; a tensor of it cannot be made on the device or moved there\n" in page
    assert all(line == line.rstrip() and len(line) <= 110 for line in page.splitlines())
    facts = json.loads(neuronlint("targets", "rocm", "--output-format", "json").out)
    assert facts["device"]["value"] == "cuda"
    counted = {each["severity"] for each in facts["verdicts"] if each["rules"] == ["NL602"]}
    assert counted == {"none"}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("neuronlint targets x", ["xla", "xpu"]),
        ("neuronlint check --target mps,ro", ["mps,rocm"]),
    ],
)
def test_a_shell_completes_targets(words: str, wanted: list[str], tmp_path: Path) -> None:
    asked = {"_NEURONLINT_COMPLETE": "bash_complete", "COMP_WORDS": words}
    asked["COMP_CWORD"] = str(len(words.split()) - 1)
    code = "from neuronlint.cli import cli; cli(prog_name='neuronlint')"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **asked},
        cwd=tmp_path,
        check=False,
    )
    assert ran.stdout.split() == [f"plain,{word}" for word in wanted]
