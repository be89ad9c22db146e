"""Dtypes and devices: asking for them, changing them, and what they say of themselves."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
assert_type(device, torch.device)
assert_type(device.type, str)
assert_type(torch.cuda.is_available(), bool)
assert_type(torch.cuda.device_count(), int)

x = torch.ones(2, 3)
assert_type(x.dtype, torch.dtype)
assert_type(x.device, torch.device)
assert_type(torch.float32, torch.dtype)
assert_type(x.to(device), Tensor)
assert_type(x.to("cpu", torch.float64), Tensor)
assert_type(x.to(dtype=torch.bfloat16), Tensor)
assert_type(x.to(torch.zeros(1)), Tensor)
assert_type(x.to(device, non_blocking=True), Tensor)
assert_type(x.cpu().double().float().half().long().int().bool(), Tensor)
assert_type(x.type(torch.int32), Tensor)
assert_type(x.type_as(torch.zeros(1, dtype=torch.int64)), Tensor)
assert_type(x.is_floating_point(), bool)
assert_type(x.dtype.is_floating_point, bool)
assert_type(x.element_size(), int)
assert_type(torch.finfo(torch.float32).eps, float)
assert_type(torch.iinfo(torch.int64).max, int)
assert_type(torch.result_type(x, 1), torch.dtype)
assert_type(torch.promote_types(torch.int32, torch.float32), torch.dtype)
assert_type(torch.get_default_dtype(), torch.dtype)
assert_type(torch.complex(x, x).real, Tensor)
assert_type(torch.view_as_real(torch.complex(x, x)), Tensor)


def widened(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype == torch.float32 else dtype


assert_type(x.to(widened(x.dtype)), Tensor)
