"""Views that are worked out once: what is remembered is right for other tensors, other arguments and gradients."""

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt

CALLS = {
    "chunk": lambda x: x.chunk(2, 1),
    "chunk by keyword": lambda x: x.chunk(2, dim=1),
    "split": lambda x: x.split(2),
    "split at lengths": lambda x: x.split([1, 3]),
    "unbind": lambda x: x.unbind(-1),
    "select": lambda x: x.select(0, -1),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "flatten": lambda x: x.flatten(),
    "unflatten": lambda x: x.unflatten(1, (3, 2)),
    "unflatten by a list": lambda x: x.unflatten(-1, [2, -1]),
    "tensor_split": lambda x: x.tensor_split([1, 3]),
    "hsplit": lambda x: x.hsplit([2, 5]),
    "dsplit": lambda x: x.unflatten(1, (3, 2)).dsplit([1]),
    "split_with_sizes": lambda x: x.split_with_sizes((2, 4), dim=1),
    "movedim": lambda x: x.movedim((0, 1), [1, 0]),
    "squeeze": lambda x: x.unflatten(0, (1, 4, 1)).squeeze((0, 2)),
    "ravel": lambda x: x.ravel(),
    "as_strided": lambda x: x.as_strided((2, 3), (6, 1), 6),
}


def parts(made):
    return made if isinstance(made, tuple) else (made,)


@pytest.mark.parametrize("name", CALLS)
def test_the_second_call_gives_what_the_first_gave(name):
    x, y = lt.arange(24.0).reshape(4, 6), lt.arange(24.0).reshape(4, 6) + 100
    first, second, other = parts(CALLS[name](x)), parts(CALLS[name](x)), parts(CALLS[name](y))
    assert [p.tolist() for p in first] == [p.tolist() for p in second]
    assert [(p + 100).tolist() for p in first] == [p.tolist() for p in other]
    before = x.sum().item()
    for part in second:
        assert part.base is first[0].base is not None
        part.add_(1)
    assert x.sum().item() == before + sum(p.numel() for p in second)
    leaf = lt.ones(4, 6, requires_grad=True)
    sum(p.sum() for p in parts(CALLS[name](leaf))).backward()
    assert leaf.grad.sum().item() == sum(p.numel() for p in second)


def test_arguments_that_are_equal_but_of_another_kind_are_told_apart():
    x = lt.ones(4, 6)
    x.chunk(2, 1)
    with pytest.raises(TypeError):
        x.chunk(2.0, 1)
    with pytest.raises(TypeError):
        x.chunk(2, 1.0)
    assert x.flatten(0, 0) is x is x.flatten(0, 0)
    x.split([1, 3])
    x.movedim((0, 1), (1, 0))
    for refused in (lambda: x.split([1.0, 3.0]), lambda: x.movedim((0.0, 1.0), (1.0, 0.0))):
        with pytest.raises(TypeError):
            refused()
    with pytest.raises(TypeError):
        x.split((True, 3.0))


def test_a_view_within_more_memory_does_not_fit_into_less():
    x = lt.arange(8.0)
    assert x.as_strided((2, 4), (4, 1)).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    for _ in range(2):
        with pytest.raises(RuntimeError, match="touches items 0 to 7; the memory has 4"):
            lt.arange(4.0).as_strided((2, 4), (4, 1))


def test_what_copies_is_not_remembered():
    x = lt.arange(6).reshape(2, 3).T
    first, second = x.flatten(), x.flatten()
    first.zero_()
    assert second.tolist() == [0, 3, 1, 4, 2, 5] == x.flatten().tolist()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float32", "complex64"])
def test_a_number_goes_where_a_mask_holds(dtype):
    x = lt.zeros(2, 3, dtype=getattr(nd, dtype))
    every, rows = lt.tensor([[True, False, True], [False, True, False]]), lt.tensor([False, True])
    version = x.array.flat.version
    x[every] = 1
    assert x.tolist() == [[1, 0, 1], [0, 1, 0]] and x.array.flat.version == version + 1
    x[rows] = lt.tensor(True)
    assert x.tolist() == [[1, 0, 1], [1, 1, 1]]
    x.T[every.T] = 0
    assert x.tolist() == [[0, 0, 0], [1, 0, 1]]
    mask = x != 0
    mask[mask] = False
    assert not mask.any()
    assert x[rows].tolist() == [[1, 0, 1]] and x[every].tolist() == [0, 0, 0]


def test_a_result_is_no_view_of_what_a_function_made_on_its_way():
    """Else an in-place op on a view of it rewrites the history of what nobody can reach, and its own hooks are lost."""
    x = lt.tensor([[1.0, 2.0]], requires_grad=True)
    greatest = x.max(0).values
    greatest.register_hook(lambda g: g * 3)
    greatest.view(-1)[0:1] *= 2
    greatest.sum().backward()
    assert x.grad.tolist() == [[6.0, 3.0]]
    for result in (lt.ones(1).repeat(2, 1), lt.tile(lt.ones(1), (2,)), lt.ones(2, 3).masked_scatter(lt.ones(2, 3) > 0, lt.ones(6))):
        assert not result._is_view() and result.detach_() is result


def test_views_of_arguments_stay_views():
    x, y = lt.ones(2, 3), lt.ones(3)
    row = x[0]
    for view, base in (
        (x.view(-1), x), (row[1:], x), (lt.unbind(x)[1], x), (lt.broadcast_tensors(x, y)[1], y), (lt.atleast_2d([y, y])[0], y),
        (lt.movedim(x, 0, 1), x), (lt.chunk(row, 3)[0], x),
    ):  # fmt: skip
        assert view._is_view() and view._base is base
    assert row.add_(1) is row and row._base is x
