"""Objects of every public class, pickled and deep-copied: where PyTorch's come back as they were, ours do.

Functions, classes and dtypes are pickled by `tests/surface`, whose catalogue has them all.
"""

import copy
import importlib
import inspect
import pickle
import pkgutil
from enum import Enum
from types import FunctionType, MethodType

import numpy as np
import pytest
import torch
from modules import module_database

import lamina
import lamina.vision
import lamina_flatarray
import lamina_ndarray

pytestmark = pytest.mark.filterwarnings("ignore")

WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "deepcopy": copy.deepcopy}


def half(epoch):
    """A factor of a schedule, found by its name."""
    return 0.5**epoch


def weights(t):
    """Two parameters with gradients."""
    made = [t.nn.Parameter(t.tensor([[1.0, 2.0], [3.0, 4.0]])), t.nn.Parameter(t.tensor([[5.0, 6.0]]))]
    for p in made:
        p.grad = p.detach() * 2
    return made


def stepped(optimizer):
    optimizer.step()
    return optimizer


def optimizer_of(t, name):
    kind, parameters = getattr(t.optim, name), weights(t)
    if name == "SparseAdam":
        for p in parameters:
            p.grad = p.grad.to_sparse()
    if name == "LBFGS":
        return kind(parameters)
    return stepped(kind(parameters, lr=0.125))


def schedule_of(t, name):
    optimizer, schedules = t.optim.SGD(weights(t), lr=0.5, momentum=0.5), t.optim.lr_scheduler
    kind = getattr(schedules, name)
    arguments = {
        "StepLR": (2,), "MultiStepLR": ([1, 3],), "CosineAnnealingLR": (5,), "CosineAnnealingWarmRestarts": (3,), "ExponentialLR": (0.5,),
        "LambdaLR": (half,), "MultiplicativeLR": (half,), "CyclicLR": (0.1, 0.5), "OneCycleLR": (0.5, 10),
        "ChainedScheduler": None, "SequentialLR": None,
    }.get(name, ())  # fmt: skip
    if name in ("ChainedScheduler", "SequentialLR"):
        parts = [schedules.StepLR(optimizer, 2), schedules.ExponentialLR(optimizer, 0.5)]
        return kind(parts) if name == "ChainedScheduler" else kind(optimizer, parts, [3])
    return kind(optimizer, *arguments)


def matrix(t):
    return t.tensor([[2.0, 0.5], [0.5, 1.0]])


def distributions(t):
    """One of each class of distributions."""
    d, a, p = t.distributions, t.tensor([0.5, 2.0]), t.tensor([0.25, 0.75])
    normal = d.Normal(a, a)
    two = {"Beta", "Cauchy", "FisherSnedecor", "Gamma", "Gumbel", "InverseGamma", "Kumaraswamy", "Laplace", "LogNormal", "Normal",
           "Pareto", "VonMises", "Weibull", "LogisticNormal"}  # fmt: skip
    one = {"Chi2", "Dirichlet", "Exponential", "HalfCauchy", "HalfNormal", "Poisson", "StudentT"}
    probabilities = {"Bernoulli", "Categorical", "ContinuousBernoulli", "Geometric", "OneHotCategorical",
                     "OneHotCategoricalStraightThrough"}  # fmt: skip
    return {
        **{name: lambda name=name: getattr(d, name)(a, a) for name in two},
        **{name: lambda name=name: getattr(d, name)(a) for name in one},
        **{name: lambda name=name: getattr(d, name)(p) for name in probabilities},
        "Binomial": lambda: d.Binomial(3, p), "NegativeBinomial": lambda: d.NegativeBinomial(3, p),
        "Multinomial": lambda: d.Multinomial(3, p),
        "Uniform": lambda: d.Uniform(a, a + 1), "GeneralizedPareto": lambda: d.GeneralizedPareto(a, a, a),
        "Independent": lambda: d.Independent(normal, 1), "MixtureSameFamily": lambda: d.MixtureSameFamily(d.Categorical(p), normal),
        "TransformedDistribution": lambda: d.TransformedDistribution(normal, [d.transforms.ExpTransform()]),
        "RelaxedBernoulli": lambda: d.RelaxedBernoulli(t.tensor(2.0), p), "LKJCholesky": lambda: d.LKJCholesky(3, 1.0),
        "RelaxedOneHotCategorical": lambda: d.RelaxedOneHotCategorical(t.tensor(2.0), p),
        "MultivariateNormal": lambda: d.MultivariateNormal(a, matrix(t)), "Wishart": lambda: d.Wishart(t.tensor(3.0), matrix(t)),
        "LowRankMultivariateNormal": lambda: d.LowRankMultivariateNormal(a, matrix(t), a),
        "Distribution": lambda: d.Distribution(validate_args=False), "ExponentialFamily": lambda: d.ExponentialFamily(validate_args=False),
    }  # fmt: skip


