"""What must hold of every source, whatever is in it: one function a law."""

import ast
import re
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from zlib import crc32

from neuronlint import Edit, Finding, edits, engine, own, registry
from neuronlint.report import CRASHED, FAILURES, UNPARSABLE, applies
from neuronlint.source import Source

RULES = tuple(registry.installed())
WHOLE = (*RULES, own.WHOLE)
PATH = Path("a.py")
_PAD = b"#" * 3000  # makes a source long enough to be cut
_DEVICE = re.compile(r"(cuda|neuron|xpu|mps|npu|hpu|mtia|privateuseone)(:.*)?")


def holds(source: bytes) -> None:
    """Assert all laws of a source."""
    for law in LAWS:
        law(source)


@lru_cache(maxsize=4)  # a source, and what becomes of it
def found(source: bytes) -> tuple[Finding, ...]:
    return tuple(engine.check(source, PATH, RULES))


@lru_cache(maxsize=2)
def fixed(source: bytes) -> engine.Fixed:
    return engine.fix(source, PATH, RULES, unsafe=True)


def is_dealt_with(source: bytes) -> None:
    """What holds of any bytes: they are checked or it is told why not, and no fix breaks them."""
    findings = found(source)
    codes = {finding.code for finding in findings}
    assert CRASHED not in codes, findings
    if findings and UNPARSABLE not in codes:
        a_finding_is_at_a_place_that_is_there(source)
    new = fixed(source).source
    if new != source:
        assert UNPARSABLE not in {finding.code for finding in engine.check(new, PATH, WHOLE)}
        if _compiles(source):
            compiled(new)


