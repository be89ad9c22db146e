"""The models of the zoo: each with its arguments at several sizes, and the names of its dynamic sizes."""

import math

import lamina_nn as nn
import lamina_nn.functional as F
import lamina_tensor as lt


class Residual(nn.Module):
    def __init__(self, channels, stride=1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels * stride, 3, stride, 1, bias=False), nn.BatchNorm2d(channels * stride), nn.ReLU(inplace=True),
            nn.Conv2d(channels * stride, channels * stride, 3, 1, 1, bias=False), nn.BatchNorm2d(channels * stride),
        )  # fmt: skip
        self.shortcut = nn.Identity() if stride == 1 else nn.Conv2d(channels, channels * stride, 1, stride)

    def forward(self, x):
        y = self.body(x)
        y += self.shortcut(x)
        return F.relu(y, inplace=True)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        self.layers = nn.Sequential(Residual(8), Residual(8, 2), Residual(16, 2))
        self.pool, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(32, 5)

    def forward(self, x):
        return self.head(lt.flatten(self.pool(self.layers(self.stem(x))), 1))


def mobile(channels, out, stride):
    return nn.Sequential(
        nn.Conv2d(channels, channels, 3, stride, 1, groups=channels), nn.BatchNorm2d(channels), nn.ReLU6(), nn.Conv2d(channels, out, 1),
        nn.BatchNorm2d(out), nn.Hardswish(),
    )  # fmt: skip


class Squeeze(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.down, self.up = nn.Conv2d(channels, 4, 1), nn.Conv2d(4, channels, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.up(F.relu(self.down(x.mean((2, 3), keepdim=True)))))


class UNet(nn.Module):
    def __init__(self, transposed):
        super().__init__()
        self.first, self.second, self.deep = (
            nn.Conv2d(1, 4, 3, padding=1),
            nn.Conv2d(4, 8, 3, padding=1),
            nn.Conv2d(8, 8, 3, padding=1),
        )
        self.up = nn.ConvTranspose2d(8, 8, 2, 2) if transposed else None
        self.last = nn.Conv2d(20, 2, 1)

    def forward(self, x):
        a = F.relu(self.first(x))
        b = F.relu(self.second(F.max_pool2d(a, 2)))
        c = F.relu(self.deep(F.max_pool2d(b, 2)))
        if self.up is not None:
            c = self.up(c)
            down, right = b.shape[2] - c.shape[2], b.shape[3] - c.shape[3]
            c = F.pad(c, (right // 2, right - right // 2, down // 2, down - down // 2))
        else:
            c = F.interpolate(c, size=b.shape[2:], mode="bilinear", align_corners=False)
        d = F.interpolate(lt.cat([b, c], 1), size=a.shape[2:], mode="nearest")
        return self.last(lt.cat([a, d], 1))


class Tagger(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.words = nn.Embedding(20, 8, padding_idx=0)
        self.body = kind(8, 6, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(12, 3)

    def forward(self, words):
        states, _ = self.body(self.words(words))
        return F.log_softmax(self.head(states), dim=-1), states[:, -1]


class CellLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, x):
        state = x.new_zeros(x.shape[0], 4)
        states = []
        for step in range(5):
            state = self.cell(x[:, step], state)
            states.append(state)
        return lt.stack(states, 1)


class CausalAttention(nn.Module):
    def __init__(self, width, heads, fused):
        super().__init__()
        self.qkv, self.out, self.heads, self.fused = nn.Linear(width, 3 * width), nn.Linear(width, width), heads, fused
        self.register_buffer("mask", lt.tril(lt.ones(64, 64)).view(1, 1, 64, 64), persistent=False)

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.qkv(x).split(c, dim=2))
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            scores = scores.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
            y = F.softmax(scores, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(b, t, c))


class Block(nn.Module):
    def __init__(self, width, heads, fused):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(width), CausalAttention(width, heads, fused), nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width), nn.Dropout(0.1)
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(20, 16), nn.Embedding(64, 16)
        self.blocks, self.ln = nn.ModuleList([Block(16, 4, fused) for _ in range(2)]), nn.LayerNorm(16)
        self.head = nn.Linear(16, 20, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, idx):
        pos = lt.arange(0, idx.size(1), device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


class Llama(nn.Module):
    """Rotary positions, RMS norms, grouped queries, a gated MLP."""

    def __init__(self):
        super().__init__()
        self.tok, self.norm = nn.Embedding(20, 16), nn.RMSNorm(16)
        self.q, self.k, self.v, self.o = (
            nn.Linear(16, 16, bias=False),
            nn.Linear(16, 8),
            nn.Linear(16, 8),
            nn.Linear(16, 16),
        )
        self.gate, self.up, self.down = nn.Linear(16, 24), nn.Linear(16, 24), nn.Linear(24, 16)

    def turned(self, x, cos, sin):
        half = x.shape[-1] // 2
        return x * cos + lt.cat([-x[..., half:], x[..., :half]], -1) * sin

    def forward(self, idx):
        x = self.tok(idx)
        b, t, _ = x.shape
        angles = lt.outer(lt.arange(t).float(), 1.0 / 10000 ** (lt.arange(0, 4, 2).float() / 4))
        cos, sin = lt.cat([angles, angles], -1).cos(), lt.cat([angles, angles], -1).sin()
        y = self.norm(x)
        q, k, v = (f(y).view(b, t, -1, 4).transpose(1, 2) for f in (self.q, self.k, self.v))
        q, k = self.turned(q, cos, sin), self.turned(k, cos, sin)
        mask = lt.full((t, t), float("-inf")).triu(1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, -1))
        return x + self.down(F.silu(self.gate(x)) * self.up(x))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, 4)
        self.token, self.positions = nn.Parameter(lt.randn(1, 1, 16)), nn.Parameter(lt.randn(1, 17, 16))
        layer = nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = lt.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.positions
        return self.head(self.encoder(x)[:, 0])


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)
        self.body.encoder.use_nested_tensor = False  # which it decides by the items of the mask

    def forward(self, source, target, padding):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        return self.body(source, target, tgt_mask=mask, src_key_padding_mask=padding)


