"""PyTorch's own op database, asked for derivatives and for mapping: run it for the score of each tier.

Per entry and kind: `gradients`, results and first gradients beside PyTorch's; `second`, gradients of gradients beside
PyTorch's; `forward`, <u, J v> = <J^T u, v>; `vmap`, a mapped function beside calls one by one.
"""

from __future__ import annotations

import random
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import torch
from databases import op_database
from databases.op_database import Difference, to_lamina, to_torch
from seeds import seed_torch
from torch.utils._pytree import tree_flatten, tree_unflatten

import lamina

__all__ = ["KINDS", "Call", "calls", "cases", "check", "check_history", "differentiable", "dtypes", "entries", "known", "score"]

DTYPES = {"float64": None, "float32": 4, "complex64": 4, "complex128": None}
"""Where gradients are asked -> how many samples: the precise dtypes with all, the others with the first few."""

FEW = 6  # samples of all other kinds
_TOLERANCE = {"float32": 2e-3, "complex64": 2e-3, "float64": 1e-7, "complex128": 1e-7}


@cache
def known() -> dict[str, dict[str, str]]:
    """Entry -> kind -> why it differs."""
    found: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("known_differences.toml").read_text())["derivatives"]
    return found


@cache
def entries() -> dict[str, Any]:
    """NAME or NAME.VARIANT -> the entry of the database, for the names of tiers A to C that lamina has."""
    return {
        f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}": info
        for infos in op_database.database().values()
        for info in infos
        if op_database.exists(info.name)
    }


def differentiable() -> dict[str, Any]:
    """The entries that PyTorch differentiates."""
    return {name: info for name, info in entries().items() if info.supports_autograd}


def dtypes(info: Any, kind: str) -> list[str]:
    """In which dtypes an entry is asked: all that PyTorch differentiates, and the precise ones for all but first gradients."""
    if kind == "vmap":
        return [d for d in ("float64", "complex128", "int64", "bool") if op_database.serves(info, d)][:1]
    asked = DTYPES if kind == "gradients" else ("float64", "complex128")
    return [d for d in asked if op_database.serves(info, d) and getattr(torch, d) in info.backward_dtypes]


def cases() -> Iterator[tuple[str, str, str]]:
    """Every (entry, kind, dtype) that is asked."""
    for name, info in entries().items():
        for kind in KINDS:
            if (kind == "vmap" and info.name not in op_database.RANDOM | op_database.UNINITIALISED) or (
                kind != "vmap" and info.supports_autograd and (kind != "second" or info.supports_gradgrad)
            ):
                yield from ((name, kind, dtype) for dtype in dtypes(info, kind))


def _of_lamina(wrapper: FunctionType) -> FunctionType:
    """PyTorch's wrapper for its own checks of gradients, with lamina in the place of torch."""
    names = {**wrapper.__globals__, "torch": lamina}
    for name in wrapper.__code__.co_names:
        if name.startswith("gradcheck_wrapper"):
            names[name] = _of_lamina(names[name])
    made = FunctionType(wrapper.__code__, names, wrapper.__name__, wrapper.__defaults__, wrapper.__closure__)
    made.__kwdefaults__ = wrapper.__kwdefaults__
    return made


def _alone(x: torch.Tensor) -> torch.Tensor:
    """A tensor of the same strides, without what lies before it in its memory: NumPy, between the two, does not show that."""
    return x.detach().clone() if x.storage_offset() else x.detach()


def _tensors(tree: Any, kind: type) -> list[Any]:
    """All tensors in nested tuples and lists."""
    if isinstance(tree, (list, tuple)):
        return [x for part in tree for x in _tensors(part, kind)]
    return [tree] if isinstance(tree, kind) else []


