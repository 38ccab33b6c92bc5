
use builtin;
use str;

set edit:completion:arg-completer[fndsa] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'fndsa'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'fndsa'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand keygen 'Make a key pair'
            cand sign 'Sign files'
            cand verify 'Verify signatures'
            cand inspect 'Say what key and signature files are, and check them'
            cand pubkey 'Give the public key of a private key'
            cand convert 'Write a key or signature in another form'
            cand passwd 'Give a private key a password, change it or remove it'
            cand bench 'Measure the speed of this machine'
            cand selftest 'Test this program on this machine: known answers, and rounds with wrong input'
            cand testvectors 'Print keys and signatures from a stated generator, or compare with such a list'
            cand completions 'Print a completion script for a shell'
            cand man 'Print a manual page, or write all of them'
            cand quickstart 'Try everything on one file: make keys in a new directory, sign, verify, detect a change'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'fndsa;keygen'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -a 'fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512, fn-dsa-2024-1024; with --allow-weak also the degrees 4 to 256'
            cand --algorithm 'fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512, fn-dsa-2024-1024; with --allow-weak also the degrees 4 to 256'
            cand -o 'The private key goes here, `-` for standard output; without NAME no public key is written'
            cand --output 'The private key goes here, `-` for standard output; without NAME no public key is written'
            cand -p 'The public key goes here, `-` for standard output'
            cand --public-key 'The public key goes here, `-` for standard output'
            cand --format 'Form of both files; the public key beside pkcs8 is SPKI'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand -n 'Make N pairs on all cores: NAME-1.key, NAME-1.pub, NAME-2.key, ...'
            cand --count 'Make N pairs on all cores: NAME-1.key, NAME-1.pub, NAME-2.key, ...'
            cand --seed-file 'Make the key from these 32 bytes, raw or in hexadecimal: whoever has them has the key'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand --encrypt 'Encrypt the private key with a password: PKCS#8, scrypt, AES-256'
            cand --insecure-deterministic 'For tests only: the same seed gives the same key'
            cand -f 'Replace existing files'
            cand --force 'Replace existing files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;sign'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -k 'Private key, `-` for standard input [env: FNDSA_KEY]'
            cand --key 'Private key, `-` for standard input [env: FNDSA_KEY]'
            cand --key-env 'Take the text of the private key file from this environment variable'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand --files-from 'Read more names from here, `-` for standard input: one a line, byte for byte; only LF ends a line, and `-` in the list is a file of that name'
            cand -j 'Work on N files at once; `all`: on as many as there are cores'
            cand --jobs 'Work on N files at once; `all`: on as many as there are cores'
            cand -o 'The signature goes here instead, `-` for standard output (one FILE)'
            cand --output 'The signature goes here instead, `-` for standard output (one FILE)'
            cand -a 'The algorithm of the private key, where the key does not say it: a raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon'
            cand --algorithm 'The algorithm of the private key, where the key does not say it: a raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon'
            cand --format 'Form of the signature'
            cand --encoding 'Encoding of a Falcon signature [default: padded]'
            cand -c 'Context, at most 255 bytes: what the signature is for'
            cand --context 'Context, at most 255 bytes: what the signature is for'
            cand --context-hex 'Context in hexadecimal'
            cand --context-file 'Context from a file, byte for byte'
            cand --prehash 'Hash the message first'
            cand -M 'Write the checksums of all FILEs to this list, in the form of `sha256sum`, and one signature over it to MANIFEST.sig: both or nothing; names are as given, below the current directory'
            cand --manifest 'Write the checksums of all FILEs to this list, in the form of `sha256sum`, and one signature over it to MANIFEST.sig: both or nothing; names are as given, below the current directory'
            cand -p 'The public key for --print-mu'
            cand --public-key 'The public key for --print-mu'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -0 'The names of --files-from end in NUL, as `find -print0` writes them'
            cand --null 'The names of --files-from end in NUL, as `find -print0` writes them'
            cand --prehashed 'The input is the digest already: raw or in hexadecimal'
            cand --mu 'The input is an external mu: 64 bytes, raw or in hexadecimal'
            cand --print-mu 'Sign nothing, print the external mu for another signer, in hexadecimal (of several FILEs with their names); a public key is enough for that'
            cand -f 'Replace existing files'
            cand --force 'Replace existing files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;verify'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -p 'Public key; any of several may match [env: FNDSA_PUBLIC_KEY]'
            cand --public-key 'Public key; any of several may match [env: FNDSA_PUBLIC_KEY]'
            cand --trusted-keys 'File with any number of public keys in PEM and any text around them; any may match'
            cand --expect-key 'Accept only the key with this fingerprint, of several any'
            cand --files-from 'Read more names from here, `-` for standard input: one a line, byte for byte; only LF ends a line, and `-` in the list is a file of that name'
            cand -j 'Work on N files at once; `all`: on as many as there are cores'
            cand --jobs 'Work on N files at once; `all`: on as many as there are cores'
            cand -a 'The algorithm of the public keys, where a key does not say it: a raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon; falcon-rs-512 and falcon-rs-1024 use keys of Falcon'
            cand --algorithm 'The algorithm of the public keys, where a key does not say it: a raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon; falcon-rs-512 and falcon-rs-1024 use keys of Falcon'
            cand -s 'The signature is here instead (one FILE, or the manifest)'
            cand --signature 'The signature is here instead (one FILE, or the manifest)'
            cand -o 'The message of the one FILE goes here, when it is verified, `-` for standard output'
            cand --output 'The message of the one FILE goes here, when it is verified, `-` for standard output'
            cand -c 'Context, at most 255 bytes: what the signature is for'
            cand --context 'Context, at most 255 bytes: what the signature is for'
            cand --context-hex 'Context in hexadecimal'
            cand --context-file 'Context from a file, byte for byte'
            cand --prehash 'Hash the message first'
            cand -M 'Verify the signature of this list of checksums, expected in MANIFEST.sig, then the files that it names, or only FILEs; names are relative to the current directory'
            cand --manifest 'Verify the signature of this list of checksums, expected in MANIFEST.sig, then the files that it names, or only FILEs; names are relative to the current directory'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -0 'The names of --files-from end in NUL, as `find -print0` writes them'
            cand --null 'The names of --files-from end in NUL, as `find -print0` writes them'
            cand --attached 'Each FILE is a signed message: signature and message in one, as the programs of NIST''s process write them (Falcon only)'
            cand -f 'Replace an existing file'
            cand --force 'Replace an existing file'
            cand --prehashed 'The input is the digest already: raw or in hexadecimal'
            cand --mu 'The input is an external mu: 64 bytes, raw or in hexadecimal'
            cand --ignore-missing 'Pass over files of the manifest that are not there; at least one must be'
            cand --explain 'Say why a signature does not match, where other options or keys would: slower, and the verdict stays'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;inspect'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -a 'Take files that may be of several schemes for this algorithm'
            cand --algorithm 'Take files that may be of several schemes for this algorithm'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;pubkey'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -k 'Private key, `-` for standard input [env: FNDSA_KEY]'
            cand --key 'Private key, `-` for standard input [env: FNDSA_KEY]'
            cand --key-env 'Take the text of the private key file from this environment variable'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand -a 'The algorithm of the private key, where the key does not say it'
            cand --algorithm 'The algorithm of the private key, where the key does not say it'
            cand -o 'The public key goes here'
            cand --output 'The public key goes here'
            cand --format 'Form of the public key'
            cand --oid 'Write this OID into SPKI instead of the usual one'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -f 'Replace an existing file'
            cand --force 'Replace an existing file'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;convert'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -o 'The result goes here, `-` for standard output'
            cand --output 'The result goes here, `-` for standard output'
            cand --to 'Form of the result; pkcs8 is for private keys, spki for public keys'
            cand --oid 'Take this OID for the one of FN-DSA, in IN and in OUT'
            cand --algorithm 'What IN is, whatever unknown OID it has: fn-dsa-512 or fn-dsa-1024'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand --new-password-file 'The new password is the first line of this file, `-` for standard input'
            cand --new-password-env 'The new password is in this environment variable'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand --encrypt 'Encrypt the private key in OUT with a new password; without this, OUT has none'
            cand -f 'Replace an existing file'
            cand --force 'Replace an existing file'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;passwd'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -o 'The result goes here, `-` for standard output, and KEY stays as it is'
            cand --output 'The result goes here, `-` for standard output, and KEY stays as it is'
            cand --oid 'Take this OID for the one of FN-DSA'
            cand --password-file 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]'
            cand --password-env 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)'
            cand --new-password-file 'The new password is the first line of this file, `-` for standard input'
            cand --new-password-env 'The new password is in this environment variable'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand --remove 'Remove the password: the result is FN-DSA''s own PEM'
            cand -f 'Replace an existing FILE'
            cand --force 'Replace an existing FILE'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;bench'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -a 'Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]'
            cand --algorithm 'Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]'
            cand -t 'Seconds for each operation, after the warm-up'
            cand --time 'Seconds for each operation, after the warm-up'
            cand --samples 'Samples of each operation'
            cand --message-size 'Bytes of the messages'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;selftest'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -a 'Algorithm, repeatable [default: all that sign, without toys]'
            cand --algorithm 'Algorithm, repeatable [default: all that sign, without toys]'
            cand --rounds 'Rounds for each level and algorithm'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;testvectors'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand --degree 'Degree: 512 or 1024; with --allow-weak also 4 to 256'
            cand --count 'Number of vectors'
            cand --check 'Compare with the lines of this file instead of printing, `-` for standard input'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand --hash 'One line for each vector: SHA-256 of public key, private key and signature'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;completions'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;man'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand --dir 'Write the pages into this directory, which exists; all of them unless a command is named'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -f 'Replace existing files'
            cand --force 'Replace existing files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;quickstart'= {
            cand --color 'Colors'
            cand --backend 'Use this level of the CPU instead of the fastest'
            cand -q 'No notes and no OK lines; twice: nothing at all'
            cand --quiet 'No notes and no OK lines; twice: nothing at all'
            cand -v 'Say more'
            cand --verbose 'Say more'
            cand --json 'One JSON document on standard output'
            cand --no-progress 'No progress bars'
            cand --allow-weak 'Let in the toy degrees 4 to 256, which give no security'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'fndsa;help'= {
            cand keygen 'Make a key pair'
            cand sign 'Sign files'
            cand verify 'Verify signatures'
            cand inspect 'Say what key and signature files are, and check them'
            cand pubkey 'Give the public key of a private key'
            cand convert 'Write a key or signature in another form'
            cand passwd 'Give a private key a password, change it or remove it'
            cand bench 'Measure the speed of this machine'
            cand selftest 'Test this program on this machine: known answers, and rounds with wrong input'
            cand testvectors 'Print keys and signatures from a stated generator, or compare with such a list'
            cand completions 'Print a completion script for a shell'
            cand man 'Print a manual page, or write all of them'
            cand quickstart 'Try everything on one file: make keys in a new directory, sign, verify, detect a change'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'fndsa;help;keygen'= {
        }
        &'fndsa;help;sign'= {
        }
        &'fndsa;help;verify'= {
        }
        &'fndsa;help;inspect'= {
        }
        &'fndsa;help;pubkey'= {
        }
        &'fndsa;help;convert'= {
        }
        &'fndsa;help;passwd'= {
        }
        &'fndsa;help;bench'= {
        }
        &'fndsa;help;selftest'= {
        }
        &'fndsa;help;testvectors'= {
        }
        &'fndsa;help;completions'= {
        }
        &'fndsa;help;man'= {
        }
        &'fndsa;help;quickstart'= {
        }
        &'fndsa;help;help'= {
        }
    ]
    $completions[$command]
}
