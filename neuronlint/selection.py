"""Which rules run on a file, and what becomes of their findings: the selectors of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from neuronlint.config import Config, ConfigError, Layer
from neuronlint.globs import Glob
from neuronlint.overrides import Override
from neuronlint.registry import hint
from neuronlint.rule import Applicability, Rule, Severity

ALL = "ALL"
_LISTS = (
    *("select", "extend-select", "ignore", "fixable", "extend-fixable", "unfixable"),
    *("extend-safe-fixes", "extend-unsafe-fixes"),
)
_TABLES = ("per-file-ignores", "extend-per-file-ignores")


def chosen(config: Config, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that a project wants run, whatever the file."""
    on = {rule for rule in rules if not rule.optional}
    for layer in config.layers:
        wanted = (*layer.words("select"), *layer.words("extend-select"))
        unwanted = partial(_left_out, layer=layer)
        on = _changed(set() if "select" in layer.values else on, rules, wanted, unwanted)
    return tuple(rule for rule in rules if rule in on)


def ignored(config: Config, rules: Sequence[Rule], path: Path) -> frozenset[str]:
    """The codes of the rules that a project leaves out in one file."""
    selectors = [
        selector
        for layer, table in config.more("per-file-ignores")
        for text, listed in table.items()
        if Glob(text, layer.folder).covers(path)
        for selector in listed
    ]
    if not selectors:
        return frozenset()
    return frozenset(rule.code for rule in rules if _strength(rule, selectors))


def overrides(config: Config, rules: Sequence[Rule]) -> tuple[Override, ...]:
    """What a project makes of the findings of its rules, for those rules that are concerned."""
    fixable = _fixable(config, rules)
    safe = [word for layer in config.layers for word in layer.words("extend-safe-fixes")]
    unsafe = [word for layer in config.layers for word in layer.words("extend-unsafe-fixes")]
    made = (
        Override(
            rule.code,
            rule.severity,
            _severity(config, rule),
            rule in fixable,
            _trust(_strength(rule, safe), _strength(rule, unsafe)),
        )
        for rule in rules
    )
    return tuple(one for one in made if one != Override(one.code, one.own))


def check(config: Config, rules: Sequence[Rule]) -> None:
    """Raise ConfigError for a selector that fits no rule."""
    for layer in config.layers:
        for name, selector in _selectors(layer):
            if not any(fits(rule, selector) for rule in rules):
                said = f"no rule has the code {selector!r}{hint(selector, rules, ALL)}"
                raise ConfigError(f"{layer.place}{name}: {said}")


def _selectors(layer: Layer) -> Iterator[tuple[str, str]]:
    for name in _LISTS:
        yield from ((name, selector) for selector in layer.words(name))
    for name in _TABLES:
        for listed in layer.values.get(name, {}).values():
            yield from ((name, selector) for selector in listed)
    yield from (("severity", selector) for selector in layer.values.get("severity", ()))


def _changed(
    on: set[Rule],
    rules: Sequence[Rule],
    wanted: Sequence[str],
    unwanted: Callable[[Rule], int],
) -> set[Rule]:
    """The rules that are on after a layer; one that says nothing of a rule leaves it as it was."""
    result = set(on)
    for rule in rules:
        more, less = _strength(rule, wanted), unwanted(rule)
        if more > less:
            result.add(rule)
        elif less:
            result.discard(rule)
    return result


def _fixable(config: Config, rules: Sequence[Rule]) -> set[Rule]:
    on = set(rules)
    for layer in config.layers:
        wanted = (*layer.words("fixable"), *layer.words("extend-fixable"))
        unwanted = partial(_strength, selectors=layer.words("unfixable"))
        on = _changed(set() if "fixable" in layer.values else on, rules, wanted, unwanted)
    return on


def _left_out(rule: Rule, layer: Layer) -> int:
    """How closely a layer says to leave a rule out."""
    off = _strength(rule, _fitting(rule, layer)[:1]) if _word(rule, layer) == "off" else 0
    return max(_strength(rule, layer.words("ignore")), off)


def _severity(config: Config, rule: Rule) -> Severity | None:
    """The severity that the last layer with an opinion gives a rule."""
    words = [word for layer in config.layers if (word := _word(rule, layer))]
    return Severity(words[-1]) if words and words[-1] != "off" else None


def _word(rule: Rule, layer: Layer) -> str:
    """What a layer says of a rule's severity, "" for nothing."""
    fitting = _fitting(rule, layer)
    return layer.values["severity"][fitting[0]] if fitting else ""


def _fitting(rule: Rule, layer: Layer) -> list[str]:
    """The selectors of a layer's severities that fit a rule, the closest first."""
    selectors = layer.values.get("severity", {})
    fitting = [selector for selector in selectors if fits(rule, selector)]
    return sorted(fitting, key=lambda selector: -_strength(rule, [selector]))


def _trust(safe: int, unsafe: int) -> Applicability | None:
    if not safe and not unsafe:
        return None
    return Applicability.SAFE if safe > unsafe else Applicability.UNSAFE


def fits(rule: Rule, selector: str) -> bool:
    """Whether a selector is for a rule: by code, start of a code or name."""
    return selector in (ALL, rule.name) or (bool(selector) and rule.code.startswith(selector))


def _strength(rule: Rule, selectors: Iterable[str]) -> int:
    """How closely the closest of the selectors fits: ALL least, then by length, 0 for none."""
    lengths = (
        1 if selector == ALL else len(rule.code if selector == rule.name else selector) + 1
        for selector in selectors
        if fits(rule, selector)
    )
    return max(lengths, default=0)
