//! Makes short vectors with chosen properties, for a known private key: a chosen norm, a
//! coefficient with a chosen value, or an encoding with a chosen length. The caller chooses the
//! point c, which can also be the point of a different scheme.
//!
//! For any c, the private basis gives a short `(s1, s2)` with `s1 + s2 h = c` modulo q. If a basis
//! vector `X^i (g, -f)` or `X^i (G, -F)` is added to `(s1, s2)`, the equation still holds. A walk
//! adds basis vectors step by step, until `(s1, s2)` has the chosen property.

use crate::reference::Q;
use crate::reference::codec::{
    SigningKey, decode_signing_key, decode_verifying_key, encode_verifying_key, signature_len,
};
use crate::reference::hash::{ShakeStream, h};
use crate::reference::ring::{difference, infinity_norm, inverse_ntt, mod_q, product, square_norm, sum};
use crate::reference::sampler::Sampler;
use crate::reference::sign::{Basis, ff_sampling};
use crate::reference::tables::TABLES;

/// A key pair with the values that the walks need. The private key is a published test vector, so
/// it is not secret.
pub struct CraftingKey {
    pub logn: u32,
    pub n: usize,
    pub vk: Vec<u8>,
    pub hpk: [u8; 64],
    /// The public key h as coefficients.
    pub h: Vec<i64>,
    pub private: SigningKey,
    /// The vectors `(g, -f)` and `(G, -F)`.
    basis: [[Vec<i64>; 2]; 2],
    /// `gram[a][b][i] = <v_a, X^i v_b>`, where v_0 and v_1 are the two vectors in `basis`.
    gram: [[Vec<i64>; 2]; 2],
}

/// Computes the inner products `<p, X^i w>` for all i.
fn correlation(p: &[Vec<i64>; 2], w: &[Vec<i64>; 2]) -> Vec<i64> {
    let n = p[0].len();
    let product_at = |i: usize| -> i64 {
        let half = |k: usize| -> i64 {
            let (high, low) = (&p[k][i..], &p[k][..i]);
            let unwrapped: i64 = high.iter().zip(&w[k]).map(|(a, b)| a * b).sum();
            let wrapped: i64 = low.iter().zip(&w[k][n - i..]).map(|(a, b)| a * b).sum();
            unwrapped - wrapped
        };
        half(0) + half(1)
    };
    (0..n).map(product_at).collect()
}

/// Returns the coefficients with the opposite signs.
fn negated(a: &[i64]) -> Vec<i64> {
    a.iter().map(|x| -x).collect()
}

/// Derives random bytes from a label.
pub fn random_stream(label: &str) -> ShakeStream {
    ShakeStream::new(&[b"fndsa negative vectors 1", label.as_bytes()])
}

impl CraftingKey {
    /// Decodes a private key.
    pub fn new(sk: &[u8]) -> Self {
        let private = decode_signing_key(sk).expect("a good key");
        let n = private.f.len();
        let vk = encode_verifying_key(&private.f, &private.g);
        let basis =
            [[private.g.clone(), negated(&private.f)], [private.capital_g.clone(), negated(&private.capital_f)]];
        let gram = [0, 1].map(|a| [0, 1].map(|b: usize| correlation(&basis[a], &basis[b])));
        let h_values = decode_verifying_key(&vk).expect("a good key");
        Self { logn: n.ilog2(), n, hpk: h(&[&vk]), h: inverse_ntt(&h_values), vk, private, basis, gram }
    }

    /// Returns the largest square norm of a signature.
    pub fn bound(&self) -> i64 {
        TABLES.norm_bound[self.logn as usize]
    }

    /// Returns the number of unary bits ([`unary_bits`]) with which s2 fills the signature
    /// completely.
    pub fn unary_capacity(&self) -> usize {
        8 * (signature_len(self.logn) - 41) - 9 * self.n
    }

    /// Returns a short `(s1, s2)` with `s1 + s2 h = c`, from the signer's distribution.
    fn preimage(&self, c: &[i64], random: ShakeStream) -> [Vec<i64>; 2] {
        let basis = Basis::new(&self.private);
        let (t0, t1) = basis.target(c);
        let mut sampler = Sampler::new(self.logn, random);
        let (z0, z1) = ff_sampling(t0, t1, basis.gram(), &mut sampler, TABLES.inv_sigma[self.logn as usize]);
        let integers = |z: &[_]| -> Vec<i64> {
            crate::reference::fourier::inverse_fft(z).into_iter().map(|x| x.round() as i64).collect()
        };
        let (z0, z1, key) = (integers(&z0), integers(&z1), &self.private);
        let s1 = difference(c, &sum(&product(&z0, &key.g), &product(&z1, &key.capital_g)));
        let s2 = sum(&product(&z0, &key.f), &product(&z1, &key.capital_f));
        [s1, s2]
    }

