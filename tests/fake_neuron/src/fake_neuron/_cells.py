"""LSTM and GRU cells: torch sends PrivateUse1 to fused ones, which have no CPU kernel."""

from __future__ import annotations

import torch
from torch import Tensor

_LIBRARY = torch.library.Library("aten", "IMPL")


def _lstm(
    input_gates: Tensor,
    hidden_gates: Tensor,
    cx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The hidden state, the cell state and the workspace, differentiably."""
    gates = input_gates + hidden_gates
    for bias in (input_bias, hidden_bias):
        gates = gates if bias is None else gates + bias
    i, f, c, o = gates.chunk(4, 1)
    cy = f.sigmoid() * cx + i.sigmoid() * c.tanh()
    return o.sigmoid() * cy.tanh(), cy, gates


def _gru(
    input_gates: Tensor,
    hidden_gates: Tensor,
    hx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The hidden state and the workspace, differentiably."""
    a = input_gates if input_bias is None else input_gates + input_bias
    b = hidden_gates if hidden_bias is None else hidden_gates + hidden_bias
    ar, ai, an = a.chunk(3, 1)
    br, bi, bn = b.chunk(3, 1)
    r, i = (ar + br).sigmoid(), (ai + bi).sigmoid()
    n = (an + r * bn).tanh()
    return n + i * (hx - n), a


def register() -> None:
    """Put the cells in the place of the fused ones."""
    for key in ("AutogradPrivateUse1", "PrivateUse1"):
        _LIBRARY.impl("_thnn_fused_lstm_cell", _lstm, key)
        _LIBRARY.impl("_thnn_fused_gru_cell", _gru, key)
