//! The layout of the vector files, which is the layout of Wycheproof with notes on all flags.

use crate::cases::{SignedData, VectorGroup};
use crate::common::to_hex;
use std::fmt::Write;

/// The meaning of a flag.
struct FlagMeaning {
    flag: &'static str,
    /// A bug type from Wycheproof.
    bug: &'static str,
    description: &'static str,
    /// The effect if a verifier has this bug.
    effect: &'static str,
}

/// All flags, sorted by name.
const NOTES: [FlagMeaning; 32] = [
    FlagMeaning {
        flag: "CoefficientBoundary",
        bug: "EDGE_CASE",
        description: "A coefficient of s1 or s2 is 840 or -840, which is allowed, or larger in absolute value, \
            which is not. The norm is below its bound.",
        effect: "Signatures that the scheme does not allow are accepted, or allowed ones are refused.",
    },
    FlagMeaning {
        flag: "ContextTooLong",
        bug: "CAN_OF_WORMS",
        description: "The context has more than 255 bytes. The signature is that of an implementation that \
            shortens the context or its length.",
        effect: "Different contexts are the same to the verifier.",
    },
    FlagMeaning {
        flag: "DomainConfusion",
        bug: "AUTH_BYPASS",
        description: "Signed with a pre-hash and given as a message, or the other way round, or with another \
            domain byte.",
        effect: "A signature of one message is taken for a signature of another.",
    },
    FlagMeaning {
        flag: "EncodingBoundary",
        bug: "EDGE_CASE",
        description: "s2 has zeros or long runs of zero bits, or fills the signature to its last bits.",
        effect: "Allowed signatures are refused.",
    },
    FlagMeaning {
        flag: "ExternalMu",
        bug: "FUNCTIONALITY",
        description: "The 64 bytes mu are given in the place of message and context. Skip these vectors where \
            the interface takes no mu.",
        effect: "Signatures of split implementations are refused, or mu of another length is accepted.",
    },
    FlagMeaning {
        flag: "HashToPoint",
        bug: "MISSING_STEP",
        description: "The 16-bit words from which the point is made are at the limit of 61445 = 5 q from which \
            they are left out; or the point was made in another way.",
        effect: "Some good signatures are refused, which ordinary tests hardly show, or implementations \
            disagree.",
    },
    FlagMeaning {
        flag: "MinusZero",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A zero coefficient of s2 has the sign bit.",
        effect: "A second signature of the same message can be made without the key.",
    },
    FlagMeaning {
        flag: "MissingKeyBinding",
        bug: "MISSING_STEP",
        description: "mu was made without the hash of the public key, or with something else in its place.",
        effect: "The signature does not bind the public key.",
    },
    FlagMeaning {
        flag: "ModifiedContext",
        bug: "AUTH_BYPASS",
        description: "The context is not the one that was signed, bytes moved between context and message, or \
            the length of the context was hashed in another way.",
        effect: "A signature for one purpose is accepted for another.",
    },
    FlagMeaning {
        flag: "ModifiedMessage",
        bug: "AUTH_BYPASS",
        description: "The message is not the one that was signed.",
        effect: "Messages can be changed.",
    },
    FlagMeaning {
        flag: "ModifiedNonce",
        bug: "AUTH_BYPASS",
        description: "The nonce is not the one that was signed with.",
        effect: "A part of the nonce is not hashed.",
    },
    FlagMeaning {
        flag: "ModifiedSignature",
        bug: "AUTH_BYPASS",
        description: "A bit of the encoded s2 is changed, or s2 is replaced by something that was made of it.",
        effect: "Signatures can be changed.",
    },
    FlagMeaning {
        flag: "NonzeroPadding",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A bit behind the last coefficient of s2 is one.",
        effect: "More signatures of the same message can be made without the key.",
    },
    FlagMeaning {
        flag: "NormBoundary",
        bug: "EDGE_CASE",
        description: "The square norm of (s1, s2) is the bound or just below, which is allowed, or above, which \
            is not. All coefficients are in range.",
        effect: "Signatures that the scheme does not allow are accepted, or allowed ones are refused.",
    },
    FlagMeaning {
        flag: "NormOverflow",
        bug: "ARITHMETIC_ERROR",
        description: "The square norm of (s1, s2) is far above the bound, but not where it is computed with 32 \
            bits. Coefficients of s1 are out of range, too.",
        effect: "Signatures can be forged.",
    },
    FlagMeaning {
        flag: "OtherScheme",
        bug: "WRONG_PRIMITIVE",
        description: "A signature of FN-DSA-2024, Falcon or falcon-rs with the same f, g, F and G, or a part of \
            it: point or encoding.",
        effect: "Signatures of another scheme are accepted.",
    },
    FlagMeaning {
        flag: "OverlongUnary",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A coefficient of s2 is too large by 2^10, 2^11, 2^12 or q, so that a decoder that loses \
            high bits or reduces has the right one.",
        effect: "More signatures of the same message can be made without the key.",
    },
    FlagMeaning {
        flag: "PreHash",
        bug: "FUNCTIONALITY",
        description: "The message is hashed with the function named in preHash, and the digest is signed. \
            SHAKE128 has 32 bytes, SHAKE256 has 64. Skip these vectors where the interface has no pre-hash.",
        effect: "Signatures with a pre-hash are refused.",
    },
    FlagMeaning {
        flag: "PublicKeyEdge",
        bug: "EDGE_CASE",
        description: "A field of the good public key is 0 or q - 1.",
        effect: "Good keys are refused.",
    },
    FlagMeaning {
        flag: "PublicKeyFieldOutOfRange",
        bug: "MALLEABILITY",
        description: "A field of the public key is q or more. In some the key is the same modulo q, and the \
            signature is good for a reader that reduces.",
        effect: "A key has several encodings, or arithmetic leaves its range.",
    },
    FlagMeaning {
        flag: "PublicKeyHeader",
        bug: "MODIFIED_PARAMETER",
        description: "The first byte of the public key is not its degree.",
        effect: "Keys are taken for others, or a key has several encodings.",
    },
    FlagMeaning {
        flag: "PublicKeyLength",
        bug: "MODIFIED_PARAMETER",
        description: "The public key is too short or too long.",
        effect: "Memory is read that is not the key, or a key has several encodings.",
    },
    FlagMeaning {
        flag: "PublicKeyOfOtherForm",
        bug: "WRONG_PRIMITIVE",
        description: "The public key is encoded as in another scheme, or as nobody does; or it is the private \
            key.",
        effect: "Keys of another scheme are accepted.",
    },
    FlagMeaning {
        flag: "SwappedFields",
        bug: "MODIFIED_PARAMETER",
        description: "The parts of the signature are in another order, or s1 stands in the place of s2.",
        effect: "Implementations disagree about the format.",
    },
    FlagMeaning {
        flag: "TrivialSignature",
        bug: "AUTH_BYPASS",
        description: "s2 is a constant or another short vector that needs no signing: the bytes of the \
            signature are constant, or s1 is not short.",
        effect: "Signatures can be forged: a norm is not checked.",
    },
    FlagMeaning {
        flag: "TruncatedEncoding",
        bug: "CAN_OF_WORMS",
        description: "The bits of the signature end before s2 does.",
        effect: "Memory behind the signature is read, or missing coefficients are made up.",
    },
    FlagMeaning {
        flag: "ValidSignature",
        bug: "BASIC",
        description: "The signature is valid.",
        effect: "Signatures are refused.",
    },
    FlagMeaning {
        flag: "WrongHeader",
        bug: "MODIFIED_PARAMETER",
        description: "The first byte of the signature is not that of the degree.",
        effect: "Signatures are malleable, or taken for those of another format.",
    },
    FlagMeaning {
        flag: "WrongKey",
        bug: "AUTH_BYPASS",
        description: "The signature was made with another private key.",
        effect: "The key is not used.",
    },
    FlagMeaning {
        flag: "WrongLength",
        bug: "MODIFIED_PARAMETER",
        description: "The signature is too short or too long.",
        effect: "Memory behind the signature is read, or signatures are malleable.",
    },
    FlagMeaning {
        flag: "WrongPreHash",
        bug: "AUTH_BYPASS",
        description: "The message was signed with another pre-hash, another identifier or another digest length \
            than preHash says.",
        effect: "Digests of one function are taken for those of another.",
    },
    FlagMeaning {
        flag: "ZeroPublicKey",
        bug: "EDGE_CASE",
        description: "All fields of the public key are 0. Some implementations load such a key; no signature \
            can be valid for it.",
        effect: "A verifier that loads the key and does not check s1 accepts everything.",
    },
];

