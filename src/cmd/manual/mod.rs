//! The text of the manual, with a page for each command. `--help` prints the examples and the
//! description, and a manual page also contains the notes. The tests run all examples.
//!
//! - `generated`: generates `man/` and `completions/` (only for tests)
//!
//! To add a command, add its page here and an empty file in `man/`. Then write the files with
//! `FNDSA_BLESS=1 cargo test --features cli --bin fndsa`.

#[cfg(test)]
mod generated;

use crate::tool::packed::{PackedText, packed};

/// A manual page.
pub struct ManualPage {
    /// The command's name, which is empty for `fndsa` itself.
    pub command: &'static str,
    /// The file's name in `man/`.
    pub file: &'static str,
    /// The committed contents of this file.
    pub roff: PackedText,
    /// The paragraphs in the description of the command.
    pub text: &'static [&'static str],
    /// The paragraphs in the section NOTES of the manual page.
    #[cfg(test)]
    pub notes: &'static [&'static str],
    /// The purpose and the command line of each example. The tests run these command lines in
    /// order, in a directory with release.key, release.pub, app.tar.gz and its signature, notes.txt
    /// and checksums.txt.
    pub examples: &'static [(&'static str, &'static str)],
}

macro_rules! pages {
    ($($command:literal in $file:literal {
        $($text:literal,)* notes: $($note:literal,)* examples: $($what:literal => $line:literal,)*
    })*) => {
        /// The manual pages for `fndsa` and for all commands.
        pub const PAGES: &[ManualPage] = &[$(ManualPage {
            command: $command,
            file: $file,
            roff: packed!($file),
            text: &[$($text),*],
            #[cfg(test)]
            notes: &[$($note),*],
            examples: &[$(($what, $line)),*],
        }),*];
    };
}

