"""OpenAI Agents SDK: a filter for what goes to the model.

config = RunConfig(call_model_input_filter=CupelInputFilter(budget=100_000))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cupel_context import fit

from ._bridge import Conversation, Cut, FitOptions, Fitted, OnFit, missing, sent

try:
    from agents import FunctionTool
    from agents.run import CallModelData, ModelInputData
except ImportError as error:
    raise missing("openai-agents", error) from error

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CupelInputFilter:
    """Cuts the input of every model call to ``budget`` tokens; the run and its session stay whole.

    Items are those of the Responses API, so reasoning stays with what it led to. Instructions and
    function tools count towards the budget. With ``session=True`` what the model sees begins with
    what it saw before, for prompt caches; such a filter serves one conversation.
    """

    def __init__(
        self,
        budget: int,
        *,
        on_fit: OnFit | None = None,
        session: bool = False,
        **options: Unpack[FitOptions],
    ) -> None:
        self.budget = budget
        self.on_fit = on_fit
        self.options = options
        self._cut: Cut = Conversation() if session else fit

    def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """The input with fewer or shorter items."""
        items: list[Any] = data.model_data.input
        request: dict[str, Any] = {"input": items}
        if data.model_data.instructions:
            request["instructions"] = data.model_data.instructions
        tools = [_tool(tool) for tool in data.agent.tools if isinstance(tool, FunctionTool)]
        if tools:
            request["tools"] = tools
        if _history_is_on_the_server(items):
            request["previous_response_id"] = "unknown"
        model = _model_name(data.agent.model)
        if model:
            request["model"] = model
        settings: dict[str, Any] = {"current_turn": "rounds", **self.options}
        settings |= {"provider": "openai-responses", "dangling": "drop"}
        result = self._cut(request, self.budget, **settings)
        fitted = Fitted(sent(items, result), result, [[index] for index in range(len(items))])
        if self.on_fit:
            self.on_fit(fitted)
        return ModelInputData(input=fitted.messages, instructions=data.model_data.instructions)


def _tool(tool: FunctionTool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
    }


def _model_name(model: Any) -> str | None:
    name = model if isinstance(model, str) else getattr(model, "model", None)
    return name if isinstance(name, str) else None


def _history_is_on_the_server(items: list[Any]) -> bool:
    """Whether results come without their calls: a conversation or a response has those."""
    called: set[str] = set()
    for item in items:
        kind, call_id = item.get("type") or "", item.get("call_id")
        if kind.endswith("_output"):
            if call_id not in called:
                return True
        elif call_id:
            called.add(call_id)
    return False
