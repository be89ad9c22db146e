"""What PyTorch reads by a view, and refuses where no view can: as in PyTorch."""

from itertools import permutations

import pytest
import torch

import lamina


def lbfgs(t, parameter, gradient):
    parameter = parameter.requires_grad_()
    parameter.grad = gradient
    t.optim.LBFGS([parameter], max_iter=1).step(lambda: 1.0)


def images(t):
    return t.ones(2, 3, 2, 2).contiguous(memory_format=t.channels_last)


CASES = {
    "local_response_norm": lambda t: t.nn.functional.local_response_norm(t.ones(2, 3, 4, 5, 6).mT, 2),
    "local_response_norm, integers": lambda t: t.nn.functional.local_response_norm(t.ones(2, 3, 4, 5, 6).long().mT, 2),
    "LocalResponseNorm": lambda t: t.nn.LocalResponseNorm(2)(t.ones(2, 3, 4, 5, 6).mT),
    "local_response_norm of six dims": lambda t: t.nn.functional.local_response_norm(t.ones(2, 3, 2, 2, 2, 3).mT, 2),
    "take_along_dim": lambda t: t.ones(2, 3).t().take_along_dim(t.tensor([[0, 1, 5]])),
    "take_along_dim, indices": lambda t: t.ones(3, 2).take_along_dim(t.tensor([[0, 1, 5], [2, 3, 4]]).t()),
    "parameters_to_vector": lambda t: t.nn.utils.parameters_to_vector([t.ones(2), t.ones(2, 3).t()]),
    "parameters_to_vector, images": lambda t: t.nn.utils.parameters_to_vector([images(t)]),
    "LBFGS": lambda t: lbfgs(t, t.ones(2, 3).t(), t.ones(2, 3).t()),
    "LBFGS, gradient": lambda t: lbfgs(t, t.ones(2, 3), t.ones(3, 2).t()),
    "orthogonal_": lambda t: t.nn.init.orthogonal_(t.ones(4, 2, 3).mT),
    "orthogonal_, images": lambda t: t.nn.init.orthogonal_(images(t)),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name):
    for t in (torch, lamina):
        with pytest.raises(RuntimeError, match="at least one dimension spans across two contiguous subspaces"):
            CASES[name](t)


TAKEN = {
    "take_along_dim of every other item": lambda t: t.ones(6)[::2].take_along_dim(t.tensor([[0, 1, 2]])),
    "take_along_dim of a number": lambda t: t.tensor(3.0).take_along_dim(t.tensor(0)),
    "parameters_to_vector of a number": lambda t: t.nn.utils.parameters_to_vector([t.tensor(1.0), t.ones(2)[::2]]),
    "LBFGS": lambda t: lbfgs(t, t.ones(2, 3).t(), t.ones(3, 2)),
    "LBFGS without gradient": lambda t: lbfgs(t, t.ones(2, 3).t(), None),
    "orthogonal_": lambda t: t.nn.init.orthogonal_(t.ones(3, 4).t()).shape,
    "orthogonal_ of three dims": lambda t: t.nn.init.orthogonal_(t.ones(2, 4, 3).permute(1, 0, 2)[..., :1]).shape,
}


@pytest.mark.parametrize("name", TAKEN)
def test_taken(name):
    results = [TAKEN[name](t) for t in (lamina, torch)]
    observed, expected = (result.tolist() if hasattr(result, "tolist") else result for result in results)
    assert observed == expected


def test_local_response_norm_of_every_order():
    def strides(t, order):
        try:
            return t.nn.functional.local_response_norm(t.ones(2, 3, 4, 5, 6).permute(order), 2).stride()
        except RuntimeError:
            return None

    for order in permutations(range(5)):
        assert strides(lamina, order) == strides(torch, order), order
