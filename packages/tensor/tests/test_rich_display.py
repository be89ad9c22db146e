"""What notebooks show of tensors: the text of `repr`, what it is a view of, and how gradients go; nothing is changed by it."""

import html
import re

import lamina_tensor as lt


def told(x):
    return dict(re.findall(r"<th[^>]*>(.*?)</th><td[^>]*>(.*?)</td>", x._repr_html_()))


def test_views_and_gradients():
    x = lt.arange(12.0, requires_grad=True)
    assert told(x)["requires_grad"] == "True" and "grad_fn" not in told(x)
    y = x.reshape(3, 4).T
    facts = told(y)
    assert facts["base"] == "a tensor of shape (12,)" and facts["grad_fn"] == y.grad_fn.name() and facts["strides"] == "(1, 4)"
    assert html.unescape(re.search(r"<pre[^>]*>(.*)</pre>", y._repr_html_(), re.DOTALL)[1]) == repr(y)


def test_it_changes_nothing():
    x = lt.ones(3, requires_grad=True)
    y = x * x
    before = y.array.flat.version, y.grad_fn
    y._repr_html_()
    assert (y.array.flat.version, y.grad_fn) == before and x.grad is None and not y.grad_fn.hooks


def test_without_items_or_strides():
    assert told(lt.ones(2, device="meta"))["shape"] == "(2,)"
    assert lt.ones(2).to_sparse()._repr_html_() is None  # the text is shown