pages! {
    "" in "fndsa.1" {
        "fndsa makes key pairs, signs files and streams, and verifies the signatures. A signature is \
         in a separate file, FILE.sig. One signature can also be valid for a whole release: fndsa then signs a \
         list of checksums.",
        "fndsa writes a file completely or not at all, and replaces a file only with --force. Every result has \
         its exit code. fndsa reads no configuration file, uses no network, and has no default place for keys. \
         It asks no questions, except for passwords on a terminal.",
        notes:
        "Commands that use a private key protect it: they write no core file, allow no debugger, and keep their \
         memory out of swap space if the limit of locked memory (ulimit -l) or a privilege allows it. If this is \
         not possible and the machine has swap space on a disk, keygen, convert and passwd print a warning. The \
         other commands print the warning only with --verbose, because they are called often. With --quiet there \
         is no warning. On Windows these commands write no crash report, and the other protections are not \
         available.",
        "Every command needs 64 KiB of stack (ulimit -s 64 in a shell). With less stack the system ends the \
         command without a message.",
        "The examples are for a POSIX shell. The documentation for Windows shows the same commands for \
         PowerShell.",
        examples:
        "Make a key pair" => "fndsa keygen mykey",
        "Sign a file; the signature is in notes.txt.sig" => "fndsa sign -k mykey.key notes.txt",
        "Verify the signature" => "fndsa verify -p mykey.pub notes.txt",
    }
    "keygen" in "fndsa-keygen.1" {
        "The keys are made from the randomness of the system. NAME.key is the private key: only its owner can \
         read it (mode 600; on Windows an access control list). NAME.pub is the public key, which you give to \
         everybody who verifies your signatures.",
        "fndsa prints the names of both files, the fingerprint of the key and the next commands on standard \
         error. The fingerprint is sha256: and the SHA-256 digest of the raw public key. People compare the \
         fingerprint to check that they have the right key.",
        notes:
        "fn-dsa is the putative draft of FIPS 206. falcon is Falcon of round 3 of NIST's process, as in liboqs, \
         PQClean and BouncyCastle. fn-dsa-2024 is the earlier preview of the draft (crate fn-dsa 0.3). Keys and \
         signatures of these schemes look similar, but a signature of one scheme does not verify in another \
         scheme.",
        "With --jobs, several threads test candidates for a key, and the first valid candidate in order becomes \
         the key. So the key is the same as with one thread. Below degree 1024 fndsa uses one thread, because \
         the first candidate is nearly always valid. At degree 1024, measure whether several threads are faster \
         on your machine: on a machine with two cores they were not.",
        examples:
        "Make a key pair for FN-DSA-512" => "fndsa keygen mykey",
        "Make a key pair for ML-DSA-65" => "fndsa keygen -a ml-dsa-65 standard",
        "Encrypt the private key with a password" => "KEY_PASSWORD=secret fndsa keygen --encrypt --password-env KEY_PASSWORD locked",
        "Make a second pair with Ed25519 for dual signatures" => "fndsa keygen --dual release2",
        "Use a Falcon algorithm, for programs that do not support FN-DSA" => "fndsa keygen -a falcon-512 falcon",
        "Choose the names of both files" => "fndsa keygen -o private.pem -p public.pem",
        "Make three pairs: team-1.key, team-1.pub and so on" => "fndsa keygen --count 3 team",
        "Search for one large key on all cores" => "fndsa keygen -a fn-dsa-1024 -j all large",
    }
    "sign" in "fndsa-sign.1" {
        "fndsa checks the key and all options before it reads the first file, and verifies each signature before \
         it writes the signature. If one file has an error, fndsa still signs the other files.",
        "A context (--context) is the purpose of a signature, for example the name of a product. The verifier \
         must give the same context, and also the same pre-hash if you use --prehash.",
        "With --list, fndsa writes the checksums of all files to one list in the format of sha256sum, and signs \
         the list. A list can have a last day (--best-before), comments (--comment), and its signature at its \
         end (--inline). See docs/lists.md.",
        notes:
        "The line before a signature block is the signature note. It contains the key, the context and the \
         pre-hash, so that verify can report which of them differs if the signature does not match. The note is \
         not authenticated, and verify never relies on it. A context is not secret, because everybody can read \
         it in the note. With --format raw there is no note.",
        "The entry for the last day of a list is a line that systemd also reads. docs/lists.md describes which \
         other programs read which list.",
        "Falcon has no context. With --prehash fndsa signs the digest as a message, as openssl dgst -sign does \
         with oqs-provider. Such a signature is also valid for a file that contains only the digest.",
        "Falcon and fn-dsa-2024 hash a random nonce before the message. One signature in 800 needs a new nonce, \
         and fndsa then reads the file again. For a stream, which it cannot read again, fndsa hashes the message \
         with four nonces at the same time.",
        "With --stream you send requests from a program, one JSON object per line on standard input, and fndsa \
         loads the key only once. A request is {\"id\": 1, \"path\": FILE}. It can have message_b64 instead of \
         path, and also a context. The answer to each request is one line on standard output, in the same order, \
         with the raw signature in base64. If a request has an error, its answer reports the error. The exit \
         code is the same as for one command with all these messages. docs/json.md lists all members.",
        examples:
        "Sign several files" => "fndsa sign -k release.key notes.txt checksums.txt",
        "Sign a whole release with one signature, in a list that sha256sum -c also reads" =>
            "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt checksums.txt",
        "Sign all files of a directory; the names in the list are relative to it" =>
            "mkdir dist && cp notes.txt app.tar.gz dist && fndsa sign -k release.key -M dist/SHA256SUMS -r dist",
        "Write the list and its signature to one file, with a last day and a comment" =>
            "fndsa sign -f -k release.key -M dist/SHA256SUMS -r dist --inline --best-before 2096-02-29 --comment 'Release 1.2'",
        "Sign for one purpose" => "fndsa sign -k release.key -c nightly -o nightly.sig app.tar.gz",
        "Read the key from a variable, as in CI" =>
            "SIGNING_KEY=\"$(cat release.key)\" fndsa sign -f --key-env SIGNING_KEY notes.txt",
        "Sign a stream" => "cat app.tar.gz | fndsa sign -k release.key - >stream.sig",
        "Sign every file that find lists" =>
            "find . -name '*.txt' -print0 | fndsa sign -f -k release.key --files-from - -0",
        "Hash the file with SHA-512 first" => "fndsa sign -k release.key --prehash sha512 -o prehashed.sig app.tar.gz",
        "Print mu, for a key on another machine" => "fndsa sign -p release.pub --print-mu app.tar.gz >app.mu",
        "Sign this mu on the other machine" => "fndsa sign -k release.key --mu -o app.remote.sig app.mu",
        "Answer the requests that a program writes to standard input" =>
            "echo '{\"id\": 1, \"path\": \"notes.txt\"}' | fndsa sign -k release.key --stream",
    }
    "verify" in "fndsa-verify.1" {
        "fndsa prints one line for each file, in order: OK and the key that matches, FAILED and the reason, or \
         ERROR if fndsa could not decide. The exit code is 0 only if every file is OK.",
        "Only the public keys that you give can match. Nothing in a signature or in a message chooses the key or \
         the algorithm.",
        "With --list, fndsa verifies the signature of the list, and then compares each file with its checksum in \
         the list. After the last day of a list fndsa rejects the list. See docs/lists.md.",
        notes:
        "If a signature does not match, a hint repeats the signature note, which contains the key, the context and \
         the pre-hash. Anybody can write a note, so the note is never part of the verdict.",
        "If one key signed several files, only the first OK line names the key.",
        "A raw Falcon key looks like a raw fn-dsa-2024 key. fndsa uses it as a Falcon key unless you give \
         --algorithm. falcon-rs algorithms use Falcon keys, only verify, and must be named with --algorithm.",
        "fndsa reads the clock of the machine (UTC) only if a key line or a list has a day. fndsa shows the \
         comments of a valid list as notes.",
        "With --stream you send requests from a program, one JSON object per line on standard input: {\"id\": 1, \
         \"path\": FILE}. A request has signature_b64 if the signature is not in FILE.sig, or message_b64 and \
         signature_b64. The answer to each request is one line on standard output, in the same order, with a \
         status of ok, failed or error. The exit code is the same as for one command with all these messages. docs/json.md lists \
         all members.",
        examples:
        "Verify a file with the signature in app.tar.gz.sig" => "fndsa verify -p release.pub app.tar.gz",
        "Verify with a signature file of another name" => "fndsa verify -p release.pub -s app.tar.gz.sig app.tar.gz",
        "Verify all files of a signed list" =>
            "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt && fndsa verify -p release.pub -M SHA256SUMS",
        "Verify only the files that you downloaded" => "fndsa verify -p release.pub -M SHA256SUMS --ignore-missing",
        "Verify a directory and its list, and reject every other file in the directory" =>
            "mkdir dist && cp notes.txt dist && fndsa sign -k release.key -M dist/SHA256SUMS -r dist && \
fndsa verify -p release.pub -M dist/SHA256SUMS -C dist --strict",
        "Accept any key of a file" =>
            "cat *.pub >trusted.pem && fndsa verify --trusted-keys trusted.pem app.tar.gz",
        "Use the verdict in a script" =>
            "if fndsa verify -q -p release.pub app.tar.gz; then echo good; else echo \"exit code $?\"; fi",
        "Verify a stream" => "cat app.tar.gz | fndsa verify -p release.pub -s app.tar.gz.sig -",
        "Find out why a signature does not match" =>
            "fndsa verify --explain -p release.pub --context nightly app.tar.gz || test $? = 1",
        "Print the verdict as JSON" => "fndsa verify --json -p release.pub app.tar.gz",
        "Verify a Falcon signature" =>
            "fndsa keygen -qf -a falcon-512 falcon && fndsa sign -k falcon.key -o falcon.sig notes.txt && \
             fndsa verify -p falcon.pub -s falcon.sig notes.txt",
        "Answer the requests that a program writes to standard input" =>
            "echo '{\"id\": 1, \"path\": \"app.tar.gz\"}' | fndsa verify -p release.pub --stream",
    }
    "inspect" in "fndsa-inspect.1" {
        "fndsa prints the type of each file (private key, public key or signature), its algorithm, its format \
         and its fingerprint. It checks keys completely. If you give a private key and public keys, fndsa also \
         checks whether they are pairs. It never prints a secret.",
        notes:
        examples:
        "Print the fingerprint of a public key" => "fndsa inspect release.pub",
        "Check that two files are a pair" => "fndsa inspect release.key release.pub",
        "Write instructions for the README of a project: how to verify its files" => "fndsa inspect --markdown release.pub",
        "Write these instructions for a release with a signed list" => "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt && fndsa inspect --markdown release.pub -M SHA256SUMS",
    }
    "pubkey" in "fndsa-pubkey.1" {
        "fndsa computes the public key from the private key. Use this command if the file of the public key is \
         lost.",
        notes:
        examples:
        "Write the public key to a file" => "fndsa pubkey -k release.key -o again.pub",
        "Write the 897 bytes of the key without PEM" => "fndsa pubkey -k release.key --format raw >release.raw",
    }
    "request" in "fndsa-request.1" {
        "fndsa writes a request for an X.509 certificate (PKCS#10), which you send to a certification authority. With \
         --self-signed, fndsa writes a certificate instead, which the same key signs, for programs of CMS and for \
         modules of the Linux kernel.",
        "The key can be a key of ML-DSA (RFC 9881), of Ed25519 (RFC 8410), or a composite of both. For composites there \
         is only a draft. Falcon and FN-DSA have no object identifiers yet, so they cannot be in a certificate.",
        notes:
        "A certificate is valid from the beginning of today to the end of the last day, in UTC. Its key must only sign \
         messages (the key usage is digitalSignature), and not certificates. A request requests no extensions: the \
         authority decides about them.",
        examples:
        "Write a request for a certificate" =>
            "fndsa keygen -a ml-dsa-65 tls && fndsa request -k tls.key --subject CN=example.org,O=Example,C=DE -o tls.csr",
        "Write a self-signed certificate that is valid for a year, and show its content" =>
            "fndsa request -k tls.key --subject CN=Release --self-signed 365 -o tls.crt && fndsa inspect tls.crt",
    }
    "convert" in "fndsa-convert.1" {
        "fndsa converts keys and signatures between PEM, raw bytes, PKCS#8 for private keys, and X.509 \
         SubjectPublicKeyInfo (SPKI) for public keys. The key or signature stays the same, byte for byte. fndsa \
         checks a key completely before it writes the key.",
        "With --algorithm, fndsa converts a key exactly to another scheme, and back. Signatures cannot be \
         converted to another scheme. Do not use the same key in two schemes.",
        notes:
        "If the input is an X.509 certificate, fndsa writes its public key and checks nothing else in the \
         certificate.",
        "FN-DSA has no official object identifier (OID) yet, so fndsa writes an experimental OID. --oid writes \
         and accepts another OID, and --algorithm accepts any unknown OID in the input. The OIDs for Falcon are \
         the OIDs of oqs-provider and BouncyCastle. fndsa reads private keys of both programs, and --layout \
         chooses the program that can read the result. If a PKCS#8 or SPKI file is converted to PKCS#8 or SPKI \
         again, the OID stays the same.",
        "--encoding converts a Falcon signature to another encoding.",
        examples:
        "Convert a private key to PKCS#8" => "fndsa convert release.key --to pkcs8 -o release.p8",
        "Also encrypt it with a password" =>
            "NEW=secret fndsa convert release.key --to pkcs8 --encrypt --new-password-env NEW -o locked.p8",
        "Convert a public key to SPKI in DER" => "fndsa convert release.pub --to spki-der -o release.der",
        "Write a signature without PEM" => "fndsa convert app.tar.gz.sig --to raw -o app.raw",
        "Convert the key for a program that reads Falcon keys with oqs-provider" =>
            "fndsa convert release.key --algorithm falcon-512 --to pkcs8 -o falcon.p8",
        "Convert this key for BouncyCastle" =>
            "fndsa convert falcon.p8 --to pkcs8-der --layout bouncycastle -o falcon.der",
    }
    "passwd" in "fndsa-passwd.1" {
        "fndsa sets a password for a private key file, changes the password, or removes it with --remove. It \
         replaces the file only when the new file is complete. If an error occurs, the file does not change.",
        notes:
        "An encrypted key is in PKCS#8 with PBES2 (scrypt and AES-256).",
        "The old password is read from --password-file, --password-env, FNDSA_PASSWORD, FNDSA_PASSWORD_FILE or \
         the terminal. The new password is read from --new-password-file, --new-password-env or the terminal, \
         where you type it twice. Without a terminal fndsa asks no question.",
        examples:
        "Set a password" =>
            "fndsa keygen vault && NEW=first fndsa passwd vault.key --new-password-env NEW",
        "Change the password; both passwords are in files here, but you can also type them" =>
            "echo first >old && echo second >new && fndsa passwd vault.key --password-file old --new-password-file new",
        "Remove the password" => "FNDSA_PASSWORD=second fndsa passwd vault.key --remove",
    }
    "bench" in "fndsa-bench.1" {
        "fndsa measures the operations that you name, or key generation, signing and verification. Each row of \
         the result shows the median time of an operation, its median absolute deviation (MAD), the minimum and \
         the 95th percentile. ops/s is the number of operations in a second.",
        "A row that begins with ! is unreliable, because its median may be wrong by more than 5 %. Measure again \
         when the machine is idle, or for longer with --time 5.",
        notes:
        "A sample is the mean time of a batch of calls. If there are several levels, each level has its row, and \
         ratio is the speed of the level divided by the speed of the first level. With --jobs, each time is for one \
         call on one thread, measured while all threads work.",
        "ops/s is the number of calls on all threads, divided by the time of all these calls together. So ops/s \
         includes effects that the median ignores: a few long calls in key generation and signing, \
         interruptions, and the waiting time of threads that share a core. The +- column is the error of the \
         median with a confidence of 95 %.",
        "cycles/op is the number of ticks of the time-stamp counter of x86-64. This counter is the reference \
         clock of the CPU: the clock of the core can be faster or slower. fndsa measures and prints the \
         frequency of the counter. Other CPUs do not have this column. core cycles are the cycles of the core \
         without the cycles in the kernel. If Linux does not allow a program to count them, fndsa prints a note \
         and omits the column.",
        "pk, sk and sig are the lengths in bytes of a public key, a private key and a signature.",
        "hash measures SHAKE256, as the schemes and the pre-hash of that name use it, and the other functions of \
         --prehash. MB/s is the number of millions of bytes in a second. SHA-2 chooses its instructions without \
         regard to the level. A function that is not in the table is as fast as a function in the table, with a \
         shorter output; SHA3-384 is between SHA3-256 and SHA3-512.",
        "The times of signing and verification include the hashing of the message. If an attempt at a signature \
         fails, fndsa tries again, and hashes the message again if the scheme requires it. fndsa does not \
         measure algorithms that can only verify.",
        "The key and the message determine how often ML-DSA rejects an attempt. So fndsa makes deterministic \
         signatures for the messages of 26 bytes that the CCTV project (C2SP/CCTV, ML-DSA/benchmark) published \
         for benchmarks. There are 188, 147 or 114 messages, and the key is made from the seed of zeros. \
         Together these messages are rejected as often as the average. A sample is the mean over all messages, \
         once or several times, and you can compare it with other implementations that sign the same messages. \
         With --message-size, keys and signatures are random, as for the other algorithms. sign makes the key \
         from its seed in each call.",
        "With --baseline, fndsa compares each median with the median of an earlier run for the same operation, \
         algorithm, level, message size and number of threads. The verdict for a row is REGRESSED, and the exit \
         code is 1, if the operation is slower by more than --max-regression and the 95 % interval of the \
         difference excludes 0. fndsa lists rows that are not in the baseline and does not compare them. The \
         baseline must be from a CPU with the same name, family, model, stepping and counter frequency, as far \
         as both documents contain these values, because virtual machines use one name for different CPUs.",
        "--report writes an HTML page with a bar for each figure. The page also describes the machine and \
         the command line, and contains the results of --profile and similar options. The page is one \
         file that loads nothing and runs no script. fndsa writes the page at the end. If you also give \
         --export-json, fndsa writes both files or no file.",
        "--format paper prints the tables of a paper in the syntax of LaTeX, with comments: operations and parts \
         in cycles of the core or of the counter, on all levels of this CPU unless you name levels; the profile \
         of operations in percent; ablations; the lengths of keys and signatures. If you name no operation, \
         fndsa also measures the parts of signing: base-sampler, sampler, fft-forward, fft-inverse, sign-core, \
         sign-core-encoded, hash-to-point, keccak, keccak-lanes, keccak-serial and ntt. An ablation is the time \
         without a technique, divided by the time with it: keccak-serial / keccak-lanes, sign-core-encoded / \
         sign-core, and for each batch that is measured, the time of a single message / the time in the batch. \
         The tables do not contain code sizes, because the program has no symbol names. In the sources of fndsa, \
         tests/binary/code-sizes builds the program with symbol names and prints the code size of each level.",
        "--diff measures nothing. It prints the rows that two exported documents have in common, from any \
         machines and levels. ratio is the speed of the second run as a multiple of the speed of the first run, \
         with the 95 % interval. This is not a verdict, and the exit code is 0.",
        "--profile measures each part of an operation alone, with the same kind of input, and multiplies its \
         time by the number of calls in the operation. fndsa measures the operation and its parts in turn, in \
         several rounds, because the speed of a machine changes during a run. The number of Keccak permutations is computed from \
         lengths, and the hashing in the sampler counts as hashing. rest is the time that is not attributed to a \
         part: random bytes of the system, wiping, norms. If the parts take longer alone than the whole \
         operation, fndsa reports that they overlap. In key generation, sampler is the sampling of f and g, fft \
         is the test of their norm, and the counts are averages over candidates.",
        "--stack prints how many bytes of memory a call needs. stack is the largest stack of a few calls, \
         measured on a painted stack, with the bytes that wiping clears. work is the memory that the operation \
         gets for its highest speed, and least work is the smallest memory with which it works. Keys, signatures \
         and expanded keys need more memory.",
        "sign-batch signs all messages of a batch (--batch) in one call of the library with an expanded key. \
         Except for memory, all figures are for one message. verify-batch verifies all signatures of such a \
         batch at the same time.",
        "--fast-rng adds an operation: sign-repeat with the library's faster generator (eight streams of \
         SHAKE256 at the same time). Its signatures are valid, but differ from the signatures that sign makes \
         from the same randomness, so they do not reproduce published test vectors. This operation has no \
         profile.",
        examples:
        "Measure signing and verification, a fifth of a second each" => "fndsa bench -a 512 -t 0.2 sign verify",
        "Measure ML-DSA" => "fndsa bench -a ml-dsa-65 -t 0.05",
        "Use all cores" => "fndsa bench -a 512 -t 0.1 -j all verify",
        "Compare two levels" => "fndsa bench -a 512 -t 0.05 --level scalar --level emulated verify",
        "Write a page with bars for two levels" =>
            "fndsa bench -a 512 -t 0.05 --level scalar --level emulated --report bench.html sign verify",
        "In CI: measure an old version and a new version, and fail if the new version is slower" =>
            "fndsa bench -a 512 -t 0.1 --export-json old.json verify && \
             fndsa bench -a 512 -t 0.1 --baseline old.json --max-regression 1000 verify",
        "Compare two schemes" => "fndsa bench -a fn-dsa-512 -a falcon-512 -t 0.05 sign-repeat verify-repeat",
        "Measure hash functions with short and long messages" => "fndsa bench -t 0.01 hash --message-size 64,16K",
        "Compare batches with single signatures" => "fndsa bench -a 512 -t 0.05 --batch 16 sign-repeat sign-batch verify-repeat verify-batch",
        "Print where the time goes" => "fndsa bench -a 512 -t 0.1 --profile sign verify",
        "Print the memory of each operation" => "fndsa bench -a 512 -t 0.01 --stack",
        "Measure two parts, and print a Markdown table" =>
            "fndsa bench -a 512 -t 0.05 --subroutine ntt --subroutine fft --format md",
        "Measure with the faster generator" => "fndsa bench -a 512 -t 0.05 --fast-rng sign-repeat",
        "Print the tables of a paper" => "fndsa bench -a 512 -t 0.01 --format paper",
        "Compare the documents of two runs, from two machines or two levels" =>
            "fndsa bench -a 512 -t 0.05 --level emulated --export-json one.json verify && \
             fndsa bench -a 512 -t 0.05 --level scalar --export-json two.json verify && \
             fndsa bench --diff one.json two.json",
    }
    "selftest" in "fndsa-selftest.1" {
        "fndsa tests every algorithm that can sign on every level of this CPU, or the algorithms and levels that \
         you name. First it compares key generation, signing and verification with known answers. Then it runs \
         rounds with new keys and messages: it must reject changed messages, contexts and signatures, other \
         keys, and other schemes with the same keys. It must not write outside of its outputs, and all levels \
         must give the same bytes.",
        notes:
        "The known keys and signatures of FN-DSA are published byte for byte. For Falcon and FN-DSA-2024, a \
         published signature must verify and a published private key must have its public key. fndsa turns \
         random bytes into a signature in a different way than the published programs. So it compares these \
         signatures between all levels, and new keys with the FN-DSA keys from the same random bytes.",
        "The keys of the self test are the same on every machine. fndsa uses them for nothing else and writes no \
         file.",
        examples:
        "Run a test of less than a second" => "fndsa selftest --rounds 1",
        "Test one algorithm with more rounds" => "fndsa selftest -a falcon-512 --rounds 10",
        "Test one level" => "fndsa selftest --level emulated --rounds 1",
    }
    "testvectors" in "fndsa-testvectors.1" {
        "fndsa prints test vectors of FN-DSA or ML-DSA. The vectors are the same on every machine, so you can \
         compare them with the output of firmware or of other programs. With --check, fndsa compares the lines \
         of a file with the vectors. It ignores comments, blank lines and the type of line ends. Everybody knows \
         the private keys of these vectors: never use them for a real signature.",
        notes:
        "The generator of vector i of degree n is the output of SHAKE256 for the text fndsa-testvectors-v1, then \
         n in 2 bytes and i in 4 bytes. All numbers are little-endian. The output is read in this order: 32 \
         bytes seed; 2 bytes, which modulo 1024 are the length of msg; msg; 1 byte, the length of ctx; ctx; 40 \
         bytes rnd. The key pair (pk, sk) is made with seed as its random bytes. sig is the signature of the \
         message msg with the context ctx, without a pre-hash, and with rnd as its random bytes. With --hash \
         there is one line for each vector: the algorithm, i, and the SHA-256 digest of pk, sk and sig.",
        "For ML-DSA, n is 44, 65 or 87, sk is the expanded private key of FIPS 204, and rnd has 32 bytes. If i \
         is odd, rnd is 32 zeros that are not read from the generator. The signature is then the deterministic \
         signature, because some implementations cannot make another signature from given bytes.",
        "--acvp prints the same ML-DSA vectors as a JSON document in the format of NIST's ACVP (keyGen, sigGen \
         or sigVer of revision FIPS204). The tests of most implementations read NIST's files, so they can also \
         read this document. In sigVer four of five signatures are changed, and testPassed is the expected \
         verdict. --check compares a document: either such a document, or the answer of an implementation, which \
         contains only the results.",
        examples:
        "Print the first vector of degree 512" => "fndsa testvectors --count 1",
        "Compare the output of a device" =>
            "fndsa testvectors --hash --count 3 >device.log && fndsa testvectors --hash --count 3 --check device.log",
        "Print ML-DSA-65 signatures for the tests of another implementation, and check its answer" =>
            "fndsa testvectors -a ml-dsa-65 --acvp sigGen --count 4 >answer.json && \
             fndsa testvectors -a ml-dsa-65 --acvp sigGen --count 4 --check answer.json",
    }
    "completions" in "fndsa-completions.1" {
        "fndsa prints a script for your shell. With this script the shell completes the commands, options and \
         values of fndsa. Start a new shell after you have installed the script.",
        "For zsh, add the line `fpath+=~/.zfunc` to ~/.zshrc, before compinit. For PowerShell, add the line `. \
         ~/fndsa.ps1` to the file that $PROFILE names. For Elvish, add the line `use fndsa` to \
         ~/.config/elvish/rc.elv.",
        notes:
        examples:
        "Install the script for bash" =>
            "mkdir -p ~/.local/share/bash-completion/completions && fndsa completions bash >~/.local/share/bash-completion/completions/fndsa",
        "Install the script for zsh" => "mkdir -p ~/.zfunc && fndsa completions zsh >~/.zfunc/_fndsa",
        "Install the script for fish" =>
            "mkdir -p ~/.config/fish/completions && fndsa completions fish >~/.config/fish/completions/fndsa.fish",
        "Install the script for PowerShell" => "fndsa completions powershell >~/fndsa.ps1",
        "Install the script for Elvish" =>
            "mkdir -p ~/.config/elvish/lib && fndsa completions elvish >~/.config/elvish/lib/fndsa.elv",
    }
    "man" in "fndsa-man.1" {
        "fndsa prints the manual page of fndsa or of one command in roff, the format of man. With --dir it \
         writes the pages to files. If the pages are not installed, `fndsa man sign | man -l -` shows a page.",
        notes:
        examples:
        "Install all pages for your user" => "mkdir -p ~/.local/share/man/man1 && fndsa man --dir ~/.local/share/man/man1",
        "Write one page to a file" => "fndsa man sign >fndsa-sign.1",
    }
    "quickstart" in "fndsa-quickstart.1" {
        "fndsa makes a key pair in a new directory, signs FILE, verifies the signature, and shows that it \
         rejects a changed copy. Then it prints the commands that do the same. It does not change FILE.",
        notes:
        examples:
        "Try fndsa on a file" => "fndsa quickstart notes.txt",
    }
}

