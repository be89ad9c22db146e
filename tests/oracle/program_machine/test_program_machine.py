"""The program machine itself: it finds what differs and leaves out the rest; a program of many kinds of steps agrees."""

from random import Random

import pytest

import program_machine


def test_a_difference_is_found_and_the_program_shortened():
    lines = ["a = torch.ones(2)", "b = a * 2", "c = b + len(torch.__name__)", "d = c * b"]
    assert program_machine.shortest(lines) == ["a = torch.ones(2)", "b = a * 2", "c = b + len(torch.__name__)"]
    assert program_machine.difference(lines)[0] == 2


def test_strides_and_draws_are_compared():
    assert (
        program_machine.difference(
            ["a = torch.ones(2, 3)", "b = a.t() if len(torch.__name__) > 5 else a.t().contiguous()"]
        )[1][0]
        == "strides of b"
    )
    assert program_machine.difference(["torch.manual_seed(len(torch.__name__))"])[1][0] == "random state"


def test_a_program_agrees():
    lines = [
        "torch.manual_seed(3)",
        "a = torch.randn(2, 3, requires_grad=True)",
        "b = a.t() * 2",
        "b[1:].normal_()",
        "(b * b).sum().backward()",
    ]
    assert program_machine.difference(lines) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_agree(seed):
    for number in range(25):
        lines, differs = program_machine.written(Random(f"{seed}-{number}"))
        if differs:
            short = program_machine.shortest(lines)
            pytest.fail(f"{program_machine.difference(short)}\n{program_machine.script(short)}")


def test_versions_are_compared_from_where_a_result_is_seen():
    lines = ["a = torch.ones(3) @ torch.ones(3, 2)", "b = a[:1]", "b.add_(1)", "a.mul_(2)"]
    assert program_machine.difference(lines) is None
    lines.append("a.add_(1) if 'lamina' in str(torch) else a.detach()")
    assert program_machine.difference(lines) is not None


@pytest.mark.filterwarnings("ignore")
def test_what_pytorch_alone_refuses_ends_a_program():
    through_a_view = ["w = torch.ones(3, requires_grad=True)", "a = torch.ones(1, 3)[0]", "a[:] += w"]
    assert program_machine.difference(through_a_view) is None
    onto_a_leaf = [*through_a_view[:2], "w[:] += a", "w[:] += a if 'lamina' in str(torch) else w.detach()"]
    assert program_machine.difference(onto_a_leaf) is None  # both refuse
    second = [
        "w = torch.ones(2, 3, requires_grad=True)",
        "d = torch.cdist(w, w.detach() * 2)",
        "(g,) = torch.autograd.grad(d.sum(), w, create_graph=True)",
        "g.sum().backward()",
    ]
    assert program_machine.difference(second) is None


def test_an_out_is_as_exact_as_the_operands():
    lines = ["a = torch.ones(3, dtype=torch.bool)", "b = torch.zeros(3, dtype=torch.float64)", "c = torch.atan2(a, a, out=b)"]
    assert program_machine.difference(lines) is None
    assert program_machine.difference([*lines, "d = b * (1 + 1e-5 * len(torch.__name__))"])[1][0] == "items of d"


def test_a_gradient_retained_by_a_view_of_pytorchs_is_left_out():
    lines = ["w = torch.arange(8.0).view(1, 2, 4).requires_grad_()", "a = F.instance_norm(w)", "a.retain_grad()", "b = a[:1]", "b += 1"]
    assert program_machine.difference([*lines, "((a * a).sum() + (b * b).sum()).backward()"]) is None
