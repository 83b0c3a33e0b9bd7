"""Lets `python -m neuronlint` do what `neuronlint` does."""

from neuronlint.quick import main

main()
