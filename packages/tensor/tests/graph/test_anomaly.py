"""Errors of backward passes name the node; in anomaly mode they say where it was made, and nothing of it stays behind."""

import inspect
import threading

import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError, NotFinite
from lamina_flatarray.backends import kernel_table as table
from lamina_flatarray.modes import word
from lamina_tensor.autograd.debugging.anomaly import (
    detect_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_detect_anomaly,
)
from lamina_tensor.autograd.saving import saved_tensors_hooks
from lamina_tensor.transforms.function import Function


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    assert not word.get() and table.wrappers == []
    assert not is_anomaly_enabled()


def line():
    """The caller's line."""
    return inspect.currentframe().f_back.f_lineno


def in_a_thread(function):
    """What a function gives in another thread."""
    seen = []
    thread = threading.Thread(target=lambda: seen.append(function()))
    thread.start()
    thread.join()
    return seen[0]


def notes(error):
    return "\n".join(error.value.__notes__)


def anomalies(check_nan=True):
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        return detect_anomaly(check_nan)


def test_an_error_in_backward_names_the_node_and_its_shapes():
    class Failing(Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum(0)

        @staticmethod
        def backward(ctx, g):
            raise ValueError("not today")

    x = lt.ones(2, 3, requires_grad=True)
    y = Failing.apply(x)
    with pytest.raises(ValueError, match="not today") as caught:
        y.sum().backward()
    assert caught.value.__notes__ == ["in the backward pass, at FailingBackward: float32[3] of float32[2, 3]"]
    assert notes(caught).count("in the backward pass") == 1


def test_one_of_several_results_is_named_by_its_op():
    _, s, _ = lt.zeros(2, 2, requires_grad=True).svd()
    assert s.grad_fn.name() == "SvdBackward0" or s.grad_fn.name() == "LinalgSvdBackward0"


def test_nan_is_found_and_placed():
    x = lt.tensor([-1.0, 4.0], requires_grad=True)

    def root(x):
        return x.sqrt()

    with anomalies():
        y = root(x)
        at = line() - 1
        with pytest.raises(RuntimeError, match=r"^Function 'SqrtBackward0' returned nan values in its 0th output\.") as caught:
            y.sum().backward()
    assert isinstance(caught.value, NotFinite)
    assert "SqrtBackward0 was recorded here" in notes(caught)
    inner, outer = notes(caught).index("return x.sqrt()"), notes(caught).index(f'test_anomaly.py", line {at}, in test_nan')
    assert outer < inner
    assert "lamina_tensor" not in notes(caught).replace("lamina_tensor/tests", "")


def test_nan_is_found_in_what_was_recorded_before():
    x = lt.tensor([-1.0], requires_grad=True)
    y = x.sqrt().sum()
    with anomalies():
        with pytest.raises(NotFinite) as caught:
            y.backward(retain_graph=True)
        assert "recorded here" not in notes(caught)
    y.backward()  # no hook was left on the nodes
    assert x.grad.isnan().all()


def test_nan_is_let_through_on_demand():
    x = lt.tensor([-1.0], requires_grad=True)
    with anomalies(check_nan=False):
        x.sqrt().sum().backward()
    assert x.grad.isnan().all()


def test_second_gradients_are_searched():
    x = lt.tensor([0.0], requires_grad=True)
    with anomalies():
        (g,) = lt.grad((x**1.5).sum(), x, create_graph=True)
        assert g.tolist() == [0.0]
        with pytest.raises(NotFinite, match=r"returned nan values"):
            lt.grad((g * lt.tensor([float("nan")])).sum(), x)


@pytest.mark.parametrize("change", ["add_", "setitem", "view", "out"])
def test_what_changed_a_saved_value_is_placed(change):
    x = lt.tensor([1.0, 2.0], requires_grad=True)
    with anomalies():
        y = x.exp()
        z = y * y
        with lt.no_grad():
            match change:
                case "add_":
                    y.add_(1)
                    at = line() - 1
                case "setitem":
                    y[0] = 3
                    at = line() - 1
                case "view":
                    y.detach()[1:].mul_(2)
                    at = line() - 1
                case "out":
                    lt.add(x, x, out=y)
                    at = line() - 1
        with pytest.raises(AutogradError, match="modified by an inplace operation") as caught:
            z.sum().backward()
    assert f"[float32 (2,)] was changed in place at {__file__}:{at}" in notes(caught)
    assert notes(caught).count("was changed in place") == 1
    assert "z = y * y" in notes(caught)


def test_without_anomaly_mode_the_error_says_how_to_find_the_place():
    x = lt.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y * y
    y.add_(1)
    with pytest.raises(AutogradError) as caught:
        z.sum().backward()
    assert "set_detect_anomaly(True)" in notes(caught)


def test_switching():
    assert not is_anomaly_enabled()
    set_detect_anomaly(True, check_nan=False)
    assert is_anomaly_enabled() and not is_anomaly_check_nan_enabled()
    with anomalies():
        assert is_anomaly_check_nan_enabled()
        with set_detect_anomaly(False):
            assert not is_anomaly_enabled()
        assert in_a_thread(is_anomaly_enabled)
    assert is_anomaly_enabled() and not is_anomaly_check_nan_enabled()
    set_detect_anomaly(False)
    assert is_anomaly_check_nan_enabled()


@pytest.mark.parametrize("hooks_first", [True, False])
def test_it_and_hooks_of_saved_values_stand_together(hooks_first):
    x, packed = lt.tensor([2.0], requires_grad=True), []
    hooks = saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v)
    entered = [hooks, anomalies()] if hooks_first else [anomalies(), hooks]
    with entered[0]:
        with entered[1]:
            y = x.exp()
        z = y.exp()
    assert len(packed) == (2 if hooks_first else 1)
    z.sum().backward()
    assert x.grad.tolist() == pytest.approx([float((lt.tensor(2.0).exp().exp() * lt.tensor(2.0).exp()).item())])


def test_it_is_on_in_all_threads():
    def trained():
        x = lt.zeros(1, requires_grad=True)
        with pytest.raises(NotFinite):
            (x.sqrt() * x).sum().backward()
        return x.grad

    with set_detect_anomaly(True):
        assert in_a_thread(trained) is None
        x = lt.ones(1, requires_grad=True)
        y = x.exp()
        z = y * y
        in_a_thread(lambda: y.detach().add_(1))
        with pytest.raises(AutogradError) as caught:
            z.sum().backward()
        assert "was changed in place at" in notes(caught)
    assert not in_a_thread(is_anomaly_enabled)


def test_another_thread_may_switch_it_off():
    set_detect_anomaly(True)
    in_a_thread(lambda: set_detect_anomaly(False))
    assert not is_anomaly_enabled() and table.wrappers == []
    lt.ones(1, requires_grad=True).exp()  # whose node is the last that is looked at
    assert not word.get()


@pytest.mark.parametrize("arguments", [(1,), (None,), (True, 1)])
def test_it_wants_bools(arguments):
    with pytest.raises(TypeError, match="must be bool"):
        set_detect_anomaly(*arguments)
    assert not is_anomaly_enabled()
