"""The Array API standard's names, signatures, promotion and inspection, and NumPy as the other operand."""

import math
import operator
from inspect import Parameter, signature

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import Device, DTypeError, ShapeError

# name -> "positional-only | positional or keyword | keyword-only": the 2025.12 edition, without its extensions.
UNARY = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_invert", "ceil", "conj", "cos", "cosh",
    "exp", "expm1", "floor", "imag", "isfinite", "isinf", "isnan", "log", "log1p", "log2", "log10", "logical_not",
    "negative", "positive", "real", "reciprocal", "round", "sign", "signbit", "sin", "sinh", "square", "sqrt",
    "tan", "tanh", "trunc",
]  # fmt: skip
BINARY = [
    "add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less", "less_equal",
    "logaddexp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "nextafter",
    "not_equal", "pow", "remainder", "subtract", "matmul",
]  # fmt: skip
FUNCTIONS = {
    **dict.fromkeys(UNARY, "x||"),
    **dict.fromkeys(BINARY, "x1 x2||"),
    "clip": "x|min max|",
    "arange": "start|stop step|dtype device",
    "asarray": "obj||dtype device copy",
    "empty": "|shape|dtype device",
    "empty_like": "x||dtype device",
    "eye": "n_rows n_cols||k dtype device",
    "from_dlpack": "x||device copy",
    "full": "|shape fill_value|dtype device",
    "full_like": "x|fill_value|dtype device",
    "linspace": "start stop|num|dtype device endpoint",
    "meshgrid": "||indexing",
    "ones": "|shape|dtype device",
    "ones_like": "x||dtype device",
    "tril": "x||k",
    "triu": "x||k",
    "zeros": "|shape|dtype device",
    "zeros_like": "x||dtype device",
    "astype": "x dtype||copy device",
    "can_cast": "from_ to||",
    "finfo": "type||",
    "iinfo": "type||",
    "isdtype": "|dtype kind|",
    "result_type": "||",
    "take": "x indices||axis",
    "take_along_axis": "x indices||axis",
    "__array_namespace_info__": "||",
    "matrix_transpose": "x||",
    "tensordot": "x1 x2||axes",
    "vecdot": "x1 x2||axis",
    "broadcast_arrays": "||",
    "broadcast_shapes": "||",
    "broadcast_to": "x|shape|",
    "concat": "arrays||axis",
    "expand_dims": "x|axis|",
    "flip": "x||axis",
    "moveaxis": "x source destination||",
    "permute_dims": "x|axes|",
    "repeat": "x repeats||axis",
    "reshape": "x|shape|copy",
    "roll": "x|shift|axis",
    "squeeze": "x|axis|",
    "stack": "arrays||axis",
    "tile": "x repetitions||",
    "unstack": "x||axis",
    "argmax": "x||axis keepdims",
    "argmin": "x||axis keepdims",
    "count_nonzero": "x||axis keepdims",
    "nonzero": "x||",
    "searchsorted": "x1 x2||side sorter",
    "where": "condition x1 x2||",
    "isin": "x1 x2||invert",
    "unique_all": "x||",
    "unique_counts": "x||",
    "unique_inverse": "x||",
    "unique_values": "x||",
    "argsort": "x||axis descending stable",
    "sort": "x||axis descending stable",
    "cumulative_prod": "x||axis dtype include_initial",
    "cumulative_sum": "x||axis dtype include_initial",
    "max": "x||axis keepdims",
    "mean": "x||axis keepdims",
    "min": "x||axis keepdims",
    "prod": "x||axis dtype keepdims",
    "std": "x||axis correction keepdims",
    "sum": "x||axis dtype keepdims",
    "var": "x||axis correction keepdims",
    "all": "x||axis keepdims",
    "any": "x||axis keepdims",
    "diff": "x||axis n prepend append",
}

SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
MIXED = {  # of a signed and an unsigned integer; what is not here, the standard leaves undefined
    "int8": ["int16", "int32", "int64"],
    "int16": ["int16", "int32", "int64"],
    "int32": ["int32", "int32", "int64"],
    "int64": ["int64", "int64", "int64"],
}
FLOATING = {
    ("float32", "float32"): "float32",
    ("float32", "float64"): "float64",
    ("float64", "float64"): "float64",
    ("float32", "complex64"): "complex64",
    ("float32", "complex128"): "complex128",
    ("float64", "complex64"): "complex128",
    ("float64", "complex128"): "complex128",
    ("complex64", "complex64"): "complex64",
    ("complex64", "complex128"): "complex128",
    ("complex128", "complex128"): "complex128",
}


def promotion_table():
    found = {("bool", "bool"): "bool", **FLOATING}
    for names in (SIGNED, UNSIGNED):
        found |= {(a, b): names[max(i, j)] for i, a in enumerate(names) for j, b in enumerate(names)}
    found |= {(s, u): result for s, row in MIXED.items() for u, result in zip(UNSIGNED, row, strict=False)}
    return found | {(b, a): c for (a, b), c in found.items()}


