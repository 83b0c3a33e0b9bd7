"""The GitHub Action does what its inputs say, its steps run as GitHub runs them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import ROOT, copy, skip_without_index

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
SCRIPTS = {step["id"]: step for step in STEPS if "run" in step}
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
CUDA = "import torch\n\nx = torch.zeros(2).cuda()\n"
PAYLOADS = [
    "$(touch hacked)",
    "`touch hacked`",
    "'; touch hacked; '",
    '"; touch hacked; "',
    "; touch hacked",
]
BASH = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]


@dataclass(frozen=True)
class Ran:
    """What a step printed, its exit status and its outputs."""

    status: int
    out: str
    err: str
    outputs: dict[str, str]


@dataclass(frozen=True)
class Job:
    """A job on a runner: its folders, and the checkout of the action."""

    folder: Path
    action: Path = ROOT

    @property
    def workspace(self) -> Path:
        return self.folder / "work"

    def check(self, **inputs: str) -> Ran:
        """What the step that checks does with these inputs, named with underscores."""
        return self.run("check", {"steps.install.outputs.python": sys.executable}, inputs)

    def run(self, step: str, known: dict[str, str], inputs: dict[str, str]) -> Ran:
        values = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}
        known = known | {f"inputs.{name}": value for name, value in values.items()}
        script, output = self.folder / "step.sh", self.folder / "output"
        script.write_text(SCRIPTS[step]["run"], encoding="utf-8")
        output.write_text("")
        given = {key: expanded(text, known) for key, text in SCRIPTS[step].get("env", {}).items()}
        done = subprocess.run(
            [*BASH, str(script)],
            cwd=self.workspace,
            env=os.environ
            | {
                "RUNNER_TEMP": str(self.folder / "temp"),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_ACTION_PATH": str(self.action),
                "PYTHONPATH": str(self.workspace),
            }
            | given,
            capture_output=True,
            text=True,
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return Ran(done.returncode, done.stdout, done.stderr, outputs)


def expanded(text: str, known: dict[str, str]) -> str:
    """The value of an environment variable of a step, which is one expression or plain."""
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: known[match[1]], text)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "work").mkdir()
    (tmp_path / "temp").mkdir()
    (tmp_path / "work" / "neuronlint.toml").write_text("")
    return Job(tmp_path)


def findings(ran: Ran) -> list[str]:
    """The files and codes of the annotations."""
    listed = re.findall(r"::(?:error|warning|notice) .*?::(.*?):\d+:\d+: (NL\d+)", ran.out)
    return [f"{file} {code}" for file, code in listed]


def test_a_finding_is_annotated_and_fails_the_step(job: Job) -> None:
    (job.workspace / "a.py").write_text(CUDA)
    ran = job.check()
    assert (ran.status, ran.err, ran.outputs) == (1, "", {})
    assert findings(ran) == ["a.py NL101"]


def test_code_without_findings_passes(job: Job) -> None:
    (job.workspace / "a.py").write_text("import torch\n")
    assert job.check() == Ran(0, "", "", {})


def test_paths_are_lines_whatever_is_in_them(job: Job) -> None:
    names = ["a b.py", "-x.py", "$(touch hacked).py", "*.py", "é.py"]
    for name in [*names, "other.py"]:
        (job.workspace / name).write_text(CUDA)
    ran = job.check(paths="\r\n".join(names) + "\n")
    assert (ran.status, ran.err) == (1, "")
    assert sorted(findings(ran)) == sorted(f"{name} NL101" for name in names)


def test_arguments_are_split_and_nothing_else(job: Job) -> None:
    (job.workspace / "a.py").write_text(CUDA)
    assert job.check(args="--select NL2\n --ignore  NL3").status == 0
    assert job.check(args="--extend-exclude *").status == 0
    assert "'$HOME'" in job.check(args="--select $HOME").err


def test_arguments_win_over_other_inputs(job: Job) -> None:
    (job.workspace / "a.py").write_text(CUDA)
    ran = job.check(args="--output-format json --exit-zero", fail_on="error")
    assert (ran.status, json.loads(ran.out)[0]["code"]) == (0, "NL101")


@pytest.mark.parametrize(("fail_on", "status"), [("", 1), ("info", 1), ("error", 0)])
def test_fail_on_says_what_fails_the_step(job: Job, fail_on: str, status: int) -> None:
    (job.workspace / "a.py").write_text("import torch\n\nd = torch.is_autocast_enabled()\n")
    ran = job.check(fail_on=fail_on)
    assert (ran.status, len(findings(ran))) == (status, 1)


def test_sarif_goes_to_a_file_that_is_an_output(job: Job) -> None:
    (job.workspace / "a.py").write_text(CUDA)
    for upload in ("true", "false"):
        ran = job.check(format="sarif", upload_sarif=upload)
        assert (ran.status, ran.out, ran.err) == (1, "", "")
        (run,) = json.loads(Path(ran.outputs["sarif-file"]).read_text())["runs"]
        assert [result["ruleId"] for result in run["results"]] == ["NL101"]


def test_a_report_of_an_earlier_run_is_not_uploaded(job: Job) -> None:
    (job.folder / "temp" / "neuronlint.sarif").write_text("{}")
    ran = job.check(format="sarif", args="--no-such-option")
    assert (ran.status, ran.outputs) == (2, {})


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"format": "xml"}, "format is either github or sarif"),
        ({"format": ""}, "format is either github or sarif"),
        ({"upload_sarif": "true"}, "upload-sarif needs the format sarif"),
        ({"upload_sarif": "yes", "format": "sarif"}, "upload-sarif is either true or false"),
    ],
)
def test_a_wrong_input_is_told_in_one_line(job: Job, inputs: dict[str, str], said: str) -> None:
    ran = job.check(**inputs)
    assert (ran.status, ran.out, ran.err) == (2, f"::error title=neuronlint::{said}\n", "")


def test_a_wrong_severity_is_told_by_neuronlint(job: Job) -> None:
    ran = job.check(fail_on="always")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "--fail-on" in ran.err


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("name", [n for n in ACTION["inputs"] if n != "python-version"])
def test_no_input_is_run(job: Job, name: str, payload: str) -> None:
    ran = job.check(**{name.replace("-", "_"): payload})
    assert ran.status in (1, 2)
    assert not list(job.folder.rglob("hacked"))


def test_nothing_is_imported_from_what_is_checked(job: Job) -> None:
    for name in ("click", "libcst", "neuronlint", "neuronlint_rules", "sitecustomize"):
        (job.workspace / f"{name}.py").write_text("open('hacked', 'w')\nraise SystemExit(0)\n")
    (job.workspace / "a.py").write_text(CUDA)
    assert findings(job.check()) == ["a.py NL101"]
    assert not (job.workspace / "hacked").exists()


def test_it_installs_itself_beside_nothing_else(job: Job, tmp_path: Path) -> None:
    for name in ("pip", "venv", "ensurepip", "sitecustomize"):
        (job.workspace / f"{name}.py").write_text("open('hacked', 'w')\nraise SystemExit(0)\n")
    ran = Job(job.folder, copy(tmp_path / "it is here")).run("install", {}, {})
    if ran.status:
        skip_without_index(tmp_path, subprocess.CompletedProcess([], 1, ran.out, ran.err))
    python = ran.outputs["python"]
    (job.workspace / "a.py").write_text(CUDA)
    checked = job.run("check", {"steps.install.outputs.python": python}, {})
    assert (findings(checked), checked.err) == (["a.py NL101"], "")
    assert not (job.workspace / "hacked").exists()


def test_every_input_reaches_a_step_and_none_a_script() -> None:
    assert not [step["id"] for step in SCRIPTS.values() if "${{" in step["run"]]
    assert all(step["shell"] == "bash" for step in SCRIPTS.values())
    for name in ACTION["inputs"]:
        assert f"inputs.{name}" in json.dumps(STEPS)


def test_every_input_is_in_the_documentation_with_its_default() -> None:
    text = (ROOT / "docs/integrations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| .* \| (?:`(.*)`)?.*\|$", text, re.MULTILINE)
    documented = {name: default for name, default in rows if name in ACTION["inputs"]}
    assert documented == {name: each["default"] for name, each in ACTION["inputs"].items()}


def used(step: Any) -> list[str]:
    """The actions that a part of a workflow uses."""
    if isinstance(step, list):
        return [name for each in step for name in used(each)]
    if not isinstance(step, dict):
        return []
    own = [step["uses"]] if isinstance(step.get("uses"), str) else []
    return own + [name for each in step.values() for name in used(each)]


@pytest.mark.parametrize("file", [ROOT / "action.yml", *WORKFLOWS], ids=lambda file: file.name)
def test_actions_of_others_are_named_with_their_whole_version(file: Path) -> None:
    names = used(yaml.safe_load(file.read_text(encoding="utf-8")))
    assert names
    assert not [n for n in names if n != "./" and not re.search(r"@v\d+\.\d+\.\d+$", n)]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_may_only_read(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert not [job for job in workflow["jobs"].values() if "permissions" in job]
    scripts = re.findall(r"run: .*\$\{\{.*", file.read_text(encoding="utf-8"))
    assert not scripts
