"""Work that does something to whoever does it, or watches."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import psutil
import pyarrow as pa

from cupel_context.scale.responding import Work


@dataclass(frozen=True)
class Dying(Work):
    """Answers, until a row has this text; then its process is killed, or the executor that the process belongs to."""

    text: str = ""
    mark: str = ""
    executor: bool = False

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        answers = super().answer(rows, lengths)
        if self.text in pa.chunked_array([rows]).to_pylist() and not Path(self.mark).exists():
            Path(self.mark).write_text(str(os.getpid()))
            whom = psutil.Process()
            if self.executor:
                whom = next(parent for parent in whom.parents() if parent.name() == "java")
            whom.send_signal(signal.SIGKILL)
        return answers


@dataclass(frozen=True)
class Watched(Work):
    """Answers, and notes of each process when it did, the most memory of its own that it had, and what it has read."""

    folder: str = ""

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        begun = time.time()
        answers = super().answer(rows, lengths)
        # Without what is shared: Ray's workers map its store, which has a size of its own.
        memory = psutil.Process().memory_info()
        with (Path(self.folder) / str(os.getpid())).open("a") as note:
            print(begun, time.time(), memory.rss - memory.shared, rows.nbytes, file=note)
        return answers


def _notes(folder: Path) -> Iterator[tuple[float, float, int, int]]:
    for note in folder.iterdir():
        for line in note.read_text().splitlines():
            begun, ended, memory, read = line.split()
            yield float(begun), float(ended), int(memory), int(read)


def most_and_read(folder: Path) -> tuple[int, int]:
    """The most memory of any process, and what all of them have read."""
    notes = list(_notes(folder))
    return max(memory for _, _, memory, _ in notes), sum(read for _, _, _, read in notes)


def at_once(folder: Path) -> int:
    """How many processes answered at the same time, at the most."""
    changes = [(time, change) for begun, ended, _, _ in _notes(folder) for time, change in ((begun, 1), (ended, -1))]
    return max(accumulate(change for _, change in sorted(changes)))
