"""Gradients: backward, `autograd.grad`, the modes, hooks, and a function with a gradient of its own."""

from typing import Any, assert_type

import lamina as torch
from lamina import Tensor

w = torch.randn(3, 2, requires_grad=True)
x = torch.randn(4, 3)
loss = torch.tanh(x @ w).sum()
loss.backward()
assert_type(w.grad, Tensor | None)
assert w.grad is not None
assert_type(w.grad.norm(), Tensor)
assert_type(w.requires_grad, bool)
assert_type(w.is_leaf, bool)
w.grad.zero_()
w.grad = None

y = (x @ w).pow(2).mean()
(gradient,) = torch.autograd.grad(y, w)
assert_type(gradient, Tensor)
assert_type(torch.autograd.grad(w.sum(), [w], create_graph=True), tuple[Tensor, ...])

with torch.no_grad():
    w -= 0.1 * gradient
with torch.enable_grad(), torch.set_grad_enabled(True):
    assert_type(torch.is_grad_enabled(), bool)
with torch.inference_mode():
    assert_type(x @ w, Tensor)
assert_type(w.detach(), Tensor)
assert_type(x.requires_grad_(), Tensor)


@torch.no_grad()
def error(prediction: Tensor, target: Tensor) -> float:
    return float((prediction - target).abs().mean())


assert_type(error(x, x), float)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        result: Tensor = 2 * x * grad_output
        return result


squared: Tensor = Square.apply(w)
squared.sum().backward()
handle = w.register_hook(lambda g: g * 2)
handle.remove()
