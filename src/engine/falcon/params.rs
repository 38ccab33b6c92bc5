//! Every number that a standard fixes, and every point that FIPS 206 may still change: bounds, sizes,
//! the length of seeds. What the schemes differ in is in `scheme`.
//!
//! Scheme `fn-dsa` is the best public knowledge of the draft of FIPS 206, as of crate `fn-dsa`
//! 0.4.0. Open points, each a constant or a function here, or a member of a row of `scheme`, and nowhere else:
//!
//! | point | here | the alternative |
//! |---|---|---|
//! | Gram-Schmidt bound in key generation | [`ORTHO_NORM_BOUND`], 0.999 | 0.9999 in NIST's talk |
//! | infinity norm of s1 and s2 | [`INFINITY_BOUND`], 840 | 2047 |
//! | leaves of the LDL tree | not checked | a range check |
//! | headers | [`SIGNING_KEY_HEADER`] and its neighbours | |
//! | stored hash of the public key | `KEY_HASH_LEN` in `engine/hash/message.rs`, checked on import | |
//! | seeds | [`KEYGEN_SEED_LEN`], [`SIGN_SEED_LEN`] | |
//! | attempts of one signature | [`MAX_SIGN_ATTEMPTS`] | |
//! | list of pre-hashes | `message::PreHash` | |

/// The modulus.
pub const Q: u32 = 12289;
/// Smallest degree, as its logarithm.
pub const MIN_LOGN: u32 = 2;
/// Largest degree, as its logarithm.
pub const MAX_LOGN: u32 = 10;

/// Length of the nonce of a signature, in bytes.
pub const NONCE_LEN: usize = 40;
/// Length of the seed of a key, in bytes.
pub const KEYGEN_SEED_LEN: usize = 32;
/// Length of the randomness of one signature, of the seed derived from it and of the hash of the
/// private key, in bytes.
pub const SIGN_SEED_LEN: usize = 40;

/// Upper half of a private key's first byte; the lower half is `logn`.
pub const SIGNING_KEY_HEADER: u8 = 0x50;
/// Upper half of a public key's first byte.
pub const VERIFYING_KEY_HEADER: u8 = 0x00;
/// Upper half of the first byte of a signature, padded or compressed.
pub const SIGNATURE_HEADER: u8 = 0x30;
/// Upper half of the first byte of a signature in constant-time encoding.
pub const CT_SIGNATURE_HEADER: u8 = 0x50;

/// Attempts before signing gives up. One attempt fails with probability 1/2450 at degree 512 and
/// 1/820 at 1024, so all of them for a good key with less than `2^-256`.
pub const MAX_SIGN_ATTEMPTS: u8 = 27;
/// Candidates before key generation gives up. Degree 4 needs about 300 on average, 512 needs 12 and
/// 1024 needs 32: running out is below `2^-300` for any of them.
pub const MAX_KEYGEN_CANDIDATES: u32 = 1 << 16;
/// Candidates of one `sampler_z` call before the private key is presumed bad. A good key accepts
/// each with probability above 0.5.
pub const MAX_SAMPLER_ATTEMPTS: u32 = 1024;

/// Largest absolute value of a coefficient of s1 and of s2 in FN-DSA.
pub const INFINITY_BOUND: u32 = 840;
/// Largest absolute value of a coefficient of s2 in Falcon: what its signatures can encode.
pub const FALCON_INFINITY_BOUND: u32 = 2047;
/// Key generation wants `|f|^2 + |g|^2` below this: `floor((1.17 sqrt(q))^2) + 1`.
pub const FG_NORM_BOUND: u32 = 16823;
/// Key generation wants the squared norm of the orthogonalized vector below this, in 32.32 fixed
/// point: `round(2^32 * (0.999 * 1.17)^2 * q)`, about 16788.784.
pub const ORTHO_NORM_BOUND: u64 = 72_107_278_641_426;
/// The bound for keys of Falcon: `round(2^32 * 1.17^2 * q)`, about 16822.412.
pub const FALCON_ORTHO_NORM_BOUND: u64 = 72_251_709_809_335;
/// Largest absolute value of a coefficient of F and of G.
pub const FG_LIMIT: i32 = 127;

