"""What `fully_shard` begins to gather before it is wanted: counted, not timed."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.optim import SGD
from lamina_nn.sharding import prefetching
from lamina_nn.sharding.fully_shard import fully_shard


class Told(list):
    """What was gathered at once (`now`), begun ahead of time (`ahead`) and computed (`at`), with the number of the layer."""

    def __init__(self):
        super().__init__()
        self.numbers = {}

    def taken(self):
        said = " ".join(self)
        self.clear()
        return said


@pytest.fixture
def told(monkeypatch):
    found = Told()
    for name, kind in (("gathered", "now"), ("gathered_ahead", "ahead")):

        def noted(who, group, shards, shapes, before=getattr(prefetching, name), kind=kind):
            found.append(f"{kind}{found.numbers[id(shards[0].flat)]}")
            return before(who, group, shards, shapes)

        monkeypatch.setattr(prefetching, name, noted)
    return found


class Chain(nn.Module):
    def __init__(self, told, order):
        super().__init__()
        self.layers, self.told, self.order = nn.ModuleList(nn.Linear(2, 2) for _ in range(3)), told, order

    def forward(self, x):
        for i in self.order:
            x = self.layers[i](x)
            self.told.append(f"at{i}")
        return x


def made(told, order=(0, 1, 2), **options):
    lt.manual_seed(0)
    model = Chain(told, list(order))
    for part in (*model.layers, model):
        fully_shard(part, **options)
    told.numbers.update((id(layer.weight.array.flat), i) for i, layer in enumerate(model.layers))
    return model


def test_what_comes_next_is_gathered_ahead(told):
    model, x = made(told), lt.ones(1, 2, requires_grad=True)
    optimizer = SGD(model.parameters(), lr=0.1)
    loss = model(x).sum()
    assert told.taken() == "now0 at0 now1 at1 now2 at2"  # nothing is known of the order yet
    loss.backward()
    assert told.taken() == "now2 ahead1 ahead0"
    optimizer.step()
    loss = model(x).sum()
    assert told.taken() == "ahead0 ahead1 at0 ahead2 at1 at2"  # the first layer while the model around it begins
    loss.backward()
    assert told.taken() == "now2 ahead1 ahead0"
    model(lt.ones(1, 2)).sum().backward()  # whose first layer is not wanted in the backward pass
    assert told.taken() == "ahead0 ahead1 at0 ahead2 at1 at2 now2 ahead1"


def test_what_stays_is_gathered_once(told):
    model = made(told, reshard_after_forward=False)
    for expected in ("now0 at0 now1 at1 now2 at2", "ahead0 ahead1 at0 ahead2 at1 at2"):
        model(lt.ones(1, 2, requires_grad=True)).sum().backward()
        assert told.taken() == expected


def test_what_is_said_takes_the_place_of_what_is_known(told):
    model, x = made(told), lt.ones(1, 2, requires_grad=True)
    first, second, third = model.layers
    first.set_modules_to_forward_prefetch([second, third])
    second.set_modules_to_forward_prefetch([third])  # on its way already
    third.set_modules_to_backward_prefetch([second, first])
    for begin in ("now", "ahead"):
        model(x).sum().backward()
        assert told.taken() == f"{begin}0 ahead1 ahead2 at0 at1 at2 now2 ahead1 ahead0"
    for part in (*model.layers, model):
        part.set_modules_to_forward_prefetch([])
        part.set_modules_to_backward_prefetch([])
    model(x).sum().backward()
    assert told.taken() == "now0 at0 now1 at1 now2 at2 now2 now1 now0"
    with pytest.raises(ValueError, match="set_modules_to_forward_prefetch: modules that fully_shard has changed wanted, not Linear"):
        first.set_modules_to_forward_prefetch([nn.Linear(2, 2)])


def gradients(model, x):
    model.zero_grad()
    model(x).square().sum().backward()
    return [p.grad.to_local().tolist() for p in model.parameters() if p.grad is not None]


def test_another_order_is_right_and_leaves_nothing(told):
    model, x = made(told), lt.ones(1, 2, requires_grad=True)
    model(x)
    told.clear()
    model.order = [0, 2, 1]
    other = gradients(model, x)
    assert told.taken() == "ahead0 ahead1 at0 now2 at2 at1 now1 ahead2 ahead0"  # of the rest nothing is known
    assert other == gradients(made(told, (0, 2, 1)), x)
    model.order = [0]
    told.clear()
    with lt.no_grad():
        model(x)
    assert told.taken() == "ahead0 ahead2 at0"
    assert [layer._sharded_parameters.latest() for layer in model.layers] == [None] * 3
    model.order = [1, 1, 0]  # one layer twice
    assert gradients(model, x) == gradients(model, x) == gradients(made(told, (1, 1, 0)), x)


def test_an_error_in_the_middle_leaves_nothing(told):
    model, x = made(told), lt.ones(1, 2)
    model(x)
    model.order = [0, 5]
    with pytest.raises(IndexError):
        model(x)
    assert [layer._sharded_parameters.latest() for layer in model.layers] == [None] * 3
    model.order = [0, 1]
    told.clear()
    model(x)
    assert told.taken() == "ahead0 at0 now1 at1"  # the last order ended with 0


def test_parameters_that_change_within_a_pass_are_gathered_again(told):
    model, x = made(told), lt.ones(1, 2)
    model(x)

    def change(*_):
        with lt.no_grad():
            model.layers[1].weight.zero_()
            model.layers[1].bias.zero_()

    model.layers[0].register_forward_hook(change)
    model.order = [0, 1]
    told.clear()
    assert model(x).tolist() == [[0, 0]]
    assert told.taken() == "ahead0 ahead1 at0 now1 ahead2 at1"
