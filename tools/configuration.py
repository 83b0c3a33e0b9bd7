"""Write docs/configuration.md from the table of keys, or with --check say whether it is right."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

import click

from neuronlint import cli, showing
from neuronlint.clicks import headed
from neuronlint.key import Key, Kind
from neuronlint.keys import TOPICS

PAGE = Path(__file__).parent.parent / "docs" / "configuration.md"
HEAD = """\
# Configuration

<!-- Written by tools/configuration.py from neuronlint/keys.py; change that, not this. -->

Settings stand in `[tool.neuronlint]` of a `pyproject.toml`, or without that prefix in a
`neuronlint.toml` or `.neuronlint.toml`. Each file uses the configuration nearest above it and no
other, unless that one `extend`s another; files without any use that of the current folder. Where a
folder holds several, `.neuronlint.toml` goes before `neuronlint.toml`, and that before
`pyproject.toml`.

Globs count from the file they stand in, for `extend`ed files too. In a file named by `--config`
and on the command line they count from the current folder.

The command line goes before files: `--config FILE` reads one file for everything, `--config
"KEY = VALUE"` sets one key, `--isolated` reads no file, and most keys have an option of their own.
`neuronlint config` lists the keys, `neuronlint config KEY` tells about one, and
`neuronlint check --show-settings FILE` shows what holds for a file.

```toml
[tool.neuronlint]
torch = "2.9"
ignore = ["NL301"]
extend-exclude = ["third_party/"]

[tool.neuronlint.severity]
NL2 = "error"

[tool.neuronlint.per-file-ignores]
"tests/**" = ["NL7"]
```
"""


def page() -> str:
    """The page as it is to be."""
    parts = [HEAD]
    for topic, keys in TOPICS.items():
        parts += [f"## {topic}\n", *map(entry, keys)]
    parts += ["## Options of `neuronlint check`\n", *options(), ENVIRONMENT]
    return "\n".join(parts)


def entry(key: Key) -> str:
    """What the page says of a key."""
    facts = [f"Default: `{showing.default(key)}`"]
    if key.kind is not Kind.FLAG:
        facts.append(key.kind.value)
    if words := showing.choices(key):
        facts.append("one of " + ", ".join(f"`{word}`" for word in words))
    if key.option:
        facts.append(f"option `{key.option}`")
    text = fill(key.meaning, 100, break_on_hyphens=False)
    told = fill("; ".join(facts) + ".", 100, break_on_hyphens=False)
    return f"### `{key.name}`\n\n{text}\n\n{told}\n\n```toml\n{key.example}\n```\n"


def options() -> Iterator[str]:
    """Tables of all options, by heading."""
    for heading, listed in headed(cli.check, click.Context(cli.check)).items():
        rows = [row(option) for option in listed]
        yield "\n".join([f"### {heading}\n", "| option | meaning |", "|---|---|", *rows, ""])


def row(option: click.Option) -> str:
    """An option as a line of a table."""
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    value = "" if option.is_flag else f" {option.metavar or option.name}".upper()
    words = getattr(option.type, "choices", ())
    told = f" One of {', '.join(f'`{word}`' for word in words)}." if words else ""
    return f"| {names}{value.replace('|', ' or ')} | {option.help}{told} |"


ENVIRONMENT = """\
## Environment

| variable | meaning |
|---|---|
| `NEURONLINT_CONFIG` | what `--config` says |
| `NEURONLINT_OUTPUT_FORMAT` | what `--output-format` says |
| `NEURONLINT_OUTPUT_FILE` | what `--output-file` says |
| `NEURONLINT_DEBUG` | `1` for what `--debug` says |
| `NO_COLOR`, `FORCE_COLOR` | colours never, or even where no terminal is; `--color` goes before |
| `FORCE_HYPERLINK` | codes lead to their pages even where no terminal is; `0` for never |
"""


def main() -> int:
    """Write the page or check it; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE} is out of date; run: python tools/configuration.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
