"""NL807: batches padded to their longest example."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from neuronlint import Match, Module, Rule, Severity, below, is_constant, keyword_of, last_name

rule = Rule(
    "NL807",
    "padding-to-longest",
    "{padded} is as long as the longest example of the batch, and each new length is compiled "
    "for; {instead}",
    __name__,
    Severity.INFO,
    triggers=("padding", "pad_sequence", "*DataCollator*"),
    whole=True,
    optional=True,
)

_TOKENIZER = re.compile(r"(?:.*_)?(?:tokenizer|tok|processor|feature_extractor|pad)")
_COLLATOR = re.compile(r"DataCollator(?:WithPadding|ForSeq2Seq|ForTokenClassification)")
_LENGTH = re.compile(r"pad_to_multiple_of|\w*multiple\w*|max_(?:seq_)?len(?:gth)?|pad")
_BOUNDED = frozenset({"pad_to_multiple_of"})
_FIXED = '`padding="max_length"` with a `max_length` keeps one shape'
_STACK = "pad to a fixed length, or to a few of them"


@rule.check
def padded(node: cst.Call, module: Module) -> Iterator[Match]:
    given = {keyword_of(arg): arg.value for arg in node.args}
    if module.hot.is_test or not _BOUNDED.isdisjoint(given) or any(arg.star for arg in node.args):
        return
    name = module.name(node.func) or ""
    if _COLLATOR.fullmatch(last_name(node.func)) and name.startswith("transformers."):
        padding = given.get("padding")
        if padding is None or _is_longest(padding):
            told = f"a batch of `{last_name(node.func)}`"
            yield rule.match(node, padded=told, instead=_FIXED)
    elif not _is_in_batch(node, module):
        return
    elif name == "torch.nn.utils.rnn.pad_sequence" and not _is_rounded(node, module):
        yield rule.match(node, padded="what `pad_sequence` gives", instead=_STACK)
    elif _TOKENIZER.fullmatch(last_name(node.func)) and _is_longest(given.get("padding")):
        yield rule.match(node, padded=f"what `{last_name(node.func)}` gives", instead=_FIXED)


def _is_longest(padding: cst.BaseExpression | None) -> bool:
    text = padding.evaluated_value if isinstance(padding, cst.SimpleString) else None
    return is_constant(padding, "True") or text == "longest"


def _is_rounded(node: cst.CSTNode, module: Module) -> bool:
    """Whether the function makes the length a multiple, or one that is given, by itself."""
    function = module.enclosing(node, cst.FunctionDef)
    names = {last_name(one) for one in below(function)} if function else set()
    return any(_LENGTH.fullmatch(name) for name in names)


def _is_in_batch(node: cst.CSTNode, module: Module) -> bool:
    """Whether a batch for training is made here: by a function that collates, or in the step."""
    if module.hot.at(node):
        return True
    around = module.tree.above(node)
    named = [one.name.value for one in around if isinstance(one, (cst.FunctionDef, cst.ClassDef))]
    return any("collat" in name.lower() for name in named)
