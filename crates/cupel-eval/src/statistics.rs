//! Means, and how sure they are.

use crate::budget::Size;
use crate::measure::Recalls;
use crate::random::SplitMix64;

/// How intervals are found: questions are drawn again and again, with replacement, and the middle 95 % of the means that
/// come out are the interval. All contenders see the same draws, so that differences are paired.
///
/// Questions are drawn one by one, as if they had nothing to do with each other. Where many are asked of few pools, the
/// interval says how sure the mean is for more questions about these pools, not for other pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    /// How often the questions are drawn.
    pub resamples: usize,
    /// What the draws begin with. The same seed gives the same intervals.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 2_000, seed: 0 }
    }
}

/// A mean, and the interval that holds it with a confidence of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The mean over all questions.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Whether the interval lies on one side of zero.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// What a contender finds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContenderSummary {
    /// Its name.
    pub label: String,
    /// The mean recall at each size.
    pub by_size: Vec<Estimate>,
    /// The mean over all sizes.
    pub overall: Estimate,
}

/// How a contender differs from the first, question by question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Its name.
    pub label: String,
    /// Its recall less that of the first, at each size.
    pub by_size: Vec<Estimate>,
    /// The same over all sizes.
    pub overall: Estimate,
    /// On how many questions it finds more, over all sizes.
    pub better: usize,
    /// On how many it finds less.
    pub worse: usize,
}

/// All contenders in figures.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The sizes.
    pub sizes: Vec<Size>,
    /// How many questions there are.
    pub questions: usize,
    /// What each contender finds.
    pub contenders: Vec<ContenderSummary>,
    /// How each but the first differs from it.
    pub comparisons: Vec<Comparison>,
}

impl Recalls {
    /// Means and intervals over all questions.
    pub fn summary(&self, bootstrap: &Bootstrap) -> Summary {
        let all: Vec<usize> = (0..self.questions()).collect();
        self.summary_of(&all, bootstrap)
    }

    /// The same over some of the questions, by their numbers.
    pub fn summary_of(&self, questions: &[usize], bootstrap: &Bootstrap) -> Summary {
        let (sizes, contenders) = (self.sizes.len(), self.labels.len());
        // A row for each question: of each contender its recall at each size and over all, then the same as differences
        // from the first.
        let row = |question: &usize| {
            let of = |contender: usize| {
                let at_size = move |size| self.recall(*question, contender, size);
                (0..sizes).map(at_size).chain([self.overall(*question, contender)])
            };
            let first: Vec<_> = of(0).collect();
            let plain = (0..contenders).flat_map(of);
            let differences = (0..contenders).flat_map(|it| of(it).zip(&first).map(|(a, b)| a - b));
            plain.chain(differences).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<f64>> = questions.iter().map(row).collect();
        let estimates = bootstrap.estimates(&rows);
        let of = |contender: usize| {
            let own = &estimates[contender * (sizes + 1)..(contender + 1) * (sizes + 1)];
            (own[..sizes].to_vec(), own[sizes])
        };
        let summary = |contender: usize| {
            let (by_size, overall) = of(contender);
            ContenderSummary { label: self.labels[contender].clone(), by_size, overall }
        };
        let comparison = |contender: usize| {
            let (by_size, overall) = of(contenders + contender);
            let difference = |question: &&usize| {
                self.overall(**question, contender) - self.overall(**question, 0)
            };
            Comparison {
                label: self.labels[contender].clone(),
                by_size,
                overall,
                better: questions.iter().filter(|it| difference(it) > 0.0).count(),
                worse: questions.iter().filter(|it| difference(it) < 0.0).count(),
            }
        };
        Summary {
            sizes: self.sizes.clone(),
            questions: questions.len(),
            contenders: (0..contenders).map(summary).collect(),
            comparisons: (1..contenders).map(comparison).collect(),
        }
    }
}

impl Bootstrap {
    /// The mean of each column, and its interval.
    fn estimates(&self, rows: &[Vec<f64>]) -> Vec<Estimate> {
        let columns = rows.first().map_or(0, Vec::len);
        let mut random = SplitMix64::new(self.seed);
        let means = |draw: &mut dyn FnMut(usize) -> usize| {
            let mut sums = vec![0.0; columns];
            for at in 0..rows.len() {
                sums.iter_mut().zip(&rows[draw(at)]).for_each(|(sum, value)| *sum += value);
            }
            sums.iter_mut().for_each(|sum| *sum /= rows.len() as f64);
            sums
        };
        let seen = means(&mut |at| at);
        let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(self.resamples); columns];
        for _ in 0..self.resamples {
            let resampled = means(&mut |_| random.below(rows.len()));
            drawn.iter_mut().zip(resampled).for_each(|(all, mean)| all.push(mean));
        }
        let estimate = |(mean, mut drawn): (f64, Vec<f64>)| {
            drawn.sort_unstable_by(f64::total_cmp);
            let (low, high) = middle_95_percent(&drawn).unwrap_or((mean, mean));
            Estimate { mean, low, high }
        };
        seen.into_iter().zip(drawn).map(estimate).collect()
    }
}

