"""The steps of optimizers, derived: each formula for one parameter, and a kernel that goes through all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray.backends.kernel_table import decompositions

from ...dispatch.operands import copy_to
from ...elementwise import choosing
from ...elementwise.arithmetic import maximum, sign, sqrt
from ...elementwise.choosing import where
from ..registering import as_array, widened

if TYPE_CHECKING:
    from ...array import NDArray

__all__: list[str] = []

Step = Callable[..., None]


def _stepwise(step: Step) -> Step:
    """Register `step(parameter, gradient, ...)`: lists among the kernel's parameters come to it item by item, the sign of the
    gradient and the decay of the parameter are taken care of. Of 16 bits they come in float32: each is rounded once, at the end."""

    def kernel(
        out: Any, *gradients: Any, maximize: bool, weight_decay: float = 0.0, decoupled: bool = False, **params: Any
    ) -> None:
        states = {name: value for name, value in params.items() if isinstance(value, (list, tuple))}
        settings = {name: value for name, value in params.items() if name not in states}
        for i, gradient in enumerate(gradients):
            arrays = [as_array(column[i]) for column in (out, *states.values())]
            p, *columns = wide = [widened(x) for x in arrays]
            g = widened(as_array(gradient))
            if maximize:
                g = -g
            if weight_decay and decoupled:
                p[...] = p * (1 - params["lr"] * weight_decay)
            elif weight_decay:
                g = g + p * weight_decay
            step(p, g, **dict(zip(states, columns, strict=True)), **settings)
            for x, updated in zip(arrays, wide, strict=True):
                if updated is not x:
                    copy_to(x, updated)

    kernel.__name__ = step.__name__
    decompositions[step.__name__] = kernel
    return step


def _take_in(mean: NDArray, value: NDArray, keep: float) -> None:
    mean[...] = mean + (value - mean) * (1 - keep)


def _take_in_square(mean: NDArray, value: NDArray, keep: float) -> None:
    mean[...] = mean * keep + value * value * (1 - keep)


@_stepwise
def sgd_step(
    p: NDArray, g: NDArray, *, buffers: NDArray | None, lr: float, momentum: float, dampening: float, nesterov: bool, first: bool
) -> None:
    """Sutskever et al. 2013, in the form of https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html."""
    change: Any = g
    if buffers is not None and momentum:
        buffers[...] = g if first else buffers * momentum + g * (1 - dampening)
        change = g + buffers * momentum if nesterov else buffers
    p[...] = p - change * lr


@_stepwise
def adam_step(
    p: NDArray, g: NDArray, *, firsts: NDArray, seconds: NDArray, maxima: NDArray | None, lr: float, beta1: float, beta2: float,
    eps: float, step: float,
) -> None:  # fmt: skip
    """Kingma & Ba 2015; with `decoupled`, Loshchilov & Hutter 2019; `maxima`: AMSGrad, Reddi et al. 2018."""
    _take_in(firsts, g, beta1)
    _take_in_square(seconds, g, beta2)
    greatest = seconds
    if maxima is not None:
        greatest = maxima
        greatest[...] = maximum(greatest, seconds)
    root = sqrt(greatest) / (1 - beta2**step) ** 0.5 + eps
    p[...] = p - firsts / root * (lr / (1 - beta1**step))


@_stepwise
def adamax_step(
    p: NDArray, g: NDArray, *, firsts: NDArray, greatest: NDArray, lr: float, beta1: float, beta2: float, eps: float, step: float
) -> None:
    """Kingma & Ba 2015, section 7."""
    _take_in(firsts, g, beta1)
    greatest[...] = maximum(greatest * beta2, abs(g) + eps)
    p[...] = p - firsts / greatest * (lr / (1 - beta1**step))


@_stepwise
def nadam_step(
    p: NDArray, g: NDArray, *, firsts: NDArray, seconds: NDArray, lr: float, beta1: float, beta2: float, eps: float,
    momentum: float, next_momentum: float, product: float, step: float,
) -> None:  # fmt: skip
    """Dozat 2016."""
    _take_in(firsts, g, beta1)
    _take_in_square(seconds, g, beta2)
    root = sqrt(seconds / (1 - beta2**step)) + eps
    of_mean = lr * next_momentum / (1 - product * next_momentum)
    p[...] = p - g / root * (lr * (1 - momentum) / (1 - product)) - firsts / root * of_mean


@_stepwise
def radam_step(
    p: NDArray, g: NDArray, *, firsts: NDArray, seconds: NDArray, lr: float, beta1: float, beta2: float, eps: float, step: float
) -> None:
    """Liu et al. 2020."""
    _take_in(firsts, g, beta1)
    _take_in_square(seconds, g, beta2)
    change = firsts * (lr / (1 - beta1**step))
    correction = 1 - beta2**step
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * step * beta2**step / correction  # over how many steps the squares are averaged
    if length > 5:
        part = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        change = change * (correction * part) ** 0.5 / (sqrt(seconds) + eps)
    p[...] = p - change


@_stepwise
def rmsprop_step(
    p: NDArray, g: NDArray, *, squares: NDArray, means: NDArray | None, buffers: NDArray | None, lr: float, alpha: float,
    eps: float, momentum: float,
) -> None:  # fmt: skip
    """Hinton 2012; about the mean, Graves 2013."""
    _take_in_square(squares, g, alpha)
    spread = squares
    if means is not None:
        _take_in(means, g, alpha)
        spread = spread - means * means
    change = g / (sqrt(spread) + eps)
    if buffers is not None:
        buffers[...] = buffers * momentum + change
        change = buffers
    p[...] = p - change * lr


@_stepwise
def adagrad_step(p: NDArray, g: NDArray, *, sums: NDArray, lr: float, eps: float) -> None:
    """Duchi et al. 2011."""
    sums[...] = sums + g * g
    p[...] = p - g / (sqrt(sums) + eps) * lr


@_stepwise
def adadelta_step(
    p: NDArray, g: NDArray, *, squares: NDArray, changes: NDArray, lr: float, rho: float, eps: float
) -> None:
    """Zeiler 2012."""
    _take_in_square(squares, g, rho)
    change = sqrt(changes + eps) / sqrt(squares + eps) * g
    _take_in_square(changes, change, rho)
    p[...] = p - change * lr


@_stepwise
def asgd_step(p: NDArray, g: NDArray, *, averages: NDArray, length: float, lambd: float, share: float) -> None:
    """Polyak & Juditsky 1992."""
    p[...] = p * (1 - lambd * length) - g * length
    averages[...] = p if share == 1 else averages + (p - averages) * share


@_stepwise
def rprop_step(
    p: NDArray, g: NDArray, *, previous: NDArray, step_sizes: NDArray, shrink: float, grow: float, shortest: float, longest: float
) -> None:
    """Riedmiller & Braun 1993; a gradient that turned makes no step back, and counts as neither kept nor turned."""
    agreement = g * previous
    factor = where(agreement > 0, grow, where(agreement < 0, shrink, where(agreement == 0, 1.0, agreement)))
    step_sizes[...] = choosing.clip(step_sizes * factor, shortest, longest)
    previous[...] = where(agreement < 0, 0.0, g)
    p[...] = p - sign(previous) * step_sizes
