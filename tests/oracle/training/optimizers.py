"""PyTorch's own optimizer database, asked of lamina: trajectories, also under schedules, state and errors. Run it for the score.

Nothing is left out of the database; SparseAdam's gradients are made sparse: what it says of skipped and failing tests is of compiled
optimizers and of other devices.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_optimizers import (
    OptimizerErrorEnum,
    OptimizerInfo,
    _get_optim_inputs_including_global_cliquey_kwargs,
    optim_db,
)

import lamina

__all__ = ["CHECKS", "Case", "asked", "cases", "check_errors", "check_schedules", "score"]

STEPS = 10
COUNTED_LENGTHS = {"ASGD"}
"""Their step lengths are kept in float32, and rounded to it at other places by PyTorch after they were loaded."""

TOLERANCE = {"float64": (1e-9, 1e-11), "float32": (2e-4, 2e-5), "complex128": (1e-9, 1e-11), "complex64": (2e-4, 2e-5)}
BFLOAT16 = {"Muon"}
"""Their products are rounded to bfloat16, so that sums in another order may end one rounding apart."""


class Case:
    """One optimizer with one setting of the database.

    Attributes:
        info: the database's entry.
        settings: the constructor's.
        id: what it is called by.
    """

    def __init__(self, info: OptimizerInfo, settings: dict[str, Any], description: str) -> None:
        self.info = info
        self.settings = settings
        self.id = f"{info.name}-{description.replace(' ', '_')}"

    @property
    def differentiable(self) -> bool:
        return bool(self.settings.get("differentiable"))

    def make(self, library: Any, params: list[Any], **more: Any) -> Any:
        """The optimizer of one library."""
        settings = {**self.settings, **more}
        return getattr(library.optim, self.info.name)(params, **(to_lamina(settings) if library is lamina else settings))


def cases() -> list[Case]:
    """All settings of all optimizers, with `foreach`, `fused` and `differentiable` too; and learning
    rates that are tensors."""
    found = []
    for info in optim_db:
        found += [Case(info, {k: v for k, v in i.kwargs.items() if v is not False}, i.desc or "default") for i in _settings(info)]
        found.append(Case(info, {"lr": torch.tensor(0.01, dtype=torch.float64)}, "lr in float64"))
    return found


def _settings(info: OptimizerInfo) -> list[Any]:
    """Those of the database, each also with `foreach`, `fused` and `differentiable`."""
    made: list[Any] = _get_optim_inputs_including_global_cliquey_kwargs("cpu", torch.float64, info)
    return made


# -- both libraries -----------------------------------------------------------------------------------------------------


def to_lamina(value: Any) -> Any:
    """PyTorch's tensors as lamina's, in whatever holds them."""
    if isinstance(value, torch.Tensor):
        if value.is_sparse:
            return to_lamina(value.to_dense()).to_sparse()
        return lamina.tensor(value.detach().numpy(), requires_grad=value.requires_grad)
    return _inside(value, to_lamina)


def to_torch(value: Any) -> Any:
    """lamina's tensors as PyTorch's."""
    if isinstance(value, lamina.Tensor):
        return torch.tensor(np.array(value.detach().numpy()))
    return _inside(value, to_torch)


def _inside(value: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {k: convert(v) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(convert(v) for v in value)
    return value


class Problem:
    """Parameters of one library, and a loss of them that is the same in both."""

    def __init__(self, library: Any, case: Case, dtype: str) -> None:
        rng = np.random.default_rng(5)
        shapes = [(4, 3), (2, 5)] if case.info.name == "Muon" or case.info.only_supports_sparse_grads else [(4, 3), (5,), ()]
        self.library, self.sparse = library, case.info.only_supports_sparse_grads
        self.complex = dtype.startswith("complex")
        made = [[_draw(rng, shape, dtype) for shape in shapes] for _ in range(2)]
        self.params, self.targets = [[library.tensor(a) for a in arrays] for arrays in made]
        for p in self.params:
            p.requires_grad_()

    def loss(self) -> Any:
        """A loss with curves, and a backward pass of it."""
        total = 0
        for p, target in zip(self.params, self.targets, strict=True):
            p.grad = None
            parts = self.library.view_as_real(p - target) if self.complex else p - target
            total = total + (parts * parts + 0.1 * parts**3 + self.library.sin(parts)).sum()
        total.backward()
        if self.sparse:
            for p in self.params:
                p.grad = p.grad.to_sparse(1)
        return total

    def run(self, optimizer: Any, steps: int = STEPS) -> list[Any]:
        """The parameters after every step."""
        path = []
        for _ in range(steps):
            optimizer.step(self.loss)
            path.append([np.array(p.detach().numpy()) for p in self.params])
        return path


def _draw(rng: Any, shape: tuple[int, ...], dtype: str) -> Any:
    drawn = rng.uniform(-1, 1, shape)
    return np.asarray(drawn + 1j * rng.uniform(-1, 1, shape) if dtype.startswith("complex") else drawn).astype(dtype)


def _pair(case: Case, dtype: str) -> tuple[Problem, Any, Problem, Any]:
    ours, theirs = Problem(lamina, case, dtype), Problem(torch, case, dtype)
    return ours, case.make(lamina, ours.params), theirs, case.make(torch, theirs.params)


def same(case: Case, ours: Any, theirs: Any, dtype: str) -> None:
    """Refuse answers that differ."""
    lr = case.settings.get("lr")
    if case.info.only_supports_sparse_grads and isinstance(lr, torch.Tensor) and lr.dtype is torch.float32:
        dtype = "float32"  # PyTorch computes the step's length with the tensor, in its dtype
    rtol, atol = (0, 2e-5) if case.info.name in BFLOAT16 else TOLERANCE[dtype]
    for a, b in zip(ours, theirs, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_allclose(x, y, rtol=rtol, atol=atol)


# -- checks -------------------------------------------------------------------------------------------------------------


def check_trajectory(case: Case, dtype: str = "float64") -> None:
    """Ten steps lead through the same parameters."""
    ours, optimizer, theirs, reference = _pair(case, dtype)
    if case.differentiable:  # recorded steps are checked by themselves; they refuse leaves
        return check_recorded(case)
    same(case, ours.run(optimizer), theirs.run(reference), dtype)
    return None


def check_float32(case: Case) -> None:
    """The same in float32."""
    check_trajectory(case, "float32")


def check_complex(case: Case) -> None:
    """The same of complex parameters."""
    check_trajectory(case, "complex128")


def check_state(case: Case) -> None:
    """After some steps `state_dict` has the same names, shapes and values, and text is the same."""
    ours, optimizer, theirs, reference = _pair(case, "float64")
    assert repr(_plain(optimizer)) == repr(_plain(reference))
    ours.run(optimizer, 3)
    theirs.run(reference, 3)
    found, wanted = to_torch(optimizer.state_dict()), reference.state_dict()
    assert list(found["param_groups"][0]) == list(wanted["param_groups"][0])
    _alike(case, found, wanted, "state_dict")


def _plain(optimizer: Any) -> Any:
    for group in optimizer.param_groups:
        for name, value in group.items():
            group[name] = value.item() if hasattr(value, "item") else value
    return optimizer


def _alike(case: Case, found: Any, wanted: Any, place: str) -> None:
    if isinstance(wanted, dict):
        assert set(found) == set(wanted), (place, set(found) ^ set(wanted))
        for name in wanted:
            _alike(case, found[name], wanted[name], f"{place}.{name}")
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted), place
        for i, (x, y) in enumerate(zip(found, wanted, strict=True)):
            _alike(case, x, y, f"{place}[{i}]")
    elif isinstance(wanted, torch.Tensor) or isinstance(found, torch.Tensor):
        x, y = torch.as_tensor(found), torch.as_tensor(wanted)
        assert x.shape == y.shape, (place, x.shape, y.shape)
        if isinstance(wanted, torch.Tensor) and isinstance(found, torch.Tensor):
            assert x.dtype == y.dtype, (place, x.dtype, y.dtype)
        np.testing.assert_allclose(x.numpy(), y.numpy(), 1e-6, 1e-9 if case.info.name not in BFLOAT16 else 2e-5, err_msg=place)
    elif isinstance(wanted, float):
        np.testing.assert_allclose(found, wanted, 1e-9, err_msg=place)
    else:
        assert found == wanted, place


def check_loading(case: Case) -> None:
    """State saved by either library goes on in both, along one trajectory."""
    for library in (lamina, torch):
        problem = Problem(library, case, "float64")
        optimizer = case.make(library, problem.params)
        problem.run(optimizer, 4)
        saved = to_torch(optimizer.state_dict())
        paths = []
        for other, convert in ((lamina, to_lamina), (torch, to_torch)):
            resumed = Problem(other, case, "float64")
            fresh = case.make(other, resumed.params)
            for p, value in zip(resumed.params, to_torch(problem.params), strict=True):
                p.data = convert(value.detach().clone())
            fresh.load_state_dict(convert(saved))
            paths.append(resumed.run(fresh, 3))
        same(case, *paths, "float32" if case.info.name in COUNTED_LENGTHS else "float64")


def check_recorded(case: Case) -> None:
    """With `differentiable`, gradients flow through three steps as PyTorch's do; through one where PyTorch overwrites what it
    has saved."""
    try:
        wanted = _through_steps(torch, case, 3)
    except RuntimeError:
        wanted = _through_steps(torch, case, 1)
    for x, y in zip(_through_steps(lamina, case, len(wanted) - 1), wanted, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-6, atol=2e-7)  # PyTorch counts in float32


def _through_steps(library: Any, case: Case, steps: int) -> list[Any]:
    """The gradients of what steps lead to, by the parameter and by the gradients that they are made with."""
    rng = np.random.default_rng(7)
    leaves = [library.tensor(rng.uniform(0.5, 1.5, (3,)), requires_grad=True) for _ in range(1 + steps)]
    p = leaves[0].clone()
    optimizer = case.make(library, [p])
    for gradient in leaves[1:]:
        p.grad = gradient * p.clone().sin()
        optimizer.step()
    (p * p).sum().backward()
    return [np.zeros(3) if leaf.grad is None else np.array(leaf.grad.numpy()) for leaf in leaves]


CHECKS: dict[str, Callable[[Case], None]] = {
    "float64": check_trajectory, "float32": check_float32, "complex": check_complex, "state": check_state,
    "loading": check_loading,
}  # fmt: skip


def asked(case: Case, check: str) -> bool:
    """Whether a check makes sense: complex parameters are refused by some, and recorded steps have one of their own."""
    if check == "complex":
        return case.info.supports_complex and not (case.settings.get("fused") or case.differentiable)
    return not case.differentiable or check == "float64"


def check_errors(info: OptimizerInfo) -> int:
    """The database's wrong settings are refused with its kinds of errors and words; how many there are."""
    checked = 0
    for wrong in info.optim_error_inputs_func("cpu", torch.float32):
        given = wrong.optimizer_error_input
        params = [torch.ones(1, 1, requires_grad=True)] if given.params is None else given.params
        checked += 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                optimizer = getattr(lamina.optim, info.name)(_params(params), **to_lamina(given.kwargs))
                assert wrong.error_on is OptimizerErrorEnum.STEP_ERROR, f"{given.desc}: not refused"
                optimizer.step()
            except wrong.error_type as error:
                assert re.search(wrong.error_regex, str(error)), f"{given.desc}: {error}"
            else:
                raise AssertionError(f"{given.desc}: not refused")
    return checked


