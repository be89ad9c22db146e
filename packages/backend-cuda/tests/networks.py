"""Three small networks: each gives a model, what it is trained on, and the loss of that."""

__all__ = ["convolutional", "perceptron", "transformer"]


def perceptron():
    """Two layers, and numbers to regress."""
    import lamina_nn as nn
    import lamina_tensor as lt

    model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 2))
    x, y = lt.randn(12, 5), lt.randn(12, 2)
    return model, (x, y), lambda x, y: nn.functional.mse_loss(model(x), y)


def convolutional():
    """LeNet's shape: Y. LeCun et al., Gradient-based learning applied to document recognition, 1998."""
    import lamina_nn as nn
    import lamina_tensor as lt

    model = nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(4 * 2 * 2, 10),
    )  # fmt: skip
    x, y = lt.randn(4, 1, 12, 12), lt.randint(0, 10, (4,))
    return model, (x, y), lambda x, y: nn.functional.cross_entropy(model(x), y)


def transformer():
    """A decoder of one block: embeddings, causal attention, a layer in between, and what comes next."""
    import lamina_nn as nn
    import lamina_tensor as lt

    vocabulary, width, heads, length = 11, 8, 2, 6
    embedding, position = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
    first, second, last = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
    mixed, joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
    wide, narrow, head = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Linear(width, vocabulary)
    model = nn.ModuleList([embedding, position, first, second, last, mixed, joined, wide, narrow, head])
    tokens = lt.randint(0, vocabulary, (3, length + 1))
    places = lt.arange(length)

    def loss(tokens, places):
        x = embedding(tokens[:, :-1]) + position(places)
        q, k, v = (
            part.reshape(3, length, heads, width // heads).transpose(1, 2) for part in mixed(first(x)).chunk(3, dim=-1)
        )
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + joined(seen.transpose(1, 2).reshape(3, length, width))
        x = x + narrow(nn.functional.gelu(wide(second(x))))
        return nn.functional.cross_entropy(head(last(x)).reshape(-1, vocabulary), tokens[:, 1:].reshape(-1))

    return model, (tokens, places), loss
