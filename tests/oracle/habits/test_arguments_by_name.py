"""Arguments that programs seldom give, or by name: what PyTorch makes of them, and which it refuses."""

import io
import pickle
import types

import pytest
import torch

import lamina


def _made(library, program):
    """What a program makes, as text; else the class of PyTorch's error that it raises."""
    library.manual_seed(0)
    try:
        return str(program(library)).replace("lamina.", "torch.")
    except (TypeError, ValueError, RuntimeError) as error:
        return next(kind for kind in (TypeError, ValueError, RuntimeError) if isinstance(error, kind))


PROGRAMS = {
    "rrelu of a generator": lambda t: t.rrelu(-t.ones(4), 0.1, 0.9, True, t.Generator().manual_seed(3)),
    "rrelu_ of a generator": lambda t: t.rrelu_(-t.ones(4), 0.1, 0.9, True, t.Generator().manual_seed(3)),
    "threshold into out": lambda t: t.threshold(x := t.arange(4.0), 1, 7, out=x),
    "hardshrink into out": lambda t: t.hardshrink(x := t.arange(4.0), 2, out=x),
    "hardshrink of layers into out": lambda t: t.nn.functional.hardshrink(x := t.arange(4.0), 2, out=x),
    "fftfreq without distance": lambda t: t.fft.fftfreq(4, 0.0, out=t.empty(4)),
    "fftfreq of a negative 0": lambda t: t.fft.fftfreq(3, -0.0),
    "rfftfreq without distance": lambda t: t.fft.rfftfreq(4, 0.0, out=t.empty(3)),
    "rfftfreq of nothing": lambda t: t.fft.rfftfreq(0),
    "dim_order": lambda t: t.ones(2, 3).t().dim_order(ambiguity_check=True),
    "dim_order of length 1": lambda t: t.ones(2, 1).dim_order(ambiguity_check=True),
    "dim_order of one format": lambda t: t.ones(2, 1, 1).dim_order(ambiguity_check=[t.contiguous_format, t.channels_last]),
    "dim_order of two formats": lambda t: t.ones(2, 3, 1, 1).dim_order(ambiguity_check=[t.contiguous_format, t.channels_last]),
    "dim_order of no format": lambda t: t.ones(2, 1).dim_order(ambiguity_check=[]),
    "dim_order of strides of 0": lambda t: t.ones(2).expand(3, 2).dim_order(ambiguity_check=True),
    "dim_order of a number": lambda t: t.ones(2).dim_order(ambiguity_check=3),
    "result_type by name": lambda t: t.result_type(scalar=1.0, tensor=t.ones(2).long()),
    "result_type of numbers": lambda t: t.result_type(scalar1=1, scalar2=2.0),
    "result_type of one": lambda t: t.result_type(t.ones(2)),
    "broadcast_to of lengths": lambda t: t.ones(2).broadcast_to(3, 2),
    "resize_ by name": lambda t: t.arange(4).resize_(size=(2, 2)),
    "new of a tensor": lambda t: t.ones(2).new(other=t.zeros(2)),
    "new of lengths": lambda t: t.ones(2).new(size=(3,)).shape,
    "new of two": lambda t: t.ones(2).new([1.0], data=[2.0]),
    "a device by name": lambda t: t.device(device="cpu"),
    "a whole network by name": lambda t: t.gru(
        input=t.ones(2, 1, 2), hx=t.zeros(1, 1, 3), params=t.nn.GRU(2, 3)._flat_weights, has_biases=True, num_layers=1,
        dropout=0.0, train=False, bidirectional=False, batch_first=False,
    )[0].shape,
    "a packed network by name": lambda t: t.lstm(
        t.ones(2, 2), t.tensor([1, 1]), [t.zeros(1, 1, 3)] * 2, t.nn.LSTM(2, 3)._flat_weights, True, num_layers=1, dropout=0.0,
        train=False, bidirectional=False,
    )[0].shape,
    "a network by another name": lambda t: t.gru(data=t.ones(2, 2), batch_first=True),
    "autocast by name": lambda t: [t.set_autocast_enabled(enabled=False), t.is_autocast_enabled()],
    "a mode and options": lambda t: t.compile(len, mode="default", options={}),
    "no such mode": lambda t: t.compile(len, mode="fastest"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_arguments(name):
    assert _made(lamina, PROGRAMS[name]) == _made(torch, PROGRAMS[name])


@pytest.mark.parametrize("lower", ["float16", "bfloat16"])
def test_products_of_16_bits_in_float32(lower):
    # PyTorch has these on GPUs only; there as here the factors are exact in float32.
    a, b = (lamina.rand(2, n, m).to(getattr(lamina, lower)) for n, m in ((3, 4), (4, 5)))
    wide = a.float() @ b.float()
    assert lamina.equal(lamina.bmm(a, b, lamina.float32), wide)
    assert lamina.equal(lamina.mm(a[0], b[0], out_dtype=lamina.float32), wide[0])
    for sum_dtype in (a.dtype, lamina.float32):
        ones = lamina.ones(5, dtype=sum_dtype)
        assert lamina.equal(lamina.addmm(ones, a[0], b[0], lamina.float32), lamina.addmm(ones.float(), a[0].float(), b[0].float()))
        assert lamina.equal(lamina.baddbmm(ones, a, b, lamina.float32), lamina.baddbmm(ones.float(), a.float(), b.float()))
    with pytest.raises(RuntimeError, match="out_dtype must be the same"):
        lamina.mm(a[0], b[0], out_dtype=lamina.float64)


def test_only_pickle_may_be_named():
    for library, other in ((lamina, torch), (torch, lamina)):
        file = io.BytesIO()
        library.save({"x": library.ones(2)}, file, pickle, 2, _disable_byteorder_record=True)
        file.seek(0)
        assert other.load(file, None, None, weights_only=True)["x"].tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="pickle_module"):
        lamina.load(file, None, pickle, weights_only=True)
    with pytest.raises(ValueError, match="pickle_module"):
        lamina.load(file, None, types.ModuleType("dill"))
    with pytest.raises(ValueError, match="pickle_module"):
        lamina.save(1, io.BytesIO(), types.ModuleType("dill"))
    with pytest.raises(TypeError, match="encodings"):
        lamina.load(file, encodings="latin1")
