"""PyTorch's module database, asked of lamina.nn: run it for the score.

Per module, dtype and mode: built after `manual_seed` it has PyTorch's weights; with PyTorch's state it gives PyTorch's
results, gradients of inputs and parameters, and buffers; its repr and the keys of its state are PyTorch's; and bad inputs are
refused with errors of the same type. What the database leaves out is asked with the cases of `MORE`. Nothing is left out of
the database: what it says of skipped and failing tests is of other devices and of other tests than these.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from databases.op_database import Difference, to_lamina, to_torch
from seeds import seed_torch
from torch.testing._internal.common_modules import ModuleErrorEnum, module_db
from torch.utils._pytree import tree_leaves, tree_map

import lamina

__all__ = ["DTYPES", "Case", "cases", "check", "check_errors", "missing", "names", "ours", "score"]

DTYPES = ("float32", "float64")
_EXACT = (0.0, 0.0)
_TOLERANCE = {"float32": (2e-4, 5e-5), "float64": (1e-7, 1e-9)}
_MAGNIFIED = {("CTCLoss", "float32"): (2e-4, 5e-4)}
"""Logarithms of up to 216 are summed in 50 steps, which rounds off sqrt(50) 216 u = 9e-5 if errors walk at random."""


class Case(NamedTuple):
    """One way to build a module and to call it."""

    made: tuple[tuple[Any, ...], dict[str, Any]]
    given: tuple[tuple[Any, ...], dict[str, Any]]


def _x(*shape: int, low: float = -2.0, high: float = 2.0) -> Any:
    """What makes a random tensor that wants gradients."""
    return lambda dtype: torch.empty(shape, dtype=dtype).uniform_(low, high).requires_grad_()


MORE: dict[str, list[tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]]] = {
    "Identity": [((3, "anything"), {"unused": 1}, (_x(2, 3),))],
    "Flatten": [((), {}, (_x(2, 3, 4),)), ((0, 1), {}, (_x(2, 3, 4),))],
    "Unflatten": [((1, (2, 3)), {}, (_x(2, 6, 4),)), ((-1, [2, -1]), {}, (_x(2, 6),))],
    "Hardsigmoid": [((), {}, (_x(4, 30, low=-5, high=5),))],
    "RReLU": [((), {}, (_x(4, 5),)), ((0.3, 0.4), {}, (_x(4, 5),))],
    "Dropout": [((), {}, (_x(5, 7),)), ((0.2,), {}, (_x(40, 3),)), ((1.0,), {}, (_x(4, 3),)), ((0.0,), {}, (_x(4, 3),))],
    "Dropout1d": [((), {}, (_x(5, 7, 3),)), ((0.2,), {}, (_x(40, 3),))],
    "Dropout2d": [((), {}, (_x(5, 7, 3, 2),)), ((0.2,), {}, (_x(4, 30, 2),))],
    "Dropout3d": [((), {}, (_x(5, 7, 3, 2, 2),)), ((0.2,), {}, (_x(40, 3, 2, 2),))],
    "AlphaDropout": [((), {}, (_x(5, 7),)), ((0.2,), {}, (_x(40, 3),))],
    "FeatureAlphaDropout": [((), {}, (_x(5, 7, 3, 2),)), ((0.2,), {}, (_x(40, 3, 2),))],
    "CosineSimilarity": [((), {}, (_x(5, 7), _x(5, 7))), ((0, 1e-3), {}, (_x(5, 7), _x(5, 7)))],
    "PairwiseDistance": [((), {}, (_x(5, 7), _x(5, 7))), ((1.0, 1e-3, True), {}, (_x(5, 7), _x(7)))],
    "TripletMarginLoss": [((), {}, (_x(5, 7), _x(5, 7), _x(5, 7))),
                          ((2.0, 1.0), {"swap": True, "reduction": "none"}, (_x(5, 7), _x(5, 7), _x(5, 7)))],
    "TripletMarginWithDistanceLoss": [((), {"swap": True}, (_x(5, 7), _x(5, 7), _x(5, 7)))],
    "CosineEmbeddingLoss": [((0.1,), {}, (_x(5, 7), _x(5, 7), lambda dtype: torch.tensor([1, -1, 1, -1, 1])))],
    "BatchNorm2d": [((3, 1e-3, None), {}, (_x(4, 3, 2, 2),)), ((3,), {"track_running_stats": False}, (_x(4, 3, 2, 2),)),
                    ((3,), {"bias": False}, (_x(4, 3, 2, 2),))],
    "LayerNorm": [(((3, 2),), {"bias": False}, (_x(4, 3, 2),)), ((2,), {"elementwise_affine": False}, (_x(4, 2),))],
    "RMSNorm": [((2,), {"elementwise_affine": False, "eps": 0.1}, (_x(4, 2),))],
    "AdaptiveLogSoftmaxWithLoss": [
        ((8, 20, [4, 10]), {}, (_x(6, 8), lambda dtype: torch.tensor([0, 19, 5, 3, 11, 9]))),
        ((8, 20, (4, 10, 15)), {"div_value": 2.0, "head_bias": True}, (_x(3, 8), lambda dtype: torch.tensor([1, 2, 12]))),
        ((8, 20, [4]), {}, (_x(8), lambda dtype: torch.tensor(7))),
    ],
    "LazyLinear": [((4,), {}, (_x(2, 3),)), ((4, False), {}, (_x(2, 3),))],
    "LazyBatchNorm1d": [((), {}, (_x(5, 3),)), ((1e-3, 0.2, False), {}, (_x(5, 3, 2),))],
    "LazyBatchNorm2d": [((), {}, (_x(5, 3, 2, 2),))],
    "LazyBatchNorm3d": [((), {}, (_x(5, 3, 2, 2, 2),))],
    "LazyInstanceNorm1d": [((), {}, (_x(5, 3, 2),))],
    "LazyInstanceNorm2d": [((), {}, (_x(5, 3, 2, 2),))],
    "LazyInstanceNorm3d": [((), {}, (_x(5, 3, 2, 2, 2),))],
    "Softplus": [((2.0, 3.0), {}, (_x(40),))],
    "GELU": [(("tanh",), {}, (_x(40),))],
}  # fmt: skip
"""Name -> cases that the database lacks: arguments of the class, and what makes those of forward from a dtype."""

IN_PLACE = {"ReLU", "ReLU6", "ELU", "SELU", "CELU", "SiLU", "Mish", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "Dropout2d"}
"""What is asked to write into its input, too."""


@cache
def database() -> dict[str, Any]:
    """Name -> its entry."""
    return {info.module_cls.__name__: info for info in module_db}


def names() -> list[str]:
    """Every module that is asked."""
    return sorted({*database(), *MORE, *IN_PLACE})


MANY: Final = 150
"""Of how many inputs each is taken; of more, which differ in one setting after another, so many evenly."""


def missing() -> list[str]:
    """PyTorch's modules that lamina has not."""
    kinds = {n: getattr(torch.nn, n) for n in torch.nn.modules.__all__}
    return [n for n, kind in kinds.items() if issubclass(kind, torch.nn.Module) and not hasattr(lamina.nn, n)]


