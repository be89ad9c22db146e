"""Printed arrays against PyTorch's `repr`, character for character: any dtype, shape, magnitude, options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lamina
from lamina_ndarray import printing

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

Array = np.ndarray[Any, Any]

DTYPES = {
    name: np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)
    for name in (
        *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
        *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
    )
}
UNMARKED = ("bool", "int64", "float32", "complex64")  # their dtype is not printed unless the tensor is empty
SPECIALS = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, 1e-4, 1e8, 1000.0, 0.99995, 1001.0, 2.5])
DEFAULTS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}

shapes = st.one_of(
    st.lists(st.integers(1, 7), max_size=4).map(tuple),
    st.lists(st.integers(0, 3), max_size=4).map(tuple),
    st.tuples(st.integers(1, 60)),
    st.tuples(st.integers(900, 1100)),
    st.tuples(st.integers(1, 40), st.integers(1, 60)),
    st.tuples(st.integers(1, 8), st.integers(1, 20), st.integers(1, 20)),
)
options = st.one_of(
    st.just(DEFAULTS),
    st.fixed_dictionaries(
        {
            "precision": st.integers(0, 9),
            "threshold": st.sampled_from([0, 1, 5, 100, 1000, float("inf")]),
            "edgeitems": st.integers(0, 5),
            "linewidth": st.integers(0, 200),
            "sci_mode": st.sampled_from([None, True, False]),
        }
    ),
)


@pytest.fixture(autouse=True)
def untouched_options() -> Iterator[None]:
    yield
    apply(DEFAULTS)


def apply(chosen: dict[str, Any]) -> None:
    printing.set_printoptions(**chosen)
    torch.set_printoptions(**chosen)


def drawn(name: str, shape: tuple[int, ...], seed: int) -> Array:
    """Numbers of one of several kinds: raw bits, near one magnitude, whole, and a share of special values."""
    rng = np.random.default_rng(seed)
    dtype = DTYPES[name]
    if dtype.kind == "b":
        return np.asarray(rng.random(shape) < rng.random())
    if dtype.kind in "iu":
        raw = np.frombuffer(rng.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
        return np.asarray(raw >> np.array(rng.integers(0, dtype.itemsize * 8), dtype))
    if dtype.kind == "c":
        part = "float32" if name == "complex64" else "float64"
        out = np.empty(shape, dtype)
        out.real, out.imag = drawn(part, shape, seed + 1), drawn(part, shape, seed + 2)
        return out
    kind = rng.integers(0, 4)
    if kind == 0 and name not in ("float16", "bfloat16"):
        values = np.frombuffer(rng.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape).copy()
    else:
        spread = rng.choice([0.0, 0.3, 1.0, 3.0])
        shift = rng.choice([-12.0, -4.0, -3.0, 0.0, 0.0, 2.0, 7.0, 20.0])
        values = rng.choice([-1.0, 1.0], shape) * 10.0 ** (rng.normal(size=shape) * spread + shift)
        if kind == 1:
            values = np.round(values)
    special = rng.random(shape) < rng.choice([0.0, 0.0, 0.1, 0.5, 1.0])
    with np.errstate(all="ignore"):  # raw bits may be signalling NaNs, and halves overflow
        values = np.where(special, rng.choice(SPECIALS, shape), values)
        return values.astype(dtype)


def as_tensor(array: Array) -> Any:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


def ours(array: Array, name: str, more: tuple[str, ...] = ()) -> str:
    marked = name not in UNMARKED or (array.size == 0 and name != "float32")
    return printing.text(array, suffixes=[f"dtype=torch.{name}"] * marked + list(more))


@pytest.mark.parametrize("name", DTYPES)
@settings(max_examples=150, deadline=None)
@given(shape=shapes, seed=st.integers(0, 2**32), chosen=options)
def test_printed_as_by_torch(name: str, shape: tuple[int, ...], seed: int, chosen: dict[str, Any]) -> None:
    array = drawn(name, shape, seed)
    apply(chosen)
    assert ours(array, name) == repr(as_tensor(array))


@settings(max_examples=300, deadline=None)
@given(
    name=st.sampled_from(["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]),
    shape=shapes,
    seed=st.integers(0, 2**32),
    chosen=options,
    with_node=st.booleans(),
)
def test_gradient_suffixes(
    name: str, shape: tuple[int, ...], seed: int, chosen: dict[str, Any], with_node: bool
) -> None:
    array = drawn(name, shape, seed)
    tensor = as_tensor(array).requires_grad_()
    apply(chosen)
    if with_node:
        tensor = tensor.clone()
    suffix = "grad_fn=<CloneBackward0>" if with_node else "requires_grad=True"
    assert ours(array, name, (suffix,)) == repr(tensor)


@pytest.mark.parametrize("shape", [(), (0, 3), (3,), (9,), (2, 2), (1, 2, 9)])
def test_line_breaks_at_every_width(shape: tuple[int, ...]) -> None:
    array = np.full(shape, 1.5)
    tensor = as_tensor(array).requires_grad_()
    for width in range(130):
        apply({**DEFAULTS, "linewidth": width})
        assert ours(array, "float64", ("requires_grad=True",)) == repr(tensor), width


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_borders_of_the_exponent_notation(name: str) -> None:
    steps = np.array([-2, -1, 0, 1, 2])
    for border in (1e-4, 1e3, 1e8, 1.1e3, 3e3, 0.1, 1.0):
        for base in (None, 1.0, 1.1, 3.0, 1e-4):
            for step in steps:
                with np.errstate(over="ignore"):
                    value = np.array([border]).astype(DTYPES[name])
                bits = value.view({2: np.int16, 4: np.int32, 8: np.int64}[value.itemsize])
                bits += step.astype(bits.dtype)
                array = value if base is None else np.array([value[0], base]).astype(DTYPES[name])
                assert ours(array, name) == repr(as_tensor(array)), (border, base, step)


@pytest.mark.parametrize("profile", ["default", "short", "full"])
def test_profiles(profile: str) -> None:
    try:
        for module in (printing, torch):
            module.set_printoptions(linewidth=50, sci_mode=True)
            module.set_printoptions(profile=profile, edgeitems=1)
        assert printing.get_printoptions() == torch._tensor_str.get_printoptions()
        array = drawn("float64", (11, 101), 3)
        assert ours(array, "float64") == repr(as_tensor(array))
    finally:
        apply(DEFAULTS)


def test_strided_views() -> None:
    array = np.arange(3000.0).reshape(30, 100).T[::-2, 1::3]
    assert ours(array, "float64") == repr(torch.from_numpy(array.copy()))


@st.composite
def a_view(draw: st.DrawFn) -> Any:
    """One view, as a function of a tensor of either library."""
    kind = draw(st.sampled_from(["slice", "permute", "flip", "expand", "select", "unsqueeze"]))
    step, seed = draw(st.integers(1, 3)), draw(st.integers(0, 10**6))

    def view(x: Any) -> Any:
        if kind == "unsqueeze":
            return x.unsqueeze(seed % (x.ndim + 1))
        if not x.ndim:
            return x
        dim = seed % x.ndim
        if kind == "slice":
            return x[(slice(None),) * dim + (slice(step - 1, None, step),)]
        if kind == "permute":
            return x.permute(*[(i + step) % x.ndim for i in range(x.ndim)])
        if kind == "flip":
            return x.flip((dim,))
        if kind == "expand":
            return x.unsqueeze(0).expand(step, *x.shape)
        return x[(slice(None),) * dim + (0,)] if x.shape[dim] else x

    return view


@pytest.mark.parametrize("default", ["float32", "float64"])
@settings(max_examples=250, deadline=None)
@given(
    name=st.sampled_from([n for n in DTYPES if n not in ("uint16", "uint32", "uint64")]),
    shape=shapes.filter(lambda s: int(np.prod(s)) <= 1000),
    seed=st.integers(0, 2**32),
    chosen=options,
    views=st.lists(a_view(), max_size=3),
)
def test_tensors_print_alike(
    default: str, name: str, shape: tuple[int, ...], seed: int, chosen: dict[str, Any], views: list[Any]
) -> None:
    """Real tensors under either default dtype, as views of views; only the name of the library differs, and as it is a letter longer,
    whether what follows the items still fits into their last line."""
    array = drawn(name, shape, seed)
    ours_, theirs = lamina.from_numpy(array.copy()), as_tensor(array)
    for view in views:
        ours_, theirs = view(ours_), view(theirs)
    lamina.set_default_dtype(getattr(lamina, default))
    torch.set_default_dtype(getattr(torch, default))
    try:
        apply(chosen)
        found, wanted = (re.sub(r",\s+dtype=", ", dtype=", repr(x)) for x in (ours_, theirs))
        assert found.replace("lamina.", "torch.") == wanted
    finally:
        lamina.set_default_dtype(lamina.float32)
        torch.set_default_dtype(torch.float32)
