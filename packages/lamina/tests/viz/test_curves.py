"""Curves: points stand where their values say, panels are shared by names; histories of all kinds are read alike."""

import json
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

import lamina as torch
from lamina import nn, viz
from lamina.profiler import profile

SVG = "{http://www.w3.org/2000/svg}"


def lines(drawing):
    """The points of each curve, without the heads of axes and the samples of legends."""
    found = [path.get("d") for path in ElementTree.fromstring(drawing.svg).iter(f"{SVG}path") if re.fullmatch(r"c\d", path.get("class"))]
    return [[tuple(map(float, point)) for point in re.findall(r"[ML]([\d.]+),([\d.]+)", d)] for d in found if not d.endswith("h20")]


def test_histories_of_all_kinds_are_read_alike(tmp_path):
    rows = [{"epoch": 2 * i, "loss": 4.0 - i, "note": "a"} for i in range(3)]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    (tmp_path / "run.csv").write_text("epoch,loss,note\n0,4.0,a\n2,3.0,a\n4,2.0,a\n")
    columns = {"epoch": [0, 2, 4], "loss": torch.tensor([4.0, 3.0, 2.0])}
    expected = {"loss": [(0.0, 4.0), (2.0, 3.0), (4.0, 2.0)]}
    for history in (rows, iter(rows), columns, tmp_path / "run.jsonl", str(tmp_path / "run.csv")):
        assert viz.read_history(history, x="epoch") == expected
    assert viz.read_history({"loss": [1.0, 2.0]}) == {"loss": [(0.0, 1.0), (1.0, 2.0)]}


def test_points_stand_where_values_say():
    (points,) = lines(viz.curves({"loss": [0.0, 3.0, 1.0]}))
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x1 - x0 == x2 - x1 == 145 and y0 - y1 == 130 and math.isclose(y0 - y2, 130 / 3, abs_tol=0.05)  # written with one digit


def test_logarithms():
    (points,) = lines(viz.curves({"loss": [100.0, 10.0, 1.0, 0.0]}, log=True))
    heights = [height for _, height in points]
    assert len(points) == 3 and heights[1] - heights[0] == heights[2] - heights[1] == 65


def test_a_line_breaks_at_what_is_not_finite():
    drawing = viz.curves({"loss": [1.0, 2.0, float("nan"), 3.0, float("inf"), 4.0]})
    assert re.findall("[ML]", next(p for p in re.findall(r'class="c0" d="([^"]*)"', drawing.svg) if "L" in p)) == ["M", "L", "M", "M"]
    assert "not finite: 2" in drawing.text and "?" in drawing.text


def test_values_of_any_size():
    for values in ([1e308, -1e308], [5e-324, 0.0], [7.0]):
        ((_, first), *rest) = lines(viz.curves({"loss": values}))[0]
        assert all(0 <= height - 56 <= 130 for height in (first, *[height for _, height in rest]))


def test_panels_and_many_values():
    drawing = viz.curves({"train_loss": range(50_000), "val/loss": [1.0], "accuracy": [0.5, 0.5]})
    panels = [text.text for text in ElementTree.fromstring(drawing.svg).iter(f"{SVG}text")]
    assert panels.count("loss") == 1 and panels.count("accuracy") == 1
    assert max(map(len, lines(drawing))) <= 4 * 291 and len(drawing.data["train_loss"]) == 50_000


def test_nothing_and_what_is_refused(tmp_path):
    assert viz.curves({}).data == viz.curves([]).data == {}
    with pytest.raises(ValueError, match=r"run\.txt"):
        viz.curves("run.txt")
    with pytest.raises(ValueError, match="values of 'loss': 1, but of 'step': 2"):
        viz.curves({"step": [1, 2], "loss": [1.0]})
    with pytest.raises(TypeError, match="int given"):
        viz.curves(3)


def test_a_report_has_a_section_for_each_thing_and_loads_nothing(tmp_path):
    model = nn.Linear(3, 2)
    with profile() as profiler:
        loss = model(torch.ones(4, 3)).sum()
    viz.report(tmp_path / "all.html", {"loss": [2.0, 1.0]}, title="<b>", model=model, loss=loss, profile=profiler, about={"<b>": "<b>"})
    viz.report(tmp_path / "least.html")
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert re.findall("<h2>(.*?)</h2>", page) == ["About", "Curves", "Model", "Graph", "Profile", "Environment"]
    assert "<b>" not in page and not re.search(r"(href|src)=|url\(|@import|<script", page)
    assert "aten::linear" in page and "weight (2, 3)" in page and page.count("<svg") == 2
    assert re.findall("<h2>(.*?)</h2>", (tmp_path / "least.html").read_text(encoding="utf-8")) == ["Environment"]