def check_schedules(info: OptimizerInfo) -> int:
    """Ten steps under the database's schedules lead through the same parameters; how many lists of schedules there are."""
    case = Case(info, {"lr": 0.1}, "schedules")
    for makers in info.scheduler_inputs:
        paths = []
        for library in (lamina, torch):
            problem, path = Problem(library, case, "float64"), []
            optimizer = case.make(library, problem.params)
            names = {**vars(library.optim.lr_scheduler), "__builtins__": __builtins__}
            schedules = [FunctionType(m.__code__, names, closure=m.__closure__)(optimizer) for m in makers]
            for _ in range(STEPS):
                loss = problem.loss().item()
                path += problem.run(optimizer, 1)
                for schedule in schedules:
                    schedule.step(*[loss] * isinstance(schedule, library.optim.lr_scheduler.ReduceLROnPlateau))
            paths.append([*path, [np.array(optimizer.param_groups[0]["lr"])]])
        same(case, *paths, "float64")
    return len(info.scheduler_inputs)


def _params(params: Any, known: dict[int, Any] | None = None) -> Any:
    """Parameters with their gradients, one for one."""
    known = {} if known is None else known
    if isinstance(params, torch.Tensor):
        if id(params) not in known:
            known[id(params)] = made = to_lamina(params)
            made.grad = None if params.grad is None else to_lamina(params.grad)
        return known[id(params)]
    return _inside(params, lambda value: _params(value, known))


