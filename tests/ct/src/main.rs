//! The program that `tests/ct/run` runs under valgrind, and that `tests/ct/msan` builds with
//! MemorySanitizer. It runs all operations for a degree (or an ML-DSA parameter set) on a level (an
//! instruction set), and declares secrets as undefined bytes. Both tools report each branch and
//! each address that depends on an undefined byte. Values that may become public are declassified
//! (docs/constant-time.md).
//!
//! Arguments: a level, and a degree or 44, 65, 87. The exit codes are:
//!
//! - 0: valgrind reported all three controls (operations that depend on a secret), and reported
//!   nothing else;
//! - 1: valgrind reported an operation that is not a control, or did not report a control;
//! - 2: the arguments are wrong, or the program does not run under valgrind;
//! - 3: the CPU does not have the level.
//!
//! MemorySanitizer only prints its reports, so the exit code does not depend on them.

#[cfg(not(fndsa_memcheck))]
fn main() {
    eprintln!("built without --cfg fndsa_memcheck: use tests/ct/run");
    std::process::exit(2);
}

#[cfg(fndsa_memcheck)]
fn main() {
    checked::main();
}

#[cfg(fndsa_memcheck)]
mod checked {
    use fndsa::algorithm::{Degree, Scheme, SignatureEncoding};
    use fndsa::message::Mu;
    use fndsa::no_alloc::{Attempt, Level, SigningHasher, SigningKeyRef};
    use fndsa::testing::memcheck::{errors, poison, unpoison, unpoison_at};
    use fndsa::testing::{FixedBytes, FlashMemory, OutOfBytesError};
    use fndsa::{Algorithm, Options, hex};
    use rand_core::{TryCryptoRng, TryRng};
    use std::cell::Cell;
    use std::hint::black_box;
    use std::process::exit;

