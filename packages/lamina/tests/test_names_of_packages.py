"""What published packages import beside PyTorch's documented names."""

import typing
from collections import OrderedDict, namedtuple

import pytest

import lamina
from lamina.utils import _pytree

FLOAT8 = [lamina.float8_e4m3fn, lamina.float8_e5m2, lamina.float8_e4m3fnuz, lamina.float8_e5m2fnuz]


@pytest.mark.parametrize("dtype", FLOAT8, ids=str)
def test_float8_holds_numbers_and_computes_nothing(dtype):
    held = lamina.tensor([1.0, -0.25, 1.06, 2.0]).to(dtype)
    assert held.dtype is dtype and held.element_size() == 1 and not dtype.is_complex and dtype.is_floating_point
    assert held.float().tolist() == [1.0, -0.25, 1.0, 2.0]
    assert lamina.cat([held, held]).reshape(2, 4)[1].view(lamina.uint8).view(dtype).to(lamina.float64)[3].item() == 2.0
    with pytest.raises(RuntimeError, match=f"(?s)cannot run it for {dtype.name}"):
        held + held


def test_a_path_of_reexports_has_the_same_objects_and_no_others():
    paths = lamina.nn.modules
    assert paths.batchnorm.BatchNorm2d is lamina.nn.BatchNorm2d and issubclass(lamina.nn.BatchNorm2d, paths.batchnorm._BatchNorm)
    assert lamina.optim.adamw.AdamW is lamina.optim.AdamW and "Linear" not in dir(paths.batchnorm)
    with pytest.raises(AttributeError, match=r"^torch\.nn\.modules\.batchnorm\.Linear: PyTorch has no such name"):
        _ = paths.batchnorm.Linear
    with pytest.raises(AttributeError, match=r"^torch\.nn\.modules\.nonsense: PyTorch has no such name"):
        _ = paths.nonsense


def test_trees_are_taken_apart_and_put_together():
    pair = namedtuple("pair", "a b")
    tree = {"x": [1, (2, None)], "y": OrderedDict(z=pair(3, [4]))}
    leaves, shape = _pytree.tree_flatten(tree)
    assert leaves == [1, 2, None, 3, 4] and _pytree.tree_unflatten(leaves, shape) == tree
    assert _pytree.tree_map_only(int, lambda n: n + 1, tree)["y"]["z"] == pair(4, [5])
    with pytest.raises(ValueError, match="has length 2"):
        _pytree.tree_unflatten([1, 2], shape)
    with pytest.raises(ValueError, match="different shapes"):
        _pytree.tree_map(max, [1], (1,))


def test_an_op_of_the_programs_own_has_its_gradient():
    op = lamina.library.custom_op("tested::square", lambda x: x.detach() ** 2, mutates_args=())
    lamina.library.register_autograd(
        "tested::square", lambda ctx, grad: 10 * grad * ctx.saved_tensors[0],
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )  # fmt: skip
    x = lamina.tensor(3.0, requires_grad=True)
    lamina.ops.tested.square(x).backward()
    assert x.grad.item() == 30.0 and lamina.ops.tested.square.default is op
    with pytest.raises(RuntimeError, match="tested::cube"):
        lamina.library.register_autograd("tested::cube", len)
    assert lamina.library.register_fake("tested::cube", len) is len  # of an extension's op, which could not be loaded


def test_a_storage_maps_a_file_and_is_sliced_without_a_copy(tmp_path):
    (tmp_path / "bytes").write_bytes(bytes(range(16)))
    storage = lamina.UntypedStorage.from_file(tmp_path / "bytes", False, 16)
    part = storage[4:8]
    assert part.tolist() == [4, 5, 6, 7] and part.data_ptr() == storage.data_ptr() + 4
    assert isinstance(lamina.ones(2).untyped_storage(), lamina.UntypedStorage)


@pytest.mark.parametrize("place", ["", "nn", "optim", "distributions", "autograd", "utils.data", "return_types"])
def test_annotations_of_public_classes_can_be_read(place):
    module = lamina if not place else typing.cast(typing.Any, __import__(f"lamina.{place}", fromlist=["x"]))
    for name in module.__all__:
        if isinstance(getattr(module, name), type):
            typing.get_type_hints(getattr(module, name))
