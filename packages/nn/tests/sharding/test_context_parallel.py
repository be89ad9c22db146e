"""Attention over slices in a group of one, beside plain attention; `tests/processes` has several."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import dtypes as dt
from lamina_nn.functional import scaled_dot_product_attention
from lamina_nn.process_groups.device_mesh import DeviceMesh
from lamina_nn.sharding.context_parallel import context_parallel


@pytest.fixture
def mesh():
    return DeviceMesh("cpu", [0])


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("dtype", "unit"), [(dt.float64, 2.0**-53), (dt.float32, 2.0**-24), (dt.bfloat16, 2.0**-8)])
def test_it_is_attention(mesh, is_causal, dtype, unit):
    """Some 32 roundings of numbers below 16; in bfloat16 those of inputs and results, whose sums are in float32 here and there."""
    lt.manual_seed(0)
    q, k, v, g = (lt.randn(2, 3, 5, 8).to(dtype) for _ in range(4))
    found = []
    for over_slices in (False, True):
        leaves = [x.clone().requires_grad_() for x in (q, k, v)]
        if over_slices:
            with context_parallel(mesh):
                y = scaled_dot_product_attention(*leaves, is_causal=is_causal, scale=0.3)
        else:
            y = scaled_dot_product_attention(*leaves, is_causal=is_causal, scale=0.3)
        y.backward(g)
        assert y.dtype is dtype
        found.append([x.double().flatten() for x in (y, *(leaf.grad for leaf in leaves))])
    for plain, ring in zip(*found, strict=True):
        assert (plain - ring).abs().max().item() <= 32 * 16 * unit


def test_buffers_are_put_back(mesh):
    x, y = lt.arange(6).reshape(2, 3), lt.arange(3)
    with pytest.raises(ZeroDivisionError), context_parallel(mesh, buffers=[x, y], buffer_seq_dims=[1, 0], no_restore_buffers={y}):
        x.add_(1)  # of the slice, which is a copy
        y.add_(1)
        raise ZeroDivisionError
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and y.tolist() == [1, 2, 3]


def test_what_is_refused(mesh):
    q = lt.ones(1, 2, 4, 3)
    with context_parallel(mesh):
        for options in ({"attn_mask": lt.ones(4, 4)}, {"dropout_p": 0.5}, {"enable_gqa": True}):
            with pytest.raises(NotImplementedError, match="of scaled_dot_product_attention is not served over slices"):
                scaled_dot_product_attention(q, q, q, **options)
        with pytest.raises(RuntimeError, match="causal attention wants as many queries as keys"):
            scaled_dot_product_attention(q[:, :, :2], q, q, is_causal=True)
        with pytest.raises(RuntimeError, match="the same leading dims wanted"):
            scaled_dot_product_attention(q, q[:, :1], q)
        with pytest.raises(NotImplementedError, match="multi_head_attention_forward would see one slice"):
            nn.MultiheadAttention(4, 2)(*[lt.ones(3, 1, 4)] * 3)
    for told, options in (
        ("same number of elements", {"buffers": [q], "buffer_seq_dims": []}),
        ("must be some of `buffers`", {"no_restore_buffers": {q}}),
        ("parameters stay whole", {"buffers": [nn.Parameter(q)], "buffer_seq_dims": [2]}),
    ):
        with pytest.raises(ValueError, match=told), context_parallel(mesh, **options):
            pass
