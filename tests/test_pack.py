"""A rule pack of somebody else's is found, run and page-tested like the built-in one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACK = Path(__file__).parent / "pack" / "acme"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source") / "acme"
    subprocess.run(["cp", "-r", str(PACK), str(source)], check=True)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(folder), str(source)], check=True)
    return folder


def run(installed: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(installed), "PATH": "", "LC_ALL": "C.UTF-8"},
    )


def test_its_rule_finds_what_its_page_says(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text('import torch.distributed as dist\n\ndist.init_process_group("nccl")\n')
    result = run(installed, "-m", "neuronlint", "--select", "ACME", str(source))
    assert result.returncode == 1, result.stderr
    assert "3:1: warning ACME1 NCCL exists on CUDA only" in result.stdout


def test_its_page_is_printed(installed: Path) -> None:
    result = run(installed, "-m", "neuronlint", "rule", "ACME1")
    assert result.stdout.startswith("# nccl-backend (ACME1)")


def test_its_page_is_tested_like_ours(installed: Path) -> None:
    test = (
        "from acme_neuronlint import RULES; from neuronlint import page; "
        "from neuronlint.testing import check_identity, check_page\n"
        "for rule in RULES: check_identity(rule); check_page(rule, page.read(rule))"
    )
    result = run(installed, "-c", test)
    assert result.returncode == 0, result.stderr


def test_its_author_tries_it_on_its_page(installed: Path) -> None:
    result = run(installed, "-m", "neuronlint", "test", "ACME")
    assert (result.returncode, result.stdout) == (0, "1 rule, 0 failures.\n")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  # ACME1", "", '-dist.init_process_group("nccl")\n+dist.init_process_group("nccl")  # '),
        ("# nccl-backend", "# nccl", "ACME1: its page is titled '# nccl (ACME1)'"),
        ("```python good", "```python", "ACME1: no good example"),
        ("import torch.distributed", "import torch distributed", "ACME1: SyntaxError: "),
    ],
)
def test_its_author_is_told_what_a_page_promises_in_vain(
    installed: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    site = tmp_path / "site"
    shutil.copytree(installed, site)
    page = site / "acme_neuronlint/nccl_backend.md"
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new))
    result = run(site, "-m", "neuronlint", "test", "ACME1")
    assert (result.returncode, result.stderr) == (1, "")
    assert said in result.stdout
    assert result.stdout.endswith("\n1 rule, 1 failure.\n")


def test_two_packs_cannot_claim_one_code(installed: Path, tmp_path: Path) -> None:
    second = tmp_path / "second-0.1.dist-info"
    second.mkdir()
    (second / "METADATA").write_text("Metadata-Version: 2.1\nName: second\nVersion: 0.1\n")
    (second / "entry_points.txt").write_text("[neuronlint.rules]\nzz = second:RULES\n")
    (tmp_path / "second.py").write_text(
        "from neuronlint import Rule\nRULES = (Rule('NL101', 'mine', 'message', __name__),)\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "neuronlint", "rules"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": f"{installed}:{tmp_path}", "PATH": ""},
    )
    assert result.returncode == 2
    assert result.stderr.splitlines() == ["neuronlint: rule pack 'zz': NL101 is already cuda-call"]
