"""Distributions beside PyTorch's: samples from one seed, log-probabilities, moments, divergences, and all their gradients."""

import numpy as np
import pytest
import torch
from databases.op_database import to_lamina, to_torch

import lamina

P = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], dtype=torch.float64)
A, B = torch.tensor([0.7, 1.0, 3.0], dtype=torch.float64), torch.tensor([[2.0], [0.4]], dtype=torch.float64)
L = torch.tensor([[1.0, 0, 0], [0.5, 2, 0], [-0.3, 0.1, 0.7]], dtype=torch.float64)
X = torch.tensor([-1.0, 0.3, 2.0], dtype=torch.float64)
COUNT = torch.tensor(7.0, dtype=torch.float64)

CASES = {  # name -> (what builds it from a library and parameters, the parameters, other ones of the same shapes)
    "Normal": (lambda d, a, b: d.Normal(a, b), (X, B), (X + 1, B * 2)),
    "Normal of numbers": (lambda d, a: d.Normal(a, 2.0), (X,), (X - 1,)),
    "Laplace": (lambda d, a, b: d.Laplace(a, b), (X, B), (X + 1, B * 2)),
    "Uniform": (lambda d, a, b: d.Uniform(a, b), (X, X + A), (X - 1, X + 5)),
    "StudentT": (lambda d, a, b, c: d.StudentT(a, b, c), (A + 2, X, B), (A, X, B)),
    "Exponential": (lambda d, a: d.Exponential(a), (A,), (A + 1,)),
    "Gamma": (lambda d, a, b: d.Gamma(a, b), (A, B), (A + 1, B * 3)),
    "Beta": (lambda d, a, b: d.Beta(a, b), (A, B), (A + 1, B * 3)),
    "Dirichlet": (lambda d, a: d.Dirichlet(a), (A + B,), (A + B * 2,)),
    "Bernoulli": (lambda d, p: d.Bernoulli(p), (P,), (1 - P,)),
    "Bernoulli of logits": (lambda d, x: d.Bernoulli(logits=x), (X,), (X + 1,)),
    "Binomial": (lambda d, n, p: d.Binomial(n, p), (COUNT, P), (COUNT, 1 - P)),
    "Binomial of logits": (lambda d, x: d.Binomial(40, logits=x), (X,), (X + 1,)),
    "Poisson": (lambda d, a: d.Poisson(a), (A * 9,), (A,)),
    "Categorical": (lambda d, p: d.Categorical(p), (P,), (1 - P,)),
    "Categorical of logits": (lambda d, x: d.Categorical(logits=x), (X + B,), (X * B,)),
    "OneHotCategorical": (lambda d, p: d.OneHotCategorical(p), (P,), (1 - P,)),
    "Multinomial": (lambda d, p: d.Multinomial(5, p), (P,), None),
    "MultivariateNormal": (lambda d, m, s: d.MultivariateNormal(m, scale_tril=s), (X + B, L), (X * B, L @ L)),
    "MultivariateNormal by covariance": (lambda d, m, s: d.MultivariateNormal(m, s), (X, L @ L.T), (X + 1, L.T @ L)),
    "MultivariateNormal by precision": (
        lambda d, m, s: d.MultivariateNormal(m, precision_matrix=s), (X, L @ L.T), (X + 1, L.T @ L)),
    "Independent": (lambda d, a, b: d.Independent(d.Normal(a, b), 1), (X, B), (X + 1, B * 2)),
    "log-normal": (lambda d, a, b: d.TransformedDistribution(d.Normal(a, b), [d.transforms.ExpTransform()]),
                   (X, B), (X + 1, B * 2)),
    "tanh of affine": (
        lambda d, a, b: d.TransformedDistribution(
            d.Normal(a, 1.0), [d.transforms.AffineTransform(0.5, -b), d.transforms.TanhTransform()]), (X * 0.3, B), None),
    "Cauchy": (lambda d, a, b: d.Cauchy(a, b), (X, B), (X + 1, B * 2)),
    "Chi2": (lambda d, a: d.Chi2(a), (A,), (A + 1,)),
    "ContinuousBernoulli": (lambda d, p: d.ContinuousBernoulli(p), (P,), (1 - P,)),
    "ContinuousBernoulli of logits": (lambda d, x: d.ContinuousBernoulli(logits=x, lims=(0.4, 0.6)), (X,), (X + 1,)),
    "FisherSnedecor": (lambda d, a, b: d.FisherSnedecor(a, b), (A + 1, B * 4), None),
    "Geometric": (lambda d, p: d.Geometric(p), (P,), (1 - P,)),
    "Geometric of logits": (lambda d, x: d.Geometric(logits=x), (X,), (X + 1,)),
    "Gumbel": (lambda d, a, b: d.Gumbel(a, b), (X, B), (X + 1, B * 2)),
    "HalfCauchy": (lambda d, a: d.HalfCauchy(a), (A,), None),
    "HalfNormal": (lambda d, a: d.HalfNormal(a), (A,), (A + 1,)),
    "InverseGamma": (lambda d, a, b: d.InverseGamma(a, b), (A + 1, B), (A + 2, B * 3)),
    "Kumaraswamy": (lambda d, a, b: d.Kumaraswamy(a, b), (A, B), None),
    "LKJCholesky": (lambda d, a: d.LKJCholesky(3, a), (A,), None),
    "LogNormal": (lambda d, a, b: d.LogNormal(a, b), (X, B), (X + 1, B * 2)),
    "LogisticNormal": (lambda d, a, b: d.LogisticNormal(a, b), (X, B), (X + 1, B * 2)),
    "LowRankMultivariateNormal": (lambda d, m, w, s: d.LowRankMultivariateNormal(m, w, s), (X + B, L[:, :2], A), (X, L[:, 1:], A + 1)),
    "MixtureSameFamily": (lambda d, p, a, b: d.MixtureSameFamily(d.Categorical(p), d.Normal(a, b)), (P, X + B, A), None),
    "MixtureSameFamily of vectors": (
        lambda d, p, a, b: d.MixtureSameFamily(d.Categorical(logits=p), d.Independent(d.Normal(a, b), 1)), (X, L, A), None),
    "NegativeBinomial": (lambda d, n, p: d.NegativeBinomial(n, p), (A * 3, P), None),
    "NegativeBinomial of logits": (lambda d, n, x: d.NegativeBinomial(n, logits=x), (A, X), None),
    "OneHotCategoricalStraightThrough": (lambda d, p: d.OneHotCategoricalStraightThrough(p), (P,), (1 - P,)),
    "Pareto": (lambda d, a, b: d.Pareto(a, b), (A, B * 3), (A * 0.5, B)),
    "RelaxedBernoulli": (lambda d, t, p: d.RelaxedBernoulli(t, p), (A[0], P), None),
    "RelaxedBernoulli of logits": (lambda d, t, x: d.RelaxedBernoulli(t, logits=x), (A[0], X), None),
    "RelaxedOneHotCategorical": (lambda d, t, p: d.RelaxedOneHotCategorical(t, p), (A[0], P), None),
    "VonMises": (lambda d, a, b: d.VonMises(a, b), (X, B), None),
    "Weibull": (lambda d, a, b: d.Weibull(a, b), (A, B * 3), (A, B * 3)),
    "Wishart": (lambda d, n, s: d.Wishart(n, s), (A[0] + 4, L @ L.T), (A[0] + 5, L.T @ L)),
    "Wishart by scale": (lambda d, n, s: d.Wishart(n, scale_tril=s.tril()), (A + 4, L), None),
    "Wishart by precision": (lambda d, n, s: d.Wishart(n, precision_matrix=s), (A + 4, L @ L.T), None),
    "logistic": (lambda d, a, b: d.TransformedDistribution(
        d.Uniform(a * 0, 1.0), [d.transforms.SigmoidTransform().inv, d.transforms.AffineTransform(a, b)]), (X, B), None),
}  # fmt: skip


