"""json, pandas, Matplotlib, Pillow and joblib with lamina's tensors, without the alias: what they do with PyTorch's."""

import json
import pickle
import sys

import numpy as np
import pytest
import torch

import lamina
from lamina.everywhere import as_torch

pytestmark = pytest.mark.filterwarnings("ignore:__array:DeprecationWarning")  # PyTorch's methods are written for NumPy 1

BOTH = pytest.mark.parametrize("library", [torch, lamina], ids=["torch", "lamina"])


def both(function):
    """What a function of the library gives for PyTorch and for lamina."""
    return function(torch), function(lamina)


@BOTH
def test_json_refuses_tensors_and_takes_what_they_give(library):
    x = library.tensor([[1.0, 2.0], [3.0, 4.0]])
    for refused in (x, {"a": x[0, 0]}):
        with pytest.raises(TypeError, match="Object of type Tensor is not JSON serializable"):
            json.dumps(refused)
    assert json.dumps({"a": x, "b": x[0, 1]}, default=lambda value: value.tolist()) == '{"a": [[1.0, 2.0], [3.0, 4.0]], "b": 2.0}'
    assert json.dumps({"loss": x.mean().item(), "n": x.numel(), "shape": x.shape}) == '{"loss": 2.5, "n": 4, "shape": [2, 2]}'


def test_pandas_columns_and_frames():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frames = {
        "a frame": lambda t: pandas.DataFrame(t.tensor([[1.0, 2.0], [3.0, 4.0]])),
        "a column": lambda t: pandas.DataFrame({"a": t.arange(3), "b": t.tensor([0.5, 1.5, 2.5])}),
        "assigned": lambda t: pandas.DataFrame({"a": [1, 2]}).assign(b=t.tensor([1.0, 2.0], dtype=t.float16)),
        "rows": lambda t: pandas.DataFrame({"a": [1, 2, 3]}).iloc[t.tensor([0, 2])],
        "a series": lambda t: pandas.Series(t.tensor([True, False])).to_frame(),
    }
    for name, made in frames.items():
        theirs, ours = both(made)
        pandas.testing.assert_frame_equal(ours, theirs, obj=name)
    for library in (torch, lamina):
        assert pandas.Series([library.tensor(1.0), library.tensor(2.0)]).dtype == object
        assert library.tensor(pandas.Series([1, 2])).tolist() == [1, 2]
        assert library.as_tensor(pandas.DataFrame({"a": [1.5, 2.5]}).to_numpy(copy=True)).dtype is library.float64
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"):
            pandas.Series(library.ones(2, requires_grad=True))


PLOTS = {
    "lines": lambda a, x, n: a.plot(x[0], x[1]),
    "a line of each column": lambda a, x, n: a.plot(x),
    "a scatter": lambda a, x, n: a.scatter(x[0], x[1], c=x[0], s=x[1] * 20),
    "a picture": lambda a, x, n: a.imshow(x),
    "a histogram": lambda a, x, n: a.hist(x[0], bins=x[1]),
    "a histogram of each column": lambda a, x, n: a.hist(x),
    "bars": lambda a, x, n: a.bar(n, x[0], yerr=x[1] / 8),
    "filled": lambda a, x, n: a.fill_between(n, x[0], x[1]),
    "boxes": lambda a, x, n: a.boxplot(x),
    "violins": lambda a, x, n: a.violinplot(x),
    "stems": lambda a, x, n: a.stem(x[0], x[1]),
    "contours": lambda a, x, n: a.contour(x),
    "limits": lambda a, x, n: (a.set_xlim(x[0, 0], x[0, 1]), a.set_ylim(0, x[1, 1]), a.axhline(x[1, 0])),
    "numbers in a list": lambda a, x, n: a.plot([x[0, 0], x[0, 1]]),
}


@pytest.mark.parametrize("name", PLOTS)
def test_matplotlib_draws_the_same(name):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    def drawn(t):
        figure = Figure((2, 2), 50)
        canvas = FigureCanvasAgg(figure)
        PLOTS[name](figure.subplots(), t.tensor([[1.0, 2.0, 4.0], [3.0, 5.0, 8.0]]), t.arange(3))
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())

    theirs, ours = both(drawn)
    np.testing.assert_array_equal(ours, theirs)


def test_pillow_takes_arrays_and_not_tensors():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for library in (torch, lamina):
        pixels = library.arange(48, dtype=library.uint8).reshape(4, 4, 3)
        with pytest.raises(AttributeError, match="__array_interface__"):
            image.fromarray(pixels)
        picture = image.fromarray(pixels.numpy())
        assert picture.mode == "RGB" and library.from_numpy(np.array(picture)).equal(pixels)
        assert image.fromarray(library.ones(2, 2).numpy()).mode == "F"


def test_joblib_files_and_processes(tmp_path):
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    x = lamina.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    model = lamina.nn.Linear(2, 2)
    joblib.dump({"x": x, "model": model}, tmp_path / "kept")
    kept = joblib.load(tmp_path / "kept")
    assert kept["x"].requires_grad and kept["x"].tolist() == x.tolist() and kept["model"](x).equal(model(x))
    for prefer in ("threads", "processes"):
        results = joblib.Parallel(2, prefer=prefer)(joblib.delayed(model)(x.detach() * k) for k in range(3))
        assert all(y.equal(model(x * k)) for k, y in enumerate(results))


def test_dlpack_both_ways_and_the_same_memory():
    for there, here in ((torch, lamina), (lamina, torch)):
        x = there.arange(6.0).reshape(2, 3).t()
        y = here.from_dlpack(x)
        assert tuple(y.shape) == (3, 2) and y.stride() == x.stride() and y.data_ptr() == x.data_ptr()
        y[0, 1] = -1
        assert x[0, 1].item() == -1
        for taker in (here.from_dlpack, np.from_dlpack):
            with pytest.raises(BufferError, match=r"Can't export tensors that require gradient, use tensor\.detach\(\)"):
                taker(there.ones(2, requires_grad=True))


def test_a_pickle_under_the_alias_is_read_without_it():
    held = {name: sys.modules.pop(name) for name in list(sys.modules) if name == "torch" or name.startswith("torch.")}
    try:
        own = lamina.Tensor.__module__
        with as_torch():
            assert lamina.Tensor.__module__ == "torch"  # what wandb and others compare
            kept = pickle.dumps(lamina.arange(3))
        assert lamina.Tensor.__module__ == own
    finally:
        sys.modules.update(held)
    assert pickle.loads(kept).tolist() == [0, 1, 2]
