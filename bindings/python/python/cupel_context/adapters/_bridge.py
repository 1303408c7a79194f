"""What the adapters share: a framework's messages as OpenAI chat messages, cut, and back again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict, TypeVar

from cupel_context import BudgetTooSmall, Session, fit

from ._chat import Chat

if TYPE_CHECKING:
    from cupel_context import Fit, Policy, Report, Turn, TurnReport

M = TypeVar("M")
_NO_LIMIT = 1 << 40
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
        """The message in the OpenAI chat format; each tool result in it is one of its own."""
        ...

    def rebuild(self, message: M, sent: Sequence[Chat | None]) -> M:
        """A copy with what is left of :meth:`to_chat`; ``None`` is gone, a new text is shorter."""
        ...

    def without_thinking(self, message: M) -> M:
        """The message without what the model thought; the very same object where it has none."""
        ...


@dataclass(frozen=True)
class Fitted(Generic[M]):
    """A history that was cut: what is sent, and of every message why."""

    after: list[M | None]
    """For every message that came in what became of it: itself, a shorter copy, or nothing."""
    fit: Fit | Turn
    """The result of :func:`cupel_context.fit`, over the OpenAI form of the history; of an adapter that
    keeps a session, of :meth:`cupel_context.Session.next`."""
    places: list[list[int]]
    """For every message that came in, the places of its OpenAI form in the report."""

    @property
    def messages(self) -> list[M]:
        """What goes to the model: the framework's own messages."""
        return [message for message in self.after if message is not None]

    @property
    def report(self) -> Report | TurnReport:
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


class Conversation:
    """Takes the place of :func:`cupel_context.fit` for an adapter that serves one conversation.

    What it sends begins with what it sent before, so that the provider's prompt cache reads it, and
    is cut rarely and then deep.
    """

    def __init__(self) -> None:
        self._session: Session | None = None

    def __call__(self, request: dict[str, Any], budget: int, **settings: Any) -> Turn:
        """The next turn; the session starts with the settings of the first."""
        if self._session is None:
            self._session = Session(budget, **settings)
        return self._session.next(request)


Cut = Callable[..., "Fit | Turn"]


def fit_messages(
    messages: Sequence[M],
    budget: int,
    translation: Translation[M],
    options: FitOptions,
    *,
    system: str | None = None,
    tools: Sequence[dict[str, Any]] = (),
    model: str | None = None,
    cut: Cut = fit,
) -> Fitted[M]:
    """Cuts a framework's history to the budget; ``system`` and ``tools`` are counted and stay.

    ``model`` is what the framework calls its model; the option of that name has precedence. ``cut``
    is ``fit``, or a :class:`Conversation`.
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
    result = cut(request, budget, provider="openai-chat", dangling="drop", **settings)
    now = sent(chat, result)
    after: list[M | None] = []
    changed = False
    # Newer Claude models refuse thinking when anything before it has changed.
    bound_thinking = "claude" in name.lower()
    for message, at in zip(messages, places, strict=True):
        # Nearly every message is one form, and that is there or not.
        first = now[at[0]]
        is_one = len(at) == 1
        if first is chat[at[0]] and (is_one or all(now[place] is chat[place] for place in at)):
            after.append(
                translation.without_thinking(message) if changed and bound_thinking else message
            )
            continue
        changed = True
        left = [first] if is_one else [now[place] for place in at]
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
    whole = cut(_NO_LIMIT)
    count = measure(whole.messages)
    if count <= limit:
        return whole, count
    best: tuple[Fitted[M], int] | None = None
    shortest = whole, count
    low, high = 0, whole.fit.tokens
    # To within two per cent: what is between is rarely a whole message.
    while high - low > max(1, low // 50):
        budget = (low + high) // 2
        try:
            fitted = cut(budget)
        except BudgetTooSmall:
            low = budget
            continue
        count = measure(fitted.messages)
        if count < shortest[1]:
            shortest = fitted, count
        if count > limit:
            high = budget
            continue
        low = budget
        if best is None or count >= best[1]:
            best = fitted, count
    return best or shortest


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
    to_chat = translation.to_chat
    for message in messages:
        forms = to_chat(message)
        if not thoughts and len(forms) == 1 and "reasoning_content" not in forms[0]:
            places.append([len(chat)])
            chat += forms
            continue
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


def sent(messages: Sequence[Any], result: Fit | Turn) -> list[Any]:
    """What became of every message: itself, a shorter one, or ``None``."""
    became = result.after or []
    edited = [
        at
        for at, (was, now) in enumerate(zip(messages, became, strict=True))
        if now is not was and now is not None
    ]
    for at in edited:
        # Our own key is not sent, and without it the message is still the same.
        was = messages[at]
        if became[at] == {key: value for key, value in was.items() if key != "cupel"}:
            became[at] = was
    return became
