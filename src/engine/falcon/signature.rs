//! Signature encodings (specification 2.3.3, 4.3): the header, the nonce, and the coefficients of
//! s2.
//!
//! | encoding | first byte | length |
//! |---|---|---|
//! | padded | `0x30 + logn` | fixed: zeros after the coefficients |
//! | compressed | `0x30 + logn` | varies: the last coefficient ends in the last byte |
//! | constant-time | `0x50 + logn` | fixed: fields with equal lengths |
//!
//! If a compressed signature has exactly the padded encoding's length, it is also a padded
//! signature. There is no secret data in this file.

use super::codec::{CoefficientReader, CompressedReader, FixedWidthReader, compress, pack_fixed};
use super::coefficient_scanner::{CoefficientScanner, DecodeOutcome, TrailingBytes, check_coefficients, decode_into};
use super::params::{CT_SIGNATURE_HEADER, MAX_LOGN, NONCE_LEN, SIGNATURE_HEADER};
use super::scheme::{BitOrder, FalconAlgorithm, SignatureEncoding};
use crate::simd::Simd;

/// The reason why bytes are not a signature for an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureDefect {
    /// The length is not possible for the encoding that the first byte selects.
    Length,
    /// The first byte does not match any encoding at this degree.
    Header,
    /// The s2 encoding is not canonical.
    Coefficients,
}

/// Returns a signature's first byte.
pub const fn header(algorithm: FalconAlgorithm, encoding: SignatureEncoding) -> u8 {
    let header_bits = match encoding {
        SignatureEncoding::Ct => CT_SIGNATURE_HEADER,
        SignatureEncoding::Padded | SignatureEncoding::Compressed => SIGNATURE_HEADER,
    };
    header_bits | algorithm.degree().logn() as u8
}

/// An operation on a coefficient reader. The operation is compiled separately for each type of
/// reader.
trait CoefficientVisitor {
    type Output;
    fn with<C: CoefficientReader>(self, coefficients: C) -> Self::Output;
}

/// A signature split into its parts. The coefficients have not been read.
#[derive(Clone, Copy)]
pub struct SplitSignature<'a> {
    algorithm: FalconAlgorithm,
    /// The encoding according to the scheme and the first byte. If the scheme has several
    /// encodings, `Compressed` includes padded signatures: `encoding_with` distinguishes the two
    /// encodings after the coefficients were read.
    encoding: SignatureEncoding,
    /// The nonce.
    pub nonce: &'a [u8; NONCE_LEN],
    body: &'a [u8],
}

impl<'a> SplitSignature<'a> {
    /// Splits a signature, and checks the first byte and the length. Does not check whether a
    /// compressed signature ends after its last coefficient, because the coefficients are not read.
    pub fn new(algorithm: FalconAlgorithm, signature: &'a [u8]) -> Result<Self, SignatureDefect> {
        Self::new_inlined(algorithm, signature)
    }

