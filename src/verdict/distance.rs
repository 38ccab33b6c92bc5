//! Computes the edit distance between two words. fndsa uses this distance to suggest corrections.

use alloc::vec::Vec;

/// Returns the minimum number of bytes that must be added, removed or changed to convert `a` to
/// `b`.
pub fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_changed_letters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "ab", 1),
            ("", "ab", 2),
            ("revokd", "revoked", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
