"""`torch.signal.windows` over PyTorch's database: values, dtypes and errors; and what the database leaves out."""

import pytest
import torch
from databases import op_database, op_errors
from torch.testing._internal.opinfo.definitions import signal

import lamina

INFOS = {info.name: info for info in signal.op_db}
NAMES = torch.signal.windows.__all__
MORE = {"general_cosine": {"a": [0.5, 0.3, 0.2]}}


@pytest.mark.parametrize("name", INFOS)
def test_over_the_database(name):
    assert op_database.check_values(INFOS[name], "float32") + op_database.check_values(INFOS[name], "float64") > 10
    assert op_errors.check_errors(INFOS[name]) >= 2


def test_every_window_of_pytorch_is_there():
    assert sorted(lamina.signal.windows.__all__) == sorted(NAMES)
    assert {f"signal.windows.{name}" for name in NAMES} == INFOS.keys()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("length", [0, 1, 2, 3, 64])
def test_every_length_symmetric_and_periodic(name, sym, length):
    windows = (getattr(library.signal.windows, name)(length, sym=sym, **MORE.get(name, {})) for library in (lamina, torch))
    ours, theirs = windows
    torch.testing.assert_close(op_database.to_torch(ours), theirs, rtol=3e-5, atol=3e-6)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_can_be_wanted(name):
    window = getattr(lamina.signal.windows, name)(5, requires_grad=True, dtype=lamina.float64, **MORE.get(name, {}))
    assert window.requires_grad and window.dtype is lamina.float64


@pytest.mark.parametrize("call", [
    lambda w: w.hann(-1), lambda w: w.hann(3.5), lambda w: w.hann("3"), lambda w: w.general_cosine(5, a=3),
    lambda w: w.general_cosine(5, a=[]), lambda w: w.kaiser(5, beta=-1), lambda w: w.gaussian(5, std=0),
    lambda w: w.exponential(5, tau=0), lambda w: w.exponential(5, center=1), lambda w: w.general_cosine(5),
])  # fmt: skip
def test_what_is_refused(call):
    with pytest.raises((TypeError, ValueError)) as theirs:
        call(torch.signal.windows)
    with pytest.raises(theirs.type):
        call(lamina.signal.windows)
