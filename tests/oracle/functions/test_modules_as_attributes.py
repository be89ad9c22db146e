"""Modules that are attributes of others: programs spell `torch.nn.functional.grad` and `torch.functional.norm`."""

import operator

import pytest
import torch

import lamina

PATHS = {  # an attribute -> the module that it is
    "functional": "functional",
    "nn.functional.grad": "nn.grad",
    "nn.utils.parametrizations.parametrize": "nn.utils.parametrize",
    "storage": "storage",
    "windows": "signal.windows",
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("library", [torch, lamina], ids=["torch", "lamina"])
def test_it_is_the_module_of_that_name(library, path):
    found = operator.attrgetter(path)(library)
    assert found.__name__ == f"{library.__name__}.{PATHS[path]}"
    assert found is operator.attrgetter(PATHS[path])(library)


def test_it_has_the_objects_of_the_module_above():
    for library in (torch, lamina):
        assert library.functional.einsum is library.einsum
        assert library.storage.UntypedStorage is library.UntypedStorage
    assert not hasattr(lamina, "nested")  # of which there is nothing here