class Call:
    """One sample of the database, as a function of some of its tensors, in PyTorch and in lamina.

    Attributes:
        leaves: the tensors that are differentiated.
        text: the call in words.
    """

    def __init__(self, info: Any, sample: Any, wrapped: bool = False) -> None:
        """`wrapped`: behind the entry's own wrapper, that holds a gradient to the inputs the op is meant for."""
        self._flat, self._form = tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
        self.differentiated = [i for i, x in enumerate(self._flat) if isinstance(x, torch.Tensor) and x.requires_grad]
        self.tensors = [i for i, x in enumerate(self._flat) if isinstance(x, torch.Tensor)]
        self.leaves = [_alone(self._flat[i]).requires_grad_() for i in self.differentiated]
        self.text = op_database.shown(info, sample)
        self._process = sample.output_process_fn_grad
        self._op, self._ours = info.op, op_database.counterpart(info)
        if wrapped:
            outer, inner = _of_lamina(info.gradcheck_wrapper), self._ours
            self._op = lambda *args, **params: info.gradcheck_wrapper(info.op, *args, **params)
            self._ours = lambda *args, **params: outer(inner, *args, **params)

    def item(self, place: int) -> torch.Tensor:
        """The argument at a place."""
        return _alone(self._flat[place])

    def tolerance(self, dtype: str) -> float:
        """How far off a derivative may be: as the least precise of its tensors asks for."""
        return max(_TOLERANCE[dtype], *(_TOLERANCE[str(x.dtype).removeprefix("torch.")] for x in self.leaves))

    def theirs(self, *given: Any, places: Sequence[int] | None = None) -> list[torch.Tensor]:
        """PyTorch's results, all tensors in them, with tensors in the places of the differentiated ones, or of others."""
        seed_torch()
        return self._results(self._op, [x.clone() if isinstance(x, torch.Tensor) else x for x in self._flat], given, places, torch.Tensor)

    def ours(self, *given: Any, places: Sequence[int] | None = None) -> list[Any]:
        """lamina's."""
        lamina.manual_seed(0)
        return self._results(self._ours, list(map(to_lamina, self._flat)), given, places, lamina.Tensor)

    def _results(self, op: Any, flat: list[Any], given: Any, places: Sequence[int] | None, kind: type) -> list[Any]:
        for place, x in zip(self.differentiated if places is None else places, given, strict=True):
            flat[place] = x
        args, params = tree_unflatten(flat, self._form)
        return _tensors(self._process(op(*args, **params)), kind)


def calls(info: Any, dtype: str, limit: int | None, *, wrapped: bool = False, grads: bool = True) -> Iterator[Call]:
    """An entry's first samples, or all, that have a tensor to differentiate or, without `grads`, any tensor."""
    random.seed(0)
    seed_torch()
    made = info.sample_inputs_func(info, "cpu", getattr(torch, dtype), grads)  # without the search for the name of PyTorch's test
    for sample in islice(made, limit):
        call = Call(info, sample, wrapped)
        if call.leaves or (not grads and call.tensors):
            yield call


def _random(like: Sequence[torch.Tensor], generator: torch.Generator) -> list[torch.Tensor]:
    return [torch.randn(x.shape, dtype=x.dtype, generator=generator) for x in like]


def _leaf(x: torch.Tensor) -> Any:
    """A tensor of lamina's to differentiate, over the same memory, so that it has the same strides."""
    return to_lamina(x).requires_grad_()


def _agree(call: Call, what: str, observed: Any, expected: torch.Tensor | None, tolerance: float, ignore_nan: bool = False) -> None:
    """That a derivative is PyTorch's, in shape and, beside the largest item, in value; none is as good as zeros. With
    `ignore_nan`, any number is right where PyTorch has none."""
    if observed is None and expected is None:
        return
    theirs = None if expected is None else expected.detach().resolve_conj().resolve_neg()
    ours = torch.zeros_like(theirs) if observed is None else to_torch(observed.detach())
    theirs = torch.zeros_like(ours) if theirs is None else theirs + torch.zeros(theirs.shape, dtype=theirs.dtype)  # never a ZeroTensor
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        raise Difference(f"{call.text}, {what}: {ours.dtype}{tuple(ours.shape)} instead of {theirs.dtype}{tuple(theirs.shape)}")
    if theirs.dtype is torch.bool:
        ours, theirs = ours.int(), theirs.int()
    if ignore_nan:
        theirs = torch.where(theirs.isnan() & ~ours.isnan(), ours, theirs)
    finite = theirs[theirs.isfinite()]
    size = max(1.0, float(finite.abs().max())) if finite.numel() else 1.0
    if not torch.allclose(ours, theirs, rtol=tolerance, atol=tolerance * size, equal_nan=True):
        raise Difference(f"{call.text}, {what}:\nobserved {ours}\nexpected {theirs}")


def _same_history(call: Call, observed: Sequence[Any], expected: Sequence[torch.Tensor]) -> None:
    """That what has a gradient in PyTorch has one, and nothing else."""
    ours, theirs = ([y.requires_grad for y in results] for results in (observed, expected))
    if len(ours) != len(theirs) or ours != theirs:
        raise Difference(f"{call.text}: results with history {ours} instead of {theirs}")


