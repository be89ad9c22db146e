"""Transforms of samples and constraints beside PyTorch's: both ways, how much they stretch, shapes, and what leads to a constraint."""

import pytest
import torch
from databases.op_database import to_lamina, to_torch

import lamina

X = torch.tensor([[-1.3, 0.2, 0.9, 2.5, -0.4, 1.1]] * 2, dtype=torch.float64) + torch.tensor([[0.0], [0.3]], dtype=torch.float64)
M = torch.randn(2, 3, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

CASES = {  # name -> (what builds it from a library's distributions, an input, whether it has a Jacobian)
    "exp": (lambda d: d.ExpTransform(), X, True),
    "abs": (lambda d: d.AbsTransform(), X.abs(), False),
    "power": (lambda d: d.PowerTransform(-1.5), X.abs(), True),
    "power of a tensor": (lambda d: d.PowerTransform(d.tensor([0.5, 2.0, 3.0, 1.0, -1.0, 4.0])), X.abs().float(), True),
    "sigmoid": (lambda d: d.SigmoidTransform(), X, True),
    "softplus": (lambda d: d.SoftplusTransform(), X, True),
    "tanh": (lambda d: d.TanhTransform(), X, True),
    "affine": (lambda d: d.AffineTransform(1.0, -2.0, 1), X, True),
    "softmax": (lambda d: d.SoftmaxTransform(), X, False),
    "stick breaking": (lambda d: d.StickBreakingTransform(), X, True),
    "lower cholesky": (lambda d: d.LowerCholeskyTransform(), M, False),
    "positive definite": (lambda d: d.PositiveDefiniteTransform(), M, False),
    "correlations": (lambda d: d.CorrCholeskyTransform(), X, True),
    "reshape": (lambda d: d.ReshapeTransform((6,), (2, 3)), X, True),
    "independent": (lambda d: d.IndependentTransform(d.ExpTransform(), 1), X, True),
    "inverse": (lambda d: d.StickBreakingTransform().inv, X.softmax(-1), True),
    "composed": (lambda d: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.TanhTransform(), d.ExpTransform()]), X, True),
    "composed of vectors": (lambda d: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.StickBreakingTransform()]), X, True),
    "identity": (lambda d: d.identity_transform, X, True),
    "cat": (lambda d: d.CatTransform([d.ExpTransform(), d.TanhTransform()], 1, [2, 4]), X, True),
    "cat of vectors": (lambda d: d.CatTransform([d.AffineTransform(0.0, 2.0, 1), d.AffineTransform(1.0, 3.0, 1)], -1, [2, 4]), X, True),
    "stack": (lambda d: d.StackTransform([d.ExpTransform(), d.identity_transform], 0), X, True),
    "cumulative": (lambda d: d.CumulativeDistributionTransform(d.Normal(d.tensor(0.5), d.tensor(2.0))), X.float(), True),
    "cached": (lambda d: d.TanhTransform(cache_size=1), X * 30, True),
}  # fmt: skip


class _Library:
    """The distributions of a library, and its `tensor`."""

    def __init__(self, library):
        self.tensor = library.tensor
        self.library = library.distributions

    def __getattr__(self, name):
        found = getattr(self.library, name, None)
        return getattr(self.library.transforms, name) if found is None else found


OURS, THEIRS = _Library(lamina), _Library(torch)


