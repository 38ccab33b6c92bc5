"""Tests the external mu: definition, vectors, the program, and rejected arguments."""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SIGNING

import fndsa

Keys = dict[str, fndsa.PrivateKey]
WITH_MU = ["fn-dsa-512", "fn-dsa-1024", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"]


def expected_mu(public: fndsa.PublicKey, message: bytes, context: bytes) -> bytes:
    """Computes a mu as FIPS 204 defines it: algorithm 2, and line 6 of algorithm 7."""
    key = hashlib.shake_256(public.to_bytes()).digest(64)
    return hashlib.shake_256(key + bytes([0, len(context)]) + context + message).digest(64)


@pytest.mark.parametrize("name", WITH_MU)
def test_a_mu_replaces_its_message(name: str, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    mu = public.mu(b"a message", context=b"c")
    assert mu == expected_mu(public, b"a message", b"c")
    assert mu == public.mu_file(io.BytesIO(b"a message"), context=b"c")
    assert mu != public.mu(b"a message") and mu != public.mu(b"a message", context=b"c", prehash="sha512")
    public.verify(key.sign_mu(mu), b"a message", context=b"c")
    public.verify_mu(key.sign(b"a message", context=b"c"), mu)
    hashed = public.mu(b"a message", prehash="sha512")
    assert hashed == public.mu_file(io.BytesIO(b"a message"), prehash="sha512")
    public.verify(key.sign_mu(bytearray(hashed)), b"a message", prehash="sha512")
    for signature, wrong_mu in ((key.sign_mu(mu), hashed), (key.sign_mu(mu)[:-1], mu), (b"", mu), (bytes(666), mu)):
        with pytest.raises(fndsa.InvalidSignature):
            public.verify_mu(signature, wrong_mu)


def test_acvp_vectors_give_the_expected_verdicts(vectors: Callable[[str], Any]) -> None:
    counts = {True: 0, False: 0}
    for group in vectors("ml-dsa/acvp-sigver.json")["groups"]:
        if not group["externalMu"]:
            continue
        for case in group["tests"]:
            algorithm = group["parameterSet"].lower()
            public = fndsa.PublicKey.from_bytes(bytes.fromhex(case["pk"]), algorithm=algorithm)
            try:
                public.verify_mu(bytes.fromhex(case["signature"]), bytes.fromhex(case["mu"]))
                accepted = True
            except fndsa.InvalidSignature:
                accepted = False
            assert accepted == case["testPassed"], case["tcId"]
            counts[accepted] += 1
    assert counts == {True: 3, False: 12}


def test_the_program_signs_and_verifies_the_same_mu(tool: Callable[..., str], tmp_path: Path) -> None:
    tool("keygen", "-q", "-a", "ml-dsa-65", "k")
    (tmp_path / "m").write_bytes(b"a message")
    public, key = fndsa.PublicKey.load(tmp_path / "k.pub"), fndsa.PrivateKey.load(tmp_path / "k.key")
    mu = public.mu(b"a message", context=b"v1")
    assert tool("sign", "-k", "k.key", "--print-mu", "--context", "v1", "m").split()[0] == mu.hex()
    (tmp_path / "mu").write_bytes(mu)
    (tmp_path / "raw.sig").write_bytes(key.sign_mu(mu))
    tool("verify", "-q", "-p", "k.pub", "--mu", "-s", "raw.sig", "mu")
    tool("sign", "-q", "-k", "k.key", "--mu", "-o", "mu.sig", "mu")
    public.verify_mu(fndsa.load_signature(tmp_path / "mu.sig"), mu)


@pytest.mark.parametrize("name", SIGNING)
def test_wrong_arguments_are_errors(name: str, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    calls = [
        lambda mu: key.sign_mu(mu),
        lambda mu: public.verify_mu(b"", mu),
    ]
    if name not in WITH_MU:
        calls += [lambda _: public.mu(b""), lambda _: public.mu_file(io.BytesIO())]
        for call in calls:
            with pytest.raises(ValueError, match="does not support an external mu"):
                call(bytes(64))
        return
    for call in calls:
        for length in (0, 63, 65, 128):
            with pytest.raises(ValueError, match=f"^mu has {length} bytes: a mu has 64 bytes$"):
                call(bytes(length))
        with pytest.raises(TypeError):
            call("0" * 64)
    with pytest.raises(ValueError, match="context"):
        public.mu(b"", context=bytes(256))
    with pytest.raises(TypeError, match="path"):
        public.mu_file("path")
