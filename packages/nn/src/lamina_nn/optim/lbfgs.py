"""L-BFGS: quasi-Newton steps from the last few changes of the parameters and of their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, UsageError
from lamina_flatarray.modes import INSIDE, switched
from lamina_tensor import Tensor, enable_grad, no_grad

from .memory.gathering import real
from .memory.settings import check_lr, number
from .optimizer import Optimizer
from .strong_wolfe import Point, strong_wolfe

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """L-BFGS: steps by an approximate inverse Hessian (Nocedal 1980; Liu & Nocedal 1989). One group of parameters, on one device.

    Args:
        params: tensors, or pairs of name and tensor.
        lr: the length of a step, or where a line search begins; a number, or a tensor of one item.
        max_iter: how many iterations one `step` makes at most.
        max_eval: how often it calls the closure at most, about; None for 5/4 of `max_iter`.
        tolerance_grad: where no item of the gradient is greater, the step ends.
        tolerance_change: where neither the loss nor a parameter changes by more, the step ends.
        history_size: how many changes are remembered.
        line_search_fn: "strong_wolfe", or None for steps of length `lr`.

    Raises:
        ValueError: a setting is out of its range, or there is more than one group.

    >>> weight = torch.tensor([3.0], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([weight], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (weight - 1).square().sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)  # the loss at the start
    tensor(4., grad_fn=<SumBackward0>)
    >>> weight
    tensor([1.], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_lr(lr)
        super().__init__(
            params,
            {
                "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )  # fmt: skip
        if len(self.param_groups) != 1:
            raise ArgumentValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    # -- parameters as one vector ---------------------------------------------------------------------------------------

    @property
    def _params(self) -> list[Tensor]:
        params: list[Tensor] = self.param_groups[0]["params"]
        return params

    def _gradient(self) -> Tensor:
        """All gradients in one vector, zeros where there is none."""
        return lt.cat([real(p.new_zeros(p.shape) if p._grad is None else p._grad).view(-1) for p in self._params])

    def _move(self, length: Any, direction: Tensor) -> None:
        """Add a multiple of a vector to the parameters."""
        begin = 0
        for p in map(real, self._params):
            p.add_(direction[begin : begin + p.numel()].reshape(p.shape) * length)
            begin += p.numel()

    # -- the step -------------------------------------------------------------------------------------------------------

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Iterate until a limit or a tolerance is reached.

        Args:
            closure: computes the loss and its gradients, and returns the loss; called many times.

        Returns:
            The loss before the first iteration.

        Raises:
            TypeError: there is no closure.
            RuntimeError: an unknown line search is asked for.
        """
        if closure is None:
            raise ArgumentTypeError("LBFGS.step() missing 1 required argument: 'closure'")
        with no_grad():
            return self._iterate(closure)

    def _iterate(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        state = self.state[self._params[0]]  # of all parameters; held by the first, in whose dtype it is loaded
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = _called(closure)
        loss, gradient = float(first_loss), self._gradient()
        state["func_evals"] += 1
        evaluations = 1
        if _greatest(gradient) <= group["tolerance_grad"]:
            return first_loss
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, gradient)
            state["d"] = direction
            state["prev_flat_grad"], state["prev_loss"] = gradient.clone(), loss
            lr = number(group["lr"])
            state["t"] = lr if state["n_iter"] > 1 else min(1.0, 1.0 / gradient.abs().sum().item()) * lr
            slope = gradient.dot(direction).item()
            if slope > -group["tolerance_change"]:
                break
            last, calls = iteration == group["max_iter"], 0
            if group["line_search_fn"] is not None:
                start = Point(0.0, loss, gradient.clone(), slope)
                step, calls = self._searched(closure, start, state["t"], direction, group["max_eval"] - evaluations)
                state["t"], loss, gradient = step.length, step.loss, step.gradient
                self._move(state["t"], direction)
            else:
                self._move(state["t"], direction)
                if not last:  # the next call of `step` begins with the loss there
                    loss, gradient, calls = float(_called(closure)), self._gradient(), 1
            evaluations += calls
            state["func_evals"] += calls
            if (
                last
                or evaluations >= group["max_eval"]
                or _greatest(gradient) <= group["tolerance_grad"]
                or _greatest(direction * state["t"]) <= group["tolerance_change"]
                or abs(loss - state["prev_loss"]) < group["tolerance_change"]
            ):
                break
        return first_loss

    def _direction(self, state: dict[str, Any], gradient: Tensor) -> Tensor:
        """Minus the approximate inverse Hessian times the gradient, after the last change is remembered (Nocedal & Wright
        2006, algorithm 7.4)."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -gradient
        size = self.param_groups[0]["history_size"]
        changes, steps, inverses = state["old_dirs"], state["old_stps"], state["ro"]
        change, moved = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        product = change.dot(moved)
        if product.item() > 1e-10:
            for memory, newest in ((changes, change), (steps, moved), (inverses, 1.0 / product)):
                if len(memory) == size:
                    memory.pop(0)
                memory.append(newest)
            state["H_diag"] = product / change.dot(change)
        weights = state.setdefault("al", [None] * size)
        direction: Tensor = -gradient
        for i in reversed(range(len(changes))):
            weights[i] = steps[i].dot(direction) * inverses[i]
            direction.sub_(changes[i] * weights[i])
        direction = direction * state["H_diag"]
        for i in range(len(changes)):
            direction.add_(steps[i] * (weights[i] - changes[i].dot(direction) * inverses[i]))
        return direction

    def _searched(
        self, closure: Callable[[], Any], start: Point, length: float, direction: Tensor, max_evaluations: int
    ) -> tuple[Point, int]:
        """Where a line search ends, and how often it called the closure; the parameters are as before."""
        if self.param_groups[0]["line_search_fn"] != "strong_wolfe":
            raise UsageError("only 'strong_wolfe' is supported")
        before = [p.clone() for p in self._params]

        def evaluate(length: float) -> Point:
            self._move(length, direction)
            loss, gradient = float(_called(closure)), self._gradient()
            for p, value in zip(self._params, before, strict=True):
                p.copy_(value)
            return Point(length, loss, gradient, gradient.dot(direction).item())

        return strong_wolfe(evaluate, start, length, _greatest(direction), max_evaluations=max_evaluations)


def _called(closure: Callable[[], Any]) -> Any:
    with enable_grad(), switched(INSIDE, False):
        return closure()


def _greatest(vector: Tensor) -> float:
    return float(vector.abs().max())
