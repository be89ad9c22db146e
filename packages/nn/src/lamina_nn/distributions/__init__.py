"""Probability distributions: samples, with gradients where there are, log-probabilities, moments and divergences."""

from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .counts.categories import Categorical, Multinomial, OneHotCategorical
from .counts.relaxed import (
    ExpRelaxedCategorical,
    LogitRelaxedBernoulli,
    OneHotCategoricalStraightThrough,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from .counts.trials import Bernoulli, Binomial, Poisson
from .counts.waiting import Geometric, NegativeBinomial
from .distribution import Distribution
from .divergences import other_classes as cross_divergence
from .divergences.same_class import kl_divergence, register_kl
from .domains import constraints
from .domains.constraint_registry import biject_to, transform_to
from .exponential_family import ExponentialFamily
from .fisher_snedecor import FisherSnedecor
from .gamma_family import Chi2, Exponential, Gamma
from .generalized_pareto import GeneralizedPareto
from .independent import Independent
from .location_scale import Laplace, Normal, StudentT, Uniform
from .made_of_others import (
    Gumbel,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    Kumaraswamy,
    LogisticNormal,
    LogNormal,
    Pareto,
    Weibull,
)
from .maps import transforms
from .maps.elementwise import (
    AbsTransform,
    AffineTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
)
from .maps.joined import CatTransform, StackTransform
from .maps.transformed_distribution import TransformedDistribution
from .maps.transforms import ComposeTransform, IndependentTransform, Transform, identity_transform
from .maps.vectors import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    ReshapeTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)
from .mixture import MixtureSameFamily
from .shares import Beta, Dirichlet
from .vectors.low_rank_normal import LowRankMultivariateNormal
from .vectors.matrices import LKJCholesky, Wishart
from .vectors.multivariate_normal import MultivariateNormal
from .von_mises import VonMises

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Beta", "Binomial", "CatTransform", "Categorical", "Cauchy", "Chi2",
    "ComposeTransform", "ContinuousBernoulli", "CorrCholeskyTransform", "CumulativeDistributionTransform", "Dirichlet",
    "Distribution", "ExpRelaxedCategorical", "ExpTransform", "Exponential", "ExponentialFamily", "FisherSnedecor", "Gamma",
    "GeneralizedPareto", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent", "IndependentTransform",
    "InverseGamma", "Kumaraswamy", "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal", "LogitRelaxedBernoulli",
    "LowRankMultivariateNormal", "LowerCholeskyTransform", "MixtureSameFamily", "Multinomial", "MultivariateNormal",
    "NegativeBinomial", "Normal", "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson",
    "PositiveDefiniteTransform", "PowerTransform", "RelaxedBernoulli", "RelaxedOneHotCategorical", "ReshapeTransform",
    "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StackTransform", "StickBreakingTransform", "StudentT",
    "TanhTransform", "Transform", "TransformedDistribution", "Uniform", "VonMises", "Weibull", "Wishart", "biject_to",
    "identity_transform", "kl_divergence", "register_kl", "transform_to",
]  # fmt: skip
