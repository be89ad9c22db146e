"""What networks are made of besides products: norms, losses, activations, attention, recurrence; forward with backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Layers, forward and backward"


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """One forward and one backward of each layer."""
    nn, functional = lib.nn, lib.nn.functional
    lib.manual_seed(0)
    rows = lib.randn(2048, 256, requires_grad=True)
    images = lib.randn(32, 64, 16, 16, requires_grad=True)
    logits, classes = lib.randn(128, 10, requires_grad=True), lib.randint(0, 10, (128,))
    words, next_words = lib.randn(512, 8192, requires_grad=True), lib.randint(0, 8192, (512,))
    q, k, v = (lib.randn(4, 8, 128, 32, requires_grad=True) for _ in range(3))
    heads = [x.detach().to(lib.bfloat16).requires_grad_() for x in (q, k, v)]
    ids = lib.randint(0, 8192, (16, 64))
    sequences = lib.randn(64, 32, 64, requires_grad=True)
    layer_norm, group_norm = nn.LayerNorm(256), nn.GroupNorm(8, 64)
    narrow_images, narrow_norm = images.detach().to(lib.bfloat16).requires_grad_(), nn.BatchNorm2d(64).to(lib.bfloat16)
    batch_norm, embedding = nn.BatchNorm2d(64), nn.Embedding(8192, 64)
    lstm, gru = nn.LSTM(64, 128), nn.GRU(64, 128)
    layer = nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
    tokens = lib.randn(8, 64, 128, requires_grad=True)

    points = lib.rand(32, 16, 16, 2) * 2 - 1
    table, bags, starts = lib.randn(8192, 64, requires_grad=True), lib.randint(0, 8192, (4096,)), lib.arange(0, 4096, 16)

    def through(f: Callable[..., Any], *given: Any) -> Callable[[], Any]:
        return lambda: f(*given).sum().backward()

    return {
        "softmax, 2048x256": through(lambda x: functional.softmax(x, -1), rows),
        "log_softmax, 2048x256": through(lambda x: functional.log_softmax(x, -1), rows),
        "relu": through(functional.relu, rows),
        "gelu": through(functional.gelu, rows),
        "gelu, tanh": through(lambda x: functional.gelu(x, approximate="tanh"), rows),
        "silu": through(functional.silu, rows),
        "sigmoid": through(lib.sigmoid, rows),
        "tanh": through(lib.tanh, rows),
        "dropout": through(lambda x: functional.dropout(x, 0.1), rows),
        "layer_norm, 2048x256": through(layer_norm, rows),
        "rms_norm, 2048x256": through(lambda x: functional.rms_norm(x, (256,)), rows),
        "group_norm, 32x64x16x16": through(group_norm, images),
        "batch_norm, 32x64x16x16": through(batch_norm, images),
        "batch_norm of bfloat16, 32x64x16x16": through(narrow_norm, narrow_images),
        "cross_entropy, 128x10": lambda: functional.cross_entropy(logits, classes).backward(),
        "cross_entropy, 512x8192": lambda: functional.cross_entropy(words, next_words).backward(),
        "mse_loss": lambda: functional.mse_loss(rows, lib.zeros_like(rows)).backward(),
        "embedding, 16x64 of 8192x64": through(embedding, ids),
        "embedding_bag, 256 of 16 of 8192x64": through(lambda x: functional.embedding_bag(bags, x, starts), table),
        "a mirrored margin of 1, 32x64x16x16": through(lambda x: functional.pad(x, (1, 1, 1, 1), mode="reflect"), images),
        "grid_sample, 32x64x16x16": through(lambda x: functional.grid_sample(x, points, align_corners=False), images),
        "prod of rows, 2048x256": through(lambda x: x.prod(1), rows),
        "scaled_dot_product_attention, causal": through(
            lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True), q, k, v
        ),
        "scaled_dot_product_attention of bfloat16": through(functional.scaled_dot_product_attention, *heads),
        "LSTM, 64 steps of 32x64": through(lambda x: lstm(x)[0], sequences),
        "GRU, 64 steps of 32x64": through(lambda x: gru(x)[0], sequences),
        "TransformerEncoderLayer, 8x64x128": through(layer, tokens),
    }
