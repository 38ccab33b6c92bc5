//! Reads published test vectors for `published` and `conversion`: the known answers of Falcon's
//! NIST submission, and key pairs.

use super::common::{VectorCase, cases, hex, vector_text};
use serde_json::Value;

/// A known answer from the Falcon submission: an entry in a `.rsp` file.
pub struct NistAnswer {
    pub number: usize,
    pub message: Vec<u8>,
    pub public: Vec<u8>,
    pub private: Vec<u8>,
    /// The signature in the compressed encoding.
    pub signature: Vec<u8>,
}

/// Returns the text of the known-answer file for degree `n`.
pub fn nist_text(n: usize) -> String {
    vector_text(&format!("nist-round3/falcon{n}-KAT.rsp"))
}

/// Returns all 100 known answers for a degree.
pub fn nist(n: usize) -> Vec<NistAnswer> {
    let text = nist_text(n);
    let answers: Vec<NistAnswer> = text.split("count = ").skip(1).map(parse_answer).collect();
    assert_eq!(answers.len(), 100);
    answers
}

/// Parses an entry of a known-answer file. The entry contains a signed message, from which this
/// function assembles the signature.
fn parse_answer(entry: &str) -> NistAnswer {
    let field = |name: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        hex(line.unwrap_or_else(|| panic!("no {name}")))
    };
    let (message, signed) = (field("msg"), field("sm"));
    // The signed message contains the length, the nonce, the message, and then a second header and
    // the coefficients.
    let (len, rest) = signed.split_at(2);
    let (nonce, rest) = rest.split_at(40);
    let (signed_message, encoded) = rest.split_at(message.len());
    assert_eq!((usize::from(len[0]) << 8 | usize::from(len[1]), signed_message), (encoded.len(), &message[..]));
    let signature = [&[encoded[0] + 0x10], nonce, &encoded[1..]].concat();
    let number = entry.lines().next().and_then(|line| line.parse().ok()).expect("a number");
    NistAnswer { number, message, public: field("pk"), private: field("sk"), signature }
}

/// An encoded key pair: (private, public).
pub type EncodedKeyPair = (Vec<u8>, Vec<u8>);

/// Returns the key pairs in a vector file.
pub fn key_pairs(file: &Value, list: &str) -> Vec<EncodedKeyPair> {
    let pair = |v: VectorCase| (v.bytes("sk"), v.bytes("vk"));
    cases(file, list).into_iter().map(pair).collect()
}
