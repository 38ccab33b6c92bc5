//! Signatures in their encodings (specification 2.3.3, 4.3): header, nonce, coefficients of s2.
//!
//! | encoding | first byte | length |
//! |---|---|---|
//! | padded | `30 + logn` | fixed: zeros behind the coefficients |
//! | compressed | `30 + logn` | varies: the last byte has the last coefficient's last bit |
//! | constant-time | `50 + logn` | fixed: fields of equal length |
//!
//! A compressed signature that happens to have the fixed length is a padded one. Nothing here is secret.

use super::codec::{Coefficients, Decompress, Fixed, compress, pack_fixed};
use super::params::{CT_SIGNATURE_HEADER, MAX_LOGN, NONCE_LEN, SIGNATURE_HEADER};
use super::scheme::{FalconAlgorithm, Order, SignatureEncoding};
use super::windows::{Decoded, Rest, Windows, decode_into};
use crate::simd::Simd;

/// Why bytes are no signature of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Not the length of the encoding that the first byte names.
    Length,
    /// Not the first byte of any encoding at this degree.
    Header,
    /// s2 is not encoded in the one allowed way.
    Coefficients,
}

/// Returns the first byte of a signature.
pub const fn header(algorithm: FalconAlgorithm, encoding: SignatureEncoding) -> u8 {
    let upper = match encoding {
        SignatureEncoding::Ct => CT_SIGNATURE_HEADER,
        SignatureEncoding::Padded | SignatureEncoding::Compressed => SIGNATURE_HEADER,
    };
    upper | algorithm.degree().logn() as u8
}

/// What is done with a reader of the coefficients, whichever type it has: each reader is compiled for itself.
trait Visit {
    type Output;
    fn with<C: Coefficients>(self, coefficients: C) -> Self::Output;
}

