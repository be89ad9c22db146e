"""lamina_flatarray: flat arrays, element types, the op vocabulary, and the backends that compute.

>>> from lamina_flatarray import FlatArray
>>> x = FlatArray.from_items([1.0, 2.0, 3.0])
>>> x[1:].fill(5.0).tolist(), x.tolist()
([5.0, 5.0], [1.0, 5.0, 5.0])
"""

from . import backends, dtypes
from .backends.contract import PROTOCOL, Backend, Kernel, Operand, Row, Strided
from .backends.kernel_table import KernelTable
from .devices import Device
from .dtype_rules import result_dtypes
from .dtypes import (
    DTYPES,
    DType,
    bfloat16,
    bool,
    complex64,
    complex128,
    dtype_of,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .errors import (
    AutogradError,
    BackendError,
    BackendFailedToLoad,
    CheckpointError,
    DeviceError,
    DTypeError,
    EmptyAxis,
    IndexOutOfRange,
    LaminaError,
    LinAlgError,
    NoHardware,
    NotFinite,
    OpNotImplemented,
    ProtocolMismatch,
    ShapeError,
    UnknownBackend,
)
from .flat import FlatArray
from .instruments import count_ops, detect_nan, profile_ops, record_ops
from .ops import FAMILIES, OPS, Op
from .promotion import can_cast, get_default_dtype, promote_types, result_type, set_default_dtype

__all__ = [
    "DTYPES",
    "FAMILIES",
    "OPS",
    "PROTOCOL",
    "AutogradError",
    "Backend",
    "BackendError",
    "BackendFailedToLoad",
    "CheckpointError",
    "DType",
    "DTypeError",
    "Device",
    "DeviceError",
    "FlatArray",
    "IndexOutOfRange",
    "Kernel",
    "KernelTable",
    "LaminaError",
    "LinAlgError",
    "NoHardware",
    "NotFinite",
    "Op",
    "OpNotImplemented",
    "Operand",
    "ProtocolMismatch",
    "Row",
    "ShapeError",
    "Strided",
    "UnknownBackend",
    "backends",
    "bfloat16",
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "count_ops",
    "detect_nan",
    "dtype_of",
    "dtypes",
    "finfo",
    "float16",
    "float32",
    "float64",
    "get_default_dtype",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "profile_ops",
    "promote_types",
    "record_ops",
    "result_dtypes",
    "result_type",
    "set_default_dtype",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
