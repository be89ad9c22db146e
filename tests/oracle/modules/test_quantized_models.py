"""Rounding of weights beside PyTorch's, and layers and models whose weights have few bits: saved, loaded, cast, called."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from modules.quantized_weights import assert_product, exact, of_oracle

import lamina
from lamina.quantization import (
    Int4WeightOnlyConfig,
    Int8WeightOnlyConfig,
    QuantizedLinear,
    dequantize,
    quantize,
    quantize_,
)
from lamina_nn.files import save_file


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("group_size", [None, 32, 128])
@pytest.mark.parametrize("bits", [8, 4])
def test_each_item_is_the_nearest(bits: int, group_size: int | None, symmetric: bool, dtype: str) -> None:
    lamina.manual_seed(0)
    given = lamina.randn(9, 70).to(getattr(lamina, dtype))
    given[3] = 0
    given[4] = 0.7
    weight = quantize(given, bits, group_size, symmetric)
    length = 70 if group_size is None else group_size
    half = torch.repeat_interleave(of_oracle(weight.scales), length, 1)[:, :70] / 2
    off = (exact(weight) - of_oracle(given)).abs()
    # Half a step, and what float32 rounds of q (below 2**bits) steps and of the least item.
    assert off.le(half * (1 + 2.0 ** (bits - 20)) + 4 * 2.0**-24 * of_oracle(given).abs().max()).all()
    assert dequantize(weight)[3].tolist() == [0.0] * 70
    assert weight.symmetric is symmetric and weight.scales.dtype is lamina.float32
    if not symmetric:
        assert (dequantize(weight)[4] - given[4].float()).abs().max().item() <= 2.0**-24


def test_rounded_as_by_pytorch() -> None:
    """The integers are those of PyTorch's own function for the same scales."""
    lamina.manual_seed(0)
    weight = quantize(lamina.randn(20, 70))
    floats = dequantize(weight) + 0.3 * weight.scales
    scales, zeros = torch.from_numpy(weight.scales.numpy()).reshape(20), torch.zeros(20, dtype=torch.int32)
    wanted = torch.fake_quantize_per_channel_affine(torch.from_numpy(floats.numpy()), scales, zeros, 0, -128, 127)
    assert wanted.tolist() == dequantize(weight).tolist()


def test_what_cannot_be_rounded_is_refused() -> None:
    weight = lamina.ones(2, 4)
    for spoilt in (float("nan"), float("inf"), -float("inf")):
        weight[1, 2] = spoilt
        for symmetric in (True, False):
            with pytest.raises(ValueError, match="quantize: the weight has infinite items, or NaN"):
                quantize(weight, symmetric=symmetric)
    for call, kind, words in (
        (lambda: quantize(lamina.ones(2, 4, dtype=lamina.int64)), TypeError, "int64"),
        (lambda: quantize(lamina.ones(4)), RuntimeError, r"\(4,\)"),
        (lambda: quantize(lamina.ones(2, 4), 5), ValueError, "5 bits"),
        (lambda: quantize(lamina.ones(2, 4), 4, 3), ValueError, "groups of 3"),
        (lambda: quantize(lamina.ones(2, 4), 8, -1), ValueError, "groups of -1"),
    ):
        with pytest.raises(kind, match=f"quantize: .*{words}"):
            call()


def layer(bits: int = 4, bias: bool = True) -> QuantizedLinear:
    lamina.manual_seed(1)
    return QuantizedLinear.from_linear(lamina.nn.Linear(70, 9, bias=bias), bits, 32, symmetric=bits == 8)


@pytest.mark.parametrize("bits", [8, 4])
def test_files_hold_a_layer(bits: int, tmp_path) -> None:
    from safetensors.numpy import load_file

    given, other = layer(bits), QuantizedLinear(70, 9, bits=bits, group_size=32, symmetric=bits == 8)
    x = lamina.randn(3, 70)
    lamina.save(given.state_dict(), tmp_path / "layer.pt")
    theirs = torch.load(tmp_path / "layer.pt")
    assert {k: v.tolist() for k, v in theirs.items()} == {k: v.tolist() for k, v in given.state_dict().items()}
    torch.save(theirs, tmp_path / "theirs.pt")
    other.load_state_dict(lamina.load(tmp_path / "theirs.pt"))
    assert other(x).tolist() == given(x).tolist()
    save_file(given.state_dict(), tmp_path / "layer.safetensors")
    assert {k: v.tolist() for k, v in load_file(tmp_path / "layer.safetensors").items()} == {k: v.tolist() for k, v in theirs.items()}
    with pytest.raises(RuntimeError, match=r"weight is float32, and the layer's of . bits u?int8"):
        other.load_state_dict(lamina.nn.Linear(70, 9).state_dict())
    assert other(x).tolist() == given(x).tolist()


