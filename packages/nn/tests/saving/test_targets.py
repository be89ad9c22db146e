"""Where files are saved to: devices, pipes, links, long names, full disks, several writers, and what killed ones left."""

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from saving.kinds_of_files import KINDS

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_ndarray import files as of_arrays
from lamina_ndarray.files import replacing
from lamina_nn.files import load, save

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="devices, pipes and links of POSIX")

X = lt.arange(70_000.0)


def save_as(kind, path, x=X):
    KINDS[kind].save(path, x)


every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_a_device_stays_a_device(kind):
    for device in ("/dev/null", b"/dev/null"):
        save_as(kind, device)
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@every_kind
def test_a_full_device_is_an_oserror(kind):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)) as caught:
        save_as(kind, "/dev/full")
    assert caught.value.errno == errno.ENOSPC and stat.S_ISCHR(os.stat("/dev/full").st_mode)


@every_kind
def test_a_pipe_is_written_to(tmp_path, kind):
    pipe, copy = tmp_path / "pipe", tmp_path / f"copy{KINDS[kind].ending}"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    save_as(kind, pipe)
    reader.join()
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert KINDS[kind].load(copy).tolist() == X.tolist()


@every_kind
def test_a_link_is_followed(tmp_path, kind):
    ending = KINDS[kind].ending
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    link, target = tmp_path / "here" / f"link{ending}", tmp_path / "there" / "target"
    link.symlink_to("../there/between")
    (tmp_path / "there" / "between").symlink_to(target)
    for x in (X, X + 1):  # a link to what is not there yet, and to what is
        save_as(kind, link, x)
        assert link.is_symlink() and target.is_file() and not target.is_symlink()
        assert KINDS[kind].load(link).tolist() == x.tolist()
    assert os.listdir(tmp_path / "here") == [link.name] and sorted(os.listdir(tmp_path / "there")) == ["between", "target"]


def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="a") as caught:
        save(X, tmp_path / "a")
    assert caught.value.errno == errno.ELOOP and (tmp_path / "a").is_symlink()


@every_kind
def test_long_names_and_bytes(tmp_path, kind):
    ending = KINDS[kind].ending
    for name in ("n" * (255 - len(ending)) + ending, "ü" * 120 + ending):
        save_as(kind, tmp_path / name)
        save_as(kind, os.fsencode(tmp_path / name))
        assert KINDS[kind].load(os.fsencode(tmp_path / name)).tolist() == X.tolist()


@every_kind
def test_the_disk_is_full_at_each_write(tmp_path, kind, monkeypatch):
    """As a limit on the length of files says it, at lengths from nothing up to the whole: the old file stays."""
    resource = pytest.importorskip("resource", reason="limits of POSIX")
    path = tmp_path / f"file{KINDS[kind].ending}"
    save_as(kind, path)
    whole = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    chance = random.Random(kind)
    try:
        for length in [0, 1, 8, 100, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(10))]:
            resource.setrlimit(resource.RLIMIT_FSIZE, (length, before[1]))
            with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
                save_as(kind, path, X)
            assert path.read_bytes() == whole and os.listdir(tmp_path) == [path.name]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, old)


@every_kind
@pytest.mark.parametrize("call", ["open", "fsync", "replace", "fchown", "fchmod", "flock"])
def test_each_call_of_the_system_fails_once(tmp_path, kind, call, monkeypatch):
    """A fault of the disk is the caller's error, but for what a disk need not have: locks, owners and permissions."""
    path = Path(KINDS[kind].path(tmp_path))
    save_as(kind, path)
    whole = path.read_bytes()
    module = replacing.fcntl if call == "flock" else os
    needless = {"flock": OSError(errno.ENOLCK, "no locks"), "fchown": PermissionError(), "fchmod": PermissionError()}
    error = needless.get(call, OSError(errno.EIO, os.strerror(errno.EIO)))

    def fail(*_, **__):
        monkeypatch.undo()
        raise error

    monkeypatch.setattr(module, call, fail)
    if call in needless:
        save_as(kind, path, X + 1)
        assert KINDS[kind].load(path).tolist() == (X + 1).tolist()
    else:
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            save_as(kind, path, X + 1)
        assert path.read_bytes() == whole
    monkeypatch.undo()
    assert os.listdir(tmp_path) == [path.name]


