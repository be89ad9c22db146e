"""The trainer computes what the loop written by hand computes, bit for bit, and goes on bit for bit from a file."""

import itertools
import math

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import CheckpointError, bfloat16, float16, float64
from lamina_flatarray.random import Generator, default_generator
from lamina_nn.data import DataLoader, TensorDataset
from lamina_nn.functional import cross_entropy, mse_loss
from lamina_nn.gradient_clipping import clip_grad_norm_
from lamina_nn.optim import SGD, Adam
from lamina_nn.optim.lr_scheduler import CosineAnnealingLR, ReduceLROnPlateau, StepLR
from lamina_nn.training import Callback, EarlyStopping, PrintEpochs, Trainer, accuracy
from lamina_tensor.precision.autocasting import autocast


class StopAt(Callback):
    """Stops after one step of the whole run."""

    def __init__(self, step):
        self.step = step

    def on_step(self, trainer):
        if trainer.step == self.step:
            trainer.stop()


class Losses(Callback):
    """The loss of each step."""

    def __init__(self):
        self.seen = []

    def on_step(self, trainer):
        self.seen.append(trainer.last_loss)


def data(samples=44, batch_size=8, generator=None):
    x = lt.randn(samples, 3, generator=Generator().manual_seed(1))
    labels = (x[:, 0] * x[:, 1] > 0).long()
    return DataLoader(TensorDataset(x, labels), batch_size, shuffle=True, generator=generator)


def network():
    return nn.Sequential(nn.Linear(3, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))


def bits(*objects):
    return [repr([(k, v.tolist() if isinstance(v, lt.Tensor) else v) for k, v in o.state_dict().items()]) for o in objects]


@pytest.mark.parametrize("max_norm", [None, 0.5])
@pytest.mark.parametrize("precision", [None, bfloat16])
def test_losses_of_the_loop_by_hand(max_norm, precision):
    lt.manual_seed(3)
    model, loader = network(), data()
    optimizer = Adam(model.parameters(), lr=0.05)
    schedule = StepLR(optimizer, 1, 0.9)
    losses = []
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            with autocast(x.device.type, dtype=precision, enabled=precision is not None):
                loss = cross_entropy(model(x), y)
            loss.backward()
            if max_norm is not None:
                clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            losses.append(loss.item())
        schedule.step()

    lt.manual_seed(3)
    other, loader, seen = network(), data(), Losses()
    other_optimizer = Adam(other.parameters(), lr=0.05)
    trainer = Trainer(
        other, other_optimizer, cross_entropy, scheduler=StepLR(other_optimizer, 1, 0.9), max_norm=max_norm, precision=precision,
        callbacks=[seen],
    )  # fmt: skip
    history = trainer.fit(loader, 3)
    assert seen.seen == losses and bits(model, optimizer) == bits(other, other_optimizer)
    assert [record["lr"] for record in history] == [0.05, 0.05 * 0.9, 0.05 * 0.9 * 0.9] and trainer.step == 18
    sizes = [8] * 5 + [4]  # six batches of 44 samples
    mean = sum(loss * size for loss, size in zip(losses[:6], sizes, strict=True)) / 44
    assert history[0]["loss"] == mean


def a_run(*callbacks, precision=None, accumulate=1):
    """All that an undisturbed run and one in pieces are made of; its own seed is overwritten by what is loaded."""
    model = network()
    optimizer = SGD(model.parameters(), 0.05, momentum=0.9)
    scheduler = CosineAnnealingLR(optimizer, 30)
    stopping = EarlyStopping("loss", patience=2)
    trainer = Trainer(
        model, optimizer, cross_entropy, metrics={"accuracy": accuracy}, scheduler=scheduler, schedule_by="step", max_norm=1.0,
        precision=precision, accumulate=accumulate, callbacks=[stopping, *callbacks],
    )  # fmt: skip
    return trainer, data(generator=Generator().manual_seed(9)), [data()]


def after(trainer):
    return trainer.history, trainer.epoch, trainer.step, bits(trainer.model, trainer.optimizer, trainer.scheduler)


