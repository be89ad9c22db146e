"""Shapes and dims."""

from .mistake import mistake


@mistake("matmul", "(2, 3)", "(4, 5)", "3 against 4")
def inner_dims(torch):
    """Matrices that do not fit.

    Look at the last dim of the first and the last but one of the second; transpose one (`b.T`), or mend the
    layer before.
    """
    a, b = torch.ones(2, 3), torch.ones(4, 5)
    a @ b


@mistake("linear", "(32, 100)", "(10, 64)")
def features(torch):
    """A layer that wants another number of features.

    `in_features` is the last dim of what comes in: `nn.Linear(100, 10)`.
    """
    layer = torch.nn.Linear(64, 10)
    layer(torch.ones(32, 100))


@mistake("linear", "(32, 784)", "(10, 256)", "in 2: Linear")
def features_in_a_model(torch):
    """The same, deep in a model.

    The message says which layer it was.
    """
    nn = torch.nn
    model = nn.Sequential(nn.Flatten(), nn.ReLU(), nn.Linear(256, 10))
    model(torch.ones(32, 28, 28))


@mistake("conv2d", "32", "3")
def channels_last(torch):
    """Images whose channels come last.

    Convolutions want (batch, channels, height, width): `images.permute(0, 3, 1, 2)`.
    """
    conv = torch.nn.Conv2d(3, 8, 3)
    conv(torch.ones(16, 32, 32, 3))


@mistake("conv2d", "[28, 28]", "3D", "4D")
def no_channels(torch):
    """An image without its channels.

    `image.unsqueeze(0)` adds the channel, once more the batch.
    """
    conv = torch.nn.Conv2d(1, 8, 3)
    conv(torch.ones(28, 28))


@mistake("add", "(3,)", "(4,)", "dimension 0")
def broadcast(torch):
    """Shapes that do not broadcast.

    Lengths must be equal, or 1, counted from the last dim.
    """
    torch.ones(3) + torch.ones(4)


@mistake("[8, 1]", "[8]", "broadcasting")
def broadcasting_loss(torch):
    """A column minus a row, which broadcasts.

    `prediction.squeeze(1)`, or `target.unsqueeze(1)`: the loss of 8 x 8 pairs is not that of 8.
    """
    prediction, target = torch.zeros(8, 1), torch.ones(8)
    torch.nn.functional.mse_loss(prediction, target)


@mistake("view", "(4, 4)", "12")
def view_of_other_size(torch):
    """A view of another number of items.

    The product of the lengths must be the number of items; one of them may be -1, and is worked out.
    """
    torch.ones(3, 4).view(4, 4)


@mistake("view", "reshape")
def view_of_transposed(torch):
    """A view of what lies in another order.

    `reshape` copies where it must.
    """
    torch.ones(3, 4).T.view(12)


@mistake("cat", "(2, 3)", "(2, 4)")
def cat(torch):
    """Joining tensors of different lengths.

    All dims but the one that they are joined along must be equal.
    """
    torch.cat([torch.ones(2, 3), torch.ones(2, 4)])


@mistake("stack", "[3]", "[4]")
def stack(torch):
    """Stacking tensors of different shapes.

    `torch.nn.utils.rnn.pad_sequence` fills up the shorter ones.
    """
    torch.stack([torch.ones(3), torch.ones(4)])


@mistake("softmax", "2")
def missing_dim(torch):
    """A dim that is not there.

    Dims count from 0, or from the end from -1: `dim=-1` is the last one.
    """
    torch.ones(4, 10).softmax(dim=2)


@mistake("3", "0", "3")
def missing_index(torch):
    """An index that is not there.

    The last item is `x[-1]`.
    """
    x = torch.ones(3)
    x[3]


@mistake("embedding", "100")
def missing_word(torch):
    """A word that the embedding does not have.

    `num_embeddings` is the largest id plus 1; count the padding and the unknown word.
    """
    embedding = torch.nn.Embedding(100, 16)
    embedding(torch.tensor([7, 100]))


@mistake("4", "3")
def mask_of_other_length(torch):
    """An index as long as no dim.

    A mask has the shape of what it picks from.
    """
    x, mask = torch.ones(3), torch.tensor([True, False, True, True])
    x[mask]


@mistake("LSTM", "20", "10")
def recurrent_features(torch):
    """Sequences whose features do not fit the cell.

    `input_size` is the last dim of the input; the batch comes first only with `batch_first=True`.
    """
    lstm = torch.nn.LSTM(10, 32)
    lstm(torch.ones(5, 3, 20))


@mistake("embed_dim", "num_heads", "10", "3")
def heads(torch):
    """Heads that do not divide the embedding.

    Each head gets `embed_dim / num_heads` of it.
    """
    torch.nn.MultiheadAttention(embed_dim=10, num_heads=3)


@mistake("batch_norm", "training")
def batch_of_one(torch):
    """Batch norm of one value.

    Call `model.eval()` before predicting one sample; in training, `drop_last=True` of the loader leaves out
    the last short batch.
    """
    norm = torch.nn.BatchNorm1d(8)
    norm(torch.ones(1, 8))


@mistake("item", "3")
def item_of_many(torch):
    """A tensor of several items as one number.

    `loss.mean().item()`, or `tolist()`.
    """
    losses = torch.ones(3)
    losses.item()


@mistake("bool", "any", "all")
def truth_of_many(torch):
    """A tensor of several items as a condition.

    `if (x > 0).any():` or `.all()`; for items one by one, `torch.where`.
    """
    x = torch.ones(3)
    if x > 0:
        pass
