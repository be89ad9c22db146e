"""Data and files."""

import tempfile
from pathlib import Path

from .mistake import mistake


@mistake("model.pt")
def missing_file(torch):
    """A file that is not there.

    Paths are relative to where the program was started: `Path(__file__).parent / "model.pt"`.
    """
    torch.load("model.pt")


@mistake("notes.pt")
def no_checkpoint(torch):
    """A file that is no checkpoint.

    `python -m lamina summary FILE` says what a file holds.
    """
    notes = Path(tempfile.mkdtemp()) / "notes.pt"
    notes.write_text("no checkpoint")
    torch.load(notes)


@mistake("Linear", "state_dict()")
def whole_object(torch):
    """A whole object in a checkpoint.

    Save `model.state_dict()`: tensors need no code to load, and a file cannot run any.
    """
    path = Path(tempfile.mkdtemp()) / "model.pt"
    torch.save(torch.nn.Linear(2, 2), path)
    torch.load(path)


@mistake("stack", "[3]", "[4]")
def samples_of_different_shapes(torch):
    """Samples of different shapes in a batch.

    Bring them to one shape in the dataset, or give the loader a `collate_fn` that pads them.
    """
    samples = [torch.ones(3), torch.ones(4)]
    next(iter(torch.utils.data.DataLoader(samples, batch_size=2)))


@mistake("Path")
def samples_of_another_kind(torch):
    """Samples that are no tensors.

    Let `__getitem__` load the file; a batch is made of tensors, numbers, strings, and tuples and dicts of
    them.
    """
    samples = [Path("a.png"), Path("b.png")]
    next(iter(torch.utils.data.DataLoader(samples, batch_size=2)))


@mistake("worker", "KeyError", "label")
def error_in_a_worker(torch):
    """An error in a worker.

    `num_workers=0` shows it in the debugger, in this process.
    """
    class Images(torch.utils.data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return {}["label"]

    next(iter(torch.utils.data.DataLoader(Images(), num_workers=1)))


@mistake("random_split", "10", "9")
def shares(torch):
    """Shares that do not add up.

    `random_split(data, [0.8, 0.2])` takes fractions.
    """
    torch.utils.data.random_split(range(10), [7, 2])


@mistake("TensorDataset", "10", "9")
def lengths_of_a_dataset(torch):
    """Tensors of different lengths in a dataset.

    The first dim counts the samples, of all alike.
    """
    torch.utils.data.TensorDataset(torch.ones(10, 3), torch.ones(9))


@mistake("IterableDataset", "shuffle")
def shuffled_stream(torch):
    """Shuffling what has no order.

    Shuffle where the samples are made, or keep them in a list.
    """
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(10))

    torch.utils.data.DataLoader(Stream(), shuffle=True)
