//! Determines the rows of the result, and their order. A row is the measurement of an operation, of
//! a part of operations, or of a hash, on a level (an instruction set).

use super::hashes::TimedHash;
use super::work::{BenchTarget, batch_size, message_size};
use fndsa::Algorithm;
use fndsa::no_alloc::Level;
use std::fmt;

/// The values that identify a row. `--baseline` and `--diff` compare rows with equal keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// The operation or part.
    pub op: String,
    /// The name of the algorithm or hash.
    pub algorithm: String,
    /// The name of the level, which is an instruction set, or `auto` for a hash that has no levels.
    pub backend: String,
    /// The message length in bytes, or 0 for a part.
    pub message_bytes: u64,
    /// The number of threads that work at the same time.
    pub threads: u64,
    /// The batch size in messages. `None` if a call processes a single message.
    pub batch: Option<u64>,
}

impl RowKey {
    /// Returns the operation name for tables.
    pub fn label(&self) -> String {
        match self.batch {
            Some(batch) => format!("{} x{batch}", self.op),
            None => self.op.clone(),
        }
    }
}

impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, backend, message_bytes, threads, .. } = self;
        let op = self.label();
        write!(f, "{op} of {algorithm} on {backend}, {message_bytes} bytes, threads: {threads}")
    }
}

/// The algorithm or the hash function that a group of rows measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchSubject {
    /// An algorithm. The operations use a key of this algorithm.
    Algorithm(Algorithm),
    /// A hash, which does not need a key.
    Hash(TimedHash),
}

/// The rows for an algorithm or hash, and for a message length.
#[derive(Debug)]
pub struct RowGroup {
    /// The algorithm or hash.
    pub subject: BenchSubject,
    /// The message length in bytes. `None` for the algorithm's default length.
    pub size: Option<u32>,
    /// The number of messages in a batch.
    pub batch: u32,
    /// The operations and parts that the rows measure.
    pub targets: Vec<BenchTarget>,
    /// The levels, in the order of the printed rows.
    pub levels: Vec<Level>,
}

impl RowGroup {
    /// Returns the key for a row in the group.
    pub fn key(&self, target: BenchTarget, level: Level, threads: usize) -> RowKey {
        let (algorithm, backend, message) = match self.subject {
            BenchSubject::Algorithm(algorithm) => {
                let message = match self.size {
                    Some(size) => size,
                    None => message_size(algorithm),
                };
                (algorithm.to_string(), level.name(), if let BenchTarget::Part(_) = target { 0 } else { message })
            }
            BenchSubject::Hash(hash) => (hash.name(), hash.backend(level), self.size.unwrap_or_default()),
        };
        RowKey {
            op: target.name().to_owned(),
            algorithm,
            backend: backend.to_owned(),
            message_bytes: message.into(),
            threads: threads as u64,
            batch: matches!(target, BenchTarget::Op(op) if op.is_batch()).then_some(self.batch.into()),
        }
    }

    /// Returns the rows of the group: a row for each operation and level.
    pub fn rows(&self) -> Vec<(BenchTarget, Level)> {
        let mut rows = Vec::new();
        for target in &self.targets {
            for level in &self.levels {
                rows.push((*target, *level));
            }
        }
        rows
    }
}

/// Returns the items without duplicates, in the order of their first occurrence.
pub fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct_items = Vec::new();
    for item in items {
        if !distinct_items.contains(&item) {
            distinct_items.push(item);
        }
    }
    distinct_items
}

/// The operations, algorithms, levels and lengths that the user has selected.
pub struct BenchSelection {
    /// The operations and parts, in row order.
    pub targets: Vec<BenchTarget>,
    /// The algorithms.
    pub algorithms: Vec<Algorithm>,
    /// The levels.
    pub levels: Vec<Level>,
    /// The message lengths. If there are none, the default lengths are used.
    pub sizes: Vec<u32>,
    /// The batch size in messages. `None` if the user has not given a number.
    pub batch: Option<u32>,
}

/// The default message lengths for hashes.
const HASHED: [u32; 4] = [64, 1 << 10, 16 << 10, 1 << 20];

