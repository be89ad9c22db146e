"""Names that few programs call: copies of views, over PyTorch's op database; `range`, and `logit` cut at more than a half."""

import itertools

import ml_dtypes  # noqa: F401  NumPy knows bfloat16 by its name then
import numpy as np
import pytest
import torch
from databases import op_database, op_errors
from torch.testing._internal.common_methods_invocations import op_db

import lamina

INFOS = {
    f"{info.name}.{info.variant_test_name}".rstrip("."): info
    for info in op_db
    if info.name.endswith("_copy") and info.name != "index_copy"
}
DTYPES = (*op_database.DTYPES, *op_database.OTHER_DTYPES)
VALUES = [(name, dtype) for name, info in INFOS.items() for dtype in DTYPES if op_database.serves(info, dtype)]
DIFFERENTIABLE = [name for name, info in INFOS.items() if info.supports_autograd]


@pytest.mark.parametrize(("name", "dtype"), VALUES)
def test_values(name, dtype):
    assert op_database.check_values(INFOS[name], dtype) > 0


WITH_ERRORS = [name for name, info in INFOS.items() if info.error_inputs_func and name != "narrow_copy"]  # that one's are narrow's


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_errors(name):
    assert op_errors.check_errors(INFOS[name]) > 0


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    info, compared = INFOS[name], 0
    for sample in itertools.islice(op_database.seeded(info.sample_inputs_func(info, "cpu", torch.float64, True)), 12):
        gradients = []
        for library, function, convert in ((torch, info.op, lambda v: v), (lamina, op_database.counterpart(info), op_database.to_lamina)):
            x = convert(sample.input.detach()).requires_grad_()
            args = [convert(v.detach() if isinstance(v, torch.Tensor) else v) for v in sample.args]
            params = {k: convert(v) for k, v in sample.kwargs.items()}
            results = function(x, *args, **params)
            results = results if isinstance(results, (tuple, list)) else (results,)
            weights = [library.arange(1, r.numel() + 1, dtype=library.float64).reshape(r.shape) for r in results]
            sum((r * w).sum() for r, w in zip(results, weights, strict=True)).backward()
            gradients.append(op_database.to_torch(x.grad) if library is lamina else x.grad)
        torch.testing.assert_close(gradients[1], gradients[0], equal_nan=True)
        compared += 1
    assert compared


COPIES = {
    "select_copy": (0, 1), "slice_copy": (1, 0, 3, 2), "split_copy": (2, 1), "view_as_real_copy": (), "view_as_complex_copy": (),
    "detach_copy": (), "view_copy": ((2, 6),), "as_strided_copy": ((2, 2), (1, 3), 1), "unbind_copy": (1,), "t_copy": (),
}  # fmt: skip


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_dense_and_share_nothing(name):
    shown = []
    for library in (torch, lamina):
        kind = library.complex64 if name == "view_as_real_copy" else library.float32
        x = library.arange(12).to(kind).reshape(4, 3) if name != "view_as_complex_copy" else library.ones(4, 2)
        x = x if name == "view_as_complex_copy" else x.t()
        results = getattr(library, name)(x.contiguous() if name in ("view_copy", "as_strided_copy") else x, *COPIES[name])
        results = results if isinstance(results, tuple) else (results,)
        shown.append([(r.tolist(), tuple(r.shape), tuple(r.stride()), str(r.dtype)[-7:]) for r in results])
        before = x.tolist()
        for r in results:
            r.zero_()
        assert x.tolist() == before
        outs = [library.empty_like(r) for r in results]
        returned = getattr(library, name)(x.contiguous(), *COPIES[name], out=outs if len(outs) > 1 else outs[0])
        assert (returned is None) if len(outs) > 1 else (returned is outs[0])
        shown.append([out.tolist() for out in outs])
    assert shown[:2] == shown[2:]


@pytest.mark.filterwarnings("ignore:.*range")
@pytest.mark.parametrize("dtype", [None, "int64", "float64", "bfloat16"])
@pytest.mark.parametrize("bounds", [(1, 4), (4, 1, -1), (1, 4, 2), (1, 4, 0), (4, 1), (0.5, 3), (0, 1, 0.1), (0, float("inf"))])
def test_range(bounds, dtype):
    if dtype == "int64" and 0 < bounds[-1] < 1:
        pytest.skip("PyTorch divides by 0 there")
    found = []
    for lib in (torch, lamina):
        try:
            made = lib.range(*bounds, dtype=dtype and getattr(lib, dtype))
            found.append((made.tolist(), str(made.dtype).partition(".")[2]))
        except RuntimeError:
            found.append("refused")
    assert found[0] == found[1]


def test_range_wants_an_end():
    for lib in (torch, lamina):
        with pytest.raises(TypeError, match="range\\(\\) missing 1 required positional argument"):
            lib.range(4)


@pytest.mark.parametrize("eps", [0.1, 0.5, 0.6, 1.5])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logit_is_cut_from_below_first(eps, dtype):
    found = []
    for lib in (torch, lamina):
        x = lib.tensor([0.1, 0.45, 0.5, 0.55, 0.9, 0.0, 1.0], dtype=getattr(lib, dtype), requires_grad=True)
        y = lib.logit(x, eps)
        y.sum().backward()
        found.append((y.tolist(), x.grad.tolist()))
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=8 * np.finfo(dtype).eps, atol=8 * np.finfo(dtype).eps)
