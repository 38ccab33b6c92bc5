//! Tests that import rejects 10,020 corrupted FN-DSA private keys, and that the error is correct if
//! only one error is possible. Prints the longest time for a key of each degree. The test imports
//! the keys on all levels (the library's instruction sets) in turn. Also tests keys with a norm or
//! a coefficient at its limit.

mod common;
#[path = "common/peer.rs"]
mod peer;
#[path = "reference/mod.rs"]
mod reference;

use common::library::{import, levels};
use common::{RandomStream, parallel};
use fndsa::algorithm::Scheme;
use fndsa::error::KeyError;
use fndsa::no_alloc::Level;
use reference::codec::{SigningKey, decode_signing_key, encode_signing_key, encode_verifying_key, fg_bits};
use reference::hash::ShakeStream;
use reference::keygen::{FG_NORM_BOUND, ortho_norm_bound, ortho_square_norm, sample};
use reference::ntru::ntru_solve;
use reference::ring::{difference, infinity_norm, ntt, product, square_norm, sum};
use std::mem::discriminant;
use std::time::{Duration, Instant};

/// Four keys of the same degree: two good keys, and two keys whose only defect is a norm that is
/// too large.
struct ImportKeys {
    logn: u32,
    sk: Vec<u8>,
    /// The key that `sk` encodes.
    key: SigningKey,
    other_key: SigningKey,
    /// A key for which the norm of (f, g) is too large. `None` for most keys of high degrees.
    too_long: Option<SigningKey>,
    /// A key for which the norm of the orthogonalized vector is too large. `None` for most keys of
    /// high degrees.
    too_long_orthogonally: Option<SigningKey>,
}

impl ImportKeys {
    /// Generates the keys with this degree and number.
    fn new(logn: u32, number: usize) -> Self {
        let mut random = RandomStream::new("import", (logn as usize) << 32 | number);
        let (sk, _) = peer::keygen(logn, &random.bytes());
        let key = decode_signing_key(&sk).expect("a good key");
        let other_key = decode_signing_key(&peer::keygen(logn, &random.bytes()).0).expect("a good key");
        // A key with a norm that is too large needs a long search at high degrees. So only the
        // first `ImportKeys` of a high degree has these keys.
        let has_long_keys = logn < 9 || number == 0;
        let too_long = has_long_keys.then(|| {
            key_with_property(logn, "norm", number, |f, g| {
                square_norm(f) + square_norm(g) >= FG_NORM_BOUND && ortho_square_norm(f, g) < ortho_norm_bound() - 1.0
            })
        });
        let too_long_orthogonally = has_long_keys.then(|| {
            key_with_property(logn, "ortho norm", number, |f, g| {
                square_norm(f) + square_norm(g) < FG_NORM_BOUND && ortho_square_norm(f, g) > ortho_norm_bound() + 1.0
            })
        });
        Self { logn, sk, key, other_key, too_long, too_long_orthogonally }
    }
}

/// Returns a key that solves the NTRU equation `f G - g F = q`, fits the encoding and has a
/// property. `has_property` checks the property of f and g, and may change g. `name` and `number`
/// select the random bytes.
fn key_with_property(
    logn: u32,
    name: &str,
    number: usize,
    has_property: impl Fn(&[i64], &mut [i64]) -> bool,
) -> SigningKey {
    let mut stream = ShakeStream::new(&[name.as_bytes(), &[logn as u8], &number.to_le_bytes()]);
    let limit = (1 << (fg_bits(logn) - 1)) - 1;
    loop {
        let (f, mut g) = (sample(logn, &mut stream), sample(logn, &mut stream));
        if !has_property(&f, &mut g) || ntt(&f).contains(&0) || infinity_norm(&f).max(infinity_norm(&g)) > limit {
            continue;
        }
        if let Some((capital_f, capital_g)) = ntru_solve(&f, &g)
            && infinity_norm(&capital_f).max(infinity_norm(&capital_g)) <= 127
        {
            return SigningKey { f, g, capital_f, capital_g };
        }
    }
}

