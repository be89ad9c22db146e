"""The kit itself: every op has inputs, and the toy backend carries the whole stack."""

import pytest

from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.ops import OPS, Op
from lamina_testkit.cases import cases_of
from lamina_testkit.checking import check
from lamina_testkit.samples import MAKERS
from lamina_testkit.toy import ToyBackend


@pytest.fixture(scope="module")
def toy():
    backend = ToyBackend()
    registry.register(backend)
    yield backend
    registry.unregister("toy")


def test_toy_has_the_required_kernels_only(toy):
    assert set(toy.capabilities()) == {name for name, row in OPS.items() if row.required}
    assert len(toy.capabilities()) <= 40


FLOAT32 = [case for case in cases_of() if case.dtype.name == "float32" and case.row.family != "copy"]


@pytest.mark.parametrize("case", FLOAT32, ids=str)
def test_decompositions_agree_with_the_reference(case, toy):
    assert origin(toy, case.op, case.dtype) == ("native" if case.row.required else "derived")
    assert check(case, toy) > 0


OF_OTHER_KINDS = [
    case for case in cases_of()
    if case.dtype.name in ("bool", "int8", "float16", "complex64") and not case.row.required
    and case.op in ("abs", "sign", "expm1", "sinh", "isinf", "isfinite", "fmod", "remainder", "trunc_divide", "var", "two_norm", "cumprod")
]  # fmt: skip


@pytest.mark.parametrize("case", OF_OTHER_KINDS, ids=str)
def test_decompositions_serve_every_kind_of_dtype(case, toy):
    """Booleans, narrow integers and complex numbers take other ways than float32."""
    assert check(case, toy) > 0


def test_toy_trains_a_network(toy):
    """The same network, data and steps as on the reference: the same losses."""
    import lamina_tensor as lt
    from lamina_flatarray import backends

    def losses(device):
        lt.manual_seed(3)
        x, y = lt.randn(20, 3).to(device), lt.randn(20, 1).to(device)
        w1, w2 = (lt.randn(3, 8) * 0.5).to(device), (lt.randn(8, 1) * 0.5).to(device)
        for w in (w1, w2):
            w.requires_grad_()
        seen = []
        for _ in range(15):
            loss = ((lt.Tensor.tanh(x @ w1) @ w2 - y) ** 2).mean()
            loss.backward()
            seen.append(loss.item())
            with lt.no_grad():
                for w in (w1, w2):
                    w -= w.grad * 0.1
                    w.grad = None
        return seen

    with backends.use_backend("numpy"):
        expected = losses("cpu")
    assert losses("toy") == pytest.approx(expected, rel=1e-5)
    assert expected[-1] < 0.7 * expected[0]


def test_every_op_says_how_inputs_are_made_for_it():
    """By a maker of the kit, each of which some op names; or by tests of its own."""
    named = {row.samples for row in OPS.values()}
    assert named == set(MAKERS) | {"apart"}
    apart = [row for row in OPS.values() if row.samples == "apart"]
    assert {row.family for row in apart if row.rule != "update"} == {"copy", "gather", "linalg", "random"}


@pytest.mark.parametrize("missing", ["samples", "aten"])
def test_a_fused_op_that_does_not_say_it_is_refused(missing):
    said = {"samples": "elementwise", "aten": ""}
    with pytest.raises(ValueError, match="doubled"):
        Op("doubled", "fused", "x", "floating", "2 * x", **{name: text for name, text in said.items() if name != missing})
