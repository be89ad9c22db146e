"""Views, joins and positions against real PyTorch over its op database: methods, gradients, and what shares memory."""

import warnings

import numpy as np
import pytest
import torch
from databases import op_database, op_errors
from gradients.both_orders import compare
from torch.testing._internal.common_methods_invocations import op_db

import lamina

METHODS = {
    "H", "T", "__getitem__", "as_strided_scatter", "contiguous", "diagonal_scatter", "expand", "expand_as", "index_copy",
    "mH", "mT", "masked_scatter", "repeat", "reshape_as", "select_scatter", "slice_scatter", "unfold", "view", "view_as",
}  # fmt: skip
FUNCTIONS = {
    "argwhere", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors",
    "broadcast_to", "cat", "chunk", "clone", "column_stack", "conj", "diag", "diag_embed", "diagflat", "diagonal",
    "dsplit", "dstack", "flatten", "flip", "fliplr", "flipud", "gather", "hsplit", "hstack", "imag", "index_add",
    "index_fill", "index_put", "index_reduce", "index_select", "masked_fill", "masked_select", "meshgrid", "movedim",
    "narrow", "permute", "put", "ravel", "real", "repeat_interleave", "reshape", "resolve_conj", "roll", "rot90",
    "scatter", "scatter_add", "scatter_reduce", "select", "split", "split_with_sizes", "squeeze", "stack", "t", "take",
    "take_along_dim", "tensor_split", "tile", "transpose", "tril", "triu", "unbind", "unflatten", "unsqueeze",
    "view_as_complex", "view_as_real", "vsplit", "vstack", "where",
}  # fmt: skip
# PyTorch's conj is lazy, a view with a flag; ours computes. expand_as etc. come as views in both.
COMPUTED_HERE = {"conj", "H", "mH", "resolve_conj"}


def ident(info):
    return f"{info.name}{'.' + info.variant_test_name if info.variant_test_name else ''}"


# The memory around a view is not handed over: what as_strided sees there cannot be compared.
INFOS = {ident(i): i for i in op_db if i.name in METHODS | FUNCTIONS and i.variant_test_name != "partial_views"}


def ours_of(name):
    """lamina's function, method or attribute."""
    if name in ("where",):
        return lambda x, condition, other: lamina.where(condition, x, other)
    found = getattr(lamina, name, None) or getattr(lamina.Tensor, name)
    return (lambda x: getattr(x, name)) if isinstance(found, property) else found


def test_the_database_has_them_all():
    assert {i.name for i in INFOS.values()} == METHODS | FUNCTIONS


@pytest.mark.parametrize("dtype", op_database.DTYPES)
@pytest.mark.parametrize("name", sorted(n for n, i in INFOS.items() if i.name in METHODS))
def test_methods(name, dtype, monkeypatch):
    info = INFOS[name]
    if not op_database.serves(info, dtype):
        pytest.skip("PyTorch does not compute it")
    monkeypatch.setattr(op_database, "lamina_function", ours_of)
    assert op_database.check_values(info, dtype)


@pytest.mark.parametrize("name", sorted(n for n, i in INFOS.items() if i.name in METHODS and i.error_inputs_func))
def test_errors_of_methods(name, monkeypatch):
    monkeypatch.setattr(op_database, "lamina_function", ours_of)
    op_errors.check_errors(INFOS[name])  # of some, this PyTorch accepts every one


def leaves(value, found):
    """Floating tensors in arguments, as leaves that want gradients, in order; the same structure comes back."""
    if isinstance(value, (lamina.Tensor, torch.Tensor)):
        if value.dtype in (lamina.float64, lamina.complex128, torch.float64, torch.complex128):
            value = value.detach().requires_grad_()
            found.append(value)
        return value
    if isinstance(value, (list, tuple)):
        return type(value)(leaves(v, found) for v in value)
    return {k: leaves(v, found) for k, v in value.items()} if isinstance(value, dict) else value


def results(value):
    """The differentiable results, as a list."""
    return [v for v in value if v.requires_grad] if isinstance(value, (list, tuple)) else [value]


