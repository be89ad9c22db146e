"""Matrix products and convolutions of well-known networks, beside the measured peak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Products and convolutions"

PRODUCTS = {
    "MLP, 64x784 @ 784x128": ((64, 784), (784, 128)),
    "square, 32": ((32, 32), (32, 32)),
    "square, 128": ((128, 128), (128, 128)),
    "square, 512": ((512, 512), (512, 512)),
    "square, 1024": ((1024, 1024), (1024, 1024)),
    "GPT, 256x768 @ 768x3072": ((256, 768), (768, 3072)),
    "attention, 48 of 128x64 @ 64x128": ((48, 128, 64), (48, 64, 128)),
    "64 of 32x32 @ 32x32": ((64, 32, 32), (64, 32, 32)),
    "vector, 1x4096 @ 4096x4096": ((1, 4096), (4096, 4096)),
}
CONVOLUTIONS = {  # input, weight, settings
    "LeNet 1, 64x1x28x28, 5x5": ((64, 1, 28, 28), (6, 1, 5, 5), {"padding": 2}),
    "LeNet 2, 64x6x14x14, 5x5": ((64, 6, 14, 14), (16, 6, 5, 5), {}),
    "MNIST, 64x1x28x28, 3x3": ((64, 1, 28, 28), (32, 1, 3, 3), {}),
    "ResNet 32x32, 16x64x32x32, 3x3": ((16, 64, 32, 32), (64, 64, 3, 3), {"padding": 1}),
    "ResNet 14x14, 8x256x14x14, 3x3": ((8, 256, 14, 14), (256, 256, 3, 3), {"padding": 1}),
    "first 3x3, 4x3x112x112": ((4, 3, 112, 112), (64, 3, 3, 3), {"padding": 1}),
    "3x3 by 2, 4x64x56x56": ((4, 64, 56, 56), (128, 64, 3, 3), {"padding": 1, "stride": 2}),
    "5x5, 8x32x28x28": ((8, 32, 28, 28), (64, 32, 5, 5), {"padding": 2}),
    "ResNet stem, 4x3x224x224, 7x7": ((4, 3, 224, 224), (64, 3, 7, 7), {"stride": 2, "padding": 3}),
    "1x1, 16x64x32x32": ((16, 64, 32, 32), (128, 64, 1, 1), {}),
    "depthwise, 16x128x28x28, 3x3": ((16, 128, 28, 28), (128, 1, 3, 3), {"padding": 1, "groups": 128}),
}


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Products; convolutions forward, and forward with backward; pooling."""
    found: dict[str, Callable[[], Any]] = {}
    functional = lib.nn.functional
    lib.manual_seed(0)
    for name, (left, right) in PRODUCTS.items():
        a, b = lib.randn(*left), lib.randn(*right)
        found[f"matmul, {name}"] = lambda a=a, b=b: a @ b
        if len(left) == 2 and left[0] in (64, 512):
            w = b.t().contiguous().requires_grad_()
            ag = a.clone().requires_grad_()
            found[f"linear forward and backward, {name}"] = lambda ag=ag, w=w: functional.linear(ag, w).sum().backward()
    for name, (shape, weight, settings) in CONVOLUTIONS.items():
        x, w = lib.randn(*shape), lib.randn(*weight)
        xg, wg = x.clone().requires_grad_(), w.clone().requires_grad_()
        found[f"conv2d, {name}"] = lambda x=x, w=w, settings=settings: functional.conv2d(x, w, **settings)
        found[f"conv2d forward and backward, {name}"] = lambda xg=xg, wg=wg, settings=settings: (
            functional.conv2d(xg, wg, **settings).sum().backward()
        )
    for name in ("square, 512", "GPT, 256x768 @ 768x3072", "attention, 48 of 128x64 @ 64x128"):
        a, b = (lib.randn(*shape).to(lib.bfloat16) for shape in PRODUCTS[name])
        found[f"matmul, bfloat16, {name}"] = lambda a=a, b=b: a @ b
    x, w = (lib.randn(*shape).to(lib.bfloat16).requires_grad_() for shape in ((16, 64, 32, 32), (64, 64, 3, 3)))
    found["conv2d forward and backward, bfloat16, 16x64x32x32, 3x3"] = lambda x=x, w=w: functional.conv2d(x, w).sum().backward()
    q, k, v = (lib.randn(2, 8, 128, 64).to(lib.bfloat16) for _ in range(3))
    found["attention, bfloat16, 2x8x128x64"] = lambda: functional.scaled_dot_product_attention(q, k, v)
    x, w = (lib.randn(*shape).to(lib.bfloat16).requires_grad_() for shape in ((128, 512), (512, 512)))
    found["linear forward and backward, bfloat16, 128x512 @ 512x512"] = lambda x=x, w=w: functional.linear(x, w).sum().backward()
    x, small = lib.randn(16, 64, 32, 32), lib.randn(64, 16, 10, 10)
    xg = x.clone().requires_grad_()
    found["max_pool2d, 16x64x32x32, 2x2"] = lambda: functional.max_pool2d(x, 2)
    found["max_pool2d, 16x64x32x32, 3x3 by 2"] = lambda: functional.max_pool2d(x, 3, 2, 1)
    found["max_pool2d, 64x16x10x10, 2x2"] = lambda: functional.max_pool2d(small, 2)
    found["max_pool2d forward and backward"] = lambda: functional.max_pool2d(xg, 2).sum().backward()
    found["avg_pool2d, 16x64x32x32, 2x2"] = lambda: functional.avg_pool2d(x, 2)
    found["interpolate, bilinear, twice"] = lambda: functional.interpolate(x, scale_factor=2, mode="bilinear")
    return found
