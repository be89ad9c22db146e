"""Optimizers, schedules, averages and clipping against real PyTorch, over its own optimizer database."""

import warnings
from importlib import import_module
from types import MethodType

import numpy as np
import pytest
import torch
from torch.testing._internal.common_optimizers import optim_db
from training import optimizers, schedules

import lamina

CASES = optimizers.cases()


ASKED = [
    pytest.param(case, check, id=f"{case.id}-{check}")
    for case in CASES for check in optimizers.CHECKS if optimizers.asked(case, check)
]  # fmt: skip


@pytest.mark.parametrize(("case", "check"), ASKED)
def test_as_pytorch(case, check):
    optimizers.CHECKS[check](case)


@pytest.mark.parametrize("info", optim_db, ids=lambda info: info.name)
def test_wrong_settings_are_refused_as_pytorch_does(info):
    assert optimizers.check_errors(info) > 5


@pytest.mark.parametrize("info", optim_db, ids=lambda info: info.name)
def test_steps_under_the_schedules_of_the_database(info):
    assert optimizers.check_schedules(info) > 0


@pytest.mark.parametrize("kind", schedules.KINDS)
@pytest.mark.parametrize("name", list(schedules.SCHEDULES))
def test_schedules(name, kind):
    schedules.check_schedule(name, kind)


def test_every_class_of_schedules_is_asked():
    assert not schedules.unasked()


BY_EPOCH = ["step", "milestones", "constant", "linear", "exponential", "polynomial", "cosine", "restarts longer", "lambda"]


@pytest.mark.parametrize("name", BY_EPOCH)
def test_closed_forms(name):
    paths = []
    for library in (lamina, torch):
        optimizer = library.optim.SGD([library.ones(2, requires_grad=True)], lr=0.1)
        schedule = schedules.SCHEDULES[name](library.optim.lr_scheduler, optimizer)
        optimizer.step()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            paths.append([(schedule.step(epoch), schedule.get_last_lr())[1] for epoch in (3, 1, 40, 7, 0)])
    assert paths[0] == paths[1]


def test_a_learning_rate_that_is_a_tensor_is_set_in_place():
    paths = []
    for library in (lamina, torch):
        lr = library.tensor(0.5)
        optimizer = library.optim.SGD([library.ones(2, requires_grad=True)], lr=lr)
        schedule = library.optim.lr_scheduler.CosineAnnealingLR(optimizer, 8)
        path = []
        for _ in range(10):
            optimizer.step()
            schedule.step()
            path.append(lr.item())
        assert optimizer.param_groups[0]["lr"] is lr
        paths.append(path)
    np.testing.assert_allclose(*paths, rtol=1e-6)


def both(program):
    """What a program of one library gives, for lamina and for PyTorch."""
    return [program(library) for library in (lamina, torch)]


ARRAYS = [np.linspace(-3, 4, 12).reshape(3, 4), np.array(2.5), np.array([1e-3, -7.0])]


