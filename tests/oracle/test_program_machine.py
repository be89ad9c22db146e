"""The program machine itself: it finds what differs and leaves out the rest; a program of many kinds of steps agrees."""

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
