//! Tokens by turn as stacked areas, and costs of all strategies over each other, as SVG.

use std::fmt::Write;

use cupel_session::replay::Played;

use super::{escaped, excerpt, series};
use crate::render::grouped;
use crate::replayed::{Replayed, Run};

/// Small enough to be read on a telephone without scaling.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 428.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 214.0;

/// What a chart is drawn in.
struct Frame {
    turns: usize,
    most: f64,
}

impl Frame {
    fn x(&self, turn: usize) -> f64 {
        let steps = self.turns.saturating_sub(1).max(1) as f64;
        LEFT + turn as f64 / steps * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - (value / self.most.max(1.0)).clamp(0.0, 1.0) * (BOTTOM - TOP)
    }

    /// The axes and their numbers.
    fn open(&self, label: &str) -> String {
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}; the table below has the numbers\">"
        );
        for tick in 0..=4 {
            let value = self.most * f64::from(tick) / 4.0;
            let y = self.y(value);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                short(value)
            );
        }
        for (turn, anchor) in
            [(0, "start"), (self.turns / 2, "middle"), (self.turns.saturating_sub(1), "end")]
        {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}{}</text>",
                self.x(turn),
                BOTTOM + 18.0,
                if turn == 0 { "turn " } else { "" },
                turn + 1
            );
        }
        svg
    }
}

/// `12k`, `3.4M`.
fn short(value: f64) -> String {
    match value {
        v if v >= 10_000_000.0 => format!("{:.0}M", v / 1e6),
        v if v >= 1_000_000.0 => format!("{:.1}M", v / 1e6),
        v if v >= 10_000.0 => format!("{:.0}k", v / 1e3),
        v if v >= 1_000.0 => format!("{:.1}k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

/// Up to where a layer reaches in a turn, in tokens.
type TopOf = fn(&Played) -> i64;

/// One strategy: read from the cache, written to it, sent plain, and dropped, on top of each other.
pub(super) fn areas(replayed: &Replayed, run: &Run) -> String {
    let all = replayed.runs.iter().flat_map(|run| &run.outcomes.turns);
    let most = all.map(|turn| turn.whole).max().unwrap_or(1).max(replayed.budget) as f64;
    let frame = Frame { turns: replayed.turns, most };
    let turns = &run.outcomes.turns;
    let mut svg = frame.open(&format!("Tokens by turn, {}", escaped(&excerpt(&run.label, 40))));
    let layers: [(&str, TopOf); 4] = [
        ("cached", |turn| turn.costs.read),
        ("written", |turn| turn.costs.read + turn.costs.written),
        ("plain", |turn| turn.costs.tokens()),
        ("dropped", |turn| turn.costs.tokens() + turn.dropped),
    ];
    let mut floor: Vec<f64> = vec![0.0; turns.len()];
    for (class, top) in layers {
        let tops: Vec<f64> = turns.iter().map(|turn| top(turn) as f64).collect();
        let point =
            |(at, value): (usize, &f64)| format!("{:.1},{:.1}", frame.x(at), frame.y(*value));
        let upper: Vec<_> = tops.iter().enumerate().map(point).collect();
        let lower: Vec<_> = floor.iter().enumerate().rev().map(point).collect();
        if tops != floor {
            let _ = write!(
                svg,
                "<polygon class=\"{class}\" points=\"{} {}\"/>",
                upper.join(" "),
                lower.join(" ")
            );
        }
        floor = tops;
    }
    let budget = frame.y(replayed.budget as f64);
    let _ = write!(
        svg,
        "<line class=\"budget\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{budget:.1}\" y2=\"{budget:.1}\"><title>budget, {} tokens</title></line>",
        grouped(replayed.budget)
    );
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.cut) {
        let x = frame.x(at);
        let _ = write!(
            svg,
            "<path class=\"cut\" d=\"M{x:.1} {BOTTOM} l-3.5 7 h7 z\"><title>turn {}: cut; {} tokens sent, {} read from the cache</title></path>",
            at + 1,
            grouped(turn.costs.tokens()),
            grouped(turn.costs.read)
        );
    }
    svg + "</svg>"
}

/// What all strategies have cost by each turn, over each other.
pub(super) fn overlay(replayed: &Replayed) -> String {
    let most = replayed.runs.iter().map(|run| run.outcomes.cost()).fold(1.0, f64::max);
    let frame = Frame { turns: replayed.turns, most };
    let mut svg = frame.open("Cost so far by turn");
    for (number, run) in replayed.runs.iter().enumerate() {
        let mut sum = 0.0;
        let points = run.outcomes.turns.iter().enumerate().map(|(at, turn)| {
            sum += turn.costs.cost();
            format!("{:.1},{:.1}", frame.x(at), frame.y(sum))
        });
        let points: Vec<_> = points.collect();
        let _ = write!(
            svg,
            "<g class=\"series\" style=\"{}\"><polyline class=\"curve{}\" points=\"{}\"><title>{}: {}</title></polyline></g>",
            series(number),
            // Colours come again after eight.
            if number >= 8 { " late" } else { "" },
            points.join(" "),
            escaped(&excerpt(&run.label, 40)),
            grouped(run.outcomes.cost().round() as i64)
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_on_axes_are_short() {
        let told: Vec<_> = [0.0, 950.0, 1_500.0, 25_000.0, 1_250_000.0, 25e6].map(short).to_vec();
        assert_eq!(told, ["0", "950", "1.5k", "25k", "1.2M", "25M"]);
    }
}