def transforms(t):
    """One of each class of transforms."""
    r, d = t.distributions.transforms, t.distributions
    plain = {"AbsTransform", "ExpTransform", "SigmoidTransform", "SoftplusTransform", "TanhTransform", "CorrCholeskyTransform",
             "LowerCholeskyTransform", "PositiveDefiniteTransform", "SoftmaxTransform", "StickBreakingTransform", "Transform"}  # fmt: skip
    return {
        **{name: lambda name=name: getattr(r, name)() for name in plain},
        "AffineTransform": lambda: r.AffineTransform(1.0, t.tensor(2.0)), "PowerTransform": lambda: r.PowerTransform(t.tensor(2.0)),
        "CumulativeDistributionTransform": lambda: r.CumulativeDistributionTransform(d.Normal(0.0, 1.0)),
        "CatTransform": lambda: r.CatTransform([r.ExpTransform()], 0, [2]), "StackTransform": lambda: r.StackTransform([r.ExpTransform()]),
        "ComposeTransform": lambda: r.ComposeTransform([r.ExpTransform(), r.TanhTransform()]),
        "IndependentTransform": lambda: r.IndependentTransform(r.ExpTransform(), 1),
        "ReshapeTransform": lambda: r.ReshapeTransform((2,), (1, 2)),
    }  # fmt: skip


def constraints(t):
    """Constraints, one of each class."""
    c = t.distributions.constraints
    return {
        "cat": c.cat([c.positive], 0, [2]), "greater_than": c.greater_than(1.0), "greater_than_eq": c.greater_than_eq(t.tensor(1.0)),
        "half_open_interval": c.half_open_interval(0, 1), "independent": c.independent(c.real, 1),
        "integer_interval": c.integer_interval(0, 3),
        "interval": c.interval(0.0, 1.0), "less_than": c.less_than(1.0), "multinomial": c.multinomial(3), "stack": c.stack([c.positive], 0),
        "simplex": c.simplex, "boolean": c.boolean, "dependent": c.dependent, "corr_cholesky": c.corr_cholesky,
    }  # fmt: skip


def image_transforms():
    """Those of lamina.vision, one of each class."""
    v = lamina.vision.transforms
    return [
        v.CenterCrop(2), v.Grayscale(), v.Lambda(half), v.Normalize((0.5,), (0.5,)), v.Pad(1), v.RandomCrop(2), v.RandomHorizontalFlip(),
        v.RandomResizedCrop(2), v.RandomVerticalFlip(), v.Resize(2), v.ToTensor(),
    ]  # fmt: skip


