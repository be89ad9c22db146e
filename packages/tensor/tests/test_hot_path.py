"""What one small op costs in Python frames, allocations and kernel calls: fixed here, so that it cannot grow unseen. These are calls
without a plan; with one, they run no Python (test_call_plans.py)."""


import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.instruments import count_ops
from lamina_flatarray.twins import compiled
from lamina_tensor import fft as FFT
from lamina_tensor import linalg as LINALG

counting = pytest.importorskip("lamina_testkit.frames", reason="frames are counted by the kit")
frames, CONSTRUCTORS = counting.frames, counting.CONSTRUCTORS


def allocations(function, table):
    """How many blocks of memory one call asks the backend for."""
    asked = []
    allocate = table.allocate
    table.allocate = lambda nbytes: (asked.append(nbytes), allocate(nbytes))[1]
    try:
        function()
    finally:
        table.allocate = allocate
    return len(asked)


X, Y, HEAD, PLACES = lt.ones(10), lt.ones(10), lt.ones(3), lt.tensor([3, 1, 4])
XG, YG = lt.ones(10, requires_grad=True), lt.ones(10, requires_grad=True)
M, ONE, MASK, HALF, STACK = lt.ones(16, 16), lt.ones(()), X > 2, lt.arange(10) > 4, lt.ones(3, 4, 4)
HALVES = FFT.rfft(M)
EYE = lt.eye(5)
SPARSE = lt.eye(5).to_sparse()  # of a class that has a say in functions, which costs calls without such a tensor nothing


M0, X0, ROW = lt.zeros(16), lt.zeros(16, 1), lt.zeros(16) > 1


def written_under_a_mask():
    X[MASK] = 1.0


CASES = {  # name: the call, its frames, its allocations
    "add": (lambda: X + Y, 2, 1),
    "add recorded": (lambda: XG + YG, 4, 1),
    "multiply by a number": (lambda: X * 2.0, 2, 1),
    "exp": (lambda: X.exp(), 2, 1),
    "exp recorded": (lambda: XG.exp(), 5, 1),
    "matmul": (lambda: M @ M, 3, 1),
    "sum": (lambda: X.sum(), 4, 1),
    "rfft": (lambda: FFT.rfft(M), 8, 0),
    "rfft by keywords": (lambda: FFT.rfft(M, dim=0, norm="ortho"), 8, 0),
    "irfft": (lambda: FFT.irfft(HALVES, n=16), 8, 1),
    "fft2": (lambda: FFT.fft2(HALVES), 12, 0),
    "sum recorded": (lambda: XG.sum(), 9, 1),
    "argmax": (lambda: M.argmax(1), 3, 0),
    "softmax": (lambda: lt.softmax(M, -1), 5, 1),
    "cat": (lambda: lt.cat((X, Y)), 3, 1),
    "stack": (lambda: lt.stack((X, Y)), 3, 1),
    "cat recorded": (lambda: lt.cat((XG, YG)), 8, 1),
    "hstack": (lambda: lt.hstack((X, Y)), 3, 1),
    "vstack": (lambda: lt.vstack((X, Y)), 6, 1),
    "chunk": (lambda: M.chunk(2), 18, 0),
    "unbind": (lambda: M.unbind(), 98, 0),
    "split at lengths": (lambda: M.split([4, 12]), 38, 0),
    "squeeze of several": (lambda: STACK.squeeze((0, 1)), 5, 0),
    "as_strided": (lambda: M.as_strided((2, 2), (1, 2)), 6, 0),
    "flatten": (lambda: M.flatten(), 5, 0),
    "x[:, None]": (lambda: X[:, None], 4, 0),
    "1 - x": (lambda: 1.0 - X, 4, 1),
    "x[mask] = 1": (written_under_a_mask, 5, 0),
    "mm": (lambda: M.mm(M), 4, 1),
    "item": (lambda: ONE.item(), 1, 0),
    "tolist": (lambda: X.tolist(), 1, 0),
    "zeros": (lambda: lt.zeros(10), 5, 1),
    "tensor of a list": (lambda: lt.tensor([1.0, 2.0]), 5, 1),
    "transpose": (lambda: M.transpose(0, 1), 4, 0),
    "reshape": (lambda: M.reshape(8, 32), 4, 0),
    "x[3]": (lambda: X[3], 3, 0),
    "x[:, places]": (lambda: M[:, PLACES], 8, 1),
    "index_select": (lambda: X.index_select(0, PLACES), 5, 1),
    "gather": (lambda: X.gather(0, PLACES), 5, 1),
    "scatter": (lambda: X.scatter(0, PLACES, HEAD), 9, 1),
    "flip": (lambda: M.flip(0), 4, 1),
    "roll": (lambda: X.roll(1), 8, 1),
    "roll recorded": (lambda: XG.roll(1), 8, 1),
    "take_along_dim": (lambda: X.take_along_dim(PLACES, 0), 12, 1),
    "index_add_": (lambda: X.index_add_(0, PLACES, HEAD), 11, 0),
    "in place": (lambda: X.add_(Y), 2, 0),
    "in place, broadcast": (lambda: M.add_(M0), 2, 0),
    "x[mask]": (lambda: X[HALF], 7, 1),
    "x[mask] recorded": (lambda: XG[HALF], 11, 1),
    "any": (lambda: HALF.any(), 3, 0),
    "max": (lambda: M.max(), 4, 1),
    "nonzero": (lambda: HALF.nonzero(), 4, 0),
    "masked_fill": (lambda: X.masked_fill(MASK, 0.0), 5, 1),
    "masked_fill with a tensor": (lambda: X.masked_fill(MASK, ONE), 5, 1),
    "masked_fill, broadcast": (lambda: M.masked_fill(ROW, 0), 7, 1),
    "masked_fill_": (lambda: X.masked_fill_(MASK, 0.0), 7, 0),
    "where, broadcast": (lambda: lt.where(ROW, M, X0), 4, 1),
    "where": (lambda: lt.where(MASK, X, Y), 3, 1),
    "bmm": (lambda: STACK.bmm(STACK), 4, 1),
    "m @ v": (lambda: M @ M[0], 6, 1),
    "dot": (lambda: X.dot(Y), 5, 1),
    "addmm": (lambda: lt.addmm(M, M, M), 12, 2),
    "full": (lambda: lt.full((10,), 2.0), 7, 1),
    "arange": (lambda: lt.arange(10), 3, 0),
    "linspace": (lambda: lt.linspace(0, 1, 10), 12, 1),
    "rand_like": (lambda: lt.rand_like(X), 6, 1),
    "rand": (lambda: lt.rand(10), 8, 1),
    "randn": (lambda: lt.randn(10), 8, 1),
    "randint": (lambda: lt.randint(0, 9, (10,)), 9, 0),
    "normal_": (lambda: Y.normal_(), 4, 0),
    "zero_": (lambda: Y.zero_(), 1, 0),
    "to its own device": (lambda: X.to("cpu"), 2, 0),
    "to its own dtype": (lambda: X.to(X.dtype), 1, 0),
    "float": (lambda: X.float(), 1, 0),
    "cpu": (lambda: X.cpu(), 2, 0),
    "contiguous": (lambda: X.contiguous(), 1, 0),
    "detach": (lambda: X.detach(), 1, 0),
    "det": (lambda: LINALG.det(EYE), 6, 1),
    "cholesky_ex": (lambda: LINALG.cholesky_ex(EYE), 8, 1),
    "lu_factor_ex": (lambda: LINALG.lu_factor_ex(EYE), 7, 1),
    "solve_ex": (lambda: LINALG.solve_ex(EYE, EYE), 11, 1),
    "solve_triangular": (lambda: LINALG.solve_triangular(EYE, EYE, upper=False), 9, 1),
    "qr": (lambda: LINALG.qr(EYE), 8, 2),
    "norm of rows": (lambda: LINALG.vector_norm(EYE, dim=-1), 7, 1),
}

