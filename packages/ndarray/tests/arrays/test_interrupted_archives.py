"""Ctrl-C while an archive is written."""

import io
import sys
import zipfile

import pytest

import lamina_ndarray as nd
from lamina_ndarray import files
from lamina_ndarray.files import numpy_files


@pytest.mark.parametrize("save", [files.savez, files.savez_compressed])
def test_an_interrupt_of_an_archive_is_an_interrupt(save):
    """Before whichever line it comes, the archive is not ended in its place."""
    x = nd.ones((3,))

    def interrupted(before):
        """Whether the saving lasts until so many lines of zipfile and of our own have run."""
        left = before

        def trace(frame, event, _):
            nonlocal left
            if frame.f_code.co_filename not in (zipfile.__file__, numpy_files.__file__) or frame.f_code.co_name == "__del__":
                return None  # of what comes while an object is let go of, Python only tells
            left -= event == "line"
            if left < 0:
                raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            save(io.BytesIO(), x=x, y=x)
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(None)
        return False

    lines = 0
    while interrupted(lines):
        lines += 1
    assert lines > 100
