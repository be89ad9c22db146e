"""Deep copies and pickles of views: strides, offset and memory as PyTorch's, and what shared memory goes on sharing it."""

import copy
import multiprocessing.reduction
import pickle

import pytest
import torch

import lamina

VIEWS = ("a", "a.t()", "a[:, 1:3]", "a[::2]", "a[0].expand(3, 4)", "a.t()[1:]", "a[1, 2]", "a[:0]", "a.view(a.dtype)", "a.flatten()[5:]")
COPIES = {"deep": copy.deepcopy, "pickled": lambda x: pickle.loads(pickle.dumps(x))}


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "bfloat16", "complex64"])
@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("view", VIEWS)
def test_a_copy_of_a_view_has_its_layout_and_all_of_its_memory(view, copied, dtype):
    told = []
    for library in (torch, lamina):
        a = library.arange(12).reshape(3, 4).to(getattr(library, dtype))
        x = COPIES[copied](eval(view, {"a": a}))
        told.append((x.stride(), x.storage_offset(), x.untyped_storage().nbytes(), tuple(x.shape), x.tolist()))
    assert told[0] == told[1]


def test_what_shared_memory_goes_on_sharing_it():
    """In a pickle, too, where PyTorch's goes apart."""
    for library, copied in ((torch, copy.deepcopy), *((lamina, way) for way in COPIES.values())):
        a = library.arange(12.0).reshape(3, 4)
        whole, turned, row, pairs = copied([a, a.t(), a[1], library.view_as_complex(a.view(3, 2, 2))])
        whole[1, 0] = 99.0
        assert turned[0, 1] == row[0] == 99.0 and pairs[1, 0].real == 99.0
        assert a[1, 0] == 4.0


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_a_parameter_has_no_gradient(copied):
    for library in (torch, lamina):
        model = library.nn.Linear(2, 3)
        model.weight = library.nn.Parameter(library.ones(2, 3).t())
        model(library.ones(1, 2)).sum().backward()
        weight = COPIES[copied](model).weight
        assert type(weight) is library.nn.Parameter and weight.requires_grad and weight.stride() == (1, 3)
        assert weight.grad is None and model.weight.grad is not None


def test_a_deep_copy_of_a_tensor_has_its_gradient():
    for library in (torch, lamina):
        x = library.ones(3, requires_grad=True)
        (x * 2).sum().backward()
        y = copy.deepcopy(x)
        assert y.grad.tolist() == [2.0] * 3 and y.grad is not x.grad and y.is_leaf


def test_a_parameter_in_larger_memory_is_copied_alone():
    for library in (torch, lamina):
        parameter = library.nn.Parameter(library.zeros(1000)[10:20])
        assert copy.deepcopy(parameter).untyped_storage().nbytes() == 40


def test_of_memory_that_is_sent_to_a_process_only_what_is_shown_goes():
    lamina.multiprocessing.init_reductions()
    x = lamina.zeros(1000, 1000)
    assert len(multiprocessing.reduction.ForkingPickler.dumps(x[0])) < 10_000
    assert pickle.loads(multiprocessing.reduction.ForkingPickler.dumps(x[:, 1])).shape == (1000,)


def test_a_layout_that_leads_out_of_its_memory_is_refused():
    rebuilt, arguments, _ = lamina.ones(4).__reduce_ex__(2)
    kind, memory, *_ = arguments
    assert rebuilt(kind, memory, (4,), (1,), 0, False).tolist() == [1.0] * 4
    for shape, strides, offset in [((5,), (1,), 0), ((4,), (1,), 1), ((2,), (-1,), 0), ((1,), (1,), -1)]:
        with pytest.raises((RuntimeError, ValueError)):
            rebuilt(kind, memory, shape, strides, offset, False)
    with pytest.raises(TypeError):
        rebuilt(dict, memory, (4,), (1,), 0, False)
    with pytest.raises(TypeError):
        rebuilt(kind, b"1234", (4,), (1,), 0, False)


def test_of_a_tensor_without_memory_the_copy_has_none_either():
    x = lamina.empty(3, 4, device="meta").t()
    for copied in COPIES.values():
        y = copied(x)
        assert y.device.type == "meta" and y.stride() == (1, 4)
