"""GGUF files both ways against the `gguf` package: what it writes is read here, and what is written here it reads, bit for bit."""

import gguf
import numpy as np
import pytest
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, quants
from ml_dtypes import bfloat16

import lamina
from lamina_nn.gguf.dequantizing import dequantized, is_readable
from lamina_nn.gguf.k_blocks import K_BLOCKS
from lamina_nn.gguf.small_blocks import SMALL_BLOCKS
from lamina_nn.gguf.tensor_types import TENSOR_TYPES, TYPES_BY_NAME

BLOCKS = [*SMALL_BLOCKS, *K_BLOCKS]
PLAIN = ["float32", "float16", "float64", "int8", "int16", "int32", "int64"]


def noise(name, rows, blocks):
    """Random bytes as rows of blocks of a type: each scale that there is, infinities and NaN among them."""
    return np.random.default_rng(len(name)).integers(0, 256, (rows, blocks * TYPES_BY_NAME[name].nbytes), np.uint8)


def same(ours, theirs):
    """Whether the bits are; of NaN, whether both are."""
    assert ours.dtype == theirs.dtype == np.float32 and ours.shape == theirs.shape
    return bool(((ours.view(np.int32) == theirs.view(np.int32)) | (np.isnan(ours) & np.isnan(theirs))).all())


