"""torch.compile: compiled calls give what eager ones give."""

import copy
import gc
import threading
import time

import pytest
from compiling.outcomes import CALLS, is_compiled, same, ways

import lamina as torch
from lamina import nn
from lamina_flatarray import backends


def small_model():
    return nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.GELU(), nn.Dropout(0.3), nn.Linear(8, 3))


def trained(compile, steps=8):
    torch.manual_seed(0)
    model = small_model()
    called = torch.compile(model) if compile else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    losses = []
    for _ in range(steps):
        x, y = torch.randn(5, 6), torch.randint(0, 3, (5,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(called(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.state_dict(), called


def test_training_is_the_same_bit_for_bit_with_draws_and_buffers():
    eager, state, _ = trained(compile=False)
    losses, compiled_state, called = trained(compile=True)
    assert is_compiled(called)
    assert losses == eager
    assert all(same(state[name], compiled_state[name]) for name in state)


@pytest.mark.parametrize("give", [lambda: torch.ones(2), object], ids=["it reads a value", "it is given what no program takes"])
def test_a_warning_names_the_line_of_the_call(give):
    f = torch.compile(lambda x: x if isinstance(x, torch.Tensor) and x.sum().item() > 0 else None)
    with pytest.warns(UserWarning, match="runs eagerly") as told:
        for _ in range(3):
            f(give())
    assert [one.filename for one in told] == [__file__]


def test_results_of_former_calls_stay():
    f = torch.compile(lambda x: x * 2 + 1)
    results = [f(torch.full((3,), float(i))) for i in range(CALLS)]
    assert is_compiled(f)
    assert [x.tolist() for x in results] == [[2.0 * i + 1] * 3 for i in range(CALLS)]


def test_backward_passes_of_several_calls_in_any_order():
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    f = torch.compile(lambda x: (w * x).tanh().sum())
    for _ in range(CALLS):
        xs = [torch.randn(3) for _ in range(3)]
        losses = [f(x) for x in xs]
        for loss, x in reversed(list(zip(losses, xs, strict=True))):
            assert same(torch.autograd.grad(loss, w)[0], torch.autograd.grad((w * x).tanh().sum(), w)[0])
    assert is_compiled(f)


def test_gradients_of_arguments_that_depend_on_each_other_are_partial():
    f = torch.compile(lambda a, b: (a * b * b).sum())
    for _ in range(CALLS):
        x = torch.randn(4, requires_grad=True)
        a = x.exp()
        b = a * 3
        (got,) = torch.autograd.grad(f(a, b), x, retain_graph=True)
        (expected,) = torch.autograd.grad((a * b * b).sum(), x)
        assert same(got, expected)
    assert is_compiled(f)


def test_some_of_several_results_are_differentiated():
    w = torch.randn(4, requires_grad=True)
    f = torch.compile(lambda x: {"double": (w * x) * 2, "roots": [(w * x).abs().sqrt(), torch.arange(3)]})
    for turn in range(9):
        x = torch.zeros(4) if turn % 3 == 0 else torch.randn(4)
        results = f(x)
        loss = results["double"].sum() if turn % 3 < 2 else results["double"].sum() + results["roots"][0].sum()
        expected = (w * x * 2).sum() if turn % 3 < 2 else (w * x * 2).sum() + (w * x).abs().sqrt().sum()
        torch.testing.assert_close(torch.autograd.grad(loss, w)[0], torch.autograd.grad(expected, w)[0])
    assert is_compiled(f)
    assert not results["roots"][1].requires_grad


def test_a_second_pass_is_refused_and_a_retained_graph_is_passed_twice():
    w = torch.ones(3, requires_grad=True)
    f = torch.compile(lambda x: (w * x).exp().sum())
    for _ in range(CALLS):
        loss = f(torch.ones(3))
    first = torch.autograd.grad(loss, w, retain_graph=True)[0]
    assert same(first, torch.autograd.grad(loss, w)[0])
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(loss, w)
    with pytest.raises(RuntimeError, match="double backward"):
        torch.autograd.grad(f(torch.ones(3)), w, create_graph=True)


def test_a_write_between_the_passes_is_found():
    w = torch.ones(3, requires_grad=True)
    f = torch.compile(lambda x: (w * x).exp().sum())
    for _ in range(CALLS):
        x = torch.ones(3)
        loss = f(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    g = torch.compile(lambda x: (w * x).tanh())
    for _ in range(CALLS):
        y = g(torch.ones(3))
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    y = g(torch.ones(3)).clone().add_(1)
    y.sum().backward()


def test_an_error_of_a_kernel_comes_as_it_does_eagerly_and_the_next_call_is_right():
    table = torch.randn(4, 2)
    f = torch.compile(lambda i: nn.functional.embedding(i, table) * 2)
    for _ in range(CALLS):
        f(torch.tensor([0, 3]))
    assert is_compiled(f)
    with pytest.raises(IndexError):
        f(torch.tensor([0, 9]))
    assert same(f(torch.tensor([1, 2])), table[torch.tensor([1, 2])] * 2)


def test_values_that_are_checked_are_checked_in_each_call():
    f = torch.compile(lambda x, y: nn.functional.binary_cross_entropy(x.sigmoid() * 2, y), fullgraph=True)
    y = torch.tensor([0.0, 1.0])
    for _ in range(CALLS):
        x = torch.tensor([-1.0, -2.0], requires_grad=True)
        f(x, y).backward()
        got, x.grad = x.grad, None
        nn.functional.binary_cross_entropy(x.sigmoid() * 2, y).backward()
        assert same(got, x.grad)
    assert is_compiled(f)
    for bad in ((torch.tensor([-1.0, 3.0], requires_grad=True), y), (x, torch.tensor([0.0, 2.0]))):
        with pytest.raises(RuntimeError, match="should be between 0 and 1"):
            f(*bad)
    assert same(f(x, y), nn.functional.binary_cross_entropy(x.sigmoid() * 2, y))


def test_a_function_of_a_module_within_a_larger_one():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
    inner = torch.compile(model[2])
    for _ in range(CALLS):
        x = torch.randn(3, 4)
        inner(model[1](model[0](x))).pow(2).sum().backward()
        got = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        model(x).pow(2).sum().backward()
        assert all(same(a, p.grad) for a, p in zip(got, model.parameters(), strict=True))
        model.zero_grad()
    assert is_compiled(inner)


def test_one_tensor_as_two_arguments():
    f = torch.compile(lambda a, b: a * b + a)
    for _ in range(CALLS):
        f(torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True))
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    f(x, x).sum().backward()
    assert x.grad.tolist() == [3.0, 5.0, 7.0]


def test_compiled_functions_within_compiled_functions():
    inner = torch.compile(lambda x: x * 2)
    outer = torch.compile(lambda x: inner(x) + 1)
    for _ in range(CALLS):
        assert outer(torch.ones(2)).tolist() == [3.0, 3.0]
    assert is_compiled(outer)


def test_threads_share_a_compiled_function():
    f = torch.compile(lambda x: (x * 2 + 1).tanh().sum(1))
    wrong = []

    def work(seed):
        for i in range(40):
            x = torch.full((7, 5), seed + i / 10)
            if not same(f(x), (x * 2 + 1).tanh().sum(1)):
                wrong.append((seed, i))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert is_compiled(f)


def test_autocast_and_profiles_see_compiled_calls():
    f = torch.compile(lambda a, b: a @ b)
    a, b = torch.randn(3, 4), torch.randn(4, 2)
    for _ in range(CALLS):
        f(a, b)
    with torch.autocast(a.device.type, dtype=torch.bfloat16):
        assert f(a, b).dtype is torch.bfloat16
    assert torch.vmap(f)(a.expand(2, 3, 4), b.expand(2, 4, 2)).shape == (2, 3, 2)
    with torch.profiler.profile() as profile:
        f(a, b)
    assert any("mm" in event.key or "matmul" in event.key for event in profile.key_averages())


def test_memory_is_shared_by_what_is_not_needed_at_once():
    def chain(x):
        for _ in range(10):
            x = (x * 1.01).cumsum(0)
        return x

    f = torch.compile(chain)
    with torch.no_grad():
        for _ in range(CALLS):
            assert same(f(torch.ones(1000)), chain(torch.ones(1000)))
    assert ways(f)[0].scratch_bytes == (2 * 4032, 19 * 4000)  # places are multiples of 64


def test_modules_keep_their_names_and_attributes():
    model = small_model()
    compiled = torch.compile(model)
    assert compiled._orig_mod is model
    assert [name.removeprefix("_orig_mod.") for name in compiled.state_dict()] == list(model.state_dict())
    compiled.eval()
    assert not model.training
    assert not compiled.training
    compiled.extra = 3
    assert model.extra == 3
    assert type(compiled).__name__ == "OptimizedModule"
    assert torch.compile(model, backend="eager") is model
    copied = copy.deepcopy(compiled)
    assert type(copied) is type(compiled)
    assert copied._orig_mod is not model
    assert same(copied.get_parameter("_orig_mod.0.weight"), model[0].weight)
    torch.compiler.reset()
    assert ways(compiled) == []


def test_modules_are_compiled_in_place():
    losses, state, _ = trained(compile=False)
    torch.manual_seed(0)
    model = small_model()
    model.compile(fullgraph=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    again = []
    for _ in range(8):
        x, y = torch.randn(5, 6), torch.randint(0, 3, (5,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        again.append(loss.item())
    assert again == losses
    assert list(model.state_dict()) == list(state)
    assert all(same(state[name], value) for name, value in model.state_dict().items())
    (way,) = model.__dict__["_compiled_call"].explain()
    assert way.kernels is not None
    copied = copy.deepcopy(model).eval()
    model.eval()
    for _ in range(CALLS):
        assert same(copied(x), model(x))
    assert copied.__dict__["_compiled_call"] is not model.__dict__["_compiled_call"]
    assert copied.__dict__["_compiled_call"].refers_to[0].__self__ is copied
    handle = model.register_forward_hook(lambda module, args, result: result * 0)
    assert not model(x).any()
    handle.remove()
    model.compile(disable=True)
    assert "_compiled_call" not in model.__dict__
    with pytest.raises(RuntimeError, match="Unrecognized mode"):
        model.compile(mode="fastest")


def test_functions_that_are_left_alone():
    calls = []

    @torch.compiler.disable
    def apart(x):
        calls.append(torch.compiler.is_compiling())
        return inner(x) * 2

    inner = torch.compile(lambda x: x + 1)
    outer = torch.compile(lambda x: apart(x) - 1)
    with pytest.warns(UserWarning, match="is to be left alone"):
        for _ in range(CALLS):
            assert outer(torch.ones(2)).tolist() == [3.0, 3.0]
    assert calls == [False] * CALLS
    assert not is_compiled(outer)
    assert ways(inner) == []
    whole = torch.compile(lambda x: apart(x), fullgraph=True)
    with pytest.raises(RuntimeError, match="is to be left alone"):
        for _ in range(CALLS):
            whole(torch.ones(2))
    beneath = torch.compiler.disable(lambda x: inner(x), recursive=False)
    for _ in range(CALLS):
        beneath(torch.ones(2))
    assert is_compiled(inner)
    model = small_model()
    assert type(torch.compiler.disable(torch.compile(model))) is type(torch.compile(model))
    assert torch.compiler.disable(inner)(torch.ones(1)).tolist() == [2.0]
    assert ways(inner)[0].calls == CALLS


class Decorated(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.linear, self.factor = nn.Linear(2, 2), factor
        self.reset, self.explain = 1.0, 2.0  # named as methods of compiled functions are

    @torch.compile
    def forward(self, x):
        return self.linear(x) * self.factor * self.reset * self.explain


def test_methods_are_compiled_for_each_object():
    torch.manual_seed(0)
    models = [Decorated(2.0), Decorated(3.0)]
    x = torch.ones(1, 2)
    for _ in range(CALLS):
        for model in models:
            torch.testing.assert_close(model(x), model.linear(x) * model.factor * 2.0, rtol=0, atol=0)
    assert all(is_compiled(model.forward) for model in models)
    copied = copy.deepcopy(models[0])
    copied.factor = 5.0
    for _ in range(CALLS):
        torch.testing.assert_close(copied(x), copied.linear(x) * 10.0, rtol=0, atol=0)
    assert copied.forward is not models[0].forward
    assert torch.compile(models[0])._compiled_function.explain() == []


def test_long_runs_of_maps_with_many_numbers_and_values():
    """More operands, numbers and temporaries than one fused kernel holds."""

    def function(x, y):
        values = [torch.addcmul(x, y, y, value=i / 7) * (i + 0.5) - i for i in range(30)]
        total = values[0]
        for value in values[1:]:
            total = total * 0.5 + value
        return total, values[3]

    for dtype in (torch.float32, torch.complex128):
        compiled = torch.compile(function)
        with torch.no_grad():
            for _ in range(2 * CALLS):
                x, y = torch.randn(7, 40, dtype=dtype), torch.randn(7, 40, dtype=dtype)
                assert all(map(same, compiled(x, y), function(x, y)))
        assert is_compiled(compiled)


def test_what_a_collection_of_garbage_calls_is_not_the_functions():
    def f(x):
        return [(x * i).tanh() for i in range(20)][-1]

    compiled = torch.compile(f, fullgraph=True)
    moments, threshold = [], gc.get_threshold()
    listener = lambda phase, info: moments.append(time.perf_counter())
    gc.callbacks.append(listener)
    gc.set_threshold(1)
    try:
        for _ in range(CALLS):
            assert torch.equal(compiled(torch.ones(3)), f(torch.ones(3)))
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(listener)
    assert moments
    assert gc.isenabled()
    assert is_compiled(compiled)


def test_an_arena_takes_the_place_of_what_eager_calls_left():
    backend = backends.backend_for("cpu")
    if backend.memory_stats() is None:
        pytest.skip(f"the backend {backend.name} does not tell what its pool keeps")

    def kept():
        stats = backend.memory_stats()
        return stats.reserved - stats.allocated

    f, x = torch.compile(lambda x: ((x @ x).sin() @ x).cos() @ x), torch.zeros(512, 512)
    for _ in range(2):
        f(x)
    before = kept()
    f(x)
    assert before >= 2 * x.nbytes  # what f made on its way
    assert kept() <= x.nbytes  # the result, which is gone