/// Returns the encoding of a key. The stored hash of the public key is correct, if f is invertible.
fn encode(key: &SigningKey) -> Vec<u8> {
    let invertible = !ntt(&key.f).contains(&0);
    let vk = if invertible { encode_verifying_key(&key.f, &key.g) } else { Vec::new() };
    encode_signing_key(key, &vk)
}

/// The kinds of corrupted keys.
const KINDS: [&str; 30] = [
    "a bit of the header",
    "a bit of f",
    "a bit of g",
    "a bit of F",
    "a bit of f, hash recomputed",
    "a bit of g, hash recomputed",
    "a bit of F, hash recomputed",
    "a bit of the hash",
    "hash of zeros",
    "hash of another key",
    "F = 0",
    "F = f",
    "F = -x f",
    "F of another key",
    "one coefficient of F changed by one",
    "f = 0",
    "f = 1",
    "f = 1, g = 0, F = 0",
    "g negated",
    "f and g swapped",
    "f and g swapped, F is G",
    "lowest value in f",
    "lowest value in g",
    "lowest value in F",
    "largest values in f and g",
    "norm too large",
    "orthogonalized norm too large",
    "truncated or extended",
    "header of another degree",
    "random bytes",
];

/// Returns a corrupted key, and the expected error if only one error is possible.
fn corrupted(keys: &ImportKeys, kind: &str, random: &mut RandomStream) -> (Vec<u8>, Option<KeyError>) {
    let n = 1usize << keys.logn;
    let (mut bytes, mut key) = (keys.sk.clone(), keys.key.clone());
    let fg_len = n * fg_bits(keys.logn) as usize / 8;
    // The positions of the parts in the encoding.
    let hash = bytes.len() - 64;
    let (f, g, capital_f) = (1..1 + fg_len, 1 + fg_len..1 + 2 * fg_len, 1 + 2 * fg_len..hash);
    // The lowest value that a field of f or g can contain. Import rejects it.
    let lowest = -1 << (fg_bits(keys.logn) - 1);
    let index = random.below(n);
    let mut flip = |bytes: &mut Vec<u8>, range: std::ops::Range<usize>| {
        let bit = random.below(8 * range.len());
        bytes[range.start + bit / 8] ^= 1 << (bit % 8);
    };
    // Recomputes the stored hash of the public key, so that the hash is not a second error in the
    // key.
    let rehash = |bytes: &mut Vec<u8>| {
        if let Some(vk) = public_key_of_body(keys.logn, &bytes[..hash]) {
            bytes.splice(hash.., reference::hash::h::<64>(&[&vk]));
        }
    };
    let expected = match kind {
        "a bit of the header" => (flip(&mut bytes, 0..1), None).1,
        "a bit of f" => (flip(&mut bytes, f), None).1,
        "a bit of g" => (flip(&mut bytes, g), None).1,
        "a bit of F" => (flip(&mut bytes, capital_f), None).1,
        "a bit of f, hash recomputed" => (flip(&mut bytes, f), rehash(&mut bytes), None).2,
        "a bit of g, hash recomputed" => (flip(&mut bytes, g), rehash(&mut bytes), None).2,
        "a bit of F, hash recomputed" => (flip(&mut bytes, capital_f), rehash(&mut bytes), None).2,
        "a bit of the hash" => (flip(&mut bytes, hash..hash + 64), Some(KeyError::KeyHash)).1,
        "hash of zeros" => (bytes[hash..].fill(0), Some(KeyError::KeyHash)).1,
        "hash of another key" => {
            bytes.splice(hash.., encode(&keys.other_key)[hash..].iter().copied());
            Some(KeyError::KeyHash)
        }
        "truncated or extended" => {
            let len = bytes.len();
            bytes.resize([1, 2, hash, len - 1, len + 1, len + 64, 2 * len][random.below(7)], 0);
            Some(KeyError::Length { expected: 0, found: 0 })
        }
        "header of another degree" => {
            let other_logn = 2 + (keys.logn - 2 + 1 + random.below(8) as u32) % 9;
            bytes[0] = 0x50 + other_logn as u8;
            if random.below(2) == 0 {
                bytes.resize(reference::codec::signing_key_len(other_logn), 0);
                None
            } else {
                Some(KeyError::Length { expected: 0, found: 0 })
            }
        }
        "random bytes" => (random.fill(&mut bytes[1..]), None).1,
        _ => {
            let expected = corrupt_polynomials(&mut key, keys, kind, index, lowest);
            bytes = encode(&key);
            expected
        }
    };
    (bytes, expected)
}

