//! The traced operations. `run_traced` runs an operation in a child process, and `compared.rs`
//! reads the lists of operations.

use crate::marks::{mark as traced, permit};
use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::KeyError;
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, Level, SigningHasher, SigningKeyRef};
use fndsa::subroutine::{PreparedSubroutine, Subroutine};
use fndsa::testing::{FixedBytes, FlashMemory};
use fndsa::{Algorithm, Options, hex};
use std::hint::black_box;

/// An operation that is traced.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "only the process that compares traces reads `declassified`")
)]
pub struct TracedOperation {
    /// The unique name, which is also an argument of the child process.
    pub name: &'static str,
    scheme: Scheme,
    /// The branches that may depend on declassified values (docs/constant-time.md). Each string is
    /// a part of a function name, path or source line. It matches a branch if the branch's code
    /// comes from this place, or was inlined into it.
    pub declassified: &'static [&'static str],
    /// The test divides the number of secrets by `secrets_divisor`, and uses at least two secrets.
    /// The number is greater than 1 for slow operations.
    pub secrets_divisor: u8,
    run: fn(&OperationInputs),
}

impl TracedOperation {
    const fn new(name: &'static str, scheme: Scheme, run: fn(&OperationInputs)) -> Self {
        Self { name, scheme, declassified: &[], secrets_divisor: 1, run }
    }

    /// Adds the branches that may depend on declassified values.
    const fn declassifying(self, declassified: &'static [&'static str]) -> Self {
        Self { declassified, ..self }
    }

    const fn secrets_divisor(self, secrets_divisor: u8) -> Self {
        Self { secrets_divisor, ..self }
    }
}

/// The control that branches on its secret.
pub static LEAKS: TracedOperation = TracedOperation::new("control, a branch", Scheme::FnDsa, |inputs| {
    #[inline(never)]
    fn branch(secret: &[u8; 32]) -> u32 {
        secret.iter().fold(1, |x, &b| if b & 1 == 1 { black_box(x * 3) } else { black_box(x ^ 5) })
    }
    let secret = [inputs.secret; 32];
    traced(|| _ = black_box(branch(black_box(&secret))));
});

/// The control that reads a table at a secret index, for traces with addresses.
pub static LOOKS_UP: TracedOperation = TracedOperation::new("control, a table", Scheme::FnDsa, |inputs| {
    #[inline(never)]
    fn lookup(table: &[u8; 256], secret: &[u8; 32]) -> u8 {
        secret.iter().fold(0, |x, &b| x ^ table[usize::from(b)])
    }
    let (secret, table) = ([inputs.secret; 32], [9; 256]);
    traced(|| _ = black_box(lookup(black_box(&table), black_box(&secret))));
});

/// Places with branches on the number of candidates that the Gaussian sampler uses. This number
/// also determines when the sampler computes new candidates and which bytes it copies.
const SAMPLER: &[&str] = &[
    "src/engine/falcon/sampler/",
    "falcon::sampler::Sampler<",
    "src/engine/hash/shake.rs",
    "hash::shake::",
    // Keccak in assembly, which has no source lines.
    "simd::riscv64::keccak::",
    "memcpy",
    "_wordcopy_",
    "memmove",
    "memset",
];

/// Places where the traces of signing may differ: the places in [`SAMPLER`], and code that encodes
/// and verifies the signature. The signature is public.
pub const SIGN: &[&str] = &[
    "src/engine/falcon/sampler/",
    "falcon::sampler::Sampler<",
    "falcon::sampler::together::SamplerBatch<",
    "src/engine/hash/shake.rs",
    "hash::shake::",
    // Keccak in assembly, which has no source lines.
    "simd::riscv64::keccak::",
    "memcpy",
    "_wordcopy_",
    "memmove",
    "memset",
    "src/engine/hash/message.rs",
    "hash_to_point_with<",
    "falcon::sign::point_into<",
    "src/engine/falcon/point.rs",
    "src/engine/falcon/codec.rs",
    "src/engine/falcon/signature.rs",
    "src/engine/falcon/verify.rs",
    "src/engine/falcon/coefficient_scanner.rs",
    "falcon::coefficient_scanner::CoefficientScanner",
];

