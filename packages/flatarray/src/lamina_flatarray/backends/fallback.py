"""What happens where a backend has no kernel for an op: an error, or a counted trip to the host reference.

The policy is looked at when the op runs, so that it can change at any time; the default is an error.
"""

from __future__ import annotations

import threading
import warnings
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, Self

from ..contract import Kernels, Strided
from ..errors import ArgumentValueError, OpNotImplemented
from ..fork_safety import fork_safe
from ..ops import OPS
from .plugins import extended

__all__ = [
    "POLICIES",
    "FallbackCount",
    "fall_back",
    "fallback_policy",
    "fallbacks",
    "get_fallback_policy",
    "reset_fallbacks",
    "set_fallback_policy",
]

POLICIES: Final = ("error", "warn", "allow")

_here: Final[ContextVar[str | None]] = ContextVar("lamina_fallback_policy", default=None)
_everywhere: str = "error"
_counts: Final[dict[str, FallbackCount]] = {}
_lock: Final = fork_safe(threading.RLock())


class FallbackCount(NamedTuple):
    """What the fallbacks of one op cost.

    Attributes:
        calls: how often it fell back.
        bytes: how many bytes were copied for it, both ways together.

    >>> FallbackCount(2, 96).calls
    2
    """

    calls: int
    bytes: int


# -- the policy ------------------------------------------------------------------------------------


def get_fallback_policy() -> str:
    """Return the policy that holds here and now: "error", "warn" or "allow".

    Returns:
        The policy of this thread or task if it has one, else that of the process.

    >>> get_fallback_policy()
    'error'
    """
    return _here.get() or _everywhere


def set_fallback_policy(policy: str) -> None:
    """Set the policy of the whole process.

    Args:
        policy: "error" (an op without a kernel is an error), "warn" or "allow" (it runs on the host instead).

    Raises:
        ArgumentValueError: there is no such policy.

    >>> set_fallback_policy("warn")
    >>> set_fallback_policy("error")
    """
    global _everywhere
    _everywhere = _known(policy)


class fallback_policy:
    """Set the policy for a `with` block, in this thread or asyncio task only.

    Args:
        policy: "error" (an op without a kernel is an error), "warn" or "allow" (it runs on the host instead).

    Raises:
        ArgumentValueError: there is no such policy.

    >>> with fallback_policy("allow"):
    ...     get_fallback_policy()
    'allow'
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
        raise ArgumentValueError(f"fallback_policy: {policy!r} given; it wants one of {', '.join(POLICIES)}")
    return policy


# -- the count -------------------------------------------------------------------------------------


def fallbacks() -> dict[str, FallbackCount]:
    """Return which ops have fallen back to the host reference in this process, how often, and what that cost.

    Returns:
        A dict from op to `FallbackCount`, a copy.

    >>> reset_fallbacks()
    >>> fallbacks()
    {}
    """
    with _lock:
        return dict(_counts)


def reset_fallbacks() -> None:
    """Forget the fallbacks that were counted so far.

    >>> reset_fallbacks()
    """
    with _lock:
        _counts.clear()


# -- the round trip --------------------------------------------------------------------------------


def fall_back(
    kernels: Kernels, op: str, host: Kernels | None, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]
) -> None:
    """Run an op for which a backend has no kernel, or refuse to, as the policy says.

    Args:
        kernels: where the kernel is missing.
        op: the op's name.
        host: the kernels of the host reference for the same dtype; None if it cannot run the op either.
        out, inputs, params: what the kernel was called with.

    Raises:
        OpNotImplemented: the policy is "error", or the reference has no kernel either.
    """
    policy = get_fallback_policy()
    if policy == "error" or host is None:
        raise OpNotImplemented(_explained(kernels, op, out, inputs, host is not None))
    if policy == "warn":
        warnings.warn(
            f"{op}: backend {kernels.backend.name!r} has no kernel for {kernels.dtype.name}; it runs on the host instead",
            RuntimeWarning,
            stacklevel=4,
        )
    trip = _RoundTrip(op, host)
    host_out, host_inputs = trip.there(out), [trip.there(x) for x in inputs]
    host_params = {name: trip.there(value) for name, value in params.items()}
    host[op](host_out, *host_inputs, **host_params)
    trip.back(out, host_out)
    for name in OPS[op].beside:  # an optimizer's state is updated in place
        trip.back(params[name], host_params[name])
    with _lock:
        before = _counts.get(op, FallbackCount(0, 0))
        _counts[op] = FallbackCount(before.calls + 1, before.bytes + trip.bytes)


class _RoundTrip:
    """Operands copied to the reference's memory, and back; counts the bytes."""

    __slots__ = ("_dense", "_host", "_op", "bytes")

    def __init__(self, op: str, host: Kernels) -> None:
        self._op = op
        self._host = host
        self._dense: dict[int, Any] = {}  # by id of the host operand: what on the device it is a copy of
        self.bytes = 0

    def there(self, value: Any) -> Any:
        """A twin on the host for an operand, or for a list or tuple of them; anything else as it is."""
        if isinstance(value, (list, tuple)):
            return type(value)(self.there(item) for item in value)
        if not hasattr(value, "layout"):
            return value
        dense = self._gathered(value)
        flat = dense.flat
        twin = Strided(flat.like(flat.size, self._host.sibling(flat.dtype)), dense.layout)
        flat.backend.copy_out(flat.memory, flat.offset, twin.flat.bytes_view().data)
        self.bytes += flat.nbytes
        self._dense[id(twin)] = dense
        return twin

    def back(self, value: Any, twin: Any) -> None:
        """Write what the reference has left in the twin to where it came from."""
        if isinstance(value, (list, tuple)):
            for item, its_twin in zip(value, twin, strict=True):
                self.back(item, its_twin)
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
        dense = Strided(operand.flat.like(operand.layout.size), operand.layout.compact)
        operand.flat.kernels["copy"](dense, operand)
        return dense


# -- the message -----------------------------------------------------------------------------------


def _explained(kernels: Kernels, op: str, out: Any, inputs: Any, possible: bool) -> str:
    served = list(dict.fromkeys(name for backend in extended(kernels.backend) for name in backend.capabilities().get(op, ())))
    outs = out if isinstance(out, (tuple, list)) else (out,)
    operands = ", ".join(_described(x) for x in inputs) or "no array"
    why = f"it has kernels for {', '.join(served)} only" if served else "it has no kernel of this name for any dtype"
    hint = (
        "with fallback_policy('allow'): ... (of lamina_flatarray.backends) lets the host run it"
        if possible
        else "the host reference has no kernel for it either, so no fallback can help"
    )
    return (
        f"{op}: backend {kernels.backend.name!r} cannot run it for {kernels.dtype.name}\n"
        f"  given: {operands} -> {', '.join(_described(x) for x in outs)}\n"
        f"  why:   {why}, and no decomposition into other ops is known\n"
        f"  hint:  {hint}"
    )


def _described(value: Any) -> str:
    if hasattr(value, "layout"):
        return f"{value.flat.dtype.name}{list(value.layout.shape)}"
    return repr(value) if isinstance(value, (bool, int, float, complex)) else type(value).__name__
