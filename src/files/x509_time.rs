//! Reads and writes the times in X.509 certificates (RFC 5280, section 4.1.2.5).

use super::date::Date;
use super::der::{DerItem, element};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use pkcs8::der::Tag;

const LAST_SECOND: u32 = 24 * 60 * 60 - 1;

/// A time in UTC, with a resolution of one second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct X509Time {
    date: Date,
    /// The number of seconds since midnight.
    second: u32,
}

impl X509Time {
    /// Returns the first second of a date.
    pub const fn start_of(date: Date) -> Self {
        Self { date, second: 0 }
    }

    /// Returns the last second of a date.
    pub const fn end_of(date: Date) -> Self {
        Self { date, second: LAST_SECOND }
    }

    /// Reads a UTCTime for the years 1950 to 2049, or a GeneralizedTime for all other years.
    /// Returns `None` if the year requires a different type (RFC 5280), or if the time does not
    /// exist.
    pub(super) fn read((tag, content): DerItem<'_>) -> Option<Self> {
        let digits = core::str::from_utf8(content).ok()?.strip_suffix('Z')?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let full_digits = match (tag, digits.len()) {
            (Tag::UtcTime, 12) => String::from(if digits < "50" { "20" } else { "19" }) + digits,
            (Tag::GeneralizedTime, 14) if !is_utc_time(digits) => digits.to_string(),
            _ => return None,
        };
        let date = [&full_digits[..4], &full_digits[4..6], &full_digits[6..8]].join("-").parse().ok()?;
        let [hour, minute, second] = [8, 10, 12].map(|at| full_digits[at..at + 2].parse::<u32>().unwrap_or(u32::MAX));
        (hour < 24 && minute < 60 && second < 60).then_some(Self { date, second: (60 * hour + minute) * 60 + second })
    }

    /// Encodes the time in DER, in the form that RFC 5280 requires.
    pub(super) fn to_der(self) -> Vec<u8> {
        let digits: String = self.to_string().chars().filter(char::is_ascii_digit).collect();
        let (tag, digits) = if is_utc_time(&digits) { (0x17, &digits[2..]) } else { (0x18, &digits[..]) };
        element(tag, &[digits.as_bytes(), b"Z"]).to_vec()
    }
}

/// Returns whether RFC 5280 requires a UTCTime for a time with these digits.
fn is_utc_time(digits: &str) -> bool {
    ("1950".."2050").contains(&&digits[..4])
}

impl fmt::Display for X509Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, second } = self;
        write!(f, "{date}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::super::der::items_of;
    use super::*;

    fn read(tag: Tag, text: &str) -> Option<String> {
        X509Time::read((tag, text.as_bytes())).map(|time| time.to_string())
    }

    #[test]
    fn times_round_trip() {
        for (tag, text, expected) in [
            (Tag::UtcTime, "251125000000Z", "2025-11-25T00:00:00Z"),
            (Tag::UtcTime, "491231235959Z", "2049-12-31T23:59:59Z"),
            (Tag::UtcTime, "500101000000Z", "1950-01-01T00:00:00Z"),
            (Tag::GeneralizedTime, "20500101000000Z", "2050-01-01T00:00:00Z"),
            (Tag::GeneralizedTime, "99991231235959Z", "9999-12-31T23:59:59Z"),
            (Tag::GeneralizedTime, "19491231235959Z", "1949-12-31T23:59:59Z"),
        ] {
            assert_eq!(read(tag, text).as_deref(), Some(expected));
            let time = X509Time::read((tag, text.as_bytes())).unwrap();
            assert_eq!(items_of(&time.to_der()).unwrap(), [(tag, text.as_bytes())]);
        }
        let date = "2026-02-28".parse().unwrap();
        assert_eq!(X509Time::start_of(date).to_string(), "2026-02-28T00:00:00Z");
        assert_eq!(X509Time::end_of(date).to_string(), "2026-02-28T23:59:59Z");
    }

    #[test]
    fn wrong_times_are_rejected() {
        for text in [
            "",
            "Z",
            "251125000000",
            "2511250000Z",
            "251125000000+0100",
            "25112500000aZ",
            "251125240000Z",
            "251125006000Z",
            "251125000060Z",
            "250229000000Z",
            "251325000000Z",
            "+51125000000Z",
            "20251125000000Z",
        ] {
            assert_eq!(read(Tag::UtcTime, text), None, "{text}");
        }
        for text in [
            "20491231235959Z",
            "19500101000000Z",
            "205001010000Z",
            "20500101000000.5Z",
            "20500101000000",
            "200101000000Z",
        ] {
            assert_eq!(read(Tag::GeneralizedTime, text), None, "{text}");
        }
        assert_eq!(read(Tag::Utf8String, "251125000000Z"), None);
    }
}
