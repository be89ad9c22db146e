"""Medians, modes, k-th values, quantiles, distinct values, counts, cross products and equality against real PyTorch: ties, NaN, strides,
dtypes, and rows so long that they are not sorted as short ones are."""

import numpy as np
import pytest
import torch

import lamina

RNG = np.random.default_rng(3)
SHAPES = ((1,), (7,), (3, 5), (4, 1, 6), (2, 300), (3, 5000))
DTYPES = ("float32", "float64", "int64", "uint8", "float16", "int32")


def items(shape, dtype, missing=False):
    values = RNG.integers(0, 9, shape).astype(dtype)
    if missing and dtype.startswith("float"):
        values[RNG.random(shape) < 0.3] = np.nan
    return values


def both(values):
    return lamina.from_numpy(values), torch.from_numpy(values)


def behind(place, shape, dim):
    return np.broadcast_to(np.arange(shape[dim]).reshape([-1 if d == dim % len(shape) else 1 for d in range(len(shape))]), shape) > place


def assert_same(ours, theirs):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert_same(a, b)
        return
    assert str(ours.dtype).removeprefix("lamina.") == str(theirs.dtype).removeprefix("torch.")
    np.testing.assert_array_equal(ours.numpy(), theirs.numpy())


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["median", "nanmedian", "mode"])
def test_one_item_of_every_row(name, dtype, missing):
    for shape in SHAPES:
        x, y = both(items(shape, dtype, missing and name != "mode"))
        for dim in range(-len(shape), len(shape)):
            for keepdim in (False, True):
                for a, b in ((x, y), (x.transpose(0, -1), y.transpose(0, -1)), (x.flip(0), y.flip(0))):
                    ours, theirs = (getattr(lib, name)(t, dim, keepdim) for lib, t in ((lamina, a), (torch, b)))
                    assert_same(ours.values, theirs.values)
                    place = ours.indices if keepdim else ours.indices.unsqueeze(dim)
                    picked = a.gather(dim, place)
                    assert_same(picked if keepdim else picked.squeeze(dim), theirs.values)
                    if name == "mode":  # the last of equal ones
                        assert not (a == picked).numpy()[behind(place.numpy(), a.shape, dim)].any()
        if name != "mode":
            assert_same(getattr(lamina, name)(x), getattr(torch, name)(y))


def test_the_mode_of_numbers_beside_nan():
    """A NaN equals nothing, so that it is never the most frequent."""
    found = lamina.mode(lamina.tensor([float("nan"), 2.0, float("nan"), 2.0, 1.0]))
    assert (found.values.item(), found.indices.item()) == (2.0, 3)


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_one_quantile(interpolation):
    for missing in (False, True):
        values = RNG.normal(size=(3, 40)).astype("float32")
        values[2, :2] = np.inf, -np.inf
        if missing:
            values[1, 5] = np.nan  # of several, which has the gradient is chance
        for q in (0.0, 0.1, 0.5, 0.999, 1.0):
            for dim in (None, 0, 1):
                grads = []
                for lib in (lamina, torch):
                    x = lib.tensor(values.tolist(), requires_grad=True)
                    found = lib.quantile(x, q, dim, interpolation=interpolation)
                    found.sum().backward()
                    grads.append((found.detach().numpy(), x.grad.numpy()))
                np.testing.assert_allclose(grads[0][0], grads[1][0], rtol=1e-5)
                np.testing.assert_allclose(grads[0][1], grads[1][1], atol=1e-6)


@pytest.mark.parametrize("dtype", [*DTYPES, "bool"])
@pytest.mark.parametrize("name", ["unique", "unique_consecutive"])
def test_each_value_once(name, dtype):
    for shape in ((0,), (1,), (3, 5), (70,), (3, 5000)):
        values = items(shape, dtype)
        x, y = both(values)
        for options in ({}, {"return_inverse": True}, {"return_counts": True}, {"return_inverse": True, "return_counts": True}):
            assert_same(getattr(lamina, name)(x, **options), getattr(torch, name)(y, **options))
        a, b = x.transpose(0, -1), y.transpose(0, -1)
        assert_same(getattr(lamina, name)(a, return_inverse=True), getattr(torch, name)(b, return_inverse=True))


def test_what_is_distinct_has_memory_of_its_own_size():
    found = lamina.unique(lamina.tensor([1, 1, 1, 2, 1, 2]))
    assert found.untyped_storage().nbytes() == 2 * found.element_size()


