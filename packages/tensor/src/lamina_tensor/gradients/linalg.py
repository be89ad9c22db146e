"""Gradients of factorizations and solvers.

Of a decomposition the gradient is defined where its factors are: distinct eigenvalues or singular values, and a loss that
does not depend on the phase of a vector. M. Giles, "Collected Matrix Derivative Results for Forward and Reverse Mode
Algorithmic Differentiation", 2008; S. Walter, L. Lehmann, R. Lamour, "On Evaluating Higher-Order Derivatives of the QR
Decomposition of Tall Matrices", 2012.
"""

from __future__ import annotations

from typing import Any

from lamina_flatarray import AutogradError
from lamina_flatarray.dtypes import finfo
from lamina_ndarray.dispatch.namespace import namespace

from ..autograd.rules import rule, without_derivative


def _h(x: Any) -> Any:
    """The adjoint: transposed and conjugate."""
    xp = namespace(x)
    turned = xp.transpose(x, -2, -1)
    return xp.conj(turned) if x.dtype.is_complex else turned


def _mirrored_lower(x: Any) -> Any:
    """Half of the lower triangle, and half of it mirrored above."""
    xp = namespace(x)
    return (xp.tril(x) + _h(xp.tril(x, -1))) * 0.5


def _diagonal(values: Any) -> Any:
    """Diagonal matrices of vectors."""
    return namespace(values).diag_embed(values)


def _skew(x: Any) -> Any:
    return x - _h(x)


def _eye(x: Any, n: int) -> Any:
    return namespace(x).eye(n, dtype=x.dtype, device=x.device)


def _as_kind(x: Any, of: Any) -> Any:
    """Real values as complex ones where they meet complex ones."""
    return namespace(x).astype(x, of.dtype) if of.dtype.is_complex and not x.dtype.is_complex else x


# -- systems of equations -------------------------------------------------------------------------------------------------


def _columns(x: Any, a: Any) -> Any:
    """Right sides that are vectors as matrices of one column."""
    return namespace(x).expand_dims(x, -1) if x.ndim == a.ndim - 1 else x


def _right_side(g: Any, a: Any, left: bool) -> Any:
    solution = namespace(g).linalg.solve_ex(_h(a), _columns(g, a), left=left)[0]
    return solution if solution.ndim == g.ndim else solution[..., 0]


def _outer(gb: Any, x: Any, a: Any, left: bool) -> Any:
    gb, x = _columns(gb, a), _columns(x, a)
    return -(gb @ _h(x)) if left else -(_h(x) @ gb)


rule(
    "solve_ex",
    inputs="a b",
    a=lambda g, a, y, left: _outer(_right_side(g[0], a, left), y[0], a, left),
    b=lambda g, a, left: _right_side(g[0], a, left),
    node_name="LinalgSolveExBackward0",
)
rule("inv_ex", x=lambda g, y: -(_h(y[0]) @ g[0] @ _h(y[0])), node_name="LinalgInvExBackward0")


def _inverse_by(scale: Any, x: Any) -> Any:
    """x's inverse adjoint, times a number for each matrix."""
    xp = namespace(x)
    return xp.reshape(scale, (*scale.shape, 1, 1)) * _h(xp.linalg.inv_ex(x)[0])


def _det(g: Any, x: Any, y: Any) -> Any:
    """0 where there is no inverse, as in PyTorch."""
    xp = namespace(x)
    singular = xp.reshape(y == 0, (*y.shape, 1, 1))
    return xp.where(singular, xp.zeros_like(x), _inverse_by(g * xp.conj(y), x))


def _slogdet(g: Any, x: Any, y: Any) -> Any:
    xp = namespace(x)
    scale = xp.zeros_like(y[1]) if g[1] is None else g[1]
    if x.dtype.is_complex:
        scale = xp.astype(scale, x.dtype)
        if g[0] is not None:  # the sign turns with the imaginary part of what the logarithm grows by
            scale = scale - 1j * xp.imag(xp.conj(g[0]) * y[0])
    return _inverse_by(scale, x)


rule("det", x=_det, node_name="LinalgDetBackward0")
rule("slogdet", x=_slogdet, node_name="LinalgSlogdetBackward0")


def _pinv(g: Any, x: Any, y: Any) -> Any:
    """Whatever the rank, if it stays the same nearby (Golub and Pereyra, The Differentiation of Pseudo-Inverses, 1973)."""
    yh, gh = _h(y), _h(g)
    left, right = gh @ y, y @ gh
    return (left - x @ (y @ left)) @ yh + yh @ (right - (right @ y) @ x) - yh @ g @ yh


