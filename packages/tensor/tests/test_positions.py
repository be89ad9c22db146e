"""Writing at positions: in-place twins, assignment that is recorded, and what of it is refused."""

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import OPS, AutogradError, DTypeError, ShapeError
from lamina_flatarray.instruments import count_ops
from lamina_tensor.dispatch.tensor_functions import af


def found(name):
    """The public function of an op, else the recorded op itself."""
    return getattr(lt, name, None) or getattr(lt, OPS[name].spelling, None) or getattr(af, name)


def test_twins_write_into_the_tensor_itself():
    x = lt.zeros(3, 4)
    view, memory = x[1], x.data_ptr()
    assert x.index_fill_(0, lt.tensor([1]), 2) is x
    assert view.tolist() == [2] * 4
    x.scatter_(1, lt.tensor([[0], [0], [3]]), 7.0)
    x.scatter_add_(0, lt.tensor([[2, 2]]), lt.ones(1, 2))
    x.index_add_(1, lt.tensor([3]), lt.ones(3, 1), alpha=2)
    x.masked_fill_(x > 7.5, 0)
    assert x.tolist() == [[7, 0, 0, 2], [7, 2, 2, 4], [1, 1, 0, 0]]
    x.tril_().index_put_((lt.tensor([0]),), lt.tensor(9.0)).put_(lt.tensor([4]), lt.tensor([-1.0]))
    assert x.tolist() == [[9] * 4, [-1, 2, 0, 0], [1, 1, 0, 0]]
    assert x.data_ptr() == memory
    with pytest.raises(ShapeError):
        x[0].masked_fill_(x > 0, 1)


def test_a_view_may_become_the_tensor():
    x = lt.arange(6).reshape(1, 2, 3)
    memory = x.data_ptr()
    assert x.squeeze_(0).t_().unsqueeze_(-1).shape == (3, 2, 1)
    assert x[:, 1, 0].tolist() == [3, 4, 5]
    assert x.data_ptr() == memory


def test_an_assignment_is_recorded():
    x, v = lt.tensor([1.0, 2.0, 3.0], requires_grad=True), lt.tensor([[5.0]], requires_grad=True)
    y = x * x
    y[1:] = v
    y.sum().backward()
    assert x.grad.tolist() == [2, 0, 0]
    assert v.grad.tolist() == [[2]]
    z = lt.zeros(3)  # nothing was recorded of it before
    z[lt.tensor([2, 0])] = x[:2].detach() * v[0]
    assert z.requires_grad
    z.sum().backward()
    assert v.grad.tolist() == [[5]]


def test_what_would_be_lost_is_refused():
    x, v = lt.ones(3, requires_grad=True), lt.ones(1, requires_grad=True)
    for write in (
        lambda: x.__setitem__(0, 1),
        lambda: x.masked_fill_(x > 0, 1),
        lambda: x.unsqueeze_(0),
        lambda: x[1:].add_(1),
        lambda: x[1:].__setitem__(0, v),
    ):
        with pytest.raises(AutogradError):
            write()
    assert x.tolist() == [1, 1, 1]
    whole = lt.zeros(3, dtype="int64")
    whole[0] = v[0]
    assert whole.tolist() == [1, 0, 0]
    assert not whole.requires_grad
    with lt.no_grad():
        x[0] = 5
    assert x.tolist() == [5, 1, 1]


def test_out_must_lie_apart():
    x = lt.arange(6)
    out = lt.zeros(2, dtype="int64")
    assert lt.gather(x, 0, lt.tensor([5, 1]), out=out) is out
    assert out.tolist() == [5, 1]
    for function, *args in (
        (lt.gather, x, 0, lt.tensor([5, 1])),
        (lt.take, x, lt.tensor([5, 1])),
        (lt.index_select, x, 0, lt.tensor([5, 1])),
        (lt.cat, [x[:1], x[1:2]]),
    ):
        with pytest.raises(ShapeError):
            function(*args, out=x[:2])
        other = lt.zeros(2)
        if function is lt.cat:  # which casts to what it is given, as in PyTorch
            assert function(*args, out=other) is other and other.tolist() == [0, 1]
        else:
            with pytest.raises(DTypeError):
                function(*args, out=other)
        longer = lt.zeros(3, dtype="int64")
        with pytest.warns(UserWarning, match="was resized"):
            function(*args, out=longer)
        assert longer.shape == (2,)
    assert x.tolist() == list(range(6))


