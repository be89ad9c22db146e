"""Drawings of layouts: each place has the indices that strides give it, whatever the layout; what is left out is told."""

import random
import xml.etree.ElementTree as ElementTree
from itertools import product

import pytest

import lamina as torch
import lamina_ndarray as nd
from lamina import viz

SVG = "{http://www.w3.org/2000/svg}"


def readers(layout):
    """By counting: place -> every index that reads it."""
    found = {}
    for index in product(*map(range, layout.shape)):
        found.setdefault(layout.offset + sum(i * s for i, s in zip(index, layout.strides, strict=True)), []).append(index)
    return found


def random_layout(seed):
    chosen = random.Random(seed)
    shape = [chosen.randint(0, 5) if chosen.random() < 0.1 else chosen.randint(1, 5) for _ in range(chosen.randint(0, 4))]
    strides = [chosen.randint(-9, 9) for _ in shape]
    lowest = sum(min(0, stride * (n - 1)) for n, stride in zip(shape, strides, strict=True))
    return nd.Layout.of(shape, strides, chosen.randint(0, 3) - lowest)


@pytest.mark.parametrize("seed", range(60))
def test_places_are_what_strides_say(seed):
    layout = random_layout(seed)
    drawing = viz.layout(layout, places=40)
    expected = readers(layout)
    if layout.size:
        first = drawing.data[0].place
        assert [place.place for place in drawing.data] == list(range(first, first + len(drawing.data)))
        assert first <= min(expected) and len(drawing.data) == min(40, max(expected) + 1)
    for place in drawing.data:
        all_of_it = expected.get(place.place, [])
        assert place.readers == len(all_of_it)
        one_of_each = {tuple(0 if not s else i for i, s in zip(index, layout.strides, strict=True)) for index in all_of_it}
        assert place.indices == tuple(sorted(one_of_each))


def cells(drawing):
    return [rect for rect in ElementTree.fromstring(drawing.svg).iter(f"{SVG}rect") if rect.get("class") != "paper"]


def test_every_item_and_every_place_has_a_cell():
    x = torch.arange(12).reshape(3, 4)[:, 1:3].T
    drawing = viz.layout(x)
    drawn = cells(drawing)
    assert len(drawn) == 6 + 12 and sum(cell.get("class") == "gap" for cell in drawn) == 6
    tips = [cell.find(f"{SVG}title").text for cell in drawn]
    assert tips[:6] == [f"[{i}, {j}] reads place {1 + i + 4 * j}" for i in range(2) for j in range(3)]
    assert tips[6] == "place 0: not read" and tips[7] == "place 1: [0, 0]"
    assert drawing.text == str(nd.explain_layout(x.array))


def test_a_place_that_several_read():
    drawing = viz.layout(torch.arange(3.0).expand(4, 3))
    assert [place.readers for place in drawing.data] == [4, 4, 4] and drawing.svg.count(">4x<") == 3


def test_large_ones_are_bounded_and_say_so():
    drawing = viz.layout(torch.empty(20, 30, 1000, 1000, device="meta").transpose(2, 3))
    assert len(drawing.data) == 64 and len(drawing.svg) < 100_000
    assert "992 more rows and 992 more columns" in drawing.svg and "planes left out: 596" in drawing.svg
    assert "places 0 to 63 of 600,000,000" in drawing.svg


def test_of_very_many_readers_none_is_drawn_rather_than_some():
    drawing = viz.layout(nd.Layout.of((1000,) * 6, (1,) * 6))
    assert drawing.data == () and "not drawn: more than 4,096 indices" in drawing.svg


@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (1, 1, 1), (2, 1, 3, 1, 2)])
def test_any_number_of_dims(shape):
    drawing = viz.layout(torch.zeros(shape))
    assert ElementTree.fromstring(drawing.svg).find(f"{SVG}title").text == drawing.title
    assert len(drawing.data) == torch.zeros(shape).numel()


def test_refused():
    with pytest.raises(TypeError, match="list given"):
        viz.layout([1, 2])
    with pytest.raises(ValueError, match="places=0"):
        viz.layout(torch.ones(2), places=0)
    with pytest.raises(RuntimeError, match="stride"):
        viz.layout(torch.ones(2).to_sparse())