/// What 2.5 % of the numbers are below, and 2.5 % above.
fn middle_95_percent(sorted: &[f64]) -> Option<(f64, f64)> {
    let outside = sorted.len() * 25 / 1000;
    Some((*sorted.get(outside)?, *sorted.get(sorted.len() - 1 - outside)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recalls(by_question: &[[f64; 4]]) -> Recalls {
        Recalls {
            labels: vec!["a".to_owned(), "b".to_owned()],
            sizes: vec![Size::Tokens(1), Size::Tokens(2)],
            by_question: by_question.iter().map(|it| it.to_vec()).collect(),
        }
    }

    #[test]
    fn means_are_over_questions_then_sizes() {
        let recalls = recalls(&[[0.0, 1.0, 0.5, 1.0], [0.5, 0.5, 0.0, 0.5], [1.0, 0.0, 1.0, 1.0]]);
        let summary = recalls.summary(&Bootstrap::default());
        let means = |it: &[Estimate]| it.iter().map(|it| it.mean).collect::<Vec<_>>();
        assert_eq!(means(&summary.contenders[0].by_size), [0.5, 0.5]);
        assert_eq!(summary.contenders[0].overall.mean, 0.5);
        assert_eq!(means(&summary.contenders[1].by_size), [0.5, 2.5 / 3.0]);
        let comparison = &summary.comparisons[0];
        assert_eq!(means(&comparison.by_size), [0.0, 1.0 / 3.0]);
        assert_eq!((comparison.better, comparison.worse), (2, 1));
        assert!((comparison.overall.mean - 0.5 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn equal_seeds_give_equal_intervals_and_other_seeds_others() {
        let many: Vec<_> = (0..40)
            .map(|it| [f64::from(it % 7) / 7.0, 0.3, f64::from(it % 3) / 3.0, 1.0])
            .collect();
        let recalls = recalls(&many);
        let summary = |seed| recalls.summary(&Bootstrap { seed, resamples: 200 });
        assert_eq!(summary(7), summary(7));
        assert_ne!(summary(7), summary(8));
    }

    #[test]
    fn an_interval_holds_its_mean_and_shrinks_with_more_questions() {
        let spread = |questions: u32| {
            let rows: Vec<_> =
                (0..questions).map(|it| [f64::from(it % 2), 0.0, 0.0, 0.0]).collect();
            let summary = recalls(&rows).summary(&Bootstrap::default());
            let estimate = summary.contenders[0].by_size[0];
            assert!(estimate.low <= estimate.mean && estimate.mean <= estimate.high);
            estimate.high - estimate.low
        };
        // The standard error of n coins is 0.5 / sqrt(n); the interval is 3.92 of them wide.
        assert!((spread(100) - 0.196).abs() < 0.03, "{}", spread(100));
        assert!((spread(400) - 0.098).abs() < 0.015, "{}", spread(400));
    }

    #[test]
    fn a_difference_is_paired_so_that_hard_questions_cancel_out() {
        // Hard and easy questions differ by 80 points, the contenders always by exactly 10.
        let rows: Vec<_> = (0..30)
            .map(|it| 0.1 + 0.8 * f64::from(it % 2))
            .map(|it| [it, it, it + 0.1, it + 0.1])
            .collect();
        let summary = recalls(&rows).summary(&Bootstrap::default());
        let own = summary.contenders[0].overall;
        assert!(own.high - own.low > 0.2);
        let difference = summary.comparisons[0].overall;
        assert!((difference.low - 0.1).abs() < 1e-9 && (difference.high - 0.1).abs() < 1e-9);
        assert!(difference.is_clear());
    }
}