def check_history(info: Any) -> int:
    """Ask for results that can be differentiated, of a few samples in one dtype; how many were asked comes back.

    Raises:
        Difference: a result has a history in PyTorch, and none here.
    """
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in (c for dtype in dtypes(info, "gradients")[:1] for c in calls(info, dtype, FEW)):
            try:
                expected = call.theirs(*call.leaves)
            except Exception:
                continue
            _same_history(call, call.ours(*map(_leaf, call.leaves)), expected)
            count += 1
    return count


def _pulled(library: Any, outs: Any, leaves: Any, seeds: Any, again: bool) -> Any:
    """Gradients of the results that have a history."""
    reached = [(y, s) for y, s in zip(outs, seeds, strict=True) if y is not None and y.requires_grad]
    if not reached:
        return [None] * len(leaves)
    ys, given = zip(*reached, strict=True)
    return library.autograd.grad(list(ys), leaves, list(given), create_graph=again, allow_unused=True)


def _gradients(call: Call, dtype: str, second: bool = False) -> bool:
    """Results and gradients agree, and with `second` the gradients of these by the inputs and by what they are pulled back from."""
    generator = torch.Generator().manual_seed(0)
    try:
        expected = call.theirs(*call.leaves)
        if not any(y.requires_grad for y in expected):
            return False
        inexact = [y.is_floating_point() or y.is_complex() for y in expected]
        seeds = _random([y if ok else y.double() for y, ok in zip(expected, inexact, strict=True)], generator)
        moving = [s.requires_grad_() for s, ok in zip(seeds, inexact, strict=True) if second and ok]
        wanted = _pulled(torch, expected, call.leaves, seeds, second)
        turned = _random(call.leaves, generator)
        wanted_again = _pulled(torch, wanted, [*call.leaves, *moving], turned, False) if second else []
    except Exception:
        return False  # PyTorch itself has no such derivative
    leaves, own_seeds = list(map(_leaf, call.leaves)), [_leaf(s) if s.requires_grad else to_lamina(s) for s in seeds]
    observed = call.ours(*leaves)
    _same_history(call, observed, expected)
    tolerance = call.tolerance(dtype)
    for y, e in zip(observed, expected, strict=True):
        _agree(call, "result", y, e, tolerance)
    differentiated = [y if e.requires_grad else None for y, e in zip(observed, expected, strict=True)]
    found = _pulled(lamina, differentiated, leaves, own_seeds, second)
    for i, (g, e) in enumerate(zip(found, wanted, strict=True)):
        _agree(call, f"gradient {i}", g, e, tolerance)
    if second:
        moving = [s for s in own_seeds if s.requires_grad]
        again = _pulled(lamina, found, [*leaves, *moving], list(map(to_lamina, turned)), False)
        for i, (g, e) in enumerate(zip(again, wanted_again, strict=True)):
            _agree(call, f"second gradient {i}", g, e, tolerance * 10, ignore_nan=True)
    return True


def _second(call: Call, dtype: str) -> bool:
    return _gradients(call, dtype, second=True)


def _product(xs: Sequence[Any], ys: Sequence[Any]) -> float:
    """The real inner product of lists of tensors."""
    return float(sum(np.vdot(np.asarray(x.detach()), np.asarray(y.detach())).real for x, y in zip(xs, ys, strict=True)))


def _forward(call: Call, dtype: str) -> bool:
    """Forward mode is the transpose of reverse mode, which agrees with PyTorch."""
    generator = torch.Generator().manual_seed(0)
    try:
        expected = call.theirs(*call.leaves)
        places = [i for i, y in enumerate(expected) if y.requires_grad]
        seeds = _random([expected[i] for i in places], generator)
        if not places:
            return False
        pulled_there = _pulled(torch, [expected[i] for i in places], call.leaves, seeds, False)
    except Exception:
        return False
    leaves, v, u = (list(map(to_lamina, part)) for part in (call.leaves, _random(call.leaves, generator), seeds))

    def function(*given: Any) -> tuple[Any, ...]:
        results = call.ours(*given)
        return tuple(results[i] for i in places)

    if not all(g is None or g.isfinite().all() for g in pulled_there):
        return False  # no transposition there
    _, moved = lamina.func.jvp(function, tuple(leaves), tuple(v))
    _, pull = lamina.func.vjp(function, *leaves)
    pulled = pull(tuple(u))
    forward, backward = _product(u, moved), _product(pulled, v)
    size = max(1.0, *(float(np.abs(np.asarray(x.detach())).max(initial=0)) for x in (*moved, *pulled)))
    tolerance = call.tolerance(dtype)
    if not np.isclose(forward, backward, rtol=tolerance, atol=tolerance * size, equal_nan=True):
        raise Difference(f"{call.text}: <u, J v> is {forward}, <J^T u, v> is {backward}")
    return True


