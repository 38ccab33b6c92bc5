//! Names of algorithms on the command line.

use super::keys::AllowWeak;
use super::report::Error;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fndsa::{Algorithm, Degree, Scheme, SignatureEncoding};

/// The algorithm of a name; 512 and 1024 alone are FN-DSA.
///
/// # Errors
/// No algorithm has that name.
pub fn parse_algorithm(name: &str) -> Result<Algorithm, String> {
    match name {
        "512" => Ok(Algorithm::FN_DSA_512),
        "1024" => Ok(Algorithm::FN_DSA_1024),
        _ => name.parse().map_err(|_| {
            let schemes = Scheme::ALL.map(|scheme| scheme.title().to_lowercase());
            let names = schemes.map(|scheme| format!("{scheme}-512, {scheme}-1024"));
            format!("the algorithms are {}", names.join(", "))
        }),
    }
}

/// The algorithms that keys are made of, for use.
pub fn all() -> impl Iterator<Item = Algorithm> {
    let schemes = Scheme::ALL.into_iter().filter(|scheme| scheme.can_sign());
    schemes.flat_map(|scheme| [Degree::N512, Degree::N1024].map(|degree| Algorithm::new(scheme, degree)))
}

/// For options that name the encoding of a signature.
pub fn parse_encoding() -> impl TypedValueParser<Value = SignatureEncoding> {
    let all = || Scheme::Falcon.encodings().iter().copied();
    PossibleValuesParser::new(all().map(SignatureEncoding::name))
        .try_map(move |name| all().find(|encoding| encoding.name() == name).ok_or("no such encoding"))
}

/// The algorithm, if keys and signatures of it may be made.
///
/// # Errors
/// It is for verification only, or a toy without leave.
pub fn may_make(algorithm: Algorithm, weak: AllowWeak) -> Result<Algorithm, Error> {
    if !algorithm.scheme.can_sign() {
        return Err(Error::VerifyOnly(algorithm));
    }
    if algorithm.degree.is_toy() && weak == AllowWeak(false) {
        return Err(Error::ToyAlgorithm(algorithm));
    }
    Ok(algorithm)
}
