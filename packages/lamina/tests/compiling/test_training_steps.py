"""torch.compile of whole training steps: after any number of them all is as after eager ones, bit for bit."""

import pytest
from compiling.outcomes import is_compiled, trouble, ways
from compiling.trained import MODELS, OPTIMIZERS, STEPS, clipped, everything, mlp, scheduled, trained

import lamina as torch
from lamina import nn
from lamina.nn import functional as F


@pytest.mark.parametrize("name, made", [*((name, "MLP") for name in OPTIMIZERS), *(("AdamW", made) for made in MODELS if made != "MLP")])
def test_every_optimizer_and_every_model_trains_bit_for_bit(name, made):
    eager, _ = trained(name, compile=False, made=made)
    compiled, called = trained(name, compile=True, made=made)
    assert compiled == eager
    assert is_compiled(called)
    assert ways(called)[0].methods == (f"{name}.zero_grad", f"{name}.step")


def lower_the_rate(model, optimizer):
    for group in optimizer.param_groups:
        group["lr"] *= 0.1


def add_a_hook(model, optimizer):
    model[0].register_forward_hook(lambda module, args, result: result * 2)


def add_a_gradient_hook(model, optimizer):
    model[0].weight.register_hook(lambda gradient: gradient * 2)


def add_a_hook_after_gradients(model, optimizer):
    model[0].weight.register_post_accumulate_grad_hook(lambda leaf: leaf.grad.mul_(2))


def add_a_hook_of_steps(model, optimizer):
    optimizer.register_step_post_hook(lambda optimizer, args, kwargs: model[0].bias.data.zero_())


def replace_steps(model, optimizer):
    own = optimizer.step
    optimizer.step = lambda: (own(), model[0].bias.data.zero_())


def freeze(model, optimizer):
    model[0].weight.requires_grad_(False)


def evaluate(model, optimizer):
    model.eval()


def load(model, optimizer):
    torch.manual_seed(3)
    other = mlp()
    model.load_state_dict(other.state_dict())
    optimizer.load_state_dict(optimizer.state_dict())


def another_group(model, optimizer):
    optimizer.add_param_group({"params": [nn.Parameter(torch.ones(2))], "lr": 1.0})


def give_gradients(model, optimizer):
    model[0].weight.grad = torch.ones(8, 6)


CHANGES = [
    lower_the_rate, add_a_hook, add_a_gradient_hook, add_a_hook_after_gradients, add_a_hook_of_steps, replace_steps, freeze, evaluate, load,
    another_group, give_gradients, lambda model, optimizer: 7,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.filterwarnings("ignore:compile. .* runs eagerly")
def test_a_change_between_steps_is_seen(change):
    eager, _ = trained("AdamW", compile=False, change=change, fullgraph=False)
    compiled, called = trained("AdamW", compile=True, change=change, fullgraph=False)
    assert compiled == eager
    assert any(way.kernels for way in ways(called))


def test_a_schedule_needs_no_further_recording():
    results = []
    for compile in (False, True):
        torch.manual_seed(0)
        model = mlp()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)
        step = clipped(model, optimizer)
        called = torch.compile(step, fullgraph=True) if compile else step
        losses = []
        for _ in range(STEPS):
            losses.append(called(torch.randn(4, 6), torch.randint(0, 3, (4,))))
            scheduler.step()
        results.append(everything(model, optimizer, losses))
    assert results[0] == results[1]
    assert len(ways(called)) == 1


def in_micro_batches(model, optimizer):
    def step(x, y):
        model.zero_grad()
        total = 0
        for part in range(2):
            loss = F.cross_entropy(model(x[part::2]), y[part::2])
            loss.backward()
            total = total + loss.detach()
        optimizer.step()
        return total

    return step


def by_hand(model, optimizer):
    def step(x, y):
        for p in model.parameters():
            p.grad = None
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
        return loss.detach()

    return step


def of_functional_gradients(model, optimizer):
    def step(x, y):
        loss = F.cross_entropy(model(x), y)
        for p, g in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters())), strict=True):
            p.grad = g
        optimizer.step()
        return loss

    return step


def twice(model, optimizer):
    def step(x, y):
        for _ in range(2):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        return loss

    return step


