"""Layers one by one, their functions, and containers of them."""

from typing import assert_type

import lamina as torch
import lamina.nn as nn
import lamina.nn.functional as F
from lamina import Tensor

x = torch.randn(2, 5, 8)
block = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 8))
assert_type(block, nn.Sequential)
assert_type(len(block), int)
y: Tensor = block(x)

embedding = nn.Embedding(10, 8, padding_idx=0)
words: Tensor = embedding(torch.tensor([[1, 2, 0]]))
lstm = nn.LSTM(8, 6, num_layers=2, batch_first=True)
output, (hidden, cell) = lstm(x)
attention = nn.MultiheadAttention(8, num_heads=2, batch_first=True)
attended, weights = attention(x, x, x)
encoder = nn.TransformerEncoderLayer(d_model=8, nhead=2, batch_first=True)
encoded: Tensor = encoder(x)
named = nn.ModuleDict({"first": nn.Linear(8, 4), "second": nn.ReLU()})
first: Tensor = named["first"](x)

assert_type(F.relu(x), Tensor)
assert_type(F.gelu(x), Tensor)
assert_type(F.silu(x), Tensor)
assert_type(F.leaky_relu(x, 0.1), Tensor)
assert_type(F.log_softmax(x, dim=-1), Tensor)
assert_type(F.dropout(x, p=0.5, training=True), Tensor)
assert_type(F.layer_norm(x, (8,)), Tensor)
assert_type(F.linear(x, torch.randn(4, 8)), Tensor)
assert_type(F.normalize(x, dim=-1), Tensor)
assert_type(F.pad(x, (1, 1)), Tensor)
assert_type(F.one_hot(torch.tensor([0, 2]), num_classes=3), Tensor)
assert_type(F.embedding(torch.tensor([1]), embedding.weight), Tensor)
assert_type(F.scaled_dot_product_attention(x, x, x, is_causal=True), Tensor)
assert_type(F.cosine_similarity(x, x, dim=-1), Tensor)

image = torch.randn(1, 3, 8, 8)
assert_type(F.conv2d(image, torch.randn(4, 3, 3, 3), padding=1), Tensor)
assert_type(F.avg_pool2d(image, 2), Tensor)
assert_type(F.interpolate(image, scale_factor=2.0, mode="nearest"), Tensor)
assert_type(F.unfold(image, kernel_size=2), Tensor)
pooled: Tensor = F.max_pool2d(image, 2)
