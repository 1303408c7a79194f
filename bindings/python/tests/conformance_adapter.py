"""Speaks the protocol of `cupel-conformance` for what this package's interface can express.

Answers are made with `select` alone: a whole run for `run`; for `score`, `slice` and `place` a run whose other strategies are
callables that do nothing of their own.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

from cupel_context import Budget, CupelError, Item, Policy, Selection, select

FIELDS = {
    "PinnedExceedsBudget": ("pinned_tokens", "available"),
    "Overflow": ("merged_tokens", "target_tokens"),
}
PREFIXES = (
    "invalid budget: ",
    "invalid scorer configuration: ",
    "invalid slicer configuration: ",
    "invalid pipeline configuration: ",
)


class NotSupported(Exception):
    """The interface has no way to say it."""


class Refused(Exception):
    def __init__(self, phase: str, error: CupelError) -> None:
        self.phase, self.error = phase, error


def building(build: Callable[[], Any]) -> Any:
    try:
        return build()
    except CupelError as error:
        raise Refused("construction", error) from error


def finite(value: Any) -> Any:
    if isinstance(value, str):
        raise NotSupported(f"policies are JSON, which cannot write {value}")
    return value


def keyed(entries: list[dict[str, Any]], key: str, value: str) -> dict[str, Any]:
    if len({entry[key] for entry in entries}) < len(entries):
        raise NotSupported("a dict cannot have a key twice")
    return {entry[key]: finite(entry[value]) for entry in entries}


def scorer(task: dict[str, Any]) -> dict[str, Any]:
    kind = task["type"]
    if kind in ("recency", "priority", "frequency", "reflexive"):
        return {"type": kind}
    if kind == "kind":
        weights = task.get("weights")
        return {"type": kind} if weights is None else {"type": kind, "kindWeights": keyed(weights, "kind", "weight")}
    if kind == "tag":
        compared = {"ordinal": "ordinal", "ascii_case_insensitive": "asciiCaseInsensitive"}[task["comparison"]]
        return {"type": kind, "tagWeights": keyed(task["weights"], "tag", "weight"), "tagComparison": compared}
    if kind == "composite":
        children = [scorer(it["scorer"]) | {"weight": finite(it["weight"])} for it in task["children"]]
        return {"type": kind, "scorers": children}
    if kind == "scaled":
        return {"type": kind, "innerScorer": scorer(task["inner"])}
    if kind == "metadata_trust":
        return {"type": "metadataTrust", "defaultScore": finite(task["default_score"])}
    if kind == "metadata_key":
        return {"type": "metadataKey", "key": task["key"], "value": task["value"], "boost": finite(task["boost"])}
    if kind == "decay":
        return {
            "type": kind,
            "referenceTime": task["reference_time"],
            "nullTimestampScore": finite(task["null_timestamp_score"]),
            "curve": curve(task["curve"]),
        }
    raise NotSupported(f"no scorer {kind}")


def curve(task: dict[str, Any]) -> dict[str, Any]:
    if task["type"] == "exponential":
        return {"type": "exponential", "halfLifeSeconds": finite(task["half_life_secs"])}
    if task["type"] == "window":
        return {"type": "window", "maxAgeSeconds": finite(task["max_age_secs"])}
    windows = [{"maxAgeSeconds": finite(it["max_age_secs"]), "score": finite(it["score"])} for it in task["windows"]]
    return {"type": "step", "windows": windows}


def slicer(task: dict[str, Any]) -> dict[str, Any] | str:
    kind = task["type"]
    if kind == "greedy":
        return "greedy"
    if kind == "rank":
        return {"type": kind, "sizeExponent": finite(task["size_exponent"]), "sizeFloor": task["size_floor"]}
    if kind == "knapsack":
        return {"type": kind, "knapsackBucketSize": task["bucket_size"]}
    if kind == "quota":
        quotas = [
            {"kind": it["kind"], "minPercent": finite(it["require"]), "maxPercent": finite(it["cap"])}
            for it in task["quotas"]
        ]
        return {"type": kind, "quotas": quotas, "slicerType": slicer(task["inner"])}
    if kind in ("count_quota", "count_constrained_knapsack"):
        entries = []
        for it in task["entries"]:
            cap = {"capCount": it["cap_count"]} if "cap_count" in it else {}
            entries.append({"kind": it["kind"], "requireCount": it["require_count"]} | cap)
        if kind == "count_quota" and task["inner"]["type"] == "knapsack":
            raise NotSupported("in a policy, count quotas over a knapsack are the slicer that does both")
        knapsack = {"type": "knapsack", "bucket_size": task.get("bucket_size")}
        inner = slicer(task["inner"] if kind == "count_quota" else knapsack)
        return {"type": "countQuota", "countQuotas": entries, "scarcityBehavior": task["scarcity"], "slicerType": inner}
    raise NotSupported(f"no slicer {kind}")


def placer(name: str) -> str:
    first, *rest = name.split("-")
    return first + "".join(word.capitalize() for word in rest)


def scorers(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of a policy, which is a composite of them."""
    read = scorer(task)
    if task["type"] != "composite":
        return [read | {"weight": 1}]
    children: list[dict[str, Any]] = read["scorers"]
    return children


