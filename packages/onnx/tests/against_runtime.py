"""Exported models beside the modules that they were made of, at the traced sizes and at others, by onnxruntime."""

import numpy as np
import onnx
import pytest

import lamina_tensor as lt
from lamina_nn import Module
from lamina_onnx import export

runtime = pytest.importorskip("onnxruntime", reason="onnxruntime, which runs the exported models, is not installed")


def tensors(tree):
    if isinstance(tree, lt.Tensor):
        return [tree]
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [x for part in tree for x in tensors(part)] if isinstance(tree, (list, tuple)) else []


def session_of(program):
    onnx.checker.check_model(program.model_proto, full_check=True)
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(
        program.model_proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def difference(session, model, args):
    """The greatest difference of an output from the model's, over the greatest item where that is more than 1."""
    with lt.no_grad():
        expected = tensors(model(*args))
    names = [value.name for value in session.get_inputs()]
    given = session.run(None, dict(zip(names, [x.numpy() for x in tensors(args)], strict=True)))
    assert len(given) == len(expected)
    worst = 0.0
    for ours, theirs in zip(expected, given, strict=True):
        ours = ours.numpy()
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        if ours.dtype.kind in "biu":
            assert np.array_equal(ours, theirs)
            continue
        finite = np.isfinite(ours)
        assert np.array_equal(ours[~finite], theirs[~finite], equal_nan=True)
        apart = np.abs(ours[finite].astype(np.float64) - theirs[finite])
        worst = max(worst, float(apart.max(initial=0.0)) / max(1.0, float(np.abs(ours[finite]).max(initial=0.0))))
    return worst


def compared(model, *cases, opset=None, tolerance=2e-6, **names):
    """Export with the first arguments; the graph answers all of them as the model does. Gives the greatest difference.

    The tolerance is some sixteen roundings of float32, for sums of a few hundred products in another order.
    """
    if isinstance(model, Module):
        model.eval()
    session = session_of(export(model, cases[0], opset_version=opset, **names))
    worst = max(difference(session, model, args) for args in cases)
    assert worst <= tolerance, worst
    return worst
