"""Work that does something to whoever does it, or watches."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
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
    """Answers, and notes for each process the most memory of its own that it had then, and how much it has read."""

    folder: str = ""

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        answers = super().answer(rows, lengths)
        note = Path(self.folder) / str(os.getpid())
        most, read = map(int, note.read_text().split()) if note.exists() else (0, 0)
        # Without what is shared: Ray's workers map its store, which has a size of its own.
        memory = psutil.Process().memory_info()
        own = memory.rss - memory.shared
        note.write_text(f"{max(most, own)} {read + rows.nbytes}")
        return answers


def most_and_read(folder: Path) -> tuple[int, int]:
    """The most memory of any process, and what all of them have read."""
    notes = [note.read_text().split() for note in folder.iterdir()]
    return max(int(most) for most, _ in notes), sum(int(read) for _, read in notes)


@dataclass(frozen=True)
class Meeting(Work):
    """Answers once another process is at it as well."""

    folder: str = ""

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        (Path(self.folder) / str(os.getpid())).touch()
        last = time.monotonic() + 60
        while len(list(Path(self.folder).iterdir())) < 2:
            if time.monotonic() > last:
                raise TimeoutError("no other process has come")
            time.sleep(0.01)
        return super().answer(rows, lengths)
