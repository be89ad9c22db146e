"""Losses, as modules and as functions."""

from typing import assert_type

import lamina as torch
import lamina.nn.functional as F
from lamina import Tensor, nn

logits = torch.randn(4, 3, requires_grad=True)
classes = torch.tensor([0, 2, 1, 1])
target = torch.randn(4, 3)

assert_type(F.cross_entropy(logits, classes), Tensor)
assert_type(F.cross_entropy(logits, classes, reduction="none", label_smoothing=0.1), Tensor)
assert_type(F.mse_loss(logits, target), Tensor)
assert_type(F.l1_loss(logits, target, reduction="sum"), Tensor)
assert_type(F.smooth_l1_loss(logits, target), Tensor)
assert_type(F.nll_loss(F.log_softmax(logits, dim=1), classes), Tensor)
assert_type(F.binary_cross_entropy_with_logits(logits, torch.rand(4, 3)), Tensor)
assert_type(F.kl_div(F.log_softmax(logits, 1), F.softmax(target, 1), reduction="batchmean"), Tensor)

criterion: nn.Module = nn.CrossEntropyLoss(weight=torch.ones(3), ignore_index=-100)
loss: Tensor = criterion(logits, classes)
assert_type(loss.backward(), None)
value: float = loss.item()
mean_squares = nn.MSELoss()
error: Tensor = mean_squares(logits, target)
losses: list[float] = []
losses.append(error.item())
assert_type(sum(losses) / len(losses), float)
