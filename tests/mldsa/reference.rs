//! A simple reference implementation of ML-DSA, which follows FIPS 204 with 64-bit integers. It can
//! make signatures that an ordinary signer never makes, and name the reason why a verifier must
//! reject them. Numbers of algorithms and tables refer to FIPS 204. This file shares no code with
//! the library. Do not use it with secrets.

use super::common::h;
use super::keys::pure;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use sha3::{Shake128, Shake256};

/// The modulus q for all coefficients.
pub const Q: i64 = 8_380_417;
/// The number of low bits that the public key omits from each coefficient of t.
pub const D: i64 = 13;

/// A polynomial with 256 coefficients.
pub type Poly = [i64; 256];

/// A parameter set: FIPS 204, table 1.
pub struct ParameterSet {
    /// The matrix's number of rows.
    pub k: usize,
    /// The matrix's number of columns.
    pub l: usize,
    /// The largest magnitude for coefficients in the secret vectors s1 and s2.
    pub eta: i64,
    /// The number of nonzero coefficients in the challenge.
    pub tau: usize,
    /// The length in bytes for c~, the hash that determines the challenge.
    pub challenge_len: usize,
    /// The largest coefficient in the signer's random vector y. The smallest coefficient is
    /// `-gamma1 + 1`.
    pub gamma1: i64,
    /// `decompose` rounds to multiples of twice this number.
    pub gamma2: i64,
    /// The largest number of ones that a hint may contain.
    pub omega: usize,
}

/// ML-DSA-44, ML-DSA-65 and ML-DSA-87.
pub const SETS: [ParameterSet; 3] = [
    ParameterSet { k: 4, l: 4, eta: 2, tau: 39, challenge_len: 32, gamma1: 1 << 17, gamma2: (Q - 1) / 88, omega: 80 },
    ParameterSet { k: 6, l: 5, eta: 4, tau: 49, challenge_len: 48, gamma1: 1 << 19, gamma2: (Q - 1) / 32, omega: 55 },
    ParameterSet { k: 8, l: 7, eta: 2, tau: 60, challenge_len: 64, gamma1: 1 << 19, gamma2: (Q - 1) / 32, omega: 75 },
];

impl ParameterSet {
    /// Returns the exclusive bound on the magnitude of coefficients in z, the response in a
    /// signature.
    pub fn z_bound(&self) -> i64 {
        self.gamma1 - self.tau as i64 * self.eta
    }

    /// Returns the exclusive bound on the magnitude of low parts in `w - c s2`, where w is the
    /// signer's commitment `A y`.
    fn low_bound(&self) -> i64 {
        self.gamma2 - self.tau as i64 * self.eta
    }

    /// Returns the bit length for a packed coefficient in s1 or s2.
    fn s_bits(&self) -> usize {
        if self.eta == 2 { 3 } else { 4 }
    }

    /// Returns the bit length for a packed coefficient in z.
    fn z_bits(&self) -> usize {
        self.gamma1.ilog2() as usize + 1
    }

    /// Returns the bit length for the packed high part of each coefficient in w.
    fn high_bits(&self) -> usize {
        if self.k == 4 { 6 } else { 4 }
    }

    /// Returns the public key length in bytes.
    pub fn public_len(&self) -> usize {
        32 + 320 * self.k
    }

    /// Returns the expanded private key's length in bytes.
    pub fn private_len(&self) -> usize {
        128 + 32 * self.s_bits() * (self.k + self.l) + 416 * self.k
    }

    /// Returns the length of the packed z in bytes.
    fn z_len(&self) -> usize {
        32 * self.z_bits() * self.l
    }

    /// Returns the signature length in bytes.
    pub fn signature_len(&self) -> usize {
        self.challenge_len + self.z_len() + self.omega + self.k
    }

    /// Returns the position in a signature where the hint starts.
    pub fn hint_at(&self) -> usize {
        self.challenge_len + self.z_len()
    }
}