    /// Returns a short vector for c, from which a walk starts. The vector is random. Its
    /// distribution is the signer's distribution around a centre: the values in `pins`, and zeros
    /// elsewhere.
    pub fn starting_vector(&self, c: &[i64], pins: &[PinnedCoefficient], random: ShakeStream) -> ShortVector<'_> {
        let mut offset = [vec![0; self.n], vec![0; self.n]];
        for pin in pins {
            offset[pin.half][pin.index] = pin.value;
        }
        let moved_c = if pins.is_empty() {
            c.to_vec()
        } else {
            let o = sum(&offset[0], &product(&offset[1], &self.h));
            difference(c, &o).into_iter().map(mod_q).collect()
        };
        let [s1, s2] = self.preimage(&moved_c, random);
        let s = [sum(&s1, &offset[0]), sum(&s2, &offset[1])];
        let check = difference(&sum(&s[0], &product(&s[1], &self.h)), c);
        assert!(check.iter().all(|x| x % Q == 0), "s1 + s2 h = c");
        let basis_products = [0, 1].map(|a: usize| correlation(&s, &self.basis[a]));
        ShortVector { key: self, norm: square_norm(&s[0]) + square_norm(&s[1]), s, basis_products }
    }
}

/// A chosen value for a coefficient. `half` is 0 for s1 and 1 for s2.
#[derive(Clone, Copy, Debug)]
pub struct PinnedCoefficient {
    pub half: usize,
    pub index: usize,
    pub value: i64,
}

/// A step that adds `sign X^shift` times a basis vector.
#[derive(Clone, Copy)]
struct BasisStep {
    vector: usize,
    shift: usize,
    sign: i64,
}

/// A short vector (s1, s2), with its square norm and its inner products with all basis vectors. The
/// methods add basis vectors step by step (a walk), until the vector has a chosen property.
pub struct ShortVector<'k> {
    key: &'k CraftingKey,
    pub s: [Vec<i64>; 2],
    pub norm: i64,
    basis_products: [Vec<i64>; 2],
}

/// Returns the number of unary bits in s2: the zeros that encode the high parts of its
/// coefficients. The encoding has these bits in addition to 9 bits per coefficient.
pub fn unary_bits(s2: &[i64]) -> usize {
    s2.iter().map(|x| (x.abs() >> 7) as usize).sum()
}

