"""Call plans: calls that are repeated without Python are the calls that Python makes, and what a plan does not settle is left to it."""

import signal
import threading

import pytest

import lamina_tensor as lt
from lamina_flatarray import Device, backends, dtypes
from lamina_flatarray.instruments import count_ops
from lamina_flatarray.twins import compiled
from lamina_tensor import linalg as LINALG
from lamina_tensor.transforms.func import grad
from lamina_tensor.transforms.function import Function
from lamina_tensor.transforms.mapping.vmap import vmap

frames = pytest.importorskip("lamina_testkit.frames", reason="frames are counted by the kit").frames

pytestmark = pytest.mark.skipif(compiled is None, reason="without the compiled twins no call has a plan")


@pytest.fixture(autouse=True)
def planned_at_once():
    """A plan is looked for at the second call of a form, and there is none from before."""
    compiled.forget_plans()
    before = compiled.plan_calls_after(1)
    yield
    compiled.plan_calls_after(before)


def is_repeated(call):
    """Call it until it has a plan, if it gets one; whether it has."""
    for _ in range(3):
        call()
    return not [name for name in frames(call) if "<lambda>" not in name]


X, ROWS, MASK = lt.arange(12.0), lt.arange(12.0).reshape(3, 4), lt.arange(12) > 4
SHAPE, DEVICE = ROWS.shape, X.device
WANTING = lt.arange(12.0).requires_grad_()
PLANNED = {
    "a reduction": lambda: X.sum(),
    "by keywords": lambda: lt.sum(ROWS, dim=1, keepdim=True),
    "two results": lambda: ROWS.max(1),
    "a view": lambda: X[2:5],
    "several views": lambda: ROWS.chunk(2),
    "of several tensors": lambda: lt.cat([X, X * 2]),
    "made of numbers": lambda: lt.full((3,), 2.5),
    "of a tensor's shape and device": lambda: lt.zeros(SHAPE, device=DEVICE, dtype=X.dtype),
    "drawn": lambda: lt.rand(3),
    "two kernels": lambda: lt.logsumexp(ROWS, 1),
    "recorded": lambda: WANTING.sum(),
    "a recorded view": lambda: WANTING[2:5],
    "two nodes": lambda: lt.diff(WANTING).sum(),
    "with a mask": lambda: X.masked_fill(MASK, 0.0),
}


@pytest.mark.parametrize("name", PLANNED)
def test_a_repeated_call_runs_no_python(name):
    assert is_repeated(PLANNED[name])
    lt.manual_seed(5)
    again = PLANNED[name]()
    compiled.plan_calls_after(1000)
    compiled.forget_plans()
    lt.manual_seed(5)
    expected = PLANNED[name]()
    assert type(again) is type(expected)
    for mine, theirs in zip(again, expected, strict=True) if isinstance(expected, tuple) else [(again, expected)]:
        assert lt.equal(mine, theirs)
        known = [(x.stride(), x.dtype, x._version, x._is_view(), type(x.grad_fn)) for x in (mine, theirs)]
        assert known[0] == known[1]


def test_gradients_flow_from_a_repeated_call():
    rows = lambda x: (x.reshape(3, 4).max(1)[0] * 2).sum()
    for call in (lambda x: x.sum(), lambda x: x[2:5].sum(), lambda x: lt.cat([x, x]).sum(), rows):
        gradients = []
        for _ in range(4):
            x = lt.arange(12.0).requires_grad_()
            gradients += lt.grad(call(x), x)
        assert all(lt.equal(gradient, gradients[0]) for gradient in gradients)


def test_the_two_operands_of_a_recorded_call_may_be_one():
    """A plan of `dot(x, x)` is none of `dot(x, y)`, nor of one whose operands share memory only."""
    x, y = (lt.arange(4.0).requires_grad_() for _ in range(2))
    same = x.detach().requires_grad_()
    for _ in range(4):
        for a, b in ((x, x), (x, y), (x, same), (y, x)):
            got = lt.grad(lt.dot(a, b), [a] if a is b else [a, b])
            assert [g.tolist() for g in got] == ([[0, 2, 4, 6]] if a is b else [[0, 1, 2, 3]] * 2)


def test_what_items_of_arguments_decide_has_no_plan():
    length = lt.tensor(3)
    for call in (lambda: X[:length], lambda: lt.full((length,), 1.0)):
        assert not is_repeated(call)


