//! Key files and signature files: reading, checking, unlocking and converting them.
//!
//! - `loader`: reads keys and signatures, and checks private keys in full
//! - `unlock`: passwords of encrypted private keys
//! - `signature_file`: reads the signatures in a signature file
//! - `cms_file`: describes CMS signatures
//! - `jws_file`: describes JSON Web Signatures
//! - `ssh_signature`: describes SSH signatures
//! - `swapped_files`: explains errors that are caused by two swapped files
//! - `protected_files`: detects the files that must not be signed, for example private keys
//! - `pair`: creates and writes a key pair
//! - `key_file_options`: the format of a new key file
//! - `key_note`: the line with the fingerprint before the PEM block of a key
//! - `recode`: converts keys to a different scheme, and signatures to a different encoding

pub mod cms_file;
pub mod jws_file;
pub mod key_file_options;
pub mod key_note;
pub mod loader;
pub mod pair;
pub mod protected_files;
pub mod recode;
pub mod signature_file;
pub mod ssh_signature;
pub mod swapped_files;
pub mod unlock;
