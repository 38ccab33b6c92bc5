"""A program for mypy, which checks that all functions have the expected types."""

import datetime
import io
from pathlib import Path
from typing import assert_type

import fndsa


def every_call(path: Path) -> None:
    key = fndsa.generate("ml-dsa-44")
    assert_type(key, fndsa.PrivateKey)
    assert_type(fndsa.PrivateKey.load(path, password="x"), fndsa.PrivateKey)
    assert_type(fndsa.PrivateKey.from_bytes(bytearray(b""), password=b"x", algorithm="falcon-512"), fndsa.PrivateKey)
    public = key.public_key()
    assert_type(public, fndsa.PublicKey)
    assert_type(fndsa.PublicKey.load("release.pub"), fndsa.PublicKey)
    signature = key.sign(memoryview(b"a message"), context=b"c", prehash="sha512")
    assert_type(signature, bytes)
    assert_type(key.sign_many([b"one", bytearray(b"two")], threads=2), list[bytes])
    assert_type(key.sign_file(io.BytesIO()), bytes)
    assert_type(public.mu(b"a message", context=b"c", prehash="sha512"), bytes)
    assert_type(public.mu_file(path.open("rb")), bytes)
    assert_type(key.sign_mu(bytes(64)), bytes)
    public.verify_mu(signature, bytes(64))
    assert_type(key.sign_format(b"a message", cms=True, certificate=b""), bytes)
    public.verify(signature, b"a message")
    public.verify_file(signature, path.open("rb"))
    policy = fndsa.Policy(b"", require="all", expected=[public.fingerprint], at=datetime.date(2026, 1, 1))
    assert_type(fndsa.Policy.load(path, require=2), fndsa.Policy)
    assert_type(fndsa.Policy(b"", ssh="file", signer="alice@example.com"), fndsa.Policy)
    assert_type(fndsa.Policy.load(path, jws=True), fndsa.Policy)
    assert_type(fndsa.Policy.load(path, cms=True), fndsa.Policy)
    assert_type(policy.verify(b"", b"a message", context=b"c"), list[fndsa.Signer])
    listed = policy.verify_list(b"", b"", context=b"c")
    assert_type(listed, fndsa.SignedList)
    assert_type(listed.signers, list[fndsa.Signer])
    assert_type(listed.best_before, datetime.date | None)
    assert_type(listed.files, dict[str, str])
    listed.verify_file("name", path.open("rb"))
    try:
        fndsa.verify_many((public, signature, b"a message") for _ in range(2))
        fndsa.verify_each([public], fndsa.load_signatures(path), b"a message", context=b"c")
    except fndsa.InvalidSignatures as e:
        assert_type(e.refused, dict[int, str])


def wrong_calls(key: fndsa.PrivateKey, public: fndsa.PublicKey) -> None:
    key.sign("text")  # type: ignore[arg-type]
    key.sign(b"", prehash="md5")  # type: ignore[arg-type]
    key.sign_file(open("text"))  # type: ignore[arg-type]
    public.verify(b"")  # type: ignore[call-arg]
    valid = public.verify(b"", b"")  # type: ignore[func-returns-value]
    fndsa.PrivateKey()  # type: ignore[call-arg, unused-ignore]
