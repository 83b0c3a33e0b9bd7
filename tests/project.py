"""A project to run neuronlint in, and a rule pack so that no built-in rule matters."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PACK = """
import libcst as cst
from neuronlint import Applicability, Fix, Rule, Severity

ROWS = {
    "TST101": ("safe_old", "safe_new", Severity.ERROR, Applicability.SAFE),
    "TST102": ("unsafe_old", "unsafe_new", Severity.WARNING, Applicability.UNSAFE),
    "TST201": ("shown_old", "shown_new", Severity.INFO, Applicability.DISPLAY),
}


def make(code, old, new, severity, applicability):
    name, message = old.replace("_", "-"), "`{old}` is old; write `{new}`"
    rule = Rule(code, name, message, __name__, severity, triggers=("*_old",))

    @rule.check
    def check(node: cst.Name, module):
        if node.value == "crash_old":
            raise ValueError("no such thing")
        if node.value == old:
            fix = Fix((module.replace(node, new),), applicability)
            yield rule.match(node, fix, old=old, new=new)

    return rule


RULES = [make(code, *row) for code, row in ROWS.items()]
"""


@dataclass(frozen=True)
class Ran:
    """What a run printed, and its exit status."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


def write(name: str, text: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def codes(ran: Ran) -> list[str]:
    """The codes of the findings that were printed, in their order."""
    return [line.split()[2] for line in ran.out.splitlines() if ": " in line and ".py:" in line]


def install(folder: Path) -> Path:
    """The folder, with the rule pack in it as if installed there."""
    (folder / "sample_pack").mkdir()
    (folder / "sample_pack/__init__.py").write_text("")
    (folder / "sample_pack/old.py").write_text(PACK)
    (folder / "sample_pack/old.md").write_text("# The page\n\nWhy old is old.\n")
    metadata = folder / "sample_pack-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sample-pack\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[neuronlint.rules]\nsample = sample_pack.old:RULES\n"
    )
    return folder