@pytest.mark.parametrize(  # six batches to an epoch: within one, or after its last step
    ("precision", "accumulate", "stop"), [(None, 1, 1), (None, 1, 6), (float16, 1, 8), (None, 4, 1), (None, 4, 2)]
)
def test_a_run_goes_on_from_within_an_epoch(tmp_path, stop, precision, accumulate):
    lt.manual_seed(5)
    whole, loader, validation = a_run(StopAt(-1), precision=precision, accumulate=accumulate)
    whole.fit(loader, 3, validation=validation[0])

    lt.manual_seed(5)
    first, loader, validation = a_run(StopAt(stop), precision=precision, accumulate=accumulate)
    first.fit(loader, 3, validation=validation[0])
    first.save(tmp_path / "run")
    left = after(first)

    lt.manual_seed(77)
    second, loader, validation = a_run(StopAt(-1), precision=precision, accumulate=accumulate)
    lt.randn(5)
    second.load(tmp_path / "run")
    assert after(second) == left
    second.fit(loader, 3, validation=validation[0])
    assert after(second) == after(whole)

    first.callbacks.pop()  # and in the same process
    first.fit(loader := first._batches, 3, validation=validation[0])
    assert after(first) == after(whole) and isinstance(loader, DataLoader)


def test_checkpoints_are_saved_on_the_way_and_change_nothing(tmp_path):
    lt.manual_seed(5)
    whole, loader, _ = a_run()
    whole.fit(loader, 4)

    class Killed(Callback):
        def on_step(self, trainer):
            if trainer.step == 17:
                raise KeyboardInterrupt

    lt.manual_seed(5)
    first, loader, _ = a_run(killed := Killed())
    with pytest.raises(KeyboardInterrupt):
        first.fit(loader, 4, checkpoint=tmp_path / "run", checkpoint_steps=4)
    second, loader, _ = a_run(killed)
    second.load(tmp_path / "run")
    assert (second.epoch, second.step) == (2, 16)
    killed.on_step = lambda trainer: None
    second.fit(loader, 4, checkpoint=tmp_path / "run")
    assert after(second) == after(whole)
    third, loader, _ = a_run(killed)
    third.load(tmp_path / "run")
    assert after(third) == after(whole) and third.fit(loader, 4) == whole.history and third.step == whole.step


def test_a_list_of_batches_is_taken_up_too(tmp_path):
    batches = list(data())
    lt.manual_seed(5)
    whole, *_ = a_run(StopAt(-1))
    whole.fit(batches, 3)
    lt.manual_seed(5)
    first, *_ = a_run(StopAt(8))
    first.fit(batches, 3)
    first.save(tmp_path / "run")
    second, *_ = a_run(StopAt(-1))
    second.load(tmp_path / "run")
    second.fit(batches, 3)
    assert after(second) == after(whole)


def test_the_epoch_is_begun_anew_after_an_error():
    trainer, loader, _ = a_run()
    broken = [*loader, 1]
    with pytest.raises(TypeError, match="pair"):
        trainer.fit(broken, 1)
    assert trainer.epoch == 0 and trainer.step == 6
    assert len(trainer.fit(broken[:-1], 1)) == 1 and trainer.step == 12


def test_accumulated_batches_are_the_large_batch():
    """Of eight batches of 4 and one of 3, three go into a step, each by its samples: the rounding of sums is all that differs."""
    x = lt.randn(35, 3, dtype=float64, generator=Generator().manual_seed(2))
    y = x[:, :1] * 2 - x[:, 1:2]
    models = []
    for size, accumulate in ((12, 1), (4, 3)):
        lt.manual_seed(4)
        model = nn.Linear(3, 1).to(x.dtype)
        batches = [(x[i : i + size], y[i : i + size]) for i in range(0, 35, size)]
        trainer = Trainer(model, SGD(model.parameters(), 0.1), mse_loss, accumulate=accumulate)
        models.append((model, trainer.fit(batches, 4), trainer.step))
    (large, told, steps), (summed, told_summed, steps_summed) = models
    assert steps == steps_summed == 12
    # A step multiplies an error by less than 2 here, and each rounds sums of 12 terms of size 10 at most.
    rounding = 2**12 * 120 * 2.0**-53
    assert (large.weight - summed.weight).abs().max().item() <= rounding
    assert told[-1]["loss"] == pytest.approx(told_summed[-1]["loss"], abs=120 * rounding)


