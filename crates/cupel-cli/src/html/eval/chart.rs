//! Curves of recall over budget, as SVG.

use std::fmt::Write;

use cupel_eval::{Contender, ContenderSummary, Size, Summary};

use super::{escaped, excerpt, percent, series, size};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 780.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 390.0;
/// Labels at the ends of curves are at least so far apart.
const BETWEEN_LABELS: f64 = 19.0;

/// The curves, each with its band and its label.
pub(super) fn chart(summary: &Summary) -> String {
    let xs = positions(&summary.sizes);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Recall over budget; the table below has the numbers\">"
    );
    for tick in 0..=4 {
        let share = f64::from(tick) / 4.0;
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/><text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3:.0}%</text>",
            height(share),
            LEFT - 8.0,
            height(share) + 4.0,
            share * 100.0
        );
    }
    for (x, it) in xs.iter().zip(&summary.sizes) {
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 22.0,
            size(it)
        );
    }
    let unit = if summary.sizes.iter().all(|it| matches!(it, Size::Tokens(_))) {
        "budget in tokens"
    } else {
        "budget"
    };
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{unit}</text>",
        (LEFT + RIGHT) / 2.0,
        BOTTOM + 44.0
    );
    let labels = label_heights(&summary.contenders);
    for (number, (it, label)) in summary.contenders.iter().zip(labels).enumerate() {
        svg += &curve(number, it, &xs, &summary.sizes, label);
    }
    svg + "</svg>"
}

/// One contender: band, curve, points with their numbers, label.
fn curve(number: usize, it: &ContenderSummary, xs: &[f64], sizes: &[Size], label: f64) -> String {
    let class = if Contender::baseline(&it.label).is_some() { "series baseline" } else { "series" };
    let mut svg = format!("<g class=\"{class}\" style=\"{}\">", series(number, &it.label));
    let points = |share: fn(&cupel_eval::Estimate) -> f64| {
        let points = xs.iter().zip(&it.by_size);
        points.map(move |(x, it)| format!("{x:.1},{:.1}", height(share(it)))).collect::<Vec<_>>()
    };
    let (upper, mut lower) = (points(|it| it.high), points(|it| it.low));
    lower.reverse();
    let _ =
        write!(svg, "<polygon class=\"band\" points=\"{} {}\"/>", upper.join(" "), lower.join(" "));
    let _ =
        write!(svg, "<polyline class=\"curve\" points=\"{}\"/>", points(|it| it.mean).join(" "));
    let name = escaped(&excerpt(&it.label, 22));
    for ((x, estimate), at) in xs.iter().zip(&it.by_size).zip(sizes) {
        let (mean, low, high) =
            (percent(estimate.mean), percent(estimate.low), percent(estimate.high));
        let told = format!("{name} at {}: {mean} % ({low} to {high})", size(at));
        svg += &marker(number, *x, height(estimate.mean), &told);
    }
    let end = height(it.by_size.last().map_or(0.0, |it| it.mean));
    let _ = write!(
        svg,
        "<line class=\"leader\" x1=\"{}\" y1=\"{end:.1}\" x2=\"{}\" y2=\"{label:.1}\"/><text class=\"label\" x=\"{}\" y=\"{:.1}\">{name} {}</text></g>",
        RIGHT + 8.0,
        RIGHT + 22.0,
        RIGHT + 26.0,
        label + 4.5,
        percent(it.overall.mean)
    );
    svg
}

/// A point that also differs by its shape, for those who do not tell colours apart.
fn marker(number: usize, x: f64, y: f64, told: &str) -> String {
    let title = format!("<title>{told}</title>");
    match number % 3 {
        0 => {
            format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\">{title}</circle>")
        }
        1 => format!(
            "<rect class=\"dot\" x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\">{title}</rect>",
            x - 4.0,
            y - 4.0
        ),
        _ => format!(
            "<polygon class=\"dot\" points=\"{x:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\">{title}</polygon>",
            y - 5.5,
            x + 5.5,
            y + 4.5,
            x - 5.5,
            y + 4.5
        ),
    }
}

fn height(share: f64) -> f64 {
    BOTTOM - share.clamp(0.0, 1.0) * (BOTTOM - TOP)
}

/// Where each budget stands: by its logarithm where all are tokens and rise, else evenly.
fn positions(sizes: &[Size]) -> Vec<f64> {
    let logarithms: Vec<f64> = sizes
        .iter()
        .map(|it| match it {
            Size::Tokens(tokens) => (*tokens as f64).ln(),
            _ => f64::NAN,
        })
        .collect();
    let rises = logarithms.windows(2).all(|pair| pair[0] < pair[1]) && !logarithms[0].is_nan();
    let share = |at: usize| match (sizes.len(), rises) {
        (1, _) => 0.5,
        (count, false) => at as f64 / (count - 1) as f64,
        (count, true) => (logarithms[at] - logarithms[0]) / (logarithms[count - 1] - logarithms[0]),
    };
    (0..sizes.len()).map(|at| LEFT + 12.0 + share(at) * (RIGHT - LEFT - 24.0)).collect()
}

/// Where the label of each curve stands: beside its end, pushed apart where ends are close.
fn label_heights(contenders: &[ContenderSummary]) -> Vec<f64> {
    let end = |it: &ContenderSummary| height(it.by_size.last().map_or(0.0, |it| it.mean));
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    order.sort_by(|a, b| end(&contenders[*a]).total_cmp(&end(&contenders[*b])));
    let mut heights = vec![0.0; contenders.len()];
    let mut free = TOP;
    for at in order {
        heights[at] = end(&contenders[at]).max(free);
        free = heights[at] + BETWEEN_LABELS;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_stand_by_their_logarithm_or_evenly() {
        let at = positions(&[Size::Tokens(500), Size::Tokens(1_000), Size::Tokens(4_000)]);
        assert!(((at[1] - at[0]) * 2.0 - (at[2] - at[1])).abs() < 1e-9);
        let at = positions(&[Size::Thousandths(100), Size::Tokens(9), Size::Tokens(1)]);
        assert!((at[1] - at[0] - (at[2] - at[1])).abs() < 1e-9);
        assert_eq!(positions(&[Size::Tokens(5)]).len(), 1);
    }
}