OF_GAMMA_NUMBERS = ("Gamma", "StudentT", "Chi2", "FisherSnedecor", "InverseGamma", "Wishart")
"""Their gradients come from approximations."""


def pair(name, which=1):
    build, params = CASES[name][0], CASES[name][which]
    theirs = [p.clone().requires_grad_() for p in params]
    mine = [to_lamina(p).clone().requires_grad_() for p in params]
    return build(lamina.distributions, *mine), mine, build(torch.distributions, *theirs), theirs


def same(observed, expected, mine=(), theirs=(), tolerance=1e-7):
    """Values agree, and so do gradients with regard to the parameters."""
    assert tuple(observed.shape) == tuple(expected.shape)
    assert observed.requires_grad == expected.requires_grad
    torch.testing.assert_close(to_torch(observed.detach()), expected.detach(), rtol=tolerance, atol=tolerance, equal_nan=True)
    if not expected.requires_grad:
        return
    weights = torch.rand(expected.shape, dtype=expected.dtype, generator=torch.Generator().manual_seed(0))
    found = lamina.autograd.grad(observed, mine, to_lamina(weights), retain_graph=True, allow_unused=True)
    wanted = torch.autograd.grad(expected, theirs, weights, retain_graph=True, allow_unused=True)
    for f, w in zip(found, wanted, strict=True):
        w = torch.zeros(()) if w is None else w
        f = torch.zeros_like(w) if f is None else to_torch(f)
        loose = max(tolerance, 1e-6)
        torch.testing.assert_close(f.to(w.dtype), w, rtol=loose, atol=loose, equal_nan=True)