def policy(parts: dict[str, Any], **own: Any) -> Policy:
    file = {
        "scorers": parts["scorers"],
        "slicerType": parts.get("slicer", "greedy"),
        "placerType": parts.get("placer", "inputOrder"),
        "deduplicationEnabled": parts.get("deduplication", False),
        "overflowStrategy": parts.get("overflow", "throw"),
    }
    policy: Policy = building(lambda: Policy(file, **own))
    return policy


def items(task: dict[str, Any]) -> list[Item]:
    made: list[Item] = []
    for it in task["items"]:
        if "same_as" in it:
            made.append(made[it["same_as"]])
            continue
        if any(variant["content"] == "" for variant in it.get("variants", [])):
            raise NotSupported("items are read as JSON, whose reader names the empty content and not the variant")
        fields = {key: finite(value) if key == "future_relevance_hint" else value for key, value in it.items()}
        made.append(building(lambda fields=fields: Item(**fields)))
    return made


def run(task: dict[str, Any]) -> list[dict[str, Any]]:
    parts = task["pipeline"]
    chosen = parts | {"scorers": scorers(parts["scorer"]), "slicer": slicer(parts["slicer"]), "placer": placer(parts["placer"])}
    own = policy(chosen | {"overflow": parts["overflow_strategy"]})
    budget = building(lambda: read_budget(task["budget"]))
    window = running(lambda: select(items(task), budget, own))
    report = reported(window.report.to_dict(), task["detail_level"])
    return [{"path": "select", "result": {"output": window.positions, "report": report}}]


def reported(told: dict[str, Any], detail_level: str) -> dict[str, Any]:
    included, excluded = [], []
    for it in told["included"]:
        form = {"form": it["shortened"]["form"]} if "shortened" in it else {}
        included.append({"item": it["index"], "score": it["score"], "reason": it["reason"]["reason"]} | form)
    for it in told["excluded"]:
        details = {key: value for key, value in it["reason"].items() if key != "reason"}
        excluded.append(
            {"item": it["index"], "score": it["score"], "reason": it["reason"]["reason"], "details": details}
        )
    report = {
        "included": included,
        "excluded": excluded,
        "total_candidates": told["total_candidates"],
        "total_tokens_considered": told["total_tokens_considered"],
        "shortfalls": told.get("count_requirement_shortfalls", []),
    }
    if detail_level == "stage":
        events = [event | {"level": "stage"} for event in told["events"]]
        report["events"] = {"detail_level": "stage", "recorded": events}
    return report


def read_budget(task: dict[str, Any]) -> Budget:
    slots = keyed(task["reserved_slots"], "kind", "tokens")
    return Budget(
        task["max_tokens"],
        target_tokens=task["target_tokens"],
        output_reserve=task["output_reserve"],
        reserved_slots=slots,
        safety_margin_percent=finite(task["safety_margin_percent"]),
    )


