//! The source of the current date. The clock is read only if a date must be compared.

use crate::tool::report::Error;
use fndsa::files::Date;
use fndsa::verdict::DateSource;
use std::hint::black_box;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

/// The source of the current date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The clock of this machine.
    System,
    /// A date that the user gave with `--at`.
    At(Date),
}

impl Clock {
    /// Creates the source from the value of `--at`: this date, or the machine's clock if the option
    /// is missing.
    pub fn of(at: Option<Date>) -> Self {
        match at {
            Some(date) => Self::At(date),
            None => Self::System,
        }
    }

    /// Returns the current date. The date is computed twice, because a single fault could otherwise
    /// make an expired key valid.
    ///
    /// # Errors
    /// Fails if the date is before 1970 or after 9999, or if the two dates differ in both attempts.
    pub fn today(self) -> Result<Date, Error> {
        // If midnight is between the two computations, the dates differ, and the second attempt
        // succeeds.
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
                if let Ok(passed) = SystemTime::now().duration_since(UNIX_EPOCH)
                    && let Some(today) = Date::of_unix_seconds(passed.as_secs())
                {
                    return Ok(today);
                }
                let no_day = io::Error::other("the date is not between 1970 and 9999");
                Err(Error::io("the clock of this machine", no_day))
            }
        }
    }

    /// Returns the date and its source as text for messages, for example `1996-02-29 (--at)`.
    pub fn words(self, today: Date) -> String {
        match self {
            Self::System => format!("{today} (the clock of this machine, UTC)"),
            Self::At(_) => format!("{today} (--at)"),
        }
    }
}

impl DateSource for Clock {
    type Error = Error;

    fn today(&self) -> Result<Date, Error> {
        Self::today(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_date_is_used() {
        let date = "1996-02-29".parse().unwrap();
        assert_eq!(Clock::of(Some(date)).today().unwrap(), date);
        assert_eq!(Clock::At(date).words(date), "1996-02-29 (--at)");
    }

    #[test]
    fn the_clock_of_this_machine_advances() {
        let clock = Clock::of(None);
        let (before, after) = (clock.today().unwrap(), clock.today().unwrap());
        assert!(before <= after && after < Date::MAX);
        assert!(clock.words(before).ends_with(" (the clock of this machine, UTC)"));
    }
}
