"""Data loading beside real PyTorch's: the same seed gives the same order, batches and collated results."""

import itertools
from collections import OrderedDict, namedtuple
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import torch.utils.data as theirs
from data_and_files.data_for_workers import OurDrawn, OurStream, TheirDrawn, TheirStream

import lamina
import lamina.utils.data as ours

OURS = SimpleNamespace(lib=lamina, data=ours, stream=OurStream, drawn=OurDrawn)
THEIRS = SimpleNamespace(lib=torch, data=theirs, stream=TheirStream, drawn=TheirDrawn)
Point = namedtuple("Point", ["x", "label"])


def plain(x):
    """A result of either library as plain values, with dtypes and shapes."""
    if isinstance(x, (torch.Tensor, lamina.Tensor)):
        return "tensor", str(x.dtype).removeprefix("torch.").removeprefix("lamina."), tuple(x.shape), x.tolist()
    if isinstance(x, np.ndarray):
        return "array", x.dtype.str, x.tolist()
    if isinstance(x, dict):
        return type(x).__name__, [(key, plain(value)) for key, value in x.items()]
    if isinstance(x, (list, tuple)):
        return type(x).__name__, [plain(part) for part in x]
    return type(x).__name__, x


def both(run):
    """What `run(side)` gives in either library after one seed, and the next number of each default generator."""
    found = []
    for side in (THEIRS, OURS):
        side.lib.manual_seed(7)
        found.append((plain(run(side)), side.lib.rand(1).item()))
    return found


def check(run):
    expected, got = both(run)
    assert got == expected
    return got


class Numbers:
    """Twenty samples by number, without a library."""

    def __len__(self):
        return 20

    def __getitem__(self, i):
        return i, float(i) / 2


def tensors(side, n=23):
    lib = side.lib
    return side.data.TensorDataset(lib.arange(n * 3.0).reshape(n, 3), lib.arange(n))


# -- samplers ----------------------------------------------------------------------------------------------------------


def generator(side, seed):
    return side.lib.Generator().manual_seed(seed)


SAMPLERS = {
    "sequential": lambda s: s.data.SequentialSampler(range(7)),
    "random": lambda s: s.data.RandomSampler(range(50)),
    "random own": lambda s: s.data.RandomSampler(range(50), generator=generator(s, 3)),
    "random more": lambda s: s.data.RandomSampler(range(10), num_samples=34),
    "random fewer": lambda s: s.data.RandomSampler(range(10), num_samples=4),
    "replaced": lambda s: s.data.RandomSampler(range(10), replacement=True),
    "replaced more": lambda s: s.data.RandomSampler(range(10), True, 100),
    "replaced own": lambda s: s.data.RandomSampler(range(10), True, 64, generator(s, 1)),
    "subset": lambda s: s.data.SubsetRandomSampler([3, 5, 9, 11]),
    "subset own": lambda s: s.data.SubsetRandomSampler([3, 5, 9, 11], generator(s, 5)),
    "weighted": lambda s: s.data.WeightedRandomSampler([0.1, 3.0, 0.5, 0.0], 12),
    "weighted once": lambda s: s.data.WeightedRandomSampler([0.1, 3.0, 0.5, 0.2], 4, replacement=False),
    "weighted own": lambda s: s.data.WeightedRandomSampler([0.1, 3.0, 0.5, 0.2], 9, generator=generator(s, 2)),
    "batches": lambda s: s.data.BatchSampler(s.data.RandomSampler(range(11)), 4, False),
    "whole batches": lambda s: s.data.BatchSampler(s.data.RandomSampler(range(11)), 4, True),
}


@pytest.mark.parametrize("name", SAMPLERS)
def test_samplers_draw_the_same(name):
    def run(side):
        sampler = SAMPLERS[name](side)
        return [len(sampler), list(sampler), list(sampler)]

    check(run)


SHARES = list(itertools.product((1, 10, 11), (1, 3, 4), (False, True), (False, True)))


