"""Targets that are no class are refused by name on every backend, with a weight or without, while functions are mapped, too."""

import pytest

import lamina_ndarray as nd
from lamina_flatarray import IndexOutOfRange
from lamina_ndarray.batching import enter, opened
from lamina_ndarray.layers import class_losses

SCORES = nd.asarray([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0], [2.0, 2.0, 0.0, 0.0]])


def entropy(scores, target, weight, reduction):
    return class_losses.cross_entropy(scores, target, weight, 1, 0.0, -7, reduction)


def entropy_gradient(scores, target, weight, reduction):
    gradient = nd.ones(target.shape if reduction == "none" else ())
    return class_losses.cross_entropy_gradient(gradient, scores, target, weight, None, 1, 0.0, -7, reduction)


def likelihood(scores, target, weight, reduction):
    return class_losses.nll_loss(scores, target, weight, 1, -7, reduction)


def likelihood_gradient(scores, target, weight, reduction):
    gradient = nd.ones(target.shape if reduction == "none" else ())
    return class_losses.nll_loss_gradient(gradient, target, weight, 1, 4, -7, reduction)


def margins(scores, target, weight, reduction):
    return class_losses.multi_margin_loss(scores, target, weight, 1, 1.0, reduction)


def margins_gradient(scores, target, weight, reduction):
    gradient = nd.ones(target.shape if reduction == "none" else ())
    return class_losses.multi_margin_loss_gradient(gradient, scores, target, weight, 2, 1.0, reduction)


FUNCTIONS = [entropy, entropy_gradient, likelihood, likelihood_gradient]
OF_ALL_TARGETS = [margins, margins_gradient]  # none is ignored


@pytest.mark.parametrize("function", [*FUNCTIONS, *OF_ALL_TARGETS])
@pytest.mark.parametrize("bad", [-1, -4, 4, 2**62])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_a_target_that_is_no_class(function, bad, weighted, reduction):
    weight, other = nd.ones((4,)) if weighted else None, -7 if function in FUNCTIONS else 1
    with pytest.raises(IndexOutOfRange, match=f"Target {bad} is out of bounds; there are 4 classes"):
        function(SCORES, nd.asarray([0, other, bad]), weight, reduction)
    function(SCORES, nd.asarray([0, other, 3]), weight, reduction)


@pytest.mark.parametrize("function", [entropy, likelihood])
@pytest.mark.parametrize("bad", [-1, 4])
def test_a_target_that_is_no_class_slice_by_slice(function, bad):
    with opened(2) as level:
        target = enter(nd.asarray([[0, 1, 2], [0, bad, -7]]), 0, level)
        with pytest.raises(IndexOutOfRange, match=f"Target {bad} is out of bounds"):
            function(SCORES, target, None, "none")
