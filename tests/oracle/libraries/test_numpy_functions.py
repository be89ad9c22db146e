"""NumPy's functions and operators on lamina's tensors, by what NumPy asks of any object: the same results as on PyTorch's.

`np.isnan` and other functions with results of bool give PyTorch's uint8, an old workaround of its own; lamina's are bool.
"""

import operator

import numpy as np
import pytest
import torch

import lamina

pytestmark = pytest.mark.filterwarnings("ignore:__array:DeprecationWarning")  # PyTorch's methods are written for NumPy 1

FUNCTIONS = {
    "add": lambda x, i: np.add(x, 1),
    "add of two": lambda x, i: np.add(np.ones(2), i),
    "divide": lambda x, i: np.divide(i, 2),
    "sqrt": lambda x, i: np.sqrt(x),
    "negative": lambda x, i: np.negative(i),
    "matmul": lambda x, i: np.matmul(x, x),
    "clip": lambda x, i: np.clip(x, 1, 2),
    "modf": lambda x, i: np.modf(x)[1],
    "out": lambda x, i: np.add(x, 1, out=np.zeros((2, 2))),
    "outer": lambda x, i: np.multiply.outer(i, i),
    "reduce": lambda x, i: np.add.reduce(x),
    "a scalar times": lambda x, i: np.float64(2) * x,
    "a scalar plus": lambda x, i: np.float64(2) + i,
    "a scalar to the power": lambda x, i: np.float32(2) ** x,
    "compared with a scalar": lambda x, i: np.float64(2) < x,
    "times a scalar": lambda x, i: x * np.float64(2),
    "concatenate": lambda x, i: np.concatenate([x, x]),
    "where": lambda x, i: np.where(x > 2, x, 0),
    "argsort": lambda x, i: np.argsort(x[0]),
    "median": lambda x, i: np.median(x),
    "linspace": lambda x, i: np.linspace(x[0, 0], x[1, 1], 3),
    "indexed": lambda x, i: np.arange(5)[i],
    "indexed by bools": lambda x, i: np.arange(2)[i > 0],
    "full": lambda x, i: np.full((2,), x[0, 0]),
    "a list of items": lambda x, i: np.array([x[0, 0], x[0, 1]]),
    "a list of tensors": lambda x, i: np.array([x, x]),
    "norm": lambda x, i: np.linalg.norm(x),
    "einsum": lambda x, i: np.einsum("ij->i", x),
    "histogram": lambda x, i: np.histogram(x)[0],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_on_pytorchs_tensors(name):
    theirs, ours = (
        FUNCTIONS[name](library.tensor([[1.0, 2.25], [3.0, 4.0]]), library.arange(2)) for library in (torch, lamina)
    )
    assert isinstance(ours, lamina.Tensor) == isinstance(theirs, torch.Tensor)
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


def test_results_of_bool_stay_bool():
    x = lamina.tensor([1.0, float("nan")])
    assert torch.equal(torch.tensor(np.isnan(x).tolist()), np.isnan(torch.tensor(x.tolist())).bool())
    assert np.isnan(x).dtype is lamina.bool and (~np.isnan(x)).tolist() == [True, False]


def test_arrays_on_the_left_of_an_operator_are_refused_as_in_pytorch():
    for library in (torch, lamina):
        for of_two in (lambda a, x: a + x, lambda a, x: a * x, lambda a, x: a @ x, lambda a, x: a & x):
            with pytest.raises(TypeError):
                of_two(np.ones(2, np.int64), library.arange(2))


def test_tensors_with_history_are_refused():
    for library in (torch, lamina):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"):
            np.sqrt(library.ones(2, requires_grad=True))


OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.floordiv, operator.mod, operator.matmul,
    operator.iadd,
)  # fmt: skip
DTYPES = "float16", "float32", "float64", "int64", "uint8", "bool", "complex64"


@pytest.mark.parametrize("function", OPERATORS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_with_an_array_give_the_dtype_that_numpy_gives(function, dtype):
    """Whatever the array's dtype, and with no dims, too. Results of bool are left out, as above."""
    compared = 0
    for of_array in DTYPES:
        for items in (2, [1, 2]):
            if dtype == of_array == "bool":
                continue
            results = []
            for library in (torch, lamina):
                x, y = library.ones(2, dtype=getattr(library, dtype)), np.array(items).astype(of_array)
                try:
                    result = function(x, y)
                except (RuntimeError, TypeError, ValueError):
                    results.append("refused")
                else:
                    assert isinstance(result, library.Tensor) or not result.shape  # NumPy's scalar is left as it is
                    results.append((str(result.dtype).rpartition(".")[2], result.tolist()))
            if results[0] != "refused":
                assert results[0] == results[1], (of_array, items)
                compared += 1
    remains = dtype == "complex64" and function in (operator.floordiv, operator.mod)  # which NumPy has for no complex numbers
    assert compared == 0 if remains else compared >= 6