/// Places with branches on the number of rejected candidates for the matrix. These candidates are
/// computed from rho, which is part of the public key. The number also determines when new
/// candidates are computed and which bytes are copied. The list includes branches on the rejected
/// candidates for s1 and s2: their number is declassified.
const SEEDS: &[&str] = &[
    "src/engine/mldsa/sample.rs",
    "src/engine/mldsa/expand.rs",
    "mldsa::expand::",
    "mldsa::sample::",
    "src/engine/hash/shake.rs",
    "hash::shake::",
    "src/engine/hash/sponges.rs",
    "hash::sponges::",
    // Keccak in assembly, which has no source lines.
    "simd::riscv64::keccak::",
    "memcpy",
    "_wordcopy_",
    "memmove",
    "memset",
];

/// All operations except the two controls above.
pub static OPERATIONS: [TracedOperation; 32] = [
    TracedOperation::new("control, no branch", Scheme::FnDsa, |inputs| {
        let secret = [inputs.secret; 32];
        traced(|| _ = black_box(black_box(&secret).iter().fold(1, |x, &b| black_box(x ^ b))));
    }),
    TracedOperation::new("import, FN-DSA", Scheme::FnDsa, import),
    TracedOperation::new("import, Falcon", Scheme::Falcon, import),
    TracedOperation::new("public key, FN-DSA", Scheme::FnDsa, public_key),
    TracedOperation::new("public key, Falcon", Scheme::Falcon, public_key),
    TracedOperation::new("convert, FN-DSA to Falcon", Scheme::FnDsa, |inputs| convert(inputs, Scheme::Falcon)),
    TracedOperation::new("convert, Falcon to FN-DSA-2024", Scheme::Falcon, |inputs| convert(inputs, Scheme::FnDsa2024)),
    TracedOperation::new("expand", Scheme::FnDsa, |inputs| {
        let (key, mut work) = (inputs.key(), inputs.work());
        traced(|| _ = black_box(key.expand(inputs.level, &mut work)).expect("enough memory"));
    }),
    TracedOperation::new("basis", Scheme::FnDsa, |inputs| {
        let (key, mut work) = (inputs.key(), inputs.work());
        traced(|| key.write_basis(inputs.level, &mut work, |part| _ = black_box(part)).expect("a basis"));
    }),
    TracedOperation::new("private key to hexadecimal digits", Scheme::FnDsa, |inputs| {
        let mut digits = vec![0; 2 * inputs.private.len()];
        traced(|| hex::encode(&inputs.private, &mut digits));
    }),
    TracedOperation::new("private key of hexadecimal digits", Scheme::FnDsa, |inputs| {
        let (mut digits, mut private) = (vec![0; 2 * inputs.private.len()], vec![0; inputs.private.len()]);
        hex::encode(&inputs.private, &mut digits);
        traced(|| assert!(hex::decode(&digits, &mut private)));
    }),
    TracedOperation::new("fields of a private key, FN-DSA", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::ReadPrivate, 0)
    }),
    TracedOperation::new("fields of a private key, Falcon", Scheme::Falcon, |inputs| {
        inputs.trace_subroutine(Subroutine::ReadPrivate, 0)
    }),
    // For the next operations with `inputs.secret` as the last argument, the secret is the number
    // of untraced calls before the traced call. Each call computes with the output of the previous
    // call.
    TracedOperation::new("keccak-f", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::Keccak, inputs.secret)
    }),
    TracedOperation::new("transforms modulo q", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::Ntt, inputs.secret)
    }),
    TracedOperation::new("transforms over the reals", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::Fft, 0)
    }),
    TracedOperation::new("orthogonal norm", Scheme::FnDsa, |inputs| inputs.trace_subroutine(Subroutine::OrthoNorm, 0)),
    // Each call uses the next seed, so the secret selects the seed.
    TracedOperation::new("draw of f or g", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::Draw, inputs.secret)
    })
    .declassifying(&[
        "while is_even(",
        // Instructions in this loop for which the debug information has no line number.
        "::sample at src/engine/falcon/keygen.rs:?",
        "memcpy",
        "memmove",
        "memset",
    ]),
    TracedOperation::new("NTRU equation", Scheme::FnDsa, |inputs| inputs.trace_subroutine(Subroutine::NtruSolve, 0))
        .secrets_divisor(4),
    TracedOperation::new("sampling", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::Sample, inputs.secret)
    })
    .declassifying(SAMPLER),
    TracedOperation::new("sampling, expanded", Scheme::FnDsa, |inputs| {
        inputs.trace_subroutine(Subroutine::SampleExpanded, inputs.secret)
    })
    .declassifying(SAMPLER),
    TracedOperation::new("sign", Scheme::FnDsa, |inputs| {
        let (key, mut work, mut signature) = (inputs.key(), inputs.work(), inputs.signature());
        let (mu, random) = (Mu::from_bytes([1; 64]), inputs.random());
        traced(|| {
            key.sign(inputs.level, &mu, &mut FixedBytes(&random), &mut signature, &mut work).expect("a signature")
        });
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, Falcon", Scheme::Falcon, |inputs| {
        let (key, mut work, mut signature) = (inputs.key(), inputs.work(), inputs.signature());
        let (hash, random, mut attempts) = (key.key_hash(), inputs.random(), [Attempt::EMPTY; 4]);
        let rng = &mut FixedBytes(&[2; 160]);
        let message = SigningHasher::new(inputs.level, inputs.algorithm, &hash, Options::default(), &mut attempts, rng);
        let message = message.expect("nonces").finish();
        traced(|| {
            key.sign(inputs.level, message, &mut FixedBytes(&random), &mut signature, &mut work).expect("a signature");
        });
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, expanded", Scheme::FnDsa, |inputs| {
        let (mut work, mut signature) = (inputs.work(), inputs.signature());
        let (mu, random, key) =
            (Mu::from_bytes([1; 64]), inputs.random(), inputs.key().expand(inputs.level, &mut work));
        let key = key.expect("enough memory");
        traced(|| key.sign(&mu, &mut FixedBytes(&random), &mut signature, &mut work).expect("a signature"));
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, basis", Scheme::FnDsa, |inputs| {
        let (mut work, mut signature, mut basis) =
            (inputs.work(), inputs.signature(), FlashMemory::new(inputs.algorithm.basis_len().expect("a length")));
        let (mu, random, key) = (Mu::from_bytes([1; 64]), inputs.random(), inputs.key());
        key.write_basis(inputs.level, &mut work, |part| basis.write(part)).expect("a basis");
        traced(|| {
            let key = key.with_basis(inputs.level, basis.bytes()).expect("the basis of this key");
            key.sign(&mu, &mut FixedBytes(&random), &mut signature, &mut work).expect("a signature");
        });
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, expanded, fast generator", Scheme::FnDsa, |inputs| {
        let (mut work, mut signature) = (inputs.work(), inputs.signature());
        let (mu, random, key) =
            (Mu::from_bytes([1; 64]), inputs.random(), inputs.key().expand(inputs.level, &mut work));
        let key = key.expect("enough memory");
        traced(|| key.sign_fast_rng(&mu, &mut FixedBytes(&random), &mut signature, &mut work).expect("a signature"));
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, batch", Scheme::FnDsa, |inputs| {
        let (mut work, mut signatures) =
            (vec![0; inputs.algorithm.sign_batch_work_len()], inputs.signature().repeat(8));
        let (mu, random) = (Mu::from_bytes([1; 64]), inputs.random().repeat(8));
        let key = inputs.key().expand(inputs.level, &mut work).expect("enough memory");
        traced(|| key.sign_batch(&[mu; 8], &mut FixedBytes(&random), &mut signatures, &mut work).expect("signatures"));
    })
    .declassifying(SIGN),
    TracedOperation::new("sign, batch, Falcon", Scheme::Falcon, |inputs| {
        let (mut work, mut signatures) =
            (vec![0; inputs.algorithm.sign_batch_work_len()], inputs.signature().repeat(8));
        let random = inputs.random().repeat(8);
        let key = inputs.key().expand(inputs.level, &mut work).expect("enough memory");
        let (hash, rng) = (key.key_hash(), &mut FixedBytes(&[2; 8 * 160]));
        let mut attempts = [const { [Attempt::EMPTY; 4] }; 8];
        let messages = attempts.each_mut().map(|attempts| {
            let message = SigningHasher::new(inputs.level, inputs.algorithm, &hash, Options::default(), attempts, rng);
            message.expect("nonces").finish()
        });
        traced(|| {
            key.sign_batch(messages, &mut FixedBytes(&random), &mut signatures, &mut work).expect("signatures");
        });
    })
    .declassifying(SIGN),
    // The number of attempts for an ML-DSA signature varies between 1 and about 50, so these traces
    // cannot be compared. Instead, `tests/ct/run` tests these signatures: valgrind reports branches
    // that depend on secret bytes.
    TracedOperation::new("seed, ML-DSA", Scheme::MlDsa, |inputs| {
        let mut work = inputs.work();
        let seed = [inputs.secret; 32];
        traced(|| _ = SigningKeyRef::from_seed(inputs.level, inputs.algorithm, &seed, &mut work).expect("a key"));
    })
    .declassifying(SEEDS),
    TracedOperation::new("expanded form, ML-DSA", Scheme::MlDsa, |inputs| {
        let seed = [inputs.secret; 32];
        let mut work = inputs.work();
        let key = SigningKeyRef::from_seed(inputs.level, inputs.algorithm, &seed, &mut work).expect("a key");
        let mut form = vec![0; inputs.private.len()];
        traced(|| key.expanded_form_into(inputs.level, &mut form, &mut work).expect("enough memory"));
    })
    .declassifying(SEEDS),
    TracedOperation::new("import, ML-DSA", Scheme::MlDsa, import).declassifying(SEEDS),
    TracedOperation::new("public key, ML-DSA", Scheme::MlDsa, public_key).declassifying(SEEDS),
];

