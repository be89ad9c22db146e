"""Views share memory: none of them calls a kernel or asks for memory, and strided operands are never copied."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.instruments import count_ops
from lamina_flatarray.ops import OPS
from lamina_ndarray.dispatch.functions import FUNCTIONS


def flat(*values):
    """All arrays in nested tuples and lists."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from flat(*value)
        else:
            yield value


VIEWS = {
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "adjoint": nd.adjoint,
    "as_strided": lambda x: nd.as_strided(x, (2, 2), (1, 3), 2),
    "atleast_1d": lambda x: nd.atleast_1d(x[0, 0, 0]),
    "atleast_2d": lambda x: nd.atleast_2d(x[0, 0]),
    "atleast_3d": lambda x: nd.atleast_3d(x[0]),
    "broadcast_arrays": lambda x: nd.broadcast_arrays(x, x[:, :1]),
    "broadcast_to": lambda x: nd.broadcast_to(x, (5, 2, 3, 4)),
    "chunk": lambda x: nd.chunk(x, 2, 1),
    "contiguous": nd.contiguous,
    "diagonal": lambda x: nd.diagonal(x, 1, 0, 2),
    "dsplit": lambda x: nd.dsplit(x, 2),
    "flatten": nd.flatten,
    "flip": lambda x: nd.flip(x, (0, 2)),
    "getitem": lambda x: (x[0], x[:, None, ::-1], x[..., 1:], x[1, 2, 3]),
    "hsplit": lambda x: nd.hsplit(x, [1, 2]),
    "meshgrid": lambda x: nd.meshgrid(x[0, 0], x[0, :, 0]),
    "moveaxis": lambda x: nd.moveaxis(x, (0, 1), (2, 0)),
    "narrow": lambda x: nd.narrow(x, 2, 1, 2),
    "permute": lambda x: nd.permute(x, (2, 0, 1)),
    "ravel": nd.ravel,
    "real": nd.real,
    "reshape": lambda x: nd.reshape(x, (4, -1)),
    "resolve_conj": nd.resolve_conj,
    "resolve_neg": nd.resolve_neg,
    "select": lambda x: nd.select(x, 1, -1),
    "split": lambda x: nd.split(x, 3, 2),
    "split_with_sizes": lambda x: nd.split_with_sizes(x, [1, 0, 3], 2),
    "squeeze": lambda x: nd.squeeze(x[:, :1, :1], (1, 2)),
    "swapaxes": lambda x: nd.swapaxes(x, 0, 2),
    "tensor_split": lambda x: (nd.tensor_split(x, 3, 2), nd.tensor_split(x, [1, -1], 2)),
    "transpose": nd.transpose,
    "unbind": lambda x: nd.unbind(x, 1),
    "unflatten": lambda x: nd.unflatten(x, 2, (2, -1)),
    "unfold": lambda x: nd.unfold(x, 2, 3, 1),
    "unsafe_chunk": lambda x: nd.unsafe_chunk(x, 2),
    "unsafe_split": lambda x: nd.unsafe_split(x, 1),
    "unsafe_split_with_sizes": lambda x: nd.unsafe_split_with_sizes(x, [1, 1]),
    "unsqueeze": lambda x: nd.unsqueeze(x, 1),
    "view": lambda x: nd.view(x, (6, 4)),
    "vsplit": lambda x: nd.vsplit(x, 2),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_runs_no_kernel_and_asks_for_no_memory(view):
    x = nd.reshape(nd.arange(24), (2, 3, 4))
    kernels, asked = x.flat.kernels, []
    allocate = kernels.allocate
    kernels.allocate = lambda nbytes: (asked.append(nbytes), allocate(nbytes))[1]
    try:
        with count_ops() as counts:
            made = list(flat(VIEWS[view](x)))
    finally:
        kernels.allocate = allocate
    assert not counts
    assert not asked
    assert made
    assert all(v.flat is x.flat for v in made)
    before = x.flat.version
    made[0][(0,) * made[0].ndim] = 100
    assert x.flat.version == before + 1
    assert 100 in np.asarray(x)


def test_views_of_complex_numbers():
    z = nd.asarray([[1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j]]).T
    with count_ops() as counts:
        pairs, re, im = nd.view_as_real(z), nd.real(z), nd.imag(z)
        back = nd.view_as_complex(pairs)
    assert not counts
    assert pairs.tolist() == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    im[...] = 0
    re[0] = -1
    assert z.tolist() == back.tolist() == [[-1, -1], [3, 7]]
    for wrong in (nd.zeros((3, 3)), nd.zeros(()), nd.zeros((2, 4))[:, ::2], nd.zeros(6)[1:3]):
        with pytest.raises(ShapeError):
            nd.view_as_complex(wrong)
    for function, of in ((nd.view_as_complex, nd.zeros(2, dtype="int64")), (nd.view_as_real, nd.zeros(2))):
        with pytest.raises(DTypeError):
            function(of)


STRIDED = {
    "transposed": lambda x: x.T,
    "gapped": lambda x: x[::2, 1:],
    "reversed": lambda x: nd.flip(x, (0, 1)),
    "broadcast": lambda x: nd.broadcast_to(x[:1], (4, 6)),
    "offset": lambda x: x[1:, 2:],
}


@pytest.mark.parametrize("layout", STRIDED)
@pytest.mark.parametrize("op", [n for n, row in OPS.items() if row.family in ("map", "reduce", "scan", "matmul", "sort")])
def test_strided_operands_are_not_copied(op, layout):
    """A kernel that reads strides is given them: one kernel call, and no copy."""
    row = OPS[op]
    # of floats, the results of these at infinity, zero or NaN are mended after the kernel
    kinds = ("int64",) if op in ("floor_divide", "remainder", "sign") else ("float64", "int64", "bool", "complex128")
    dtype = next((DTYPES[d] for d in kinds if _computes(op, DTYPES[d])), None)
    assert dtype is not None
    x = STRIDED[layout](nd.astype(nd.reshape(nd.arange(24) % 5 + 1, (4, 6)), dtype))
    if not x.backend.reads_strides or origin(x.backend, op, dtype) == "derived":
        pytest.skip("this backend reads compact arrays only, or composes the op")
    operands = [x] * row.arity
    if op == "where":
        operands[0] = x > 2
    if op == "matmul":
        operands[1] = x.T
    params = {"axis": 0} if row.family in ("scan", "sort") or op in ("argmax", "argmin") else {}
    if op == "ranked":
        params |= {"start": 1, "stop": 2}
    if op == "clip":
        operands += [1, 2]
    if op == "polygamma":
        operands.insert(0, 1)
    with count_ops() as counts:
        FUNCTIONS[op](*operands, **params)
    assert dict(counts) == {op: 1}


def _computes(op, dtype):
    try:
        return result_dtypes(op, dtype)[0] is dtype
    except DTypeError:
        return False


# -- what views show --------------------------------------------------------------------------------------------------


def test_rearrangements_are_numpys():
    a = np.arange(24).reshape(2, 3, 4)
    x = nd.asarray(a)
    for ours, theirs in (
        (nd.moveaxis(x, (0, 2), (1, 0)), np.moveaxis(a, (0, 2), (1, 0))),
        (nd.swapaxes(x, 0, -1), np.swapaxes(a, 0, -1)),
        (nd.roll(x, 5), np.roll(a, 5)),
        (nd.roll(x, (1, -2), (0, 2)), np.roll(a, (1, -2), (0, 2))),
        (nd.roll(x, 7, 1), np.roll(a, 7, 1)),
        *((nd.rot90(x, k, (0, 2)), np.rot90(a, k, (0, 2))) for k in (-1, 0, 1, 2, 3, 6)),
        (nd.fliplr(x), np.fliplr(a)),
        (nd.flipud(x), np.flipud(a)),
        (nd.tile(x, 2), np.tile(a, 2)),
        (nd.tile(x, (3, 1, 2, 1)), np.tile(a, (3, 1, 2, 1))),
        (nd.tile(x, (0, 1)), np.tile(a, (0, 1))),
        (nd.repeat_interleave(x, 3), np.repeat(a, 3)),
        (nd.repeat_interleave(x, 2, 1), np.repeat(a, 2, 1)),
        (nd.repeat_interleave(x, nd.asarray([0, 3, 1]), 1), np.repeat(a, [0, 3, 1], 1)),
        (nd.repeat(x, [1, 2], 0), np.repeat(a, [1, 2], 0)),
        (nd.repeat_interleave(nd.asarray([2, 0, 1])), [0, 0, 2]),
        (nd.unflatten(x, -1, (2, 2)), a.reshape(2, 3, 2, 2)),
        (nd.tril(x, -1), np.tril(a, -1)),
        (nd.triu(x, 1), np.triu(a, 1)),
        (nd.tril_indices(3, 4, 1), np.stack(np.tril_indices(3, 1, 4))),
        (nd.triu_indices(4, 3, -1), np.stack(np.triu_indices(4, -1, 3))),
        (nd.tril_indices(0, 3), np.zeros((2, 0))),
        (nd.diag(x[0], 1), np.diag(a[0], 1)),
        (nd.diag(x[0, 0], -2), np.diag(a[0, 0], -2)),
        (nd.diagflat(x[0, :2], 1), np.diagflat(a[0, :2], 1)),
        (nd.diagonal(nd.diag_embed(x, 1, 0, 2), 1, 0, 2), a),
        (nd.diagonal(nd.diag_embed(x, -1, 2, 0), -1, 2, 0), a),
    ):
        theirs = np.asarray(theirs)
        assert ours.shape == theirs.shape
        assert ours.tolist() == theirs.tolist()


def test_meshgrid_and_broadcasting():
    a, b, c = nd.arange(2), nd.arange(3), nd.asarray(7)
    for indexing in ("xy", "ij"):
        for ours, theirs in zip(
            nd.meshgrid(a, b, c, indexing=indexing),
            np.meshgrid(np.arange(2), np.arange(3), 7, indexing=indexing),
            strict=True,
        ):
            assert ours.tolist() == theirs.tolist()
    assert [x.shape for x in nd.broadcast_arrays(nd.zeros((2, 1)), nd.zeros(3))] == [(2, 3), (2, 3)]
    with pytest.raises(ShapeError):
        nd.broadcast_arrays(nd.zeros(2), nd.zeros(3))
    with pytest.raises(UsageError):
        nd.meshgrid(a, indexing="ji")
    with pytest.raises(DTypeError):
        nd.meshgrid(a, nd.zeros(2))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: nd.as_strided(x, (2,), (24,)), ShapeError),
        (lambda x: nd.as_strided(x, (2,), (1,), -1), ShapeError),
        (lambda x: nd.select(x, 3, 0), IndexOutOfRange),
        (lambda x: nd.select(x, 0, 2), IndexOutOfRange),
        (lambda x: nd.narrow(x, 0, 1, 2), ShapeError),
        (lambda x: nd.narrow(x, 0, 3, 0), IndexOutOfRange),
        (lambda x: nd.moveaxis(x, (0, 1), (0, 0)), ShapeError),
        (lambda x: nd.roll(x, (1, 2), 0), UsageError),
        (lambda x: nd.roll(x, 1, 5), IndexOutOfRange),
        (lambda x: nd.rot90(x, 1, (1, 1)), UsageError),
        (lambda x: nd.unflatten(x, 2, (3, 2)), ShapeError),
        (lambda x: nd.repeat_interleave(x, -1), UsageError),
        (lambda x: nd.repeat_interleave(x, nd.asarray([1, 2, 3]), 0), ShapeError),
        (lambda x: nd.repeat_interleave(x, nd.asarray([1.0]), 0), DTypeError),
        (lambda x: nd.diag(x), ShapeError),
        (lambda x: nd.diag_embed(x, 0, 1, 1), UsageError),
        (lambda x: nd.tril(x[0, 0]), ShapeError),
        (lambda x: nd.flatten(x, 2, 1), ShapeError),
        (lambda x: nd.unfold(x, 0, 3, 1), ShapeError),
        (lambda x: nd.view(x.T, (24,)), ShapeError),
        (lambda x: nd.broadcast_to(x, (3, 3, 4)), ShapeError),
        (lambda x: nd.adjoint(x[0, 0]), ShapeError),
    ],
)
def test_what_does_not_fit_is_refused(call, error):
    with pytest.raises(error):
        call(nd.reshape(nd.arange(24), (2, 3, 4)))
