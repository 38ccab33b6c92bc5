//! The three parameter sets in ML-DSA (FIPS 204, section 4), and the lengths for all encodings.
//!
//! For the work memory, see `plan`.

/// The modulus, `2^23 - 2^13 + 1`.
pub const Q: u32 = 8_380_417;
/// The number of coefficients in a polynomial.
pub const N: usize = 256;
/// The number of bits by which t is shortened in the public key: `t = t1 2^D + t0`, and the public
/// key contains t1, but not t0.
pub const D: u32 = 13;

/// The xi length in bytes. xi is the seed for a key pair.
pub const XI_LEN: usize = 32;
/// The rho length in bytes. rho is the seed for the matrix A.
pub const RHO_LEN: usize = 32;
/// The rho' and rho'' length in bytes. rho' is the seed for s1 and s2, and rho'' is the seed for y.
pub const SECRET_SEED_LEN: usize = 64;
/// The K length in bytes. K is a secret input to the seed for y.
pub const K_LEN: usize = 32;
/// The tr length in bytes. tr is the public key's hash.
pub const TR_LEN: usize = 64;
/// The mu length in bytes. mu is the hash of tr and the message.
pub const MU_LEN: usize = 64;
/// The rnd length in bytes. rnd is the random input to the seed for y.
pub const RND_LEN: usize = 32;

/// The largest number of attempts at a signature. An attempt fails if the signer rejects it. With a
/// good key, the probability that all attempts fail is below `2^-256`. So if all attempts fail, the
/// signer must assume that the key or the machine is bad (FIPS 204, appendix C, with NIST's
/// errata).
pub const MAX_ATTEMPTS: u16 = 821;
/// The largest number of SHAKE128 bytes for a polynomial in A (FIPS 204, appendix C).
pub const MAX_UNIFORM_BYTES: usize = 894;
/// The largest number of SHAKE256 bytes for a polynomial in s1 or s2 (appendix C).
pub const MAX_BOUNDED_BYTES: usize = 481;
/// The largest number of SHAKE256 bytes for a challenge (appendix C).
pub const MAX_CHALLENGE_BYTES: usize = 221;

/// The t1 field width in bits.
pub const T1_BITS: usize = 10;
/// The t0 field width in bits.
pub const T0_BITS: usize = 13;
/// The length in bytes for a t1 polynomial in a public key.
pub const T1_LEN: usize = N / 8 * T1_BITS;
/// The length in bytes for a t0 polynomial in a private key.
pub const T0_LEN: usize = N / 8 * T0_BITS;
/// The largest number of rows that A has in a parameter set.
pub const MAX_K: usize = 8;
/// The largest number of challenge coefficients that are not zero.
pub const MAX_TAU: usize = 60;
/// The largest c~ length in bytes. c~ is the hash from which the challenge is sampled.
pub const MAX_CHALLENGE_LEN: usize = 64;

/// `(q - 1) / 88`, which is gamma2 for ML-DSA-44.
pub const GAMMA2_44: u32 = (Q - 1) / 88;
/// `(q - 1) / 32`, which is gamma2 for ML-DSA-65 and ML-DSA-87.
#[cfg(feature = "ml-dsa")]
pub const GAMMA2_65: u32 = (Q - 1) / 32;

/// A parameter set. Without the feature `ml-dsa`, this type has no variants, and the compiler
/// removes all code for ML-DSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MlDsaSet {
    /// ML-DSA-44, in NIST's security category 2.
    #[cfg(feature = "ml-dsa")]
    S44,
    /// ML-DSA-65, in security category 3.
    #[cfg(feature = "ml-dsa")]
    S65,
    /// ML-DSA-87, in security category 5.
    #[cfg(feature = "ml-dsa")]
    S87,
}

/// The numbers in a parameter set. The names are from FIPS 204.
pub struct Parameters {
    /// The row count in A.
    pub k: usize,
    /// The column count in A.
    pub l: usize,
    /// The largest coefficient magnitude in s1 and s2.
    pub eta: u32,
    /// The number of challenge coefficients that are 1 or -1.
    pub tau: usize,
    /// The c~ length in bytes: `lambda / 4`, where lambda is the strength in bits.
    pub challenge_len: usize,
    /// gamma1, the bound for y: the coefficients in y are in `(-gamma1, gamma1]`. It is a power of
    /// two.
    pub gamma1: u32,
    /// gamma2, half the rounding step. A coefficient is `2 * gamma2 * r1 + r0` modulo q, where r1
    /// is its high part and r0 is its low part.
    pub gamma2: u32,
    /// The largest number of ones in the hint.
    pub omega: usize,
}

#[cfg(feature = "ml-dsa")]
const S44: Parameters =
    Parameters { k: 4, l: 4, eta: 2, tau: 39, challenge_len: 32, gamma1: 1 << 17, gamma2: GAMMA2_44, omega: 80 };