/// Parses a degree, a power of two.
pub fn degree(n: &str) -> Option<Degree> {
    Degree::from_logn(n.parse().ok().filter(|n: &u32| n.is_power_of_two()).and_then(u32::checked_ilog2)?)
}

impl TracedOperation {
    /// Returns the algorithm for an argument: a degree or an ML-DSA parameter set. Controls accept
    /// both.
    pub fn algorithm(&self, argument: &str) -> Option<Algorithm> {
        let is_named = |algorithm: &Algorithm| algorithm.to_string() == format!("ML-DSA-{argument}");
        let ml_dsa = Algorithm::of_scheme(Scheme::MlDsa).find(is_named);
        match (ml_dsa, self.scheme) {
            (Some(ml_dsa), Scheme::MlDsa) => Some(ml_dsa),
            (Some(_), _) if self.name.starts_with("control") => Algorithm::at_degree(self.scheme, degree("4")?),
            (None, scheme) => Algorithm::at_degree(scheme, degree(argument)?),
            _ => None,
        }
    }
}

/// Runs the operation `name` with a single secret, while the parent or the emulator traces it, and
/// exits with code 0. Returns only if the level, degree or operation does not exist.
pub fn run_traced(level: &str, n: &str, name: &str, secret: &str) {
    let operation = OPERATIONS.iter().chain([&LEAKS, &LOOKS_UP]).find(|inputs| inputs.name == name);
    if let (Some(operation), Some(level), Ok(secret)) = (operation, Level::from_name(level), secret.parse())
        && let Some(algorithm) = operation.algorithm(n)
    {
        run(level, algorithm, operation, secret);
        std::process::exit(0);
    }
}

