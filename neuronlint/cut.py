"""What of a source has to be parsed: the rest is made blank, and nothing moves.

Parsing is what a run costs, and most functions of most files hold nothing that a rule looks
for. The body of a function or class may go if no word in it is one that a rule names (its
triggers, its context), nor a name to which a line with such a word gives a meaning: a module
variable, an import, an attribute. Its header stays, and so do decorators and all statements
of the module itself; the body becomes `pass` and blanks, as long as before, so that every
offset is what it was.

Whatever looks unusual (an unmatched quote, brackets that do not close) stays whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from neuronlint.rule import Rule

_SINGLE = rb"\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_STRING = re.compile(_SINGLE, re.DOTALL)
_TEXT = re.compile(
    rb"#[^\n]*"
    rb"|\"\"\"[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*\"\"\""
    rb"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|" + _SINGLE,
    re.DOTALL,
)
_LINE = re.compile(rb"^[ \t]*(?=\S)", re.MULTILINE)
_DEFINITION = re.compile(rb"(?:async[ \t]+def|def|class)\b")
_OWN = re.compile(rb"\b(?:self|cls)\.(\w+)[^=\n]*=(?!=)")
_BOUND = re.compile(
    rb"\bimport\b([^#]*)|(?:^|;)[ \t]*([\w, \t]+?)[ \t]*(?::[^=\n]*)?=(?!=)"
    rb"|\b(?:as|for)[ \t]+(\w+)|(\w+)[ \t]*:="
)
# A function with one of these may change what a name means elsewhere.
_ALWAYS = (b"global", b"DEVICE")
_SMALL = 3000  # bytes, below which a cut costs more than it saves


@dataclass(frozen=True)
class Definition:
    """A function or class: where its decorators start, its body starts, and it ends."""

    start: int
    body: int
    end: int
    indent: int
    is_class: bool


def gate(rules: Sequence[Rule], also: Sequence[str] = ()) -> tuple[bytes, ...]:
    """The words of which a source must hold one for a rule to find anything; `b""` fits any.

    Words that hold another one are left out.
    """
    if not all(rule.triggers for rule in rules):
        return (b"",)
    words = {word.encode() for word in also}
    words.update(word.encode() for rule in rules for word in rule.triggers)
    return tuple(sorted(w for w in words if not any(o != w and o in w for o in words)))


def needed(source: bytes, rules: Sequence[Rule], also: Sequence[str] = ()) -> bytes | None:
    """The source with what no rule can need made blank, None where no rule needs any of it.

    `also` are further triggers, the project's own. Offsets stay as they are. Lines of the
    source end with single line feeds.
    """
    words = gate(rules, also)
    bare = _bare(source)
    if bare is None or words == (b"",):
        return source
    hits = _places(bare, words)
    if not hits:
        return None
    if len(source) < _SMALL or b"\x0c" in source:
        return source
    lines = _logical_lines(bare)
    if lines is None:
        return source
    context = _places(bare, [word.encode() for rule in rules for word in rule.context])
    return _blanked(source, _unneeded(bare, lines, hits, context))


def _places(text: bytes, words: Iterable[bytes], whole: bool = False) -> list[int]:
    """The offsets of words in a text, in order; of `whole` words, those not part of longer ones."""
    found: list[int] = []
    for word in words:
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if not whole or not (
                _is_name(text[start - 1 : start]) or _is_name(text[end : end + 1])
            ):
                found.append(start)
            start = text.find(word, end)
    return sorted(found)


def _is_name(character: bytes) -> bool:
    return character.isalnum() or character == b"_"


def _bare(source: bytes) -> bytes | None:
    """The source without comments and texts of several lines, None if it looks odd."""
    parts: list[bytes] = []
    position = 0
    for match in _TEXT.finditer(source):
        between = source[position : match.start()]
        if b'"' in between or b"'" in between:
            return None
        text = match[0]
        if text.startswith(b"#"):
            text = b" " * len(text)
        elif b"\n" in text:
            text = b"x" * len(text)
        parts += [between, text]
        position = match.end()
    rest = source[position:]
    return None if b'"' in rest or b"'" in rest else b"".join([*parts, rest])


def _logical_lines(bare: bytes) -> list[int] | None:
    """The offsets at which the text of each logical line starts, None if brackets do not close."""
    starts: list[int] = []
    depth, position, joined = 0, 0, False
    code = _STRING.sub(_filled, bare)  # a bracket in a text is none
    for match in _LINE.finditer(code):
        between = code[position : match.end()]
        depth += sum(map(between.count, (b"(", b"[", b"{")))
        depth -= sum(map(between.count, (b")", b"]", b"}")))
        joined = between.rstrip(b" \t").endswith(b"\\\n")
        if depth == 0 and not joined:
            starts.append(match.end())
        position = match.end()
    rest = code[position:]
    depth += sum(map(rest.count, (b"(", b"[", b"{"))) - sum(map(rest.count, (b")", b"]", b"}")))
    return starts if depth == 0 else None


def _filled(match: re.Match[bytes]) -> bytes:
    return b"x" * len(match[0])


def _unneeded(
    bare: bytes, lines: Sequence[int], hits: Sequence[int], context: Sequence[int]
) -> Iterator[Definition]:
    """The outermost definitions of which the body can go."""
    definitions = list(_definitions(bare, lines))
    functions = [one for one in definitions if not one.is_class]
    meanings = _places(bare, _meanings(bare, lines, functions, hits), whole=True)
    wanted = sorted([*hits, *context, *meanings])
    position = 0
    for one in definitions:
        if one.start < position:
            continue
        first = bisect_left(wanted, one.start)
        if first == len(wanted) or wanted[first] >= one.end:
            position = one.end
            if one.end - one.body > one.indent + len("pass\n"):
                yield one


def _definitions(bare: bytes, lines: Sequence[int]) -> Iterator[Definition]:
    """The functions that stand in no other function, and the classes around them."""
    indents = [start - bare.rfind(b"\n", 0, start) - 1 for start in lines]
    skip = 0
    for number, start in enumerate(lines[:-1]):
        found = _DEFINITION.match(bare, start)
        if found is None or number < skip:
            continue
        last = number + 1
        while last < len(lines) and indents[last] > indents[number]:
            last += 1
        if last == number + 1:  # its body stands on its own line
            continue
        first = number
        while first > 0 and bare.startswith(b"@", lines[first - 1]):
            first -= 1
        end = lines[last] - indents[last] if last < len(lines) else len(bare)
        body = lines[number + 1] - indents[number + 1]
        is_class = found[0] == b"class"
        yield Definition(lines[first], body, end, indents[number + 1], is_class)
        skip = skip if is_class else last


def _meanings(
    bare: bytes, lines: Sequence[int], functions: Sequence[Definition], hits: Sequence[int]
) -> set[bytes]:
    """The names to which lines with a word give a meaning outside their function."""
    names = set(_ALWAYS)
    starts = [one.body for one in functions]
    done = -1
    for hit in hits:
        number = bisect_right(lines, hit) - 1
        if number <= done:
            continue
        done = number
        text = bare[lines[number] : lines[number + 1] if number + 1 < len(lines) else len(bare)]
        around = bisect_right(starts, hit) - 1
        local = around >= 0 and hit < functions[around].end
        names.update(_OWN.findall(text))
        if not local:
            for bound in _BOUND.findall(text):
                names.update(re.findall(rb"\w+", b" ".join(bound)))
    return names


def _blanked(source: bytes, definitions: Iterator[Definition]) -> bytes:
    parts: list[bytes] = []
    position = 0
    for one in definitions:
        indent = source[one.body : one.body + one.indent]
        blank = (indent + b"pass").ljust(one.end - one.body - 1) + b"\n"
        parts += [source[position : one.body], blank]
        position = one.end
    return b"".join([*parts, source[position:]])
