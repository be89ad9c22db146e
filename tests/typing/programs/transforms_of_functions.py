"""Functions of functions: `vmap`, `grad`, `jacrev`, and calling a module with other parameters."""

from typing import assert_type

import lamina as torch
from lamina import Tensor, nn
from lamina.func import functional_call, grad, jacrev, vmap


def energy(x: Tensor) -> Tensor:
    return (x**2).sum()


x = torch.arange(6.0).reshape(2, 3)
slope: Tensor = grad(energy)(x)
each: Tensor = vmap(energy)(x)
slopes: Tensor = vmap(grad(energy), in_dims=0)(x)
jacobian: Tensor = jacrev(torch.sin)(x[0])
assert torch.allclose(slopes, 2 * x)

layer = nn.Linear(3, 2)
parameters = {name: value.detach() for name, value in layer.named_parameters()}
output: Tensor = functional_call(layer, parameters, (x,))
assert_type(energy(output), Tensor)
jacobian_of_energy = torch.autograd.functional.jacobian(energy, x)
