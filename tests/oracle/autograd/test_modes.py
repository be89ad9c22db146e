"""Gradient modes and defaults as PyTorch has them: decorators of functions, generators and classes, nesting, threads."""

import threading
import warnings

import pytest
import torch

import lamina


def states(t):
    return (t.is_grad_enabled(), t.is_inference_mode_enabled())


def managers(t):
    off, on = lambda: t.set_grad_enabled(False), lambda: t.set_grad_enabled(True)
    return [t.no_grad, t.enable_grad, t.inference_mode, lambda: t.inference_mode(False), off, on]


def nesting(t):
    seen = []
    for outer in managers(t):
        for inner in managers(t):
            with outer():
                seen.append(states(t))
                try:
                    with inner():
                        seen.append(states(t))
                        raise KeyError
                except KeyError:
                    seen.append(states(t))
            seen.append(states(t))
    return seen


def functions(t):
    seen = []
    for make in managers(t):

        @make()
        def look(x, *, again=True):
            """Its text."""
            seen.append((x, states(t)))
            if again:
                look(x + 1, again=False)
            return states(t)

        look(0)
        seen.append((look.__name__, look.__doc__, states(t)))

    @t.no_grad
    def without_parentheses():
        return states(t)

    @t.inference_mode
    def nor_here():
        return states(t)

    class Holder:
        @t.no_grad()
        def method(self):
            return states(t)

    return [*seen, without_parentheses(), nor_here(), Holder().method(), states(t)]


def generators(t):
    seen = []
    for make in managers(t):

        @make()
        def numbers():
            for i in range(3):
                seen.append(states(t))
                try:
                    got = yield i
                    seen.append((got, states(t)))
                except ValueError:
                    seen.append(("thrown", states(t)))
            return "end"

        generator = numbers()
        seen.append((next(generator), states(t)))
        seen.append((generator.send("a"), states(t)))
        seen.append((generator.throw(ValueError()), states(t)))
        try:
            next(generator)
        except StopIteration as stop:
            seen.append((stop.value, states(t)))
        other = numbers()
        next(other)
        other.close()
        seen.append((list(numbers()), states(t)))
    return seen


def classes(t):
    seen = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        @t.no_grad()
        class Thing:
            def __init__(self, x):
                seen.append((x, states(t)))

            def method(self):
                return states(t)

    return [type(Thing(1)).__name__, Thing(2).method(), seen, [w.category.__name__ for w in caught]]


def set_for_good(t):
    seen = [states(t)]
    t.set_grad_enabled(False)
    seen.append(states(t))
    decorated = t.set_grad_enabled(True)(lambda: states(t))
    seen += [states(t), decorated(), states(t)]
    with t.set_grad_enabled(True):
        seen.append(states(t))
    seen.append(states(t))
    t.set_grad_enabled(mode=True)
    return [*seen, states(t)]


def set_again(t):
    """At the end of a block recording is as it was at the call, wherever the block begins, and however often."""
    seen = []

    def look(label=None):
        seen.append((label, t.is_grad_enabled()))

    off = t.set_grad_enabled(False)
    seen.append((off.mode, off.prev))
    t.set_grad_enabled(True)
    for _ in range(2):
        with off:
            look("within")
        look("after")
    with off, off:
        look("twice within")
    look("twice left")
    with t.no_grad():
        on = t.set_grad_enabled(True)
        look("on")
    look("without no_grad")
    with on:
        look("on again")
    look("as it was at the call")
    t.set_grad_enabled(True)
    left = t.set_grad_enabled(False)
    left.__exit__(None, None, None)
    look("left, and not entered")
    with t.set_grad_enabled(False):
        t.set_grad_enabled(True)
        look("changed within")
    look("all left")
    for mode in (0, 1, None, "a", t.tensor(True)):
        try:
            t.set_grad_enabled(mode)
        except TypeError:
            look("refused")
    thread = threading.Thread(target=lambda: (look("thread"), t.set_grad_enabled(False), look("off in the thread")))
    thread.start()
    thread.join()
    look("here")
    return seen


def anomalies(t):
    """`set_detect_anomaly` takes effect at the call, in all threads; its block restores what was there before the call."""
    seen, switch = [], t.autograd.set_detect_anomaly

    def look():
        seen.append((t.is_anomaly_enabled(), t.is_anomaly_check_nan_enabled()))

    def in_a_thread(function):
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()

    on = switch(True, False)
    look()
    in_a_thread(look)
    for _ in range(2):
        with on:
            look()
        look()
    switch(True)
    with switch(False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        look()
        with t.autograd.detect_anomaly():
            look()
        look()
        switch(True, False)
    look()
    in_a_thread(lambda: switch(False))
    look()
    for arguments in ((1,), (None,), (True, 1)):
        try:
            switch(*arguments)
        except TypeError:
            look()
    before = switch(True)
    seen.append((before.prev, before.prev_check_nan, callable(before)))
    in_a_thread(lambda: before.__exit__(None, None, None))
    look()
    return seen


def threads(t):
    seen = []

    def look():
        seen.append((states(t), str(t.get_default_device()), t.get_default_dtype() is t.float64))

    with t.no_grad(), t.device("cpu"):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    return seen


@pytest.mark.parametrize("program", [nesting, functions, generators, classes, set_for_good, set_again, anomalies, threads])
def test_gradient_modes(program):
    assert program(lamina) == program(torch)


def default_dtypes(t):
    seen = []
    try:
        for set_to in (
            lambda: t.set_default_dtype(t.float64),
            lambda: t.set_default_dtype(t.float16),
            lambda: t.set_default_tensor_type(t.DoubleTensor),
            lambda: t.set_default_tensor_type("torch.FloatTensor"),
            lambda: t.set_default_dtype(t.int64),
            lambda: t.set_default_tensor_type(t.LongTensor),
            lambda: t.set_default_tensor_type("nothing"),
        ):
            try:
                set_to()
            except (TypeError, ImportError):
                seen.append("refused")
            made = [t.tensor(1.0), t.zeros(1), t.arange(0.0, 2), t.tensor([1, 2]) / 2, t.Tensor([1]), t.randn(2), t.eye(2)]
            made += [t.full((1,), 2.0)] if t.get_default_dtype() is t.float16 else [t.tensor(1j)]  # there is no complex32
            seen.append([str(x.dtype).rpartition(".")[2] for x in made])
    finally:
        t.set_default_dtype(t.float32)
    return seen


@pytest.mark.filterwarnings("ignore")
def test_the_default_dtype():
    assert default_dtypes(lamina) == default_dtypes(torch)


def default_devices(t):
    seen = [str(t.get_default_device())]
    with t.device("cpu") as device:
        seen.append((repr(device), str(t.zeros(1).device)))
        with t.device("cpu"):
            pass
        seen.append(str(t.get_default_device()))
    t.set_default_device("cpu")
    seen.append((str(t.tensor([1]).device), t.get_default_device() == t.device("cpu")))
    t.set_default_device(None)
    return seen


def test_the_default_device():
    assert default_devices(lamina) == default_devices(torch)
