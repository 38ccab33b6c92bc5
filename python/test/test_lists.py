"""Tests signed lists: lists that the program wrote, and each reason for a NO."""

import datetime
import hashlib
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import fndsa

Tool = Callable[..., str]
FILES = {"a": b"first", "d/b c": b"second", "ü": b"third"}


@pytest.fixture
def release(tool: Tool, tmp_path: Path) -> Path:
    """Creates a release with two key pairs, and returns its directory."""
    directory = tmp_path / "dist"
    (directory / "d").mkdir(parents=True)
    for name, data in FILES.items():
        (directory / name).write_bytes(data)
    tool("keygen", "-q", "-a", "ml-dsa-44", "one")
    tool("keygen", "-q", "-a", "ed25519", "two")
    return directory


def policy_for(directory: Path, *names: str, **options: object) -> fndsa.Policy:
    keys = b"".join((directory.parent / f"{name}.pub").read_bytes() for name in names)
    return fndsa.Policy(keys, require="all", **options)


def rejection_reason(policy: fndsa.Policy, *arguments: bytes, **options: bytes) -> str:
    """Returns the reason code of the NO for a list."""
    with pytest.raises(fndsa.VerificationError) as e:
        policy.verify_list(*arguments, **options)
    return e.value.reason


def list_and_signatures(directory: Path) -> tuple[bytes, bytes]:
    return (directory / "SHA256SUMS").read_bytes(), (directory / "SHA256SUMS.sig").read_bytes()


def test_lists_of_the_program_are_verified(release: Path, tool: Tool) -> None:
    tool("sign", "-q", "-k", "one.key", "-k", "two.key", "-M", "dist/SHA256SUMS", "-r", "dist", "--context", "v1")
    data, signatures = list_and_signatures(release)
    both = policy_for(release, "one", "two")
    listed = both.verify_list(data, signatures, context=b"v1")
    assert listed.files == {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    assert [signer.algorithm for signer in listed.signers] == ["ml-dsa-44", "ed25519"]
    assert listed.best_before is None and repr(listed) == "<fndsa.SignedList of 3 files>"
    for name, contents_of_file in FILES.items():
        assert listed.verify_file(name, io.BytesIO(contents_of_file)) is None
        with (release / name).open("rb") as file:
            listed.verify_file(f"./{name}", file)
        for other in (b"", contents_of_file + b"\0", b"fourth"):
            with pytest.raises(fndsa.VerificationError, match="does not match its checksum in the list") as e:
                listed.verify_file(name, io.BytesIO(other))
            assert e.value.reason == "manifest_mismatch"
    for name in ("b c", "d", "A", "../a", "/a", "", "a\0"):
        with pytest.raises(fndsa.VerificationError, match="^not in the list$") as e:
            listed.verify_file(name, io.BytesIO(b"first"))
        assert e.value.reason == "not_in_manifest"
    assert rejection_reason(both, data, signatures) == "signature_mismatch"
    assert rejection_reason(both, data.replace(b"  a", b"  b"), signatures, context=b"v1") == "signature_mismatch"
    first = signatures[: signatures.index(b"fndsa signature Ed25519")]
    assert rejection_reason(both, data, first, context=b"v1") == "too_few_signatures"
    assert policy_for(release, "one").verify_list(data, first, context=b"v1").files == listed.files
    with pytest.raises(fndsa.InvalidFile, match="the list contains no signature.*: pass signatures$"):
        both.verify_list(data, context=b"v1")
    with pytest.raises(fndsa.InvalidFile):
        both.verify_list(data, b"text", context=b"v1")


def test_inline_signatures_of_lists_are_verified(release: Path, tool: Tool) -> None:
    tool("sign", "-q", "-k", "one.key", "-k", "two.key", "-M", "dist/SHA256SUMS", "-r", "dist", "--inline")
    data = (release / "SHA256SUMS").read_bytes()
    both = policy_for(release, "one", "two")
    assert set(both.verify_list(data).files) == set(FILES)
    mldsa = fndsa.PublicKey.load(release.parent / "one.pub").fingerprint.encode()
    for changed, reason in (
        (data.replace(b"  a", b"  b"), "signature_mismatch"),
        (data + b"# more\n", "inline_form"),
        (data.replace(mldsa, mldsa[:-1] + b"!"), "inline_form"),
        (data.replace(mldsa, b"sha256:" + b"0" * 64), "inline_form"),
        (data.replace(b"# fndsa signature ML", b"# see evil.example: fndsa signature ML"), "inline_form"),
    ):
        assert changed != data
        assert rejection_reason(both, changed) == reason
    # A separate signature file must cover all bytes in the list, as with `fndsa verify -s`.
    inline = data.index(b"# fndsa signature")
    block = b"".join(line.removeprefix(b"# ") for line in data[inline:].splitlines(keepends=True))
    assert set(both.verify_list(data[:inline], block).files) == set(FILES)
    assert rejection_reason(both, data, block) == "signature_mismatch"


def test_a_list_expires_after_its_last_day(release: Path, tool: Tool) -> None:
    tool("sign", "-q", "-k", "one.key", "-M", "dist/SHA256SUMS", "-r", "dist", "--best-before", "2096-02-29")
    signed = list_and_signatures(release)
    last = datetime.date(2096, 2, 29)
    listed = policy_for(release, "one", at=last).verify_list(*signed)
    assert listed.best_before == last and set(listed.files) == set(FILES)
    assert policy_for(release, "one").verify_list(*signed).best_before == last
    assert rejection_reason(policy_for(release, "one", at=datetime.date(2096, 3, 1)), *signed) == "expired"


def test_contents_are_checked_after_the_signature(tool: Tool, tmp_path: Path) -> None:
    key = fndsa.generate("ed25519")
    accept = fndsa.Policy(key.public_key().to_pem())
    zeros = b"0" * 64
    for data, text in (
        (b"", "no entries"),
        (b"# a comment\n", "no entries"),
        (b"text\n", "^line 1: "),
        (zeros + b"  a\n" + zeros + b"  ./a\n", "^line 2: the file is named twice"),
        (zeros + b"  ../a\n", "^line 1: the name contains `..`"),
        ("\ufeffa".encode("utf-16-le"), "UTF-16"),
    ):
        with pytest.raises(fndsa.InvalidFile, match=text):
            accept.verify_list(data, key.sign(data))
        assert rejection_reason(accept, data, fndsa.generate("ed25519").sign(data)) == "signature_mismatch"
    data = zeros + b"  \xff\n"
    listed = accept.verify_list(data, key.sign(data))
    assert listed.files == {os.fsdecode(b"\xff"): zeros.decode()}
    with pytest.raises(fndsa.VerificationError, match="checksum"):
        listed.verify_file(os.fsdecode(b"\xff"), io.BytesIO())


def test_wrong_arguments_are_errors() -> None:
    key = fndsa.generate("ed25519")
    data = b"0" * 64 + b"  a\n"
    accept = fndsa.Policy(key.public_key().to_pem())
    listed = accept.verify_list(data, key.sign(data))
    for name, file, error in (("a", "a", TypeError), (b"a", io.BytesIO(), TypeError), ("a", io.StringIO("text"), TypeError)):
        with pytest.raises(error):
            listed.verify_file(name, file)
    with pytest.raises(TypeError):
        accept.verify_list("text", key.sign(data))
    with pytest.raises(ValueError, match="context"):
        accept.verify_list(data, key.sign(data), context=bytes(256))
    with pytest.raises(TypeError):
        fndsa.SignedList()
