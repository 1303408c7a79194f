"""What the adapters share: a framework's messages as OpenAI chat messages, cut, and back again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict, TypeVar

from cupel_context import BudgetTooSmall, fit

if TYPE_CHECKING:
    from cupel_context import Fit, Policy, Report

M = TypeVar("M")
Chat = dict[str, Any]
"""A message of the OpenAI chat format."""


_OPENAI = re.compile(r"(^|[/:])(gpt|chatgpt|o\d)\b")


class FitOptions(TypedDict, total=False):
    """What every adapter hands on to :func:`cupel_context.fit`.

    Adapters differ from it in two defaults, since they serve agents and cannot see whom the
    framework talks to: finished tool rounds of the current turn may go
    (``current_turn="rounds"``), and whole turns are in or out (``granularity="turn"``), which
    every provider takes, unless the model's name is one of OpenAI's, which takes single rounds.
    """

    model: str
    policy: str | dict[str, Any] | Policy
    query: str
    output_reserve: int
    keep_first: int
    keep_last: int
    pin: str | list[str]
    shorten: bool
    granularity: str
    current_turn: str


class Translation(Protocol[M]):
    """How one framework spells messages."""

    def to_chat(self, message: M) -> list[Chat]:
        """The message in the OpenAI chat format: one, or one for each tool result and one for the rest."""
        ...

    def rebuild(self, message: M, sent: Sequence[Chat | None]) -> M:
        """A copy of the message with what is left of :meth:`to_chat`: ``None`` is gone, another text is
        shorter."""
        ...

    def without_thinking(self, message: M) -> M:
        """The message without what the model thought; the very same object where it has none."""
        ...


@dataclass(frozen=True)
class Fitted(Generic[M]):
    """A history that was cut: what is sent, and of every message why."""

    after: list[M | None]
    """For every message that came in what became of it: itself, a shorter copy, or nothing."""
    fit: Fit
    """The result of :func:`cupel_context.fit`, over the OpenAI form of the history."""
    places: list[list[int]]
    """For every message that came in, the places of its OpenAI form in the report."""

    @property
    def messages(self) -> list[M]:
        """What goes to the model: the framework's own messages."""
        return [message for message in self.after if message is not None]

    @property
    def report(self) -> Report:
        """Why each message is in or out."""
        return self.fit.report

    def rows(self) -> list[dict[str, Any]]:
        """The report as flat rows, one for each message or part of one that was judged by itself.

        ``message`` is the index of the framework's message, ``None`` for the system prompt.
        """
        messages_at: dict[int, list[int | None]] = {}
        for message, places in enumerate(self.places):
            for place in places:
                messages_at.setdefault(place, []).append(message)
        return [
            {**row, "message": message}
            for row in self.report.rows()
            for message in messages_at.get(row["index"], [None])
        ]

    def reasons(self) -> list[str]:
        """For every message that came in, one sentence."""
        rows = self.report.rows()
        return [
            "; ".join(dict.fromkeys(rows[place]["why"] for place in places))
            for places in self.places
        ]


OnFit = Callable[[Fitted[Any]], object]


def fit_messages(
    messages: Sequence[M],
    budget: int,
    translation: Translation[M],
    options: FitOptions,
    *,
    system: str | None = None,
    tools: Sequence[dict[str, Any]] = (),
    model: str | None = None,
) -> Fitted[M]:
    """Cuts a framework's history to the budget; ``system`` and ``tools`` are counted and stay.

    ``model`` is what the framework calls its model; the option of that name has precedence.
    """
    chat: list[Chat] = [{"role": "system", "content": system}] if system else []
    places = _lay_out(messages, translation, chat)
    request: dict[str, Any] = {"messages": chat}
    if tools:
        request["tools"] = list(tools)
    if model:
        # In the request it may be a name that nobody knows, such as a deployment's.
        request["model"] = model
    name = options.get("model") or model or ""
    granularity = "unit" if _OPENAI.search(name) else "turn"
    settings: dict[str, Any] = {"granularity": granularity, "current_turn": "rounds", **options}
    # An answer made up for an interrupted call would be a message that the framework never saw.
    result = fit(request, budget, provider="openai-chat", dangling="drop", **settings)
    now = sent(chat, result)
    after: list[M | None] = []
    changed = False
    bound_thinking = "claude" in name.lower()
    for message, at in zip(messages, places, strict=True):
        left = [now[place] for place in at]
        if all(now[place] is chat[place] for place in at):
            # Newer Claude models refuse thinking when anything before it has changed.
            after.append(
                translation.without_thinking(message) if changed and bound_thinking else message
            )
            continue
        changed = True
        after.append(translation.rebuild(message, left) if any(left) else None)
    return Fitted(after, result, places)