def close(observed, expected):
    assert tuple(observed.shape) == tuple(expected.shape)
    tolerance = 1e-8 if expected.dtype == torch.float64 else 1e-4
    torch.testing.assert_close(to_torch(observed.detach()), expected.detach(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", CASES)
def test_both_ways(name):
    build, x, stretches = CASES[name]
    mine, theirs = build(OURS), build(THEIRS)
    given, own = x.clone().requires_grad_(), to_lamina(x).requires_grad_()
    expected, observed = theirs(given), mine(own)
    close(observed, expected)
    seed = torch.randn(expected.shape, dtype=expected.dtype, generator=torch.Generator().manual_seed(1))
    wanted = torch.autograd.grad(expected, given, seed, retain_graph=True)[0]
    close(lamina.autograd.grad(observed, own, to_lamina(seed), retain_graph=True)[0], wanted)
    close(mine.inv(observed), theirs.inv(expected))
    assert mine.bijective == theirs.bijective
    assert (mine.domain.event_dim, mine.codomain.event_dim) == (theirs.domain.event_dim, theirs.codomain.event_dim)
    assert tuple(mine.forward_shape(tuple(x.shape))) == tuple(theirs.forward_shape(x.shape))
    assert tuple(mine.inverse_shape(tuple(expected.shape))) == tuple(theirs.inverse_shape(expected.shape))
    if stretches:
        close(mine.log_abs_det_jacobian(own, observed), theirs.log_abs_det_jacobian(given, expected))
    else:
        for transform, value in ((mine, (own, observed)), (theirs, (given, expected))):
            with pytest.raises(NotImplementedError):
                transform.log_abs_det_jacobian(*value)
    assert to_torch(mine.codomain.check(observed)).tolist() == theirs.codomain.check(expected).tolist()
    try:
        sign = theirs.sign
    except NotImplementedError:
        with pytest.raises(NotImplementedError):
            _ = mine.sign
    else:
        assert torch.as_tensor(sign).tolist() == lamina.as_tensor(mine.sign).tolist()




def test_what_was_mapped_last_is_kept():
    for d in (OURS, THEIRS):
        transform = d.TanhTransform(cache_size=1)
        x = d.tensor([40.0])
        assert transform.inv(transform(x)) is x
        assert transform.with_cache(0).inv(transform(x)).item() == float("inf")


SETS = {  # name -> (the constraint, how many numbers lead to it)
    "real": (lambda c, t: c.real, (2, 6)),
    "positive": (lambda c, t: c.positive, (2, 6)),
    "nonnegative": (lambda c, t: c.nonnegative, (2, 6)),
    "above": (lambda c, t: c.greater_than(t.tensor([1.0])), (2, 6)),
    "below": (lambda c, t: c.less_than(3.0), (2, 6)),
    "unit": (lambda c, t: c.unit_interval, (2, 6)),
    "between": (lambda c, t: c.interval(-2.0, 5.0), (2, 6)),
    "half open": (lambda c, t: c.half_open_interval(-2.0, 5.0), (2, 6)),
    "simplex": (lambda c, t: c.simplex, (2, 6)),
    "vector": (lambda c, t: c.real_vector, (2, 6)),
    "positive vector": (lambda c, t: c.independent(c.positive, 1), (2, 6)),
    "lower cholesky": (lambda c, t: c.lower_cholesky, (2, 3, 3)),
    "positive definite": (lambda c, t: c.positive_definite, (2, 3, 3)),
    "positive semidefinite": (lambda c, t: c.positive_semidefinite, (2, 3, 3)),
    "correlations": (lambda c, t: c.corr_cholesky, (2, 6)),
    "cat": (lambda c, t: c.cat([c.positive, c.unit_interval], 1, [2, 4]), (2, 6)),
    "stack": (lambda c, t: c.stack([c.positive, c.real], 0), (2, 6)),
    "counts": (lambda c, t: c.nonnegative_integer, (2, 6)),
}  # fmt: skip


@pytest.mark.parametrize("which", ["biject_to", "transform_to"])
@pytest.mark.parametrize("name", SETS)
def test_what_leads_to_a_constraint(name, which):
    build, shape = SETS[name]
    given = torch.randn(shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    theirs = build(torch.distributions.constraints, torch)
    mine = build(lamina.distributions.constraints, lamina)
    try:
        wanted = getattr(torch.distributions, which)(theirs)
    except NotImplementedError:
        with pytest.raises(NotImplementedError):
            getattr(lamina.distributions, which)(mine)
        return
    found = getattr(lamina.distributions, which)(mine)
    close(found(to_lamina(given)), wanted(given))
    assert repr(found).split("(")[0] == repr(wanted).split("(")[0]
    assert bool(mine.check(found(to_lamina(given))).all())
    outside = torch.full(shape, -3.0, dtype=torch.float64)
    assert to_torch(mine.check(to_lamina(outside))).tolist() == theirs.check(outside).tolist()


def test_a_transform_may_be_registered():
    for library in (torch, lamina):
        d = library.distributions
        registry = d.constraint_registry.ConstraintRegistry()

        class Own(d.constraints.Constraint):
            pass

        @registry.register(Own)
        def factory(constraint, d=d):
            return d.ExpTransform()

        assert isinstance(registry(Own()), d.ExpTransform)
        with pytest.raises(TypeError):
            registry.register(3, factory)


class Depends:
    def __init__(self, library):
        constraints = library.distributions.constraints

        class Own:
            @constraints.dependent_property(is_discrete=False, event_dim=1)
            def support(self):
                return constraints.real

        self.found = constraints.is_dependent(Own.support), Own.support.event_dim, constraints.is_dependent(Own().support)


def test_dependent_properties():
    assert Depends(lamina).found == Depends(torch).found == (True, 1, False)


@pytest.mark.parametrize("program", [
    lambda d: d.ReshapeTransform((2,), (3,)), lambda d: d.TanhTransform(cache_size=2), lambda d: d.CatTransform([3]),
    lambda d: d.ReshapeTransform((2,), (1, 2)).forward_shape((3,)), lambda d: d.StickBreakingTransform().forward_shape(()),
    lambda d: d.CorrCholeskyTransform().forward_shape((4,)), lambda d: d.StackTransform([d.ExpTransform()])(d.tensor([1.0, 2.0])),
    lambda d: d.CatTransform([d.ExpTransform()])(d.tensor([1.0, 2.0])), lambda d: d.AbsTransform().sign,
    lambda d: d.CorrCholeskyTransform().event_dim,
    lambda d: d.Transform()(d.tensor(1.0)), lambda d: d.Transform().inv(d.tensor(1.0)),
])  # fmt: skip
def test_errors(program):
    with pytest.raises(Exception) as expected:
        program(THEIRS)
    with pytest.raises(type(expected.value)):
        program(OURS)
