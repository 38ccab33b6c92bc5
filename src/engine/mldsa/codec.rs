//! Packs and unpacks fields with 3 to 20 bits, with the least significant bit first (FIPS 204,
//! algorithms 16 to 19), and splits keys and signatures into their parts (algorithms 22 to 27).
//!
//! The functions process fields in groups of eight: eight fields with b bits need b bytes. A signed
//! coefficient `x` is stored as the field `largest - x`.
//!
//! The coefficients may be secret. The field widths and the field positions are public.

use super::params::{D, K_LEN, MlDsaSet, N, Parameters, RHO_LEN, T0_BITS, T0_LEN, T1_LEN, TR_LEN};
use crate::simd::{Simd, frame};

/// The number of coefficients that most functions process at a time (a piece). It is a multiple of
/// eight, and a multiple of all vector lengths.
pub const PIECE: usize = 32;

/// The length in bytes for a piece with the widest fields.
pub const MAX_PIECE_LEN: usize = PIECE / 8 * 20;

/// Evaluates `$value`, where the constant `$name` is the field width `$bits`. The compiler
/// generates separate code for each width.
macro_rules! by_width {
    ($bits:expr, $name:ident => $value:expr) => {
        by_width!($bits, $name => $value, 3 4 6 10 13 18 20)
    };
    ($bits:expr, $name:ident => $value:expr, $($width:literal)+) => {
        match $bits {
            $($width => {
                const $name: usize = $width;
                $value
            })+
            _ => unreachable!("no field has this width"),
        }
    };
}

/// Unpacks `out.len()` fields. `bits` must be a field width in FIPS 204, `out.len()` must be a
/// multiple of 8, and `src` must have `bits` bytes for each group of 8 fields.
#[inline(always)]
pub fn unpack<S: Simd>(isa: S, bits: usize, src: &[u8], out: &mut [u32]) {
    debug_assert!(src.len() * 8 == out.len() * bits);
    if S::COMPACT {
        // In compact code, this function is inlined, and the width becomes a constant. So the
        // program contains only code for the widths that it uses.
        by_width!(bits, BITS => unpack_width::<S, BITS>(isa, src, out));
    } else {
        unpack_any(isa, bits, src, out);
    }
}

/// Implements [`unpack`] for any width.
#[inline(never)]
fn unpack_any<S: Simd>(isa: S, bits: usize, src: &[u8], out: &mut [u32]) {
    frame!(isa, by_width!(bits, BITS => isa.unpack_u32::<BITS>(src, out)));
}

/// Implements [`unpack`] for a constant width.
#[inline(never)]
fn unpack_width<S: Simd, const BITS: usize>(isa: S, src: &[u8], out: &mut [u32]) {
    frame!(isa, isa.unpack_u32::<BITS>(src, out));
}

/// Packs all `fields`, with `bits` bits for each field, as the inverse of [`unpack`].
#[inline(always)]
pub fn pack<S: Simd>(isa: S, bits: usize, fields: &[u32], out: &mut [u8]) {
    debug_assert!(out.len() * 8 == fields.len() * bits);
    if S::COMPACT {
        by_width!(bits, BITS => isa.pack_u32::<BITS>(fields, out));
    } else {
        pack_any(isa, bits, fields, out);
    }
}

/// Implements [`pack`] for any width.
#[inline(never)]
fn pack_any<S: Simd>(isa: S, bits: usize, fields: &[u32], out: &mut [u8]) {
    frame!(isa, by_width!(bits, BITS => isa.pack_u32::<BITS>(fields, out)));
}

/// Replaces each `x` by `largest - x`. This converts signed coefficients to fields, and fields to
/// signed coefficients. A negative coefficient `x` is stored as `2^32 - |x|`.
#[inline(always)]
pub fn flip(largest: u32, values: &mut [u32]) {
    for x in values {
        *x = largest.wrapping_sub(*x);
    }
}

