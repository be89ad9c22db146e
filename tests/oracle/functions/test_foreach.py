"""PyTorch's functions over lists of tensors, over its database of them: out of place and in place, and what is refused."""

import itertools

import pytest
import torch
from databases import op_database
from seeds import seed_torch
from torch.testing._internal import common_methods_invocations as database

import lamina
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.instruments import count_ops

KINDS = ("unary", "binary", "pointwise", "reduce", "other")
INFOS = {info.name: info for kind in KINDS for info in getattr(database, f"foreach_{kind}_op_db")}
DTYPES = ("float32", "float64", "int64", "bool", "complex64")
CASES = [(name, dtype) for name in INFOS for dtype in DTYPES if getattr(torch, dtype) in INFOS[name].dtypes]
COUNT = 20


def _answer(function, in_place, convert, sample):
    tensors = [convert(x.clone()) for x in sample.input]
    kwargs = {k: convert(v) for k, v in sample.kwargs.items() if k != "is_fastpath"}
    try:
        result = function(tensors, *map(convert, sample.args), **kwargs)
    except (RuntimeError, TypeError, ValueError) as error:
        return type(error)
    return tensors if in_place else list(result)


def _has_bools(args):
    flat = [y for x in args for y in (x if isinstance(x, (list, tuple)) else [x])]
    return any(isinstance(x, bool) or (isinstance(x, torch.Tensor) and x.dtype is torch.bool) for x in flat)


def _differs_for_one_tensor(name, sample):
    """Where our op for one tensor takes booleans in another way than PyTorch's; the function over lists does what the op does.

    `sub` computes with booleans, where PyTorch refuses them. `add` with an `alpha` other than 1 gives int64 for two booleans, where
    PyTorch gives a boolean. `pow` refuses a boolean to the power of one, where PyTorch gives a boolean.
    """
    if name == "_foreach_sub":
        return _has_bools([*sample.input, *sample.args])
    if sample.input[0].dtype is not torch.bool:
        return False
    return "alpha" in sample.kwargs if name == "_foreach_add" else name == "_foreach_pow" and isinstance(sample.args[0], bool)


@pytest.mark.filterwarnings("ignore:Casting complex values:UserWarning")
@pytest.mark.parametrize(("name", "dtype"), CASES)
@pytest.mark.parametrize("in_place", [False, True], ids=["new", "in_place"])
def test_over_the_database(name, dtype, in_place):
    info = INFOS[name]
    in_place = in_place or name in ("_foreach_zero", "_foreach_copy")  # these are there in place only
    theirs = info.inplace_variant if in_place else info.method_variant
    if theirs is None:
        assert not hasattr(torch, f"{name}_" if in_place else name)
        return
    ours, compared = getattr(lamina, theirs.__name__), 0
    drawn = info.sample_inputs_func(info, "cpu", getattr(torch, dtype), False, noncontiguous=False)
    for sample in itertools.islice(op_database.seeded(drawn), COUNT):
        if max((x.numel() for x in sample.input), default=0) > 400:
            sample.input = [x[:7, :7] if x.ndim == 2 and name != "_foreach_mm" and not sample.args else x for x in sample.input]
        if _differs_for_one_tensor(name, sample):
            continue
        expected = _answer(theirs, in_place, lambda v: v, sample)
        observed = _answer(ours, in_place, op_database.to_lamina, sample)
        if expected is NotImplementedError:
            continue  # a dtype that PyTorch's kernel lacks; ours is the op's own
        if isinstance(expected, type) or isinstance(observed, type):
            assert isinstance(expected, type) and isinstance(observed, type), (sample, observed, expected)
            continue
        for mine, their in zip(map(op_database.to_torch, observed), expected, strict=True):
            torch.testing.assert_close(mine, their, equal_nan=True, rtol=3e-5, atol=3e-5)
        compared += 1
    assert compared or dtype in ("bool", "int64", "complex64")


def test_every_name_of_pytorch_is_there():
    names = [name for name in dir(torch) if name.startswith("_foreach_")]
    assert len(names) > 90
    assert [name for name in names if not hasattr(lamina, name)] == []


@pytest.mark.parametrize("call", [
    lambda t: t._foreach_add([], 1), lambda t: t._foreach_exp([]), lambda t: t._foreach_add([t.ones(1)], [t.ones(1), t.ones(1)]),
    lambda t: t._foreach_mul_([t.ones(1)], [1.0, 2.0]), lambda t: t._foreach_exp(3), lambda t: t._foreach_add([t.ones(1)], "a"),
    lambda t: t._foreach_addcmul([t.ones(1)], [t.ones(1)], [t.ones(1), t.ones(1)]),
    lambda t: t._foreach_lerp([t.ones(1)], [t.ones(1)], [1.0, 2.0]),
])  # fmt: skip
def test_what_is_refused(call):
    with pytest.raises((RuntimeError, TypeError)) as theirs:
        call(torch)
    with pytest.raises(theirs.type):
        call(lamina)


