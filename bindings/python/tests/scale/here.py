"""What can be tried here, and over how many rows."""

from __future__ import annotations

import importlib.util
import os

_PACKAGES = {"local": ("pyarrow", "duckdb", "polars"), "spark": ("pyspark", "psutil"), "ray": ("ray", "psutil")}


def _is_here(engine: str) -> bool:
    return all(importlib.util.find_spec(package) for package in _PACKAGES[engine])


#: The engines that are tried: those that must be, or else those that are installed.
ENGINES_HERE = os.environ.get("CUPEL_SCALE", "").split() or [engine for engine in _PACKAGES if _is_here(engine)]
#: How many rows are compared with `cupel batch`.
ROWS = int(os.environ.get("CUPEL_SCALE_ROWS", "100000"))
#: How many wide rows a partition has whose worker is watched: 256 MB of them, or 640 MB in the full size.
WIDE_ROWS = 40_000 if ROWS >= 1_000_000 else 16_000
