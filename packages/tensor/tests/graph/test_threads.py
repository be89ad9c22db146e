"""Eight threads at once: what is remembered of layouts, shapes and kernels fills, and is forgotten, under all of them."""

import threading

import lamina_tensor as lt
from lamina_ndarray.layouts.bounded_cache import BoundedCache

THREADS, ROUNDS = 8, 12


def _bits(n):
    """Values and gradients of shapes that belong to n alone."""
    x = lt.arange(float(6 * n)).reshape(n, 2, 3).requires_grad_()
    y = lt.arange(float(3 * n)).reshape(n, 1, 3)
    parts = [*x.transpose(0, 1).flatten(1).chunk(2, 1), (x + y).permute(2, 0, 1).reshape(3, -1), x.select(1, 1)[:, ::2]]
    joined = lt.cat([part.reshape(-1) for part in parts])
    loss = (joined * joined).mean() + (-x).exp().sum(0).max()
    loss.backward()
    return joined.tolist(), loss.item(), x.grad.tolist()


def _together(work):
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


def test_what_is_remembered_fills_and_is_forgotten_under_all_threads(monkeypatch):
    wanted = [_bits(n) for n in range(1, ROUNDS + 1)]
    for cache in BoundedCache.every:
        monkeypatch.setattr(cache, "limit", 24)
    wrong = []

    def work(me):
        for i in range(3 * ROUNDS):
            n = (i + me) % ROUNDS
            if _bits(n + 1) != wanted[n]:
                wrong.append((me, n))

    _together(work)
    assert not wrong


def test_one_tensor_is_read_by_all_threads():
    weight = lt.arange(12.0).reshape(3, 4)
    wanted = (weight @ weight.mT).tolist()
    found = []
    _together(lambda me: found.extend((weight @ weight.mT).tolist() for _ in range(20)))
    assert found == [wanted] * (20 * THREADS)
