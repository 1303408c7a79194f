"""What the adapters for retrieval share: the best of some texts within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cupel_context import count_tokens, select

if TYPE_CHECKING:
    from cupel_context import Selection


def select_texts(
    texts: Sequence[str],
    budget: int,
    *,
    origins: Sequence[tuple[str | None, int | None]],
    scores: Sequence[float | None],
    policy: Any,
    query: str | None,
    model: str | None,
) -> tuple[list[int], Selection]:
    """The indices of the texts to send, in that order, and the selection with the reasons.

    ``origins`` says of which document a text is a part, and where in it; ``scores`` are the
    retriever's. With a query the preset ``answer`` selects unless told otherwise, without one
    ``rag``, which goes by the retriever's scores.
    """
    items: list[dict[str, Any]] = []
    index_of: dict[int, int] = {}
    for index, (text, (document, position), score) in enumerate(
        zip(texts, origins, scores, strict=True)
    ):
        if not text:
            continue
        item: dict[str, Any] = {"content": text, "tokens": count_tokens(text, model=model)}
        item |= {"kind": "Document", "source": "Rag", "document": document, "position": position}
        item |= {"similarity": score, "futureRelevanceHint": score}
        items.append({key: value for key, value in item.items() if value is not None})
        index_of[id(items[-1])] = index
    selection = select(items, budget, policy=policy or ("answer" if query else "rag"), query=query)
    return [index_of[id(item)] for item in selection.items], selection