def test_early_stopping_gives_the_best_epoch_back(tmp_path):
    given = iter([3.0, 2.0, 2.5, 1.9, 2.1, 1.95, 1.0])
    values = []

    class Grow(Callback):
        def on_epoch(self, trainer):
            trainer.history[-1]["made_up"] = next(given)
            values.append(trainer.model.weight.item())

    model = nn.Linear(1, 1)
    stopping = EarlyStopping("made_up", patience=2)
    trainer = Trainer(model, SGD(model.parameters(), 0.1), mse_loss, callbacks=[Grow(), stopping])
    batches = [(lt.ones(2, 1), lt.ones(2, 1))]
    history = trainer.fit(batches, 20, checkpoint=tmp_path / "run")
    assert len(history) == 6 and (stopping.best, stopping.best_epoch, stopping.waited) == (1.9, 4, 2)
    assert model.weight.item() == values[3] and len(set(values)) == 6

    again = nn.Linear(1, 1)
    loaded = Trainer(again, SGD(again.parameters(), 0.1), mse_loss, callbacks=[Grow(), EarlyStopping("made_up", patience=2)])
    loaded.load(tmp_path / "run")
    assert loaded.fit(batches, 20) == history and again.weight.item() == values[3]  # which had been stopped stays so


def test_early_stopping_of_what_is_to_grow():
    stopping = EarlyStopping("accuracy", patience=1, larger_is_better=True, min_delta=0.1)
    model = nn.Linear(1, 2)
    trainer = Trainer(model, SGD(model.parameters(), 0.0), cross_entropy, metrics={"accuracy": lambda s, t: 0.5}, callbacks=[stopping])
    assert len(trainer.fit([(lt.ones(2, 1), lt.tensor([0, 1]))], 9)) == 2 and stopping.best == 0.5


def test_evaluate_and_predict_leave_all_as_it_was():
    trainer, loader, _ = a_run()
    trainer.model[1].eval()  # as somebody who freezes it does
    before = bits(trainer.model)
    found = trainer.evaluate(loader)
    x, y = loader.dataset.tensors
    trainer.model.eval()
    scores = trainer.model(x)
    trainer.model.train()
    assert found["accuracy"] == pytest.approx(accuracy(scores, y).item())
    assert found["loss"] == pytest.approx(cross_entropy(scores, y).item())
    batches = [x[:20], [x[20:40]], (x[40:], y[40:])]
    assert lt.allclose(trainer.predict(batches), scores) and not trainer.predict(batches).requires_grad
    assert bits(trainer.model) == before and trainer.model.training


def test_modes_of_parts_come_back_after_evaluation():
    trainer, loader, _ = a_run()
    trainer.model[1].eval()
    trainer.evaluate(loader)
    assert [module.training for module in trainer.model] == [True, False, True, True, True]


def test_a_plateau_sees_the_loss_of_the_validation():
    model = nn.Linear(1, 1)
    optimizer = SGD(model.parameters(), 1.0)
    constant = lambda answers, targets: 0 * answers.mean() + 1
    trainer = Trainer(model, optimizer, constant, scheduler=ReduceLROnPlateau(optimizer, factor=0.5, patience=0, threshold=0.1))
    batches = [(lt.ones(2, 1), lt.ones(2, 1))]
    assert [record["lr"] for record in trainer.fit(batches, 4, validation=batches)] == [1.0, 1.0, 0.5, 0.25]
    assert set(trainer.history[0]) == {"epoch", "lr", "loss", "validation_loss"}


