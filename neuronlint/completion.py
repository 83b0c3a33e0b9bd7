"""What makes a shell complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete


class _Bash(BashComplete):
    """Bash, with files beside commands, and options that are written with `=`.

    Click's own script forgets all words as soon as there may be a file as well.
    """

    source_template = r"""%(complete_func)s() {
    local type value word words=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
        [[ $word == = ]] || words+=("$word")
    done
    word=${COMP_WORDS[COMP_CWORD]#[=\"\']}
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            plain) COMPREPLY+=("$value") ;;
            dir | file)
                compopt -o filenames
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -${type:0:1} -- "$word")
                ;;
        esac
    done < <(COMP_WORDS="${words[*]@Q} ${word@Q}" COMP_CWORD=${#words[@]} \
        %(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


SHELLS = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}


def source(shell: str, command: click.Command) -> str:
    """The code that a shell is to run at its start."""
    return SHELLS[shell](command, {}, "neuronlint", "_NEURONLINT_COMPLETE").source()


def codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes of rules that begin like this, else their names."""
    from neuronlint import own, registry

    rules = [*own.RULES, *registry.installed()]
    found = [CompletionItem(rule.code, help=rule.name) for rule in rules]
    found += [CompletionItem(rule.name, help=rule.code) for rule in rules if incomplete]
    return [each for each in found if each.value.lower().startswith(incomplete.lower())]


def keys(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The keys of a configuration that begin like this."""
    from neuronlint.keys import KEYS

    return [CompletionItem(name) for name in KEYS if name.startswith(incomplete)]