    /// A generator that declares its output secret.
    struct SecretRng<'a>(FixedBytes<'a>);

    impl TryRng for SecretRng<'_> {
        type Error = OutOfBytesError;
        fn try_next_u32(&mut self) -> Result<u32, OutOfBytesError> {
            self.0.try_next_u32()
        }
        fn try_next_u64(&mut self) -> Result<u64, OutOfBytesError> {
            self.0.try_next_u64()
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), OutOfBytesError> {
            self.0.try_fill_bytes(out)?;
            poison(out);
            Ok(())
        }
    }

    impl TryCryptoRng for SecretRng<'_> {}

    /// Runs `f`, and returns the number of reports by valgrind.
    fn count_reports(what: &str, f: impl FnOnce()) -> usize {
        let errors_before = errors().unwrap_or(0);
        if cfg!(fndsa_msan) {
            // MemorySanitizer prints its reports after this line.
            eprintln!("== {what}");
        }
        f();
        let report_count = errors().unwrap_or(0) - errors_before;
        println!("{what}: {report_count} reports");
        report_count
    }

    /// Runs three operations that depend on a secret (the controls), and returns whether the tool
    /// reported all three. If the tool misses a control, it could also miss a leak in the library.
    fn run_controls() -> bool {
        #[inline(never)]
        fn branch(secret: &[u8; 32]) -> u32 {
            secret.iter().fold(1, |x, &b| if b & 1 == 1 { black_box(x * 3) } else { black_box(x ^ 5) })
        }
        #[inline(never)]
        fn lookup(table: &[u8; 256], secret: &[u8; 32]) -> u8 {
            secret.iter().fold(0, |x, &b| x ^ table[usize::from(b)])
        }
        #[inline(never)]
        fn compare(x: f64) -> u32 {
            if x < 0.5 { black_box(1) } else { black_box(2) }
        }
        let (mut secret, table, mut x) = ([7; 32], black_box([9; 256]), 0.25);
        poison(&mut secret);
        poison(&mut x);
        let report_counts = [
            count_reports("control, a branch", || _ = black_box(branch(&secret))),
            count_reports("control, a table", || _ = black_box(lookup(&table, &secret))),
            count_reports("control, a float", || _ = black_box(compare(x))),
        ];
        report_counts.iter().all(|&count| count > 0)
    }

    /// Returns a copy of a private key. All bytes are declared secret, except the header and the
    /// stored hash of the public key.
    fn secret_copy(algorithm: Algorithm, key: &[u8]) -> Vec<u8> {
        let mut copy = key.to_vec();
        let hash_len = if algorithm.scheme() == Scheme::FnDsa { 64 } else { 0 };
        poison(&mut copy[..]);
        let len = copy.len();
        unpoison(&mut copy[..1]);
        unpoison(&mut copy[len - hash_len..]);
        copy
    }

    /// The number of signatures for each way to sign with a Falcon key. For ML-DSA, a quarter of
    /// this number is enough. With eight signatures, rare branches also run, such as a second
    /// attempt at a signature.
    const SIGNATURES: u8 = 8;

    /// Runs the operations of FN-DSA or Falcon, and returns the number of reports. Only FN-DSA
    /// signs with a basis, with an expanded key outside a batch, and with the fast generator.
    fn run_operations(level: Level, algorithm: Algorithm) -> usize {
        let scheme = algorithm.scheme();
        let degree = algorithm.degree().expect("a degree");
        let mut sum = 0;
        let mut check = |what: &str, f: &mut dyn FnMut()| {
            sum += count_reports(&format!("{level}, {algorithm}, {what}"), f);
        };
        let mut keys = vec![(vec![], vec![]); 3];
        for (i, (sk, vk)) in keys.iter_mut().enumerate() {
            *sk = vec![0; algorithm.signing_key_len()];
            *vk = vec![0; algorithm.verifying_key_len()];
            let len = [algorithm.keygen_work_len(), algorithm.keygen_fast_work_len()][i % 2];
            let (seed, mut work) = ([i as u8; 32], vec![0; len]);
            check("keygen", &mut || {
                let rng = &mut SecretRng(FixedBytes(&seed));
                SigningKeyRef::generate(level, algorithm, rng, sk, vk, &mut work).expect("a key");
            });
        }
        let (sk, vk) = &keys[0];
        let sk = secret_copy(algorithm, sk);
        let (mut digits, mut parsed_key) = (vec![0; 2 * sk.len()], vec![0; sk.len()]);
        check("hexadecimal digits", &mut || {
            hex::encode(&sk, &mut digits);
            assert!(hex::decode(&digits, &mut parsed_key));
        });
        let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.import_work_len())];
        check("import", &mut || {
            fndsa::testing::signing_key(level, scheme, &sk, &mut work).expect("a good key");
        });
        let key = fndsa::testing::signing_key(level, scheme, &sk, &mut work).expect("a good key");
        let mut public = vec![0; vk.len()];
        check("public key", &mut || {
            key.verifying_key_into(level, &mut public, &mut work).expect("a public key");
            assert_eq!(&public, vk);
        });
        let other_scheme = if scheme == Scheme::FnDsa { Scheme::Falcon } else { Scheme::FnDsa2024 };
        let mut converted =
            vec![0; Algorithm::at_degree(other_scheme, degree).expect("an algorithm").signing_key_len()];
        check("convert", &mut || {
            key.convert_into(level, other_scheme, &mut converted, &mut work).expect("a key");
        });

        let mut basis = FlashMemory::new(algorithm.basis_len().expect("a length"));
        check("basis", &mut || key.write_basis(level, &mut work, |part| basis.write(part)).expect("a basis"));
        let mut with_basis = None;
        check("take the basis", &mut || {
            with_basis = Some(key.with_basis(level, basis.bytes()).expect("the basis of this key"));
        });
        let with_basis = with_basis.expect("`check` calls the closure");

        let mut signature = vec![0; algorithm.signature_len()];
        let verifying = fndsa::testing::verifying_key(scheme, vk).expect("a good key");
        if scheme == Scheme::FnDsa {
            let mut expanded = None;
            check("expand", &mut || expanded = Some(key.expand(level, &mut work).expect("enough memory")));
            let expanded = expanded.expect("`check` calls the closure");
            for i in 0..SIGNATURES {
                let (mu, random) = (Mu::from_bytes([i; 64]), [i ^ 0x55; 40]);
                let rng = || SecretRng(FixedBytes(&random));
                for len in [algorithm.sign_work_len(), work.len()] {
                    check("sign", &mut || {
                        key.sign(level, &mu, &mut rng(), &mut signature, &mut work[..len]).expect("a signature")
                    });
                }
                for len in [algorithm.sign_with_basis_work_len(), work.len()] {
                    check("sign, basis", &mut || {
                        with_basis.sign(&mu, &mut rng(), &mut signature, &mut work[..len]).expect("a signature");
                    });
                }
                check("sign, expanded", &mut || {
                    expanded.sign(&mu, &mut rng(), &mut signature, &mut work).expect("a signature");
                });
                check("verify", &mut || {
                    verifying.verify(level, &mu, &signature, &mut work).expect("a valid signature")
                });
                check("sign, fast generator", &mut || {
                    expanded.sign_fast_rng(&mu, &mut rng(), &mut signature, &mut work).expect("a signature");
                });
            }
            // Signs a batch that fills all lanes, and a batch that fills only some lanes.
            let messages: Vec<_> = (0..SIGNATURES).map(|i| Mu::from_bytes([i; 64])).collect();
            let mut work = vec![0; algorithm.sign_batch_work_len()];
            for count in [8, 3] {
                let random: Vec<_> = (0..40 * count).map(|i| i as u8 ^ 0x33).collect();
                let mut signatures = vec![0; count * signature.len()];
                check("sign, batch", &mut || {
                    let rng = &mut SecretRng(FixedBytes(&random));
                    expanded.sign_batch(&messages[..count], rng, &mut signatures, &mut work).expect("signatures");
                });
                check("verify", &mut || {
                    for (mu, batch_signature) in messages.iter().zip(signatures.chunks_exact(signature.len())) {
                        verifying.verify(level, mu, batch_signature, &mut work).expect("a valid signature");
                    }
                });
            }
        } else {
            for i in 0..SIGNATURES {
                let mut attempts = [Attempt::EMPTY; 4];
                let random = [i ^ 0x55; 160];
                check("sign", &mut || {
                    // The nonces are public.
                    let (hash, rng) = (key.key_hash(), &mut FixedBytes(&random));
                    let message = SigningHasher::new(level, algorithm, &hash, Options::default(), &mut attempts, rng);
                    let message = message.expect("nonces").finish();
                    let rng = &mut SecretRng(FixedBytes(&random[..40]));
                    key.sign(level, message, rng, &mut signature, &mut work).expect("a signature");
                });
            }
            let expanded = key.expand(level, &mut work).expect("enough memory");
            let mut work = vec![0; algorithm.sign_batch_work_len()];
            for count in [8, 3] {
                let random: Vec<_> = (0..160 * count).map(|i| i as u8 ^ 0x33).collect();
                let mut attempts: Vec<_> = (0..count).map(|_| [Attempt::EMPTY; 4]).collect();
                let mut signatures = vec![0; count * signature.len()];
                check("sign, batch", &mut || {
                    let (hash, nonces) = (key.key_hash(), &mut FixedBytes(&random));
                    let messages: Vec<_> = attempts
                        .iter_mut()
                        .map(|attempts| {
                            let message =
                                SigningHasher::new(level, algorithm, &hash, Options::default(), attempts, nonces);
                            message.expect("nonces").finish()
                        })
                        .collect();
                    let rng = &mut SecretRng(FixedBytes(&random));
                    expanded.sign_batch(messages, rng, &mut signatures, &mut work).expect("signatures");
                });
                check("verify", &mut || {
                    for batch_signature in signatures.chunks_exact(signature.len()) {
                        verifying
                            .verify_message(level, Options::default(), b"", batch_signature, &mut work)
                            .expect("a valid signature");
                    }
                });
            }
        }
        let decoded_signature = fndsa::testing::signature(scheme, &signature).expect("a signature");
        let mut out = vec![0; algorithm.encoded_signature_len(SignatureEncoding::Padded)];
        check("the signature is public", &mut || {
            _ = black_box(decoded_signature.recode_into(SignatureEncoding::Padded, &mut out))
        });
        sum
    }

    /// Returns the algorithms for an argument: FN-DSA and Falcon with a degree, or an ML-DSA
    /// parameter set.
    fn algorithms(argument: &str) -> Vec<Algorithm> {
        let is_named = |algorithm: &Algorithm| algorithm.to_string().ends_with(&format!("-{argument}"));
        let ml_dsa: Vec<Algorithm> = Algorithm::of_scheme(Scheme::MlDsa).filter(is_named).collect();
        if !ml_dsa.is_empty() {
            return ml_dsa;
        }
        let degree = argument.parse().ok().and_then(|n: u32| Degree::from_logn(n.checked_ilog2()?));
        let degree = degree.expect("a degree, or a set of ML-DSA");
        [Scheme::FnDsa, Scheme::Falcon].map(|scheme| Algorithm::at_degree(scheme, degree).expect("an algorithm")).into()
    }

    /// Runs the ML-DSA operations, with the smallest and with the largest work memory that they
    /// use. Returns the number of reports.
    fn run_ml_dsa_operations(level: Level, algorithm: Algorithm) -> usize {
        let scheme = algorithm.scheme();
        let mut sum = 0;
        let mut check = |what: &str, f: &mut dyn FnMut()| {
            sum += count_reports(&format!("{level}, {algorithm}, {what}"), f);
        };
        let mut public = vec![0; algorithm.verifying_key_len()];
        for (i, len) in [algorithm.keygen_work_len(), algorithm.keygen_fast_work_len()].into_iter().enumerate() {
            let (seed, mut work) = ([i as u8; 32], vec![0; len]);
            let mut private = vec![0; algorithm.signing_key_len()];
            check("keygen", &mut || {
                let rng = &mut SecretRng(FixedBytes(&seed));
                SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
            });
        }
        let mut seed = [1; 32];
        poison(&mut seed);
        let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.import_fast_work_len())];
        let mut least_work = vec![0; algorithm.import_work_len()];
        for work in [&mut least_work, &mut work] {
            check("seed", &mut || _ = SigningKeyRef::from_seed(level, algorithm, &seed, work).expect("a key"));
        }
        let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).expect("a key");
        let mut form = vec![0; algorithm.expanded_form_len().expect("ML-DSA has an expanded form")];
        check("expanded form", &mut || key.expanded_form_into(level, &mut form, &mut work).expect("enough memory"));
        // Declares all bytes of the expanded form secret, including rho and tr, which are public.
        // The import must not branch on rho and tr before it has checked the key.
        poison(&mut form[..]);
        for work in [&mut least_work, &mut work] {
            check("import", &mut || _ = fndsa::testing::signing_key(level, scheme, &form, work).expect("a good key"));
        }
        // All operations except the import may branch on rho and tr.
        unpoison(&mut form[..32]);
        unpoison(&mut form[64..128]);
        let imported = fndsa::testing::signing_key(level, scheme, &form, &mut work).expect("a good key");
        for key in [&key, &imported] {
            let mut same_public = vec![0; public.len()];
            check("public key", &mut || {
                key.verifying_key_into(level, &mut same_public, &mut work).expect("a public key");
                assert_eq!(same_public, public);
            });
        }
        let mut expanded = None;
        check("expand", &mut || expanded = Some(key.expand(level, &mut work).expect("enough memory")));
        let expanded = expanded.expect("`check` calls the closure");

        let verifying = fndsa::testing::verifying_key(scheme, &public).expect("a good key");
        let mut signature = vec![0; algorithm.signature_len()];
        for i in 0..SIGNATURES / 4 {
            let (mu, random) = (Mu::from_bytes([i; 64]), [i ^ 0x55; 32]);
            let rng = || SecretRng(FixedBytes(&random));
            for (what, key) in [("sign, seed", &key), ("sign, expanded form", &imported)] {
                for len in [key.sign_work_len(), algorithm.sign_matrix_work_len(), work.len()] {
                    check(what, &mut || {
                        let work = &mut work[..len];
                        key.sign(level, &mu, &mut rng(), &mut signature, work).expect("a signature");
                    });
                }
            }
            check("sign, deterministic", &mut || {
                key.sign_deterministic(level, &mu, &mut signature, &mut work).expect("a signature");
            });
            check("sign, expanded", &mut || {
                expanded.sign(&mu, &mut rng(), &mut signature, &mut work).expect("a signature");
            });
            check("verify", &mut || verifying.verify(level, &mu, &signature, &mut work).expect("a valid signature"));
        }
        // Signs a batch with more messages than slots (states of a signature in the work memory),
        // so that a slot gets a second message.
        let messages: Vec<_> = (0..SIGNATURES).map(|i| Mu::from_bytes([i; 64])).collect();
        let random: Vec<_> = (0..=u8::MAX).map(|i| i ^ 0x33).collect();
        let mut signatures = vec![0; messages.len() * signature.len()];
        let mut batch_work = vec![0; algorithm.sign_batch_work_len()];
        check("sign, batch", &mut || {
            let rng = &mut SecretRng(FixedBytes(&random));
            expanded.sign_batch(&messages, rng, &mut signatures, &mut batch_work).expect("signatures");
        });
        check("verify", &mut || {
            for (mu, batch_signature) in messages.iter().zip(signatures.chunks_exact(signature.len())) {
                verifying.verify(level, mu, batch_signature, &mut work).expect("a valid signature");
            }
        });
        sum
    }

    pub fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [level, n] = &arguments[..] else {
            eprintln!("usage: ct LEVEL DEGREE|44|65|87");
            exit(2);
        };
        let Some(level) = Level::from_name(level) else {
            println!("skip: {level}, this CPU does not have it");
            exit(3);
        };
        let algorithms = algorithms(n);
        if errors().is_none() {
            eprintln!("this is for valgrind: use tests/ct/run");
            exit(2);
        }
        // A static C library requests the memory of thread-local variables directly from the
        // system. valgrind does not see this request, so this program declares the memory around a
        // thread-local variable as defined.
        thread_local!(static THREAD_BYTE: Cell<u8> = const { Cell::new(0) });
        THREAD_BYTE.with(|byte| unpoison_at(byte.as_ptr() as usize - 2048, 8192));
        if !run_controls() && !cfg!(fndsa_msan) {
            eprintln!("a control was not reported, so this check cannot find errors");
            exit(1);
        }
        let operations = |algorithm: Algorithm| match algorithm.scheme() {
            Scheme::MlDsa => run_ml_dsa_operations(level, algorithm),
            _ => run_operations(level, algorithm),
        };
        let report_count: usize = algorithms.into_iter().map(operations).sum();
        exit(i32::from(report_count > 0));
    }
}