def tensors(t):
    """Tensors of many kinds."""
    x = t.arange(12.0).reshape(3, 4)
    leaf = t.ones(2, 3, requires_grad=True)
    named = t.ones(2)
    named.note = "kept"
    return {
        "plain": x, "transposed": x.t(), "strided": x[:, ::2], "expanded": t.ones(1).expand(3), "none": t.zeros(0, 3),
        "number": t.tensor(2),
        "bfloat16": x.to(t.bfloat16), "complex": t.tensor([1j, 2.0]), "bool": x > 3, "leaf": leaf, "attribute": named,
        "parameter": t.nn.Parameter(t.ones(2), requires_grad=False), "buffer": t.nn.Buffer(t.ones(2)),
        "sparse": t.tensor([[0.0, 1.0], [2.0, 0.0]]).to_sparse(), "meta": t.empty(2, 3, device="meta"),
        "lazy": t.nn.parameter.UninitializedParameter(),
    }  # fmt: skip


def things(t):
    """Objects of all other classes that hold something."""
    data, u = t.utils.data, t.nn.utils
    tensor_set = data.TensorDataset(t.arange(6), t.arange(6.0))
    x = matrix(t)
    return {
        "generator": lambda: t.Generator().manual_seed(3), "dtype": lambda: t.float16, "device": lambda: t.device("cuda:1"),
        "layout": lambda: t.strided, "memory_format": lambda: t.channels_last, "size": lambda: t.Size([2, 3]),
        "finfo": lambda: t.finfo(t.float16).dtype, "iinfo": lambda: t.iinfo(t.int8).dtype,
        "sort": lambda: x.sort(), "max": lambda: x.max(0), "svd": lambda: t.linalg.svd(x), "eigh": lambda: t.linalg.eigh(x),
        "packed": lambda: u.rnn.pack_sequence([t.ones(3), t.ones(2)]), "scaler": lambda: t.amp.GradScaler("cpu"),
        "tensor set": lambda: tensor_set, "subset": lambda: data.Subset(tensor_set, [1, 2]), "stack": lambda: data.StackDataset(tensor_set),
        "joined": lambda: data.ConcatDataset([tensor_set, tensor_set]), "sequential": lambda: data.SequentialSampler(tensor_set),
        "random": lambda: data.RandomSampler(tensor_set, generator=t.Generator().manual_seed(1)),
        "weighted": lambda: data.WeightedRandomSampler([0.5, 0.5], 3), "some": lambda: data.SubsetRandomSampler([1, 2]),
        "batches": lambda: data.BatchSampler(range(5), 2, False), "loader": lambda: data.DataLoader(tensor_set, 2, num_workers=0),
        "distributed": lambda: data.distributed.DistributedSampler(tensor_set, 2, 0),
        "no_grad": lambda: t.no_grad(),
        "averaged": lambda: t.optim.swa_utils.AveragedModel(t.nn.Linear(2, 3)),
        "swa": lambda: t.optim.swa_utils.SWALR(t.optim.SGD(weights(t), lr=0.5), swa_lr=0.1),
        "error": lambda: t.linalg.LinAlgError("singular"), "sharing": lambda: t.nn.Linear(2, 2).share_memory(),
        "partial": lambda: t.nn.utils.parametrizations.weight_norm(t.nn.Linear(2, 2)).weight.detach(),
        "pruned": lambda: t.nn.utils.prune.L1Unstructured(0.5), "backend": lambda: t.nn.attention.SDPBackend.MATH,
    }  # fmt: skip


def table(t):
    """Name -> a function that makes an object."""
    optimizers = {n for n in dir(torch.optim) if inspect.isclass(getattr(torch.optim, n)) and n != "Optimizer" and hasattr(lamina.optim, n)}
    schedules = {n for n in torch.optim.lr_scheduler.__all__ if n not in ("LRScheduler", "_LRScheduler")}
    return {
        **{f"tensor {name}": lambda name=name: tensors(t)[name] for name in tensors(lamina)},
        **{f"optim.{name}": lambda name=name: optimizer_of(t, name) for name in optimizers},
        **{f"lr_scheduler.{name}": lambda name=name: schedule_of(t, name) for name in schedules},
        **{f"distributions.{name}": make for name, make in distributions(t).items()},
        **{f"transforms.{name}": make for name, make in transforms(t).items()},
        **{f"constraints.{name}": lambda name=name: constraints(t)[name] for name in constraints(lamina)},
        **things(t),
    }


