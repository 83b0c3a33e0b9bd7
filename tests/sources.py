"""Small sources for tests, parsed, with the place that a test asks about marked by `here(...)`."""

from pathlib import Path
from textwrap import dedent

import libcst as cst

from neuronlint.conditions import Known
from neuronlint.module import Module
from neuronlint.source import Source


def parsed(source: str) -> Module:
    return Module(Source.read(dedent(source).encode()), Path("example.py"))


def here(module: Module) -> cst.Call:
    """The one call of `here`."""
    calls = [call for call in module.nodes(cst.Call) if call.func.deep_equals(cst.Name("here"))]
    assert len(calls) == 1
    return calls[0]


def asked(module: Module) -> cst.BaseExpression:
    """The argument of the one call of `here`."""
    return here(module).args[0].value


def known(source: str) -> Known:
    """What is known at the one call of `here`, after the imports that the tests of guards need."""
    module = parsed("import sys, pytest, torch, unittest\n" + dedent(source))
    return module.guards.at(here(module))
