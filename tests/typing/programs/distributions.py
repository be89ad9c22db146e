"""Distributions: drawing, densities, and how far apart they are."""

from typing import assert_type

import lamina as torch
from lamina import Tensor
from lamina.distributions import (
    Bernoulli,
    Categorical,
    Distribution,
    Independent,
    MultivariateNormal,
    Normal,
    kl_divergence,
)

normal = Normal(torch.zeros(3), torch.ones(3))
assert_type(normal.sample(), Tensor)
assert_type(normal.sample(torch.Size((2,))), Tensor)
assert_type(normal.rsample(), Tensor)
assert_type(normal.log_prob(torch.zeros(3)), Tensor)
assert_type(normal.entropy(), Tensor)
assert_type(normal.mean, Tensor)
assert_type(normal.stddev, Tensor)
assert_type(normal.batch_shape, torch.Size)
assert_type(kl_divergence(normal, Normal(0.0, 2.0)), Tensor)

choice = Categorical(logits=torch.randn(4, 3))
action = choice.sample()
assert_type(action, Tensor)
loss = -(choice.log_prob(action) * torch.ones(4)).mean()
assert_type(loss, Tensor)

many: list[Distribution] = [
    Bernoulli(probs=torch.tensor([0.3])),
    Independent(normal, 1),
    MultivariateNormal(torch.zeros(2), covariance_matrix=torch.eye(2)),
]
for distribution in many:
    assert_type(distribution.sample(), Tensor)
    assert_type(distribution.event_shape, torch.Size)
