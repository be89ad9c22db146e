"""`out=` over PyTorch's op database: where PyTorch writes a result, lamina writes the same one, and gives that very tensor back."""

import pytest
import torch
from databases import op_database, op_out

import lamina

ENTRIES = {name: info for name, info in op_database.everything().items() if op_out.takes_out(info)}


@pytest.mark.parametrize("name", ENTRIES)
def test_results_are_written_where_the_caller_wants_them(name):
    assert op_out.check(ENTRIES[name])


@pytest.mark.parametrize("name", ENTRIES)
def test_an_out_of_another_shape_is_resized_with_a_warning(name):
    """Where PyTorch resizes an `out` that has items it warns, and other tensors of that memory see the result if it fits."""
    if not op_out.check_resized(ENTRIES[name]):
        pytest.skip("PyTorch takes no out for any of its samples")


OTHERWISE_CAST = {
    "heaviside": "PyTorch has not done it yet, as it says",
    "lu": "PyTorch casts a factorization to integers",
    "nansum": "PyTorch takes the sum in integers, and has no kernel for it; ours is that of the numbers there are",
}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_out_of_another_dtype_is_cast_to_where_pytorch_casts(name, request):
    if name in OTHERWISE_CAST:
        request.applymarker(pytest.mark.xfail(raises=op_database.Difference, strict=True, reason=OTHERWISE_CAST[name]))
    if not op_out.check_cast(ENTRIES[name]):
        pytest.skip("none of its samples has a result of those dtypes")


def test_an_out_of_another_dtype_is_refused_before_anything_is_written():
    for t in (lamina, torch):
        x, out = t.eye(2), t.full((2, 2), 7.0, dtype=t.float64)
        for call in (t.mm, t.bmm, t.linalg.solve):
            operands = (x[None], x[None]) if call is t.bmm else (x, x)
            with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
                call(*operands, out=out[None] if call is t.bmm else out)
        for call in (t.abs, t.floor, t.neg):
            with pytest.raises(RuntimeError, match="dtype"):
                call(x, out=out)
        assert (out == 7).all()


def test_bounds_that_are_numbers_cast_to_no_other_out():
    for t in (lamina, torch):
        x = t.ones(2)
        for function, bounds in ((t.clamp, (0, 2)), (t.clamp_min, (0,)), (t.clamp_max, (2,))):
            with pytest.raises(RuntimeError):
                function(x, *bounds, out=t.empty(2, dtype=t.float64))
            assert function(x, *map(t.tensor, bounds), out=t.empty(2, dtype=t.float64)).tolist() == [1.0, 1.0]


def test_an_out_of_another_shape_keeps_its_memory():
    results = []
    for t in (lamina, torch):
        whole = t.zeros(3, 4)
        with pytest.warns(UserWarning, match=r"since it had shape \[2, 4\], which does not match the required output shape \[3\]"):
            t.add(t.ones(3), 1, out=whole[1:])
        part = whole[2:]
        with pytest.warns(UserWarning, match="was resized"):
            t.exp(t.zeros(50), out=part)
        results.append((whole[1].tolist(), tuple(part.shape), part.tolist()))  # of a memory too short, ours is a longer copy
    assert results[0] == results[1]


def test_an_operand_is_not_resized():
    for t in (lamina, torch):
        x = t.ones(3)
        with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
            t.add(x, t.ones(2, 3), out=x)
        assert x.tolist() == [1.0, 1.0, 1.0]


WITH_ORDER = (
    "sin(x", "sigmoid(x", "add(x, x[:1]", "where(x > 0, x, x * 2", "cumsum(x, 1", "sum(x, 1", "amax(x, 2, keepdim=True", "lerp(x, x, 0.5",
    "softmax(x, 1", "cat([x, x], 1", "stack([x, x], 1", "index_select(x, 1, t.tensor([0])", "matmul(x, x", "tril(x", "fft.fft(x", "kron(x, x", "diff(x", "std(x, 0",  # noqa: E501
    "linalg.inv(x + 5 * t.eye(4)", "linalg.matrix_power(x, 2", "permute_copy(x, (1, 0, 2, 3)", "logsumexp(x, 2", "gather(x, 1, x.long() * 0", "clamp(x, 0, 1", "signbit(x",  # noqa: E501
    "round(x, decimals=1", "mean(x, 3", "cumprod(x, 0", "logcumsumexp(x, 1", "renorm(x, 2, 0, 1.0", "take(x, x.long() * 0", "neg(x", "var(x, 1, keepdim=True",  # noqa: E501
)  # fmt: skip


