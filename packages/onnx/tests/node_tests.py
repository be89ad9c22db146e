"""The node tests of the `onnx` package: which of them a loaded model passes, and the page that tells so.

Run by hand, it writes `docs/look-up/onnx-ops.md`; `test_nodes.py` compares the page with what it finds.
"""

import importlib
import re
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case import node as cases
from onnx.backend.test.loader import load_model_tests

import lamina_tensor as lt
from lamina_onnx import UnsupportedOperatorError, load

PAGE = Path(__file__).parents[3] / "docs" / "look-up" / "onnx-ops.md"
PASSED, REFUSED, DTYPE, DIFFERS = "passed", "refused", "dtype", "differs"


def of_modules(names):
    """The tests that some modules of the `onnx` package make, without all others, which take their time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the arithmetic in them
        for name in names:
            importlib.import_module(f"onnx.backend.test.case.node.{name}")
        return list(cases._NodeTestCases)


def every():
    """All tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_model_tests(kind="node")


def array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def outcome(case):
    """Whether the loaded model answers as the test says, by the test's own tolerance; and what is said where it does not."""
    try:
        model = load(case.model)
        try:
            inputs = [[lt.tensor(array(x)) for x in inputs] for inputs, _ in case.data_sets]
        except TypeError as error:  # of 4 bits, or a string
            return DTYPE, str(error)
        for given, (_, expected) in zip(inputs, case.data_sets, strict=True):
            with lt.no_grad():
                answered = model(*given)
            answered = answered if isinstance(answered, tuple) else (answered,)
            assert len(answered) == len(expected)
            for ours, theirs in zip(answered, map(array, expected), strict=True):
                ours = ours.numpy()
                assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
                if theirs.dtype.kind in "biu":
                    np.testing.assert_array_equal(ours, theirs)
                else:
                    np.testing.assert_allclose(
                        ours.astype(np.float64), theirs.astype(np.float64), rtol=case.rtol, atol=case.atol
                    )
    except UnsupportedOperatorError as error:
        return REFUSED, str(error)
    except AssertionError as error:
        return DIFFERS, str(error)
    return PASSED, ""


def op_of(case):
    """The op that a test is of: that of its only node; for a function written out, the one that it stands for."""
    nodes = case.model.graph.node
    named = re.match(r"([A-Z]\w*?)_test_", nodes[0].name)
    return named[1] if named else nodes[-1].op_type if len(nodes) == 1 else "several"


def page(found):
    """The page, of the outcomes by test."""
    by_op = defaultdict(list)
    for case, (kind, _) in found:
        by_op[op_of(case)].append(kind)
    total = sum(kind == PASSED for _, (kind, _) in found)
    count = {kind: sum(k == kind for _, (k, _) in found) for kind in (REFUSED, DTYPE, DIFFERS)}
    others = {REFUSED: "refused", DTYPE: "of a dtype that lamina lacks", DIFFERS: "differ"}
    rows = []
    for op, kinds in sorted(by_op.items()):
        told = ", ".join(f"{kinds.count(kind)} {what}" for kind, what in others.items() if kind in kinds)
        rows.append(f"| {op} | {kinds.count(PASSED)} | {len(kinds)} | {told} |")
    return (
        "# ONNX ops\n\n"
        f"The node tests of the `onnx` package, release {onnx.__version__}: a model that `load` reads passes {total} of {len(found)}. "
        f"{count[REFUSED]} are refused by name, {count[DTYPE]} have inputs of a dtype that lamina lacks (strings, and numbers of 2 or 4 "
        f"bits), and {count[DIFFERS]} differ, by a rounding of float16 or bfloat16, which the tests compare as closely as float32.\n\n"
        "`packages/onnx/tests/node_tests.py` writes this page, and `nox -s onnx` compares it. *several* are tests of graphs of several "
        "nodes.\n\n| op | passed | of | others |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


if __name__ == "__main__":
    found = [(case, outcome(case)) for case in every()]
    PAGE.write_text(page(found))
    for case, (kind, why) in found:
        if kind == DIFFERS or ("--all" in sys.argv and kind != PASSED):
            print(case.name, kind, why.replace("\n", " ")[:200])
