"""lamina: the whole stack under PyTorch's names. `import lamina as torch`. Re-exports only; nothing is computed here."""

from importlib import import_module as _import
from math import e, inf, nan, pi
from typing import Any as _Any

from lamina_flatarray import (
    Device as device,
)
from lamina_flatarray import (
    DType as dtype,
)
from lamina_flatarray import (
    bfloat16,
    bool,
    can_cast,
    complex64,
    complex128,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from lamina_flatarray.instruments import detect_nan
from lamina_flatarray.random import Generator, default_generator
from lamina_flatarray.threads import get_num_threads, set_num_threads
from lamina_ndarray import set_printoptions
from lamina_tensor import *
from lamina_tensor.autograd.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled
from lamina_tensor.autograd.anomaly import set_detect_anomaly as set_anomaly_enabled
from lamina_tensor.devices.capsules import to_dlpack
from lamina_tensor.dispatch.subclassing import overridable as _overridable
from lamina_tensor.precision.autocasting import *
from lamina_tensor.transforms.control_flow import cond, while_loop
from lamina_tensor.transforms.record import record

from .accepted import *

half, float, double, short, int, long = float16, float32, float64, int16, int32, int64
cfloat, cdouble = complex64, complex128

_PARTS = (
    "accelerator", "amp", "autograd", "backends", "cpu", "cuda", "distributed", "distributions", "fft", "func", "jit", "linalg",
    "multiprocessing", "nn", "optim", "profiler", "random", "return_types", "special", "testing", "utils",
    "version",
)  # fmt: skip


def __getattr__(name: str) -> _Any:
    if name in _PARTS:
        return _import(f"{__name__}.{name}")
    if name == "vmap":
        return _import(f"{__name__}.func").vmap
    if name == "summary":
        return _import("lamina_nn.summarizing").summary
    if name in ("load", "save"):
        return getattr(_import("lamina_nn.files"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("lamina")
    if not name.startswith("_"):
        from lamina_tensor.dispatch.torch_names import found

        try:
            globals()[name] = function = found(name)
            return function
        except AttributeError:
            of_layers = _import("lamina_nn.torch_functions")
        if name in of_layers.__all__:
            globals()[name] = function = getattr(of_layers, name)
            return function
    from .absent_names import absent

    raise absent(__name__, name, set() if name.startswith("_") else set(__dir__()))


def __dir__() -> list[str]:
    from lamina_tensor.dispatch import torch_names

    return sorted({*globals(), *_PARTS, *torch_names.names(), *_import("lamina_nn.torch_functions").__all__})


_overridable(globals())
