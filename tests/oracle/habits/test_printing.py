"""Tensors print as real PyTorch's do."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lamina
from lamina_ndarray.printing import shows_dtype, text

SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6)


def same(array):
    """Under PyTorch's name for the dtype, whose length moves the line break."""
    x = lamina.from_numpy(array).array
    suffixes = [f"dtype=torch.{x.dtype.name}"] if shows_dtype(x) else []
    assert text(array, prefix="tensor(", suffixes=suffixes) == repr(torch.from_numpy(array))


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64"]
)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_items(dtype, data):
    same(data.draw(hnp.arrays(np.dtype(dtype), SHAPES)))


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.integers(-6, 9), shape=SHAPES, whole=st.booleans())
def test_usual_magnitudes(seed, scale, shape, whole):
    made = np.random.default_rng(seed).normal(size=shape) * 10.0**scale
    same(np.asarray(np.rint(made) if whole else made, np.float32))


@pytest.mark.parametrize("shape", [(1001,), (40, 40), (7, 20, 20), (3, 400), (500, 3), (2, 2, 2, 200)])
def test_summaries(shape):
    made = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    same(made)
    same((made * 100).astype(np.int64))


def test_suffixes():
    for lib in (lamina, torch):
        x = lib.ones(3, requires_grad=True)
        assert repr(x) == "tensor([1., 1., 1.], requires_grad=True)"
        assert repr(x * 2) == "tensor([2., 2., 2.], grad_fn=<MulBackward0>)"
        wide = lib.ones(9, requires_grad=True) * 1.5
        assert repr(wide).endswith(",\n       grad_fn=<MulBackward0>)")