@pytest.mark.filterwarnings("ignore:Singular sample detected")
@pytest.mark.parametrize("name", CASES)
def test_samples_are_from_the_same_stream(name):
    mine, own, theirs, their = pair(name)
    assert (mine.batch_shape, mine.event_shape) == (tuple(theirs.batch_shape), tuple(theirs.event_shape))
    for shape in ((), (2, 3)):
        torch.manual_seed(1)
        lamina.manual_seed(1)
        same(mine.sample(shape), theirs.sample(shape), tolerance=1e-6)
        assert mine.has_rsample == theirs.has_rsample
        if theirs.has_rsample:
            loose = 1e-3 if name.startswith(OF_GAMMA_NUMBERS) else 1e-6
            arguments = () if name.startswith(("Beta", "Dirichlet", "Wishart")) else (own, their)
            observed, expected = mine.rsample(shape), theirs.rsample(shape)
            if arguments:
                same(observed, expected, *arguments, tolerance=loose)
            else:  # another gradient, of the same expectation; of Wishart's, PyTorch has none
                same(observed.detach(), expected.detach(), tolerance=1e-6)
    assert torch.rand(()).item() == lamina.rand(()).item()


@pytest.mark.parametrize("name", CASES)
def test_log_probabilities(name):
    mine, own, theirs, their = pair(name)
    torch.manual_seed(2)
    value = theirs.sample((4,))
    same(mine.log_prob(to_lamina(value)), theirs.log_prob(value), own, their)
    for other in ("cdf", "icdf"):
        at = value if other == "cdf" else torch.rand(value.shape, dtype=torch.float64) * 0.98 + 0.01
        try:
            expected = getattr(theirs, other)(at)
        except NotImplementedError:
            continue
        same(getattr(mine, other)(to_lamina(at)).detach(), expected.detach(), tolerance=1e-6)


@pytest.mark.parametrize("what", ["mean", "mode", "variance", "stddev", "entropy", "perplexity", "enumerate_support"])
@pytest.mark.parametrize("name", CASES)
def test_moments(name, what):
    mine, own, theirs, their = pair(name)
    try:
        expected = getattr(theirs, what)
        expected = expected() if callable(expected) else expected
    except NotImplementedError:
        with pytest.raises(NotImplementedError):
            found = getattr(mine, what)
            found()
        return
    observed = getattr(mine, what)
    same(observed() if callable(observed) else observed, expected, own, their)


