"""What functions of `torch.cuda` answer where there is no device: as PyTorch that was built without CUDA, or an error of the same kind."""

import warnings

import pytest
import torch as pytorch

import lamina

ASKED = {
    "is_available": (), "device_count": (), "is_initialized": (), "init": (), "current_device": (), "set_device": (-1,),
    "get_device_name": (), "get_device_properties": (0,), "get_device_capability": (), "synchronize": (), "is_bf16_supported": (),
    "is_tf32_supported": (), "can_device_access_peer": (0, 1), "get_arch_list": (), "get_gencode_flags": (), "ipc_collect": (),
    "empty_cache": (), "mem_get_info": (), "memory_stats": (), "memory_stats_as_nested_dict": (), "memory_allocated": (),
    "max_memory_allocated": (), "memory_reserved": (), "max_memory_reserved": (), "memory_cached": (), "max_memory_cached": (),
    "set_per_process_memory_fraction": (0.5,), "get_per_process_memory_fraction": (), "Stream": (), "Event": (), "current_stream": (),
    "default_stream": (), "get_stream_from_external": (5,), "manual_seed": (0,), "manual_seed_all": (0,), "seed": (), "seed_all": (),
    "initial_seed": (), "get_rng_state": (), "get_rng_state_all": (), "set_rng_state_all": ([],), "default_generators.__len__": (),
    "nvtx.mark": ("here",), "nvtx.range_push": ("step",), "nvtx.range_pop": (), "profiler.start": (), "profiler.stop": (),
    "CUDAGraph": (), "graph": (None,), "graph_pool_handle": (), "FloatTensor": (2,), "LongTensor": ([1, 2],),
}  # fmt: skip


def outcome(package, name, given):
    """What a function returns, or the built-in kinds of its error."""
    function = package.cuda
    for part in name.split("."):
        function = getattr(function, part)
    try:
        return function(*given)
    except Exception as error:
        return {kind for kind in type(error).__mro__ if kind.__module__ == "builtins"}


@pytest.mark.skipif(lamina.cuda.is_available() or pytorch.cuda.is_available(), reason="there is a device")
@pytest.mark.parametrize("name", ASKED)
def test_as_pytorch(name):
    with warnings.catch_warnings(action="ignore", category=FutureWarning):
        theirs, ours = (outcome(package, name, ASKED[name]) for package in (pytorch, lamina))
    assert theirs <= ours if isinstance(theirs, set) else ours == theirs