@pytest.mark.parametrize("call", WITH_ORDER)
def test_an_out_without_items_takes_the_order_in_memory(call, backend):
    strides = []
    for t in (lamina, torch):
        x = t.arange(96.0).reshape(2, 4, 4, 3)[..., :1].expand(-1, -1, -1, 4).contiguous(memory_format=t.channels_last) / 96
        result = eval(f"t.{call})", {"t": t, "x": x})
        strides.append(eval(f"t.{call}, out=out)", {"t": t, "x": x, "out": t.empty(0, dtype=result.dtype)}).stride())
    assert strides[0] == strides[1]


def test_truth_is_written_to_booleans_or_bytes():
    for t in (lamina, torch):
        for function in (t.any, t.all):
            assert function(t.ones(2), out=t.empty((), dtype=t.uint8)).dtype == t.uint8
            with pytest.raises(RuntimeError, match="only supports bool tensor for result"):
                function(t.ones(2), 0, out=t.empty(()))


def test_joined_parts_are_cast_to_another_dtype():
    for t in (lamina, torch):
        for function in (t.cat, t.stack, t.hstack, t.vstack):
            out = t.empty(0, dtype=t.float64)
            assert function([t.ones(2), t.zeros(2)], out=out) is out and out.dtype == t.float64
            with pytest.raises(TypeError):
                function([t.ones(2), t.zeros(2)], out=t.empty(0, dtype=t.int64))


def test_an_out_without_gradients_to_flow():
    for t in (lamina, torch):
        w = t.ones(2, requires_grad=True)
        assert t.eq(w, 1, out=t.zeros(2, dtype=t.bool)).tolist() == [True, True]
        with t.no_grad():
            t.add(t.ones(1), 1, out=w[:1])
            t.cumsum(t.ones(2), 0, out=w)
        assert w.tolist() == [1.0, 2.0] and w.requires_grad
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            t.sin(w, out=t.empty(2))


def test_sums_and_products_are_computed_in_the_dtype_of_out():
    for t in (lamina, torch):
        x = t.tensor([2.0, 3.0, 0.5])
        for function in (t.sum, t.prod, t.cumsum, t.cumprod):
            results = [function(x, 0, out=t.empty(0, dtype=dtype)) for dtype in (t.int64, t.float64)]
            assert [r.dtype for r in results] == [t.int64, t.float64] and results[0].tolist() == function(x, 0, dtype=t.int64).tolist()
        assert t.prod(t.tensor([True, False]), 0, out=t.empty((), dtype=t.bool)).item() is False
        assert t.mean(t.tensor([1.0, 1.0, 3.5]), 0, out=t.empty((), dtype=t.float64)).item() == 5.5 / 3


@pytest.mark.parametrize("shape", [(0,), (3,)], ids=["empty", "of the result's shape"])
@pytest.mark.parametrize("out", ["complex64", "complex128", "float16", "float32", "float64", "int64"])
@pytest.mark.parametrize("source", ["complex64", "complex128", "float32"])
def test_a_modulus_goes_into_real_numbers_and_into_complex_ones_of_its_operand(source, out, shape):
    found = []
    for lib in (torch, lamina):
        given, place = lib.tensor([3, -4, 0]).to(getattr(lib, source)), lib.empty(shape, dtype=getattr(lib, out))
        try:
            assert lib.abs(given, out=place) is place
        except RuntimeError:
            found.append(None)
        else:
            found.append((str(place.dtype).rpartition(".")[2], place.tolist()))
    assert found[0] == found[1]
