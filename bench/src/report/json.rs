//! For machines.

use serde_json::{Value, json};

use super::{Growth, Report};
use crate::gates::{self, Verdict};
use crate::measure::Cell;
use crate::timing::Quartiles;

pub(super) fn render(report: &Report) -> String {
    let c_of_a = report.c_of_a.iter().map(|(items, times)| {
        json!({
            "items": items,
            "times": quartiles(*times),
            "at_most": gates::C_AGAINST_A,
            "verdict": verdict(Some(super::at_most(times.median, gates::C_AGAINST_A))),
        })
    });
    let value = json!({
        "published": "cupel 1.2.0",
        "floor": "one pass, rapidhash of all text, one sort of (f64, u32)",
        "gates": report.gates(),
        "missed": report.misses(),
        "cells": report.cells.iter().map(cell).collect::<Vec<Value>>(),
        "growth": report.growth().iter().map(growth).collect::<Vec<Value>>(),
        "c_against_own_a": c_of_a.collect::<Vec<Value>>(),
    });
    format!("{value:#}")
}

fn cell(cell: &Cell) -> Value {
    json!({
        "pipeline": cell.setup.to_string(),
        "operation": cell.operation.name(),
        "items": cell.size,
        "ours_ns": nanoseconds(cell.ours),
        "floor": {
            "ns": nanoseconds(cell.floor),
            "times": quartiles(cell.of_floor),
        },
        "published": cell.published.map(|peer| json!({
            "ns": nanoseconds(peer.seconds),
            "faster": quartiles(peer.faster),
            "gate": gates::against_published(cell.setup, cell.size),
            "verdict": verdict(cell.verdict()),
        })),
    })
}

fn growth(growth: &Growth) -> Value {
    json!({
        "pipeline": growth.setup.to_string(),
        "operation": growth.operation.name(),
        "exponent": growth.exponent,
        "at_most": growth.gate,
        "verdict": verdict(growth.verdict()),
    })
}

fn nanoseconds(seconds: f64) -> f64 {
    (seconds * 1e10).round() / 10.0
}

fn quartiles(quartiles: Quartiles) -> Value {
    json!({ "lower": quartiles.lower, "median": quartiles.median, "upper": quartiles.upper })
}

fn verdict(verdict: Option<Verdict>) -> Option<&'static str> {
    verdict.map(|verdict| match verdict {
        Verdict::Met => "met",
        Verdict::Missed => "missed",
    })
}
