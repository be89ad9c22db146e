"""Products, factorizations, solvers, Fourier transforms and special functions."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

a = torch.randn(3, 3, dtype=torch.float64)
b = torch.randn(3, 2, dtype=torch.float64)
symmetric = a @ a.T + torch.eye(3, dtype=torch.float64)

assert_type(torch.matmul(a, b), Tensor)
assert_type(a.mm(b), Tensor)
assert_type(torch.bmm(a[None], b[None]), Tensor)
assert_type(torch.einsum("ij,jk->ik", a, b), Tensor)
assert_type(torch.outer(a[0], a[1]), Tensor)
assert_type(torch.addmm(b, a, b, alpha=0.5), Tensor)

assert_type(torch.linalg.norm(a), Tensor)
assert_type(torch.linalg.vector_norm(a, ord=2, dim=1), Tensor)
assert_type(torch.linalg.solve(a, b), Tensor)
assert_type(torch.linalg.inv(a), Tensor)
assert_type(torch.linalg.det(a), Tensor)
assert_type(torch.linalg.cholesky(symmetric), Tensor)
assert_type(torch.linalg.matrix_power(a, 2), Tensor)
assert_type(torch.linalg.matrix_rank(a), Tensor)
assert_type(torch.linalg.pinv(a), Tensor)
u, s, vh = torch.linalg.svd(a, full_matrices=False)
assert_type(u, Tensor)
assert_type(torch.linalg.svd(a).S, Tensor)
q, r = torch.linalg.qr(a)
assert_type(r, Tensor)
values, vectors = torch.linalg.eigh(symmetric)
assert_type(values, Tensor)
assert_type(torch.linalg.slogdet(a).logabsdet, Tensor)
assert_type(torch.linalg.lstsq(a, b).solution, Tensor)

assert_type(torch.fft.fft(a), Tensor)
assert_type(torch.fft.rfft(a, dim=0, norm="ortho"), Tensor)
assert_type(torch.fft.irfft(torch.fft.rfft(a), n=3), Tensor)
assert_type(torch.fft.fftshift(torch.fft.fftfreq(4)), Tensor)
assert_type(torch.special.erf(a), Tensor)
assert_type(torch.special.logsumexp(a, dim=0), Tensor)
assert_type(torch.special.expit(a), Tensor)
