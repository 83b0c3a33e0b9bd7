"""What the tables claim is what torch does.

Run as a script, this file writes down what the original and the fixed form of every row do on
the machine at hand. The tests run it on the plain CPU and on the simulated neuron device. What a
row claims of other torch releases than the installed one is left for those.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from torch_tables import PLAIN, TOOL, here, is_known

OUTCOMES = ("silent", "returns", "raises")
SECONDS = 20  # for one expression
PATIENCE = 400  # seconds for all of them


USES: dict[str, str]
FIXED: dict[str, str]
USES, FIXED = TOOL.read_table(Path(__file__).with_name("tables_uses.toml")).values()


def member(name: str) -> object:
    """What a name stands for, None where the build at hand cannot say."""
    try:
        return TOOL.resolve(name)
    except Exception:
        return None


def example(name: str) -> str:
    """A use of the name, with `{}` in its place."""
    if name in USES:
        return USES[name]
    row, found = PLAIN[name], member(name)
    if "dtype" in row:
        return "{}(1)"
    if inspect.isroutine(found):
        return "{}()"
    is_flag = isinstance(found, (bool, str, int, type(None))) and row.get("harmless", False)
    return "{} = {}" if is_flag and name.startswith("torch.backends") else "{}"


def fixed(name: str, *, guard: bool) -> str:
    """The fixed form of a row, empty where no code is prescribed."""
    row = PLAIN[name]
    if "dtype" in row:
        call = {"torch.tensor": f"[1], dtype={row['dtype']}"}.get(row["new"], "")
        call = {"torch.UntypedStorage": "4"}.get(row["new"], call)
        call = call or f"torch.tensor([[0]]), [1.0], [1], dtype={row['dtype']}"
        return f"{row['new']}({call}, device=DEVICE)"
    use = FIXED.get(name, example(name) if "new" in row and "instead" not in row else "")
    use = use.replace("{}", str(row.get("new", "")))
    if not (guard and use and row.get("guard")) or "if torch.accelerator" in use:
        return use
    if "without" in row:
        return f"{use} if torch.accelerator.is_available() else {row['without']}"
    return f"if torch.accelerator.is_available(): {use}"


def older(name: str) -> str:
    """The older form of a row, empty where no code is prescribed."""
    row = PLAIN[name]
    if "older_since" not in row:
        return ""
    use = example(name).replace("{}", row["older"])
    if TOOL.release(row["older_since"]) < (2, 6):
        return use
    return f"{use} if torch.accelerator.is_available() else {row.get('without')}"


def jobs(name: str) -> dict[str, str]:
    """What there is to run for a row."""
    row, original = PLAIN[name], example(name).replace("{}", name)
    found = {"original": original, "older": older(name)}
    if is_known(row):
        found["fixed"] = fixed(name, guard=True)
        if row.get("guard") and "new" in row:
            found["bare"] = fixed(name, guard=False)
    if "without" in row:
        found["default"] = f"assert ({original}) == ({row['without']})"
    return {kind: code for kind, code in found.items() if code}


def compiled(code: str) -> CodeType:
    """The code ready for eval, whether an expression or statements."""
    try:
        return compile(code, code, "eval")
    except SyntaxError:
        return compile(code, code, "exec")


def outcome(code: str, names: dict[str, Any]) -> str:
    """What the code does, in a forked child so that nothing of it lasts."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            status = int(eval(compiled(code), names) is not None)
        except BaseException as error:
            os.write(1, f"{code}: {type(error).__name__}: {error}\n".encode())
            status = 2
        os._exit(status)
    _, status = os.waitpid(child, 0)
    return OUTCOMES[os.WEXITSTATUS(status)] if os.WIFEXITED(status) else "crashes"


def measure() -> dict[str, Any]:
    """The outcomes of every row on the device at hand."""
    import warnings

    torch = importlib.import_module("torch")
    for name in (*here(), "torch.cuda.comm"):
        TOOL.exists(name)  # imports the submodules that `import torch` leaves out
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    available = torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if available else torch.device("cpu")
    names = {"torch": torch, "DEVICE": device, "X": torch.zeros(1)}
    rows = {n: {k: outcome(c, names) for k, c in jobs(n).items()} for n in here()}
    return {"device": device.type, "built": torch.backends.cuda.is_built(), "rows": rows}


