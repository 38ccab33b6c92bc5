//! What the manual says beyond the options: one page for each command, in the order of the
//! commands. The examples also stand in `--help`; tests run every one of them.
//!
//! A new command: its page here, an empty file in `man/`, then `FNDSA_BLESS=1 cargo test --bin
//! fndsa`.

#[cfg(test)]
mod generated;

/// A page of the manual.
pub struct Page {
    /// The command; empty for `fndsa` itself.
    pub command: &'static str,
    /// The file in `man/`.
    pub file: &'static str,
    /// The content of the file, as it is committed.
    pub roff: &'static str,
    /// The paragraphs of the description.
    pub text: &'static [&'static str],
    /// What is done, and the command line. They are run in this order in one directory, which has
    /// release.key, release.pub, app.tar.gz with its signature, notes.txt and checksums.txt.
    pub examples: &'static [(&'static str, &'static str)],
}

macro_rules! pages {
    ($($command:literal in $file:literal {
        $($text:literal,)* examples: $($what:literal => $line:literal,)*
    })*) => {
        /// All pages.
        pub const PAGES: &[Page] = &[$(Page {
            command: $command,
            file: $file,
            roff: include_str!(concat!("../../../man/", $file)),
            text: &[$($text),*],
            examples: &[$(($what, $line)),*],
        }),*];
    };
}

