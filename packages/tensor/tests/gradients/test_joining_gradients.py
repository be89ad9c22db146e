"""Gradients through what joins tensors: each part of the result's goes to the tensor that it came from."""

import pytest

import lamina_tensor as lt
from lamina_tensor.transforms.gradcheck import gradcheck, gradgradcheck

SHAPES = {"hstack": [(3,), (2,)], "vstack": [(3,), (2, 3)], "dstack": [(3,), (1, 3, 2)], "column_stack": [(3,), (3, 2)]}


@pytest.mark.parametrize("name", SHAPES)
def test_each_part_goes_back_where_it_came_from(name):
    tensors = [lt.arange(float(lt.ones(shape).numel())).reshape(shape).requires_grad_() for shape in SHAPES[name]]
    made = getattr(lt, name)(tensors)
    plain = getattr(lt, name)([t.detach() for t in tensors])
    assert made.tolist() == plain.tolist() and not plain.requires_grad
    weights = lt.arange(float(made.numel())).reshape(made.shape)
    (made * weights).sum().backward()
    with lt.no_grad():  # what is joined alike lies where its items went
        marks = getattr(lt, name)([lt.full(t.shape, float(i)) for i, t in enumerate(tensors)])
    for i, t in enumerate(tensors):
        assert sorted(t.grad.reshape(-1).tolist()) == sorted(weights[marks == i].tolist())


@pytest.mark.parametrize("join", [lt.cat, lt.stack, lt.hstack])
def test_one_tensor_twice_has_the_sum_and_the_seed_is_left_as_it_was(join):
    x = lt.ones(3, requires_grad=True)
    made = join([x, x])
    seed = lt.arange(6.0).reshape(made.shape)
    made.backward(seed)
    assert x.grad.tolist() == [3, 5, 7] and seed.reshape(-1).tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gradients_of_gradients(axis):
    x, y = (lt.ones(2, 2, dtype="float64", requires_grad=True) for _ in range(2))
    assert gradcheck(lambda a, b: lt.cat([a, b * a], axis), (x, y))
    assert gradgradcheck(lambda a, b: lt.stack([a, b * a], axis), (x, y))


@pytest.mark.parametrize("op", ["cat", "stack", "hstack", "vstack"])
def test_named_results_are_joined_as_other_tuples_are(op):
    x = lt.arange(6.0).reshape(2, 3).requires_grad_()
    joined = getattr(lt, op)(lt.aminmax(x, dim=1))
    joined.sum().backward()
    assert x.grad.tolist() == [[1, 0, 1], [1, 0, 1]]
