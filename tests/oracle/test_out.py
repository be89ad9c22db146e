"""`out=` over PyTorch's op database: where PyTorch writes a result, lamina writes the same one, and gives that very tensor back."""

import warnings
from itertools import islice

import op_database
import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db

import lamina

DTYPES = ("float64", "int64", "bool", "complex128")
SAMPLES = 6
NOT_ASKED = {"equal", "histogramdd", "fft.ihfft2", "fft.ihfftn"}  # PyTorch takes none, or gives it another shape than the result's
NO_ARGUMENT = {"avg_pool2d", "avg_pool3d", "linear", "logsigmoid", "softshrink", "gelu", "softplus"}  # nor is it documented


def _entries():
    for info in op_db:
        if info.supports_out and op_database.exists(info.name) and info.name not in NOT_ASKED:
            name = info.name.removeprefix("nn.functional.")
            if name == info.name or name not in NO_ARGUMENT:
                yield pytest.param(info, id=f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}")


def _samples(info):
    for dtype in DTYPES:
        if getattr(torch, dtype) in info.dtypes:
            torch.manual_seed(0)
            yield from islice(info.sample_inputs_func(info, "cpu", getattr(torch, dtype), False), SAMPLES)


def _several(result):
    return result if isinstance(result, (tuple, list)) else (result,)


def _call(function, library, convert, sample, out):
    library.manual_seed(0)
    args = [convert(x) for x in (sample.input, *sample.args)]
    return function(*args, **{name: convert(value) for name, value in sample.kwargs.items()}, **out)


def _same(x, y):
    return x.shape == y.shape and x.dtype == y.dtype and bool(((x == y) | ((x != x) & (y != y))).all())


@pytest.mark.parametrize("info", list(_entries()))
def test_results_are_written_where_the_caller_wants_them(info):
    ours, compared = op_database.counterpart(info), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in _samples(info):
            if "out" in sample.kwargs:
                continue
            try:
                places = [torch.empty(0, dtype=x.dtype) for x in _several(_call(info.op, torch, lambda v: v, sample, {}))]
                theirs = places[0] if len(places) == 1 else tuple(places)
                _call(info.op, torch, lambda v: v, sample, {"out": theirs})
            except Exception:
                continue  # PyTorch takes none here
            wanted = _several(_call(ours, lamina, op_database.to_lamina, sample, {}))
            for shapes in ([(0,)] * len(wanted), [tuple(x.shape) for x in wanted]):
                outs = [lamina.ones(shape, dtype=x.dtype) for shape, x in zip(shapes, wanted, strict=True)]
                result = _call(ours, lamina, op_database.to_lamina, sample, {"out": outs[0] if len(outs) == 1 else tuple(outs)})
                assert all(x is y for x, y in zip(_several(result), outs, strict=True))
                if info.name not in op_database.UNINITIALISED:
                    assert all(map(_same, outs, wanted))
            assert [tuple(x.shape) for x in places] == [tuple(x.shape) for x in outs]
            compared += 1
    assert compared


def test_memory_that_holds_something_keeps_its_shape():
    """PyTorch warns, and gives it another one; it says that it will not for ever."""
    x, out = lamina.ones(2, 3), lamina.zeros(4)
    for write in (lambda: lamina.exp(x, out=out), lambda: lamina.sum(x, 0, out=out), lambda: lamina.cumsum(x, 0, out=out)):
        with pytest.raises(RuntimeError, match="shape"):
            write()
    assert out.tolist() == [0, 0, 0, 0]
