"""A job on two machines, of which one is lost: `two_machines.py [power|cable|process]...`.

The machines are Linux namespaces here, each with an address, a name, a boot id and a /tmp of its own, and a cable between them; as on
Debian, each takes its own name for 127.0.1.1. What logs in to the second one is not ssh, but enters its namespaces. That machine loses its
power or its cable, or a process there is killed: it must be named within 10 s, and the job must go on when the machine is back, and end
with the weights of an undisturbed run, bit for bit.

It wants `ip` of iproute2, and to be root or to be allowed namespaces of users.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import kills

NAMES, ADDRESSES = ("a", "b"), ("10.99.0.1", "10.99.0.2")
OWN = {"a": ("--net", "--uts", "--mount"), "b": ("--net", "--uts", "--mount", "--pid")}
"""What each machine has for itself; who logs in to b from a must see its first process."""
BOOT = """
hostname $0 && mount -t sysfs machine /sys && mount -t tmpfs machine /tmp && mount -t tmpfs machine /run && ip link set lo up &&
printf '127.0.0.1 localhost\\n127.0.1.1 %s\\n' $0 > /run/hosts && mount --bind /run/hosts /etc/hosts &&
if [ $0 = b ]; then mount -t proc proc /proc; fi &&
cat /proc/sys/kernel/random/uuid > /run/boot_id && mount --bind /run/boot_id /proc/sys/kernel/random/boot_id &&
echo booted && exec sleep infinity
"""
LOGIN = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
shift
exec %s sh -c "$*"
"""
SIZE = 4
BACK_AFTER = 12.0
"""Seconds without the machine: the job has ended by then, and may have tried to start again."""


class Machine:
    """A machine that can be switched on and off.

    Args:
        number: 0 or 1.
        folder: where the number of its first process is noted.
    """

    def __init__(self, number, folder):
        self.name, self.address, self.note = NAMES[number], ADDRESSES[number], folder / NAMES[number]

    def on(self):
        words = ["unshare", *OWN[self.name], "--fork", "--kill-child", "sh", "-c", BOOT, self.name]
        self.outside = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        assert self.outside.stdout.readline() == "booted\n", "this machine gives no namespaces"
        self.first = int(Path(f"/proc/{self.outside.pid}/task/{self.outside.pid}/children").read_text())
        self.note.write_text(str(self.first))

    def off(self):
        with suppress(ProcessLookupError):
            os.kill(self.first, signal.SIGKILL)  # on b, all that runs there dies with it
        self.outside.wait()

    def words(self, *words):
        return ["nsenter", *OWN[self.name], f"--wdns={os.getcwd()}", "--target", str(self.first), *words]

    def run(self, *words):
        subprocess.run(self.words(*words), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=kills.LIMIT)


def connect(machines):
    with suppress(subprocess.CalledProcessError):
        machines[0].run("ip", "link", "delete", "lamina-a")  # where the other end may not be quite gone
    ends = [f"lamina-{machine.name}" for machine in machines]
    first, second = (("netns", str(machine.first)) for machine in machines)
    subprocess.run(["ip", "link", "add", ends[0], *first, "type", "veth", "peer", "name", ends[1], *second], check=True)
    for machine, end in zip(machines, ends, strict=True):
        machine.run("ip", "address", "replace", f"{machine.address}/32", "dev", "lo")  # which stays when the other end of the cable is gone
        machine.run("ip", "address", "add", f"{machine.address}/24", "dev", end)
        machine.run("ip", "link", "set", end, "up")


@contextmanager
def two_machines():
    with tempfile.TemporaryDirectory(dir=".") as folder:
        both = [Machine(number, Path(folder).resolve()) for number in range(2)]
        for machine in both:
            machine.on()
        connect(both)
        login = Path(folder, "login").resolve()
        login.write_text(LOGIN % " ".join(both[1].words()).replace(str(both[1].first), f"$(cat {both[1].note})"))
        login.chmod(0o755)
        os.environ |= {"HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": str(login)}
        try:
            yield both
        finally:
            for machine in both:
                machine.off()


def lose(how, b, pid):
    """Have the second machine lost, and return who is to be named."""
    if how == "process":
        b.run("kill", "-9", str(pid))
        return rf"RankLost: .*\(process {pid} on b\)"
    b.run("ip", "link", "set", "lamina-b", "down")  # first: what dies on the other side of a cable says nothing
    if how == "power":
        b.off()
    return r"RankLost: .*\(process \d+ on b\)"


def disturbed(how, machines, expected, options):
    """A job that loses something on its way: returns after how many seconds it was named, and what was said."""
    a, b = machines
    with tempfile.TemporaryDirectory(dir=".") as folder:
        job = kills.Job(Path(folder), SIZE, *options, on=a.words())
        began = monotonic()
        while not Path(folder, "checkpoint.pt").exists() and job.process.poll() is None and monotonic() - began < kills.LIMIT:
            sleep(0.05)
        sleep(0.3)
        at = monotonic()
        wanted = lose(how, b, job.pid(SIZE - 1))
        while how != "process" and monotonic() - at < BACK_AFTER:
            sleep(0.1)
        if how == "cable":
            b.run("ip", "link", "set", "lamina-b", "up")
        if how == "power":
            b.on()
            connect(machines)
        status = job.end()
        named = [(when - at, line.strip()) for when, line in job.lines if when > at and re.search(wanted, line)]
        assert status == 0 and named, f"status {status}:\n{job.text()}"
        assert Path(folder, "weights").read_bytes() == expected, "other weights than those of an undisturbed run"
        return named[0]


def main(*words):
    ways = words or ("process", "cable", "power")
    expected = kills.undisturbed(SIZE)  # on one machine
    with two_machines() as machines:
        options = "--hosts", ",".join(ADDRESSES)
        for how in ways:
            seconds, line = disturbed(how, machines, expected, options)
            print(f"{how}: named after {seconds:.1f} s, weights equal: {line}", flush=True)
            assert seconds < kills.NAMED_WITHIN


if __name__ == "__main__":
    if os.geteuid():
        os.execvp("unshare", ["unshare", "--user", "--map-root-user", sys.executable, *sys.argv])
    main(*sys.argv[1:])