class Attends(nn.Module):
    def __init__(self, **settings):
        super().__init__()
        self.body = nn.MultiheadAttention(8, 2, **settings)

    def forward(self, query, key):
        return self.body(query, key, key[..., : self.body.vdim])


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([
            nn.GroupNorm(2, 4), nn.InstanceNorm1d(4, affine=True), nn.InstanceNorm1d(4, affine=True, track_running_stats=True),
            nn.BatchNorm1d(4), nn.BatchNorm1d(4, affine=False), nn.LocalResponseNorm(3), nn.BatchNorm1d(4, track_running_stats=False),
        ])  # fmt: skip

    def forward(self, x):
        return [part(x) for part in self.parts]


def draws(*shapes):
    return tuple(lt.randn(*shape) for shape in shapes)


def words(*shape):
    return lt.randint(1, 20, shape)


def normalized(model):
    """Statistics as training leaves them, so that normalizations are no identities."""
    for module in model.modules():
        if getattr(module, "running_mean", None) is not None:
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2.0)
    return model


B, BT = [{0: "batch"}], [{0: "batch", 1: "time"}]

ZOO = {
    "MLP": (
        lambda: nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3), nn.Softmax(1)),
        [draws((2, 4)), draws((7, 4))],
        B,
    ),
    "LeNet": (
        lambda: nn.Sequential(
            nn.Conv2d(1, 6, 5, padding=2),
            nn.Sigmoid(),
            nn.AvgPool2d(2),
            nn.Conv2d(6, 16, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(400, 120),
            nn.ReLU(),
            nn.Linear(120, 10),
        ),
        [draws((1, 1, 28, 28)), draws((3, 1, 28, 28))],
        B,
    ),
    "ResNet": (ResNet, [draws((2, 3, 32, 32)), draws((1, 3, 45, 38))], [{0: "batch", 2: "height", 3: "width"}]),
    "MobileNet": (
        lambda: nn.Sequential(
            mobile(3, 8, 2), Squeeze(8), mobile(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(16, 4)
        ),
        [draws((1, 3, 16, 16)), draws((4, 3, 16, 16))],
        B,
    ),
    "UNet, interpolated": (
        lambda: UNet(False),
        [draws((1, 1, 16, 16)), draws((2, 1, 21, 26))],
        [{0: "batch", 2: "height", 3: "width"}],
    ),
    "UNet, transposed": (lambda: UNet(True), [draws((1, 1, 16, 16)), draws((2, 1, 16, 16))], B),
    "LSTM": (lambda: Tagger(nn.LSTM), [(words(2, 5),), (words(3, 9),)], BT),
    "GRU": (lambda: Tagger(nn.GRU), [(words(2, 5),), (words(3, 9),)], BT),
    "RNN": (lambda: Tagger(nn.RNN), [(words(2, 5),), (words(3, 9),)], BT),
    "GRU cells": (CellLoop, [draws((2, 5, 3)), draws((4, 5, 3))], B),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2),
        [draws((2, 5, 16)), draws((3, 9, 16))],
        BT,
    ),
    "Transformer": (
        Masked,
        [
            (*draws((2, 5, 8), (2, 4, 8)), lt.arange(5).expand(2, 5) > 3),
            (*draws((3, 7, 8), (3, 9, 8)), lt.arange(7).expand(3, 7) > 3),
        ],
        [{0: "batch", 1: "source"}, {0: "batch", 1: "target"}, {0: "batch", 1: "source"}],
    ),
    "attention": (
        lambda: Attends(batch_first=True),
        [draws((2, 3, 8), (2, 5, 8)), draws((3, 6, 8), (3, 2, 8))],
        [{0: "batch", 1: "queries"}, {0: "batch", 1: "keys"}],
    ),
    "attention, other widths": (
        lambda: Attends(kdim=6, vdim=4),
        [draws((3, 2, 8), (5, 2, 6)), draws((6, 3, 8), (2, 3, 6))],
        [{0: "queries", 1: "batch"}, {0: "keys", 1: "batch"}],
    ),
    "GPT": (lambda: GPT(False), [(words(2, 6),), (words(3, 17),)], BT),
    "GPT, fused": (lambda: GPT(True), [(words(2, 6),), (words(3, 17),)], BT),
    "Llama": (Llama, [(words(2, 6),), (words(3, 17),)], BT),
    "ViT": (ViT, [draws((1, 3, 16, 16)), draws((3, 3, 16, 16))], B),
    "norms": (Norms, [draws((2, 4, 6)), draws((3, 4, 9))], [{0: "batch", 2: "time"}]),
}