/// Changes the polynomials of a key. Returns the expected error if only one error is possible.
fn corrupt_polynomials(
    key: &mut SigningKey,
    keys: &ImportKeys,
    kind: &str,
    index: usize,
    lowest: i64,
) -> Option<KeyError> {
    let n = key.f.len();
    let zero = vec![0; n];
    let mut unit = zero.clone();
    unit[0] = 1;
    match kind {
        "F = 0" => (key.capital_f = zero, Some(KeyError::Equation)).1,
        "F = f" => (key.capital_f = key.f.clone(), Some(KeyError::Equation)).1,
        "F = -x f" => {
            key.capital_f = key.f.iter().map(|x| -x).collect();
            key.capital_f.rotate_right(1);
            key.capital_f[0] = -key.capital_f[0];
            Some(KeyError::Equation)
        }
        "F of another key" => (key.capital_f = keys.other_key.capital_f.clone(), Some(KeyError::Equation)).1,
        "one coefficient of F changed by one" => {
            key.capital_f[index] += if key.capital_f[index] > 0 { -1 } else { 1 };
            Some(KeyError::Equation)
        }
        "f = 0" => (key.f = zero, Some(KeyError::NotInvertible)).1,
        "f = 1" => (key.f = unit, None).1,
        "f = 1, g = 0, F = 0" => {
            (key.f, key.g, key.capital_f) = (unit, zero.clone(), zero);
            None
        }
        "g negated" => (key.g.iter_mut().for_each(|x| *x = -*x), Some(KeyError::Equation)).1,
        "f and g swapped" => (std::mem::swap(&mut key.f, &mut key.g), None).1,
        "f and g swapped, F is G" => {
            std::mem::swap(&mut key.f, &mut key.g);
            key.capital_f = key.capital_g.clone();
            None
        }
        "lowest value in f" => (key.f[index] = lowest, Some(KeyError::Coefficient)).1,
        "lowest value in g" => (key.g[index] = lowest, Some(KeyError::Coefficient)).1,
        "lowest value in F" => (key.capital_f[index] = -128, Some(KeyError::Coefficient)).1,
        "largest values in f and g" => {
            let large = |x: &mut i64| *x = if *x < 0 { lowest + 1 } else { -lowest - 1 };
            key.f.iter_mut().chain(&mut key.g).for_each(large);
            None
        }
        "norm too large" => match &keys.too_long {
            Some(long) => (*key = long.clone(), Some(KeyError::Norm)).1,
            None => (key.capital_f = zero, Some(KeyError::Equation)).1,
        },
        "orthogonalized norm too large" => match &keys.too_long_orthogonally {
            Some(long) => (*key = long.clone(), Some(KeyError::OrthogonalNorm)).1,
            None => (key.capital_f = zero, Some(KeyError::Equation)).1,
        },
        _ => unreachable!("{kind}"),
    }
}

/// Returns the encoded public key for an encoded private key without the hash, if f is invertible.
fn public_key_of_body(logn: u32, body: &[u8]) -> Option<Vec<u8>> {
    let fg_len = (1 << logn) * fg_bits(logn) as usize / 8;
    let f = reference::codec::unpack_signed(&body[1..1 + fg_len], fg_bits(logn)).ok()?;
    let g = reference::codec::unpack_signed(&body[1 + fg_len..1 + 2 * fg_len], fg_bits(logn)).ok()?;
    (!ntt(&f).contains(&0)).then(|| encode_verifying_key(&f, &g))
}

