
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'fndsa' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'fndsa'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'fndsa' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('keygen', 'keygen', [CompletionResultType]::ParameterValue, 'Make a key pair')
            [CompletionResult]::new('sign', 'sign', [CompletionResultType]::ParameterValue, 'Sign files')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Verify signatures')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'Say what key and signature files are, and check them')
            [CompletionResult]::new('pubkey', 'pubkey', [CompletionResultType]::ParameterValue, 'Give the public key of a private key')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write a key or signature in another form')
            [CompletionResult]::new('passwd', 'passwd', [CompletionResultType]::ParameterValue, 'Give a private key a password, change it or remove it')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure the speed of this machine')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Test this program on this machine: known answers, and rounds with wrong input')
            [CompletionResult]::new('testvectors', 'testvectors', [CompletionResultType]::ParameterValue, 'Print keys and signatures from a stated generator, or compare with such a list')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a manual page, or write all of them')
            [CompletionResult]::new('quickstart', 'quickstart', [CompletionResultType]::ParameterValue, 'Try everything on one file: make keys in a new directory, sign, verify, detect a change')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fndsa;keygen' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512, fn-dsa-2024-1024, ml-dsa-44, ml-dsa-65, ml-dsa-87, ed25519; with --allow-weak also the degrees 4 to 256')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512, fn-dsa-2024-1024, ml-dsa-44, ml-dsa-65, ml-dsa-87, ed25519; with --allow-weak also the degrees 4 to 256')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The private key goes here, `-` for standard output; without NAME no public key is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The private key goes here, `-` for standard output; without NAME no public key is written')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'The public key goes here, `-` for standard output')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'The public key goes here, `-` for standard output')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of both files; the public key beside pkcs8 is SPKI')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Make N pairs: NAME-1.key, NAME-1.pub, NAME-2.key, ...')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Make N pairs: NAME-1.key, NAME-1.pub, NAME-2.key, ...')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Look for the key on N threads at once, or make N pairs of --count; `all`: as many as there are cores. Default: 1, and all with --count')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Look for the key on N threads at once, or make N pairs of --count; `all`: as many as there are cores. Default: 1, and all with --count')
            [CompletionResult]::new('--seed-file', '--seed-file', [CompletionResultType]::ParameterName, 'Make the key from these 32 bytes, raw or in hexadecimal: whoever has them has the key')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--encrypt', '--encrypt', [CompletionResultType]::ParameterName, 'Encrypt the private key with a password: PKCS#8, scrypt, AES-256')
            [CompletionResult]::new('--dual', '--dual', [CompletionResultType]::ParameterName, 'Make a second pair, of Ed25519: NAME-ed25519.key and NAME-ed25519.pub. Two signatures of which either may be broken one day')
            [CompletionResult]::new('--insecure-deterministic', '--insecure-deterministic', [CompletionResultType]::ParameterName, 'For tests only: the same seed gives the same key')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;sign' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]')
            [CompletionResult]::new('--key-env', '--key-env', [CompletionResultType]::ParameterName, 'Take the text of the private key file from this environment variable; for `sign` of several, and beside --key')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more names from here, one a line, `-` for standard input')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Work on N files at once; `all`: on as many as there are cores')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Work on N files at once; `all`: on as many as there are cores')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The signature of the one FILE goes here, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The signature of the one FILE goes here, `-` for standard output')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'The algorithm of the private key, where the key does not say it')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'The algorithm of the private key, where the key does not say it')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the signature')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of a Falcon signature [default: padded]')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Context, at most 255 bytes: what the signature is for')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context, at most 255 bytes: what the signature is for')
            [CompletionResult]::new('--context-hex', '--context-hex', [CompletionResultType]::ParameterName, 'Context in hexadecimal')
            [CompletionResult]::new('--context-file', '--context-file', [CompletionResultType]::ParameterName, 'Context from a file, byte for byte')
            [CompletionResult]::new('--prehash', '--prehash', [CompletionResultType]::ParameterName, 'Hash the message first')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'Write the checksums of all FILEs to this list, and sign that')
            [CompletionResult]::new('--manifest', '--manifest', [CompletionResultType]::ParameterName, 'Write the checksums of all FILEs to this list, and sign that')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'List all files below this directory in place of FILEs')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'List all files below this directory in place of FILEs')
            [CompletionResult]::new('--best-before', '--best-before', [CompletionResultType]::ParameterName, 'The last day of the list, by UTC: after it `verify -M` says no')
            [CompletionResult]::new('--comment', '--comment', [CompletionResultType]::ParameterName, 'A line of the list, after `#`; shown when it is verified')
            [CompletionResult]::new('--dsse', '--dsse', [CompletionResultType]::ParameterName, 'Write a DSSE envelope: FILE, its type TYPE, and the signatures in one')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'The public key for --print-mu')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'The public key for --print-mu')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Names of --files-from end in NUL, as `find -print0` writes them')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Names of --files-from end in NUL, as `find -print0` writes them')
            [CompletionResult]::new('--prehashed', '--prehashed', [CompletionResultType]::ParameterName, 'The input is the digest already: raw or in hexadecimal')
            [CompletionResult]::new('--mu', '--mu', [CompletionResultType]::ParameterName, 'The input is an external mu: 64 bytes, raw or in hexadecimal')
            [CompletionResult]::new('--deterministic', '--deterministic', [CompletionResultType]::ParameterName, 'ML-DSA only: no randomness, the same signature each time')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'The signature goes into the list itself, as comments at its end')
            [CompletionResult]::new('--print-mu', '--print-mu', [CompletionResultType]::ParameterName, 'Sign nothing, print the external mu for another signer')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Sign what requests on standard input ask for, a JSON object a line')
            [CompletionResult]::new('--add', '--add', [CompletionResultType]::ParameterName, 'Add the signature to those that the signature file has: it must be there, and is written anew')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files; with --add, signatures that say they are by the same key')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files; with --add, signatures that say they are by the same key')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;verify' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Public key, or an X.509 certificate with one; any of several may match [env: FNDSA_PUBLIC_KEY]')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'Public key, or an X.509 certificate with one; any of several may match [env: FNDSA_PUBLIC_KEY]')
            [CompletionResult]::new('--trusted-keys', '--trusted-keys', [CompletionResultType]::ParameterName, 'File with any number of public keys and certificates in PEM and any text around them, or directory with such files, *.pub; any may match')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'How many different keys must have signed each file: a number, or `all` that are given')
            [CompletionResult]::new('--expect-key', '--expect-key', [CompletionResultType]::ParameterName, 'Accept only the key with this fingerprint, of several any')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more names from here, one a line, `-` for standard input')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Work on N files at once; `all`: on as many as there are cores')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Work on N files at once; `all`: on as many as there are cores')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'The algorithm of the public keys, where a key does not say it')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'The algorithm of the public keys, where a key does not say it')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The signature is here instead (one FILE, or the manifest)')
            [CompletionResult]::new('--signature', '--signature', [CompletionResultType]::ParameterName, 'The signature is here instead (one FILE, or the manifest)')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Accept Falcon signatures in this encoding only: anybody can write one in another [default: all]')
            [CompletionResult]::new('--dsse', '--dsse', [CompletionResultType]::ParameterName, 'Each FILE is a DSSE envelope, whose payload must be of the type TYPE')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The message or payload of the one FILE goes here, when it is verified, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The message or payload of the one FILE goes here, when it is verified, `-` for standard output')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Context, at most 255 bytes: what the signature is for')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context, at most 255 bytes: what the signature is for')
            [CompletionResult]::new('--context-hex', '--context-hex', [CompletionResultType]::ParameterName, 'Context in hexadecimal')
            [CompletionResult]::new('--context-file', '--context-file', [CompletionResultType]::ParameterName, 'Context from a file, byte for byte')
            [CompletionResult]::new('--prehash', '--prehash', [CompletionResultType]::ParameterName, 'Hash the message first')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'Verify this signed list of checksums, then its files, or only FILEs')
            [CompletionResult]::new('--manifest', '--manifest', [CompletionResultType]::ParameterName, 'Verify this signed list of checksums, then its files, or only FILEs')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'The names in the manifest, and FILEs, begin in this directory')
            [CompletionResult]::new('--directory', '--directory', [CompletionResultType]::ParameterName, 'The names in the manifest, and FILEs, begin in this directory')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Take this day for today where a key or a manifest has a last day')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Names of --files-from end in NUL, as `find -print0` writes them')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Names of --files-from end in NUL, as `find -print0` writes them')
            [CompletionResult]::new('--attached', '--attached', [CompletionResultType]::ParameterName, 'Each FILE is a signed message: signature and message in one')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--prehashed', '--prehashed', [CompletionResultType]::ParameterName, 'The input is the digest already: raw or in hexadecimal')
            [CompletionResult]::new('--mu', '--mu', [CompletionResultType]::ParameterName, 'The input is an external mu: 64 bytes, raw or in hexadecimal')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Say no to every file there that the manifest does not name')
            [CompletionResult]::new('--ignore-missing', '--ignore-missing', [CompletionResultType]::ParameterName, 'Pass over files that are missing; at least one must be there')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say why a signature does not match, where other options would')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Answer requests on standard input, a JSON object a line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;inspect' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Take files that may be of several schemes for this algorithm')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Take files that may be of several schemes for this algorithm')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'The release has this list of checksums: the lines verify the list and the files in it')
            [CompletionResult]::new('--manifest', '--manifest', [CompletionResultType]::ParameterName, 'The release has this list of checksums: the lines verify the list and the files in it')
            [CompletionResult]::new('--program-url', '--program-url', [CompletionResultType]::ParameterName, 'Address where readers of the lines find fndsa')
            [CompletionResult]::new('--page-url', '--page-url', [CompletionResultType]::ParameterName, 'Address of the page that verifies')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print lines in Markdown for a README instead: how to verify what the owner of this public key signs')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;pubkey' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Private key, `-` for standard input; for `sign` may be several, which all sign [env: FNDSA_KEY]')
            [CompletionResult]::new('--key-env', '--key-env', [CompletionResultType]::ParameterName, 'Take the text of the private key file from this environment variable; for `sign` of several, and beside --key')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'The algorithm of the private key, where the key does not say it')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'The algorithm of the private key, where the key does not say it')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The public key goes here')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The public key goes here')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the public key')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Write this OID into SPKI instead of the usual one')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;convert' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The result goes here, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The result goes here, `-` for standard output')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Form of the result; pkcs8 is for private keys, spki for public keys')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Take this OID for the one of the algorithm, in IN and in OUT')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'The algorithm of OUT: a key of another scheme is converted; IN may have any unknown OID')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'The algorithm of OUT: a key of another scheme is converted; IN may have any unknown OID')
            [CompletionResult]::new('--layout', '--layout', [CompletionResultType]::ParameterName, 'Layout of a private key of Falcon in PKCS#8 [default: oqs]')
            [CompletionResult]::new('--private', '--private', [CompletionResultType]::ParameterName, 'Form of a private key of ML-DSA in PKCS#8 [default: seed, or expanded where IN has no seed]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of a Falcon signature [default: that of IN]')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('--new-password-file', '--new-password-file', [CompletionResultType]::ParameterName, 'The new password is the first line of this file, `-` for standard input')
            [CompletionResult]::new('--new-password-env', '--new-password-env', [CompletionResultType]::ParameterName, 'The new password is in this environment variable')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--encrypt', '--encrypt', [CompletionResultType]::ParameterName, 'Encrypt the private key in OUT with a new password; without this, OUT has none')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;passwd' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The result goes here, `-` for standard output, and KEY stays as it is')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The result goes here, `-` for standard output, and KEY stays as it is')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Take this OID for the one of the algorithm')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'The algorithm of the key, where the key does not say it')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'The algorithm of the key, where the key does not say it')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'The password of the private key is the first line of this file, `-` for standard input [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'The password of the private key is in this environment variable (without this option: in FNDSA_PASSWORD)')
            [CompletionResult]::new('--new-password-file', '--new-password-file', [CompletionResultType]::ParameterName, 'The new password is the first line of this file, `-` for standard input')
            [CompletionResult]::new('--new-password-env', '--new-password-env', [CompletionResultType]::ParameterName, 'The new password is in this environment variable')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Remove the password: the result is FN-DSA''s own PEM')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing FILE')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing FILE')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;bench' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]')
            [CompletionResult]::new('--subroutine', '--subroutine', [CompletionResultType]::ParameterName, 'A part of operations, repeatable')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Seconds for each operation, after the warm-up')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Seconds for each operation, after the warm-up')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Seconds of warm-up [default: a fifth of the time]')
            [CompletionResult]::new('--warm-up', '--warm-up', [CompletionResultType]::ParameterName, 'Seconds of warm-up [default: a fifth of the time]')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Samples of each operation and thread')
            [CompletionResult]::new('--message-size', '--message-size', [CompletionResultType]::ParameterName, 'Bytes of the messages, one length after the other; with K, M or G times 1024, 1024^2 or 1024^3 [default: 1024; of ML-DSA the published messages, of 26; of hash 64,1K,16K,1M]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Do the same on N threads at once; `all`: on as many as there are cores')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Do the same on N threads at once; `all`: on as many as there are cores')
            [CompletionResult]::new('--batch', '--batch', [CompletionResultType]::ParameterName, 'Messages of each batch of sign-batch and verify-batch [default: 64; of published messages all]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Form of the result')
            [CompletionResult]::new('--export-json', '--export-json', [CompletionResultType]::ParameterName, 'Write the document of --json to this file as well')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write the result to this file as well, as a page of HTML with bars')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Compare with the exported document of an earlier run on this machine, `-` for standard input')
            [CompletionResult]::new('--max-regression', '--max-regression', [CompletionResultType]::ParameterName, 'How much slower than the baseline a median may be, in percent [default: 5]')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Measure nothing: put the exported documents of two runs side by side, on whatever machines they were')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--fast-rng', '--fast-rng', [CompletionResultType]::ParameterName, 'Also sign with the library''s faster generator, which gives other signatures from the same randomness')
            [CompletionResult]::new('--stack', '--stack', [CompletionResultType]::ParameterName, 'Say how much stack and work memory each operation takes')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Say where the time of each operation goes')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;selftest' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm, repeatable [default: all that sign, without toys]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm, repeatable [default: all that sign, without toys]')
            [CompletionResult]::new('--rounds', '--rounds', [CompletionResultType]::ParameterName, 'Rounds for each level and algorithm')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;testvectors' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm: FN-DSA or ML-DSA [default: fn-dsa-512]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm: FN-DSA or ML-DSA [default: fn-dsa-512]')
            [CompletionResult]::new('--degree', '--degree', [CompletionResultType]::ParameterName, 'Degree of FN-DSA: 512 or 1024; with --allow-weak also 4 to 256')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Number of vectors')
            [CompletionResult]::new('--acvp', '--acvp', [CompletionResultType]::ParameterName, 'ML-DSA: a document as NIST''s ACVP has them, which other implementations'' tests read')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Compare with this file instead of printing, `-` for standard input')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'One line for each vector: SHA-256 of public key, private key and signature')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;man' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write the pages into this directory, which exists; all of them unless a command is named')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;quickstart' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No notes and no OK lines; twice: nothing at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Let in the toy degrees 4 to 256, which give no security')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fndsa;help' {
            [CompletionResult]::new('keygen', 'keygen', [CompletionResultType]::ParameterValue, 'Make a key pair')
            [CompletionResult]::new('sign', 'sign', [CompletionResultType]::ParameterValue, 'Sign files')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Verify signatures')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'Say what key and signature files are, and check them')
            [CompletionResult]::new('pubkey', 'pubkey', [CompletionResultType]::ParameterValue, 'Give the public key of a private key')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write a key or signature in another form')
            [CompletionResult]::new('passwd', 'passwd', [CompletionResultType]::ParameterValue, 'Give a private key a password, change it or remove it')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure the speed of this machine')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Test this program on this machine: known answers, and rounds with wrong input')
            [CompletionResult]::new('testvectors', 'testvectors', [CompletionResultType]::ParameterValue, 'Print keys and signatures from a stated generator, or compare with such a list')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a manual page, or write all of them')
            [CompletionResult]::new('quickstart', 'quickstart', [CompletionResultType]::ParameterValue, 'Try everything on one file: make keys in a new directory, sign, verify, detect a change')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fndsa;help;keygen' {
            break
        }
        'fndsa;help;sign' {
            break
        }
        'fndsa;help;verify' {
            break
        }
        'fndsa;help;inspect' {
            break
        }
        'fndsa;help;pubkey' {
            break
        }
        'fndsa;help;convert' {
            break
        }
        'fndsa;help;passwd' {
            break
        }
        'fndsa;help;bench' {
            break
        }
        'fndsa;help;selftest' {
            break
        }
        'fndsa;help;testvectors' {
            break
        }
        'fndsa;help;completions' {
            break
        }
        'fndsa;help;man' {
            break
        }
        'fndsa;help;quickstart' {
            break
        }
        'fndsa;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