@pytest.mark.parametrize("order", [2.0, 1, 0.5, float("inf"), 3])
@pytest.mark.parametrize("largest", [0.5, 1e3])
def test_clipping_by_norm(order, largest):
    def program(library):
        params = [library.zeros(a.shape, dtype=library.float64) for a in ARRAYS]
        for p, a in zip(params, ARRAYS, strict=True):
            p.grad = library.tensor(a)
        norm = library.nn.utils.clip_grad_norm_(params, largest, order)
        again = library.nn.utils.get_total_norm([p.grad for p in params], order)
        return [norm.item(), again.item(), *(x for p in params for x in p.grad.reshape(-1).tolist())]

    np.testing.assert_allclose(*both(program), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [("SGD", {"momentum": 0.9, "nesterov": True}), ("Adam", {"amsgrad": True}), ("AdamW", {}),
     ("Adagrad", {"initial_accumulator_value": 0.1})],
)  # fmt: skip
def test_steps_of_16_bits_are_rounded_as_pytorchs_fused_ones(name, settings, dtype):
    """Once each, at the end of a step; a gradient of 0 moves nothing, though `eps` is 0 in float16. PyTorch's fused SGD of 16 bits
    goes astray."""
    given = np.random.default_rng(0).standard_normal((6, 1500))
    given[:, 7] = 0
    fused = {lamina: {}, torch: {} if name == "SGD" else {"fused": True}}
    step = {"float16": 2.0**-10, "bfloat16": 2.0**-7}[dtype]

    def program(library):
        kind = getattr(library, dtype)
        p = library.tensor(given[0]).to(kind).requires_grad_()
        optimizer = getattr(library.optim, name)([p], lr=0.01, **fused[library], **settings)
        for slope in given[1:]:
            p.grad = library.tensor(slope).to(kind)
            optimizer.step()
        kept = [x for key, x in sorted(optimizer.state[p].items()) if key != "step"]
        assert all(x.dtype is kind for x in kept)
        return [x.detach().double().tolist() for x in (p, *kept)]

    np.testing.assert_allclose(*both(program), rtol=2 * step, atol=(8 if name == "SGD" else 1) * step)  # its sums are several


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_clipping_in_16_bits(dtype):
    def program(library):
        p = library.zeros(3000, dtype=getattr(library, dtype))
        p.grad = library.tensor(np.random.default_rng(0).standard_normal(3000)).to(p.dtype)
        norm = library.nn.utils.clip_grad_norm_(p, 3.0)
        scaled = p.grad.double().tolist()
        library.nn.utils.clip_grad_value_(p, 0.1)
        return [norm.item(), *scaled, *p.grad.double().tolist()]

    np.testing.assert_allclose(*both(program), rtol=2 * {"float16": 2.0**-10, "bfloat16": 2.0**-7}[dtype])


def test_a_norm_whose_square_is_too_large():
    """PyTorch's is infinite, and so it clips to 0; here it is told."""
    p = lamina.zeros(4)
    p.grad = lamina.full((4,), 1e20)
    assert lamina.nn.utils.get_total_norm([p.grad]).item() == pytest.approx(2e20)
    assert lamina.nn.utils.clip_grad_norm_(p, 1.0).item() == pytest.approx(2e20)
    assert p.grad.tolist() == pytest.approx([0.5] * 4)
    assert torch.nn.utils.get_total_norm([torch.full((4,), 1e20)]).item() == float("inf")


def test_clipping_by_value_and_of_nothing():
    def program(library):
        p = library.zeros(3, 4, dtype=library.float64)
        p.grad = library.tensor(ARRAYS[0])
        library.nn.utils.clip_grad_value_([p, library.zeros(2)], 1.5)
        return [*p.grad.reshape(-1).tolist(), library.nn.utils.clip_grad_norm_([], 1.0).item()]

    np.testing.assert_allclose(*both(program), rtol=0)
    p = lamina.zeros(1)
    p.grad = lamina.tensor([float("nan")])
    with pytest.raises(RuntimeError, match="non-finite, so it cannot be clipped"):
        lamina.nn.utils.clip_grad_norm_(p, 1.0, error_if_nonfinite=True)


def test_parameters_as_a_vector():
    def program(library):
        params = [library.tensor(a, requires_grad=True) for a in ARRAYS]
        vector = library.nn.utils.parameters_to_vector(params)
        library.nn.utils.vector_to_parameters(vector.detach() * 2, params)
        (vector * vector).sum().backward()
        return [x for p in params for part in (p, p.grad) for x in part.reshape(-1).tolist()]

    np.testing.assert_allclose(*both(program), rtol=0)


