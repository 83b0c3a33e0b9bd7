"""Compare the tables of facts with the torch that is installed.

    python tools/torch_api.py            # or --json

When a torch release is out: install it in an environment, run this, and work down the list.

* `new`: a public name of torch.cuda, its submodules, torch.backends.cudnn or
  torch.backends.cuda without a row. Add one, with the release as `added`: to
  runtime/accelerator.toml if torch.accelerator has a function of the same arguments, to
  runtime/other.toml if something else replaces it, to runtime/none.toml if nothing does; flags go
  to backends/, torch.cuda.amp to precision/, types to device/. A name that a submodule only
  repeats gets `alias`.
* `gone`: a row whose name the release lacks. Keep it as long as supported releases have the name,
  and give it the release as `gone`.
* `kept`: a row whose name the release has, though `added` or `gone` say it lacks it.
* `missing`: a `new` that the release lacks. Mend the row at once: its fix writes code that fails.
* `since`: a `new` that the release has, though `since` is later.

Then run tests/torch/test_tables_proved.py with the same torch; where it names an outcome that
differs, correct the `cpu` or `neuron` key. The exit status is 1 if anything is listed.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import tomli

RULES = Path(__file__).resolve().parent.parent / "rules"
TABLES = (
    "backends/cuda.toml",
    "backends/cudnn.toml",
    "device/tensor_types.toml",
    "precision/amp.toml",
    "runtime/accelerator.toml",
    "runtime/none.toml",
    "runtime/other.toml",
)
ROOTS = ("torch.cuda", "torch.backends.cudnn", "torch.backends.cuda")
# Objects that hold flags, whose attributes are names users write, and the class that lists them.
FLAGS = {
    "torch.backends.cuda.cufft_plan_cache": "torch.backends.cuda.cuFFTPlanCache",
    "torch.backends.cuda.matmul": "torch.backends.cuda.cuBLASModule",
    "torch.backends.cudnn.conv": "torch.backends._FP32Precision",
}
# Names that a CPU-only build lacks.
KEPT = frozenset({"torch.cuda.Stream.priority_range"})


def read_table(path: Path) -> dict[str, dict[str, Any]]:
    """The TOML file as written."""
    return tomli.loads(path.read_text(encoding="utf-8"))


def read_rows() -> dict[str, dict[str, Any]]:
    """Every row as written, by old name."""
    rows: dict[str, dict[str, Any]] = {}
    for table in TABLES:
        rows |= read_table(RULES / table)
    return rows


def release(text: str) -> tuple[int, ...]:
    """The first two numbers of a release, so that 2.10 comes after 2.9."""
    return tuple(int(part) for part in text.split(".")[:2])


def installed() -> tuple[int, ...]:
    """The release of the installed torch."""
    return release(importlib.import_module("torch").__version__)


def has_old_name(row: dict[str, Any]) -> bool:
    """Whether a row claims that the installed torch has its old name."""
    added, gone = row.get("added", "0"), row.get("gone", "")
    return release(added) <= installed() and not (gone and installed() >= release(gone))


def resolve(name: str) -> object:
    """What a dotted name stands for; AttributeError if nothing."""
    first, *rest = name.split(".")
    found: object = importlib.import_module(first)
    path = first
    for part in rest:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            if not isinstance(found, ModuleType):
                raise
            found = _submodule(path)
    return found


def _submodule(path: str) -> ModuleType:
    """The module of that name; AttributeError if there is none."""
    try:
        return importlib.import_module(path)
    except ImportError as error:
        raise AttributeError(path) from error


def exists(name: str) -> bool:
    """Whether a dotted name stands for something; a property that raises counts as there."""
    try:
        resolve(name)
    except AttributeError:
        return False
    except Exception:  # what a property of the installed build raises is its own affair
        return True
    return True


def public_names() -> list[str]:
    """Every public name of the CUDA modules of the installed torch, sorted."""
    names: set[str] = set()
    for root in ROOTS:
        names.update(_names_below(root))
    for flags, holder in FLAGS.items():
        names.update(_flag_names(flags, holder))
    return sorted(names)


def _names_below(root: str) -> Iterator[str]:
    """The names in a module and its public submodules, and the submodules themselves."""
    module = resolve(root)
    yield from _names_in(root, module)
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{root}."):
        if not any(part.startswith("_") for part in found.name.split(".")):
            yield found.name
            yield from _names_in(found.name, importlib.import_module(found.name))


def _names_in(path: str, module: object) -> Iterator[str]:
    """The dotted names of a module's own members."""
    # A module of flags is an object in the module's place, with the functions in `m`.
    functions = getattr(module, "m", module) if type(module) is not ModuleType else module
    named = getattr(functions, "__all__", ())
    for name in dir(functions):
        if not name.startswith("_") and (name in named or _is_own(functions, name)):
            yield f"{path}.{name}"
    if functions is not module:
        yield from (f"{path}.{name}" for name in vars(type(module)) if not name.startswith("_"))


def _is_own(module: object, name: str) -> bool:
    """Whether a member is torch's API, not something imported for the module's own use."""
    member = getattr(module, name)
    if isinstance(member, ModuleType):
        return member.__name__.startswith(ROOTS)
    home = getattr(member, "__module__", None)
    if home is None:
        return name.isupper() and name != "TYPE_CHECKING"
    is_exception = inspect.isclass(member) and issubclass(member, BaseException)
    return str(home).startswith(ROOTS) or (is_exception and str(home).startswith("torch"))


def _flag_names(path: str, holder: str) -> Iterator[str]:
    """The attributes of an object that holds flags, also those only its `__getattr__` knows."""
    kind = resolve(holder)
    getter = getattr(kind, "__getattr__", None)
    constants = getter.__code__.co_consts if getter else ()
    known = [name for name in constants if isinstance(name, str) and name.isidentifier()]
    for name in (*dir(kind), *known):
        if not name.startswith("_") and exists(f"{path}.{name}"):
            yield f"{path}.{name}"


def compare() -> dict[str, list[str]]:
    """Where the tables and the installed torch differ, by kind."""
    rows, names = read_rows(), public_names()
    wrong = {name for name in rows.keys() - KEPT if exists(name) is not _claimed(name, rows)}
    replaced = {(row["new"], release(row["since"])) for row in rows.values() if "new" in row}
    return {
        "new": [name for name in names if name not in rows],
        "gone": sorted(name for name in wrong if _claimed(name, rows)),
        "kept": sorted(name for name in wrong if not _claimed(name, rows)),
        "missing": sorted(n for n, at in replaced if at <= installed() and not exists(n)),
        "since": sorted(n for n, at in replaced if at > installed() and exists(n)),
    }


def _claimed(name: str, rows: dict[str, dict[str, Any]]) -> bool:
    """Whether the row of a name, or that of the name it repeats, claims that torch has it."""
    return has_old_name(rows[rows[name].get("alias", name)])


def main() -> int:
    """Print the comparison; 1 if the tables and torch differ."""
    parser = argparse.ArgumentParser(description="Compare the tables with the installed torch.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    found = compare()
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        for kind, names in found.items():
            for name in names:
                print(f"{kind}: {name}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
