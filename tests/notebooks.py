"""Notebooks for tests: their JSON, and what of it is no source."""

import json
from collections.abc import Sequence
from typing import Any

from neuronlint import ipynb

PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "version": "3.11.4"},
}
IMAGE = {"data": {"image/png": "iVBORw0KGgo=\n", "text/plain": ["<Figure>"]}, "metadata": {}}


def cell(source: str, kind: str = "code", **more: Any) -> dict[str, Any]:
    """A cell as Jupyter stores it."""
    made: dict[str, Any] = {"cell_type": kind, "id": f"c{len(source)}", "metadata": {}, **more}
    if kind == "code":
        outputs = [{"output_type": "display_data", **IMAGE}]
        made |= {"execution_count": None, "outputs": outputs}
    return {**made, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any] | str, **metadata: Any) -> dict[str, Any]:
    """A notebook of cells, or of the sources of code cells."""
    made = [cell(each) if isinstance(each, str) else each for each in cells]
    return {
        "cells": made,
        "metadata": metadata or PYTHON,
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def dumped(*cells: dict[str, Any] | str, **metadata: Any) -> str:
    """The file that Jupyter writes."""
    made = notebook(*cells, **metadata)
    return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def sources(text: str) -> list[str]:
    """The sources of all cells in a file, each in one piece."""
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]


def rest(text: str, but: Sequence[int]) -> list[str]:
    """The pieces of a file between the sources of the cells of these numbers."""
    pieces, position = [], 0
    for each in ipynb.read(text).cells:
        if each.number in but:
            pieces.append(text[position : each.stored.start])
            position = each.stored.end
    return [*pieces, text[position:]]
