"""What can be tried here, and over how many rows."""

from __future__ import annotations

import importlib.util
import os

ENGINES = {"spark": "pyspark", "ray": "ray", "duckdb": "duckdb", "polars": "polars"}
IS_INSTALLED = {engine: importlib.util.find_spec(package) is not None for engine, package in ENGINES.items()}
#: Whether all engines must be there.
ALL = os.environ.get("CUPEL_SCALE") == "all"
#: The modules that can be tried.
ENGINES_HERE = ["local", *(engine for engine in ("spark", "ray") if ALL or IS_INSTALLED[engine])]
#: How many rows are compared with `cupel batch`.
ROWS = int(os.environ.get("CUPEL_SCALE_ROWS", "100000"))
