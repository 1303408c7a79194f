"""What tests share."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workspace import ROOT


@pytest.fixture
def agent() -> dict[str, Any]:
    """The transcript of an agent, as it would go to OpenAI."""
    request: dict[str, Any] = json.loads((ROOT / "examples/data/library-agent.openai.json").read_text())
    return request
