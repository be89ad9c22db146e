"""Models and optimizers."""

from .mistake import mistake


@mistake("Net", "__init__")
def no_super(torch):
    """`super().__init__()` forgotten.

    It comes first in `__init__`.
    """
    class Net(torch.nn.Module):
        def __init__(self):
            self.layer = torch.nn.Linear(2, 2)

    Net()


@mistake("empty parameter list")
def layers_in_a_list(torch):
    """Layers in a list.

    `nn.ModuleList([...])`: a model sees its parts only in modules.
    """
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)]

    torch.optim.SGD(Net().parameters(), lr=0.1)


@mistake("ModuleList", "forward")
def calling_a_list(torch):
    """Calling a list of modules.

    `for layer in self.layers: x = layer(x)`, or `nn.Sequential(*layers)`.
    """
    layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
    layers(torch.ones(2))


@mistake("weight", "Parameter")
def tensor_for_a_parameter(torch):
    """A tensor in the place of a parameter.

    `layer.weight = nn.Parameter(values)`, or `layer.weight.data.copy_(values)`.
    """
    layer = torch.nn.Linear(2, 2)
    layer.weight = torch.zeros(2, 2)


@mistake("forward", "mask")
def missing_argument(torch):
    """An argument of `forward` forgotten.

    What the model is called with is what `forward` takes.
    """
    class Net(torch.nn.Module):
        def forward(self, x, mask):
            return x * mask

    Net()(torch.ones(2))


@mistake("Sequential", "layer")
def missing_part(torch):
    """A part that is not there.

    `print(model)` shows the names.
    """
    model = torch.nn.Sequential(torch.nn.Linear(2, 2))
    model.layer


@mistake("Relu", "ReLU")
def misspelled_layer(torch):
    """A layer's name in lower case or misspelled.

    `nn.ReLU`.
    """
    torch.nn.Relu()


@mistake("Linear", "bias", "scale")
def other_checkpoint(torch):
    """A checkpoint of another model.

    Build the model that was saved; `strict=False` loads what fits, and says what does not.
    """
    model = torch.nn.Linear(2, 3)
    model.load_state_dict({"weight": torch.zeros(3, 2), "scale": torch.zeros(3)})


@mistake("Linear", "weight", "[4, 2]", "[3, 2]")
def other_sizes(torch):
    """A checkpoint of another size.

    Build the model with the sizes that were saved, or leave the layer out of the dict and load with
    `strict=False`.
    """
    model = torch.nn.Linear(2, 3)
    model.load_state_dict({"weight": torch.zeros(4, 2), "bias": torch.zeros(3)})


@mistake("Linear", "iterable", "model.parameters()")
def optimizer_of_a_model(torch):
    """A model given to an optimizer.

    `torch.optim.SGD(model.parameters(), lr=0.1)`.
    """
    torch.optim.SGD(torch.nn.Linear(2, 2), lr=0.1)


@mistake("non-leaf")
def optimizer_of_no_leaf(torch):
    """An optimizer of what is no leaf.

    `.requires_grad_()` comes last: `torch.randn(3).mul(0.1).requires_grad_()`.
    """
    weight = torch.ones(3, requires_grad=True) * 0.1
    torch.optim.SGD([weight], lr=0.1)


@mistake("learning rate", "-0.1")
def negative_rate(torch):
    """A learning rate below 0.

    The optimizer subtracts by itself.
    """
    torch.optim.SGD([torch.ones(3, requires_grad=True)], lr=-0.1)


@mistake("lr_scheduler.step()", "optimizer.step()")
def schedule_first(torch):
    """A schedule before the optimizer.

    `optimizer.step()`, then `scheduler.step()`.
    """
    optimizer = torch.optim.SGD([torch.ones(3, requires_grad=True)], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    scheduler.step()
    optimizer.step()


@mistake("CrossEntropyLoss")
def loss_as_a_class(torch):
    """A loss called as its class.

    `loss = nn.CrossEntropyLoss()`, then `loss(scores, target)`; or `F.cross_entropy(scores, target)`.
    """
    torch.nn.CrossEntropyLoss(torch.zeros(4, 3), torch.zeros(4, dtype=torch.int64))


@mistake("linear", "ndarray", "from_numpy")
def array_into_a_layer(torch):
    """An array of NumPy given to a layer.

    `torch.from_numpy(array).float()`.
    """
    import numpy

    torch.nn.Linear(3, 2)(numpy.ones((4, 3)))