const HEADER: [&str; 5] = [
    "Verification of FN-DSA as of crate fn-dsa 0.4.0: the putative draft of FIPS 206; no standard is published.",
    "A test has msg and ctx, with preHash if the message is hashed first, or mu in their place.",
    "publicKey may be malformed: loading it may fail, and then all tests of its group, which are invalid, are passed.",
    "The private keys of the first two good public keys are published: numbers 0 and 1 of the known answers of fn-dsa.",
    "Made by tests/negatives of fndsa, which says how. Licence: MIT.",
];

/// The file name of the schema, which is in the same folder.
pub const SCHEMA: &str = "fn_dsa_verify_schema.json";

/// Returns the text of a vector file.
pub fn file_text(degree: usize, groups: &[VectorGroup]) -> String {
    let count: usize = groups.iter().map(|g| g.vectors.len()).sum();
    let mut out = format!("{{\n  \"algorithm\": \"FN-DSA-{degree}\",\n  \"generatorVersion\": \"1\",\n");
    let header: Vec<String> = HEADER.iter().map(|line| format!("    {}", quote(line))).collect();
    write_text(&mut out, format_args!("  \"header\": [\n{}\n  ],\n", header.join(",\n")));
    let note = |n: &FlagMeaning| {
        let (flag, bug) = (quote(n.flag), quote(n.bug));
        let (description, effect) = (quote(n.description), quote(n.effect));
        format!(
            "    {flag}: {{\n      \"bugType\": {bug},\n      \"description\": {description},\n      \
             \"effect\": {effect}\n    }}"
        )
    };
    let notes: Vec<String> = NOTES.iter().map(note).collect();
    write_text(&mut out, format_args!("  \"notes\": {{\n{}\n  }},\n", notes.join(",\n")));
    write_text(&mut out, format_args!("  \"numberOfTests\": {count},\n  \"schema\": {},\n", quote(SCHEMA)));
    let mut number = 0;
    let groups: Vec<String> = groups.iter().map(|g| group_text(g, &mut number)).collect();
    write_text(&mut out, format_args!("  \"testGroups\": [\n{}\n  ]\n}}\n", groups.join(",\n")));
    out
}

