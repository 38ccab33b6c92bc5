//! Writes the test vector files in the layout of Wycheproof. A vector has flags for the properties
//! that it tests. The file explains each flag.

use crate::cases::{SignedData, VectorGroup};
use crate::common::to_hex;
use std::fmt::Write;

/// The meaning of a flag.
struct FlagMeaning {
    flag: &'static str,
    /// A bug type from Wycheproof.
    bug: &'static str,
    description: &'static str,
    /// The effect of this bug in a verifier.
    effect: &'static str,
}

/// All flags, sorted by name.
const NOTES: [FlagMeaning; 32] = [
    FlagMeaning {
        flag: "CoefficientBoundary",
        bug: "EDGE_CASE",
        description: "A coefficient of s1 or s2 is 840 or -840 (allowed), or has a larger absolute value (not \
            allowed). The norm is below its bound.",
        effect: "Signatures that the scheme does not allow are accepted, or allowed signatures are rejected.",
    },
    FlagMeaning {
        flag: "ContextTooLong",
        bug: "CAN_OF_WORMS",
        description: "The context has more than 255 bytes. The signer shortened the context or its length.",
        effect: "The verifier does not distinguish different contexts.",
    },
    FlagMeaning {
        flag: "DomainConfusion",
        bug: "AUTH_BYPASS",
        description: "The signer signed a digest and the vector gives a message, or the opposite; or the domain \
            byte is wrong.",
        effect: "A signature of a message is also valid for another message.",
    },
    FlagMeaning {
        flag: "EncodingBoundary",
        bug: "EDGE_CASE",
        description: "s2 has zeros or long runs of zero bits, or fills the signature up to its last bits.",
        effect: "Allowed signatures are rejected.",
    },
    FlagMeaning {
        flag: "ExternalMu",
        bug: "FUNCTIONALITY",
        description: "The 64 bytes of mu replace the message and the context. Skip these vectors if the interface \
            does not accept mu.",
        effect: "Signatures of implementations that compute mu separately are rejected, or mu with another length \
            is accepted.",
    },
    FlagMeaning {
        flag: "HashToPoint",
        bug: "MISSING_STEP",
        description: "The 16-bit words of the point are at the limit of 61445 = 5 q, from which words are dropped; \
            or the point was computed in another way.",
        effect: "Some valid signatures are rejected, which ordinary tests rarely show, or implementations disagree.",
    },
    FlagMeaning {
        flag: "MinusZero",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A zero coefficient of s2 has the sign bit.",
        effect: "An attacker without the key can make a second signature of the same message.",
    },
    FlagMeaning {
        flag: "MissingKeyBinding",
        bug: "MISSING_STEP",
        description: "The signer computed mu without the hash of the public key, or with other bytes instead of the \
            hash.",
        effect: "The signature does not bind the public key.",
    },
    FlagMeaning {
        flag: "ModifiedContext",
        bug: "AUTH_BYPASS",
        description: "The context differs from the signed context, bytes are moved between context and message, or \
            the length of the context was hashed in another way.",
        effect: "A signature for one purpose is accepted for another purpose.",
    },
    FlagMeaning {
        flag: "ModifiedMessage",
        bug: "AUTH_BYPASS",
        description: "The message differs from the signed message.",
        effect: "An attacker can change messages.",
    },
    FlagMeaning {
        flag: "ModifiedNonce",
        bug: "AUTH_BYPASS",
        description: "The nonce differs from the nonce of the signer.",
        effect: "The verifier does not hash a part of the nonce.",
    },
    FlagMeaning {
        flag: "ModifiedSignature",
        bug: "AUTH_BYPASS",
        description: "A bit of the encoded s2 is changed, or s2 is replaced by a value that was computed from s2.",
        effect: "An attacker can change signatures.",
    },
    FlagMeaning {
        flag: "NonzeroPadding",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A bit after the last coefficient of s2 is one.",
        effect: "An attacker without the key can make more signatures of the same message.",
    },
    FlagMeaning {
        flag: "NormBoundary",
        bug: "EDGE_CASE",
        description: "The square norm of (s1, s2) is equal to the bound or just below (allowed), or above the bound \
            (not allowed). All coefficients are in range.",
        effect: "Signatures that the scheme does not allow are accepted, or allowed signatures are rejected.",
    },
    FlagMeaning {
        flag: "NormOverflow",
        bug: "ARITHMETIC_ERROR",
        description: "The square norm of (s1, s2) is far above the bound, but below the bound if it is computed \
            with 32 bits. Some coefficients of s1 are also out of range.",
        effect: "An attacker can forge signatures.",
    },
    FlagMeaning {
        flag: "OtherScheme",
        bug: "WRONG_PRIMITIVE",
        description: "The signature is one of FN-DSA-2024, Falcon or falcon-rs with the same f, g, F and G, or has \
            the point or the encoding of such a signature.",
        effect: "Signatures of another scheme are accepted.",
    },
    FlagMeaning {
        flag: "OverlongUnary",
        bug: "SIGNATURE_MALLEABILITY",
        description: "A coefficient of s2 is too large by 2^10, 2^11, 2^12 or q. A decoder that drops high bits or \
            reduces the value gets the correct coefficient.",
        effect: "An attacker without the key can make more signatures of the same message.",
    },
    FlagMeaning {
        flag: "PreHash",
        bug: "FUNCTIONALITY",
        description: "The signer hashed the message with the function in preHash, and signed the digest. SHAKE128 \
            has 32 bytes, SHAKE256 has 64 bytes. Skip these vectors if the interface has no pre-hash.",
        effect: "Signatures with a pre-hash are rejected.",
    },
    FlagMeaning {
        flag: "PublicKeyEdge",
        bug: "EDGE_CASE",
        description: "A field of the valid public key is 0 or q - 1.",
        effect: "Valid keys are rejected.",
    },
    FlagMeaning {
        flag: "PublicKeyFieldOutOfRange",
        bug: "MALLEABILITY",
        description: "A field of the public key is q or more. In some vectors, the key is the same modulo q, and a \
            decoder that reduces fields accepts the signature.",
        effect: "A key has several encodings, or the arithmetic overflows.",
    },
    FlagMeaning {
        flag: "PublicKeyHeader",
        bug: "MODIFIED_PARAMETER",
        description: "The first byte of the public key does not match its degree.",
        effect: "Keys are read as other keys, or a key has several encodings.",
    },
    FlagMeaning {
        flag: "PublicKeyLength",
        bug: "MODIFIED_PARAMETER",
        description: "The public key is too short or too long.",
        effect: "Memory outside the key is read, or a key has several encodings.",
    },
    FlagMeaning {
        flag: "PublicKeyOfOtherForm",
        bug: "WRONG_PRIMITIVE",
        description: "The public key has the encoding of another scheme or an unknown encoding, or is the private \
            key.",
        effect: "Keys of another scheme are accepted.",
    },
    FlagMeaning {
        flag: "SwappedFields",
        bug: "MODIFIED_PARAMETER",
        description: "The parts of the signature are in another order, or the signature contains s1 instead of s2.",
        effect: "Implementations disagree about the format.",
    },
    FlagMeaning {
        flag: "TrivialSignature",
        bug: "AUTH_BYPASS",
        description: "s2 is a constant or another short vector that an attacker can choose without the key: the \
            bytes of the signature are constant, or s1 is not short.",
        effect: "An attacker can forge signatures, because the verifier does not check a norm.",
    },
    FlagMeaning {
        flag: "TruncatedEncoding",
        bug: "CAN_OF_WORMS",
        description: "The bits of the signature end before the last coefficient of s2.",
        effect: "Memory after the signature is read, or missing coefficients get arbitrary values.",
    },
    FlagMeaning {
        flag: "ValidSignature",
        bug: "BASIC",
        description: "The signature is valid.",
        effect: "Valid signatures are rejected.",
    },
    FlagMeaning {
        flag: "WrongHeader",
        bug: "MODIFIED_PARAMETER",
        description: "The first byte of the signature does not match the degree.",
        effect: "An attacker can change signatures, or signatures of another format are accepted.",
    },
    FlagMeaning {
        flag: "WrongKey",
        bug: "AUTH_BYPASS",
        description: "The signature was made with another private key.",
        effect: "The verifier does not use the key.",
    },
    FlagMeaning {
        flag: "WrongLength",
        bug: "MODIFIED_PARAMETER",
        description: "The signature is too short or too long.",
        effect: "Memory after the signature is read, or an attacker can change signatures.",
    },
    FlagMeaning {
        flag: "WrongPreHash",
        bug: "AUTH_BYPASS",
        description: "The message was signed with another pre-hash, another identifier or another digest length \
            than preHash names.",
        effect: "Digests of different functions are not distinguished.",
    },
    FlagMeaning {
        flag: "ZeroPublicKey",
        bug: "EDGE_CASE",
        description: "All fields of the public key are 0. Some implementations load such a key, but no signature \
            can be valid for it.",
        effect: "A verifier that loads the key and does not check s1 accepts all signatures.",
    },
];

const HEADER: [&str; 5] = [
    "Verification of FN-DSA as of crate fn-dsa 0.4.0: the putative draft of FIPS 206; no standard is published.",
    "A test has msg and ctx, with preHash if the message is hashed first, or mu in their place.",
    "publicKey may be malformed: loading it may fail, and then all tests of its group, which are invalid, are passed.",
    "The private keys of the first two good public keys are published: numbers 0 and 1 of the known answers of fn-dsa.",
    "Generated by tests/negatives of fndsa, which describes the vectors. Licence: MIT.",
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

/// Quotes a text for JSON. Panics if the text contains control characters.
fn quote(text: &str) -> String {
    assert!(text.chars().all(|c| !c.is_control()));
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a group as JSON text, and increases `number`, the number of the last test, by the number
/// of tests.
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
        fields.push(("result", quote(if v.rejection.is_none() { "valid" } else { "invalid" })));
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
