//! Unusual signatures and public keys for the test vectors in `negatives`, with the expected
//! reasons for rejection. An ML-DSA signature consists of c~ (the hash that determines the
//! challenge), the vector z, and the hint (positions in w). The signer chooses a random vector y
//! for z, and signs the hash mu. A public key consists of the seed rho and the vector t1.

use super::common::h;
use super::keys::pure;
use super::reference::{
    CraftOptions, Hint, ParameterSet, Poly, ReferenceKey, SETS, encode, encode_public, pack_hint, sign_for_zero_key,
    unpack_hint, z_of,
};

/// A test vector.
pub struct CraftedVector {
    pub flag: &'static str,
    pub comment: String,
    pub message: Vec<u8>,
    pub context: Vec<u8>,
    pub signature: Vec<u8>,
    /// The expected reason for rejection. `None` if the signature is valid.
    pub rejection: Option<&'static str>,
}

/// The vectors for a public key.
pub struct CraftedGroup {
    pub public: Vec<u8>,
    pub vectors: Vec<CraftedVector>,
}

const MESSAGE: &[u8] = b"a message";
const CONTEXT: &[u8] = b"context";

/// Derives 64 pseudorandom bytes from a label.
fn bytes_of(label: &str) -> [u8; 64] {
    h(&[b"negative vectors of ML-DSA 1: ", label.as_bytes()])
}

/// Derives a seed from a label.
pub fn seed_of(label: &str) -> [u8; 32] {
    *bytes_of(label).first_chunk().expect("64 bytes")
}

/// Makes and collects the test vectors for a public key.
struct VectorCrafter<'k> {
    set: &'static ParameterSet,
    key: &'k ReferenceKey,
    vectors: Vec<CraftedVector>,
}

