"""What happens where a backend has no kernel for an op: an error, or a counted trip to the host reference.

The policy is looked at when the op runs, so that it can change at any time; the default is an error.
"""

from __future__ import annotations

import threading
import warnings
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from ..dtypes import DType
from ..errors import LaminaError, OpNotImplemented
from .contract import Backend, Kernel, Strided

if TYPE_CHECKING:
    from ..flat import FlatArray

__all__ = [
    "POLICIES",
    "FallbackCount",
    "fallback_policy",
    "fallbacks",
    "get_fallback_policy",
    "missing",
    "reset_fallbacks",
    "set_fallback_policy",
]

POLICIES: Final = ("error", "warn", "allow")

_here: Final[ContextVar[str | None]] = ContextVar("lamina_fallback_policy", default=None)
_everywhere: str = "error"
_counts: Final[dict[str, FallbackCount]] = {}
_lock: Final = threading.Lock()


class FallbackCount(NamedTuple):
    """How often an op fell back, and how many bytes were copied for it, both ways together."""

    calls: int
    bytes: int


# -- the policy ------------------------------------------------------------------------------------


def get_fallback_policy() -> str:
    """The policy here and now: "error", "warn" or "allow"."""
    return _here.get() or _everywhere


def set_fallback_policy(policy: str) -> None:
    """Set the policy of the whole process.

    Raises:
        LaminaError: there is no such policy.
    """
    global _everywhere
    _everywhere = _known(policy)


class fallback_policy:
    """Set the policy for a `with` block, in this thread or asyncio task only.

    Raises:
        LaminaError: there is no such policy.
    """

    __slots__ = ("_before", "_policy")

    def __init__(self, policy: str) -> None:
        self._policy = _known(policy)

    def __enter__(self) -> Self:
        self._before = _here.get()
        _here.set(self._policy)
        return self

    def __exit__(self, *exception: object) -> None:
        _here.set(self._before)


def _known(policy: str) -> str:
    if policy not in POLICIES:
        raise LaminaError(f"fallback_policy: {policy!r} given; it wants one of {', '.join(POLICIES)}")
    return policy


# -- the count -------------------------------------------------------------------------------------


def fallbacks() -> dict[str, FallbackCount]:
    """Which ops have fallen back to the host reference in this process, how often, at what cost."""
    with _lock:
        return dict(_counts)


def reset_fallbacks() -> None:
    """Begin to count anew."""
    with _lock:
        _counts.clear()


# -- the kernel ------------------------------------------------------------------------------------


def missing(backend: Backend, op: str, dtype: DType) -> Kernel:
    """The kernel for an op that a backend has none for: it does what the policy says when it is called.

    Raises (the kernel):
        OpNotImplemented: the policy is "error", or the reference has no kernel either.
    """

    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        from . import kernel_table as table

        if op in table.compositions:  # a storey above came after this table's entry
            target = out[0] if isinstance(out, (tuple, list)) else out
            target.flat.kernels.sibling(dtype).pop(op, None)
            target.flat.kernels.sibling(dtype)[op](out, *inputs, **params)
            return
        policy = get_fallback_policy()
        reference = _reference(backend, op, dtype)
        if policy == "error" or reference is None:
            raise OpNotImplemented(_explained(backend, op, dtype, out, inputs, reference is not None))
        if policy == "warn":
            warnings.warn(
                f"{op}: backend {backend.name!r} has no kernel for {dtype.name}; it runs on the host instead",
                RuntimeWarning,
                stacklevel=3,
            )
        trip = _RoundTrip(op)
        host_out, host_inputs = trip.there(out), [trip.there(x) for x in inputs]
        host_params = {name: trip.there(value) for name, value in params.items()}
        reference(host_out, *host_inputs, **host_params)
        trip.back(out, host_out)
        for name, value in params.items():
            if isinstance(value, (list, tuple)):  # an optimizer's state is updated in place
                trip.back(value, host_params[name])
        with _lock:
            before = _counts.get(op, FallbackCount(0, 0))
            _counts[op] = FallbackCount(before.calls + 1, before.bytes + trip.bytes)

    kernel.__name__ = op
    return kernel