@pytest.mark.parametrize("n, replicas, shuffle, drop", SHARES)
def test_distributed_shares(n, replicas, shuffle, drop):
    def run(side):
        found = []
        for rank in range(replicas):
            sampler = side.data.DistributedSampler(range(n), replicas, rank, shuffle, seed=3, drop_last=drop)
            sampler.set_epoch(2)
            try:
                found += [len(sampler), list(sampler)]
            except AssertionError:
                found.append("refused")
        return found

    if n < replicas and drop:
        assert run(OURS) == run(THEIRS)
    else:
        check(run)


@pytest.mark.parametrize("lengths", [[12, 8], [20], [0.5, 0.5], [0.33, 0.33, 0.34], [0.1] * 10, [1 / 3] * 3])
def test_random_split(lengths):
    def run(side, **options):
        return [list(part.indices) for part in side.data.random_split(range(20), lengths, **options)]

    check(run)
    check(lambda side: run(side, generator=generator(side, 42)))


def test_random_split_with_an_empty_part_warns():
    def run(side):
        with pytest.warns(UserWarning, match="Length of split at index 2 is 0"):
            return [list(part.indices) for part in side.data.random_split(range(2), [0.4, 0.4, 0.2])]

    check(run)


# -- loaders -----------------------------------------------------------------------------------------------------------

DATASETS = {
    "tensors": tensors,
    "numbers": lambda s: Numbers(),
    "list": lambda s: list(range(9)),
    "arrays": lambda s: [(np.full((2,), i, np.float32), np.int64(i)) for i in range(9)],
    "subset": lambda s: s.data.Subset(tensors(s), [5, 1, 22, 7, 3, 3]),
    "subset of subset": lambda s: s.data.Subset(s.data.Subset(tensors(s), [5, 1, 22, 7]), [3, 0, 1]),
    "concat": lambda s: s.data.ConcatDataset([tensors(s, 5), tensors(s, 8), s.data.Subset(tensors(s), [20, 21])]),
    "concat of kinds": lambda s: s.data.ConcatDataset([Numbers(), [(7, 1.0)] * 3]),
    "sum": lambda s: tensors(s, 4) + tensors(s, 3),
    "stack": lambda s: s.data.StackDataset(tensors(s, 20), Numbers()),
    "stack by name": lambda s: s.data.StackDataset(image=tensors(s, 9), text=list("abcdefghi")),
    "concat of stacks": lambda s: s.data.ConcatDataset([s.data.StackDataset(a=tensors(s, 3), b=range(3))] * 2),
}
ARGUMENTS = [
    {"batch_size": b, "shuffle": shuffle, "drop_last": drop}
    for b, shuffle, drop in itertools.product((1, 4, 50), (False, True), (False, True))
] + [{"batch_size": None}, {"batch_size": None, "shuffle": True}]


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_loaders_give_the_same_batches(name, arguments):
    def run(side):
        loader = side.data.DataLoader(DATASETS[name](side), **arguments)
        return [len(loader), list(loader), list(loader)]

    check(run)


SAMPLED = {
    "own generator": lambda s: {"shuffle": True, "batch_size": 4, "generator": generator(s, 9)},
    "sampler": lambda s: {"sampler": s.data.WeightedRandomSampler([1.0] * 23, 12), "batch_size": 5},
    "sampler that is a list": lambda s: {"sampler": [4, 2, 1], "batch_size": 2},
    "sampler of tensors": lambda s: {"sampler": s.lib.arange(5), "batch_size": 2},
    "batch sampler": lambda s: {"batch_sampler": [[1, 2], [5], [3, 3, 3]]},
    "batch sampler that draws at once": lambda s: {"batch_sampler": Eager(s)},
    "unlike samplers": lambda s: {"batch_sampler": s.data.BatchSampler(s.data.SubsetRandomSampler(range(9)), 4, True)},
    "own collate": lambda s: {"batch_size": 6, "collate_fn": collated},
    "own convert": lambda s: {"batch_size": None, "collate_fn": second},
}


