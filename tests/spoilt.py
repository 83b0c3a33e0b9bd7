"""Modules made at random in which some bytes are others than they should be."""

from random import Random

import generated

COOKIES = (
    *(b"utf-8", b"latin-1", b"cp1252", b"gbk", b"utf-7", b"utf-16", b"cp037", b"shift_jis"),
    *(b"unicode_escape", b"raw_unicode_escape", b"rot13", b"idna", b"utf_8_sig", b"nonsense", b""),
)
PIECES = (
    *(b"\0", b"\r", b"\r\n", b"\n", b"\x0c", b"\t", b"\x0b", b"\x1a", b"\x1b[2J", b"\\\n"),
    *(b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff", b"\xc3", "é".encode(), "\u2028".encode()),
    *(b"'", b'"', b"'''", b'"""', b"(", b")", b"[", b"]", b"{", b"}", b"{{", b":", b";", b"#"),
    *(b"f'{x.cuda()}'", b"rb'", b"t'{", b"lambda: ", b"await ", b":=", b"@", b"**", b"=", b","),
    *(b"match x:\n case ", b"async ", b"if 1: ", b"else: ", b"  ", b"import torch\n", b"type X = "),
    *(b"x.cuda()", b"'cuda:0'", b"torch.cuda.synchronize()", b"device='cuda'", b"# noqa", b"*"),
    *(b"# neuronlint: ignore[NL101]\n", b"global DEVICE\n", b"del torch\n", b"\xe2\x80\xae", b"\\"),
)
ENDS = ((b"\n", b"\r\n"), (b"\n", b"\r"), (b" ", b"\t"), (b"'", b'"'))
LONG = (b"(", b"[", b"-", b"not ", b"x.", b"f'{", b"{1: ", b"lambda: ", b"a + ", b"if 1: ", b"\n ")


def module(random: Random) -> bytes:
    """A module with up to eight faults; most of them are Python no more."""
    source = generated.module(random)
    for _ in range(random.randint(0, 8)):
        source = _spoilt(source, random)
    return source


def _spoilt(source: bytes, random: Random) -> bytes:
    start = random.randint(0, len(source))
    end = min(len(source), start + random.choice((0, 1, 2, 10, 100)))
    match random.randrange(8):
        case 0:
            return source[:start] + source[end:]
        case 1:
            return source[:end] + source[start:]
        case 2:
            return source[:start] + bytes([random.randrange(256)]) + source[start + 1 :]
        case 3:
            return b"# coding: " + random.choice(COOKIES) + random.choice((b"\n", b"\r")) + source
        case 4:
            return (
                source[:start] + random.choice(LONG) * random.choice((3, 30, 900)) + source[start:]
            )
        case 5:
            old, new = random.choice(
                ((b"\n", b"\r\n"), (b"\n", b"\r"), (b" ", b"\t"), (b"'", b'"'))
            )
            return source[:start] + source[start:end].replace(old, new) + source[end:]
        case _:
            return source[:start] + random.choice(PIECES) + source[end:]
