"""The steps of optimizers, over all parameters in one launch: for each, numbers that the host works out, and what is done to an item.

`p` is the parameter and `g` its gradient, whose sign and decay are taken care of; lists of the op's record are items by their names,
and `n` has the numbers. A list that is left out reads as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["STEPS", "Step", "decayed"]

Numbers = Mapping[str, float]


class Step(NamedTuple):
    """A step.

    Attributes:
        numbers: from the op's parameters to numbers, worked out in double precision and rounded once.
        body: C++ statements.
    """

    numbers: Callable[..., Numbers]
    body: str


def decayed(maximize: bool, lr: float = 0.0, weight_decay: float = 0.0, decoupled: bool = False, **_: Any) -> dict[str, float]:
    """Return the numbers that take care of sign and decay: the gradient's sign, what is kept of p, and what p adds to the gradient."""
    return {
        "sign": -1.0 if maximize else 1.0,
        "keep": 1 - lr * weight_decay if decoupled else 1.0,
        "decay": 0.0 if decoupled else weight_decay,
    }


def _sgd(lr: float, momentum: float, dampening: float, nesterov: bool, first: bool, **_: Any) -> Numbers:
    return {"lr": lr, "momentum": momentum, "part": 1 - dampening, "nesterov": nesterov, "first": first}


def _means(beta1: float, beta2: float, **_: Any) -> dict[str, float]:
    return {"part1": 1 - beta1, "beta2": beta2, "part2": 1 - beta2}


def _adam(lr: float, beta1: float, beta2: float, eps: float, step: float, **_: Any) -> Numbers:
    return {**_means(beta1, beta2), "eps": eps, "rate": lr / (1 - beta1**step), "root": (1 - beta2**step) ** 0.5}


def _adamax(lr: float, beta1: float, beta2: float, eps: float, step: float, **_: Any) -> Numbers:
    return {**_means(beta1, beta2), "eps": eps, "rate": lr / (1 - beta1**step)}


def _nadam(
    lr: float, beta1: float, beta2: float, eps: float, momentum: float, next_momentum: float, product: float, step: float, **_: Any
) -> Numbers:
    return {
        **_means(beta1, beta2), "eps": eps, "correction": 1 - beta2**step, "rate": lr * (1 - momentum) / (1 - product),
        "of_mean": lr * next_momentum / (1 - product * next_momentum),
    }  # fmt: skip


def _radam(lr: float, beta1: float, beta2: float, eps: float, step: float, **_: Any) -> Numbers:
    correction = 1 - beta2**step
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * step * beta2**step / correction  # over how many steps the squares are averaged
    rectified = 0.0
    if length > 5:
        part = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        rectified = (correction * part) ** 0.5
    return {**_means(beta1, beta2), "eps": eps, "rate": lr / (1 - beta1**step), "rectified": rectified}


def _rmsprop(lr: float, alpha: float, eps: float, momentum: float, **_: Any) -> Numbers:
    return {"lr": lr, "alpha": alpha, "part": 1 - alpha, "eps": eps, "momentum": momentum}


def _adagrad(lr: float, eps: float, **_: Any) -> Numbers:
    return {"lr": lr, "eps": eps}


def _adadelta(lr: float, rho: float, eps: float, **_: Any) -> Numbers:
    return {"lr": lr, "rho": rho, "part": 1 - rho, "eps": eps}


def _asgd(length: float, lambd: float, share: float, **_: Any) -> Numbers:
    return {"length": length, "kept": 1 - lambd * length, "share": share}


def _rprop(shrink: float, grow: float, shortest: float, longest: float, **_: Any) -> Numbers:
    return {"shrink": shrink, "grow": grow, "shortest": shortest, "longest": longest}


_MEANS: Final = "firsts += (g - firsts) * n.part1; seconds = seconds * n.beta2 + g * g * n.part2;"

STEPS: Final[Mapping[str, Step]] = {
    "sgd_step": Step(_sgd, """
        if (HAS_buffers && n.momentum != 0) {
          buffers = n.first != 0 ? g : buffers * n.momentum + g * n.part;
          g = n.nesterov != 0 ? g + buffers * n.momentum : buffers;
        }
        p -= g * n.lr;"""),
    "adam_step": Step(_adam, f"""
        {_MEANS}
        W greatest = seconds;
        if (HAS_maxima) greatest = maxima = maxima != maxima || maxima > seconds ? maxima : seconds;
        p -= firsts / (sqrt(greatest) / n.root + n.eps) * n.rate;"""),
    "adamax_step": Step(_adamax, """
        firsts += (g - firsts) * n.part1;
        W size = fabs(g) + n.eps, before = greatest * n.beta2;
        greatest = before != before || before > size ? before : size;
        p -= firsts / greatest * n.rate;"""),
    "nadam_step": Step(_nadam, f"""
        {_MEANS}
        W root = sqrt(seconds / n.correction) + n.eps;
        p = p - g / root * n.rate - firsts / root * n.of_mean;"""),
    "radam_step": Step(_radam, f"""
        {_MEANS}
        W change = firsts * n.rate;
        p -= n.rectified != 0 ? change * n.rectified / (sqrt(seconds) + n.eps) : change;"""),
    "rmsprop_step": Step(_rmsprop, """
        squares = squares * n.alpha + g * g * n.part;
        W spread = squares;
        if (HAS_means) {
          means += (g - means) * n.part;
          spread -= means * means;
        }
        W change = g / (sqrt(spread) + n.eps);
        if (HAS_buffers) change = buffers = buffers * n.momentum + change;
        p -= change * n.lr;"""),
    "adagrad_step": Step(_adagrad, "sums += g * g; p -= g / (sqrt(sums) + n.eps) * n.lr;"),
    "adadelta_step": Step(_adadelta, """
        squares = squares * n.rho + g * g * n.part;
        W change = sqrt(changes + n.eps) / sqrt(squares + n.eps) * g;
        changes = changes * n.rho + change * change * n.part;
        p -= change * n.lr;"""),
    "asgd_step": Step(_asgd, """
        p = p * n.kept - g * n.length;
        averages = n.share == 1 ? p : averages + (p - averages) * n.share;"""),
    "rprop_step": Step(_rprop, """
        W agreement = g * previous, factor = agreement > 0 ? n.grow : agreement < 0 ? n.shrink : agreement == 0 ? W(1) : agreement;
        W size = step_sizes * factor;
        step_sizes = size < n.shortest ? n.shortest : size > n.longest ? n.longest : size;
        previous = agreement < 0 ? W(0) : g;
        p -= W((previous > 0) - (previous < 0)) * step_sizes;"""),
}  # fmt: skip
"""By op."""
