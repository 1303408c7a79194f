"""Adapters whose framework is not installed are not tested, unless CUPEL_ADAPTERS=all says that all
must be."""

import importlib.util
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# Nothing here talks to the network; two of the frameworks would report home.
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

FRAMEWORKS = {
    "test_langchain.py": "langchain",
    "test_llama_index.py": "llama_index",
    "test_openai_agents.py": "agents",
    "test_pydantic_ai.py": "pydantic_ai",
    "test_agent_framework.py": "agent_framework",
    "test_google_adk.py": "google.adk",
    "test_haystack.py": "haystack",
    "test_strands.py": "strands",
}


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


collect_ignore: list[str] = []
if os.environ.get("CUPEL_ADAPTERS") != "all":
    collect_ignore = [file for file, module in FRAMEWORKS.items() if not _is_installed(module)]
    if collect_ignore:
        collect_ignore += ["test_docs.py", "test_images.py"]
