"""A strict stand-in for NCCL: devices are the cuda backend's pretended ones, bytes go over MPI, and what NCCL would do wrong is refused.

Work on a stream is done while somebody asks for its events or waits for it, and not before all processes have queued the same.
"""

import json
import os
import secrets
import sys
import threading
from collections import deque
from pathlib import Path
from time import monotonic, sleep

import ml_dtypes
import numpy as np
from mpi4py import MPI

sys.path.insert(0, str(Path(__file__).parents[2] / "backend-cuda" / "tests"))

from standin import HostPort, Refused
from standin.order import HostStream

from lamina_process_nccl.interface import ID_BYTES, Facts, Port

__all__ = ["AsynchronousHostPort", "HostNCCL"]

_ITEMS = [np.dtype(n) for n in ("i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8")] + [np.dtype(ml_dtypes.bfloat16)]
_UFUNCS = [np.add, np.multiply]
_CARD = 512
_LIMIT = 60.0


class AsynchronousHostPort(HostPort):
    """The cuda backend's stand-in, on whose streams NCCL's work may still be under way."""

    def __init__(self):
        super().__init__(devices=2)
        self.under_way = []
        self._lock = threading.RLock()  # a thread may wait for a group's operations while another one launches kernels

    def done(self, event):
        if self._pending(event.clock):
            return False
        self.finish(event)
        return True

    def finish(self, event):
        self._drive(event.clock)
        super().finish(event)

    def synchronize(self, stream):
        self._drive(stream.clock)
        super().synchronize(stream)

    def _used(self, address, nbytes, stream, what, write):
        self._drive(stream.clock)
        return super()._used(address, nbytes, stream, what, write)

    def _pending(self, clock):
        """Help all along, and tell whether something is left that a clock knows of."""
        with self._lock:
            for work in list(self.under_way):
                work.advance()
            self.under_way = [work for work in self.under_way if not work.finished]
            return any(work.tick <= clock.get(work.stream.number, 0) for work in self.under_way)

    def begin(self, work):
        with self._lock:
            self.under_way.append(work)

    def _drive(self, clock):
        until = monotonic() + _LIMIT
        while self._pending(clock):
            if monotonic() > until:
                raise Refused(f"a stream waits for NCCL since {_LIMIT:g} s")
            sleep(0)


class _Work:
    """One operation in a stream: steps that give requests of MPI. Those of a communicator are done in order."""

    def __init__(self, communicator, stream, steps):
        self.communicator, self.stream, self.tick, self.steps = communicator, stream, stream.clock[stream.number], steps
        self.request, self.finished = None, False
        communicator.works.append(self)

    def advance(self):
        if self.communicator.aborted:
            self.finished = True
        while not self.finished and self.communicator.works[0] is self and (self.request is None or MPI.Request.Testall(self.request)):
            self.request = next(self.steps, None)
            if self.request is None:
                self.finished = True
                self.communicator.works.popleft()


class _Communicator:
    def __init__(self, mpi, index):
        self.mpi, self.index = mpi, index
        self.works = deque()
        self.aborted = self.destroyed = False
        self.count = 0


