"""A name that a module lacks: the error says whether PyTorch has it, and which name comes nearest."""

import importlib
import pkgutil

import pytest

import lamina
from lamina.programs.respelling import theirs

OURS = (
    "lamina.__main__", "lamina.absent_names", "lamina.accepted", "lamina.command_line", "lamina.commands", "lamina.launching",
    "lamina.compiled_modules", "lamina.everywhere", "lamina.module_paths", "lamina.programs", "lamina.training", "lamina.unserved_devices",
    "lamina.vision", "lamina.viz",
)  # fmt: skip
"""Modules that PyTorch has not."""

MODULES = [
    info.name
    for info in pkgutil.walk_packages(lamina.__path__, "lamina.")
    if not info.name.startswith(OURS) and not info.name.endswith(".tensorboard")
]


@pytest.mark.parametrize("name", ["lamina", *MODULES])
def test_every_module_says_so(name):
    module = importlib.import_module(name)
    full = f"{theirs(name)}.linera"
    says = f"^{full}: (PyTorch has no such name, nor has lamina|lamina has no such private name|"
    says += "no op in this namespace|lamina has of torchvision some)"
    with pytest.raises(AttributeError, match=says):
        _ = module.linera
    with pytest.raises(ImportError, match="cannot import name 'linera'"):  # Python's own words
        exec(f"from {name} import linera")
    assert not hasattr(module, "linera")
    with pytest.raises(AttributeError, match="has no attribute '__path_of__'"):
        _ = module.__path_of__


@pytest.mark.parametrize("name", MODULES)
def test_every_module_lists_its_names(name):
    module = importlib.import_module(name)
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, listed) for listed in module.__all__)


@pytest.mark.parametrize(
    ("place", "name", "nearest"),
    [
        ("nn", "Linera", "Linear"), ("nn.functional", "sofmax", "softmax"), ("optim", "Adm", "Adam"),
        ("linalg", "nrom", "norm"), ("fft", "ftt", "fft"), ("distributions", "Norml", "Normal"),
        ("utils.data", "DataLodaer", "DataLoader"), ("nn.utils", "pramaters_to_vector", "parameters_to_vector"),
    ],
)  # fmt: skip
def test_the_nearest_name(place, name, nearest):
    with pytest.raises(AttributeError, match=f"nor has lamina; the nearest name is '{nearest}'$"):
        getattr(importlib.import_module(f"lamina.{place}"), name)


def test_what_pytorch_has():
    with pytest.raises(AttributeError, match=r"^torch\.package: PyTorch has it, lamina not yet"):
        _ = lamina.package
    with pytest.raises(AttributeError, match=r"^torch\.nested: PyTorch has it, lamina not yet$"):  # nothing near: it is not mistyped
        _ = lamina.nested
    with pytest.raises(AttributeError, match=r"^torch\.optim\.Linear: PyTorch has no such name"):  # of another module
        _ = lamina.optim.Linear
    with pytest.raises(AttributeError, match=r"^torch\._inductor: PyTorch has it, lamina not yet$"):
        _ = lamina._inductor
    with pytest.raises(AttributeError, match=r"^torch\._no_such_thing: lamina has no such private name$"):
        _ = lamina._no_such_thing