#[cfg(feature = "ml-dsa")]
const S65: Parameters =
    Parameters { k: 6, l: 5, eta: 4, tau: 49, challenge_len: 48, gamma1: 1 << 19, gamma2: GAMMA2_65, omega: 55 };
#[cfg(feature = "ml-dsa")]
const S87: Parameters =
    Parameters { k: 8, l: 7, eta: 2, tau: 60, challenge_len: 64, gamma1: 1 << 19, gamma2: GAMMA2_65, omega: 75 };

impl Parameters {
    /// Returns the public key length in bytes.
    pub const fn public_len(&self) -> usize {
        RHO_LEN + self.k * T1_LEN
    }

    /// Returns `tau eta`, the largest coefficient magnitude in `c s1` and `c s2`.
    pub const fn beta(&self) -> u32 {
        self.tau as u32 * self.eta
    }

    /// Returns the field width in bits for s1 and s2.
    pub const fn s_bits(&self) -> usize {
        if self.eta == 2 { 3 } else { 4 }
    }

    /// Returns the length in bytes for a packed s1 or s2 polynomial in a private key.
    pub const fn s_len(&self) -> usize {
        N / 8 * self.s_bits()
    }

    /// Returns the field width in bits for z and y.
    pub const fn z_bits(&self) -> usize {
        if self.gamma1 == 1 << 17 { 18 } else { 20 }
    }

    /// Returns the length in bytes for a packed z polynomial in a signature.
    pub const fn z_len(&self) -> usize {
        N / 8 * self.z_bits()
    }

    /// Returns the number of possible high parts. A high part is always below this number.
    #[cfg(test)]
    pub const fn high_parts(&self) -> u32 {
        (Q - 1) / (2 * self.gamma2)
    }

    /// Returns the w1 field width in bits.
    pub const fn w1_bits(&self) -> usize {
        if self.gamma2 == GAMMA2_44 { 6 } else { 4 }
    }

    /// Returns the bound for z: each coefficient in z must have a magnitude below this bound.
    pub const fn z_bound(&self) -> u32 {
        self.gamma1 - self.beta()
    }

    /// Returns the bound for r0, the low part of `w - c s2`: each coefficient in r0 must have a
    /// magnitude below this bound.
    pub const fn r0_bound(&self) -> u32 {
        self.gamma2 - self.beta()
    }

    /// Returns whether a coefficient's magnitude in `c t0`, which is at most `2^12 tau`, can reach
    /// gamma2.
    pub const fn t0_can_be_long(&self) -> bool {
        self.tau as u32 * (1 << (D - 1)) >= self.gamma2
    }
}

impl MlDsaSet {
    /// All parameter sets, from the weakest to the strongest.
    #[cfg(feature = "ml-dsa")]
    pub const ALL: [Self; 3] = [Self::S44, Self::S65, Self::S87];
    /// An empty list, because this build has no parameter sets.
    #[cfg(not(feature = "ml-dsa"))]
    pub const ALL: [Self; 0] = [];

    /// Returns the numbers in this parameter set.
    pub const fn parameters(self) -> &'static Parameters {
        match self {
            #[cfg(feature = "ml-dsa")]
            Self::S44 => &S44,
            #[cfg(feature = "ml-dsa")]
            Self::S65 => &S65,
            #[cfg(feature = "ml-dsa")]
            Self::S87 => &S87,
        }
    }

    /// Returns the public key length in bytes.
    pub const fn public_len(self) -> usize {
        self.parameters().public_len()
    }

    /// Returns the length in bytes for an expanded private key.
    pub const fn private_len(self) -> usize {
        let p = self.parameters();
        RHO_LEN + K_LEN + TR_LEN + (p.k + p.l) * p.s_len() + p.k * T0_LEN
    }

    /// Returns the signature length in bytes.
    pub const fn signature_len(self) -> usize {
        let p = self.parameters();
        p.challenge_len + p.l * p.z_len() + p.omega + p.k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the numbers with table 1 in FIPS 204, and the lengths with table 2.
    #[test]
    fn parameters_and_lengths_equal_those_of_the_standard() {
        assert_eq!(Q, (1 << 23) - (1 << 13) + 1);
        let lengths = [(1312, 2560, 2420), (1952, 4032, 3309), (2592, 4896, 4627)];
        let bounds = [(78, 130_994, 95_154, 44), (196, 524_092, 261_692, 16), (120, 524_168, 261_768, 16)];
        for ((set, lengths), bounds) in MlDsaSet::ALL.into_iter().zip(lengths).zip(bounds) {
            let p = set.parameters();
            assert_eq!((set.public_len(), set.private_len(), set.signature_len()), lengths);
            assert_eq!((p.beta(), p.z_bound(), p.r0_bound(), p.high_parts()), bounds);
            assert_eq!(p.t0_can_be_long(), set == MlDsaSet::S44);
            assert!(p.k <= MAX_K && p.tau <= MAX_TAU && p.challenge_len <= MAX_CHALLENGE_LEN);
        }
    }
}