WITHOUT_TWINS = {  # frames where Python does by itself what costs a compiled twin one call: recording, each part, each product and sum
    "add recorded": 10, "roll recorded": 20, "chunk": 29, "unbind": 107, "flatten": 12, "m @ v": 13, "addmm": 22,
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cost_of_an_op(name):
    function, calls, blocks = CASES[name]
    entered, most = frames(function), calls + 3  # what is decorated, the dispatcher, and what records
    if compiled is None:
        most = WITHOUT_TWINS.get(name, calls + 5)
    assert len(entered) <= most, entered
    assert allocations(function, X.array.flat.kernels) == blocks


def test_backward_runs_one_kernel_per_gradient_and_adds_in_place():
    def chain():
        z = XG
        for _ in range(10):
            z = z * YG + XG
        z.sum().backward()

    chain()
    with count_ops() as counts:
        chain()
    assert counts["multiply"] == 10 + 20
    assert counts["add"] == 10 + 19 + 2  # forward, the sums of gradients, the two leaves
    assert counts["sum"] == 1
    XG.grad = YG.grad = None


def test_gradients_of_parts_meet_in_one_place():
    x = lt.ones(6, 4, requires_grad=True)
    loss = sum((part * part).sum() for part in (*x.split(2), *x.unbind(1)))
    with count_ops() as counts:
        loss.backward()
    assert (counts["fill"], counts["copy"], counts["add"]) == (1 + 1, 1, 6 + 7)  # the two gradients of each of 7 parts, too


def test_order_statistics_and_counts_are_one_kernel_call():
    whole = lt.arange(10)
    for op, call in {
        "median": lambda: M.median(dim=1), "mode": lambda: M.mode(), "ranked": lambda: M.topk(3), "distinct": lambda: X.unique(),
        "array_equal": lambda: lt.equal(X, Y), "nanmean": lambda: X.nanmean(), "complex": lambda: lt.complex(X, Y),
        "histc": lambda: X.histc(4, 0, 1), "cummax": lambda: M.cummax(1),
    }.items():  # fmt: skip
        call()
        with count_ops() as counts:
            call()
        assert counts[op] == 1, (op, counts)
        if origin(X.array.backend, op, X.array.dtype) != "derived":  # what is shorter than its memory, or cast, is copied
            assert sum(counts.values()) - counts["copy"] == 1, (op, counts)
    with count_ops() as counts:
        whole.bincount()
    assert (counts["bincount"], counts["max"], counts["min"]) == (1, 1, 1)


def test_a_keyword_costs_no_frame():
    assert len(frames(lambda: M.median(1, True))) == len(frames(lambda: M.median(dim=1, keepdim=True)))


def test_joining_is_one_kernel_call():
    with count_ops() as counts:
        lt.cat([X] * 5)
        lt.stack([M] * 5, 1)
        lt.stack([M] * 5, -1)
    assert dict(counts) == {"concat": 3}


IN_PLACE = {
    "add_": (lambda x, y: x.add_(y, alpha=0.5), "addcmul"), "sub_": (lambda x, y: x.sub_(y, alpha=0.5), "addcmul"),
    "addcmul_": (lambda x, y: x.addcmul_(y, y, value=2), "addcmul"), "addcdiv_": (lambda x, y: x.addcdiv_(y, y), "addcdiv"),
    "lerp_": (lambda x, y: x.lerp_(y, 0.5), "lerp"), "mul_": (lambda x, y: x.mul_(0.5), "multiply"),
    "clamp_": (lambda x, y: x.clamp_(0.0, 1.0), "clip"), "clamp_min_": (lambda x, y: x.clamp_min_(0.0), "clip"),
    "clamp_max_": (lambda x, y: x.clamp_max_(1.0), "clip"), "zero_": (lambda x, y: x.zero_(), "fill"),
    "fill_": (lambda x, y: x.fill_(0.5), "fill"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(IN_PLACE))
def test_in_place_ops_are_one_kernel_that_writes_where_they_stand(name):
    """No result is made first and copied then: neither of a whole array, nor of a view of one."""
    change, op = IN_PLACE[name]
    x, y = lt.ones(3, 4), lt.ones(3, 4)
    for target, other in ((x, y), (x.t(), y.t()), (x[1:], y[1:]), (x[:, 1:], y[:, 1:])):
        before = target.array
        with count_ops() as counts:
            change(target, other)
        assert dict(counts) == {op: 1}
        assert target.array is before


OF_THREE = {
    "addcmul": (lambda x, y, z: x.addcmul_(y, z, value=0.5), lambda x, y, z: lt.addcmul(x, y, z, value=0.5)),
    "addcdiv": (lambda x, y, z: x.addcdiv_(y, z), lt.addcdiv),
    "lerp": (lambda x, y, z: x.lerp_(y, z), lt.lerp),
    "lerp by a number": (lambda x, y, z: x.lerp_(y, 0.25), lambda x, y, z: lt.lerp(x, y, 0.25)),
    "add": (lambda x, y, z: x.add_(y, alpha=2), lambda x, y, z: lt.add(x, y, alpha=2)),
    "subtract": (lambda x, y, z: x.sub_(y, alpha=0.5), lambda x, y, z: lt.sub(x, y, alpha=0.5)),
}


@pytest.mark.parametrize("name", OF_THREE)
def test_ops_of_three_operands_in_place_give_what_they_give_elsewhere(name):
    """Also over an operand, part of one, and views; each write is counted once."""
    change, function = OF_THREE[name]
    rows = lt.arange(12.0).reshape(3, 4) + 1
    for pick in (
        lambda m: (m, m + 1, m * 2), lambda m: (m, m, m), lambda m: (m[1], m[1], m[2]), lambda m: (m[1:], m[:-1], m[:2] + 1),
        lambda m: (m.t(), m.t() + 1, m.t() * 2), lambda m: (m, m[0], m[:, :1]), lambda m: (m, m.double()[0], m),
    ):  # fmt: skip
        expected, changed = rows.clone(), rows.clone()
        x, y, z = pick(expected)
        if name.startswith("lerp") and y.dtype is not x.dtype:
            continue
        wanted = function(x, y, z).to(x.dtype)
        x, y, z = pick(changed)
        version = x._version
        assert change(x, y, z) is x
        assert lt.allclose(x, wanted)
        assert x._version == version + 1


@pytest.mark.parametrize("name", OF_THREE)
def test_ops_of_three_operands_in_place_ask_who_wants_gradients(name):
    change, function = OF_THREE[name]
    leaf, other = lt.ones(3, requires_grad=True), lt.ones(3)
    for written in (leaf, leaf[1:], leaf.view(3)):
        with pytest.raises(AutogradError):
            change(written, other[: len(written)], other[: len(written)])
    with lt.no_grad():
        assert change(leaf, other, other) is leaf
    result = change(lt.ones(3), leaf, other)
    assert result.requires_grad
    (gradient,) = lt.grad(result.sum(), leaf)
    (wanted,) = lt.grad(function(lt.ones(3), leaf, other).sum(), leaf)
    assert lt.allclose(gradient, wanted)