def cases(name: str, dtype: str, training: bool) -> Iterator[Case]:
    """The ways to build and call a module."""
    kind = getattr(torch, dtype)
    seed_torch()
    if name in database():
        info = database()[name]
        samples = list(info.module_inputs_func(info, device="cpu", dtype=kind, requires_grad=True, training=training))
        for sample in samples[:: -(-len(samples) // MANY)]:
            made, given = sample.constructor_input, sample.forward_input
            yield Case((made.args, made.kwargs), (given.args, given.kwargs))
    for args, params, inputs in MORE.get(name, ()):
        yield Case((args, params), (tuple(make(kind) for make in inputs), {}))
    if name in IN_PLACE:
        yield Case(((), {"inplace": True}), ((torch.randn(5, 6, dtype=kind),), {}))


def ours(value: Any) -> Any:
    """An argument for PyTorch as one for lamina, that wants gradients where it does; also a function or a layer."""
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return lamina.nn.utils.rnn.PackedSequence(*map(ours, value))
    if isinstance(value, (torch.nn.TransformerEncoderLayer, torch.nn.TransformerDecoderLayer)):
        return _our_layer(value)
    if isinstance(value, torch.Tensor):
        made = to_lamina(value.detach().clone())
        return made.requires_grad_() if value.requires_grad else made
    if type(value) in (list, tuple):
        return type(value)(map(ours, value))
    if isinstance(value, dict):
        return {k: ours(v) for k, v in value.items()}
    if callable(value) and hasattr(lamina.nn.functional, getattr(value, "__name__", "")):
        return getattr(lamina.nn.functional, value.__name__)
    return to_lamina(value)


def _our_layer(layer: Any) -> Any:
    """A Transformer layer of PyTorch's as one of lamina's, with the same weights."""
    attention = layer.self_attn
    made = getattr(lamina.nn, type(layer).__name__)(
        attention.embed_dim, attention.num_heads, layer.linear1.out_features, layer.dropout.p,
        layer.activation.__name__, layer.norm1.eps, attention.batch_first, layer.norm_first, layer.linear1.bias is not None,
        dtype=ours(layer.linear1.weight.dtype),
    )  # fmt: skip
    made.load_state_dict(ours(layer.state_dict()))
    return made


def _theirs(value: Any) -> Any:
    """A copy, so that no call sees what another one wrote."""
    return tree_map(lambda v: v.detach().clone().requires_grad_(v.requires_grad) if isinstance(v, torch.Tensor) else v, value)


def _same(what: str, ours: Any, theirs: Any, tolerance: tuple[float, float]) -> None:
    if theirs is None or ours is None:
        if (theirs is None) != (ours is None):
            raise Difference(f"{what}: {ours} instead of {theirs}")
        return
    found = to_torch(ours.detach() if isinstance(ours, lamina.Tensor) else ours)
    if not isinstance(found, torch.Tensor) or found.dtype is not theirs.dtype or found.shape != theirs.shape:
        raise Difference(f"{what}: {getattr(found, 'dtype', found)} {getattr(found, 'shape', '')} instead of {theirs.dtype} {theirs.shape}")
    rtol, atol = tolerance
    try:
        torch.testing.assert_close(found, theirs.detach(), rtol=rtol, atol=atol, equal_nan=True)
    except AssertionError as error:
        raise Difference(f"{what}: {error}") from None


def _text(module: Any) -> str:
    return repr(module).replace("lamina.", "torch.")


def _states(ours: Any, theirs: Any, tolerance: tuple[float, float]) -> None:
    mine, wanted = ours.state_dict(), theirs.state_dict()
    if list(mine) != list(wanted):
        raise Difference(f"state: {list(mine)} instead of {list(wanted)}")
    for key, value in wanted.items():
        if not isinstance(value, torch.nn.parameter.UninitializedTensorMixin):
            _same(f"state {key}", mine[key], value, tolerance)


def _run(module: Any, args: Any, params: Any, seed: Any) -> Any:
    seed(1)
    return module(*args, **params)


def check(name: str, dtype: str, training: bool, limit: int | None = None) -> int:
    """Compare the cases of a module in a dtype and a mode, all or so many; how many were compared comes back.

    Raises:
        Difference: something differs, lamina raised, or there is no such module.
    """
    if not hasattr(lamina.nn, name):
        raise Difference(f"{name}: it is not there yet")
    count, kind, own_kind = 0, getattr(torch, dtype), getattr(lamina, dtype)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for case in islice(cases(name, dtype, training), limit):
            shown = f"{name}{case.made}"
            seed_torch()
            theirs = getattr(torch.nn, name)(*case.made[0], **case.made[1])
            try:
                lamina.manual_seed(0)
                mine = getattr(lamina.nn, name)(*ours(case.made[0]), **ours(case.made[1]))
                _states(mine, theirs, _EXACT)
                if _text(mine) != _text(theirs):
                    raise Difference(f"repr {_text(mine)} instead of {_text(theirs)}")
                _compare(mine.to(own_kind).train(training), theirs.to(kind).train(training), case, dtype)
                count += 1
            except Difference as error:
                raise Difference(f"{shown}: {error}") from None
            except Exception as error:
                raise Difference(f"{shown} raised {type(error).__name__}: {error}") from error
    return count


def _compare(mine: Any, theirs: Any, case: Case, dtype: str) -> None:
    tolerance = _MAGNIFIED.get((type(theirs).__name__, dtype), _TOLERANCE[dtype])
    lazy = any(isinstance(v, torch.nn.parameter.UninitializedTensorMixin) for v in theirs.state_dict().values())
    given_args, given_params = case.given
    args, params = _theirs(given_args), _theirs(given_params)
    own_args, own_params = ours(given_args), ours(given_params)
    if not lazy:
        mine.load_state_dict({k: ours(v) for k, v in theirs.state_dict().items()})
    expected = _run(theirs, args, params, seed_torch)
    observed = _run(mine, own_args, own_params, lamina.manual_seed)
    if lazy:
        for (key, o), (_, e) in zip(mine.named_parameters(), theirs.named_parameters(), strict=True):
            _same(f"{key} after the first call", o, e, _EXACT)
        if _text(mine) != _text(theirs) or type(mine).__name__ != type(theirs).__name__:
            raise Difference(f"after its first call it is {_text(mine)} instead of {_text(theirs)}")
    wanted, found = tree_leaves(expected), tree_leaves(observed)
    if len(wanted) != len(found) or not wanted:
        raise Difference(f"{len(found)} results instead of {len(wanted)}")
    seeds = []
    for i, (o, e) in enumerate(zip(found, wanted, strict=True)):
        _same(f"result {i}", o, e, tolerance)
        if o.requires_grad != e.requires_grad:
            raise Difference(f"result {i} with requires_grad {o.requires_grad} instead of {e.requires_grad}")
        seeds.append(torch.randn(e.shape, dtype=e.dtype) if e.requires_grad else None)
    _states(mine, theirs, tolerance)
    for o, e, seed in zip(found, wanted, seeds, strict=True):
        if seed is not None:
            e.backward(seed, retain_graph=True)
            o.backward(to_lamina(seed), retain_graph=True)
    pairs = [*zip(tree_leaves((own_args, own_params)), tree_leaves((args, params)), strict=True)]
    for i, (o, e) in enumerate(pairs):
        if isinstance(e, torch.Tensor) and e.requires_grad:
            _same(f"gradient of argument {i}", o.grad, e.grad, tolerance)
    for (key, o), (_, e) in zip(mine.named_parameters(), theirs.named_parameters(), strict=True):
        _same(f"gradient of {key}", o.grad, e.grad, tolerance)


def check_errors(name: str) -> int:
    """Every bad input of the database is refused with an error of the type that PyTorch raises; how many came.

    Raises:
        Difference: one was accepted, or refused with another type of error.
    """
    info = database().get(name)
    if info is None or info.module_error_inputs_func is None:
        return 0
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for bad in info.module_error_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=False):
            made, given = bad.module_error_input.constructor_input, bad.module_error_input.forward_input
            build = partial(getattr(lamina.nn, name), *ours(made.args), **ours(made.kwargs))
            shown = f"{name}{made.args}{made.kwargs}"
            try:
                if bad.error_on is ModuleErrorEnum.CONSTRUCTION_ERROR:
                    build()
                else:
                    module = build()
                    module(*ours(given.args), **ours(given.kwargs))
            except bad.error_type:
                count += 1
            except Exception as error:
                raise Difference(f"{shown} raised {type(error).__name__}({error}) instead of {bad.error_type.__name__}") from error
            else:
                raise Difference(f"{shown} was accepted; an error was wanted: {bad.error_regex}")
    return count


def score(only: str = "") -> Iterator[str]:
    """How many modules agree in both dtypes and modes, and why the others do not."""
    asked = [name for name in names() if only.lower() in name.lower()]
    compared, rest = 0, []
    for name in asked:
        try:
            counts = [check(name, dtype, training) for dtype in DTYPES for training in (True, False)]
            if not all(counts):
                raise Difference("nothing was compared")
            check_errors(name)
            compared += sum(counts)
        except Difference as error:
            rest.append(f"  {name}: {' '.join(str(error).split())[:400]}")
    own = len(database().keys() & set(asked))
    yield f"modules: {len(asked) - len(rest)} of {len(asked)} agree ({own} of the database), over {compared} cases"
    yield from rest
    yield f"  not there yet: {', '.join(missing()) or 'none'}"


if __name__ == "__main__":
    for line in score(*sys.argv[1:]):
        print(line)
