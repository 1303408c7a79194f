"""Importing an adapter without its framework; and the package without any."""

import subprocess
import sys

import pytest

PACKAGES = {
    "langchain": ("langchain", "langchain"),
    "llama_index": ("llama_index", "llama-index-core"),
    "openai_agents": ("agents", "openai-agents"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai-slim"),
    "agent_framework": ("agent_framework", "agent-framework-core"),
    "google_adk": ("google.adk", "google-adk"),
    "haystack": ("haystack", "haystack-ai"),
    "strands": ("strands", "strands-agents"),
}

WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if any(name == it or name.startswith(it + ".") for it in sys.argv[2:]):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
__import__(sys.argv[1])
"""


def importing(module: str, *, without: list[str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", WITHOUT, module, *without]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("adapter", PACKAGES)
def test_a_missing_framework_is_named_with_its_package(adapter: str) -> None:
    module, package = PACKAGES[adapter]
    done = importing(f"cupel_context.adapters.{adapter}", without=[module])
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: this adapter needs {package}")
    assert f"pip install {package} " in last


def test_the_package_needs_no_framework() -> None:
    modules = [module for module, _ in PACKAGES.values()]
    assert (
        importing("cupel_context.adapters", without=[*modules, "typing_extensions"]).returncode == 0
    )
