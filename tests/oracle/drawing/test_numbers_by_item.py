"""Numbers whose parameters are given item by item, and that take as many draws as chance asks for: PyTorch's bits, and its stream."""

import numpy as np
import pytest
import torch

import lamina
import lamina_ndarray as nd

DISTRIBUTIONS = {
    "_standard_gamma": (lambda a: lamina.Tensor(nd.standard_gamma(a.array)), (0.0, 1e-40, 1e-4, 0.3, 0.999, 1.0, 2.5, 40.0)),
    "poisson": (lamina.poisson, (0.0, 0.5, 3.0, 9.5, 10.0, 60.0)),
    "binomial": (lamina.binomial, (0.0, 5.0, 30.0, 300.0, 7.0), (0.5, 0.0, 0.25, 0.75, 1.0)),
}
"""By PyTorch's name: ours, and the parameters of items, over and over."""
CASES = [(name, dtype) for name in DISTRIBUTIONS for dtype in ("float64", "float32")]
CASES += [("poisson", "float16"), ("poisson", "bfloat16")]  # the others PyTorch refuses in 16 bits


@pytest.mark.parametrize("size", [1, 7, 5000])
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_the_same_bits(name, dtype, size):
    draw, *parameters = DISTRIBUTIONS[name]
    given = [np.resize(p, size) for p in parameters]
    torch.manual_seed(5)
    lamina.manual_seed(5)
    expected = getattr(torch, name)(*[torch.tensor(p).to(getattr(torch, dtype)) for p in given])
    found = draw(*[lamina.tensor(p).to(getattr(lamina, dtype)) for p in given])
    if name == "_standard_gamma":  # which PyTorch keeps above 0
        found = found.clamp(min=torch.finfo(expected.dtype).tiny)
    np.testing.assert_array_equal(found.double().numpy(), expected.double().numpy())
    np.testing.assert_array_equal(lamina.rand(3).numpy(), torch.rand(3).numpy())


@pytest.mark.parametrize("name", ["Gamma", "Beta", "Chi2", "StudentT", "Dirichlet", "Poisson"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_samples_are_the_same_bits(name, dtype):
    def drawn(m):
        m.manual_seed(3)
        shapes = m.linspace(0.2, 7.0, 60, dtype=getattr(m, dtype)).reshape(20, 3)
        given = (shapes, shapes.flip(0)) if name in ("Gamma", "Beta") else (shapes,)
        return getattr(m.distributions, name)(*given).sample((5,)).numpy()

    np.testing.assert_array_equal(drawn(lamina), drawn(torch))