def fit_measured(
    limit: int,
    measure: Callable[[list[M]], int],
    cut: Callable[[int], Fitted[M]],
) -> tuple[Fitted[M], int]:
    """The longest history that is within ``limit`` by the framework's own count, and that count.

    Cupel's count and the framework's differ, so the budget that gives it is searched for. Where
    nothing that may be sent is within the limit, it is the shortest.
    """
    low, high, top = 0, max(limit, 1), False
    best: tuple[Fitted[M], int] | None = None
    shortest: tuple[Fitted[M], int] | None = None
    # Doubles until it is too much or all of it is in, then halves the range.
    while not top or high - low > max(1, low // 50):
        budget = (low + high) // 2 if top else high
        try:
            fitted = cut(budget)
        except BudgetTooSmall as error:
            # It says what must stay; less than that never works.
            low = budget if top else max(budget, int(error.value) - 1)
            high = high if top else low + 1
            continue
        count = measure(fitted.messages)
        if shortest is None or count < shortest[1]:
            shortest = fitted, count
        if count > limit:
            high, top = budget, True
            continue
        if best is None or count >= best[1]:
            best = fitted, count
        if fitted.fit.unchanged:
            break
        low, high = (budget, high) if top else (budget, budget * 2)
    found = best or shortest
    assert found is not None, "the loop ends after a budget that was large enough"
    return found


def call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    """A tool call as the OpenAI chat format has it; arguments that are not text yet become JSON."""
    text = (
        arguments
        if isinstance(arguments, str)
        else as_json(arguments if arguments is not None else {})
    )
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def tool(name: str, description: str | None, parameters: Any) -> dict[str, Any]:
    """A tool definition as the OpenAI chat format has it."""
    function = {"name": name, "description": description or "", "parameters": parameters or {}}
    return {"type": "function", "function": function}


def assistant(text: str | None, calls: list[dict[str, Any]], thinking: str = "") -> Chat:
    """What the model said."""
    message: Chat = {"role": "assistant", "content": text or (None if calls else "")}
    if calls:
        message["tool_calls"] = calls
    if thinking:
        message["reasoning_content"] = thinking
    return message


def result(call_id: str, text: str) -> Chat:
    """What a tool answered."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def image(url: str) -> dict[str, Any]:
    """An image as a part of a user message: a link, or ``data:``."""
    return {"type": "image_url", "image_url": {"url": url}}


def user(parts: list[dict[str, Any]]) -> Chat:
    """What the user said: texts, images and other parts."""
    if len(parts) == 1 and parts[0]["type"] == "text":
        return {"role": "user", "content": parts[0]["text"]}
    return {"role": "user", "content": parts}


class Ids:
    """Ids for calls and results that have none: a result answers the first open call of its name."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []
        self._made = 0

    def of_call(self, name: str, given: str | None) -> str:
        """The id of a call."""
        if given:
            return given
        self._made += 1
        made = f"call-{self._made}"
        self._open.append((name, made))
        return made

    def of_result(self, name: str, given: str | None) -> str:
        """The id of the call that a result answers."""
        if given:
            return given
        for at, (called, made) in enumerate(self._open):
            if called == name:
                del self._open[at]
                return made
        return "unknown"


def as_json(value: Any) -> str:
    """The value as JSON, and what JSON cannot say as its text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def missing(package: str, error: ImportError) -> ImportError:
    """The error of an adapter whose framework is not installed."""
    return ImportError(
        f"this adapter needs {package}, install it with: pip install {package} ({error})"
    )


def _lay_out(
    messages: Iterable[M], translation: Translation[M], chat: list[Chat]
) -> list[list[int]]:
    """Appends the OpenAI form of the messages to ``chat``; says at which places each of them is.

    A message of thoughts alone belongs to what the model says next: they are one message in
    ``chat``.
    """
    places: list[list[int]] = []
    thoughts: list[str] = []
    for message in messages:
        forms = translation.to_chat(message)
        if _is_thought(forms):
            places.append([len(chat)])
            thoughts.append(forms[0]["reasoning_content"])
            continue
        if thoughts and forms[0]["role"] == "assistant":
            thought = "\n".join([*thoughts, forms[0].get("reasoning_content", "")])
            forms = [{**forms[0], "reasoning_content": thought}, *forms[1:]]
        elif thoughts:
            chat.append(
                {"role": "assistant", "content": "", "reasoning_content": "\n".join(thoughts)}
            )
        thoughts = []
        places.append(list(range(len(chat), len(chat) + len(forms))))
        chat.extend(forms)
    if thoughts:
        chat.append({"role": "assistant", "content": "", "reasoning_content": "\n".join(thoughts)})
    return places


def _is_thought(forms: list[Chat]) -> bool:
    only = forms[0] if len(forms) == 1 else {}
    return "reasoning_content" in only and not only.get("content") and not only.get("tool_calls")


def sent(messages: Sequence[Any], result: Fit) -> list[Any]:
    """What became of every message: itself, a shorter one, or ``None``."""
    became: list[Any] = [None] * len(messages)
    out = iter(result.messages)
    for row in result.report.rows():
        if row["outcome"] in ("kept", "shortened"):
            was, now = messages[row["index"]], next(out)
            # Our own key is not sent, and without it the message is still the same.
            own = {key: value for key, value in was.items() if key != "cupel"}
            became[row["index"]] = was if now is was or now == own else now
    return became
