"""Passes of many threads that add to the same leaves lose nothing, and disturb no one else's."""

import threading

import pytest

import lamina_tensor as lt

THREADS = 8


def together(work):
    start, errors = threading.Barrier(THREADS), []

    def run(me):
        start.wait()
        try:
            work(me)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(me,)) for me in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize(("rows", "rounds", "passes"), [(1500, 3, 2), (100, 10, 5), (1, 20, 20)])
def test_every_pass_is_in_the_sum(rows, rounds, passes, create_graph):
    for _ in range(rounds):
        w = lt.ones(rows, rows, requires_grad=True)

        def work(me, w=w):
            for _ in range(passes):
                (w * float(me + 1)).sum().backward(create_graph=create_graph)

        together(work)
        whole = float(passes * sum(range(1, THREADS + 1)))
        assert (float(w.grad.min()), float(w.grad.max())) == (whole, whole)


def test_a_retained_gradient_is_whole():
    """Each thread passes from a result of its own back through the shared one."""
    for _ in range(5):
        w = lt.ones(300, 300, requires_grad=True)
        shared = w * 2.0
        shared.retain_grad()
        together(lambda me, shared=shared: [(shared * 1.0).sum().backward(retain_graph=True) for _ in range(3)])
        assert (float(shared.grad.min()), float(shared.grad.max())) == (24.0, 24.0)
        assert (float(w.grad.min()), float(w.grad.max())) == (48.0, 48.0)


def test_models_of_their_own_beside_a_shared_one():
    shared = lt.ones(40, 40, requires_grad=True)
    inputs = [lt.arange(40.0) % (me + 2) for me in range(THREADS)]

    def trained(me):
        own = lt.ones(40, 40, requires_grad=True)
        for _ in range(10):
            ((inputs[me] @ own) * (inputs[me] @ shared)).sum().backward()
            with lt.no_grad():
                own -= own.grad * 2.0**-20
            own.grad = None
        return own.tolist()

    alone = [trained(me) for me in range(THREADS)]
    shared.grad = None
    results = [None] * THREADS
    together(lambda me: results.__setitem__(me, trained(me)))
    assert results == alone


def test_a_hook_after_accumulation_may_pass_itself():
    w, v = lt.ones(3, requires_grad=True), lt.ones(3, requires_grad=True)
    w.register_post_accumulate_grad_hook(lambda leaf: (v * 2.0).sum().backward())
    together(lambda me: (w * 1.0).sum().backward())
    assert w.grad.tolist() == [8.0] * 3 and v.grad.tolist() == [16.0] * 3
