//! Groups of options that several commands have, and what their values are.

pub mod algorithm;
pub mod form;
pub mod given;
pub mod habits;
pub mod jobs;
pub mod key;
pub mod lists;
pub mod message;
pub mod number;
pub mod offering;
pub mod password;
pub mod spilled;
pub mod trust;
