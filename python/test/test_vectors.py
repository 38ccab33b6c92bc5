"""Tests the verdicts of published vectors, and of the vectors of this repository."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fndsa

KAT = Path(__file__).parents[2] / "tests" / "kat"

@pytest.mark.parametrize("algorithm", ["fn-dsa-512", "fn-dsa-1024"])
def test_fn_dsa_vectors_give_the_expected_verdicts(algorithm: str, vectors: Callable[[str], Any]) -> None:
    counts = Counter[str]()
    for group in vectors(f"{algorithm.replace('-', '_')}_verify_test.json")["testGroups"]:
        tests = [test for test in group["tests"] if "mu" not in test]
        try:
            public = fndsa.PublicKey.from_bytes(bytes.fromhex(group["publicKey"]), algorithm=algorithm)
        except (fndsa.InvalidFile, fndsa.InvalidKey):
            assert all(test["result"] == "invalid" for test in tests)
            counts["rejected keys"] += 1
            continue
        batch, expected = [], []
        for test in tests:
            message, context, signature = (bytes.fromhex(test[name]) for name in ("msg", "ctx", "sig"))
            prehash = test.get("preHash")
            # The package names a pre-hash as in `sha512-256`, and the vectors name it as in
            # `SHA-512/256`.
            prehash = prehash and prehash.lower().replace("sha-", "sha").replace("/", "-")
            if test["result"] == "valid":
                public.verify(signature, message, context=context, prehash=prehash)
            else:
                # If the context is too long, the call raises an error, which is not a YES either.
                with pytest.raises(ValueError if len(context) > 255 else fndsa.InvalidSignature):
                    public.verify(signature, message, context=context, prehash=prehash)
            counts[test["result"]] += 1
            if context == b"" and prehash is None:
                batch.append((public, signature, message))
                expected.append(test["result"] == "invalid")
        if any(expected):
            with pytest.raises(fndsa.InvalidSignatures) as caught:
                fndsa.verify_many(batch)
            assert sorted(caught.value.refused) == [number for number, is_invalid in enumerate(expected) if is_invalid]
            counts["batches"] += 1
    assert counts["valid"] > 20 and counts["invalid"] > 150 and counts["rejected keys"] > 10 and counts["batches"] > 0, counts


@pytest.mark.parametrize("number", [44, 65, 87])
def test_ml_dsa_vectors_of_wycheproof_give_the_expected_verdicts(number: int, vectors: Callable[[str], Any]) -> None:
    counts = Counter[str]()
    for group in vectors(f"ml-dsa/wycheproof-{number}-verify.json")["groups"]:
        try:
            public = fndsa.PublicKey.from_bytes(bytes.fromhex(group["publicKey"]), algorithm=f"ml-dsa-{number}")
        except fndsa.InvalidFile:
            assert all(test["result"] == "invalid" for test in group["tests"])
            counts["rejected keys"] += 1
            continue
        for test in group["tests"]:
            message, context, signature = (bytes.fromhex(test.get(name, "")) for name in ("msg", "ctx", "sig"))
            if test["result"] == "valid":
                public.verify(signature, message, context=context)
            else:
                with pytest.raises(ValueError if len(context) > 255 else fndsa.InvalidSignature):
                    public.verify(signature, message, context=context)
            counts[test["result"]] += 1
    assert counts["valid"] > 5 and counts["invalid"] > 10 and counts["rejected keys"] > 0, counts


def test_falcon_signatures_of_round_3_verify() -> None:
    entries = (KAT / "nist-round3" / "falcon512-KAT.rsp").read_text().split("\n\n")[1:21]
    for entry in entries:
        fields = dict(line.split(" = ") for line in entry.strip().splitlines())
        signed, message = bytes.fromhex(fields["sm"]), bytes.fromhex(fields["msg"])
        length = int.from_bytes(signed[:2], "big")
        nonce, s2 = signed[2:42], signed[42 + len(message) :]
        assert len(s2) == length
        # In a detached signature, the byte that states the encoding is before the nonce, and is
        # greater by 0x10.
        signature = bytes([s2[0] + 0x10]) + nonce + s2[1:]
        public = fndsa.PublicKey.from_bytes(bytes.fromhex(fields["pk"]), algorithm="falcon-512")
        public.verify(signature, message)
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(signature, message + b"\0")
        private = fndsa.PrivateKey.from_bytes(bytes.fromhex(fields["sk"]), algorithm="falcon-512")
        assert private.public_key() == public
    assert len(entries) == 20
