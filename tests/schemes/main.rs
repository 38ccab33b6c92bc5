//! The schemes beside FN-DSA, through the library's API: vectors that others published, conversions, signing,
//! and what becomes of a signature when its bytes change.

#[path = "../common/mod.rs"]
mod common;
#[path = "../reference/mod.rs"]
mod reference;

mod bits;
mod conversion;
mod forgery;
mod published;
mod signing;

use common::{Case, cases};
use fndsa::Scheme;
use serde_json::Value;

/// The schemes in which keys and signatures are made.
const SIGNING: [Scheme; 3] = [Scheme::FnDsa, Scheme::FnDsa2024, Scheme::Falcon];

/// A known answer of the Falcon submission: one entry of a `.rsp` file.
struct Known {
    message: Vec<u8>,
    public: Vec<u8>,
    private: Vec<u8>,
    /// In the compressed encoding.
    signature: Vec<u8>,
}

/// The text of one of the two files.
fn nist_text(n: usize) -> String {
    let name = format!("tests/kat/nist-round3/falcon{n}-KAT.rsp");
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the file")
}

/// All 100 answers at a degree.
fn nist(n: usize) -> Vec<Known> {
    let text = nist_text(n);
    let known: Vec<Known> = text.split("count = ").skip(1).map(known).collect();
    assert_eq!(known.len(), 100);
    known
}

fn known(entry: &str) -> Known {
    let field = |name: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        common::hex(line.unwrap_or_else(|| panic!("no {name}")))
    };
    let (message, signed) = (field("msg"), field("sm"));
    // Length, nonce, message, and then a header of its own and the coefficients.
    let (len, rest) = signed.split_at(2);
    let (nonce, rest) = rest.split_at(40);
    let (signed_message, encoded) = rest.split_at(message.len());
    assert_eq!((usize::from(len[0]) << 8 | usize::from(len[1]), signed_message), (encoded.len(), &message[..]));
    let signature = [&[encoded[0] + 0x10], nonce, &encoded[1..]].concat();
    Known { message, public: field("pk"), private: field("sk"), signature }
}

/// An encoded key pair: (private, public).
type Pair = (Vec<u8>, Vec<u8>);

/// The key pairs of a vector file.
fn key_pairs(file: &Value, list: &str) -> Vec<Pair> {
    let pair = |v: Case| (v.bytes("sk"), v.bytes("vk"));
    cases(file, list).into_iter().map(pair).collect()
}