@pytest.mark.parametrize("name", CASES)
def test_expanded(name):
    mine, _, theirs, _ = pair(name)
    shape = (3, *theirs.batch_shape)
    torch.manual_seed(2)
    value = theirs.sample()
    found, wanted = mine.expand(shape), theirs.expand(shape)
    assert (found.batch_shape, found.event_shape) == (tuple(wanted.batch_shape), tuple(wanted.event_shape))
    same(found.log_prob(to_lamina(value)).detach(), wanted.log_prob(value).detach())


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case[2] is not None and n not in ("StudentT",)])
def test_divergences(name):
    mine, own, theirs, their = pair(name)
    other, own2, their_other, their2 = pair(name, 2)
    expected = torch.distributions.kl_divergence(theirs, their_other)
    same(lamina.distributions.kl_divergence(mine, other), expected, own + own2, their + their2)


CROSSED = {
    "Bernoulli": lambda d, a, b: d.Bernoulli(a / 4), "Beta": lambda d, a, b: d.Beta(a, b), "Binomial": lambda d, a, b: d.Binomial(5, a / 4),
    "ContinuousBernoulli": lambda d, a, b: d.ContinuousBernoulli(a / 4), "Exponential": lambda d, a, b: d.Exponential(a),
    "Gamma": lambda d, a, b: d.Gamma(a, b), "Gumbel": lambda d, a, b: d.Gumbel(a, b), "Laplace": lambda d, a, b: d.Laplace(a, b),
    "Normal": lambda d, a, b: d.Normal(a, b), "Pareto": lambda d, a, b: d.Pareto(b, a), "Poisson": lambda d, a, b: d.Poisson(a),
    "Uniform": lambda d, a, b: d.Uniform(a / 4, a * 0.9), "Uniform within": lambda d, a, b: d.Uniform(a / 16, a / 4),
    "Uniform around": lambda d, a, b: d.Uniform(-a, a * 9), "Uniform above": lambda d, a, b: d.Uniform(a * 9, a * 10),
    "LowRank": lambda d, a, b: d.LowRankMultivariateNormal(a, b.reshape(3, 1).expand(3, 2), a),
    "Vectors": lambda d, a, b: d.MultivariateNormal(a, (a + 1).diag_embed()),
}  # fmt: skip
"""What builds a distribution from two rows of three positive numbers."""
C = torch.tensor([0.4, 2.0, 0.9], dtype=torch.float64)


@pytest.mark.parametrize(("first", "second"), [(p, q) for p in CROSSED for q in CROSSED if p.split()[0] != q.split()[0]])
def test_divergences_of_different_classes(first, second):
    found = []
    for kit, convert in ((torch.distributions, lambda x: x), (lamina.distributions, to_lamina)):
        leaves = [convert(x.clone()).requires_grad_() for x in (A, C, A * 0.7 + 0.2, C + 0.5)]
        found.append((CROSSED[first](kit, *leaves[:2]), CROSSED[second](kit, *leaves[2:]), leaves))
    (theirs, their_other, leaves), (mine, other, own) = found
    try:
        expected = torch.distributions.kl_divergence(theirs, their_other)
    except NotImplementedError:
        with pytest.raises(NotImplementedError):
            lamina.distributions.kl_divergence(mine, other)
        return
    their, their2, own, own2 = leaves[:2], leaves[2:], own[:2], own[2:]
    same(lamina.distributions.kl_divergence(mine, other), expected, own + own2, their + their2)


@pytest.mark.parametrize("concentration", [0.0, 0.3, 0.7, -0.5])
def test_the_generalized_pareto_distribution(concentration):  # whose log_prob PyTorch has for float32 only
    found = []
    for kit, convert in ((torch, lambda x: x), (lamina, to_lamina)):
        kit.manual_seed(3)
        leaves = [convert(x).requires_grad_() for x in (X.float(), A.float(), torch.tensor(concentration))]
        d = kit.distributions.GeneralizedPareto(*leaves)
        x = d.rsample((2,))
        u = convert(torch.tensor([[0.1], [0.9]]))
        at = [x, d.log_prob(x.detach()), d.cdf(x.detach()), d.icdf(u), d.log_survival_function(x.detach()), d.mean, d.variance,
              d.mode, d.entropy(), d.expand((2, 3)).log_prob(x.detach())]  # fmt: skip
        found.append((at, leaves))
    (wanted, theirs), (got, own) = found
    for o, w in zip(got, wanted, strict=True):
        same(o, w, own, theirs, tolerance=1e-4)


