"""What a step of training costs in each scheme: a model of messages, of bytes that are sent and added up, and of who waits for whom.

A message of n bytes takes `latency + n / bandwidth`, adding up n bytes takes `n / sums`. With p processes

    reduce to shares   (p - 1) * latency + (p-1)/p * n / bandwidth + (p-1)/p * n / sums
    gather             log2(p) * latency + (p-1)/p * n / bandwidth
    broadcast          log2(p) * latency + min(log2(p), 2 (p-1)/p) * n / bandwidth

as each process sends a share to each other one, and gathers in doubling steps. Of these, of messages and of the order of passes of a
pipeline all schemes are made. `overlap` is the part of an exchange that goes on while kernels run, where there is something to compute
beside it: 0 where the processes' own cores copy, as on one machine, 1 where a network card does.
"""

from math import ceil, log2
from typing import NamedTuple

from lamina_nn.sharding.pipelining.passes import passes

BUCKET = 25 << 20
SHARED = ("layers in parts", "slices of texts", "data parallel, one batch")
"""Where the work of one batch is shared out; elsewhere each process has a batch of its own."""
SCHEMES = ("data parallel", "ZeRO-1", "ZeRO-2", "ZeRO-3", *SHARED)
SCHEDULES = ("GPipe", "1F1B", "LoopedBFS", "Interleaved1F1B")
"""The first two have one stage in each process, the others several."""


class Machine(NamedTuple):
    """Seconds for a message, bytes a second sent and added up, and which part of an exchange goes beside kernels."""

    latency: float
    bandwidth: float
    sums: float
    overlap: float


class Work(NamedTuple):
    """What one process would do alone: seconds of a step, and the part of it that is backward; bytes of parameters, and how many tensors
    these are; bytes of what a block gives, and how many blocks there are."""

    compute: float
    backward: float
    parameters: float
    tensors: int
    activations: float
    blocks: int


class Exchange(NamedTuple):
    """Seconds of a step that are exchanged for, and how many of them may go beside kernels."""

    whole: float
    beside: float = 0.0


def message(n, machine):
    return machine.latency + n / machine.bandwidth


def reduced(p, n, machine):
    share = (p - 1) / p * n
    return (p - 1) * machine.latency + share / machine.bandwidth + share / machine.sums


def gathered(p, n, machine):
    return log2(p) * machine.latency + (p - 1) / p * n / machine.bandwidth


def summed(p, n, machine):
    return reduced(p, n, machine) + gathered(p, n, machine)


def broadcast(p, n, machine):
    return log2(p) * machine.latency + min(log2(p), 2 * (p - 1) / p) * n / machine.bandwidth


def exchange(scheme, p, work, machine):
    """What a step of p processes exchanges."""
    each = work.parameters / work.tensors
    one_gathered, one_reduced = gathered(p, each, machine), reduced(p, each, machine)
    if scheme.startswith("data parallel"):
        buckets = ceil(work.parameters / BUCKET)
        bucket = work.parameters / buckets
        one = summed(p, bucket, machine)
        return Exchange(buckets * one, (buckets - 1) * one)  # all but the last, beside the backward pass
    if scheme == "ZeRO-1":
        gradients = exchange("data parallel", p, work, machine)
        return Exchange(gradients.whole + work.tensors * broadcast(p, each, machine), gradients.beside)
    if scheme in ("ZeRO-2", "ZeRO-3"):
        passes_that_gather = 1 if scheme == "ZeRO-2" else 2
        gathers = passes_that_gather * work.tensors * one_gathered
        first = passes_that_gather * work.tensors / work.blocks * one_gathered  # nothing is computed before
        return Exchange(gathers + work.tensors * one_reduced, gathers - first)
    if scheme == "layers in parts":  # with slices of the sequence between, the two halves of each lie apart
        return Exchange(4 * work.blocks * summed(p, work.activations, machine))
    ring = slices(p, work.blocks, work.activations, machine)
    gradients = exchange("data parallel", p, work, machine)
    return Exchange(ring.whole + gradients.whole, ring.beside + gradients.beside)


def slices(p, blocks, keys, machine):
    """What attention over slices of texts exchanges, for `keys` bytes of keys, and as many of values, in each of some blocks: both go round
    forward and back; their gradients go round once more, home, and wait for the block that they are added to."""
    one = 2 * message(keys / p, machine)
    return Exchange(blocks * (2 * (p - 1) + p) * one, blocks * 2 * (p - 1) * one)


def step(scheme, p, work, machine):
    """Seconds of a step of p processes."""
    if p == 1:
        return work.compute
    compute = work.compute / p if scheme in SHARED else work.compute
    exchanged = exchange(scheme, p, work, machine)
    goes_beside = work.backward if scheme in ("data parallel", "ZeRO-1", "data parallel, one batch") else 1
    return compute + exchanged.whole - machine.overlap * min(exchanged.beside, compute * goes_beside)


def efficiency(scheme, p, work, machine):
    """Which part of the processes' time is spent computing."""
    return work.compute / (p if scheme in SHARED else 1) / step(scheme, p, work, machine)


# -- pipelines -------------------------------------------------------------------------------------------------------------------


def order(schedule, rank, p, held, count):
    """The passes of a process, as the schedule itself has them, with `held` stages in each."""
    if schedule in ("GPipe", "LoopedBFS"):
        in_a_round, ahead = count, count * held
    elif schedule == "1F1B":
        in_a_round, ahead = count, p - 1 - rank
    else:
        in_a_round = count // max(1, count // p)
        ahead = (held - 1) * in_a_round + 2 * (p - 1 - rank)
    return passes(rank, p, p * held, count, in_a_round, ahead)


def kept(schedule, p, held, count):
    """Of how many micro-batches, in one stage each, the first process keeps what the backward pass wants, at most."""
    now = most = 0
    for each in order(schedule, 0, p, held, count):
        now += 1 if each.kind == "forward" else -1
        most = max(most, now)
    return most


def pipelined(schedule, p, held, count, forward, backward, sent, machine):
    """Seconds of a batch: all processes' passes are played, each when its process is free and what it begins with has come.

    Args:
        p, held, count: processes, stages in each, and micro-batches.
        forward, backward: seconds of one pass of a micro-batch through one stage.
        sent: bytes that go from stage to stage.
    """
    orders = [order(schedule, rank, p, held, count) for rank in range(p)]
    last = p * held - 1
    there, back = machine.latency + message(sent, machine), message(sent, machine)  # activations come behind a length
    done, free, at = {}, [0.0] * p, [0] * p
    waiting, ready = {}, list(range(p))
    while ready:
        rank = ready.pop()
        while at[rank] < len(orders[rank]):
            kind, stage, chunk = each = orders[rank][at[rank]]
            if kind == "forward":
                source, time, moved = (kind, stage - 1, chunk) if stage else None, forward, there
            else:
                source, time, moved = (kind, stage + 1, chunk) if stage < last else None, backward, back
            begins = free[rank]
            if source is not None and p > 1:
                if source not in done:
                    waiting[source] = rank
                    break
                time += (1 - machine.overlap) * moved  # in which this process moves bytes itself
                begins = max(begins, done[source] + machine.overlap * moved)
            free[rank] = done[tuple(each)] = begins + time
            at[rank] += 1
            if tuple(each) in waiting:
                ready.append(waiting.pop(tuple(each)))
    return max(free)
