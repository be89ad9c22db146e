"""PyTorch's `torch.futures`: what is to be known later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent import futures
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .absent_names import explained

__all__ = ["Future", "wait_all"]

_T = TypeVar("_T")
_S = TypeVar("_S")


class Future(Generic[_T]):
    """A value that another thread sets, once.

    Args:
        devices: accepted as in PyTorch: on which devices its tensors may be.

    >>> future = torch.futures.Future()
    >>> later = future.then(lambda done: done.value() + 1)
    >>> future.set_result(2)
    >>> later.wait()
    3
    """

    def __init__(self, *, devices: Sequence[Any] | None = None) -> None:
        self._future: futures.Future[_T] = futures.Future()

    def done(self) -> bool:
        """Tell whether the value, or an error in its place, is there.

        Returns:
            A bool.
        """
        return self._future.done()

    def wait(self) -> _T:
        """Wait for the value.

        Returns:
            The value.

        Raises:
            Exception: the error that was set in its place.
        """
        return self._future.result()

    def value(self) -> _T:
        """Return the value, which must be there.

        Returns:
            The value.

        Raises:
            RuntimeError: it is not there yet.
            Exception: the error that was set in its place.
        """
        if not self._future.done():
            raise RuntimeError("torch.futures.Future.value: the value is not there yet; wait() waits for it")
        return self._future.result()

    def set_result(self, result: _T) -> None:
        """Set the value.

        Args:
            result: the value.

        Raises:
            RuntimeError: it is set already.
        """
        if self._future.done():
            raise RuntimeError("torch.futures.Future.set_result: the value is set already")
        self._future.set_result(result)

    def set_exception(self, result: BaseException) -> None:
        """Set an error in the value's place.

        Args:
            result: the error, which `wait` and `value` raise.

        Raises:
            RuntimeError: there is a value already.
        """
        if self._future.done():
            raise RuntimeError("torch.futures.Future.set_exception: the value is set already")
        self._future.set_exception(result)

    def then(self, callback: Callable[[Future[_T]], _S]) -> Future[_S]:
        """Have a function called with this future when its value is there.

        Args:
            callback: the function.

        Returns:
            A future of what it returns.
        """
        later: Future[_S] = Future()

        def call(_: Any) -> None:
            try:
                later.set_result(callback(self))
            except Exception as error:
                later.set_exception(error)

        self._future.add_done_callback(call)
        return later

    def add_done_callback(self, callback: Callable[[Future[_T]], None]) -> None:
        """Have a function called with this future when its value is there.

        Args:
            callback: the function.
        """
        self._future.add_done_callback(lambda _: callback(self))


def wait_all(futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for several values.

    Args:
        futures: the futures.

    Returns:
        The values.

    Raises:
        Exception: the first error that was set in place of a value.

    >>> future = torch.futures.Future()
    >>> future.set_result(3)
    >>> torch.futures.wait_all([future])
    [3]
    """
    return [future.wait() for future in futures]


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