def test_a_divergence_may_be_registered():
    class Own(lamina.distributions.Normal):
        pass

    @lamina.distributions.register_kl(Own, lamina.distributions.Normal)
    def rule(p, q):
        return "own"

    assert lamina.distributions.kl_divergence(Own(0.0, 1.0), Own(0.0, 1.0)) == "own"
    with pytest.raises(NotImplementedError):
        lamina.distributions.kl_divergence(lamina.distributions.Poisson(1.0), Own(0.0, 1.0))


@pytest.mark.parametrize("program", [
    lambda t: t.distributions.Normal(0.0, -1.0),
    lambda t: t.distributions.Normal("a", 1.0),
    lambda t: t.distributions.Uniform(1.0, 0.0),
    lambda t: t.distributions.Categorical(),
    lambda t: t.distributions.Categorical(t.tensor([-1.0, 2.0])),
    lambda t: t.distributions.Categorical(t.tensor(0.5)),
    lambda t: t.distributions.Categorical(t.tensor([0.5, 0.5])).log_prob(t.tensor(2)),
    lambda t: t.distributions.Bernoulli(t.tensor(1.5)),
    lambda t: t.distributions.Bernoulli(t.tensor(0.5)).log_prob(t.tensor(0.3)),
    lambda t: t.distributions.Normal(t.zeros(3), 1.0).log_prob(t.zeros(2)),
    lambda t: t.distributions.Exponential(1.0).log_prob(t.tensor(-1.0)),
    lambda t: t.distributions.MultivariateNormal(t.zeros(2), -t.eye(2)),
    lambda t: t.distributions.MultivariateNormal(t.zeros(2)),
    lambda t: t.distributions.Poisson(1.0).rsample(),
    lambda t: t.distributions.Independent(t.distributions.Normal(0.0, 1.0), 1),
    lambda t: t.distributions.TransformedDistribution(t.distributions.Normal(0.0, 1.0), 3),
    lambda t: t.distributions.Geometric(t.tensor(0.0)), lambda t: t.distributions.LKJCholesky(1),
    lambda t: t.distributions.Wishart(1.0, t.eye(3)), lambda t: t.distributions.Wishart(3.0),
    lambda t: t.distributions.Pareto(1.0, 2.0).log_prob(t.tensor(0.5)), lambda t: t.distributions.HalfNormal(-1.0),
    lambda t: t.distributions.MixtureSameFamily(t.distributions.Normal(0.0, 1.0), t.distributions.Normal(t.zeros(2), 1.0)),
    lambda t: t.distributions.MixtureSameFamily(t.distributions.Categorical(t.ones(3)), t.distributions.Normal(t.zeros(2), 1.0)),
    lambda t: t.distributions.LowRankMultivariateNormal(t.zeros(3), t.zeros(2, 2), t.ones(3)),
    lambda t: t.distributions.ContinuousBernoulli(t.tensor(1.5), validate_args=True),
    lambda t: t.distributions.VonMises(0.0, 1.0).rsample(), lambda t: t.distributions.NegativeBinomial(1.0),
])  # fmt: skip
def test_bad_input_is_refused_with_the_same_type(program):
    with pytest.raises(Exception) as expected:
        program(torch)
    with pytest.raises(type(expected.value)):
        program(lamina)


@pytest.mark.parametrize("name", ["Normal", "Gamma", "Beta", "Exponential", "Laplace", "StudentT", "Poisson", "Binomial", "Bernoulli"])
def test_samples_have_the_moments(name):
    d = pair(name)[0]
    lamina.manual_seed(0)
    x = d.sample((4000,)).detach().numpy()
    error = np.sqrt(d.variance.detach().numpy() / 4000)
    assert (np.abs(x.mean(0) - d.mean.detach().numpy()) < 5 * error).all()
