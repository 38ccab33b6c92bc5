//! Groups of options that several commands share, and the types of their values.
//!
//! - `key`: options for a private key
//! - `trust`: options for trusted keys
//! - `password`: options for the source of a password
//! - `message`: options for the context and the pre-hash
//! - `lists`: options for many files
//! - `jobs`: the number of threads
//! - `algorithm`: names of algorithms
//! - `form`: names of formats
//! - `needs`: options that have an effect only together with another option
//! - `number`: integers
//! - `suggestions`: values that the help and the shells suggest
//! - `habits`: options from other tools, with a tip for the right option
//! - `single_dash`: detects long options with a single dash
//! - `key_text_arguments`: detects key text in the arguments
//! - `given`: the options of this command line, so that a hint never repeats an option

pub mod algorithm;
pub mod form;
pub mod given;
pub mod habits;
pub mod jobs;
pub mod key;
pub mod key_text_arguments;
pub mod lists;
pub mod message;
pub mod needs;
pub mod number;
pub mod password;
pub mod single_dash;
pub mod suggestions;
pub mod trust;

/// The headings in the help, in the order of the help.
pub mod heading {
    pub const KEYS: &str = "Keys";
    pub const MESSAGE: &str = "Message";
    pub const LISTS: &str = "Lists";
    pub const SEVERAL: &str = "Several signers";
    pub const POLICY: &str = "Policy";
    pub const OUTPUT: &str = "Output";
    pub const EXPERT: &str = "Expert";
    /// All headings. The options without a heading are printed before them.
    pub const ALL: [&str; 7] = [KEYS, MESSAGE, LISTS, SEVERAL, POLICY, OUTPUT, EXPERT];
}