    /// Implements [`SplitSignature::new`]. The compiler inlines this function. If the caller's
    /// algorithm is a constant, the compiler can use this constant.
    #[inline(always)]
    pub fn new_inlined(algorithm: FalconAlgorithm, signature: &'a [u8]) -> Result<Self, SignatureDefect> {
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
            return Err(SignatureDefect::Length);
        }
        let (&first, rest) = signature.split_first().ok_or(SignatureDefect::Length)?;
        if first != header(algorithm, encoding) {
            return Err(SignatureDefect::Header);
        }
        let (nonce, body) = rest.split_first_chunk::<NONCE_LEN>().ok_or(SignatureDefect::Length)?;
        Ok(Self { algorithm, encoding, nonce, body })
    }

    /// Calls `visitor` with the reader for this signature's encoding and bit order.
    #[inline(always)]
    fn visit<V: CoefficientVisitor>(&self, visitor: V) -> V::Output {
        let rules = self.algorithm.scheme().rules();
        match (self.encoding, rules.order) {
            (SignatureEncoding::Ct, _) => {
                visitor.with(FixedWidthReader::new(self.body, self.algorithm.degree().ct_bits()))
            }
            (_, BitOrder::Little) => visitor.with(CompressedReader::<false>::new(self.body, rules.s2_bound)),
            (_, BitOrder::Big) => visitor.with(CompressedReader::<true>::new(self.body, rules.s2_bound)),
        }
    }

    /// Reads the coefficients of s2, writes the result of `value` for each coefficient to `out`,
    /// and returns the encoding. `out` must have n elements.
    #[inline(always)]
    pub fn read_into<T>(
        &self,
        out: &mut [T],
        value: impl FnMut(i32) -> T,
    ) -> Result<SignatureEncoding, SignatureDefect> {
        struct ReadVisitor<'w, T, F> {
            out: &'w mut [T],
            value: F,
        }
        impl<T, F: FnMut(i32) -> T> CoefficientVisitor for ReadVisitor<'_, T, F> {
            type Output = Option<usize>;
            #[inline(always)]
            fn with<C: CoefficientReader>(mut self, mut coefficients: C) -> Option<usize> {
                for x in self.out {
                    *x = (self.value)(coefficients.next()?);
                }
                coefficients.trailing_len()
            }
        }
        debug_assert_eq!(out.len(), self.algorithm.degree().n());
        let trailing_len = self.visit(ReadVisitor { out, value }).ok_or(SignatureDefect::Coefficients)?;
        self.encoding_with(trailing_len)
    }

    /// Returns the signature's encoding, and distinguishes padded signatures from compressed
    /// signatures. `trailing_len` is the number of bytes after the coefficients.
    fn encoding_with(&self, trailing_len: usize) -> Result<SignatureEncoding, SignatureDefect> {
        let padded = self.body.len() + 1 + NONCE_LEN == self.algorithm.signature_len();
        match self.encoding {
            SignatureEncoding::Compressed if padded => Ok(SignatureEncoding::Padded),
            // Only padded signatures can have bytes after the coefficients.
            SignatureEncoding::Compressed if trailing_len > 0 => Err(SignatureDefect::Coefficients),
            encoding => Ok(encoding),
        }
    }

    /// Returns a scanner that finds the start of each coefficient in s2. For each coefficient, the
    /// scanner writes a window, the 16 bits from this start, to an element of `out`. Returns `None`
    /// if all coefficients have the same length ([`SignatureEncoding::Ct`]), or if there are fewer
    /// than 8 bytes, which the scanner reads as a word.
    pub fn scanner<'w>(&self, out: &'w mut [u16]) -> Option<CoefficientScanner<'w, 'a>> {
        let compressed = self.encoding != SignatureEncoding::Ct;
        if compressed { CoefficientScanner::new(self.algorithm.scheme().rules().order, self.body, out) } else { None }
    }

    /// Writes s2's coefficients to `out` in two's complement, and returns the sum of their squares.
    /// If `trailing` is the result of [`CoefficientScanner::finish`], `out` must contain the
    /// windows that the scanner found. If no scanner was used, `trailing` is `None`.
    #[inline(always)]
    pub fn decode_into<S: Simd>(
        &self,
        isa: S,
        trailing: Option<TrailingBytes>,
        out: &mut [u16],
    ) -> Result<u64, SignatureDefect> {
        let rules = self.algorithm.scheme().rules();
        let Some(trailing) = trailing else { return self.read_all_into(out) };
        match (decode_into(isa, rules.order, out, rules.s2_bound), trailing) {
            (DecodeOutcome::Long, _) => self.read_all_into(out),
            (DecodeOutcome::Good(norm), TrailingBytes::Zeros(len)) => self.encoding_with(len).map(|_| norm),
            (DecodeOutcome::Good(_), TrailingBytes::Set) | (DecodeOutcome::Bad, _) => {
                Err(SignatureDefect::Coefficients)
            }
        }
    }

    /// Implements [`SplitSignature::decode_into`] with the reader that reads the coefficients in
    /// sequence.
    #[cold]
    #[inline(never)]
    fn read_all_into(&self, out: &mut [u16]) -> Result<u64, SignatureDefect> {
        self.read_norm_into(out)
    }

    /// Reads the coefficients in sequence, writes them to `out` in two's complement, and returns
    /// the sum of their squares.
    #[inline(always)]
    pub fn read_norm_into(&self, out: &mut [u16]) -> Result<u64, SignatureDefect> {
        let mut norm = 0;
        self.read_into(out, |x| {
            norm += u64::from(x.unsigned_abs().pow(2));
            x as u16
        })?;
        Ok(norm)
    }

    /// Checks that every coefficient's encoding is valid, and returns the signature's encoding.
    #[inline(always)]
    pub fn check<S: Simd>(&self, isa: S) -> Result<SignatureEncoding, SignatureDefect> {
        if self.encoding == SignatureEncoding::Ct || self.body.len() < 8 {
            return self.check_in_sequence();
        }
        let rules = self.algorithm.scheme().rules();
        match check_coefficients(isa, rules.order, self.body, self.algorithm.degree().n(), rules.s2_bound) {
            Some(TrailingBytes::Zeros(rest)) => self.encoding_with(rest),
            Some(TrailingBytes::Set) | None => Err(SignatureDefect::Coefficients),
        }
    }

    /// Implements [`SplitSignature::check`] with the reader that reads the coefficients in
    /// sequence.
    #[cold]
    #[inline(never)]
    fn check_in_sequence(&self) -> Result<SignatureEncoding, SignatureDefect> {
        // The places for the coefficients have the type `()`, because nothing is stored.
        const PLACES: usize = 1 << MAX_LOGN;
        self.read_into(&mut [(); PLACES][..self.algorithm.degree().n()], |_| ())
    }

    /// Writes the signature in the given encoding, and returns the length. Returns `None` if the
    /// coefficients are not valid or do not fit into this encoding, or if `out` is shorter than
    /// [`FalconAlgorithm::encoded_signature_len`].
    pub fn recode_into(&self, encoding: SignatureEncoding, out: &mut [u8]) -> Option<usize> {
        struct RecodeVisitor<'w> {
            parts: SplitSignature<'w>,
            encoding: SignatureEncoding,
            body: &'w mut [u8],
        }
        impl CoefficientVisitor for RecodeVisitor<'_> {
            type Output = Option<usize>;
            fn with<C: CoefficientReader>(self, mut reader: C) -> Option<usize> {
                let mut all_valid = true;
                let coefficients = (0..self.parts.algorithm.degree().n()).map(|_| {
                    let x = reader.next();
                    all_valid &= x.is_some();
                    x.unwrap_or(0)
                });
                let used_len = write_body(self.parts.algorithm, self.encoding, coefficients, self.body)?;
                all_valid.then_some(used_len)
            }
        }
        let needed_len = self.algorithm.encoded_signature_len(encoding);
        let out = out.get_mut(..needed_len)?;
        let (head, body) = out.split_first_chunk_mut::<{ 1 + NONCE_LEN }>()?;
        head[0] = header(self.algorithm, encoding);
        head[1..].copy_from_slice(self.nonce);
        let used_len = self.visit(RecodeVisitor { parts: *self, encoding, body })?;
        Some(1 + NONCE_LEN + used_len)
    }
}

/// Writes s2's coefficients after the nonce, and returns the length that was used. Returns `None`
/// if the coefficients do not fit. `body` must have the length for the encoding.
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
