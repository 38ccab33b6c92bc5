
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
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version; --version also prints the levels')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version; --version also prints the levels')
            [CompletionResult]::new('keygen', 'keygen', [CompletionResultType]::ParameterValue, 'Make a key pair')
            [CompletionResult]::new('sign', 'sign', [CompletionResultType]::ParameterValue, 'Sign files')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Verify signatures')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'Describe and check key and signature files')
            [CompletionResult]::new('pubkey', 'pubkey', [CompletionResultType]::ParameterValue, 'Print the public key of a private key')
            [CompletionResult]::new('request', 'request', [CompletionResultType]::ParameterValue, 'Write a request for a certificate, or a self-signed certificate')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert a key or signature to another format')
            [CompletionResult]::new('passwd', 'passwd', [CompletionResultType]::ParameterValue, 'Set, change or remove the password of a private key')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure the speed of this machine')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Test fndsa on this machine')
            [CompletionResult]::new('testvectors', 'testvectors', [CompletionResultType]::ParameterValue, 'Print or compare test vectors')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print or install the manual pages')
            [CompletionResult]::new('quickstart', 'quickstart', [CompletionResultType]::ParameterValue, 'Try fndsa on one file, in a new directory')
            [CompletionResult]::new('algorithms', 'algorithms', [CompletionResultType]::ParameterValue, 'List the algorithms')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fndsa;keygen' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the keys (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the keys (see `fndsa help algorithms`)')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Make N pairs: NAME-1.key and NAME-1.pub, NAME-2.key and NAME-2.pub, ...')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Make N pairs: NAME-1.key and NAME-1.pub, NAME-2.key and NAME-2.pub, ...')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the private key to this file, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the private key to this file, `-` for standard output')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Write the public key to this file, `-` for standard output')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'Write the public key to this file, `-` for standard output')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of both files; with pkcs8 the public key is written as SPKI')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of threads, or `all` for one thread per core [default: 1, with --count all]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of threads, or `all` for one thread per core [default: 1, with --count all]')
            [CompletionResult]::new('--seed-file', '--seed-file', [CompletionResultType]::ParameterName, 'Derive the key from the 32 bytes in this file, raw or in hexadecimal')
            [CompletionResult]::new('--encrypt', '--encrypt', [CompletionResultType]::ParameterName, 'Encrypt the private key with a password')
            [CompletionResult]::new('--dual', '--dual', [CompletionResultType]::ParameterName, 'Make a second pair with Ed25519: NAME-ed25519.key and NAME-ed25519.pub')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files; a replaced private key is lost')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files; a replaced private key is lost')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('--insecure-deterministic', '--insecure-deterministic', [CompletionResultType]::ParameterName, 'Allow --seed-file, for tests only: the same seed gives the same key')
            break
        }
        'fndsa;sign' {
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Private key file; repeat to sign with several keys [env: FNDSA_KEY]')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Private key file; repeat to sign with several keys [env: FNDSA_KEY]')
            [CompletionResult]::new('--key-env', '--key-env', [CompletionResultType]::ParameterName, 'Environment variable with the text of a private key file')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from this file, one name per line, `-` for standard input')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Purpose of the signature, at most 255 bytes')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Purpose of the signature, at most 255 bytes')
            [CompletionResult]::new('--context-hex', '--context-hex', [CompletionResultType]::ParameterName, 'Read the context from hexadecimal digits')
            [CompletionResult]::new('--context-file', '--context-file', [CompletionResultType]::ParameterName, 'Read the context from this file, byte for byte')
            [CompletionResult]::new('--prehash', '--prehash', [CompletionResultType]::ParameterName, 'Hash the message with this function first; signer and verifier must use the same function')
            [CompletionResult]::new('--dsse', '--dsse', [CompletionResultType]::ParameterName, 'Write a DSSE envelope with a payload of this type to FILE.dsse')
            [CompletionResult]::new('--ssh', '--ssh', [CompletionResultType]::ParameterName, 'Write an SSH signature for this namespace to FILE.sig, as `ssh-keygen -Y sign` does')
            [CompletionResult]::new('--cert', '--cert', [CompletionResultType]::ParameterName, 'Certificate of the private key for a CMS signature; repeat for several keys')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'Write the checksums of all FILEs to this list, and sign the list')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Write the checksums of all FILEs to this list, and sign the list')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'List all files below this directory')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'List all files below this directory')
            [CompletionResult]::new('--best-before', '--best-before', [CompletionResultType]::ParameterName, 'Last day of the list (UTC); after this day `fndsa verify` rejects the list')
            [CompletionResult]::new('--comment', '--comment', [CompletionResultType]::ParameterName, 'Add a comment line to the list; `fndsa verify` shows the comments of a valid list')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the signature to this file, if there is one FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the signature to this file, if there is one FILE')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the signature file')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to process at the same time, or `all` for one file per core')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to process at the same time, or `all` for one file per core')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of a Falcon signature [default: padded]')
            [CompletionResult]::new('--dsse-form', '--dsse-form', [CompletionResultType]::ParameterName, 'Form of the payload that the signatures in the envelope cover')
            [CompletionResult]::new('--print-mu', '--print-mu', [CompletionResultType]::ParameterName, 'Print the external mu of each FILE instead of signing it')
            [CompletionResult]::new('--signature', '--signature', [CompletionResultType]::ParameterName, 'Signature of FILE that another program made, for example a key management service')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Public key for --print-mu and --signature')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'Public key for --print-mu and --signature')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it')
            [CompletionResult]::new('--jws', '--jws', [CompletionResultType]::ParameterName, 'Write a JSON Web Signature (JWS) to FILE.jws, without the message')
            [CompletionResult]::new('--cms', '--cms', [CompletionResultType]::ParameterName, 'Write a CMS signature (RFC 5652) to FILE.p7s, without the message')
            [CompletionResult]::new('--attached', '--attached', [CompletionResultType]::ParameterName, 'Write the message and its CMS signature to FILE.p7m')
            [CompletionResult]::new('--kernel-module', '--kernel-module', [CompletionResultType]::ParameterName, 'Sign a Linux kernel module: write FILE with its signature at the end to FILE.signed')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'Write the signature to the end of the list instead of a second file')
            [CompletionResult]::new('--add', '--add', [CompletionResultType]::ParameterName, 'Add a signature to an existing signature file')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('--prehashed', '--prehashed', [CompletionResultType]::ParameterName, 'FILE contains a digest (see --prehash) instead of the message, raw or in hexadecimal')
            [CompletionResult]::new('--mu', '--mu', [CompletionResultType]::ParameterName, 'Read the external mu of ML-DSA or FN-DSA from FILE instead of the message: 64 bytes, raw or in hexadecimal')
            [CompletionResult]::new('--deterministic', '--deterministic', [CompletionResultType]::ParameterName, 'Sign without randomness, so that the signature is always the same (ML-DSA only)')
            [CompletionResult]::new('--cms-direct', '--cms-direct', [CompletionResultType]::ParameterName, 'Write a CMS signature that covers FILE directly, without attributes, to FILE.p7s')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read requests from standard input and sign what they name: one JSON object per line')
            break
        }
        'fndsa;verify' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Public key file or X.509 certificate; repeat to accept several keys [env: FNDSA_PUBLIC_KEY]')
            [CompletionResult]::new('--public-key', '--public-key', [CompletionResultType]::ParameterName, 'Public key file or X.509 certificate; repeat to accept several keys [env: FNDSA_PUBLIC_KEY]')
            [CompletionResult]::new('--trusted-keys', '--trusted-keys', [CompletionResultType]::ParameterName, 'File or directory of public keys; accept any of these keys')
            [CompletionResult]::new('--allowed-signers', '--allowed-signers', [CompletionResultType]::ParameterName, 'File of allowed signers of OpenSSH; accept the keys of --signer for the namespace of --ssh')
            [CompletionResult]::new('--signer', '--signer', [CompletionResultType]::ParameterName, 'Name of the signer in the file of allowed signers, for example alice@example.com')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the public keys, if a file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the public keys, if a file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--ssh', '--ssh', [CompletionResultType]::ParameterName, 'Verify SSH signatures that were made for this namespace: FILE.sig is a file of `ssh-keygen -Y sign`')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from this file, one name per line, `-` for standard input')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Signature file of the only FILE or of the list')
            [CompletionResult]::new('--signature', '--signature', [CompletionResultType]::ParameterName, 'Signature file of the only FILE or of the list')
            [CompletionResult]::new('--dsse', '--dsse', [CompletionResultType]::ParameterName, 'Verify DSSE envelopes with a payload of this type')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Purpose of the signature, at most 255 bytes')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Purpose of the signature, at most 255 bytes')
            [CompletionResult]::new('--context-hex', '--context-hex', [CompletionResultType]::ParameterName, 'Read the context from hexadecimal digits')
            [CompletionResult]::new('--context-file', '--context-file', [CompletionResultType]::ParameterName, 'Read the context from this file, byte for byte')
            [CompletionResult]::new('--prehash', '--prehash', [CompletionResultType]::ParameterName, 'Hash the message with this function first; signer and verifier must use the same function')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'Verify this signed list and its files')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Verify this signed list and its files')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Directory of the listed files')
            [CompletionResult]::new('--directory', '--directory', [CompletionResultType]::ParameterName, 'Directory of the listed files')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'Number of different keys that must have signed each file, or `all` keys')
            [CompletionResult]::new('--expect-key', '--expect-key', [CompletionResultType]::ParameterName, 'Accept only the key with this fingerprint; repeatable')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Use this day as today for the days in key lines and lists')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the verified message or payload to this file, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the verified message or payload to this file, `-` for standard output')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of files to process at the same time, or `all` for one file per core')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of files to process at the same time, or `all` for one file per core')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Accept only Falcon signatures in this encoding [default: all]')
            [CompletionResult]::new('--jws', '--jws', [CompletionResultType]::ParameterName, 'Verify JSON Web Signatures (JWS) of separate files: FILE.jws is the signature of FILE')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Expect a NUL byte after each name in --files-from, as `find -print0` writes it')
            [CompletionResult]::new('--cms', '--cms', [CompletionResultType]::ParameterName, 'Verify CMS signatures (RFC 5652): FILE.p7s is the signature of FILE')
            [CompletionResult]::new('--kernel-module', '--kernel-module', [CompletionResultType]::ParameterName, 'Verify Linux kernel modules: each FILE ends with its signature')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Reject every file in the directory that is not in the list')
            [CompletionResult]::new('--ignore-missing', '--ignore-missing', [CompletionResultType]::ParameterName, 'Ignore missing files')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Find out why a signature does not match')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('--attached', '--attached', [CompletionResultType]::ParameterName, 'Verify signed messages: each FILE contains a signature and its message')
            [CompletionResult]::new('--prehashed', '--prehashed', [CompletionResultType]::ParameterName, 'FILE contains a digest (see --prehash) instead of the message, raw or in hexadecimal')
            [CompletionResult]::new('--mu', '--mu', [CompletionResultType]::ParameterName, 'Read the external mu of ML-DSA or FN-DSA from FILE instead of the message: 64 bytes, raw or in hexadecimal')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read requests from standard input and verify what they name: one JSON object per line')
            break
        }
        'fndsa;inspect' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of files that do not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of files that do not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, 'Write the instructions for a release with this list')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Write the instructions for a release with this list')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--program-url', '--program-url', [CompletionResultType]::ParameterName, 'Address where readers of the instructions get fndsa')
            [CompletionResult]::new('--page-url', '--page-url', [CompletionResultType]::ParameterName, 'Address of the web page that verifies files')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print instructions in Markdown: how to verify the files that the owner of this public key signs')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;pubkey' {
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Private key file [env: FNDSA_KEY]')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Private key file [env: FNDSA_KEY]')
            [CompletionResult]::new('--key-env', '--key-env', [CompletionResultType]::ParameterName, 'Environment variable with the text of a private key file')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the public key to this file')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the public key to this file')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the public key')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Write this object identifier to SPKI instead of the usual identifier')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;request' {
            [CompletionResult]::new('--subject', '--subject', [CompletionResultType]::ParameterName, 'Name of the owner of the key, for example CN=Release,O=Example,C=DE')
            [CompletionResult]::new('--self-signed', '--self-signed', [CompletionResultType]::ParameterName, 'Write a self-signed certificate instead, which is valid from today for this number of days')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Private key file [env: FNDSA_KEY]')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Private key file [env: FNDSA_KEY]')
            [CompletionResult]::new('--key-env', '--key-env', [CompletionResultType]::ParameterName, 'Environment variable with the text of a private key file')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the request or the certificate to this file')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the request or the certificate to this file')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the file')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;convert' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of OUT, and of IN if that is a raw or hexadecimal key (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of OUT, and of IN if that is a raw or hexadecimal key (see `fndsa help algorithms`)')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('--new-password-file', '--new-password-file', [CompletionResultType]::ParameterName, 'Read the new password from the first line of this file, `-` for standard input')
            [CompletionResult]::new('--new-password-env', '--new-password-env', [CompletionResultType]::ParameterName, 'Read the new password from this environment variable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the result to this file, `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the result to this file, `-` for standard output')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Format of the result: pkcs8 only for private keys, spki only for public keys')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Use this object identifier for the algorithm, in IN and in OUT')
            [CompletionResult]::new('--layout', '--layout', [CompletionResultType]::ParameterName, 'Layout of a Falcon private key in PKCS#8 [default: oqs]')
            [CompletionResult]::new('--private', '--private', [CompletionResultType]::ParameterName, 'Form of an ML-DSA private key in PKCS#8 [default: seed, or expanded if IN has no seed]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of a Falcon signature [default: the encoding of IN]')
            [CompletionResult]::new('--half', '--half', [CompletionResultType]::ParameterName, 'Write only this half of the composite key IN')
            [CompletionResult]::new('--join', '--join', [CompletionResultType]::ParameterName, 'Join the ML-DSA key IN with the Ed25519 key in this file to a composite key')
            [CompletionResult]::new('--encrypt', '--encrypt', [CompletionResultType]::ParameterName, 'Encrypt the private key in OUT with a new password; without this option OUT is not encrypted')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('--drop-attributes', '--drop-attributes', [CompletionResultType]::ParameterName, 'Drop the attributes of a private key in PKCS#8')
            break
        }
        'fndsa;passwd' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm of the key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm of the key, if the file does not name it (see `fndsa help algorithms`)')
            [CompletionResult]::new('--password-file', '--password-file', [CompletionResultType]::ParameterName, 'Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]')
            [CompletionResult]::new('--password-env', '--password-env', [CompletionResultType]::ParameterName, 'Read the password of the private key from this environment variable')
            [CompletionResult]::new('--new-password-file', '--new-password-file', [CompletionResultType]::ParameterName, 'Read the new password from the first line of this file, `-` for standard input')
            [CompletionResult]::new('--new-password-env', '--new-password-env', [CompletionResultType]::ParameterName, 'Read the new password from this environment variable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the result to this file, `-` for standard output; KEY is not changed')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the result to this file, `-` for standard output; KEY is not changed')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--oid', '--oid', [CompletionResultType]::ParameterName, 'Use this object identifier for the algorithm')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Remove the password')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing FILE of --output')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing FILE of --output')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;bench' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm to measure, repeatable [default: fn-dsa-512 and fn-dsa-1024] (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm to measure, repeatable [default: fn-dsa-512 and fn-dsa-1024] (see `fndsa help algorithms`)')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Seconds for each operation, after the warm-up')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Seconds for each operation, after the warm-up')
            [CompletionResult]::new('--message-size', '--message-size', [CompletionResultType]::ParameterName, 'Length of the messages in bytes, or several lengths separated by commas [default: 1024]')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Number of threads that run the operation at the same time, or `all` for one thread per core')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Number of threads that run the operation at the same time, or `all` for one thread per core')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Compare with the document of --export-json from an earlier run on this machine, `-` for standard input')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Compare the exported documents of two runs, from any machines, and measure nothing')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the result')
            [CompletionResult]::new('--export-json', '--export-json', [CompletionResultType]::ParameterName, 'Also write the JSON document of --json to this file')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Also write the result to this file as an HTML page with bars')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--subroutine', '--subroutine', [CompletionResultType]::ParameterName, 'Measure this part of an operation; repeatable')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Seconds of warm-up [default: a fifth of the time]')
            [CompletionResult]::new('--warm-up', '--warm-up', [CompletionResultType]::ParameterName, 'Seconds of warm-up [default: a fifth of the time]')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Number of samples for each operation and thread')
            [CompletionResult]::new('--batch', '--batch', [CompletionResultType]::ParameterName, 'Number of messages in each batch of sign-batch and verify-batch [default: 64; for published messages all]')
            [CompletionResult]::new('--max-regression', '--max-regression', [CompletionResultType]::ParameterName, 'Accept medians that are slower than the baseline by at most this percentage [default: 5]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace an existing file')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('--fast-rng', '--fast-rng', [CompletionResultType]::ParameterName, 'Also measure sign-repeat with the library''s faster random generator')
            [CompletionResult]::new('--stack', '--stack', [CompletionResultType]::ParameterName, 'Print how much stack and work memory each operation uses')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Print how the time of each operation is divided among its parts')
            break
        }
        'fndsa;selftest' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Algorithm to test, repeatable [default: all that can sign] (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Algorithm to test, repeatable [default: all that can sign] (see `fndsa help algorithms`)')
            [CompletionResult]::new('--rounds', '--rounds', [CompletionResultType]::ParameterName, 'Number of rounds for each level and algorithm')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;testvectors' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'FN-DSA or ML-DSA algorithm [default: fn-dsa-512] (see `fndsa help algorithms`)')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'FN-DSA or ML-DSA algorithm [default: fn-dsa-512] (see `fndsa help algorithms`)')
            [CompletionResult]::new('--degree', '--degree', [CompletionResultType]::ParameterName, 'Degree of FN-DSA; with --allow-weak also 4 to 256')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Number of vectors')
            [CompletionResult]::new('--acvp', '--acvp', [CompletionResultType]::ParameterName, 'Print a JSON document in the format of NIST''s ACVP (ML-DSA only)')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Compare the vectors with this file instead of printing them, `-` for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'Print one SHA-256 digest per vector, of public key, private key and signature')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write all pages, or the page of COMMAND, to this existing directory')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace existing files')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;quickstart' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            break
        }
        'fndsa;algorithms' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes and no OK lines; repeat for no output')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print more details')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON document on standard output')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bars')
            [CompletionResult]::new('--allow-weak', '--allow-weak', [CompletionResultType]::ParameterName, 'Accept toy algorithms with a degree of 4 to 256, which are not secure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help prints all options')
            break
        }
        'fndsa;help' {
            [CompletionResult]::new('keygen', 'keygen', [CompletionResultType]::ParameterValue, 'Make a key pair')
            [CompletionResult]::new('sign', 'sign', [CompletionResultType]::ParameterValue, 'Sign files')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Verify signatures')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'Describe and check key and signature files')
            [CompletionResult]::new('pubkey', 'pubkey', [CompletionResultType]::ParameterValue, 'Print the public key of a private key')
            [CompletionResult]::new('request', 'request', [CompletionResultType]::ParameterValue, 'Write a request for a certificate, or a self-signed certificate')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert a key or signature to another format')
            [CompletionResult]::new('passwd', 'passwd', [CompletionResultType]::ParameterValue, 'Set, change or remove the password of a private key')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure the speed of this machine')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Test fndsa on this machine')
            [CompletionResult]::new('testvectors', 'testvectors', [CompletionResultType]::ParameterValue, 'Print or compare test vectors')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print or install the manual pages')
            [CompletionResult]::new('quickstart', 'quickstart', [CompletionResultType]::ParameterValue, 'Try fndsa on one file, in a new directory')
            [CompletionResult]::new('algorithms', 'algorithms', [CompletionResultType]::ParameterValue, 'List the algorithms')
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
        'fndsa;help;request' {
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
        'fndsa;help;algorithms' {
            break
        }
        'fndsa;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
