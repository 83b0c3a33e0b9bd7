"""What a record must not hide: all that a run hangs on, seldom as it may change."""

import os
import time
from pathlib import Path

import pytest
from shell import Shell

from neuronlint import there

CONCISE = ("--output-format", "concise", "package")


def _is_seen(shell: Shell, *args: str) -> bool:
    """Whether a run that was known before is not any more; it says what the long way says."""
    return not shell.is_quick(*args)


def _known(shell: Shell, *args: str) -> None:
    """Make a run known."""
    time.sleep(0.1)
    assert not shell.is_quick(*args)
    assert shell.is_quick(*args)


def test_another_file_of_the_same_moment_and_size_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "one").touch()
    row = [*os.stat(tmp_path / "one")]
    others = [os.stat_result([row[0], row[1] + more, *row[2:]]) for more in (0, 1)]
    assert there.sign_of(others[0]) != there.sign_of(others[1])


@pytest.mark.parametrize(
    ("sign", "settled"),
    [
        (None, True),
        ([], True),
        ([7_900_000_000, 7_900_000_001, 1, 1], True),
        ([7_900_000_000, 7_980_000_001, 1, 1], False),
        ([7_980_000_001, 1_900_000_001, 1, 1], False),  # Windows: when it was made comes second
        ([7_000_000_000, 7_000_000_000, 1, 1], False),  # a clock that counts seconds
        ([5_000_000_000, 5_000_000_000, 1, 1], True),
    ],
)
def test_what_changed_just_now_may_change_without_a_sign(sign: there.Sign, settled: bool) -> None:
    assert there.is_settled(sign, 8_000_000_000) == settled


def test_a_device_is_never_as_it_was() -> None:
    assert not there.is_settled(there.sign(os.devnull), time.time_ns())
