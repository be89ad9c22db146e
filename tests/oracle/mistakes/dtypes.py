"""Dtypes, classes and values."""

from .mistake import mistake


@mistake("cross_entropy", "float")
def float_classes(torch):
    """Classes as floating-point numbers.

    `target.long()`: classes are int64; probabilities have one more dim.
    """
    scores, target = torch.zeros(4, 3), torch.tensor([0.0, 2.0, 1.0, 1.0])
    torch.nn.functional.cross_entropy(scores, target)


@mistake("cross_entropy", "3")
def class_outside(torch):
    """A class that there is no score for.

    Classes go from 0 to C - 1: subtract 1 where they begin at 1.
    """
    scores, target = torch.zeros(4, 3), torch.tensor([1, 2, 3, 1])
    torch.nn.functional.cross_entropy(scores, target)


@mistake("cross_entropy", "(4, 1)", "(4, 3)")
def classes_in_a_column(torch):
    """Classes in a column.

    `target.squeeze(1)`.
    """
    scores, target = torch.zeros(4, 3), torch.tensor([[0], [2], [1], [1]])
    torch.nn.functional.cross_entropy(scores, target)


@mistake("cross_entropy", "4", "5")
def other_batch(torch):
    """Another number of targets than of samples.

    Count what the loader gives; the model may have merged the batch into another dim.
    """
    torch.nn.functional.cross_entropy(torch.zeros(4, 3), torch.zeros(5, dtype=torch.int64))


@mistake("binary_cross_entropy", "0", "1")
def scores_as_probabilities(torch):
    """Scores where probabilities are wanted.

    `BCEWithLogitsLoss` takes scores, and is more exact.
    """
    scores, target = torch.tensor([2.5, -1.0]), torch.tensor([1.0, 0.0])
    torch.nn.functional.binary_cross_entropy(scores, target)


@mistake("binary_cross_entropy", "[8, 1]", "[8]")
def target_of_other_shape(torch):
    """A target of another shape than the prediction.

    `prediction.squeeze(1)`.
    """
    torch.nn.functional.binary_cross_entropy(torch.full((8, 1), 0.5), torch.ones(8))


@mistake("linear", "float64", "float32")
def float64_input(torch):
    """Float64 from NumPy into a layer of float32.

    NumPy's floats are float64: `torch.from_numpy(array).float()`.
    """
    layer = torch.nn.Linear(3, 2)
    layer(torch.ones(4, 3, dtype=torch.float64))


@mistake("linear", "int64", "float32")
def integer_input(torch):
    """Integers into a layer.

    `pixels.float() / 255`.
    """
    layer = torch.nn.Linear(3, 2)
    layer(torch.ones(4, 3, dtype=torch.int64))


@mistake("embedding", "float")
def float_ids(torch):
    """Ids of words as floating-point numbers.

    `ids.long()`.
    """
    embedding = torch.nn.Embedding(10, 4)
    embedding(torch.tensor([1.0, 2.0]))


@mistake("mean", "int64")
def mean_of_integers(torch):
    """The mean of integers.

    `x.float().mean()`, or `x.mean(dtype=torch.float32)`.
    """
    torch.tensor([1, 2, 4]).mean()


@mistake("add_", "float", "int64")
def fraction_into_integers(torch):
    """A fraction added to integers in place.

    `counts = counts + 0.5` makes a new tensor of floats.
    """
    counts = torch.zeros(3, dtype=torch.int64)
    counts += 0.5


@mistake("int64")
def gradients_of_integers(torch):
    """Gradients of integers.

    `torch.tensor([1.0, 2.0], requires_grad=True)`.
    """
    torch.tensor([1, 2], requires_grad=True)


@mistake("bool")
def minus_a_mask(torch):
    """Minus a mask.

    `~mask`.
    """
    mask = torch.tensor([True, False])
    -mask


@mistake("3", "2")
def ragged(torch):
    """Rows of different lengths.

    Fill up the shorter rows, or keep a list of tensors.
    """
    torch.tensor([[1, 2, 3], [4, 5]])


@mistake("str")
def words(torch):
    """Words instead of numbers.

    Number the words first: `[index[word] for word in words]`.
    """
    torch.tensor(["cat", "dog"])


@mistake("cpu", "meta")
def two_devices(torch):
    """Tensors on two devices.

    Model and data go to one device: `x.to(device)`, `model.to(device)`.
    """
    torch.ones(3) + torch.ones(3, device="meta")


@mistake("gpu", "cuda")
def no_device(torch):
    """A device of another name.

    `"cuda" if torch.cuda.is_available() else "cpu"`.
    """
    torch.ones(3, device="gpu")
