//! The numbers of the three parameter sets (FIPS 204, section 4), one row a set, and all lengths.
//!
//! The length of the work memory of an operation is in `plan`.

/// The modulus, `2^23 - 2^13 + 1`.
pub const Q: u32 = 8_380_417;
/// The coefficients of a polynomial.
pub const N: usize = 256;
/// The bits that are dropped from the public key: t is `t1 2^D + t0`.
pub const D: u32 = 13;

/// Bytes of the seed xi of a key pair.
pub const XI_LEN: usize = 32;
/// Bytes of rho, the seed of the matrix A.
pub const RHO_LEN: usize = 32;
/// Bytes of rho' and rho'', the seeds of s1 and s2, and of y.
pub const SECRET_SEED_LEN: usize = 64;
/// Bytes of K, the part of the private key that enters the seed of y.
pub const K_LEN: usize = 32;
/// Bytes of tr, the hash of the public key.
pub const TR_LEN: usize = 64;
/// Bytes of mu, the hash of tr and the message.
pub const MU_LEN: usize = 64;
/// Bytes of rnd, the random part of the seed of y.
pub const RND_LEN: usize = 32;

/// Attempts at a signature after which the key or the machine is presumed bad (appendix C and NIST's errata): with a
/// good key all of them fail with probability below `2^-256`.
pub const MAX_ATTEMPTS: u16 = 821;
/// Bytes of SHAKE128 within which a polynomial of A is found (appendix C).
pub const MAX_UNIFORM_BYTES: usize = 894;
/// Bytes of SHAKE256 within which a polynomial of s1 or s2 is found (appendix C).
pub const MAX_BOUNDED_BYTES: usize = 481;
/// Bytes of SHAKE256 within which a challenge is found (appendix C).
pub const MAX_CHALLENGE_BYTES: usize = 221;

/// Bits of a field of t1.
pub const T1_BITS: usize = 10;
/// Bits of a field of t0.
pub const T0_BITS: usize = 13;
/// Bytes of a polynomial of t1 in a public key.
pub const T1_LEN: usize = N / 8 * T1_BITS;
/// Bytes of a polynomial of t0 in a private key.
pub const T0_LEN: usize = N / 8 * T0_BITS;
/// The most rows that a set has.
pub const MAX_K: usize = 8;
/// The most coefficients of a challenge that are not zero.
pub const MAX_TAU: usize = 60;
/// Bytes of the longest c~.
pub const MAX_CHALLENGE_LEN: usize = 64;

/// `(q - 1) / 88`, gamma2 of ML-DSA-44.
pub const GAMMA2_44: u32 = (Q - 1) / 88;
/// `(q - 1) / 32`, gamma2 of the other sets.
#[cfg(not(fndsa_falcon_alone))]
pub const GAMMA2_65: u32 = (Q - 1) / 32;

/// A parameter set. A build with the cfg `fndsa_falcon_alone` has none, so that the compiler leaves all of ML-DSA out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// ML-DSA-44, of NIST's category 2.
    #[cfg(not(fndsa_falcon_alone))]
    S44,
    /// ML-DSA-65, of category 3.
    #[cfg(not(fndsa_falcon_alone))]
    S65,
    /// ML-DSA-87, of category 5.
    #[cfg(not(fndsa_falcon_alone))]
    S87,
}

/// The numbers of a set, by their names in FIPS 204.
pub struct Parameters {
    /// Rows of A.
    pub k: usize,
    /// Columns of A.
    pub l: usize,
    /// The largest magnitude of a coefficient of s1 and s2.
    pub eta: u32,
    /// Coefficients of the challenge that are 1 or -1.
    pub tau: usize,
    /// Bytes of c~: a quarter of lambda, the strength in bits.
    pub challenge_len: usize,
    /// Coefficients of y are in `(-gamma1, gamma1]`; a power of two.
    pub gamma1: u32,
    /// Half of what a step of the high part stands for.
    pub gamma2: u32,
    /// The most ones in the hint.
    pub omega: usize,
}

#[cfg(not(fndsa_falcon_alone))]
const S44: Parameters =
    Parameters { k: 4, l: 4, eta: 2, tau: 39, challenge_len: 32, gamma1: 1 << 17, gamma2: GAMMA2_44, omega: 80 };
#[cfg(not(fndsa_falcon_alone))]
const S65: Parameters =
    Parameters { k: 6, l: 5, eta: 4, tau: 49, challenge_len: 48, gamma1: 1 << 19, gamma2: GAMMA2_65, omega: 55 };
