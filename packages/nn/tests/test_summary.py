"""A summary's numbers are sums that can be made by hand, and it leaves the model as it found it."""

import re
import threading

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_flatarray.multiply_adds import count_multiply_adds
from lamina_nn.module import module as the_module
from lamina_nn.module.watching import watched_calls
from lamina_nn.summarizing import summary

LAZY = nn.LazyLinear(2)  # registers a hook, so that modules look for hooks from here on


@pytest.fixture(autouse=True)
def nothing_left():
    before = the_module.Module.__call__
    yield
    assert the_module.Module.__call__ is before


def model():
    return nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(144, 8, bias=False), nn.Dropout()
    )


def test_rows():
    found = summary(model(), input_size=(2, 1, 8, 8))
    convolution = found["0"]
    assert convolution.kind == "Conv2d" and convolution.outputs == ((2, 4, 6, 6),) and convolution.calls == 1
    assert convolution.parameters == convolution.trainable == 4 * 9 + 4 and convolution.parameter_bytes == 4 * 40
    assert convolution.output_bytes == 4 * 2 * 4 * 36 and convolution.multiply_adds == 2 * 4 * 36 * 9
    assert found["1"].parameters == 8 and found["1"].output_bytes == convolution.output_bytes
    assert found["2"].output_bytes == found["3"].output_bytes == found[""].output_bytes == 0  # in place, a view, what is there
    assert found["4"].multiply_adds == 2 * 144 * 8 and found["4"].parameters == 144 * 8
    assert found.parameters == 40 + 8 + 144 * 8 == sum(p.numel() for p in model().parameters())
    assert found.multiply_adds == 2 * 4 * 36 * 9 + 2 * 144 * 8
    assert found.input_bytes == 4 * 2 * 64
    with pytest.raises(KeyError):
        found["nowhere"]


def test_the_table():
    text = str(summary(nn.Sequential(nn.Linear(3, 2), nn.ReLU()), input_size=(5, 3)))
    assert text.splitlines() == [
        "module   class       output  parameters  trainable  their bytes  output bytes  multiply-adds",
        "--------------------------------------------------------------------------------------------",
        "(model)  Sequential  [5, 2]           0          0            0             0              0",
        "0        Linear      [5, 2]           8          8           32            40             30",
        "1        ReLU        [5, 2]           0          0            0            40              0",
        "--------------------------------------------------------------------------------------------",
        "total                                 8          8           32            80             30",
    ]


@pytest.mark.parametrize("training", [True, False])
def test_nothing_is_changed(training):
    net = model().train(training)
    net[5].eval()
    state = {name: value.clone() for name, value in net.state_dict().items()}
    versions = {name: value.array.flat.version for name, value in net.state_dict().items()}
    buffers = {name: id(value) for name, value in net.named_buffers()}
    modes = [m.training for m in net.modules()]
    net[4].weight.grad = lt.ones(8, 144)
    before = lt.get_rng_state().tolist()
    summary(net, input_size=(2, 1, 8, 8))
    assert lt.get_rng_state().tolist() == before
    assert [m.training for m in net.modules()] == modes
    assert {name: id(value) for name, value in net.named_buffers()} == buffers
    for name, value in net.state_dict().items():
        assert value.tolist() == state[name].tolist() and value.array.flat.version == versions[name]
    assert net[4].weight.grad.sum().item() == 8 * 144 and net[0].weight.grad is None
    assert lt.is_grad_enabled()


def test_an_error_leaves_nothing_behind_and_names_the_module():
    net = model()
    statistics = net[1].running_mean
    with pytest.raises(ShapeError) as caught:
        summary(net, input_size=(2, 1, 9, 9))
    assert caught.value.__notes__ == ["in 4: Linear(in_features=144, out_features=8, bias=False)"]
    assert net[1].running_mean is statistics


def test_what_is_shared_counts_once():
    shared = nn.Linear(4, 4)
    tied = nn.Linear(4, 4)
    tied.weight = shared.weight
    found = summary(nn.Sequential(shared, shared, tied), lt.ones(2, 4))
    assert [row.path for row in found.rows] == ["", "0", "2"]
    assert found["0"].calls == 2 and found["0"].multiply_adds == 2 * (2 * 4 * 4) and found["0"].parameters == 20
    assert found["2"].parameters == 4 and found.parameters == 24
    assert "Linear x2" in str(found)