/// `floor(2n (1.1 sigma)^2)` for logn 0..=10: the largest `|s1|^2 + |s2|^2` of a valid signature.
pub static NORM_BOUND: [u32; 11] =
    [0, 101498, 208714, 428865, 892039, 1852696, 3842630, 7959734, 16468416, 34034726, 70265242];

/// Bits of a coefficient of f and g in a private key, for logn 0..=10.
pub const FG_BITS: [u32; 11] = [8, 8, 8, 8, 8, 8, 7, 7, 6, 6, 5];

/// The degree `n = 2^logn` of the ring, 4 to 1024.
///
/// 512 and 1024 are the degrees of the standard. Smaller ones are toys: they are for tests and
/// give no security.
///
/// ```
/// use fndsa::algorithm::Degree;
///
/// let degree = Degree::from_logn(9).expect("512 is a degree");
/// assert_eq!((degree, degree.n(), degree.is_toy()), (Degree::N512, 512, false));
/// assert_eq!(Degree::all().filter(|degree| !degree.is_toy()).count(), 2);
/// assert_eq!(Degree::from_logn(11), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Degree(u8);

impl Degree {
    /// Degree 512: security category 1.
    pub const N512: Self = Self(9);
    /// Degree 1024: security category 5.
    pub const N1024: Self = Self(10);

    /// The degree `2^logn`, for `logn` in 2..=10.
    pub const fn from_logn(logn: u32) -> Option<Self> {
        if logn >= MIN_LOGN && logn <= MAX_LOGN { Some(Self(logn as u8)) } else { None }
    }

    /// All of them, smallest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (MIN_LOGN..=MAX_LOGN).map(|logn| Self(logn as u8))
    }

    /// The logarithm of the degree.
    pub const fn logn(self) -> u32 {
        self.0 as u32
    }

    /// The number of coefficients.
    pub const fn n(self) -> usize {
        1 << self.0
    }

    /// A degree without security, for tests.
    pub const fn is_toy(self) -> bool {
        self.0 < 9
    }

    /// Bits of a coefficient in the constant-time encoding of signatures.
    pub(crate) const fn ct_bits(self) -> u32 {
        if self.0 < 4 { 11 } else { 12 }
    }

    /// Bytes of a padded signature of any scheme.
    pub(crate) const fn padded_len(self) -> usize {
        let s = 10 - self.logn();
        44 + 3 * (256 >> s) + 2 * (128 >> s) + 3 * (64 >> s) + 2 * (16 >> s) - 2 * (2 >> s) - 8 * (1 >> s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_their_formulas() {
        let q = f64::from(Q);
        assert_eq!((1.17f64 * 1.17 * q).floor() as u32 + 1, FG_NORM_BOUND);
        let ortho = ((999u128 * 117).pow(2) * u128::from(Q)) << 32;
        assert_eq!((ortho / 10u128.pow(10)) as u64 + 1, ORTHO_NORM_BOUND, "rounded, .83 goes up");
        let falcon = (117u128.pow(2) * u128::from(Q)) << 32;
        assert_eq!(((falcon + 5000) / 10000) as u64, FALCON_ORTHO_NORM_BOUND);
        for logn in 1..=10 {
            let n = f64::from(1u32 << logn);
            let eps = 1.0 / ((n / 4.0).max(2.0) * 2f64.powi(64)).sqrt();
            let pi = core::f64::consts::PI;
            let sigma_min = ((4.0 * n * (1.0 + 1.0 / eps)).ln() / pi).sqrt() / (2.0 * pi).sqrt();
            let sigma = sigma_min * 1.17 * q.sqrt();
            let bound = (2.0 * n * (1.1 * sigma).powi(2)).floor() as u32;
            assert_eq!(NORM_BOUND[logn], bound, "logn {logn}");
        }
    }
}
