"""The same policies on engines for many rows: one small module for each.

| you have | look at |
|---|---|
| a DataFrame of Apache Spark | :mod:`cupel_context.scale.spark` |
| a Dataset of Ray | :mod:`cupel_context.scale.ray` |
| a relation of DuckDB, a frame of Polars, a table of Arrow | :mod:`cupel_context.scale.local` |

Each has ``respond`` for rows that are requests, ``fit`` for rows that are conversations, ``select`` for rows that are
items of a key, ``compare`` for policies side by side, ``evaluate`` for questions with evidence and ``replay`` for
transcripts, all described in :mod:`cupel_context.scale.engine`. What becomes of a row is the same everywhere, and the
same as what the command says on one machine; partitions, retries and shuffles are the engine's.

An engine is imported only with its own module, and a missing one is an ``ImportError`` that names the package to
install.
"""

try:
    import pyarrow  # noqa: F401
except ImportError as error:
    raise ImportError("cupel_context.scale needs Arrow: pip install pyarrow", name="pyarrow") from error
