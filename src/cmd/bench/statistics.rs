//! Summarizes measurements, and compares summaries.
//!
//! The confidence interval of a median is computed from order statistics, so it does not depend on
//! the distribution of the samples. For n samples and a confidence of 95 %, the bounds for the true
//! median are the sorted samples at `0.98 sqrt(n)` places below and above the middle. The reason is
//! that the number of samples below the true median has a binomial distribution with the standard
//! deviation `0.5 sqrt(n)`, and a confidence of 95 % needs 1.96 standard deviations.
//!
//! If there are fewer than 6 samples, even the smallest and the largest sample do not give this
//! confidence. Therefore, their distances from the median are multiplied by a ratio of normal
//! quantiles. The larger distance is the half-width of the interval on both sides. For the
//! difference between two independent medians with the half-widths a and b, the half-width is
//! `sqrt(a^2 + b^2)`.
//!
//! The bootstrap method would also give an interval, but it is slower and needs all samples from
//! both measurements. This method needs only two numbers from each measurement.

/// A summary of samples, in the samples' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSummary {
    /// The median: half of the samples are below this number.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The median absolute deviation, which is the median distance between the samples and their
    /// median.
    pub mad: f64,
    /// The smallest sample.
    pub min: f64,
    /// The 95th percentile: 95 % of the samples are not above this number.
    pub p95: f64,
    /// Half the width of the confidence interval (95 %) for the true median.
    pub median_ci95: f64,
}

impl SampleSummary {
    /// Summarizes samples. There must be at least one sample.
    pub fn of(samples: &[f64]) -> Self {
        let sorted = sorted(samples.iter().copied());
        let median = middle(&sorted);
        let rank = (sorted.len() * 95).div_ceil(100).max(1);
        Self {
            median,
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            mad: middle(&self::sorted(sorted.iter().map(|x| (x - median).abs()))),
            min: sorted[0],
            p95: sorted[rank - 1],
            median_ci95: median_ci95(&sorted, median),
        }
    }
}

/// The factors that widen the interval for 0 to 5 samples. The range of n samples contains the true
/// median with the confidence `1 - 2^(1-n)`, which is 50 % for two samples. The factor is 1.96
/// divided by the normal quantile for this confidence. A single sample gives no confidence, so its
/// factor is 0.
const STRETCH: [f64; 6] = [0.0, 0.0, 2.91, 1.70, 1.28, 1.05];

/// Returns half the width of the confidence interval: the larger distance between the median and a
/// bound of the interval.
fn median_ci95(sorted: &[f64], median: f64) -> f64 {
    let n = sorted.len();
    let rank = (n as f64 / 2.0 - 0.98 * (n as f64).sqrt()).floor().max(1.0) as usize;
    let distance = (median - sorted[rank - 1]).max(sorted[n - rank] - median);
    distance * STRETCH.get(n).unwrap_or(&1.0)
}

/// The change of a median, in percent of the first median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianChange {
    /// The change in percent, which is positive if the second median is larger.
    pub pct: f64,
    /// The confidence interval (95 %) of the change.
    pub ci95: [f64; 2],
}

impl MedianChange {
    /// Compares two medians. Each argument is a median, and half the width of its confidence
    /// interval. The first median must be above 0.
    pub fn between(before: (f64, f64), after: (f64, f64)) -> Self {
        let pct = 100.0 * (after.0 - before.0) / before.0;
        let half_width = 100.0 * before.1.hypot(after.1) / before.0;
        Self { pct, ci95: [pct - half_width, pct + half_width] }
    }

    /// Returns whether the second median is larger by more than `limit` percent, and is larger with
    /// a confidence of 95 %.
    pub fn is_above(&self, limit: f64) -> bool {
        self.pct > limit && self.ci95[0] > 0.0
    }

    /// Returns whether the second median is smaller by more than `limit` percent, and is smaller
    /// with a confidence of 95 %.
    pub fn is_below(&self, limit: f64) -> bool {
        self.pct < -limit && self.ci95[1] < 0.0
    }
}

/// The result of comparing a row with its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// The row is slower by more than the limit, and is slower with a confidence of 95 %.
    Regressed,
    /// The change is within the limit, or its confidence interval (95 %) contains 0.
    Same,
    /// The row is faster by more than the limit, and is faster with a confidence of 95 %.
    Faster,
}

