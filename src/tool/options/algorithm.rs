//! Parses the names of algorithms and signature encodings on the command line.

use super::suggestions::suggesting;
use crate::tool::keys::loader::AllowWeak;
use crate::tool::report::Error;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fndsa::Algorithm;
use fndsa::algorithm::{Scheme, SignatureEncoding};
use std::sync::LazyLock;

/// All algorithms except toys (insecure, with small degrees), sorted by scheme and then by size. An
/// element also contains the name of the algorithm in lower case.
static NAMES: LazyLock<Vec<(Algorithm, String)>> =
    LazyLock::new(|| Algorithm::all().map(|algorithm| (algorithm, algorithm.to_string().to_lowercase())).collect());

/// The error for an unknown algorithm name.
const UNKNOWN: &str = "fndsa has no algorithm of this name";

/// Returns the names of the algorithms in the schemes that `is_included` accepts.
fn names_of(is_included: fn(Scheme) -> bool) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (algorithm, name) in NAMES.iter() {
        if is_included(algorithm.scheme()) {
            names.push(name.as_str());
        }
    }
    names
}

/// Returns the names of the algorithms that can sign.
fn signing_names() -> Vec<&'static str> {
    names_of(Scheme::can_sign)
}

/// Returns the names of all algorithms.
fn all_names() -> Vec<&'static str> {
    names_of(|_| true)
}

/// Returns the parser for the algorithm of an existing file.
pub fn any_algorithm() -> impl TypedValueParser<Value = Algorithm> {
    suggesting(all_names, |name: &str| find_algorithm(name).ok_or(UNKNOWN))
}

/// Returns the parser for the algorithm of new keys. The parser also accepts verify-only algorithms
/// and toys, because [`creatable_algorithm`] rejects these algorithms with a message that states
/// the reason.
pub fn signing_algorithm() -> impl TypedValueParser<Value = Algorithm> {
    suggesting(signing_names, |name: &str| find_algorithm(name).ok_or(UNKNOWN))
}

/// Returns the parser for an algorithm for which `selftest` has known answers. `is_accepted`
/// returns whether an algorithm has known answers, and must accept only algorithms that can sign.
pub fn one_of(is_accepted: fn(Algorithm) -> bool) -> impl TypedValueParser<Value = Algorithm> {
    suggesting(signing_names, move |name: &str| {
        let algorithm = find_algorithm(name).ok_or(UNKNOWN)?;
        if is_accepted(algorithm) { Ok(algorithm) } else { Err("there are no known answers for this algorithm") }
    })
}

/// Returns whether `testvectors` supports a scheme.
fn has_vectors(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::FnDsa | Scheme::MlDsa)
}

/// Returns the names of the algorithms that `testvectors` supports.
fn vector_names() -> Vec<&'static str> {
    names_of(has_vectors)
}

/// Returns the parser for an algorithm that `testvectors` supports.
pub fn with_vectors() -> impl TypedValueParser<Value = Algorithm> {
    suggesting(vector_names, |name: &str| {
        let algorithm = find_algorithm(name).ok_or(UNKNOWN)?;
        if has_vectors(algorithm.scheme()) {
            Ok(algorithm)
        } else {
            Err("there are test vectors only for FN-DSA and ML-DSA")
        }
    })
}

/// Finds an algorithm by its name. `512` and `1024` are also names of FN-DSA-512 and FN-DSA-1024.
/// The search ignores case, `-` and `_`, because users remember names such as `falcon512`.
fn find_algorithm(name: &str) -> Option<Algorithm> {
    match name {
        "512" => Some(Algorithm::FN_DSA_512),
        "1024" => Some(Algorithm::FN_DSA_1024),
        _ => {
            let folded_name = normalized(name);
            for algorithm in Algorithm::all_with_toys() {
                if normalized(&algorithm.to_string()) == folded_name {
                    return Some(algorithm);
                }
            }
            None
        }
    }
}

/// Removes `-` and `_` from a name and converts it to lower case, for comparisons.
fn normalized(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], "")
}

/// Returns a short name of the standard that defines a scheme.
fn standard(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::FnDsa => "not published",
        Scheme::FnDsa2024 => "preview of 2024",
        Scheme::Falcon => "Falcon, round 3",
        Scheme::FalconRs => "crate falcon-rs",
        Scheme::MlDsa => "FIPS 204",
        Scheme::Ed25519 => "RFC 8032",
        Scheme::MlDsaEd25519 => "draft, LAMPS",
        _ => "-",
    }
}

/// Returns the NIST security category. Returns `None` for classical algorithms and toys.
fn category(algorithm: Algorithm) -> Option<u8> {
    match algorithm {
        Algorithm::ML_DSA_44 | Algorithm::ML_DSA_44_ED25519 => Some(2),
        Algorithm::ML_DSA_65 | Algorithm::ML_DSA_65_ED25519 => Some(3),
        Algorithm::ML_DSA_87 => Some(5),
        _ => match algorithm.degree()?.n() {
            512 => Some(1),
            1024 => Some(5),
            _ => None,
        },
    }
}