OURS, THEIRS = table(lamina), table(torch)
OURS["image transforms"] = lambda: lamina.vision.transforms.Compose(image_transforms())
OURS["ExpRelaxedCategorical"] = lambda: lamina.distributions.ExpRelaxedCategorical(lamina.tensor(2.0), lamina.tensor([0.5, 0.5]))
OURS["LogitRelaxedBernoulli"] = lambda: lamina.distributions.LogitRelaxedBernoulli(lamina.tensor(2.0), lamina.tensor([0.5, 0.5]))
OURS["a quantized weight"] = lambda: lamina.quantization.quantize(lamina.tensor([[1.0, -2.0], [0.5, 0.0]]), symmetric=False)
OURS["8 bits"] = lamina.quantization.Int8WeightOnlyConfig
OURS["4 bits"] = lamina.quantization.Int4WeightOnlyConfig
OURS["images"] = lambda: lamina.vision.datasets.FakeData(3, (1, 2, 2), 2)
OURS["a callback"], OURS["printed epochs"] = lamina.training.Callback, lamina.training.PrintEpochs
OURS["early stopping"] = lambda: lamina.training.EarlyStopping(patience=2)
OURS["a trainer"] = lambda: lamina.training.Trainer(
    model := lamina.nn.Linear(2, 1), lamina.optim.SGD(model.parameters(), lr=0.1), lamina.nn.MSELoss()
)
OURS["a drawing"] = lambda: lamina.viz.curves({"loss": [2.0, 1.0]})


def shown(x, open_=()):
    """What an object holds, down to numbers and names."""
    if id(x) in open_:
        return "itself"
    open_ = (*open_, id(x))
    if isinstance(x, (lamina.Tensor, torch.Tensor)):
        if type(x).__name__.startswith("Uninitialized"):
            return type(x).__name__
        if x.device.type == "meta":
            return type(x).__name__, tuple(x.shape), tuple(x.stride())
        items = x.to_dense() if x.is_sparse else x
        return type(x).__name__, str(x.dtype), tuple(x.shape), x.requires_grad, repr(items.tolist()), x.is_sparse, shown(vars(x), open_)
    if isinstance(x, np.ndarray):
        return str(x.dtype), x.tolist()
    if isinstance(x, dict):
        return [(shown(k, open_), shown(v, open_)) for k, v in x.items()]
    if isinstance(x, (tuple, list, set)):
        return [type(x).__name__, *(shown(item, open_) for item in x)]
    if isinstance(x, (FunctionType, MethodType, type)):
        return x.__qualname__
    if isinstance(x, (lamina.Generator, torch.Generator)):
        return x.get_state().tolist()
    if hasattr(x, "state_dict"):
        return [type(x).__name__, shown(x.state_dict(), open_)]
    if hasattr(x, "__dict__") and not isinstance(x, Enum):
        return [type(x).__name__, shown({k: v for k, v in vars(x).items() if not k.startswith("__")}, open_)]
    return type(x).__name__, repr(x) if type(x).__repr__ is not object.__repr__ else ""


@pytest.mark.parametrize("way", WAYS)
def test_objects(way):
    """All of a kind, so that each that does not come back is told."""
    wrong = {}
    for name, make in OURS.items():
        try:
            WAYS[way](THEIRS.get(name, object)())
        except Exception:
            continue
        source = make()
        try:
            twin = WAYS[way](source)
        except Exception as error:
            wrong[name] = f"{type(error).__name__}: {error}"
            continue
        if type(twin) is not type(source) or shown(twin) != shown(source):
            wrong[name] = f"{shown(twin)} instead of {shown(source)}"
    assert not wrong, wrong


