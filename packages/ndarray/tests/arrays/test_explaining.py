"""Texts for learners: every number in them is checked against what an array really does."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray import OpNotImplemented, ShapeError, backends
from lamina_flatarray.instruments import count_ops
from lamina_ndarray.explaining import explain_layout
from lamina_ndarray.layouts.layout import Layout


def grid() -> nd.NDArray:
    return nd.reshape(nd.arange(12), (3, 4))


def test_a_part_of_a_matrix_transposed():
    assert str(explain_layout(nd.transpose(grid()[:, 1:3]))) == """\
int64, shape (2, 3), strides (1, 4), offset 1, in a memory of 12 items

  [i, j] reads place 1 + i + 4j

         j=0  1   2
    i=0    1  5   9
      1    2  6  10

    place  0    1    2  3  4    5    6  7  8    9   10  11
    index  .  0,0  1,0  .  .  0,1  1,1  .  .  0,2  1,2   .

  - neither row-major nor column-major: neighbours are closest along axis 0, 1 place apart
  - of the 10 places from 1 to 10 it reads 6 and skips 4 others
  - it is a part of its memory, which has 1 item before its lowest place and 1 item after its highest
  - read in row-major order its steps are not all equal: flattening it takes a copy"""


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (grid(), ["[i, j] reads place 4i + j", "row-major without gaps", "is a view, with stride 1"]),
        (nd.transpose(grid()), ["column-major without gaps"]),
        (nd.flip(grid(), 0), ["reads place 8 - 4i + j", "axis 0 has stride -4: it is read backwards"]),
        (nd.broadcast_to(nd.arange(3), (2, 3)), ["axis 0 has stride 0: one item is read 2 times", "several indices", "2x"]),
        (nd.unfold(nd.arange(7), 0, 3, 1), ["3x", "several indices reach one place"]),
        (nd.empty((2, 3, 4, 5), memory_format="channels_last"), ["channels_last: without gaps, axis 1 innermost"]),
        (nd.permute(nd.ones((2, 3, 4)), (2, 0, 1)), ["outermost to the innermost are 1, 2, 0", "[0, j, k]"]),
        (nd.full((), 3), ["[] reads place 0", "one item, at place 0"]),
        (nd.arange(9)[4], ["[] reads place 4", "one item, at place 4"]),
        (nd.zeros((0, 3)), ["no items: no place is read"]),
        (nd.arange(100)[5:50:3], ["[i] reads place 5 + 3i", "3 places apart", "5 items before", "52 items after"]),
        (nd.ones((100, 200)), ["20,000 items", "...", "19999"]),
        (nd.ones((9, 2, 2)), ["6 more planes"]),
        (Layout.dense((2**20, 2**20)), ["1099511627775", "not drawn: 1,099,511,627,776 items"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_what_is_said(x, says):
    text = explain_layout(x)
    for part in says:
        assert part in text
    assert max(map(len, text.splitlines())) <= 120


@given(st.data())
def test_the_pictures_are_true(data):
    memory = nd.arange(40)
    shape = data.draw(st.lists(st.integers(1, 4), min_size=2, max_size=2))
    strides = [data.draw(st.integers(0, 6)) for _ in shape]
    x = nd.as_strided(memory, shape, strides, data.draw(st.integers(0, 3)))
    lines = explain_layout(x).splitlines()
    rows = [[int(n) for n in re.findall(r"-?\d+", line.replace("i=0", ""))] for line in lines[5 : 5 + shape[0]]]
    places = x.numpy()  # the items are their places
    for r, row in enumerate(rows):
        assert row[0 if r == 0 else 1 :] == places[r].tolist()
    read = {}
    for place, index in zip(*[" ".join(line.split("place")[-1].split("index")[-1] for line in lines
                                       if line.strip().startswith(word)).split() for word in ("place", "index")],
                            strict=True):  # fmt: skip
        read[int(place)] = index
    for place in range(40):
        there = np.argwhere(places == place)
        want = "." if not len(there) else ",".join(map(str, there[0])) if len(there) == 1 else f"{len(there)}x"
        assert read[place] == want


def test_a_prompt_shows_the_text_as_it_is():
    assert repr(explain_layout(grid())).startswith("int64, shape")


# -- calls ---


def plain(text: str) -> str:
    """Without the names of backends, which differ."""
    return re.sub(r"(cpp|numpy), (native|inherited from numpy|derived)", "B", text)


def test_casts_and_broadcasting():
    a, b = nd.ones((2, 1), dtype=nd.int32), nd.ones((3,))
    assert plain(nd.explain("add", a, b)) == """\
