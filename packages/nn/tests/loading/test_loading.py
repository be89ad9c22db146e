"""Data sets and loaders in one process: batches gathered at once, and epochs taken up where they were left."""

import json

import data_sets_for_workers as sets
import pytest

import lamina_tensor as lt
from lamina_flatarray.instruments import count_ops
from lamina_flatarray.random import Generator
from lamina_nn import data
from lamina_nn.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    RandomSampler,
    StackDataset,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
)

# -- batches gathered at once ------------------------------------------------------------------------------------------


def images(n=64):
    return TensorDataset(lt.rand(n, 5), lt.arange(n))


GATHERED = {
    "tensors": (lambda: images(), 2),
    "subset": (lambda: Subset(images(), range(63, -1, -1)), 2),
    "subset of subset": (lambda: Subset(Subset(images(), range(60)), range(50)), 2),
    "one part of a concat": (lambda: ConcatDataset([images(64)]), 2),
    "stacked": (lambda: StackDataset(images(), images()), 4),
    "stacked by name": (lambda: StackDataset(a=images(), b=images()), 4),
}


@pytest.mark.parametrize("name", GATHERED)
def test_a_batch_is_one_op_for_each_tensor(name):
    make, tensors = GATHERED[name]
    dataset = make()
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    batches = iter(loader)
    next(batches)
    with count_ops() as counts:
        taken = len(list(batches))
    assert taken == len(loader) - 1
    assert dict(counts) == {"index": tensors * taken, "random_permutation": 1}  # the sampler's last, of which it takes none


def test_a_concat_takes_two_ops_for_each_tensor_and_part():
    dataset = ConcatDataset([images(64), Subset(images(64), range(32))])
    batches = iter(DataLoader(dataset, batch_size=96, shuffle=True))
    with count_ops() as counts:
        next(batches)
    assert counts["index"] == 2 * (2 + 1)  # from each part, and once more to put them in order
    assert sum(counts.values()) <= 12


class Counted(Dataset):
    """Says how it was asked."""

    def __init__(self):
        self.asked = []

    def __len__(self):
        return 10

    def __getitem__(self, i):
        self.asked.append(i)
        return i

    def __getitems__(self, indices):
        self.asked.append(indices)
        return [-i for i in indices]


def test_a_data_set_with_getitems_is_asked_once_for_a_batch():
    dataset = Counted()
    assert [b.tolist() for b in DataLoader(dataset, 4)] == [[0, -1, -2, -3], [-4, -5, -6, -7], [-8, -9]]
    assert dataset.asked == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    list(DataLoader(Subset(dataset, [3, 1]), 2))
    assert dataset.asked[-1] == [3, 1]
    list(DataLoader(dataset, batch_size=None))
    assert dataset.asked[-1] == 9


@pytest.mark.parametrize("kind", [TensorDataset, StackDataset, ConcatDataset])
def test_a_subclass_with_its_own_samples_is_not_passed_by(kind):
    class Own(kind):
        def __getitem__(self, i):
            return i * 10

    part = lt.arange(6)
    dataset = Own([range(6)]) if kind is ConcatDataset else Own(part)
    assert next(iter(DataLoader(dataset, 3))).tolist() == [0, 10, 20]


def test_a_subset_with_its_own_samples_needs_its_own_batches():
    class Own(Subset):
        def __getitem__(self, i):
            return i

    with pytest.raises(NotImplementedError, match="__getitems__"):
        Own(range(3), [1])


def test_gathered_samples_read_like_a_list():
    samples = images().__getitems__([3, 1, 2])
    assert [label.item() for _, label in samples] == [3, 1, 2]
    assert [label.item() for _, label in samples[1:]] == [1, 2]
    assert samples[-1][1].item() == 2 and len(samples) == 3
    with pytest.raises(IndexError):
        samples[3]


def test_positions_outside_are_refused():
    for dataset in (images(5), Subset(images(5), [9]), ConcatDataset([images(5)])):
        with pytest.raises(IndexError):
            list(DataLoader(dataset, sampler=[7] if len(dataset) > 1 else [0]))
    assert next(iter(DataLoader(images(5), sampler=[-1, -2], batch_size=2)))[1].tolist() == [4, 3]


def test_gathered_batches_share_nothing_with_the_data_set_and_keep_gradients():
    x = lt.ones(4, 2)
    (batch,) = next(iter(DataLoader(TensorDataset(x), 4)))
    batch.zero_()
    assert x.sum().item() == 8
    w = lt.ones(4, 2, requires_grad=True)
    next(iter(DataLoader(TensorDataset(w), 2)))[0].sum().backward()
    assert w.grad.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]