/// The parts in an encoded public key (algorithm 22).
#[derive(Clone, Copy)]
pub struct PublicKeyParts<'a> {
    /// The seed for the matrix A.
    pub rho: &'a [u8; RHO_LEN],
    /// The packed polynomials of t1, the high part of t.
    pub t1: &'a [u8],
}

impl<'a> PublicKeyParts<'a> {
    /// Splits a public key. Returns `None` if the length is wrong for the parameter set.
    pub fn new(set: MlDsaSet, public: &'a [u8]) -> Option<Self> {
        let (rho, t1) = public.split_first_chunk()?;
        (public.len() == set.public_len()).then_some(Self { rho, t1 })
    }

    /// Returns polynomial `r` in t1, in packed form.
    pub fn row(&self, r: usize) -> &'a [u8] {
        &self.t1[T1_LEN * r..T1_LEN * (r + 1)]
    }
}

/// The parts in an expanded private key (algorithm 24). All parts except for rho and tr are secret.
#[derive(Clone, Copy)]
pub struct ExpandedKeyParts<'a> {
    /// The seed for the matrix A.
    pub rho: &'a [u8; RHO_LEN],
    /// K, a secret input to the seed for y.
    pub key: &'a [u8; K_LEN],
    /// The public key's hash.
    pub tr: &'a [u8; TR_LEN],
    /// The packed polynomials in s1, followed by the packed polynomials in s2.
    pub s: &'a [u8],
    /// The packed polynomials of t0, the low part of t.
    pub t0: &'a [u8],
}

impl<'a> ExpandedKeyParts<'a> {
    /// Splits an expanded private key. Returns `None` if the length is wrong for the parameter set.
    pub fn new(set: MlDsaSet, expanded: &'a [u8]) -> Option<Self> {
        if expanded.len() != set.private_len() {
            return None;
        }
        let p = set.parameters();
        let (rho, rest) = expanded.split_first_chunk()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (tr, rest) = rest.split_first_chunk()?;
        let (s, t0) = rest.split_at((p.k + p.l) * p.s_len());
        Some(Self { rho, key, tr, s, t0 })
    }

    /// Returns a polynomial in s1 or s2, in packed form. `index` is the index of the polynomial,
    /// where s2 follows s1.
    pub fn small(&self, p: &Parameters, index: usize) -> PackedRow<'a> {
        let bytes = &self.s[p.s_len() * index..p.s_len() * (index + 1)];
        PackedRow { bytes, bits: p.s_bits(), largest: p.eta }
    }

    /// Returns polynomial `r` in t0, in packed form.
    pub fn t0_row(&self, r: usize) -> PackedRow<'a> {
        PackedRow { bytes: &self.t0[T0_LEN * r..T0_LEN * (r + 1)], bits: T0_BITS, largest: 1 << (D - 1) }
    }
}

/// The parts of a signature (algorithm 26).
#[derive(Clone, Copy)]
pub struct SignatureParts<'a> {
    /// c~, the hash from which the challenge is sampled.
    pub challenge: &'a [u8],
    /// The packed polynomials in z.
    pub z: &'a [u8],
    /// The packed hint.
    pub hint: &'a [u8],
}

impl<'a> SignatureParts<'a> {
    /// Splits a signature. Returns `None` if the length is wrong for the parameter set.
    pub fn new(set: MlDsaSet, signature: &'a [u8]) -> Option<Self> {
        if signature.len() != set.signature_len() {
            return None;
        }
        let p = set.parameters();
        let (challenge, rest) = signature.split_at_checked(p.challenge_len)?;
        let (z, hint) = rest.split_at_checked(p.l * p.z_len())?;
        Some(Self { challenge, z, hint })
    }

    /// Returns polynomial `s` in z in packed form, with its field width.
    #[inline(always)]
    pub fn packed_z(&self, p: &Parameters, s: usize) -> PackedRow<'a> {
        PackedRow { bytes: self.column(p.z_len(), s), bits: p.z_bits(), largest: p.gamma1 }
    }

    /// Returns the packed bytes for polynomial `s` of z. `len` must be [`Parameters::z_len`].
    pub fn column(&self, len: usize, s: usize) -> &'a [u8] {
        // These bytes always exist. An index expression would add a panic to boot loaders.
        self.z.get(len * s..len * (s + 1)).unwrap_or_default()
    }
}

