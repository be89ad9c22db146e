"""A job whose processes are killed, stopped or run out of memory at random: `kills.py COUNT [PROCESSES] [SEED] [options of lamina launch]`.

Each time the culprit must be named within 10 s by another process or by `lamina launch`, the job must go on from its last checkpoint,
and end with the weights of an undisturbed run, bit for bit.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic, sleep

PROGRAM = Path(__file__).parent / "survivor.py"
LIMIT = 180
NAMED_WITHIN = 10.0
WAYS = {signal.SIGKILL: "killed", signal.SIGSTOP: "stopped", signal.SIGUSR2: "out of memory"}


class Job:
    """A job, and the lines that it has printed, each with its time."""

    def __init__(self, folder, size, *options, on=()):
        self.folder = folder
        words = [*on, sys.executable, "-m", "lamina", "launch", "-n", str(size), "--restarts", "2", *options, str(PROGRAM), str(folder)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []
        self.reading = threading.Thread(target=self._read)
        self.reading.start()

    def _read(self):
        with self.process.stdout as stream:
            for line in stream:
                self.lines.append((monotonic(), line))

    def end(self):
        try:
            status = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            raise AssertionError(f"the job hangs:\n{self.text()}") from None
        self.reading.join(5)
        return status

    def text(self):
        return "".join(line for _, line in self.lines)

    def pid(self, rank):
        path = self.folder / f"pid-{rank}"
        return int(path.read_text() or 0) if path.exists() else 0


def undisturbed(size, *options):
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder), size, *options)
        assert job.end() == 0, job.text()
        return (Path(folder) / "weights").read_bytes()


def disturbed(size, chance, expected, *options, ways=(*WAYS,)):
    """One kill: returns what was done, and after how many seconds the culprit was named (None if the job had ended before)."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder), size, *options)
        rank, how = chance.randrange(size), chance.choice(ways)
        began = monotonic()
        while not job.pid(rank) and job.process.poll() is None and monotonic() - began < LIMIT:
            sleep(0.02)
        sleep(chance.random() * 3.0)
        pid = job.pid(rank)
        assert pid, f"rank {rank} has not begun:\n{job.text()}"
        at = monotonic()
        over = (Path(folder) / "weights").exists()
        try:
            os.kill(pid, how)
        except ProcessLookupError:
            over = True
        status = job.end()
        assert status == 0, job.text()
        assert (Path(folder) / "weights").read_bytes() == expected, "other weights than those of an undisturbed run"
        named = [when - at for when, line in job.lines if re.search(rf"rank {rank} \(process {pid}\b", line)]
        assert named or over, f"rank {rank}, process {pid}, is not named:\n{job.text()}"
        return rank, WAYS[how], round(named[0], 1) if named else None


def main(count, size=2, seed=0, *options):
    chance = random.Random(seed)
    expected = undisturbed(size, *options)
    found = []
    for i in range(count):
        found.append(disturbed(size, chance, expected, *options))
        print(i + 1, *found[-1], flush=True)
    times = [seconds for *_, seconds in found if seconds is not None]
    print(f"{count} kills, {len(times)} before the end; named after {max(times, default=0)} s at most; no hang, all weights equal")
    assert all(seconds < NAMED_WITHIN for seconds in times), times


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]), *sys.argv[4:])
