//! Dates in UTC, written in the form `2026-12-31`. Lists of checksums contain such dates, and so do
//! key lines, for example `not-after: 2026-12-31` before a public key.

use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The number of days in each month of a common year.
const DAYS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// A date in the Gregorian calendar, in UTC, with a year of four digits. Later dates are greater
/// than earlier dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    // The derived comparison compares the fields in this order.
    year: u16,
    month: u8,
    day: u8,
}

/// The error for a text that is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a day of the calendar in the form YYYY-MM-DD")]
pub struct DateError;

impl Date {
    /// 9999-12-31, the largest representable date.
    pub const MAX: Self = Self { year: 9999, month: 12, day: 31 };

    /// Parses a date of the form `YYYY-MM-DD`.
    ///
    /// # Errors
    /// Fails if the text does not have this form, or if the date does not exist.
    pub fn from_bytes(text: &[u8]) -> Result<Self, DateError> {
        let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = text else { return Err(DateError) };
        let year = number(&[*y0, *y1, *y2, *y3])?;
        let month = number(&[*m0, *m1])? as u8;
        let day = number(&[*d0, *d1])? as u8;
        if (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day) {
            Ok(Self { year, month, day })
        } else {
            Err(DateError)
        }
    }

    /// Returns the date for a Unix time, which is the number of seconds since the start of 1970
    /// without leap seconds. Returns `None` if the date is after the year 9999.
    pub fn of_unix_seconds(seconds: u64) -> Option<Self> {
        let mut days_left = seconds / SECONDS_OF_DAY;
        let mut year = 1970;
        while !is_within(&mut days_left, 365 + u64::from(is_leap(year))) {
            if year == Self::MAX.year {
                return None;
            }
            year += 1;
        }
        for month in 1..=12 {
            if is_within(&mut days_left, days_in_month(year, month).into()) {
                // `days_left` is less than the number of days in this month, so it fits in a `u8`.
                return Some(Self { year, month, day: days_left as u8 + 1 });
            }
        }
        None
    }

    /// Returns the next date. Returns `None` for [`Self::MAX`].
    pub fn next(self) -> Option<Self> {
        let Self { year, month, day } = self;
        match (month, day) {
            _ if day < days_in_month(year, month) => Some(Self { day: day + 1, ..self }),
            (12, _) if year < Self::MAX.year => Some(Self { year: year + 1, month: 1, day: 1 }),
            (12, _) => None,
            _ => Some(Self { year, month: month + 1, day: 1 }),
        }
    }

    /// Returns the previous date. Returns `None` for the first day of the year 0.
    pub fn previous(self) -> Option<Self> {
        let Self { year, month, day } = self;
        match (month, day) {
            (_, 2..) => Some(Self { day: day - 1, ..self }),
            (1, _) => Some(Self { year: year.checked_sub(1)?, month: 12, day: 31 }),
            _ => Some(Self { year, month: month - 1, day: days_in_month(year, month - 1) }),
        }
    }
}

/// Returns whether a date is in a period of `days` days, for example a month. `days_left` is the
/// number of days from the start of the period to the date. If the result is false, this function
/// subtracts `days` from `days_left`, which then counts from the start of the next period.
fn is_within(days_left: &mut u64, days: u64) -> bool {
    match days_left.checked_sub(days) {
        Some(remainder) => {
            *days_left = remainder;
            false
        }
        None => true,
    }
}

/// Converts at most four decimal digits to a number.
fn number(digits: &[u8]) -> Result<u16, DateError> {
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return Err(DateError);
        }
        value = 10 * value + u16::from(digit - b'0');
    }
    Ok(value)
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Returns the number of days in a month, which is a number from 1 to 12.
fn days_in_month(year: u16, month: u8) -> u8 {
    DAYS[usize::from(month) - 1] + u8::from(month == 2 && is_leap(year))
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        Self::from_bytes(text.as_bytes())
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn dates_round_trip_and_are_in_order() {
        let days = ["0000-01-01", "1969-12-31", "2000-02-29", "2026-01-31", "2026-02-01", "2026-10-09", "9999-12-31"];
        for pair in days.windows(2) {
            assert!(date(pair[0]) < date(pair[1]), "{pair:?}");
        }
        assert!(days.iter().all(|day| date(day).to_string() == *day));
        assert_eq!(date("9999-12-31"), Date::MAX);
    }

    #[test]
    fn next_and_previous_are_inverse() {
        let mut day = date("1999-12-30");
        for _ in 0..1500 {
            let next = day.next().unwrap();
            assert!(day < next && next.previous() == Some(day), "{day} {next}");
            day = next;
        }
        assert_eq!(day, date("2004-02-07"));
        assert_eq!((Date::MAX.next(), date("0000-01-01").previous()), (None, None));
    }

    #[test]
    fn text_that_is_not_a_date_is_rejected() {
        for text in [
            "",
            "2026",
            "2026-1-01",
            "2026-01-1",
            "26-01-01",
            "12026-01-01",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-04-31",
            "2026-02-29",
            "1900-02-29",
            "2100-02-29",
            "2026/01/01",
            "20260101",
            "2026-01-01 ",
            " 2026-01-01",
            "2026-01-01Z",
            "+026-01-01",
            "2026--1-01",
            "2026-01-0x",
            "２０２６-01-01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(DateError), "{text:?}");
        }
    }

    /// The expected dates are the output of `date -u -d @SECONDS +%F` from coreutils.
    #[test]
    fn seconds_become_days() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (68_169_600, "1972-02-29"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
            (253_402_300_799, "9999-12-31"),
        ] {
            assert_eq!(Date::of_unix_seconds(seconds).map(|day| day.to_string()).as_deref(), Some(day), "{seconds}");
        }
        assert_eq!(Date::of_unix_seconds(253_402_300_800), None);
        assert_eq!(Date::of_unix_seconds(u64::MAX), None);
    }

    /// Tests that `of_unix_seconds` returns every date that the parser accepts, in order and
    /// without gaps.
    #[test]
    fn every_date_is_reached() {
        let mut before = date("1969-12-31");
        for day in 0..200_000 {
            let this = Date::of_unix_seconds(day * SECONDS_OF_DAY).unwrap();
            let next = (before.year, before.month, before.day + 1);
            let month = (before.year, before.month + 1, 1);
            let year = (before.year + 1, 1, 1);
            let exists = |(year, month, day)| Date { year, month, day }.to_string().parse::<Date>().ok();
            assert_eq!(exists(next).or_else(|| exists(month)).or_else(|| exists(year)), Some(this));
            before = this;
        }
    }
}
