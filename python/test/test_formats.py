"""Tests signature files of SSH, JOSE and CMS: the cases of tests/formats, and rejected arguments."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fndsa

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "formats"))
from cases import FormatCase, agrees, all_cases, ssh_cases, vector  # noqa: E402

CASES = all_cases()
SSH = ssh_cases()[0]


def arguments(case: FormatCase) -> dict[str, Any]:
    expected = None if case.expected is None else [case.expected]
    values = {"ssh": case.namespace, "jws": case.format == "jws", "cms": case.format == "cms", "signer": case.signer}
    return {**values, "require": case.require, "expected": expected}


def verdict(case: FormatCase) -> str:
    if case.format == "ssh" and case.namespace is None:
        return "error: "  # There is no such call.
    try:
        policy = fndsa.Policy(case.keys, **arguments(case))
        signers = policy.verify(case.signature, case.message, context=case.context, prehash=case.prehash)
    except fndsa.VerificationError as e:
        return e.reason
    except (fndsa.InvalidFile, ValueError) as e:
        return f"error: {e}"
    assert len(signers) == 1
    return "yes"


def test_signature_files_have_the_verdicts_of_the_cases() -> None:
    differences = [(case.name, case.format, case.verdict, verdict(case)) for case in CASES if not agrees(case, verdict(case))]
    assert len(CASES) > 300 and differences == []


def test_signers_have_the_names_in_the_file_of_allowed_signers(tmp_path: Path) -> None:
    (tmp_path / "signers").write_bytes(b"alice@example.com " + SSH.keys)
    policy = fndsa.Policy.load(tmp_path / "signers", ssh="file", signer="alice@example.com")
    [signer] = policy.verify(SSH.signature, SSH.message)
    assert signer.name == "alice@example.com" and signer.algorithm == "ed25519"
    with pytest.raises(fndsa.InvalidFile) as e:
        fndsa.Policy.load(tmp_path / "signers", ssh="file", signer="bob@example.com")
    assert "in the file" in e.value.__notes__[0]


@pytest.mark.parametrize("formats", [{"ssh": "file", "jws": True}, {"ssh": "file", "cms": True}, {"jws": True, "cms": True}])
def test_a_policy_has_one_format(formats: Any) -> None:
    with pytest.raises(ValueError, match="pass only one of them"):
        fndsa.Policy(SSH.keys, **formats)


@pytest.mark.parametrize("formats", [{"ssh": b"file"}, {"ssh": True}, {"jws": 1}, {"cms": "yes"}, {"signer": b"alice"}])
def test_arguments_of_other_types_are_errors(formats: Any) -> None:
    with pytest.raises(TypeError):
        fndsa.Policy(SSH.keys, **formats)


@pytest.mark.parametrize("formats", [{"ssh": "file"}, {"jws": True}, {"cms": True}])
def test_a_list_has_no_signatures_of_other_formats(formats: Any) -> None:
    with pytest.raises(ValueError, match="a list has no"):
        fndsa.Policy(SSH.keys, **formats).verify_list(b"", b"")


def run(directory: Path, *words: object, data: bytes = b"") -> int:
    return subprocess.run([str(word) for word in words], cwd=directory, input=data, capture_output=True).returncode


def openssl() -> str:
    """Returns OpenSSL of the peers, which is newer, or the installed program."""
    peers = Path(os.environ.get("FNDSA_PEERS", Path(os.environ["CARGO_TARGET_DIR"]) / "peers"))
    newer = peers / "openssl" / "openssl"
    return str(newer) if newer.exists() else str(shutil.which("openssl"))


def test_ssh_keygen_verifies_new_signatures(tmp_path: Path) -> None:
    if not shutil.which("ssh-keygen"):
        pytest.skip("there is no ssh-keygen")
    assert run(tmp_path, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "k") == 0
    (tmp_path / "signers").write_bytes(b"alice " + (tmp_path / "k.pub").read_bytes())
    key = fndsa.PrivateKey.load(tmp_path / "k")
    (tmp_path / "s").write_bytes(key.sign_format(b"a message", ssh="file"))
    verify = ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "alice", "-s", "s", "-n"]
    assert run(tmp_path, *verify, "file", data=b"a message") == 0
    assert run(tmp_path, *verify, "git", data=b"a message") != 0
    assert run(tmp_path, *verify, "file", data=b"another message") != 0


@pytest.mark.parametrize("name", ["ed25519", "mldsa44", "mldsa65"])
def test_openssl_verifies_new_signatures(name: str, tmp_path: Path) -> None:
    key = fndsa.PrivateKey.from_bytes(vector(f"cms/{name}.p8.der"))
    certificate = vector(f"cms/{name}.crt.der")
    signature = key.sign_format(b"a message", cms=True, certificate=certificate)
    policy = fndsa.Policy(certificate, cms=True)
    assert len(policy.verify(signature, b"a message")) == 1
    with pytest.raises(fndsa.VerificationError):
        policy.verify(signature, b"another message")
    for file, data in [("s", signature), ("c", certificate), ("m", b"a message"), ("other", b"another message")]:
        (tmp_path / file).write_bytes(data)
    verify = [openssl(), "cms", "-verify", "-binary", "-noverify", "-inform", "DER", "-in", "s", "-out", "out", "-content"]
    if run(tmp_path, openssl(), "cms", "-cmsout", "-inform", "DER", "-in", "s", "-out", "parsed") != 0 or run(tmp_path, *verify, "m") != 0:
        version = subprocess.run([openssl(), "version"], capture_output=True, text=True).stdout
        assert not version.startswith(("OpenSSL 3.5", "OpenSSL 3.6", "OpenSSL 4"))
        pytest.skip(f"{version.strip()} has no CMS signatures of {name}")
    assert run(tmp_path, *verify, "other") != 0


@pytest.mark.parametrize("name", ["ed25519", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"])
def test_new_json_web_signatures_are_valid(name: str, keys: dict[str, fndsa.PrivateKey]) -> None:
    key = keys[name]
    signature = key.sign_format(b"a message", jws=True)
    header, payload, _ = signature.split(b".")
    assert header and payload == b""
    policy = fndsa.Policy(key.public_key().to_pem(), jws=True)
    assert len(policy.verify(signature, b"a message")) == 1
    with pytest.raises(fndsa.VerificationError):
        policy.verify(signature, b"another message")


def test_formats_that_a_key_does_not_have_are_errors(keys: dict[str, fndsa.PrivateKey]) -> None:
    certificate = vector("cms/ed25519.crt.der")
    for name, key in keys.items():
        if name not in ("ed25519", "ml-dsa-44-ed25519"):
            with pytest.raises(ValueError, match="SSH has no signatures of"):
                key.sign_format(b"", ssh="file")
        if name not in ("ed25519", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"):
            with pytest.raises(ValueError, match="JOSE has no signatures of"):
                key.sign_format(b"", jws=True)
            with pytest.raises(ValueError, match="CMS has no signatures of"):
                key.sign_format(b"", cms=True, certificate=certificate)
    key = keys["ed25519"]
    for wrong in [
        {},
        {"certificate": certificate},
        {"cms": True},
        {"cms": True, "certificate": certificate},
        {"cms": True, "certificate": b"text"},
        {"cms": True, "certificate": key.public_key().to_pem()},
        {"jws": True, "certificate": certificate},
        {"ssh": "file", "certificate": certificate},
        {"ssh": "file", "jws": True},
        {"ssh": ""},
    ]:
        with pytest.raises(ValueError):
            key.sign_format(b"", **wrong)  # type: ignore[arg-type]
