"""What notebooks show of arrays: the text of `repr`, and where the items lie."""

import html
import re

import lamina_ndarray as nd
from lamina_ndarray.rich_display import described, table


def test_the_text_and_where_the_items_lie():
    x = nd.transpose(nd.reshape(nd.arange(12), (3, 4)))[1:3]
    shown = x._repr_html_()
    assert html.unescape(re.search(r"<pre[^>]*>(.*)</pre>", shown, re.DOTALL)[1]) == repr(x)
    assert dict(re.findall(r"<th[^>]*>(.*?)</th><td[^>]*>(.*?)</td>", shown)) == {
        "shape": "(2, 3)", "dtype": "int64", "strides": "(1, 4)", "device": f"{x.device}, computed by {x.backend.name}",
        "bytes": "96", "view of": "places 1 to 10 of a memory of size 12",
    }  # fmt: skip


def test_what_is_no_view_and_what_is_large():
    assert "view of" not in nd.arange(3)._repr_html_() and "view of" not in nd.zeros((0, 2))._repr_html_()
    assert len(nd.zeros(5000)._repr_html_()) < 2000


def test_every_text_is_escaped():
    assert "<b>" not in described({"<b>": "<b>"}, "<b>") + table(["<b>"], [["<b>"]], "<b>")
