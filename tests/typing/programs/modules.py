"""Modules: subclasses with layers, parameters and buffers, and the walks over them."""

from typing import assert_type

import lamina as torch
import lamina.nn.functional as F
from lamina import Tensor, nn


class Net(nn.Module):
    def __init__(self, hidden: int = 8) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList([nn.Linear(hidden, hidden) for _ in range(2)])
        self.out = nn.Linear(hidden, 3)
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.norm(self.conv(x)))
        x = F.adaptive_avg_pool2d(x, 4).flatten(1)[:, : self.out.in_features]
        for layer in self.layers:
            x = torch.relu(layer(x))
        x = self.dropout(x)
        result: Tensor = self.out(x) * self.scale
        return result


model = Net()
logits: Tensor = model(torch.randn(2, 1, 8, 8))
assert_type(model.scale, nn.Parameter)
assert_type(model.scale * 2, Tensor)
assert_type(model.conv, nn.Conv2d)
assert_type(model.out.weight.shape, torch.Size)
assert_type(model.out.in_features, int)
assert_type(model.training, bool)
assert_type(model.train(), Net)
assert_type(model.eval(), Net)
assert_type(model.to("cpu"), Net)
assert_type(model.requires_grad_(True), Net)

for parameter in model.parameters():
    assert_type(parameter, nn.Parameter)
for name, parameter in model.named_parameters():
    assert_type(name, str)
    assert_type(parameter.grad, Tensor | None)
for module in model.modules():
    assert_type(module, nn.Module)
for name, child in model.named_children():
    assert_type(name, str)
    assert_type(child, nn.Module)
count = sum(p.numel() for p in model.parameters() if p.requires_grad)
assert_type(count, int)


def initialize(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)


model.apply(initialize)
assert_type(F.softmax(logits, dim=-1), Tensor)