class Eager:
    """Draws its order as soon as it is asked for an iterator."""

    def __init__(self, side):
        self.side = side

    def __iter__(self):
        return iter(self.side.lib.randperm(12).reshape(4, 3).tolist())

    def __len__(self):
        return 4


def collated(samples):
    samples.sort(key=lambda sample: -sample[1])  # a list, then
    return [len(samples), *zip(*samples, strict=True)]


def second(sample):
    return sample[1]


@pytest.mark.parametrize("name", SAMPLED)
def test_loaders_with_samplers(name):
    def run(side):
        loader = side.data.DataLoader(tensors(side), **SAMPLED[name](side))
        return [len(loader), list(loader), list(loader)]

    check(run)


@pytest.mark.parametrize("arguments", [a for a in ARGUMENTS if not a.get("shuffle")], ids=str)
def test_iterable_data_sets(arguments):
    def run(side):
        loader = side.data.DataLoader(side.stream(11), **arguments)
        return [len(loader), list(loader), list(side.data.DataLoader(side.data.ChainDataset([side.stream(3), side.stream(4)])))]

    check(run)


# -- collating ---------------------------------------------------------------------------------------------------------


def samples_for(lib):
    return {
        "ints": [1, 2, 3],
        "bools": [True, False],
        "floats": [0.5, 1.5],
        "text": ["a", "b"],
        "bytes": [b"a", b"b"],
        "tensors": [lib.arange(3), lib.arange(3) + 1],
        "0-d": [lib.tensor(1.5), lib.tensor(2.0)],
        "arrays": [np.arange(3, dtype=np.int16), np.arange(3, dtype=np.int16)],
        "0-d arrays": [np.array(1.5), np.array(2.5)],
        "float32 scalars": [np.float32(1), np.float32(2)],
        "int8 scalars": [np.int8(1), np.int8(2)],
        "bool scalars": [np.bool_(1), np.bool_(0)],
        "tuples": [(1, 2.0), (3, 4.0)],
        "lists": [[1, "x"], [3, "y"]],
        "dicts": [{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3, 4]}],
        "ordered dicts": [OrderedDict(a=1), OrderedDict(a=2)],
        "named tuples": [Point(1.0, "a"), Point(2.0, "b")],
        "nested": [{"p": (Point(lib.ones(2), 1), [np.zeros(2)])}] * 2,
        "ranges": [range(2), range(2)],
        "empty tuples": [(), ()],
    }


@pytest.mark.parametrize("name", samples_for(torch))
def test_default_collate(name):
    check(lambda side: side.data.default_collate(samples_for(side.lib)[name]))


def test_default_collate_of_float64_scalars():
    got = ours.default_collate([np.float64(1.5), np.float64(2.5)])
    assert plain(got) == plain(theirs.default_collate([np.float64(1.5), np.float64(2.5)]))


@pytest.mark.parametrize("name", samples_for(torch))
def test_default_convert(name):
    check(lambda side: [side.data.default_convert(sample) for sample in samples_for(side.lib)[name]])


REFUSED = {
    "nothing known": [object(), object()],
    "none": [None, None],
    "lengths": [[1, 2], [1]],
    "text arrays": [np.array(["a"]), np.array(["b"])],
    "other keys": [{"a": 1}, {"b": 1}],
}


@pytest.mark.parametrize("name", REFUSED)
def test_collating_fails_as_there(name):
    raised = []
    for side in (THEIRS, OURS):
        with pytest.raises(Exception) as caught:
            side.data.default_collate(REFUSED[name])
        raised.append(type(caught.value))
    assert issubclass(raised[1], raised[0])


BAD = {
    "workers": {"num_workers": -1},
    "timeout": {"timeout": -1},
    "prefetch": {"prefetch_factor": 2},
    "persistent": {"persistent_workers": True},
    "context": {"multiprocessing_context": "spawn"},
    "context name": {"multiprocessing_context": "no", "num_workers": 1},
    "context type": {"multiprocessing_context": 3, "num_workers": 1},
    "batch size": {"batch_size": 0},
    "bool batch size": {"batch_size": True},
    "both": {"shuffle": True, "sampler": [1]},
    "batch sampler and size": {"batch_sampler": [[1]], "batch_size": 2},
    "batch sampler and shuffle": {"batch_sampler": [[1]], "shuffle": True},
    "batch sampler and last": {"batch_sampler": [[1]], "drop_last": True},
    "single and last": {"batch_size": None, "drop_last": True},
    "drop_last": {"drop_last": 1},
}


