"""`lamina.testing` gives PyTorch's verdict and PyTorch's words, and draws PyTorch's tensors."""

import itertools

import numpy as np
import pytest
import torch

import lamina

DTYPES = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int64", "int8", "uint8", "bool")
SETTINGS = [
    {}, {"equal_nan": True}, {"rtol": 0.0, "atol": 0.0}, {"rtol": 0.1, "atol": 0.0}, {"rtol": 0.0, "atol": 0.5},
    {"check_dtype": False}, {"check_stride": True},
]  # fmt: skip
BASE = [0.0, 1.0, -2.0, 100.0]
STEPS = [0.0, 1e-9, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-3, 1e-2, 0.3, 1.0]


def kit_values(dtype):
    """Pairs of lists of items: near each other, far apart, and not finite."""
    made = [([x + step for x in BASE], BASE) for step in STEPS]
    made += [([x * (1 + step) for x in BASE], BASE) for step in STEPS]
    made += [([], []), ([1.0], [1.0, 2.0])]
    if dtype not in ("int64", "int8", "uint8", "bool"):
        odd = [float("nan"), float("inf"), -float("inf"), 0.0]
        made += [([a], [b]) for a, b in itertools.product(odd, odd)] + [([float("nan"), 1.0], [float("nan"), 3.0])]
    return made


def both(items, dtype, shape):
    """The same tensor in both libraries."""
    values = np.array(items, np.float64).reshape(shape)
    theirs = torch.from_numpy(values.copy())
    kind = getattr(torch, dtype)
    theirs = (theirs % 50).abs().to(kind) if dtype in ("uint8", "int8") else theirs.to(kind)
    wide = theirs.to(torch.complex128 if kind.is_complex else torch.float64).numpy()
    return lamina.tensor(wide, dtype=getattr(lamina, dtype)), theirs


def verdict(assertion, *args, **settings):
    """The built-in class of the error and its text, or nothing."""
    try:
        assertion(*args, **settings)
    except (AssertionError, ValueError, TypeError) as error:
        kind = next(kind for kind in (AssertionError, ValueError, TypeError) if isinstance(error, kind))
        return kind, str(error).replace("lamina.", "torch.").replace("'cpu'", "cpu")
    return None


def same(ours, theirs, **settings):
    mine = verdict(lamina.testing.assert_close, *ours, **settings)
    wanted = verdict(torch.testing.assert_close, *theirs, **settings)
    assert mine == wanted or (mine and wanted and mine[0] is wanted[0] is TypeError), (settings, theirs)
    return mine is not None


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors(dtype):
    refused = asked = 0
    for (a, b), settings in itertools.product(kit_values(dtype), SETTINGS):
        for shape in ((-1,), (2, -1), ()):
            if shape == (2, -1) and (len(a) % 2 or len(b) % 2 or not a):
                continue
            if shape == () and (len(a) != 1 or len(b) != 1):
                continue
            (x, tx), (y, ty) = both(a, dtype, shape), both(b, dtype, shape)
            asked += 1
            refused += same((x, y), (tx, ty), **settings)
    assert 0 < refused < asked


KINDS = ("float16", "float32", "float64", "complex64", "int64", "bool")


@pytest.mark.parametrize("settings", [{}, {"check_dtype": False}], ids=str)
@pytest.mark.parametrize("dtypes", [*itertools.permutations(KINDS, 2)], ids=str)
def test_tensors_of_two_dtypes(dtypes, settings):
    for step in STEPS:
        (x, tx), (y, ty) = both([1.0 + step, 0.0], dtypes[0], (-1,)), both([1.0, 0.0], dtypes[1], (-1,))
        same((x, y), (tx, ty), **settings)


