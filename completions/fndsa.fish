# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fndsa_global_optspecs
    string join \n q/quiet v/verbose color= json no-progress level= allow-weak h/help V/version
end

function __fish_fndsa_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_fndsa_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_fndsa_using_subcommand
    set -l cmd (__fish_fndsa_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c fndsa -n "__fish_fndsa_needs_command" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_needs_command" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_needs_command" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_needs_command" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_needs_command" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_needs_command" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_needs_command" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_needs_command" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_needs_command" -s V -l version -d 'Print the version; --version also prints the levels'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "keygen" -d 'Make a key pair'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "sign" -d 'Sign files'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "verify" -d 'Verify signatures'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "inspect" -d 'Describe and check key and signature files'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "pubkey" -d 'Print the public key of a private key'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "request" -d 'Write a request for a certificate, or a self-signed certificate'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "convert" -d 'Convert a key or signature to another format'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "passwd" -d 'Set, change or remove the password of a private key'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "bench" -d 'Measure the speed of this machine'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "selftest" -d 'Test fndsa on this machine'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "testvectors" -d 'Print or compare test vectors'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "man" -d 'Print or install the manual pages'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "quickstart" -d 'Try fndsa on one file, in a new directory'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "algorithms" -d 'List the algorithms'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s a -l algorithm -d 'Algorithm of the keys (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s n -l count -d 'Make N pairs: NAME-1.key and NAME-1.pub, NAME-2.key and NAME-2.pub, ...' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s o -l output -d 'Write the private key to this file, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s p -l public-key -d 'Write the public key to this file, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l format -d 'Format of both files; with pkcs8 the public key is written as SPKI' -r -f -a "pem\t'Base64 between BEGIN and END lines; ML-DSA keys are PKCS#8 and SPKI'
raw\t'The bytes of the key or signature, without PEM'
pkcs8\t'A private key as PKCS#8 in PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s j -l jobs -d 'Number of threads, or `all` for one thread per core [default: 1, with --count all]' -r -f -a "all\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l seed-file -d 'Derive the key from the 32 bytes in this file, raw or in hexadecimal' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l encrypt -d 'Encrypt the private key with a password'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l dual -d 'Make a second pair with Ed25519: NAME-ed25519.key and NAME-ed25519.pub'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s f -l force -d 'Replace existing files; a replaced private key is lost'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l insecure-deterministic -d 'Allow --seed-file, for tests only: the same seed gives the same key'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s k -l key -d 'Private key file; repeat to sign with several keys [env: FNDSA_KEY]' -r -f -a "(__fish_fndsa_files key)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l key-env -d 'Environment variable with the text of a private key file' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s a -l algorithm -d 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l files-from -d 'Read more file names from this file, one name per line, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s c -l context -d 'Purpose of the signature, at most 255 bytes' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l context-hex -d 'Read the context from hexadecimal digits' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l context-file -d 'Read the context from this file, byte for byte' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l prehash -d 'Hash the message with this function first; signer and verifier must use the same function' -r -f -a "none\t''
sha256\t''
sha384\t''
sha512\t''
sha512-256\t''
sha3-256\t''
sha3-384\t''
sha3-512\t''
shake128\t''
shake256\t''
sha224\t''
sha512-224\t''
sha3-224\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l dsse -d 'Write a DSSE envelope with a payload of this type to FILE.dsse' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l ssh -d 'Write an SSH signature for this namespace to FILE.sig, as `ssh-keygen -Y sign` does' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l cert -d 'Certificate of the private key for a CMS signature; repeat for several keys' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s M -l list -d 'Write the checksums of all FILEs to this list, and sign the list' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s r -l recursive -d 'List all files below this directory' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l best-before -d 'Last day of the list (UTC); after this day `fndsa verify` rejects the list' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l comment -d 'Add a comment line to the list; `fndsa verify` shows the comments of a valid list' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s o -l output -d 'Write the signature to this file, if there is one FILE' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l format -d 'Format of the signature file' -r -f -a "pem\t'Base64 between BEGIN and END lines'
raw\t'The bytes of the signature, without PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s j -l jobs -d 'Number of files to process at the same time, or `all` for one file per core' -r -f -a "all\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l encoding -d 'Encoding of a Falcon signature [default: padded]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l dsse-form -d 'Form of the payload that the signatures in the envelope cover' -r -f -a "pae\t'The pre-authentication encoding, as sigstore signs it'
tap21\t'The form of in-toto and TUF for ML-DSA keys (TAP 21)'"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l print-mu -d 'Print the external mu of each FILE instead of signing it' -r -f -a "hex\t'Hexadecimal digits'
base64\t'Base64, for JSON interfaces'
raw\t'The 64 bytes'"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l signature -d 'Signature of FILE that another program made, for example a key management service' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s p -l public-key -d 'Public key for --print-mu and --signature' -r -f -a "(__fish_fndsa_files pub)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s 0 -l null -d 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l jws -d 'Write a JSON Web Signature (JWS) to FILE.jws, without the message'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l cms -d 'Write a CMS signature (RFC 5652) to FILE.p7s, without the message'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l attached -d 'Write the message and its CMS signature to FILE.p7m'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l kernel-module -d 'Sign a Linux kernel module: write FILE with its signature at the end to FILE.signed'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l inline -d 'Write the signature to the end of the list instead of a second file'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l add -d 'Add a signature to an existing signature file'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s f -l force -d 'Replace existing files'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l prehashed -d 'FILE contains a digest (see --prehash) instead of the message, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l mu -d 'Read the external mu of ML-DSA or FN-DSA from FILE instead of the message: 64 bytes, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l deterministic -d 'Sign without randomness, so that the signature is always the same (ML-DSA only)'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l cms-direct -d 'Write a CMS signature that covers FILE directly, without attributes, to FILE.p7s'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l stream -d 'Read requests from standard input and sign what they name: one JSON object per line'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s p -l public-key -d 'Public key file or X.509 certificate; repeat to accept several keys [env: FNDSA_PUBLIC_KEY]' -r -f -a "(__fish_fndsa_files pub)"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l trusted-keys -d 'File or directory of public keys; accept any of these keys' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l allowed-signers -d 'File of allowed signers of OpenSSH; accept the keys of --signer for the namespace of --ssh' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l signer -d 'Name of the signer in the file of allowed signers, for example alice@example.com' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s a -l algorithm -d 'Algorithm of the public keys, if a file does not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l ssh -d 'Verify SSH signatures that were made for this namespace: FILE.sig is a file of `ssh-keygen -Y sign`' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l files-from -d 'Read more file names from this file, one name per line, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s s -l signature -d 'Signature file of the only FILE or of the list' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l dsse -d 'Verify DSSE envelopes with a payload of this type' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s c -l context -d 'Purpose of the signature, at most 255 bytes' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l context-hex -d 'Read the context from hexadecimal digits' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l context-file -d 'Read the context from this file, byte for byte' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l prehash -d 'Hash the message with this function first; signer and verifier must use the same function' -r -f -a "none\t''
sha256\t''
sha384\t''
sha512\t''
sha512-256\t''
sha3-256\t''
sha3-384\t''
sha3-512\t''
shake128\t''
shake256\t''
sha224\t''
sha512-224\t''
sha3-224\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s M -l list -d 'Verify this signed list and its files' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s C -l directory -d 'Directory of the listed files' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l require -d 'Number of different keys that must have signed each file, or `all` keys' -r -f -a "all\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l expect-key -d 'Accept only the key with this fingerprint; repeatable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l at -d 'Use this day as today for the days in key lines and lists' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s o -l output -d 'Write the verified message or payload to this file, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s j -l jobs -d 'Number of files to process at the same time, or `all` for one file per core' -r -f -a "all\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l encoding -d 'Accept only Falcon signatures in this encoding [default: all]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l jws -d 'Verify JSON Web Signatures (JWS) of separate files: FILE.jws is the signature of FILE'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s 0 -l null -d 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l cms -d 'Verify CMS signatures (RFC 5652): FILE.p7s is the signature of FILE'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l kernel-module -d 'Verify Linux kernel modules: each FILE ends with its signature'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l strict -d 'Reject every file in the directory that is not in the list'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l ignore-missing -d 'Ignore missing files'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l explain -d 'Find out why a signature does not match'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l attached -d 'Verify signed messages: each FILE contains a signature and its message'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l prehashed -d 'FILE contains a digest (see --prehash) instead of the message, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l mu -d 'Read the external mu of ML-DSA or FN-DSA from FILE instead of the message: 64 bytes, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l stream -d 'Read requests from standard input and verify what they name: one JSON object per line'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s a -l algorithm -d 'Algorithm of files that do not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s M -l list -d 'Write the instructions for a release with this list' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l program-url -d 'Address where readers of the instructions get fndsa' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l page-url -d 'Address of the web page that verifies files' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l markdown -d 'Print instructions in Markdown: how to verify the files that the owner of this public key signs'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s k -l key -d 'Private key file [env: FNDSA_KEY]' -r -f -a "(__fish_fndsa_files key)"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l key-env -d 'Environment variable with the text of a private key file' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s a -l algorithm -d 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s o -l output -d 'Write the public key to this file' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l format -d 'Format of the public key' -r -f -a "pem\t'Base64 between BEGIN and END lines; ML-DSA keys are PKCS#8 and SPKI'
raw\t'The bytes of the key or signature, without PEM'
spki\t'A public key as X.509 SubjectPublicKeyInfo in PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l oid -d 'Write this object identifier to SPKI instead of the usual identifier' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l subject -d 'Name of the owner of the key, for example CN=Release,O=Example,C=DE' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l self-signed -d 'Write a self-signed certificate instead, which is valid from today for this number of days' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s k -l key -d 'Private key file [env: FNDSA_KEY]' -r -f -a "(__fish_fndsa_files key)"
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l key-env -d 'Environment variable with the text of a private key file' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s a -l algorithm -d 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s o -l output -d 'Write the request or the certificate to this file' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l format -d 'Format of the file' -r -f -a "pem\t'Base64 between BEGIN and END lines'
der\t'DER, without PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand request" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s a -l algorithm -d 'Algorithm of OUT, and of IN if that is a raw or hexadecimal key (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l new-password-file -d 'Read the new password from the first line of this file, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l new-password-env -d 'Read the new password from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s o -l output -d 'Write the result to this file, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l to -d 'Format of the result: pkcs8 only for private keys, spki only for public keys' -r -f -a "pem\t'Base64 between BEGIN and END lines; ML-DSA keys are PKCS#8 and SPKI'
raw\t'The bytes of the key or signature, without PEM'
hex\t'The seed of an ML-DSA or Ed25519 key as 64 hexadecimal digits, for a copy on paper; two seeds for a composite'
pkcs8\t'A private key as PKCS#8 in PEM'
pkcs8-der\t'A private key as PKCS#8 in DER'
spki\t'A public key as X.509 SubjectPublicKeyInfo in PEM'
spki-der\t'A public key as X.509 SubjectPublicKeyInfo in DER'
jwk\t'An ML-DSA or Ed25519 key as JSON Web Key, for programs of JOSE'
tuf-key\t'An ML-DSA or Ed25519 public key as JSON, for TUF and in-toto'
ssh\t'A key of ed25519 or ml-dsa-44-ed25519 as OpenSSH writes it; a private key without a password'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l oid -d 'Use this object identifier for the algorithm, in IN and in OUT' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l layout -d 'Layout of a Falcon private key in PKCS#8 [default: oqs]' -r -f -a "oqs\t'The layout of oqs-provider: the public key follows the private key'
bouncycastle\t'The layout of BouncyCastle: each polynomial is a field'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l private -d 'Form of an ML-DSA private key in PKCS#8 [default: seed, or expanded if IN has no seed]' -r -f -a "seed\t'Only the seed (32 bytes), as FIPS 204 and RFC 9881 recommend'
expanded\t'Only the expanded key, for programs that cannot read a seed'
both\t'The seed and the expanded key'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l encoding -d 'Encoding of a Falcon signature [default: the encoding of IN]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l half -d 'Write only this half of the composite key IN' -r -f -a "ml-dsa\t''
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l join -d 'Join the ML-DSA key IN with the Ed25519 key in this file to a composite key' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l encrypt -d 'Encrypt the private key in OUT with a new password; without this option OUT is not encrypted'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l drop-attributes -d 'Drop the attributes of a private key in PKCS#8'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s a -l algorithm -d 'Algorithm of the key, if the file does not name it (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
falcon-rs-512\t''
falcon-rs-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l password-file -d 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l password-env -d 'Read the password of the private key from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l new-password-file -d 'Read the new password from the first line of this file, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l new-password-env -d 'Read the new password from this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s o -l output -d 'Write the result to this file, `-` for standard output; KEY is not changed' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l oid -d 'Use this object identifier for the algorithm' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l remove -d 'Remove the password'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s f -l force -d 'Replace an existing FILE of --output'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s a -l algorithm -d 'Algorithm to measure, repeatable [default: fn-dsa-512 and fn-dsa-1024] (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s t -l time -d 'Seconds for each operation, after the warm-up' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l message-size -d 'Length of the messages in bytes, or several lengths separated by commas [default: 1024]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s j -l jobs -d 'Number of threads that run the operation at the same time, or `all` for one thread per core' -r -f -a "all\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l baseline -d 'Compare with the document of --export-json from an earlier run on this machine, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l diff -d 'Compare the exported documents of two runs, from any machines, and measure nothing' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l format -d 'Format of the result' -r -f -a "table\t'Aligned columns'
md\t'A Markdown table'
csv\t'Comma-separated values with a heading; times are in nanoseconds'
json\t'The JSON document of --json'
paper\t'LaTeX tables for a paper: cycles, parts, profile and sizes'"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l export-json -d 'Also write the JSON document of --json to this file' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l report -d 'Also write the result to this file as an HTML page with bars' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l subroutine -d 'Measure this part of an operation; repeatable' -r -f -a "keccak\t'One permutation of Keccak'
keccak-lanes\t'Eight permutations of Keccak in the lanes of the level'
keccak-serial\t'The Keccak permutation of eight states, computed one state at a time'
ntt\t'A transform modulo q, a product and an inverse transform'
fft\t'A transform over the reals and its inverse'
fft-forward\t'A transform over the reals'
fft-inverse\t'An inverse transform over the reals'
sampler\t'The samples of one signature, with the hashing for their randomness'
base-sampler\t'The half-Gaussian samples of one signature, without the other steps of the sampler'
hash-to-point\t'Hash one message to a point'
ntru-solve\t'Compute F and G from f and g'
codec\t'Encode and decode the coefficients of one signature'
sign-core\t'Find a lattice point near one hashed message with an expanded key: transforms, tree and samples'
sign-core-encoded\t'sign-core from the encoded key: also computes the basis and the tree'"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s w -l warm-up -d 'Seconds of warm-up [default: a fifth of the time]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l samples -d 'Number of samples for each operation and thread' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l batch -d 'Number of messages in each batch of sign-batch and verify-batch [default: 64; for published messages all]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l max-regression -d 'Accept medians that are slower than the baseline by at most this percentage [default: 5]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l fast-rng -d 'Also measure sign-repeat with the library\'s faster random generator'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l stack -d 'Print how much stack and work memory each operation uses'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l profile -d 'Print how the time of each operation is divided among its parts'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s a -l algorithm -d 'Algorithm to test, repeatable [default: all that can sign] (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''
ml-dsa-44-ed25519\t''
ml-dsa-65-ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l rounds -d 'Number of rounds for each level and algorithm' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s a -l algorithm -d 'FN-DSA or ML-DSA algorithm [default: fn-dsa-512] (see `fndsa help algorithms`)' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l degree -d 'Degree of FN-DSA; with --allow-weak also 4 to 256' -r -f -a "512\t''
1024\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l count -d 'Number of vectors' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l acvp -d 'Print a JSON document in the format of NIST\'s ACVP (ML-DSA only)' -r -f -a "keyGen\t'Key pairs from seeds'
sigGen\t'Signatures, deterministic and randomized'
sigVer\t'Verdicts on signatures; most of the signatures are changed'"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l check -d 'Compare the vectors with this file instead of printing them, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l hash -d 'Print one SHA-256 digest per vector, of public key, private key and signature'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l dir -d 'Write all pages, or the page of COMMAND, to this existing directory' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s f -l force -d 'Replace existing files'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -l color -d 'Use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -l level -d 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -s q -l quiet -d 'Print no notes and no OK lines; repeat for no output'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -s v -l verbose -d 'Print more details'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -l json -d 'Print a JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -l no-progress -d 'Show no progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -l allow-weak -d 'Accept toy algorithms with a degree of 4 to 256, which are not secure'
complete -c fndsa -n "__fish_fndsa_using_subcommand algorithms" -s h -l help -d 'Print help; --help prints all options'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "keygen" -d 'Make a key pair'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "sign" -d 'Sign files'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "verify" -d 'Verify signatures'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "inspect" -d 'Describe and check key and signature files'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "pubkey" -d 'Print the public key of a private key'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "request" -d 'Write a request for a certificate, or a self-signed certificate'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "convert" -d 'Convert a key or signature to another format'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "passwd" -d 'Set, change or remove the password of a private key'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "bench" -d 'Measure the speed of this machine'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "selftest" -d 'Test fndsa on this machine'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "testvectors" -d 'Print or compare test vectors'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "man" -d 'Print or install the manual pages'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "quickstart" -d 'Try fndsa on one file, in a new directory'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "algorithms" -d 'List the algorithms'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart algorithms help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'

# Print the directories and the files whose names end in the given way.
function __fish_fndsa_files
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r '^.*(?:/|\.'$argv[1]')(?:\t.*)?$'
end

complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -f -a "keygen\t'Make a key pair'
sign\t'Load a private key and sign'
sign-repeat\t'Sign with an expanded key'
sign-batch\t'Sign many messages at once with an expanded key; the time is for one message'
verify\t'Load a public key and verify'
verify-repeat\t'Verify with an expanded key'
verify-batch\t'Verify many signatures at once with an expanded key; the time is for one signature'
hash\t'Hash messages with SHAKE256 and with the pre-hashes'"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -f
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -f
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -f -a "bash\t''
zsh\t''
fish\t''
powershell\t''
elvish\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -f -a "keygen\t''
sign\t''
verify\t''
inspect\t''
pubkey\t''
request\t''
convert\t''
passwd\t''
bench\t''
selftest\t''
testvectors\t''
completions\t''
man\t''
quickstart\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand help" -f -a "algorithms"
