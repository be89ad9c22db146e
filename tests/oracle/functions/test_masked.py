"""`torch.masked` over PyTorch's database: values, dtypes and gradients; and what is refused."""

import itertools
import warnings

import pytest
import torch
from databases import op_database
from torch.testing._internal.opinfo.definitions import _masked

import lamina

INFOS = {info.name: info for info in _masked.op_db}
DTYPES = (*op_database.DTYPES, "float16", "uint8", "int8")
CASES = [(name, dtype) for name, info in INFOS.items() for dtype in DTYPES if getattr(torch, dtype) in info.dtypes]
SMOOTH = [name for name in INFOS if name not in ("masked.argmax", "masked.argmin")]
COUNT = 60


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_over_the_database(name, dtype):
    assert op_database.check_values(INFOS[name], dtype)


def test_every_function_of_pytorch_is_there():
    classes = {"MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor"}  # of a class that is no part of lamina
    assert set(lamina.masked.__all__) == set(torch.masked.__all__) - classes
    assert {name.removeprefix("masked.") for name in INFOS} == set(lamina.masked.__all__)


def _gradient(library, function, sample, convert):
    x = convert(sample.input.detach()).requires_grad_()
    result = function(x, *map(convert, sample.args), **{k: convert(v) for k, v in sample.kwargs.items()})
    weights = convert(torch.linspace(1.0, 2.0, result.numel(), dtype=torch.float64)).reshape(tuple(result.shape))
    library.where(library.isfinite(result), result * weights, 0.0).sum().backward()
    return x.grad


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_over_the_database(name):
    info, compared = INFOS[name], 0
    ours = getattr(lamina.masked, name.removeprefix("masked."))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in itertools.islice(op_database.samples(info, "float64"), COUNT):
            expected = _gradient(torch, info.op, sample, lambda v: v)
            observed = op_database.to_torch(_gradient(lamina, ours, sample, op_database.to_lamina))
            certain = expected.isfinite()  # PyTorch's slopes are NaN beside rows of which a mask leaves nothing
            torch.testing.assert_close(observed[certain], expected[certain], rtol=1e-6, atol=1e-9)
            compared += int(certain.any())
    assert compared > 3


def test_what_is_masked_out_has_no_part_in_values_or_gradients():
    x = lamina.tensor([1.0, float("nan"), 3.0, float("inf")], requires_grad=True)
    mask = lamina.tensor([True, False, True, False])
    for name in ("sum", "prod", "mean", "amax", "amin", "var", "std", "logsumexp", "norm", "median"):
        x.grad = None
        result = getattr(lamina.masked, name)(x, dim=0, mask=mask)
        result.backward()
        assert result.isfinite() and x.grad.isfinite().all(), name
        assert x.grad[1] == x.grad[3] == 0, name


@pytest.mark.parametrize("call", [
    lambda t: t.masked.amax(t.ones(2, dtype=t.bool), mask=t.tensor([True, False])),
    lambda t: t.masked.mean(t.ones(2, dtype=t.int64)),
    lambda t: t.masked.sum(t.ones(2, 3), (0, 0)), lambda t: t.masked.sum(t.ones(2, 3), 3), lambda t: t.masked.softmax(t.ones(2), 2),
    lambda t: t.masked.sum(t.ones(2, 3), mask=t.ones(1, 2, 3)), lambda t: t.masked.sum(t.ones(2, 3), mask=t.ones(4)),
    lambda t: t.masked.median(t.ones(2, dtype=t.int64), 0, mask=t.tensor([False, False])),
    lambda t: t.masked.norm(t.ones(2, dtype=t.int64)), lambda t: t.masked.norm(t.ones(2), None),
    lambda t: t.masked.argmax(t.ones(2, 3), (0, 1)),
])  # fmt: skip
def test_what_is_refused(call):
    with pytest.raises((IndexError, RuntimeError, TypeError, ValueError)) as theirs:
        call(torch)
    kind = theirs.type if theirs.type is not RuntimeError else (RuntimeError, TypeError)
    with pytest.raises(kind):
        call(lamina)


@pytest.mark.parametrize("call", [
    lambda t: t.masked.sum(t.ones(2), mask=[True, False]), lambda t: t.masked.sum(3),
    lambda t: t.masked.std(t.ones(2), 0, True, correction=2),
])  # fmt: skip
def test_what_pytorch_trips_over_is_refused_by_name(call):
    with pytest.raises((TypeError, ValueError), match=r"sum|std"):
        call(lamina)