def test_what_was_read_of_results_must_come_again():
    """A factorization is repeated as long as it succeeds, and what a mask takes as long as it takes as many."""
    matrix = lt.eye(3) * 2
    for call in (lambda: LINALG.cholesky(matrix), lambda: LINALG.inv(matrix), lambda: X[MASK], lambda: lt.nonzero(X)):
        call()
        has_plan = is_repeated(call)
        assert has_plan or X.array.flat.kernels.read_item is None  # only a backend's own reader is called from a plan
    with pytest.raises(RuntimeError, match="cholesky"):
        LINALG.cholesky(-matrix)
    with pytest.raises(RuntimeError, match="inv"):
        LINALG.inv(matrix * 0)
    assert X[X > 8].tolist() == [9, 10, 11]
    assert lt.nonzero(X > 9).tolist() == [[10], [11]]


def test_a_plan_whose_reads_differ_is_dropped():
    for n in (*range(12), *range(12)):
        mask = n > X
        for _ in range(3):
            assert X[mask].tolist() == list(range(n))


def test_an_item_may_be_the_result():
    for _ in range(4):
        assert lt.equal(X, X)
        assert not lt.equal(X, X + 1)


def test_memory_that_no_kernel_writes_is_in_no_plan():
    """Nothing is known of it: of numbers that Python wrote, and of what is empty."""
    for _ in range(4):
        assert X.new_tensor([1.0, 2.0]).tolist() == [1, 2]
        assert lt.tensor([3, 4]).tolist() == [3, 4]
    assert not is_repeated(lambda: X.new_tensor([1.0, 2.0]))
    assert not is_repeated(lambda: lt.empty(3))


@pytest.mark.parametrize("change", [lt.Tensor.clamp_, lt.Tensor.copy_, lt.Tensor.add_, lt.Tensor.uniform_, lt.Tensor.normal_])
def test_a_call_in_place_counts_its_writes(change):
    rest = {"clamp_": (1.0, 2.0), "copy_": (ROWS,), "add_": (ROWS[:1],)}.get(change.__name__, ())
    x = lt.ones(3, 4)
    for written in (x, x[1:]):
        given = [y[: len(written)] if isinstance(y, lt.Tensor) else y for y in rest]
        for _ in range(5):
            before = x._version
            assert change(written, *given) is written
            assert x._version == before + 1


def test_a_call_in_place_looks_at_its_history():
    """What is repeated for a plain tensor is refused for a leaf that wants gradients, and for a view of one."""
    plain, leaf = lt.ones(4), lt.ones(4, requires_grad=True)
    with lt.no_grad():
        view = leaf[:]
    for _ in range(4):
        plain.clamp_(0.0, 0.5)
        for written in (leaf, view):
            with pytest.raises(RuntimeError):
                written.clamp_(0.0, 0.5)
    with lt.no_grad():
        for _ in range(4):
            assert leaf.clamp_(0.0, 0.5) is leaf
    assert leaf.detach().tolist() == [0.5] * 4


def test_methods_that_change_no_item_are_called_each_time():
    for _ in range(4):
        x = lt.ones(4)
        assert x.requires_grad_().requires_grad
        assert lt.ones(4).resize_(2).shape == (2,)
        y = lt.ones(2, 3)
        assert y.t_().shape == (3, 2)


def test_errors_are_those_of_python():
    table, places = lt.ones(3, 2), lt.tensor([0, 2])
    for _ in range(4):
        table.index_select(0, places)
    with pytest.raises(IndexError, match="index_select"):
        table.index_select(0, lt.tensor([0, 3]))


def test_the_default_dtype_is_no_part_of_a_call():
    for _ in range(4):
        lt.zeros(3)
    before = dtypes.get_default_dtype()
    dtypes.set_default_dtype("float64")
    try:
        assert lt.zeros(3).dtype == dtypes.float64
        assert lt.clamp(lt.tensor([1, 2]), 0.5).dtype == dtypes.float64
    finally:
        dtypes.set_default_dtype(before)
    assert lt.zeros(3).dtype == before


def test_a_chosen_device_is_part_of_a_call():
    for _ in range(4):
        lt.zeros(3)
    with Device("meta"):
        assert lt.zeros(3).device.type == "meta"
    assert lt.zeros(3).device.type == "cpu"


def test_a_kernel_that_is_exchanged_is_called():
    assert is_repeated(lambda: X.sum())
    name = X.array.backend.name

    def sum(out, x, *, axes):
        x.flat.kernels["max"](out, x, axes=axes)

    with backends.override(name, "sum", ["float32"], sum):
        assert X.sum().item() == 11
    assert X.sum().item() == 66


def test_instruments_see_the_kernels_of_a_repeated_call():
    assert is_repeated(lambda: X.sum())
    with count_ops() as counts:
        X.sum()
    assert counts["sum"] == 1


def test_mapped_and_transformed_calls_are_made_by_python():
    for _ in range(3):
        assert lt.rand(3).shape == (3,)
        assert lt.equal(vmap(lambda row: row.sum())(ROWS), ROWS.sum(1))
        assert vmap(lambda row: lt.rand(3), randomness="different")(ROWS).shape == (3, 3)
        assert grad(lambda x: x.sum())(X).tolist() == [1.0] * 12


