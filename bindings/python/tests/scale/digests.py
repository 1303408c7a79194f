"""Answers as digests, so that a million of them can be compared."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable


def of_line(line: str, number: int) -> str:
    """The digest of an answer of `cupel batch` to the line ``number``, counted from 1.

    An error names its line; an engine does not know which line a row was, and says 1.
    """
    if line.startswith('{"error"') or '"error":{"code"' in line:
        error = json.loads(line).get("error")
        if error is not None:
            told = re.sub(rf"\bline {number}\b", "line 1", error["message"])
            line = f"{error['code']}: {told}"
    return hashlib.sha256(line.encode()).hexdigest()


def of_lines(lines: Iterable[str]) -> list[str]:
    return [of_line(line.rstrip("\n"), number) for number, line in enumerate(lines, 1)]


def of_response(response: str) -> str:
    return of_line(response, 1)
