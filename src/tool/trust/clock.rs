//! The day that dates are compared with. Nothing asks for it but what has a date to compare.

use crate::tool::report::Error;
use fndsa::files::Date;
use fndsa::verdict::Calendar;
use std::hint::black_box;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the day comes from that dates are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The clock of this machine.
    System,
    /// A day that the user has named.
    At(Date),
}

impl Clock {
    /// Returns the clock for the value of `--at`.
    pub fn of(at: Option<Date>) -> Self {
        at.map_or(Self::System, Self::At)
    }

    /// Returns today. The day is computed twice: a fault of the machine must not make an old key valid.
    ///
    /// # Errors
    /// The clock of this machine is before 1970 or after 9999, or two days in turn differ.
    pub fn today(self) -> Result<Date, Error> {
        // Between two readings midnight may pass, once.
        for _ in 0..2 {
            let first = black_box(self).day()?;
            let second = black_box(self).day()?;
            if first == second {
                return Ok(black_box(second));
            }
        }
        Err(Error::Internal("the day of the clock changes at each reading".to_owned()))
    }

    #[inline(never)]
    fn day(self) -> Result<Date, Error> {
        match self {
            Self::At(date) => Ok(date),
            Self::System => {
                let passed = SystemTime::now().duration_since(UNIX_EPOCH).ok();
                match passed.and_then(|passed| Date::of_unix_seconds(passed.as_secs())) {
                    Some(today) => Ok(today),
                    None => {
                        let no_day = io::Error::other("the date is not between 1970 and 9999");
                        Err(Error::io("the clock of this machine", no_day))
                    }
                }
            }
        }
    }

    /// Returns in words the day that this clock has given, and where it comes from.
    pub fn words(self, today: Date) -> String {
        match self {
            Self::System => format!("{today} (the clock of this machine, UTC)"),
            Self::At(_) => format!("{today} (--at)"),
        }
    }
}

impl Calendar for Clock {
    type Error = Error;

    fn today(&self) -> Result<Date, Error> {
        Self::today(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_is_named_is_that_day() {
        let date = "1996-02-29".parse().unwrap();
        assert_eq!(Clock::of(Some(date)).today().unwrap(), date);
        assert_eq!(Clock::At(date).words(date), "1996-02-29 (--at)");
    }

    #[test]
    fn the_clock_of_this_machine_goes_on() {
        let clock = Clock::of(None);
        let (before, after) = (clock.today().unwrap(), clock.today().unwrap());
        assert!(before <= after && after < Date::MAX);
        assert!(clock.words(before).ends_with(" (the clock of this machine, UTC)"));
    }
}
