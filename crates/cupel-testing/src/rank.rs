//! The order of scores, as the engine has it.

use std::cmp::Ordering;

/// Best score first: NaN after every number, both zeros equal.
pub(crate) fn best_first(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Whether two scores are the same to the bit; one NaN is as good as another.
pub(crate) fn same_score(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_ranks_below_every_number_and_zeros_are_equal() {
        let ranked = [f64::INFINITY, 1.0, 0.0, -1.0, f64::NEG_INFINITY, f64::NAN];
        for (at, &better) in ranked.iter().enumerate() {
            assert_eq!(best_first(better, better), Ordering::Equal);
            for &worse in &ranked[at + 1..] {
                assert_eq!(best_first(better, worse), Ordering::Less, "{better} and {worse}");
                assert_eq!(best_first(worse, better), Ordering::Greater, "{worse} and {better}");
            }
        }
        assert_eq!(best_first(-0.0, 0.0), Ordering::Equal);
    }
}
