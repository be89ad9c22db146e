"""Who can run what, and why: the ops of a backend as data, and the answer for one call."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import dtypes
from ..devices import chosen, process_wide
from ..dtype_rules import DTYPE_RULES, result_dtypes
from ..errors import DeviceError, OpNotImplemented
from ..ops import OPS
from ..promotion import get_default_dtype, result_type
from . import registry
from .kernel_table import origin

__all__ = ["Explanation", "capabilities", "explain"]


def capabilities(name: str) -> dict[str, Any]:
    """Return what a backend runs, as data for JSON; its device is not touched.

    `["ops"][op][dtype]` is "native", "overridden" (by a kernel of the program's, see `override`), "inherited from NAME",
    "derived" (computed out of other ops) or "missing", for all dtypes that the op computes in.

    Args:
        name: the backend's name, such as "numpy".

    Returns:
        A dict with `name`, `device_type`, `protocol`, `extends`, `reads_strides`, `host` and `ops`.

    Raises:
        BackendError: nobody offers the backend, or it cannot be loaded.

    >>> capabilities("numpy")["ops"]["add"]["float32"]
    'native'
    """
    backend = registry.loaded(name)
    ops = {
        op: {
            dtype.name: origin(backend, op, dtype)
            for dtype in dtypes.DTYPES.values()
            if (DTYPE_RULES[row.rule](dtype) or (None,))[0] is dtype
        }
        for op, row in OPS.items()
    }
    return {
        "name": backend.name,
        "device_type": backend.device_type,
        "protocol": list(backend.protocol),
        "extends": backend.extends,
        "reads_strides": backend.reads_strides,
        "host": backend.host,
        "ops": ops,
    }


class Explanation(NamedTuple):
    """Who would run an op.

    Attributes:
        op: the op.
        backend, device, dtype: the names of the backend, the device and the dtype that it computes in.
        origin: "native", "overridden", "inherited from NAME", "derived" or "missing".
        reason: why this backend.

    >>> print(Explanation("add", "numpy", "cpu", "float32", "native", "its priority is the highest"))
    add in float32 on cpu: numpy (native), as its priority is the highest
    """

    op: str
    backend: str
    device: str
    dtype: str
    origin: str
    reason: str

    def __str__(self) -> str:
        return f"{self.op} in {self.dtype} on {self.device}: {self.backend} ({self.origin}), as {self.reason}"


def explain(op: str, *operands: Any) -> Explanation:
    """Return who would run an op on these operands, and why; nothing is run.

    Args:
        op: its name in the op table.
        operands: arrays, flat arrays and Python scalars. Without an array, it is about the default device.

    Returns:
        An `Explanation`, which prints as a sentence.

    Raises:
        OpNotImplemented: there is no such op.
        DTypeError: it is not defined for these dtypes.
        DeviceError: the operands are on several devices.

    >>> explain("add", 1, 2.5).dtype
    'float32'
    """
    if op not in OPS:
        raise OpNotImplemented(f"explain: there is no op {op!r} in the table")
    flats = [x if hasattr(x, "kernels") else x.flat for x in operands if not _is_scalar(x)]
    typed = operands[:1] if OPS[op].family == "gather" else operands[1:] if op == "where" else operands
    promoted = result_type(*map(_with_dtype, typed)) if typed else get_default_dtype()
    computed = result_dtypes(op, promoted)[0]
    if flats:
        backend, device = flats[0].backend, flats[0].device
        for other in flats[1:]:
            if other.backend is not backend or other.device is not device:
                raise DeviceError(
                    f"{op}: operands are on {device} ({backend.name}) and "
                    f"{other.device} ({other.backend.name}); "
                    f"it wants one place, so move one with .to({str(device)!r})"
                )
        reason = "the operands are there"
    else:
        table = registry.kernels(None, computed)
        backend, device = table.backend, table.device
        reason = _why_default(backend.name, device.type)
    return Explanation(op, backend.name, str(device), computed.name, origin(backend, op, computed), reason)


def _is_scalar(operand: Any) -> bool:
    return isinstance(operand, (bool, int, float, complex))


def _with_dtype(operand: Any) -> Any:
    """What `result_type` understands: scalars and what has dimensions as they are, of others the dtype."""
    if _is_scalar(operand) or hasattr(operand, "ndim"):
        return operand
    return operand.dtype if hasattr(operand, "kernels") else operand.flat.dtype


def _why_default(name: str, device_type: str) -> str:
    if device_type != "cpu":
        return "its device is the default one"
    if chosen.get().backend == name:
        return "use_backend chose it here"
    if process_wide().backend == name:
        return "set_default_backend chose it"
    return "LAMINA_BACKEND chose it" if registry.from_environment() == name else "its priority is the highest"
