"""The storey of arrays by itself: making them, operators, parts, reductions, products."""

from typing import assert_type

import numpy as np

import lamina_ndarray as nd
from lamina_ndarray import NDArray

a = nd.reshape(nd.arange(12.0), (3, 4))
assert_type(a, NDArray)
assert_type(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), NDArray)
assert_type(nd.zeros((2, 3), dtype=nd.float64), NDArray)
assert_type(nd.ones((2,)), NDArray)
assert_type(nd.linspace(0, 1, 5), NDArray)

assert_type(a.shape, tuple[int, ...])
assert_type(a.ndim, int)
assert_type(a.size, int)
assert_type(a.T, NDArray)

assert_type(a + 1, NDArray)
assert_type(2 * a - a / 3, NDArray)
assert_type(-a, NDArray)
assert_type(a @ a.T, NDArray)
assert_type(a > 5, NDArray)
assert_type(a == a, NDArray)
assert_type(a**2, NDArray)
assert_type(~(a > 5), NDArray)

assert_type(a[0], NDArray)
assert_type(a[:, 1:], NDArray)
assert_type(a[a > 5], NDArray)
a[0] = 1.0

assert_type(nd.sum(a), NDArray)
assert_type(nd.sum(a, axis=0, keepdims=True), NDArray)
assert_type(nd.mean(a, axis=1), NDArray)
assert_type(nd.max(a, axis=1), NDArray)
assert_type(nd.argmax(a, axis=1), NDArray)
assert_type(nd.exp(a), NDArray)
assert_type(nd.where(a > 5, a, 0.0), NDArray)
assert_type(nd.concat([a, a], axis=0), NDArray)
assert_type(nd.permute_dims(a, (1, 0)), NDArray)
assert_type(nd.sort(a, axis=1), NDArray)
assert_type(nd.matmul(a, a.T), NDArray)
assert_type(nd.astype(a, nd.int64), NDArray)
assert_type(nd.linalg.inv(nd.eye(3)), NDArray)
assert_type(nd.fft.fft(a), NDArray)

# Generic functions: what they give is of the class of what they are given.
assert_type(nd.concat([a, a]), NDArray)
assert_type(nd.trapezoid(a), NDArray)
assert_type(nd.cumulative_trapezoid(a, dx=0.5), NDArray)
assert_type(nd.expand_dims(a, axis=0), NDArray)
assert_type(nd.take_along_axis(a, nd.argsort(a), axis=1), NDArray)
assert_type(nd.masked_fill(a, a > 5, 0.0), NDArray)
assert_type(nd.isclose(a, 2.0), NDArray)
assert_type(nd.isclose(2.0, a), NDArray)
assert_type(nd.allclose(a, a), bool)
assert_type(nd.quantile(a, 0.5), NDArray)
assert_type(nd.block_diag(a, a), NDArray)
assert_type(nd.tensordot(a, a.T, axes=1), NDArray)
assert_type(nd.special.logit(a / 12), NDArray)
assert_type(nd.linalg.multi_dot([a, a.T]), NDArray)
assert_type(nd.einsum("ij,kj->ik", a, a), NDArray)
assert_type(nd.einsum("ij,kj->ik", [a, a]), NDArray)
assert_type(nd.einsum(a, [0, 1], a, [2, 1]), NDArray)

assert_type(nd.split(a, 2), tuple[NDArray, ...])
assert_type(nd.unstack(a), tuple[NDArray, ...])
assert_type(nd.unravel_index(nd.asarray([1, 5]), a.shape), tuple[NDArray, ...])
assert_type(nd.broadcast_arrays(a, a[0]), tuple[NDArray, ...])
assert_type(nd.meshgrid(a[0], a[:, 0], indexing="ij"), tuple[NDArray, ...])
assert_type(nd.meshgrid([a[0], a[:, 0]]), tuple[NDArray, ...])
assert_type(nd.atleast_1d(a), NDArray)
assert_type(nd.atleast_1d(a, a), tuple[NDArray, ...])

# Results by name, each a class of its own.
square = a.T @ a + nd.eye(4)
assert_type(nd.linalg.qr(square).Q, NDArray)
assert_type(nd.linalg.lu(square).P, NDArray)
u, s, vh = nd.linalg.svd(a, full_matrices=False)
assert_type(s, NDArray)
assert_type(nd.linalg.slogdet(square).logabsdet, NDArray)
assert_type(nd.var_mean(a).mean, NDArray)
assert_type(nd.aminmax(a).min, NDArray)
assert_type(nd.topk(a, 2).indices, NDArray)
assert_type(nd.unique_counts(a).counts, NDArray)
assert_type(nd.histogram(a, 4).bin_edges, NDArray)

# What depends on arguments.
assert_type(nd.median(a), NDArray)
assert_type(nd.median(a, 1).values, NDArray)
assert_type(nd.unique(a), NDArray)
assert_type(nd.unique(a, return_counts=True), tuple[NDArray, NDArray])
assert_type(nd.unique(a, return_inverse=True, return_counts=True), tuple[NDArray, NDArray, NDArray])

assert_type(a.ravel(), NDArray)
assert_type(a.repeat(2), NDArray)
assert_type(a.take([0, 1], axis=1), NDArray)
assert_type(a.conj().swapaxes(0, 1), NDArray)
assert_type(nd.sum(a).item(), int | float | bool)
assert_type(float(nd.sum(a)), float)
assert_type(len(a), int)
total: float = nd.sum(a).item()
held = np.asarray(a)
assert held.shape == (3, 4)
