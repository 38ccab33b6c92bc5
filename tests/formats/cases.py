"""Test cases for the C interface and the Python package: signature files of SSH, JOSE and CMS, with
the expected verdict, which is the verdict of `fndsa verify`.

The files are from tests/kat, and from `ssh-keygen` and `openssl` if these programs are installed.
`capi/test/formats.py` and `python/test/test_formats.py` use the cases.
"""

import base64
import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

KAT = Path(__file__).parents[1] / "kat"
POLICY_PARTS = Path(__file__).parents[1] / "policies" / "parts.json"
NAMESPACE = "file"
SIGNER = "alice@example.com"


@dataclass(frozen=True)
class FormatCase:
    """A signature file with a policy, and the expected verdict: `yes`, the reason code of a NO, or
    `error: ` and a part of the message."""

    name: str
    format: str
    keys: bytes
    signature: bytes
    message: bytes
    verdict: str = "yes"
    namespace: str | None = None
    signer: str | None = None
    context: bytes = b""
    prehash: str | None = None
    require: int = 1
    expected: str | None = None


def vector(name: str) -> bytes:
    return (KAT / name).read_bytes()


def jose_cases() -> list[FormatCase]:
    """Returns the examples of two RFCs, whose signatures cover the payload in base64url, and
    signatures of jwcrypto, which cover the payload itself."""
    cases = []
    for name in ["rfc8037", "rfc9964-ml-dsa-44", "rfc9964-ml-dsa-65", "rfc9964-ml-dsa-87"]:
        file = json.loads(vector(f"jose/{name}.json"))
        key = file["private"] if name == "rfc8037" else file["jwk"]
        public = {member: value for member, value in key.items() if member not in ("d", "priv")}
        header, payload, signature = file["jws"].split(".")
        message = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        cases.append(FormatCase(name, "jws", json.dumps(public).encode(), f"{header}..{signature}".encode(), message))
    file = json.loads(vector("jose/jwcrypto-detached.json"))
    for signed in file["signatures"]:
        key = json.dumps(signed["key"]).encode()
        cases.append(FormatCase("jwcrypto", "jws", key, signed["jws"].encode(), file["message"].encode()))
    return cases


def pem(label: str, der: bytes) -> bytes:
    return f"-----BEGIN {label}-----\n".encode() + base64.encodebytes(der) + f"-----END {label}-----\n".encode()


def cms_cases() -> list[FormatCase]:
    cases = []
    for key, forms in [("ed25519", ["attrs"]), ("mldsa44", ["attrs", "direct"]), ("mldsa87", ["direct"])]:
        for form in forms:
            signature = vector(f"cms/{key}.{form}.detached.p7s")
            cases.append(FormatCase(f"{key} {form}", "cms", vector(f"cms/{key}.crt.der"), signature, vector("cms/msg.txt")))
    last = cases[-1]
    certificate = pem("CERTIFICATE", last.keys)
    return [*cases, replace(last, name="mldsa87 PEM", keys=b"name: signer\n" + certificate, signature=pem("CMS", last.signature))]


def ssh_cases() -> list[FormatCase]:
    cases = []
    for key in ["ed25519", "mldsa44-ed25519"]:
        for namespace, hash_name in [("file", ""), ("git", "-sha256")]:
            signature = vector(f"ssh/msg.{key}.{namespace}{hash_name}.sshsig")
            public = vector(f"ssh/id_{key}.pub")
            cases.append(FormatCase(key, "ssh", public, signature, vector("ssh/msg.txt"), namespace=namespace))
    return cases


def run(directory: str, *words: str) -> bool:
    return subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def installed_programs() -> list[FormatCase]:
    """Returns new signatures of the programs that are installed. `openssl` can make CMS signatures
    with Ed25519 since version 3.2."""
    cases = []
    message = b"a message\r\n\xff\0"
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        (place / "m").write_bytes(message)
        if shutil.which("ssh-keygen"):
            assert run(directory, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "k")
            assert run(directory, "ssh-keygen", "-Y", "sign", "-f", "k", "-n", NAMESPACE, "m")
            public, signature = (place / "k.pub").read_bytes(), (place / "m.sig").read_bytes()
            cases.append(FormatCase("ssh-keygen", "ssh", public, signature, message, namespace=NAMESPACE))
        if shutil.which("openssl"):
            request = ["-newkey", "ed25519", "-nodes", "-keyout", "k.pem", "-subj", "/CN=a", "-out", "k.crt"]
            cms = ["-binary", "-in", "m", "-signer", "k.crt", "-inkey", "k.pem", "-md", "sha512", "-outform", "DER", "-out", "m.p7s"]
            if run(directory, "openssl", "req", "-x509", *request) and run(directory, "openssl", "cms", "-sign", *cms):
                certificate, signature = (place / "k.crt").read_bytes(), (place / "m.p7s").read_bytes()
                cases.append(FormatCase("openssl", "cms", certificate, signature, message))
    return cases


