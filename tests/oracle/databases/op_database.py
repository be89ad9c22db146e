"""PyTorch's own op database, asked of lamina: the same samples to both."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from types import FunctionType
from typing import Any, Final

import ml_dtypes
import numpy as np
import torch
from seeds import seed_all
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_map

import lamina
import lamina_nn.functional
import lamina_nn.torch_functions
from lamina.programs.pytorch_names import names_by_use
from lamina_testkit import error_bounds

__all__ = ["DTYPES", "OTHER_DTYPES", "Difference", "Missing", "called", "check_values", "counterpart", "database", "dense", "everything",
           "exists", "is_method", "lamina_function", "seeded", "served", "serves", "shown", "tier", "tiers"]

DTYPES = ("float32", "float64", "int64", "bool", "complex64")
OTHER_DTYPES = ("float16", "bfloat16", "uint8", "int8", "int16", "int32", "complex128")
"""These are asked with an op's first few cases only."""

_TOLERANCE = {"float32": (3e-5, 3e-5), "complex64": (5e-5, 5e-5), "float64": (1e-7, 1e-7), "complex128": (1e-7, 1e-7)}
_LOOSE = {"float16": (2e-3, 2e-3), "bfloat16": (2e-2, 2e-2)}
RANDOM = {"bernoulli", "multinomial", "normal", "rand_like", "randint", "randint_like", "randn", "randn_like", "poisson"}
_POSITIONS = {"sort": 0, "argsort": 0, "topk": 1, "kthvalue": 1, "median": 0, "nanmedian": 0, "mode": 0}
"""Functions that tell where items came from -> which of the further arguments is the dim."""

_ELSEWHERE = {"attention", "convolutions", "embedding", "padding", "pooling", "resampling"}
"""Families of functions of layers that test_convolution.py and test_sequence_modules.py ask."""

UNINITIALISED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted"}


class Difference(AssertionError):
    """lamina's answer is not PyTorch's."""


class Missing(AssertionError):
    """lamina has no such function."""


@cache
def tiers() -> dict[str, dict[str, list[str]]]:
    """Section -> tier -> names: PyTorch's names by real use."""
    return names_by_use()


@cache
def wanted() -> dict[str, str]:
    """Every name of tiers A to C that is a function of arrays -> its tier; the functions of layers that are there are C."""
    found = {}
    for section in ("functions", "linalg", "fft", "special"):
        for tier, names in tiers()[section].items():
            for name in names:
                if section == "functions" and name in lamina_nn.torch_functions.__all__:
                    continue  # test_layer_functions.py asks them
                found[name if section == "functions" else f"{section}.{name}"] = tier
    functional = lamina_nn.functional
    layers = {  # the others have tests of their own
        f"nn.functional.{name}": "C"
        for name in functional.__all__
        if getattr(functional, name).__module__.removeprefix("lamina_nn.functional.").partition(".")[0] not in _ELSEWHERE
    }
    return {**layers, **found}


@cache
def database() -> dict[str, list[Any]]:
    """Name -> its entries (variants) in the op database, for the names of tiers A to C."""
    found: dict[str, list[Any]] = {}
    for info in op_db:
        names = {info.name, *(alias.name for alias in info.aliases)} & wanted().keys()
        if names:
            found.setdefault(info.name, []).append(info)
    return found


def _names(info: Any) -> set[str]:
    return {info.name, *(alias.name for alias in info.aliases)}


@cache
def _best_tiers() -> dict[str, str]:
    """Every name of a function or a method in tiers A to C -> the best tier that lists it."""
    found: dict[str, str] = {}
    for section in ("functions", "methods", "linalg", "fft", "special", "nn.functional"):
        for best, names in tiers()[section].items():
            for name in names:
                full = name if section in ("functions", "methods") else f"{section}.{name}"
                found[full] = min(best, found.get(full, best))
    return found


@cache
def everything() -> dict[str, Any]:
    """NAME or NAME.VARIANT -> every entry of the op database that is of a tier, or that lamina has."""
    return {
        f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}": info
        for info in op_db
        if _names(info) & _best_tiers().keys() or exists(info.name)
    }


def tier(info: Any) -> str:
    """The best tier of an entry's names; operators are of tier A, and what no tier lists is of tier C."""
    return "A" if info.name.startswith("__") else min((_best_tiers()[n] for n in _names(info) & _best_tiers().keys()), default="C")


def exists(name: str) -> bool:
    """Whether lamina has a function of this name, or, where PyTorch has none, a method."""
    try:
        lamina_function(name)
    except Missing:
        return is_method(name)
    return True


def is_method(name: str) -> bool:
    """Of what the database calls by a method, which may be one in place."""
    if callable(getattr(torch, name, None)):
        return False
    return any(hasattr(lamina.Tensor, n) and hasattr(torch.Tensor, n) for n in (name, f"{name}_"))


