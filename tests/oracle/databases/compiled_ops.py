"""PyTorch's op database through `torch.compile`: compiled calls beside eager ones, bit for bit.

    cd tests/oracle && python -m databases.compiled_ops [part of a name]

prints how many samples are compiled, how many run eagerly and for which reason, and which differ. LAMINA_BACKEND=NAME chooses the backend.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from itertools import islice
from typing import Any

from databases import op_database
from torch.utils._pytree import tree_flatten, tree_unflatten

import lamina
from lamina_tensor.compiling.function import CompiledFunction

__all__ = ["arguments", "check", "outcome", "same", "tensors"]

_CALLS = 5  # one eager, two recorded, two repeated


def arguments(sample: Any) -> tuple[list[Any], Any]:
    """A sample's arguments, flat, and the tree that they are of."""
    flat, tree = tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
    ours = [op_database.to_lamina(x) for x in flat]
    for x, theirs in zip(ours, flat, strict=True):
        if isinstance(x, lamina.Tensor):
            x.requires_grad_(theirs.requires_grad)
    return ours, tree


def _copied(x: Any) -> Any:
    if not isinstance(x, lamina.Tensor):
        return x
    copy = lamina.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x.detach()) if x.numel() else x.detach().clone()
    return copy.requires_grad_(x.requires_grad)


def tensors(tree: Any) -> list[Any]:
    if isinstance(tree, lamina.Tensor):
        return [tree]
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, (list, tuple)) else ()
    return [x for part in parts for x in tensors(part)]


def outcome(function: Any, flat: list[Any], tree: Any) -> tuple[Any, ...]:
    """Results, gradients and the state of the generator of one call."""
    lamina.manual_seed(1)
    given = [_copied(x) for x in flat]
    args, kwargs = tree_unflatten(given, tree)
    result = function(*args, **kwargs)
    outputs = [x for x in tensors(result) if x.requires_grad]
    leaves = [x for x in given if isinstance(x, lamina.Tensor) and x.requires_grad]
    gradients: Any = None
    if outputs and leaves:
        seeds = [lamina.linspace(-1, 1, x.numel()).reshape(x.shape).to(x.dtype) for x in outputs]
        gradients = lamina.autograd.grad(outputs, leaves, seeds, allow_unused=True)
    return result, gradients, lamina.get_rng_state()


def same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    if not isinstance(a, lamina.Tensor):
        return bool(a == b or a != a)
    if a.layout is not lamina.strided:
        return same(a.to_dense(), b.to_dense())
    kinds = [(x.dtype, x.shape, x.stride(), x.requires_grad) for x in (a, b)]
    return kinds[0] == kinds[1] and a.detach().numpy().tobytes() == b.detach().numpy().tobytes()


def check(info: Any, dtype: str, most: int) -> Counter[str]:
    """Compare samples of an entry.

    Args:
        info: the entry.
        dtype: of which samples.
        most: how many of them.

    Returns:
        How many are compiled (""), and how many run eagerly, by reason.

    Raises:
        AssertionError: a compiled call gives something else than the eager one.
    """
    found: Counter[str] = Counter()
    function = op_database.counterpart(info)
    for sample in islice(op_database.samples(info, dtype), most):
        try:
            flat, tree = arguments(sample)
            expected = outcome(function, flat, tree)
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            continue  # that is what other tests are about
        compiled = CompiledFunction(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for call in range(_CALLS):
                observed = outcome(compiled, flat, tree)
                if info.name not in op_database.UNINITIALISED:
                    assert all(map(same, observed, expected)), f"call {call} of {op_database.shown(info, sample)} differs"
        told = compiled.explain()[-1:]
        found[(told[0].trouble or "").rpartition(": ")[2] if told else "not tried"] += 1
    return found


if __name__ == "__main__":
    only, total = (sys.argv[1:] or [""])[0], Counter[str]()
    for name, entry, kind in op_database.served(only, ("float32", "int64")):
        try:
            total += check(entry, kind, 6)
        except AssertionError as error:
            print(name, kind, error)
    print(*(f"{count} {reason or 'compiled'}" for reason, count in total.most_common()), sep="\n")
