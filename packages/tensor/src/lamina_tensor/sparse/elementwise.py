"""Functions item by item that leave zero at zero: they look at the stored values only, of coalesced tensors."""

from __future__ import annotations

from typing import Any, Final

import lamina_tensor as functions

from .kinds import coalesce
from .sparse_tensor import SparseTensor, sparse_rule
from .stored_items import refused

KEEP_ZERO: Final = (
    "abs", "absolute", "arcsin", "arcsinh", "arctan", "arctanh", "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf",
    "erfinv", "expm1", "floor", "frac", "isinf", "isnan", "isneginf", "isposinf", "log1p", "rad2deg", "relu", "round", "sgn", "sign",
    "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
)  # fmt: skip


def _serve(name: str) -> None:
    function = getattr(functions, name, None)

    @sparse_rule(name)
    def rule(input: SparseTensor, *args: Any, **kwargs: Any) -> SparseTensor:
        whole = coalesce(input)
        values = (function or getattr(type(whole.entries), name))(whole.entries, *args, **kwargs)
        return whole.like(values)


for _name in KEEP_ZERO:
    _serve(_name)


@sparse_rule("neg", "negative", "__neg__")
def _neg(input: SparseTensor) -> SparseTensor:
    return input.like(-input.entries)


@sparse_rule("pow", "__pow__")
def _pow(input: Any, exponent: Any) -> SparseTensor:
    if not isinstance(input, SparseTensor) or not isinstance(exponent, (int, float)) or exponent <= 0:
        refused("pow")
    whole = coalesce(input)
    return whole.like(whole.entries**exponent)