def test_gradients_flow_and_numbers_to_the_power_of_tensors():
    results = []
    for library in (lamina, torch):
        x, y = (library.tensor([2.0, 3.0], requires_grad=True) for _ in range(2))
        powers = library._foreach_pow(2.0, library._foreach_mul([x, y], [1.0, 2.0]))
        (powers[0] * powers[1]).sum().backward()
        plain = [x.detach()]
        numbers = [f(plain)[0].item() for f in (library._foreach_max, library._foreach_powsum, library._foreach_norm)]
        results.append((x.grad.tolist(), y.grad.tolist(), numbers))
    for ours, theirs in zip(*results, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5)


CHANGES = [
    ("_foreach_mul_", 0.1, "foreach_multiply"), ("_foreach_mul_", 3, "foreach_multiply"), ("_foreach_add_", 0.1, "foreach_add"),
    ("_foreach_sub_", 0.1, "foreach_add"), ("_foreach_clamp_max_", 0.1, "foreach_clip"), ("_foreach_clamp_min_", 0.1, "foreach_clip"),
    ("_foreach_minimum_", -1, "foreach_clip"), ("_foreach_maximum_", -1, "foreach_clip"),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "number", "kernel"), CHANGES)
def test_one_number_changes_all_tensors_in_one_kernel_call(name, number, kernel, dtype):
    seed_torch()
    theirs = [torch.randn(shape, dtype=getattr(torch, dtype)) for shape in ((5, 40), (), (7,), (3, 0))]
    ours = [lamina.tensor(x.numpy()) for x in theirs]
    theirs[0], ours[0] = theirs[0].t(), ours[0].t()
    versions = [x._version for x in ours]
    with count_ops() as counts, lamina.no_grad():
        getattr(lamina, name)(ours, number)
    assert counts[kernel] == 1
    table = ours[0].array.flat.kernels
    if origin(table.backend, kernel, table.dtype) != "derived":  # else it is put together of kernels for one
        assert counts.total() - counts["fill"] == 1, counts
    getattr(torch, name)(theirs, number)
    assert [x.tolist() for x in ours] == [x.tolist() for x in theirs]
    assert all(x._version > version for x, version in zip(ours, versions, strict=True))


@pytest.mark.parametrize("name", ["_foreach_mul_", "_foreach_add_", "_foreach_clamp_max_"])
def test_tensors_are_changed_one_by_one_where_one_call_would_not_do(name):
    """Where a change is recorded, where one tensor is there twice, where each has a number of its own, in other dtypes."""
    function = getattr(lamina, name)
    leaf = lamina.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        function([lamina.ones(2), leaf], 2.0)
    results = []
    for t in (lamina, torch):
        leaf, twice = t.ones(2, requires_grad=True), t.ones(3)
        recorded = [leaf * 3, leaf * 4]
        getattr(t, name)(recorded, 2.0)
        sum(x.sum() for x in recorded).backward()
        getattr(t, name)([twice, twice], 3.0)
        whole, halves = [t.arange(3), t.arange(2)], [t.ones(2, dtype=t.float16), t.ones(3)]
        getattr(t, name)(whole, 2)
        getattr(t, name)(halves, [0.5, 3.0])
        results.append([x.tolist() for x in (leaf.grad, *recorded, twice, *whole, *halves)])
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "maximum", "minimum", "clamp_min", "clamp_max"])
@pytest.mark.parametrize("operand", [{}, {"dtype": "float64"}, {"requires_grad": True}, {"shape": (2,)}])
def test_a_tensor_for_a_number(name, operand):
    def answered(t, in_place):
        y = t.full(operand.get("shape", ()), 2.0, dtype=getattr(t, operand.get("dtype", "float32")))
        try:
            result = getattr(t, f"_foreach_{name}{in_place}")([t.tensor([1.0, 3.0])], y.requires_grad_("requires_grad" in operand))
        except (RuntimeError, TypeError):
            return "refused"
        return [(x.tolist(), str(x.dtype).split(".")[-1], x.requires_grad) for x in result]

    for in_place in ("", "_"):
        assert answered(lamina, in_place) == answered(torch, in_place)


def test_in_place_the_list_comes_back():
    for t in (lamina, torch):
        for name, others in (("zero", []), ("sin", []), ("add", [1.0]), ("addcmul", [[t.ones(2)], [t.ones(2)]]), ("copy", [[t.ones(2)]])):
            tensors = [t.ones(2)]
            assert getattr(t, f"_foreach_{name}_")(tensors, *others) is tensors
