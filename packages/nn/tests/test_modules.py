"""Modules, optimizers, loaders and files on their own."""

import os

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import CheckpointError, NotFinite, ShapeError, UsageError, detect_nan
from lamina_nn import functional as F
from lamina_nn import optim
from lamina_nn.data import DataLoader, Dataset, TensorDataset, random_split
from lamina_nn.files import load_file, save_file


def small():
    lt.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))


def test_parameters_are_named_by_path():
    model = small()
    assert [name for name, _ in model.named_parameters()] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert len(list(model.modules())) == 4
    model[2].weight = model[0].weight
    assert len(list(model.parameters())) == 3
    assert len(model.state_dict()) == 4


def test_repr():
    assert repr(small()) == (
        "Sequential(\n  (0): Linear(in_features=3, out_features=4, bias=True)\n  (1): ReLU()\n"
        "  (2): Linear(in_features=4, out_features=2, bias=True)\n)"
    )


def test_state_goes_from_one_model_to_another_whole_or_not_at_all():
    a, b = small(), nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    assert repr(b.load_state_dict(a.state_dict())) == "<All keys matched successfully>"
    assert all(lt.equal(x, y) for x, y in zip(a.parameters(), b.parameters(), strict=True))
    before = b[0].bias.clone()
    wrong = a.state_dict()
    wrong["0.bias"] = lt.zeros(4)
    wrong["2.weight"] = lt.zeros(5, 5)
    with pytest.raises(UsageError, match=r"size mismatch for 2\.weight"):
        b.load_state_dict(wrong)
    assert lt.equal(b[0].bias, before)
    with pytest.raises(UsageError, match="Missing key"):
        b.load_state_dict({})
    assert b.load_state_dict({"more": lt.zeros(1)}, strict=False).unexpected_keys == ["more"]


def test_an_error_says_which_layer_it_came_from():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 2))

        def forward(self, x):
            return self.encoder(x)

    with pytest.raises(ShapeError, match=r"linear: .*\(7, 4\).*\(2, 5\)") as caught:
        Model()(lt.ones(7, 3))
    assert caught.value.__notes__ == ["in encoder.1: Linear(in_features=5, out_features=2, bias=True)"]


def test_a_module_that_stands_in_no_table_is_named_without_a_path():
    inner = nn.Linear(5, 2)

    class Model(nn.Module):
        def forward(self, x):
            return inner(x)

    with pytest.raises(ShapeError) as caught:
        nn.Sequential(Model())(lt.ones(7, 3))
    assert caught.value.__notes__ == ["in Linear(in_features=5, out_features=2, bias=True)"]


def test_nan_is_found_in_forward_backward_and_step():
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1)))
    nn.init.ones_(model[0].weight)
    optimizer = optim.Adam(model.parameters())
    with detect_nan():
        with pytest.raises(NotFinite, match=r"^\w+: a value became not finite") as caught:
            model(lt.full((1, 2), 3e38))
        assert caught.value.__notes__ == ["in 0: Linear(in_features=2, out_features=2, bias=True)"]
        y = model(lt.zeros(1, 2)) * 0
        with pytest.raises(NotFinite, match=r"^divide: ") as caught:
            y.sqrt().sum().backward()
        assert caught.value.__notes__ == ["in the backward pass, at SqrtBackward0: float32[1, 1] of float32[1, 1]"]
        model[0].weight.grad = lt.full((2, 2), 3e38)
        with pytest.raises(NotFinite, match=r"^adam_step: .*\n  seconds 0: ") as caught:
            optimizer.step()
        assert caught.value.__notes__ == ["in Adam.step()"]


def test_buffers_and_modes():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", lt.zeros(1))
            self.register_buffer("scratch", lt.zeros(1), persistent=False)

    module = nn.Sequential(Counter(), nn.Dropout(0.5))
    assert list(module.state_dict()) == ["0.count"]
    assert not module.eval()[1].training
    assert lt.equal(module[1](lt.ones(5)), lt.ones(5))
    assert module.double()[0].count.dtype.name == "float64"


@pytest.mark.parametrize("make", [
    lambda p: optim.SGD(p, lr=0.1), lambda p: optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-3),
    lambda p: optim.Adam(p, lr=0.05), lambda p: optim.Adam(p, lr=0.05, amsgrad=True), lambda p: optim.AdamW(p, lr=0.05),
])  # fmt: skip
def test_optimizers_fit_a_line(make):
    lt.manual_seed(1)
    x = lt.randn(64, 3)
    y = x @ lt.tensor([[1.0], [-2.0], [0.5]]) + 0.3
    model = nn.Linear(3, 1)
    optimizer = make(model.parameters())
    for _ in range(150):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-3


