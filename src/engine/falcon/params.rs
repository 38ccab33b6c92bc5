//! Numbers from the standard: bounds, sizes and seed lengths. Module `scheme` contains the
//! properties in which the schemes differ.
//!
//! Scheme `fn-dsa` follows the best public knowledge about the FIPS 206 draft, as in crate `fn-dsa`
//! 0.4.0. An open point is a number or a rule that FIPS 206 may still change. Most open points are
//! constants in this file, or fields in the table of `scheme`. The following table lists all open
//! points. If a point is not in this file, the table states the point's file:
//!
//! | point | here | the alternative |
//! |---|---|---|
//! | Gram-Schmidt bound in key generation | [`ORTHO_NORM_BOUND`], 0.999 | 0.9999 in NIST's talk |
//! | infinity norm for s1 and s2 | [`INFINITY_BOUND`], 840 | 2047 |
//! | LDL tree leaves in key generation | not checked | a range check |
//! | headers | [`SIGNING_KEY_HEADER`] and the next constants | |
//! | stored public key hash | `KEY_HASH_LEN` in `hash/message.rs`, checked on import | |
//! | seeds | [`KEYGEN_SEED_LEN`], [`SIGN_SEED_LEN`] | |
//! | attempts per signature | [`MAX_SIGN_ATTEMPTS`] | |
//! | supported pre-hashes | `message::PreHash` | |

#[cfg(not(feature = "falcon"))]
use core::convert::Infallible as DegreeProof;

/// The modulus q.
pub const Q: u32 = 12289;
/// The smallest logn, the binary logarithm of the degree.
pub const MIN_LOGN: u32 = 2;
/// The largest logn, the binary logarithm of the degree.
pub const MAX_LOGN: u32 = 10;

/// The length of a signature's nonce, in bytes.
pub const NONCE_LEN: usize = 40;
/// The length of a key's seed, in bytes.
pub const KEYGEN_SEED_LEN: usize = 32;
/// The length in bytes of three values: a signature's randomness, the seed that is derived from
/// this randomness, and the private key's hash.
pub const SIGN_SEED_LEN: usize = 40;

/// The upper half of a private key's first byte; the lower half is `logn`.
pub const SIGNING_KEY_HEADER: u8 = 0x50;
/// The upper half of a public key's first byte.
pub const VERIFYING_KEY_HEADER: u8 = 0x00;
/// The upper half of a padded or compressed signature's first byte.
pub const SIGNATURE_HEADER: u8 = 0x30;
/// The upper half of a constant-time signature's first byte.
pub const CT_SIGNATURE_HEADER: u8 = 0x50;

/// The maximum number of attempts at a signature. If all these attempts fail, signing returns an
/// error. An attempt fails with probability 1/2450 at degree 512 and 1/820 at degree 1024. With a
/// good key of these degrees, all attempts fail with probability less than `2^-256`.
pub const MAX_SIGN_ATTEMPTS: u8 = 27;
/// The maximum number of candidates (pairs f and g) for a key. If all these candidates fail, key
/// generation returns an error. On average, key generation needs about 300 candidates at degree 4,
/// 12 at degree 512, and 32 at degree 1024. For all degrees, the probability that all candidates
/// fail is below `2^-300`.
pub const MAX_KEYGEN_CANDIDATES: u32 = 1 << 16;
/// The maximum number of candidates in a `sampler_z` call. If no candidate is accepted, the sampler
/// assumes that the private key is bad. With a good key, the sampler accepts a candidate with
/// probability above 0.5.
pub const MAX_SAMPLER_ATTEMPTS: u32 = 1024;

/// The largest absolute value of a coefficient in a signature's vectors s1 and s2 (FN-DSA).
pub const INFINITY_BOUND: u32 = 840;
/// The largest absolute value of a coefficient in s2 (Falcon), because the encodings do not allow
/// larger values.
pub const FALCON_INFINITY_BOUND: u32 = 2047;
/// The upper bound (exclusive) for `|f|^2 + |g|^2` in key generation:
/// `floor((1.17 sqrt(q))^2) + 1`.
pub const FG_NORM_BOUND: u32 = 16823;
/// The upper bound (exclusive) for the orthogonalized vector's squared norm in key generation,
/// about 16788.784. The constant is the bound in 32.32 fixed point:
/// `round(2^32 * (0.999 * 1.17)^2 * q)`.
pub const ORTHO_NORM_BOUND: u64 = 72_107_278_641_426;
/// [`ORTHO_NORM_BOUND`] for Falcon keys: `round(2^32 * 1.17^2 * q)`, about 16822.412.
pub const FALCON_ORTHO_NORM_BOUND: u64 = 72_251_709_809_335;
/// The largest absolute value of a coefficient in F and G.
pub const FG_LIMIT: i32 = 127;

/// The largest `|s1|^2 + |s2|^2` of a valid signature: `floor(2n (1.1 sigma)^2)` for logn 0..=10.
pub static NORM_BOUND: [u32; 11] =
    [0, 101498, 208714, 428865, 892039, 1852696, 3842630, 7959734, 16468416, 34034726, 70265242];

/// The bit width of f and g coefficients in a private key, for logn 0..=10.
pub const FG_BITS: [u32; 11] = [8, 8, 8, 8, 8, 8, 7, 7, 6, 6, 5];

/// The degree `n = 2^logn` of the ring, 4 to 1024.
///
/// The standard has the degrees 512 and 1024. Smaller degrees are toys: they are only for tests and
/// are not secure.
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
pub struct Degree(u8, DegreeProof);

/// A field in [`Degree`] which proves that the build contains the Falcon family. In builds without
/// the feature `falcon`, this type is `Infallible`, which has no values. Therefore, [`Degree`] also
/// has no values, and the compiler removes all code for the Falcon family.
#[cfg(feature = "falcon")]
type DegreeProof = ();

impl Degree {
    /// Degree 512: security category 1.
    #[cfg(feature = "falcon")]
    pub const N512: Self = Self(9, ());
    /// Degree 1024: security category 5.
    #[cfg(feature = "falcon")]
    pub const N1024: Self = Self(10, ());

    /// Returns the degree `2^logn` for `logn` in 2..=10. Returns `None` for all other values, and
    /// always in a build without the feature `falcon`.
    pub const fn from_logn(logn: u32) -> Option<Self> {
        #[cfg(feature = "falcon")]
        if logn >= MIN_LOGN && logn <= MAX_LOGN {
            return Some(Self(logn as u8, ()));
        }
        let _ = logn;
        None
    }

    /// Returns all degrees, from the smallest to the largest.
    pub fn all() -> impl Iterator<Item = Self> {
        (MIN_LOGN..=MAX_LOGN).filter_map(Self::from_logn)
    }

    /// Returns the binary logarithm of the degree.
    pub const fn logn(self) -> u32 {
        self.0 as u32
    }

    /// Returns the degree `n`, which is the number of coefficients.
    pub const fn n(self) -> usize {
        1 << self.0
    }

    /// Returns true for degrees that are not secure and exist only for tests.
    pub const fn is_toy(self) -> bool {
        self.0 < 9
    }

    /// Returns the bit width of a coefficient in a constant-time signature.
    pub(crate) const fn ct_bits(self) -> u32 {
        if self.0 < 4 { 11 } else { 12 }
    }

    /// Returns a padded signature's length in bytes. The length is the same in all schemes.
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
