"""Pictures of graphs: every op once, memory counted once, the same text each time, at any depth."""

import re

import pytest

import lamina_tensor as lt
from lamina_tensor.autograd.backward import grad
from lamina_tensor.transforms.function import Function
from lamina_tensor.transforms.graph_view import edges_behind, show_graph
from lamina_tensor.transforms.record import record


def example():
    x, w = lt.ones(3, requires_grad=True), lt.ones(2, 3, requires_grad=True)
    h = x * w
    k = h.sin()
    return (k * h + h).sum(), {"x": x, "w": w, "h": h}


TEXT = """\
#7 SumBackward0: float32[]
#6 AddBackward0: float32[2, 3]
├─ -> #3 MulBackward0 h
#5 MulBackward0: float32[2, 3], saves 24 B
├─ -> #3 MulBackward0 h
#4 SinBackward0: float32[2, 3], saves 24 B
#3 MulBackward0 h: float32[2, 3], saves 36 B
├─ x: float32[3]
└─ w: float32[2, 3]
saves 84 B in all"""


def test_text():
    loss, names = example()
    assert str(show_graph(loss, names)) == TEXT  # the product's 24 B are kept by two ops, and count for the first
    loss, names = example()
    assert show_graph(loss, {"part": [names["x"]]}).to_text().count("part.0: float32[3]") == 1
    assert show_graph(loss).to_text().count("leaf: ") == 2


def test_dot_and_mermaid_have_every_op_and_arrow_once():
    loss, names = example()
    view = show_graph(loss, names)
    dot, mermaid = view.to_dot(), view.to_mermaid()
    arrows = ["1 3", "2 3", "3 4", "4 5", "3 5", "5 6", "3 6", "6 7"]
    assert [" ".join(pair) for pair in re.findall(r"n(\d+) -> n(\d+);", dot)] == arrows
    assert [" ".join(pair) for pair in re.findall(r"n(\d+) --> n(\d+)", mermaid)] == arrows
    assert re.findall(r"n(\d+) \[", dot) == re.findall(r"^  n(\d+)[\[(]", mermaid, re.MULTILINE) == list("1234567")
    assert r'n3 [label="MulBackward0 h\nfloat32[2, 3]\nsaves 36 B"];' in dot
    assert 'n3["MulBackward0 h<br/>float32[2, 3]<br/>saves 36 B"]' in mermaid
    assert r'n1 [label="x\nfloat32[3]", style=rounded];' in dot and 'n1(["x<br/>float32[3]"])' in mermaid


def test_the_same_program_has_the_same_picture():
    first, second = (show_graph(*example()) for _ in range(2))
    assert first.to_dot() == second.to_dot() and first.to_mermaid() == second.to_mermaid()
    assert first.to_text() == second.to_text()


def test_one_of_several_results():
    a = lt.ones(3, 3, requires_grad=True)
    u, s, _ = lt.svd(a)
    view = show_graph([s.sum(), u.sum()])
    assert [step.op for step in view.steps][1:] == [view.steps[1].op, "SumBackward0", "SumBackward0"]
    assert len(view.steps[1].results) == 3
    assert re.findall(r"n2 -> n(\d) \[label=(\d)\]", view.to_dot()) == [("3", "1"), ("4", "0")]
    assert "n2 -->|1| n3" in view.to_mermaid()
    assert view.to_text().count("LinalgSvdBackward0:") == 1


def test_what_users_ops_keep_and_what_is_freed():
    class Scaled(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

    x = lt.ones(4, requires_grad=True)
    y = Scaled.apply(x, x.detach())
    assert show_graph(y).steps[-1].saved == 16
    z = y.exp().sum()
    z.backward()
    assert "ExpBackward0: float32[4], freed" in show_graph(z).to_text()
    assert show_graph(z).saved_bytes == 0


def test_names_of_a_module_and_odd_ones():
    class Module:
        def __init__(self, tensor):
            self.tensor = tensor

        def named_parameters(self):
            return [('a"b\\<c>', self.tensor)]

    x = lt.ones(2, requires_grad=True)
    view = show_graph(x.exp(), Module(x))
    assert r'label="a\"b\\<c>\nfloat32[2]"' in view.to_dot()
    assert '(["a#quot;b\\&lt;c&gt;<br/>float32[2]"])' in view.to_mermaid()


def test_leaves_alone_and_what_has_no_history():
    x = lt.ones(2, requires_grad=True)
    assert show_graph(x, {"x": x}).to_text() == "x: float32[2]\nsaves 0 B in all"
    assert show_graph([x.detach(), x]).roots == [1, 2]


def test_within_a_record():
    x, w = lt.ones(2), lt.ones(2)
    with record() as rec:
        loss = (x * w).sum()
    with rec:
        text = show_graph(loss, {"x": x, "w": w}).to_text()
    assert text.splitlines() == [
        "#4 SumBackward0: float32[]", "#3 MulBackward0: float32[2], saves 16 B", "├─ x: float32[2]", "└─ w: float32[2]",
        "saves 16 B in all",
    ]  # fmt: skip
    assert show_graph(loss).steps[0].op == ""


def steps_down(x, n):
    for _ in range(n):
        x = x + 1.0
    return x


def residual(x, n):
    for _ in range(n):
        x = x + x.sin()
    return x


def diamonds(x, n):
    for _ in range(n):
        x = x.sin() * x.cos()
    return x


def with_branches_made_before(x, n):
    for branch in [(x * 1.0).sin() for _ in range(n)]:
        x = x * branch
    return x


def with_branches_made_after(x, n):
    y = x
    for _ in range(n):
        y = y * (x * 1.0).sin()
    return y


@pytest.mark.parametrize("program", [steps_down, residual, diamonds, with_branches_made_before, with_branches_made_after])
def test_texts_stay_narrow(program):
    text = show_graph(program(lt.ones(1, requires_grad=True), 300)).to_text()
    assert max(map(len, text.splitlines())) < 80
    shown = re.findall(r"(?<!> )#(\d+) \w+:", text)
    assert len(shown) == len(set(shown))
    assert len(shown) == len(show_graph(program(lt.ones(1, requires_grad=True), 300)).steps) - 1  # all but the leaf


def test_a_hundred_thousand_ops():
    y = steps_down(lt.ones((), requires_grad=True), 100_000)
    view = show_graph(y)
    assert len(view.steps) == 100_001
    assert view.to_text().count("\n") == 100_001
    assert view.to_dot().count("->") == view.to_mermaid().count("-->") == 100_000


def test_a_hook_before_a_node_of_several_results_is_shown_all_their_gradients():
    for create_graph in (False, True):
        x = lt.tensor([[3.0, 0.0], [0.0, 2.0]], requires_grad=True)
        _, values, _ = lt.svd(x)
        _, node = edges_behind([values])
        seen = []
        node.register_prehook(seen.append)
        node.register_prehook(lambda given: tuple(None if g is None else g * 4 for g in given))
        (g,) = grad(values.sum(), x, retain_graph=True, create_graph=create_graph)
        assert [None if part is None else part.tolist() for part in seen[0]] == [None, [1, 1], None]
        assert lt.allclose(g, 4 * lt.eye(2), atol=1e-6)  # of the sum of singular values: U V^T, here 1
        node.register_prehook(lambda given: (None, given[1][:1], None))
        with pytest.raises(RuntimeError, match="hook has changed the size"):
            grad(values.sum(), x)