/// A signature cut apart, its coefficients not read yet.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    algorithm: FalconAlgorithm,
    /// The encoding by the first byte. Compressed stands for padded, too, until the end of the coefficients is known.
    encoding: SignatureEncoding,
    /// The nonce.
    pub nonce: &'a [u8; NONCE_LEN],
    body: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Cuts a signature, and checks its first byte and its length, as far as that is known before the coefficients are
    /// read.
    pub fn new(algorithm: FalconAlgorithm, signature: &'a [u8]) -> Result<Self, Malformed> {
        Self::cut(algorithm, signature)
    }

    /// [`Parts::new`] for one algorithm that is a constant of its caller.
    #[inline(always)]
    pub fn cut(algorithm: FalconAlgorithm, signature: &'a [u8]) -> Result<Self, Malformed> {
        let encoding = if !algorithm.scheme().rules().has_encodings {
            SignatureEncoding::Padded
        } else if signature.first() == Some(&header(algorithm, SignatureEncoding::Ct)) {
            SignatureEncoding::Ct
        } else {
            SignatureEncoding::Compressed
        };
        let len = signature.len();
        let bound = algorithm.encoded_signature_len(encoding);
        if len > bound || (len < bound && encoding != SignatureEncoding::Compressed) {
            return Err(Malformed::Length);
        }
        let (&first, rest) = signature.split_first().ok_or(Malformed::Length)?;
        if first != header(algorithm, encoding) {
            return Err(Malformed::Header);
        }
        let (nonce, body) = rest.split_first_chunk::<NONCE_LEN>().ok_or(Malformed::Length)?;
        Ok(Self { algorithm, encoding, nonce, body })
    }

    #[inline(always)]
    fn visit<V: Visit>(&self, visitor: V) -> V::Output {
        let rules = self.algorithm.scheme().rules();
        match (self.encoding, rules.order) {
            (SignatureEncoding::Ct, _) => visitor.with(Fixed::new(self.body, self.algorithm.degree().ct_bits())),
            (_, Order::Little) => visitor.with(Decompress::<false>::new(self.body, rules.s2_bound)),
            (_, Order::Big) => visitor.with(Decompress::<true>::new(self.body, rules.s2_bound)),
        }
    }

    /// Fills `out` with `value` of each coefficient of s2, and returns the encoding. Range: `out` has n places.
    #[inline(always)]
    pub fn read_into<T>(&self, out: &mut [T], value: impl FnMut(i32) -> T) -> Result<SignatureEncoding, Malformed> {
        struct Read<'w, T, F> {
            out: &'w mut [T],
            value: F,
        }
        impl<T, F: FnMut(i32) -> T> Visit for Read<'_, T, F> {
            type Output = Option<usize>;
            #[inline(always)]
            fn with<C: Coefficients>(mut self, mut coefficients: C) -> Option<usize> {
                for x in self.out {
                    *x = (self.value)(coefficients.next()?);
                }
                coefficients.rest()
            }
        }
        debug_assert_eq!(out.len(), self.algorithm.degree().n());
        let rest = self.visit(Read { out, value }).ok_or(Malformed::Coefficients)?;
        self.encoding_with(rest)
    }

    /// Returns the encoding of a signature that has `rest` bytes which no coefficient touches.
    fn encoding_with(&self, rest: usize) -> Result<SignatureEncoding, Malformed> {
        let padded = self.body.len() + 1 + NONCE_LEN == self.algorithm.signature_len();
        match self.encoding {
            SignatureEncoding::Compressed if padded => Ok(SignatureEncoding::Padded),
            // Bytes behind the coefficients are for padded signatures.
            SignatureEncoding::Compressed if rest > 0 => Err(Malformed::Coefficients),
            encoding => Ok(encoding),
        }
    }

    /// Starts to find where the coefficients of s2 begin; `out` has a place for each. `None` if they are in fields of
    /// equal length, or too few bytes for words.
    pub fn windows<'w>(&self, out: &'w mut [u16]) -> Option<Windows<'w, 'a>> {
        let compressed = self.encoding != SignatureEncoding::Ct;
        if compressed { Windows::new(self.algorithm.scheme().rules().order, self.body, out) } else { None }
    }

    /// Writes the coefficients of s2 to `out`, in two's complement, and returns the sum of their squares. `rest` is
    /// what [`Windows::finish`] returned after it filled `out`; `None` without windows.
    #[inline(always)]
    pub fn decode_into<S: Simd>(&self, isa: S, rest: Option<Rest>, out: &mut [u16]) -> Result<u64, Malformed> {
        let rules = self.algorithm.scheme().rules();
        let Some(rest) = rest else { return self.read_all_into(out) };
        match (decode_into(isa, rules.order, out, rules.s2_bound), rest) {
            (Decoded::Long, _) => self.read_all_into(out),
            (Decoded::Good(norm), Rest::Zeros(rest)) => self.encoding_with(rest).map(|_| norm),
            (Decoded::Good(_), Rest::Set) | (Decoded::Bad, _) => Err(Malformed::Coefficients),
        }
    }

    /// [`Parts::decode_into`] by the reader of one coefficient after the other.
    #[cold]
    #[inline(never)]
    fn read_all_into(&self, out: &mut [u16]) -> Result<u64, Malformed> {
        self.read_norm_into(out)
    }

    /// Reads the coefficients modulo `2^16`, one after the other, and returns their squared norm.
    #[inline(always)]
    pub fn read_norm_into(&self, out: &mut [u16]) -> Result<u64, Malformed> {
        let mut norm = 0;
        self.read_into(out, |x| {
            norm += u64::from(x.unsigned_abs().pow(2));
            x as u16
        })?;
        Ok(norm)
    }

    /// Checks that every coefficient is encoded as it must be, and returns the encoding.
    pub fn check(&self) -> Result<SignatureEncoding, Malformed> {
        const PLACES: usize = 1 << MAX_LOGN;
        self.read_into(&mut [(); PLACES][..self.algorithm.degree().n()], |_| ())
    }

    /// Writes the signature in another encoding, and returns its length. `None` if the coefficients do not fit that
    /// encoding, or `out` is shorter than [`FalconAlgorithm::signature_len`].
    pub fn recode_into(&self, encoding: SignatureEncoding, out: &mut [u8]) -> Option<usize> {
        struct Write<'w> {
            parts: Parts<'w>,
            encoding: SignatureEncoding,
            body: &'w mut [u8],
        }
        impl Visit for Write<'_> {
            type Output = Option<usize>;
            fn with<C: Coefficients>(self, mut from: C) -> Option<usize> {
                let mut good = true;
                let coefficients = (0..self.parts.algorithm.degree().n()).map(|_| {
                    let x = from.next();
                    good &= x.is_some();
                    x.unwrap_or(0)
                });
                let used = write_body(self.parts.algorithm, self.encoding, coefficients, self.body)?;
                good.then_some(used)
            }
        }
        let needed = self.algorithm.encoded_signature_len(encoding);
        let out = out.get_mut(..needed)?;
        let (head, body) = out.split_first_chunk_mut::<{ 1 + NONCE_LEN }>()?;
        head[0] = header(self.algorithm, encoding);
        head[1..].copy_from_slice(self.nonce);
        let used = self.visit(Write { parts: *self, encoding, body })?;
        Some(1 + NONCE_LEN + used)
    }
}

/// Writes the coefficients of s2 behind the nonce, and returns the bytes used; `None` if they do not fit. Range: `body`
/// has the length of the encoding.
pub fn write_body(
    algorithm: FalconAlgorithm,
    encoding: SignatureEncoding,
    coefficients: impl Iterator<Item = i32>,
    body: &mut [u8],
) -> Option<usize> {
    let rules = algorithm.scheme().rules();
    let len = body.len();
    match encoding {
        SignatureEncoding::Ct => pack_fixed(coefficients, algorithm.degree().ct_bits(), body).then_some(len),
        SignatureEncoding::Padded => compress(rules.order, coefficients, rules.s2_bound, body).map(|_| len),
        SignatureEncoding::Compressed => compress(rules.order, coefficients, rules.s2_bound, body),
    }
}