def test_a_cast_leaves_the_weight_as_it_is() -> None:
    given = layer()
    before = dequantize(given.quantized_weight).tolist()
    for dtype in (lamina.bfloat16, lamina.float64, lamina.float16):
        given.to(dtype)
        assert given.bias.dtype is dtype
        x = lamina.randn(2, 70, dtype=dtype)
        assert_product(given(x), x, given.quantized_weight, given.bias)
    assert dequantize(given.quantized_weight).tolist() == before
    assert given.to("meta")(lamina.ones(2, 70, dtype=lamina.float16, device="meta")).shape == (2, 9)


def test_a_layer_trains_its_bias_alone() -> None:
    given = layer()
    assert [name for name, _ in given.named_parameters()] == ["bias"]
    given(lamina.randn(3, 70)).sum().backward()
    assert given.bias.grad.tolist() == [3.0] * 9


def gpt(library) -> object:
    """Two blocks of attention and a feed-forward net, over 50 tokens."""
    nn = library.nn

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.LayerNorm(32), nn.LayerNorm(32)
            self.joint, self.out = nn.Linear(32, 96), nn.Linear(32, 32)
            self.forward_net = nn.Sequential(nn.Linear(32, 128), nn.GELU(), nn.Linear(128, 32))

        def forward(self, x):
            q, k, v = (t.unflatten(-1, (4, 8)).transpose(1, 2) for t in self.joint(self.first(x)).chunk(3, -1))
            seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(seen.transpose(1, 2).flatten(2))
            return x + self.forward_net(self.second(x))

    library.manual_seed(0)
    return nn.Sequential(nn.Embedding(50, 32), Block(), Block(), nn.LayerNorm(32), nn.Linear(32, 50, bias=False))


@pytest.mark.parametrize("config", [Int8WeightOnlyConfig(), Int8WeightOnlyConfig(16), Int4WeightOnlyConfig(32)], ids=str)
def test_a_small_gpt(config) -> None:
    """Its logits are those of PyTorch's model whose weights are what the integers stand for."""
    ours, theirs = gpt(lamina), gpt(torch).double()
    assert quantize_(ours, config) is None
    layers = {path: module for path, module in ours.named_modules() if isinstance(module, QuantizedLinear)}
    assert len(layers) == 9
    with torch.no_grad():
        for path, module in layers.items():
            theirs.get_submodule(path).weight.copy_(exact(module.quantized_weight))
    tokens = np.random.default_rng(0).integers(0, 50, (2, 12))
    wanted = theirs(torch.from_numpy(tokens)).detach()
    found = of_oracle(ours(lamina.from_numpy(tokens)))
    assert (found - wanted).abs().max() <= 1e-5 * wanted.abs().max()


def test_quantize_chooses_and_keeps_objects() -> None:
    model = lamina.nn.Sequential(lamina.nn.Linear(8, 8), lamina.nn.Sequential(lamina.nn.Linear(8, 8), lamina.nn.Linear(8, 8)))
    seen, kept = [], [model[0], model[1][0], model[1][1]]
    model[0].register_forward_hook(lambda module, args, result: seen.append(type(module)))
    model[1].again = model[1][0]
    quantize_(model, Int8WeightOnlyConfig(), lambda module, path: isinstance(module, lamina.nn.Linear) and path != "1.1")
    assert [type(m) is QuantizedLinear for m in kept] == [True, True, False]
    assert model[0] is kept[0] and model[1].again is kept[1]
    model(lamina.ones(1, 8))
    assert seen == [QuantizedLinear]
    alone = lamina.nn.Linear(8, 2)
    quantize_(alone, Int4WeightOnlyConfig(group_size=4))
    assert isinstance(alone, QuantizedLinear) and alone.scales.shape == (2, 2)
    heads = lamina.nn.MultiheadAttention(8, 2)  # its function asks for the weight of its last layer
    quantize_(heads, Int8WeightOnlyConfig())
    assert heads(*[lamina.ones(3, 1, 8)] * 3)[0].shape == (3, 1, 8)


def test_an_error_leaves_the_model_as_it_was() -> None:
    model = lamina.nn.Sequential(lamina.nn.Linear(8, 8), lamina.nn.ReLU(), lamina.nn.Linear(8, 4))
    with pytest.raises(TypeError, match="quantize_: filter_fn chose 1, a ReLU"):
        quantize_(model, Int8WeightOnlyConfig(), lambda module, path: path in ("0", "1"))
    with lamina.no_grad():
        model[2].weight[0, 0] = float("nan")
    with pytest.raises(ValueError, match="NaN"):
        quantize_(model, Int8WeightOnlyConfig())
    with pytest.raises(TypeError, match="config is of type int"):
        quantize_(model, 8)
    assert [type(m).__name__ for m in model] == ["Linear", "ReLU", "Linear"]
