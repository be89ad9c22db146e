"""Every schedule of step lengths, made of lamina and of PyTorch alike, and run beside each other: run it for the score."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

import lamina

__all__ = ["KINDS", "SCHEDULES", "check_schedule", "score", "unasked"]

KINDS = ("SGD", "AdamW")
"""The optimizers whose step lengths and momenta are looked at."""

Make = Callable[[Any, Any], Any]


def _sequence(lr: Any, o: Any) -> Any:
    return lr.SequentialLR(o, [lr.ConstantLR(o, 0.5, 3), lr.ExponentialLR(o, 0.9), lr.LinearLR(o, 0.5)], [7, 20])


def _chain(lr: Any, o: Any) -> Any:
    return lr.ChainedScheduler([lr.ConstantLR(o, 0.1, 9), lr.ExponentialLR(o, 0.95), lr.StepLR(o, 8, 0.5)])


SCHEDULES: dict[str, Make] = {
    "lambda": lambda lr, o: lr.LambdaLR(o, lambda epoch: 0.95**epoch),
    "lambda each": lambda lr, o: lr.LambdaLR(o, [lambda epoch: 0.95**epoch, lambda epoch: 1 / (1 + epoch)]),
    "multiplicative": lambda lr, o: lr.MultiplicativeLR(o, lambda epoch: 0.9 + 0.001 * epoch),
    "step": lambda lr, o: lr.StepLR(o, 7, 0.3),
    "milestones": lambda lr, o: lr.MultiStepLR(o, [3, 9, 9, 30], 0.4),
    "constant": lambda lr, o: lr.ConstantLR(o, 0.3, 6),
    "linear": lambda lr, o: lr.LinearLR(o, 0.2, 0.9, 30),
    "linear default": lambda lr, o: lr.LinearLR(o),
    "exponential": lambda lr, o: lr.ExponentialLR(o, 0.93),
    "polynomial": lambda lr, o: lr.PolynomialLR(o, 40, 1.7),
    "cosine": lambda lr, o: lr.CosineAnnealingLR(o, 12, 0.01),
    "restarts": lambda lr, o: lr.CosineAnnealingWarmRestarts(o, 7),
    "restarts longer": lambda lr, o: lr.CosineAnnealingWarmRestarts(o, 4, 2, 0.003),
    "cyclic": lambda lr, o: lr.CyclicLR(o, 0.01, [0.1, 0.2], 6, 9),
    "cyclic halved": lambda lr, o: lr.CyclicLR(o, [0.01, 0.02], 0.1, 5, mode="triangular2"),
    "cyclic shrunk": lambda lr, o: lr.CyclicLR(o, 0.01, 0.1, 5, mode="exp_range", gamma=0.97),
    "cyclic own": lambda lr, o: lr.CyclicLR(o, 0.01, 0.1, 5, scale_fn=lambda x: 1 / x, cycle_momentum=False),
    "one cycle": lambda lr, o: lr.OneCycleLR(o, [0.2, 0.5], total_steps=60),
    "one cycle linear": lambda lr, o: lr.OneCycleLR(o, 0.2, epochs=6, steps_per_epoch=9, anneal_strategy="linear"),
    "one cycle of three": lambda lr, o: lr.OneCycleLR(o, 0.2, total_steps=55, three_phase=True, pct_start=0.4),
    "plateau": lambda lr, o: lr.ReduceLROnPlateau(o, patience=2, cooldown=1, factor=0.5),
    "plateau max": lambda lr, o: lr.ReduceLROnPlateau(o, "max", patience=1, threshold_mode="abs", min_lr=[0.01, 0.02]),
    "sequence": _sequence,
    "chain": _chain,
    "averaging": lambda lr, o: _swa(lr).SWALR(o, [0.02, 0.05], anneal_epochs=20),
    "averaging linear": lambda lr, o: _swa(lr).SWALR(o, 0.02, anneal_epochs=7, anneal_strategy="linear"),
    "averaging at once": lambda lr, o: _swa(lr).SWALR(o, 0.02, anneal_epochs=0),
}


def _swa(lr: Any) -> Any:
    return (lamina if lr is lamina.optim.lr_scheduler else torch).optim.swa_utils


def check_schedule(name: str, kind: str) -> None:
    """Fifty epochs have the very same step lengths and momenta; state has the same names and goes both ways."""
    ours, theirs = _Run(lamina, name, kind), _Run(torch, name, kind)
    assert ours.go(25) == theirs.go(25)
    saved_here, saved_there = ours.state(), theirs.state()
    assert _names(saved_here[1]) == _names(saved_there[1])
    rest = theirs.go(25)
    assert ours.go(25) == rest
    for library, (optimizer, schedule) in ((lamina, saved_there), (torch, saved_here)):
        fresh = _Run(library, name, kind)
        fresh.schedule.load_state_dict(schedule)
        fresh.optimizer.load_state_dict(optimizer)
        fresh.epoch = 25
        assert fresh.go(25) == rest


class _Run:
    def __init__(self, library: Any, name: str, kind: str) -> None:
        params = [library.ones(2, requires_grad=True) for _ in range(2)]
        groups = [{"params": params[:1], "lr": 0.1}, {"params": params[1:], "lr": 0.05}]
        settings = {"momentum": 0.9} if kind == "SGD" else {}
        self.optimizer = getattr(library.optim, kind)(groups, **settings)
        self.schedule = SCHEDULES[name](library.optim.lr_scheduler, self.optimizer)
        self.epoch = 0

    def go(self, epochs: int) -> list[Any]:
        path = []
        for _ in range(epochs):
            self.optimizer.step()
            measure = [1 / (self.epoch % 9 + 1)] if type(self.schedule).__name__ == "ReduceLROnPlateau" else []
            self.schedule.step(*measure)
            self.epoch += 1
            groups = self.optimizer.param_groups
            momenta = [group.get("momentum", group.get("betas")) for group in groups]
            assert self.schedule.get_last_lr() == [group["lr"] for group in groups]
            path.append(([group["lr"] for group in groups], momenta))
        return path

    def state(self) -> tuple[Any, Any]:
        return self.optimizer.state_dict(), _copied(self.schedule.state_dict())


def _copied(state: Any) -> Any:
    if isinstance(state, dict) and type(state) is dict:
        return {k: _copied(v) for k, v in state.items()}
    return [_copied(v) for v in state] if isinstance(state, list) else state


def _names(state: dict[str, Any]) -> dict[str, Any]:
    inner = [_names(s) for s in state.get("_schedulers", [])]
    return {**dict.fromkeys(state), "_schedulers": inner}


def unasked() -> set[str]:
    """PyTorch's classes of schedules that none of `SCHEDULES` is made of."""
    made = [_Run(torch, name, "SGD").schedule for name in SCHEDULES]
    inside = [part for whole in made for part in getattr(whole, "_schedulers", [])]
    return {*torch.optim.lr_scheduler.__all__, "SWALR"} - {"LRScheduler", *(type(one).__name__ for one in (*made, *inside))}


def score() -> Iterator[str]:
    """How many schedules have PyTorch's trajectories, and why the others have not."""
    rest = [f"  {name}: it is not asked" for name in sorted(unasked())]
    total = len(SCHEDULES) * len(KINDS) + len(rest)
    for name in SCHEDULES:
        for kind in KINDS:
            try:
                check_schedule(name, kind)
            except Exception as error:
                rest.append(f"  {name} of {kind}: {type(error).__name__}: {' '.join(str(error).split())[:160]}")
    yield f"schedules: {total - len(rest)} of {total} trajectories agree ({len(SCHEDULES)} schedules, {len(KINDS)} optimizers)"
    yield from rest


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in score():
        print(line)
