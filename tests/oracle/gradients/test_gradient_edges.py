"""Edges in the place of tensors, in `grad` and `backward`, beside PyTorch's."""

import gc
import weakref

import pytest
import torch

import lamina

GRAPH = {torch: torch.autograd.graph, lamina: lamina.autograd.graph}


def _found(t, x):
    edge = GRAPH[t].get_gradient_edge
    y = x * 2
    z = y.exp()
    first, second = t.unbind((y * 3).reshape(3, 1).expand(3, 2), 1)
    total = (second * t.tensor([1.0, 2.0, 3.0])).sum()
    weight = t.tensor([0.5, -1.0, 2.0])
    results = [
        *t.autograd.grad(z.sum(), edge(y), retain_graph=True),
        *t.autograd.grad(z.sum(), edge(x), retain_graph=True),
        *t.autograd.grad(z.sum(), [edge(y), x], retain_graph=True),
        *t.autograd.grad(edge(z), x, grad_outputs=weight, retain_graph=True),
        *t.autograd.grad([edge(z), total], [edge(x)], [weight, None], retain_graph=True),
        *t.autograd.grad(total, edge(second), retain_graph=True),
        *t.autograd.grad(edge(total), x, retain_graph=True),
    ]
    unused = t.autograd.grad(total, edge(first), retain_graph=True, allow_unused=True)
    t.autograd.backward(edge(z), weight, retain_graph=True)
    t.autograd.backward([edge(total)], inputs=[edge(x)])
    results.append(x.grad)
    numbers = [edge(x).output_nr, edge(y).output_nr, len(edge(x)), edge(x).node.name()]
    return [r.tolist() for r in results], unused, [edge(y)._fields, numbers]


def test_gradients():
    (wanted, no, told), (found, none, ours) = (
        _found(t, t.tensor([0.3, -0.5, 1.0], requires_grad=True)) for t in (torch, lamina)
    )
    for o, w in zip(found, wanted, strict=True):
        assert o == pytest.approx(w, rel=1e-5)
    assert no == none == (None,)
    assert ours[0] == told[0]
    assert ours[1][:3] == told[1][:3]
    assert ours[1][3] == "AccumulateGrad" and told[1][3].endswith("AccumulateGrad")


def test_it_does_not_keep_the_items():
    x = lamina.ones(3, requires_grad=True)
    y = x + 1
    edge, items = lamina.autograd.graph.get_gradient_edge(y), weakref.ref(y.array)
    total = y.sum()
    del y
    gc.collect()
    assert items() is None
    assert lamina.autograd.grad(total, edge)[0].tolist() == [1, 1, 1]


def test_a_leaf_may_be_named_by_its_node():
    for t in (torch, lamina):
        x = t.ones(2, requires_grad=True)
        leaf = (x * 2).grad_fn.next_functions[0]
        assert t.autograd.grad((x * 3).sum(), GRAPH[t].GradientEdge(*leaf))[0].tolist() == [3, 3]


@pytest.mark.parametrize("program", [
    lambda t, edge: edge(t.ones(2)),
    lambda t, edge: t.autograd.grad(edge(t.ones(2, requires_grad=True) * 2), t.ones(2, requires_grad=True)),
    lambda t, edge: t.autograd.backward(edge(t.ones(2, requires_grad=True) * 2)),
    lambda t, edge: t.autograd.backward(edge(t.ones(2, requires_grad=True) * 2), t.ones(3)),
])  # fmt: skip
def test_errors(program):
    for t in (torch, lamina):
        with pytest.raises(RuntimeError):
            program(t, GRAPH[t].get_gradient_edge)


def test_an_edge_of_no_leaf_has_no_grad_to_add_to():
    y = lamina.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="no leaf's"):
        lamina.autograd.backward(y.sum(), inputs=[lamina.autograd.graph.get_gradient_edge(y)])
