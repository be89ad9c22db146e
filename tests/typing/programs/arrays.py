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

assert_type(float(nd.sum(a)), float)
assert_type(len(a), int)
total: float = nd.sum(a).item()
held = np.asarray(a)
assert held.shape == (3, 4)
