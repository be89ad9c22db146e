"""Complex numbers without an imaginary part where real ones are wanted: taken as these, in both; with one they are refused."""

import pytest
import torch

import lamina

pytestmark = pytest.mark.filterwarnings("ignore:Casting complex values to real discards")  # PyTorch's, told once

MASK = "t.tensor([True, False, True])"
CALLS = {
    "masked_fill": f"x.masked_fill({MASK}, v)", "masked_fill_": f"x.clone().masked_fill_({MASK}, v)",
    "full": "t.full((2,), v, dtype=t.float32)", "new_full": "x.new_full((1,), v)", "float": "float(t.as_tensor(v))",
    "int": "int(t.as_tensor(v))", "fill_diagonal_": "t.zeros(2, 2).fill_diagonal_(v)", "index_fill": "x.index_fill(0, t.tensor([1]), v)",
    "in brackets": "put(x.clone(), 1, v)", "under a mask": f"put(x.clone(), {MASK}, v)",
}  # fmt: skip
OF_TENSORS = {"pad": "t.nn.functional.pad(x, (1, 1), value=v)"}
OF_NUMBERS = {
    "fill_": "x.clone().fill_(v)", "at positions": "put(x.clone(), t.tensor([0, 2]), v)", "scatter": "x.scatter(0, t.tensor([0]), v)",
}  # fmt: skip


def put(x, place, value):
    x[place] = value
    return x


def found(t, call, v):
    try:
        result = eval(call, {"t": t, "x": t.zeros(3), "v": v, "put": put})
    except RuntimeError as error:
        return "complex" in str(error) or "without overflow" in str(error)
    return result if isinstance(result, (int, float)) else (str(result.dtype).rpartition(".")[2], result.tolist())


@pytest.mark.parametrize("number", [2 + 0j, 2 + 1j])
@pytest.mark.parametrize("call", {**CALLS, **OF_NUMBERS}.values(), ids={**CALLS, **OF_NUMBERS})
def test_numbers(call, number):
    assert found(lamina, call, number) == found(torch, call, number)


@pytest.mark.parametrize("number", [2 + 0j, 2 + 1j])
@pytest.mark.parametrize("call", (CALLS | OF_TENSORS).values(), ids=CALLS | OF_TENSORS)
def test_tensors_without_dims(call, number):
    if "fill_diagonal_" in call or "full" in call:
        pytest.skip("takes numbers")
    assert found(lamina, call, lamina.tensor(number)) == found(torch, call, torch.tensor(number))
