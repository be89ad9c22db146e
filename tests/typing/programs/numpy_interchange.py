"""Between NumPy and tensors, both ways, sharing memory or not."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import lamina as torch
from lamina import Tensor

array: npt.NDArray[np.float32] = np.arange(6, dtype=np.float32).reshape(2, 3)
x = torch.from_numpy(array)
assert_type(x, Tensor)
assert_type(torch.as_tensor(array), Tensor)
assert_type(torch.tensor(array), Tensor)
assert_type(torch.asarray(array), Tensor)
assert_type(torch.from_dlpack(array), Tensor)

back: npt.NDArray[Any] = x.numpy()
copied: npt.NDArray[Any] = x.detach().cpu().numpy()
as_array: npt.NDArray[Any] = np.asarray(x)
roots: npt.NDArray[Any] = np.sqrt(back)
assert_type(torch.from_numpy(roots), Tensor)
nested: list[list[float]] = x.tolist()
number: float = x[0, 0].item()
scalar = x.sum() + np.float32(1.0).item()
assert_type(scalar, Tensor)
