//! Parses integers on the command line.

use std::ops::RangeInclusive;

/// The suffixes for a number of bytes, and their factors.
const UNITS: [(char, u32); 3] = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];

/// Returns the parser for a number in this range.
pub fn number(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| match digits(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => Err(wanted(&range)),
    }
}

/// Returns the parser for a number of bytes in this range. The suffixes K, M and G multiply the
/// number by 1024, 1024^2 and 1024^3.
pub fn size(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| match with_unit(text) {
        Some(size) if range.contains(&size) => Ok(size),
        _ => Err(format!("{}, with or without K, M or G", wanted(&range))),
    }
}

/// Parses a number with or without a suffix from [`UNITS`].
fn with_unit(text: &str) -> Option<u32> {
    for (letter, bytes) in UNITS {
        if let Some(text) = text.strip_suffix(letter) {
            return digits(text)?.checked_mul(bytes);
        }
    }
    digits(text)
}

/// Describes a range of numbers in the form "expected a number from 1 to 5".
pub fn wanted(range: &RangeInclusive<u32>) -> String {
    format!("expected a number from {} to {}", range.start(), range.end())
}

fn digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_rejected() {
        let read = number(3..=100);
        assert_eq!((read("3"), read("100"), read("007")), (Ok(3), Ok(100), Ok(7)));
        for bad in ["", "2", "101", "-3", "+3", "3 ", "0x3", "x", "3K", "99999999999999999999", "３"] {
            assert_eq!(read(bad), Err("expected a number from 3 to 100".to_owned()), "{bad:?}");
        }
    }

    #[test]
    fn sizes_have_units() {
        let read = size(0..=1 << 30);
        assert_eq!((read("0"), read("16"), read("4K"), read("3M")), (Ok(0), Ok(16), Ok(4096), Ok(3 << 20)));
        assert_eq!((read("1G"), read("1024M"), read("0G")), (Ok(1 << 30), Ok(1 << 30), Ok(0)));
        for bad in ["", "K", "2G", "4G", "5G", "1k", "1KB", "1 K", "1073741825", "-1K"] {
            let why = "expected a number from 0 to 1073741824, with or without K, M or G";
            assert_eq!(read(bad), Err(why.to_owned()), "{bad:?}");
        }
    }
}
