"""Ctrl-C at each place at which Python lets it in, while a mode is switched on and off: all is as before."""

import sys

import pytest

import lamina_tensor as lt
from lamina_flatarray.modes import FUNCTION_MODES, word
from lamina_flatarray.twins import compiled
from lamina_tensor.autograd.modes import enable_grad, inference_mode, no_grad
from lamina_tensor.dispatch.function_modes import TorchFunctionMode, _in_force
from lamina_tensor.precision.autocasting import autocast
from lamina_tensor.precision.casts import settings
from lamina_tensor.tensor_fields import records
from lamina_tensor.transforms.record import record

pytestmark = pytest.mark.skipif(compiled is None, reason="a method of Python's can be interrupted before its first line")


class Told(TorchFunctionMode):
    def __init__(self):
        self.told = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.told.append(func)
        return func(*args, **(kwargs or {}))


def nested_record():
    with record():
        x = lt.ones(2)
        with record(x) as inner:
            y = (x * 2).sum()
        inner.gradients(y)


def asked():
    with Told() as mode:
        lt.ones(2)
    assert len(mode.told) == 1


def cast():
    x = lt.ones(2, 2)
    with autocast("cpu"):
        x @ x


def gradients():
    x = lt.ones(2)
    with record() as rec:
        y = (x * 2).sum()
    rec.gradients(y).wrt(x)


def switched_on(made):
    def run():
        with made():
            pass

    return run


def interrupted(run, after):
    """Run it with an interrupt where Python would let it in: as a function begins, or after a call of one in C. Whether one came."""
    left = after
    came = False

    def let_in(frame, event, argument):
        nonlocal left, came
        if came or event not in ("call", "c_return") or "lamina_" not in frame.f_code.co_filename:
            return
        left -= 1
        if left < 0:
            came = True
            raise KeyboardInterrupt

    sys.setprofile(let_in)
    try:
        run()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return came


RUNS = {
    "no_grad": switched_on(no_grad), "enable_grad": switched_on(enable_grad), "inference_mode": switched_on(inference_mode),
    "autocast": switched_on(lambda: autocast("cpu")), "autocast off": switched_on(lambda: autocast("cpu", enabled=False)),
    "record": switched_on(record), "records in records": nested_record, "TorchFunctionMode": switched_on(Told),
    "a mode is asked": asked, "an op is cast": cast, "gradients of a record": gradients,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # those that come while a tensor dies
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_all_is_as_before(run):
    run()  # what is made at the first use
    before, after = settings.get(), 0
    while interrupted(run, after):
        assert word.get() == 0
        assert settings.get() is before
        assert records.get() == _in_force.get() == ()
        after += 1
    assert after


def test_regions_around_regions():
    with Told() as outer, Told() as inner, autocast("cpu") as cast:
        assert word.get() & FUNCTION_MODES
        lt.ones(2)
        with cast:  # entered again before it was left
            assert settings.get().nesting == 2
        assert settings.get().nesting == 1
    assert len(inner.told) == len(outer.told) == 1
    assert word.get() == 0


def test_left_more_often_than_entered():
    with pytest.raises(IndexError):
        autocast("cpu").__exit__(None, None, None)
    assert word.get() == 0