add(int32(2, 1), float32(3,)) -> float32(2, 3)

  1  copy  int32(2, 1) -> float32(2, 1)                   B
           (a cast of argument 0 to float32)
  2  add   float32(2, 3), float32(2, 3) -> float32(2, 3)  B
           (what was computed is repeated along axis 1 by strides (1, 0)
            argument 1 is repeated along axis 0 by strides (0, 1))

  the result: shape (2, 3), strides (3, 1), 24 bytes of new memory"""


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: nd.explain(nd.transpose, grid()), ["no kernel runs", "a view of the memory of argument 0"]),
        (lambda: nd.explain("reshape", grid(), (4, 3)), ["no kernel runs", "strides (3, 1), a view of"]),
        (lambda: nd.explain("reshape", nd.transpose(grid()), (12,)), ["rearranged from strides (1, 4) to (3, 1)", "new memory"]),
        (lambda: nd.explain("matmul", nd.ones((5, 2, 3)), nd.ones((3, 4))), ["argument 1 is repeated along axis 0", "(5, 2, 4)"]),
        (lambda: nd.explain("concat", [nd.ones((2,)), nd.arange(3)]), ["a cast of argument 0[1] to float32", "float32(5,)"]),
        (lambda: nd.explain("order", nd.ones((4,))), ["result 0", "result 1", "int64(4,)"]),
        (lambda: nd.explain("sub", nd.ones((4,)), 2), ["subtract", "float32(4,), 2 -> float32(4,)"]),
        (lambda: nd.explain(lambda x: nd.sum(x * 2 + 1), nd.ones((4,))), ["multiply", "add", "3  sum", "float32()"]),
        (lambda: nd.explain("take", nd.ones((4, 2)), nd.asarray([1, 2]), axis=0), ["index", "float32(2, 2)", "axis=0"]),
    ],
)  # fmt: skip
def test_what_would_run(call, says):
    text = call()
    for part in says:
        assert part in text, text


def test_in_place_ops_name_the_memory_that_they_write():
    x = nd.ones((9,))
    text = nd.explain("add", x[1:], x[:-1], out=x[1:])
    assert "a copy of argument 0" in text and "offset 1, written to the memory of argument 0" in text
    assert x.tolist() == [1.0] * 9 and x.flat.version == nd.ones((9,)).flat.version


def test_a_derived_op_shows_its_parts():
    with backends.use_backend("numpy"):
        x = nd.ones((2, 3))
    from lamina_flatarray.backends import kernel_table as table

    def twice(out, a):
        out.flat.kernels["add"](out, a, a)

    table.decompositions["twice"] = twice
    try:
        text = nd.explain(lambda x: x.flat.kernels["twice"](nd.empty_like(x), x), x)
    finally:
        del table.decompositions["twice"]
        x.flat.kernels.pop("twice", None)
    assert "1    twice" in text and "derived" in text and "1.1  add" in text and "composed of the ops below" in text


def test_nothing_is_run_and_all_is_as_before():
    x = nd.ones((1000, 1000))
    with count_ops() as counts:
        text = nd.explain("exp", x)
    assert not counts
    assert "4,000,000 bytes of new memory" in text
    assert nd.exp(nd.zeros((2,))).tolist() == [1.0, 1.0]


def test_a_call_that_would_fail_fails_the_same_way():
    with pytest.raises(ShapeError, match=r"add: .*do not broadcast"):
        nd.explain("add", nd.ones((2,)), nd.ones((3,)))
    with pytest.raises(OpNotImplemented, match="no_such"):
        nd.explain("no_such", nd.ones((2,)))
    assert nd.exp(nd.zeros((2,))).tolist() == [1.0, 1.0]  # kernels run again
