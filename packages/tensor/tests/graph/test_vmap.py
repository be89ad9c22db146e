"""vmap: the function runs once, and gradients inside of it, outside of it and across it are those of a loop."""

import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError, DeviceError, ShapeError, count_ops
from lamina_flatarray import float64 as f64
from lamina_tensor.transforms.func import grad, jacfwd, jacrev, jvp, vjp
from lamina_tensor.transforms.mapping.vmap import vmap


def rows(seed=0):
    lt.manual_seed(seed)
    return lt.randn(5, 3, dtype=f64)


def close(a, b):
    assert a.shape == b.shape
    assert lt.allclose(a, b, rtol=1e-12, atol=1e-12)


def test_the_function_runs_once_and_so_do_its_kernels():
    calls = []

    def function(x):
        calls.append(x.shape)
        return (x.sin() * x).sum()

    x = rows()
    with count_ops() as one:
        function(x[0])
    with count_ops() as mapped:
        vmap(function)(x)
    assert calls == [(3,), (3,)]
    assert mapped == one


def test_gradients_for_each_slice():
    w, x = rows(1)[:3], rows()

    def loss(w, x):
        return ((w @ x).tanh() ** 2).sum()

    close(vmap(grad(loss), (None, 0))(w, x), lt.stack([grad(loss)(w, row) for row in x]))


def test_gradients_through_vmap_to_what_was_mapped_and_to_what_was_not():
    w = rows(1)[:3].requires_grad_()
    x = rows().requires_grad_()
    found = vmap(lambda row: (w @ row).exp() * row)(x)
    weights = rows(2)
    (found * weights).sum().backward()
    by_loop = (lt.stack([(w @ row).exp() * row for row in x]) * weights).sum()
    for ours, theirs in zip((w.grad, x.grad), lt.grad(by_loop, (w, x)), strict=True):
        close(ours, theirs)


def test_second_gradients_through_vmap():
    x = rows().requires_grad_()
    w = rows(1)[0].requires_grad_()

    def double(f):
        (g,) = lt.grad(f().sum(), x, create_graph=True)
        return lt.grad((g * g).sum(), (x, w))

    ours = double(lambda: vmap(lambda row: (row * w).exp())(x))
    theirs = double(lambda: (x * w).exp())
    for a, b in zip(ours, theirs, strict=True):
        close(a, b)


def test_nested_with_gradients_on_every_floor():
    x, y = rows(), rows(1)

    def product(a, b):
        return (a * b).sum().sin()

    found = vmap(lambda a: vmap(lambda b: grad(product)(a, b))(y))(x)
    close(found, lt.stack([lt.stack([grad(product)(a, b) for b in y]) for a in x]))
    outer = grad(lambda x: vmap(lambda a: vmap(lambda b: grad(product)(a, b).sum())(y))(x).sum())(x)
    close(outer, grad(lambda x: sum(grad(product)(a, b).sum() for a in x for b in y))(x))


def test_jvp_and_vjp_inside():
    x, t = rows(), rows(1)
    f = lambda v: v.exp() * v.sum()
    close(vmap(lambda a, b: jvp(f, (a,), (b,))[1])(x, t), lt.stack([jvp(f, (a,), (b,))[1] for a, b in zip(x, t, strict=True)]))
    close(vmap(lambda a, b: vjp(f, a)[1](b)[0])(x, t), lt.stack([vjp(f, a)[1](b)[0] for a, b in zip(x, t, strict=True)]))


def test_jacobians_take_one_pass():
    f = lambda v: (v.exp() * v.sum(), v[:2] ** 2)
    x = rows()[0]
    whole = jacrev(f)(x)
    for pieces in (jacrev(f, chunk_size=2)(x), jacfwd(f)(x)):
        for a, b in zip(whole, pieces, strict=True):
            close(a, b)
    with count_ops() as few:
        jacrev(lambda v: v.exp().sin())(lt.ones(3, dtype=f64))
    with count_ops() as many:
        jacrev(lambda v: v.exp().sin())(lt.ones(300, dtype=f64))
    assert sum(few.values()) == sum(many.values())


