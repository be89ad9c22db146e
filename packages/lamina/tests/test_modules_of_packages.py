"""Modules of PyTorch's that published packages import: what they do here, and what they refuse."""

import datetime
import enum
import hashlib
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import lamina
from lamina._higher_order_ops.associative_scan import associative_scan
from lamina.nn.modules.utils import _pair


class Kind(enum.Enum):
    A = "a"


class Named(enum.Enum):
    A = "a"

    def __reduce_ex__(self, protocol):  # as in Python 3.11.0
        return getattr, (type(self), self.name)


@dataclass
class Settings:
    rate: float
    kind: Kind
    day: datetime.date
    more: dict = field(default_factory=lambda: defaultdict(list))


def test_objects_of_a_programs_own_are_read_where_it_lets_files_name_them(tmp_path):
    settings = Settings(0.5, Kind.A, datetime.date(2024, 2, 29))
    settings.more["x"].append(lamina.ones(2))
    lamina.save({"settings": settings, "same": settings}, tmp_path / "a.pt")
    with pytest.raises(RuntimeError, match=r"(?s)Settings.*add_safe_globals"):
        lamina.load(tmp_path / "a.pt", weights_only=False)
    safe = lamina.serialization
    with safe.safe_globals([Settings, Kind, datetime.date, defaultdict, (list, "builtins.list")]):
        loaded = lamina.load(tmp_path / "a.pt")
        assert len(safe.get_safe_globals()) == 5
    assert safe.get_safe_globals() == [] and loaded["same"] is loaded["settings"]
    read = loaded["settings"]
    assert (read.rate, read.kind, read.day) == (0.5, Kind.A, settings.day) and read.more["x"][0].tolist() == [1.0, 1.0]
    for refused in (lamina.nn.Linear(1, 1), lambda: 3, threading.Lock()):
        with pytest.raises(RuntimeError, match=r"^save: "):
            lamina.save(refused, tmp_path / "b.pt")


def test_a_member_that_is_found_by_its_name_is_written_by_its_value(tmp_path):
    lamina.save([Named.A], tmp_path / "a.pt")
    with lamina.serialization.safe_globals([Named]):
        assert lamina.load(tmp_path / "a.pt") == [Named.A]


def test_a_file_calls_nothing_that_the_program_did_not_list(tmp_path):
    class Runs:
        def __reduce__(self):
            return Path.touch, (tmp_path / "was called",)

    with pytest.raises(RuntimeError):
        lamina.save(Runs(), tmp_path / "a.pt")
    lamina.save({"x": datetime.date(2024, 1, 1)}, tmp_path / "b.pt")
    with lamina.serialization.safe_globals([Settings]), pytest.raises(RuntimeError, match=r"names 'datetime\.date'"):
        lamina.load(tmp_path / "b.pt")


def test_streams_and_events_of_the_cpu():
    stream, event = lamina.Stream("cpu"), lamina.Event("cpu")
    assert stream.query() and event.query() and stream == lamina.Stream(device="cpu") and stream.device_index == -1
    stream.synchronize(), stream.wait_event(event), event.wait(), stream.wait_stream(stream)
    with stream, pytest.raises(RuntimeError, match="no events are recorded on the CPU"):
        stream.record_event()
    with pytest.raises(ValueError, match="enable_timing"):
        event.elapsed_time(event)
    with pytest.raises(RuntimeError, match="'mps'"):
        lamina.Stream("mps")


@pytest.mark.parametrize("length", [2, 5, 8])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_scan_is_what_a_loop_gives_and_has_its_gradient(length, reverse):
    a = lamina.arange(1.0, 2 * length + 1).reshape(2, length).div(7).requires_grad_()
    b = lamina.ones(2, length)
    _, scanned = associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (a, b), 1, reverse)
    state, states = lamina.zeros(2), []
    for i in reversed(range(length)) if reverse else range(length):
        state = a[:, i] * state + b[:, i]
        states.append(state)
    expected = lamina.stack(states[::-1] if reverse else states, 1)
    assert lamina.allclose(scanned, expected)
    for ours, theirs in zip(*(lamina.autograd.grad(x.pow(2).sum(), a) for x in (scanned, expected)), strict=True):
        assert lamina.allclose(ours, theirs)