def test_a_table_of_ones_own_types_is_gone_by():
    class Word:
        def __init__(self, letters):
            self.letters = letters

    known = data.collating.default_collate_fn_map
    known[Word] = lambda batch, *, collate_fn_map: " ".join(word.letters for word in batch)
    try:
        assert next(iter(DataLoader([(1, Word("a")), (2, Word("b"))], 2)))[1] == "a b"
    finally:
        del known[Word]


def test_pinning_and_too_many_workers_are_warned_of():
    with pytest.warns(UserWarning, match="pin_memory"):
        iter(DataLoader(images(), pin_memory=True))
    with pytest.warns(UserWarning, match="10000 worker processes"):
        DataLoader(images(), num_workers=10000)


# -- taken up again ----------------------------------------------------------------------------------------------------


class Drawing(Dataset):
    def __len__(self):
        return 22

    def __getitem__(self, i):
        return i, lt.rand(1)


class Marked(RandomSampler):
    """A sampler with a state of its own: how often it was asked."""

    turn = 0

    def __iter__(self):
        self.turn += 1
        return iter([(i * self.turn) % 22 for i in range(10)])

    def state_dict(self):
        return {"turn": self.turn}

    def load_state_dict(self, state):
        self.turn = state["turn"]


LOADERS = {
    "in order": lambda: DataLoader(Drawing(), 4),
    "shuffled": lambda: DataLoader(Drawing(), 4, shuffle=True),
    "own generator": lambda: DataLoader(Drawing(), 4, shuffle=True, generator=Generator().manual_seed(11)),
    "replaced": lambda: DataLoader(Drawing(), 4, sampler=RandomSampler(range(22), True, 70, Generator().manual_seed(5))),
    "weighted": lambda: DataLoader(Drawing(), 3, sampler=WeightedRandomSampler([1.0, 2, 3], 20)),
    "batch sampler": lambda: DataLoader(Drawing(), batch_sampler=BatchSampler(RandomSampler(range(22)), 3, True)),
    "single": lambda: DataLoader(Drawing(), batch_size=None, shuffle=True),
    "own state": lambda: DataLoader(Drawing(), 3, sampler=Marked(range(22))),
    "iterable": lambda: DataLoader(sets.Stream(), 4),
}  # fmt: skip


@pytest.mark.parametrize("taken", [0, 1, 3, "all", "epoch"])
@pytest.mark.parametrize("name", LOADERS)
def test_an_epoch_is_taken_up_where_it_was_left(name, taken):
    lt.manual_seed(1)
    loader = LOADERS[name]()
    list(loader)  # the second epoch is the one that is left
    batches = iter(loader)
    steps = len(list(LOADERS[name]())) if taken == "all" else 0 if taken == "epoch" else taken
    lt.manual_seed(2)
    batches = iter(loader)
    for _ in range(steps):
        next(batches)
        lt.rand(3)  # a training step draws, too
    if taken == "epoch":
        list(batches)  # to its end: the next one is what is taken up
        batches = loader
    state = json.loads(json.dumps(loader.state_dict()))
    expected = [[sets.plain(b) for b in batches], [sets.plain(b) for b in loader], lt.rand(1).item()]
    assert (state["epoch"] is None) == (taken == "epoch")
    again = LOADERS[name]()
    lt.manual_seed(77)
    again.load_state_dict(state)
    assert again.state_dict() == state
    found = [[sets.plain(b) for b in again], [sets.plain(b) for b in again], lt.rand(1).item()]
    assert found == expected


def test_states_of_other_loaders_are_refused():
    state = DataLoader(Drawing(), 4).state_dict()
    with pytest.raises(ValueError, match="batch_size was 4, and is 5 here"):
        DataLoader(Drawing(), 5).load_state_dict(state)
    with pytest.raises(ValueError, match="num_workers was 0, and is 1 here"):
        DataLoader(Drawing(), 4, num_workers=1).load_state_dict(state)
    with pytest.raises(ValueError, match="format was None"):
        DataLoader(Drawing(), 4).load_state_dict({})
    again = DataLoader(Drawing(), 4, shuffle=True, generator=Generator())
    again.load_state_dict(state)
    with pytest.raises(ValueError, match="generators saved beside the default one: 0, those of the loader: 1"):
        iter(again)


def test_the_position_must_lie_within_the_epoch():
    loader = DataLoader(Drawing(), 4)
    list(zip(range(5), loader, strict=False))
    state = loader.state_dict()
    short = DataLoader(range(8), 4)
    short.load_state_dict(state)
    with pytest.raises(ValueError, match="batches taken: 5, and there are only 2"):
        iter(short)


def test_an_endless_sampler_draws_as_it_goes():
    first = iter(RandomSampler(range(5), replacement=True, num_samples=10**12))
    assert len({next(first) for _ in range(100)}) == 5
