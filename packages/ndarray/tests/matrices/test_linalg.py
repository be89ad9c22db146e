"""Linear algebra against NumPy and known values: batches, empty matrices, singular ones, errors."""

import math

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import (
    DTypeError,
    IndexOutOfRange,
    LaminaError,
    LinAlgError,
    OpNotImplemented,
    ShapeError,
    UsageError,
)
from lamina_flatarray.ops import OPS
from lamina_ndarray import linalg

RNG = np.random.default_rng(5)
LEADS = [(), (3,), (2, 1), (0,)]


def matrices(*shape, dtype=np.float64):
    a = RNG.normal(size=shape)
    return (a + 1j * RNG.normal(size=shape) if np.issubdtype(dtype, np.complexfloating) else a).astype(dtype)


def same(ours, theirs, tolerance=1e-10):
    theirs = np.asarray(theirs)
    assert tuple(ours.shape) == theirs.shape
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=tolerance, atol=tolerance)


def adjoint(a):
    return np.swapaxes(a, -1, -2).conj()


# -- factorizations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 3), (3, 5), (0, 3), (3, 0), (40, 70)])
def test_factors_multiply_to_the_matrix(lead, dtype, m, n):
    a = matrices(*lead, m, n, dtype=dtype)
    x = nd.asarray(a)
    p, lower, upper = linalg.lu(x)
    same(p @ lower @ upper, a)
    q, r = linalg.qr(x)
    same(q @ r, a)
    u, s, vh = linalg.svd(x, full_matrices=False)
    same(u * nd.unsqueeze(nd.astype(s, u.dtype), -2) @ vh, a)
    packed, tau = linalg.geqrf(x)
    if m >= n:
        same(linalg.householder_product(packed, tau), q)


def test_results_have_the_names_of_the_array_api():
    x = nd.eye(3)
    assert linalg.svd(x)._fields == ("U", "S", "Vh")
    assert linalg.qr(x)._fields == ("Q", "R")
    assert linalg.eigh(x)._fields == linalg.eig(x)._fields == ("eigenvalues", "eigenvectors")
    assert linalg.slogdet(x)._fields == ("sign", "logabsdet")


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_dtypes_of_results(dtype):
    a = nd.asarray(matrices(3, 3, dtype=dtype))
    own, real = np.dtype(dtype).name, np.abs(np.zeros(1, dtype)).dtype.name
    complex_ = np.result_type(dtype, np.complex64).name
    assert [r.dtype.name for r in linalg.svd(a)] == [own, real, own]
    assert [r.dtype.name for r in linalg.eigh(a)] == [real, own]
    assert [r.dtype.name for r in linalg.eig(a)] == [complex_, complex_]
    assert [r.dtype.name for r in linalg.lu_factor_ex(a)] == [own, "int32", "int32"]
    assert linalg.slogdet(a).logabsdet.dtype.name == linalg.matrix_norm(a).dtype.name == real


def test_pivots_and_permutation():
    x = nd.asarray([[0.0, 1.0], [2.0, 3.0]])
    packed, pivots = linalg.lu_factor(x)
    same(packed, [[2, 3], [0, 1]])
    assert pivots.tolist() == [2, 2]
    assert linalg.pivots_to_permutation(pivots, 2).tolist() == [1, 0]
    with pytest.raises(IndexOutOfRange, match="between 1 and 2"):
        linalg.pivots_to_permutation(nd.asarray([3, 1], dtype="int32"), 2)


def test_lu_without_pivoting():
    packed = linalg.lu_factor(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), pivot=False).LU
    same(packed, [[1, 2], [3, -2]])


def test_cholesky_reads_one_triangle():
    a = nd.asarray([[4.0, 99.0], [2.0, 5.0]])
    same(linalg.cholesky(a), [[2, 0], [1, 2]])
    same(linalg.cholesky(a.T, upper=True), [[2, 1], [0, 2]])


