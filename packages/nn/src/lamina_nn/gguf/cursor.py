"""A place in the bytes of a file, which moves on as numbers and texts are read, and never beyond the end."""

from __future__ import annotations

from typing import Final

from lamina_flatarray import CheckpointError

__all__ = ["Cursor"]

_SHOWN: Final = 60


class Cursor:
    """What is read next of a file's bytes. Numbers are little-endian.

    Args:
        content: all bytes of the file.
        path: what errors call it.

    Attributes:
        at: how many bytes have been read.
    """

    def __init__(self, content: memoryview[int], path: str) -> None:
        self._content, self._path = content, path
        self.at = 0

    def damaged(self, says: str) -> CheckpointError:
        """The error for what was read last."""
        return CheckpointError(f"load_gguf: {self._path} is damaged before byte {self.at}: {says}")

    def take(self, count: int, what: str) -> memoryview[int]:
        """The next bytes, not copied.

        Args:
            count: how many.
            what: they are, for the error.

        Raises:
            CheckpointError: the file has fewer.
        """
        self.expect(count, 1, what)
        self.at += count
        return self._content[self.at - count : self.at]

    def expect(self, count: int, least: int, what: str) -> None:
        """Check a claim before it is believed: that so many things can be ahead.

        Args:
            count: how many, as the file says.
            least: how many bytes one takes at least.
            what: they are, for the error.

        Raises:
            CheckpointError: the file has fewer bytes left.
        """
        left = len(self._content) - self.at
        if count * least > left:
            raise CheckpointError(
                f"load_gguf: {self._path} is cut off or damaged: at byte {self.at}, {what} should take {count * least} bytes at "
                f"least, and {left} are left"
            )

    def u32(self, what: str) -> int:
        """Return the number in the next 4 bytes."""
        return int.from_bytes(self.take(4, what), "little")

    def u64(self, what: str) -> int:
        """Return the number in the next 8 bytes."""
        return int.from_bytes(self.take(8, what), "little")

    def text(self, what: str) -> str:
        """The next text: its length in 8 bytes, and its UTF-8.

        Raises:
            CheckpointError: it is longer than the file, or no UTF-8.
        """
        raw = self.take(self.u64(what), what)
        try:
            return str(raw, "utf-8")
        except UnicodeDecodeError as error:
            raise self.damaged(f"{what} is no UTF-8: {bytes(raw[:_SHOWN])!r}") from error