@every_kind
def test_two_writers_at_once(tmp_path, kind):
    """Both succeed, whole, and neither sweeps the other's."""
    path, errors = tmp_path / f"file{KINDS[kind].ending}", []

    def write(number):
        try:
            for _ in range(10):
                save_as(kind, path, lt.full((20_000,), float(number)))
        except BaseException as error:
            errors.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    items = KINDS[kind].load(path).tolist()
    assert not errors and len(set(items)) == 1 and len(items) == 20_000 and os.listdir(tmp_path) == [path.name]


def test_a_file_that_takes_the_name_of_a_swept_one_is_not_swept(tmp_path, monkeypatch):
    """Another writer may sweep a file between the look at its name and its lock, and its writer makes it anew."""
    left, lock = tmp_path / ".file.left.saving", replacing._lock
    left.write_bytes(b"old")

    def lock_after_others(file):
        left.unlink()
        left.write_bytes(b"new")
        return lock(file)

    monkeypatch.setattr(replacing, "_lock", lock_after_others)
    replacing._sweep(str(tmp_path), ".file.")
    assert left.read_bytes() == b"new"
    monkeypatch.undo()
    replacing._sweep(str(tmp_path), ".file.")
    assert not left.exists()


def test_the_next_save_sweeps_what_killed_ones_left(tmp_path):
    program = (
        "import os, signal, sys\nfrom lamina_ndarray.files.replacing import replacing\n"
        "with replacing(sys.argv[1]) as file:\n    file.write(b'half')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    for name in ("a", "b"):
        subprocess.run([sys.executable, "-c", program, str(tmp_path / name)], check=False)
    assert len(os.listdir(tmp_path)) == 2
    save(X, tmp_path / "a")
    left = sorted(os.listdir(tmp_path))
    assert len(left) == 2 and "a" in left  # what was left of b is b's
    save(X, tmp_path / "b")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_the_folder_is_synced_after_the_renaming(tmp_path, monkeypatch):
    seen = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (seen.append(stat.S_ISDIR(os.fstat(handle).st_mode)), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda old, new: (seen.append("replace"), replace(old, new)))
    save(X, tmp_path / "x")
    assert seen == [False, "replace", True]


def test_a_folder_that_cannot_be_written_to():
    program = (
        "import os, sys\nimport lamina_tensor as lt\nfrom lamina_nn.files import save\n"
        "save(lt.ones(3), os.devnull)\n"  # all is imported while root may still read it
        "if os.getuid() == 0:\n    os.setuid(65534)\n"
        "try:\n    save(lt.ones(3), sys.argv[1])\nexcept PermissionError as error:\n    print(os.path.dirname(error.filename))\n"
    )
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.realpath(os.path.join(top, "folder"))
        path = os.path.join(folder, "x")
        os.mkdir(folder)
        save(X, path)
        os.chmod(path, 0o666)
        os.chmod(folder, 0o555)
        os.chmod(top, 0o755)
        result = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
        os.chmod(folder, 0o755)
        assert result.stdout == f"{folder}\n", result.stderr
        assert load(path).tolist() == X.tolist() and os.listdir(folder) == ["x"]


def test_permissions_stay_and_new_files_have_those_of_new_files(tmp_path):
    nd_path = tmp_path / "a.npy"
    mask = os.umask(0o027)
    try:
        of_arrays.save(nd_path, nd.ones((2,)))
    finally:
        os.umask(mask)
    assert stat.S_IMODE(nd_path.stat().st_mode) == 0o640
    nd_path.chmod(0o604)
    of_arrays.save(nd_path, nd.ones((3,)))
    assert stat.S_IMODE(nd_path.stat().st_mode) == 0o604