/// Returns the residue of x modulo m in `-(m-1)/2 ..= m/2`.
fn centered(x: i64, m: i64) -> i64 {
    let x = x.rem_euclid(m);
    if x > m / 2 { x - m } else { x }
}

/// Reduces each coefficient to a centered residue modulo q, and returns the largest magnitude.
fn norm(polynomials: &[Poly]) -> i64 {
    polynomials.iter().flatten().map(|x| centered(*x, Q).abs()).max().expect("coefficients")
}

/// Applies `f` to each pair of coefficients with the same index, and reduces the results modulo q.
fn zip(a: &Poly, b: &Poly, f: impl Fn(i64, i64) -> i64) -> Poly {
    std::array::from_fn(|i| f(a[i], b[i]).rem_euclid(Q))
}

fn add(a: &Poly, b: &Poly) -> Poly {
    zip(a, b, |a, b| a + b)
}

fn subtract(a: &Poly, b: &Poly) -> Poly {
    zip(a, b, |a, b| a - b)
}

/// Multiplies coefficient by coefficient. For two NTTs, the result is the NTT of the product.
fn multiply(a: &Poly, b: &Poly) -> Poly {
    zip(a, b, |a, b| a * b)
}

/// Returns the powers of zeta = 1753, the root of unity for the NTT. In entry i, the exponent is i
/// with its eight bits reversed.
fn zetas() -> &'static Poly {
    static ZETAS: std::sync::LazyLock<Poly> = std::sync::LazyLock::new(|| {
        let power = |n: u8| (0..n).fold(1, |x, _| x * 1753 % Q);
        std::array::from_fn(|i| power((i as u8).reverse_bits()))
    });
    &ZETAS
}

/// Computes the NTT: algorithm 41.
fn ntt(w: &Poly) -> Poly {
    let (mut w, mut m) = (*w, 0);
    for len in [128, 64, 32, 16, 8, 4, 2, 1] {
        for start in (0..256).step_by(2 * len) {
            m += 1;
            for j in start..start + len {
                let t = zetas()[m] * w[j + len] % Q;
                (w[j], w[j + len]) = ((w[j] + t) % Q, (w[j] + Q - t) % Q);
            }
        }
    }
    w.map(|x| x.rem_euclid(Q))
}

/// Computes the inverse NTT: algorithm 42.
fn inverse_ntt(w: &Poly) -> Poly {
    let (mut w, mut m) = (*w, 256);
    for len in [1, 2, 4, 8, 16, 32, 64, 128] {
        for start in (0..256).step_by(2 * len) {
            m -= 1;
            for j in start..start + len {
                (w[j], w[j + len]) = ((w[j] + w[j + len]) % Q, (Q - zetas()[m]) * (w[j] + Q - w[j + len]) % Q);
            }
        }
    }
    w.map(|x| x * 8_347_681 % Q)
}

