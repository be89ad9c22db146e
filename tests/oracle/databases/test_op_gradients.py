"""Every op that PyTorch differentiates has PyTorch's derivatives over PyTorch's op database, and can be mapped."""

import tomllib
from pathlib import Path

import pytest
from databases import op_database, op_gradients

import lamina

DIFFERENTIABLE = op_gradients.differentiable()


def _case(name, kind, dtype):
    known = op_gradients.known().get(name, {})
    reason = known.get(kind) or known.get(f"{kind}-{dtype}")
    marks = [pytest.mark.xfail(reason=reason, strict=True, raises=op_database.Difference)] if reason else []
    return pytest.param(name, dtype, id=f"{name}-{dtype}", marks=marks)


NOTHING = {
    "second": {"nn.functional.ctc_loss"},
    "vmap": {
        "allclose", "arange", "equal", "eye", "full", "linspace", "logspace", "nonzero", "ones", "pca_lowrank", "scalar_tensor",
        "svd_lowrank", "tril_indices", "triu_indices", "unique", "unique_consecutive", "zeros",
    },
}  # fmt: skip
"""Kind -> entries of which nothing can be compared: no tensor goes in, or none comes out, or PyTorch itself refuses."""


def _ask(name, kind, dtype):
    assert (op_gradients.check(name, kind, dtype) > 0) != (name in NOTHING.get(kind, ())), "what was compared"


def _cases(kind):
    return [_case(*case) for case in op_gradients.cases() if case[1] == kind]


KNOWN = tomllib.loads(Path(__file__).with_name("known_differences.toml").read_text())
ENTRIES = {name: info for name, info in op_database.everything().items() if name not in KNOWN["absent"]}


def _history(name):
    reason = KNOWN["history"].get(name)
    return pytest.param(name, marks=[pytest.mark.xfail(reason=reason, strict=True, raises=op_database.Difference)] if reason else [])


@pytest.mark.parametrize("name", list(map(_history, ENTRIES)))
def test_what_requires_grad_in_pytorch_does_here(name):
    op_gradients.check_history(ENTRIES[name])


@pytest.mark.parametrize(("name", "dtype"), _cases("gradients"))
def test_results_and_first_gradients(name, dtype):
    _ask(name, "gradients", dtype)


@pytest.mark.parametrize(("name", "dtype"), _cases("second"))
def test_second_gradients(name, dtype):
    _ask(name, "second", dtype)


@pytest.mark.parametrize(("name", "dtype"), _cases("forward"))
def test_forward_mode_is_the_transpose_of_reverse_mode(name, dtype):
    _ask(name, "forward", dtype)


@pytest.mark.parametrize(("name", "dtype"), _cases("vmap"))
def test_a_mapped_function_is_one_called_for_each_slice(name, dtype):
    _ask(name, "vmap", dtype)


def test_what_is_known_to_differ_is_asked():
    asked = {(name, key) for name, kind, dtype in op_gradients.cases() for key in (kind, f"{kind}-{dtype}")}
    assert {(name, kind) for name, kinds in op_gradients.known().items() for kind in kinds} <= asked


class _Lopsided(lamina.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0].cos()

    @staticmethod
    def jvp(ctx, t):
        return t * 2


WRONG = {  # each is `sin` by what the kinds before it look at
    "gradients": lambda x: x.sin().detach() + x.cos() - x.cos().detach(),
    "second": lambda x: x.sin().detach() + x.cos().detach() * (x - x.detach()),
    "forward": _Lopsided.apply,
    "vmap": lambda x: x.sin() * x.ndim,
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_answer_is_noticed(kind, monkeypatch):
    monkeypatch.setattr(op_database, "lamina_function", lambda name: WRONG[kind])
    if kind == "vmap":
        monkeypatch.setattr(lamina.func, "vmap", lambda function, in_dims: function)
    with pytest.raises(op_database.Difference):
        op_gradients.check("sin", kind, "float64")


def test_a_missing_history_is_noticed(monkeypatch):
    monkeypatch.setattr(op_database, "lamina_function", lambda name: lambda x: x.detach().sin())
    with pytest.raises(op_database.Difference, match="history"):
        op_gradients.check_history(DIFFERENTIABLE["sin"])