impl VectorCrafter<'_> {
    /// Computes mu for a message and a context, without a pre-hash.
    fn mu(&self, message: &[u8], context: &[u8]) -> [u8; 64] {
        h(&[&h(&[&self.key.public]), &pure(context, message)])
    }

    /// Signs mu. The options in `craft` make the signer deviate from the standard.
    fn craft(&self, label: &str, mu: &[u8; 64], craft: &CraftOptions<'_>) -> Vec<u8> {
        self.key.sign(self.set, mu, &bytes_of(label), craft)
    }

    /// Adds a test vector with [`MESSAGE`] and [`CONTEXT`].
    fn add(&mut self, flag: &'static str, comment: &str, signature: Vec<u8>, rejection: Option<&'static str>) {
        self.add_for_message(flag, comment, MESSAGE, CONTEXT, signature, rejection);
    }

    /// Adds a test vector with the given message and context.
    fn add_for_message(
        &mut self,
        flag: &'static str,
        comment: &str,
        message: &[u8],
        context: &[u8],
        signature: Vec<u8>,
        rejection: Option<&'static str>,
    ) {
        let (message, context) = (message.to_vec(), context.to_vec());
        self.vectors.push(CraftedVector { flag, comment: comment.to_owned(), message, context, signature, rejection });
    }

    /// Adds test vectors with valid signatures.
    fn add_good(&mut self) {
        let longest_context: Vec<u8> = (0..255).collect();
        for (comment, message, context) in [
            ("a message with a context", MESSAGE, CONTEXT),
            ("an empty message with an empty context", b"", b""),
            ("the longest context", MESSAGE, &longest_context),
        ] {
            let signature = self.craft(comment, &self.mu(message, context), &CraftOptions::NONE);
            self.add_for_message("Valid", comment, message, context, signature, None);
        }
    }

    /// Adds a test vector for each byte of c~. In each vector, the signer changed this byte before
    /// it sampled the challenge from c~.
    fn add_challenges(&mut self) {
        let mu = self.mu(MESSAGE, CONTEXT);
        for at in 0..self.set.challenge_len {
            let comment = format!("byte {at} of c~ is wrong");
            let tamper = |c: &mut Vec<u8>| c[at] ^= 1 << (at % 8);
            let signature = self.craft(&comment, &mu, &CraftOptions { tamper: &tamper, ..CraftOptions::NONE });
            self.add("ModifiedChallenge", &comment, signature, Some("challenge"));
        }
        if self.set.challenge_len > 32 {
            let comment = "the challenge is drawn of the first 32 bytes of c~";
            let signature = self.craft(comment, &mu, &CraftOptions { sampled_len: Some(32), ..CraftOptions::NONE });
            self.add("ModifiedChallenge", comment, signature, Some("challenge"));
            let comment = "c~ is zero behind its first 32 bytes";
            let signature =
                self.craft(comment, &mu, &CraftOptions { tamper: &|c| c[32..].fill(0), ..CraftOptions::NONE });
            self.add("ModifiedChallenge", comment, signature, Some("challenge"));
        }
    }

    /// Adds vectors in which the first or the last coefficient of z is near the bound, or is the
    /// largest or smallest value that can be encoded.
    fn add_norms(&mut self) {
        let (mu, bound, gamma1) = (self.mu(MESSAGE, CONTEXT), self.set.z_bound(), self.set.gamma1);
        for (column, index) in [(0, 0), (self.set.l - 1, 255)] {
            for (value, what) in [
                (bound - 1, "just below the bound"),
                (1 - bound, "just below the bound, negative"),
                (bound, "at the bound"),
                (-bound, "at the bound, negative"),
                (bound + 1, "above the bound"),
                (gamma1, "as large as its field allows"),
                (1 - gamma1, "as large as its field allows, negative"),
            ] {
                let comment = format!("coefficient {index} of column {column} of z is {what}");
                let shape = |y: &mut [Poly]| y[column][index] = value.clamp(1 - gamma1, gamma1 - 1);
                let has_property = |z: &[Poly]| z[column][index] == value;
                let limit = Some(bound.max(value.abs() + 1));
                let signature = self.craft(
                    &comment,
                    &mu,
                    &CraftOptions { shape: &shape, limit, has_property: &has_property, ..CraftOptions::NONE },
                );
                self.add("NormBoundary", &comment, signature, (value.abs() >= bound).then_some("norm of z"));
            }
        }
    }

    /// Adds vectors that differ from a valid signature in the hint.
    fn add_hints(&mut self) {
        let (set, omega) = (self.set, self.set.omega);
        let good = self.craft("hints", &self.mu(MESSAGE, CONTEXT), &CraftOptions::NONE);
        let hint = unpack_hint(set, &good[set.hint_at()..]).expect("a good hint");
        let one_count: usize = hint.iter().map(Vec::len).sum();
        assert!(
            one_count + 1 < omega && hint.iter().all(|row| row.len() > 1),
            "the hint is too long or too short for the changes below"
        );
        let last = set.k - 1;
        let add_changed = |maker: &mut Self, flag, comment: &str, change: &dyn Fn(&mut [u8])| {
            let mut signature = good.clone();
            change(&mut signature[set.hint_at()..]);
            let rejection = if flag == "HintEncoding" { "encoding of the hint" } else { "challenge" };
            maker.add(flag, comment, signature, Some(rejection));
        };
        let encoded = |change: &dyn Fn(&mut Hint)| {
            let mut hint = hint.clone();
            change(&mut hint);
            pack_hint(set, &hint)
        };
        let end = |r: usize| hint[..=r].iter().map(Vec::len).sum::<usize>();
        let start = |r: usize| end(r) - hint[r].len();

        for r in [0, last] {
            let what = format!("two places of row {r} are swapped");
            add_changed(self, "HintEncoding", &what, &|bytes| bytes.swap(start(r), start(r) + 1));
            let what = format!("the places of row {r} descend");
            add_changed(self, "HintEncoding", &what, &|bytes| bytes[start(r)..end(r)].reverse());
            let what = format!("the first place of row {r} comes twice");
            let duplicate = encoded(&|rows| rows[r].insert(0, hint[r][0]));
            add_changed(self, "HintEncoding", &what, &|bytes| bytes.copy_from_slice(&duplicate));
            let what = format!("the last place of row {r} comes twice");
            let duplicate = encoded(&|rows| rows[r].push(hint[r][hint[r].len() - 1]));
            add_changed(self, "HintEncoding", &what, &|bytes| bytes.copy_from_slice(&duplicate));
        }
        add_changed(self, "HintEncoding", "the first byte behind the places is 1", &|bytes| bytes[one_count] = 1);
        add_changed(self, "HintEncoding", "the last byte behind the places is 255", &|bytes| bytes[omega - 1] = 255);
        add_changed(self, "HintEncoding", "the count of the first row is above that of the second", &|bytes| {
            bytes[omega] = bytes[omega + 1] + 1;
        });
        add_changed(self, "HintEncoding", "the count of the last row is one less", &|bytes| bytes[omega + last] -= 1);
        add_changed(self, "HintEncoding", "the count of the last row is one more", &|bytes| bytes[omega + last] += 1);
        add_changed(self, "HintEncoding", "the count of the last row is zero", &|bytes| bytes[omega + last] = 0);
        for (r, count) in [(last, omega + 1), (last, 255), (0, omega + 1), (0, 255)] {
            let what = format!("the count of row {r} is {count}");
            add_changed(self, "HintEncoding", &what, &|bytes| bytes[omega + r] = count as u8);
        }
        add_changed(self, "HintEncoding", "the counts are omitted", &|bytes| bytes[omega..].fill(0));

        add_changed(self, "ModifiedSignature", "there is no hint", &|bytes| bytes.fill(0));
        add_changed(self, "ModifiedSignature", "the first row ends one place earlier", &|bytes| {
            bytes[omega] -= 1;
            bytes[start(1) - 1..end(1)].sort_unstable();
        });
        for (what, hint) in [
            ("the first one of the hint is missing", encoded(&|rows| rows[0] = rows[0][1..].to_vec())),
            ("the last one of the hint is missing", encoded(&|rows| rows[last].truncate(hint[last].len() - 1))),
            ("the first and the last row of the hint are exchanged", encoded(&|rows| rows.swap(0, last))),
            ("the rows of the hint are in reverse order", encoded(&|rows| rows.reverse())),
            (
                "the hint has one more one",
                encoded(&|rows| {
                    let free = (0..=255).find(|index| !rows[last].contains(index)).expect("a place without a one");
                    rows[last].push(free);
                    rows[last].sort_unstable();
                }),
            ),
        ] {
            add_changed(self, "ModifiedSignature", what, &|bytes| bytes.copy_from_slice(&hint));
        }
    }

    /// Adds vectors that differ from a valid signature in z or in the length.
    fn add_changes(&mut self) {
        let set = self.set;
        let good = self.craft("changes", &self.mu(MESSAGE, CONTEXT), &CraftOptions::NONE);
        let (z, hint) = (z_of(set, &good), &good[set.hint_at()..]);
        let with = |z: &[Poly]| encode(set, &good[..set.challenge_len], z, hint);
        for column in 0..set.l {
            let mut z = z.clone();
            z[column][37 * column] ^= 1;
            let comment = format!("the lowest bit of a coefficient of column {column} of z is wrong");
            self.add("ModifiedSignature", &comment, with(&z), Some("challenge"));
        }
        let mut swapped = z.clone();
        swapped.swap(0, 1);
        self.add("ModifiedSignature", "two columns of z are exchanged", with(&swapped), Some("challenge"));
        let negative: Vec<Poly> = z.iter().map(|z| z.map(|x| -x)).collect();
        self.add("ModifiedSignature", "z is negative", with(&negative), Some("challenge"));
        let zero = vec![[0; 256]; set.l];
        self.add("ModifiedSignature", "z is zero", with(&zero), Some("challenge"));

        let parts = |start: usize| &good[start..];
        let lengths = [
            ("empty", vec![]),
            ("one byte", good[..1].to_vec()),
            ("c~ alone", good[..set.challenge_len].to_vec()),
            ("without the hint", good[..set.hint_at()].to_vec()),
            ("without its last byte", good[..good.len() - 1].to_vec()),
            ("without its first byte", parts(1).to_vec()),
            ("with a zero behind it", [&good[..], &[0]].concat()),
            ("with a zero in front of it", [&[0], &good[..]].concat()),
            ("twice", good.repeat(2)),
        ];
        let other_lengths = SETS.iter().map(ParameterSet::signature_len).filter(|len| *len != good.len()).map(|len| {
            let mut resized = good.clone();
            resized.resize(len, 0);
            ("cut off or filled up to the length of another set", resized)
        });
        for (comment, signature) in lengths.into_iter().chain(other_lengths) {
            self.add("WrongLength", &format!("signature: {comment}"), signature, Some("length of the signature"));
        }
    }

    /// Adds vectors in which the signature covers a different message or context, or wrongly
    /// formatted bytes.
    fn add_messages(&mut self) {
        let tr = h(&[&self.key.public]);
        let good = self.craft("messages", &self.mu(b"bc", b"a"), &CraftOptions::NONE);
        for (comment, message, context) in [
            ("a byte moved from the message to the context", &b"c"[..], &b"ab"[..]),
            ("a byte moved from the context to the message", b"abc", b""),
            ("no context", b"bc", b""),
            ("a zero behind the context", b"bc", b"a\0"),
            ("a zero behind the message", b"bc\0", b"a"),
            ("message and context exchanged", b"a", b"bc"),
            ("a bit of the message is wrong", b"bC", b"a"),
            ("a bit of the context is wrong", b"bc", b"A"),
            ("no message", b"", b"a"),
        ] {
            self.add_for_message("ModifiedMessage", comment, message, context, good.clone(), Some("challenge"));
        }
        let len = CONTEXT.len() as u8;
        for (comment, formatted) in [
            ("signed with the domain byte 1, that of a pre-hash", [&[1, len][..], CONTEXT, MESSAGE].concat()),
            ("signed with the domain byte 2", [&[2, len], CONTEXT, MESSAGE].concat()),
            ("signed without a domain byte", [&[len], CONTEXT, MESSAGE].concat()),
            ("signed without the length of the context", [&[0], CONTEXT, MESSAGE].concat()),
            ("signed with two bytes of length", [&[0, 0, len], CONTEXT, MESSAGE].concat()),
            ("signed with the length behind the context", [&[0], CONTEXT, &[len], MESSAGE].concat()),
            ("signed with the context behind the message", [&[0, len], MESSAGE, CONTEXT].concat()),
            ("signed by the internal interface, the message alone", MESSAGE.to_vec()),
        ] {
            let signature = self.craft(comment, &h(&[&tr, &formatted]), &CraftOptions::NONE);
            self.add("DomainConfusion", comment, signature, Some("challenge"));
        }
        for len in [256, 257, 300] {
            let context = vec![7; len];
            let comment = format!("a context of {len} bytes, signed with the low byte of its length");
            let formatted = [&[0, len as u8][..], &context, MESSAGE].concat();
            let signature = self.craft(&comment, &h(&[&tr, &formatted]), &CraftOptions::NONE);
            let rejection = Some("length of the context");
            self.add_for_message("ContextTooLong", &comment, MESSAGE, &context, signature, rejection);
        }
    }

    /// Adds vectors that are signed with a wrong tr (the public key's hash), and a vector that is
    /// signed by `other_key`.
    fn add_bindings(&mut self, other_key: &ReferenceKey) {
        let (tr, formatted) = (h(&[&self.key.public]), pure(CONTEXT, MESSAGE));
        let signature = self.craft("other", &self.mu(MESSAGE, CONTEXT), &CraftOptions::NONE);
        for (comment, mu) in [
            ("signed without the hash of the public key", h(&[&formatted])),
            ("signed with zeros for the hash of the public key", h(&[&[0; 64], &formatted])),
            ("signed with 32 bytes of the hash of the public key", h(&[&tr[..32], &formatted])),
            ("signed with the public key instead of its hash", h(&[&self.key.public, &formatted])),
            ("signed with the hash of rho alone", h(&[&h(&[&self.key.public[..32]]), &formatted])),
            ("signed with the hash of another public key", h(&[&h(&[&other_key.public]), &formatted])),
            ("signed with the hash behind the message", h(&[&formatted, &tr])),
        ] {
            let signature = self.craft(comment, &mu, &CraftOptions::NONE);
            self.add("MissingKeyBinding", comment, signature, Some("challenge"));
        }
        // The mu is computed with this public key's hash, but a different pair's private key signs
        // the mu.
        let mu = self.mu(MESSAGE, CONTEXT);
        let other_signature = other_key.sign(self.set, &mu, &bytes_of("another key"), &CraftOptions::NONE);
        assert_ne!(other_signature, signature);
        self.add(
            "MissingKeyBinding",
            "signed by another key, with the mu of this one",
            other_signature,
            Some("challenge"),
        );
    }
}

