"""Who of the other processes is alive, and how far each has come: datagrams that a thread of each sends to all others.

Two a second; a process that is silent for `SILENT` seconds is taken for lost, one of this machine that is gone at once. They carry how many
operations of each group a process has begun, so that a wait that takes too long can name those who have not come.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

from .contract import Communicator, Request

__all__ = ["SILENT", "Heartbeat"]

SILENT: Final = 6.0
"""Seconds without a heartbeat after which a process is taken for lost."""

_BEAT: Final = 0.5
_HEADER: Final = struct.Struct("!16sIBI")  # token, rank, whether it has ended, how many groups follow
_ENTRY: Final = struct.Struct("!IQ")  # a group's number, and how many operations of it have begun
_MOST_GROUPS: Final = 64  # the youngest: a datagram stays below 1 KB
_CARD: Final = 512
_MOST_ADDRESSES: Final = 8
_SIOCGIFADDR: Final = 0x8915  # Linux's request for the address of an interface,
_IFREQ: Final = 40  # which goes with a structure of so many bytes: the name in 16, and a socket address


class Heartbeat:
    """The thread of one process, and what it has heard of the others.

    Args:
        world: all processes.
        wait: called with a `Request`, to wait for it.
    """

    def __init__(self, world: Communicator, wait: Callable[[Request], None]) -> None:
        self._rank, self._size = world.rank, world.size
        self._begun: dict[int, int] = {}
        self._leaving = False
        self._stopped = threading.Event()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("", 0))
        self._socket.settimeout(_BEAT / 4)
        mine = {
            "host": socket.gethostname()[:64], "machine": _machine(), "addresses": _addresses(), "port": self._socket.getsockname()[1],
            "pid": os.getpid(), "token": secrets.token_hex(16),
        }  # fmt: skip
        cards = bytearray(_CARD * world.size)
        wait(world.all_gather(cards, json.dumps(mine).encode().ljust(_CARD)))
        self._cards: list[dict[str, Any]] = [json.loads(cards[i * _CARD : (i + 1) * _CARD]) for i in range(world.size)]
        self._token = bytes.fromhex(self._cards[0]["token"])
        near = mine["machine"]
        self._addresses = [
            [("127.0.0.1", card["port"])] if card["machine"] == near else [(address, card["port"]) for address in card["addresses"]]
            for card in self._cards
        ]  # of another machine all, until something has come from one of them
        self._local = [card["machine"] == near for card in self._cards]
        now = monotonic()
        self._heard = dict.fromkeys((rank for rank in range(world.size) if rank != world.rank), now)
        self._theirs: dict[int, dict[int, int]] = {}
        self._gone: dict[int, str] = {}
        self._ended: dict[int, str] = {}
        self._thread = threading.Thread(target=self._run, name="lamina heartbeat", daemon=True)
        self._thread.start()

    def begin(self, group: int, count: int) -> None:
        """Note that this process has begun so many operations of a group.

        Args:
            group: the group's number, the same in all processes.
            count: how many.
        """
        self._begun.pop(group, None)
        self._begun[group] = count
        if len(self._begun) > _MOST_GROUPS:
            with suppress(StopIteration, RuntimeError):
                del self._begun[next(iter(self._begun))]

    def lost(self, *, ended_too: bool = True) -> dict[int, str]:
        """Return the ranks of the processes that are lost, and what has become of each.

        Args:
            ended_too: whether those count that have come to the end of their program.

        Returns:
            A dict from ranks to a phrase such as "rank 1 (process 17 on example) is gone: it was killed, or an error ended it".
        """
        now = monotonic()
        for rank, heard in list(self._heard.items()):
            if rank in self._gone:
                continue
            state = _state(self._cards[rank]["pid"]) if self._local[rank] else None
            if state in ("", "Z", "X"):
                self._gone[rank] = f"{self.named(rank)} is gone: it was killed, or an error ended it"
            elif now - heard > SILENT:
                what = "is stopped" if state in ("T", "t") else "does not answer"
                self._gone[rank] = f"{self.named(rank)} {what}: nothing came from it for {now - heard:.0f} s"
        return {**self._ended, **self._gone} if ended_too else dict(self._gone)

    def behind(self, group: int, count: int, ranks: Iterable[int]) -> list[int]:
        """Return which processes have begun fewer operations of a group.

        Args:
            group: the group's number.
            count: how many this process has begun.
            ranks: those to look at, among all processes.

        Returns:
            Their ranks, in order.
        """
        return [rank for rank in ranks if rank != self._rank and self._theirs.get(rank, {}).get(group, 0) < count]

    def named(self, rank: int) -> str:
        """Return a rank with its process and machine, for messages.

        Args:
            rank: among all processes.

        Returns:
            Such as "rank 1 (process 17 on example)".
        """
        return f"rank {rank} (process {self._cards[rank]['pid']} on {self._cards[rank]['host']})"

    def leave(self) -> None:
        """Tell the others from now on that this process has come to its end."""
        self._leaving = True
        self._send()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        self._thread.join(2.0)

    def _run(self) -> None:
        sent = 0.0
        while not self._stopped.is_set():
            now = monotonic()
            if now - sent >= _BEAT:
                if sent and now - sent > SILENT / 2:  # this process itself was stopped: the others are not to blame
                    self._heard = dict.fromkeys(self._heard, now)
                sent = now
                with suppress(OSError):
                    self._send()
            self._listen()

    def _send(self) -> None:
        begun = list(self._begun.items())
        packet = _HEADER.pack(self._token, self._rank, self._leaving, len(begun)) + b"".join(_ENTRY.pack(*entry) for entry in begun)
        for rank in self._heard:
            for address in self._addresses[rank]:
                with suppress(OSError):
                    self._socket.sendto(packet, address)

    def _listen(self) -> None:
        try:
            packet, source = self._socket.recvfrom(2048)
        except OSError:
            return
        if len(packet) < _HEADER.size:
            return
        token, rank, ended, groups = _HEADER.unpack_from(packet)
        if token != self._token or rank not in self._heard or len(packet) != _HEADER.size + groups * _ENTRY.size:
            return  # of another job
        self._heard[rank] = monotonic()
        if len(self._addresses[rank]) > 1:
            self._addresses[rank] = [source]
        self._theirs[rank] = dict(_ENTRY.iter_unpack(packet[_HEADER.size :]))
        if ended:
            self._ended[rank] = f"{self.named(rank)} has ended its program"


def _machine() -> str:
    """What is equal in processes of one machine, and of one container only."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + os.readlink("/proc/self/ns/pid")
    return socket.gethostname()


def _addresses() -> list[str]:
    """By which addresses others may reach this machine. Its own name tells one at most, and on many systems that of the machine itself
    only, such as 127.0.1.1; so each interface is asked, where Linux answers."""
    found: dict[str, None] = {}
    with suppress(OSError):
        found.update(dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2]))
    with suppress(ImportError, OSError):
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            for _, name in socket.if_nameindex():
                with suppress(OSError):
                    answer = fcntl.ioctl(asking.fileno(), _SIOCGIFADDR, name.encode().ljust(_IFREQ, b"\0"))
                    found[socket.inet_ntoa(answer[20:24])] = None
    return [address for address in found if not address.startswith("127.")][:_MOST_ADDRESSES] or ["127.0.0.1"]


def _state(pid: int) -> str | None:
    """The letter of a process of this machine as Linux tells it, "" for one that is gone, None where nobody tells."""
    if not os.path.exists("/proc/self/stat"):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return ""
        except OSError:
            pass
        return None
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""
    except OSError:
        return None
