"""torch.compile(..., options={"verify": True}): each repetition is compared with an eager call, and nothing else changes."""

import pytest
from compiling.outcomes import CALLS, is_compiled
from compiling.trained import MODELS, clipped, everything, mlp, optimizer_of, scheduled, trained

import lamina as torch
from lamina import nn

VERIFY = {"verify": True}


@pytest.mark.parametrize("made", MODELS)
def test_whole_steps_are_compared_and_left_as_they_are(made):
    eager, _ = trained("NAdam", compile=False, made=made, body=scheduled)
    compiled, called = trained("NAdam", compile=True, made=made, body=scheduled, options=VERIFY)
    assert compiled == eager
    assert is_compiled(called)


def test_results_buffers_draws_and_gradients_are_compared():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Dropout(0.3), nn.Linear(8, 3))
    compiled = torch.compile(model, fullgraph=True, options=VERIFY)
    for _ in range(CALLS):
        x = torch.randn(4, 6, requires_grad=True)
        compiled(x * 2).square().sum().backward()
        assert x.grad is not None
    assert is_compiled(compiled)
    assert model[1].num_batches_tracked.item() == CALLS


class Hidden:
    """Decides by what no guard reaches: the references of a C function."""

    def __init__(self):
        self.numbers = iter([1.0] * 3 + [2.0] * 20)
        self.next = self.numbers.__next__


def test_the_first_result_that_differs_is_named():
    hidden = Hidden()
    compiled = torch.compile(lambda x: {"same": x + 1, "other": x * hidden.next()}, options=VERIFY)
    x = torch.tensor([0.0, 1.0, 2.0])
    for _ in range(3):
        compiled(x)
    with pytest.raises(RuntimeError, match=r"lambda.* in result 1, at 2 of 3 items, first at \(1,\): 1.0 instead of 2.0"):
        compiled(x)


def test_the_first_gradient_that_differs_is_named():
    class Scaled(torch.autograd.Function):
        numbers = iter([1.0] * 2 + [2.0] * 20)

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * next(Scaled.numbers)

    compiled = torch.compile(lambda x: Scaled.apply(x), options=VERIFY)
    for _ in range(4):
        loss = compiled(torch.ones(2, requires_grad=True)).sum()
    assert is_compiled(compiled)
    with pytest.raises(RuntimeError, match=r"in gradient 0, at 2 of 2 items"):
        loss.backward()


def test_a_step_of_an_optimizer_is_begun_again_for_the_comparison():
    torch.manual_seed(0)
    model = mlp()
    optimizer = optimizer_of("Adam", model)
    compiled = torch.compile(clipped(model, optimizer), fullgraph=True, options=VERIFY)
    for _ in range(CALLS):
        compiled(torch.randn(4, 6), torch.randint(0, 3, (4,)))
    assert {state["step"].item() for state in optimizer.state.values()} == {float(CALLS)}
    assert everything(model, optimizer, [])