/// Returns all groups. There is a group for each algorithm and message length, followed by the
/// groups for the hashes. Operations without a message are only in an algorithm's first group.
pub fn groups(selection: &BenchSelection) -> Vec<RowGroup> {
    let levels = &selection.levels;
    let mut hash = Vec::new();
    let mut key_targets = Vec::new();
    for &target in &selection.targets {
        if target == BenchTarget::Hash {
            hash.push(target);
        } else {
            key_targets.push(target);
        }
    }
    let mut sizes = Vec::new();
    for &size in &selection.sizes {
        sizes.push(Some(size));
    }
    if sizes.is_empty() {
        sizes.push(None);
    }
    let mut groups = Vec::new();
    for algorithm in &selection.algorithms {
        for (i, &size) in sizes.iter().enumerate() {
            let targets: Vec<_> = key_targets.iter().copied().filter(|target| i == 0 || target.has_message()).collect();
            if !targets.is_empty() {
                let batch = match selection.batch {
                    Some(batch) => batch,
                    None => batch_size(*algorithm, size),
                };
                let subject = BenchSubject::Algorithm(*algorithm);
                groups.push(RowGroup { subject, size, batch, targets, levels: levels.clone() });
            }
        }
    }
    if hash.is_empty() {
        return groups;
    }
    let sizes = if selection.sizes.is_empty() { &HASHED[..] } else { &selection.sizes };
    for timed in TimedHash::all() {
        for &size in sizes {
            let levels = if timed.has_levels() { levels.clone() } else { levels[..1].to_vec() };
            groups.push(RowGroup {
                subject: BenchSubject::Hash(timed),
                size: Some(size),
                batch: 1,
                targets: hash.clone(),
                levels,
            });
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::bench::work::{BenchOperation, TimedPart};

    fn selected_groups(targets: &[BenchTarget], sizes: &[u32]) -> Vec<RowGroup> {
        groups(&BenchSelection {
            targets: targets.to_vec(),
            algorithms: vec![Algorithm::FN_DSA_512, Algorithm::ML_DSA_44],
            levels: vec![Level::EMULATED, Level::detect()],
            sizes: sizes.to_vec(),
            batch: None,
        })
    }

    #[test]
    fn operations_without_a_message_are_measured_once() {
        let targets = [
            BenchTarget::Op(BenchOperation::Keygen),
            BenchTarget::Op(BenchOperation::Verify),
            BenchTarget::Part(TimedPart::Ntt),
        ];
        let groups = selected_groups(&targets, &[100, 200]);
        let counts: Vec<_> = groups.iter().map(|group| (group.size, group.rows().len())).collect();
        assert_eq!(counts, [(Some(100), 6), (Some(200), 2), (Some(100), 6), (Some(200), 2)]);
        let key = groups[1].key(BenchTarget::Op(BenchOperation::Verify), Level::EMULATED, 3);
        assert_eq!((key.message_bytes, key.threads, &key.backend[..]), (200, 3, "emulated"));
        assert_eq!(groups[0].key(targets[2], Level::EMULATED, 1).message_bytes, 0);
        assert!(
            selected_groups(&[BenchTarget::Op(BenchOperation::Keygen)], &[1, 2])
                .iter()
                .all(|group| group.size == Some(1))
        );
    }

    #[test]
    fn a_batch_contains_all_published_messages() {
        let batch = BenchTarget::Op(BenchOperation::SignBatch);
        let batches = |sizes: &[u32]| {
            selected_groups(&[batch, BenchTarget::Op(BenchOperation::Verify)], sizes)
                .iter()
                .map(|group| group.batch)
                .collect::<Vec<_>>()
        };
        assert_eq!((batches(&[]), batches(&[7])), (vec![64, 188], vec![64, 64]));
        let group = &selected_groups(&[batch, BenchTarget::Op(BenchOperation::Verify)], &[])[0];
        let keys: Vec<_> = group.rows().into_iter().map(|(target, level)| group.key(target, level, 1)).collect();
        assert_eq!((keys[0].batch, keys[2].batch, keys[0].label()), (Some(64), None, "sign-batch x64".to_owned()));
    }

    #[test]
    fn hashes_have_fixed_sizes_and_no_algorithm() {
        let groups = selected_groups(&[BenchTarget::Hash], &[]);
        assert_eq!(groups.len(), HASHED.len() * TimedHash::all().count());
        assert!(groups.iter().all(|group| matches!(group.subject, BenchSubject::Hash(_))));
        assert_eq!((groups[0].size, groups[0].levels.len()), (Some(64), 2));
        // Hashes from other crates have no levels.
        assert_eq!((groups[4].levels.len(), groups[4].rows().len()), (1, 1));
        assert_eq!(groups[4].key(BenchTarget::Hash, Level::EMULATED, 1).backend, "auto");
        assert_eq!(
            selected_groups(&[BenchTarget::Hash, BenchTarget::Op(BenchOperation::Verify)], &[5]).len(),
            2 + TimedHash::all().count()
        );
    }
}