impl Trend {
    /// Returns the name for documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Same => "same",
            Self::Faster => "faster",
        }
    }

    /// Returns the name for tables. It has capital letters if the row is slower.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Regressed => "REGRESSED",
            _ => self.name(),
        }
    }
}

/// The comparison of a row with its baseline.
#[derive(Clone, Copy, Debug)]
pub struct RowComparison {
    /// The change from the median in the baseline to the median in this run.
    pub change: MedianChange,
    /// Whether the change is an improvement or a regression.
    pub trend: Trend,
}

impl RowComparison {
    /// Compares a change with a limit, which is in percent.
    pub fn of(change: MedianChange, limit: f64) -> Self {
        let trend = if change.is_above(limit) {
            Trend::Regressed
        } else if change.is_below(limit) {
            Trend::Faster
        } else {
            Trend::Same
        };
        Self { change, trend }
    }
}

/// Returns the samples' median. There must be at least one sample.
pub fn median(samples: &[f64]) -> f64 {
    middle(&sorted(samples.iter().copied()))
}

fn sorted(samples: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<_> = samples.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn middle(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + sorted[middle]) / 2.0 } else { sorted[middle] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_known_lists() {
        let s = SampleSummary::of(&[4.0, 1.0, 2.0, 3.0, 100.0]);
        let ci = 97.0 * 1.05;
        assert_eq!(s, SampleSummary { median: 3.0, mean: 22.0, mad: 1.0, min: 1.0, p95: 100.0, median_ci95: ci });
        let s = SampleSummary::of(&[2.0, 1.0]);
        assert_eq!((s.median, s.mad, s.p95), (1.5, 0.5, 2.0));
        let hundred: Vec<_> = (1..=100).map(f64::from).collect();
        assert_eq!(SampleSummary::of(&hundred).p95, 95.0);
        let seven = SampleSummary { median: 7.0, mean: 7.0, mad: 0.0, min: 7.0, p95: 7.0, median_ci95: 0.0 };
        assert_eq!(SampleSummary::of(&[7.0]), seven);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }

    /// Tests that the ranks cover at least 95 % of the binomial distribution, and not much more.
    #[test]
    fn ranks_have_the_stated_confidence() {
        for n in 6..=60usize {
            let sorted: Vec<_> = (0..n).map(|i| i as f64).collect();
            let half = median_ci95(&sorted, middle(&sorted));
            let outside = (middle(&sorted) - half).round() as usize;
            // This is twice the probability that at most `outside` of n coins show heads.
            let mut binomial = 0.5f64.powi(n as i32);
            let mut tail = 0.0;
            for k in 0..=outside {
                tail += binomial;
                binomial *= (n - k) as f64 / (k + 1) as f64;
            }
            assert!((0.001..=0.05).contains(&(2.0 * tail)), "{n} samples: {}", 1.0 - 2.0 * tail);
        }
    }

    #[test]
    fn outliers_do_not_widen_the_interval() {
        let mut samples: Vec<_> = (0..50).map(|i| 100.0 + f64::from(i)).collect();
        let half = SampleSummary::of(&samples).median_ci95;
        samples[49] = 1e9;
        assert_eq!(SampleSummary::of(&samples).median_ci95, half);
        assert_eq!(half, 7.5);
    }

    #[test]
    fn a_change_needs_size_and_confidence() {
        let change = MedianChange::between((100.0, 3.0), (110.0, 4.0));
        assert_eq!(change, MedianChange { pct: 10.0, ci95: [5.0, 15.0] });
        assert!(change.is_above(5.0) && !change.is_above(10.0) && !change.is_below(0.0));
        // The change is large, but not certain.
        assert!(!MedianChange::between((100.0, 30.0), (120.0, 0.0)).is_above(5.0));
        let change = MedianChange::between((200.0, 6.0), (100.0, 8.0));
        assert_eq!(change, MedianChange { pct: -50.0, ci95: [-55.0, -45.0] });
        assert!(change.is_below(5.0) && !change.is_below(50.0) && !change.is_above(0.0));
    }
}