fn write_text(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("memory");
}

/// Quotes text without control characters for JSON.
fn quote(text: &str) -> String {
    assert!(text.chars().all(|c| !c.is_control()));
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn group_text(group: &VectorGroup, number: &mut usize) -> String {
    let mut tests = vec![];
    for v in &group.vectors {
        *number += 1;
        let mut fields = vec![("tcId", number.to_string()), ("comment", quote(&v.comment))];
        match &v.signed {
            SignedData::Message { msg, ctx, prehash } => {
                fields.push(("msg", quote(&to_hex(msg))));
                fields.push(("ctx", quote(&to_hex(ctx))));
                fields.extend(prehash.map(|hash| ("preHash", quote(hash))));
            }
            SignedData::Mu(mu) => fields.push(("mu", quote(&to_hex(mu)))),
        }
        fields.push(("sig", quote(&to_hex(&v.sig))));
        fields.push(("result", quote(if v.refusal.is_none() { "valid" } else { "invalid" })));
        for flag in &v.flags {
            assert!(NOTES.iter().any(|n| n.flag == *flag), "no note on {flag}");
        }
        let flags: Vec<String> = v.flags.iter().map(|f| quote(f)).collect();
        fields.push(("flags", format!("[{}]", flags.join(", "))));
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("          \"{name}\": {value}")).collect();
        tests.push(format!("        {{\n{}\n        }}", fields.join(",\n")));
    }
    let vk = to_hex(&group.vk);
    format!(
        "    {{\n      \"type\": \"FnDsaVerify\",\n      \"publicKey\": \"{vk}\",\n      \
         \"tests\": [\n{}\n      ]\n    }}",
        tests.join(",\n")
    )
}