def test_several_inputs_and_lines_of_epochs(capsys):
    class Sum(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(lt.ones(1))

        def forward(self, a, b):
            return self.scale * (a + b)

    model = Sum()
    trainer = Trainer(model, SGD(model.parameters(), 0.0), mse_loss, callbacks=[PrintEpochs()])
    one, two = lt.ones(3, 1), lt.full((3, 1), 2.0)
    trainer.fit([((one, two), one), ({"b": one, "a": two}, one)], 1)
    assert capsys.readouterr().out == "epoch 1: loss 4.0000\n"
    assert trainer.predict([[[one, two], one]]).tolist() == [[3.0]] * 3


def test_what_does_not_fit_is_named(tmp_path):
    model = nn.Linear(1, 1)
    optimizer = SGD(model.parameters(), 0.1)
    x = lt.ones(2, 1)
    for settings, message in (
        ({"accumulate": 0}, "accumulate must be at least 1, got 0"), ({"schedule_by": "batch"}, "schedule_by must be 'epoch' or 'step'"),
        ({"max_norm": 0.0}, "max_norm must be positive"), ({"max_norm": math.nan}, "max_norm must be positive"),
        ({"metrics": {"loss": mse_loss}}, "a metric is called 'loss'"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"^Trainer: {message}"):
            Trainer(model, optimizer, mse_loss, **settings)
    trainer = Trainer(model, optimizer, mse_loss)
    for kind, batches, message in (
        (TypeError, [x], r"a batch is a pair \(inputs, targets\), got Tensor"),
        (TypeError, [(x, x, x)], "got tuple of 3"), (TypeError, [(1.0, x)], "inputs of a batch are tensors"),
        (TypeError, [(lt.tensor(1.0), x)], "inputs of a batch are tensors"), (ValueError, [], "there is no batch"),
    ):  # fmt: skip
        for call in (lambda b: trainer.fit(b, 1), trainer.evaluate):
            with pytest.raises(kind, match=rf"^Trainer\.(fit|evaluate): .*{message}"):
                call(batches)
    with pytest.raises(ValueError, match=r"^Trainer\.fit: the loss .* shape \(2, 1\)"):
        Trainer(model, optimizer, lambda answers, targets: answers - targets).fit([(x, x)], 1)
    with pytest.raises(ValueError, match=r"^Trainer\.fit: epochs must not be negative, got -1"):
        trainer.fit([], -1)
    with pytest.raises(ValueError, match=r"^Trainer\.fit: checkpoint_steps needs a checkpoint"):
        trainer.fit([], 1, checkpoint_steps=3)
    with pytest.raises(ValueError, match=r"^Trainer\.predict: there is no batch"):
        trainer.predict([])
    with pytest.raises(TypeError, match=r"^Trainer\.predict: the model's answers are no tensor, got tuple"):
        Trainer(nn.LSTM(1, 1), optimizer, mse_loss).predict([x])
    with pytest.raises(ValueError, match=r"^EarlyStopping: patience must be at least 1, got 0"):
        EarlyStopping(patience=0)
    with pytest.raises(ValueError, match=r"^EarlyStopping: min_delta must not be negative"):
        EarlyStopping(patience=1, min_delta=-1.0)
    with pytest.raises(ValueError, match=r"^EarlyStopping: there is no 'validation_loss' .* it has epoch, lr, loss$"):
        Trainer(model, optimizer, mse_loss, callbacks=[EarlyStopping(patience=1)]).fit([(x, x)], 1)
    with pytest.raises(ValueError, match=r"^accuracy: expected scores .* got \(2,\) and \(2,\)"):
        accuracy(lt.ones(2), lt.ones(2))


def test_a_run_of_other_parts_is_refused_and_changes_nothing(tmp_path):
    trainer, loader, _ = a_run()
    trainer.fit(loader, 1)
    trainer.save(tmp_path / "run")
    model = network()
    plain = Trainer(model, SGD(model.parameters(), 0.05, momentum=0.9), cross_entropy)
    other, *_ = a_run(EarlyStopping(patience=1))
    before = bits(model), default_generator.get_state().tolist()
    with pytest.raises(CheckpointError, match=r"nothing is changed: the run was saved with the parts \[.*'scheduler'\], and this"):
        plain.load(tmp_path / "run")
    with pytest.raises(CheckpointError, match=r"\['EarlyStopping'\], and this trainer has \['EarlyStopping', 'EarlyStopping'\]"):
        other.load(tmp_path / "run")
    assert (bits(model), default_generator.get_state().tolist()) == before and plain.epoch == other.epoch == 0
    first, loader, _ = a_run(StopAt(2))
    first.fit(loader, 1)
    with pytest.raises(ValueError, match=r"^Trainer\.fit: the run was left within a loader with a state; list has none"):
        first.fit(list(itertools.islice(loader, 2)), 1)
