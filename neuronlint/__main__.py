"""Lets `python -m neuronlint` do what `neuronlint` does."""

from neuronlint.cli import main

main()
