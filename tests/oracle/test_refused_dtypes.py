"""What PyTorch refuses to compute of some dtypes, lamina refuses as well: with an error of the same kind."""

from __future__ import annotations

from typing import Any

import pytest
import torch as oracle

import lamina

BOOLEANS = """
t.tensor([True]) - t.tensor([1.0])
t.tensor([1.0]) - True
t.tensor([1.0]) - t.tensor(True)
t.tensor([True]) - 1
1 - t.tensor([True])
True - t.tensor([1.0])
t.rsub(t.tensor([True]), 1)
t.rsub(t.tensor([True]), 1, alpha=2)
t.tensor([1.0]).sub_(t.tensor([True]))
t.tensor([1.0]).sub_(t.tensor([True]), alpha=2)
t.tensor([1.0]).sub_(True)
t.subtract(t.tensor([True]), 2.0)
t.tensor([1]).sub(True, alpha=2)
+t.tensor([True])
t.positive(t.tensor([True]))
-t.tensor([True])
t.relu(t.tensor([True]))
t.tensor([True]).relu_()
t.round(t.tensor([True]))
t.trunc(t.tensor([True]))
t.tensor([True]).trunc_()
t.ceil(t.tensor([True]))
t.floor(t.tensor([True]))
t.fmod(t.tensor([True]), t.tensor([True]))
t.remainder(t.tensor([True]), t.tensor([True]))
t.floor_divide(t.tensor([True]), t.tensor([True]))
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def error(torch: Any, expression: str) -> Exception | None:
    try:
        eval(expression, {"t": torch})
    except Exception as refusal:
        return refusal
    return None


@pytest.mark.parametrize("expression", lines(BOOLEANS))
def test_refused(expression: str) -> None:
    expected = error(oracle, expression)
    assert expected is not None, "PyTorch computes it: the line belongs elsewhere"
    assert isinstance(error(lamina, expression), type(expected))