def test_frozen_and_uncalled_modules():
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    net[0].requires_grad_(False)
    net[1].extra = nn.Linear(2, 2)
    found = summary(net, (3, 4))
    assert (found["0"].parameters, found["0"].trainable, found.trainable) == (20, 0, 26)
    assert found["1.extra"].calls == 0 and "(not called)" in str(found)


def test_inputs_of_all_kinds():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(5, 3)

        def forward(self, positions, scale=None, extra=None):
            return {"a": self.embedding(positions) * scale, "b": (extra["x"],)}

    found = summary(Two(), lt.zeros(2, dtype="int64"), scale=lt.ones(1), extra={"x": lt.ones(7)})
    assert found[""].outputs == ((2, 3), (7,)) and found[""].output_bytes == 24
    assert found.input_bytes == 2 * 8 + 4 + 28
    assert summary(nn.Bilinear(2, 3, 4), input_size=[(5, 2), (5, 3)])[""].outputs == ((5, 4),)
    assert summary(nn.Linear(2, 2).double(), input_size=(1, 2)).output_bytes == 16


def test_what_it_refuses():
    net = nn.Linear(2, 2)
    for given, named in (((), {}), ((lt.ones(1, 2),), {"input_size": (1, 2)})):
        with pytest.raises(TypeError, match="summary"):
            summary(net, *given, **named)
    with pytest.raises(ShapeError, match="weight has no shape yet"):
        summary(LAZY, input_size=(1, 2))


def test_hooks_of_the_user_are_called_as_ever():
    calls = []
    net = nn.Sequential(nn.Linear(2, 2))
    handle = net[0].register_forward_hook(lambda *_: calls.append(1))
    summary(net, (1, 2))
    handle.remove()
    assert calls == [1]


def test_multiply_adds_of_a_training_step():
    net = nn.Linear(3, 5)
    x = lt.rand(2, 3, requires_grad=True)
    with count_multiply_adds() as counts:
        y = net(x).sum()
        assert sum(counts) == 2 * 3 * 5
        y.backward()
    assert sum(counts) == 3 * 2 * 3 * 5


def test_who_watches_one_thread_sees_no_other():
    seen, layer = [], nn.Linear(2, 2)

    def around(module, call):
        seen.append(module)
        return call()

    with watched_calls(around):
        thread = threading.Thread(target=layer, args=(lt.ones(2),))
        thread.start()
        thread.join()
        assert seen == []
        layer(lt.ones(2))
    layer(lt.ones(2))
    assert seen == [layer]


def test_in_notebooks_a_summary_is_its_table():
    shown = summary(nn.Linear(3, 2), input_size=(4, 3))._repr_html_()
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", shown)][1:]
    assert rows == [["(model)", "Linear", "[4, 2]", "8", "8", "32", "32", "24"], ["total", "", "", "8", "8", "32", "32", "24"]]


def test_in_notebooks_a_module_is_a_table_of_its_parts():
    class Named(nn.Module):
        def extra_repr(self):
            return "<b>"

    shared = nn.Linear(2, 2, bias=False)
    shown = nn.Sequential(shared, Named(), nn.Sequential(shared), nn.LazyLinear(4))._repr_html_()
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", shown)][1:]
    assert [row[0] for row in rows] == ["(model)", "0", "1", "2", "3"]
    assert rows[1] == ["0", "Linear(in_features=2, out_features=2, bias=False)", "weight (2, 2)", "4"]
    assert rows[2][1] == "Named(&lt;b&gt;)" and rows[4][2:] == ["weight (no shape yet), bias (no shape yet)", "0"]
    assert "Sequential: items in parameters, each counted once: 4" in shown
    assert nn.Sequential(*[nn.ReLU() for _ in range(300)])._repr_html_().count("<tr>") == 1 + 100 + 1


def test_in_notebooks_a_parameter_without_a_shape_is_its_text():
    assert nn.UninitializedParameter()._repr_html_() is None
