"""A language model shaped as Llama 2 (Touvron et al. 2023), of about 100 million random parameters, with a cache of keys and values.

The same source is PyTorch's and lamina's: each function takes the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["VOCABULARY", "decode", "llama", "prefill"]

WIDTH, HEADS, HIDDEN, LAYERS, VOCABULARY, CONTEXT = 768, 12, 2048, 12, 16384, 512


def llama(library: Any) -> Any:
    """The model, in evaluation; called with tokens (1, n) and their first position, it gives the logits of the next token."""
    nn, F = library.nn, library.nn.functional
    size = WIDTH // HEADS

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
            self.register_buffer("keys", library.zeros(1, HEADS, CONTEXT, size), persistent=False)
            self.register_buffer("values", library.zeros(1, HEADS, CONTEXT, size), persistent=False)

        def forward(self, x: Any, turned: Any, first: int) -> Any:
            n = x.shape[1]
            query, key, value = (
                layer(x).view(1, n, HEADS, size).transpose(1, 2) for layer in (self.query, self.key, self.value)
            )
            self.keys[:, :, first : first + n] = rotated(key, turned)
            self.values[:, :, first : first + n] = value
            seen = F.scaled_dot_product_attention(
                rotated(query, turned), self.keys[:, :, : first + n], self.values[:, :, : first + n], is_causal=n > 1
            )
            return self.out(seen.transpose(1, 2).reshape(1, n, WIDTH))

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention = Attention()
            self.gate, self.up = nn.Linear(WIDTH, HIDDEN, bias=False), nn.Linear(WIDTH, HIDDEN, bias=False)
            self.down = nn.Linear(HIDDEN, WIDTH, bias=False)
            self.before, self.between = nn.RMSNorm(WIDTH, eps=1e-5), nn.RMSNorm(WIDTH, eps=1e-5)

        def forward(self, x: Any, turned: Any, first: int) -> Any:
            x = x + self.attention(self.before(x), turned, first)
            y = self.between(x)
            return x + self.down(F.silu(self.gate(y)) * self.up(y))

    class Llama(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tokens = nn.Embedding(VOCABULARY, WIDTH)
            self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
            self.last = nn.RMSNorm(WIDTH, eps=1e-5)
            self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
            steps = 1 / 10000 ** (library.arange(0, size, 2) / size)
            angles = library.arange(CONTEXT)[:, None] * library.cat([steps, steps])
            self.register_buffer("cos", angles.cos(), persistent=False)
            self.register_buffer("sin", angles.sin(), persistent=False)

        def forward(self, tokens: Any, first: int) -> Any:
            x = self.tokens(tokens)
            turned = self.cos[first : first + x.shape[1]], self.sin[first : first + x.shape[1]]
            for block in self.blocks:
                x = block(x, turned, first)
            return self.head(self.last(x[:, -1:]))

    def rotated(x: Any, turned: Any) -> Any:
        half, other = x.chunk(2, -1)
        return x * turned[0] + library.cat([-other, half], -1) * turned[1]

    library.manual_seed(0)
    return Llama().eval()


def prefill(library: Any, model: Any, length: int) -> Any:
    """Read a prompt; the next token, (1, 1)."""
    tokens = (library.arange(length) * 7919 % VOCABULARY)[None]
    return model(tokens, 0)[:, -1].argmax(-1, keepdim=True)


def decode(model: Any, token: Any, first: int, count: int) -> Iterator[int]:
    """Greedily the next tokens, one by one."""
    for position in range(first, first + count):
        token = model(token, position)[:, -1].argmax(-1, keepdim=True)
        yield int(token)
