"""Text that somebody else holds, as the bytes of a file, and names on one line."""

from __future__ import annotations

import io
import tokenize


def encoded(text: str) -> bytes:
    """The bytes of a file with this text, a question mark for what its encoding cannot hold."""
    raw = text.encode(errors="replace")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return raw if encoding.startswith("utf-8") else text.encode(encoding, errors="replace")
    except (SyntaxError, LookupError, UnicodeError):  # whoever reads it says what is wrong
        return raw


def on_one_line(text: str) -> str:
    """The text with every character that is not printed written out, such as the end of a line."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
