"""Function transforms, derivatives at a point, dual numbers and stateless modules: the same as real PyTorch's."""

import numpy as np
import pytest
import torch
import torch.autograd.forward_ad
import torch.autograd.functional
import torch.func

import lamina


def same(ours, theirs, path=""):
    if isinstance(theirs, torch.Tensor):
        assert tuple(ours.shape) == tuple(theirs.shape), path
        assert ours.requires_grad == theirs.requires_grad, path
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-9, atol=1e-12, err_msg=path)
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            same(ours[key], theirs[key], f"{path}.{key}")
    else:
        assert type(ours).__name__ == type(theirs).__name__
        assert len(ours) == len(theirs), path
        for i, (x, y) in enumerate(zip(ours, theirs, strict=True)):
            same(x, y, f"{path}.{i}")


def x_of(t):
    return t.tensor([0.3, -1.2, 2.0], dtype=t.float64)


def rows(t):
    return t.tensor([[0.3, -1.2, 2.0], [1.0, 2.0, 3.0]], dtype=t.float64)


def wave(x):
    return (x.sin() * x.exp()).sum()


def product(t):
    a = t.tensor([[1.0, 2.0, 0.5], [0.1, -0.4, 0.9]], dtype=t.float64)
    return lambda x: a @ (x**3)


def with_outer(t):
    w = t.tensor([1.0, 2.0, 3.0], dtype=t.float64).requires_grad_(True)
    g = t.func.grad(lambda x: (x * x * w).sum())(x_of(t))
    return g, *t.autograd.grad(g.sum(), w)


def pulled(t):
    value, pull = t.func.vjp(product(t), x_of(t))
    return value, pull(t.tensor([1.0, 2.0], dtype=t.float64))


def linear_part(t):
    value, push = t.func.linearize(product(t), x_of(t))
    return value, push(x_of(t)), push(x_of(t) * 2)


def dual(t):
    x = x_of(t)
    with t.autograd.forward_ad.dual_level():
        d = t.autograd.forward_ad.make_dual(x, x * 2)
        return tuple(t.autograd.forward_ad.unpack_dual((d * d).sum() + wave(d)))


def ensemble(t):
    t.manual_seed(0)
    models = [t.nn.Linear(3, 2) for _ in range(3)]
    parameters, _ = t.func.stack_module_state(models)
    return t.func.vmap(lambda p, x: t.func.functional_call(models[0], p, (x,)), in_dims=(0, None))(
        parameters, t.ones(4, 3)
    ).detach()