impl ShortVector<'_> {
    /// Returns all steps that use the basis vectors with these numbers.
    fn steps(&self, vectors: std::ops::Range<usize>) -> impl Iterator<Item = BasisStep> + use<> {
        let n = self.key.n;
        vectors
            .flat_map(move |vector| (0..n).flat_map(move |shift| [1, -1].map(|sign| BasisStep { vector, shift, sign })))
    }

    /// Returns the amount by which a step changes the square norm.
    fn growth(&self, step: BasisStep) -> i64 {
        2 * step.sign * self.basis_products[step.vector][step.shift] + self.key.gram[step.vector][step.vector][0]
    }

    /// Returns the amount by which a step changes a coefficient.
    fn change(&self, step: BasisStep, half: usize, index: usize) -> i64 {
        let v = &self.key.basis[step.vector][half];
        let at = |i| if step.shift <= i { v[i - step.shift] } else { -v[self.key.n + i - step.shift] };
        step.sign * at(index)
    }

    /// Computes the inner product of the vectors that two steps add.
    fn product(&self, a: BasisStep, b: BasisStep) -> i64 {
        let gram = &self.key.gram[a.vector][b.vector];
        let product = if a.shift <= b.shift { gram[b.shift - a.shift] } else { -gram[self.key.n + b.shift - a.shift] };
        a.sign * b.sign * product
    }

    /// Adds the step's vector, and updates the norm and the inner products.
    fn take_step(&mut self, step: BasisStep) {
        let n = self.key.n;
        self.norm += self.growth(step);
        for half in 0..2 {
            let changes: Vec<i64> = (0..n).map(|i| self.change(step, half, i)).collect();
            self.s[half] = sum(&self.s[half], &changes);
        }
        for vector in 0..2 {
            for shift in 0..n {
                self.basis_products[vector][shift] += self.product(step, BasisStep { vector, shift, sign: 1 });
            }
        }
    }

    /// Takes steps with these basis vectors until `done` returns true. Each time, takes the step
    /// with the lowest cost. Stops if no step has a negative cost, because only a negative cost is
    /// progress.
    fn descend(
        &mut self,
        vectors: std::ops::Range<usize>,
        done: impl Fn(&Self) -> bool,
        cost: impl Fn(&Self, BasisStep) -> i64,
    ) {
        while !done(self) {
            let best = self.steps(vectors.clone()).map(|step| (cost(self, step), step)).min_by_key(|(cost, _)| *cost);
            match best {
                Some((cost, step)) if cost < 0 => self.take_step(step),
                _ => return,
            }
        }
    }

    /// Returns whether all pinned coefficients have their values.
    fn has_pins(&self, pins: &[PinnedCoefficient]) -> bool {
        pins.iter().all(|p| self.s[p.half][p.index] == p.value)
    }

    /// Takes steps until the coefficients have their pinned values. Returns whether this succeeded.
    pub fn pin(&mut self, pins: &[PinnedCoefficient]) -> bool {
        self.descend(
            0..2,
            |vector| vector.has_pins(pins),
            |vector, step| {
                let miss = |p: &PinnedCoefficient| {
                    let old = vector.s[p.half][p.index] - p.value;
                    let new = old + vector.change(step, p.half, p.index);
                    new * new - old * old
                };
                4_000_000 * pins.iter().map(miss).sum::<i64>() + vector.growth(step)
            },
        );
        self.has_pins(pins)
    }

    /// Takes steps until the square norm is `goal`. Returns whether this succeeded.
    pub fn set_norm(&mut self, goal: i64) -> bool {
        if (goal - self.norm) % 2 != 0 {
            // If the parity of the norm is wrong, take a step with `(G, -F)`. Modulo 2, a square
            // norm is the sum of the coefficients. The sums of f and of g are odd, so the norm of
            // `(g, -f)` is even, and steps with it keep the parity. `f G - g F = q` is odd, so the
            // norm of `(G, -F)` is odd.
            let step = self.steps(1..2).min_by_key(|s| self.growth(*s).abs()).expect("steps");
            self.take_step(step);
        }
        // Approach the goal with single steps.
        self.descend(
            0..1,
            |vector| (vector.norm - goal).abs() < 20_000,
            |vector, step| (vector.norm + vector.growth(step) - goal).abs() - (vector.norm - goal).abs(),
        );
        // Then find two steps that together reach the goal exactly.
        let steps: Vec<(BasisStep, i64)> = self.steps(0..1).map(|s| (s, self.growth(s))).collect();
        let gap = goal - self.norm;
        for (i, (a, growth_a)) in steps.iter().enumerate() {
            for (b, growth_b) in &steps[i + 1..] {
                if a.shift != b.shift && growth_a + growth_b + 2 * self.product(*a, *b) == gap {
                    self.take_step(*a);
                    self.take_step(*b);
                    assert_eq!(self.norm, goal);
                    return true;
                }
            }
        }
        false
    }

    /// Takes steps until the encoded s2 has `goal` unary bits. Returns whether this succeeded.
    pub fn set_unary_bits(&mut self, goal: usize) -> bool {
        let gap = |bits: usize| (bits as i64 - goal as i64).abs();
        if gap(unary_bits(&self.s[1])) > 60 {
            return false; // The caller tries another vector.
        }
        self.descend(
            0..1,
            |vector| unary_bits(&vector.s[1]) == goal,
            |vector, step| {
                let next_unary_bits = |(i, x): (usize, &i64)| ((x + vector.change(step, 1, i)).abs() >> 7) as usize;
                let bits = vector.s[1].iter().enumerate().map(next_unary_bits).sum();
                100_000 * (gap(bits) - gap(unary_bits(&vector.s[1]))) + vector.growth(step)
            },
        );
        unary_bits(&self.s[1]) == goal
    }

    /// Returns the largest square norm of a signature.
    pub fn bound(&self) -> i64 {
        self.key.bound()
    }

    /// Returns the largest number of unary bits that s2 may have.
    pub fn capacity(&self) -> usize {
        self.key.unary_capacity()
    }

    /// Returns whether the vector is short enough for a signature. Does not check the encoding.
    pub fn is_short(&self) -> bool {
        crate::reference::verify::is_short(&self.s[0], &self.s[1]).is_ok()
    }

    /// Returns the largest magnitude of the coefficients that are not pinned.
    pub fn largest_unpinned(&self, pins: &[PinnedCoefficient]) -> i64 {
        let mut s = self.s.clone();
        for p in pins {
            s[p.half][p.index] = 0;
        }
        infinity_norm(&s[0]).max(infinity_norm(&s[1]))
    }
}
