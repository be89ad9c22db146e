"""Matrices in compressed rows: parts, conversions, products, gradients and refusals against PyTorch's."""

import copy
import pickle

import numpy as np
import pytest
import torch

import lamina

pytestmark = pytest.mark.filterwarnings("ignore:Sparse:UserWarning")  # PyTorch's, that its rows are new and unchecked

STARTS, COLUMNS, VALUES = [0, 2, 2, 3], [0, 2, 1], [1.0, -2.0, 3.0]


def csr(t, dtype="float32", **options):
    return t.sparse_csr_tensor(STARTS, COLUMNS, VALUES, (3, 4), dtype=getattr(t, dtype), **options)


CALLS = {
    "itself": lambda t, s, d: s,
    "float64": lambda t, s, d: s.double(),
    "with history": lambda t, s, d: csr(t, requires_grad=True),
    "the size that columns need": lambda t, s, d: t.sparse_csr_tensor(STARTS, COLUMNS, VALUES),
    "int32": lambda t, s, d: t.sparse_csr_tensor(
        t.tensor(STARTS, dtype=t.int32), t.tensor(COLUMNS, dtype=t.int32), t.tensor(VALUES), (3, 4)
    ).col_indices(),
    "crow_indices": lambda t, s, d: s.crow_indices(),
    "col_indices": lambda t, s, d: s.col_indices(),
    "values": lambda t, s, d: s.values(),
    "told": lambda t, s, d: t.tensor([*s.shape, s.sparse_dim(), s.dense_dim(), s._nnz(), s.numel(), len(s), s.nbytes, s.dim()]),
    "kinds": lambda t, s, d: t.tensor([s.is_sparse, s.is_sparse_csr, s.layout is t.sparse_csr, s.layout is t.sparse_csc, d.is_sparse_csr]),
    "to_dense": lambda t, s, d: s.to_dense(),
    "to_sparse_coo": lambda t, s, d: s.to_sparse_coo(),
    "to_sparse": lambda t, s, d: s.to_sparse(),
    "to_sparse 2": lambda t, s, d: s.to_sparse(2),
    "to_sparse of its layout": lambda t, s, d: s.to_sparse(layout=t.sparse_csr),
    "dense to rows": lambda t, s, d: s.to_dense().to_sparse_csr(),
    "dense to rows by layout": lambda t, s, d: s.to_dense().to_sparse(layout=t.sparse_csr),
    "coordinates to rows": lambda t, s, d: t.sparse_coo_tensor([[1, 0, 1], [0, 2, 0]], [1.0, 2.0, 3.0], (2, 3)).to_sparse_csr(),
    "zeros to rows": lambda t, s, d: t.zeros(2, 3).to_sparse_csr(),
    "@ matrix": lambda t, s, d: s @ d,
    "@ vector": lambda t, s, d: s @ d[:, 0],
    "matrix @": lambda t, s, d: d[:, :3].contiguous() @ s,
    "mm": lambda t, s, d: t.mm(s, d),
    "sparse.mm": lambda t, s, d: t.sparse.mm(s, d),
    "two": lambda t, s, d: s @ (d * (d > 4)).to_sparse_csr(),
    "addmm": lambda t, s, d: t.addmm(t.ones(3, 5), s, d, beta=2, alpha=3),
    "sparse.addmm": lambda t, s, d: t.sparse.addmm(t.ones(3, 5), s, d),
    "times a number": lambda t, s, d: 2 * s,
    "times another": lambda t, s, d: s * s,
    "plus another": lambda t, s, d: s + s,
    "dense plus": lambda t, s, d: t.ones(3, 4) + s,
    "sum": lambda t, s, d: s.sum(),
    "neg": lambda t, s, d: -s,
    "abs": lambda t, s, d: s.abs(),
    "relu": lambda t, s, d: t.relu(s),
    "sin": lambda t, s, d: t.sin(s),
    "clone": lambda t, s, d: s.clone(),
    "detach": lambda t, s, d: csr(t, requires_grad=True).detach(),
    "to": lambda t, s, d: s.to(t.float64),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls_print_as_pytorchs(name):
    theirs, ours = (repr(CALLS[name](t, csr(t), t.arange(20.0).reshape(4, 5))) for t in (torch, lamina))
    assert ours.replace("lamina.", "torch.").split() == theirs.split()  # lines are folded elsewhere: "lamina" is longer


def test_gradients_of_values_and_of_the_dense_factor():
    told = []
    for t in (torch, lamina):
        values = t.tensor(VALUES, dtype=t.float64, requires_grad=True)
        dense = t.linspace(-1, 1, 20, dtype=t.float64).reshape(4, 5).requires_grad_()
        product = t.sparse_csr_tensor(STARTS, COLUMNS, values, (3, 4)) @ dense
        product.pow(2).sum().backward()
        told.append((values.grad.numpy(), dense.grad.numpy()))
    for theirs, ours in zip(*told, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=20 * 2**-53, atol=20 * 2**-53)


def test_the_gradient_of_a_leaf_is_at_its_places():
    """PyTorch's is dense for a product, and in compressed rows for other functions; the items at the places are the same."""
    told = []
    for t in (torch, lamina):
        s = csr(t, requires_grad=True)
        (s @ t.arange(8.0).reshape(4, 2)).sum().backward()
        told.append(s.grad.to_dense()[[0, 0, 2], [0, 2, 1]].tolist())
    assert told[0] == told[1]
    assert s.grad.layout is lamina.sparse_csr
    (gradient,) = lamina.autograd.grad(csr(lamina, requires_grad=True).to_dense().sum(), s, allow_unused=True)
    assert gradient is None


PARTS_THAT_DO_NOT_FIT = [
    ([0, 1, 3], [0, 1], [1.0, 2.0], (2, 2)), ([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2)), ([0, 1, 2], [0, 1], [1.0], (2, 2)),
    ([0, 1], [0, 1], [1.0, 2.0], (2, 2)), ([1, 1, 2], [0, 1], [1.0, 2.0], (2, 2)), ([0, 2, 1], [0, 1], [1.0, 2.0], (2, 2)),
    ([0, 2, 2], [1, 0], [1.0, 2.0], (2, 2)), ([0, 1, 2], [0, -1], [1.0, 2.0], (2, 2)), ([0, 2, 2], [1, 1], [1.0, 2.0], (2, 2)),
    ([0, 1, 2], [0, 1], [1.0, 2.0], (2,)),
]  # fmt: skip


@pytest.mark.parametrize("parts", PARTS_THAT_DO_NOT_FIT, ids=str)
def test_parts_that_do_not_fit(parts):
    with pytest.raises(RuntimeError) as theirs:
        torch.sparse_csr_tensor(*parts, check_invariants=True)
    with pytest.raises((RuntimeError, IndexError)) as ours:
        lamina.sparse_csr_tensor(*parts)
    assert str(ours.value) == str(theirs.value)


def test_what_is_refused_is_refused_by_name():
    s = csr(lamina)
    for refused in (lambda: lamina.exp(s), lambda: s / 2, lambda: s.t(), lambda: s[0], lambda: s @ s.to_sparse_coo(), lambda: s + 1):
        with pytest.raises(NotImplementedError, match=r"has no rule for the layout lamina\.sparse_"):
            refused()
    with pytest.raises(RuntimeError, match=r"save: .*CSRTensor given, which PyTorch's weights_only=True does not read"):
        lamina.save(s, "/dev/null")
    for t in (torch, lamina):
        with pytest.raises(RuntimeError, match=r"crow_indices expected sparse row compressed tensor layout but got Strided"):
            t.ones(2).crow_indices()
        with pytest.raises(TypeError, match="can't convert SparseCsr layout tensor to numpy"):
            csr(t).numpy()
    with pytest.raises(RuntimeError, match="must both be int32 or int64"):
        lamina.sparse_csr_tensor([0.0, 1.0], [0.0], [1.0])
    for shape in ((3,), (2, 2, 2)):
        with pytest.raises(RuntimeError, match="to_sparse_csr: wants a matrix, of 2 dims"):
            lamina.ones(*shape).to_sparse_csr()


def test_copies():
    for s in (pickle.loads(pickle.dumps(csr(lamina))), copy.deepcopy(csr(lamina)), copy.copy(csr(lamina))):
        assert repr(s) == repr(csr(lamina))


@pytest.mark.parametrize("reduce", ["sum", "mean", "amax", "amin"])
def test_products_that_are_reduced(reduce):
    def product(t):
        s = t.sparse_csr_tensor([0, 2, 2, 3, 4], [0, 2, 1, 2], [1.0, -2.0, 3.0, 0.5], (4, 3), requires_grad=True)
        d = t.tensor([[1.0, -2.0], [0.5, 3.0], [2.0, 0.25]], requires_grad=True)
        y = t.sparse.mm(s, d, reduce)
        (y * t.arange(8.0).view(4, 2)).sum().backward()
        named = t.sparse.mm(s.detach(), d.detach(), reduce=reduce)
        return y.tolist(), named.tolist(), s.grad.values().tolist(), d.grad.tolist()

    assert product(lamina) == product(torch)


@pytest.mark.parametrize(
    "call",
    [
        "t.sparse.mm(s, d, 'most')", "t.sparse.mm(s, d, 'prod')", "t.sparse.mm(s.to_dense(), d, 'sum')", "t.sparse.mm(s, s, 'sum')",
        "t.sparse.mm(s.to_sparse(), d, 'sum')", "t.sparse.mm(s, d[:2], 'sum')", "t.sparse.mm(s, d[:, 0], 'sum')",
        "t.sparse.mm(s, d.double(), 'sum')",
    ],
)  # fmt: skip
def test_products_that_cannot_be_reduced(call):
    for t in (lamina, torch):
        with pytest.raises(RuntimeError):
            eval(call, {"t": t, "s": csr(t), "d": t.ones(4, 2)})
