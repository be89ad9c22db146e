"""Losses of classes: each team, smoothing and reductions over many rows; targets that are ignored, and that are no class."""

import numpy as np
import pytest
from against_reference import assert_as_reference, placed

from lamina_flatarray import IndexOutOfRange
from lamina_testkit.placement import read

U = 2.0**-24
RNG = np.random.default_rng(6)
NO_CLASS = -100


def scores(*shape):
    return RNG.normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(("shape", "axis", "team"), [((300, 10), 1, "alone"), ((5, 40, 7), 1, "warps"), ((3, 2000), 1, "blocks")])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [True, False])
def test_cross_entropy_and_its_gradient(cuda, shape, axis, team, reduction, smoothing, weighted):
    """Losses are below 20 and weights below 2: each is off by some u of 40, their sum by as many more as there are."""
    x, classes, rows = scores(*shape), shape[axis], (*shape[:axis], *shape[axis + 1 :])
    target = RNG.integers(0, classes, rows)
    target.reshape(-1)[[0, -1]] = NO_CLASS
    weight = RNG.uniform(0.5, 2, classes).astype(np.float32) if weighted else None
    losses = rows if reduction == "none" else ()
    params = {"axis": axis, "ignored": NO_CLASS, "reduction": reduction}
    bound = 40 * U * 8 * (target.size if reduction == "sum" else 1)
    results = [(losses, "float32"), (rows, "float64")]
    _, logs = assert_as_reference(cuda, "cross_entropy", [x, target, weight], results, [bound, 100 * U], smoothing=smoothing, **params)
    assert cuda.port.launches == ([team] if reduction == "none" else [team, "join_losses"])
    gradient = scores(*losses)
    bound = 40 * U * np.abs(gradient).max()
    for given in (logs, None):
        inputs = [gradient, x, target, weight, given]
        assert_as_reference(cuda, "cross_entropy_gradient", inputs, [(shape, "float32")], [bound], smoothing=smoothing, **params)
    bound = 40 * U * (target.size if reduction == "sum" else 1)
    assert_as_reference(cuda, "nll_loss", [x, target, weight], [(losses, "float32")], [bound], **params)
    inputs = [gradient, target, weight]
    bound = 8 * U * np.abs(gradient).max()
    assert_as_reference(cuda, "nll_loss_gradient", inputs, [(shape, "float32")], [bound], classes=classes, **params)


@pytest.mark.parametrize("op", ["cross_entropy", "nll_loss"])
@pytest.mark.parametrize("wrong", [7, -1])
def test_a_target_that_is_no_class_is_refused(cuda, op, wrong):
    x, target = placed(cuda, scores(4, 7)), placed(cuda, np.array([0, 1, wrong, 2]))
    losses, logs = placed(cuda, np.zeros(4, np.float32)), placed(cuda, np.zeros(4))
    params = {"axis": 1, "ignored": NO_CLASS, "reduction": "none"}
    with pytest.raises(IndexOutOfRange, match=f"{op}.*7 classes"):
        if op == "nll_loss":
            cuda.kernel(op)(losses, x, target, None, **params)
        else:
            cuda.kernel(op)((losses, logs), x, target, None, smoothing=0.0, **params)
        cuda.synchronize(0)
    assert np.isfinite(read(losses)).all()


def test_the_mean_of_no_target_is_nan(cuda):
    x, target = placed(cuda, scores(4, 7)), placed(cuda, np.full(4, NO_CLASS))
    loss = placed(cuda, np.zeros((), np.float32))
    cuda.kernel("nll_loss")(loss, x, target, None, axis=1, ignored=NO_CLASS, reduction="mean")
    assert np.isnan(read(loss))
