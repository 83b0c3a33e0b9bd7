"""The keys of a configuration: one table that is read, listed and documented."""

from __future__ import annotations

from typing import Any

from neuronlint.files import DEFAULT_INCLUDE
from neuronlint.key import Key, Kind
from neuronlint.near import hint

SEVERITIES = ("error", "warning", "info")


def _rules(name: str, default: Any, meaning: str, example: str, option: str = "") -> Key:
    return Key(name, Kind.WORDS, default, meaning, example, option=option)


def _flag(name: str, default: bool, meaning: str, option: str = "") -> Key:
    example = f"{name} = {str(not default).lower()}"
    return Key(name, Kind.FLAG, default, meaning, example, option=option or f"--{name}")


RULES = (
    _rules(
        "select",
        "[all but those on by choice]",
        "The rules to run, by code, start of a code or name; ALL is every rule, those included "
        "that are on by choice, such as NL8. The longest start decides, and at the same length "
        "`ignore` does. A file that extends another starts over with its `select`.",
        'select = ["NL1", "NL201"]',
        "--select",
    ),
    _rules("extend-select", (), "Rules to run too.", 'extend-select = ["NL8"]', "--extend-select"),
    _rules("ignore", (), "Rules to leave out.", 'ignore = ["NL301"]', "--ignore"),
    Key(
        "per-file-ignores",
        Kind.LISTS,
        {},
        "Rules to leave out in the files that a glob matches, by path from this file or by name; "
        "with `!` in front, in all others. A glob that matches a folder means what is in it.",
        'per-file-ignores = { "tests/**" = ["NL7"], "!src/**" = ["NL201"] }',
        option="--per-file-ignores",
    ),
    Key(
        "extend-per-file-ignores",
        Kind.LISTS,
        {},
        "More of `per-file-ignores`, beside those of the file that is extended.",
        'extend-per-file-ignores = { "conftest.py" = ["NL702"] }',
        option="--extend-per-file-ignores",
    ),
    Key(
        "severity",
        Kind.TEXTS,
        {},
        "How much a rule matters in this project, by code, start of a code or name; `off` leaves "
        "the rule out. A finding that counts less than its rule, for example in code that only "
        "CUDA reaches, is not raised.",
        'severity = { NL301 = "off", NL2 = "error" }',
        choices=("off", *SEVERITIES),
    ),
)

FIXES = (
    _flag("fix", False, "Make the fixes, as if asked for on the command line."),
    _flag("fix-only", False, "Make the fixes and report nothing that is left."),
    _flag("unsafe-fixes", False, "Count in fixes that may change something."),
    _flag("show-fixes", False, "List the fixes that were made."),
    _rules(
        "fixable", ("ALL",), "The rules whose fixes are made.", 'fixable = ["NL1"]', "--fixable"
    ),
    _rules(
        "extend-fixable", (), "More of `fixable`.", 'extend-fixable = ["NL201"]', "--extend-fixable"
    ),
    _rules(
        "unfixable",
        (),
        "Rules whose findings are reported but not fixed.",
        'unfixable = ["NL4"]',
        "--unfixable",
    ),
    _rules(
        "extend-safe-fixes",
        (),
        "Rules whose unsafe fixes this project trusts as safe ones.",
        'extend-safe-fixes = ["NL702"]',
    ),
    _rules(
        "extend-unsafe-fixes",
        (),
        "Rules whose safe fixes wait for `unsafe-fixes` too; goes before `extend-safe-fixes`.",
        'extend-unsafe-fixes = ["NL101"]',
    ),
)

FILES = (
    _rules(
        "include",
        DEFAULT_INCLUDE,
        "The files to check in a folder, as lines of a .gitignore file: `!` takes out again.",
        'include = ["*.py"]',
    ),
    _rules("extend-include", (), "More of `include`.", 'extend-include = ["*.pyw"]'),
    _rules(
        "exclude",
        "[folders that hold no source]",
        "Files and folders to leave out, as in a .gitignore file; replaces the list that comes "
        "with neuronlint, which `neuronlint check --show-settings --isolated` shows.",
        'exclude = ["third_party/"]',
        "--exclude",
    ),
    _rules(
        "extend-exclude",
        (),
        "More of `exclude`.",
        'extend-exclude = ["third_party/", "*_pb2.py"]',
        "--extend-exclude",
    ),
    _flag("force-exclude", False, "Leave out excluded files even where they are named."),
    _flag("respect-gitignore", True, "Leave out what git ignores."),
)

