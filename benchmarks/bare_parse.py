"""What a linter on libcst pays at least: every file that mentions CUDA, parsed once."""

from __future__ import annotations

import sys
from pathlib import Path

import libcst

_MENTIONS = (b"cuda", b"cudnn", b"nccl", b"nvtx", b"nvml", b"CUDA", b"NCCL")

for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    source = path.read_bytes()
    if any(word in source for word in _MENTIONS):
        try:
            libcst.parse_module(source)
        except (libcst.ParserSyntaxError, SyntaxError, RecursionError, TypeError):
            print(f"{path} cannot be parsed")
