"""What all drawings have: three forms, files, texts that are escaped, and nothing that is loaded from elsewhere."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import lamina as torch
from lamina import viz

HOSTILE = "<script>\"'&</title>"


def loss():
    x = torch.ones(2, requires_grad=True)
    return (x * x).sum(), {HOSTILE: x}


@pytest.mark.parametrize(
    "draw",
    [lambda: viz.layout(torch.ones(2)), lambda: viz.graph(*loss()), lambda: viz.backward_steps(*loss()),
     lambda: viz.curves({HOSTILE: [1.0, 2.0], "other": [1.0, 2.0]}, HOSTILE, x=HOSTILE + "x")],
    ids=["layout", "graph", "backward_steps", "curves"],
)  # fmt: skip
def test_forms(draw, tmp_path):
    drawing = draw()
    root = ElementTree.fromstring(drawing.svg)
    assert [child.tag.rpartition("}")[2] for child in root][:3] == ["title", "desc", "style"] and root[1].text
    for text in (drawing.svg, drawing.html, drawing._repr_html_()):
        assert "<script" not in text and not re.search(r"(href|src)=|url\(|@import", text)
        assert "prefers-color-scheme:dark" in text
    assert str(drawing) == repr(drawing) == drawing.text
    for suffix, text in ((".svg", drawing.svg), (".html", drawing.html), (".txt", drawing.text + "\n")):
        drawing.save(tmp_path / f"drawing{suffix}")
        assert (tmp_path / f"drawing{suffix}").read_text(encoding="utf-8") == text
    with pytest.raises(ValueError, match=r"drawing\.png"):
        drawing.save(tmp_path / "drawing.png")


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast():
    """4.5 for what is written, of WCAG 2: https://www.w3.org/TR/WCAG22/#contrast-minimum."""
    style = ElementTree.fromstring(viz.layout(torch.ones(2)).svg)[2].text
    for rules in style.split("@media"):
        colours = dict(re.findall(r"\.lamina-drawing \.(paper|ink|faint|w\d)\{fill:(#\w{6})\}", rules))
        assert len(colours) == 9
        for name, colour in colours.items():
            lighter, darker = sorted((luminance(colour), luminance(colours["paper"])), reverse=True)
            assert name == "paper" or (lighter + 0.05) / (darker + 0.05) >= 4.5, name
