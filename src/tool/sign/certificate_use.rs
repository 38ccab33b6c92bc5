//! Warnings about certificates that would make other programs reject a signature.

use crate::tool::report::{Error, Report};
use crate::tool::trust::clock::Clock;
use fndsa::files::x509::{X509Document, X509Time};
use std::fmt::Display;

/// The key uses that permit signatures of messages. A certificate that lists key uses needs at
/// least one of these.
const USES: [&str; 2] = ["digitalSignature", "nonRepudiation"];

/// The purposes that permit signatures of messages. A certificate that lists purposes needs at
/// least one of these.
const PURPOSES: [&str; 5] =
    ["anyExtendedKeyUsage", "codeSigning", "emailProtection", "documentSigning", "timeStamping"];

/// Prints a warning for each reason for which other programs may reject the certificate of a
/// signature: it is not valid today, or it does not permit signatures of messages. These are not
/// errors, because fndsa uses only the public key from a certificate, and other programs have
/// options to ignore the dates and the purposes. `from` is the file's name in messages.
///
/// # Errors
/// Fails if the clock of this machine is wrong.
pub fn warn_of_certificate(data: &[u8], from: &dyn Display, report: &mut Report) -> Result<(), Error> {
    let Ok(Some(document)) = X509Document::read(data) else { return Ok(()) };
    let today = Clock::System.today()?;
    let mut defects = Vec::new();
    if let Some(issued) = &document.issued {
        if issued.not_after < X509Time::start_of(today) {
            defects.push(format!("the certificate expired: it was valid until {}", issued.not_after));
        }
        if issued.not_before > X509Time::end_of(today) {
            defects.push(format!("the certificate is not valid yet: it is valid from {}", issued.not_before));
        }
    }
    if let Some(usage) = document.extensions.key_usage
        && !usage.names().iter().any(|name| USES.contains(name))
    {
        let names = usage.names().join(", ");
        defects.push(format!("the key usage of the certificate does not permit signatures, but only {names}"));
    }
    if let Some(purposes) = &document.extensions.extended_key_usage
        && !purposes.iter().any(|name| PURPOSES.contains(&name.as_str()))
    {
        let names = purposes.join(", ");
        defects.push(format!("the extended key usage of the certificate does not permit signatures, but only {names}"));
    }
    for defect in defects {
        report.warn(&format!("{from}: {defect}; other programs may reject the signature"));
    }
    Ok(())
}