@pytest.mark.parametrize("size", [0, 1, 10, 3000])
def test_counts(size):
    x, y = both(items((size,), "int64"))
    w, v = both(RNG.normal(size=size).astype("float32"))
    assert_same(lamina.bincount(x), torch.bincount(y))
    assert_same(lamina.bincount(x, minlength=30), torch.bincount(y, minlength=30))
    if size:
        assert_same(lamina.bincount(x, w), torch.bincount(y, v))
        assert_same(lamina.bincount(x.to(lamina.int32)), torch.bincount(y.to(torch.int32)))
        assert_same(lamina.histc(w, 7), torch.histc(v, 7))
    assert_same(lamina.histc(w, 5, -1, 1), torch.histc(v, 5, -1, 1))
    for bins, options in ((4, {"range": (-1.0, 2.0)}), (4, {"range": (-1.0, 2.0), "density": True})):
        if size or not options.get("density"):
            ours, theirs = lamina.histogram(w, bins, **options), torch.histogram(v, bins, **options)
            np.testing.assert_allclose(ours.hist.numpy(), theirs.hist.numpy(), rtol=1e-6)
            np.testing.assert_allclose(ours.bin_edges.numpy(), theirs.bin_edges.numpy(), rtol=1e-6)
    edges = [-2.0, -0.5, 0.25, 1.0]
    weighted = [lib.histogram(a, lib.tensor(edges), weight=a * a).hist.numpy() for lib, a in ((lamina, w), (torch, v))]
    np.testing.assert_allclose(*weighted, rtol=1e-5)


def test_cross_products():
    a, b = (RNG.normal(size=(4, 3)).astype("float32") for _ in range(2))
    for dim, left, right in ((1, a, b), (0, a.T, b.T), (-1, a[:1], b)):
        got = []
        for lib in (lamina, torch):
            x, y = (lib.tensor(v.tolist(), requires_grad=True) for v in (left, right))
            found = lib.linalg.cross(x, y, dim=dim)
            (found * found).sum().backward()
            got.append([t.numpy() for t in (found.detach(), x.grad, y.grad)])
        for ours, theirs in zip(*got, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    x, y = both(RNG.integers(-9, 9, (3, 5)).astype("int32"))
    assert_same(lamina.cross(x, x.flip(1), dim=0), torch.cross(y, y.flip(1), dim=0))
    assert not lamina.cross(lamina.from_numpy(a), lamina.from_numpy(a), dim=1).any()


def test_equality():
    for dtype in (*DTYPES, "bool", "complex64"):
        values = items((3, 2000), dtype)
        x, other = lamina.from_numpy(values), lamina.from_numpy(values.copy())
        assert lamina.equal(x, other)
        assert lamina.equal(x.T, other.T)
        assert not lamina.equal(x, other[:, :1999])
        changed = values.copy()
        changed[2, 1999] = not changed[2, 1999]
        assert not lamina.equal(x, lamina.from_numpy(changed))
        assert not lamina.equal(x.T, lamina.from_numpy(changed).T)
    missing = lamina.tensor([float("nan")])
    assert not lamina.equal(missing, missing)
    assert lamina.equal(lamina.tensor([0.0]), lamina.tensor([-0.0]))
    assert lamina.equal(lamina.tensor([]), lamina.tensor([]))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_binary_parts(dtype):
    info = np.finfo(dtype)
    values = np.array([0, -0.0, 1, -3.5, info.max, info.tiny, info.smallest_subnormal, -np.inf, np.inf, np.nan], dtype)
    x, y = both(np.tile(values, (3, 1)))
    for a, b in ((x, y), (x.T, y.T), (x[0, 3], y[0, 3])):
        assert_same(lamina.frexp(a), torch.frexp(b))


def test_angles_and_steps():
    values = np.array([-2.0, -0.0, 0.0, 3.0, np.nan, -np.inf], "float32")
    x, y = both(values)
    assert_same(lamina.angle(x), torch.angle(y))
    assert_same(lamina.heaviside(x, lamina.tensor([0.5])), torch.heaviside(y, torch.tensor([0.5])))
    for kind in (np.int64, np.uint8, np.bool_):
        a, b = both(np.array([0, 1, 3]).astype(kind))
        assert_same(lamina.angle(a), torch.angle(b))
    c, d = both(np.array([1 + 1j, -2j, -1 + 0j, 0j]))
    np.testing.assert_allclose(lamina.angle(c).numpy(), torch.angle(d).numpy(), rtol=1e-14)