rule("pinv", inputs="x", x=_pinv, node_name="LinalgPinvBackward0")


def _least_squares_b(g: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    parts = [_h(_least_norm_inverse(a, rcond)) @ g[0]] if g[0] is not None else []
    return sum(parts + _of_residuals(g, a, b, y), namespace(b).zeros_like(b))


def _least_squares_a(g: Any, a: Any, b: Any, y: Any, rcond: Any) -> Any:
    parts = [_pinv(g[0] @ _h(b), a, _least_norm_inverse(a, rcond))] if g[0] is not None else []
    parts += [-part @ _h(y[0]) for part in _of_residuals(g, a, b, y)]
    return sum(parts, namespace(a).zeros_like(a))


def _least_norm_inverse(a: Any, rcond: Any) -> Any:
    return namespace(a).linalg.pinv(a, finfo(a.dtype).eps * max(a.shape[-2:]) if rcond is None else rcond)


def _of_residuals(g: Any, a: Any, b: Any, y: Any) -> list[Any]:
    """What the squared residuals send to b; the solution is where they do not change with it."""
    if g[1] is None or not y[1].ndim or y[1].shape == (0,):
        return []
    return [2 * namespace(b).expand_dims(g[1], -2) * (b - a @ y[0])]


rule("lstsq", inputs="a b", a=_least_squares_a, b=_least_squares_b, node_name="LinalgLstsqBackward0", results=2)


def _triangular_right_side(g: Any, a: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
    return namespace(g).linalg.solve_triangular(_h(a), g, upper=not upper, left=left, unitriangular=unitriangular)


def _triangle(g: Any, a: Any, y: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
    ga = _outer(_triangular_right_side(g, a, upper, left, unitriangular), y, a, left)
    xp, k = namespace(g), int(unitriangular)
    return xp.triu(ga, k) if upper else xp.tril(ga, -k)


rule(
    "solve_triangular",
    inputs="a b",
    a=_triangle,
    b=lambda g, a, upper, left, unitriangular: _triangular_right_side(g, a, upper, left, unitriangular),
    node_name="LinalgSolveTriangularBackward0",
)

# -- Cholesky, LU, QR -----------------------------------------------------------------------------------------------------


def _cholesky(g: Any, y: Any, upper: bool) -> Any:
    factor, gradient = (_h(y[0]), _h(g[0])) if upper else (y[0], g[0])
    solve = namespace(gradient).linalg.solve_triangular
    half = solve(_h(factor), _mirrored_lower(_h(factor) @ gradient), upper=True)
    return solve(factor, half, upper=False, left=False)


rule("cholesky_ex", x=_cholesky, node_name="LinalgCholeskyExBackward0")


def _to_factor(common: Any, factor: Any, upper: bool) -> Any:
    """The gradient of a whole factor, from half of what its product with itself gets: the triangle that is not read has its share, too."""
    both = common + _h(common)
    return -(factor @ both) if upper else -(both @ factor)


def _cholesky_solve_factor(g: Any, factor: Any, y: Any, upper: bool) -> Any:
    return _to_factor(namespace(g).linalg.cholesky_solve(g, factor, upper) @ _h(y), factor, upper)


rule(
    "cholesky_solve",
    inputs="b factor",
    b=lambda g, factor, upper: namespace(g).linalg.cholesky_solve(g, factor, upper),
    factor=_cholesky_solve_factor,
)
rule("cholesky_inverse", inputs="factor", factor=lambda g, factor, y, upper: _to_factor(y @ g @ y, factor, upper))


def _lu(g: Any, y: Any, pivot: bool) -> Any:
    """Of P^T A = [L U]: the square part of both factors, and what hangs below or stands to the right of it."""
    packed, pivots = y[0], y[1]
    xp = namespace(g[0])
    m, n = packed.shape[-2:]
    k = min(m, n)
    lower, upper = xp.tril(packed[..., :k, :k], -1) + _eye(packed, k), xp.triu(packed[..., :k, :k])
    g_lower, g_upper = xp.tril(g[0][..., :k, :k], -1), xp.triu(g[0][..., :k, :k])
    solve = xp.linalg.solve_triangular
    parts = []
    if m > k:  # rows below: they are (what hangs below L) times U
        below = solve(_h(upper), g[0][..., k:, :], upper=False, left=False)
        g_upper = g_upper - xp.triu(_h(packed[..., k:, :]) @ below)
        parts.append((below, -2))
    if n > k:  # columns to the right: they are L times (what stands right of U)
        right = solve(_h(lower), g[0][..., :, k:], upper=True, unitriangular=True)
        g_lower = g_lower - xp.tril(right @ _h(packed[..., :, k:]), -1)
        parts.append((right, -1))
    inner = xp.tril(_h(lower) @ g_lower, -1) + xp.triu(g_upper @ _h(upper))
    half = solve(_h(lower), inner, upper=True, unitriangular=True)
    gradient = solve(_h(upper), half, upper=False, left=False)
    for part, axis in parts:
        gradient = xp.concat([gradient, part], axis)
    return xp.linalg.lu_unpack(packed, pivots)[0] @ gradient if pivot else gradient


rule("lu_factor_ex", x=_lu, node_name="LinalgLuFactorExBackward0")


def _reflected(x: Any, v: Any, factor: Any) -> Any:
    """`(1 - factor v v^H) x`."""
    return x - factor * (v @ (_h(v) @ x))


def _householder(g: Any, x: Any, tau: Any, y: Any) -> tuple[Any, Any]:
    """Reflection by reflection: each is undone on the product, and done to the gradient."""
    xp = namespace(g)
    m, k = x.shape[-2], tau.shape[-1]
    below = xp.tril(x, -1)[..., :, :k] + xp.eye(m, k, dtype=x.dtype, device=x.device)
    after, columns, factors = y, [], []
    for i in range(k):
        v, t = below[..., :, i : i + 1], xp.expand_dims(tau[..., i : i + 1], -1)
        after = _reflected(after, v, t / (t * (_h(v) @ v) - 1))
        ahead, behind = after @ (_h(g) @ v), g @ (_h(after) @ v)
        factors.append(-xp.conj(_h(v) @ ahead)[..., 0])
        columns.append(-(t * ahead + xp.conj(t) * behind))
        g = _reflected(g, v, xp.conj(t))
    if not k:
        return xp.zeros_like(x), xp.zeros_like(tau)
    gx = xp.tril(xp.concat(columns, -1), -1)
    if k < x.shape[-1]:
        gx = xp.concat([gx, xp.zeros_like(x[..., :, k:])], -1)
    return gx, xp.concat(factors, -1)


rule(
    "householder_product",
    x=lambda g, x, tau, y: _householder(g, x, tau, y)[0],
    tau=lambda g, x, tau, y: _householder(g, x, tau, y)[1],
    node_name="LinalgHouseholderProductBackward0",
)


def _copied_upper(x: Any) -> Any:
    """The Hermitian matrix with x's upper triangle, and the real part of its diagonal."""
    xp = namespace(x)
    strict = xp.triu(x, 1)
    middle = xp.linalg.diagonal(x)
    return strict + _h(strict) + _diagonal(_as_kind(xp.real(middle), x))


def _tall_qr(g_q: Any, g_r: Any, q: Any, r: Any) -> Any:
    """Of m >= n: Q and R are n columns."""
    xp = namespace(r)
    inner = -(_h(q) @ g_q) if g_r is None else g_r @ _h(r) - (_h(q) @ g_q if g_q is not None else 0)
    right_side = q @ _copied_upper(inner)
    if g_q is not None:
        right_side = right_side + g_q
    return xp.linalg.solve_triangular(_h(r), right_side, upper=False, left=False)


def _qr(g: Any, x: Any, y: Any, mode: str) -> Any:
    g_q, g_r = g
    (m, n), (q, r) = x.shape[-2:], (y[0], y[1])
    if mode == "r":
        raise AutogradError('linalg.qr: the derivative with mode "r" is not defined; use mode="reduced"')
    if mode == "complete" and m > n:
        raise AutogradError('linalg.qr: the derivative with mode "complete" and more rows than columns is not defined')
    if m >= n:
        return _tall_qr(g_q, g_r, q, r)
    xp = namespace(r)
    right, square = x[..., :, m:], r[..., :, :m]
    g_square = None if g_r is None else g_r[..., :, :m]
    g_right = xp.zeros_like(right) if g_r is None else q @ g_r[..., :, m:]
    if g_r is not None:  # what stands to the right of R is Q^H times it
        extra = right @ _h(g_r[..., :, m:])
        g_q = extra if g_q is None else g_q + extra
    return xp.concat([_tall_qr(g_q, g_square, q, square), g_right], -1)


rule("qr", x=_qr, node_name="LinalgQrBackward0")

# -- eigenvalues and singular values --------------------------------------------------------------------------------------


def _gaps(values: Any) -> Any:
    """values[j] - values[i], and 1 on the diagonal."""
    xp = namespace(values)
    return xp.expand_dims(values, -2) - xp.expand_dims(values, -1) + _eye(values, values.shape[-1])


def _eigh(g: Any, y: Any) -> Any:
    values, vectors = y[0], y[1]
    inner = None
    if g[1] is not None:
        inner = _skew(_h(vectors) @ g[1]) * 0.5  # what turns the vectors, so that the whole is Hermitian
        inner = (inner - _diagonal(namespace(inner).linalg.diagonal(inner))) / _as_kind(_gaps(values), inner)
    if g[0] is not None:
        own = _as_kind(_diagonal(g[0]), vectors)
        inner = own if inner is None else inner + own
    return vectors @ inner @ _h(vectors)


rule("eigh", x=_eigh, node_name="LinalgEighBackward0")


def _eigvalsh(g: Any, x: Any, UPLO: str) -> Any:
    xp = namespace(g)
    vectors = xp.linalg.eigh(x, UPLO)[1]
    return (vectors * _as_kind(xp.expand_dims(g, -2), vectors)) @ _h(vectors)


rule("eigvalsh", x=_eigvalsh, node_name="LinalgEigvalshBackward0")


def _eig(g: Any, y: Any) -> Any:
    values, vectors = y[0], y[1]
    xp = namespace(values)
    inner = None
    if g[1] is not None:
        turned = _h(vectors) @ g[1]
        middle = _as_kind(xp.real(xp.linalg.diagonal(turned)), turned)
        inner = turned - _h(vectors) @ (vectors * xp.expand_dims(middle, -2))
        inner = (inner - _diagonal(xp.linalg.diagonal(inner))) / xp.conj(_gaps(values))
    if g[0] is not None:
        inner = _diagonal(g[0]) if inner is None else inner + _diagonal(g[0])
    return xp.linalg.solve_ex(_h(vectors), inner @ _h(vectors))[0]


rule("eig", x=_eig, node_name="LinalgEigBackward0")


def _eigvals(g: Any, x: Any) -> Any:
    vectors = namespace(g).linalg.eig(x)[1]
    return namespace(g).linalg.solve_ex(_h(vectors), _diagonal(g) @ _h(vectors))[0]


rule("eigvals", x=_eigvals, node_name="LinalgEigvalsBackward0")


def _svd(g: Any, x: Any, y: Any) -> Any:
    (m, n), k = x.shape[-2:], min(x.shape[-2:])
    u, s, vh = y[0][..., :, :k], y[1], y[2][..., :k, :]
    g_u = None if g[0] is None else g[0][..., :, :k]
    g_s, g_vh = g[1], None if g[2] is None else g[2][..., :k, :]
    xp = namespace(s)
    values = _as_kind(s, u)
    squares = s * s
    gaps = _as_kind(_gaps(squares), u)
    inner = None if g_s is None else _as_kind(_diagonal(g_s), u)
    row, column = xp.expand_dims(values, -2), xp.expand_dims(values, -1)
    if g_u is not None:
        turned = _skew(_h(u) @ g_u)
        part = (turned / gaps) * row
        if x.dtype.is_complex:  # the phase
            part = part - _diagonal(xp.linalg.diagonal(part)) + _diagonal(xp.linalg.diagonal(turned) / (2 * values))
        inner = part if inner is None else inner + part
    if g_vh is not None:
        part = column * (_skew(vh @ _h(g_vh)) / gaps)
        if x.dtype.is_complex:
            part = part - _diagonal(xp.linalg.diagonal(part))
        inner = part if inner is None else inner + part
    result = u @ inner @ vh
    if m > k and g_u is not None:
        scaled = g_u / row
        result = result + (scaled - u @ (_h(u) @ scaled)) @ vh
    if n > k and g_vh is not None:
        scaled = g_vh / column
        result = result + u @ (scaled - (scaled @ _h(vh)) @ vh)
    return result


rule("svd", x=_svd, node_name="LinalgSvdBackward0")


def _svdvals(g: Any, x: Any) -> Any:
    xp = namespace(g)
    u, _, vh = xp.linalg.svd(x, False)
    return (u * _as_kind(xp.expand_dims(g, -2), u)) @ vh


rule("svdvals", x=_svdvals, node_name="LinalgSvdvalsBackward0")

# -- what is packed as LAPACK has it --------------------------------------------------------------------------------------

rule("geqrf", x=without_derivative("geqrf", "input"))
rule("ldl_solve", inputs="factors b", factors=without_derivative("ldl_solve", "LD"), b=without_derivative("ldl_solve", "B"))
