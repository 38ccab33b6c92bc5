//! Tests that two independent implementations agree with the library on keys, signatures and
//! verdicts.

use super::common::library::{levels, verify_message};
use super::common::{RandomStream, assert_same, h, long, parallel, to_hex};
use super::keys::{SETS, expanded, public, pure, set_index, sign};
use super::oracles::{ORACLES, Oracle};
use fndsa::Options;
use fndsa::algorithm::Scheme;

/// The number of keys for each parameter set: in a normal test run, and in a run with
/// `FNDSA_LONG=1`.
const KEY_COUNTS: [usize; 2] = [10, 500];
/// The number of changed signatures for each parameter set, in a normal run and in a long run.
const MUTATION_COUNTS: [usize; 2] = [200, 5000];

/// Selects the count for this run of the tests.
fn selected_count(counts: [usize; 2]) -> usize {
    counts[usize::from(long())]
}

/// Returns at most `limit` random bytes.
fn some_bytes(limit: usize, random: &mut RandomStream) -> Vec<u8> {
    let mut bytes = vec![0; random.below(limit + 1)];
    random.fill(&mut bytes);
    bytes
}

#[test]
fn other_implementations_make_the_same_keys_and_signatures() {
    let levels = levels();
    parallel(SETS.len() * selected_count(KEY_COUNTS), |i| {
        let (set, level) = (SETS[i % SETS.len()], levels[i / SETS.len() % levels.len()]);
        let mut random = RandomStream::new("others make the same", i);
        let (seed, message, context) = (random.bytes(), some_bytes(300, &mut random), some_bytes(255, &mut random));
        let random: [u8; 32] = if i % 2 == 0 { [0; 32] } else { random.bytes() };
        let (private, public) = (expanded(level, set, &seed), public(level, set, &seed).expect("a key"));
        let mu = h(&[&h(&[&public]), &pure(&context, &message)]);
        let signature = sign(level, set, &seed, mu, &random).expect("a key");
        for Oracle { name, keygen, sign, verify } in &ORACLES[set_index(set)] {
            let what = format!("{set}, number {i}, {level}, {name}");
            let (their_private, their_public) = keygen(&seed);
            assert_same(&private, &their_private, &what);
            assert_same(&public, &their_public, &what);
            assert_same(&signature, &sign(&seed, &message, &context, &random).expect("a signature"), &what);
            assert!(verify(&public, &message, &context, &signature), "{what}");
        }
        let form = Options::with_context(&context);
        assert_eq!(verify_message(level, Scheme::MlDsa, &public, form, &message, &signature), Ok(()));
    });
}

const MUTATIONS: [&str; 9] = [
    "nothing changed",
    "a bit anywhere",
    "a bit of the challenge",
    "a coefficient of z at the end of its range",
    "a position of the hint",
    "two adjacent positions of the hint swapped",
    "a position of the hint repeated",
    "a count of the hint",
    "another length",
];

/// Returns the signature after a single change of this kind. The hint starts at `hint`, and
/// contains at most `max_ones` positions.
fn mutate(signature: &[u8], kind: &str, hint: usize, max_ones: usize, random: &mut RandomStream) -> Vec<u8> {
    let (mut signature, len) = (signature.to_vec(), signature.len());
    match kind {
        "nothing changed" => {}
        "a bit anywhere" => signature[random.below(len)] ^= 1 << random.below(8),
        "a bit of the challenge" => signature[random.below(32)] ^= 1 << random.below(8),
        "a coefficient of z at the end of its range" => {
            let at = hint - 1 - random.below(64);
            signature[at - 2..=at].fill(if random.below(2) == 0 { 0 } else { 0xff });
        }
        "a position of the hint" => signature[hint + random.below(max_ones)] = random.below(256) as u8,
        "two adjacent positions of the hint swapped" => {
            let at = hint + random.below(max_ones - 1);
            signature.swap(at, at + 1);
        }
        "a position of the hint repeated" => {
            let at = hint + random.below(max_ones - 1);
            signature[at + 1] = signature[at];
        }
        "a count of the hint" => {
            signature[hint + max_ones + random.below(len - hint - max_ones)] = random.below(90) as u8
        }
        "another length" => signature.resize([0, 1, len - 1, len + 1, 666, 2420, 3309, 4627][random.below(8)], 0),
        _ => unreachable!("{kind}"),
    }
    signature
}

#[test]
fn verdicts_on_mutated_signatures_agree() {
    let levels = levels();
    for (set, max_ones) in SETS.into_iter().zip([80, 55, 75]) {
        let rows = [4, 6, 8][set_index(set)];
        let per_key = 50;
        let accepted = parallel(selected_count(MUTATION_COUNTS) / per_key, |i| {
            let level = levels[i % levels.len()];
            let mut random = RandomStream::new("mutated signatures of ML-DSA", 3 * i + set_index(set));
            let (seed, message): ([u8; 32], _) = (random.bytes(), some_bytes(100, &mut random));
            let public = public(level, set, &seed).expect("a key");
            let mu = h(&[&h(&[&public]), &pure(b"", &message)]);
            let good = sign(level, set, &seed, mu, &random.bytes()).expect("a key");
            let mut accepted = 0;
            for kind in MUTATIONS.iter().cycle().take(per_key) {
                let signature = mutate(&good, kind, good.len() - max_ones - rows, max_ones, &mut random);
                let verdict = verify_message(level, Scheme::MlDsa, &public, Options::default(), &message, &signature);
                for Oracle { name, verify, .. } in &ORACLES[set_index(set)] {
                    let oracle_verdict = verify(&public, &message, b"", &signature);
                    let what = format!("{set}, {level}, {name}, {kind}: {verdict:?} for {}", to_hex(&signature));
                    assert_eq!(verdict.is_ok(), oracle_verdict, "{what}");
                }
                // Each signature has only one encoding, so a signature with different bytes is
                // invalid.
                assert_eq!(verdict.is_ok(), signature == good, "{set}, {level}, {kind}");
                accepted += usize::from(verdict.is_ok());
            }
            accepted
        });
        println!("{set}: {} of {} accepted", accepted.iter().sum::<usize>(), accepted.len() * per_key);
    }
}
