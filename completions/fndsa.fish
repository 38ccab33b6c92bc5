# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fndsa_global_optspecs
    string join \n q/quiet v/verbose color= json no-progress backend= allow-weak h/help V/version
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

complete -c fndsa -n "__fish_fndsa_needs_command" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_needs_command" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_needs_command" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_needs_command" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_needs_command" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_needs_command" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_needs_command" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_needs_command" -s V -l version -d 'Print version'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "keygen" -d 'Make a key pair'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "sign" -d 'Sign files'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "verify" -d 'Verify signatures'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "inspect" -d 'Say what key and signature files are, and check them'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "pubkey" -d 'Give the public key of a private key'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "convert" -d 'Write a key or signature in another form'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "passwd" -d 'Give a private key a password, change it or remove it'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "bench" -d 'Measure the speed of this machine'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "selftest" -d 'Test this program on this machine: known answers, and rounds with wrong input'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "testvectors" -d 'Print keys and signatures from a stated generator, or compare with such a list'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "man" -d 'Print a manual page, or write all of them'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "quickstart" -d 'Try everything on one file: make keys in a new directory, sign, verify, detect a change'
complete -c fndsa -n "__fish_fndsa_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s a -l algorithm -d 'fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512, fn-dsa-2024-1024, ml-dsa-44, ml-dsa-65, ml-dsa-87, ed25519; with --allow-weak also the degrees 4 to 256' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s o -l output -d 'The private key goes here, `-` for standard output; without NAME no public key is written' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s p -l public-key -d 'The public key goes here, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l format -d 'Form of both files; the public key beside pkcs8 is SPKI' -r -f -a "pem\t'Base64 between BEGIN and END lines: FN-DSA\'s own, and of keys of ML-DSA those of PKCS#8 and SPKI'
raw\t'The bytes of the encoding'
pkcs8\t'A private key as PKCS#8 in PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s n -l count -d 'Make N pairs: NAME-1.key, NAME-1.pub, NAME-2.key, ...' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s j -l jobs -d 'Look for the key on N threads at once, or make N pairs of --count; `all`: as many as there are cores. Default: 1, and all with --count' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l seed-file -d 'Make the key from these 32 bytes, raw or in hexadecimal: whoever has them has the key' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l encrypt -d 'Encrypt the private key with a password: PKCS#8, scrypt, AES-256'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l dual -d 'Make a second pair, of Ed25519: NAME-ed25519.key and NAME-ed25519.pub. Two signatures of which either may be broken one day'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -l insecure-deterministic -d 'For tests only: the same seed gives the same key'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s f -l force -d 'Replace existing files'
complete -c fndsa -n "__fish_fndsa_using_subcommand keygen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s k -l key -d 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]' -r -f -a "(__fish_complete_suffix .key)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l key-env -d 'Take the text of the private key file from this environment variable; for `sign` of several, and beside --key' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l files-from -d 'Read more names from here, one a line, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s j -l jobs -d 'Work on N files at once; `all`: on as many as there are cores' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s o -l output -d 'The signature of the one FILE goes here, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s a -l algorithm -d 'The algorithm of the private key, where the key does not say it' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l format -d 'Form of the signature' -r -f -a "pem\t'Base64 between BEGIN and END lines'
raw\t'The bytes of the encoding'"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l encoding -d 'Encoding of a Falcon signature [default: padded]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s c -l context -d 'Context, at most 255 bytes: what the signature is for' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l context-hex -d 'Context in hexadecimal' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l context-file -d 'Context from a file, byte for byte' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l prehash -d 'Hash the message first' -r -f -a "none\t''
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
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s M -l manifest -d 'Write the checksums of all FILEs to this list, and sign that' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s r -l recursive -d 'List all files below this directory in place of FILEs' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l best-before -d 'The last day of the list, by UTC: after it `verify -M` says no' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l comment -d 'A line of the list, after `#`; shown when it is verified' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l dsse -d 'Write a DSSE envelope: FILE, its type TYPE, and the signatures in one' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s p -l public-key -d 'The public key for --print-mu' -r -f -a "(__fish_complete_suffix .pub)"
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s 0 -l null -d 'Names of --files-from end in NUL, as `find -print0` writes them'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l prehashed -d 'The input is the digest already: raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l mu -d 'The input is an external mu: 64 bytes, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l deterministic -d 'ML-DSA only: no randomness, the same signature each time'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l inline -d 'The signature goes into the list itself, as comments at its end'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l print-mu -d 'Sign nothing, print the external mu for another signer'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l stream -d 'Sign what requests on standard input ask for, a JSON object a line'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -l add -d 'Add the signature to those that the signature file has: it must be there, and is written anew'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s f -l force -d 'Replace existing files; with --add, signatures that say they are by the same key'
complete -c fndsa -n "__fish_fndsa_using_subcommand sign" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s p -l public-key -d 'Public key, or an X.509 certificate with one; any of several may match [env: FNDSA_PUBLIC_KEY]' -r -f -a "(__fish_complete_suffix .pub)"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l trusted-keys -d 'File with any number of public keys and certificates in PEM and any text around them, or directory with such files, *.pub; any may match' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l require -d 'How many different keys must have signed each file: a number, or `all` that are given' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l expect-key -d 'Accept only the key with this fingerprint, of several any' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l files-from -d 'Read more names from here, one a line, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s j -l jobs -d 'Work on N files at once; `all`: on as many as there are cores' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s a -l algorithm -d 'The algorithm of the public keys, where a key does not say it' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s s -l signature -d 'The signature is here instead (one FILE, or the manifest)' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l encoding -d 'Accept Falcon signatures in this encoding only: anybody can write one in another [default: all]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l dsse -d 'Each FILE is a DSSE envelope, whose payload must be of the type TYPE' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s o -l output -d 'The message or payload of the one FILE goes here, when it is verified, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s c -l context -d 'Context, at most 255 bytes: what the signature is for' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l context-hex -d 'Context in hexadecimal' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l context-file -d 'Context from a file, byte for byte' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l prehash -d 'Hash the message first' -r -f -a "none\t''
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
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s M -l manifest -d 'Verify this signed list of checksums, then its files, or only FILEs' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s C -l directory -d 'The names in the manifest, and FILEs, begin in this directory' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l at -d 'Take this day for today where a key or a manifest has a last day' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s 0 -l null -d 'Names of --files-from end in NUL, as `find -print0` writes them'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l attached -d 'Each FILE is a signed message: signature and message in one'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l prehashed -d 'The input is the digest already: raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l mu -d 'The input is an external mu: 64 bytes, raw or in hexadecimal'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l strict -d 'Say no to every file there that the manifest does not name'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l ignore-missing -d 'Pass over files that are missing; at least one must be there'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l explain -d 'Say why a signature does not match, where other options would'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -l stream -d 'Answer requests on standard input, a JSON object a line'
complete -c fndsa -n "__fish_fndsa_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s a -l algorithm -d 'Take files that may be of several schemes for this algorithm' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s M -l manifest -d 'The release has this list of checksums: the lines verify the list and the files in it' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l program-url -d 'Address where readers of the lines find fndsa' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l page-url -d 'Address of the page that verifies' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -l markdown -d 'Print lines in Markdown for a README instead: how to verify what the owner of this public key signs'
complete -c fndsa -n "__fish_fndsa_using_subcommand inspect" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s k -l key -d 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]' -r -f -a "(__fish_complete_suffix .key)"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l key-env -d 'Take the text of the private key file from this environment variable; for `sign` of several, and beside --key' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s a -l algorithm -d 'The algorithm of the private key, where the key does not say it' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s o -l output -d 'The public key goes here' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l format -d 'Form of the public key' -r -f -a "pem\t'Base64 between BEGIN and END lines: FN-DSA\'s own, and of keys of ML-DSA those of PKCS#8 and SPKI'
raw\t'The bytes of the encoding'
spki\t'A public key as X.509 SubjectPublicKeyInfo in PEM'"
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l oid -d 'Write this OID into SPKI instead of the usual one' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand pubkey" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s o -l output -d 'The result goes here, `-` for standard output' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l to -d 'Form of the result; pkcs8 is for private keys, spki for public keys' -r -f -a "pem\t'Base64 between BEGIN and END lines: FN-DSA\'s own, and of keys of ML-DSA those of PKCS#8 and SPKI'
raw\t'The bytes of the encoding'
pkcs8\t'A private key as PKCS#8 in PEM'
pkcs8-der\t'A private key as PKCS#8 in DER'
spki\t'A public key as X.509 SubjectPublicKeyInfo in PEM'
spki-der\t'A public key as X.509 SubjectPublicKeyInfo in DER'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l oid -d 'Take this OID for the one of the algorithm, in IN and in OUT' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s a -l algorithm -d 'The algorithm of OUT: a key of another scheme is converted; IN may have any unknown OID' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l layout -d 'Layout of a private key of Falcon in PKCS#8 [default: oqs]' -r -f -a "oqs\t'As oqs-provider writes it: the public key behind the private one'
bouncycastle\t'As BouncyCastle writes it: each polynomial for itself'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l private -d 'Form of a private key of ML-DSA in PKCS#8 [default: seed, or expanded where IN has no seed]' -r -f -a "seed\t'The seed alone, 32 bytes: what FIPS 204 and RFC 9881 advise'
expanded\t'The expanded key alone, for programs that read no seed'
both\t'Seed and expanded key'"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l encoding -d 'Encoding of a Falcon signature [default: that of IN]' -r -f -a "padded\t''
compressed\t''
ct\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l new-password-file -d 'The new password is the first line of this file, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l new-password-env -d 'The new password is in this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -l encrypt -d 'Encrypt the private key in OUT with a new password; without this, OUT has none'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s o -l output -d 'The result goes here, `-` for standard output, and KEY stays as it is' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l oid -d 'Take this OID for the one of the algorithm' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s a -l algorithm -d 'The algorithm of the key, where the key does not say it' -r -f -a "fn-dsa-512\t''
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
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l password-file -d 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l password-env -d 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l new-password-file -d 'The new password is the first line of this file, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l new-password-env -d 'The new password is in this environment variable' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -l remove -d 'Remove the password: the result is FN-DSA\'s own PEM'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s f -l force -d 'Replace an existing FILE'
complete -c fndsa -n "__fish_fndsa_using_subcommand passwd" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s a -l algorithm -d 'Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l subroutine -d 'A part of operations, repeatable' -r -f -a "keccak\t'One permutation of Keccak'
ntt\t'Modulo q: a transform, a product, an inverse transform'
fft\t'Over the reals: a transform and its inverse'
sampler\t'The samples of one signature, with the hashing they draw from'
hash-to-point\t'The point of one message'
ntru-solve\t'F and G of one f and g'
codec\t'The coefficients of one signature, written and read'
sign-core\t'A lattice point near one hashed message, with a key that is ready: transforms, tree and samples'"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s t -l time -d 'Seconds for each operation, after the warm-up' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s w -l warm-up -d 'Seconds of warm-up [default: a fifth of the time]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l samples -d 'Samples of each operation and thread' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l message-size -d 'Bytes of the messages, one length after the other; with K, M or G times 1024, 1024^2 or 1024^3 [default: 1024; of ML-DSA the published messages, of 26; of hash 64,1K,16K,1M]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s j -l jobs -d 'Do the same on N threads at once; `all`: on as many as there are cores' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l batch -d 'Messages of each batch of sign-batch and verify-batch [default: 64; of published messages all]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l format -d 'Form of the result' -r -f -a "table\t'Columns with blanks between'
md\t'A table of Markdown'
csv\t'Comma-separated values with a heading; times in nanoseconds'
json\t'The document of --json'
paper\t'Tables of LaTeX as papers have them: cycles, parts, profile, sizes'"
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l export-json -d 'Write the document of --json to this file as well' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l report -d 'Write the result to this file as well, as a page of HTML with bars' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l baseline -d 'Compare with the exported document of an earlier run on this machine, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l max-regression -d 'How much slower than the baseline a median may be, in percent [default: 5]' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l diff -d 'Measure nothing: put the exported documents of two runs side by side, on whatever machines they were' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l fast-rng -d 'Also sign with the library\'s faster generator, which gives other signatures from the same randomness'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l stack -d 'Say how much stack and work memory each operation takes'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -l profile -d 'Say where the time of each operation goes'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s f -l force -d 'Replace an existing file'
complete -c fndsa -n "__fish_fndsa_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s a -l algorithm -d 'Algorithm, repeatable [default: all that sign, without toys]' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
fn-dsa-2024-512\t''
fn-dsa-2024-1024\t''
falcon-512\t''
falcon-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''
ed25519\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l rounds -d 'Rounds for each level and algorithm' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand selftest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s a -l algorithm -d 'Algorithm: FN-DSA or ML-DSA [default: fn-dsa-512]' -r -f -a "fn-dsa-512\t''
fn-dsa-1024\t''
ml-dsa-44\t''
ml-dsa-65\t''
ml-dsa-87\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l degree -d 'Degree of FN-DSA: 512 or 1024; with --allow-weak also 4 to 256' -r -f -a "512\t''
1024\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l count -d 'Number of vectors' -r -f
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l acvp -d 'ML-DSA: a document as NIST\'s ACVP has them, which other implementations\' tests read' -r -f -a "keyGen\t'Keys from seeds'
sigGen\t'Signatures, deterministic ones and others'
sigVer\t'Verdicts on signatures, most of them changed'"
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l check -d 'Compare with this file instead of printing, `-` for standard input' -r -F
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -l hash -d 'One line for each vector: SHA-256 of public key, private key and signature'
complete -c fndsa -n "__fish_fndsa_using_subcommand testvectors" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l dir -d 'Write the pages into this directory, which exists; all of them unless a command is named' -r -f -a "(__fish_complete_directories)"
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s f -l force -d 'Replace existing files'
complete -c fndsa -n "__fish_fndsa_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l color -d 'Colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l backend -d 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]' -r -f -a "emulated\t''
scalar\t''
sse2\t''
avx2\t''
avx512\t''"
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s q -l quiet -d 'No notes and no OK lines; twice: nothing at all'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s v -l verbose -d 'Say more'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l json -d 'One JSON document on standard output'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l no-progress -d 'No progress bars'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -l allow-weak -d 'Let in the toy degrees 4 to 256, which give no security'
complete -c fndsa -n "__fish_fndsa_using_subcommand quickstart" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "keygen" -d 'Make a key pair'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "sign" -d 'Sign files'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "verify" -d 'Verify signatures'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "inspect" -d 'Say what key and signature files are, and check them'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "pubkey" -d 'Give the public key of a private key'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "convert" -d 'Write a key or signature in another form'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "passwd" -d 'Give a private key a password, change it or remove it'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "bench" -d 'Measure the speed of this machine'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "selftest" -d 'Test this program on this machine: known answers, and rounds with wrong input'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "testvectors" -d 'Print keys and signatures from a stated generator, or compare with such a list'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "man" -d 'Print a manual page, or write all of them'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "quickstart" -d 'Try everything on one file: make keys in a new directory, sign, verify, detect a change'
complete -c fndsa -n "__fish_fndsa_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify inspect pubkey convert passwd bench selftest testvectors completions man quickstart help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