def without_the_step(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        return loss

    return step


def set_to_zero(model, optimizer):
    def step(x, y):
        optimizer.zero_grad(set_to_none=False)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        return loss

    return step


BODIES = [clipped, scheduled, set_to_zero, in_micro_batches, by_hand, of_functional_gradients, twice, without_the_step]


@pytest.mark.parametrize("body", BODIES)
def test_other_ways_to_write_a_step(body):
    eager, _ = trained("AdamW", compile=False, body=body)
    compiled, called = trained("AdamW", compile=True, body=body)
    assert compiled == eager
    assert is_compiled(called)


def reading(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach() * loss.item()

    return step


def with_a_closure(model, optimizer):
    def step(x, y):
        def loss():
            optimizer.zero_grad()
            result = F.cross_entropy(model(x), y)
            result.backward()
            return result

        return optimizer.step(loss)

    return step


def with_a_rate_read(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y) * optimizer.param_groups[0]["lr"]
        loss.backward()
        optimizer.step()
        return loss

    return step


def kept(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward(retain_graph=True)
        optimizer.step()
        return loss

    return step


@pytest.mark.parametrize(
    "body, reason",
    [(reading, "reads a value"), (with_a_closure, "reads a value"), (kept, "differentiated")],
)
def test_what_cannot_be_repeated_stays_eager_and_is_right(body, reason):
    eager, _ = trained("AdamW", compile=False, body=body)
    with pytest.warns(UserWarning, match=reason):
        compiled, called = trained("AdamW", compile=True, body=body, fullgraph=False)
    assert compiled == eager
    assert trouble(called)


def test_a_rate_that_the_function_reads_is_looked_at():
    eager, _ = trained("SGD", compile=False, change=lower_the_rate, body=with_a_rate_read)
    compiled, called = trained("SGD", compile=True, change=lower_the_rate, body=with_a_rate_read)
    assert compiled == eager
    assert len(ways(called)) == 2


def test_a_loss_cannot_be_passed_twice_and_gradients_of_former_steps_stay():
    torch.manual_seed(0)
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = without_the_step(model, optimizer)
    compiled = torch.compile(step, fullgraph=True)
    x, y = torch.randn(4, 6), torch.randint(0, 3, (4,))
    kept = []
    for turn in range(6):
        loss = compiled(x * turn, y)
        kept.append((model[0].weight.grad, model[0].weight.grad.tolist()))
    assert is_compiled(compiled)
    assert loss.requires_grad
    assert all(gradient.tolist() == items for gradient, items in kept)
    assert len({id(gradient) for gradient, _ in kept}) == 6
    with pytest.raises(RuntimeError, match="second time"):
        loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(loss * 2, model[0].weight)


def test_gradients_are_added_to_those_of_former_calls():
    def accumulated(compile):
        torch.manual_seed(0)
        model = mlp()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)

        def loss_of(x, y):
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            return loss.detach()

        called, losses, seen = torch.compile(loss_of, fullgraph=True) if compile else loss_of, [], []
        for turn in range(24):
            losses.append(called(torch.randn(4, 6), torch.randint(0, 3, (4,))))
            if turn % 4 == 2:
                seen.append(model[0].weight.grad)
            if turn % 4 == 3:
                optimizer.step()
                optimizer.zero_grad()
        return everything(model, optimizer, [*losses, *seen]), called

    eager, _ = accumulated(compile=False)
    compiled, called = accumulated(compile=True)
    assert compiled == eager
    assert [way.kernels is not None for way in ways(called)] == [True, True]


def test_whether_there_is_a_gradient_is_looked_at():
    w = torch.ones(3, requires_grad=True)
    compiled = torch.compile(lambda x: x * (2 if w.grad is None else 3), fullgraph=True)
    for turn in range(12):
        w.grad = torch.ones(3) if turn // 2 % 2 else None
        assert compiled(torch.ones(3)).tolist() == [3.0 if turn // 2 % 2 else 2.0] * 3
    assert any(way.kernels for way in ways(compiled))


def test_two_models_and_optimizers_in_one_step():
    def played(compile):
        torch.manual_seed(0)
        generator, critic = nn.Linear(3, 6), mlp()
        optimizers = [torch.optim.Adam(generator.parameters(), lr=0.01), torch.optim.RMSprop(critic.parameters(), lr=0.01)]

        def step(z, real):
            optimizers[1].zero_grad()
            apart = critic(real).mean() - critic(generator(z).detach()).mean()
            apart.backward()
            optimizers[1].step()
            optimizers[0].zero_grad()
            fooled = critic(generator(z)).mean()
            fooled.backward()
            optimizers[0].step()
            return apart.detach(), fooled.detach()

        called = torch.compile(step, fullgraph=True) if compile else step
        losses = [called(torch.randn(4, 3), torch.randn(4, 6)) for _ in range(STEPS)]
        return [everything(m, o, losses) for m, o in zip((generator, critic), optimizers, strict=True)], called

    eager, _ = played(compile=False)
    compiled, called = played(compile=True)
    assert compiled == eager
    assert is_compiled(called)


@pytest.mark.filterwarnings("ignore:compile. .* runs eagerly")
def test_leaves_among_the_arguments_are_given_their_gradients():
    w = torch.tensor([1.0, 2.0], requires_grad=True)

    def function(a, b):
        (a * a * b * w).sum().backward()
        return a.detach() * 2

    compiled = torch.compile(function)
    for turn in range(8):
        got, expected = [], []
        for called, grads in ((compiled, got), (function, expected)):
            w.grad = None
            a, b = (torch.full((2,), turn + 1.0 + i, requires_grad=True) for i in range(2))
            called(a, b)
            grads.extend(x.grad.tolist() for x in (a, b, w))
        assert got == expected
    assert is_compiled(compiled)
    for arguments in (lambda a: (a, a), lambda a: (a, w), lambda a: (w, w)):
        got, expected = [], []
        for called, grads in ((compiled, got), (function, expected)):
            w.grad = None
            a = torch.full((2,), 3.0, requires_grad=True)
            called(*arguments(a))
            grads.extend(None if x.grad is None else x.grad.tolist() for x in (a, w))
        assert got == expected
