"""The command `server`: neuronlint for editors that speak the language server protocol."""

from __future__ import annotations

from collections.abc import Sequence

from neuronlint.projects import Projects
from neuronlint.user_error import UserError

_NEEDED = ("pygls", "lsprotocol", "attrs", "cattrs")


def run(words: Sequence[str], isolated: bool) -> int:
    """Serve until the editor is done; the exit status. Raises UserError where pygls is missing.

    `words` are what --config was given.
    """
    try:
        from neuronlint.server import features
    except ImportError as error:  # an old pygls has no pygls.lsp
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise UserError(
            "the language server needs pygls 2: pip install 'neuronlint[server]'"
        ) from None
    Projects.asked(words, isolated)  # what is wrong with them is told before the editor waits
    return features.serve(lambda: Projects.asked(words, isolated))