def lamina_function(name: str) -> Any:
    """`lamina.NAME`, also where the name has a dot.

    Raises:
        Missing: there is none.
    """
    at: Any = lamina
    for piece in name.split("."):
        try:
            at = getattr(at, piece)
        except AttributeError:
            raise Missing(f"lamina.{name}: there is no such function") from None
    return at


def _seeded(function: Any, *args: Any, **params: Any) -> Any:
    """As the database's `wrapper_set_seed` calls PyTorch: from the same seed."""
    lamina.manual_seed(42)
    return function(*args, **params)


def counterpart(info: Any) -> Any:
    """What to call for an entry: `lamina.NAME`, or the entry's own lambda with lamina in the place of torch."""
    found = None if is_method(info.name) else lamina_function(info.name)
    if getattr(info.op, "__name__", "") == "<lambda>":
        code = info.op
        names = {**code.__globals__, "torch": lamina, "wrapper_set_seed": _seeded}
        return FunctionType(code.__code__, names, info.name, code.__defaults__, code.__closure__)
    return found or (lambda x, *args, **params: getattr(x, info.name)(*args, **params))


def to_lamina(value: Any) -> Any:
    """Arguments for PyTorch as arguments for lamina; tensors over the same memory where NumPy can show it."""
    if isinstance(value, torch.Tensor):
        if value.layout is torch.sparse_csr:
            parts = value.crow_indices(), value.col_indices(), value.values()
            return lamina.sparse_csr_tensor(*map(to_lamina, parts), tuple(value.shape))
        plain = value.detach().resolve_conj().resolve_neg()
        if plain.dtype is torch.bfloat16:
            return lamina.from_numpy(plain.view(torch.int16).numpy().view(ml_dtypes.bfloat16))
        return lamina.from_numpy(plain.numpy())
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return getattr(lamina, str(value).removeprefix("torch."))
    if isinstance(value, torch.device):
        return str(value)
    if isinstance(value, torch.Size):
        return tuple(value)
    if isinstance(value, torch.nn.PairwiseDistance):
        return lamina.nn.PairwiseDistance()
    if isinstance(value, (list, tuple)):
        return type(value)(map(to_lamina, value))
    if isinstance(value, dict):
        return {k: to_lamina(v) for k, v in value.items()}
    return value


def to_torch(value: Any) -> Any:
    """lamina's results as PyTorch's."""
    if isinstance(value, lamina.Tensor):
        array = np.ascontiguousarray(value.numpy(force=True)).reshape(tuple(value.shape))
        if value.dtype is lamina.bfloat16:
            return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(array.copy())
    if isinstance(value, lamina.dtype):
        return getattr(torch, value.name)
    if isinstance(value, (list, tuple)):
        return tuple(map(to_torch, value))
    return value


def seeded(inputs: Iterable[Any]) -> Iterator[Any]:
    """Each input drawn from one seed, as by `info.sample_inputs` and `info.error_inputs`; those look through the whole stack for the
    name of PyTorch's test, input by input, which takes longer than the test."""
    drawn = iter(inputs)
    while True:
        seed_all()
        item = next(drawn, None)
        if item is None:
            return
        yield item


def samples(info: Any, dtype: str) -> Iterator[Any]:
    """The database's inputs for an op in one dtype."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = info.sample_inputs_func(info, "cpu", getattr(torch, dtype), False)
        yield from islice(seeded(inputs), None if dtype in DTYPES else 4)


def serves(info: Any, dtype: str) -> bool:
    """Whether PyTorch computes the op in this dtype."""
    return getattr(torch, dtype) in info.dtypes


def served(part: str, dtypes: Iterable[str]) -> Iterator[tuple[str, Any, str]]:
    """Name, entry and dtype of what lamina has, with part of a name, in each of these dtypes that PyTorch serves it for."""
    for name, info in everything().items():
        if part in name and exists(info.name):
            yield from ((name, info, dtype) for dtype in dtypes if serves(info, dtype))


def _called_as(name: str, function: Any) -> Any:
    """Our function with the database's order of arguments: its `where` begins with the tensor, not the condition."""
    return (lambda x, condition, other: function(condition, x, other)) if name == "where" else function


def called(function: Any, sample: Any, convert: Any) -> Any:
    args = [convert(a) for a in (sample.input, *sample.args)]
    return function(*args, **{k: convert(v) for k, v in sample.kwargs.items()})


MANY: Final = 500
"""Of how many samples each is taken; of more, which are all combinations of a few numbers, so many evenly."""


