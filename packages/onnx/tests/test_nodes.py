"""The official tests of ops: those of the ops that `export` writes; all of them, and the page about them, where it is asked for."""

import os

import pytest

pytest.importorskip("onnx.backend.test", reason="the onnx package brings no tests")
from node_tests import DIFFERS, PAGE, PASSED, every, of_modules, op_of, outcome, page

WHOLE = "LAMINA_ONNX_WHOLE" in os.environ
# By the modules of the onnx package's tests; not those of pooling, which take seconds to be made.
QUICK = [
    "add", "argmax", "batch_normalization", "clip", "concat", "constantofshape", "conv", "convtranspose", "cumsum",
    "div", "einsum", "expand", "gather", "gatherelements", "gathernd", "gemm", "groupnormalization", "gru",
    "instance_normalization", "layernormalization", "lrn", "lstm", "matmul", "mod", "onehot", "pad", "pow",
    "rangeop", "reducemax", "reducemean", "reducesum", "reshape", "resize", "rnn", "scatterelements", "scatternd",
    "shape", "slice", "softmax", "split", "squeeze", "tile", "topk", "transpose", "trilu", "unsqueeze", "where",
]  # fmt: skip
ROUNDED = ("fp16", "bf16")  # of tests that allow a thousandth where one rounding is more


def test_ops_that_export_writes():
    found = [(case.name, outcome(case)) for case in of_modules(QUICK)]
    assert len(found) > 250
    assert not [f for f in found if f[1][0] == DIFFERS]
    assert sum(kind == PASSED for _, (kind, _) in found) > 0.97 * len(found)


@pytest.mark.skipif(not WHOLE, reason="takes half a minute: LAMINA_ONNX_WHOLE=1, or nox -s onnx, asks for it")
def test_every_op():
    found = [(case, outcome(case)) for case in every()]
    assert not [
        case.name for case, (kind, _) in found if kind == DIFFERS and not any(part in case.name for part in ROUNDED)
    ]
    assert page(found) == PAGE.read_text()
    assert {op_of(case) for case, (kind, _) in found if kind == PASSED} >= {
        "Conv",
        "LSTM",
        "Attention",
        "Resize",
        "Loop",
    }