/// Packs each coefficient x as the field `top - x` with `bits` bits, least significant bit first:
/// algorithm 17. With `top` = 0 and negated coefficients, this is algorithm 16.
fn pack(polynomials: &[Poly], top: i64, bits: usize) -> Vec<u8> {
    let fields = polynomials.iter().flatten().map(|x| top - x);
    let bits: Vec<u8> = fields.flat_map(|field| (0..bits).map(move |i| (field >> i & 1) as u8)).collect();
    bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// Unpacks fields, as the inverse of `pack`: algorithms 18 and 19.
fn unpack(bytes: &[u8], top: i64, bits: usize) -> Vec<Poly> {
    let bit = |i: usize| i64::from(bytes[i / 8] >> (i % 8) & 1);
    let field = |i: usize| (0..bits).map(|j| bit(bits * i + j) << j).sum::<i64>();
    (0..bytes.len() / 32 / bits).map(|p| std::array::from_fn(|i| top - field(256 * p + i))).collect()
}

fn shake256(parts: &[&[u8]]) -> impl XofReader + use<> {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof()
}

fn read<const N: usize>(stream: &mut impl XofReader) -> [u8; N] {
    let mut bytes = [0; N];
    stream.read(&mut bytes);
    bytes
}

/// Samples the matrix entry in row r, column s: algorithm 30.
fn uniform(rho: &[u8], r: usize, s: usize) -> Poly {
    let mut hash = Shake128::default();
    hash.update(rho);
    hash.update(&[s as u8, r as u8]);
    let mut stream = hash.finalize_xof();
    std::array::from_fn(|_| {
        loop {
            let [a, b, c] = read(&mut stream).map(i64::from);
            let z = a | b << 8 | (c & 0x7f) << 16;
            if z < Q {
                return z;
            }
        }
    })
}

/// Samples the matrix: algorithm 32.
fn matrix(set: &ParameterSet, rho: &[u8]) -> Vec<Vec<Poly>> {
    (0..set.k).map(|r| (0..set.l).map(|s| uniform(rho, r, s)).collect()).collect()
}

/// Multiplies the matrix by a vector.
fn times(matrix: &[Vec<Poly>], v: &[Poly]) -> Vec<Poly> {
    let v: Vec<Poly> = v.iter().map(ntt).collect();
    let row = |row: &Vec<Poly>| row.iter().zip(&v).fold([0; 256], |sum, (a, v)| add(&sum, &multiply(a, v)));
    matrix.iter().map(|it| inverse_ntt(&row(it))).collect()
}

/// Multiplies a polynomial by each polynomial of a vector. The results are centered.
fn scaled(c: &Poly, v: &[Poly]) -> Vec<Poly> {
    let c = ntt(c);
    v.iter().map(|v| inverse_ntt(&multiply(&c, &ntt(v))).map(|x| centered(x, Q))).collect()
}

/// Samples a polynomial in s1 or s2: algorithm 31.
fn bounded(set: &ParameterSet, seed: &[u8], index: usize) -> Poly {
    let mut stream = shake256(&[seed, &(index as u16).to_le_bytes()]);
    let mut nibbles =
        std::iter::from_fn(move || Some(read::<1>(&mut stream)[0])).flat_map(|byte| [byte & 15, byte >> 4]);
    std::array::from_fn(|_| {
        let accepted = nibbles.by_ref().map(i64::from).find(|z| *z < if set.eta == 2 { 15 } else { 9 });
        let z = accepted.expect("an endless stream");
        if set.eta == 2 { 2 - z % 5 } else { 4 - z }
    })
}

/// Samples the challenge: algorithm 29.
fn sample_in_ball(set: &ParameterSet, seed: &[u8]) -> Poly {
    let mut stream = shake256(&[seed]);
    let signs = u64::from_le_bytes(read(&mut stream));
    let mut c = [0; 256];
    for i in 256 - set.tau..256 {
        let j = std::iter::repeat_with(|| usize::from(read::<1>(&mut stream)[0]))
            .find(|j| *j <= i)
            .expect("an endless stream");
        c[i] = c[j];
        c[j] = 1 - 2 * (signs >> (i + set.tau - 256) & 1) as i64;
    }
    c
}

/// Samples the vector y: algorithm 34.
fn mask(set: &ParameterSet, seed: &[u8], kappa: usize) -> Vec<Poly> {
    let mask_polynomial = |s: usize| {
        let mut bytes = vec![0; 32 * set.z_bits()];
        shake256(&[seed, &((kappa + s) as u16).to_le_bytes()]).read(&mut bytes);
        unpack(&bytes, set.gamma1, set.z_bits())[0]
    };
    (0..set.l).map(mask_polynomial).collect()
}

/// Returns the high part and the low part of r: algorithm 36.
fn decompose(set: &ParameterSet, r: i64) -> (i64, i64) {
    let r = r.rem_euclid(Q);
    let low = centered(r, 2 * set.gamma2);
    if r - low == Q - 1 { (0, low - 1) } else { ((r - low) / (2 * set.gamma2), low) }
}

/// A hint: for each row (a polynomial in w), the positions of the ones.
pub type Hint = Vec<Vec<u8>>;

/// Applies the hint to w (algorithm 40), and encodes the resulting high parts (algorithm 28).
fn encoded_high(set: &ParameterSet, w: &[Poly], hint: &[Vec<u8>]) -> Vec<u8> {
    let steps = (Q - 1) / (2 * set.gamma2);
    let high = |w: &Poly, places: &[u8]| -> Poly {
        std::array::from_fn(|i| {
            let (high, low) = decompose(set, w[i]);
            let up = if low > 0 { 1 } else { -1 };
            -(if places.contains(&(i as u8)) { (high + up).rem_euclid(steps) } else { high })
        })
    };
    let rows: Vec<Poly> = w.iter().enumerate().map(|(r, w)| high(w, hint.get(r).map_or(&[], |it| it))).collect();
    pack(&rows, 0, set.high_bits())
}

/// Packs a hint: algorithm 20.
pub fn pack_hint(set: &ParameterSet, hint: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = hint.concat();
    bytes.resize(set.omega, 0);
    let row_ends = hint.iter().scan(0, |end, row| {
        *end += row.len() as u8;
        Some(*end)
    });
    bytes.extend(row_ends);
    bytes
}

/// Unpacks a hint: algorithm 21. Returns `None` if the encoding is not canonical.
pub fn unpack_hint(set: &ParameterSet, bytes: &[u8]) -> Option<Hint> {
    let (mut hint, mut index) = (vec![vec![]; set.k], 0);
    for (r, row) in hint.iter_mut().enumerate() {
        let end = usize::from(bytes[set.omega + r]);
        if end < index || end > set.omega {
            return None;
        }
        *row = bytes[index..end].to_vec();
        if !row.is_sorted_by(|a, b| a < b) {
            return None;
        }
        index = end;
    }
    bytes[index..set.omega].iter().all(|byte| *byte == 0).then_some(hint)
}

/// Encodes a signature from its parts. `hint` is already packed.
pub fn encode(set: &ParameterSet, challenge: &[u8], z: &[Poly], hint: &[u8]) -> Vec<u8> {
    [challenge, &pack(z, set.gamma1, set.z_bits()), hint].concat()
}

/// Decodes the vector z from a signature.
pub fn z_of(set: &ParameterSet, signature: &[u8]) -> Vec<Poly> {
    unpack(&signature[set.challenge_len..set.hint_at()], set.gamma1, set.z_bits())
}

/// Computes c~, the hash from which the challenge polynomial is sampled. It has 32, 48 or 64 bytes.
fn challenge(set: &ParameterSet, mu: &[u8; 64], high: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; set.challenge_len];
    shake256(&[mu, high]).read(&mut bytes);
    bytes
}

