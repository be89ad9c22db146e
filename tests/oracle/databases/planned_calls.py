"""PyTorch's op database by call plans: calls that are repeated beside calls that are not, bit for bit, and of other items.

    cd tests/oracle && python -m databases.planned_calls [part of a name]

prints which calls differ, and how many samples were compared. LAMINA_BACKEND=NAME chooses the backend.
"""

from __future__ import annotations

import sys
import warnings
from itertools import islice
from typing import Any

from databases import op_database
from databases.compiled_ops import arguments, outcome, same, tensors

import lamina
from lamina_compiled import forget_plans, plan_calls_after

__all__ = ["check"]

_NEVER = 1 << 30


def _turned(x: Any) -> Any:
    """A tensor of the same layout, whose items are others of its own."""
    if not isinstance(x, lamina.Tensor) or x.numel() < 2:
        return x
    turned = lamina.empty_strided(x.shape, x.stride(), dtype=x.dtype)
    return turned.copy_(x.detach().flatten().roll(1).reshape(x.shape)).requires_grad_(x.requires_grad)


def _told(function: Any, flat: list[Any], tree: Any) -> Any:
    """What a call gives and draws, its gradients, and what is known of its results; None where it refuses."""
    try:
        result, gradients, drawn = outcome(function, flat, tree)
    except (RuntimeError, TypeError, ValueError, NotImplementedError):  # that is what other tests are about
        return None
    plain = [x for x in tensors(result) if x.layout is lamina.strided]
    known = [(x._version, x.is_leaf, x._is_view(), x.output_nr, type(x.grad_fn).__name__) for x in plain]
    return result, gradients, drawn, known


def check(info: Any, dtype: str, most: int) -> int:
    """Compare samples of an entry.

    Args:
        info: the entry.
        dtype: of which samples.
        most: how many of them.

    Returns:
        How many samples were compared.

    Raises:
        AssertionError: a repeated call gives something else than one that is not.
    """
    function, compared = op_database.counterpart(info), 0
    for sample in islice(op_database.samples(info, dtype), most):
        try:
            flat, tree = arguments(sample)
            turned = [_turned(x) for x in flat]
        except RuntimeError:  # of a layout that is refused
            continue
        before = plan_calls_after(_NEVER)
        try:
            expected, of_others = _told(function, flat, tree), _told(function, turned, tree)
            forget_plans()
            plan_calls_after(1)
            for items, wanted in ((flat, expected), (flat, expected), (flat, expected), (turned, of_others), (flat, expected)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    observed = _told(function, items, tree)
                if info.name not in op_database.UNINITIALISED:
                    assert same(observed, wanted), f"{op_database.shown(info, sample)} is repeated with something else"
        finally:
            plan_calls_after(before)
        compared += expected is not None
    return compared


if __name__ == "__main__":
    only, total = (sys.argv[1:] or [""])[0], 0
    for name, entry, kind in op_database.served(only, ("float32", "int64")):
        try:
            total += check(entry, kind, 6)
        except AssertionError as error:
            print(name, kind, error)
    print(total, "samples are repeated alike")
