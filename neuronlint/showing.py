"""What neuronlint says of itself: its rules and the keys of its configuration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill

import click

from neuronlint import own, page, registry, toml
from neuronlint.key import Key, choices
from neuronlint.keys import KEYS, TABLES, near_key
from neuronlint.report import count
from neuronlint.rule import Rule
from neuronlint.selection import ALL, fits
from neuronlint.user_error import UserError

_WIDTH = 88


def pages(code: str | None, as_json: bool) -> str:
    """The page of one rule, or of all; raises RuleError for a code that none has."""
    installed = [*own.RULES, *registry.installed()]
    shown = installed if code is None else [registry.find(installed, code)]
    if as_json:
        facts = [_facts(rule) for rule in shown]
        return _dumped(facts if code is None else facts[0])
    return "\n".join(f"{page.read(rule).rstrip()}\n{_choice(rule)}" for rule in shown)


def rules(as_json: bool) -> str:
    """The rules, one a line."""
    installed = [*own.RULES, *registry.installed()]
    if as_json:
        return _dumped([_facts(rule) for rule in installed])
    return "".join(
        f"{rule.code}  {rule.severity.value:<7}  {rule.name}{' (on by choice)' * rule.optional}\n"
        for rule in installed
    )


def tried(codes: Sequence[str]) -> bool:
    """Tell which rules break what their pages promise; whether any does."""
    from neuronlint import testing

    installed = registry.installed()
    for code in codes:
        if not any(fits(rule, code) for rule in installed):
            registry.find(installed, code)  # which says what is like it
    wanted = codes or (ALL,)
    chosen = [rule for rule in installed if any(fits(rule, code) for code in wanted)]
    failures = 0
    for failures, failure in enumerate(testing.failures(chosen), 1):  # noqa: B007
        click.echo(failure)
    click.echo(f"{count(len(chosen), 'rule')}, {count(failures, 'failure')}.")
    return failures > 0


def keys(name: str | None, as_json: bool) -> str:
    """One key of a configuration, those of a table, or all; raises UserError for what is none."""
    inside = name in TABLES
    shown = [key for key in KEYS.values() if name in (None, key.name)]
    shown += [key for key in KEYS.values() if inside and key.name.startswith(f"{name}.")]
    if not shown:
        raise UserError(f"unknown key {name!r}{near_key(str(name))}")
    if as_json:
        table = {key.name: _described(key) for key in shown}
        return _dumped(table.get(str(name), table))
    if name is not None and not inside:
        return _in_full(shown[0])
    return "\n".join(_in_short(key) for key in shown)


def default(key: Key) -> str:
    """What stands for a key that is not set, as it would be written."""
    text = isinstance(key.default, str)
    return key.default if text and key.default.startswith("[") else toml.written(key.default)


def _choice(rule: Rule) -> str:
    """How to have a rule that does not run by itself."""
    return f"\nOn by choice: `--extend-select {rule.code}`.\n" if rule.optional else ""


def _facts(rule: Rule) -> dict[str, object]:
    text = page.read(rule)
    return {
        "code": rule.code,
        "name": rule.name,
        "message": rule.message,
        "severity": rule.severity.value,
        "guarded_severity": rule.guarded.value if rule.guarded else None,
        "optional": rule.optional,
        "fixable": any(block.kind == "fixed" for block in page.blocks(text)),
        "url": page.url(rule),
        "explanation": text,
    }


def _described(key: Key) -> dict[str, object]:
    return {
        "doc": key.meaning,
        "default": default(key),
        "value_type": key.kind.value,
        "choices": list(choices(key)),
        "option": key.option or None,
        "example": key.example,
    }


def _in_short(key: Key) -> str:
    meaning = fill(key.meaning, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{key.name}  (default: {default(key)})\n{meaning}\n"


def _in_full(key: Key) -> str:
    parts = [
        fill(key.meaning, _WIDTH),
        "",
        f"Default value: {default(key)}",
        f"Type: {key.kind.value}",
        *([f"One of: {', '.join(choices(key))}"] if choices(key) else []),
        *([f"Option: {key.option}"] if key.option else []),
        "Example usage:",
        "```toml",
        key.example,
        "```",
    ]
    return "\n".join(parts) + "\n"


def _dumped(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