#[cfg(not(fndsa_falcon_alone))]
const S87: Parameters =
    Parameters { k: 8, l: 7, eta: 2, tau: 60, challenge_len: 64, gamma1: 1 << 19, gamma2: GAMMA2_65, omega: 75 };

impl Parameters {
    /// Returns the bytes of an encoded public key.
    pub const fn public_len(&self) -> usize {
        RHO_LEN + self.k * T1_LEN
    }

    /// Returns `tau eta`, the largest magnitude of a coefficient of `c s1` and `c s2`.
    pub const fn beta(&self) -> u32 {
        self.tau as u32 * self.eta
    }

    /// Returns the bits of a field of s1 and s2.
    pub const fn s_bits(&self) -> usize {
        if self.eta == 2 { 3 } else { 4 }
    }

    /// Returns the bytes of a polynomial of s1 and s2 in a private key.
    pub const fn s_len(&self) -> usize {
        N / 8 * self.s_bits()
    }

    /// Returns the bits of a field of z, and of y.
    pub const fn z_bits(&self) -> usize {
        if self.gamma1 == 1 << 17 { 18 } else { 20 }
    }

    /// Returns the bytes of a polynomial of z in a signature.
    pub const fn z_len(&self) -> usize {
        N / 8 * self.z_bits()
    }

    /// Returns the number of high parts: their values are below it.
    #[cfg(test)]
    pub const fn high_parts(&self) -> u32 {
        (Q - 1) / (2 * self.gamma2)
    }

    /// Returns the bits of a field of w1.
    pub const fn w1_bits(&self) -> usize {
        if self.gamma2 == GAMMA2_44 { 6 } else { 4 }
    }

    /// Returns what every coefficient of z has to be below, in magnitude.
    pub const fn z_bound(&self) -> u32 {
        self.gamma1 - self.beta()
    }

    /// Returns what every coefficient of r0 has to be below, in magnitude.
    pub const fn r0_bound(&self) -> u32 {
        self.gamma2 - self.beta()
    }

    /// Returns whether a coefficient of `c t0` can be gamma2 or more: it is at most `2^12 tau`.
    pub const fn t0_can_be_long(&self) -> bool {
        self.tau as u32 * (1 << (D - 1)) >= self.gamma2
    }
}

impl Set {
    /// All sets, weakest first.
    #[cfg(not(fndsa_falcon_alone))]
    pub const ALL: [Self; 3] = [Self::S44, Self::S65, Self::S87];
    /// No set.
    #[cfg(fndsa_falcon_alone)]
    pub const ALL: [Self; 0] = [];

    /// Returns the row of the set.
    pub const fn parameters(self) -> &'static Parameters {
        match self {
            #[cfg(not(fndsa_falcon_alone))]
            Self::S44 => &S44,
            #[cfg(not(fndsa_falcon_alone))]
            Self::S65 => &S65,
            #[cfg(not(fndsa_falcon_alone))]
            Self::S87 => &S87,
        }
    }

    /// Returns the bytes of an encoded public key.
    pub const fn public_len(self) -> usize {
        self.parameters().public_len()
    }

    /// Returns the bytes of a private key in its expanded form.
    pub const fn private_len(self) -> usize {
        let p = self.parameters();
        RHO_LEN + K_LEN + TR_LEN + (p.k + p.l) * p.s_len() + p.k * T0_LEN
    }

    /// Returns the bytes of a signature.
    pub const fn signature_len(self) -> usize {
        let p = self.parameters();
        p.challenge_len + p.l * p.z_len() + p.omega + p.k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of FIPS 204: table 1, and table 2 with the lengths.
    #[test]
    fn numbers_and_lengths_are_those_of_the_standard() {
        assert_eq!(Q, (1 << 23) - (1 << 13) + 1);
        let lengths = [(1312, 2560, 2420), (1952, 4032, 3309), (2592, 4896, 4627)];
        let bounds = [(78, 130_994, 95_154, 44), (196, 524_092, 261_692, 16), (120, 524_168, 261_768, 16)];
        for ((set, lengths), bounds) in Set::ALL.into_iter().zip(lengths).zip(bounds) {
            let p = set.parameters();
            assert_eq!((set.public_len(), set.private_len(), set.signature_len()), lengths);
            assert_eq!((p.beta(), p.z_bound(), p.r0_bound(), p.high_parts()), bounds);
            assert_eq!(p.t0_can_be_long(), set == Set::S44);
            assert!(p.k <= MAX_K && p.tau <= MAX_TAU && p.challenge_len <= MAX_CHALLENGE_LEN);
        }
    }
}
