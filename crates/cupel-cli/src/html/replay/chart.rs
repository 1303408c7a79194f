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
    /// Between two lines of the grid: a round number.
    step: f64,
    steps: u32,
}

impl Frame {
    /// A frame that holds values up to `most`.
    fn new(turns: usize, most: f64) -> Self {
        let about = most.max(4.0) / 4.0;
        let power = 10_f64.powf(about.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|it| it * power);
        let step = step.into_iter().find(|step| *step >= about).unwrap_or(about);
        let steps = (1..4).find(|steps| f64::from(*steps) * step >= most).unwrap_or(4);
        Self { turns, step, steps }
    }

    fn x(&self, turn: usize) -> f64 {
        let steps = self.turns.saturating_sub(1).max(1) as f64;
        LEFT + turn as f64 / steps * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let most = self.step * f64::from(self.steps);
        BOTTOM - (value / most).clamp(0.0, 1.0) * (BOTTOM - TOP)
    }

    /// The axes and their numbers.
    fn open(&self, label: &str) -> String {
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}; the table has the numbers\">"
        );
        for tick in 0..=self.steps {
            let value = self.step * f64::from(tick);
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
                BOTTOM + 24.0,
                if turn == 0 { "turn " } else { "" },
                turn + 1
            );
        }
        svg
    }

    fn budget(&self, budget: i64) -> String {
        let y = self.y(budget as f64);
        format!(
            "<line class=\"budget\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"><title>budget, {} tokens</title></line>",
            grouped(budget)
        )
    }
}

/// `12k`, `3.4M`.
fn short(value: f64) -> String {
    match value {
        v if v >= 10_000_000.0 => format!("{:.0}M", v / 1e6),
        v if v >= 1_000_000.0 => format!("{:.1}M", v / 1e6).replace(".0", ""),
        v if v >= 10_000.0 => format!("{:.0}k", v / 1e3),
        v if v >= 1_000.0 => format!("{:.1}k", v / 1e3).replace(".0", ""),
        v => format!("{v:.0}"),
    }
}

/// Up to where a layer reaches in a turn, in tokens.
type TopOf = fn(&Played) -> i64;

/// One strategy: read from the cache, written to it, sent plain, and dropped, on top of each other.
pub(super) fn areas(replayed: &Replayed, run: &Run) -> String {
    let all = replayed.runs.iter().flat_map(|run| &run.outcomes.turns);
    let most = all.map(|turn| turn.whole).max().unwrap_or(1).max(replayed.budget) as f64;
    let frame = Frame::new(replayed.turns, most);
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
    svg += &frame.budget(replayed.budget);
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
pub(super) fn costs(replayed: &Replayed) -> String {
    let most = replayed.runs.iter().map(|run| run.outcomes.cost()).fold(1.0, f64::max);
    let frame = Frame::new(replayed.turns, most);
    let mut svg = frame.open("Cost so far by turn");
    for (number, run) in replayed.runs.iter().enumerate() {
        let mut sum = 0.0;
        let so_far = run.outcomes.turns.iter().map(|turn| {
            sum += turn.costs.cost();
            sum
        });
        svg += &curve(&frame, number, run, so_far, &grouped(run.outcomes.cost().round() as i64));
    }
    svg + "</svg>"
}

/// What all strategies send in each turn, over each other.
pub(super) fn sent(replayed: &Replayed) -> String {
    let tokens = |run: &Run| -> Vec<i64> {
        run.outcomes.turns.iter().map(|turn| turn.costs.tokens()).collect()
    };
    let most = replayed.runs.iter().flat_map(tokens).max().unwrap_or(0).max(replayed.budget);
    let frame = Frame::new(replayed.turns, most as f64);
    let mut svg = frame.open("Tokens sent by turn");
    for (number, run) in replayed.runs.iter().enumerate() {
        let tokens = tokens(run);
        let mean = tokens.iter().sum::<i64>() / i64::try_from(tokens.len().max(1)).unwrap_or(1);
        let told = format!("{} tokens a turn, the mean", grouped(mean));
        svg += &curve(&frame, number, run, tokens.iter().map(|it| *it as f64), &told);
    }
    svg + &frame.budget(replayed.budget) + "</svg>"
}

/// A strategy's line over the turns.
fn curve(
    frame: &Frame,
    number: usize,
    run: &Run,
    values: impl Iterator<Item = f64>,
    told: &str,
) -> String {
    let point = |(at, value)| format!("{:.1},{:.1}", frame.x(at), frame.y(value));
    let points: Vec<_> = values.enumerate().map(point).collect();
    format!(
        "<g class=\"series\" style=\"{}\"><polyline class=\"curve{}\" points=\"{}\"><title>{}: {told}</title></polyline></g>",
        series(number),
        // Colours come again after eight.
        if number >= 8 { " late" } else { "" },
        points.join(" "),
        escaped(&excerpt(&run.label, 40)),
    )
}

#[cfg(test)]
mod tests {
    use super::{Frame, short};

    #[test]
    fn lines_of_the_grid_stand_at_round_numbers_and_hold_everything() {
        for (most, step, steps) in
            [(58_000.0, 20_000.0, 3), (1_140_889.0, 500_000.0, 3), (100.0, 25.0, 4), (0.0, 1.0, 1)]
        {
            let frame = Frame::new(1, most);
            assert_eq!((frame.step, frame.steps), (step, steps), "{most}");
        }
    }

    #[test]
    fn numbers_on_axes_are_short() {
        let told: Vec<_> =
            [0.0, 950.0, 1_500.0, 5_000.0, 25_000.0, 1_250_000.0, 25e6].map(short).to_vec();
        assert_eq!(told, ["0", "950", "1.5k", "5k", "25k", "1.2M", "25M"]);
    }
}