def test_a_step_is_one_kernel_call_for_any_number_of_parameters():
    from lamina_flatarray.instruments import count_ops

    for layers in (1, 20):
        model = nn.Sequential(*[nn.Linear(3, 3) for _ in range(layers)])
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        model(lt.ones(2, 3)).sum().backward()
        with count_ops() as counts:
            optimizer.step()
        assert dict(counts) == {"sgd_step": 1}


def test_a_step_counts_as_a_write():
    layer = nn.Linear(2, 2)
    loss = (layer(lt.ones(1, 2)) ** 2).sum()
    loss.backward(retain_graph=True)
    optim.SGD(layer.parameters(), lr=0.1).step()
    hidden = layer(lt.ones(1, 2, requires_grad=True))
    optim.SGD(layer.parameters(), lr=0.1).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        hidden.sum().backward()


def test_optimizer_state_round_trip():
    def run(split):
        model = small()
        optimizer = optim.Adam(model.parameters(), lr=0.1)
        for i in range(6):
            if split and i == 3:
                other = optim.Adam(model.parameters(), lr=0.5)
                other.load_state_dict(optimizer.state_dict())
                optimizer = other
            optimizer.zero_grad()
            (model(lt.ones(2, 3)) ** 2).sum().backward()
            optimizer.step()
        return [p.tolist() for p in model.parameters()]

    assert run(True) == run(False)


def test_losses_warn_of_shapes_that_would_broadcast():
    with pytest.warns(UserWarning, match="different to the input size"):
        F.mse_loss(lt.ones(4, 1), lt.ones(4))


class Squares(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return lt.tensor(float(i)), i * i


def test_loader():
    batches = list(DataLoader(Squares(), batch_size=4))
    assert [len(b[0]) for b in batches] == [4, 4, 2]
    assert batches[1][1].tolist() == [16, 25, 36, 49]
    assert len(list(DataLoader(Squares(), batch_size=4, drop_last=True))) == 2
    lt.manual_seed(0)
    shuffled = [i for b in DataLoader(Squares(), batch_size=3, shuffle=True) for i in b[0].tolist()]
    assert sorted(shuffled) == list(range(10))
    assert shuffled != list(range(10))


def test_whole_batches_are_the_same_as_sample_by_sample():
    data = TensorDataset(lt.arange(10.0).reshape(10, 1), lt.arange(10))

    class OneByOne(Dataset):
        def __len__(self):
            return 10

        def __getitem__(self, i):
            return data[i]

    def order(dataset):
        lt.manual_seed(5)
        return [[part.tolist() for part in batch] for batch in DataLoader(dataset, batch_size=4, shuffle=True)]

    assert order(data) == order(OneByOne())


def test_random_split():
    parts = random_split(Squares(), [0.7, 0.3])
    assert [len(p) for p in parts] == [7, 3]
    assert sorted(parts[0].indices + parts[1].indices) == list(range(10))


DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]


def test_files_hold_every_dtype_and_any_layout(tmp_path):
    path = tmp_path / "some.safetensors"
    tensors = {name: lt.tensor([[0, 1, 2], [3, 4, 5]]).to(lt.zeros(1, dtype=name).dtype).t() for name in DTYPES}
    save_file(tensors, path)
    back = load_file(path)
    for name in DTYPES:
        assert back[name].dtype.name == name
        assert back[name].tolist() == tensors[name].tolist()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "some.safetensors"
    save_file({"a": lt.ones(3)}, path)
    with pytest.raises(CheckpointError, match="complex128"):
        save_file({"a": lt.zeros(3), "b": lt.zeros(1, dtype="complex128")}, path)
    assert load_file(path)["a"].tolist() == [1, 1, 1]
    assert os.listdir(tmp_path) == ["some.safetensors"]


@pytest.mark.parametrize("cut", [0, 4, 20, -1])
def test_damaged_files_are_refused(tmp_path, cut):
    path = tmp_path / "some.safetensors"
    save_file({"a": lt.ones(30)}, path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(CheckpointError, match="not a whole safetensors file"):
        load_file(path)


def test_numpy_batches():
    made = next(iter(DataLoader([np.float32([1, 2]), np.float32([3, 4])], batch_size=2)))
    assert made.tolist() == [[1, 2], [3, 4]]