/// A polynomial with `N` coefficients, stored as packed fields. Each coefficient is
/// `largest - field`.
#[derive(Clone, Copy)]
pub struct PackedRow<'a> {
    /// The packed fields.
    pub bytes: &'a [u8],
    /// The field width in bits.
    pub bits: usize,
    /// The coefficient for a field in which all bits are zero.
    pub largest: u32,
}

impl PackedRow<'_> {
    /// Unpacks the coefficients from index `first` on. A negative coefficient `x` is stored as
    /// `2^32 - |x|`. `first` and `out.len()` must be multiples of 8, and their sum must not exceed
    /// [`N`].
    #[inline(always)]
    pub fn piece<S: Simd>(&self, isa: S, first: usize, out: &mut [u32]) {
        debug_assert!(first + out.len() <= N);
        // These bytes always exist. An index expression would add a panic to boot loaders.
        let bytes = self.bytes.get(first / 8 * self.bits..(first + out.len()) / 8 * self.bits).unwrap_or_default();
        unpack(isa, self.bits, bytes, out);
        flip(self.largest, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;

    #[derive(Clone, Copy)]
    struct FieldPackingTest;

    impl WithSimd for FieldPackingTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for bits in [3, 4, 6, 10, 13, 18, 20] {
                let fields: Vec<u32> = (1..=256u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> (32 - bits)).collect();
                // To compute the expected bytes, the loop sets each bit separately.
                let mut expected = vec![0u8; 32 * bits];
                for at in 0..256 * bits {
                    expected[at / 8] |= ((fields[at / bits] >> (at % bits) & 1) as u8) << (at % 8);
                }
                let mut bytes = vec![0xa5; 32 * bits];
                pack(isa, bits, &fields, &mut bytes);
                assert_eq!(bytes, expected, "{}, {bits} bits", S::NAME);
                let mut unpacked = vec![7; 256];
                unpack(isa, bits, &bytes, &mut unpacked);
                assert_eq!(unpacked, fields, "{}, {bits} bits", S::NAME);
                let row = PackedRow { bytes: &bytes, bits, largest: 5 };
                let mut piece = [0; 16];
                row.piece(isa, 40, &mut piece);
                assert!(piece.iter().zip(&fields[40..]).all(|(x, field)| x.wrapping_add(*field) == 5));
            }
        }
    }

    #[test]
    fn fields_are_little_endian() {
        on_every_level(FieldPackingTest);
    }

    #[test]
    fn encoded_parts_have_the_lengths_of_the_parameter_set() {
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let key: Vec<u8> = (0..set.private_len()).map(|i| (i / 32) as u8).collect();
            let parts = ExpandedKeyParts::new(set, &key).unwrap();
            assert_eq!((parts.rho[0], parts.key[0], parts.tr[0], parts.small(p, 0).bytes[0]), (0, 1, 2, 4));
            assert_eq!(parts.small(p, p.l).bytes.as_ptr(), key[128 + p.l * p.s_len()..].as_ptr());
            assert_eq!(parts.t0_row(p.k - 1).bytes.as_ptr_range().end, key.as_ptr_range().end);
            assert!(ExpandedKeyParts::new(set, &key[1..]).is_none());
            let public = vec![0; set.public_len()];
            assert_eq!(PublicKeyParts::new(set, &public).unwrap().row(p.k - 1).len(), 320);
            assert!(PublicKeyParts::new(set, &public[1..]).is_none());
            let signature = vec![0; set.signature_len()];
            let parts = SignatureParts::new(set, &signature).unwrap();
            assert_eq!((parts.hint.len(), parts.challenge.len()), (p.omega + p.k, p.challenge_len));
            assert_eq!(parts.column(p.z_len(), p.l - 1).as_ptr_range().end, parts.hint.as_ptr());
            assert!(SignatureParts::new(set, &signature[1..]).is_none());
        }
    }
}