def allowed_signers(case: FormatCase) -> list[FormatCase]:
    """Returns cases with a file of allowed signers instead of keys. `case` must be an SSH signature
    in the namespace `NAMESPACE`."""
    key = case.keys.decode()
    rows = [
        (f"{SIGNER} {key}", "yes"),
        (f"# comment\nbob {key}*@example.com,!eve@example.com namespaces=\"git,{NAMESPACE}\" {key}", "yes"),
        (f"{SIGNER} valid-before=\"20200101Z\" {key}", "key_expired"),
        (f"{SIGNER} valid-after=\"29990101Z\" {key}", "key_not_yet_valid"),
        (f"{SIGNER} namespaces=\"git\" {key}", "error: do not allow the namespace file"),
        (f"bob {key}", f"error: no line names the signer {SIGNER}"),
        (f"{SIGNER} cert-authority {key}", "error: cert-authority is not supported"),
        (f"{SIGNER} {key}{SIGNER} unknown {key}", "error: line 2: "),
        (key, "error: the line begins with a key"),
        ("", f"error: no line names the signer {SIGNER}"),
    ]
    return [replace(case, name=f"signers {i}", keys=keys.encode(), signer=SIGNER, verdict=verdict) for i, (keys, verdict) in enumerate(rows)]


def wrong_cases(case: FormatCase, valid: list[FormatCase]) -> list[FormatCase]:
    """Returns variants of a valid case for which the verdict is not YES."""
    changed = bytes([case.message[0] ^ 1]) + case.message[1:]
    has_context = {"ssh": "SSH signatures", "jws": "JSON Web Signatures", "cms": "CMS signatures"}[case.format]
    cases = [
        replace(case, message=changed, verdict="signature_mismatch"),
        replace(case, message=case.message + b"\n", verdict="signature_mismatch"),
        replace(case, message=b"", verdict="signature_mismatch"),
        replace(case, signature=case.signature[: len(case.signature) // 2], verdict="error: "),
        replace(case, signature=b"", verdict="error: "),
        replace(case, keys=b"", verdict="error: "),
        replace(case, context=b"release", verdict=f"error: {has_context} have no context"),
        replace(case, prehash="sha512", verdict=f"error: {has_context} have no pre-hash"),
        replace(case, require=2, verdict="error: signatures by 2 different keys"),
        replace(case, expected="sha256:" + "0" * 64, verdict="unexpected_key"),
    ]
    if case.format == "ssh":
        cases += [replace(case, namespace=other, verdict="ssh_namespace") for other in ("other", "File", "files")]
        cases += [replace(case, namespace=other, verdict="error: ") for other in (None, "", "a b", "x" * 256)]
        cases.append(replace(case, signer="a b", verdict="error: a signer's name"))
    else:
        cases.append(replace(case, namespace=NAMESPACE, verdict="error: "))
        cases.append(replace(case, signer=SIGNER, verdict="error: "))
    for other in ("ssh", "jws", "cms", "fndsa"):
        if other != case.format:
            cases.append(replace(case, format=other, namespace=NAMESPACE if other == "ssh" else None, verdict="error: "))
    for other in valid:
        # Two cases can have the same key in different encodings, for example a certificate in DER
        # and in PEM.
        is_same_key = other.format == case.format and other.name.split()[0] == case.name.split()[0]
        if other.keys != case.keys and not is_same_key:
            # The reason depends on the key, and some formats have no signatures of the key's
            # algorithm.
            cases.append(replace(case, keys=other.keys, verdict="not yes"))
    return [replace(wrong_case, name=f"{case.name}, wrong {i}") for i, wrong_case in enumerate(cases)]


def all_cases() -> list[FormatCase]:
    valid = [*ssh_cases(), *jose_cases(), *cms_cases(), *installed_programs()]
    cases = list(valid)
    for case in valid:
        cases += wrong_cases(case, valid)
    for case in valid:
        if case.format == "ssh" and case.namespace == NAMESPACE:
            cases += allowed_signers(case)
    alice = json.loads(POLICY_PARTS.read_text())["keys"]["alice"]["pem"].encode()
    first = valid[0]
    cases.append(replace(first, name="unsupported", keys=alice, verdict="error: SSH has no signatures of ML-DSA-44"))
    ed25519 = [case for case in valid if case.format == "ssh" and case.name == "ed25519"]
    cases.append(replace(ed25519[0], name="other signer", keys=vector("ssh/id_round_ed25519.pub"), verdict="other_signer"))
    return cases


def agrees(case: FormatCase, verdict: str) -> bool:
    """Returns whether a verdict is the verdict of the case."""
    if case.verdict == "not yes":
        return verdict != "yes"
    if case.verdict.startswith("error: "):
        return verdict.startswith("error: ") and case.verdict.removeprefix("error: ") in verdict
    return verdict == case.verdict
