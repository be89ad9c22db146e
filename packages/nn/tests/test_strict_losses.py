"""Under strict mode a loss refuses an input and a target of different shapes; layers do within what they document."""

import warnings

import pytest

import lamina_nn as nn
import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import strict

LOSSES = [
    "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss",
    "multilabel_soft_margin_loss", "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss",
]  # fmt: skip


def call(name, input, target):
    more = {"gaussian_nll_loss": (lt.ones(*input.shape),), "margin_ranking_loss": (lt.ones(*input.shape),)}.get(name, ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(F, name)(input, target, *more)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("shapes", [((4,), (4, 1)), ((4, 1), (4,)), ((4, 1), (1, 4)), ((4, 2), (4, 1))])
def test_unequal_shapes_are_refused(name, shapes):
    input, target = (lt.full(shape, 0.5) for shape in shapes)
    with strict(), pytest.raises(ShapeError) as caught:
        call(name, input, target)
    assert str(caught.value).startswith(f"{name}: shapes {shapes[0]} and {shapes[1]}")
    if name == "soft_margin_loss" and shapes[0] != (4, 2):
        with pytest.raises(ShapeError, match="doesn't match the broadcast shape"):  # without it, too: the input would be spread
            call(name, input, target)
    elif name != "margin_ranking_loss":
        call(name, input, target)
    with strict():
        call(name, input, input.detach())


def test_the_module_of_a_loss_says_so_too():
    with strict(), pytest.raises(ShapeError, match="mse_loss: shapes") as caught:
        nn.MSELoss()(lt.ones(3), lt.ones(3, 1))
    assert caught.value.__notes__ == ["in MSELoss()"]


def test_without_it_pytorchs_warning_stays():
    with pytest.warns(UserWarning, match="different to the input size"):
        F.mse_loss(lt.ones(3), lt.ones(3, 1))


class Careless(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(lt.ones(3))

    def forward(self, x):
        return x + self.bias


def test_a_module_of_the_user_is_the_user_s_own_code():
    model = nn.Sequential(nn.Linear(3, 3), Careless())
    with strict(), pytest.raises(ShapeError, match="add: ") as caught:
        model(lt.ones(2, 3))
    assert caught.value.__notes__ == ["in 1: Careless()"]


def test_a_closure_is_the_user_s_own_code_though_a_step_calls_it():
    layer = nn.Linear(3, 3)
    for optimizer in (nn.optim.SGD(layer.parameters(), lr=0.1), nn.optim.LBFGS(layer.parameters())):
        with strict(), pytest.raises(ShapeError, match="add: "):
            optimizer.step(lambda: (lt.ones(2, 3) + layer.bias).sum())


def test_what_a_layer_calls_is_the_layer_s_own():
    class Shifted(nn.Linear):
        """The user's class with the forward that it inherits."""

    with strict():
        Shifted(3, 3)(lt.ones(2, 3))
        nn.MultiheadAttention(4, 2)(lt.ones(3, 1, 4), lt.ones(3, 1, 4), lt.ones(3, 1, 4))


def test_training_goes_on_as_ever():
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 8),
        nn.LayerNorm(8), nn.Unflatten(1, (2, 4)), nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), nn.Flatten(),
    )  # fmt: skip
    optimizer = nn.optim.AdamW(model.parameters())
    with strict():
        loss = F.cross_entropy(model(lt.rand(5, 1, 8, 8)), lt.zeros(5, dtype="int64"))
        loss.backward()
        nn.gradient_clipping.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    assert all(p.grad is not None for p in model.parameters())
