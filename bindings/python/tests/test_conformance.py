"""Every conformance vector that the interface can express, through Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from workspace import ROOT, built

ADAPTER = Path(__file__).parent / "conformance_adapter.py"


def test_every_vector_that_can_be_said_is_passed() -> None:
    engine = f'"{sys.executable}" "{ADAPTER}"'
    command = [built("cupel-conformance"), "--json", "--engine-command", engine, ROOT / "conformance"]
    done = subprocess.run(command, capture_output=True, text=True)
    told = json.loads(done.stdout)
    failed = [vector for vector in told["vectors"] if vector["verdict"] == "failed"]
    assert failed == [] and done.returncode == 0
    passed = [vector for vector in told["vectors"] if vector["verdict"] == "passed"]
    assert len(passed) > 330
