"""Statistics, scans and order beside PyTorch where its op database does not look: gradients, NaN, equals, no items."""

import numpy as np
import pytest
import torch
from databases.op_database import to_lamina, to_torch
from gradients.both_orders import compare

import lamina

NAN, INF = float("nan"), float("inf")
ITEMS = {
    "plain": [[1.0, -2.0, 0.5, 3.0, -0.25], [4.0, 2.0, 7.0, -1.0, 0.75]],
    "equal": [[2.0, 2.0, 1.0, 1.0, 3.0], [5.0, 5.0, 5.0, 5.0, 5.0]],
    "missing": [[1.0, NAN, 2.0, NAN, -1.0], [NAN, NAN, NAN, NAN, NAN]],
    "infinite": [[INF, 1.0, -INF, 2.0, 0.0], [-INF, -INF, -INF, -INF, -INF]],
}

GRADIENTS = {
    "cummax": lambda lib, x: x.cummax(1).values, "cummin": lambda lib, x: lib.cummin(x, 0).values,
    "logcumsumexp": lambda lib, x: lib.logcumsumexp(x, 1), "diff": lambda lib, x: lib.diff(x, 2, 1, prepend=x * x),
    "gradient": lambda lib, x: lib.gradient(x * x, spacing=2.0, dim=1)[0], "median of all": lambda lib, x: x.median() ** 2,
    "median": lambda lib, x: lib.median(x * x, 1).values, "nanmedian": lambda lib, x: lib.nanmedian(x * x, 1).values,
    "mode": lambda lib, x: lib.mode(x * x, 1).values, "kthvalue": lambda lib, x: lib.kthvalue(x * x, 2, 1).values,
    "topk": lambda lib, x: lib.topk(x * x, 2, 0).values, "topk smallest": lambda lib, x: (x * x).topk(2, 1, largest=False)[0],
    "quantile": lambda lib, x: lib.quantile(x * x, 0.3, 1), "nanquantile": lambda lib, x: lib.nanquantile(x * x, 0.6, 1),
    "several quantiles": lambda lib, x: lib.quantile(x, lib.tensor([0.1, 0.5], dtype=lib.float64), 1, interpolation="midpoint"),
    "sort": lambda lib, x: lib.sort(x * x, 1, descending=True).values, "msort": lambda lib, x: lib.msort(x * x),
    "aminmax": lambda lib, x: lib.stack(lib.aminmax(x * x, dim=1)), "nansum": lambda lib, x: lib.nansum(x * x, 1),
    "nanmean": lambda lib, x: lib.nanmean(x * x, 1), "var_mean": lambda lib, x: lib.stack(lib.var_mean(x, 1)),
    "std_mean": lambda lib, x: lib.stack(lib.std_mean(x, 0, correction=0)), "logsumexp": lambda lib, x: lib.logsumexp(x, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name):
    compare(GRADIENTS[name], [np.random.default_rng(3).uniform(-2, 2, (4, 5))])


@pytest.mark.parametrize(
    ("name", "kind"),  # which of equals topk takes is not specified there
    [*((n, "equal") for n in ("cummax", "cummin", "median", "sort", "nansum", "nanmean", "var_mean")),
     *((n, "missing") for n in ("cummax", "cummin", "median", "topk", "nansum", "nanmean"))],
)  # fmt: skip
def test_subgradients(name, kind):
    """Of equal items the gradient goes to PyTorch's choice; of missing ones to where it goes there."""
    function = {**GRADIENTS, "sort": lambda lib, x: lib.sort(x, stable=True, dim=1).values}[name]
    compare(function, [np.array(ITEMS[kind])], second=False)


CALLS = [
    *((n, (), {}) for n in ("sum", "mean", "prod", "max", "min", "argmax", "argmin", "any", "all", "median", "nanmedian", "var",
                            "std", "aminmax", "nansum", "nanmean", "count_nonzero")),
    *((n, (d,), {}) for d in (0, 1) for n in ("max", "min", "median", "nanmedian", "mode", "cummax", "cummin", "cumsum", "cumprod",
                                              "logcumsumexp", "argmax", "argmin", "amax", "amin", "logsumexp", "nansum")),
    *((n, ((),), {}) for n in ("sum", "mean", "any", "all", "amax", "amin", "nansum", "nanmean", "count_nonzero", "var")),
    *((n, (0,), {"keepdim": True}) for n in ("max", "median", "mode", "any", "nanmean", "var")),
    ("kthvalue", (1, 0), {"keepdim": True}),
    *(("quantile", (q, 1), {"interpolation": i}) for q in (0.0, 0.4, 1.0) for i in ("linear", "lower", "nearest")),
    ("nanquantile", (0.4, 1), {}), ("sort", (), {"stable": True, "dim": 1}), ("var", (False,), {}), ("std", (1, False), {}),
    ("sort", (), {"stable": True, "dim": 0, "descending": True}), ("unique_consecutive", (), {"return_counts": True}),
    ("unique", (), {"return_inverse": True, "return_counts": True}), ("isin", (torch.tensor([1.0, 2.0]),), {}),
    ("histc", (4,), {"min": 0, "max": 3}), ("bucketize", (torch.tensor([0.0, 1.0, 2.0]),), {"right": True}),
]  # fmt: skip
UNSPECIFIED = {  # there, which of equals, or which of a row of NaN, is chosen by an unstable selection
    ("kthvalue", (1, 0), "equal"), ("kthvalue", (1, 0), "missing"), ("kthvalue", (1, 0), "infinite"),
    ("nanmedian", (1,), "missing"),
}  # fmt: skip
CHOICES = [(*call, kind) for call in CALLS for kind in ITEMS if (call[0], call[1], kind) not in UNSPECIFIED]


@pytest.mark.parametrize(("name", "args", "options", "kind"), CHOICES, ids=lambda v: str(v).replace(" ", ""))
def test_choices(name, args, options, kind):
    """Which of equal items is chosen, and what NaN and infinities do."""
    x = torch.tensor(ITEMS[kind])
    expected = getattr(torch, name)(x, *args, **options)
    found = to_torch(getattr(lamina, name)(to_lamina(x), *map(to_lamina, args), **options))
    _equal(found, expected)


def _equal(found, expected):
    if isinstance(expected, tuple):
        for f, e in zip(found, expected, strict=True):
            _equal(f, e)
        return
    torch.testing.assert_close(found, expected, equal_nan=True, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize("shape", [(), (0,), (3, 0)])
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_complex_numbers_that_nothing_is_compared_with(name, shape, dtype):
    x = torch.full(shape, 1 - 2j, dtype=dtype)
    _equal(to_torch(getattr(lamina, name)(to_lamina(x), -1)), getattr(torch, name)(x, -1))
    for library, leaf in ((torch, x), (lamina, to_lamina(x))):
        with pytest.raises(RuntimeError, match=f"{name} does not support automatic differentiation"):
            getattr(library, name)(leaf.requires_grad_(), -1)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize(("name", "args"), [("mode", ()), ("mode", (0, True)), ("kthvalue", (1,)), ("kthvalue", (1, -1, True))])
def test_one_complex_number(name, args, dtype):
    x = torch.tensor(1 - 2j, dtype=dtype)
    _equal(to_torch(getattr(lamina, name)(to_lamina(x), *args)), getattr(torch, name)(x, *args))
    for library, leaf in ((torch, x), (lamina, to_lamina(x))):
        with pytest.raises(RuntimeError, match=f"{name} does not support automatic differentiation"):
            getattr(library, name)(leaf.requires_grad_(), *args)


REFUSED = [
    ("cummax", (torch.tensor([1j]), 0), {}), ("cummin", (torch.tensor([1j]), 0), {}), ("mode", (torch.tensor([1j, 1j]),), {}),
    ("kthvalue", (torch.tensor([1j]), 1), {}), ("median", (torch.tensor(1j), 0), {}), ("kthvalue", (torch.tensor(1j), 2), {}),
    ("mode", (torch.tensor(1j), 1), {}),
    ("argmax", (torch.tensor([True]),), {}), ("argmin", (torch.tensor([True]),), {}), ("median", (torch.tensor([1j]),), {}),
    ("unique", (torch.zeros(2, 0),), {"dim": 0}), ("unique_consecutive", (torch.zeros(2, 0),), {"dim": 0}),
    ("unique", (torch.tensor(1.0),), {"dim": 0}), ("mode", (torch.zeros(0, 2), 0), {}), ("max", (torch.zeros(0),), {}),
    ("logcumsumexp", (torch.tensor([1]), 0), {}), ("histogram", (torch.tensor([NAN]), 2), {}),
    ("histogram", (torch.tensor([1.0]), torch.tensor([1.0])), {}), ("sort", (torch.tensor([1j]),), {}),
    ("nanmean", (torch.tensor([1.0]),), {"dtype": torch.int32}), ("cummin", (torch.tensor([1.0]), 1), {}),
    ("kthvalue", (torch.zeros(0), 1), {}), ("topk", (torch.zeros(3), 4), {}), ("quantile", (torch.zeros(0), 0.5), {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "options"), REFUSED, ids=lambda v: str(v).replace(" ", ""))
def test_refused(name, args, options):
    """With an error that a program which catches PyTorch's catches: NotImplementedError is a RuntimeError."""
    with pytest.raises((RuntimeError, IndexError, ValueError)) as theirs:
        getattr(torch, name)(*args, **options)
    wanted = RuntimeError if isinstance(theirs.value, NotImplementedError) else type(theirs.value)
    with pytest.raises(wanted):
        getattr(lamina, name)(*map(to_lamina, args), **to_lamina(options))


METHODS = [
    *((n, (), {}) for n in ("median", "nanmedian", "mode", "msort", "unique", "unique_consecutive", "diff", "aminmax", "nansum")),
    ("kthvalue", (2, 1), {}), ("topk", (2,), {"dim": 1, "largest": False}), ("quantile", (0.4,), {"dim": 1, "keepdim": True}),
    ("nanquantile", (0.4, 1), {}), ("cummax", (), {"dim": 1}), ("cummin", (1,), {}), ("logcumsumexp", (1,), {}),
    ("histc", (), {"bins": 4, "min": -1, "max": 3}), ("histogram", (3,), {}), ("count_nonzero", (), {"dim": 0}),
    ("nanmean", (), {"dim": 1, "keepdim": True}), ("unique", (), {"return_inverse": True, "dim": 1}), ("sort", (1, True), {}),
    ("argsort", (), {"dim": 0}), ("cumsum_", (1,), {}), ("cumprod_", (), {"dim": 0}), ("std", (), {"dim": 1, "correction": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "options"), METHODS, ids=lambda v: str(v).replace(" ", ""))
def test_methods(name, args, options):
    x = torch.tensor(ITEMS["plain"])
    _equal(to_torch(getattr(to_lamina(x.clone()), name)(*args, **options)), getattr(x.clone(), name)(*args, **options))


def test_bincount_is_a_method():
    assert lamina.tensor([0, 2, 2]).bincount(minlength=4).tolist() == torch.tensor([0, 2, 2]).bincount(minlength=4).tolist()


@pytest.mark.parametrize("name", ["cumsum_", "cumprod_"])
def test_in_place_scans_are_recorded(name):
    compare(lambda lib, x: getattr(x * 1.0, name)(1), [np.random.default_rng(4).uniform(0.5, 2, (3, 4))])


PAIRS = {"max": (1,), "min": (1,), "sort": (), "topk": (2,), "kthvalue": (1,), "mode": (1,), "median": (1,), "cummax": (1,)}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_are_written_where_asked(name):
    x = lamina.tensor(ITEMS["plain"])
    expected = getattr(lamina, name)(x, *PAIRS[name])
    places = lamina.empty(expected[0].shape), lamina.empty(expected[1].shape, dtype=lamina.int64)
    found = getattr(lamina, name)(x, *PAIRS[name], out=places)
    for result, place, value in zip(found, places, expected, strict=True):
        assert result is place
        assert place.tolist() == value.tolist()
