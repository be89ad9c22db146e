"""What is known of one backend: who brought it, in which state it is, and the whole cause where it failed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

__all__ = ["STATES", "BackendStatus"]

STATES: Final = {
    "available": "loaded, and it can run here",
    "not loaded": "installed, and nobody has asked for it yet",
    "failed": "its own code raised while it was loaded",
    "refused": "it does not keep to the contract, or speaks another version of it",
    "no hardware": "loaded, but it cannot run here",
    "duplicate": "two distributions offer this name, so none of them is used",
    "switched off": "kept out by the environment variable LAMINA_BACKENDS",
}
"""Every state and its meaning."""


class BackendStatus(NamedTuple):
    """A line of `lamina_flatarray.backends.status()`.

    Attributes:
        name: of the backend.
        device_type: the device type that it serves, as far as known.
        state: a key of STATES.
        distribution, version: who brought it; "built in" or "registered here" and "" where no plug-in did.
        reason: why it is in this state, in one line; empty where that needs no reason.
        error: the exception, with its causes chained.
        overridden: the ops for which the program put kernels of its own before the backend's, each with its dtypes.
        changes: what loading it changes in the process, as far as the doctor has tried; empty elsewhere.

    >>> BackendStatus("numpy", "cpu", "available", "built in").state
    'available'
    """

    name: str
    device_type: str
    state: str
    distribution: str
    version: str = ""
    reason: str = ""
    error: BaseException | None = None
    overridden: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def traceback(self) -> str:
        """The error with all of its causes, as Python prints them; empty without an error."""
        if self.error is None:
            return ""
        from traceback import format_exception

        return "".join(format_exception(self.error))

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain data for JSON.

        Returns:
            A dict of texts, with the key `traceback` in the place of `error`, and two lists of texts, `overridden` and `changes`.
        """
        fields = ("name", "device_type", "state", "distribution", "version", "reason", "traceback")
        return {**{field: getattr(self, field) for field in fields}, "overridden": list(self.overridden), "changes": list(self.changes)}