/// Returns the test keys for several degrees.
fn all_keys() -> Vec<ImportKeys> {
    let jobs: Vec<(u32, usize)> = [10, 9, 9, 9, 8, 7, 6, 5, 4, 3].into_iter().zip(0..).collect();
    let number = |logn, i: usize| if logn == 9 { i - 1 } else { 0 };
    parallel(jobs.len(), |i| ImportKeys::new(jobs[i].0, number(jobs[i].0, jobs[i].1)))
}

#[test]
fn ten_thousand_corrupted_keys_are_rejected() {
    let (all_keys, levels) = (all_keys(), levels());
    let results = parallel(10_020, |i| {
        let (kind, round) = (KINDS[i % KINDS.len()], i / KINDS.len());
        let keys = &all_keys[round % all_keys.len()];
        let level = levels[round / all_keys.len() % levels.len()];
        let (bytes, expected) = corrupted(keys, kind, &mut RandomStream::new("corrupted", i));
        let start = Instant::now();
        let verdict = import(level, Scheme::FnDsa, &bytes);
        let time = start.elapsed();
        let what = format!("{kind}, degree 2^{}, number {i}, {level}", keys.logn);
        let Err(error) = verdict else { panic!("{what}: accepted") };
        assert!(!matches!(error, KeyError::Work(_)), "{what}: {error:?}");
        if let Some(expected) = expected {
            assert_eq!(discriminant(&error), discriminant(&expected), "{what}: {error:?} instead of {expected:?}");
        }
        (keys.logn, time, error)
    });
    for logn in 3..=10 {
        let times = results.iter().filter(|r| r.0 == logn).map(|r| r.1);
        println!("degree 2^{logn}: at most {:?} a key", times.max().unwrap_or(Duration::ZERO));
    }
    let reasons = [
        KeyError::Header { found: None },
        KeyError::Length { expected: 0, found: 0 },
        KeyError::Coefficient,
        KeyError::NotInvertible,
        KeyError::Equation,
        KeyError::Norm,
        KeyError::OrthogonalNorm,
        KeyError::KeyHash,
    ];
    for reason in reasons {
        let count = results.iter().filter(|r| discriminant(&r.2) == discriminant(&reason)).count();
        println!("{reason:?}: {count}");
        assert!(count > 0, "no key was rejected with {reason:?}");
    }
}

#[test]
fn good_keys_are_accepted() {
    let good = |key: &[u8], what: &str| {
        for level in levels() {
            assert_eq!(import(level, Scheme::FnDsa, key), Ok(()), "{what}, {level}");
        }
    };
    for keys in all_keys() {
        let what = format!("degree 2^{}", keys.logn);
        good(&keys.sk, &what);
        good(&encode(&keys.key), &what);
        // With F - f and G - g instead of F and G, the key also solves the NTRU equation.
        let mut key = keys.key.clone();
        key.capital_f = difference(&key.capital_f, &key.f);
        key.capital_g = difference(&key.capital_g, &key.g);
        if infinity_norm(&key.capital_f).max(infinity_norm(&key.capital_g)) <= 127 {
            good(&encode(&key), &format!("{what}, another F"));
        }
    }
}

#[test]
fn the_norm_has_an_exact_bound() {
    let cases =
        [(FG_NORM_BOUND - 1, Ok(())), (FG_NORM_BOUND, Err(KeyError::Norm)), (FG_NORM_BOUND + 1, Err(KeyError::Norm))];
    parallel(cases.len(), |i| {
        let (norm, expected) = &cases[i];
        let key = key_with_property(4, "exact norm", 0, |f, g| {
            // The sum of the coefficients is odd for f and for g, so the square norm of (f, g) is
            // even. If 1 is added to a coefficient, the norm becomes odd.
            g[0] += norm % 2;
            square_norm(f) + square_norm(g) == *norm && ortho_square_norm(f, g) < ortho_norm_bound() - 1.0
        });
        for level in levels() {
            assert_eq!(import(level, Scheme::FnDsa, &encode(&key)), *expected, "{norm}, {level}");
        }
    });
}