def score(task: dict[str, Any]) -> list[dict[str, Any]]:
    every = items(task)
    listed = [every[at] for at in task["list"]]
    if any(item.pinned for item in listed) or len(set(task["list"])) < len(listed) or any(item.tokens < 0 for item in listed):
        raise NotSupported("a run scores neither pinned nor invalid items")
    if any("group" in it for it in task["items"]):
        raise NotSupported("a run reports the score of a group")
    # All of them fit, so that all of them are reported.
    own = policy({"scorers": scorers(task["scorer"])})
    if any(item.tokens == 0 for item in listed):
        raise NotSupported("a run does not score what costs nothing")
    window = running(lambda: select(listed, 2**60, own))
    scores = {task["list"][row["index"]]: row["score"] for row in window.report.rows()}
    return [{"path": "select", "result": {"scores": [scores.get(at) for at in task["wanted"]]}}]


def given_scores(task: dict[str, Any], every: list[Item]) -> Callable[..., list[float]]:
    scores = [float(it) for it in task["scores"]]

    def own(candidates: list[Item], run: Any) -> list[float]:
        if len(candidates) != len(scores):
            raise NotSupported("a run takes pinned and invalid items out first")
        return scores

    return own


def is_sorted(scores: list[Any]) -> bool:
    numbers = [float(it) for it in scores]
    return all(earlier >= later for earlier, later in zip(numbers, numbers[1:]))


def slice_(task: dict[str, Any]) -> list[dict[str, Any]]:
    every = items(task)
    if not is_sorted(task["scores"]):
        raise NotSupported("a run sorts by score first")
    if any(item.pinned or item.tokens < 0 for item in every):
        raise NotSupported("a run takes pinned and invalid items out first")
    own = policy(
        {"scorers": [{"type": "given", "weight": 1}], "slicer": slicer(task["slicer"]), "overflow": "proceed"},
        scorers={"given": given_scores(task, every)},
    )
    budget = building(lambda: Budget(task["max_tokens"], target_tokens=task["target_tokens"]))
    window = running(lambda: select(every, budget, own))
    told = window.report.to_dict()
    capped = sum(row["reason"] == "CountCapExceeded" for row in window.report.rows())
    result = {"selected": window.positions, "cap_excluded": capped}
    result["shortfalls"] = told.get("count_requirement_shortfalls", [])
    return [{"path": "select", "result": result}]


def place(task: dict[str, Any]) -> list[dict[str, Any]]:
    every = items(task)
    own = policy(
        {"scorers": [{"type": "given", "weight": 1}], "slicer": {"type": "all"}, "placer": placer(task["placer"]), "overflow": "proceed"},
        scorers={"given": given_scores(task, every)},
        slicers={"all": lambda candidates, budget: range(len(candidates))},
    )
    if any(item.pinned for item in every):
        raise NotSupported("a run takes pinned items out first")
    if task["placer"] in ("chronological", "reading-order", "reading-order-u-shaped") and not is_sorted(task["scores"]):
        raise NotSupported("a run hands items over best score first")
    window = running(lambda: select(every, 2**60, own))
    return [{"path": "select", "result": {"order": window.positions}}]


def running(run: Callable[[], Selection]) -> Selection:
    try:
        return run()
    except CupelError as error:
        raise Refused("run", error) from error


def told(phase: str, error: CupelError) -> dict[str, Any]:
    if error.code == "InvalidRequest":
        raise NotSupported(f"what JSON cannot say is refused before a strategy sees it: {error}")
    message = str(error)
    for prefix in PREFIXES:
        message = message.removeprefix(prefix)
    answer: dict[str, Any] = {"phase": phase, "variant": error.code, "message": message}
    if error.code in FIELDS:
        answer["fields"] = dict(zip(FIELDS[error.code], (error.value, error.limit)))
    elif error.details:
        # The protocol's integers have 64 bits with their sign.
        answer["fields"] = {name: min(number, 2**63 - 1) for name, number in error.details.items()}
    return {"path": "select", "error": answer}


OPERATIONS = {"run": run, "score": score, "slice": slice_, "place": place}


def answer(operation: str, task: dict[str, Any]) -> dict[str, Any]:
    if operation == "hello":
        return {"protocol": 1, "engine": "cupel_context"}
    if operation not in OPERATIONS:
        return {"not_supported": f"no {operation} in Python"}
    try:
        try:
            return {"answers": OPERATIONS[operation](task)}
        except Refused as refused:
            return {"answers": [told(refused.phase, refused.error)]}
    except NotSupported as reason:
        return {"not_supported": str(reason)}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"]} | answer(request["operation"], request["task"])), flush=True)


if __name__ == "__main__":
    main()
