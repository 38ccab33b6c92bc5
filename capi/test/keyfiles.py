#!/usr/bin/env python3
"""Exchanges files with keys and signatures between test/keyfiles.c, the program fndsa, and openssl.

keyfiles.py KEYFILES FNDSA: KEYFILES is the compiled test/keyfiles.c."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

keyfiles, fndsa = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:])
kat = pathlib.Path(__file__).resolve().parents[2] / "tests/kat"
ALGORITHMS = {
    "fn-dsa-512": "0109", "fn-dsa-1024": "010a", "falcon-512": "0309", "falcon-1024": "030a",
    "ml-dsa-44": "052c", "ml-dsa-65": "0541", "ml-dsa-87": "0557", "ed25519": "0600",
}
FORMATS = {"private": {"pem": 1, "raw": 2, "pkcs8": 3, "pkcs8-der": 4}, "public": {"pem": 1, "raw": 2, "spki": 5, "spki-der": 6}}
count = 0


def run(*command, **options):
    """Runs a program, which must succeed, and returns its output."""
    process = subprocess.run([str(word) for word in command], capture_output=True, **options)
    assert process.returncode == 0, (command, process)
    return process.stdout


def run_c(*command):
    """Runs the C program, and returns the code and the rest of its line."""
    global count
    count += 1
    line = run(keyfiles, *command).decode()
    return int(line.split()[0]), line.split(" ", 1)[-1].strip()


def exchange_files(name, number, directory):
    """Reads files of the program fndsa with the C program, and files of the C program with fndsa."""
    (directory / "message").write_bytes(b"a message")
    run(fndsa, "keygen", "-q", "-a", name, "k", cwd=directory)
    run(fndsa, "sign", "-q", "-k", "k.key", "message", cwd=directory)
    for kind, source in ("private", "k.key"), ("public", "k.pub"), ("signature", "message.sig"):
        assert run_c("read", kind, number, directory / source, directory / f"{kind}.raw") == (0, number)
        assert run_c("read", kind, "0", directory / source, directory / f"{kind}.raw") == (0, number)
    for kind, formats in FORMATS.items():
        raw = directory / f"{kind}.raw"
        for form, code in formats.items():
            out = directory / f"c-{kind}.{form}"
            if form == "raw" and name == "ed25519":
                assert run_c("write", kind, number, code, raw, out)[0] == -20
                continue
            assert run_c("write", kind, number, code, raw, out)[0] == 0
            expected = directory / f"fndsa-{kind}.{form}"
            run(fndsa, "convert", "-q", "-o", expected, "--to", form, directory / ("k.key" if kind == "private" else "k.pub"))
            # The note before a PEM block differs: the program adds the fingerprint.
            own, expected_text = (re.sub(rb"^fndsa .*\n", b"", path.read_bytes()) for path in (out, expected))
            assert own == expected_text, (name, kind, form)
    # fndsa signs with the private key of the C program, and verifies the signature of the C program.
    assert run_c("write", "private", number, 1, directory / "private.raw", directory / "c.key")[0] == 0
    assert run_c("write", "public", number, 1, directory / "public.raw", directory / "c.pub")[0] == 0
    assert run_c("write", "signature", number, 1, directory / "signature.raw", directory / "c.sig")[0] == 0
    run(fndsa, "verify", "-q", "-p", "c.pub", "-s", "c.sig", "message", cwd=directory)
    run(fndsa, "sign", "-q", "-k", "c.key", "-o", "again.sig", "message", cwd=directory)
    run(fndsa, "verify", "-q", "-p", "k.pub", "-s", "again.sig", "message", cwd=directory)


def exchange_encrypted_keys(name, number, directory):
    """Exchanges encrypted private keys."""
    (directory / "password").write_text("one two")
    raw, out = directory / "private.raw", directory / "c-encrypted"
    assert run_c("write", "private", number, 3, raw, out, "one two")[0] == 0
    run(fndsa, "convert", "-q", "--password-file", "password", "--to", "pkcs8-der", "-o", "t", out, cwd=directory)
    assert (directory / "t").read_bytes() == (directory / "c-private.pkcs8-der").read_bytes()
    run(fndsa, "keygen", "-q", "-a", name, "--encrypt", "--password-file", "password", "l", cwd=directory)
    assert run_c("read", "private", number, directory / "l.key", directory / "l.raw", "one two") == (0, number)
    assert run_c("read", "private", number, directory / "l.key", directory / "l.raw", "one Two")[0] == -18
    if name == "ed25519" and shutil.which("openssl"):
        # OpenSSL decrypts the key of the C program, and the C program decrypts a key of OpenSSL.
        opened = run("openssl", "pkey", "-in", out, "-passin", "pass:one two", "-outform", "DER")
        assert opened == (directory / "c-private.pkcs8-der").read_bytes()
        run("openssl", "genpkey", "-algorithm", "ed25519", "-aes-256-cbc", "-pass", "pass:one two", "-out", directory / "o.key")
        assert run_c("read", "private", "0", directory / "o.key", directory / "o.raw", "one two") == (0, number)
        der = run("openssl", "pkey", "-in", directory / "o.key", "-passin", "pass:one two", "-outform", "DER")
        assert der[-32:] == (directory / "o.raw").read_bytes()


def read_foreign_files(directory):
    """Reads keys of other programs, and a file that is not a key."""
    for name, number in ("falcon512", "0309"), ("falconpadded1024", "030a"):
        for kind, suffix in ("private", "key.pem"), ("public", "pub.pem"), ("public", "crt.pem"), ("signature", "raw.sig"):
            path = kat / "oqs-provider" / f"{name}.{suffix}"
            assert run_c("read", kind, "0", path, directory / "out") == (0, number), path
    code, line = run_c("read", "public", "0", kat / "README.md", directory / "out")
    assert code == -17 and "not a key or signature" in line, line


with tempfile.TemporaryDirectory() as temporary:
    for name, number in ALGORITHMS.items():
        directory = pathlib.Path(temporary) / name
        directory.mkdir()
        exchange_files(name, number, directory)
        if name in ("fn-dsa-512", "ml-dsa-65", "ed25519"):
            exchange_encrypted_keys(name, number, directory)
    read_foreign_files(pathlib.Path(temporary))
print(f"keyfiles.py: {count} calls")
