"""A place on a Ray cluster for each process, and one who starts what is to run on each machine."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import ray
from ray.util.placement_group import placement_group, placement_group_table, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

__all__ = ["Machine", "machines"]

_PATIENCE: Final = 5.0
"""Seconds of waiting for free CPUs after which it is told."""
_STARTS: Final = 3
"""How often a cluster of this machine is started: Ray gives its parts 30 s, which a busy machine may not keep."""


class Machine(NamedTuple):
    """A machine of the cluster, where some of the processes are to run.

    Attributes:
        address: its address, by which others reach it.
        processes: how many of them.
        agent: Ray's handle of a `_Agent` there.
    """

    address: str
    processes: int
    agent: Any


class _Agent:
    """What Ray runs on each machine; with it goes what it has started."""

    def run(self, words: Sequence[str]) -> tuple[int, str]:
        """Run a command, and return its status and what it printed."""
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout.strip()


@contextmanager
def machines(address: str, size: int) -> Iterator[list[Machine]]:
    """Hold a CPU for each process, on as few machines as will do, in a `with` block. It waits until that many are free.

    Args:
        address: of a cluster that this machine is a part of; "local" starts one of this machine, which ends with the block.
        size: how many processes.

    Yields:
        The machines.

    Raises:
        OSError: there is no such cluster.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == "local":
        own: dict[str, Any] = {"num_cpus": max(size, os.cpu_count() or 1), "include_dashboard": False}
    else:
        own = {}
        _check(address)
    _start(address, own)
    try:
        group = placement_group([{"CPU": 1}] * size, strategy="PACK")
        try:
            _wait_for(group, size)
            yield _chosen(group)
        finally:
            remove_placement_group(group)  # which ends its agents
    finally:
        ray.shutdown()


def _start(address: str, own: dict[str, Any]) -> None:
    """Connect; a cluster of this machine that does not come in time is started again."""
    for start in range(1, _STARTS + 1):
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
            return
        except Exception as failure:  # Ray's own has no other class
            if address != "local" or "timed out" not in str(failure):
                raise
            if start == _STARTS:
                raise ConnectionError(f"{failure} It was started {start} times") from None
            print("lamina launch: Ray did not start within its 30 s, and is started again", file=sys.stderr, flush=True)
            ray.shutdown()


def _check(address: str) -> None:
    """Connect and leave: where nobody listens, Ray would go on trying for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ConnectionError("an address is such as 10.0.0.1:6379, or local")
    socket.create_connection((host, int(port)), timeout=10).close()


def _wait_for(group: Any, size: int) -> None:
    ready = group.ready()
    if not ray.wait([ready], timeout=_PATIENCE)[0]:
        has, free = (int(resources.get("CPU", 0)) for resources in (ray.cluster_resources(), ray.available_resources()))
        print(f"lamina launch: waiting for {size} free CPUs; the cluster has {has}, {free} are free", file=sys.stderr, flush=True)
    ray.get(ready)


def _chosen(group: Any) -> list[Machine]:
    addresses = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes()}
    bundles: dict[str, list[int]] = {}
    for bundle, node in sorted(placement_group_table(group)["bundles_to_node_id"].items()):
        bundles.setdefault(addresses[node], []).append(bundle)
    return [Machine(address, len(held), _agent(group, held[0])) for address, held in bundles.items()]


def _agent(group: Any, bundle: int) -> Any:
    strategy = PlacementGroupSchedulingStrategy(group, bundle)
    agent: Any = ray.remote(_Agent)
    return agent.options(num_cpus=1, scheduling_strategy=strategy).remote()
