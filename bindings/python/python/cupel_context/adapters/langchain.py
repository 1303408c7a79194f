"""LangChain: middleware for agents, ``trim_messages`` by another name, and a document compressor.

agent = create_agent(model, tools, middleware=[CupelMiddleware(budget=100_000)])
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from cupel_context import BudgetTooSmall, fit
from cupel_context._native import _dumps

from ._bridge import (
    Conversation,
    Cut,
    FitOptions,
    Fitted,
    OnFit,
    fit_measured,
    fit_messages,
    missing,
)
from ._chat import Chat
from ._documents import select_texts

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.language_models import BaseLanguageModel
    from langchain_core.messages import (
        AIMessage,
        AnyMessage,
        BaseMessage,
        HumanMessage,
        MessageLikeRepresentation,
        SystemMessage,
        ToolMessage,
        convert_to_messages,
        convert_to_openai_messages,
    )
    from langchain_core.runnables import Runnable, RunnableLambda
    from langchain_core.utils.function_calling import convert_to_openai_tool
except ImportError as error:
    raise missing("langchain", error) from error

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks
    from typing_extensions import Unpack

TypeOfMessage = str | type[BaseMessage]


class CupelMiddleware(AgentMiddleware[Any, Any, Any]):
    """Cuts what the model sees to ``budget`` tokens; the agent's state stays whole.

    The system prompt and the tools count towards the budget. With ``session=True`` what the model sees
    begins with what it saw before, for prompt caches; such a middleware serves one conversation.
    """

    def __init__(
        self,
        budget: int,
        *,
        on_fit: OnFit | None = None,
        session: bool = False,
        **options: Unpack[FitOptions],
    ) -> None:
        super().__init__()
        self.budget = budget
        self.on_fit = on_fit
        self.options = options
        self._cut: Cut = Conversation() if session else fit

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Hands the request on with fewer or shorter messages."""
        return handler(self._fit(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """The same for agents that are awaited."""
        return await handler(self._fit(request))

    def _fit(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        fitted = fit_messages(
            cast(list[BaseMessage], request.messages),
            self.budget,
            _Messages(),
            self.options,
            system=request.system_prompt,
            tools=[convert_to_openai_tool(tool) for tool in request.tools],
            model=_model_name(request.model),
            cut=self._cut,
        )
        if self.on_fit:
            self.on_fit(fitted)
        return request.override(messages=cast(list[AnyMessage], fitted.messages))


@overload
def trim_messages(
    messages: Iterable[MessageLikeRepresentation],
    *,
    max_tokens: int,
    token_counter: Any = None,
    strategy: Literal["last"] = "last",
    allow_partial: bool = True,
    end_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    start_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    include_system: bool = True,
    on_fit: OnFit | None = None,
    **options: Unpack[FitOptions],
) -> list[BaseMessage]: ...
@overload
def trim_messages(
    messages: None = None,
    *,
    max_tokens: int,
    token_counter: Any = None,
    strategy: Literal["last"] = "last",
    allow_partial: bool = True,
    end_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    start_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    include_system: bool = True,
    on_fit: OnFit | None = None,
    **options: Unpack[FitOptions],
) -> Runnable[Any, list[BaseMessage]]: ...
def trim_messages(
    messages: Iterable[MessageLikeRepresentation] | None = None,
    *,
    max_tokens: int,
    token_counter: Any = None,
    strategy: str = "last",
    allow_partial: bool = True,
    end_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    start_on: TypeOfMessage | Sequence[TypeOfMessage] | None = None,
    include_system: bool = True,
    on_fit: OnFit | None = None,
    **options: Unpack[FitOptions],
) -> list[BaseMessage] | Runnable[Any, list[BaseMessage]]:
    """Takes the place of LangChain's function of that name; without messages it is a runnable.

    A model as ``token_counter`` names the vocabulary to count with, a function has the last word
    on what fits (``len`` counts messages), and nothing or ``"approximate"`` leaves the counting to
    Cupel. System messages always stay, whatever ``include_system`` says. ``start_on="human"``
    selects whole turns. ``allow_partial=False`` keeps giant tool results whole or not at all.
    """
    if strategy != "last":
        raise ValueError(
            f"strategy={strategy!r} is not supported: Cupel keeps what is recent; "
            "keep_first=N keeps the first turns too"
        )
    if start_on is not None and not any(
        _is_of(HumanMessage(""), kind) for kind in _listed(start_on)
    ):
        raise ValueError(
            f"start_on={start_on!r} is not supported: providers want the user first; "
            'use "human" or nothing'
        )
    if messages is None:
        return RunnableLambda(
            partial(
                trim_messages,
                max_tokens=max_tokens,
                token_counter=token_counter,
                allow_partial=allow_partial,
                end_on=end_on,
                start_on=start_on,
                on_fit=on_fit,
                **options,
            )
        )
    history = cast(list[BaseMessage], list(messages))
    if not _ROLES.keys() >= set(map(type, history)):
        history = convert_to_messages(history)
    if start_on is not None:
        history = _from_the_user_on(history)
        options.setdefault("granularity", "turn")
    if end_on is not None:
        while history and not any(_is_of(history[-1], kind) for kind in _listed(end_on)):
            history.pop()
    if not history:
        return []
    if not allow_partial:
        options["shorten"] = False
    by_model = isinstance(token_counter, BaseLanguageModel)
    model = _model_name(token_counter) if by_model else None

    def cut(budget: int) -> Fitted[BaseMessage]:
        return fit_messages(history, budget, _Messages(), options, model=model)

    if token_counter is None or token_counter == "approximate" or by_model:
        fitted = cut(max_tokens)
    else:
        fitted, count = fit_measured(max_tokens, _counter(token_counter), cut)
        if count > max_tokens:
            raise BudgetTooSmall(
                f"what must stay counts {count} by token_counter, and max_tokens is {max_tokens}",
                code="BudgetTooSmall",
                path="max_tokens",
                value=count,
                limit=max_tokens,
                remedy="raise max_tokens, or pin and keep less",
            )
    if on_fit:
        on_fit(fitted)
    return fitted.messages


class CupelDocumentCompressor(BaseDocumentCompressor):
    """Keeps the retrieved documents that answer the query best within ``budget`` tokens.

    Documents come back as the same objects, in reading order: parts of one ``source`` by their
    ``start_index``, where the metadata has them.
    """

    budget: int
    policy: Any = None
    model: str | None = None
    on_select: Any = None
    """Receives the :class:`cupel_context.Selection`, with the reasons."""

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents to hand to the model."""
        kept, selection = select_texts(
            [document.page_content for document in documents],
            self.budget,
            origins=[_origin(document.metadata) for document in documents],
            scores=[None] * len(documents),
            policy=self.policy,
            query=query,
            model=self.model,
        )
        if self.on_select:
            self.on_select(selection)
        return [documents[index] for index in kept]


_ROLES: dict[type, str] = {
    AIMessage: "assistant",
    HumanMessage: "user",
    SystemMessage: "system",
    ToolMessage: "tool",
}


def _arguments(args: Any) -> str:
    """The text of a call's arguments as LangChain's own conversion has it."""
    text = _dumps(args)
    return json.dumps(args, ensure_ascii=False) if text is None else text


def _plain(message: BaseMessage) -> Chat | None:
    """What LangChain's own conversion makes of a message of texts, in a tenth of its time."""
    role = _ROLES.get(type(message))
    # Fields of these models are plain attributes; there is no need to ask each of them of the class.
    fields = message.__dict__
    content = fields.get("content")
    if role is None or type(content) is not str or fields.get("name"):
        return None
    extra = fields.get("additional_kwargs")
    if extra and (extra.get("refusal") or "__openai_role__" in extra):
        return None
    if role == "tool":
        return {"role": role, "tool_call_id": fields["tool_call_id"], "content": content}
    if role != "assistant" or not fields["tool_calls"]:
        return {"role": role, "content": content}
    calls = [
        {
            "type": "function",
            "id": call["id"],
            "function": {"name": call["name"], "arguments": _arguments(call["args"])},
        }
        for call in fields["tool_calls"]
    ]
    return {"role": role, "tool_calls": calls, "content": content}


class _Messages:
    def to_chat(self, message: BaseMessage) -> list[Chat]:
        plain = _plain(message)
        if plain is not None:
            return [plain]
        forms = convert_to_openai_messages([message])
        # Results in a user message come behind its words there, away from their calls.
        return sorted(forms, key=lambda form: form["role"] != "tool")

    def rebuild(self, message: BaseMessage, sent: Sequence[Chat | None]) -> BaseMessage:
        if len(sent) == 1 and sent[0] is not None:
            return message.model_copy(update={"content": sent[0]["content"]})
        # A user message with Anthropic's tool_result blocks, each of which was one form.
        left = {
            form["tool_call_id"]: form["content"]
            for form in sent
            if form and form["role"] == "tool"
        }
        words = any(form is not None and form["role"] != "tool" for form in sent)
        blocks: list[Any] = []
        for block in message.content:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                if block["tool_use_id"] in left:
                    blocks.append({**block, "content": left[block["tool_use_id"]]})
            elif words:
                blocks.append(block)
        return message.model_copy(update={"content": blocks})

    def without_thinking(self, message: BaseMessage) -> BaseMessage:
        if not isinstance(message, AIMessage) or isinstance(message.content, str):
            return message
        blocks = [block for block in message.content if not _is_thinking(block)]
        return (
            message.model_copy(update={"content": blocks})
            if len(blocks) < len(message.content)
            else message
        )


def _origin(metadata: dict[str, Any]) -> tuple[str | None, int | None]:
    source, start = metadata.get("source"), metadata.get("start_index")
    return (source or None if isinstance(source, str) else None), (
        start if isinstance(start, int) else None
    )


def _is_thinking(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") in (
        "thinking",
        "redacted_thinking",
        "reasoning",
    )


def _model_name(model: Any) -> str | None:
    name = getattr(model, "model_name", None) or getattr(model, "model", None)
    return name if isinstance(name, str) else None


def _listed(kinds: TypeOfMessage | Sequence[TypeOfMessage]) -> Sequence[TypeOfMessage]:
    return [kinds] if isinstance(kinds, (str, type)) else kinds


def _is_of(message: BaseMessage, kind: TypeOfMessage) -> bool:
    if isinstance(kind, str):
        return message.type == {"user": "human", "assistant": "ai"}.get(kind, kind)
    return isinstance(message, kind)


def _from_the_user_on(history: list[BaseMessage]) -> list[BaseMessage]:
    first = next((at for at, it in enumerate(history) if it.type == "human"), len(history))
    return [it for at, it in enumerate(history) if at >= first or it.type == "system"]


def _counter(count: Callable[[Any], int]) -> Callable[[list[BaseMessage]], int]:
    """A function of a list, or of one message: LangChain tells them apart by the annotation."""
    import inspect

    try:
        parameters = list(inspect.signature(count).parameters.values())
    except (TypeError, ValueError):  # builtins may have no signature
        return count
    if parameters and parameters[0].annotation in (BaseMessage, "BaseMessage"):
        return lambda messages: sum(count(message) for message in messages)
    return count