def start(directory: str, *, neuron: bool) -> subprocess.Popen[bytes]:
    """This file as a script, running."""
    environment = {key: value for key, value in os.environ.items() if key != "FAKE_NEURON"}
    environment |= {"FAKE_NEURON": "1"} if neuron else {}
    command = [sys.executable, __file__, str(Path(directory) / f"{neuron}.json")]
    return subprocess.Popen(command, cwd=directory, env=environment, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def measured() -> Iterator[dict[str, Any]]:
    """The outcomes on the plain CPU and on the simulated device, measured side by side."""
    with tempfile.TemporaryDirectory() as directory:
        runs = {kind: start(directory, neuron=kind == "neuron") for kind in ("cpu", "neuron")}
        assert [run.wait(timeout=PATIENCE) for run in runs.values()] == [0, 0]
        found = {kind: Path(directory) / f"{kind == 'neuron'}.json" for kind in runs}
        yield {kind: json.loads(file.read_text()) for kind, file in found.items()}


def claims(found: dict[str, Any], kind: str) -> list[str]:
    """Where a row says something else than what was measured."""
    wrong = []
    for name, outcomes in found[kind]["rows"].items():
        truth = [outcomes["original"], outcomes.get("fixed", "")]
        original, new = PLAIN[name].get(kind, ["", ""])
        if [original, new if is_known(PLAIN[name]) else ""] != truth:
            wrong.append(f"{name}: {kind} = {json.dumps(truth)}")
    return wrong


def test_an_older_form_works_where_the_original_or_on_a_device_the_fixed_one_did(
    measured: dict[str, Any],
) -> None:
    for found in measured.values():
        # In a CUDA build without a GPU, the current device module is still that of CUDA.
        reference = "original" if found["device"] == "cpu" else "fixed"
        rows = {n: row for n, row in found["rows"].items() if "older" in row}
        assert [n for n, r in rows.items() if r["older"] == "raises" != r.get(reference)] == []


def test_on_a_cpu_the_rows_claim_what_happens(measured: dict[str, Any]) -> None:
    _skip_unless(measured["cpu"], "cpu")
    assert claims(measured, "cpu") == []


def test_on_the_neuron_device_the_rows_claim_what_happens(measured: dict[str, Any]) -> None:
    _skip_unless(measured["neuron"], "neuron")
    assert claims(measured, "neuron") == []


def test_a_guard_is_needed_and_its_other_branch_is_what_the_original_gives(
    measured: dict[str, Any],
) -> None:
    _skip_unless(measured["cpu"], "cpu")
    rows = measured["cpu"]["rows"]
    assert [n for n, found in rows.items() if found.get("bare", "raises") != "raises"] == []
    assert [n for n, found in rows.items() if found.get("default", "silent") != "silent"] == []


def test_a_harmless_name_works_anywhere(measured: dict[str, Any]) -> None:
    harmless = [name for name, row in here().items() if row.get("harmless")]
    for kind in ("cpu", "neuron"):
        rows = measured[kind]["rows"]
        assert [name for name in harmless if rows[name]["original"] == "raises"] == []


def test_a_safe_row_never_breaks_a_program_that_ran(measured: dict[str, Any]) -> None:
    for kind in ("cpu", "neuron"):
        rows = measured[kind]["rows"]
        safe = {n: found for n, found in rows.items() if PLAIN[n].get("safe") and "fixed" in found}
        broken = [n for n, r in safe.items() if r["original"] != "raises" == r["fixed"]]
        assert broken == []


def _skip_unless(found: dict[str, Any], device: str) -> None:
    """Skip where the claims are about another build or device."""
    if found["device"] != device or found["built"]:
        pytest.skip(f"needs a CPU-only build of torch on the {device} device")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(measure()))
