"""Chapter 6. Training: modules hold parameters, an optimizer moves them, a loop does it many times.

Everything computes with what you built: tensors on arrays on layouts on bytes. At the end, your library learns to tell two moons apart.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 6
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .arrays import Array, array, map_items
from .gradients import Tensor, add, backward, exp, log, multiply, product, tanh, total
from .strides import Shape, size_of


def number(value: float) -> Tensor:
    """Return a number as a tensor of shape (). (Given.)"""
    return Tensor(array([value], ()))


def parameter(values: Sequence[float], shape: Shape) -> Tensor:
    """Return a leaf that asks for a gradient. (Given.)"""
    return Tensor(array(values, shape), requires_grad=True)


class Module:
    """What has parameters, or modules that have them, as attributes; and computes when it is called."""

    def parameters(self) -> list[Tensor]:  # task
        """Return all parameters: the attributes that are tensors and ask for a gradient, those of attributes that are modules, and those in
        attributes that are lists of either. In the order in which attributes were set (`vars(self).values()`), and each of them once.

        >>> module = Module()
        >>> module.w, module.x, module.name = parameter([1], (1,)), Tensor(array([2], (1,))), "w"
        >>> module.inner = Module()
        >>> module.inner.again = module.w
        >>> module.parameters() == [module.w]
        True
        """
        found: list[Tensor] = []
        for value in vars(self).values():
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, Module):
                    found += part.parameters()
                elif isinstance(part, Tensor) and part.requires_grad:
                    found.append(part)
        return list({id(tensor): tensor for tensor in found}.values())

    def forward(self, x: Tensor) -> Tensor:
        raise TypeError(f"{type(self).__name__} has no forward")

    def __call__(self, x: Tensor) -> Tensor:
        return self.forward(x)


class Linear(Module):
    """x @ weight + bias, with a weight of shape (inputs, outputs) and a bias of shape (outputs,)."""

    def __init__(self, inputs: int, outputs: int, chance: Random) -> None:
        bound = inputs**-0.5
        self.weight = parameter([chance.uniform(-bound, bound) for _ in range(inputs * outputs)], (inputs, outputs))
        self.bias = parameter([chance.uniform(-bound, bound) for _ in range(outputs)], (outputs,))

    def forward(self, x: Tensor) -> Tensor:  # task
        """Return x @ weight + bias: (n, inputs) becomes (n, outputs)."""
        return add(product(x, self.weight), self.bias)


class Sequential(Module):
    """Modules and functions, each of which is given what the one before it returned."""

    def __init__(self, *steps: Callable[[Tensor], Tensor]) -> None:
        self.steps = list(steps)

    def forward(self, x: Tensor) -> Tensor:  # task
        """Return what the last step returns."""
        for step in self.steps:
            x = step(x)
        return x


def binary_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:  # task
    """Return the mean of log(1 + exp(z)) - y * z over all logits z and their labels y, each 0 or 1. Of shape ().

    >>> from .arrays import items
    >>> loss = binary_cross_entropy(Tensor(array([0, 0], (2, 1))), Tensor(array([0, 1], (2, 1))))
    >>> loss.shape, round(items(loss.array)[0], 4)
    ((), 0.6931)
    """
    surprise = add(log(add(exp(logits), number(1.0))), multiply(number(-1.0), multiply(labels, logits)))
    return multiply(total(surprise), number(1.0 / size_of(logits.shape)))


class Optimizer:
    """Moves parameters against their gradients."""

    def __init__(self, parameters: Sequence[Tensor], lr: float) -> None:
        self.parameters = list(parameters)
        self.lr = lr

    def zero_grad(self) -> None:  # task
        """Forget all gradients: `backward` adds to what is there. A parameter's `grad` is then None."""
        for tensor in self.parameters:
            tensor.grad = None

    def step(self) -> None:
        raise TypeError(f"{type(self).__name__} has no step")


class SGD(Optimizer):
    """Stochastic gradient descent with momentum: a velocity v for each parameter, with which it moves."""

    def __init__(self, parameters: Sequence[Tensor], lr: float, momentum: float = 0.0) -> None:
        super().__init__(parameters, lr)
        self.momentum = momentum
        self.velocities: list[Array | None] = [None] * len(self.parameters)

    def step(self) -> None:  # task
        """Move each parameter p that has a gradient g, item by item: v becomes momentum * v + g (at first: g), and p becomes p - lr * v.

        `p.array` is replaced by a new array; nothing is written to in place.
        """
        for i, tensor in enumerate(self.parameters):
            if tensor.grad is None:
                continue
            before = self.velocities[i]
            v = tensor.grad if before is None else map_items(lambda a, g: self.momentum * a + g, before, tensor.grad)
            self.velocities[i] = v
            tensor.array = map_items(lambda p, a: p - self.lr * a, tensor.array, v)


class Adam(Optimizer):
    """Steps of about the same size for all parameters: the mean gradient, divided by how large gradients have been."""

    def __init__(
        self, parameters: Sequence[Tensor], lr: float = 0.001, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8
    ) -> None:
        super().__init__(parameters, lr)
        self.betas = betas
        self.eps = eps
        self.steps = 0
        self.means = [array([0.0] * size_of(p.shape), p.shape) for p in self.parameters]
        self.squares = [array([0.0] * size_of(p.shape), p.shape) for p in self.parameters]

    def step(self) -> None:  # task
        """Move each parameter p that has a gradient g, item by item; t counts the calls, from 1.

        m becomes b1 * m + (1 - b1) * g, s becomes b2 * s + (1 - b2) * g * g. Both began at 0 and are too small at first, which is put
        right by dividing: M = m / (1 - b1**t), S = s / (1 - b2**t). Then p becomes p - lr * M / (sqrt(S) + eps).
        """
        self.steps += 1
        b1, b2 = self.betas
        left1, left2 = 1 - b1**self.steps, 1 - b2**self.steps
        for i, tensor in enumerate(self.parameters):
            if tensor.grad is None:
                continue
            self.means[i] = map_items(lambda m, g: b1 * m + (1 - b1) * g, self.means[i], tensor.grad)
            self.squares[i] = map_items(lambda s, g: b2 * s + (1 - b2) * g * g, self.squares[i], tensor.grad)
            tensor.array = map_items(
                lambda p, m, s: p - self.lr * (m / left1) / ((s / left2) ** 0.5 + self.eps), tensor.array, self.means[i], self.squares[i]
            )


def network(chance: Random) -> Sequential:
    """Return a small network from points of the plane to one logit. (Given.)"""
    return Sequential(Linear(2, 8, chance), tanh, Linear(8, 1, chance))


def train(model: Module, optimizer: Optimizer, points: Tensor, labels: Tensor, steps: int) -> list[float]:  # task
    """Take so many steps on all points, and return the loss before each of them.

    A step: compute the loss of what the model says, forget the gradients of the step before, walk back, and let the optimizer step.
    """
    losses = []
    for _ in range(steps):
        loss = binary_cross_entropy(model(points), labels)
        optimizer.zero_grad()
        backward(loss)
        optimizer.step()
        losses.append(loss.array.flat.read(0))
    return losses