def test_modes_are_asked_the_innermost_first_and_not_within_what_they_call():
    class Told(lamina.overrides.TorchFunctionMode):
        def __init__(self, name, names):
            self.name, self.names = name, names

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.names.append((self.name, func.__name__))
            return func(*args, **(kwargs or {}))

    names = []
    with Told("outer", names), Told("inner", names) as inner:
        lamina.nn.functional.softplus(lamina.ones(2))
    assert names == [(who, what) for what in ("ones", "softplus") for who in ("inner", "outer")]
    with pytest.raises(ZeroDivisionError), inner:
        raise ZeroDivisionError
    lamina.ones(2)
    assert len(names) == 4 and not lamina.overrides.has_torch_function((lamina.ones(2),))
    with pytest.raises(NotImplementedError), lamina.overrides.TorchFunctionMode():
        lamina.ones(2)


def test_a_local_folder_has_entry_points_in_which_torch_is_lamina(tmp_path):
    (tmp_path / "hubconf.py").write_text("import torch\nfrom beside_hubconf import width\ndef net(n=1): return torch.nn.Linear(n, width)\n")
    (tmp_path / "beside_hubconf.py").write_text("width = 3\n")
    assert lamina.hub.load(tmp_path, "net", n=2, source="local").weight.shape == (3, 2)
    with pytest.raises(RuntimeError, match="no function 'none'"):
        lamina.hub.load(str(tmp_path), "none", source="local")
    with pytest.raises(NotImplementedError, match="none is fetched"):
        lamina.hub.load("pytorch/vision", "resnet18")
    with pytest.raises(FileNotFoundError, match=r"no hubconf\.py"):
        lamina.hub.load(tmp_path / "nowhere", "net", source="local")


def test_a_file_of_another_hash_is_not_kept(tmp_path):
    lamina.save({"w": lamina.ones(2)}, tmp_path / "net.pt")
    digest = hashlib.sha256((tmp_path / "net.pt").read_bytes()).hexdigest()
    url = (tmp_path / "net.pt").as_uri()
    state = lamina.hub.load_state_dict_from_url(url, tmp_path / "kept", check_hash=True, file_name=f"net-{digest[:8]}.pt")
    assert state["w"].tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match=digest):
        lamina.hub.load_state_dict_from_url(url, tmp_path / "kept", check_hash=True, file_name="net-00000000.pt")
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_ops_of_a_library_are_declared_and_then_defined():
    library = lamina.library.Library("declared", "FRAGMENT")
    assert library.define("half(Tensor x) -> Tensor") == "half"
    with pytest.raises(NotImplementedError, match=r"torch\.ops\.declared\.half: the op is declared"):
        lamina.ops.declared.half(lamina.ones(1))
    lamina.library.Library("declared", "IMPL", "Meta").impl("half", lamina.empty_like)
    library.impl("declared::half", lambda x: x / 2, "CPU")
    assert lamina.ops.declared.half.default(lamina.ones(1)).item() == 0.5
    with pytest.raises(RuntimeError, match="no op"):
        library.impl("third", len)


def test_pytorchs_own_ops_are_functions_of_the_same_name():
    aten = lamina.ops.aten
    assert aten.add.Tensor(lamina.ones(1), 2).item() == 3.0 and aten.add.Tensor is aten.add.Tensor and aten.add.Tensor != aten.add.default
    with pytest.raises(NotImplementedError, match=r"aten\._such_op"):
        aten._such_op(1)


def test_a_private_path_is_not_said_to_be_no_name_of_pytorchs():
    with pytest.raises(AttributeError, match=r"^torch\._C\.ScriptList: lamina has no such private name"):
        _ = lamina._C.ScriptList
    assert issubclass(lamina.nn.MSELoss, lamina.nn.modules.loss._Loss) and _pair(2) == (2, 2) == _pair([2, 2])
    state = {"module.a": 1, "b": 2}
    lamina.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    assert state == {"b": 2, "a": 1}
