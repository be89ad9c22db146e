"""Gradients."""

from .mistake import mistake


@mistake("scalar", "(3,)", "sum()")
def backward_of_many(torch):
    """Backward of several numbers.

    `loss.mean().backward()`; for a gradient to begin with, `losses.backward(weights)`.
    """
    x = torch.ones(3, requires_grad=True)
    (x * 2).backward()


@mistake("second time", "retain_graph")
def backward_twice(torch):
    """Backward twice.

    Compute the loss anew in each step; to go twice through one, `backward(retain_graph=True)`.
    """
    x = torch.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


@mistake("second time")
def carried_state(torch):
    """A state that is carried from batch to batch.

    `state = state.detach()` after each batch: its history is the batch before.
    """
    weight, state = torch.ones(3, requires_grad=True), torch.zeros(3)
    for _ in range(2):
        state = torch.tanh(state + weight)
        state.sum().backward()


@mistake("does not require grad")
def backward_without_history(torch):
    """Backward of what was not recorded.

    Something on the way was detached: `.item()`, `.detach()`, `.numpy()`, `torch.no_grad()`, or a new tensor
    made of the numbers.
    """
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        loss = (x * x).sum()
    loss.backward()


@mistake("sub_", "leaf", "in-place")
def update_of_a_leaf(torch):
    """An update of a parameter that is recorded.

    `with torch.no_grad(): weight -= 0.1 * weight.grad`.
    """
    weight = torch.ones(3, requires_grad=True)
    weight -= 0.1


@mistake("Exp", "inplace", "version", "(3,)")
def overwritten_result(torch):
    """A result overwritten that backward needs.

    `y = y * 2` instead of `y *= 2`. `torch.autograd.set_detect_anomaly(True)` shows the line that made it.
    """
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y *= 2
    y.sum().backward()


@mistake("numpy", "detach")
def numpy_of_recorded(torch):
    """NumPy's view of what is recorded.

    `x.detach().numpy()`; for printing and plotting that is what is meant.
    """
    x = torch.ones(3, requires_grad=True)
    x.numpy()


@mistake("grad", "leaf", "retain_grad")
def gradient_of_no_leaf(torch):
    """The gradient of a result that is no leaf.

    `y.retain_grad()` before the backward pass.
    """
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.sum().backward()
    y.grad


@mistake("allow_unused")
def unused(torch):
    """The gradient with respect to what was not used.

    `allow_unused=True` gives None for it; or it should have been used.
    """
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    torch.autograd.grad((x * 2).sum(), [x, y])


@mistake("Double", "1", "2")
def too_few_gradients(torch):
    """A custom function that returns too few gradients.

    `backward` returns one gradient, or None, for each argument of `forward` but `ctx`.
    """
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale):
            return x * scale

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    Double.apply(torch.ones(3, requires_grad=True), 2.0).sum().backward()
