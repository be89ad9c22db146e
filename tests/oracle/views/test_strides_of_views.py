"""Strides of views in another shape, those of dims of length 1 among them: PyTorch tells channels-last images by these."""

import random

import pytest
import torch

import lamina


def case(seed):
    """A layout, as the steps that make it, and a shape for it."""
    r = random.Random(seed)
    shape = [r.choice((1, 1, 2, 3)) for _ in range(r.randint(1, 4))]
    order = list(range(len(shape)))
    r.shuffle(order)
    steps = [lambda x: x.permute(order)]
    if r.random() < 0.3:
        at = r.randint(0, len(shape))
        steps.append(lambda x: x.unsqueeze(at))
    if r.random() < 0.3:
        steps.append(lambda x: x[::2])
    x = torch.zeros(shape)
    for step in steps:
        x = step(x)
    lengths = [n for n in x.shape if n != 1]
    for _ in range(r.randint(0, 2)):
        lengths.insert(r.randint(0, len(lengths)), 1)
    if r.random() < 0.3:
        lengths = list(x.shape)
    elif r.random() < 0.2 and len(lengths) > 1:
        lengths[:2] = [lengths[0] * lengths[1]]
    return shape, steps, lengths


@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_as_in_pytorch(first):
    for seed in range(first, first + 100):
        shape, steps, lengths = case(seed)

        def strides(t, shape=shape, steps=steps, lengths=lengths):
            x = t.zeros(shape)
            for step in steps:
                x = step(x)
            try:
                return x.stride(), x.view(lengths).stride()
            except RuntimeError:
                return x.stride(), None

        assert strides(lamina) == strides(torch), (seed, shape, lengths)


@pytest.mark.parametrize("shape", [(1, 2, 2, 3), (2, 1, 2, 3), (1, 1, 1, 1), (1, 4, 1, 1)])
def test_images_in_their_own_shape(shape):
    def strides(t):
        x = t.zeros(shape).to(memory_format=t.channels_last)
        return [y.stride() for y in (x.view_as(x), x.reshape(shape), x.view_as(x).clone(), x.flatten(1).view(shape))]

    assert strides(lamina) == strides(torch)


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ["vstack", "hstack", "dstack", "column_stack", "cat"])
def test_joined_images_of_one_channels_last_image_each(name, recorded):
    def strides(t):
        x = t.zeros(1, 2, 3, 3).to(memory_format=t.channels_last).requires_grad_(recorded)
        return getattr(t, name)([x, x]).stride()

    assert strides(lamina) == strides(torch)
