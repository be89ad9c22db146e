"""A Function's own rule for `vmap`: called with whole stacks in the place of batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lamina_ndarray.batching import Level, innermost, levels_of
from lamina_ndarray.layouts.broadcast import normalize_axis

from ...tensor_fields import AnyTensor
from ..trees import flattened, rebuilt
from .batches import entered, left

__all__ = ["VmapInfo", "mapped_call"]


class VmapInfo(NamedTuple):
    """What a rule is told of the mapping: how many slices, and what random ops do."""

    batch_size: int
    randomness: str


def mapped_call(rule: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any] | None:
    """What `rule(info, in_dims, *args)` gives, as batches of the innermost level, in a tuple; None where no argument is one.

    Raises:
        ValueError: the rule does not return its outputs and their dims.
    """
    level = innermost()
    if level is None or not any(_is_batch(x, level) for x in flattened(args)):
        return None
    leaves = flattened(args)
    dims = tuple(rebuilt(args, [0 if _is_batch(x, level) else None for x in leaves]))
    stacks = rebuilt(args, [left(x, 0, level) if _is_batch(x, level) else x for x in leaves])
    answer = rule(VmapInfo(level.length, level.randomness), dims, *stacks)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise ValueError(f"vmap rule: a tuple (outputs, out_dims) wanted, got {type(answer).__name__}")
    output, out_dims = answer
    outs = out_dims if isinstance(output, tuple) else (out_dims,)
    results = output if isinstance(output, tuple) else (output,)
    if isinstance(outs, int) or outs is None:
        outs = (outs,) * len(results)
    batches = [
        x if d is None else entered(x, normalize_axis(d, x.array.layout.ndim, "vmap rule"), level)
        for x, d in zip(results, outs, strict=True)
    ]
    return (tuple(batches) if isinstance(output, tuple) else batches[0],)


def _is_batch(x: Any, level: Level) -> bool:
    return isinstance(x, AnyTensor) and level in levels_of(x.array.flat.kernels)
