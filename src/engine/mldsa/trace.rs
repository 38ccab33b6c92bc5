//! Against faults while a signature is made: what is noted of y each time that it is drawn, and the places between the
//! steps where tests plant faults.

use super::codec::PIECE;
use super::params::{Parameters, SECRET_SEED_LEN};
use super::round::Reach;
use super::sample::LimitReached;
use super::verify::Unverified;
use crate::simd::ct;

/// Why there is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// The expanded key has not the length of the set.
    Length,
    /// No attempt was accepted, or a seed gave nothing: the key or the machine is bad.
    Limit,
    /// A check found that the machine made a fault.
    Fault,
}

impl From<LimitReached> for Unsigned {
    fn from(LimitReached: LimitReached) -> Self {
        Self::Limit
    }
}

impl From<Unverified> for Unsigned {
    fn from(_: Unverified) -> Self {
        Self::Fault
    }
}

/// Tells whether the checks that make up `flags` refuse what they look at: an attempt, or a machine that is at fault.
#[inline(always)]
pub fn is_told(flags: u32) -> bool {
    ct::declassify("signature: rejected", ct::barrier_u32(flags)) != 0
}

/// The uses of y in one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// For w.
    Commitment,
    /// For the norm of z.
    Norm,
    /// For z.
    Response,
}

/// What happens between the steps of a signature: nothing. Tests plant faults here.
pub trait Between {
    /// After the seed of y.
    #[inline(always)]
    fn seed(&self, _seed: &mut [u8; SECRET_SEED_LEN]) {}
    /// After a piece of y.
    #[inline(always)]
    fn mask(&self, _use: Use, _column: usize, _piece: &mut [u32; PIECE]) {}
    /// After a row of w, which is not in the transform's domain any more.
    #[inline(always)]
    fn row(&self, _r: usize, _row: &mut [u32]) {}
    /// After c~.
    #[inline(always)]
    fn challenge(&self, _challenge: &mut [u8]) {}
    /// After a product with the challenge.
    #[inline(always)]
    fn product(&self, _product: &mut [u32]) {}
    /// After a packed piece of z.
    #[inline(always)]
    fn response(&self, _piece: &mut [u8]) {}
    /// After the hint.
    #[inline(always)]
    fn hint(&self, _hint: &mut [u8]) {}
}

/// Nothing happens between the steps.
pub struct Nothing;

impl Between for Nothing {}

/// Whether each polynomial of y has a coefficient that reaches half of gamma1: one that was drawn has, but with probability
/// `2^-256`, and one that was not written has not.
#[derive(Clone, Copy)]
pub struct Drawn {
    /// Whether a coefficient of the polynomial that comes does.
    reach: Reach,
    /// 1 if a polynomial has ended without one, else 0.
    is_short: u32,
}

impl Drawn {
    /// Nothing was seen yet.
    pub const fn new(p: &Parameters) -> Self {
        Self { reach: Reach::of(p.gamma1 / 2), is_short: 0 }
    }

    /// Looks at a piece of a polynomial.
    #[inline(always)]
    pub fn see(&mut self, piece: &[u32; PIECE]) {
        for y in piece {
            self.reach.see(y.cast_signed());
        }
    }

    /// Ends a polynomial.
    #[inline(always)]
    pub fn end(&mut self, p: &Parameters) {
        self.is_short |= self.reach.bit() ^ 1;
        self.reach = Reach::of(p.gamma1 / 2);
    }

    /// Returns 1 if one of the polynomials was not drawn, else 0.
    #[inline(always)]
    pub const fn is_short(&self) -> u32 {
        self.is_short
    }
}

/// What is noted of the polynomials of y as they come past, once for each use.
#[derive(Clone, Copy)]
pub struct Trace {
    /// What y is drawn for.
    pub of: Use,
    /// The sum of all coefficients, and the sum of all these sums.
    sums: [u32; 2],
    drawn: Drawn,
}

impl Trace {
    /// Nothing was seen yet.
    pub const fn new(of: Use, p: &Parameters) -> Self {
        Self { of, sums: [0; 2], drawn: Drawn::new(p) }
    }

    /// Notes a piece of a polynomial.
    #[inline(always)]
    pub fn see(&mut self, piece: &[u32; PIECE]) {
        let [mut sum, mut sums] = self.sums;
        for y in piece {
            sum = sum.wrapping_add(*y);
            sums = sums.wrapping_add(sum);
        }
        self.sums = [sum, sums];
        self.drawn.see(piece);
    }

    /// Ends a polynomial.
    #[inline(always)]
    pub fn end(&mut self, p: &Parameters) {
        self.drawn.end(p);
    }

    /// Returns what is not 0 if this is no y, or not the one that `other` is.
    #[inline(always)]
    pub fn differs(&self, other: &Self) -> u32 {
        (self.sums[0] ^ other.sums[0]) | (self.sums[1] ^ other.sums[1]) | self.drawn.is_short()
    }
}