class HostNCCL(Port):
    """NCCL's calls on memory and streams of `cuda`, an `AsynchronousHostPort`."""

    def __init__(self, cuda, version=22000):
        self.cuda, self.version = cuda, version
        self.calls = []
        self._group = threading.local()
        self._folder = Path(os.environ["LAMINA_STANDIN_OF_NCCL"])

    def facts(self):
        return Facts("", self.version)

    def unique_id(self):
        return secrets.token_hex(ID_BYTES // 2).encode()

    def join(self, size, unique_id, rank, index):
        """Meet in a folder that is called by the id, as nothing else tells who the others are."""
        if len(unique_id) != ID_BYTES or not 0 <= rank < size:
            raise Refused(f"join: rank {rank} of {size}, with an id of {len(unique_id)} bytes")
        folder = self._folder / unique_id.decode()
        folder.mkdir(exist_ok=True)
        own = folder / f"{rank}.new"
        own.write_text(str(MPI.COMM_WORLD.rank))
        own.rename(folder / str(rank))
        until = monotonic() + _LIMIT
        while not all((folder / str(r)).exists() for r in range(size)):
            if monotonic() > until:
                raise Refused(f"join: not all of {size} processes came")
            sleep(0.001)
        ranks = [int((folder / str(r)).read_text()) for r in range(size)]
        group = MPI.COMM_WORLD.group.Incl(ranks)
        return _Communicator(MPI.COMM_WORLD.Create_group(group, int(unique_id[:3], 16)), index)

    def stream(self, index):
        return self.cuda.stream(index)

    # -- operations ----------------------------------------------------------------------------------------------------

    def broadcast(self, communicator, address, nbytes, root, stream):
        def steps(memory):
            every = yield from self._gathered(communicator, memory[0])
            memory[0][:] = every[root]

        writes = communicator.mpi.rank != root
        self._collective(communicator, f"broadcast {nbytes} from {root}", stream, [(address, nbytes, writes)], steps)

    def all_gather(self, communicator, into, source, nbytes, stream):
        def steps(memory):
            every = yield from self._gathered(communicator, memory[1])
            memory[0][:] = every.reshape(-1)

        memory = [(into, nbytes * communicator.mpi.size, True), (source, nbytes, False)]
        self._collective(communicator, f"all_gather {nbytes}", stream, memory, steps)

    def all_reduce(self, communicator, address, count, dtype, op, stream):
        def steps(memory):
            memory[0][:] = yield from self._combined(communicator, memory[0], dtype, op)

        self._reducing(communicator, f"all_reduce {count} of {dtype} by {op}", stream, [(address, count, True)], dtype, op, steps)

    def reduce(self, communicator, address, count, dtype, op, root, stream):
        def steps(memory):
            total = yield from self._combined(communicator, memory[0], dtype, op)
            if communicator.mpi.rank == root:
                memory[0][:] = total

        named = f"reduce {count} of {dtype} by {op} in {root}"
        self._reducing(communicator, named, stream, [(address, count, communicator.mpi.rank == root)], dtype, op, steps)

    def reduce_scatter(self, communicator, into, source, count, dtype, op, stream):
        def steps(memory):
            total = yield from self._combined(communicator, memory[1], dtype, op)
            memory[0][:] = total.reshape(communicator.mpi.size, -1)[communicator.mpi.rank]

        memory = [(into, count, True), (source, count * communicator.mpi.size, False)]
        self._reducing(communicator, f"reduce_scatter {count} of {dtype} by {op}", stream, memory, dtype, op, steps)

    def begin_group(self):
        if getattr(self._group, "held", None) is not None:
            raise Refused("begin_group: a group has begun")
        self._group.held = []

    def end_group(self):
        held, self._group.held = getattr(self._group, "held", None), None
        if held is None:
            raise Refused("end_group: no group has begun")
        if not held:
            return
        if len({(id(communicator), stream) for communicator, stream, *_ in held}) != 1:
            raise Refused("end_group: messages of several communicators or streams")
        communicator, stream = held[0][:2]
        told = {"sends": {}, "receives": {}}
        for *_, what, peer, _, nbytes in held:
            if not 0 <= peer < communicator.mpi.size or not nbytes or peer in told[what]:
                raise Refused(f"end_group: {what} {nbytes} bytes, rank {peer} of {communicator.mpi.size}, once")
            told[what][peer] = nbytes

        number = communicator.count % 1000

        def steps(memory):
            cards = yield from self._told(communicator, json.dumps(told))
            self._matched([json.loads(card) for card in cards])
            requests = [
                (communicator.mpi.Irecv if what == "receives" else communicator.mpi.Isend)(
                    [part if what == "receives" else part.copy(), MPI.BYTE], peer, number
                )
                for (*_, what, peer, _, _), part in zip(held, memory, strict=True)
            ]
            yield requests

        self._queue(communicator, "messages", stream, [(a, n, what == "receives") for _, _, what, _, a, n in held], steps)

    def send(self, communicator, address, nbytes, peer, stream):
        self._hold(communicator, stream, "sends", peer, address, nbytes)

    def receive(self, communicator, address, nbytes, peer, stream):
        self._hold(communicator, stream, "receives", peer, address, nbytes)

    def check(self, communicator):
        self._alive(communicator, "check")

    def abort(self, communicator):
        communicator.aborted = True

    def destroy(self, communicator):
        self._alive(communicator, "destroy")
        if communicator.works:
            raise Refused("destroy: an operation is under way")
        communicator.destroyed = True

    # -- what they are made of -----------------------------------------------------------------------------------------

    def _hold(self, *message):
        if getattr(self._group, "held", None) is None:
            raise Refused("a message outside of a group: it waits for its other end before anything else")
        self._group.held.append(message)

    def _alive(self, communicator, what):
        if communicator.aborted or communicator.destroyed:
            raise Refused(f"{what}: the communicator was {'aborted' if communicator.aborted else 'destroyed'}")

    def _queue(self, communicator, what, stream, memory, steps):
        """Look at the memory and at who has used it, and queue the work."""
        self._alive(communicator, what)
        queued_on = HostStream.known.get(stream)
        if queued_on is None or queued_on.index != communicator.index:
            raise Refused(f"{what}: stream {stream} is none of device {communicator.index}")
        queued_on.queue()
        parts = []
        for address, nbytes, write in memory:
            block, offset = self.cuda.space.find(address, nbytes, what)
            if block.index != communicator.index:
                raise Refused(f"{what}: memory of device {block.index} for a communicator of device {communicator.index}")
            (block.use.written_by if write else block.use.read_by)(queued_on, what)
            parts.append(block.bytes[offset : offset + nbytes])
        communicator.count += 1
        self.calls.append(what.split()[0])
        self.cuda.begin(_Work(communicator, queued_on, steps(parts)))

    def _collective(self, communicator, what, stream, memory, steps):
        if getattr(self._group, "held", None) is not None:
            raise Refused(f"{what}: within a group of messages")

        def checked(parts):
            cards = yield from self._told(communicator, what)
            if len(set(cards)) > 1:
                raise Refused("processes queue different operations: " + "; ".join(f"rank {r}: {card}" for r, card in enumerate(cards)))
            yield from steps(parts)

        self._queue(communicator, what, stream, memory, checked)

    def _reducing(self, communicator, what, stream, memory, dtype, op, steps):
        if not (0 <= dtype < len(_ITEMS) and 0 <= op < len(_UFUNCS)):
            raise Refused(f"{what}: dtype {dtype}, op {op}")
        size = _ITEMS[dtype].itemsize
        if any(address % size for address, *_ in memory):
            raise Refused(f"{what}: an address that is no multiple of {size}")
        self._collective(communicator, what, stream, [(address, count * size, write) for address, count, write in memory], steps)

    def _gathered(self, communicator, mine):
        every = np.empty((communicator.mpi.size, mine.nbytes), np.uint8)
        yield [communicator.mpi.Iallgather([mine.copy(), MPI.BYTE], [every, MPI.BYTE])]
        return every

    def _told(self, communicator, what):
        card = np.frombuffer(what.encode().ljust(_CARD), np.uint8)
        every = yield from self._gathered(communicator, card)
        return [bytes(one).decode().strip() for one in every]

    def _combined(self, communicator, mine, dtype, op):
        """In an order that is not that of ranks."""
        every = yield from self._gathered(communicator, mine)
        parts = every.view(_ITEMS[dtype])[::-1]
        total = parts[0]
        with np.errstate(all="ignore"):
            for part in parts[1:]:
                total = _UFUNCS[op](total, part)
        return total.view(np.uint8)

    def _matched(self, told):
        for source, one in enumerate(told):
            for to, other in enumerate(told):
                sent, wanted = one["sends"].get(str(to), 0), other["receives"].get(str(source), 0)
                if sent != wanted:
                    raise Refused(f"rank {source} sends {sent} bytes to rank {to}, which receives {wanted}")