/// Runs an operation with a secret.
fn run(level: Level, algorithm: Algorithm, operation: &TracedOperation, secret: u8) {
    let (private, public) = keys(level, algorithm, secret);
    permit();
    (operation.run)(&OperationInputs { level, algorithm, secret, private, public });
}

/// Returns the key pair for a secret: the private key (for ML-DSA, in its expanded form) and the
/// public key. The seed consists of 32 bytes with the value `secret`.
pub fn keys(level: Level, algorithm: Algorithm, secret: u8) -> (Vec<u8>, Vec<u8>) {
    let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_fast_work_len()];
    let seed = [secret; 32];
    SigningKeyRef::generate(level, algorithm, &mut FixedBytes(&seed), &mut private, &mut public, &mut work)
        .expect("a key");
    if let Some(len) = algorithm.expanded_form_len() {
        let mut work = vec![0; algorithm.import_work_len()];
        let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).expect("a key");
        private = vec![0; len];
        key.expanded_form_into(level, &mut private, &mut work).expect("enough memory");
    }
    (private, public)
}

/// A secret, and the key pair that is generated from it.
struct OperationInputs {
    level: Level,
    algorithm: Algorithm,
    secret: u8,
    private: Vec<u8>,
    public: Vec<u8>,
}

impl OperationInputs {
    /// Returns work memory for all operations except batches.
    fn work(&self) -> Vec<u8> {
        let algorithm = self.algorithm;
        vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())]
    }

    /// Returns memory for a signature.
    fn signature(&self) -> Vec<u8> {
        vec![0; self.algorithm.signature_len()]
    }

    /// Returns the random bytes for a signature.
    fn random(&self) -> [u8; 40] {
        [self.secret ^ 0x55; 40]
    }

    fn import(&self, work: &mut [u8]) -> Result<SigningKeyRef<'_>, KeyError> {
        fndsa::testing::signing_key(self.level, self.algorithm.scheme(), &self.private, work)
    }

    /// Loads the private key, without a trace.
    fn key(&self) -> SigningKeyRef<'_> {
        self.import(&mut self.work()).expect("a good key")
    }

    /// Traces a single call of a subroutine, after `untraced_calls` calls that are not traced.
    fn trace_subroutine(&self, subroutine: Subroutine, untraced_calls: u8) {
        let parts = [&self.private[..], &self.public, &self.signature()];
        let mut prepared = PreparedSubroutine::new(self.level, self.algorithm, subroutine, parts).expect("a good key");
        for _ in 0..untraced_calls {
            prepared.run();
        }
        traced(|| prepared.run());
    }
}

/// Traces the import of a private key.
fn import(inputs: &OperationInputs) {
    let mut work = inputs.work();
    traced(|| _ = inputs.import(&mut work).expect("a good key"));
}

/// Traces how the public key is computed.
fn public_key(inputs: &OperationInputs) {
    let (key, mut public, mut work) = (inputs.key(), inputs.public.clone(), inputs.work());
    traced(|| _ = key.verifying_key_into(inputs.level, &mut public, &mut work).expect("a public key"));
}

/// Traces the conversion of a private key to the scheme `to`.
fn convert(inputs: &OperationInputs, to: Scheme) {
    let (key, mut work) = (inputs.key(), inputs.work());
    let mut converted = vec![0; inputs.algorithm.with_scheme(to).expect("an algorithm").signing_key_len()];
    traced(|| _ = key.convert_into(inputs.level, to, &mut converted, &mut work).expect("a key"));
}