def test_the_types_are_those_of_ggml():
    ours = {(kind.number, kind.name, kind.items, kind.nbytes) for kind in TENSOR_TYPES.values()}
    assert ours == {(kind.value, kind.name, *sizes) for kind, sizes in GGML_QUANT_SIZES.items()}
    assert sorted(kind.name for kind in TENSOR_TYPES.values() if is_readable(kind)) == sorted(BLOCKS)
    assert {name: dtype.itemsize for name, dtype in (SMALL_BLOCKS | K_BLOCKS).items()} == {
        name: TYPES_BY_NAME[name].nbytes for name in BLOCKS
    }


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_of_any_bytes(name):
    raw = noise(name, 16, 2**17 // 16 // TYPES_BY_NAME[name].items + 3)  # more than are turned at once
    with np.errstate(all="ignore"):
        theirs = quants.dequantize(raw, GGMLQuantizationType[name])
    kind = TYPES_BY_NAME[name]
    assert same(dequantized(raw.reshape(-1), kind, lamina.float32).view(np.float32).reshape(theirs.shape), theirs)
    assert np.isfinite(theirs).sum() > theirs.size / 2
    halves = dequantized(raw.reshape(-1), kind, lamina.float16).view(np.float16)
    with np.errstate(over="ignore"):
        assert np.array_equal(halves, theirs.astype(np.float16).reshape(-1), equal_nan=True)


def written(path, arrays=(), blocks=(), **more):
    """A file of the `gguf` package, version 3."""
    writer = gguf.GGUFWriter(path, "llama", **more)
    for key, value in more.items():
        writer.add_key_value(key, value, gguf.GGUFValueType.get_type(value))
    for name, array in arrays:
        writer.add_tensor(name, array)
    for name, kind, raw in blocks:
        writer.add_tensor(name, raw, raw_dtype=GGMLQuantizationType[kind])
    for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        write()


def test_what_the_package_writes(tmp_path):
    chance = np.random.default_rng(0)
    arrays = [(dtype, (chance.standard_normal((2, 3, 5)) * 50).astype(dtype)) for dtype in PLAIN]
    arrays += [("one", np.ones((1,), np.float32)), ("four dims", np.arange(24, dtype=np.int32).reshape(1, 2, 3, 4))]
    brain = chance.standard_normal((4, 8)).astype(bfloat16)
    raws = [(name, name, noise(name, 6, 2)) for name in BLOCKS]
    written(tmp_path / "a.gguf", arrays, [("brain", "BF16", brain.view(np.uint8)), *raws, ("later", "IQ4_NL", noise("IQ4_NL", 2, 2))])
    with lamina.gguf.open_gguf(tmp_path / "a.gguf") as file:
        assert list(file.keys()) == [*(name for name, _ in arrays), "brain", *BLOCKS, "later"]
        assert (file.metadata, file.version) == ({"general.architecture": "llama"}, 3)
        for name, array in arrays:
            assert np.array_equal(file[name].numpy(), array) and file[name].numpy().dtype == array.dtype
        assert file["brain"].dtype is lamina.bfloat16 and file["brain"].float().tolist() == brain.astype(np.float32).tolist()
        for name, _, raw in raws:
            with np.errstate(all="ignore"):
                theirs = quants.dequantize(raw, GGMLQuantizationType[name])
            assert file.type(name) == name and file.shape(name) == theirs.shape
            assert same(file.get(name).numpy(), theirs)
            assert file.get(name, lamina.bfloat16).dtype is lamina.bfloat16
        with pytest.raises(RuntimeError, match=r"later in .*a\.gguf is of IQ4_NL, which lamina does not read"):
            file.get("later")


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q8_0"])
def test_integers_and_scales(tmp_path, name):
    raw = quants.quantize(np.random.default_rng(1).standard_normal((6, 96)).astype(np.float32), GGMLQuantizationType[name])
    written(tmp_path / "q.gguf", blocks=[("w", name, raw)])
    with lamina.gguf.open_gguf(tmp_path / "q.gguf") as file:
        weight = file.quantized("w")
        assert (weight.shape, weight.bits, weight.group_size) == ((6, 96), 8 if name == "Q8_0" else 4, 32)
        assert weight.symmetric == (name != "Q4_1")
        items = lamina.quantization.dequantize(weight).numpy().reshape(6, 3, 32)
        wanted = quants.dequantize(raw, GGMLQuantizationType[name]).reshape(6, 3, 32)
        # Of Q4_1, the offset over the scale is rounded, what it is taken from, and the product; the others are the same products.
        roundings = 4 * np.finfo(np.float32).eps if name == "Q4_1" else 0
        assert (np.abs(items - wanted) <= roundings * np.abs(wanted).max(-1, keepdims=True)).all()


def test_a_group_of_one_number_has_it(tmp_path):
    """Its scale is 0, and its integers say nothing."""
    block = np.frombuffer(np.float16(0).tobytes() + np.float16(-2.5).tobytes() + bytes(range(16)), np.uint8)
    written(tmp_path / "q.gguf", blocks=[("w", "Q4_1", np.stack([block, block]))])
    with lamina.gguf.open_gguf(tmp_path / "q.gguf") as file:
        assert lamina.quantization.dequantize(file.quantized("w")).unique().tolist() == file["w"].unique().tolist() == [-2.5]


METADATA = {
    "general.architecture": "llama", "a.text": "Grüße\0 🦙", "a.count": 7, "a.negative": -7, "a.long": 2**40, "a.negative.long": -(2**40),
    "a.float": 0.1, "a.bool": True, "tokens": ["<s>", "", "▁a"], "scores": [0.5, -1.0], "kinds": [1, -3, 3], "flags": [True, False],
    "ids": [2**32 - 1, 0], "double": np.float64(0.1), "byte": np.uint8(200), "words": np.arange(3, dtype=np.uint16),
    "one flag": np.bool_(True), "row of flags": np.array([True, False]), "big-endian": np.arange(3, dtype=">i8"),
}  # fmt: skip
TYPES = {
    "general.architecture": "STRING", "a.text": "STRING", "a.count": "UINT32", "a.negative": "INT32", "a.long": "UINT64",
    "a.negative.long": "INT64", "a.float": "FLOAT32", "a.bool": "BOOL", "tokens": "STRING", "scores": "FLOAT32", "kinds": "INT32",
    "flags": "BOOL", "ids": "UINT32", "double": "FLOAT64", "byte": "UINT8", "words": "UINT16",
    "one flag": "BOOL", "row of flags": "BOOL", "big-endian": "INT64",
}  # fmt: skip


@pytest.mark.parametrize("alignment", [None, 8, 64, 4096])
def test_what_the_package_reads(tmp_path, alignment):
    lamina.manual_seed(0)
    plain = {dtype: (lamina.randn(3, 2, 5) * 50).to(getattr(lamina, dtype)) for dtype in PLAIN}
    plain |= {"turned": lamina.randn(5, 3).t(), "number": lamina.tensor(2.5), "brain": lamina.randn(2, 64).bfloat16()}
    tensors = plain | {"eights": lamina.randn(70, 32 * 64), "brain in eights": plain["brain"], "none": lamina.zeros(0, 32)}
    told = METADATA | ({} if alignment is None else {"general.alignment": alignment})
    formats = dict.fromkeys(("eights", "brain in eights", "none"), "Q8_0")
    lamina.gguf.save_gguf(tensors, tmp_path / "b.gguf", told, formats)
    reader = gguf.GGUFReader(tmp_path / "b.gguf")
    for key, value in METADATA.items():
        field = reader.get_field(key)
        assert field.types[-1].name == TYPES[key] and (field.types[0] is gguf.GGUFValueType.ARRAY) == (np.ndim(value) > 0)
        assert np.array_equal(field.contents(), np.float32(value) if key == "a.float" else value), key
    assert reader.get_field("general.quantization_version").contents() == 2
    assert [tensor.name for tensor in reader.tensors] == list(tensors)
    for tensor in reader.tensors:
        ours = tensors[tensor.name]
        assert tensor.data_offset % (alignment or 32) == 0 and [*reversed(tensor.shape.tolist())] == list(ours.shape)
        if tensor.name in formats:
            assert tensor.tensor_type.name == "Q8_0"
            assert tensor.data.tobytes() == quants.quantize(ours.float().numpy(), GGMLQuantizationType.Q8_0).tobytes()
        elif ours.dtype is lamina.bfloat16:
            assert tensor.data.tobytes() == ours.view(lamina.uint16).numpy().tobytes()
        else:
            assert np.array_equal(tensor.data.reshape(ours.shape), ours.numpy()) and tensor.data.dtype == ours.numpy().dtype
    with lamina.gguf.open_gguf(tmp_path / "b.gguf") as file:
        expected = {key: value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value for key, value in told.items()}
        assert file.metadata == expected | {"a.float": float(np.float32(0.1)), "general.quantization_version": 2}
        for name, tensor in plain.items():
            assert lamina.equal(file[name], tensor) and file[name].dtype is tensor.dtype
        error = (file["eights"] - tensors["eights"]).abs().reshape(70, 64, 32)
        # Half a step, and what rounding the scale to float16 (2^-11 of it) moves 127 steps.
        bound = tensors["eights"].abs().reshape(70, 64, 32).amax(2) / 127 * (0.5 + 127 * 2**-11 + 1e-4)
        assert (error.amax(2) <= bound).all() and error.max() > 0


def test_halves_go_away_from_zero(tmp_path):
    """As in the package: the greatest item is 127, so that each is its own integer, and halves lie between two."""
    row = np.array([127.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, -0.0, *[0.0] * 24], np.float32)
    lamina.gguf.save_gguf({"w": lamina.from_numpy(row[None])}, tmp_path / "h.gguf", formats={"w": "Q8_0"})
    with lamina.gguf.open_gguf(tmp_path / "h.gguf") as file:
        assert file.quantized("w").values[0, :8].tolist() == [127, 1, -1, 2, 3, -3, 0, 0]
    assert gguf.GGUFReader(tmp_path / "h.gguf").tensors[0].data.tobytes() == quants.quantize(row, GGMLQuantizationType.Q8_0).tobytes()