AVERAGES = {
    "swa": lambda library: {},
    "swa of one": lambda library: {"avg_fn": library.optim.swa_utils.get_swa_avg_fn()},
    "ema": lambda library: {"multi_avg_fn": library.optim.swa_utils.get_ema_multi_avg_fn(0.7)},
    "ema of one": lambda library: {"avg_fn": library.optim.swa_utils.get_ema_avg_fn(0.7)},
    "buffers too": lambda library: {"use_buffers": True},
}


@pytest.mark.parametrize("kind", list(AVERAGES))
def test_averaged_models(kind):
    def program(library):
        class Model(library.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = library.nn.Parameter(library.tensor(ARRAYS[0]))
                self.register_buffer("seen", library.tensor([1.0, 2.0]))

        model = Model()
        averaged = library.optim.swa_utils.AveragedModel(model, **AVERAGES[kind](library))
        for i in range(5):
            with library.no_grad():
                model.weight.mul_(1.1 + 0.1 * i)
                model.seen.add_(1)
            averaged.update_parameters(model)
        state = averaged.state_dict()
        return sorted(state), [x for name in sorted(state) for x in state[name].reshape(-1).tolist()]

    ours, theirs = both(program)
    assert ours[0] == theirs[0]
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6)


def _optimizer(library):
    return import_module(f"{library.__name__}.optim.optimizer")


def test_hooks_are_called_in_pytorchs_order():
    def program(library):
        calls = []
        p = library.ones(2, requires_grad=True)
        optimizer = library.optim.SGD([("w", p)], lr=0.1)

        def note(name):
            return lambda *args: calls.append((name, len(args)))

        handles = [
            optimizer.register_step_post_hook(note("after")),
            optimizer.register_step_pre_hook(note("before")),
            _optimizer(library).register_optimizer_step_pre_hook(note("before all")),
            _optimizer(library).register_optimizer_step_post_hook(note("after all")),
            optimizer.register_state_dict_pre_hook(note("before saving")),
            optimizer.register_state_dict_pre_hook(note("before saving, first"), prepend=True),
            optimizer.register_state_dict_post_hook(note("after saving")),
            optimizer.register_load_state_dict_pre_hook(note("before loading")),
            optimizer.register_load_state_dict_post_hook(note("after loading")),
        ]
        (p * p).sum().backward()
        optimizer.step()
        optimizer.load_state_dict(optimizer.state_dict())
        for handle in handles:
            handle.remove()
        optimizer.step()
        optimizer.state_dict()
        return calls, p.tolist(), optimizer.param_groups[0]["param_names"], repr(optimizer)

    ours, theirs = both(program)
    assert ours == theirs


def test_warnings_of_the_order_of_calls():
    def program(library, before, after, override=False):
        optimizer = library.optim.SGD([library.ones(2, requires_grad=True)], lr=0.1)
        for _ in range(before):
            optimizer.step()
        schedule = library.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        if override:
            optimizer.step = MethodType(lambda self: None, optimizer)
        for _ in range(after):
            optimizer.step()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            schedule.step()
            schedule.step()
        return [str(w.message)[:40] for w in said]

    for arguments in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 1, True)):
        ours, theirs = both(lambda library, arguments=arguments: program(library, *arguments))
        assert ours == theirs
        assert bool(ours) == (arguments[1:] != (1,))


def test_groups_with_settings_of_their_own():
    def program(library):
        params = [library.tensor(a, requires_grad=True) for a in ARRAYS]
        optimizer = library.optim.AdamW([{"params": params[0], "lr": 0.1}, {"params": params[1:2]}], lr=0.02)
        optimizer.add_param_group({"params": params[2:], "betas": (0.5, 0.6), "amsgrad": True})
        for i in range(6):
            optimizer.zero_grad(set_to_none=i % 2 == 0)
            sum((p**2).sum() for p in params[: 1 + i % 3]).backward()
            optimizer.step()
        return repr(optimizer), [x for p in params for x in p.reshape(-1).tolist()]

    ours, theirs = both(program)
    assert ours[0] == theirs[0]
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12)
