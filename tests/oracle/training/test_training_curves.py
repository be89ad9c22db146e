"""From one seed, a model is built and trained by the same numbers as in PyTorch, with no weights copied."""

import numpy as np
import pytest
import torch
from training import models

import lamina

STEPS = 50


def trained(kit, program):
    """The losses, the outputs in evaluation, and where the random stream is in the end."""
    kit.manual_seed(0)
    model = program.model(kit)
    found = list(models.losses(kit, program, model, STEPS))
    given, _ = program.data(kit)
    return found, models.evaluated(kit, model, given[:20]).numpy(), kit.get_rng_state().tolist()


@pytest.mark.parametrize("name", models.PROGRAMS)
def test_the_loss_curve_is_that_of_pytorch(name):
    (expected, wanted, there), (observed, found, here) = (trained(kit, models.PROGRAMS[name]) for kit in (torch, lamina))
    assert len(observed) == STEPS and np.mean(observed[-10:]) < 0.9 * np.mean(observed[:10])
    np.testing.assert_allclose(observed, expected, rtol=1e-5, atol=0)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
    assert here == there