def _others(x: torch.Tensor) -> list[torch.Tensor]:
    """Other items in an argument's place: in another order, and, where the op wants the order, half of them."""
    turned = x.flip(-1) if x.ndim else x
    return [turned * 0.5, x * 0.5] if x.is_floating_point() or x.is_complex() else [turned, turned]


def _maps(call: Call, pairs: Sequence[Any], places: Sequence[int], at: int) -> bool:
    """Whether PyTorch can map the call: not where shapes or choices depend on values, nor where numbers are drawn."""
    stacked = [torch.stack(pair, at) for pair in pairs]
    try:
        torch.func.vmap(lambda *given: tuple(call.theirs(*given, places=places)), in_dims=at)(*stacked)
    except Exception:
        return False
    return True


def _vmap(call: Call, dtype: str) -> bool:
    """Mapped over all tensors, and over the first one alone, along its last dim."""
    compared = False
    for places, at in ((call.tensors, 0), (call.tensors[:1], -1)):
        for choice in (0, 1):
            pairs = [(call.item(i), _others(call.item(i))[choice]) for i in places]
            try:
                expected = [call.theirs(*slices, places=places) for slices in zip(*pairs, strict=True)]
                break
            except Exception:
                continue
        else:
            continue
        if not expected[0] or [y.shape for y in expected[0]] != [y.shape for y in expected[1]]:
            continue
        stacked = [to_lamina(torch.stack(pair, at)) for pair in pairs]
        alone = [call.ours(*map(to_lamina, slices), places=places) for slices in zip(*pairs, strict=True)]
        try:
            found = lamina.func.vmap(lambda *given: tuple(call.ours(*given, places=places)), in_dims=at)(*stacked)  # noqa: B023
        except Exception:
            if _maps(call, pairs, places, at):
                raise
            continue
        for k, y in enumerate(found):
            _agree(call, f"result {k} mapped over dim {at}", y, torch.stack([to_torch(a[k]) for a in alone]), 1e-6)
        compared = True
    return compared


KINDS: dict[str, Callable[[Call, str], bool]] = {"gradients": _gradients, "second": _second, "forward": _forward, "vmap": _vmap}


def check(name: str, kind: str, dtype: str) -> int:
    """Ask an entry for one kind in one dtype; how many samples were compared comes back.

    Raises:
        Difference: lamina's answer is not PyTorch's, or lamina raised.
    """
    info, count = entries()[name], 0
    limit = DTYPES[dtype] if kind != "vmap" else FEW
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for call in calls(info, dtype, limit, wrapped=kind != "gradients" and kind != "vmap", grads=kind != "vmap"):
            try:
                count += KINDS[kind](call, dtype)
            except Difference:
                raise
            except Exception as error:
                raise Difference(f"{call.text} raised {type(error).__name__}: {error}") from error
    return count


def score(only: str = "") -> tuple[dict[str, Counter[str]], dict[str, Counter[str]], list[str]]:
    """Per tier, how many entries were asked of each kind and how many agree in all dtypes; and what differs."""
    agreed: dict[str, Counter[str]] = {tier: Counter() for tier in "ABC"}
    asked: dict[str, Counter[str]] = {tier: Counter() for tier in "ABC"}
    failures, results = [], {}
    for name, kind, dtype in cases():
        if only not in name and only not in kind:
            continue
        try:
            compared = check(name, kind, dtype) > 0
        except Difference as error:
            results[name, kind] = False
            failures.append(f"{op_database.tier(entries()[name])} {kind} {name} {dtype}: {' '.join(str(error).split())[:240]}")
        else:
            if compared:
                results.setdefault((name, kind), True)
    for (name, kind), good in results.items():
        tier = op_database.tier(entries()[name])
        asked[tier][kind] += 1
        agreed[tier][kind] += good
    return agreed, asked, sorted(failures)


if __name__ == "__main__":
    agreed, asked, failures = score(*sys.argv[1:])
    print("tier | " + " | ".join(KINDS))
    for tier in "ABC":
        print(f"   {tier} | " + " | ".join(f"{agreed[tier][k]}/{asked[tier][k]}" for k in KINDS))
    print(*failures, sep="\n")