/// A private key with its public key.
pub struct ReferenceKey {
    matrix: Vec<Vec<Poly>>,
    /// The secret vector s1, with a polynomial for each column of the matrix.
    pub s1: Vec<Poly>,
    /// The secret vector s2, with a polynomial for each row of the matrix.
    pub s2: Vec<Poly>,
    t0: Vec<Poly>,
    /// The public key.
    pub public: Vec<u8>,
    /// The expanded private key.
    pub private: Vec<u8>,
}

/// Computes `t = A s1 + s2`, and returns its high part t1 and its low part t0.
fn t1_and_t0(matrix: &[Vec<Poly>], s1: &[Poly], s2: &[Poly]) -> (Vec<Poly>, Vec<Poly>) {
    let t: Vec<Poly> = times(matrix, s1).iter().zip(s2).map(|(t, s2)| add(t, s2)).collect();
    let t0: Vec<Poly> = t.iter().map(|t| t.map(|x| centered(x, 1 << D))).collect();
    let t1 = t.iter().zip(&t0).map(|(t, t0)| std::array::from_fn(|i| (t[i] - t0[i]) >> D)).collect();
    (t1, t0)
}

/// Encodes the public key: algorithm 22.
pub fn encode_public(rho: &[u8], t1: &[Poly]) -> Vec<u8> {
    let negative: Vec<Poly> = t1.iter().map(|t1| t1.map(|x| -x)).collect();
    [rho, &pack(&negative, 0, 10)].concat()
}

