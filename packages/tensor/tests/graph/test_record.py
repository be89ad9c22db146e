"""A record has the gradients; the tensors know nothing of it, in the block's end nor after it, and nobody keeps the other alive."""

import asyncio
import copy
import gc
import threading
import weakref

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError, float64
from lamina_flatarray.modes import word
from lamina_tensor.tensor_class import Tensor
from lamina_tensor.tensor_fields import TensorFields, records
from lamina_tensor.transforms.checkpoint import checkpoint
from lamina_tensor.transforms.func import grad
from lamina_tensor.transforms.mapping.vmap import vmap
from lamina_tensor.transforms.record import record


@pytest.fixture(autouse=True)
def nothing_left():
    fields = dict(vars(TensorFields)), dict(vars(Tensor))
    yield
    assert (dict(vars(TensorFields)), dict(vars(Tensor))) == fields  # nothing was exchanged
    assert word.get() == 0 and records.get() == ()


def ordinary(*tensors):
    return all(x.node is None and not x.requires_grad and x._grad is None for x in tensors)


def test_gradients_of_leaves_and_results_on_a_diamond():
    x, w = lt.tensor([1.0, 2.0, 3.0]), {"scale": lt.tensor([2.0, 2.0, 2.0])}
    with record() as rec:
        h = x * w["scale"]
        left, right = h.sin(), h * h
        loss = (left * right + h).sum()
    grads = rec.gradients(loss)
    assert ordinary(x, h, left, right, loss, *w.values())

    leaves = [x.clone().requires_grad_(), w["scale"].clone().requires_grad_()]
    k = leaves[0] * leaves[1]
    a, b = k.sin(), k * k
    expected = lt.grad((a * b + k).sum(), [*leaves, k, a, b])
    found = grads.wrt([x, w["scale"], h, left, right])
    for g, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(g.numpy(), e.numpy(), rtol=1e-6)
    assert grads.wrt(loss).item() == 1


def test_trees_and_what_nothing_depends_on():
    w = {"a": [lt.ones(2), 3], "b": (lt.ones(3, dtype=float64), None)}
    with record() as rec:
        loss = (w["a"][0] * 2).sum()
    found = rec.gradients(loss).wrt(w)
    assert found["a"][0].tolist() == [2, 2] and found["a"][1] == 3 and found["b"][1] is None
    assert found["b"][0].tolist() == [0, 0, 0] and found["b"][0].dtype is float64
    with pytest.raises(AutogradError, match="int64"):
        rec.gradients(loss).wrt(lt.arange(3))
    with pytest.raises(AutogradError, match=r"float32 tensor of shape \(5,\) was not computed in the record's block"):
        rec.gradients(lt.ones(5))


def test_named_tensors_only():
    x, w = lt.ones(2), {"w": lt.full((2,), 3.0)}
    with record(w) as rec:
        data = x * 5
        loss = (data * w["w"]).sum()
        assert loss.requires_grad and not data.requires_grad
    grads = rec.gradients(loss)
    assert grads.wrt(w)["w"].tolist() == [5, 5]
    for unknown in (x, data):
        with pytest.raises(AutogradError, match="neither named nor computed from named ones"):
            grads.wrt(unknown)
    with pytest.raises(AutogradError, match="no floating or complex tensor"):
        record({"n": lt.arange(3)})


def test_several_outputs_and_given_gradients():
    x = lt.tensor([1.0, 2.0])
    with record() as rec:
        y, z = x * x, x * 3
    assert rec.gradients([y, z], [lt.ones(2), lt.tensor([1.0, 0.0])]).wrt(x).tolist() == [5, 4]
    with pytest.raises(AutogradError, match="scalar"):
        rec.gradients(y)


def test_a_record_is_asked_more_than_once():
    x = lt.tensor([2.0])
    with record() as rec:
        y = (x**2).sum()
        z = (x**3).sum()
    assert rec.gradients(y).wrt(x).tolist() == [4] and rec.gradients(z).wrt(x).tolist() == [12]
    assert rec.gradients(y).wrt(x).tolist() == [4]


def test_parameters_are_stepped_in_place_between_one_gradient_and_the_next():
    w = [lt.tensor([1.0, 2.0]), lt.tensor([3.0, 4.0])]
    with record() as rec:
        loss = (w[0] * w[1]).sum()
    grads = rec.gradients(loss)
    for p in w:
        p -= 0.5 * grads.wrt(p)  # all gradients are there: the first step changes none of them
    assert [p.tolist() for p in w] == [[-0.5, 0.0], [2.5, 3.0]]
    assert ordinary(*w)


def test_gradients_have_memory_of_their_own():
    x, y = lt.ones(3), lt.ones(3)
    with record() as rec:
        loss = (x + y).sum()
    grads = rec.gradients(loss)
    a, b = grads.wrt(x), grads.wrt(y)
    a.mul_(10)
    assert b.tolist() == [1, 1, 1]
    seed = lt.ones(3)
    with record() as rec:
        z = x.view(3)
    g = rec.gradients(z, seed).wrt(x)
    g.zero_()
    assert seed.tolist() == [1, 1, 1]


def test_writing_in_place():
    x, w = lt.tensor([1.0, 2.0]), lt.tensor([3.0, 4.0])
    with record() as rec:
        b = lt.zeros(3)
        b[0] = x[1] * 2
        b[1:].add_(w)
        w.mul_(2)
        loss = (b * b).sum() + w.sum()
    grads = rec.gradients(loss)
    assert b.tolist() == [4, 3, 4] and ordinary(b, w, x)
    assert grads.wrt(x).tolist() == [0, 16]
    assert grads.wrt(b).tolist() == [8, 6, 8]
    assert grads.wrt(w).tolist() == [1, 1]  # w is what it became