def test_ldl_of_an_indefinite_matrix():
    a = nd.asarray([[0.0, 1.0], [1.0, 0.0]])  # every leading minor is 0 or negative: one 2 x 2 block
    factors, pivots = linalg.ldl_factor(a)
    assert pivots.tolist() == [-2, -2]
    same(linalg.ldl_solve(factors, pivots, nd.asarray([[3.0], [5.0]])), [[5], [3]])


def test_operands_keep_their_layout_and_values():
    a = matrices(3, 4, 4)
    turned = nd.permute(nd.asarray(np.ascontiguousarray(a.transpose(2, 1, 0))), (2, 1, 0))
    same(linalg.inv(turned), np.linalg.inv(a))
    same(turned, a)


# -- systems ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize(("lead_a", "lead_b"), [((), ()), ((3,), ()), ((), (3,)), ((2, 1), (4,)), ((0,), ())])
@pytest.mark.parametrize("n", [0, 1, 5, 40])
def test_systems(dtype, lead_a, lead_b, n):
    a = matrices(*lead_a, n, n, dtype=dtype) + 3 * n**0.5 * np.eye(n)
    b = matrices(*lead_b, n, 2, dtype=dtype)
    x, y = nd.asarray(a), nd.asarray(b)
    expected = np.linalg.inv(a) @ b
    same(linalg.solve(x, y), expected)
    same(linalg.lu_solve(*linalg.lu_factor(x), y), expected)
    same(linalg.lu_solve(*linalg.lu_factor(x), y, adjoint=True), np.linalg.inv(adjoint(a)) @ b)
    row = nd.transpose(y)
    same(linalg.solve(x, row, left=False), np.swapaxes(b, -1, -2) @ np.linalg.inv(a))
    same(linalg.lu_solve(*linalg.lu_factor(x), row, left=False), np.swapaxes(b, -1, -2) @ np.linalg.inv(a))
    same(linalg.solve_triangular(x, y, upper=True), np.linalg.inv(np.triu(a)) @ b)
    same(linalg.solve_triangular(x, row, upper=False, left=False), np.swapaxes(b, -1, -2) @ np.linalg.inv(np.tril(a)))
    h = a @ adjoint(a)
    factor = linalg.cholesky(nd.asarray(h))
    same(linalg.cholesky_solve(y, factor), np.linalg.inv(h) @ b)
    same(linalg.cholesky_inverse(factor), np.linalg.inv(h))


def test_a_vector_is_one_right_side_as_in_the_array_api():
    a, b = matrices(2, 3, 3), matrices(3)
    same(linalg.solve(nd.asarray(a), nd.asarray(b)), np.linalg.inv(a) @ b)
    square = matrices(2, 2, 2)
    stack = matrices(2, 2)  # not a vector per matrix, but a matrix for all
    same(linalg.solve(nd.asarray(square), nd.asarray(stack)), np.linalg.inv(square) @ stack)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
@pytest.mark.parametrize(("m", "n"), [(5, 3), (3, 5), (4, 4)])
def test_least_squares(driver, m, n):
    a, b = matrices(2, m, n), matrices(2, m, 2)
    solution, residuals, rank, values = linalg.lstsq(nd.asarray(a), nd.asarray(b), driver=driver)
    same(solution, np.linalg.pinv(a) @ b)
    if m > n and driver != "gelsy":
        same(residuals, ((a @ np.linalg.pinv(a) @ b - b) ** 2).sum(-2))
    else:
        assert residuals.shape == (0,)
    assert rank.tolist() == ([] if driver == "gels" else [min(m, n)] * 2)
    assert values.shape == ((2, min(m, n)) if driver in ("gelsd", "gelss") else (0,))


def test_pseudoinverse_of_a_singular_matrix():
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    same(linalg.pinv(nd.asarray(a)), a / 25)
    same(linalg.pinv(nd.asarray(a), hermitian=True), a / 25)
    same(linalg.pinv(nd.asarray(a), atol=10.0), np.zeros((2, 2)))
    assert linalg.matrix_rank(nd.asarray(a)).item() == 1
    assert linalg.matrix_rank(nd.asarray(a), hermitian=True).item() == 1
    assert linalg.matrix_rank(nd.eye(3), rtol=1.0).item() == 0