impl ReferenceKey {
    /// Generates a key from a seed: algorithm 6.
    pub fn new(set: &ParameterSet, seed: &[u8; 32]) -> Self {
        let mut stream = shake256(&[seed, &[set.k as u8, set.l as u8]]);
        let (rho, seed_of_s, secret): ([u8; 32], [u8; 64], [u8; 32]) =
            (read(&mut stream), read(&mut stream), read(&mut stream));
        let mut s1: Vec<Poly> = (0..set.l + set.k).map(|i| bounded(set, &seed_of_s, i)).collect();
        let s2 = s1.split_off(set.l);
        Self::from_parts(set, &rho, &secret, s1, s2)
    }

    /// Computes the key for rho, K (`secret`), s1 and s2, without any checks.
    pub fn from_parts(set: &ParameterSet, rho: &[u8], secret: &[u8], s1: Vec<Poly>, s2: Vec<Poly>) -> Self {
        let matrix = matrix(set, rho);
        let (t1, t0) = t1_and_t0(&matrix, &s1, &s2);
        let public = encode_public(rho, &t1);
        let s = [&s1[..], &s2].concat();
        let packed = [pack(&s, set.eta, set.s_bits()), pack(&t0, 1 << (D - 1), D as usize)].concat();
        let private = [rho, secret, &h(&[&public]), &packed].concat();
        Self { matrix, s1, s2, t0, public, private }
    }

    /// Signs mu with algorithm 7, with the deviations in `craft`. `seed` determines y. Panics if
    /// 9,000 attempts fail.
    pub fn sign(&self, set: &ParameterSet, mu: &[u8; 64], seed: &[u8], craft: &CraftOptions<'_>) -> Vec<u8> {
        for attempt in 0..9000 {
            let mut y = mask(set, seed, set.l * attempt);
            (craft.shape)(&mut y);
            let w = times(&self.matrix, &y);
            let mut hash = challenge(set, mu, &encoded_high(set, &w, &[]));
            (craft.tamper)(&mut hash);
            let c = sample_in_ball(set, &hash[..craft.sampled_len.unwrap_or(hash.len())]);
            let sum = |(a, b): (&Poly, &Poly)| std::array::from_fn(|i| a[i] + b[i]);
            let z: Vec<Poly> = y.iter().zip(&scaled(&c, &self.s1)).map(sum).collect();
            if norm(&z) >= craft.limit.unwrap_or(set.z_bound()) || !(craft.has_property)(&z) {
                continue;
            }
            let (c_s2, c_t0) = (scaled(&c, &self.s2), scaled(&c, &self.t0));
            let w_minus_c_s2: Vec<Poly> = w.iter().zip(&c_s2).map(|(w, x)| subtract(w, x)).collect();
            let largest_low = w_minus_c_s2.iter().flatten().map(|x| decompose(set, *x).1.abs()).max().expect("rows");
            if largest_low >= set.low_bound() || norm(&c_t0) >= set.gamma2 {
                continue;
            }
            let hint_row = |r: usize| {
                let high_part_changes = |i: &u8| {
                    let i = usize::from(*i);
                    decompose(set, w_minus_c_s2[r][i] + c_t0[r][i]).0 != decompose(set, w_minus_c_s2[r][i]).0
                };
                (0..=255).filter(high_part_changes).collect()
            };
            let hint: Hint = (0..set.k).map(hint_row).collect();
            if hint.iter().map(Vec::len).sum::<usize>() <= set.omega {
                return encode(set, &hash, &z, &pack_hint(set, &hint));
            }
        }
        panic!("no signature found");
    }
}

