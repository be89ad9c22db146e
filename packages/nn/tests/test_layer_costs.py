"""What layers and losses of a few items cost in Python frames and kernel calls: fixed here, so that it cannot grow unseen."""

import json
import subprocess
import sys

import pytest

import lamina_tensor as lt
from lamina_flatarray.twins import compiled
from lamina_nn import functional as F
from lamina_nn import layers as nn
from lamina_nn import optim

frames = pytest.importorskip("lamina_testkit.frames", reason="frames are counted by the kit").frames

M, IMAGES, LOGITS, CLASSES = lt.ones(16, 16), lt.ones(4, 3, 8, 8), lt.ones(8, 5), lt.tensor([0, 1, 2, 3, 4, 0, 1, 2])
RECORDED = lt.ones(4, 3, 8, 8, requires_grad=True)
WEIGHT, BIAS, PICKS = lt.ones(4, 3, 3, 3), lt.ones(4), lt.tensor([3, 1, 4, 1, 5])
LINEAR, TABLE, LAYER, GROUP, BATCH = nn.Linear(16, 16), nn.Embedding(20, 8), nn.LayerNorm(16), nn.GroupNorm(3, 3), nn.BatchNorm1d(16)



def trained(kind):
    """The step of an optimizer whose parameters have gradients, and state."""
    params = [lt.ones(4, requires_grad=True) for _ in range(3)]
    for p in params:
        p.grad = lt.ones(4)
    optimizer = kind(params, lr=0.0)
    optimizer.step()
    return optimizer.step


SGD_STEP, ADAM_STEP = trained(optim.SGD), trained(optim.Adam)

CASES = {  # name: the call, its frames, those without compiled twins, its kernel calls of float32
    "max_pool2d": (lambda: F.max_pool2d(IMAGES, 2), 5, 6, {"max_pool": 1}),
    "max_pool2d recorded": (lambda: F.max_pool2d(RECORDED, 2), 11, 12, {"max_pool": 1}),
    "avg_pool2d": (lambda: F.avg_pool2d(IMAGES, 2), 4, 5, {"average_pool": 1}),
    "adaptive_avg_pool2d": (lambda: F.adaptive_avg_pool2d(IMAGES, 2), 5, 6, {"average_pool": 1}),
    "adaptive_max_pool2d": (lambda: F.adaptive_max_pool2d(IMAGES, 3), 6, 7, {"adaptive_max_pool": 1}),
    "conv2d": (lambda: F.conv2d(IMAGES, WEIGHT, BIAS), 16, 18, {"convolution": 1}),
    "cross_entropy": (lambda: F.cross_entropy(LOGITS, CLASSES), 4, 5, {"cross_entropy": 1}),
    "nll_loss": (lambda: F.nll_loss(LOGITS, CLASSES), 4, 5, {"nll_loss": 1}),
    "multi_margin_loss": (lambda: F.multi_margin_loss(LOGITS, CLASSES), 8, 10, {"multi_margin_loss": 1}),
    "Linear recorded": (lambda: LINEAR(M), 6, 11, {"linear": 1}),
    "Embedding recorded": (lambda: TABLE(PICKS), 6, 11, {"index": 1}),
    "LayerNorm recorded": (lambda: LAYER(M), 10, 15, {"layer_norm": 1}),
    "GroupNorm recorded": (lambda: GROUP(IMAGES), 20, 25, {"group_norm": 1}),
    "BatchNorm recorded": (
        lambda: BATCH(M), 37, 55, {"channel_moments": 1, "multiply": 2, "addcmul": 2, "batch_norm": 1},
    ),
    "SGD.step": (SGD_STEP, 0, 19, {"sgd_step": 1}),
    "Adam.step": (ADAM_STEP, 0, 38, {"adam_step": 1, "foreach_add": 1}),
}  # fmt: skip


def counted():
    """Per case, the functions that its call entered, and the kernels. Kernels that do nothing stand in for those of the backend, which
    may be decompositions of many ops."""
    found, table = {}, M.array.flat.kernels
    for name, (call, _, _, kernels) in CASES.items():
        call()
        called, own = [], {op: table[op] for op in kernels}
        for op in kernels:
            table[op] = lambda out, *inputs, op=op, called=called, **params: called.append(op)
        found[name] = frames(call), called
        table.update(own)
    return found


@pytest.fixture(scope="module")
def costs():
    """Counted in a process of its own: hooks and watchers, once used, stay in the call of every module."""
    return json.loads(subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name", CASES)
def test_cost_of_a_layer(name, costs):
    _, calls, without_twins, kernels = CASES[name]
    entered, called = costs[name]
    assert len(entered) == (without_twins if compiled is None else calls), entered
    assert sorted(called) == sorted(2 * [op for op, count in kernels.items() for _ in range(count)])


@pytest.mark.parametrize("kernel_size", [2, (2, 2), [2, 2]], ids=["number", "tuple", "list"])
def test_settings_may_be_numbers_tuples_and_lists(kernel_size):
    """What is worked out once for numbers is worked out each time for lists, which may change."""
    for _ in range(2):
        assert F.max_pool2d(IMAGES, kernel_size, stride=kernel_size).shape == (4, 3, 4, 4)


def test_settings_that_are_equal_but_of_another_type_are_looked_at():
    F.max_pool2d(IMAGES, 2)
    with pytest.raises(TypeError):
        F.max_pool2d(IMAGES, 2.0)


def test_a_list_that_changes_between_calls_is_read_again():
    size = [2, 2]
    assert F.max_pool2d(IMAGES, size).shape == (4, 3, 4, 4)
    size[0] = 4
    assert F.max_pool2d(IMAGES, size).shape == (4, 3, 2, 4)


if __name__ == "__main__":
    print(json.dumps(counted()))
