"""Random fills of an array."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("random_uniform", "random", ": generator low high", "random", "uniform in [low, high)", aten="uniform_"),
    Op("random_normal", "random", ": generator mean std", "random", "normal with this mean and deviation", aten="normal_"),
    Op("random_integers", "random", ": generator low high", "random",
       "integers in [low, high); up to the greatest of the dtype where high is None", aten="random_"),
    Op("random_permutation", "random", ": generator", "random", "a permutation of 0 .. n-1", aten="randperm"),
    Op("random_bernoulli", "random", ": generator probability", "random", "1 with this probability, else 0", aten="bernoulli_"),
    Op("random_log_normal", "random", ": generator mean std", "random", "e to normal numbers with this mean and deviation",
       aten="log_normal_"),
    Op("random_gamma", "random", "concentrations : generator", "random", "gamma numbers of scale 1", aten="_standard_gamma"),
    Op("random_poisson", "random", "rates : generator", "random", "Poisson numbers", aten="poisson"),
    Op("random_binomial", "random", "counts probabilities : generator", "random", "how many of so many trials succeed", aten="binomial"),
)