def _reference(backend: Backend, op: str, dtype: DType) -> Kernel | None:
    """The host reference's own kernel, if it has one."""
    from . import registry
    from .kernel_table import KernelTable, origin

    reference = registry.backend("numpy")
    if reference is backend or origin(reference, op, dtype) == "missing":
        return None
    return KernelTable.of(reference, 0, dtype)[op]


class _RoundTrip:
    """Operands copied to the reference's memory, and back; counts the bytes."""

    __slots__ = ("_dense", "_op", "bytes")

    def __init__(self, op: str) -> None:
        self._op = op
        self._dense: dict[int, Any] = {}  # by id of the host operand: what on the device it is a copy of
        self.bytes = 0

    def there(self, value: Any) -> Any:
        """A twin on the host for an operand, or for a list or tuple of them; anything else as it is."""
        if isinstance(value, (list, tuple)):
            return type(value)(self.there(one) for one in value)
        if not hasattr(value, "layout"):
            return value
        dense = self._gathered(value)
        flat = dense.flat
        twin = Strided(_host_twin(flat), dense.layout)
        flat.backend.copy_out(flat.memory, flat.offset, twin.flat.bytes_view().data)
        self.bytes += flat.nbytes
        self._dense[id(twin)] = dense
        return twin

    def back(self, value: Any, twin: Any) -> None:
        """Write what the reference has left in the twin to where it came from."""
        if isinstance(value, (list, tuple)):
            for one, its_twin in zip(value, twin, strict=True):
                self.back(one, its_twin)
            return
        dense = self._dense.get(id(twin))
        if dense is None:
            return
        flat = dense.flat
        flat.backend.copy_in(flat.memory, flat.offset, twin.flat.bytes_view().data)
        self.bytes += flat.nbytes
        if dense is not value:
            value.flat.kernels["copy"](value, dense)

    def _gathered(self, operand: Any) -> Any:
        """Of a small view into much memory, a compact copy; others travel with their whole memory."""
        if operand.layout.size >= operand.flat.size or self._op == "copy":
            return operand
        from ..flat import FlatArray

        made = Strided(FlatArray.of(operand.flat.kernels, operand.layout.size), operand.layout.compact)
        operand.flat.kernels["copy"](made, operand)
        return made


def _host_twin(flat: FlatArray) -> FlatArray:
    from ..flat import FlatArray
    from . import registry
    from .kernel_table import KernelTable

    return FlatArray.of(KernelTable.of(registry.backend("numpy"), 0, flat.dtype), flat.size)


# -- the message -----------------------------------------------------------------------------------


def _explained(backend: Backend, op: str, dtype: DType, out: Any, inputs: Any, possible: bool) -> str:
    served = _served(backend, op)
    outs = out if isinstance(out, (tuple, list)) else (out,)
    what = ", ".join(_described(x) for x in inputs) or "no array"
    why = f"it has kernels for {', '.join(served)} only" if served else "it has no kernel of this name for any dtype"
    hint = (
        "with fallback_policy('allow'): ... (of lamina_flatarray.backends) lets the host run it"
        if possible
        else "the host reference has no kernel for it either, so no fallback can help"
    )
    return (
        f"{op}: backend {backend.name!r} cannot run it for {dtype.name}\n"
        f"  given: {what} -> {', '.join(_described(x) for x in outs)}\n"
        f"  why:   {why}, and no composition of other ops is known\n"
        f"  hint:  {hint}"
    )


def _served(backend: Backend, op: str) -> list[str]:
    from . import registry

    served: dict[str, None] = {}
    at: Backend | None = backend
    while at is not None:
        served.update(dict.fromkeys(at.capabilities().get(op, ())))
        at = registry.backend(at.extends) if at.extends else None
    return list(served)


def _described(value: Any) -> str:
    if hasattr(value, "layout"):
        return f"{value.flat.dtype.name}{list(value.layout.shape)}"
    return repr(value) if isinstance(value, (bool, int, float, complex)) else type(value).__name__
