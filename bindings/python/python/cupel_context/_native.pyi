"""The native half of `cupel_context`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, SupportsIndex, TypeAlias, final, overload

from ._problem import Problem

_Tokens: TypeAlias = int | str
_BudgetLike: TypeAlias = int | str | Budget | Mapping[str, Any]
_PolicyLike: TypeAlias = str | PathLike[str] | Mapping[str, Any] | Policy
_QueryLike: TypeAlias = str | Mapping[str, Any]
_Items: TypeAlias = Iterable[Item | str | Mapping[str, Any] | Any]
_Messages: TypeAlias = Iterable[Any] | Mapping[str, Any] | Any
_Provider: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic", "gemini"] | str
_ScorerFunction: TypeAlias = Callable[..., Iterable[float]]
_SlicerFunction: TypeAlias = Callable[..., Iterable[SupportsIndex]]
_PlacerFunction: TypeAlias = Callable[..., Iterable[SupportsIndex]]

__all__ = [
    "Answers",
    "Budget",
    "Comparison",
    "Fit",
    "Item",
    "Policy",
    "Report",
    "RowCommand",
    "Run",
    "Scored",
    "Selection",
    "Session",
    "Table",
    "TableSelection",
    "Turn",
    "TurnReport",
    "_dumps",
    "_to_json",
    "compare",
    "count_tokens",
    "fit",
    "marginal_items",
    "min_budget",
    "presets",
    "respond",
    "respond_batches",
    "run_command",
    "select",
    "select_table",
    "validate",
]

@final
class Budget:
    def __new__(
        cls,
        max_tokens: _Tokens,
        *,
        target_tokens: _Tokens | None = None,
        output_reserve: _Tokens | None = None,
        reserved_slots: Mapping[str, _Tokens] | None = None,
        safety_margin_percent: float | None = None,
    ) -> Budget: ...
    @property
    def max_tokens(self) -> int: ...
    @property
    def target_tokens(self) -> int: ...
    @property
    def output_reserve(self) -> int: ...
    @property
    def reserved_slots(self) -> dict[str, int]: ...
    @property
    def safety_margin_percent(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Item:
    def __new__(
        cls, content: str, tokens: int | None = None, *, model: str | None = None, **fields: Any
    ) -> Item: ...
    @property
    def content(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def priority(self) -> int | None: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def timestamp(self) -> datetime | None: ...
    @property
    def future_relevance_hint(self) -> float | None: ...
    @property
    def pinned(self) -> bool: ...
    @property
    def original_tokens(self) -> int | None: ...
    @property
    def group(self) -> str | None: ...
    @property
    def variants(self) -> list[tuple[str, int]]: ...
    @property
    def document(self) -> str | None: ...
    @property
    def position(self) -> int | None: ...
    @property
    def similarity(self) -> float | None: ...
    @property
    def vector(self) -> list[float]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Policy:
    def __new__(
        cls,
        source: _PolicyLike,
        *,
        scorers: Mapping[str, _ScorerFunction] | None = None,
        slicers: Mapping[str, _SlicerFunction] | None = None,
        placers: Mapping[str, _PlacerFunction] | None = None,
        lenient: bool | None = None,
    ) -> Policy: ...
    @property
    def name(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def score(
        self,
        items: _Items,
        *,
        against: _Items | None = None,
        query: _QueryLike | None = None,
        now: datetime | str | None = None,
    ) -> list[float]: ...
    def slice(
        self, items: _Items, scores: Sequence[float], budget: _BudgetLike
    ) -> dict[str, Any]: ...
    def place(self, items: _Items, scores: Sequence[float]) -> list[int]: ...

@final
class Run:
    @property
    def query(self) -> str | None: ...
    @property
    def now(self) -> datetime: ...

@final
class Scored:
    @property
    def item(self) -> Item: ...
    @property
    def score(self) -> float: ...
    @property
    def tokens(self) -> int: ...

@final
class Report:
    @property
    def included(self) -> list[dict[str, Any]]: ...
    @property
    def excluded(self) -> list[dict[str, Any]]: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_html(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Fit:
    @property
    def messages(self) -> Any: ...
    @property
    def after(self) -> list[Any]: ...
    @property
    def request(self) -> dict[str, Any] | None: ...
    @property
    def report(self) -> Report: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unchanged(self) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Selection:
    @property
    def items(self) -> list[Any]: ...
    @property
    def report(self) -> Report: ...
    @property
    def tokens(self) -> int: ...
    @property
    def positions(self) -> list[int]: ...
    @property
    def overflow(self) -> int | None: ...
    def trace(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Session:
    def __new__(
        cls,
        budget: _BudgetLike,
        *,
        model: str | None = None,
        policy: _PolicyLike | None = None,
        provider: _Provider | None = None,
        query: _QueryLike | None = None,
        output_reserve: _Tokens | None = None,
        keep_first: int | None = None,
        keep_last: int | None = None,
        pin: str | Iterable[str] | None = None,
        shorten: bool | None = None,
        granularity: Literal["turn", "unit"] | None = None,
        current_turn: Literal["whole", "rounds"] | None = None,
        dangling: Literal["answer", "drop"] | None = None,
        high: float | None = None,
        low: float | None = None,
        least_freed: float | None = None,
        breakpoints: bool | None = None,
        price: Mapping[str, Any] | None = None,
        now: datetime | str | None = None,
        state: str | Mapping[str, Any] | None = None,
    ) -> Session: ...
    @classmethod
    def resume(cls, budget: _BudgetLike, state: str | Mapping[str, Any], **options: Any) -> Session: ...
    def next(self, messages: _Messages, *, query: _QueryLike | None = None) -> Turn: ...
    def next_items(
        self,
        items: _Items,
        *,
        query: _QueryLike | None = None,
    ) -> Turn: ...
    @property
    def state(self) -> str: ...
    @property
    def turns(self) -> int: ...
    @property
    def cuts(self) -> int: ...
    def __copy__(self) -> Session: ...
    def __deepcopy__(self, _memo: Any) -> Session: ...

@final
class Turn:
    @property
    def messages(self) -> Any: ...
    @property
    def request(self) -> dict[str, Any] | None: ...
    @property
    def items(self) -> list[Any] | None: ...
    @property
    def after(self) -> list[Any] | None: ...
    @property
    def report(self) -> TurnReport: ...
    @property
    def tokens(self) -> int: ...
    def to_json(self) -> str | None: ...

@final
class TurnReport:
    @property
    def turn(self) -> int: ...
    @property
    def action(self) -> Literal["extended", "cut", "held"]: ...
    @property
    def cut(self) -> dict[str, Any] | None: ...
    @property
    def kept_blocks(self) -> int: ...
    @property
    def kept_tokens(self) -> int: ...
    @property
    def blocks_before(self) -> int: ...
    @property
    def first_change(self) -> dict[str, Any] | None: ...
    @property
    def why(self) -> str | None: ...
    @property
    def read(self) -> int: ...
    @property
    def written(self) -> int: ...
    @property
    def plain(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def tokens(self) -> int: ...
    @property
    def budget(self) -> int: ...
    @property
    def high_water(self) -> int: ...
    @property
    def low_water(self) -> int: ...
    @property
    def breakpoints(self) -> list[int]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def selection(self) -> dict[str, Any] | None: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, Any]: ...

def fit(
    messages: _Messages,
    budget: _BudgetLike,
    *,
    model: str | None = None,
    policy: _PolicyLike | None = None,
    provider: _Provider | None = None,
    query: _QueryLike | None = None,
    output_reserve: _Tokens | None = None,
    keep_first: int | None = None,
    keep_last: int | None = None,
    pin: str | Iterable[str] | None = None,
    shorten: bool | None = None,
    granularity: Literal["turn", "unit"] | None = None,
    current_turn: Literal["whole", "rounds"] | None = None,
    dangling: Literal["answer", "drop"] | None = None,
) -> Fit: ...
def select(
    items: _Items,
    budget: _BudgetLike,
    policy: _PolicyLike | None = None,
    *,
    query: _QueryLike | None = None,
    model: str | None = None,
    output_reserve: _Tokens | None = None,
    now: datetime | str | None = None,
) -> Selection: ...
def marginal_items(
    items: _Items,
    budget: _BudgetLike,
    slack: int,
    policy: _PolicyLike | None = None,
    *,
    query: _QueryLike | None = None,
    model: str | None = None,
    output_reserve: _Tokens | None = None,
    now: datetime | str | None = None,
) -> list[Any]: ...
def min_budget(
    items: _Items,
    budget: _BudgetLike,
    item: Any,
    policy: _PolicyLike | None = None,
    *,
    ceiling: _Tokens | None = None,
    query: _QueryLike | None = None,
    model: str | None = None,
    output_reserve: _Tokens | None = None,
    now: datetime | str | None = None,
) -> int | None: ...
@final
class Comparison:
    @property
    def windows(self) -> dict[str, list[Any]]: ...
    @property
    def positions(self) -> dict[str, list[int]]: ...
    def rows(self) -> list[dict[str, Any]]: ...

def compare(
    items: _Items,
    budget: _BudgetLike,
    policies: Mapping[str, _PolicyLike],
    *,
    query: _QueryLike | None = None,
    model: str | None = None,
    output_reserve: _Tokens | None = None,
    now: datetime | str | None = None,
) -> Comparison: ...
def count_tokens(
    text_or_messages: str | _Messages, *, model: str | None = None, provider: _Provider | None = None
) -> int: ...
def validate(request: _Messages, *, provider: _Provider | None = None) -> list[Problem]: ...
@overload
def respond(
    request: str,
    *,
    model: str | None = None,
    query: str | None = None,
    timings: bool | None = None,
    lenient: bool | None = None,
    line: int | None = None,
) -> str: ...
@overload
def respond(
    request: bytes,
    *,
    model: str | None = None,
    query: str | None = None,
    timings: bool | None = None,
    lenient: bool | None = None,
    line: int | None = None,
) -> bytes: ...
@overload
def respond(
    request: Mapping[str, Any],
    *,
    model: str | None = None,
    query: str | None = None,
    timings: bool | None = None,
    lenient: bool | None = None,
    line: int | None = None,
) -> dict[str, Any]: ...
def presets() -> dict[str, str]: ...
def run_command(arguments: Sequence[str]) -> int: ...

@final
class RowCommand:
    def __new__(cls, arguments: Sequence[str]) -> RowCommand: ...
    def answer(self, row: str) -> str: ...

@final
class Table:
    @property
    def column_names(self) -> list[str]: ...
    @property
    def num_rows(self) -> int: ...
    def to_pyarrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

@final
class TableSelection:
    @property
    def window(self) -> Table: ...
    @property
    def decisions(self) -> Table: ...
    @property
    def report(self) -> Report: ...
    @property
    def tokens(self) -> int: ...
    @property
    def positions(self) -> list[int]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Answers:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def select_table(
    table: Any,
    budget: _BudgetLike,
    policy: _PolicyLike | None = None,
    *,
    query: _QueryLike | None = None,
    model: str | None = None,
    output_reserve: _Tokens | None = None,
    now: datetime | str | None = None,
) -> TableSelection: ...
def respond_batches(
    requests: Any,
    *,
    column: str | None = None,
    model: str | None = None,
    query: str | None = None,
    timings: bool | None = None,
    lenient: bool | None = None,
) -> Answers: ...
def _dumps(value: object) -> str | None: ...
def _to_json(value: object) -> int: ...