def plain(result):
    if isinstance(result, (tuple, list)):
        return [plain(part) for part in result]
    return result.tolist() if hasattr(result, "tolist") else repr(result)


@pytest.mark.parametrize("way", WAYS)
def test_modules(way):
    """A twin computes what the module does."""
    wrong = {}
    for name in module_database.names():
        case = next(iter(module_database.cases(name, "float32", True)))
        (args, params), (inputs, keywords) = case.made, case.given
        module = getattr(lamina.nn, name)(*map(module_database.ours, args), **module_database.ours(params))
        twin, results = WAYS[way](module), []
        for each in (module, twin):
            lamina.manual_seed(0)
            results.append(repr(plain(each(*map(module_database.ours, inputs), **module_database.ours(keywords)))))
        if results[0] != results[1]:
            wrong[name] = results
    assert not wrong


def public_classes():
    """Every class that a module of lamina's names in `__all__`."""
    found = {}
    for part in pkgutil.walk_packages(lamina.__path__, "lamina."):
        if part.name.rpartition(".")[2].startswith("_"):
            continue
        try:
            module = importlib.import_module(part.name)
        except ImportError:  # what it needs is not installed
            continue
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("lamina"):
                found[value] = f"{part.name}.{name}"
    return found


HOLD_NOTHING_TO_SEND = {
    "autograd.function": "belong to a graph", "autograd.graph": "belong to a graph", "autograd.profiler": "belong to a recording",
    "cuda": "belong to a device", "distributed": "belong to a process", "programs": "import programs", "utils.data.readers": "read files",
    "vision.datasets": "read files", "utils.data.dataset": "are bases, or made of these",
    "nn.utils.prune": "are ways to prune, of which one is asked",
    "distributions.constraint_registry": "is one for all", "distributions.utils": "is part of a class",
    "cpu.amp": "the GradScaler of `amp` under an older name", "cuda.amp": "the GradScaler of `amp` under an older name",
    "everywhere": "belong to a process", "fx": "are there for `isinstance`", "jit": "are there for `isinstance`",
    "library": "belong to a process", "futures": "belong to a process", "multiprocessing": "belong to a process",
    "export": "are written by `save`", "viz.canvas": "belong to a drawing that is being made",
    "types": "are there for annotations", "nn.attention.flex_attention": "are refused when called",
}  # fmt: skip
"""Modules of whose classes no object is made above, and why."""


def test_every_class_is_asked():
    made = {type(make()) for make in OURS.values()} | {getattr(lamina.nn, name) for name in module_database.names()}
    made |= {type(transform) for transform in image_transforms()}
    bases = {base for kind in made for base in kind.__mro__}
    left = {
        path for kind, path in public_classes().items()
        if kind not in bases and not issubclass(kind, (BaseException, lamina.nn.Module, Enum, lamina.Tensor, tuple))
        and not hasattr(kind, "__enter__") and not any(path.startswith(f"lamina.{name}.") for name in HOLD_NOTHING_TO_SEND)
    }  # fmt: skip
    assert left <= {f"lamina.distributions.constraints.{name}" for name in ("MixtureSameFamilyConstraint", "dependent_property")}


@pytest.mark.parametrize("way", WAYS)
def test_arrays_and_errors(way):
    array = lamina_ndarray.asarray([[1.0, 2.0], [3.0, 4.0]])
    for each in (array, array.T, array[:, ::2], lamina_ndarray.zeros((0, 2)), lamina_ndarray.asarray(3)):
        twin = WAYS[way](each)
        assert (twin.tolist(), twin.shape, twin.dtype) == (each.tolist(), each.shape, each.dtype)
    for name in lamina_flatarray.errors.__all__:
        error = getattr(lamina_flatarray.errors, name)("op: what was wrong")
        error.add_note("and where")
        twin = WAYS[way](error)
        assert type(twin) is type(error) and twin.args == error.args and twin.__notes__ == ["and where"]
