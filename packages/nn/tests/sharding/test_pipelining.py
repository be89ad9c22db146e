"""Stages in a group of one: micro-batches, and what is refused; `tests/processes` has several processes."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.functional import mse_loss
from lamina_nn.sharding.pipelining.microbatches import joined, split
from lamina_nn.sharding.pipelining.schedules import (
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleLoopedBFS,
)
from lamina_nn.sharding.pipelining.stage import PipelineStage


def stage(module=None):
    lt.manual_seed(0)
    return PipelineStage(module or nn.Linear(3, 2), 0, 1, "cpu")


@pytest.mark.parametrize("schedule", [ScheduleGPipe, Schedule1F1B])
def test_a_batch_in_micro_batches_has_the_gradients_of_the_whole(schedule):
    """Means over 8 rows, or of 4 over 2: sums of 8 terms, and 3 products in each."""
    lt.manual_seed(1)
    x, y = lt.randn(8, 3), lt.randn(8, 2)
    one, losses = stage(), ["old"]
    output = schedule(one, 4, loss_fn=mse_loss).step(x, target=y, losses=losses)
    plain = stage().submod
    whole = mse_loss(plain(x), y)
    whole.backward()
    assert not output.requires_grad and output.tolist() == plain(x).tolist()
    assert sum(loss.item() for loss in losses) / 4 == pytest.approx(whole.item(), rel=11 * 2**-24)
    assert one.submod.weight.grad.flatten().tolist() == pytest.approx(plain.weight.grad.flatten().tolist(), abs=11 * 2**-24 * 8)
    gradient = one.submod.weight.grad.clone()
    schedule(one, 4, loss_fn=mse_loss, scale_grads=False).step(x, target=y)  # the sum over micro-batches: added to what is there
    assert one.submod.weight.grad.flatten().tolist() == pytest.approx((5 * gradient).flatten().tolist(), rel=8 * 2**-24)


def test_1f1b_goes_back_before_it_goes_on_and_gpipe_does_not():
    for schedule, expected in ((ScheduleGPipe, 4), (Schedule1F1B, 1)):
        one, inside = stage(), []
        before = one.forward_pass

        def forward(*args, before=before, one=one, inside=inside):
            output = before(*args)
            inside.append(len(one._inside))
            return output

        one.forward_pass = forward
        schedule(one, 4, loss_fn=mse_loss).step(lt.ones(4, 3), target=lt.ones(4, 2))
        assert max(inside) == expected and not one._inside


def layers():
    """Of four stages, one of which has no parameters."""
    lt.manual_seed(0)
    return [nn.Linear(3, 4), Shifted(), nn.Tanh(), nn.Linear(4, 2)]


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(lt.randn(4))

    def forward(self, x):
        return x + self.shift


def halves():
    return [PipelineStage(part, i, 2, "cpu") for i, part in enumerate((nn.Sequential(*layers()[:2]), nn.Sequential(*layers()[2:])))]


@pytest.mark.parametrize("schedule", [ScheduleInterleaved1F1B, ScheduleLoopedBFS])
def test_several_stages_of_one_process_are_one_stage(schedule):
    """Bit for bit, and from run to run."""
    lt.manual_seed(1)
    x, y = lt.randn(8, 3), lt.randn(8, 2)
    whole, expected = stage(nn.Sequential(*layers())), []
    output = ScheduleGPipe(whole, 4, loss_fn=mse_loss).step(x, target=y, losses=expected)
    for _ in range(2):
        parts = layers()
        stages, losses = [PipelineStage(part, i, 4, "cpu") for i, part in enumerate(parts)], []
        several = schedule(stages, 4, loss_fn=mse_loss)
        assert several.step(x, target=y, losses=losses).tolist() == output.tolist()
        assert [loss.item() for loss in losses] == [loss.item() for loss in expected]
        found = [p.grad.tolist() for p in nn.Sequential(*parts).parameters()]
        assert found == [p.grad.tolist() for p in whole.submod.parameters()]
        assert several.eval(x).tolist() == output.tolist()
        assert not any(each._inside or each._inputs or each._gradients for each in stages)


def test_stages_of_one_process_after_an_error():
    """The next batch is given nothing of the one that failed."""
    def loss(output, target):
        if fails and target[0, 0] == 2:
            raise ZeroDivisionError
        return mse_loss(output, target)

    x, y = lt.ones(2, 3), lt.tensor([[1.0, 1.0], [2.0, 2.0]])
    schedule, fails = ScheduleLoopedBFS(halves(), 2, loss_fn=loss), True
    with pytest.raises(ZeroDivisionError):
        schedule.step(x, target=y)
    fails = False
    assert schedule.step(x, target=y).tolist() == ScheduleLoopedBFS(halves(), 2, loss_fn=loss).step(x, target=y).tolist()


def test_further_arguments_go_to_each_stage():
    class Times(nn.Module):
        def forward(self, x, *, factor):
            return x * factor

    stages = [PipelineStage(Times(), i, 3, "cpu") for i in range(3)]
    x = lt.tensor([[2.0], [3.0]])
    assert ScheduleInterleaved1F1B(stages, 2).step(x, factor=x).tolist() == [[16.0], [81.0]]


def test_eval_keeps_nothing():
    one, losses = stage(), []
    schedule = ScheduleGPipe(one, 2, loss_fn=mse_loss)
    assert schedule.eval(lt.ones(5, 3)).shape == (5, 2)
    assert schedule.eval(lt.ones(5, 3), target=lt.ones(5, 2), losses=losses, return_outputs=False) is None
    assert len(losses) == 2 and one.submod.weight.grad is None and not one._inside
    assert ScheduleGPipe(one, 2).step(lt.ones(5, 3)).shape == (5, 2)  # without a loss_fn, only forward
    assert one.submod.weight.grad is None


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(lt.ones(1))

    def forward(self, x, pair, *, shift, name):
        assert name == "as it is"
        return x * self.scale, pair["a"] + shift


def test_further_arguments_are_cut_and_several_outputs_put_together():
    one = stage(Several())
    schedule = ScheduleGPipe(one, 2, loss_fn=lambda output, target, factor: (output[0] * target).sum() * factor)
    x = lt.arange(6.0).reshape(3, 2)
    first, second = schedule.step(x, {"a": x + 1}, shift=lt.tensor(2.0), name="as it is", target=x, loss_kwargs={"factor": 0.5})
    assert first.tolist() == x.tolist() and second.tolist() == (x + 3).tolist()
    assert one.submod.scale.grad.item() == (x * x).sum().item() / 4


def test_cut_and_put_together():
    assert [part.tolist() for part in split("f", lt.arange(5), 3)] == [[0, 1], [2, 3], [4]]
    assert split("f", (1, lt.tensor(2)), 2) == [(1, 2), (1, 2)]
    assert joined([[lt.zeros(1)], [lt.ones(2)]])[0].tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match=r"f: a tensor of \(2, 1\) has fewer rows than there are micro-batches, 3"):
        split("f", lt.ones(2, 1), 3)


def test_an_error_in_the_middle_leaves_nothing_behind():
    def loss(output, target):
        if target[0, 0] == 2:
            raise ZeroDivisionError
        return mse_loss(output, target)

    one = stage()
    with pytest.raises(ZeroDivisionError):
        ScheduleGPipe(one, 2, loss_fn=loss).step(lt.ones(2, 3), target=lt.tensor([[1.0, 1.0], [2.0, 2.0]]))
    assert not one._inside


def test_what_is_refused():
    layer, cpu = nn.Linear(3, 2), "cpu"
    x, y = lt.ones(4, 3), lt.ones(4, 2)
    for told, make in (
        ("Stage index 2 is out of range of 1", lambda: PipelineStage(layer, 2, 1, cpu)),
        ("ScheduleGPipe: one stage in each process wanted; there are 2 stages in a group of 1", lambda: ScheduleGPipe(halves()[0], 2)),
        ("1F1B: of 2 stages, process 0 of 1 has 0, 1, and is given 0 of 2", lambda: ScheduleInterleaved1F1B(halves()[:1], 2)),
        ("n_microbatches is 1 or more, not 0", lambda: ScheduleGPipe(stage(), 0)),
        ("Schedule1F1B.step: a tensor of .* fewer rows", lambda: Schedule1F1B(stage(), 5, loss_fn=mse_loss).step(x, target=y)),
    ):
        with pytest.raises(ValueError, match=told):
            make()
    for told, make in (
        ("a Module wanted, not int", lambda: PipelineStage(3, 0, 1, cpu)),
        ("a PipelineStage wanted, not Linear", lambda: ScheduleGPipe(layer, 2)),
        ("a PipelineStage wanted, not Linear", lambda: ScheduleLoopedBFS([layer], 2)),
        ("a list of PipelineStages wanted, not PipelineStage", lambda: ScheduleInterleaved1F1B(stage(), 2)),
        ("losses must be a list but got a <?.*int", lambda: ScheduleGPipe(stage(), 2, loss_fn=mse_loss).step(x, target=y, losses=3)),
    ):
        with pytest.raises(TypeError, match=told):
            make()
    for told, make in (
        ("dw_builder is not served", lambda: PipelineStage(layer, 0, 1, cpu, dw_builder=lambda: None)),
        ("args_chunk_spec is not served", lambda: ScheduleGPipe(stage(), 2, args_chunk_spec=())),
        ("kwargs_chunk_spec is not served", lambda: ScheduleInterleaved1F1B([stage()], 2, kwargs_chunk_spec={})),
        ("output_merge_spec is not served", lambda: ScheduleLoopedBFS([stage()], 2, output_merge_spec=())),
        ("requires_autograd=False is not served", lambda: ScheduleLoopedBFS([stage()], 2, backward_requires_autograd=False)),
    ):
        with pytest.raises(NotImplementedError, match=told):
            make()
    schedule = ScheduleGPipe(stage(), 2, loss_fn=mse_loss)
    with pytest.raises(RuntimeError, match=r"ScheduleGPipe\.step: the last stage wants a target"):
        schedule.step(x)
    with pytest.raises(RuntimeError, match="there is no loss_fn"):
        ScheduleGPipe(stage(), 2).step(x, losses=[])
    with lt.no_grad(), pytest.raises(RuntimeError, match="gradients are switched off here; eval goes without them"):
        schedule.step(x, target=y)