/// The deviations of [`ReferenceKey::sign`] from the standard signer.
pub struct CraftOptions<'a> {
    /// Changes the y of each attempt.
    pub shape: &'a dyn Fn(&mut [Poly]),
    /// Changes c~ before the challenge is sampled from it.
    pub tamper: &'a dyn Fn(&mut Vec<u8>),
    /// How many bytes of c~ determine the challenge. `None`: all bytes.
    pub sampled_len: Option<usize>,
    /// The exclusive bound on the magnitude of coefficients in z. `None` uses the standard bound.
    pub limit: Option<i64>,
    /// Returns whether z has the desired property. The signer's ordinary checks must also succeed.
    pub has_property: &'a dyn Fn(&[Poly]) -> bool,
}

impl CraftOptions<'_> {
    /// No deviations, for a valid signature.
    pub const NONE: Self =
        CraftOptions { shape: &|_| (), tamper: &|_| (), sampled_len: None, limit: None, has_property: &|_| true };
}

/// Signs mu for a public key with t1 = 0, with the given z and hint. With t1 = 0, the value w' that
/// a verifier computes does not depend on the challenge, so anyone can sign. `encoded` is the
/// encoded hint for the signature, and `hint` is the hint that a lenient verifier decodes from it.
pub fn sign_for_zero_key(
    set: &ParameterSet,
    rho: &[u8],
    mu: &[u8; 64],
    z: &[Poly],
    hint: &[Vec<u8>],
    encoded: &[u8],
) -> Vec<u8> {
    let w = times(&matrix(set, rho), z);
    encode(set, &challenge(set, mu, &encoded_high(set, &w, hint)), z, encoded)
}

/// Returns the reason to reject a signature, if any: algorithm 3 with algorithm 8.
pub fn rejection(
    set: &ParameterSet,
    public: &[u8],
    message: &[u8],
    context: &[u8],
    signature: &[u8],
) -> Option<&'static str> {
    if public.len() != set.public_len() {
        return Some("length of the public key");
    }
    if signature.len() != set.signature_len() {
        return Some("length of the signature");
    }
    if context.len() > 255 {
        return Some("length of the context");
    }
    let Some(hint) = unpack_hint(set, &signature[set.hint_at()..]) else { return Some("encoding of the hint") };
    let z = z_of(set, signature);
    if norm(&z) >= set.z_bound() {
        return Some("norm of z");
    }
    let mu = h(&[&h(&[public]), &pure(context, message)]);
    let (rho, t1) = public.split_at(32);
    let t1: Vec<Poly> = unpack(t1, 0, 10).iter().map(|t1| t1.map(|x| -x << D)).collect();
    let c_tilde = &signature[..set.challenge_len];
    let c_t1 = scaled(&sample_in_ball(set, c_tilde), &t1);
    let w: Vec<Poly> = times(&matrix(set, rho), &z).iter().zip(&c_t1).map(|(w, x)| subtract(w, x)).collect();
    (challenge(set, &mu, &encoded_high(set, &w, &hint)) != c_tilde).then_some("challenge")
}

/// Returns the reason to reject an expanded private key, if any. Checks the length, decodes the key
/// (algorithm 25), and compares the stored values with values that are computed from rho, s1 and
/// s2.
pub fn defect(set: &ParameterSet, private: &[u8]) -> Option<&'static str> {
    if private.len() != set.private_len() {
        return Some("length");
    }
    // rho, K and tr.
    let (head, rest) = private.split_at(128);
    let (s, packed_t0) = rest.split_at(32 * set.s_bits() * (set.k + set.l));
    let s = unpack(s, set.eta, set.s_bits());
    if s.iter().flatten().any(|x| x.abs() > set.eta) {
        return Some("range of s1 and s2");
    }
    let (t1, t0) = t1_and_t0(&matrix(set, &head[..32]), &s[..set.l], &s[set.l..]);
    if pack(&t0, 1 << (D - 1), D as usize) != packed_t0 {
        return Some("t0");
    }
    (h(&[&encode_public(&head[..32], &t1)]) != head[64..128]).then_some("tr")
}
