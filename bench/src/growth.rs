//! How time grows with the number of candidates.

/// Up to so many candidates; beyond, the caches decide more than the algorithm.
pub(crate) const UP_TO: usize = 10_000;

/// The exponent that fits times best: the slope of a straight line through their logarithms.
///
/// `None` for less than three points.
pub(crate) fn exponent(points: &[(usize, f64)]) -> Option<f64> {
    let points: Vec<(f64, f64)> = points
        .iter()
        .filter(|(size, _)| *size <= UP_TO)
        .map(|(size, seconds)| ((*size as f64).ln(), seconds.ln()))
        .collect();
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let together: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let alone: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    Some(together / alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_exponent_two_whatever_happens_beyond_the_limit() {
        let squares = [10, 100, 1_000, 10_000].map(|size| (size, 3.0 * (size * size) as f64));
        let with_cliff = [squares.as_slice(), &[(100_000, 1.0)]].concat();
        assert!((exponent(&with_cliff).unwrap() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn two_points_are_no_trend() {
        assert_eq!(exponent(&[(10, 1.0), (100, 10.0)]), None);
    }
}
