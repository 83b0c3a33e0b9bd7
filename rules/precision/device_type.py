"""The device type that the precision rules write, and what keeps a CPU as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from neuronlint import DEVICE, Edit, Fix, Known, Module, Placed


@dataclass(frozen=True)
class DeviceType:
    """The text of a device type, and a condition that is false on a CPU.

    The originals are off where CUDA is not; their portable forms are on for a CPU too. `asked`
    is empty where the code runs with an accelerator only, `certain` what makes it needless.
    """

    text: str
    asked: str
    certain: Known
    placed: Placed
    since: str

    @property
    def name(self) -> str:
        """How a message names it: a choice is told by what it chooses."""
        return f"{self.placed.name}.type" if self.placed.is_choice else self.text

    def fix(self, *edits: Edit, safe: bool = True, since: str = "") -> Fix:
        """A fix of these edits that needs the later one of two torch releases."""
        placed = replace(self.placed, since=self.since or self.placed.since)
        return placed.fix(*edits, safe=safe, since=since)


def device_type(at: cst.CSTNode, module: Module) -> DeviceType:
    """The device type at a place: of the name that holds the device, or of one bound for it."""
    torch, edits = module.use("torch", at)
    question, more = module.asked(at)
    known = module.guards.at(at)
    held = module.devices.held(at)
    placed = module.placement.text(at)
    placed = replace(placed, edits=(*placed.edits, *edits, *more))
    if held is None or held.text == DEVICE:
        certain = Known.AVAILABLE | Known.DEVICE | Known.ACCELERATOR
        asked = "" if known & certain else f"{question}()"
        return DeviceType(placed.text, asked, certain, placed, module.asked_since)
    # A text may carry a number, and the user may have chosen the CPU where an accelerator is.
    text = f"{torch}.device({held.text}).type" if held.is_text else placed.text
    asked = "" if known & Known.DEVICE else f'{text} != "cpu"'
    return DeviceType(text, asked, Known.DEVICE, placed, "")