fn page(command: &str) -> Option<&'static ManualPage> {
    PAGES.iter().find(|page| page.command == command)
}

/// Returns the text that `--help` prints between the usage and the options: the examples, and then
/// the description.
pub fn introduction(command: &str) -> String {
    let Some(page) = page(command) else { return String::new() };
    let examples = page.examples.iter().map(|(purpose, line)| format!("  {purpose}:\n    {}\n", break_lines(line)));
    let text = page.text.iter().map(|text| format!("\n{text}\n"));
    format!("Examples:\n{}{}", examples.collect::<String>(), text.collect::<String>())
}

/// The maximum number of columns of an example in the help. With this number, a terminal with 80
/// columns does not break the lines.
const EXAMPLE_COLUMNS: usize = 72;

/// Breaks a long command into lines that end with a backslash, so that a user can paste the
/// command. A command is not broken at a blank in quotation marks.
fn break_lines(command: &str) -> String {
    let mut lines = String::new();
    let mut columns = 0;
    for word in words(command) {
        let len = word.chars().count();
        if columns > 0 && columns + 1 + len > EXAMPLE_COLUMNS {
            lines += " \\\n      ";
            columns = 2;
        } else if columns > 0 {
            lines.push(' ');
            columns += 1;
        }
        lines += word;
        columns += len;
    }
    lines
}

/// Splits a command at blanks that are not in quotation marks.
fn words(command: &str) -> Vec<&str> {
    let mut quote = None;
    command
        .split(|c: char| {
            match quote {
                None if matches!(c, '"' | '\'') => quote = Some(c),
                Some(mark) if mark == c => quote = None,
                _ => {}
            }
            c == ' ' && quote.is_none()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_on_several_lines_has_the_same_words() {
        for (_, command) in PAGES.iter().flat_map(|page| page.examples) {
            let lines = break_lines(command);
            assert_eq!(lines.replace(" \\\n      ", " "), *command);
            for line in lines.lines() {
                // A line with a single word cannot be broken.
                let is_word = !line.trim().trim_end_matches(" \\").contains(' ');
                assert!(is_word || line.chars().count() <= EXAMPLE_COLUMNS + 6, "{line}");
                assert_eq!(line.matches(['"', '\'']).count() % 2, 0, "{line}");
            }
        }
    }
}