def test_fill_diagonal_and_the_rest_of_the_methods():
    assert lt.zeros(5, 2).fill_diagonal_(1).tolist() == [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
    assert lt.zeros(5, 2).fill_diagonal_(1, wrap=True).tolist() == [[1, 0], [0, 1], [0, 0], [1, 0], [0, 1]]
    cube = lt.zeros(2, 2, 2).fill_diagonal_(3)
    assert (cube[0, 0, 0].item(), cube[1, 1, 1].item(), cube.sum().item()) == (3, 3, 6)
    x = lt.arange(6.0).reshape(2, 3)
    assert x.sum_to_size(1, 3).tolist() == [[3, 5, 7]]
    assert x.narrow_copy(1, 1, 1).tolist() == [[1], [4]]
    assert x.swapaxes(0, 1).shape == x.moveaxis(0, 1).shape == x.swapdims(0, 1).shape == (3, 2)
    assert x.repeat(2, 1).shape == (4, 3)
    for call in (
        lambda: lt.zeros(3).fill_diagonal_(1),
        lambda: lt.zeros(2, 2, 3).fill_diagonal_(1),
        lambda: x.sum_to_size(2, 2),
        lambda: x.repeat(2),
    ):
        with pytest.raises(ShapeError):
            call()


ROWS, AT = lt.tensor([2, 0]), lt.tensor([[0, 1, 2], [1, 2, 0]])
IN_PLACE = {
    "index_add_": ((0, ROWS, lt.ones(2, 3)), {"alpha": 2}, {"index_put": 1, "multiply": 1}),
    "index_copy_": ((1, ROWS, lt.ones(4, 2)), {}, {"index_put": 1}),
    "index_fill_": ((-1, ROWS, 5.0), {}, {"index_put": 1, "fill": 1}),
    "scatter_": ((0, AT, lt.ones(2, 3)), {}, {"scatter": 1}),
    "scatter_add_": ((1, AT, lt.ones(3, 4)), {}, {"scatter_add": 1}),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_at_positions_writes_the_tensor_itself(name):
    args, params, kernels = IN_PLACE[name]
    x = lt.arange(12.0).reshape(4, 3)
    expected = getattr(x, name[:-1])(*args, **params)
    version = x.array.flat.version
    with count_ops() as counts:
        assert getattr(x, name)(*args, **params) is x
    assert dict(counts) == kernels
    assert x.tolist() == expected.tolist() and x.array.flat.version == version + 1
    names = ("dim", "index", "value" if name == "index_fill_" else "src" if "scatter" in name else "source")
    y = lt.arange(12.0).reshape(4, 3)
    assert getattr(y, name)(**dict(zip(names, args, strict=True)), **params).tolist() == expected.tolist()
    with pytest.raises(RuntimeError, match="more than one element"):
        getattr(lt.zeros(3).expand(4, 3), name)(*args, **params)
    leaf = lt.ones(4, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        getattr(leaf, name)(*args, **params)
    z = leaf * 1
    getattr(z, name)(*args, **params).sum().backward()
    assert leaf.grad.shape == (4, 3)


@pytest.mark.parametrize("name", [name for name in IN_PLACE if name != "index_fill_"])  # which takes none
def test_out_is_another_tensor(name):
    args, params, _ = IN_PLACE[name]
    function = getattr(lt, name[:-1], None) or found(name[:-1])
    x, out = lt.arange(12.0).reshape(4, 3), lt.zeros(4, 3)
    expected = getattr(x, name[:-1])(*args, **params)
    assert function(x, *args, **params, out=out) is out
    assert out.tolist() == expected.tolist() and x.tolist() == lt.arange(12.0).reshape(4, 3).tolist()


def test_in_place_at_positions_of_its_own_memory_is_read_first():
    x = lt.arange(6.0).reshape(3, 2)
    expected = x.index_copy(0, lt.tensor([1, 2]), x[:2].clone())
    assert x.index_copy_(0, lt.tensor([1, 2]), x[:2]).tolist() == expected.tolist()
    at = lt.tensor([[1, 0], [0, 1]])
    expected = at.scatter_add(0, at.clone(), at.clone())
    assert at.scatter_add_(0, at, at).tolist() == expected.tolist()


def test_in_place_outside_writes_nothing():
    x = lt.zeros(2, 2)
    with pytest.raises(IndexError, match="index_add_: index 2 is out of bounds for dimension 0 with size 2"):
        x.index_add_(0, lt.tensor([0, 2]), lt.ones(2, 2))
    with pytest.raises(RuntimeError, match="index 2 is out of bounds for dimension 1 with size 2"):
        x.scatter_(1, lt.tensor([[0, 2]]), 1.0)
    assert x.tolist() == [[0, 0], [0, 0]] and x.array.flat.version == 0


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64"])
def test_masks_that_broadcast_and_values_of_any_kind(dtype):
    kind = getattr(nd, dtype)
    x = lt.arange(6).reshape(2, 3).to(kind)
    rows, one = lt.tensor([[True], [False]]), lt.tensor(1).to(kind)
    for mask in (lt.tensor([True, False, True]), rows, lt.tensor(True), rows.expand(2, 3)):
        for value in (1, True, one, *([1.0] if kind.is_inexact else [])):
            expected = [[1 if m else v for m, v in zip(*line, strict=True)]
                        for line in zip(mask.expand(2, 3).tolist(), x.tolist(), strict=True)]  # fmt: skip
            for _ in range(2):  # worked out, and remembered
                assert x.masked_fill(mask, value).tolist() == expected
            y = x.clone()
            version = y.array.flat.version
            assert y.masked_fill_(mask, value) is y and y.tolist() == expected and y.array.flat.version == version + 1
            assert lt.where(mask, one, x).tolist() == expected and lt.where(mask, one, x).dtype is kind
    with pytest.raises(RuntimeError):
        x.masked_fill(lt.tensor([True, False]), one)
    with pytest.raises(RuntimeError):
        lt.zeros(3).to(kind).masked_fill_(rows, one)


def test_masks_of_transposed_items():
    x = lt.arange(6.0).reshape(2, 3).t()
    mask = lt.tensor([True, False])
    assert lt.where(mask, x, -1.0).tolist() == [[0, -1], [1, -1], [2, -1]]
    assert lt.where(mask, x, -x).stride() == x.stride()
