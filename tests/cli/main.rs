//! The command line as its users meet it: the program is started, its files, its words and its
//! exit code are looked at. One case is one scenario.
//!
//! Where the machine lacks something that a case needs, the case says `skip: what, why`.

mod accidents;
mod armor;
mod bench;
mod claims;
mod combinations;
mod containers;
mod convert;
mod damaged;
mod descriptors;
mod encryption;
mod explain;
mod failing;
mod faults;
mod files;
mod force;
mod foreign_keys;
mod generated;
mod guarded;
mod habits;
mod harness;
mod hostile_names;
mod jobs;
mod keygen;
mod keytext;
mod lists;
mod manifest;
mod message;
mod messages;
mod mldsa;
mod mldsa_negatives;
mod mutations;
mod names;
mod negative;
mod passwd;
mod passwords;
mod readers;
mod rng;
mod roles;
mod scenarios;
mod schema;
mod schemes;
mod secrecy;
mod secrets;
mod selftest;
mod signals;
mod streams;
mod surface;
mod testvectors;
mod trusted;
mod verdicts;
mod weak;