def check_values(info: Any, dtype: str) -> int:
    """Compare all samples of an op in one dtype; how many were compared comes back.

    Raises:
        Missing: lamina has no such function.
        Difference: a result differs in value, dtype, shape or number, or lamina raised.
    """
    ours, count = counterpart(info), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = list(samples(info, dtype))
        for sample in every[:: -(-len(every) // MANY)]:
            try:
                expected = called(info.op, sample, lambda v: v.clone() if isinstance(v, torch.Tensor) else v)
            except Exception:
                continue
            try:
                observed = to_torch(dense(called(ours, sample, to_lamina)))
            except Exception as error:
                raise Difference(f"{shown(info, sample)} raised {type(error).__name__}: {error}") from error
            process = sample.output_process_fn_grad
            _compare(info, sample, *(process(_by_value(info, sample, dense(r))) for r in (observed, expected)))
            count += 1
    return count


def dense(result: Any) -> Any:
    """A sparse result with all its items, for comparison."""
    return result.to_dense() if getattr(result, "is_sparse", False) else result


def _by_value(info: Any, sample: Any, result: Any) -> Any:
    """Positions of items replaced by the items: which of equal ones comes first is nowhere promised."""
    if info.name not in _POSITIONS or sample.kwargs.get("stable"):
        return result
    dim = sample.kwargs.get("dim", sample.args[_POSITIONS[info.name]] if len(sample.args) > _POSITIONS[info.name] else -1)
    x = sample.input
    if not x.ndim or not isinstance(dim, int) or (isinstance(result, torch.Tensor) and info.name != "argsort"):
        return result
    indices = result if isinstance(result, torch.Tensor) else result[1]
    kept = indices if indices.ndim == x.ndim else indices.unsqueeze(dim)
    items = torch.gather(x, dim, kept).reshape(indices.shape)
    return items if isinstance(result, torch.Tensor) else (result[0], items)


_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}


def _right_for_inputs_nearby(info: Any, sample: Any, observed: Any, place: tuple[int, ...], rtol: float, atol: float) -> bool:
    """Whether a result is as near to the exact one as a backward stable algorithm brings it, where the op magnifies roundings:
    it then solves the problem for inputs a few roundings away (Higham, Accuracy and Stability, section 1.5)."""
    if observed.dtype not in _WIDER:
        return False
    random = np.random.default_rng(0)
    u = error_bounds.unit_roundoff(lamina.float32)

    def exact(roundings: float) -> Any:
        def wider(value: Any) -> Any:
            if not isinstance(value, torch.Tensor) or value.dtype not in _WIDER:
                return value
            moved = 1 + roundings * u * torch.from_numpy(random.choice([-1.0, 1.0], tuple(value.shape)))
            return value.detach().to(_WIDER[value.dtype]) * moved

        found = sample.output_process_fn_grad(called(info.op, sample, lambda v: tree_map(wider, v)))
        for i in place:
            found = found[i]
        return found.to(_WIDER[observed.dtype])

    wanted = exact(0)
    magnified = max((exact(8) - wanted).abs().max() for _ in range(4))
    return bool(((observed - wanted).abs() <= atol + rtol * wanted.abs() + magnified).all())


def _compare(info: Any, sample: Any, observed: Any, expected: Any, place: tuple[int, ...] = ()) -> None:
    if isinstance(expected, (list, tuple)) and not isinstance(expected, torch.Size):
        if not isinstance(observed, (list, tuple)) or len(observed) != len(expected):
            raise Difference(f"{shown(info, sample)}: {len(expected)} results wanted, got {observed!r:.200}")
        for i, (o, e) in enumerate(zip(observed, expected, strict=True)):
            _compare(info, sample, o, e, (*place, i))
        return
    if not isinstance(expected, torch.Tensor):
        if isinstance(expected, (int, float, complex)) and not isinstance(expected, bool):
            expected, observed = torch.tensor(expected), torch.tensor(observed)
        elif observed != expected:
            raise Difference(f"{shown(info, sample)}: {observed!r} instead of {expected!r}")
        else:
            return
    if not isinstance(observed, torch.Tensor):
        raise Difference(f"{shown(info, sample)}: a tensor wanted, got {observed!r:.200}")
    if observed.dtype is not expected.dtype or observed.shape != expected.shape:
        raise Difference(
            f"{shown(info, sample)}: {observed.dtype}{tuple(observed.shape)} instead of "
            f"{expected.dtype}{tuple(expected.shape)}"
        )
    if info.name in RANDOM | UNINITIALISED:
        return
    name = str(expected.dtype).removeprefix("torch.")
    rtol, atol = {**_TOLERANCE, **_LOOSE}.get(name, (0, 0))
    try:
        torch.testing.assert_close(
            observed, expected.resolve_conj().resolve_neg(), rtol=rtol, atol=atol, equal_nan=True
        )
    except AssertionError as error:
        if _right_for_inputs_nearby(info, sample, observed, place, rtol, atol):
            return
        raise Difference(f"{shown(info, sample)}: {error}\nobserved {observed}\nexpected {expected}") from None


def shown(info: Any, sample: Any) -> str:
    def one(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            text = f"{str(value.dtype).removeprefix('torch.')}{tuple(value.shape)}"
            if value.layout is not torch.strided:
                return f"{text} {value.layout}"
            return f"{text} strides {value.stride()}" if not value.is_contiguous() else text
        return f"[{', '.join(map(one, value))}]" if isinstance(value, (list, tuple)) else repr(value)

    args = ", ".join([one(sample.input), *map(one, sample.args), *(f"{k}={one(v)}" for k, v in sample.kwargs.items())])
    return f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}({args})"
