"""The command, token counts, validation, and documentation that runs."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cupel_context
from cupel_context import _native, count_tokens, errors, respond, validate

from workspace import ROOT, built


def documented() -> dict[str, str]:
    """What has an example: functions, classes, and methods of these."""
    public = {name: getattr(_native, name) for name in dir(_native)}
    methods = {f"{name}.{each}": getattr(it, each) for name, it in public.items() if isinstance(it, type) for each in vars(it)}
    docstrings = {name: it.__doc__ or "" for name, it in (public | methods).items()}
    return {name: text for name, text in docstrings.items() if ">>>" in text}


@pytest.mark.parametrize("name", documented())
def test_examples_in_docstrings_run(name: str) -> None:
    text = documented()[name]
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("module", [cupel_context, errors])
def test_examples_in_modules_run(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "bindings/python/README.md"])
def test_examples_in_pages_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted > 3 and result.failed == 0


def test_everything_public_is_documented() -> None:
    for name in cupel_context.__all__:
        assert getattr(cupel_context, name).__doc__, name


def test_stubs_say_what_there_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "cupel_context._native", "cupel_context.errors"]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_our_own_python_is_typed() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=ROOT / "bindings/python", capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["presets"],
        ["explain", "examples/data/library-agent.openai.json", "--budget", "3600", "--output-reserve", "500"],
        ["select", "examples/data/rag-candidates.json", "--budget", "900"],
        ["select", "examples/data/rag-candidates.json"],
        ["select", "nowhere.json", "--budget", "1"],
        ["frobnicate"],
    ],
)
def test_the_module_is_the_command(arguments: list[str]) -> None:
    def run(*command: Any) -> tuple[int, str, str]:
        done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    assert run(sys.executable, "-m", "cupel_context") == run(built("cupel"))


def test_tokens_are_counted_as_the_command_does(agent: dict[str, Any]) -> None:
    path = ROOT / "examples/data/library-agent.openai.json"
    told = subprocess.run([built("cupel"), "count", path, "--json"], check=True, capture_output=True, text=True)
    assert f'"total": {count_tokens(agent)}' in told.stdout or f'"total":{count_tokens(agent)}' in told.stdout
    assert count_tokens("hello world") == 2
    assert count_tokens("") == 0


def test_validation_says_what_a_provider_would(agent: dict[str, Any]) -> None:
    assert [problem for problem in validate(agent) if problem.severity == "invalid"] == []
    del agent["messages"][3]
    problems = validate(agent)
    assert problems and problems[0].path.startswith("$.messages[") and problems[0].provider_says


def test_a_dict_is_answered_with_a_dict_bytes_with_bytes() -> None:
    request = {"id": "r", "items": [{"content": "a", "tokens": 1}], "budget": {"maxTokens": 9}, "policy": "chat"}
    text = json.dumps(request)
    answer = respond(text)
    assert respond(request) == json.loads(answer)
    assert respond(text.encode()) == answer.encode()
    assert respond(b"\xff").startswith(b'{"error"')
