"""Graphs: a box for each op and leaf, one layer above its users; lines are bounded, and nothing recurses."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import lamina as torch
from lamina import nn, viz
from lamina.profiler import profile

SVG = "{http://www.w3.org/2000/svg}"


def boxes(drawing):
    """The words of each box's tip -> its upper edge and its lower edge."""
    found = {}
    for rect in ElementTree.fromstring(drawing.svg).iter(f"{SVG}rect"):
        tip = rect.find(f"{SVG}title")
        if tip is not None:
            found[tip.text] = float(rect.get("y")), float(rect.get("y")) + float(rect.get("height"))
    return found


def model():
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))


def test_every_step_has_a_box_below_its_inputs():
    network = model()
    drawing = viz.graph(network(torch.ones(5, 3)).sum(), network)
    drawn = boxes(drawing)
    assert len(drawn) == len(drawing.data.steps) == 8
    place = {int(re.match(r"#(\d+)", tip)[1]): edges for tip, edges in drawn.items()}
    for step in drawing.data.steps:
        assert all(place[source][1] < place[step.number][0] for source, _ in step.inputs)
    assert {"#1 0.weight, float32[4, 3]", "#4 ReluBackward0, float32[5, 4]"} <= set(drawn)
    assert "n1 -> n3;" in drawing.data.to_dot()


def test_heads_of_arrows_are_as_many_as_inputs():
    x = torch.ones(2, requires_grad=True)
    y = x.sin()
    drawing = viz.graph(((y.cos() * y) + y).sum())
    inputs = sum(len(step.inputs) for step in drawing.data.steps)
    assert inputs == 7 and drawing.svg.count("rotate(90)") == inputs


def test_what_is_saved_is_shown_where_it_is_asked_for():
    x = torch.ones(2, requires_grad=True)
    assert "saves" not in viz.graph(x.exp()).svg and "saves 8 B" in viz.graph(x.exp(), saved=True).svg


def test_times_of_a_profile():
    network = model()
    with profile() as profiler:
        loss = network(torch.ones(5, 3)).sum()
    drawing = viz.graph(loss, network, profile=profiler)
    mean = next(sums for sums in profiler.key_averages() if sums.key == "aten::linear").cpu_time
    assert f"{mean:,.1f} us, mean of 2" in drawing.svg and f"aten::linear: {mean:,.1f} us, mean of 2" in drawing.text


def test_ten_thousand_nodes():
    y = x = torch.ones((), requires_grad=True)
    for _ in range(10_000):
        y = y * x
    drawing = viz.graph(y)
    assert len(drawing.data.steps) == 10_001 and len(boxes(drawing)) == 60
    assert "9,941 earlier ones are left out" in drawing.svg and len(drawing.text.splitlines()) == 62


def test_a_backward_pass_of_two_thousand_nodes():
    y = x = torch.ones((), requires_grad=True)
    for _ in range(2000):
        y = y * x
    assert len(viz.backward_steps(y).data) == 2001


def test_a_layer_that_many_lines_pass_stays_narrow():
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(25):
        y = (y * x).sin()
    assert float(ElementTree.fromstring(viz.graph(y).svg).get("width")) <= 400  # lines of one leaf share their way


def test_leaves_alone_and_several_results():
    x = torch.ones(2, requires_grad=True)
    assert len(boxes(viz.graph(x, {"x": x}))) == 1
    assert viz.graph([x.sin(), x.cos()]).title == "The graph behind 2 results"
    values, _ = torch.ones(3, 3, requires_grad=True).sort()
    assert len(boxes(viz.graph(values.sum()))) == 3
    for wrong in (3, [3]):
        with pytest.raises(TypeError, match="int given"):
            viz.graph(wrong)
    with pytest.raises(ValueError, match="limit=0"):
        viz.graph(x, limit=0)