def test_tensors_as_linear_maps():
    a = matrices(2, 3, 6)
    same(linalg.tensorinv(nd.asarray(a), ind=2), np.linalg.tensorinv(a, ind=2))
    b = matrices(2, 3)
    same(linalg.tensorsolve(nd.asarray(a), nd.asarray(b)), np.linalg.tensorsolve(a, b))
    moved = np.moveaxis(a, -1, 0)
    same(linalg.tensorsolve(nd.asarray(moved), nd.asarray(b), axes=(0,)), np.linalg.tensorsolve(a, b))


# -- functions of a matrix ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_determinants(lead, n, dtype):
    a = matrices(*lead, n, n, dtype=dtype)
    same(linalg.det(nd.asarray(a)), np.linalg.det(a))
    sign, size = linalg.slogdet(nd.asarray(a))
    same(sign, np.linalg.slogdet(a)[0])
    same(size, np.linalg.slogdet(a)[1])


def test_determinant_of_a_singular_matrix():
    assert linalg.det(nd.zeros((2, 2))).item() == 0
    sign, size = linalg.slogdet(nd.zeros((2, 2)))
    assert (sign.item(), size.item()) == (0, -math.inf)
    assert math.isnan(linalg.logdet(nd.asarray([[0.0, 1.0], [1.0, 0.0]])).item())


def test_powers():
    a = matrices(2, 3, 3)
    for n in (0, 1, 2, 5, -3):
        same(linalg.matrix_power(nd.asarray(a), n), np.linalg.matrix_power(a, n), 1e-8)


def test_exponential_of_known_matrices():
    angle = np.array([0.3, 40.0, 0.0])
    zero = np.zeros(3)
    turn = np.stack([np.stack([zero, -angle], -1), np.stack([angle, zero], -1)], -2)  # of different size in one stack
    expected = np.stack(
        [np.stack([np.cos(angle), -np.sin(angle)], -1), np.stack([np.sin(angle), np.cos(angle)], -1)], -2
    )
    same(linalg.matrix_exp(nd.asarray(turn)), expected, 1e-12)
    same(linalg.matrix_exp(nd.asarray([[0.0, 1.0], [0.0, 0.0]])), [[1, 1], [0, 1]])
    small = linalg.matrix_exp(nd.asarray([[-50.0]], dtype="float64")).item()
    assert small == pytest.approx(math.exp(-50), rel=1e-12, abs=0)
    assert linalg.matrix_exp(nd.zeros((2, 0, 0))).shape == (2, 0, 0)


# -- norms --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ord", [0, 0.5, 1, 2, 3, math.inf, -math.inf, -1])
def test_vector_norms(ord):
    a = matrices(3, 4)
    same(linalg.vector_norm(nd.asarray(a), ord, 0), np.linalg.norm(a, ord, 0))
    same(linalg.vector_norm(nd.asarray(a), ord), np.linalg.norm(a.ravel(), ord))
    same(linalg.vector_norm(nd.asarray(a), axis=1, keepdims=True, ord=ord), np.linalg.norm(a, ord, 1, keepdims=True))


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf])
def test_matrix_norms(ord):
    a = matrices(2, 3, 4, dtype=np.complex128)
    same(linalg.matrix_norm(nd.asarray(a), ord=ord), np.linalg.norm(a, ord, (-2, -1)))
    same(linalg.matrix_norm(nd.asarray(a), ord, (2, 0), True), np.linalg.norm(a, ord, (2, 0), keepdims=True))
    square = matrices(3, 3)
    if ord != "nuc":
        same(linalg.cond(nd.asarray(square), ord), np.linalg.cond(square, ord), 1e-8)


def test_condition_of_singular_matrices_is_infinite():
    x = nd.asarray([[[1.0, 0.0], [0.0, 0.0]], [[2.0, 0.0], [0.0, 1.0]]])
    assert linalg.cond(x).tolist() == [math.inf, 2]
    assert linalg.cond(x, 1).tolist() == [math.inf, 2]


