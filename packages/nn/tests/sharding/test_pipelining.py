"""One stage, in a group of one: micro-batches, the order of passes, and what is refused; `tests/processes` has several."""

import types

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.functional import mse_loss
from lamina_nn.sharding.pipelining.microbatches import joined, split
from lamina_nn.sharding.pipelining.schedules import Schedule1F1B, ScheduleGPipe
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


@pytest.mark.parametrize(("stages", "count", "orders"), [
    (1, 3, ["F0 B0 F1 B1 F2 B2"]),
    (2, 3, ["F0 F1 B0 F2 B1 B2", "F0 B0 F1 B1 F2 B2"]),
    (4, 5, ["F0 F1 F2 F3 B0 F4 B1 B2 B3 B4", "F0 F1 F2 B0 F3 B1 F4 B2 B3 B4", "F0 F1 B0 F2 B1 F3 B2 F4 B3 B4",
            "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4"]),
    (4, 2, ["F0 F1 B0 B1", "F0 F1 B0 B1", "F0 F1 B0 B1", "F0 B0 F1 B1"]),
])  # fmt: skip
def test_the_order_of_1f1b(stages, count, orders):
    for index, expected in enumerate(orders):
        schedule = Schedule1F1B(stage(), count)
        schedule._stage = types.SimpleNamespace(num_stages=stages, stage_index=index)
        assert " ".join(f"{kind[0].upper()}{chunk}" for kind, chunk in schedule._order()) == expected


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
    schedule = ScheduleGPipe(stage(Several()), 2, loss_fn=lambda output, target, factor: (output[0] * target).sum() * factor)
    x = lt.arange(6.0).reshape(3, 2)
    first, second = schedule.step(x, {"a": x + 1}, shift=lt.tensor(2.0), name="as it is", target=x, loss_kwargs={"factor": 0.5})
    assert first.tolist() == x.tolist() and second.tolist() == (x + 3).tolist()
    assert schedule._stage.submod.scale.grad.item() == (x * x).sum().item() / 4


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
        ("stage 0 of 2 is in process 0 of a group of 2; this is process 0 of 1", lambda: PipelineStage(layer, 0, 2, cpu)),
        ("n_microbatches is 1 or more, not 0", lambda: ScheduleGPipe(stage(), 0)),
        ("Schedule1F1B.step: a tensor of .* fewer rows", lambda: Schedule1F1B(stage(), 5, loss_fn=mse_loss).step(x, target=y)),
    ):
        with pytest.raises(ValueError, match=told):
            make()
    for told, make in (
        ("a Module wanted, not int", lambda: PipelineStage(3, 0, 1, cpu)),
        ("a PipelineStage wanted, not Linear", lambda: ScheduleGPipe(layer, 2)),
        ("losses must be a list but got a <?.*int", lambda: ScheduleGPipe(stage(), 2, loss_fn=mse_loss).step(x, target=y, losses=3)),
    ):
        with pytest.raises(TypeError, match=told):
            make()
    for told, make in (
        ("dw_builder is not served", lambda: PipelineStage(layer, 0, 1, cpu, dw_builder=lambda: None)),
        ("args_chunk_spec is not served", lambda: ScheduleGPipe(stage(), 2, args_chunk_spec=())),
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
