"""Tables in and out, without JSON."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

from cupel_context import InvalidInput, respond, respond_batches, select, select_table

UTC = dt.timezone.utc
ITEMS: list[dict[str, Any]] = [
    {"content": "cats sleep", "tokens": 2, "kind": "Document", "priority": 3, "tags": ["a", "b"], "mine": 1.5},
    {"content": "dogs run", "tokens": 2, "kind": "Message", "priority": None, "tags": [], "mine": 2.5},
    {"content": "cats sleep", "tokens": 2, "kind": "Document", "priority": 1, "tags": None, "mine": 3.5},
    {"content": "birds " * 20, "tokens": 20, "kind": "Memory", "priority": 9, "tags": ["c"], "mine": None},
]


def plain(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in item.items() if value is not None} for item in items]


def tables() -> list[Any]:
    table = pa.Table.from_pylist(ITEMS)
    return [
        table,
        table.to_batches()[0],
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)),
        pa.Table.from_batches(table.to_batches(max_chunksize=3)),
        pl.DataFrame(ITEMS),
        pl.DataFrame(ITEMS).with_columns(pl.col("kind").cast(pl.Categorical)),
        pd.DataFrame(ITEMS),
        pd.DataFrame(ITEMS).astype({"kind": "category"}),
    ]


@pytest.mark.parametrize("policy", ["chat", "codeReview", "debugging", "toolUse", "answer"])
@pytest.mark.parametrize("budget", [0, 3, 5, 24, 100])
def test_rows_are_chosen_as_items_are(policy: str, budget: int) -> None:
    query = "dogs" if policy == "answer" else None
    expected = select(plain(ITEMS), budget, policy, query=query)
    for table in tables():
        chosen = select_table(table, budget, policy, query=query)
        assert chosen.positions == expected.positions
        assert chosen.report.rows() == expected.report.rows()
        assert chosen.tokens == expected.tokens


def test_the_window_has_all_columns_and_the_decisions_all_rows() -> None:
    chosen = select_table(pa.Table.from_pylist(ITEMS), 5)
    window = chosen.window.to_pyarrow()
    assert window.column_names == list(ITEMS[0])
    assert window.to_pylist() == [ITEMS[at] for at in chosen.positions]
    decisions = chosen.decisions.to_pyarrow().to_pylist()
    names = ["index", "included", "place", "reason", "why", "score", "tokens", "sent_tokens", "form"]
    rows = chosen.report.rows()
    assert decisions == [{name: row[name] for name in names} for row in rows]
    assert chosen.window.num_rows == len(chosen) and chosen.window.column_names == list(ITEMS[0])


def test_pandas_and_polars_get_their_own() -> None:
    chosen = select_table(pa.Table.from_pylist(ITEMS), 5)
    assert isinstance(chosen.window.to_polars(), pl.DataFrame)
    assert isinstance(chosen.window.to_pandas(), pd.DataFrame)
    assert chosen.window.to_polars()["content"].to_list() == chosen.window.to_pandas()["content"].to_list()


def test_every_field_of_an_item_may_be_a_column() -> None:
    time = dt.datetime(2025, 1, 1, tzinfo=UTC)
    row = {
        "content": "text", "tokens": 3, "kind": "Document", "source": "Rag", "priority": 2, "tags": ["x"],
        "metadata": [("k", "v")], "timestamp": time, "futureRelevanceHint": 0.25, "pinned": True, "group": "g",
        "document": "d", "position": 4, "similarity": 0.5, "vector": [1.0, 0.0], "original_tokens": 9,
        "variants": [{"content": "t", "tokens": 1}],
    }
    schema = pa.schema(
        [
            ("content", pa.large_string()), ("tokens", pa.uint16()), ("kind", pa.string_view()),
            ("source", pa.dictionary(pa.int8(), pa.string())), ("priority", pa.int8()), ("tags", pa.large_list(pa.string())),
            ("metadata", pa.map_(pa.string(), pa.string())), ("timestamp", pa.timestamp("ns", "Europe/Berlin")),
            ("futureRelevanceHint", pa.float32()), ("pinned", pa.bool_()), ("group", pa.string()),
            ("document", pa.string()), ("position", pa.int32()), ("similarity", pa.float64()),
            ("vector", pa.list_(pa.float32(), 2)), ("original_tokens", pa.int64()),
            ("variants", pa.list_(pa.struct([("content", pa.string()), ("tokens", pa.int64())]))),
        ]
    )
    seen: list[Any] = []

    def look(items: list[Any], run: Any) -> list[float]:
        seen.extend(items)
        return [1.0 for _ in items]

    from cupel_context import Item, Policy

    # A pinned item is not scored, so it looks like one that is not.
    policy = Policy({"scorers": [{"type": "look", "weight": 1}]}, scorers={"look": look})
    loose = pa.Table.from_pylist([row | {"pinned": False}], schema=schema)
    select_table(loose, 100, policy)
    fields = {key: value for key, value in row.items() if key not in ("metadata", "pinned", "original_tokens")}
    expected = Item(**fields, metadata={"k": "v"}, originalTokens=9)
    assert [item.to_dict() for item in seen] == [expected.to_dict()]
    pinned = select_table(pa.Table.from_pylist([row], schema=schema), 100)
    assert pinned.report.rows()[0]["reason"] == "Pinned"


def test_shorter_forms_stand_in_the_window() -> None:
    forms = [{"content": "short", "tokens": 1}]
    table = pa.table({"content": ["very long"], "tokens": [50], "variants": [forms]})
    row = select_table(table, 5).window.to_pyarrow().to_pylist()[0]
    assert (row["content"], row["tokens"]) == ("short", 1)


def test_rows_without_a_count_are_counted() -> None:
    assert select_table(pa.table({"content": ["hello world"]}), 10).tokens == 2
    gaps = pd.DataFrame({"content": ["hello world", "x"], "tokens": [None, 5]})
    assert select_table(gaps, 10).tokens == 7


def test_wrong_tables_are_refused_by_column_and_row() -> None:
    naive = pa.table({"content": ["a"], "timestamp": pa.array([dt.datetime(2025, 1, 1)])})
    for table, place in [
        ({"content": ["a"]}, "table"),
        (pa.table({"text": ["a"]}), r'table\["content"\]'),
        (pa.table({"content": ["a", None]}), r'table\["content"\]\[1\]'),
        (pa.table({"content": ["a", ""]}), r'table\["content"\]\[1\]'),
        (pa.table({"content": ["a"], "tokens": ["many"]}), r'table\["tokens"\]'),
        (pa.table({"content": ["a"], "tokens": [1.5]}), r'table\["tokens"\]'),
        (pa.table({"content": ["a"], "kind": [" "]}), r'table\["kind"\]\[0\]'),
        (naive, "zone"),
        (pa.array([1, 2]), "table"),
    ]:
        with pytest.raises(InvalidInput, match=place):
            select_table(table, 10)


def test_an_empty_table_has_an_empty_window() -> None:
    table = pa.Table.from_pylist([], schema=pa.schema([("content", pa.string())]))
    assert len(select_table(table, 10)) == 0


REQUESTS = [
    '{"id": 1, "items": [{"content": "a", "tokens": 1, "mine": 2}], "budget": {"maxTokens": 3}, "policy": "chat"}',
    '{"messages": [{"role": "user", "content": "hi"}], "budget": {"maxTokens": 300}}',
    '{"request": {"input": [{"role": "user", "content": "hi"}]}, "budget": {"maxTokens": 300}}',
    "nonsense",
    "",
]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary"])
def test_a_column_of_requests_is_answered_line_by_line(kind: str) -> None:
    column = pa.array(REQUESTS, getattr(pa, kind)())
    table = pa.table({"request": column, "other": list(range(len(REQUESTS)))})
    batches = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2))
    rows = pa.RecordBatchReader.from_stream(respond_batches(batches)).read_all().to_pylist()
    assert [row["response"] for row in rows] == [respond(text, line=at + 1) for at, text in enumerate(REQUESTS)]
    assert [row["error"] is None for row in rows] == [True, True, True, False, False]
    assert rows[0]["window"] == [
        {"content": "a", "tokens": 1, "json": '{"content":"a","tokens":1,"kind":"Message","mine":2}'}
    ]
    assert rows[0]["report"][0]["reason"] == "Scored" and rows[0]["total_tokens"] == 1
    assert rows[1]["window"][0]["json"] == '{"role": "user", "content": "hi"}'
    assert rows[2]["window"][0]["content"] == "hi" and rows[2]["report"][0]["included"]
    assert rows[3]["error"]["code"] == "InvalidRequest" and rows[3]["window"] is None


def test_answers_are_read_once_and_columns_are_found() -> None:
    answers = respond_batches(pa.table({"any": REQUESTS[:1]}))
    assert pa.table(answers).num_rows == 1
    with pytest.raises(InvalidInput, match="already"):
        pa.table(answers)
    two = pa.table({"a": REQUESTS[:1], "b": [1]})
    with pytest.raises(InvalidInput, match="column"):
        respond_batches(two)
    with pytest.raises(InvalidInput, match="Int64"):
        respond_batches(two, column="b")
    assert pa.table(respond_batches(two, column="a")).num_rows == 1
