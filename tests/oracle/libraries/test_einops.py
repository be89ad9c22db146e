"""einops on lamina's tensors without the alias: the same values, gradients and errors as on PyTorch's."""

import numpy as np
import pytest
import torch

import lamina

einops = pytest.importorskip("einops", reason="einops is not installed")
import lamina_nn.einops_backend  # noqa: F401

PATTERNS = [
    ("rearrange", "b c (h p) (w q) -> b (h w) (p q c)", {"p": 2, "q": 2}),
    ("rearrange", "b c h w -> b w 1 (h c)", {}),
    ("reduce", "b c h w -> b c", {"reduction": "mean"}),
    ("reduce", "b c (h p) w -> c h", {"reduction": "max", "p": 2}),
    ("reduce", "b c h w -> h", {"reduction": "min"}),
    ("reduce", "b c h w -> ()", {"reduction": "sum"}),
    ("reduce", "b c h w -> w b", {"reduction": "prod"}),
    ("repeat", "b c h w -> b (h 2) new c w", {"new": 3}),
]


@pytest.mark.parametrize(("name", "pattern", "options"), PATTERNS, ids=[f"{n} {p}" for n, p, _ in PATTERNS])
def test_values_and_gradients(name, pattern, options):
    items = np.linspace(0.5, 1.5, 2 * 3 * 4 * 4, dtype=np.float64).reshape(2, 3, 4, 4)
    results = []
    for library in (torch, lamina):
        x = library.tensor(items, requires_grad=True)
        y = getattr(einops, name)(x, pattern, **options)
        assert isinstance(y, library.Tensor)
        (y * y).sum().backward()
        results.append((y.detach().numpy(), x.grad.numpy()))
    for theirs, ours in zip(*results, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=48 * 2**-53)  # a product of 24 factors, squared


def test_lists_packs_and_products():
    for library in (torch, lamina):
        x = library.arange(12).reshape(2, 2, 3)
        stacked = library.stack([x, x]).permute(1, 0, 2, 3).reshape(2, 12)
        assert einops.rearrange([x, x], "n a b c -> a (n b c)").tolist() == stacked.tolist()
        packed, shapes = einops.pack([x, x[:, 0]], "a * c")
        assert packed.shape == (2, 3, 3) and [y.tolist() for y in einops.unpack(packed, shapes, "a * c")] == [x.tolist(), x[:, 0].tolist()]
        assert einops.einsum(x, x, "a b c, a b d -> c d").shape == (3, 3)
        assert einops.parse_shape(x, "a _ c") == {"a": 2, "c": 3}
        assert einops.reduce(x > 3, "a b c -> b", "any").tolist() == [True, True]
        assert einops.reduce(x > 3, "a b c -> b", "all").tolist() == [False, False]


def test_errors_are_those_of_einops():
    for library in (torch, lamina):
        with pytest.raises(NotImplementedError, match="reduce_mean is not available for non-floating tensors"):
            einops.reduce(library.arange(4), "a -> ", "mean")
        with pytest.raises(einops.EinopsError, match="can't divide axis of length 3 in chunks of 2"):
            einops.rearrange(library.ones(3, 4), "(a b) c -> a b c", a=2)


def test_by_the_array_api_nothing_need_be_imported():
    from einops import array_api

    x = lamina.ones(2, 3, requires_grad=True)
    array_api.reduce(x, "a b -> b", "sum").sum().backward()
    assert x.grad.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert array_api.rearrange(lamina.ones(2, 3), "a b -> (b a)").shape == (6,)
