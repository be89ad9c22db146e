"""Named results: their classes, fields and text are PyTorch's."""

import re

import pytest
import torch

import lamina


def result_types(t):
    x = t.tensor([[4.0, 1.0], [2.0, 3.0]])
    made = [
        x.max(0), x.min(1, keepdim=True), x.sort(), t.sort(x, descending=True), x.topk(1), x.median(0),
        x.nanmedian(0), x.mode(0), x.kthvalue(1), x.cummax(0), t.cummin(x, 0), t.aminmax(x), t.frexp(x),
        t.linalg.slogdet(x), t.linalg.qr(x), t.linalg.eigh(x), t.linalg.inv_ex(x), t.linalg.lu_factor(x),
        t.linalg.cholesky_ex(x @ x.T), t.slogdet(x), t.svd(x), t.qr(x), t.linalg.svd(x), t.histogram(x, 2),
    ]
    fields = {name for kind in lamina.return_types.all_return_types.values() for name in kind._fields}
    return [
        (
            type(m).__name__,
            re.sub(r"(lamina|torch)\.", "", repr(m)).split("(")[0],
            sorted(fields & set(dir(m))),
            isinstance(m, tuple),
            [tuple(part.shape) for part in m],
        )
        for m in made
    ]


@pytest.mark.filterwarnings("ignore")
def test_named_results():
    for ours, theirs in zip(result_types(lamina), result_types(torch), strict=True):
        assert ours == theirs
    values, indices = lamina.tensor([1.0, 2.0]).max(0)
    assert repr(lamina.return_types.max(values, indices)).startswith("lamina.return_types.max(\nvalues=tensor(2.),\nindices=")


def test_every_named_result_of_pytorch_has_its_fields():
    theirs = {
        name: kind.__match_args__ for name, kind in vars(torch.return_types).items()
        if isinstance(kind, type) and hasattr(kind, "n_fields") and not name.startswith("_") and not name.endswith("_out")
    }  # fmt: skip
    ours = {name: kind._fields for name, kind in lamina.return_types.all_return_types.items()}
    assert ours == theirs
