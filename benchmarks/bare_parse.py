"""What a linter on libcst pays at least: every file with a word of a rule, parsed once."""

from __future__ import annotations

import sys
from pathlib import Path

import libcst

from neuronlint import gate, registry

RULES = [r for r in registry.installed() if not (r.project or r.optional or r.needs)]

for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    source = path.read_bytes()
    if gate.may_match(source, RULES):
        try:
            libcst.parse_module(source)
        except (libcst.ParserSyntaxError, SyntaxError, RecursionError, TypeError):
            print(f"{path} cannot be parsed")