def _compiles(source: bytes) -> bool:
    try:
        compiled(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def nothing_fails(source: bytes) -> None:
    findings = list(found(source))
    if any(finding.fix for finding in findings):
        findings += fixed(source).left
    assert not [finding for finding in findings if finding.code in FAILURES]


def a_finding_is_at_a_place_that_is_there(source: bytes) -> None:
    text = Source.read(source)
    lines = text.parsable.split("\n")
    for finding in found(source):
        start, end = (finding.line, finding.column), (finding.end_line, finding.end_column)
        assert start < end, finding
        for line, column in (start, end):
            assert 1 <= line <= len(lines), finding
            assert 1 <= column <= len(lines[line - 1]) + 1, finding
        for edit in finding.fix.edits if finding.fix else ():
            assert 0 <= edit.start <= edit.end <= len(text.data), finding
            text.data[edit.start : edit.end].decode()  # no half characters


def the_fixed_file_is_valid(source: bytes) -> None:
    compiled(fixed(source).source)


def a_second_fix_changes_nothing(source: bytes) -> None:
    once = fixed(source).source
    assert engine.fix(once, PATH, RULES, unsafe=True).source == once


def fixing_changes_what_the_edits_say(source: bytes) -> None:
    current = source
    for _ in range(engine.MAX_ROUNDS):
        changes = merged(found(current))
        if not changes:
            break
        current = edited(current, changes)
    assert fixed(source).source == current


def other_lines_mean_the_same(source: bytes) -> None:
    changes = merged(found(source))
    text, new = Source.read(source), Source.read(edited(source, changes))
    before, after = set[int](), set[int]()
    moved = 0
    for change in changes:
        length = len(written(change, text))
        whole = change.text.endswith("\n") or not change.text
        whole = whole and change.end in text.line_starts
        before |= touched(text, change.start, change.end - change.start, whole)
        after |= touched(new, change.start + moved, length, whole)
        moved += length - (change.end - change.start)
    assert statements(text, before) == statements(new, after)


def each_fix_is_valid_alone(source: bytes) -> None:
    for fix in dict.fromkeys(finding.fix for finding in found(source) if finding.fix):
        changes, _, _ = edits.merge([fix])
        compiled(edited(source, changes))


def fixes_are_valid_in_any_set(source: bytes) -> None:
    random = Random(crc32(source))
    offered = [finding for finding in found(source) if finding.fix]
    for _ in range(2 if len(offered) > 2 else 0):
        some = random.sample(offered, random.randint(2, len(offered)))
        compiled(edited(source, merged(some)))


def the_order_of_rules_does_not_matter(source: bytes) -> None:
    rules = list(RULES)
    Random(crc32(source)).shuffle(rules)
    assert shown(engine.check(source, PATH, rules)) == shown(found(source))


def what_is_not_parsed_makes_no_difference(source: bytes) -> None:
    if source.endswith((b"\n", b"\r")) and not source.endswith(b"\\\n"):
        source += _PAD
    whole = engine.check(source, PATH, WHOLE)
    assert shown(engine.check(source, PATH, RULES)) == shown(whole)


def no_fix_names_a_device(source: bytes) -> None:
    for one in [*found(source), *fixed(source).applied]:
        for edit in one.fix.edits if one.fix else ():
            assert not re.search(r"['\"](neuron|xpu|mps)\b", edit.text), one
    assert not devices(fixed(source).source) - devices(source)


LAWS: tuple[Callable[[bytes], None], ...] = (
    nothing_fails,
    a_finding_is_at_a_place_that_is_there,
    the_fixed_file_is_valid,
    a_second_fix_changes_nothing,
    fixing_changes_what_the_edits_say,
    other_lines_mean_the_same,
    each_fix_is_valid_alone,
    fixes_are_valid_in_any_set,
    the_order_of_rules_does_not_matter,
    what_is_not_parsed_makes_no_difference,
    no_fix_names_a_device,
)


def compiled(source: bytes) -> ast.Module:
    """The tree of a source that Python compiles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(source, "a.py", "exec", dont_inherit=True)
        return ast.parse(source)


def merged(findings: Sequence[Finding]) -> list[Edit]:
    """The edits that one round of fixing makes, those for display left out."""
    ready = dict.fromkeys(one.fix for one in findings if one.fix and applies(one, unsafe=True))
    return edits.merge(ready)[0]


def edited(source: bytes, changes: Sequence[Edit]) -> bytes:
    """The bytes with edits made from the last to the first, without what the engine uses."""
    text = Source.read(source)
    data = text.data
    for change in reversed(changes):
        data = data[: change.start] + written(change, text) + data[change.end :]
    return Source(data, text.encoding, text.bom).write()


def written(change: Edit, text: Source) -> bytes:
    """What an edit puts into a file, whose line ends it takes over."""
    return text.newline.join(re.split("\r\n|\n", change.text)).encode()


def touched(text: Source, start: int, length: int, whole: bool) -> set[int]:
    """The lines that a change lies in, and the one before whole lines that come or go."""
    first = bisect_right(text.line_starts, start)
    if whole and start in text.line_starts:
        first -= 1
        if length == 0:
            return {first}
    last = bisect_right(text.line_starts, start + max(length - 1, 0))
    return set(range(first, last + 1))


def statements(text: Source, without: set[int]) -> list[str]:
    """The statements none of whose lines is one of these."""
    tree = compiled(text.parsable.encode())
    return [ast.dump(node) for node in nodes(tree) if not without & lines_of(node)]


def nodes(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module in source order."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            yield child
        yield from nodes(child)


def lines_of(node: ast.stmt) -> set[int]:
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    return set(range(min([node.lineno, *decorators]), (node.end_lineno or node.lineno) + 1))


def devices(source: bytes) -> Counter[str]:
    """The texts in a source that name a vendor's device, with how often each is there."""
    values = (node.value for node in ast.walk(compiled(source)) if isinstance(node, ast.Constant))
    return Counter(v for v in values if isinstance(v, str) and _DEVICE.fullmatch(v))


def shown(findings: Sequence[Finding]) -> list[tuple[object, ...]]:
    """All of the findings, what does not count when they are compared included."""
    return [
        (f.line, f.column, f.end_line, f.end_column, f.code, f.name, f.message, f.severity, f.fix)
        for f in findings
    ]
