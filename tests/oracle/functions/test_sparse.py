"""Sparse tensors in coordinate format against real PyTorch: values, indices, printing, gradients, errors and optimizers."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pytest
import torch as pytorch

import lamina
from lamina_flatarray import CheckpointError

pytestmark = pytest.mark.filterwarnings("ignore:Sparse")  # PyTorch's, of its own sparse tensors

BACKENDS = ["numpy", "cpp"]


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    if request.param not in lamina.backends.names():
        pytest.skip(f"the backend {request.param} is not installed")
    with lamina.backends.use_backend(request.param):
        yield


def sparse(torch: Any, **options: Any) -> Any:
    return torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3), **options)


def repeated(torch: Any, **options: Any) -> Any:
    return torch.sparse_coo_tensor([[0, 0, 1], [1, 1, 0]], [3.0, 4.0, 5.0], (2, 3), **options)


def hybrid(torch: Any, **options: Any) -> Any:
    return torch.sparse_coo_tensor([[2, 0]], [[1.0, 2.0], [3.0, 4.0]], (3, 2), **options)


def dense(torch: Any) -> Any:
    return torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])


def told(text: str) -> str:
    return text.replace("lamina.", "torch.")


CALLS = {
    "coalesce": lambda t, s, u, d: u.coalesce(),
    "to_dense": lambda t, s, u, d: u.to_dense(),
    "to_sparse": lambda t, s, u, d: d.to_sparse(),
    "to_sparse 1": lambda t, s, u, d: d.to_sparse(1),
    "to_sparse 0": lambda t, s, u, d: t.tensor(3.0).to_sparse(),
    "to_sparse dense_dim": lambda t, s, u, d: d.to_sparse(layout=t.sparse_coo, dense_dim=1),
    "to_sparse strided": lambda t, s, u, d: d.to_sparse(layout=t.strided),
    "to_sparse again": lambda t, s, u, d: s.to_sparse(2),
    "softmax dtype": lambda t, s, u, d: t.sparse.softmax(s, 1, t.float64),
    "empty": lambda t, s, u, d: t.sparse_coo_tensor((2, 3)),
    "hybrid": lambda t, s, u, d: hybrid(t).coalesce(),
    "add": lambda t, s, u, d: (s + u).coalesce(),
    "add same": lambda t, s, u, d: s + s,
    "add coalesced": lambda t, s, u, d: s.coalesce() + u.coalesce(),
    "add dense": lambda t, s, u, d: d + u,
    "sub dense": lambda t, s, u, d: d - s,
    "sub": lambda t, s, u, d: t.sub(s, s, alpha=2),
    "mul number": lambda t, s, u, d: 2 * s,
    "mul dense": lambda t, s, u, d: (d * s).coalesce(),
    "mul sparse": lambda t, s, u, d: (s.coalesce() * s.coalesce()),
    "div": lambda t, s, u, d: s / 2,
    "neg": lambda t, s, u, d: -s,
    "t": lambda t, s, u, d: s.t(),
    "permute": lambda t, s, u, d: s.permute(1, 0),
    "sum": lambda t, s, u, d: s.sum(),
    "sum 0": lambda t, s, u, d: s.sum(0),
    **{f"sum {d} keepdim": lambda t, s, u, d, dim=d: s.sum(dim, keepdim=True) for d in (0, 1, -1, (0, 1))},
    **{f"hybrid sum {d} keepdim": lambda t, s, u, d, dim=d: hybrid(t).sum(dim, keepdim=True) for d in (0, 1)},
    "sum of repeated keepdim": lambda t, s, u, d: u.sum(0, keepdim=True),
    "row": lambda t, s, u, d: s[0], "last row": lambda t, s, u, d: s[-1], "row of repeated": lambda t, s, u, d: u[0],
    "item": lambda t, s, u, d: s[0, 2], "item that is not stored": lambda t, s, u, d: s[1, 1], "repeated item": lambda t, s, u, d: u[0, 1],
    "column": lambda t, s, u, d: s[:, 0], "last dim": lambda t, s, u, d: s[..., 0], "new dim": lambda t, s, u, d: s[None],
    "row by a tensor": lambda t, s, u, d: s[t.tensor(1)], "select": lambda t, s, u, d: s.select(1, 2),
    "row of hybrid": lambda t, s, u, d: hybrid(t)[0], "empty row of hybrid": lambda t, s, u, d: hybrid(t)[1],
    "item of hybrid": lambda t, s, u, d: hybrid(t)[0, 1], "column of hybrid": lambda t, s, u, d: hybrid(t)[:, 0],
    **{f"norm {p}": lambda t, s, u, d, p=p: u.norm(p) for p in ("fro", 0, 1, 2, 3, float("inf"))},
    "norm": lambda t, s, u, d: t.norm(s), "norm over all dims": lambda t, s, u, d: s.norm(dim=(0, 1)),
    "spdiags": lambda t, s, u, d: t.sparse.spdiags(t.arange(9.0).reshape(3, 3), t.tensor([0, -1, 2]), (3, 3)),
    "spdiags of one": lambda t, s, u, d: t.sparse.spdiags(t.arange(3.0), t.tensor(0), (3, 4)),
    "sparse.sum 1": lambda t, s, u, d: t.sparse.sum(u, 1),
    "sum hybrid": lambda t, s, u, d: t.sparse.sum(hybrid(t), 1).coalesce(),
    "sparse.mm": lambda t, s, u, d: t.sparse.mm(s, d.t()),
    "mm dense sparse": lambda t, s, u, d: t.mm(d, u.t()),
    "matvec": lambda t, s, u, d: s @ d[0],
    "mm sparse sparse": lambda t, s, u, d: s @ s.t(),
    "addmm": lambda t, s, u, d: t.sparse.addmm(t.ones(2, 2), s, d.t(), beta=2, alpha=3),
    **{name: lambda t, s, u, d, name=name: getattr(t, name)(u, d.t()) for name in ("spmm", "dsmm", "hspmm", "hsmm", "smm")},
    "hspmm out": lambda t, s, u, d: t.hspmm(u, d.t(), out=hybrid(t)),
    "sspaddmm out": lambda t, s, u, d: t.sspaddmm(t.eye(2).to_sparse(), u, d.t(), out=s),
    "spmm sparse sparse": lambda t, s, u, d: t.spmm(s, s.t()),
    **{
        name: lambda t, s, u, d, name=name: getattr(t, name)(t.eye(2).to_sparse(), u, d.t(), beta=2, alpha=3)
        for name in ("sspaddmm", "saddmm")
    },
    "softmax 1": lambda t, s, u, d: t.sparse.softmax(s, 1),
    "softmax 0": lambda t, s, u, d: t.sparse.softmax(s, 0),
    "log_softmax": lambda t, s, u, d: t.sparse.log_softmax(u, -1),
    "index_select": lambda t, s, u, d: s.index_select(1, t.tensor([2, 2, 0])).coalesce(),
    "sparse_mask": lambda t, s, u, d: d.sparse_mask(u),
    "stack": lambda t, s, u, d: t.stack([s, s]),
    "cat": lambda t, s, u, d: t.cat([s, u], 1),
    "unsqueeze": lambda t, s, u, d: s.unsqueeze(0),
    "double": lambda t, s, u, d: s.double(),
    "in place": lambda t, s, u, d: s.mul_(2).add_(s),
    "dense in place": lambda t, s, u, d: d.add_(u, alpha=2),
    "zero_": lambda t, s, u, d: s.zero_(),
    "zeros_like": lambda t, s, u, d: t.zeros_like(s),
    "pow": lambda t, s, u, d: s.pow(2),
    **{name: lambda t, s, u, d, name=name: getattr(t, name)(u) for name in ("sin", "sqrt", "abs", "relu", "sign", "isnan")},
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls_print_as_pytorchs(name: str) -> None:
    ours, theirs = [CALLS[name](t, sparse(t), repeated(t), dense(t)) for t in (lamina, pytorch)]
    assert told(repr(ours)) == repr(theirs)
    assert ours.is_sparse == theirs.is_sparse and tuple(ours.shape) == tuple(theirs.shape)
    assert isinstance(ours, lamina.Tensor)


def test_a_product_of_different_places_is_that_of_the_dense_ones() -> None:
    product = lamina.sparse_coo_tensor([[0, 1], [1, 2]], [2.0, 3.0], (2, 3)) * sparse(lamina)
    assert product.to_dense().tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 15.0]]


@pytest.mark.parametrize("options", [{}, {"requires_grad": True}, {"dtype": "float64"}, {"dtype": "float64", "requires_grad": True}])
@pytest.mark.parametrize("make", [sparse, repeated, hybrid])
def test_printing(make: Any, options: dict[str, Any]) -> None:
    def text(torch: Any) -> str:
        return repr(make(torch, **{k: getattr(torch, v) if k == "dtype" else v for k, v in options.items()}))

    assert told(text(lamina)) == text(pytorch)


ERRORS = {
    "indices": lambda t, s, u, d: u.indices(),
    "values": lambda t, s, u, d: u.values(),
    "add dense": lambda t, s, u, d: s + d,
    "add number": lambda t, s, u, d: s + 1,
    "div dense": lambda t, s, u, d: s / d,
    "nnz": lambda t, s, u, d: t.sparse_coo_tensor([[0]], [1.0, 2.0]),
    "dims": lambda t, s, u, d: t.sparse_coo_tensor([[0]], [1.0], (2, 3)),
    "negative": lambda t, s, u, d: t.sparse_coo_tensor([[-1]], [1.0]),
    "uncoalesced": lambda t, s, u, d: t.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,), is_coalesced=True, check_invariants=True),
    "to_sparse": lambda t, s, u, d: d.to_sparse(3),
    "to_sparse blocksize": lambda t, s, u, d: d.to_sparse(layout=t.sparse_coo, blocksize=(1, 1)),
    "to_sparse of sparse": lambda t, s, u, d: s.to_sparse(1),
    "numpy": lambda t, s, u, d: s.numpy(),
    "cat": lambda t, s, u, d: t.cat([s, d]),
    "row outside": lambda t, s, u, d: s[2],
    "norm of a dim": lambda t, s, u, d: s.norm(dim=0),
    "norm keepdim": lambda t, s, u, d: s.norm(keepdim=True),
    "backward without a gradient": lambda t, s, u, d: (s.requires_grad_() * 2).backward(),
    "spdiags twice": lambda t, s, u, d: t.sparse.spdiags(d, t.tensor([0, 0]), (4, 2)),
    "spdiags of too few": lambda t, s, u, d: t.sparse.spdiags(d, t.tensor([0]), (4, 2)),
    "spdiags of a vector": lambda t, s, u, d: t.sparse.spdiags(d, t.tensor([0, 1]), (4,)),
    "spdiags of cubes": lambda t, s, u, d: t.sparse.spdiags(t.ones(2, 2, 2), t.tensor([0, 1]), (4, 2)),
}
REFUSED = {
    "mm out": lambda t, s, d: t.sparse.mm(s, d.t(), out=t.empty(2, 2)),
    "addmm out": lambda t, s, d: t.sparse.addmm(t.ones(2, 2), s, d.t(), out=t.empty(2, 2)),
    "softmax out": lambda t, s, d: t.sparse.softmax(s, 1, out=s),
    "log_softmax out": lambda t, s, d: t.sparse.log_softmax(s, 1, out=s),
    "to_sparse both": lambda t, s, d: d.to_sparse(1, layout=t.sparse_coo),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_that_pytorch_names_and_refuses(name: str) -> None:
    for t in (lamina, pytorch):
        with pytest.raises(TypeError):
            REFUSED[name](t, sparse(t), dense(t))


UNSERVED = ("cos", "exp", "softmax", "max", "triu", "clamp", "view", "nonzero", "eq", "fill_", "_nnz")


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    with pytest.raises(Exception) as theirs:
        ERRORS[name](pytorch, sparse(pytorch), repeated(pytorch), dense(pytorch))
    with pytest.raises((RuntimeError, IndexError, TypeError)) as ours:
        ERRORS[name](lamina, sparse(lamina), repeated(lamina), dense(lamina))
    assert str(theirs.value) in str(ours.value)


@pytest.mark.parametrize("name", UNSERVED)
def test_what_has_no_rule_is_refused_by_name(name: str) -> None:
    arguments = {"softmax": (1,), "triu": (), "clamp": (0, 1), "view": (6,), "eq": (0,), "fill_": (2,)}.get(name, ())
    for t in (lamina, pytorch):
        s = dense(t) if name == "_nnz" else sparse(t)
        with pytest.raises(NotImplementedError, match=name.rstrip("_").lstrip("_")):
            getattr(s, name)(*arguments)


LOSSES = {
    "spmm": lambda t, s, d: (t.spmm(s, d.t()) ** 2).sum(),
    "sparse.mm": lambda t, s, d: (t.sparse.mm(s, d.t()) ** 2).sum(),
    "to_dense": lambda t, s, d: (s.to_dense() * d).sum(),
    "values": lambda t, s, d: (s.coalesce().values() ** 2).sum() + d.sum(),
    "sparse.sum": lambda t, s, d: t.sparse.sum(s) * d.sum(),
    "add dense": lambda t, s, d: ((d + s) ** 2).sum(),
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name: str) -> None:
    def gradients(t: Any) -> list[Any]:
        s, d = sparse(t, requires_grad=True), dense(t).requires_grad_()
        LOSSES[name](t, s, d).backward()
        again = sparse(t, requires_grad=True)
        (other,) = t.autograd.grad(LOSSES[name](t, again, d.detach().requires_grad_()), again)
        assert s.grad.is_sparse == (name not in ("add dense", "spmm") or t is lamina)
        return [(g.to_dense() if g.is_sparse else g).numpy() for g in (s.grad, d.grad, other)]

    stored = sparse(pytorch).to_dense().numpy() != 0
    for i, (ours, theirs) in enumerate(zip(gradients(lamina), gradients(pytorch), strict=True)):
        np.testing.assert_array_equal(ours, theirs if i == 1 else np.where(stored, theirs, 0))  # small integers


ROOTS = {
    "a sparse gradient": lambda t, y: t.sparse_coo_tensor([[0, 1], [2, 1]], [5.0, 7.0], (2, 3)),
    "a dense gradient": lambda t, y: dense(t),
    "its own": lambda t, y: y.detach(),
}


@pytest.mark.parametrize("name", ROOTS)
def test_backward_from_a_sparse_root(name: str) -> None:
    def gradients(t: Any) -> list[Any]:
        values = t.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = t.sparse_coo_tensor(t.tensor([[0, 1, 1], [2, 0, 2]]), values, (2, 3)) * 3
        y.backward(ROOTS[name](t, y), retain_graph=True)
        return [values.grad.tolist(), *(g.tolist() for g in t.autograd.grad(y, values, ROOTS[name](t, y)))]

    assert gradients(lamina) == gradients(pytorch)


def test_diagonals_outside_of_the_matrix_are_left_out() -> None:
    """PyTorch gives coordinates beyond the matrix, or fails."""
    for offset, stored in ((0, 2), (9, 0), (-9, 0)):
        assert lamina.sparse.spdiags(lamina.arange(3.0), lamina.tensor(offset), (4, 2))._nnz() == stored


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("make", [sparse, repeated, hybrid])
def test_files_both_ways(make: Any, old: bool) -> None:
    found = {}
    for t, other in ((lamina, pytorch), (pytorch, lamina)):
        for s in (make(t), make(t).coalesce(), make(t, requires_grad=True).detach()):
            file = io.BytesIO()
            t.save({"s": s, "again": [s, s]}, file, _use_new_zipfile_serialization=not old)
            file.seek(0)
            found = other.load(file, weights_only=True)
            assert told(repr(found["s"])) == told(repr(s)) and found["s"].is_coalesced() == s.is_coalesced()
            assert found["again"][0] is found["again"][1] is found["s"]


def test_files_whose_parts_do_not_fit_are_refused() -> None:
    file = io.BytesIO()
    lamina.save(sparse(lamina), file)
    for old, new in ((b"(K\x02K\x03t\x85R", b"(K\x01K\x03t\x85R"), (b"torch.sparse_coo", b"torch.sparse_csr")):
        damaged = io.BytesIO()
        with zipfile.ZipFile(file) as whole, zipfile.ZipFile(damaged, "w") as copy:
            for name in whole.namelist():
                data = whole.read(name)
                assert not name.endswith("data.pkl") or old in data
                copy.writestr(name, data.replace(old, new) if name.endswith("data.pkl") else data)
        damaged.seek(0)
        with pytest.raises(CheckpointError):
            lamina.load(damaged)


def test_gradients_of_values_flow_through_construction() -> None:
    def gradient(t: Any) -> list[float]:
        values = t.tensor([1.0, 2.0, 3.0], requires_grad=True)
        s = t.sparse_coo_tensor(t.tensor([[0, 0, 1], [1, 1, 0]]), values, (2, 3))
        assert s.requires_grad and not s.is_leaf
        t.sparse.mm(s, dense(t).t()).sum().backward()
        return values.grad.tolist()  # type: ignore[no-any-return]

    assert gradient(lamina) == gradient(pytorch)


def test_to_sparse_has_a_dense_gradient() -> None:
    x = dense(lamina).requires_grad_()
    lamina.sparse.mm(x.to_sparse(), lamina.ones(3, 1)).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


@pytest.mark.parametrize("padding", [None, 1])
def test_embeddings_accumulate_sparse_gradients(padding: int | None) -> None:
    def gradients(t: Any) -> list[str]:
        weight = t.arange(8.0).reshape(4, 2).requires_grad_()
        shown = []
        for indices in ([[1, 3], [1, 0]], [[2, 2], [0, 1]]):
            picked = t.nn.functional.embedding(t.tensor(indices), weight, padding, sparse=True)
            (picked * picked).sum().backward()
            assert weight.grad.is_sparse and weight.grad.layout is t.sparse_coo
            shown.append(repr(weight.grad.coalesce()))  # the order of what is not coalesced is nobody's promise
        t.nn.functional.embedding(t.tensor([0]), weight).sum().backward()
        return [told(x) for x in (*shown, repr(weight.grad))]

    assert gradients(lamina) == gradients(pytorch)


@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_bags_of_embeddings(mode: str) -> None:
    def gradient(t: Any) -> Any:
        weight = t.arange(8.0).reshape(4, 2).requires_grad_()
        out = t.nn.functional.embedding_bag(t.tensor([[1, 3], [1, 0]]), weight, mode=mode, sparse=True)
        (out * out).sum().backward()
        assert weight.grad.is_sparse
        return weight.grad.to_dense().tolist()

    assert gradient(lamina) == gradient(pytorch)


OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SparseAdam", {"lr": 0.1}), ("SparseAdam", {"lr": 0.1, "maximize": True}), ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}), ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
def test_training_with_sparse_embeddings(name: str, settings: dict[str, Any]) -> None:
    start = np.random.default_rng(0).normal(size=(10, 4))
    batches = np.random.default_rng(1).integers(0, 8, (20, 6))

    def trained(t: Any) -> Any:
        layer = t.nn.Embedding(10, 4, sparse=True, dtype=t.float64)
        with t.no_grad():
            layer.weight.copy_(t.tensor(start))
        optimizer = getattr(t.optim, name)(layer.parameters(), **settings)
        for batch in batches:
            optimizer.zero_grad()
            (layer(t.tensor(batch)).sum(0) ** 2).sum().backward()
            assert layer.weight.grad.is_sparse
            optimizer.step()
        return layer.weight.detach().numpy()

    ours, theirs = trained(lamina), trained(pytorch)
    # each of 20 steps rounds about ten float64 operations; errors grow by the loss's curvature, here below 2 ** 10 in all
    np.testing.assert_allclose(ours, theirs, rtol=200 * 2.0**-52 * 2**10, atol=200 * 2.0**-52 * 2**10)
    assert (ours[8:] == start[8:]).all()


@pytest.mark.parametrize("name", ["Adam", "RMSprop", "Adadelta", "Adamax", "ASGD", "NAdam", "RAdam", "Rprop"])
def test_optimizers_that_refuse_sparse_gradients(name: str) -> None:
    messages = []
    for t in (lamina, pytorch):
        weight = t.ones(2, 2, requires_grad=True)
        t.nn.functional.embedding(t.tensor([0]), weight, sparse=True).sum().backward()
        with pytest.raises(RuntimeError) as error:
            getattr(t.optim, name)([weight]).step()
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_copies_and_pickles() -> None:
    import copy
    import pickle

    s = sparse(lamina).coalesce()
    for other in (copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)), s.clone(), s.detach()):
        assert repr(other) == repr(s) and other.is_coalesced()


COMPUTED = {
    "mul": lambda t, w: w * 2, "add": lambda t, w: w + 1, "neg": lambda t, w: -w, "clone": lambda t, w: w.clone(),
    "exp": lambda t, w: w.exp(), "square": lambda t, w: w * w, "div": lambda t, w: 1 / w, "view": lambda t, w: w.reshape(8).view(4, 2),
    "t": lambda t, w: w.t().contiguous().t(), "mm": lambda t, w: w @ t.eye(2), "where": lambda t, w: t.where(w > 1, w, 0),
    "sub": lambda t, w: 3 - w, "softmax": lambda t, w: w.softmax(1),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPUTED)
@pytest.mark.parametrize("indices", [[1, 1, 3], [0, 1, 1, 3]])
def test_a_computed_table_has_the_right_gradient_or_none(name: str, indices: list[int]) -> None:
    def gradient(t: Any, sparse: bool) -> Any:
        w = t.arange(1.0, 9.0).reshape(4, 2).requires_grad_()
        picked = t.nn.functional.embedding(t.tensor(indices), COMPUTED[name](t, w), sparse=sparse)
        (picked * picked).sum().backward()
        return (w.grad.to_dense() if w.grad.is_sparse else w.grad).numpy()

    try:
        ours = gradient(lamina, True)
    except NotImplementedError:
        assert name not in ("mul", "add", "neg", "clone", "exp", "square", "div", "sub")
    else:  # PyTorch's dense gradient, as it refuses some sparse ones that are served here
        np.testing.assert_allclose(ours, gradient(pytorch, False), rtol=2**-18)  # a few dozen float32 roundings


def test_sparse_adam_changes_nothing_where_it_refuses_a_dense_gradient() -> None:
    sparse_one, dense_one = (lamina.ones(2, 2, requires_grad=True) for _ in range(2))
    sparse_one.grad, dense_one.grad = lamina.ones(2, 2).to_sparse(1), lamina.ones(2, 2)
    optimizer = lamina.optim.SparseAdam([sparse_one, dense_one])
    with pytest.raises(RuntimeError, match="does not support dense gradients"):
        optimizer.step()
    assert (sparse_one == 1).all() and not optimizer.state


@pytest.mark.filterwarnings("ignore:Sparse invariant")
@pytest.mark.parametrize("t", [lamina, pytorch])
def test_fewer_than_two_items_are_coalesced(t):
    def made(count):
        return t.sparse_coo_tensor(t.zeros(1, count, dtype=t.int64), t.ones(count), (3,))

    assert [made(count).is_coalesced() for count in range(3)] == [True, True, False]
    assert t.sparse_coo_tensor(size=(2, 3)).is_coalesced()


@pytest.mark.parametrize("t", [lamina, pytorch])
@pytest.mark.parametrize("index", [-1, 3])
def test_indices_outside_are_runtime_errors(t, index):
    with pytest.raises(RuntimeError, match="index"):
        t.sparse_coo_tensor(t.tensor([[index]]), t.ones(1), (3,), check_invariants=True)
