"""Optimizers and schedulers of each kind, their groups and their state."""

from typing import Any, assert_type

import lamina as torch
from lamina import Tensor, nn, optim
from lamina.optim import lr_scheduler

layer = nn.Linear(3, 1)
target = torch.zeros(2, 1)


def loss_of(x: Tensor) -> Tensor:
    prediction: Tensor = layer(x)
    return (prediction - target).pow(2).mean()


groups: list[dict[str, Any]] = [{"params": [layer.weight], "lr": 0.1}, {"params": [layer.bias]}]
optimizers: list[optim.Optimizer] = [
    optim.SGD(groups, lr=0.01, momentum=0.9, nesterov=True),
    optim.Adam(layer.parameters(), lr=1e-3),
    optim.RMSprop(layer.parameters()),
    optim.Adagrad(layer.parameters()),
]
for optimizer in optimizers:
    optimizer.zero_grad(set_to_none=True)
    loss_of(torch.ones(2, 3)).backward()
    assert_type(optimizer.step(), None)
    for group in optimizer.param_groups:
        rate: float = group["lr"]
        group["lr"] = rate * 0.5
    state: dict[str, Any] = optimizer.state_dict()
    optimizer.load_state_dict(state)

lbfgs = optim.LBFGS(layer.parameters(), max_iter=2)


def closure() -> float:
    lbfgs.zero_grad()
    loss = loss_of(torch.ones(2, 3))
    loss.backward()
    return loss.item()


lbfgs.step(closure)

sgd = optim.SGD(layer.parameters(), lr=0.1)
warm = lr_scheduler.LinearLR(sgd, start_factor=0.1, total_iters=2)
then = lr_scheduler.StepLR(sgd, step_size=2, gamma=0.5)
schedulers: list[lr_scheduler.LRScheduler] = [
    lr_scheduler.SequentialLR(sgd, [warm, then], milestones=[2]),
    lr_scheduler.LambdaLR(sgd, lambda epoch: 0.9**epoch),
    lr_scheduler.OneCycleLR(sgd, max_lr=0.1, total_steps=10),
]
for scheduler in schedulers:
    sgd.step()
    scheduler.step()
plateau = lr_scheduler.ReduceLROnPlateau(sgd, mode="min", patience=1)
plateau.step(1.0)
