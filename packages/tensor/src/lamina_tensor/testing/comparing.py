"""Whether results are close to what is expected: of tensors, numbers, and sequences and mappings of them, or an AssertionError."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, promote_types
from lamina_ndarray import NDArray

from ..functions.creation import as_tensor
from ..tensor_fields import AnyTensor, tensor_of
from .tolerances import settled

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["assert_allclose", "assert_close"]

Message = str | Callable[[str], str] | None

_NUMBERS: Final = (int, float, complex, np.number)
_BOOLEANS: Final = (bool, np.bool_)


class _Asked(NamedTuple):
    """The arguments of `assert_close` that a comparison looks at."""

    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_stride: bool


def assert_close(
    actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None, atol: float | None = None,
    equal_nan: bool = False, check_device: bool = True, check_dtype: bool = True, check_layout: bool = True,
    check_stride: bool = False, msg: Message = None,
) -> None:  # fmt: skip
    """Raise an error unless |actual - expected| <= atol + rtol * |expected| for all items, and what they are is the same, too.

    Tensors must have one shape: nothing broadcasts. Numbers, booleans and None are compared with their like; NumPy's arrays as
    tensors; sequences item by item, mappings key by key.

    Args:
        actual, expected: what is compared.
        allow_subclasses: whether classes may differ, as long as one is derived from the other.
        rtol, atol: both or none; by default those of the dtype: (1.3e-6, 1e-5) for float32, (1e-7, 1e-7) for float64, (1e-3,
            1e-5) for float16, (1.6e-2, 1e-5) for bfloat16, those of their parts for complex dtypes, 0 for all others; of
            two dtypes, the greater ones.
        equal_nan: whether NaN is close to NaN.
        check_device, check_dtype: whether these must be the same.
        check_layout: accepted: all tensors have one layout, PyTorch's `strided`.
        check_stride: whether strides must be the same.
        msg: the error's message where values differ; or a function from the message, as it would be, to another.

    Raises:
        AssertionError: they are not close; it counts the items, and says where the greatest differences are.
        ArgumentTypeError: there are values that cannot be compared.
        ArgumentValueError: one tolerance is given, and the other is not; or one is negative.

    >>> torch.testing.assert_close(torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]))
    """
    __tracebackhide__ = True
    if (rtol is None) != (atol is None):
        raise ArgumentValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {'rtol' if rtol is None else 'atol'}."
        )
    if (rtol is not None and rtol < 0) or (atol is not None and atol < 0):
        raise ArgumentValueError(f"tolerances must not be negative, but rtol is {rtol} and atol is {atol}")
    asked = _Asked(rtol, atol, equal_nan, check_device, check_dtype, check_stride)
    for x, y, place in list(_pairs(actual, expected, allow_subclasses)):
        problem = _compare(x, y, asked)
        if problem:
            problem = _at(place, problem)
            raise AssertionError(problem if msg is None else str(msg(problem)) if callable(msg) else msg)


def assert_allclose(
    actual: Any, expected: Any, rtol: float | None = None, atol: float | None = None, equal_nan: bool = True, msg: str = ""
) -> None:
    """Raise an error unless values are close: an older form of `assert_close`.

    What is no tensor becomes one, dtypes may differ, NaN equals NaN, and tolerances are wider.

    Args:
        actual, expected: what is compared.
        rtol, atol: both or none; by default (1e-3, 1e-3) for float16, (1e-4, 1e-5) for float32, (1e-5, 1e-8) for float64.
        equal_nan: whether NaN is close to NaN.
        msg: the error's message where values differ.

    Raises:
        AssertionError: they are not close.
        ArgumentValueError: one tolerance is given, and the other is not.

    >>> torch.testing.assert_allclose(torch.tensor([1.0]), [1.0])
    """
    __tracebackhide__ = True
    x = actual if isinstance(actual, AnyTensor) else as_tensor(actual)
    y = expected if isinstance(expected, AnyTensor) else as_tensor(expected, dtype=x.dtype)
    if rtol is None and atol is None:
        wide = {"float16": (1e-3, 1e-3), "float32": (1e-4, 1e-5), "float64": (1e-5, 1e-8)}
        tolerances = [wide.get(t.array.dtype.name, (0.0, 0.0)) for t in (x, y)]
        rtol, atol = max(r for r, _ in tolerances), max(a for _, a in tolerances)
    assert_close(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


def _pairs(actual: Any, expected: Any, subclasses: bool) -> Iterator[tuple[Any, Any, str]]:
    """What is to be compared with what, and where in the trees it stands.

    Raises:
        AssertionError: the trees have different forms.
        ArgumentTypeError: there are values that cannot be compared.
    """
    stack: list[tuple[Any, Any, str]] = [(actual, expected, "")]
    while stack:
        x, y, place = stack.pop()
        if all(isinstance(v, Sequence) and not isinstance(v, str) for v in (x, y)):
            if len(x) != len(y):
                raise AssertionError(_at(place, f"The length of the sequences mismatch: {len(x)} != {len(y)}"))
            stack.extend((a, b, f"{place}[{i}]") for i, (a, b) in reversed([*enumerate(zip(x, y, strict=True))]))
        elif isinstance(x, Mapping) and isinstance(y, Mapping):
            if x.keys() != y.keys():
                missing, additional = _ordered(y.keys() - x.keys()), _ordered(x.keys() - y.keys())
                raise AssertionError(_at(place, (
                    f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {missing}\n"
                    f"Additional keys in the actual mapping: {additional}"
                )))  # fmt: skip
            stack.extend((x[key], y[key], f"{place}[{key!r}]") for key in reversed(_ordered(x.keys())))
        else:
            yield *_alike(x, y, place, subclasses), place


def _at(place: str, problem: str) -> str:
    return f"{problem}\n\nThe failure occurred for item {place}" if place else problem


def _ordered(keys: Any) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:  # of several kinds
        return list(keys)


def _alike(x: Any, y: Any, place: str, subclasses: bool) -> tuple[Any, Any]:
    """Two values as they are compared.

    Raises:
        ArgumentTypeError: they cannot be.
    """
    if x is None or y is None:
        return x, y
    if isinstance(x, _BOOLEANS) and isinstance(y, _BOOLEANS):
        return bool(x), bool(y)
    numbers = [isinstance(v, _NUMBERS) and not isinstance(v, bool) for v in (x, y)]
    if all(numbers):
        return tuple(v.item() if isinstance(v, np.number) else v for v in (x, y))
    related = type(x) is type(y) if not subclasses else isinstance(x, type(y)) or isinstance(y, type(x))
    if related and isinstance(x, (AnyTensor, NDArray, np.ndarray)):
        return tuple(v if isinstance(v, AnyTensor) else tensor_of(v) if isinstance(v, NDArray) else as_tensor(v) for v in (x, y))  # type: ignore[return-value]
    raise ArgumentTypeError(
        f"assert_close: values of type {type(x)} and {type(y)} cannot be compared{f', at item {place}' if place else ''}; it "
        "compares tensors, numbers, booleans and None with their like, and sequences and mappings of them"
    )


def _compare(x: Any, y: Any, asked: _Asked) -> str:
    """What is wrong; nothing if they are close."""
    if x is None or y is None:
        return "" if x is y else f"None mismatch: {x} is not {y}"
    if isinstance(x, bool):
        return "" if x is y else f"Booleans mismatch: {x} is not {y}"
    return _compare_tensors(x, y, asked) if isinstance(x, AnyTensor) else _compare_numbers(x, y, asked)


def _compare_numbers(x: Any, y: Any, asked: _Asked) -> str:
    if asked.check_dtype and type(x) is not type(y):
        return f"The (d)types do not match: {type(x)} != {type(y)}."
    rtol, atol = settled((type(x), type(y)), asked.rtol, asked.atol)
    if x == y or (asked.equal_nan and cmath.isnan(x) and cmath.isnan(y)):
        return ""
    apart = abs(x - y)
    if cmath.isfinite(apart) and apart <= atol + rtol * abs(y):
        return ""
    return _scalars(x, y, rtol, atol)


def _compare_tensors(x: Tensor, y: Tensor, asked: _Asked) -> str:
    for name, checked, mine, theirs in (
        ("shape", True, x.shape, y.shape),
        ("device", asked.check_device, x.device, y.device),
        ("dtype", asked.check_dtype, x.dtype, y.dtype),
        ("stride()", asked.check_stride, x.stride(), y.stride()),
    ):
        if checked and mine != theirs:
            return f"The values for attribute {name!r} do not match: {mine!r} != {theirs!r}."
    rtol, atol = settled((x.dtype, y.dtype), asked.rtol, asked.atol)
    dtype = promote_types(x.dtype, y.dtype)
    a, b = (nd.astype(nd.to_device(v.array, x.device), dtype, copy=False) for v in (x, y))
    close = nd.isclose(a, b, rtol, atol, asked.equal_nan)
    if bool(nd.all(close)):
        return ""
    if not x.array.ndim:
        return _scalars(a.item(), b.item(), rtol, atol)
    if not dtype.is_inexact:
        a, b = nd.astype(a, nd.int64), nd.astype(b, nd.int64)
    apart = nd.where(close, nd.zeros_like(nd.abs(a)), nd.abs(a - b))
    relative = nd.where(close, 0.0, apart / nd.abs(b))
    wrong, count = nd.sum(nd.logical_not(close)).item(), close.size
    return "\n".join((
        f"Tensor-likes are not {'close' if rtol or atol else 'equal'}!\n",
        f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})",
        f"Greatest absolute difference: {_greatest(apart)}{_allowed(atol, rtol or atol)}",
        f"Greatest relative difference: {_greatest(relative)}{_allowed(rtol, rtol or atol)}",
    ))  # fmt: skip


def _greatest(values: NDArray) -> str:
    flat = nd.reshape(values, (-1,))
    place = int(nd.argmax(flat))
    return f"{flat[place].item()} at index {tuple(int(i) for i in np.unravel_index(place, values.shape))}"


def _allowed(tolerance: float, any_allowed: float) -> str:
    return f" (up to {tolerance} allowed)" if any_allowed else ""


def _scalars(x: Any, y: Any, rtol: float, atol: float) -> str:
    apart = abs(x - y)
    relative = apart / abs(y) if y else float("inf")
    return "\n".join((
        f"Scalars are not {'close' if rtol or atol else 'equal'}!\n",
        f"Expected {y} but got {x}.",
        f"Absolute difference: {apart}{_allowed(atol, rtol or atol)}",
        f"Relative difference: {relative}{_allowed(rtol, rtol or atol)}",
    ))  # fmt: skip
