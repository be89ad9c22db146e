"""Files of PyTorch's formats made of any pickle, and of the parts of one."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import lamina_tensor as lt
from lamina_nn.files import save

__all__ = ["F4", "HUGE", "numpy_array", "of_program", "of_stream", "rezipped", "saved", "stream", "tensor", "told"]


def rezipped(
    file: bytes, change: Callable[[str, bytes], bytes] = lambda name, data: data, method: int = zipfile.ZIP_STORED,
    extra: Iterable[tuple[str, bytes]] = (),
) -> bytes:  # fmt: skip
    """The archive, written anew with its records changed."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(held, "w", method) as new:
        for info in old.infolist():
            new.writestr(info.filename, change(info.filename, old.read(info)))
        for name, data in extra:
            new.writestr(name, data)
    return held.getvalue()


def saved(obj: Any = None) -> bytes:
    """A file of `save`."""
    held = io.BytesIO()
    save(lt.arange(6.0) if obj is None else obj, held)
    return held.getvalue()


def of_program(program: bytes, storage: bytes = b"\0" * 24) -> bytes:
    """An archive of any pickle, with one storage of 24 bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as new:
        new.writestr("archive/data.pkl", b"\x80\x02" + program + b".")
        new.writestr("archive/data/0", storage)
    return held.getvalue()


def told(kind: bytes = b"FloatStorage", key: bytes = b"0", count: bytes = b"K\x06") -> bytes:
    """What a pickle says of a storage."""
    named = b"ctorch\n" + kind + b"\nX" + struct.pack("<I", len(key)) + key
    return b"(X\x07\0\0\0storage" + named + b"X\x03\0\0\0cpu" + count + b"tQ"


def tensor(
    storage: bytes = told(), offset: bytes = b"K\0", size: bytes = b"K\x06\x85", stride: bytes = b"K\x01\x85",
    rest: bytes = b"\x89N",
) -> bytes:  # fmt: skip
    """What a pickle says of a tensor."""
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + size + stride + rest + b"tR"


F4 = b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R"


def numpy_array(code: bytes = b"\x8c\x02f4", shape: bytes = b"K\x02\x85", data: bytes = b"C\x08" + b"\3" * 8) -> bytes:
    """What a pickle says of a NumPy array."""
    empty = b"cnumpy._core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\x01b\x87R"
    return empty + b"(K\x01" + shape + F4.replace(b"\x8c\x02f4", code) + b"\x89" + data + b"tb"


HUGE = b"\x8a\x08" + struct.pack("<q", 1 << 61)


def stream(obj: Any = None) -> bytes:
    """A file in the format before 1.6."""
    held = io.BytesIO()
    save({"x": lt.arange(6.0), "y": lt.ones(3)} if obj is None else obj, held, _use_new_zipfile_serialization=False)
    return held.getvalue()


def of_stream(
    program: bytes, keys: bytes = b"](X\x01\0\0\x000e", content: bytes = struct.pack("<Q", 6) + b"\0" * 24
) -> bytes:
    """A file in the format before 1.6 of any pickle."""
    start = stream()[: stream().index(b"X\x01\0\0\0x") - 6]
    return start[: start.rindex(b".") + 1] + b"\x80\x02" + program + b".\x80\x02" + keys + b"." + content
