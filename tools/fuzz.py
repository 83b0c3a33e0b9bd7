"""Feed neuronlint with bytes that its own code's branches suggest, until one is not dealt with.

    pip install atheris && python tools/fuzz.py -max_total_time=600

Options are libFuzzer's. The bytes that were not dealt with are left in a file `crash-...`.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
with atheris.instrument_imports(include=["neuronlint"]):
    import invariants

PRE = b"import torch\n"


def one(raw: bytes) -> None:
    """Check and fix some bytes, alone and behind an import."""
    invariants.is_dealt_with(raw)
    invariants.is_dealt_with(PRE + raw)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
