"""Where the repository is, and what is built of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def built(name: str) -> Path:
    """A program of the workspace; the test is skipped where it is not built."""
    for profile in ("debug", "release"):
        program = TARGET / profile / (name + (".exe" if os.name == "nt" else ""))
        if program.exists():
            return program
    pytest.skip(f"{name} is not built; ./test builds it, and so does: cargo build --workspace")