def test_every_name_is_there_but_for_known_ones():
    assert not [name for name in FUNCTIONS if not hasattr(nd, name)]
    assert nd.__array_api_version__ == "2025.12"
    assert (nd.e, nd.pi, nd.inf, nd.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(nd.nan)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_signatures(name):
    """More arguments are allowed; those of the standard stand where they must and may be named where they may."""
    only, either, keywords = (part.split() for part in FUNCTIONS[name].split("|"))
    found = list(signature(getattr(nd, name)).parameters.values())
    assert len(found) >= len(only) + len(either)
    for parameter in found[: len(only)]:
        assert parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    for wanted, parameter in zip(either, found[len(only) :], strict=False):
        assert (parameter.name, parameter.kind) == (wanted, Parameter.POSITIONAL_OR_KEYWORD)
    kinds = {p.name: p.kind for p in found}
    for wanted in keywords:
        assert kinds[wanted] in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@pytest.mark.parametrize(("a", "b"), sorted(promotion_table()))
def test_promotion_is_the_standards_whatever_the_number_of_axes(a, b):
    result = getattr(nd, promotion_table()[a, b])
    assert nd.result_type(getattr(nd, a), getattr(nd, b)) is result
    for shapes in (((2,), (2,)), ((), (2,)), ((2,), ()), ((), ())):
        x, y = nd.ones(shapes[0], dtype=getattr(nd, a)), nd.ones(shapes[1], dtype=getattr(nd, b))
        assert nd.result_type(x, y) is result
        assert nd.equal(x, y).dtype is nd.bool
        assert nd.where(nd.ones((), dtype=nd.bool), x, y).dtype is result
        if a != "bool":
            assert (x * y).dtype is nd.multiply(x, y).dtype is result


@pytest.mark.parametrize(("dtype", "number"), [("int8", 3), ("uint64", 3), ("float32", 2), ("float64", 2.5), ("complex64", 2j)])
def test_numbers_take_the_dtype_of_the_array(dtype, number):
    x = nd.ones((2,), dtype=getattr(nd, dtype))
    assert nd.result_type(x, number) is (x + number).dtype is (number * x).dtype is x.dtype


def test_inspection():
    info = nd.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}
    assert info.default_device() in info.devices()
    assert Device("cpu") in info.devices()
    defaults = info.default_dtypes(device="cpu")
    assert defaults["real floating"] is nd.float32
    assert defaults["complex floating"] is nd.complex64
    assert defaults["integral"] is defaults["indexing"] is nd.int64
    assert len(info.dtypes()) == 13
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64", "complex128"}
    assert info.dtypes(kind="signed integer", device="cpu")["int8"] is nd.int8
    with pytest.raises(ValueError, match="floating"):
        info.dtypes(kind="floating")


def test_kinds_of_dtypes():
    assert nd.isdtype(nd.bfloat16, "real floating")
    assert nd.isdtype(nd.uint8, ("bool", nd.uint8))
    assert not nd.isdtype(nd.bool, "numeric")
    assert not nd.isdtype(nd.int8, "unsigned integer")
    with pytest.raises(ValueError, match="integer"):
        nd.isdtype(nd.int8, "integer")


def test_casts_follow_promotion():
    assert nd.can_cast(nd.uint8, nd.int16)
    assert nd.can_cast(nd.ones((2,)), nd.float64)
    assert not nd.can_cast(nd.float64, nd.float32)
    assert not nd.can_cast(nd.uint64, nd.int64)
    with pytest.raises(DTypeError, match="at least one array"):
        nd.result_type(1, 2.0)


def test_limits_name_their_dtype():
    assert nd.finfo(nd.ones((), dtype=nd.complex128)).dtype is nd.float64
    assert nd.iinfo(nd.uint8).dtype is nd.uint8
    assert nd.iinfo(nd.uint8).max == 255
    with pytest.raises(DTypeError, match="finfo"):
        nd.finfo(nd.int8)


def test_versions():
    x = nd.ones((2,))
    assert x.__array_namespace__() is x.__array_namespace__(api_version="2022.12") is nd
    with pytest.raises(ValueError, match=r"2099\.12"):
        x.__array_namespace__(api_version="2099.12")


def test_creation():
    assert nd.eye(2, 4, k=1).tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]
    assert nd.eye(3, k=-2).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert nd.eye(2, k=10**20).tolist() == [[0, 0], [0, 0]]
    assert nd.arange(3, 0).shape == (0,)
    assert nd.linspace(0, 1, num=4, endpoint=False).tolist() == [0, 0.25, 0.5, 0.75]
    assert nd.linspace(0, 1, 0, endpoint=False).shape == (0,)
    assert nd.linspace(1, 1j, 3).dtype is nd.complex64
    assert nd.full((2,), fill_value=True).dtype is nd.bool
    assert nd.asarray(memoryview(b"\x01\x02")).dtype is nd.uint8