FUNC = {
    "grad": lambda t: t.func.grad(wave)(x_of(t)),
    "grad of grad": lambda t: t.func.grad(lambda x: t.func.grad(wave)(x)[0])(x_of(t)),
    "grad_and_value": lambda t: t.func.grad_and_value(wave)(x_of(t)),
    "grad of a tree": lambda t: t.func.grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": x_of(t), "b": [x_of(t) * 2]}),
    "jacrev": lambda t: t.func.jacrev(product(t))(x_of(t)),
    "jacfwd": lambda t: t.func.jacfwd(product(t))(x_of(t)),
    "jacfwd twice": lambda t: t.func.jacfwd(t.func.jacfwd(product(t)))(x_of(t)),
    "jacrev of several": lambda t: t.func.jacrev(lambda a, b: (a * b, a @ b), argnums=(0, 1))(x_of(t), x_of(t) * 2),
    "jacfwd of several": lambda t: t.func.jacfwd(lambda a, b: (a * b, a @ b), argnums=(0, 1))(x_of(t), x_of(t) * 2),
    "hessian": lambda t: t.func.hessian(wave)(x_of(t)),
    "hessian of several": lambda t: t.func.hessian(lambda a, b: (a * a * b).sum(), argnums=(0, 1))(x_of(t), x_of(t)),
    "jvp": lambda t: t.func.jvp(product(t), (x_of(t),), (x_of(t) * 2,)),
    "grad of jvp": lambda t: t.func.grad(lambda x: t.func.jvp(lambda y: (y**3).sum(), (x,), (x,))[1])(x_of(t)),
    "grad of jacrev": lambda t: t.func.grad(lambda x: (t.func.jacrev(product(t))(x) ** 2).sum())(x_of(t)),
    "jvp of complex": lambda t: t.func.jvp(
        lambda z: (z * z).exp(), (t.tensor([1 + 2j, 0.5 - 1j]),), (t.tensor([2j, 1.0 + 0j]),)
    ),
    "vjp": pulled,
    "linearize": linear_part,
    "connected to what is outside": with_outer,
    "vmap": lambda t: t.func.vmap(lambda a: (a * x_of(t)).sum())(rows(t)),
    "vmap in_dims": lambda t: t.func.vmap(lambda a, b: a @ b, in_dims=(0, None))(rows(t), x_of(t)),
    "vmap out_dims": lambda t: t.func.vmap(lambda a: (a, {"k": a * 2}), in_dims=1, out_dims=(1, 0))(rows(t)),
    "vmap of grad": lambda t: t.func.vmap(t.func.grad(wave))(rows(t)),
    "vmap twice": lambda t: t.func.vmap(t.func.vmap(lambda a: a * a))(rows(t)),
    "grad of vmap": lambda t: t.func.grad(lambda x: t.func.vmap(lambda a: (a * a).sum())(x).prod())(rows(t)),
    "vmap of a tree": lambda t: t.func.vmap(lambda d, s: d["a"] * s, in_dims=({"a": 0}, None))({"a": rows(t)}, 2.0),
    "vmap of hessian": lambda t: t.func.vmap(t.func.hessian(lambda a: (a**3).sum()))(rows(t)),
    "vmap nested over two": lambda t: t.func.vmap(lambda a: t.func.vmap(lambda b: a * b.sum(), out_dims=1)(rows(t)))(rows(t)),
    "vmap in chunks": lambda t: t.func.vmap(lambda a: a.cumsum(0), out_dims=1, chunk_size=1)(rows(t)),
    "vmap of vjp": lambda t: t.func.vmap(lambda a: t.func.vjp(product(t), a)[1](x_of(t)[:2])[0])(rows(t)),
    "vmap of jvp": lambda t: t.func.vmap(lambda a: t.func.jvp(product(t), (a,), (x_of(t),))[1])(rows(t)),
    "gradients of each sample": lambda t: t.func.vmap(t.func.grad(lambda w, a: (w * a).sin().sum()), (None, 0))(x_of(t), rows(t)),
    "vmap of jacrev in chunks": lambda t: t.func.vmap(t.func.jacrev(product(t), chunk_size=2))(rows(t)),
    "vmap with an in-place op": lambda t: t.func.vmap(lambda a: t.zeros_like(a).copy_(a).mul_(a)[1:])(rows(t)),
    "vmap over no slices": lambda t: t.func.vmap(lambda a: a.exp().sum())(rows(t)[:0]),
    "dual numbers": dual,
    "an ensemble": ensemble,
}


@pytest.mark.parametrize("name", FUNC)
def test_transform(name):
    if name == "an ensemble":
        np.testing.assert_allclose(FUNC[name](lamina).numpy(), FUNC[name](torch).numpy(), rtol=1e-5)
        return
    same(FUNC[name](lamina), FUNC[name](torch))


def two(x, y):
    return x * y[0], (x**2).sum() * y


def number(x, y):
    return (x**3).sum() * (y**2).sum()


def points(t):
    return x_of(t), t.tensor([1.0, 2.0], dtype=t.float64)


FUNCTIONAL = {
    "jacobian": lambda t, f: f.jacobian(lambda x: x.sin() * 2, x_of(t)),
    "jacobian of several": lambda t, f: f.jacobian(two, points(t)),
    "jacobian of several outputs": lambda t, f: f.jacobian(lambda x: (x * 2, x**2), x_of(t)),
    "hessian": lambda t, f: f.hessian(lambda x: (x**3).sum(), x_of(t)),
    "hessian of several": lambda t, f: f.hessian(number, points(t)),
    "vjp": lambda t, f: f.vjp(two, points(t), points(t)),
    "vjp without v": lambda t, f: f.vjp(lambda x: x.sum(), x_of(t)),
    "jvp": lambda t, f: f.jvp(two, points(t), points(t)),
    "vhp": lambda t, f: f.vhp(number, points(t), points(t)),
    "hvp": lambda t, f: f.hvp(number, points(t), points(t)),
}


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_derivative(name):
    same(FUNCTIONAL[name](lamina, lamina.autograd.functional), FUNCTIONAL[name](torch, torch.autograd.functional))