def test_the_graph_of_a_mapped_function_can_be_followed_later_and_twice():
    w = rows(1)[0].requires_grad_()
    first = vmap(lambda row: (row * w).sum())(rows())
    second = vmap(lambda row: (row - w).sum())(rows(2))  # another level, perhaps over the same tables
    (a,) = lt.grad(first.sum(), w, retain_graph=True)
    (b,) = lt.grad(second.sum(), w)
    close(a, rows().sum(0))
    close(b, lt.full((3,), -5.0, dtype=f64))
    close(lt.grad(first.sum(), w)[0], a)
    x = rows()
    inside = vmap(lambda scale: lt.grad(vmap(lambda row: (row * w * scale).sum())(x).sum(), w)[0])(lt.ones(2, dtype=f64))
    close(inside, lt.stack([a, a]))


def test_writes_in_place():
    x = rows()

    def function(row):
        made = lt.zeros_like(row)
        made[0] = row.sum()
        made[1:] += row[:2]
        return made.mul_(row)

    close(vmap(function)(x), lt.stack([function(row) for row in x]))
    y = x.clone()
    vmap(lambda row: row.add_(1))(y)
    close(y, x + 1)
    shared = lt.zeros(3, dtype=f64)
    with pytest.raises(ShapeError, match="same for all slices"):
        vmap(lambda row: shared.add_(row))(x)
    watched = (rows().requires_grad_() * 1)
    with pytest.raises(AutogradError, match="clone"):
        vmap(lambda row: row.add_(1))(watched)


def test_dims_trees_and_chunks():
    x, s = rows(), lt.arange(5.0, dtype=f64)

    def function(pair, scale=None):
        return {"sum": pair["a"] + pair["b"], "scaled": pair["a"] * scale}

    arguments = {"a": x, "b": s}
    whole = vmap(function, ({"a": 0, "b": 0},), {"sum": 1, "scaled": -1})(arguments, scale=s)
    assert whole["sum"].shape == (3, 5)
    close(whole["scaled"], (x * s[:, None]).T)
    for size in (1, 2, 5, 7):
        pieces = vmap(function, ({"a": 0, "b": 0},), {"sum": 1, "scaled": -1}, chunk_size=size)(arguments, scale=s)
        for key in whole:
            close(pieces[key], whole[key])
    assert vmap(lambda row: (row, lt.ones(2)), out_dims=(0, None))(x)[1].shape == (2,)


def test_errors():
    x = rows()
    with pytest.raises(DeviceError, match="cannot be read"):
        vmap(lambda row: row if row.sum() > 0 else -row)(x)
    with pytest.raises(DeviceError, match="cannot be read"):
        vmap(lambda row: row * row.sum().item())(x)
    with pytest.raises(ShapeError, match="same size in the mapped dimension"):
        vmap(lambda a, b: a + b)(x, x[:2])
    with pytest.raises(ShapeError, match="no dimension"):
        vmap(lambda a: a, None)(x)
    with pytest.raises(ValueError, match="only return Tensors"):
        vmap(lambda a: 1.0)(x)
    with pytest.raises(ValueError, match="out_dim is None"):
        vmap(lambda a: a, out_dims=None)(x)
    with pytest.raises(RuntimeError, match="backward"):
        w = lt.ones(3, dtype=f64, requires_grad=True)
        vmap(lambda a: (a * w).sum().backward())(x)


def test_a_batch_prints_the_items_of_all_slices():
    texts = []
    vmap(lambda row: vmap(lambda item: [texts.append(repr(row)), texts.append(repr(item))] and item)(row))(lt.ones(2, 1))
    assert texts == [
        "BatchedTensor(lvl=1, bdim=0, value=tensor([[1.],\n        [1.]]))",
        "BatchedTensor(lvl=2, bdim=0, value=BatchedTensor(lvl=1, bdim=0, value=tensor([[1.],\n        [1.]])))",
    ]


@pytest.mark.parametrize("op", ["cat", "stack", "hstack", "vstack", "dstack", "column_stack"])
@pytest.mark.parametrize("gather", [tuple, list])
def test_what_is_joined_may_be_of_all_slices(op, gather):
    """Batches beside what is the same for all slices, in a tuple or a list, also where gradients are wanted."""
    join, same = getattr(lt, op), lt.arange(4.0)
    for rows in (lt.arange(12.0).reshape(3, 4), lt.ones(3, 4, requires_grad=True)):
        for pick in (lambda x: (x, x), lambda x: (x, same), lambda x: (same, x)):
            mapped = vmap(lambda x, pick=pick: join(gather(pick(x))))(rows)
            assert lt.equal(mapped, lt.stack([join(gather(pick(row))) for row in rows]))
            assert mapped.requires_grad is rows.requires_grad
