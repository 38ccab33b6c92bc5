//! What a list of measurements says.

/// Order statistics and the mean, in the unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Half of the samples are below.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// Median of the distances to the median.
    pub mad: f64,
    /// The smallest.
    pub min: f64,
    /// 95 of 100 samples are not above.
    pub p95: f64,
}

impl Summary {
    /// Of at least one sample.
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
        }
    }
}

fn sorted(samples: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<_> = samples.collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { (sorted[half - 1] + sorted[half]) / 2.0 } else { sorted[half] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_known_lists() {
        let s = Summary::of(&[4.0, 1.0, 2.0, 3.0, 100.0]);
        assert_eq!(s, Summary { median: 3.0, mean: 22.0, mad: 1.0, min: 1.0, p95: 100.0 });
        let s = Summary::of(&[2.0, 1.0]);
        assert_eq!((s.median, s.mad, s.p95), (1.5, 0.5, 2.0));
        let hundred: Vec<_> = (1..=100).map(f64::from).collect();
        assert_eq!(Summary::of(&hundred).p95, 95.0);
        assert_eq!(Summary::of(&[7.0]), Summary { median: 7.0, mean: 7.0, mad: 0.0, min: 7.0, p95: 7.0 });
    }
}
