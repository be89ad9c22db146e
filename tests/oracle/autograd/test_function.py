"""Ops that users write: each program gives the same in both libraries."""

import numpy as np
import pytest
import torch

import lamina


def x_of(t):
    return t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=True)


def pair(t):
    return (
        t.tensor([1.0, -2.0], dtype=t.float64, requires_grad=True),
        t.tensor([3.0, 4.0], dtype=t.float64, requires_grad=True),
    )


def two_results(t):
    class Two(t.autograd.Function):
        @staticmethod
        def forward(a, b, k):
            return a * b * k, a + b, a > 0

        @staticmethod
        def setup_context(ctx, inputs, output):
            a, b, ctx.k = inputs
            ctx.save_for_backward(a, b)
            ctx.mark_non_differentiable(output[2])

        @staticmethod
        def backward(ctx, g, h, _):
            a, b = ctx.saved_tensors
            return g * b * ctx.k + h, g * a * ctx.k + h, None

    return Two


def saving_a_result(t):
    class Exp(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    x = x_of(t)
    y = Exp.apply(x)
    (g,) = t.autograd.grad(y.sum(), x, create_graph=True)
    return y, g, *t.autograd.grad((g * g).sum(), x)


def both_results(t):
    a, b = pair(t)
    p, q, m = two_results(t).apply(a, b, 2.0)
    assert not m.requires_grad
    return t.autograd.grad((p * p).sum() + q.sum(), (a, b))


def one_of_the_results(t):
    a, b = pair(t)
    return t.autograd.grad((two_results(t).apply(a, b, 2.0)[1] ** 2).sum(), (a, b))


def second_gradients(t):
    a, b = pair(t)
    p, _, _ = two_results(t).apply(a, b, 2.0)
    g = t.autograd.grad((p * p).sum(), (a, b), create_graph=True)
    return t.autograd.grad((g[0] * g[1]).sum(), (a, b))


def dirty(t):
    class Doubled(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = x_of(t)
    w = x * 1
    v = w[0:1]
    assert Doubled.apply(w) is w
    return t.autograd.grad((w * w).sum() + v.sum(), x)


def returning_its_input(t):
    class Same(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = x_of(t)
    y = Same.apply(x)
    assert y is not x
    return t.autograd.grad(y.sum(), x)


@pytest.mark.parametrize(
    "program",
    [saving_a_result, both_results, one_of_the_results, second_gradients, dirty, returning_its_input],
)
def test_program(program):
    for ours, theirs in zip(program(lamina), program(torch), strict=True):
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("t", [lamina, torch])
def test_bad_backwards_are_named(t):
    class Wrong(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, many):
            ctx.many = many
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return (g, None, None, g) if ctx.many else (g[:1].expand(3), None)

    with pytest.raises(RuntimeError, match="returned an incorrect number of gradients"):
        Wrong.apply(x_of(t), True).sum().backward()
    with pytest.raises(RuntimeError, match="returned an invalid gradient at index 0 - got"):
        Wrong.apply(x_of(t), False).sum().backward()


@pytest.mark.parametrize("t", [lamina, torch])
def test_saved_tensors_are_watched(t):
    class Square(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    x = x_of(t) * 1
    y = Square.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    y = Square.apply(x_of(t))
    y.sum().backward()
    with pytest.raises(RuntimeError, match="a second time"):
        y.sum().backward()


def _cube(t, rules):
    """x cubed with rules of its own for forward mode and `vmap`; what is called is noted."""

    class Cube(t.autograd.Function):
        @staticmethod
        def forward(x, scale):
            return x**3 * scale

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])
            ctx.save_for_forward(inputs[0])
            ctx.scale = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return 3 * ctx.saved_tensors[0] ** 2 * g * ctx.scale, None

        @staticmethod
        def jvp(ctx, tangent, _):
            rules.append("jvp")
            return 3 * ctx.saved_tensors[0] ** 2 * tangent * ctx.scale

        @staticmethod
        def vmap(info, in_dims, x, scale):
            rules.append(("vmap", info.batch_size, info.randomness, in_dims))
            return Cube.apply(x, scale), in_dims[0]

    return Cube.apply


def _answers(t):
    rules = []
    cube = _cube(t, rules)
    x = t.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]], dtype=t.float64)
    value, tangent = t.func.jvp(lambda v: cube(v, 2.0), (x[0],), (t.ones(2, dtype=t.float64),))
    mapped = t.func.vmap(lambda v: cube(v, 2.0))(x)
    slopes = t.func.vmap(t.func.grad(lambda v: cube(v, 2.0).sum()))(x)
    how = next(rule for rule in rules if rule != "jvp")
    return [*(found.tolist() for found in (value, tangent, mapped, slopes)), how, "jvp" in rules]


def test_rules_of_its_own_for_forward_mode_and_vmap():
    assert _answers(lamina) == _answers(torch)


def test_without_rules_of_its_own_it_is_mapped_and_pushed_forward_all_the_same():
    class Square(lamina.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * ctx.saved_tensors[0] * g

    x = lamina.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=lamina.float64)
    assert lamina.func.vmap(lamina.func.grad(lambda v: Square.apply(v).sum()))(x).tolist() == (2 * x).tolist()
    assert lamina.func.jvp(Square.apply, (x,), (x,))[1].tolist() == (2 * x * x).tolist()