# -- the score ----------------------------------------------------------------------------------------------------------


def score() -> Iterator[str]:
    """How many checks of how many optimizers agree, why the others do not, and a table of them."""
    good: dict[str, Counter[str]] = {info.name: Counter() for info in optim_db}
    asked_of: dict[str, Counter[str]] = {info.name: Counter() for info in optim_db}
    rest = []

    def ask(name: str, column: str, shown: str, check: Callable[[], Any], count: int = 1) -> None:
        asked_of[name][column] += count
        try:
            check()
            good[name][column] += count
        except Exception as error:
            rest.append(f"  {shown}: {type(error).__name__}: {' '.join(str(error).split())[:160]}")

    for case in cases():
        for column, check in CHECKS.items():
            if asked(case, column):
                ask(case.info.name, column, f"{case.id} {column}", partial(check, case))
    for info in optim_db:
        wrong = info.optim_error_inputs_func("cpu", torch.float32)
        ask(info.name, "errors", f"{info.name} errors", partial(check_errors, info), len(wrong))
        ask(info.name, "schedules", f"{info.name} schedules", partial(check_schedules, info), len(info.scheduler_inputs))
    whole = sum(good[name] == asked_of[name] for name in good)
    totals = [sum(c.total() for c in counts.values()) for counts in (good, asked_of)]
    yield f"optimizers: {whole} of {len(good)} agree, in {totals[0]} of {totals[1]} checks"
    yield from rest
    columns = [*CHECKS, "schedules", "errors"]
    yield f"  {'':13}" + "".join(f"{column:>11}" for column in columns)
    for name, counts in asked_of.items():
        cells = [f"{good[name][c]}/{counts[c]}" if counts[c] else "-" for c in columns]
        yield f"  {name:13}" + "".join(f"{cell:>11}" for cell in cells)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in score():
        print(line)