class Halved(lamina.autograd.Function):
    """x squared with half of its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


def test_gradcheck_finds_a_wrong_gradient():
    x = lamina.randn(2, 3, dtype=lamina.float64, requires_grad=True)
    y = lamina.randn(3, dtype=lamina.float64, requires_grad=True)
    assert lamina.autograd.gradcheck(lambda x, y: (x * y).tanh(), (x, y), check_forward_ad=True)
    assert lamina.autograd.gradgradcheck(lambda x, y: (x * y).tanh(), (x, y))
    z = lamina.tensor([1 + 2j, -0.5j], dtype=lamina.complex128, requires_grad=True)
    assert lamina.autograd.gradcheck(lambda z: (z * z).exp(), (z,), check_forward_ad=True)
    assert not lamina.autograd.gradcheck(Halved.apply, (x,), raise_exception=False)
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        lamina.autograd.gradcheck(Halved.apply, (x,))


@pytest.mark.parametrize("t", [lamina, torch])
def test_randomness_under_vmap(t):
    def noisy(x):
        return x + t.rand(2)

    x = t.zeros(3, 2)
    with pytest.raises(RuntimeError, match="randomness"):
        t.func.vmap(noisy)(x)
    same_rows = t.func.vmap(noisy, randomness="same")(x)
    assert bool((same_rows[0] == same_rows[1]).all())
    different = t.func.vmap(noisy, randomness="different")(x)
    assert not bool((different[0] == different[1]).all())


@pytest.mark.parametrize("t", [lamina, torch])
def test_inference_mode(t):
    x = t.ones(2, requires_grad=True)

    @t.inference_mode()
    def doubled(x):
        assert t.is_inference_mode_enabled()
        return x * 2

    assert not doubled(x).requires_grad
    with t.inference_mode(), t.inference_mode(False):
        assert (x * 2).requires_grad
    assert (x * 2).requires_grad


STRICT = {
    "one input unused": lambda t, x, y: x * 2,
    "one input unused, by a number": lambda t, x, y: (x * x).sum(),
    "a constant": lambda t, x, y: t.ones(2),
    "each output of its own input": lambda t, x, y: (x * 2, y * 3),
    "a product": lambda t, x, y: (x * y).sum(),
    "squares": lambda t, x, y: ((x * y) ** 2).sum(),
    "linear": lambda t, x, y: (x + y).sum(),
}


@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"])
@pytest.mark.parametrize("function", STRICT)
def test_what_strict_refuses(function, name):
    """Where an output does not depend on an input, in PyTorch's words; but its `hessian` names the gradient where lamina's
    names the function, and where it refuses a shape, lamina's words are its own."""
    told = []
    for t in (torch, lamina):
        given = (t.ones(2), t.ones(2) * 3)
        out = STRICT[function](t, *given)
        v = {"jacobian": (), "hessian": (), "vjp": (out,)}.get(name, (given,))
        try:
            getattr(t.autograd.functional, name)(lambda *xs, t=t: STRICT[function](t, *xs), given, *v, strict=True)
            told.append("")
        except RuntimeError as error:
            told.append(str(error).split(".")[0])
    theirs, ours = told
    assert bool(ours) == bool(theirs)
    if name != "hessian" and "function given to" not in theirs:
        assert ours == theirs


@pytest.mark.parametrize("create_graph", [False, True])
def test_jacobians_and_hessians_have_items_of_their_own(create_graph):
    for t in (lamina, torch):
        x = t.arange(1.0, 4).requires_grad_()
        for function in (t.autograd.functional.jacobian, t.autograd.functional.hessian):
            result = function(lambda v: v.sum(), x, create_graph=create_graph)
            assert result.is_contiguous() and result.detach().add_(t.ones_like(result)).numel() == 3 ** result.ndim
