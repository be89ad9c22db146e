"""In which order results lie in memory, and draws are written to what is transposed: as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import lamina

LINES = (
    "torch.zeros(4, 3).t().geometric_(0.3)",
    "torch.zeros(4, 3).t().cauchy_()",
    "torch.zeros(4, 3).t().exponential_()",
    "torch.zeros(4, 3, dtype=torch.float64).t().log_normal_()",
    "torch.zeros(2, 4, 3).permute(2, 0, 1)[:, :, 1:].geometric_(0.4)",
    "torch.tensor([[0, 1], [1, 1]]).nonzero()",
    "torch.tensor([[0, 1], [1, 1]]).argwhere()",
    "torch.tensor(1.0).nonzero()",
    "torch.binomial(torch.ones(3, 2), torch.ones(3, 2) * 0.5)",
    "torch.broadcast_tensors(torch.ones(2, 3).t(), torch.ones(2))[0]",
    "torch.ones(2, 3).t().repeat(2, 1, 1)",
    "torch.ones(2, 3).t().repeat(1, 1)",
    "torch.ones(2, 3).t().tile((1, 1))",
    "torch.ones(2, 3).repeat(1, 1)",
    "torch.ones(2, 3).t().repeat_interleave(torch.tensor([1, 2]), 1)",
    "torch.ones(2, 3, 2, 2).contiguous(memory_format=torch.channels_last).roll(1, 1)",
    "torch.ones(2, 3).t().roll(1, 0)",
    "torch.nn.functional.rms_norm(torch.ones(2, 3, 2, 2).contiguous(memory_format=torch.channels_last), (2,))",
    "torch.nn.functional.rms_norm(torch.ones(2, 2, 3).mT, (2,))",
    "torch.nn.functional.batch_norm(torch.ones(2, 4, 3).mT, None, None, training=True)",
    "torch.ones(1, 3, 2, 2).contiguous(memory_format=torch.channels_last).roll(1, 0)",
    "torch.ones(2, 3, 2, 2).contiguous(memory_format=torch.channels_last).roll((1, 2), (1, 0))",
    "torch.ones(3, 3).t()[None].diagonal_scatter(torch.zeros(3, 1))",
    "torch.ones(3, 3).t()[None].as_strided_scatter(torch.zeros(3), (3,), (3,))",
    "torch.tensor(1.0).as_strided_scatter(torch.tensor(2.0), (), ())",
    "torch.ones(2, 3, 2, 2).swapaxes(-4, 1).diagonal(-1, 3, 0).cos()",
    "torch.ones(2, 3, 2, 2).swapaxes(-4, 1).diagonal(-1, 3, 0).clone()",
    "torch.ones(1, 2, 4)[..., ::2].permute(1, 0, 2) + torch.ones(2, 1, 2)",
    "torch.where(torch.ones(2, 1, 4)[..., ::2].permute(2, 1, 0) > 0, torch.ones(2, 1, 2).permute(2, 1, 0), torch.ones(2, 1, 2))",
    "2.0 ** torch.ones(2, 3).t()",
    "torch.hstack([torch.ones(2, 3, 2, 2).contiguous(memory_format=torch.channels_last)] * 2)",
    "torch.ones(2, 3).t().masked_fill(torch.ones(2, 3).t() > 0, 2)",
    "torch.masked_fill(torch.ones(2, 3), torch.ones(3, 2).t() > 0, torch.tensor(2.0))",
    "torch.nn.functional.logsigmoid(torch.ones(2, 3).t())",
    "torch.nn.functional.gumbel_softmax(torch.ones(2, 3).t())",
    "torch.nn.functional.rrelu(torch.ones(2, 3).t() - 2, training=True)",
    "torch.zeros(5, 4).t().normal_()",
    "torch.zeros(5, 4, dtype=torch.bfloat16).t().normal_()",
    "torch.zeros(5, 8)[:, ::2].normal_(1.0, 2.0)",
    "torch.view_as_real(torch.zeros(5, 4, dtype=torch.complex64).t().normal_(1.0, 2.0))",
    "torch.randn_like(torch.zeros(5, 4).t())",
    "torch.zeros(2, 3, 2, 2).contiguous(memory_format=torch.channels_last).normal_()",
    "torch.multinomial(torch.rand(3, 4).t(), 1)",
    "torch.multinomial(torch.rand(3, 4).t(), 2)",
    "torch.multinomial(torch.rand(3, 4).t(), 2, True)",
    "torch.multinomial(torch.rand(3, 4).t()[::2], 1)",
)


def outcome(line: str, library: Any) -> tuple[Any, ...]:
    library.manual_seed(3)
    result = eval(line, {"torch": library})
    return result.stride(), result.shape, result.double().numpy().round(4).tolist(), library.get_rng_state().tolist()


@pytest.mark.parametrize("line", LINES)
def test_strides_and_draws_are_those_of_pytorch(line: str) -> None:
    assert outcome(line, lamina) == outcome(line, torch)


@pytest.mark.parametrize("library", [torch, lamina], ids=["torch", "lamina"])
def test_a_tensor_of_the_shape_of_all_is_broadcast_to_itself(library: Any) -> None:
    x, row = library.ones(2, 3, requires_grad=True), library.ones(3)
    assert library.broadcast_tensors(x, row)[0] is x
    assert library.broadcast_tensors(x, row)[1] is not row

INDICES = """
x[:, torch.tensor([1, 0])]
x[1:, torch.tensor([[1, 0], [0, 1]])]
x.t()[torch.tensor([1, 0, 1])]
x.t()[torch.tensor([[1, 0], [1, 1]])]
x[torch.tensor([[1, 0], [1, 1]]).t()]
x[torch.tensor([[1, 0], [1, 1]]).t(), 1:]
y[torch.tensor([0, 1]), :, torch.tensor([1, 0])]
y.transpose(0, 2)[torch.tensor([1, 0]), :, torch.tensor([[1], [0]])]
y.permute(1, 2, 0)[:, torch.tensor([1, 0])]
y.permute(1, 2, 0)[..., torch.tensor([1, 0, -1])]
y.permute(1, 2, 0)[torch.tensor([True, False, True])]
y.permute(1, 0, 2)[:, torch.tensor([True, False]), torch.tensor([1])]
""".strip().splitlines()


@pytest.mark.parametrize("line", INDICES)
def test_what_is_read_at_positions_lies_as_in_pytorch(line: str) -> None:
    names = [
        {"torch": t, "x": t.arange(6.0).view(2, 3), "y": t.arange(12.0).view(2, 3, 2)} for t in (torch, lamina)
    ]  # fmt: skip
    expected, observed = (eval(line, values) for values in names)
    assert (observed.stride(), observed.tolist()) == (expected.stride(), expected.tolist())


@pytest.mark.parametrize("name", ["binary_cross_entropy_with_logits", "soft_margin_loss", "binary_cross_entropy", "mse_loss"])
def test_losses_of_two_orders_lie_as_in_pytorch(name):
    def strides(t):
        x, y = t.ones(2, 3, 4).permute(0, 2, 1), t.ones(2, 4, 3)
        loss = getattr(t.nn.functional, name)
        orders = (x, y), (y, x), (x, x), (y, y[:1].expand(2, 4, 3)), (x, y[:, :1].expand(2, 4, 3))
        return [loss(*pair, reduction="none").stride() for pair in orders]

    assert strides(lamina) == strides(torch)


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("bins", [1, 2, 3])
def test_maxima_of_sequences_whose_channels_lie_innermost(bins, recorded):
    """Dims of length 1 count: pools of the result ask them."""

    def strides(t):
        x = t.ones(2, 3, 2).mT.clone().requires_grad_(recorded)
        pooled = t.nn.functional.max_pool1d(x, bins)
        return pooled.stride(), t.nn.functional.adaptive_max_pool1d(pooled, 2).stride()

    assert strides(lamina) == strides(torch)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("size", [2, 3])
def test_sequences_resized_to_their_own_size_are_row_major(dtype, size):
    def strides(t):
        x = t.ones(2, 3, 2, dtype=getattr(t, dtype)).transpose(1, 2)
        return t.nn.functional.interpolate(x, size=size, mode="linear").stride()

    assert strides(lamina) == strides(torch)


@pytest.mark.parametrize("strides", [(3, 1), (1, 3), (1, 2), (0, 1), (2, 4)])
def test_gradients_of_leaves_with_gaps_are_row_major(strides):
    for uses in (lambda x: x * 2, lambda x: x @ x.t(), lambda x: x.t().exp()):
        found = []
        for t in (lamina, torch):
            x = t.arange(12.0).as_strided((2, 2), strides, 1).requires_grad_()
            uses(x).sum().backward()
            found.append(x.grad.stride())
        assert found[0] == found[1] == ((1, 2) if strides == (1, 2) else (2, 1))


@pytest.mark.parametrize("write", ["normal_()", "random_(2, 9)", "fill_(2.0)", "zero_()", "eq_(1.0)", "mul_(2)", "sign_()", "abs_()"])
@pytest.mark.parametrize("made", ["contiguous", "clone", "to"])
def test_copies_in_another_order_are_no_views(write, made):
    found = []
    for t in (lamina, torch):
        t.manual_seed(0)
        leaf = t.arange(6.0).reshape(1, 2, 1, 3).requires_grad_()
        x = getattr(leaf, made)(memory_format=t.channels_last)
        eval(f"x.{write}", {"x": x})
        (gradient,) = t.autograd.grad((x * x).sum(), [leaf], create_graph=True)
        found.append((x._is_view(), gradient.requires_grad, x.stride(), x.tolist(), gradient.tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize("norm", ["F.group_norm(x, 1)", "F.batch_norm(x, None, None, training=True)", "F.instance_norm(x)"])
@pytest.mark.parametrize(("shape", "order"), [((2, 1, 2, 2), (1, 3, 0, 2)), ((3, 1, 2, 4), (1, 3, 0, 2)), ((1, 2, 3, 4), (0, 3, 1, 2))])
def test_norms_of_one_image_go_by_its_strides(norm, shape, order):
    """That of the dim of images counts, though there is one."""
    found = []
    for t in (lamina, torch):
        x = t.ones(shape).permute(order)
        found.append(eval(norm, {"F": t.nn.functional, "x": x}).stride())
    assert found[0] == found[1]


EMPTY = (0, 3, 3, 3), (2, 0, 3, 3), (2, 3, 3, 0), (2, 3, 0, 1), (0, 1, 1, 1), (2, 1, 1, 1), (0, 3, 3, 3, 2)


@pytest.mark.parametrize("shape", EMPTY, ids=str)
def test_images_of_no_items_have_an_order(shape):
    found = []
    for t in (lamina, torch):
        order = t.channels_last if len(shape) == 4 else t.channels_last_3d
        x, made = t.zeros(shape), t.empty(shape, memory_format=order)
        copy = x.contiguous(memory_format=order)
        told = [y.is_contiguous(memory_format=order) for y in (x, made, copy)]
        found.append((copy is x, copy.stride(), made.stride(), told, x.clone(memory_format=order).stride()))
    assert found[0] == found[1]
