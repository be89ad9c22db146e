"""Any changes to a valid file: a value or a CheckpointError, in bounded memory."""

import io
import tracemalloc
import zipfile

from hostile_files.pt_files import rezipped
from hostile_files.valid_files import KINDS
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lamina_flatarray import CheckpointError
from lamina_nn.files import load

VALID = KINDS["pt"].content
GGUF = KINDS["gguf"]
PICKLE = bytes(zipfile.ZipFile(io.BytesIO(VALID)).read("archive/data.pkl"))

Edit = st.tuples(st.sampled_from(["set", "cut", "drop", "insert"]), st.integers(0, 1 << 30), st.binary(min_size=1, max_size=8))


def edited(data, edits):
    data = bytearray(data)
    for how, at, what in edits:
        at %= len(data) + 1
        if how == "set":
            data[at : at + len(what)] = what
        elif how == "insert":
            data[at:at] = what
        elif how == "drop":
            del data[at : at + len(what)]
        else:
            del data[max(at, 1) :]
    return bytes(data)


def read_or_refused(file, read=lambda file: load(io.BytesIO(file))):
    """What a file gives, if anything, in bounded memory; no other error comes out."""
    tracemalloc.start()
    try:
        return read(file)
    except CheckpointError:
        return None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2_000_000 + 100 * len(file)


@settings(max_examples=400, deadline=None)
@given(st.lists(Edit, min_size=1, max_size=4))
def test_any_change_to_a_file(edits):
    read_or_refused(edited(VALID, edits))


@settings(max_examples=800, deadline=None)
@given(st.lists(Edit, min_size=1, max_size=6))
@example([("set", 1 << 20, b"x")])
def test_any_change_to_its_pickle(edits):
    """The checksums being right."""
    changed = edited(PICKLE, edits)
    read_or_refused(rezipped(VALID, lambda name, data: changed if name.endswith("data.pkl") else data))


@settings(max_examples=300, deadline=None)
@given(edits=st.lists(Edit, min_size=1, max_size=4))
def test_any_change_to_a_gguf_file(tmp_path_factory, edits):
    """Which has no checksum: all that it says is looked at."""
    path = tmp_path_factory.getbasetemp() / "changed.gguf"
    changed = edited(GGUF.content, edits)
    path.write_bytes(changed)
    read_or_refused(changed, lambda _: GGUF.read(path))