def test_second_gradients_in_the_block_and_by_nesting():
    x = lt.tensor([1.0, 2.0])
    with record() as rec:
        g = rec.gradients((x**3).sum()).wrt(x)
        s = (g * g).sum()
    assert rec.gradients(s).wrt(x).tolist() == [36, 288]  # d/dx 9 x^4
    with record() as outer:
        with record() as inner:
            y = (x**3).sum()
        g = inner.gradients(y).wrt(x)
        s = (g * g).sum()
    assert outer.gradients(s).wrt(x).tolist() == [36, 288]
    assert outer.gradients(y).wrt(x).tolist() == [3, 12]
    assert ordinary(g, s, y)


def test_no_grad_detach_and_transforms_within():
    x = lt.tensor([1.0, 2.0])
    with record() as rec:
        with lt.no_grad():
            c = x * 2
        d = (x * 3).detach()
        inner = grad(lambda v: (v**3).sum())(x)
        mapped = vmap(lambda v: v * v)(x)
        loss = (x * c * d).sum() + inner.sum() + mapped.sum()
    assert rec.gradients(loss).wrt(x).tolist() == [2 * 3 + 6 + 2, 4 * 6 + 12 + 4]
    assert rec.gradients(loss).wrt(d).tolist() == [2, 8]


def test_tensors_can_be_read_within():
    x = lt.ones(2)
    with record():
        y = x * 2
        assert y.numpy().tolist() == np.asarray(y).tolist() == y.tolist() == [2, 2]
        assert copy.deepcopy(y).tolist() == [2, 2]
        assert x.is_leaf and not y.is_leaf and lt.ones(1).is_leaf and lt.arange(2).is_leaf
        z = lt.ones(2, requires_grad=True)
        w = lt.ones(2).requires_grad_()
    assert z.requires_grad and w.requires_grad and z.node is None


def test_the_tensors_own_gradients_work_within_and_after():
    p = lt.tensor([1.0, 2.0], requires_grad=True)
    before = p * 3
    with record() as rec:
        loss = (before * p).sum()
        loss.backward(retain_graph=True)
    assert p.grad.tolist() == [6, 12]
    assert rec.gradients(loss).wrt(before).tolist() == [1, 2]
    assert p.requires_grad and p.node is None and before.node is not None and not loss.requires_grad
    with pytest.raises(AutogradError):
        loss.backward()


def test_checkpoints_are_computed_again_after_the_block():
    x = lt.tensor([0.5, 1.0])
    with record() as rec:
        loss = checkpoint(lambda v: v.exp().sin(), x).sum()
    np.testing.assert_allclose(rec.gradients(loss).wrt(x).numpy(), np.exp(x.numpy()) * np.cos(np.exp(x.numpy())), rtol=1e-6)


def test_several_results_and_complex_items():
    x = lt.tensor([[2.0, 1.0], [1.0, 3.0]])
    with record() as rec:
        values, _ = lt.sort(x)
        loss = (values * values).sum()
    assert rec.gradients(loss).wrt(values).tolist() == (2 * values).tolist()
    z = lt.tensor([1 + 2j])
    with record() as rec:
        loss = (z * z.conj()).real.sum()
    assert rec.gradients(loss).wrt(z).tolist() == [2 + 4j]


def test_nobody_keeps_the_other_alive():
    x = lt.ones(4)
    with record() as rec:
        middle = x * 2
        temporary = lt.ones(4)
        loss = (middle + temporary).sum()
    gone = [weakref.ref(middle), weakref.ref(temporary), weakref.ref(rec)]
    gc.disable()
    try:
        del middle, temporary
        assert gone[0]() is None and gone[1]() is None
        assert rec.gradients(loss).wrt(x).tolist() == [2, 2, 2, 2]
        del rec
        assert gone[2]() is None
    finally:
        gc.enable()


def test_other_threads_are_not_recorded():
    seen = []
    x = lt.ones(2)

    def work():
        y = x * 2
        seen.append((y.requires_grad, y.node))

    with record():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert x.requires_grad
    assert seen == [(False, None)]


def test_a_failing_block_leaves_nothing():
    with pytest.raises(ZeroDivisionError), record(), lt.no_grad():
        1 / 0
    assert ordinary(lt.ones(2) * 2)


def test_a_long_chain():
    x = lt.tensor(1.0)
    with record() as rec:
        y = x
        for _ in range(50_000):
            y = y + 1.0
    assert rec.gradients(y).wrt(x).item() == 1
    del rec, y


def test_two_threads_record_the_same_tensor():
    x, both_on = lt.tensor([1.0, 2.0]), threading.Barrier(2)
    found = {}

    def work(factor):
        with record() as rec:
            both_on.wait(10)
            y = (x * x * factor).sum()
            both_on.wait(10)
        found[factor] = rec.gradients(y).wrt(x).tolist()

    threads = [threading.Thread(target=work, args=(factor,)) for factor in (1, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {1: [2, 4], 10: [20, 40]} and ordinary(x)


def test_a_task_records_for_itself():
    x = lt.tensor([1.0, 2.0])

    async def one(factor):
        with record() as rec:
            await asyncio.sleep(0)
            y = (x * factor).sum()
            await asyncio.sleep(0)
        return rec.gradients(y).wrt(x).tolist(), x.requires_grad

    async def both():
        return await asyncio.gather(one(2), one(3))

    assert asyncio.run(both()) == [([2, 2], False), ([3, 3], False)]


def test_a_name_bound_early_is_recorded_as_one_bound_late():
    wants, x = TensorFields.requires_grad.__get__, lt.ones(2)
    with record():
        assert wants(x) and x.requires_grad
    assert not wants(x)