/// Returns test vectors with changed public keys. The original private key signs a mu that contains
/// the changed public key's hash.
fn changed_public_keys(set: &'static ParameterSet, key: &ReferenceKey) -> Vec<CraftedGroup> {
    let rho = 32;
    let row = |r: usize| rho + 320 * r;
    let mut changed = vec![];
    for (comment, at, bit) in [
        ("the first bit of rho is wrong", 0, 0x01),
        ("the last bit of rho is wrong", rho - 1, 0x80),
        ("the highest bit of t1 is wrong in its first place", rho + 1, 0x02),
        ("the highest bit of t1 is wrong in its last place", row(set.k) - 1, 0x80),
        ("the highest bit of the first row of t1 is wrong", row(1) - 1, 0x80),
    ] {
        let mut public = key.public.clone();
        public[at] ^= bit;
        changed.push(("ModifiedPublicKey", comment, public, "challenge"));
    }
    let mut swapped = key.public.clone();
    let (first_row, other_rows) = swapped[rho..].split_at_mut(320);
    first_row.swap_with_slice(&mut other_rows[..320]);
    changed.push(("ModifiedPublicKey", "two rows of t1 are exchanged", swapped, "challenge"));
    let resized_key = |len: usize| {
        let mut public = key.public.clone();
        public.resize(len, 0);
        public
    };
    for (comment, public) in [
        ("public key: empty", vec![]),
        ("public key: rho alone", resized_key(rho)),
        ("public key: without its last byte", resized_key(set.public_len() - 1)),
        ("public key: with a zero behind it", resized_key(set.public_len() + 1)),
        ("public key: with a zero in front of it", [&[0], &key.public[..]].concat()),
    ] {
        changed.push(("WrongLength", comment, public, "length of the public key"));
    }
    for other_set in SETS.iter().filter(|candidate| candidate.k != set.k) {
        let public = resized_key(other_set.public_len());
        changed.push(("WrongLength", "public key: of the length of another set", public, "length of the public key"));
    }
    let group = |(flag, comment, public, rejection): (&'static str, &str, Vec<u8>, &'static str)| {
        let mu = h(&[&h(&[&public]), &pure(CONTEXT, MESSAGE)]);
        let signature = key.sign(set, &mu, &bytes_of(comment), &CraftOptions::NONE);
        let vector = CraftedVector {
            flag,
            comment: comment.to_owned(),
            message: MESSAGE.to_vec(),
            context: CONTEXT.to_vec(),
            signature,
            rejection: Some(rejection),
        };
        CraftedGroup { public, vectors: vec![vector] }
    };
    changed.into_iter().map(group).collect()
}

