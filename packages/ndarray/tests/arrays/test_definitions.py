"""Public functions are definitions: named, documented, picklable, and their examples hold."""

import doctest
import inspect
import pickle

import pytest

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS
from lamina_ndarray.elementwise import activation_gradients, activations
from lamina_ndarray.elementwise.operations import FUNCTIONS

ITEM_BY_ITEM = sorted(name for name, row in OPS.items() if row.family == "map")


@pytest.mark.parametrize("name", ITEM_BY_ITEM)
def test_a_map_op_is_a_definition(name):
    function = getattr(nd, name)
    assert function is FUNCTIONS[name]
    assert function.__name__ == function.__qualname__ == name
    assert f"def {name}(" in inspect.getsource(function)
    assert pickle.loads(pickle.dumps(function)) is function
    signature = inspect.signature(function)
    assert "out" in signature.parameters and signature.return_annotation == "NDArray"
    for part in ("Args:", "Returns:", "Raises:", f">>> nd.{name}("):
        assert part in function.__doc__, part


def test_examples_hold():
    if nd.zeros(()).device.type != "cpu":
        pytest.skip("the examples print no device")
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for name, value in {**vars(nd), **vars(activations), **vars(activation_gradients)}.items():
        if name.startswith("explain"):  # texts with blank lines, which doctest takes for their end; `test_explaining` holds them
            continue
        if inspect.isfunction(value) or inspect.isclass(value):
            for test in finder.find(value, name, globs={"nd": nd}):
                runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > len(ITEM_BY_ITEM)
