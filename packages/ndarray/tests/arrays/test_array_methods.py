"""The methods of arrays: as NumPy's, but for what the docstrings say."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError

A = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.5]], np.float32)


def same(got, wanted):
    np.testing.assert_allclose(np.asarray(got.to_device("cpu")), wanted, rtol=1e-6)
    assert got.shape == wanted.shape


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all"])
def test_reductions(name):
    x = nd.asarray(A)
    for options in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}):
        same(getattr(x, name)(**options), np.asarray(getattr(A, name)(**options)))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.reshape(3, 2), lambda x: x.reshape((-1,)), lambda x: x.ravel(), lambda x: x.flatten(), lambda x: x.T,
        lambda x: x.transpose(), lambda x: x.transpose(1, 0), lambda x: x.transpose((1, 0)), lambda x: x.swapaxes(0, 1),
        lambda x: x.reshape(1, 2, 3).squeeze(0), lambda x: x.repeat(2, 1), lambda x: x.take(np.array([0, 2]), 1),
        lambda x: x.clip(-1.0, 2.0), lambda x: x.round(), lambda x: x.conj(), lambda x: x.copy(), lambda x: x.diagonal(),
        lambda x: x.cumsum(), lambda x: x.cumsum(0), lambda x: x.cumprod(1), lambda x: x.argsort(1), lambda x: x.dot(x.T),
        lambda x: x.real, lambda x: x.nonzero()[1],
    ],
)  # fmt: skip
def test_methods(call):
    same(call(nd.asarray(A)), call(A))


def test_rounding_to_decimals():
    b = np.array([1.234, -5.678], np.float64)
    same(nd.asarray(b).round(2), b.round(2))
    same(nd.asarray(b * 100).round(-2), (b * 100).round(-2))


def test_items():
    x = nd.asarray(A)
    assert x.tobytes() == A.tobytes() and x.T.tobytes() == A.T.tobytes()
    assert 4.0 in x and 5.0 not in x
    x.fill(2)
    same(x, np.full((2, 3), 2.0, np.float32))
    with pytest.raises(DTypeError):
        nd.asarray([1, 2]).fill(1j)


def test_flatten_copies_and_ravel_does_not():
    x = nd.zeros((2, 3))
    x.flatten()[0] = 1
    assert x[0, 0].item() == 0
    x.ravel()[0] = 1
    assert x[0, 0].item() == 1


def test_format():
    assert f"{nd.asarray(2.5):.2f}" == "2.50" and f"{nd.asarray(3):04d}" == "0003"
    x = nd.asarray([1.0])
    assert f"{x}" == str(x)
    with pytest.raises(TypeError, match="without axes"):
        f"{x:.2f}"


@pytest.mark.parametrize("dtype", [nd.float32, nd.bfloat16, nd.int64, nd.bool, nd.complex64])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_pickles_and_copies_are_by_value(dtype, shape):
    x = nd.astype(nd.ones(shape), dtype)
    for made in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x, 0))):
        assert made.dtype is dtype and made.shape == shape and made.device is x.device
        assert made.tolist() == x.tolist() and made.flat.memory is not x.flat.memory
    assert pickle.loads(pickle.dumps(nd.asarray(A).T)).tolist() == A.T.tolist()


def test_a_pickle_with_too_few_items_is_refused():
    function, (items, *rest) = nd.zeros((2, 2)).__reduce__()
    with pytest.raises(ShapeError):
        function(items[:-4], *rest)


def test_errors_speak_of_arrays():
    x = nd.zeros((2,))
    for call in (bool, len, iter):
        with pytest.raises((RuntimeError, TypeError)) as caught:
            call(x if call is bool else nd.asarray(1.0))
        assert "array" in str(caught.value) and "ensor" not in str(caught.value)


def test_methods_are_definitions_with_docstrings():
    for name, method in vars(nd.NDArray).items():
        if callable(method) and not name.startswith("_"):
            assert inspect.isfunction(inspect.unwrap(method)) and method.__doc__ and "<lambda>" not in method.__qualname__, name
    assert nd.NDArray.__module__ == "lamina_ndarray.array"
