"""Marks of a program in what a vendor's profiler records: moments, ranges, and when to record at all. By default there are none."""

from __future__ import annotations

from ..errors import DeviceError

__all__ = ["Marks"]


class Marks:
    """What a backend tells the profiler of its devices' maker.

    Attributes:
        name: of the backend.

    >>> class Silent(Marks):
    ...     name = "silent"
    >>> Silent().mark("here")
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.DeviceError: mark: backend 'silent' has no profiler to tell
    """

    name: str

    def mark(self, message: str) -> None:
        """Mark this moment.

        Args:
            message: what is shown there.

        Raises:
            DeviceError: the backend has no profiler to tell.
        """
        raise self._silent("mark")

    def push_range(self, message: str) -> int:
        """Begin a range, within those of this thread that have begun.

        Args:
            message: what is shown there.

        Returns:
            In how many ranges it lies.

        Raises:
            DeviceError: the backend has no profiler to tell.
        """
        raise self._silent("push_range")

    def pop_range(self) -> int:
        """End the innermost range of this thread.

        Returns:
            In how many ranges it lay; a negative number where none has begun.

        Raises:
            DeviceError: the backend has no profiler to tell.
        """
        raise self._silent("pop_range")

    def start_recording(self) -> None:
        """Have the profiler record from now on, where it was told to wait for that.

        Raises:
            DeviceError: the backend has no profiler to tell.
        """
        raise self._silent("start_recording")

    def stop_recording(self) -> None:
        """Have the profiler record no more.

        Raises:
            DeviceError: the backend has no profiler to tell.
        """
        raise self._silent("stop_recording")

    def _silent(self, asked: str) -> DeviceError:
        return DeviceError(f"{asked}: backend {self.name!r} has no profiler to tell")
