"""Weights trained in one library are read by the other, from its own files and from safetensors, and give the same outputs."""

import numpy as np
import pytest
import safetensors.torch
import torch
from training import models

import lamina
import lamina_nn.files

FORMATS = {  # format -> library -> what saves a dictionary of tensors, and what loads it
    "pt": {torch: (torch.save, torch.load), lamina: (lamina.save, lamina.load)},
    "safetensors": {
        torch: (safetensors.torch.save_file, safetensors.torch.load_file),
        lamina: (lamina_nn.files.save_file, lamina_nn.files.load_file),
    },
}
TIED = {"gpt": ["head.weight"]}
"""Program -> names of weights that are others, which safetensors does not write twice."""


@pytest.mark.parametrize(("here", "there"), [(torch, lamina), (lamina, torch)], ids=["from PyTorch", "to PyTorch"])
@pytest.mark.parametrize("name", ["resnet", "gpt", "tagger"])
def test_outputs_are_the_same(tmp_path, name, here, there):
    program = models.PROGRAMS[name]
    here.manual_seed(1)
    model = program.model(here)
    before = {k: v.clone() for k, v in model.state_dict().items()}
    assert len(list(models.losses(here, program, model, 5))) == 5
    state = model.state_dict()
    assert not any(here.equal(v, before[k]) for k, v in state.items())  # all of it was trained
    x, _ = program.data(torch)
    given = {torch: x[:20], lamina: lamina.tensor(x[:20].numpy())}
    wanted = models.evaluated(here, model, given[here]).numpy()
    for kind, by_library in FORMATS.items():
        left_out = TIED.get(name, []) if kind == "safetensors" else []
        path = tmp_path / kind
        by_library[here][0]({k: v for k, v in state.items() if k not in left_out}, path)
        loaded = by_library[there][1](path)
        assert [k for k in state if k not in left_out] == [k for k in state if k in loaded] and len(loaded) + len(left_out) == len(state)
        for k, v in loaded.items():
            assert v.numpy().dtype == state[k].numpy().dtype and v.numpy().tobytes() == state[k].numpy().tobytes()
        there.manual_seed(2)
        fresh = program.model(there)
        missing, unexpected = fresh.load_state_dict(loaded, strict=False)
        assert (missing, unexpected) == (left_out, [])
        np.testing.assert_allclose(models.evaluated(there, fresh, given[there]).numpy(), wanted, rtol=1e-5, atol=1e-5)
