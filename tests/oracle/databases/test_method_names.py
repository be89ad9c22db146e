"""Every method and attribute of tiers A and B is there, with its in-place twin; what is not says why."""

import pytest
import torch
from databases import coverage_page, op_database

import lamina

ABSENT = {
    **{name.removeprefix("torch.Tensor."): why for name, why in coverage_page.ABSENT.items()},
    "__cuda_array_interface__": "another protocol than DLPack, of one kind of device",
    "__torch_dispatch__": "kernels are exchanged in their tables; what derived tensors do is for __torch_function__",
    "__dlpack_c_exchange_api__": "a table of C functions of PyTorch's own",
}
"""What is not there, and why."""

NAMES = [(name, tier) for tier in "AB" for name in op_database.tiers()["methods"][tier]]
DUNDERS = [
    name for name in dir(torch.Tensor)
    if name.startswith("__") and name.endswith("__") and not hasattr(object, name) and name not in ("__module__", "__dict__", "__weakref__")
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name, _ in NAMES])
def test_it_is_there(name):
    assert hasattr(lamina.Tensor, name) != (name in ABSENT), name


@pytest.mark.parametrize("name", [name for name, _ in NAMES if hasattr(torch.Tensor, f"{name}_")])
def test_so_is_its_in_place_twin(name):
    assert hasattr(lamina.Tensor, f"{name}_"), f"{name}_"


@pytest.mark.parametrize("name", DUNDERS)
def test_operators_and_protocols(name):
    assert hasattr(lamina.Tensor, name) != (name in ABSENT), name


@pytest.mark.parametrize("name", sorted(name for name in vars(torch._C.TensorBase).keys() | vars(torch.Tensor) if name in vars(object)))
def test_what_every_object_has_is_its_own(name):
    own = {"__doc__", "__new__", "__hash__", "__init__", "__delattr__", "__getattribute__", "__setattr__"}  # as object's, or by slots
    assert name in own or getattr(lamina.Tensor, name) is not getattr(object, name)


def test_properties_are_properties():
    differing = {
        name for name, _ in NAMES
        if hasattr(lamina.Tensor, name) and callable(getattr(torch.Tensor, name)) != callable(getattr(lamina.Tensor, name))
    }  # fmt: skip
    assert not differing
