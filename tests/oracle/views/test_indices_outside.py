"""Indices that are negative or too large: refused where PyTorch refuses them, with its kind of error, and before a write."""

import warnings

import pytest
import torch

import lamina
from lamina_flatarray.errors import LaminaError

LENGTH = 4


def _grid(t, *shape):
    count = 1
    for n in shape:
        count *= n
    return t.arange(float(count)).reshape(*shape)


def _matrix(t, bad):
    return t.tensor([[bad, 0], [0, 1]])


def _vector(t, bad):
    return t.tensor([bad, 0])


CALLS = {
    "gather": lambda t, x, bad: t.gather(x, 1, _matrix(t, bad)),
    "gather of a number": lambda t, x, bad: t.gather(t.tensor(1.0), 0, t.tensor(bad)),
    "scatter": lambda t, x, bad: x.scatter(1, _matrix(t, bad), _grid(t, 2, 2)),
    "scatter of a number": lambda t, x, bad: x.scatter(1, _matrix(t, bad), 5.0),
    "scatter, add": lambda t, x, bad: x.scatter(1, _matrix(t, bad), _grid(t, 2, 2), reduce="add"),
    "scatter_": lambda t, x, bad: x.scatter_(1, _matrix(t, bad), _grid(t, 2, 2)),
    "scatter_, multiply": lambda t, x, bad: x.scatter_(1, _matrix(t, bad), 2.0, reduce="multiply"),
    "scatter_add": lambda t, x, bad: x.scatter_add(1, _matrix(t, bad), _grid(t, 2, 2)),
    "scatter_add_": lambda t, x, bad: x.scatter_add_(1, _matrix(t, bad), _grid(t, 2, 2)),
    **{
        f"scatter_reduce, {reduce}": lambda t, x, bad, reduce=reduce: x.scatter_reduce(1, _matrix(t, bad), _grid(t, 2, 2), reduce)
        for reduce in ("sum", "prod", "mean", "amax", "amin")
    },
    "scatter_reduce_": lambda t, x, bad: x.scatter_reduce_(1, _matrix(t, bad), _grid(t, 2, 2), "amax"),
    **{
        f"index_reduce, {reduce}": lambda t, x, bad, reduce=reduce: x.index_reduce(1, _vector(t, bad), _grid(t, 3, 2), reduce)
        for reduce in ("prod", "mean", "amax", "amin")
    },
    "index_select": lambda t, x, bad: x.index_select(1, _vector(t, bad)),
    "index_select in int32": lambda t, x, bad: x.index_select(1, _vector(t, bad).int()),
    "index_select of a vector": lambda t, x, bad: x[0].index_select(0, _vector(t, bad)),
    "index_add": lambda t, x, bad: x.index_add(1, _vector(t, bad), _grid(t, 3, 2)),
    "index_add_": lambda t, x, bad: x.index_add_(1, _vector(t, bad), _grid(t, 3, 2)),
    "index_copy": lambda t, x, bad: x.index_copy(1, _vector(t, bad), _grid(t, 3, 2)),
    "index_copy_": lambda t, x, bad: x.index_copy_(1, _vector(t, bad), _grid(t, 3, 2)),
    "index_fill": lambda t, x, bad: x.index_fill(1, _vector(t, bad), 9.0),
    "index_fill_": lambda t, x, bad: x.index_fill_(1, _vector(t, bad), 9.0),
    "index_put": lambda t, x, bad: x.index_put((t.tensor([0]), t.tensor([bad])), t.tensor(9.0)),
    "index_put_, accumulate": lambda t, x, bad: x.index_put_((t.tensor([0]), t.tensor([bad])), t.tensor(9.0), accumulate=True),
    "getitem": lambda t, x, bad: x[0, _vector(t, bad)],
    "take": lambda t, x, bad: t.take(x[0], _vector(t, bad)),
    "put_": lambda t, x, bad: x.put_(t.tensor([bad * 3]), t.tensor([3.0])),
    "take_along_dim, flattened": lambda t, x, bad: t.take_along_dim(x[0], t.tensor([bad])),
    "max_unpool1d": lambda t, x, bad: t.nn.functional.max_unpool1d(_grid(t, 1, 1, 2), t.tensor([[[bad, 0]]]), 2),
    "max_unpool2d": lambda t, x, bad: t.nn.functional.max_unpool2d(_grid(t, 1, 1, 1, 2), t.tensor([[[[bad * 2, 0]]]]), 2),
    "max_unpool3d": lambda t, x, bad: t.nn.functional.max_unpool3d(_grid(t, 1, 1, 1, 1, 2), t.tensor([[[[[bad * 4, 0]]]]]), 2),
    "searchsorted's sorter": lambda t, x, bad: t.searchsorted(_grid(t, 4), t.tensor([2.0]), sorter=t.tensor([bad, 0, 1, 2])),
    "embedding": lambda t, x, bad: t.nn.functional.embedding(_vector(t, bad), _grid(t, 4, 3)),
    "embedding of a number": lambda t, x, bad: t.nn.functional.embedding(t.tensor(bad), _grid(t, 4, 3)),
    "embedding_bag": lambda t, x, bad: t.nn.functional.embedding_bag(_vector(t, bad), _grid(t, 4, 3), t.tensor([0])),
    "embedding_bag, max": lambda t, x, bad: t.nn.functional.embedding_bag(_vector(t, bad), _grid(t, 4, 3), t.tensor([0]), mode="max"),
    "one_hot": lambda t, x, bad: t.nn.functional.one_hot(_vector(t, bad), LENGTH),
    "multi_margin_loss": lambda t, x, bad: t.nn.functional.multi_margin_loss(x[:2], _vector(t, bad)),
    "multi_margin_loss, weights": lambda t, x, bad: t.nn.functional.multi_margin_loss(x[:2], _vector(t, bad), weight=x[0]),
    "multilabel_margin_loss": lambda t, x, bad: t.nn.functional.multilabel_margin_loss(x[0], t.tensor([0, bad, 1, 1])),
    "multilabel_margin_loss behind the end": lambda t, x, bad: t.nn.functional.multilabel_margin_loss(x[0], t.tensor([0, -1, bad, 1])),
    "nll_loss": lambda t, x, bad: t.nn.functional.nll_loss(x[:2], _vector(t, bad)),
    "nll_loss, ignored": lambda t, x, bad: t.nn.functional.nll_loss(x[:2], _vector(t, bad), ignore_index=bad),
    "nll_loss of images": lambda t, x, bad: t.nn.functional.nll_loss(_grid(t, 1, 4, 2, 1), t.tensor([[[bad], [0]]])),
    "cross_entropy": lambda t, x, bad: t.nn.functional.cross_entropy(x[:2] * 0, _vector(t, bad)),
    "cross_entropy, smoothed": lambda t, x, bad: t.nn.functional.cross_entropy(x[:2] * 0, _vector(t, bad), label_smoothing=0.5),
    "cross_entropy, weights": lambda t, x, bad: t.nn.functional.cross_entropy(x[:2] * 0, _vector(t, bad), weight=x[0]),
    "lu_unpack": lambda t, x, bad: t.lu_unpack(t.eye(4), t.tensor([bad + 1, 2, 3, 4], dtype=t.int32)),
    "bincount": lambda t, x, bad: t.bincount(_vector(t, bad)),
    "index_select's gradient": lambda t, x, bad: x.requires_grad_().index_select(1, _vector(t, bad)).sum().backward(),
}


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
@pytest.mark.parametrize("name", CALLS)
def test_as_pytorch(name, backend):
    refused = 0
    with lamina.backends.use_backend(backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for bad in (-1, -3, -LENGTH, -LENGTH - 1, LENGTH - 1, LENGTH, 2**40):
            if name == "bincount" and bad > LENGTH:
                continue  # which asks for that many bins
            theirs, ours = _grid(torch, 3, 4), _grid(lamina, 3, 4)
            try:
                expected = CALLS[name](torch, theirs, bad)
            except Exception as error:
                refused += 1
                before = ours.tolist()
                with pytest.raises(type(error)) as raised:
                    CALLS[name](lamina, ours, bad)
                assert isinstance(raised.value, LaminaError), raised.value
                assert ours.tolist() == before, "written before it was refused"
            else:
                result = CALLS[name](lamina, ours, bad)
                for a, b in zip(_items(result), _items(expected), strict=True):
                    assert a.tolist() == pytest.approx(b.tolist(), rel=1e-6) if a.ndim < 2 else a.tolist() == b.tolist()
    assert refused or name == "nll_loss, ignored", "PyTorch took all of them"


def _items(result):
    return () if result is None else result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_from_the_end_along_a_dim(backend):
    """PyTorch takes indices beyond the length, too, counted around; those are refused here."""
    with lamina.backends.use_backend(backend):
        for bad in (-1, -LENGTH):
            results = [t.take_along_dim(_grid(t, 3, 4), t.tensor([[bad], [0], [2]]), 1) for t in (lamina, torch)]
            assert results[0].tolist() == results[1].tolist()
        for bad in (LENGTH, -LENGTH - 1):
            with pytest.raises(IndexError, match="take_along_dim"):
                lamina.take_along_dim(_grid(lamina, 3, 4), lamina.tensor([[bad], [0], [2]]), 1)


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_labels_of_ctc(backend):
    """PyTorch reads beside the scores for a label that is no class; behind a sequence's end none is looked at."""
    with lamina.backends.use_backend(backend):
        logs = _grid(lamina, 6, 2, 4).log_softmax(2)
        lengths = lamina.tensor([6, 6])
        padded = lamina.nn.functional.ctc_loss(logs, lamina.tensor([[1, -1], [2, 3]]), lengths, lamina.tensor([1, 2]))
        assert padded.item() == lamina.nn.functional.ctc_loss(logs, lamina.tensor([[1, 0], [2, 3]]), lengths, lamina.tensor([1, 2])).item()
        with pytest.raises(IndexError, match="ctc_loss"):
            lamina.nn.functional.ctc_loss(logs, lamina.tensor([[1, -1], [2, 3]]), lengths, lamina.tensor([2, 2]))


@pytest.mark.parametrize("call", ["index_add(1, i, s)", "index_copy(1, i, s)", "index_fill(1, i, 0.0)", "index_add_(1, i, s)"])
def test_positions_of_slices_without_items_are_not_read(call, backend):
    for t in (lamina, torch):
        x, i, s = t.zeros(0, 2), t.tensor([3]), t.zeros(0, 1)
        assert tuple(eval(f"x.{call}", {"x": x, "i": i, "s": s}).shape) == (0, 2)
        with pytest.raises(IndexError):
            t.zeros(2).index_fill(0, i, 0.0)


def test_index_reduce_reads_positions_of_slices_without_items(backend):
    for t in (lamina, torch):
        for shape, axis in (((0, 2), 1), ((2, 0), 0), ((0,), 0)):
            x, source = t.zeros(shape), t.zeros([1 if d == axis else n for d, n in enumerate(shape)])
            for bad in (-1, 2):
                with pytest.raises(IndexError):
                    x.index_reduce(axis, t.tensor([bad]), source, "amax")
        assert tuple(t.zeros(0, 2).index_reduce(1, t.tensor([1]), t.zeros(0, 1), "mean").shape) == (0, 2)
