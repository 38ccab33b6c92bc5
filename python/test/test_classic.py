"""Tests Ed25519, composites of ML-DSA and Ed25519, and dual signatures, which require both keys."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fndsa

Tool = Callable[..., str]
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_published_signatures_are_reproduced_and_verified(vectors: Callable[[str], Any]) -> None:
    """Tests the vectors of RFC 8032 for the three variants, and vectors of other programs."""
    tests = vectors("ed25519.json")["tests"]
    for test in tests:
        seed, encoded, context, message, signature = (bytes.fromhex(test[name]) for name in ("seed", "publicKey", "ctx", "msg", "sig"))
        key, public = fndsa.PrivateKey.from_bytes(seed, algorithm="ed25519"), fndsa.PublicKey.from_bytes(encoded, algorithm="ed25519")
        form: dict[str, Any] = {"context": context, "prehash": None if test["prehash"] == "none" else test["prehash"]}
        assert key.public_key() == public and key.to_bytes() == seed and public.to_bytes() == encoded
        assert key.sign(message, **form) == signature
        assert key.sign_many([message] * 9, **form) == [signature] * 9
        public.verify(signature, message, **form)
        fndsa.verify_many([(public, signature, message)] * 3, **form)
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(signature, message, **{**form, "context": context + b"x" if len(context) < 255 else b""})
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(signature, message, **{**form, "prehash": None if form["prehash"] else "sha512"})
        for bit in range(0, 512, 5):
            changed = bytearray(signature)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(fndsa.InvalidSignature):
                public.verify(changed, message, **form)
        # The second half plus the group order has the same value modulo the group order, but must
        # be rejected.
        greater = signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(greater, message, **form)
    assert len(tests) == 12


def test_invalid_keys_are_rejected() -> None:
    small = ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"]
    for encoded in (*small, "ff" * 32):
        with pytest.raises(fndsa.InvalidKey):
            fndsa.PublicKey.from_bytes(bytes.fromhex(encoded), algorithm="ed25519")
    with pytest.raises(fndsa.InvalidFile):
        fndsa.PublicKey.from_bytes(bytes(32))
    with pytest.raises(fndsa.InvalidFile):
        fndsa.PublicKey.from_bytes(bytes(33), algorithm="ed25519")
    with pytest.raises(ValueError, match="does not know the pre-hash sha256"):
        fndsa.generate("ed25519").sign(b"", prehash="sha256")


def test_composites_of_the_draft_are_verified(vectors: Callable[[str], Any]) -> None:
    """Tests the vectors of the draft: keys, and signatures without and with a context."""
    file = vectors("composite/draft-19.json")
    message, context = base64.b64decode(file["m"]), base64.b64decode(file["ctx"])
    names = {"id-MLDSA44-Ed25519-SHA512": "ml-dsa-44-ed25519", "id-MLDSA65-Ed25519-SHA512": "ml-dsa-65-ed25519"}
    for test in file["tests"]:
        seeds, encoded, plain, other = (base64.b64decode(test[name]) for name in ("sk", "pk", "s", "sWithContext"))
        algorithm = names.pop(test["tcId"])
        key, public = fndsa.PrivateKey.from_bytes(seeds, algorithm=algorithm), fndsa.PublicKey.from_bytes(encoded)
        assert fndsa.PrivateKey.from_bytes(base64.b64decode(test["sk_pkcs8"])).to_bytes() == key.to_bytes() == seeds
        assert key.public_key() == public and public.algorithm == algorithm and public.to_bytes() == encoded
        public.verify(plain, message)
        public.verify(other, message, context=context)
        fndsa.verify_many([(public, plain, message)] * 3)
        own = key.sign(message, context=context)
        public.verify(own, message, context=context)
        # The last 64 bytes of a composite signature are its Ed25519 half. Both halves must come
        # from the same signature.
        for wrong in (other, plain[:-64] + other[-64:], other[:-64] + plain[-64:], plain[:-1], plain + b"x", plain[:-64]):
            with pytest.raises(fndsa.InvalidSignature):
                public.verify(wrong, message)
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(own, message)
        with pytest.raises(ValueError, match="pre-hash"):
            key.sign(message, prehash="sha512")
    assert not names
    with pytest.raises(fndsa.InvalidFile):
        fndsa.PrivateKey.from_bytes(bytes(64))


def test_dual_signatures_of_the_program_require_both_keys(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(b"a message\n")
    tool("keygen", "--dual", "d")
    tool("keygen", "third")
    names = ("d.pub", "d-ed25519.pub", "third.pub")
    lattice, classic, third = (fndsa.PublicKey.load(tmp_path / name) for name in names)
    tool("sign", "-k", "d.key", "-k", "d-ed25519.key", "--context", "v1", "message")
    signatures = fndsa.load_signatures(tmp_path / "message.sig")
    assert [len(signature) for signature in signatures] == [666, 64]
    for order in (signatures, signatures[::-1], iter(signatures), [*signatures, b"", bytes(64)]):
        fndsa.verify_each([lattice, classic], order, b"a message\n", context=b"v1")
    fndsa.verify_each([classic], signatures, b"a message\n", context=b"v1")
    for keys, given, message, missing in (
        ([lattice, classic], signatures[:1], b"a message\n", classic),
        ([lattice, classic], signatures[:1] * 2, b"a message\n", classic),
        ([lattice, classic], signatures[1:], b"a message\n", lattice),
        ([lattice, classic], [], b"a message\n", lattice),
        ([lattice, classic], signatures, b"a massage\n", lattice),
        ([lattice, classic, third], signatures, b"a message\n", third),
    ):
        with pytest.raises(fndsa.InvalidSignature, match=f"no valid signature by {missing.algorithm} {missing.fingerprint}"):
            fndsa.verify_each(keys, given, message, context=b"v1")
    with pytest.raises(fndsa.InvalidSignature):
        fndsa.verify_each([lattice, classic], signatures, b"a message\n")
    with pytest.raises(ValueError, match="there are no keys"):
        fndsa.verify_each([], signatures, b"a message\n", context=b"v1")
    with pytest.raises(TypeError):
        fndsa.verify_each([classic], signatures[1], b"a message\n", context=b"v1")  # type: ignore[arg-type]
    # Blocks of other programs are ignored. A file that contains only such blocks has no signature.
    foreign = "-----BEGIN PGP SIGNATURE-----\nAAAA\n-----END PGP SIGNATURE-----\n"
    (tmp_path / "more.sig").write_text(foreign + (tmp_path / "message.sig").read_text() + foreign)
    assert fndsa.load_signatures(tmp_path / "more.sig") == signatures
    # A file with many signatures can be larger than a key file.
    many = (tmp_path / "message.sig").read_text() * 60
    assert len(many) > 65536
    (tmp_path / "many.sig").write_text(many)
    assert fndsa.load_signatures(tmp_path / "many.sig") == signatures * 60
    for text in (foreign, foreign * 2, (tmp_path / "message.sig").read_text()[:-60], "nothing"):
        (tmp_path / "bad.sig").write_text(text)
        with pytest.raises(fndsa.InvalidFile) as caught:
            fndsa.load_signatures(tmp_path / "bad.sig")
        assert caught.value.__notes__ == [f"in the file {tmp_path / 'bad.sig'}"]
    # In the opposite direction, this package signs with both keys, and the tool requires both
    # signatures.
    for name, key in (("d", "d.key"), ("d-ed25519", "d-ed25519.key")):
        (tmp_path / f"{name}.one").write_bytes(fndsa.PrivateKey.load(tmp_path / key).sign(b"a message\n"))
        tool("convert", f"{name}.one", "--to", "pem", "-a", "fn-dsa-512" if name == "d" else "ed25519", "-o", f"{name}.pem")
    (tmp_path / "ours.sig").write_text("".join((tmp_path / f"{name}.pem").read_text() for name in ("d", "d-ed25519")))
    tool("verify", "-p", "d.pub", "-p", "d-ed25519.pub", "--require", "all", "-s", "ours.sig", "message")
