"""Factors and solutions lie column by column, those of one row, one column or no items, too: their strides are PyTorch's."""

import pytest
import torch

import lamina

CASES = {
    "cholesky": lambda t, square, wide: t.linalg.cholesky(square),
    "cholesky_inverse": lambda t, square, wide: t.cholesky_inverse(square),
    "cholesky_solve": lambda t, square, wide: t.cholesky_solve(wide, square),
    "eig": lambda t, square, wide: t.linalg.eig(square),
    "eigh": lambda t, square, wide: t.linalg.eigh(square),
    "geqrf": lambda t, square, wide: t.geqrf(wide),
    "householder_product": lambda t, square, wide: t.linalg.householder_product(square, t.ones(square.shape[:-1])),
    "inv_ex": lambda t, square, wide: t.linalg.inv_ex(square),
    "ldl_factor": lambda t, square, wide: t.linalg.ldl_factor(square),
    "ldl_solve": lambda t, square, wide: t.linalg.ldl_solve(*t.linalg.ldl_factor(square), wide),
    "lu": lambda t, square, wide: t.linalg.lu(wide),
    "lu_factor_ex": lambda t, square, wide: t.linalg.lu_factor_ex(wide),
    "lu_solve": lambda t, square, wide: t.linalg.lu_solve(*t.linalg.lu_factor(square), wide),
    "pinv": lambda t, square, wide: t.linalg.pinv(wide),
    "qr": lambda t, square, wide: t.linalg.qr(wide),
    "qr, complete": lambda t, square, wide: t.linalg.qr(wide, mode="complete"),
    "solve": lambda t, square, wide: t.linalg.solve(square, wide),
    "solve, right": lambda t, square, wide: t.linalg.solve(square, wide.mT, left=False),
    "solve_triangular": lambda t, square, wide: t.linalg.solve_triangular(square, wide, upper=True),
    "solve_triangular, right": lambda t, square, wide: t.linalg.solve_triangular(square, wide.mT, upper=True, left=False),
    "svd": lambda t, square, wide: t.linalg.svd(wide),
    "svd, thin": lambda t, square, wide: t.linalg.svd(wide, full_matrices=False),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_strides(name):
    def strides(t, lead, m, n, columns):
        square, wide = t.eye(m).expand(*lead, m, m).clone(), t.ones(*lead, m, n)
        if columns:
            square, wide = square.mT.contiguous().mT, wide.mT.contiguous().mT
        results = CASES[name](t, square, wide)
        return [result.stride() for result in (results if isinstance(results, tuple) else (results,))]

    for lead in ((), (2,), (1,), (2, 1), (0,)):
        for m, n in ((3, 1), (1, 3), (1, 1), (3, 2), (2, 3)):
            for columns in (False, True):
                case = lead, m, n, columns
                assert strides(lamina, *case) == strides(torch, *case), case


def test_convolutions_ask_these_strides():
    def strides(t):
        filters = t.linalg.solve_triangular(t.eye(4).expand(6, 4, 4), t.ones(6, 4, 1), upper=True)
        return [t.nn.functional.conv1d(x, filters).stride() for x in (t.ones(2, 4, 5), t.ones(2, 5, 4).mT, t.ones(4, 5))]

    assert strides(lamina) == strides(torch)