/// Returns test vectors for a public key with t1 = 0. For this key, a signature with any z and any
/// hint can be made.
fn zero_t1_group(set: &'static ParameterSet) -> CraftedGroup {
    let rho = seed_of("rho");
    let public = encode_public(&rho, &vec![[0; 256]; set.k]);
    let mu = h(&[&h(&[&public]), &pure(CONTEXT, MESSAGE)]);
    let (k, omega, bound, last) = (set.k, set.omega, set.z_bound(), set.k - 1);
    let mut vectors = vec![];
    let mut put = |flag, comment: &str, z: &[Poly], hint: &Hint, encoded: &[u8], rejection| {
        let signature = sign_for_zero_key(set, &rho, &mu, z, hint, encoded);
        let (comment, message, context) = (comment.to_owned(), MESSAGE.to_vec(), CONTEXT.to_vec());
        vectors.push(CraftedVector { flag, comment, message, context, signature, rejection });
    };
    let small: Vec<Poly> = (0..set.l).map(|s| std::array::from_fn(|i| ((i * i + 31 * s) % 997) as i64 - 498)).collect();
    let row_of = |count: usize| -> Vec<u8> { (0..count).map(|i| (i * 255 / count.max(2)) as u8).collect() };
    let hint_with_row = |r: usize, row: Vec<u8>| {
        let mut hint = vec![vec![]; k];
        hint[r] = row;
        hint
    };
    let spread: Hint = (0..k).map(|r| row_of(omega / k + usize::from(r < omega % k))).collect();
    let all_in_first = hint_with_row(0, row_of(omega));
    let corners: Hint = vec![vec![0, 255]; k];
    for (comment, hint) in [
        ("no ones in the hint", vec![vec![]; k]),
        ("omega ones, in all rows", spread.clone()),
        ("omega ones in the first row", all_in_first.clone()),
        ("omega ones in the last row", hint_with_row(last, row_of(omega))),
        ("ones in the first and last place of each row", corners.clone()),
        ("a one in place 0 of the last row alone", hint_with_row(last, vec![0])),
        ("the same place in the last row and the one before it", {
            let mut hint = hint_with_row(last, vec![7, 9]);
            hint[last - 1] = vec![7];
            hint
        }),
    ] {
        put("HintBoundary", comment, &small, &hint, &pack_hint(set, &hint), None);
    }

    // The next hints have an invalid encoding. A decoder that does not check the encoding would
    // accept them.
    let rejection = Some("encoding of the hint");
    let mut put_encoded = |comment, hint: &Hint, change: &dyn Fn(&mut [u8])| {
        let mut encoded = pack_hint(set, hint);
        change(&mut encoded);
        put("HintEncoding", comment, &small, hint, &encoded, rejection);
    };
    put_encoded("t1 is zero: the omega places of the first row descend", &all_in_first, &|bytes| {
        bytes[..omega].reverse()
    });
    put_encoded("t1 is zero: the last two of omega places are swapped", &spread, &|bytes| {
        bytes.swap(omega - 2, omega - 1)
    });
    put_encoded("t1 is zero: a place in the byte behind a hint of one place", &hint_with_row(0, vec![5]), &|bytes| {
        bytes[1] = 6
    });
    put_encoded("t1 is zero: the last of the bytes behind a hint is 1", &hint_with_row(0, vec![5]), &|bytes| {
        bytes[omega - 1] = 1
    });
    put_encoded("t1 is zero: a place comes omega times", &hint_with_row(0, vec![5]), &|bytes| {
        bytes[..omega].fill(5);
        bytes[omega..].fill(omega as u8);
    });
    put_encoded("t1 is zero: place 0 comes twice", &hint_with_row(last, vec![0]), &|bytes| bytes[omega + last] = 2);
    put_encoded("t1 is zero: rows behind the first have the count 0", &hint_with_row(0, vec![5, 6]), &|bytes| {
        bytes[omega + 1..].fill(0);
    });

    let no_hint = vec![vec![]; k];
    let empty = pack_hint(set, &no_hint);
    let mut put_z = |flag, comment: &str, f: &dyn Fn(usize, usize) -> i64, rejection| {
        let z: Vec<Poly> = (0..set.l).map(|s| std::array::from_fn(|i| f(s, i))).collect();
        put(flag, comment, &z, &no_hint, &empty, rejection);
    };
    let largest = bound - 1;
    put_z("ExtremeCoefficients", "z is zero", &|_, _| 0, None);
    put_z("ExtremeCoefficients", "all of z is just below the bound", &|_, _| largest, None);
    put_z("ExtremeCoefficients", "all of z is just below the bound, negative", &|_, _| -largest, None);
    put_z("ExtremeCoefficients", "signs alternate", &|_, i| if i % 2 == 0 { largest } else { -largest }, None);
    put_z("ExtremeCoefficients", "signs alternate from column to column", &|s, _| [largest, -largest][s % 2], None);
    put_z("ExtremeCoefficients", "the first half is negative", &|_, i| if i < 128 { -largest } else { largest }, None);
    put_z(
        "ExtremeCoefficients",
        "the last coefficient alone",
        &|s, i| largest * i64::from((s, i) == (set.l - 1, 255)),
        None,
    );
    for (s, i) in (0..set.l).flat_map(|s| [(s, 0), (s, 255)]) {
        let comment = format!("t1 is zero: coefficient {i} of column {s} of z is at the bound");
        let value = if s % 2 == 0 { bound } else { -bound };
        put_z("NormBoundary", &comment, &|s2, i2| value * i64::from((s, i) == (s2, i2)), Some("norm of z"));
    }
    CraftedGroup { public, vectors }
}

/// Returns the groups for a parameter set.
pub fn groups(i: usize) -> Vec<CraftedGroup> {
    let set = &SETS[i];
    let key = ReferenceKey::new(set, &seed_of(&format!("key {i}")));
    let other_key = ReferenceKey::new(set, &seed_of(&format!("another key {i}")));
    let mut maker = VectorCrafter { set, key: &key, vectors: vec![] };
    maker.add_good();
    maker.add_challenges();
    maker.add_norms();
    maker.add_hints();
    maker.add_changes();
    maker.add_messages();
    maker.add_bindings(&other_key);
    let mut groups = vec![CraftedGroup { vectors: maker.vectors, public: key.public.clone() }];
    groups.push(zero_t1_group(set));
    groups.extend(changed_public_keys(set, &key));
    groups
}