def weighted(tensors, lib):
    """The sum of all results, each item with a weight of its own."""
    total = 0
    for t in tensors:
        n = int(np.prod(t.shape))
        weights = np.array(np.cos(np.arange(n) + 1.0)).reshape(tuple(t.shape))
        if t.dtype in (lamina.complex128, torch.complex128):
            weights = np.asarray(weights + 1j * np.sin(np.arange(n)).reshape(tuple(t.shape)))
        terms = t * (lamina.from_numpy if lib is lamina else torch.from_numpy)(weights)
        total = total + (terms.real.sum() + 2 * terms.imag.sum() if terms.dtype in (
            lamina.complex128, torch.complex128) else terms.sum())  # fmt: skip
    return total


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
# as_strided_scatter: PyTorch 2.13 sends gradients to the items that were replaced, too (see the test below).
@pytest.mark.parametrize(
    "name", sorted(n for n, i in INFOS.items() if i.supports_autograd and n != "as_strided_scatter")
)
def test_gradients(name, dtype):
    info, count = INFOS[name], 0
    if not op_database.serves(info, dtype):
        pytest.skip("PyTorch does not compute it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in op_database.seeded(info.sample_inputs_func(info, "cpu", getattr(torch, dtype), True)):
            mine, theirs = [], []
            args = leaves([sample.input, *sample.args], theirs)
            kwargs = leaves(sample.kwargs, theirs)
            plain = [op_database.to_lamina(a) for a in (sample.input, *sample.args)]
            own_args = leaves(plain, mine)
            own_kwargs = leaves(op_database.to_lamina(sample.kwargs), mine)
            expected = results(info.op(*args, **kwargs))
            if not expected or not any(e.requires_grad for e in expected):
                continue
            observed = results(ours_of(info.name)(*own_args, **own_kwargs))
            shown = op_database.shown(info, sample)
            wanted = torch.autograd.grad(weighted(expected, torch), theirs, allow_unused=True)
            given = lamina.autograd.grad(weighted(observed, lamina), mine, allow_unused=True)
            for w, g in zip(wanted, given, strict=True):
                w = np.zeros(()) if w is None else w.resolve_conj().resolve_neg().numpy()
                g = np.zeros(()) if g is None else g.numpy(force=True)
                np.testing.assert_allclose(g, w, rtol=1e-9, atol=1e-11, err_msg=shown)
            count += 1
    assert count


def test_what_as_strided_scatter_replaces_gets_no_gradient():
    x = lamina.arange(6.0).requires_grad_()
    patch = lamina.ones(2, requires_grad=True)
    gx, gp = lamina.autograd.grad(
        (lamina.as_strided_scatter(x, patch, [2], [3], 1) * lamina.arange(6.0)).sum(), [x, patch]
    )
    assert gx.tolist() == [0, 0, 2, 3, 0, 5]
    assert gp.tolist() == [1, 4]


def shares(result, source, lib):
    if lib is torch:
        return result.untyped_storage().data_ptr() == source.untyped_storage().data_ptr()
    return result.array.flat.memory is source.array.flat.memory


@pytest.mark.parametrize("name", sorted(n for n, i in INFOS.items() if i.name not in COMPUTED_HERE))
def test_views_are_views_where_pytorchs_are(name):
    info = INFOS[name]
    dtype = "float32" if op_database.serves(info, "float32") else "complex64"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in op_database.samples(info, dtype):
            if not isinstance(sample.input, torch.Tensor) or not sample.input.numel():
                continue
            expected = info.op(sample.input, *sample.args, **sample.kwargs)
            source = op_database.to_lamina(sample.input)
            rest = [op_database.to_lamina(a) for a in sample.args]
            observed = ours_of(info.name)(source, *rest, **op_database.to_lamina(sample.kwargs))
            pairs = zip(observed, expected, strict=True) if isinstance(expected, (list, tuple)) else (
                (observed, expected),)  # fmt: skip
            for o, e in pairs:
                if e.numel():
                    shown = op_database.shown(info, sample)
                    assert shares(o, source, lamina) == shares(e, sample.input, torch), shown
                    if shares(e, sample.input, torch):
                        assert o.stride() == e.stride() or 1 in e.shape, shown


# -- second gradients, and writes that are recorded ---------------------------------------------------------------------

IDS = {"lamina": lambda a: lamina.tensor(a), "torch": lambda a: torch.tensor(a)}


def of(lib, a):
    return IDS[lib.__name__](a)


ROWS = [[0, 1, 0], [2, 2, 0], [0, 1, 1], [3, 0, 2]]


def folded(reduce, include_self):
    return lambda lib, x, v: lib.scatter_reduce(x, 0, of(lib, ROWS), v, reduce, include_self=include_self)


def assigned(lib, x, v):
    y = x * 1
    y[1:, of(lib, [0, 2])] = v[:3, :2]
    y[0] = v[3, 0]
    y[y > 1] = 0.5
    return y * x


def rewritten(lib, x, v):
    y = (x * x).index_add_(0, of(lib, [1, 1, 0, 3]), v)
    y.masked_fill_(of(lib, [[True, False, False]]), 2.0).scatter_(1, of(lib, [[0], [1]]), v[:2, 1:2])
    return y.t_() * y


SECOND = {
    **{f"scatter_reduce-{r}-{i}": folded(r, i) for r in ("sum", "prod", "mean", "amax", "amin") for i in (True, False)},
    "index_put": lambda lib, x, v: lib.index_put(x, (of(lib, [0, 0]), of(lib, [1, 2])), v[0, :2]) * x,
    "index_put-accumulate": lambda lib, x, v: lib.index_put(x, (of(lib, [0, 0]),), v[:2], True) * x,
    "masked_scatter": lambda lib, x, v: lib.masked_scatter(x, of(lib, [[True, False, True]]), v) * x,
    "masked_select": lambda lib, x, v: lib.masked_select(x * v, of(lib, [[True, False, True]])) ** 2,
    "diag_embed": lambda lib, x, v: lib.diag_embed(x * v, 1) ** 2,
    "diagonal": lambda lib, x, v: lib.diagonal(x * v, -1) ** 3,
    "unfold": lambda lib, x, v: (x * v).unfold(0, 3, 1) ** 2,
    "as_strided": lambda lib, x, v: lib.as_strided(x * v, (3, 2), (2, 3), 1) ** 2,
    "block_diag": lambda lib, x, v: lib.block_diag(x, v) ** 2,
    "repeat_interleave": lambda lib, x, v: lib.repeat_interleave(x * v, of(lib, [1, 0, 2]), 1) ** 2,
    "take": lambda lib, x, v: lib.take(x * v, of(lib, [3, 3, 0])) ** 2,
    "roll": lambda lib, x, v: lib.roll(x, 1, 0) * v * v,
    "assignment": assigned,
    "in-place twins": rewritten,
}


@pytest.mark.parametrize("name", SECOND)
def test_second_gradients(name):
    rng = np.random.default_rng(3)
    compare(SECOND[name], [rng.uniform(0.2, 2, (4, 3)), rng.uniform(0.2, 2, (4, 3))])


@pytest.mark.parametrize("include_self", [True, False])
def test_the_gradient_of_a_product_with_zeros(include_self):
    x, v = np.array([[0.0, 2, 3], [1, 0, 2], [2, 1, 0], [1, 1, 1]]), np.array(ROWS, float)
    compare(folded("prod", include_self), [x, v], second=False)


@pytest.mark.parametrize("reduce", ["amax", "amin"])
def test_ties_share_the_gradient(reduce):
    compare(folded(reduce, True), [np.ones((4, 3)), np.ones((4, 3))], second=False)
    # Without x's own item it has no share; PyTorch counts it nevertheless, and part of the gradient is lost there.
    x, v = lamina.ones(2, requires_grad=True), lamina.ones(3, requires_grad=True)
    made = lamina.scatter_reduce(x, 0, lamina.tensor([0, 0, 0]), v, reduce, include_self=False)
    gx, gv = lamina.autograd.grad(made.sum(), [x, v])
    assert gx.tolist() == [0, 1]
    np.testing.assert_allclose(gv.tolist(), [1 / 3] * 3, rtol=1e-6)


# -- brackets, where PyTorch's rule is not NumPy's ----------------------------------------------------------------------

INDICES = {
    "an integer beside an array": lambda t: (0, slice(None), t([1, 2])),
    "arrays around an integer": lambda t: (t([0, 1]), 0, t([1, 2])),
    "arrays around a slice": lambda t: (t([0, 1]), slice(None), t([1, 2])),
    "an Ellipsis of no dims": lambda t: (slice(None), t([0]), ..., t([1])),
    "None between arrays": lambda t: (t([0, 1]), None, t([1, 2])),
    "a tensor without dims": lambda t: (t(1), ..., t(-1)),
    "a tensor without dims and an array": lambda t: (t([0, 1]), t(1)),
    "nested lists": lambda t: ([[0], [1]], [0, 2]),
    "a mask and an array": lambda t: (t([True, False]), t([0, 2])),
    "a mask of two dims": lambda t: (t([[True, False, True], [False, False, True]]), 1),
    "True": lambda t: True,
    "False and a slice": lambda t: (False, slice(1, None)),
    "bounds that are tensors": lambda t: slice(t(0), t(1)),
    "an empty list": lambda t: (slice(None), []),
    "broadcast arrays": lambda t: (t([[0], [1]]), slice(0, 2), t([2, 1, 0])),
    "NumPy's integers": lambda t: (np.int64(1), slice(None), np.array([0, 3])),
}


@pytest.mark.parametrize("name", INDICES)
def test_brackets(name):
    items = np.arange(24.0).reshape(2, 3, 4)
    index = INDICES[name]
    ours, theirs = lamina.tensor(items, dtype="float64"), torch.tensor(items)
    compare(lambda lib, x: x[index(lib.tensor)] * 2, [items], second=False)
    expected = theirs[index(torch.tensor)]
    value = np.arange(expected.numel()).reshape(tuple(expected.shape)) - 50.0
    for new in (7, value):
        given = (new, new) if new is not value else (lamina.tensor(value, dtype="float64"), torch.tensor(value))
        ours[index(lamina.tensor)], theirs[index(torch.tensor)] = given
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("indices", [[[0, 2], [1, 1]], 3, [4], [[]]], ids=str)
@pytest.mark.parametrize("count", [-1, 5])
def test_rows_with_a_one(indices, count):
    given = torch.tensor(indices, dtype=torch.int64)
    if given.numel() or count > 0:
        ours = lamina.nn.functional.one_hot(lamina.tensor(indices, dtype=lamina.int64), count)
        expected = torch.nn.functional.one_hot(given, count)
        assert ours.tolist() == expected.tolist() and ours.dtype is lamina.int64 and ours.shape == tuple(expected.shape)
    for lib in (lamina, torch):
        for bad in ([0, 5], [-1, 0]):
            with pytest.raises(RuntimeError, match=r"[Cc]lass values must be"):
                lib.nn.functional.one_hot(lib.tensor(bad), 5)


BYTES = {  # masks of before there were booleans
    "read": lambda t, x, m: x[m],
    "of rows": lambda t, x, m: x[m[:, 0]],
    "of columns": lambda t, x, m: x[:, m[0]],
    "without dims": lambda t, x, m: x[m[0, 0]],
    "of NumPy": lambda t, x, m: x[m.numpy()],
    "beside a number": lambda t, x, m: x[1, m[0]],
    "where": lambda t, x, m: t.where(m, x, -1.0),
    "write": lambda t, x, m: x.__setitem__(m, t.tensor([7.0, 8.0, 9.0])),
    "write columns": lambda t, x, m: x.__setitem__((slice(None), m[0]), t.tensor([7.0, 8.0])),
    "index_put": lambda t, x, m: x.index_put((m,), t.tensor([7.0, 8.0, 9.0])),
}


@pytest.mark.filterwarnings("ignore:.*uint8")
@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_masks(name):
    results = []
    for t in (lamina, torch):
        leaf = t.arange(6.0).reshape(2, 3).requires_grad_()
        x = leaf * 1
        y = BYTES[name](t, x, t.tensor([[1, 0, 2], [0, 0, 1]], dtype=t.uint8))
        y = x if y is None else y
        (y * y).sum().backward()
        results.append((y.tolist(), leaf.grad.tolist()))
    assert results[0] == results[1]


def test_bytes_for_masks_warn():
    with pytest.warns(UserWarning, match="uint8 is taken for a mask"):
        lamina.ones(2)[lamina.tensor([1, 0], dtype=lamina.uint8)]
