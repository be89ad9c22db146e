"""The pictures on the page about strides are what the functions print."""

from pathlib import Path

import lamina_ndarray as nd
from lamina_flatarray import backends

PAGE = (Path(__file__).parents[2] / "docs" / "understand" / "strides.md").read_text()


def test_the_pictures_are_as_printed():
    grid = nd.reshape(nd.arange(12), (3, 4))
    assert str(nd.explain_layout(nd.transpose(grid[:, 1:3]))) in PAGE
    with backends.use_backend("numpy"):
        column, row = nd.ones((2, 1), dtype=nd.int32), nd.ones((3,))
    assert str(nd.explain("add", column, row)) in PAGE