def test_a_plan_serves_other_tensors_of_a_form():
    assert is_repeated(lambda: X.sum())
    other = lt.ones(12)
    assert [name for name in frames(lambda: other.sum()) if "<lambda>" not in name] == []
    assert other.sum().item() == 12
    assert other.double().sum().dtype == dtypes.float64
    assert ROWS.t().sum(0).tolist() == [6, 22, 38]


def test_more_forms_than_there_is_room_for():
    for _ in range(4):
        for n in range(1, 100):
            assert lt.arange(n).sum().item() == n * (n - 1) // 2


def test_numbers_of_other_kinds_are_other_forms():
    x = lt.tensor([1, 5])
    for _ in range(4):
        assert x.clamp(max=3).dtype == dtypes.int64
        assert x.clamp(max=3.0).dtype == dtypes.float32
        assert lt.full((1,), True).dtype == dtypes.bool
        assert lt.full((1,), 1).dtype == dtypes.int64
        assert str(lt.full((1,), 0.0).item()) == "0.0"
        assert str(lt.full((1,), -0.0).item()) == "-0.0"


def test_threads_repeat_each_their_own_calls():
    wrong = []

    def work(n):
        x = lt.full((n,), 1.0)
        wrong.extend(1 for _ in range(300) if x.sum().item() != n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def chained(x, y, n):
    for _ in range(n):
        x = (x * y + y).tanh()
    return x.sum()


def test_a_backward_pass_runs_no_python_for_each_node():
    x, y = (lt.arange(12.0, requires_grad=True) for _ in range(2))
    for _ in range(6):
        chained(x, y, 8).backward()
    entered = []
    for n in (2, 8):
        loss = chained(x, lt.ones(12), n)
        entered.append(frames(lambda loss=loss: loss.backward(retain_graph=True)))
    assert entered[0] == entered[1]


def test_gradients_from_plans_are_those_of_rules():
    """Also where nodes with hooks, with several results, and with a gradient that is added within another, come between."""
    seen = []

    def loss(x, w):
        a = (x @ w).relu()
        a.register_hook(lambda g: seen.append(g) or g * 2)
        values, _ = a.sort(1)
        first, *rest = values.unbind(1)
        return (first * values[:, 0]).sum() + sum((part / (part.abs() + 1)).sum() for part in rest) + (w * x.mean()).exp().mean()

    gradients = []
    for _ in range(5):
        lt.manual_seed(3)
        x, w = lt.randn(4, 6, requires_grad=True), lt.randn(6, 5, requires_grad=True)
        loss(x, w).backward()
        gradients.append((x.grad, w.grad, seen.pop()))
    for of_a_pass in gradients[1:]:
        assert all(lt.equal(mine, first) for mine, first in zip(of_a_pass, gradients[0], strict=True))


def test_a_plan_of_a_rule_is_one_for_its_layouts():
    for shape in ((3, 4), (1, 4), (3, 1), (4,)):
        for _ in range(3):
            x, y = lt.ones(3, 4).requires_grad_(), lt.full(shape, 2.0).requires_grad_()
            (x * y).sum().backward()
            assert x.grad.tolist() == [[2.0] * 4] * 3
            assert y.grad.shape == lt.Size(shape)
            assert y.grad.sum().item() == 12


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_a_signal_ends_a_pass():
    """Also where no Python runs between nodes: those after it are not passed."""

    class Ended(Exception):
        pass

    def end(number, frame):
        raise Ended

    y = first = lt.ones(3, requires_grad=True) * 1.5
    for _ in range(100_000):
        y = y * 0.5
    loss, before = y.sum(), signal.signal(signal.SIGVTALRM, end)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.005)
        with pytest.raises(Ended):
            loss.backward()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert first.grad_fn.saved is not None
    assert not lt.is_inference_mode_enabled()
    assert lt.is_grad_enabled()


def test_errors_of_passes_name_the_node():
    x = lt.ones(3, requires_grad=True)
    for _ in range(4):
        y = x.exp()
        loss = (y * 2).sum()
        with lt.no_grad():
            y.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation") as caught:
            loss.backward()
        assert any("ExpBackward0" in note for note in caught.value.__notes__)
        loss = (x.exp() * 2).sum()
        loss.backward()
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()


def test_an_error_in_a_gradient_names_the_node():
    class Failing(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("no gradient today")

    x = lt.ones(3, requires_grad=True)
    with pytest.raises(ValueError, match="no gradient today") as caught:
        (Failing.apply(x * 3) * 2).sum().backward()
    assert any("FailingBackward" in note for note in caught.value.__notes__)