/// Checks that import rejects a key if G has the coefficient -128, although the encoding of a key
/// does not contain G. The test adds random multiples of `(f, g)` to `(F, G)`. The sum also solves
/// the NTRU equation. If the smallest coefficient in G is -128, import must reject the key. If the
/// smallest coefficient is -127, import must accept the key.
#[test]
fn a_coefficient_of_capital_g_that_is_out_of_range_is_rejected() {
    let key = key_with_property(4, "range of G", 0, |f, g| {
        square_norm(f) + square_norm(g) < FG_NORM_BOUND && ortho_square_norm(f, g) < ortho_norm_bound() - 1.0
    });
    let n = key.f.len();
    let mut random = RandomStream::new("range of G", 0);
    // How many keys the test imported: with the smallest coefficient -128, and with the smallest
    // coefficient -127.
    let mut tested_counts = [0, 0];
    while tested_counts.contains(&0) {
        let mut k = vec![0; n];
        (0..4).for_each(|_| k[random.below(n)] += random.below(5) as i64 - 2);
        let mut key = key.clone();
        key.capital_f = sum(&key.capital_f, &product(&k, &key.f));
        key.capital_g = sum(&key.capital_g, &product(&k, &key.g));
        let (least, largest) = (*key.capital_g.iter().min().unwrap(), *key.capital_g.iter().max().unwrap());
        if infinity_norm(&key.capital_f) <= 127 && largest <= 127 && (-128..=-127).contains(&least) {
            assert!(key.solves_ntru_equation());
            let expected = if least == -128 { Err(KeyError::Equation) } else { Ok(()) };
            for level in levels() {
                assert_eq!(import(level, Scheme::FnDsa, &encode(&key)), expected, "{least}, {level}");
            }
            tested_counts[(least + 128) as usize] += 1;
        }
    }
}

/// Checks that import rejects a key for which the NTRU equation `f G - g F = q` is true only in the
/// transform's real parts. The test multiplies `(F, G)` by `u = 1 + x^i + x^(n-i)`. Then `f (u G) -
/// g (u F) = q u`, and the difference `q u - q` is imaginary at all points of the transform. So a
/// check of the real parts alone would accept this key. The test also adds a random multiple of
/// `(f, g)`, which does not change `q u`.
#[test]
fn a_key_that_satisfies_only_the_real_parts_of_the_equation_is_rejected() {
    let key = key_with_property(4, "half", 0, |f, g| {
        square_norm(f) + square_norm(g) < FG_NORM_BOUND && ortho_square_norm(f, g) < ortho_norm_bound() - 1.0
    });
    let n = key.f.len();
    let mut random = RandomStream::new("half", 0);
    let mut tried = 0;
    while tried < 20 {
        let (mut u, mut k) = (vec![0; n], vec![0; n]);
        let i = 1 + random.below(n / 2 - 1);
        (u[0], u[i], u[n - i]) = (1, 1, 1);
        (0..3).for_each(|_| k[random.below(n)] += random.below(3) as i64 - 1);
        let mut wrong_key = key.clone();
        wrong_key.capital_f = sum(&product(&u, &key.capital_f), &product(&k, &key.f));
        wrong_key.capital_g = sum(&product(&u, &key.capital_g), &product(&k, &key.g));
        if infinity_norm(&wrong_key.capital_f).max(infinity_norm(&wrong_key.capital_g)) <= 127 {
            assert!(!wrong_key.solves_ntru_equation());
            for level in levels() {
                assert_eq!(import(level, Scheme::FnDsa, &encode(&wrong_key)), Err(KeyError::Equation), "{level}");
            }
            tried += 1;
        }
    }
}

#[test]
fn bytes_with_a_wrong_header_are_not_a_key() {
    assert_eq!(import(Level::detect(), Scheme::FnDsa, &[]), Err(KeyError::Header { found: None }));
    for header in (0..=255u8).filter(|h| !(0x52..=0x5a).contains(h)) {
        assert_eq!(
            import(Level::detect(), Scheme::FnDsa, &[header; 705]),
            Err(KeyError::Header { found: Some(header) })
        );
    }
}
