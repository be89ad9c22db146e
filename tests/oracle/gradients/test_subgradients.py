"""The published table of subgradients is PyTorch's."""

import math

import pytest
import torch
from gradients import subgradients_page


class Names(dict):
    """Tensors by name, and functions of PyTorch."""

    def __missing__(self, name):
        return getattr(torch, name)


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("point", subgradients_page.points(), ids=lambda point: f"{point['call']} at {point['x']}")
def test_pytorch_has_this_subgradient(point):
    tensors = {n: torch.tensor(point[n], dtype=torch.float64, requires_grad=True) for n in ("x", "y") if n in point}
    eval(point["call"], {}, Names(tensors, inf=math.inf)).sum().backward()
    for name, tensor in tensors.items():
        wanted = torch.tensor(point[f"{name}_gradient"], dtype=torch.float64)
        torch.testing.assert_close(tensor.grad, wanted, equal_nan=True)


def test_the_page_is_up_to_date():
    assert subgradients_page.PAGE.read_text() == subgradients_page.page(), "cd tests/oracle && python -m gradients.subgradients_page"
