"""Speaks the protocol of `cupel-conformance` for what this package's interface can express.

A whole run is `select`; strategies by themselves are `Policy.score`, `slice` and `place`; what other budgets and policies would
have done is `marginal_items`, `min_budget` and `compare`.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any, Callable

from cupel_context import Budget, CupelError, Item, Policy, compare, marginal_items, min_budget, select

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


def number(value: Any) -> Any:
    """The protocol writes as text what JSON cannot write as a number."""
    return float(value) if isinstance(value, str) else value


def told_number(value: float | None) -> Any:
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def keyed(entries: list[dict[str, Any]], key: str, value: str) -> dict[str, Any]:
    if len({entry[key] for entry in entries}) < len(entries):
        raise NotSupported("a dict cannot have a key twice")
    return {entry[key]: number(entry[value]) for entry in entries}


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
        children = [scorer(it["scorer"]) | {"weight": number(it["weight"])} for it in task["children"]]
        return {"type": kind, "scorers": children}
    if kind == "scaled":
        return {"type": kind, "innerScorer": scorer(task["inner"])}
    if kind == "metadata_trust":
        return {"type": "metadataTrust", "defaultScore": number(task["default_score"])}
    if kind == "metadata_key":
        return {"type": "metadataKey", "key": task["key"], "value": task["value"], "boost": number(task["boost"])}
    if kind == "decay":
        return {
            "type": kind,
            "referenceTime": task["reference_time"],
            "nullTimestampScore": number(task["null_timestamp_score"]),
            "curve": curve(task["curve"]),
        }
    raise NotSupported(f"no scorer {kind}")


def curve(task: dict[str, Any]) -> dict[str, Any]:
    if task["type"] == "exponential":
        return {"type": "exponential", "halfLifeSeconds": number(task["half_life_secs"])}
    if task["type"] == "window":
        return {"type": "window", "maxAgeSeconds": number(task["max_age_secs"])}
    windows = [{"maxAgeSeconds": number(it["max_age_secs"]), "score": number(it["score"])} for it in task["windows"]]
    return {"type": "step", "windows": windows}


def slicer(task: dict[str, Any]) -> dict[str, Any] | str:
    kind = task["type"]
    if kind == "greedy":
        return "greedy"
    if kind == "rank":
        return {"type": kind, "sizeExponent": number(task["size_exponent"]), "sizeFloor": task["size_floor"]}
    if kind == "knapsack":
        return {"type": kind, "knapsackBucketSize": task["bucket_size"]}
    if kind == "quota":
        quotas = [
            {"kind": it["kind"], "minPercent": number(it["require"]), "maxPercent": number(it["cap"])}
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
        fields = {key: number(value) if key == "future_relevance_hint" else value for key, value in it.items()}
        made.append(building(lambda fields=fields: Item(**fields)))
    return made


def pipeline(parts: dict[str, Any]) -> Policy:
    """A whole policy."""
    chosen = parts | {"scorers": scorers(parts["scorer"]), "slicer": slicer(parts["slicer"]), "placer": placer(parts["placer"])}
    return policy(chosen | {"overflow": parts["overflow_strategy"]})


def run(task: dict[str, Any]) -> list[dict[str, Any]]:
    own = pipeline(task["pipeline"])
    budget = building(lambda: read_budget(task["budget"]))
    window = running(lambda: select(items(task), budget, own))
    report = reported(window.report.to_dict(), task["detail_level"])
    answers = [{"path": "select", "result": {"output": window.positions, "report": report}}]
    return [*answers, {"path": "trace", "result": {"output": window.positions, "report": traced(window.trace())}}]


def traced(trace: dict[str, Any]) -> dict[str, Any]:
    def event(it: dict[str, Any]) -> dict[str, Any]:
        level = "stage" if it["message"] is None else "item"
        return {"stage": it["stage"], "item_count": it["item_count"], "message": it["message"], "level": level, "duration_ms": 0.0}

    def overflow(it: dict[str, Any]) -> dict[str, Any]:
        return {"tokens_over_budget": it["tokens_over_budget"], "items": it["positions"], "budget": told_budget(it["budget"])}

    return {
        "events": {"detail_level": "item", "recorded": [event(it) for it in trace["events"]]},
        "snapshots": trace["stages"],
        "overflows": [overflow(trace["overflow"])] if trace["overflow"] else [],
    }


def told_budget(budget: Budget) -> dict[str, Any]:
    return {
        "max_tokens": budget.max_tokens,
        "target_tokens": budget.target_tokens,
        "output_reserve": budget.output_reserve,
        "reserved_slots": [{"kind": kind, "tokens": tokens} for kind, tokens in budget.reserved_slots.items()],
        "safety_margin_percent": budget.safety_margin_percent,
    }


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
        safety_margin_percent=number(task["safety_margin_percent"]),
    )


def score(task: dict[str, Any]) -> list[dict[str, Any]]:
    every = items(task)
    own = policy({"scorers": scorers(task["scorer"])})
    listed = [every[at] for at in task["list"]]
    wanted = [every[at] for at in task["wanted"]]
    one_by_one = running(lambda: own.score(wanted, against=listed))
    together = dict(zip(task["list"], running(lambda: own.score(listed))))
    return [
        {"path": "score against", "result": {"scores": [told_number(it) for it in one_by_one]}},
        {"path": "score", "result": {"scores": [told_number(together.get(at)) for at in task["wanted"]]}},
    ]


ANY_SCORER = [{"type": "recency", "weight": 1}]


def slice_(task: dict[str, Any]) -> list[dict[str, Any]]:
    every, scores = items(task), [float(it) for it in task["scores"]]
    own = policy({"scorers": ANY_SCORER, "slicer": slicer(task["slicer"])})
    budget = building(lambda: Budget(task["max_tokens"], target_tokens=task["target_tokens"]))
    sliced = running(lambda: own.slice(every, scores, budget))
    capped = sum(reason.startswith("CountCapExceeded") for reason in sliced["refused"].values())
    result = {"selected": sliced["kept"], "cap_excluded": capped, "shortfalls": sliced["shortfalls"]}
    return [{"path": "slice", "result": result}]


def place(task: dict[str, Any]) -> list[dict[str, Any]]:
    every, scores = items(task), [float(it) for it in task["scores"]]
    own = policy({"scorers": ANY_SCORER, "placer": placer(task["placer"])})
    order = running(lambda: own.place(every, scores))
    return [{"path": "place", "result": {"order": order}}]


def marginal(task: dict[str, Any]) -> list[dict[str, Any]]:
    every, own = items(task), pipeline(task["pipeline"])
    budget = building(lambda: read_budget(task["budget"]))
    lost = running(lambda: marginal_items(every, budget, task["slack_tokens"], own))
    # By instance: equal items are not the same.
    return [{"path": "marginal_items", "result": {"items": [position(every, item) for item in lost]}}]


def position(every: list[Item], item: Item) -> int:
    return next(at for at, other in enumerate(every) if other is item)


def least_budget(task: dict[str, Any]) -> list[dict[str, Any]]:
    every, own = items(task), pipeline(task["pipeline"])
    budget = building(lambda: read_budget(task["budget"]))
    target = every[task["target"]]
    if task["target_rebuilt"]:
        target = building(lambda: Item(**target.to_dict()))
    found = running(lambda: min_budget(every, budget, target, own, ceiling=task["search_ceiling"]))
    return [{"path": "min_budget", "result": {"min_budget": found}}]


def sensitivity(task: dict[str, Any]) -> list[dict[str, Any]]:
    every = items(task)
    policies = {it["label"]: pipeline(it["pipeline"]) for it in task["variants"]}
    budget = building(lambda: read_budget(task["budget"]))
    compared = running(lambda: compare(every, budget, policies))
    status = {True: "Included", False: "Excluded"}
    windows = [{"label": label, "included": positions} for label, positions in compared.positions.items()]
    diffs = [
        {"content": row["content"], "statuses": [{"label": label, "status": status[row[label]]} for label in policies]}
        for row in compared.rows()
    ]
    return [{"path": "compare", "result": {"variants": windows, "diffs": diffs}}]


def running(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except CupelError as error:
        raise Refused("run", error) from error


def told(phase: str, error: CupelError) -> dict[str, Any]:
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


OPERATIONS = {
    "run": run,
    "score": score,
    "slice": slice_,
    "place": place,
    "marginal_items": marginal,
    "find_min_budget": least_budget,
    "sensitivity": sensitivity,
}


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
