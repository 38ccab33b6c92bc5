//! Compares the digest of many keys and signatures with the digest that the project C2SP/CCTV
//! publishes in `ML-DSA/README.md`. The test uses 100 keys for each parameter set, or 10,000 with
//! `FNDSA_LONG=1`.

use super::common::{h, long, parallel, to_hex};
use super::keys::{SETS, public, pure, sign};
use fndsa::no_alloc::Level;
use sha3::Shake128;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// For each parameter set: the digest for 100 keys, and the digest for 10,000 keys.
const DIGESTS: [[&str; 2]; 3] = [
    [
        "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
        "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143",
    ],
    [
        "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
        "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329",
    ],
    [
        "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
        "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60",
    ],
];

#[test]
fn keys_and_deterministic_signatures_have_the_published_digest() {
    let count = [100, 10_000][usize::from(long())];
    parallel(SETS.len(), |i| {
        let (set, level) = (SETS[i], Level::detect());
        let mut seeds = Shake128::default().finalize_xof();
        let mut all = Shake128::default();
        for _ in 0..count {
            let mut seed = [0; 32];
            seeds.read(&mut seed);
            let public = public(level, set, &seed).expect("a key");
            // The message and the context are empty.
            let mu = h(&[&h(&[&public]), &pure(b"", b"")]);
            all.update(&public);
            all.update(&sign(level, set, &seed, mu, &[0; 32]).expect("a signature"));
        }
        let mut digest = [0; 32];
        all.finalize_xof().read(&mut digest);
        assert_eq!(to_hex(&digest), DIGESTS[i][usize::from(long())], "{set}, {count}");
    });
}
