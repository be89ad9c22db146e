"""The private functions and module paths of PyTorch that published code imports, against PyTorch's own."""

import importlib
import warnings

import pytest
import torch
import torch.optim.optimizer

import lamina
import lamina.nn.init

PATHS = {
    "utils.hooks": ["RemovableHandle"], "optim.optimizer": ["ParamsT", "required"], "distributions.distribution": ["Distribution"],
    "distributions.normal": ["Normal"], "distributions.categorical": ["Categorical"], "distributions.bernoulli": ["Bernoulli"],
    "distributions.independent": ["Independent"], "distributions.multivariate_normal": ["MultivariateNormal"],
    "distributions.transformed_distribution": ["TransformedDistribution"],
    "distributions.utils": ["broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits"],
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_module_paths(path):
    ours, theirs = (importlib.import_module(f"{root}.{path}") for root in ("lamina", "torch"))
    for name in PATHS[path]:
        assert hasattr(theirs, name) and hasattr(ours, name)


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 5, 5), (0, 2), (3,), ()])
def test_fans(shape):
    results = []
    for library in (lamina, torch):
        init, x = library.nn.init, library.empty(shape)
        for call in (
            lambda init=init, x=x: init._calculate_fan_in_and_fan_out(x),
            lambda init=init, x=x: init._calculate_correct_fan(x, "FAN_OUT"),
            lambda init=init, x=x: init._calculate_correct_fan(x, "fan"),
        ):
            try:
                results.append(call())
            except ValueError as error:
                results.append(str(error))
    assert results[:3] == results[3:]


@pytest.mark.parametrize(("name", "arguments"), [
    ("_no_grad_uniform_", (-1.0, 2.0)), ("_no_grad_normal_", (1.0, 2.0)), ("_no_grad_trunc_normal_", (0.0, 1.0, -0.5, 2.0)),
    ("_no_grad_fill_", (3.0,)), ("_no_grad_zero_", ()),
])  # fmt: skip
def test_initial_values(name, arguments):
    drawn = []
    for library in (lamina, torch):
        library.manual_seed(3)
        weight = library.ones(5, 3, requires_grad=True)
        assert getattr(library.nn.init, name)(weight, *arguments) is weight
        drawn.append(weight.detach().numpy())
    assert drawn[0] == pytest.approx(drawn[1], rel=1e-6)


def test_trunc_normal_warns_where_it_is_called():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lamina.nn.init.trunc_normal_(lamina.empty(2), mean=9.0, a=-1.0, b=7.0, std=0.9)
    assert [warning.filename for warning in caught] == [__file__]


def test_assert():
    for library in (lamina, torch):
        assert library._assert(library.tensor(True), "fine") is None
        with pytest.raises(AssertionError, match="two"):
            library._assert(library.tensor([2.0]) < 1, "two")


def test_handles_of_hooks_that_the_caller_keeps():
    for library in (lamina, torch):
        from_path = importlib.import_module(f"{library.__name__}.utils.hooks").RemovableHandle
        hooks, flags = importlib.import_module("collections").OrderedDict(), importlib.import_module("collections").OrderedDict()
        handle, other = from_path(hooks, extra_dict=flags), from_path(hooks)
        hooks[handle.id], hooks[other.id], flags[handle.id] = "first", "second", True
        assert handle.id != other.id
        handle.remove()
        assert (list(hooks.values()), dict(flags)) == (["second"], {})
        assert isinstance(library.ones(1, requires_grad=True).register_hook(lambda g: g), from_path)


class Of:
    """A published optimizer's habits, written once over a library's names."""

    @staticmethod
    def run(library):
        module = importlib.import_module(f"{library.__name__}.optim.optimizer")

        class Descent(library.optim.Optimizer):
            def __init__(self, params):
                super().__init__(params, {"lr": 0.1, "differentiable": False})

            def __setstate__(self, state):
                super().__setstate__(state)
                self._patch_step_function()

            @module._use_grad_for_differentiable
            def step(self, closure=None):
                self._cuda_graph_capture_health_check()
                for group in self.param_groups:
                    steps = self.state[group["params"][0]].setdefault("step", library.tensor(0.0))
                    steps += 1
                    for p in group["params"]:
                        p.sub_(p.grad * group["lr"] / module._get_value(steps))

        weight = library.tensor([1.0, 2.0], requires_grad=True)
        optimizer, calls = Descent([weight]), []
        optimizer.register_step_post_hook(lambda *_: calls.append("after"))
        for _ in range(3):
            weight.grad = 2 * weight.detach()
            optimizer.step()
        other = Descent([weight])
        other.load_state_dict(optimizer.state_dict())
        other.step()
        policy = other._process_value_according_to_param_policy
        half = library.ones(2, dtype=library.float16)
        groups = [{"params": [0], "fused": True}, {"params": [1]}]
        dtypes = [str(policy(weight, half, n, groups, key).dtype)[-7:] for n in (0, 1) for key in (None, "step")]
        by_dtype = other._group_tensors_by_device_and_dtype([[weight, half, weight], [None, half, weight]], with_indices=True)
        places = [(str(dtype)[-7:], places) for (_, dtype), (_, places) in by_dtype.items()]
        choices = [
            module._default_to_fused_or_foreach([weight, None], differentiable, use_fused)
            for differentiable in (False, True) for use_fused in (False, True)
        ]  # fmt: skip
        complex_one = [library.tensor([1 + 2j])]
        module._view_as_real(complex_one)
        scalar = module._to_scalar(library.ones(1))
        return weight.tolist(), calls, dtypes, sorted(places), choices, complex_one[0].tolist(), tuple(scalar.shape)


@pytest.mark.filterwarnings("ignore:Use _accelerator_graph_capture:DeprecationWarning")
def test_an_optimizer_in_the_published_style():
    ours, theirs = Of.run(lamina), Of.run(torch)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6)
    assert ours[1:] == theirs[1:]
