"""Every conformance vector, through Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from workspace import ROOT, built

ADAPTER = Path(__file__).parent / "conformance_adapter.py"

NO_NUMBER = "what JSON cannot say is refused before a strategy sees it"
NOT_SAYABLE = {
    # Policies and items are JSON: these are refused all the same, but by the reader, and with its words.
    "extended/scoring/composite-infinite-weight-is-refused.toml": NO_NUMBER,
    "extended/scoring/composite-nan-weight-is-refused.toml": NO_NUMBER,
    "extended/scoring/kind-infinite-weight-is-refused.toml": NO_NUMBER,
    "extended/scoring/kind-nan-weight-is-refused.toml": NO_NUMBER,
    "extended/scoring/metadata-key-infinite-boost-is-refused.toml": NO_NUMBER,
    "extended/scoring/metadata-key-nan-boost-is-refused.toml": NO_NUMBER,
    "extended/scoring/metadata-trust-default-nan-is-refused.toml": NO_NUMBER,
    "extended/scoring/reflexive-non-finite-hints.toml": NO_NUMBER,
    "extended/scoring/tag-infinite-weight-is-refused.toml": NO_NUMBER,
    "extended/scoring/tag-nan-weight-is-refused.toml": NO_NUMBER,
    "extended/slicing/quota-nan-percentage-is-refused.toml": NO_NUMBER,
    "extended/slicing/rank-nan-exponent-is-refused.toml": NO_NUMBER,
    "extended/pipeline/variants-without-content-are-refused.toml": "items are read as JSON",
    # No policy can say it, so that nothing is there to refuse.
    "extended/slicing/count-quota-over-knapsack-is-refused.toml": "in a policy, count quotas over a knapsack are",
}


def test_every_vector_is_passed_but_those_that_cannot_be_said() -> None:
    engine = f'"{sys.executable}" "{ADAPTER}"'
    command = [built("cupel-conformance"), "--json", "--engine-command", engine, ROOT / "conformance"]
    done = subprocess.run(command, capture_output=True, text=True)
    vectors = {Path(it["path"]).relative_to(ROOT / "conformance").as_posix(): it for it in json.loads(done.stdout)["vectors"]}
    assert [it for it in vectors.values() if it["verdict"] == "failed"] == [] and done.returncode == 0
    assert len(vectors) >= 431
    skipped = {name: it["reason"] for name, it in vectors.items() if it["verdict"] == "skipped"}
    assert sorted(skipped) == sorted(NOT_SAYABLE)
    assert all(reason.startswith(NOT_SAYABLE[name]) for name, reason in skipped.items())
