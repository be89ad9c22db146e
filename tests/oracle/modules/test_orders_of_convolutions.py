"""In which order in memory convolutions and their gradients lie, for operands of every mix of orders: as in PyTorch."""

from itertools import permutations, product

import pytest
import torch

import lamina

IMAGES = [
    ((2, 4, 5, 6), (6, 4, 2, 3), {}), ((2, 4, 5, 6), (6, 4, 1, 1), {}), ((2, 4, 5, 6), (4, 1, 2, 3), {"groups": 4}),
    ((1, 4, 5, 6), (6, 4, 2, 3), {"stride": 2}), ((2, 1, 5, 6), (6, 1, 2, 3), {"padding": 1}), ((2, 4, 5, 6), (1, 4, 2, 3), {}),
]  # fmt: skip
SEQUENCES = [
    ((2, 4, 5), (6, 4, 2), {}), ((2, 4, 5), (6, 4, 1), {}), ((2, 1, 5), (6, 1, 2), {}), ((1, 4, 5), (6, 4, 2), {}),
    ((2, 4, 1), (6, 4, 1), {}), ((2, 4, 5), (1, 4, 3), {}), ((2, 4, 5), (4, 1, 2), {"groups": 4}),
]  # fmt: skip
IMAGE_ORDERS = {
    "rows": lambda t, x: x,
    "channels": lambda t, x: x.contiguous(memory_format=t.channels_last),
    "columns": lambda t, x: x.mT.contiguous().mT,
}


@pytest.fixture(autouse=True)
def threads():
    """With one thread, PyTorch computes small images in another way, which leaves gradients of 1x1 filters row-major."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def in_order(x, order):
    return x.permute(order).contiguous().permute(sorted(range(len(order)), key=lambda dim: order[dim]))


def strides(function, t, x, weight, ordered, **numbers):
    """Of the result and the gradients of both operands, where that of the result lies in this order."""
    operands = x.requires_grad_(), weight.requires_grad_()
    result = function(*operands, **numbers)
    gradients = t.autograd.grad(result, operands, ordered(t.ones(result.shape)))
    return [y.stride() for y in (result, *gradients)]


@pytest.mark.parametrize("name", ["conv2d", "conv_transpose2d"])
@pytest.mark.parametrize("case", IMAGES, ids=str)
def test_images(name, case):
    shape, filters, numbers = case
    if name != "conv2d":  # of as many channels as the weight has first
        shape = (shape[0], filters[0], *shape[2:])

    def of(t, orders):
        of_x, of_weight, of_gradient = (IMAGE_ORDERS[order] for order in orders)
        x, weight = of_x(t, t.ones(shape)), of_weight(t, t.ones(filters))
        return strides(getattr(t.nn.functional, name), t, x, weight, lambda g: of_gradient(t, g), **numbers)

    for orders in product(IMAGE_ORDERS, repeat=3):
        assert of(lamina, orders) == of(torch, orders), orders


@pytest.mark.parametrize("last", [False, True])
def test_volumes(last):
    def of(t):
        x, weight = t.ones(2, 3, 4, 5, 6), t.ones(4, 3, 2, 2, 2)
        x = x.contiguous(memory_format=t.channels_last_3d) if last else x
        return strides(t.nn.functional.conv3d, t, x, weight, lambda g: g)

    assert of(lamina) == of(torch)


@pytest.mark.parametrize("name", ["conv1d", "conv_transpose1d"])
@pytest.mark.parametrize("case", SEQUENCES, ids=str)
def test_sequences(name, case):
    shape, filters, numbers = case
    if name != "conv1d":
        shape = (shape[0], filters[0], shape[2])

    def of(t, orders):
        x, weight = in_order(t.ones(shape), orders[0]), in_order(t.ones(filters), orders[1])
        return strides(getattr(t.nn.functional, name), t, x, weight, lambda g: in_order(g, orders[2]), **numbers)

    for orders in product(permutations(range(3)), permutations(range(3)), [(0, 1, 2), (0, 2, 1)]):
        assert of(lamina, orders) == of(torch, orders), orders


@pytest.mark.parametrize("case", IMAGES, ids=str)
def test_gradients_as_functions(case):
    """They know one operand, and lie as it does."""
    shape, filters, numbers = case

    def of(t, orders):
        x, weight, gradient = (IMAGE_ORDERS[order] for order in orders)
        x, weight = x(t, t.ones(shape)), weight(t, t.ones(filters))
        gradient = gradient(t, t.ones(t.nn.functional.conv2d(x, weight, **numbers).shape))
        of_input = t.nn.grad.conv2d_input(shape, weight, gradient, **numbers)
        return of_input.stride(), t.nn.grad.conv2d_weight(x, filters, gradient, **numbers).stride()

    for orders in product(IMAGE_ORDERS, repeat=3):
        assert of(lamina, orders) == of(torch, orders), orders


@pytest.mark.parametrize("case", SEQUENCES, ids=str)
def test_gradients_of_sequences_as_functions(case):
    shape, filters, numbers = case

    def of(t, orders):
        x, weight = in_order(t.ones(shape), orders[0]), in_order(t.ones(filters), orders[1])
        gradient = in_order(t.ones(t.nn.functional.conv1d(x, weight, **numbers).shape), orders[2])
        of_input = t.nn.grad.conv1d_input(shape, weight, gradient, **numbers)
        return of_input.stride(), t.nn.grad.conv1d_weight(x, filters, gradient, **numbers).stride()

    for orders in product(permutations(range(3)), permutations(range(3)), [(0, 1, 2), (0, 2, 1)]):
        assert of(lamina, orders) == of(torch, orders), orders


def test_gradients_with_a_history_lie_so_too():
    def of(t):
        x, weight = t.ones(2, 4, 5, 6, requires_grad=True), t.ones(6, 4, 2, 3).contiguous(memory_format=t.channels_last).requires_grad_()
        result = t.nn.functional.conv2d(x, weight)
        gradients = t.autograd.grad(result.sum(), (x, weight), create_graph=True)
        again = t.autograd.grad(gradients[1].square().sum(), x)[0]
        return [y.stride() for y in gradients], again.tolist()

    assert of(lamina) == of(torch)