def trees(kit):
    t = kit.tensor
    a, b = t([1.0, 2.0]), t([1.0, 2.5])
    return [
        (1.0, 2.0), (1.0, 1.0 + 1e-8), (1.0, 1), (1, 2), (3, 3), (2j, 1j), (float("nan"),) * 2, (float("inf"), 1.0), (1.0, 0.0),
        (True, True), (True, False), (np.float32(1), np.float64(1)), (np.float64(1), 1.0), (np.bool_(True), True),
        (None, None), (None, 1.0), (a, None), (a, 1.0), ("a", "a"), ({1}, {1}), (object(), object()),
        ([a], [a]), ([a], [b]), ((a,), [a]), ([], []), ([a], [a, a]), ([a, b], [b, a]), ([1], [2.0]),
        ([[a], {"k": (b,)}], [[a], {"k": (a,)}]),
        ({"a": a}, {"a": b}), ({"a": 1}, {"b": 1}), ({"a": 1, "c": 2}, {"a": 1}), ({1: a, "b": a}, {"b": a, 1: a}), ({}, {}),
        (np.ones(2), np.ones(2)), (np.ones(2), np.zeros(2)), (np.ones(2), a), (a, [1.0, 2.0]),
        (t(1.0), t(2.0)), (t(1), t(2)), ([t(1.0)], [t(2.0)]), (kit.ones(2, 3), kit.ones(3)), (kit.ones(2, 3).t(), kit.ones(3, 2)),
        (kit.nn.Parameter(a), a), (a, kit.nn.Parameter(b)), (a.clone().requires_grad_(), b),
    ]  # fmt: skip


SETTINGS_OF_TREES = [*SETTINGS, {"msg": "said"}, {"msg": lambda text: f"said: {text}"}, {"allow_subclasses": False}]


@pytest.mark.parametrize("place", range(len(trees(torch))))
def test_trees(place):
    for settings in SETTINGS_OF_TREES:
        same(trees(lamina)[place], trees(torch)[place], **settings)


@pytest.mark.parametrize("alone", ["rtol", "atol"])
def test_tolerances_come_in_pairs(alone):
    for x in (1.0, "t"):
        ours, theirs = (kit.ones(2) if x == "t" else x for kit in (lamina, torch))
        assert same((ours, ours), (theirs, theirs), **{alone: 0.1})


def test_what_pytorch_fails_at_itself_is_a_plain_error():
    with pytest.raises(TypeError, match="cannot be compared"):
        lamina.testing.assert_close(1, True)
    with pytest.raises(ValueError, match="negative"):
        lamina.testing.assert_close(1.0, 1.0, rtol=-1.0, atol=0.0)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_assert_allclose(dtype, step):
    ours, theirs = zip(both([1.0 + step, 3.0, float("nan")][: 2 + dtype.startswith("f")], dtype, (-1,)),
                       both([1.0, 3.0, float("nan")][: 2 + dtype.startswith("f")], dtype, (-1,)), strict=True)  # fmt: skip
    for settings in ({}, {"equal_nan": False}, {"rtol": 0.1, "atol": 0.0}):
        mine = verdict(lamina.testing.assert_allclose, *ours, **settings)
        assert mine == verdict(torch.testing.assert_allclose, *theirs, **settings)


MAKING = [
    {}, {"low": -2, "high": 3}, {"low": 0, "high": 2, "exclude_zero": True}, {"noncontiguous": True}, {"low": 3},
    {"low": 5, "high": 1}, {"low": float("nan")}, {"noncontiguous": True, "memory_format": "channels_last"},
    {"memory_format": "channels_last"}, {"requires_grad": True}, {"low": -1e50, "high": 5},
]  # fmt: skip


@pytest.mark.parametrize("settings", MAKING, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_make_tensor(dtype, settings):
    def made(kit):
        kit.manual_seed(5)
        own = {k: getattr(kit, v) if k == "memory_format" else v for k, v in settings.items()}
        try:
            return kit.testing.make_tensor((2, 3, 4, 5), dtype=getattr(kit, dtype), device="cpu", **own)
        except (ValueError, RuntimeError):
            return None

    ours, theirs = made(lamina), made(torch)
    assert (ours is None) is (theirs is None), (ours, theirs)
    if theirs is not None:
        wide = torch.complex128 if theirs.is_complex() else torch.float64
        wider = lamina.complex128 if theirs.is_complex() else lamina.float64
        np.testing.assert_array_equal(ours.detach().to(wider).numpy(), theirs.detach().to(wide).numpy())
        assert ours.stride() == theirs.stride() and ours.requires_grad is theirs.requires_grad
