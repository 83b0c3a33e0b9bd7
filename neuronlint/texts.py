"""Text that somebody else holds, as the bytes of a file."""

from __future__ import annotations

import io
import tokenize


def encoded(text: str) -> bytes:
    """The bytes of a file with this text, a question mark for what its encoding cannot hold."""
    raw = text.encode(errors="replace")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return raw if encoding.startswith("utf-8") else text.encode(encoding, errors="replace")
    except (
        SyntaxError,
        LookupError,
        UnicodeError,
    ):  # whoever reads it says what is wrong
        return raw