@pytest.mark.parametrize("name", BAD)
def test_arguments_are_refused_as_there(name):
    raised = []
    for side in (THEIRS, OURS):
        with pytest.raises(Exception) as caught:
            side.data.DataLoader(Numbers(), **BAD[name])
        raised.append(type(caught.value))
    assert issubclass(raised[1], raised[0])


@pytest.mark.parametrize("name, value", [("batch_size", 3), ("dataset", []), ("sampler", []), ("drop_last", True)])
def test_attributes_are_fixed(name, value):
    for side in (THEIRS, OURS):
        with pytest.raises(ValueError, match=f"{name} attribute should not be set"):
            setattr(side.data.DataLoader(Numbers()), name, value)


@pytest.mark.parametrize("arguments", [{"shuffle": True}, {"sampler": [1]}, {"batch_sampler": [[1]]}], ids=str)
def test_iterable_data_sets_take_no_sampler(arguments):
    for side in (THEIRS, OURS):
        with pytest.raises(ValueError, match="DataLoader with IterableDataset: expected unspecified"):
            side.data.DataLoader(side.stream(3), **arguments)


def test_the_wrong_length_of_an_iterable_data_set_is_said():
    def run(side):
        short = type("Short", (side.stream,), {"__len__": lambda self: 2})
        loader = side.data.DataLoader(short(3), batch_size=None)
        assert len(loader) == 2
        with pytest.warns(UserWarning, match=r"Length of IterableDataset .* was reported to be 2"):
            return list(loader)

    check(run)


@pytest.mark.parametrize("size", [(8, 9), (30, 40), (17, 5), (1, 50)])
@pytest.mark.parametrize("antialias", [False, True])
def test_resize_is_interpolation(size, antialias):
    pixels = np.random.default_rng(0).random((2, 3, 17, 23)).astype(np.float32)
    expected = torch.nn.functional.interpolate(torch.from_numpy(pixels), size, mode="bilinear", antialias=antialias).numpy()
    got = ours.transforms.Resize(size, antialias=antialias)(lamina.from_numpy(pixels)).numpy()
    assert np.allclose(got, expected, atol=3e-6)
    nearest = torch.nn.functional.interpolate(torch.from_numpy(pixels), size, mode="nearest").numpy()
    assert np.array_equal(ours.transforms.Resize(size, "nearest")(lamina.from_numpy(pixels)).numpy(), nearest)


# -- workers: few, as each takes a process --------------------------------------------------------------------------------


def with_workers(side, dataset, **arguments):
    return side.data.DataLoader(dataset, num_workers=2, multiprocessing_context="fork", **arguments)


WITH_WORKERS = {
    "shuffled": lambda s: with_workers(s, s.drawn(), batch_size=3, shuffle=True),
    "persistent": lambda s: with_workers(s, s.drawn(), batch_size=3, shuffle=True, persistent_workers=True, prefetch_factor=1),
    "draws at once": lambda s: with_workers(s, s.drawn(), batch_sampler=Eager(s)),
    "single": lambda s: with_workers(s, s.drawn(), batch_size=None, generator=generator(s, 4)),
    "tensors": lambda s: with_workers(s, tensors(s), batch_size=4, shuffle=True, drop_last=True),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", WITH_WORKERS)
def test_workers_give_the_same_batches(name):
    def run(side):
        loader = WITH_WORKERS[name](side)
        return [len(loader), list(loader), list(loader)]

    check(run)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_workers_read_iterable_data_sets_in_turn():
    # Which worker is asked after one has ended depends on when it did, in both libraries: parts of one length then.
    check(lambda side: list(with_workers(side, side.stream(12), batch_size=3)))