def test_norms_in_sixteen_bits_round_once():
    x = nd.full((5000,), 1.0, dtype="float16")
    assert linalg.vector_norm(x).item() == np.float16(math.sqrt(5000))


def test_distances():
    a, b = matrices(2, 30, 3), matrices(28, 3)
    expected = np.sqrt(((a[:, :, None] - b) ** 2).sum(-1))
    for mode in ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"):
        same(nd.cdist(nd.asarray(a), nd.asarray(b), compute_mode=mode), expected, 1e-7)
    same(nd.cdist(nd.asarray(a), nd.asarray(b), 1.0), np.abs(a[:, :, None] - b).sum(-1))
    same(nd.dist(nd.asarray(b), nd.asarray(b) * 2, 1), np.abs(b).sum())


# -- products and parts -------------------------------------------------------------------------------------------------


def test_products():
    a, b = matrices(4, 3, dtype=np.complex128), matrices(2, 4, 3)
    same(linalg.vecdot(nd.asarray(a), nd.asarray(b)), (a.conj() * b).sum(-1))
    same(linalg.vecdot(nd.asarray(b), nd.asarray(b), axis=1), (b * b).sum(1))
    same(linalg.cross(nd.asarray(b), nd.asarray(b[:1] + 1)), np.cross(b, b[:1] + 1))
    same(linalg.cross(nd.asarray(a.T), nd.asarray(a.T[:, ::-1].copy()), axis=0), np.cross(a.T, a.T[:, ::-1], axis=0))
    chain = [matrices(5), matrices(5, 30), matrices(30, 2), matrices(2, 40), matrices(40)]
    same(linalg.multi_dot([nd.asarray(m) for m in chain]), np.linalg.multi_dot(chain))
    same(linalg.trace(nd.asarray(b), offset=1), np.trace(b, 1, -2, -1))
    same(linalg.diagonal(nd.asarray(b), offset=-1), np.diagonal(b, -1, -2, -1))
    same(linalg.vander(nd.asarray(b), N=4), np.stack([b**i for i in range(4)], -1))


# -- errors -------------------------------------------------------------------------------------------------------------


def test_the_failing_matrix_is_named():
    x = nd.asarray(np.stack([np.eye(3), np.diag([1.0, 0.0, 1.0])]))
    with pytest.raises(LinAlgError, match=r"linalg.inv: \(Batch element 1\): The diagonal element 2 is zero"):
        linalg.inv(x)
    with pytest.raises(RuntimeError, match=r"solve: \(Batch element 1\): .* singular"):
        linalg.solve(x, nd.ones((3,), dtype="float64"))
    with pytest.raises(LinAlgError, match=r"cholesky: \(Batch element 1\): .* minor of order 2 is not positive"):
        linalg.cholesky(x)
    with pytest.raises(LinAlgError, match=r"cholesky: The factorization"):
        linalg.cholesky(x[1])
    with pytest.raises(LinAlgError, match=r"svd: \(Batch element 2\): .* non-finite"):
        linalg.svd(nd.asarray(np.stack([np.eye(2), np.eye(2), np.full((2, 2), np.nan)])))
    with pytest.raises(LinAlgError, match=r"svdvals: \(Batch element 1\): .* non-finite"):
        linalg.svdvals(nd.asarray(np.stack([np.eye(9), np.diag([np.inf] * 9)])))  # of which LAPACK might not come back
    inverse, info = linalg.inv_ex(x)
    assert info.tolist() == [0, 2]
    same(inverse[0], np.eye(3))
    assert np.isnan(np.asarray(inverse[1])).all()


@pytest.mark.parametrize("name", ["inv", "det", "cholesky", "eigh", "eig", "slogdet", "matrix_exp", "ldl_factor"])
def test_what_is_no_stack_of_square_matrices_is_refused(name):
    function = getattr(linalg, name)
    with pytest.raises(ShapeError, match=r"2 by 3 matrices"):
        function(nd.ones((4, 2, 3)))
    with pytest.raises(ShapeError, match="at least 2 dimensions"):
        function(nd.ones((3,)))