def test_what_pytorch_lets_pass():
    with pytest.raises(ValueError, match="squeeze"):
        nd.squeeze(nd.ones((2, 1)), 0)
    with pytest.raises(ValueError, match="view"):
        nd.reshape(nd.permute_dims(nd.ones((2, 3)), (1, 0)), (6,), copy=False)
    x = nd.ones((6,))
    nd.reshape(x, (2, 3), copy=True)[...] = 0
    assert nd.all(x == 1)
    assert nd.sum(nd.ones((3,), dtype=nd.uint8)).dtype is nd.uint64
    assert nd.prod(nd.ones((3,), dtype=nd.int8)).dtype is nd.int64
    assert nd.clip(nd.asarray([1.0, 5.0]), max=2).tolist() == [1, 2]
    assert nd.clip(nd.asarray([1.0, 5.0])).tolist() == [1, 5]


def test_axes_by_the_standards_names():
    x = nd.reshape(nd.arange(6), (2, 3))
    assert nd.expand_dims(x, (0, -1)).shape == (1, 2, 3, 1)
    assert nd.permute_dims(x, (1, 0)).shape == (3, 2)
    assert [part.tolist() for part in nd.unstack(x, axis=1)] == [[0, 3], [1, 4], [2, 5]]
    assert nd.flip(x, axis=-1).tolist() == [[2, 1, 0], [5, 4, 3]]
    assert nd.flip(x).tolist() == [[5, 4, 3], [2, 1, 0]]
    assert nd.broadcast_shapes((2, 1), (3,)) == (2, 3)


def test_edges_of_division():
    inf = math.inf
    x = nd.asarray([inf, inf, -inf, 1.0, -1.0, -7.0])
    y = nd.asarray([2.0, -2.0, 2.0, -inf, inf, 2.0])
    assert (x // y).tolist() == [inf, -inf, -inf, -0.0, -0.0, -4.0]
    assert nd.signbit(x // y).tolist() == [False, True, True, True, True, True]
    zeros = nd.asarray([-0.0, 0.0])
    assert nd.signbit(zeros % nd.asarray([3.0, -3.0])).tolist() == [False, True]
    x //= 2
    assert x.tolist()[:3] == [inf, inf, -inf]


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
             operator.matmul, operator.eq, operator.ne, operator.lt, operator.ge]  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_numpy_arrays_never_swallow_ours(op):
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 2.0], [5.0, 1.0]])
    x, y = nd.asarray(a), nd.asarray(b)
    for found in (op(x, b), op(a, y), op(x, y)):
        assert type(found) is nd.NDArray
        np.testing.assert_array_equal(np.asarray(found), op(a, b))


@pytest.mark.parametrize("op", [op for op in OPERATORS if op is not operator.matmul], ids=lambda op: op.__name__)
@pytest.mark.parametrize("number", [np.float32(2), np.float64(2), np.int64(2), np.array(2.0)], ids=lambda n: f"{n.dtype}-{n!r}")
def test_numpy_numbers_never_swallow_ours(op, number):
    a = np.array([1.0, 2.0, 3.0], np.float64)
    x = nd.asarray(a)
    for found, wanted in ((op(x, number), op(a, number)), (op(number, x), op(number, a))):
        assert type(found) is nd.NDArray
        assert found.shape == (3,)
        np.testing.assert_allclose(np.asarray(found), wanted)


def test_numpy_numbers_are_as_weak_as_pythons():
    x = nd.ones((2,), dtype=nd.float32)
    assert (np.float64(2) * x).dtype is (x * np.float64(2)).dtype is nd.float32


def test_numpy_reads_our_memory():
    x = nd.zeros((2, 3))
    if not x.backend.host:
        pytest.skip("NumPy reads host memory only")
    for seen in (np.asarray(x), np.from_dlpack(x), np.asarray(x.__buffer__(0))):
        assert seen.dtype == np.float32
        x[0, 0] += 1
        assert seen[0, 0] == x[0, 0].item()
    assert np.array(x, dtype=np.float64).dtype == np.float64
    with pytest.raises(BufferError, match="bfloat16"):
        nd.ones((2,), dtype=nd.bfloat16).__buffer__(0)


def test_dlpack_arguments():
    a = np.arange(3.0)
    shared = nd.from_dlpack(a)
    own = nd.from_dlpack(a, copy=True)
    a[0] = 7
    assert (shared[0].item(), own[0].item()) == (7, 0)
    assert nd.from_dlpack(shared) is shared
    assert nd.from_dlpack(shared, device="cpu", copy=True) is not shared
    assert nd.from_dlpack(shared, copy=False) is shared
    a.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        nd.from_dlpack(a, copy=False)
    x = nd.ones((2,))
    for arguments in ({}, {"max_version": (1, 0)}, {"max_version": (0, 8)}, {"dl_device": (1, 0)}, {"copy": True}):
        assert "dltensor" in repr(x.__dlpack__(**arguments))
    assert x.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="device"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="stream"):
        x.to_device("cpu", stream=1)


def test_astype():
    x = nd.asarray([1, 0])
    assert nd.astype(x, nd.int64, copy=False) is x
    assert nd.astype(x, nd.int64) is not x
    assert nd.astype(x, nd.bool, device="cpu").tolist() == [True, False]
    with pytest.raises(DTypeError):
        nd.astype(x, "nonsense")
    with pytest.raises(ShapeError):
        nd.zeros((2,)) + nd.zeros((3,))
