"""Factorizations by what they promise, on every layout: signs and phases of factors may differ between backends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS

from ..declared import want
from ..placement import LAYOUTS, place, read, untouched

Array = np.ndarray[Any, Any]

LEADS = ((), (2,), (2, 3), (0,))
SIZES = (0, 1, 4, 37)
DTYPE_NAMES = ("float32", "float64", "complex64", "complex128")


def _random(shape: tuple[int, ...], dtype: DType, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1, 1, shape)
    return (values + 1j * rng.uniform(-1, 1, shape) if dtype.is_complex else values).astype(dtype.numpy)


def _adjoint(a: Array) -> Array:
    adjoint: Array = np.swapaxes(a, -1, -2).conj()
    return adjoint


def _regular(lead: tuple[int, ...], n: int, dtype: DType) -> Array:
    regular: Array = _random((*lead, n, n), dtype) + 2 * n**0.5 * np.eye(n)
    return regular.astype(dtype.numpy)


def _positive(lead: tuple[int, ...], n: int, dtype: DType) -> Array:
    a = _random((*lead, n, n), dtype)
    return (a @ _adjoint(a) + np.eye(n)).astype(dtype.numpy)


def _symmetric(lead: tuple[int, ...], n: int, dtype: DType, hermitian: bool) -> Array:
    a = _random((*lead, n, n), dtype)
    return a + (_adjoint(a) if hermitian else np.swapaxes(a, -1, -2))


def _right(lead: tuple[int, ...], n: int, dtype: DType) -> Array:
    return _random((*lead, n, 3), dtype, 1)


class Run:
    """One call of a kernel on operands in awkward places."""

    def __init__(self, op: str, backend: Backend, dtype: DType, layout: str) -> None:
        self.op, self.backend, self.dtype, self.layout = op, backend, dtype, layout

    def __call__(self, inputs: list[Array], outs: list[tuple[tuple[int, ...], DType]], **params: Any) -> list[Array]:
        inputs = list(inputs)
        places = [
            place(v, "compact" if self.layout == "broadcast" and v.ndim < 3 else self.layout, self.backend,
                  dt.dtype_of(v.dtype))
            for v in inputs
        ]  # fmt: skip
        shown = [read(p) for p in places]
        inputs[:] = shown
        into = "gapped" if self.layout == "broadcast" else self.layout
        targets = tuple(place(np.zeros(shape, d.numpy), into, self.backend, d) for shape, d in outs)
        table = KernelTable.of(self.backend, 0, self.dtype)
        table[self.op](targets if len(targets) > 1 else targets[0], *places, **params)
        for p, s in zip(places, shown, strict=True):
            assert np.array_equal(read(p), s), f"{self.op}: an input was changed"
        assert all(map(untouched, targets)), f"{self.op}: memory outside of the result was written"
        self.inputs = shown
        return [read(t) for t in targets]

    def same(self, observed: Array, expected: Array) -> None:
        """Equal up to rounding of a calculation in this dtype with some hundred steps."""
        tolerance = 1e-4 if self.dtype.to_real() is dt.float32 else 1e-11
        scale = float(np.abs(expected).max(initial=1.0))
        np.testing.assert_allclose(observed, expected, rtol=tolerance, atol=tolerance * scale)


def _cholesky(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for upper in (False, True):
        a = _positive(lead, n, d)
        factor, info = run([a], [(a.shape, d), (lead, dt.int32)], upper=upper)
        run.same(_adjoint(factor) @ factor if upper else factor @ _adjoint(factor), run.inputs[0])
        assert not np.any(np.tril(factor, -1) if upper else np.triu(factor, 1))
        assert not info.any()


def _rectangles(lead: tuple[int, ...], n: int, d: DType) -> Iterator[tuple[Array, int, int, int]]:
    for m in (n, n + 3, max(n - 2, 0)):
        yield _random((*lead, m, n), d), m, n, min(m, n)


def _lu_factor(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for a, m, _, k in _rectangles(lead, n, d):
        packed, pivots, info = run([a], [(a.shape, d), ((*lead, k), dt.int32), (lead, dt.int32)], pivot=True)
        product = (np.tril(packed[..., :k], -1) + np.eye(m, k)) @ np.triu(packed[..., :k, :])
        expected = np.array(run.inputs[0])
        for at in np.ndindex(*lead):
            for i, p in enumerate(pivots[at]):
                expected[at][[i, p - 1]] = expected[at][[p - 1, i]]
        run.same(product, expected)
        assert np.abs(np.tril(packed[..., :k], -1)).max(initial=0) <= 2**0.5 + 1e-6
        assert not info.any()


def _det(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a = _regular(lead, n, d) / max(n, 1) ** 0.5  # so that the product stays near 1
    determinants = run([a.astype(d.numpy)], [(lead, d)])[0]
    expected = np.linalg.det(run.inputs[0].astype(np.complex128))
    run.same(determinants / expected, np.ones(lead))
    if n == 4:
        a[..., 2, :] = a[..., 0, :] = 0
        assert not run([a.astype(d.numpy)], [(lead, d)])[0].any()


def _slogdet(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a = _regular(lead, n, d)
    sign, size = run([a], [(lead, d), (lead, d.to_real())])
    expected = np.linalg.slogdet(run.inputs[0].astype(np.complex128))
    run.same(sign, expected[0])
    run.same(size, expected[1])
    if n == 4:
        a[..., 2, :] = a[..., 0, :] = 0
        sign, size = run([a], [(lead, d), (lead, d.to_real())])
        assert not sign.any()
        assert np.isneginf(size).all()


def _ldl(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    """The factors are LAPACK's own, so the reference's; their use is checked by `ldl_solve`."""
    for hermitian in (False, True):
        a = _symmetric(lead, n, d, hermitian)
        outs = [(a.shape, d), ((*lead, n), dt.int32), (lead, dt.int32)]
        ld, pivots, info = run([a], outs, hermitian=hermitian)
        assert not info.any()
        assert ((np.abs(pivots) >= 1) & (np.abs(pivots) <= n)).all()
        b = _right(lead, n, d)
        solve = Run("ldl_solve", run.backend, d, "compact")
        x = solve([ld, pivots, b], [(b.shape, d)], hermitian=hermitian)[0]
        size = np.abs(x).max(initial=1.0)  # nothing keeps these matrices away from singular ones
        run.same(run.inputs[0] @ x / size, b / size)


def _ldl_solve(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    """With pivots of one row and none exchanged, LDL is plain."""
    ld = np.tril(_random((*lead, n, n), d), -1) / max(n, 1) + 2 * np.eye(n)
    b, pivots = _right(lead, n, d), np.broadcast_to(np.arange(1, n + 1, dtype=np.int32), (*lead, n)).copy()
    x = run([ld.astype(d.numpy), pivots, b], [(b.shape, d)], hermitian=False)[0]
    if run.layout == "broadcast" and not lead:
        return
    unit = np.tril(run.inputs[0], -1) + np.eye(n)
    run.same(unit @ (2 * np.swapaxes(unit, -1, -2) @ x), run.inputs[2])


def _geqrf(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for a, m, _, k in _rectangles(lead, n, d):
        packed, tau = run([a], [(a.shape, d), ((*lead, k), d)])
        original = run.inputs[0]
        product = Run("householder_product", run.backend, d, "compact")
        square = np.concatenate([packed[..., :k], np.zeros((*lead, m, m - k), d.numpy)], -1)
        q = product([square, tau], [(square.shape, d)])[0]
        run.same(q @ np.triu(packed), original)


def _householder(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    vectors = np.tril(_random((*lead, n + 2, n), d), -1).astype(d.numpy)
    length = 1 + (np.abs(vectors) ** 2).sum(-2)
    tau = (2 / length).astype(d.numpy)
    if run.layout == "broadcast" and len(lead) < 2:
        return  # scales would no longer belong to their vectors
    q = run([vectors, tau], [(vectors.shape, d)])[0]
    run.same(_adjoint(q) @ q, np.broadcast_to(np.eye(n), (*lead, n, n)))
    if n == 1 and q.size:
        v = run.inputs[0] + np.eye(n + 2, 1)
        run.same(q, np.eye(n + 2, 1) - run.inputs[1][..., None] * v)


def _qr(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for a, m, _, k in _rectangles(lead, n, d):
        for mode, width in (("reduced", k), ("complete", m)):
            q, r = run([a], [((*lead, m, width), d), ((*lead, width, n), d)], mode=mode)
            run.same(q @ r, run.inputs[0])
            run.same(_adjoint(q) @ q, np.broadcast_to(np.eye(width), (*lead, width, width)))
            assert not np.tril(r, -1).any()
        alone = run([a], [((0,), d), ((*lead, k, n), d)], mode="r")[1]
        run.same(_adjoint(alone) @ alone, _adjoint(run.inputs[0]) @ run.inputs[0])


def _svd(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for a, m, _, k in _rectangles(lead, n, d):
        for full in (False, True):
            rows, columns = (m, n) if full else (k, k)
            outs = [((*lead, m, rows), d), ((*lead, k), d.to_real()), ((*lead, columns, n), d)]
            u, s, vh = run([a], outs, full_matrices=full)
            run.same((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], run.inputs[0])
            run.same(_adjoint(u) @ u, np.broadcast_to(np.eye(rows), (*lead, rows, rows)))
            run.same(vh @ _adjoint(vh), np.broadcast_to(np.eye(columns), (*lead, columns, columns)))
            assert (np.diff(s, axis=-1) <= 0).all()


def _svdvals(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for a, _, _, k in _rectangles(lead, n, d):
        s = run([a], [((*lead, k), d.to_real())])[0]
        run.same(s, np.linalg.svd(run.inputs[0], compute_uv=False))


def _eigh(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for upper in (False, True):
        a = _symmetric(lead, n, d, True)
        w, v = run([a], [((*lead, n), d.to_real()), (a.shape, d)], upper=upper)
        run.same(run.inputs[0] @ v, v * w[..., None, :])
        run.same(_adjoint(v) @ v, np.broadcast_to(np.eye(n), (*lead, n, n)))
        assert (np.diff(w, axis=-1) >= 0).all()


def _eigvalsh(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for upper in (False, True):  # the other triangle holds something else, and must not be read
        a = _symmetric(lead, n, d, True)
        other = (np.triu(a) if upper else np.tril(a)) + (np.tril(a, -1) if upper else np.triu(a, 1)) * 9
        w = run([other.astype(d.numpy)], [((*lead, n), d.to_real())], upper=upper)[0]
        run.same(w, np.linalg.eigvalsh(run.inputs[0], "U" if upper else "L"))


def _eig(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a, c = _random((*lead, n, n), d), d.to_complex()
    w, v = run([a], [((*lead, n), c), (a.shape, c)])
    run.same(run.inputs[0] @ v, v * w[..., None, :])
    run.same((np.abs(v) ** 2).sum(-2), np.ones((*lead, n)))


def _eigvals(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a = _random((*lead, n, n), d)
    w = run([a], [((*lead, n), d.to_complex())])[0]
    run.same(w.sum(-1), np.trace(run.inputs[0], axis1=-2, axis2=-1))
    if n == 4:
        run.same(w.prod(-1), np.linalg.det(run.inputs[0]))


def _solve(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a, b = _regular(lead, n, d), _right(lead, n, d)
    x, info = run([a, b], [(b.shape, d), (lead, dt.int32)])
    run.same(run.inputs[0] @ x, run.inputs[1])
    assert not info.any()
    if n == 4:
        a[..., 2, :] = a[..., 0, :] = 0  # elimination is sure to meet a pivot of 0
        assert (run([a, b], [(b.shape, d), (lead, dt.int32)])[1] > 0).all()


def _inverse(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    a = _regular(lead, n, d)
    inverse, info = run([a], [(a.shape, d), (lead, dt.int32)])
    run.same(run.inputs[0] @ inverse, np.broadcast_to(np.eye(n), a.shape))
    assert not info.any()


def _solve_triangular(run: Run, lead: tuple[int, ...], n: int, d: DType) -> None:
    for upper in (False, True):
        for unit in (False, True):
            a, b = _random((*lead, n, n), d) / max(n, 1) + 2 * np.eye(n), _right(lead, n, d)
            x = run([a.astype(d.numpy), b], [(b.shape, d)], upper=upper, unitriangular=unit)[0]
            part = np.triu(run.inputs[0]) if upper else np.tril(run.inputs[0])
            if unit:
                part = part - part * np.eye(n) + np.eye(n)
            run.same(part @ x, run.inputs[1])


PROMISES: dict[str, Callable[[Run, tuple[int, ...], int, DType], None]] = {
    "cholesky_ex": _cholesky,
    "lu_factor_ex": _lu_factor,
    "det": _det,
    "slogdet": _slogdet,
    "ldl_factor_ex": _ldl,
    "ldl_solve": _ldl_solve,
    "geqrf": _geqrf,
    "householder_product": _householder,
    "qr": _qr,
    "svd": _svd,
    "svdvals": _svdvals,
    "eigh": _eigh,
    "eigvalsh": _eigvalsh,
    "eig": _eig,
    "eigvals": _eigvals,
    "solve_ex": _solve,
    "inv_ex": _inverse,
    "solve_triangular": _solve_triangular,
}


def test_every_factorization_is_asked() -> None:
    """A new row of the family needs a promise here."""
    assert set(PROMISES) == {name for name, row in OPS.items() if row.family == "linalg"}


@pytest.mark.parametrize(
    ("op", "dtype"),
    [
        pytest.param(op, DTYPES[name], id=f"{op}-{name}", marks=pytest.mark.conformance(op, name))
        for op in PROMISES
        for name in DTYPE_NAMES
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_factorization(op: str, dtype: DType, layout: str, backend: Backend) -> None:
    """Promises kept for stacks and sizes, also empty ones; inputs unchanged, nothing written outside."""
    want(backend, op, dtype)
    for lead in LEADS:
        for n in SIZES:
            PROMISES[op](Run(op, backend, dtype, layout), lead, n, dtype)
