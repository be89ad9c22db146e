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
SILENT = {"addbmm", "lu", "narrow_copy", "number_mean"}  # PyTorch resizes these without the warning that all its others give
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
                returned = _call(info.op, torch, lambda v: v, sample, {"out": theirs})
            except Exception:
                continue  # PyTorch takes none here
            wanted = _several(_call(ours, lamina, op_database.to_lamina, sample, {}))
            for shapes in ([(0,)] * len(wanted), [tuple(x.shape) for x in wanted]):
                outs = [lamina.ones(shape, dtype=x.dtype) for shape, x in zip(shapes, wanted, strict=True)]
                result = _call(ours, lamina, op_database.to_lamina, sample, {"out": outs[0] if len(outs) == 1 else tuple(outs)})
                assert (result is None) == (returned is None)
                assert result is None or all(x is y for x, y in zip(_several(result), outs, strict=True))
                if info.name not in op_database.UNINITIALISED:
                    assert all(map(_same, outs, wanted))
            assert [tuple(x.shape) for x in places] == [tuple(x.shape) for x in outs]
            compared += 1
    assert compared


@pytest.mark.parametrize("info", list(_entries()))
def test_an_out_of_another_shape_is_resized_with_a_warning(info):
    """Where PyTorch resizes an `out` that has items it warns, and other tensors of that memory see the result if it fits."""
    ours = op_database.counterpart(info)
    for sample in _samples(info):
        if "out" in sample.kwargs:
            continue
        with warnings.catch_warnings(record=True) as theirs_said:
            warnings.simplefilter("always")
            try:
                results = _several(_call(info.op, torch, lambda v: v, sample, {}))
                theirs_said.clear()
                places = [torch.zeros(2, 3, 1, 1, 7, dtype=x.dtype) for x in results]
                _call(info.op, torch, lambda v: v, sample, {"out": places[0] if len(places) == 1 else tuple(places)})
            except Exception:
                continue
        with warnings.catch_warnings(record=True) as we_said:
            warnings.simplefilter("always")
            targets = [lamina.zeros(2, 3, 1, 1, 7, dtype=op_database.to_lamina(x).dtype) for x in places]
            _call(ours, lamina, op_database.to_lamina, sample, {"out": targets[0] if len(targets) == 1 else tuple(targets)})
        assert [tuple(x.shape) for x in targets] == [tuple(x.shape) for x in places]
        assert _resized(we_said) == (len(places) if {info.name, info.variant_test_name} & SILENT else _resized(theirs_said))
        return
    pytest.skip("PyTorch takes no out for any of its samples")


def _resized(said):
    return sum(" resized " in str(warning.message) for warning in said)


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
