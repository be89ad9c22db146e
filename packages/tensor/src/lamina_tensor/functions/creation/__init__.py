"""Tensors made from nothing, from data, and at random."""

from .complex_numbers import complex, polar
from .distributions import bernoulli, multinomial, normal, poisson
from .filled import empty, empty_permuted, empty_strided, eye, full, ones, scalar_tensor, zeros
from .from_data import as_tensor, asarray, from_file, from_numpy, frombuffer, tensor
from .like import empty_like, full_like, ones_like, zeros_like
from .random import manual_seed, rand, randint, randn, randperm
from .random_like import rand_like, randint_like, randn_like
from .ranges import arange, linspace, logspace
from .windows import bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window

__all__ = [
    "arange", "as_tensor", "asarray", "bartlett_window", "bernoulli", "blackman_window", "complex", "empty", "empty_like",
    "empty_permuted", "empty_strided", "eye", "from_file", "from_numpy", "frombuffer", "full", "full_like", "hamming_window",
    "hann_window", "kaiser_window", "linspace", "logspace", "manual_seed", "multinomial", "normal", "ones", "ones_like",
    "poisson", "polar", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "scalar_tensor",
    "tensor", "zeros", "zeros_like",
]  # fmt: skip