OUTPUT = (
    Key(
        "output-format",
        Kind.TEXT,
        "text",
        "The format of the report; NEURONLINT_OUTPUT_FORMAT in the environment does the same.",
        'output-format = "github"',
        option="--output-format",
    ),
    Key(
        "fail-on",
        Kind.TEXT,
        "info",
        "The least severity that makes the exit status 1.",
        'fail-on = "error"',
        SEVERITIES,
        "--fail-on",
    ),
)

PROJECT = (
    Key(
        "target",
        Kind.WORDS,
        ("neuron",),
        "The devices that the code is for, which decide what a finding means; `any` is all of them "
        "taken together. `neuronlint targets` tells about them. Of several, a finding says which "
        "it concerns.",
        'target = ["neuron", "mps"]',
        option="--target",
    ),
    Key(
        "operators",
        Kind.TEXT,
        "",
        "The file that says which operators a device has a kernel for, as `python -m "
        "neuronlint.operators` writes it there; a call of one that it lacks is a finding. The path "
        "counts from here.",
        'operators = "operators.json"',
    ),
    Key(
        "extend",
        Kind.TEXT,
        "",
        "Another file whose settings hold where this one says nothing; the path counts from here.",
        'extend = "../neuronlint.toml"',
    ),
    Key(
        "required-version",
        Kind.TEXT,
        "",
        "The versions of neuronlint this configuration is for; any other refuses to run.",
        'required-version = ">=0.1"',
    ),
    Key(
        "torch",
        Kind.VERSION,
        "[from the project's dependencies]",
        "The oldest torch to support; a fix that needs a newer one is not offered.",
        'torch = "2.9"',
        option="--torch",
    ),
    Key(
        "baseline",
        Kind.TEXT,
        "",
        "The file that lists known findings, which are not reported; the path counts from here. "
        "It is read from the configuration above all the files that are checked.",
        'baseline = "neuronlint-baseline.json"',
        option="--baseline",
    ),
    _rules(
        "foreign-markers",
        (),
        "Comments of this project that suppress every finding on their line.",
        'foreign-markers = ["#ignore-cuda"]',
    ),
    _rules(
        "gates.decorators",
        (),
        "Decorators of this project that skip a test where CUDA is not, by their last name; "
        "cuda-skip (NL702) counts them with those it knows.",
        'gates.decorators = ["requires_my_gpu"]',
    ),
    Key(
        "device.style",
        Kind.TEXT,
        "torch",
        "The words in which fixes ask for the device: those of torch, or of a library.",
        'device.style = "accelerate"',
    ),
    Key(
        "device.device",
        Kind.TEXT,
        "[from the style]",
        "The expression that fixes write for the device.",
        'device.device = "get_device()"',
    ),
    Key(
        "device.device-type",
        Kind.TEXT,
        "[from the style]",
        "The expression that fixes write for the type of the device, which is text.",
        'device.device-type = "get_device().type"',
    ),
    Key(
        "device.guarded",
        Kind.FLAG,
        "[from the style]",
        "Whether the functions need an accelerator, as those of torch do; fixes ask for one first.",
        "device.guarded = false",
    ),
    Key(
        "device.names",
        Kind.TEXTS,
        "[from the style]",
        "What fixes write for names of torch.accelerator.",
        'device.names = { "torch.accelerator.synchronize" = "mylib.synchronize" }',
    ),
    Key(
        "device.imports",
        Kind.TEXTS,
        "[from the style]",
        "The statements that import the first names of these expressions.",
        'device.imports = { get_device = "from mylib import get_device" }',
    ),
)

TOPICS = {
    "Rules": RULES,
    "Fixes": FIXES,
    "Files": FILES,
    "Output": OUTPUT,
    "Project": PROJECT,
}
KEYS = {key.name: key for keys in TOPICS.values() for key in keys}
TABLES = {name.partition(".")[0] for name in KEYS if "." in name}


def near_key(name: str) -> str:
    """A remark that names the key most like a wrong one."""
    return hint(name, KEYS)