/// Returns the table of algorithms for `fndsa help algorithms` and fndsa(1).
pub fn table() -> String {
    let mut text = format!(
        "Algorithms for -a, --algorithm\n\n{:<18}{:<16}{:>8}{:>12}{:>11}{:>13}\n",
        "NAME", "STANDARD", "CATEGORY", "PUBLIC KEY", "SIGNATURE", "PRIVATE KEY"
    );
    for (algorithm, name) in NAMES.iter() {
        let private =
            if algorithm.scheme().can_sign() { algorithm.signing_key_len().to_string() } else { "-".to_owned() };
        let category = match category(*algorithm) {
            Some(category) => category.to_string(),
            None => "-".to_owned(),
        };
        text += &format!(
            "{name:<18}{:<16}{category:>8}{:>12}{:>11}{private:>13}\n",
            standard(algorithm.scheme()),
            algorithm.verifying_key_len(),
            algorithm.signature_len(),
        );
    }
    text += TABLE_NOTES;
    text
}

/// The text below the table.
const TABLE_NOTES: &str = "
Sizes are bytes without PEM. CATEGORY is the NIST security category, from 1 to 5.
FN-DSA will be FIPS 206, which is not published yet.
fndsa keygen uses fn-dsa-512 by default. A quantum computer can break ed25519.
fndsa only verifies falcon-rs signatures. An ML-DSA private key is a seed.
ml-dsa-44-ed25519 and ml-dsa-65-ed25519 are the composites of
draft-ietf-lamps-pq-composite-sigs-19. They will change if the RFC does.
";

/// Returns the algorithms that can sign, without toys.
#[cfg(test)]
pub fn all() -> impl Iterator<Item = Algorithm> {
    NAMES.iter().map(|(algorithm, _)| *algorithm).filter(|algorithm| algorithm.scheme().can_sign())
}

/// Returns the parser for a signature encoding.
pub fn parse_encoding() -> impl TypedValueParser<Value = SignatureEncoding> {
    let all = Scheme::Falcon.encodings();
    PossibleValuesParser::new(all.iter().map(|encoding| encoding.name())).try_map(|name| encoding_of(&name))
}

/// Returns the signature encoding with this name.
fn encoding_of(name: &str) -> Result<SignatureEncoding, &'static str> {
    for encoding in Scheme::Falcon.encodings() {
        if encoding.name() == name {
            return Ok(*encoding);
        }
    }
    Err("no such encoding")
}

/// Returns the algorithm if fndsa may create keys and signatures with it.
///
/// # Errors
/// Fails if fndsa can only verify with the algorithm, or if it is a toy and `--allow-weak` is not
/// given.
pub fn creatable_algorithm(algorithm: Algorithm, weak: AllowWeak) -> Result<Algorithm, Error> {
    if !algorithm.scheme().can_sign() {
        return Err(Error::VerifyOnly(algorithm));
    }
    if algorithm.is_toy() && weak == AllowWeak(false) {
        return Err(Error::ToyAlgorithm(algorithm));
    }
    Ok(algorithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithm_names_are_found_in_every_spelling() {
        for algorithm in Algorithm::all_with_toys() {
            let name = algorithm.to_string();
            for written in
                [name.clone(), name.to_lowercase(), name.replace('-', ""), name.replace('-', "_").to_uppercase()]
            {
                assert_eq!(find_algorithm(&written), Some(algorithm), "{written}");
            }
        }
        for name in ["", "falcon", "fn-dsa", "fn-dsa-2024", "falcon-513", "falcon 512", "0512", "fndsa0512", "2048"] {
            assert_eq!(find_algorithm(name), None, "{name}");
        }
    }

    #[test]
    fn each_command_lists_the_algorithms_that_it_accepts() {
        let signing = signing_algorithm();
        let any = any_algorithm();
        let [signing, any] = [signing.possible_values(), any.possible_values()]
            .map(|values| values.unwrap().map(|value| value.get_name().to_owned()).collect::<Vec<_>>());
        assert_eq!(
            signing,
            [
                "fn-dsa-512",
                "fn-dsa-1024",
                "fn-dsa-2024-512",
                "fn-dsa-2024-1024",
                "falcon-512",
                "falcon-1024",
                "ml-dsa-44",
                "ml-dsa-65",
                "ml-dsa-87",
                "ed25519",
                "ml-dsa-44-ed25519",
                "ml-dsa-65-ed25519"
            ]
        );
        let verifying: Vec<_> = any.iter().filter(|name| !signing.contains(name)).collect();
        assert_eq!(verifying, ["falcon-rs-512", "falcon-rs-1024"]);
    }
}
