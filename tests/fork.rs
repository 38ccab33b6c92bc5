//! Tests that two processes do not use the same nonces after a fork. The library keeps no state of
//! a random generator, so a child process does not inherit such a state.

mod common;

use common::library::{KeygenMemory, fn_dsa, keygen};
use fndsa::algorithm::{Degree, Scheme};
use fndsa::batch::ExpandedSigningKey;
use fndsa::message::Mu;
use fndsa::no_alloc::Level;
use getrandom::SysRng;
use std::collections::BTreeSet;
use std::io::{Read, Write, pipe};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
}

const NONCE: usize = 40;

/// Returns the nonces in signatures of a single message.
fn nonces(key: &ExpandedSigningKey, count: usize) -> Vec<u8> {
    let (mut signature, mut work) =
        (vec![0; key.algorithm().signature_len()], vec![0; key.algorithm().sign_expanded_work_len()]);
    let mu = Mu::from_bytes([7; 64]);
    let mut all = Vec::with_capacity(count * NONCE);
    for _ in 0..count {
        key.sign(&mu, &mut SysRng, &mut signature, &mut work).expect("a signature");
        all.extend_from_slice(&signature[1..1 + NONCE]);
    }
    all
}

#[test]
fn no_nonce_is_repeated_after_a_fork() {
    let (level, algorithm) = (Level::detect(), fn_dsa(Degree::from_logn(4).expect("a degree")));
    let (sk, _) = keygen(level, algorithm, &[5; 32], KeygenMemory::Most);
    let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
    let key = fndsa::testing::signing_key(level, Scheme::FnDsa, &sk, &mut work).expect("a key");
    let key = key.expand(level, &mut work).expect("an expanded key");

    let mut all = nonces(&key, 10_000);
    let (mut reader, mut writer) = pipe().expect("a pipe");
    // SAFETY: the child process only signs, writes to its pipe and exits. The process has only one
    // other thread, which waits for the thread that calls `fork`.
    let child = unsafe { fork() };
    assert!(child >= 0, "no second process");
    if child == 0 {
        let is_written = writer.write_all(&nonces(&key, 1000)).is_ok();
        // SAFETY: the child must not run the parent's exit handlers, so it exits at once.
        unsafe { _exit(i32::from(!is_written)) }
    }
    drop(writer);
    all.extend(nonces(&key, 1000));
    reader.read_to_end(&mut all).expect("the child's nonces");
    let mut status = 0;
    // SAFETY: `waitpid` writes only to `status`, which is valid memory for an `int`.
    assert!(unsafe { waitpid(child, &raw mut status, 0) } == child && status == 0, "the child failed: {status}");

    let distinct: BTreeSet<&[u8]> = all.chunks(NONCE).collect();
    assert_eq!((all.len() / NONCE, distinct.len()), (12_000, 12_000));
}