pages! {
    "" in "fndsa.1" {
        "Makes and verifies FN-DSA signatures (the standard form of Falcon): key pairs, detached signatures of files and \
         streams of any size, and what belongs to them. Files are written whole or not at all, nothing is replaced \
         without --force, and every answer has its exit code.",
        "There is no configuration file, no default place for keys, no network, and no question in the middle of a \
         command.",
        "Commands that hold a private key leave no core file, let no debugger in, and keep their memory out of swap space \
         where the limit of locked memory (ulimit -l) or a privilege allows it. Where it does not and there is swap space on a \
         disk, keygen, convert and passwd warn, the others with --verbose only, since they are called often; --quiet is \
         quiet about it. On Windows they leave no crash report, and nothing else of this holds.",
        "Every command needs 64 KiB of stack (ulimit -s 64 where a shell sets it); with less the system ends it before it can \
         say why.",
        "The examples are lines for a POSIX shell; the documentation on Windows has what to write in PowerShell.",
        examples:
        "Make a key pair" => "fndsa keygen mykey",
        "Sign a file, into notes.txt.sig" => "fndsa sign -k mykey.key notes.txt",
        "Verify it" => "fndsa verify -p mykey.pub notes.txt",
    }
    "keygen" in "fndsa-keygen.1" {
        "Makes a key pair from the randomness of the system. NAME.key is private, for its owner alone (mode 600; on Windows by its access control list); NAME.pub \
         goes to those who verify. What was written, the fingerprint of the key and commands to go on with are said on \
         standard error.",
        "The fingerprint is sha256: and the SHA-256 of the raw public key. It is what people compare.",
        "Schemes: fn-dsa is the putative draft of FIPS 206. falcon is round 3 of NIST's process, as in liboqs, PQClean and \
         BouncyCastle. fn-dsa-2024 is the earlier guess at the draft (crate fn-dsa 0.3). They look alike and do not verify \
         in each other.",
        "With --jobs, several threads work on candidates for a key, and the first in order that becomes one is taken: the \
         same key as on one thread. Below degree 1024 one thread does the work, as the first candidate is nearly always good. At 1024 \
         try whether it pays on your machine: on one with two cores it did not.",
        examples:
        "A key pair of FN-DSA-512" => "fndsa keygen mykey",
        "The larger parameters" => "fndsa keygen -a fn-dsa-1024 big",
        "Falcon of round 3, for programs that know no FN-DSA" => "fndsa keygen -a falcon-512 falcon",
        "Names of their own for both files" => "fndsa keygen -o private.pem -p public.pem",
        "Three pairs, team-1.key, team-1.pub and so on" => "fndsa keygen --count 3 team",
        "One key, looked for on all cores" => "fndsa keygen -a fn-dsa-1024 -j all large",
        "An encrypted private key" => "KEY_PASSWORD=secret fndsa keygen --encrypt --password-env KEY_PASSWORD locked",
    }
    "sign" in "fndsa-sign.1" {
        "Writes a detached signature for each FILE. Everything is checked before the first file is read; each signature is \
         verified before it is written. An error with one file does not stop the others.",
        "A context says what a signature is for. Who verifies gives the same context, and the same pre-hash if there is \
         one.",
        "The line before the block of a signature names the key, the context and the pre-hash, so that verify can say which of \
         them differs when the answer is no. Nothing trusts that line. A context is no secret: everybody can read it there; \
         --format raw writes no line.",
        "With --manifest all files are in one list, as sha256sum writes it, and have one signature. A list may have a last day \
         (--best-before, an entry that systemd reads, too), comments, and its signature in it (--inline): docs/lists.md has all of it, \
         and which other programs read which list.",
        "Falcon has no context. With --prehash it signs the digest like any message, as openssl dgst -sign does with \
         oqs-provider; nothing tells such a signature from one of a file that is the digest.",
        "Falcon and fn-dsa-2024 hash a random nonce before the message, and one signature in 800 needs another nonce: a \
         file is then read again. A stream is hashed with four nonces at once.",
        "With --stream other programs ask for signatures, one JSON object a line on standard input, and the key is loaded once: \
         {\"id\": 1, \"path\": FILE}, or with message_b64 in place of path, and with a context where it has one of its own. Each is \
         answered by a line on standard output, in order, with the raw signature in base64. What is wrong with a line is its answer. \
         The exit code is that of the worst answer. docs/json.md has all members.",
        examples:
        "Sign several files" => "fndsa sign -k release.key notes.txt checksums.txt",
        "Sign for one purpose only" => "fndsa sign -k release.key -c nightly -o nightly.sig app.tar.gz",
        "Sign a stream" => "cat app.tar.gz | fndsa sign -k release.key - >stream.sig",
        "Hash the file first" => "fndsa sign -k release.key --prehash sha512 -o prehashed.sig app.tar.gz",
        "Take the key from a variable, as in CI" =>
            "SIGNING_KEY=\"$(cat release.key)\" fndsa sign -f --key-env SIGNING_KEY notes.txt",
        "One signature for a whole release, with a list that sha256sum -c reads too" =>
            "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt checksums.txt",
        "A whole directory, with names that begin there" =>
            "mkdir dist && cp notes.txt app.tar.gz dist && fndsa sign -k release.key -M dist/SHA256SUMS -r dist",
        "The same in one file, with a last day and a remark" =>
            "fndsa sign -f -k release.key -M dist/SHA256SUMS -r dist --inline --best-before 2096-02-29 --comment 'Release 1.2'",
        "Every file that find names" =>
            "find . -name '*.txt' -print0 | fndsa sign -f -k release.key --files-from - -0",
        "Only mu, for a key in another machine" => "fndsa sign -p release.pub --print-mu app.tar.gz >app.mu",
        "What that machine does" => "fndsa sign -k release.key --mu -o app.remote.sig app.mu",
        "Sign what another program asks for, with the key loaded once" =>
            "echo '{\"id\": 1, \"path\": \"notes.txt\"}' | fndsa sign -k release.key --stream",
    }
    "verify" in "fndsa-verify.1" {
        "Says for each FILE whether its signature is good, one line each, in order: OK with the key that matches, FAILED \
         with the reason, or ERROR when it could not be told. Success means that every file is OK.",
        "Only a public key that was given can match. Nothing in a signature or message chooses the key or the algorithm. When \
         the answer is no, a hint repeats what the file of the signature says of itself: by which key, with which context and \
         pre-hash. Anybody can write that; it is never part of the answer.",
        "Of several files by one key, the first OK line names the key, and the others do not repeat it.",
        "A raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon unless --algorithm says otherwise. \
         falcon-rs, for verification only, uses keys of Falcon and has to be named.",
        "With --manifest the signature of the list is verified, then each file is compared with its line. After the last day of a \
         list the answer is no; the clock of the machine, by UTC, is asked only for a list with such a day. Comments of a good \
         list are shown as notes. docs/lists.md has all of it.",
        "With --stream other programs ask for verdicts, one JSON object a line on standard input: {\"id\": 1, \"path\": FILE}, with \
         signature_b64 where the signature is not in FILE.sig, or message_b64 and signature_b64. Each is answered by a line on \
         standard output, in order; status is ok, failed or error. The exit code is that of the worst answer. docs/json.md has all \
         members.",
        examples:
        "Verify a file with its signature in app.tar.gz.sig" => "fndsa verify -p release.pub app.tar.gz",
        "A signature elsewhere" => "fndsa verify -p release.pub -s app.tar.gz.sig app.tar.gz",
        "A stream" => "cat app.tar.gz | fndsa verify -p release.pub -s app.tar.gz.sig -",
        "Decide in a script" =>
            "if fndsa verify -q -p release.pub app.tar.gz; then echo good; else echo \"exit code $?\"; fi",
        "All files of a signed list" =>
            "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt && fndsa verify -p release.pub -M SHA256SUMS",
        "Those that were downloaded" => "fndsa verify -p release.pub -M SHA256SUMS --ignore-missing",
        "A directory with its list in it, and nothing else" =>
            "mkdir dist && cp notes.txt dist && fndsa sign -k release.key -M dist/SHA256SUMS -r dist && \
fndsa verify -p release.pub -M dist/SHA256SUMS -C dist --strict",
        "Any of the keys in one file" =>
            "cat *.pub >trusted.pem && fndsa verify --trusted-keys trusted.pem app.tar.gz",
        "Why not?" => "fndsa verify --explain -p release.pub --context nightly app.tar.gz || test $? = 1",
        "The result as JSON" => "fndsa verify --json -p release.pub app.tar.gz",
        "Verify what another program asks for" =>
            "echo '{\"id\": 1, \"path\": \"app.tar.gz\"}' | fndsa verify -p release.pub --stream",
        "A signature of Falcon" =>
            "fndsa keygen -qf -a falcon-512 falcon && fndsa sign -k falcon.key -o falcon.sig notes.txt && \
             fndsa verify -p falcon.pub -s falcon.sig notes.txt",
    }
    "inspect" in "fndsa-inspect.1" {
        "Says what files are: private key, public key or signature, the algorithm, the form, the fingerprint. Keys are \
         checked in full. A private key and public keys together are checked as pairs. Nothing secret is shown.",
        examples:
        "The fingerprint of a public key" => "fndsa inspect release.pub",
        "Check that two files belong together" => "fndsa inspect release.key release.pub",
        "Lines for the README of a project: how others verify" => "fndsa inspect --markdown release.pub",
        "The same for a release with a signed list" => "fndsa sign -k release.key -M SHA256SUMS app.tar.gz notes.txt && fndsa inspect --markdown release.pub -M SHA256SUMS",
    }
    "pubkey" in "fndsa-pubkey.1" {
        "Computes the public key of a private key.",
        examples:
        "A lost public key" => "fndsa pubkey -k release.key -o again.pub",
        "The 897 bytes of the key without PEM around them" => "fndsa pubkey -k release.key --format raw >release.raw",
    }
    "convert" in "fndsa-convert.1" {
        "Writes a key or signature in another form: FN-DSA's own PEM, the raw encoding, PKCS#8 for private keys, X.509 \
         SubjectPublicKeyInfo (SPKI) for public keys, both in PEM or DER. The content stays the same, byte for byte, and a \
         key is checked in full first. Of an X.509 certificate the public key is taken out; nothing else of it is checked.",
        "No object identifier is assigned to FN-DSA yet. Those written are experimental; --oid writes another one and \
         lets it in, --algorithm lets any unknown one in. Those of Falcon are the ones of oqs-provider and BouncyCastle, \
         whose private keys are read; --layout says which of the two shall read the result. An OID stays from one PKCS#8 or \
         SPKI file to the next.",
        "With --algorithm a key goes to another scheme, exactly, and back; signatures do not. The same key should not be in \
         use in two schemes. A signature of Falcon gets another encoding with --encoding.",
        examples:
        "A private key as PKCS#8" => "fndsa convert release.key --to pkcs8 -o release.p8",
        "The same, encrypted" =>
            "NEW=secret fndsa convert release.key --to pkcs8 --encrypt --new-password-env NEW -o locked.p8",
        "A public key as SPKI in DER" => "fndsa convert release.pub --to spki-der -o release.der",
        "A signature without PEM around it" => "fndsa convert app.tar.gz.sig --to raw -o app.raw",
        "The same key for a program that knows Falcon, through oqs-provider" =>
            "fndsa convert release.key --algorithm falcon-512 --to pkcs8 -o falcon.p8",
        "Or through BouncyCastle" =>
            "fndsa convert falcon.p8 --to pkcs8-der --layout bouncycastle -o falcon.der",
    }
    "passwd" in "fndsa-passwd.1" {
        "Gives a private key file a password, changes it, or removes it with --remove. The file is replaced when the new \
         one is complete; on any error it stays as it was. An encrypted key is PKCS#8 with PBES2 (scrypt, AES-256).",
        "The old password comes from --password-file, --password-env, FNDSA_PASSWORD, FNDSA_PASSWORD_FILE or the terminal; \
         the new one from --new-password-file, --new-password-env or the terminal, where it is asked for twice. Nothing is \
         asked where there is no terminal.",
        examples:
        "A password for a key that has none" =>
            "fndsa keygen vault && NEW=first fndsa passwd vault.key --new-password-env NEW",
        "Another one, typed on the terminal or, here, from files" =>
            "echo first >old && echo second >new && fndsa passwd vault.key --password-file old --new-password-file new",
        "None again" => "FNDSA_PASSWORD=second fndsa passwd vault.key --remove",
    }
    "bench" in "fndsa-bench.1" {
        "Measures operations on this machine, or parts of them. A row has the median, the median absolute deviation (MAD), \
         the minimum and the 95th percentile over the samples; a sample is the mean over a batch of calls. Levels stand \
         one below the other; ratio says how many times as fast as the first one a level is. With --jobs the times are \
         those of one call on one thread while all work.",
        "ops/s is the number of calls of all threads over the time that they took together. It counts what a median leaves out: \
         the few long calls of key generation and signing, interruptions, and the waiting of threads that share a core.",
        "+- says how far the median may be off, with a confidence of 95 %. A row with ! before it is off by more than 5 %, or may \
         be: it is noise more than measurement. Run again when the machine is idle, or longer, with --time 5.",
        "cycles/op counts ticks of the time-stamp counter of x86-64. That is the CPU's reference clock and not the clock \
         of the core, which may be faster or slower. Its frequency is measured and said. Other CPUs have no such column. \
         core cycles are those of the core, without those of the kernel. Linux may let a program count them; where it does not, \
         a note says so, and there is no such column.",
        "pk, sk and sig are the bytes of a public key, a private key and a signature.",
        "hash times SHAKE256, as the schemes and the pre-hash of that name hash messages, and the other pre-hashes of --prehash; MB/s are \
         millions of bytes in a second. SHA-2 chooses its instructions itself, whatever the level. What is not in the table is \
         as fast as something that is, with fewer bytes of output; SHA3-384 is between SHA3-256 and SHA3-512.",
        "Signing and verification include hashing the message. An attempt at a signature that fails is made again, with \
         the message hashed anew where the scheme wants it. Algorithms that are for verification only are not measured.",
        "How often ML-DSA rejects an attempt depends on key and message. So its signatures are the deterministic ones of the \
         messages of 26 bytes that the CCTV project (C2SP/CCTV, ML-DSA/benchmark) published for this, 188, 147 or 114 of them, by \
         the key of the seed of zeros; together they are rejected as often as on average. A sample is the mean over all of \
         them, once or more, and can be compared with other implementations that sign the same. With --message-size keys and \
         signatures are random ones, as of the other algorithms. sign makes the key from its seed each time.",
        "With --baseline each median is compared with that of an earlier run, by operation, algorithm, level, message size \
         and threads. It has REGRESSED when it is slower by more than --max-regression and the 95 % interval of the \
         difference excludes 0; then the answer is no. Rows that the baseline does not have are named and not compared. The \
         baseline must be of a CPU of this name, family, model and stepping, with a counter of this frequency, as far as both say \
         them: virtual machines give unlike CPUs one name.",
        "With --report the result is also a page of HTML for people, with a bar for each figure: operations, levels, batches, profiles and \
         hashes, what was measured with --profile and the like, the machine and the command line. It is one file, which loads nothing \
         and runs no script. It is written at the end, together with the document of --export-json, or neither is.",
        "With --format paper the result is printed as the tables of a paper, with columns as LaTeX wants them and comments of LaTeX above: \
         operations and parts in cycles of the core, or of the counter, on all levels of this CPU unless some are named; the profile \
         of operations in percent; bytes of keys and signatures. If no operation is named, those parts are measured, too, that a \
         signature is made of: sampler, fft, sign-core, hash-to-point, keccak, ntt. The size of code is not among the tables, for the \
         program does not carry the names by which its functions could be measured; build it with CARGO_PROFILE_RELEASE_STRIP=none and \
         ask nm --size-sort.",
        "With --diff nothing is measured: rows that two exported documents have in common stand side by side, on whatever machines \
         and levels they were; ratio says how many times as fast the second is, with the 95 % interval. That is no verdict, and \
         the exit code is 0.",
        "With --profile each part of an operation is timed alone, on the same kind of input, and counted as often as the \
         operation calls it; permutations of Keccak are counted from lengths, and what the sampler hashes counts as \
         hashing. The rest is what is left: random bytes of the system, wiping, norms. Where the parts take longer alone \
         than the whole, they are said to overlap. In key generation the sampler is the drawing of f and g, fft the \
         test of their norm, and the counts are averages over candidates.",
        "With --stack a row says how many bytes of memory a call takes: stack, the deepest of a few calls, on a painted stack, with \
         what wiping clears; work, the memory that the operation is given here, as much as makes it fastest; and least work, as \
         little as it can do with. Keys and signatures come on top, and what a key that is ready holds.",
        "sign-batch signs the messages of --batch at once with a key that is ready, as one call of the library; all figures but the \
         memory are for one message. verify-batch verifies as many signatures of such messages at once.",
        "With --fast-rng there is one more operation, sign-repeat with the library's faster generator (eight streams of \
         SHAKE256 at once). Its signatures verify as any, but they are others than those of sign from the same randomness, \
         and published test vectors are not reproduced. It has no profile.",
        examples:
        "Signing and verification, a fifth of a second each" => "fndsa bench -a 512 -t 0.2 sign verify",
        "The library's faster generator" => "fndsa bench -a 512 -t 0.05 --fast-rng sign-repeat",
        "Two levels side by side" => "fndsa bench -a 512 -t 0.05 --backend scalar --backend emulated verify",
        "ML-DSA" => "fndsa bench -a ml-dsa-65 -t 0.05",
        "Hashes, of short messages and long ones" => "fndsa bench -t 0.01 hash --message-size 64,16K",
        "Two schemes" => "fndsa bench -a fn-dsa-512 -a falcon-512 -t 0.05 sign-repeat verify-repeat",
        "Batches of signatures beside single ones" => "fndsa bench -a 512 -t 0.05 --batch 16 sign-repeat sign-batch verify-repeat verify-batch",
        "Levels side by side, as a page with bars" =>
            "fndsa bench -a 512 -t 0.05 --backend scalar --backend emulated --report bench.html sign verify",
        "The tables of a paper" => "fndsa bench -a 512 -t 0.01 --format paper",
        "Memory of each operation" => "fndsa bench -a 512 -t 0.01 --stack",
        "Where the time goes" => "fndsa bench -a 512 -t 0.1 --profile sign verify",
        "Parts alone, as a table of Markdown" =>
            "fndsa bench -a 512 -t 0.05 --subroutine ntt --subroutine fft --format md",
        "All cores at once" => "fndsa bench -a 512 -t 0.1 -j all verify",
        "In CI: measure the old version, then the new one, and fail if that is slower" =>
            "fndsa bench -a 512 -t 0.1 --export-json old.json verify && \
             fndsa bench -a 512 -t 0.1 --baseline old.json --max-regression 1000 verify",
        "Two machines, or two levels, side by side" =>
            "fndsa bench -a 512 -t 0.05 --backend emulated --export-json one.json verify && \
             fndsa bench -a 512 -t 0.05 --backend scalar --export-json two.json verify && \
             fndsa bench --diff one.json two.json",
    }
    "selftest" in "fndsa-selftest.1" {
        "Tests this program on this machine. On every level of the CPU (or those named with --backend), for every algorithm \
         that signs (or those named with --algorithm): known answers of key generation, signing and verification, then \
         rounds with new keys and messages, where changed messages, contexts and signatures, other keys and other schemes \
         with the same keys must be refused, no byte beside an output may be touched, and all levels must give the same \
         bytes.",
        "Of FN-DSA the known keys and signatures are published byte for byte. Of Falcon and FN-DSA-2024 a published \
         signature must verify and a published private key must have its public key; random bytes become a signature in \
         another way here, so that signatures are held against each other on all levels, and new keys against those of \
         FN-DSA from the same random bytes.",
        "The keys of the self test are the same on every machine. They are used for nothing else and leave no file.",
        examples:
        "A test of less than a second" => "fndsa selftest --rounds 1",
        "One algorithm, more thoroughly" => "fndsa selftest -a falcon-512 --rounds 10",
        "One level" => "fndsa selftest --backend emulated --rounds 1",
    }
    "testvectors" in "fndsa-testvectors.1" {
        "Prints test vectors of FN-DSA or ML-DSA, the same on every machine, so that another implementation, for example \
         firmware, can print the same lines and be compared. With --check the lines of a file are compared instead; comments, \
         blank lines and the ends of lines do not count.",
        "The generator of vector i of degree n is the output of SHAKE256 over the text fndsa-testvectors-v1, n in 2 bytes \
         and i in 4 bytes, all numbers little-endian, read in this order: 32 bytes seed; 2 bytes, modulo 1024 the length \
         of msg; msg; 1 byte, the length of ctx; ctx; 40 bytes rnd. The key pair (pk, sk) is made from seed as its random \
         bytes, sig is the signature of the message msg, without a pre-hash, with the context ctx and rnd as its random \
         bytes. With --hash there is one line for each vector: algorithm, i, and SHA-256 over pk, sk and sig.",
        "Of ML-DSA n is 44, 65 or 87, sk is the expanded private key of FIPS 204, and rnd has 32 bytes. Where i is odd they are \
         zeros that are not read from the generator: the signature is the deterministic one, since some implementations make \
         no other one of chosen bytes.",
        "With --acvp the same vectors of ML-DSA are one JSON document in the form of NIST's ACVP (keyGen, sigGen or sigVer of \
         revision FIPS204), since the tests of most implementations read NIST's own files, and so this one. In sigVer four \
         of five signatures are changed, and testPassed says which. With --check a document is compared: one like this, or an \
         implementation's answer, which has the results alone.",
        "These keys are known to everybody.",
        examples:
        "The first vector of degree 512" => "fndsa testvectors --count 1",
        "Compare what a device has printed" =>
            "fndsa testvectors --hash --count 3 >device.log && fndsa testvectors --hash --count 3 --check device.log",
        "Signatures of ML-DSA-65 for the tests of another implementation, and its answer" =>
            "fndsa testvectors -a ml-dsa-65 --acvp sigGen --count 4 >answer.json && \
             fndsa testvectors -a ml-dsa-65 --acvp sigGen --count 4 --check answer.json",
    }
    "completions" in "fndsa-completions.1" {
        "Prints a script that teaches a shell to complete the commands and options.",
        examples:
        "For bash" => "fndsa completions bash >fndsa.bash",
        "For zsh, in a directory of $fpath" => "fndsa completions zsh >_fndsa",
        "For fish" => "fndsa completions fish >fndsa.fish",
        "For PowerShell, to be run by the profile" => "fndsa completions powershell >fndsa.ps1",
    }
    "man" in "fndsa-man.1" {
        "Prints the manual page of fndsa or of one command, in roff; man -l - shows it. With --dir the pages are written \
         as files.",
        examples:
        "Install the pages" => "mkdir -p man1 && fndsa man --dir man1",
        "The page of one command" => "fndsa man sign >fndsa-sign.1",
    }
    "quickstart" in "fndsa-quickstart.1" {
        "Makes a key pair in a new directory, signs FILE, verifies it, shows that a changed copy fails, and prints the \
         commands that do the same. FILE is only read.",
        examples:
        "Try everything" => "fndsa quickstart notes.txt",
    }
}

fn page(command: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.command == command)
}

/// Returns what `--help` says first.
pub fn description(command: &str, about: &str) -> String {
    let text = page(command).map_or(&[][..], |page| page.text);
    text.iter().fold(about.to_owned(), |all, text| format!("{all}\n\n{text}"))
}

/// Returns what `--help` says last.
pub fn examples(command: &str) -> String {
    let examples = page(command).map_or(&[][..], |page| page.examples);
    examples
        .iter()
        .fold("Examples, for a POSIX shell:".to_owned(), |all, (what, line)| format!("{all}\n  {what}:\n    {line}"))
}