@pytest.mark.parametrize("name", ["inv", "qr", "svd", "det", "pinv", "matrix_rank", "lu_factor", "eigvals"])
def test_integers_and_sixteen_bits_are_refused(name):
    with pytest.raises(DTypeError, match=r"Expected a floating point or complex tensor as input.*int64"):
        getattr(linalg, name)(nd.asarray([[1, 2], [3, 4]]))
    with pytest.raises(DTypeError, match=r"Low precision dtypes not supported.*float16"):
        getattr(linalg, name)(nd.ones((2, 2), dtype="float16"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: linalg.solve(x, nd.ones((3, 1))), ShapeError, "Incompatible shapes"),
        (lambda x: linalg.qr(x, mode="full"), UsageError, "unrecognized mode"),
        (lambda x: linalg.eigh(x, UPLO="X"), UsageError, "UPLO"),
        (lambda x: linalg.matrix_norm(x, 3), UsageError, "Order 3"),
        (lambda x: linalg.norm(nd.ones((2, 2, 2)), 2), ShapeError, "must be 1D or 2D"),
        (lambda x: linalg.vector_norm(nd.ones((0,)), math.inf), ShapeError, "no.* identity"),
        (lambda x: linalg.cross(x, x), ShapeError, "length 3"),
        (lambda x: linalg.cond(x, p="two"), UsageError, "invalid norm type"),
        (lambda x: linalg.norm(x, 2, (0, 1, 1)), UsageError, "length 1 or 2"),
        (lambda x: linalg.norm(x[0], "fro"), UsageError, "is of matrices"),
        (lambda x: linalg.lstsq(x, x, driver="qr"), UsageError, "driver"),
        (lambda x: linalg.vander(x[0], N=1), UsageError, "greater than 1"),
        (lambda x: linalg.tensorinv(x, 0), UsageError, "strictly positive"),
        (lambda x: linalg.multi_dot([x]), UsageError, "at least 2"),
        (lambda x: linalg.solve(nd.ones((3, 2, 2)), nd.ones((2, 2, 1))), ShapeError, "leading axes"),
        (lambda x: linalg.lstsq(x, nd.ones((3, 1))), ShapeError, "should match"),
        (lambda x: nd.cdist(x, nd.ones((2, 3))), ShapeError, "same number of columns"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call(nd.eye(2))


def test_linalg_errors_are_runtime_errors_of_lamina():
    assert issubclass(LinAlgError, (LaminaError, RuntimeError))
    assert linalg.LinAlgError is LinAlgError


def test_every_row_of_the_family_is_a_function_here():
    assert {name for name, row in OPS.items() if row.family == "linalg"} <= set(linalg.__all__)


def test_a_backend_without_factorizations_asks_the_fallback_policy():
    """No decomposition is owed: an error by default, and the host's answer where that is allowed."""
    from lamina_flatarray import backends
    from lamina_flatarray.backends import registry

    toy = pytest.importorskip("lamina_testkit.toy").ToyBackend()
    registry.register(toy)
    try:
        x = nd.to_device(nd.asarray([[2.0, 1.0], [1.0, 3.0]]), "toy")
        with pytest.raises(OpNotImplemented, match="cholesky_ex"):
            linalg.cholesky(x)
        with backends.fallback_policy("allow"):
            factor = linalg.cholesky(x)
            assert factor.device.type == "toy"
            inverse = linalg.inv(x)
        same(nd.to_device(factor @ factor.mT, "cpu"), [[2, 1], [1, 3]], 1e-6)
        same(nd.to_device(inverse, "cpu"), [[0.6, -0.2], [-0.2, 0.4]], 1e-6)
        exponential = linalg.matrix_exp(nd.to_device(nd.asarray([[0.0, 1.0], [0.0, 0.0]]), "toy"))  # needs no fallback
        same(nd.to_device(exponential, "cpu"), [[1, 1], [0, 1]], 1e-6)
    finally:
        registry.unregister("toy")
