"""Tests keys and signatures in memory: round trips, rejected arguments, and secrets."""

import array
import copy
import ctypes
import hashlib
import importlib.metadata
import io
import pickle
from pathlib import Path

import pytest
from conftest import SIGNING

import fndsa

Keys = dict[str, fndsa.PrivateKey]


@pytest.mark.parametrize("name", SIGNING)
def test_signatures_verify_only_for_their_message_and_key(name: str, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    signature = key.sign(b"a message")
    public.verify(signature, b"a message")
    public.verify_file(signature, io.BytesIO(b"a message"))
    public.verify(key.sign_file(io.BytesIO(b"a message")), b"a message")
    assert key.algorithm == public.algorithm == name
    assert key.fingerprint == public.fingerprint == "sha256:" + hashlib.sha256(public.to_bytes()).hexdigest()
    wrong = bytearray(signature)
    wrong[len(wrong) // 2] ^= 1
    # A Falcon signature is also valid without its padding, which can be the last byte.
    cut = signature[: len(signature) // 2] if name.startswith("falcon") else signature[:-1]
    for other in (b"", cut, signature + b"\0", bytes(wrong)):
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(other, b"a message")
        with pytest.raises(fndsa.InvalidSignature):
            public.verify_file(other, io.BytesIO(b"a message"))
    with pytest.raises(fndsa.InvalidSignature):
        public.verify(signature, b"a massage")
    with pytest.raises(fndsa.InvalidSignature):
        public.verify_file(signature, io.BytesIO(b"a massage"))
    with pytest.raises(fndsa.InvalidSignature):
        fndsa.generate(name).public_key().verify(signature, b"a message")


@pytest.mark.parametrize("name", SIGNING)
def test_keys_round_trip_through_all_encodings(name: str, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    encrypted = []
    if name.startswith("fn-dsa-2024"):
        with pytest.raises(ValueError, match="FN-DSA-2024-.* has no OID"):
            key.to_pem("a password")
    else:
        encrypted = [key.to_pem("a password")]
    for data in (key.to_bytes(), key.to_pem(), *encrypted):
        password = "a password" if b"ENCRYPTED" in data else None
        again = fndsa.PrivateKey.from_bytes(data, password=password, algorithm=name)
        assert again.to_bytes() == key.to_bytes()
        public.verify(again.sign(b"a message"), b"a message")
    for data in (public.to_bytes(), public.to_pem()):
        assert fndsa.PublicKey.from_bytes(data, algorithm=name) == public


def test_contexts_and_prehashes_must_match(keys: Keys) -> None:
    key, public = keys["fn-dsa-512"], keys["fn-dsa-512"].public_key()
    signature = key.sign(b"a message", context=b"release v1", prehash="sha512")
    public.verify(signature, b"a message", context=b"release v1", prehash="sha512")
    public.verify_file(signature, io.BytesIO(b"a message"), context=b"release v1", prehash="sha512")
    for wrong in ({}, {"context": b"release v1"}, {"context": b"release v1", "prehash": "sha256"}):
        with pytest.raises(fndsa.InvalidSignature):
            public.verify(signature, b"a message", **wrong)
    with pytest.raises(ValueError, match="at most 255 bytes"):
        key.sign(b"", context=bytes(256))
    with pytest.raises(ValueError, match='no pre-hash is named "md5"; the names are sha256, '):
        key.sign(b"", prehash="md5")
    for sign in (key.sign, lambda _, prehash: key.sign_file(io.BytesIO(), prehash=prehash)):
        with pytest.raises(ValueError, match="FN-DSA does not know the pre-hash sha224"):
            sign(b"", prehash="sha224")
    with pytest.raises(ValueError, match="Falcon have no context"):
        keys["falcon-512"].sign(b"", context=b"x")
    with pytest.raises(ValueError, match="Falcon have no context"):
        keys["falcon-512"].public_key().verify(b"", b"", context=b"x")
    weak = keys["ml-dsa-65"]
    signature = weak.sign(b"m", prehash="sha256", allow_weak_prehash=True)
    public = weak.public_key()
    calls = [
        lambda **form: weak.sign(b"m", **form),
        lambda **form: weak.sign_file(io.BytesIO(b"m"), **form),
        lambda **form: weak.sign_many([b"m"], **form),
        lambda **form: public.verify(signature, b"m", **form),
        lambda **form: public.verify_file(signature, io.BytesIO(b"m"), **form),
        lambda **form: fndsa.verify_each([public], [signature], b"m", **form),
        lambda **form: fndsa.verify_many([(public, signature, b"m")], **form),
    ]
    for call in calls:
        with pytest.raises((ValueError, fndsa.InvalidSignatures), match="the pre-hash sha256 is too weak for ML-DSA-65: .* 384 bits"):
            call(prehash="sha256")
        call(prehash="sha256", allow_weak_prehash=True)


def test_every_kind_of_bytes_is_accepted(keys: Keys) -> None:
    key, public = keys["ml-dsa-44"], keys["ml-dsa-44"].public_key()
    for message in (b"abc", bytearray(b"abc"), memoryview(b"abc"), array.array("B", b"abc"), memoryview(b"a-b-c")[::2], (ctypes.c_ubyte * 3)(*b"abc"), (ctypes.c_char * 3)(*b"abc")):
        signature = key.sign(message)
        public.verify(signature, b"abc")
        public.verify(bytearray(signature), message)
        fndsa.verify_many([(public, memoryview(signature), message)])
    # The call must release the buffer, so that the buffer can grow.
    changing = bytearray(b"abc")
    key.sign(changing)
    changing.extend(b"def")
    for wrong in ("text", 5, None, ["a"]):
        with pytest.raises(TypeError):
            key.sign(wrong)
    for wrong in (array.array("I", [1, 2]), (ctypes.c_uint32 * 2)(1, 2), (ctypes.c_byte * 2)(1, 2)):
        with pytest.raises(BufferError, match="are not unsigned bytes"):
            key.sign(wrong)
    for wrong in ("a.txt", Path("a.txt")):
        with pytest.raises(TypeError, match="open it in binary mode"):
            public.verify_file(b"", wrong)
        with pytest.raises(TypeError, match="open it in binary mode"):
            key.sign_file(wrong)


def test_files_are_read_in_pieces(keys: Keys) -> None:
    key, public = keys["falcon-512"], keys["falcon-512"].public_key()
    message = bytes(range(256)) * 12345

    class ShortReads:
        """A file whose `read` returns fewer bytes than requested."""

        def __init__(self) -> None:
            self.at, self.calls = 0, 0

        def read(self, size: int) -> bytearray:
            self.calls += 1
            start, self.at = self.at, self.at + min(size, 77_777)
            return bytearray(message[start : self.at])

    file = ShortReads()
    public.verify(key.sign_file(file), message)
    assert file.calls == len(message) // 77_777 + 2
    with pytest.raises(TypeError, match="binary mode"):
        key.sign_file(io.StringIO("text"))
    with pytest.raises(AttributeError):
        key.sign_file(b"a message")

    class BrokenFile:
        """A file whose `read` fails or returns a wrong value."""

        def __init__(self, answer: object) -> None:
            self.answer = answer

        def read(self, size: int) -> object:
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    for answer, error in ((None, ValueError), (OSError("gone"), OSError), (5, TypeError)):
        with pytest.raises(error):
            key.sign_file(BrokenFile(answer))
        with pytest.raises(error):
            public.verify_file(key.sign(b""), BrokenFile(answer))


def test_invalid_keys_are_rejected(keys: Keys) -> None:
    key = keys["fn-dsa-512"]
    damaged = bytearray(key.to_bytes())
    damaged[300] ^= 1
    with pytest.raises(fndsa.InvalidKey):
        fndsa.PrivateKey.from_bytes(damaged)
    with pytest.raises(fndsa.InvalidFile, match="the file is empty"):
        fndsa.PrivateKey.from_bytes(b"")
    with pytest.raises(fndsa.InvalidFile, match="this is a public key, not a private key"):
        fndsa.PrivateKey.from_bytes(key.public_key().to_pem())
    with pytest.raises(fndsa.InvalidFile, match="this is a private key, not a public key"):
        fndsa.PublicKey.from_bytes(key.to_pem())
    with pytest.raises(fndsa.InvalidFile, match="this is a private key, not a public key"):
        fndsa.PublicKey.from_bytes(key.to_pem("a password"))
    with pytest.raises(fndsa.InvalidFile, match="this is FN-DSA-512, not FN-DSA-1024"):
        fndsa.PublicKey.from_bytes(key.public_key().to_pem(), algorithm="fn-dsa-1024")
    with pytest.raises(fndsa.InvalidKey):
        fndsa.PublicKey.from_bytes(bytes([9]) + bytes(896), algorithm="fn-dsa-512")
    with pytest.raises(fndsa.InvalidFile, match="not a key or signature"):
        fndsa.PublicKey.from_bytes(b"\xff" * 100)
    for name in ("", "rsa", "fn-dsa-4"):
        with pytest.raises(ValueError, match="no algorithm is named .*fn-dsa-512, fn-dsa-1024"):
            fndsa.generate(name)
    with pytest.raises(ValueError, match="for verification only"):
        fndsa.generate("falcon-rs-512")


def test_an_encrypted_key_requires_its_password(keys: Keys) -> None:
    key = keys["fn-dsa-512"]
    encrypted = key.to_pem("päßword")
    assert fndsa.PrivateKey.from_bytes(encrypted, password="päßword".encode()).to_bytes() == key.to_bytes()
    for password, words in ((None, "pass its password"), ("another", "wrong, or the file is damaged")):
        with pytest.raises(fndsa.InvalidPassword, match=words):
            fndsa.PrivateKey.from_bytes(encrypted, password=password)
    with pytest.raises(fndsa.InvalidPassword, match="is not encrypted"):
        fndsa.PrivateKey.from_bytes(key.to_pem(), password="x")
    with pytest.raises(TypeError):
        key.to_pem(password=5)


def test_empty_passwords_are_rejected(keys: Keys, tmp_path: Path) -> None:
    key, path = keys["fn-dsa-512"], tmp_path / "key"
    key.save(path, password="a password")
    for empty in ("", b"", bytearray()):
        for call in (
            lambda: key.to_pem(empty),
            lambda: key.save(tmp_path / "other", password=empty),
            lambda: fndsa.PrivateKey.load(path, password=empty),
            lambda: fndsa.PrivateKey.from_bytes(key.to_pem(), password=empty),
        ):
            with pytest.raises(fndsa.InvalidPassword, match="^the password is empty: pass the password"):
                call()
    assert not (tmp_path / "other").exists()


def test_private_keys_are_not_printed_copied_or_pickled(keys: Keys) -> None:
    key = keys["fn-dsa-512"]
    secret = key.to_bytes()
    for text in (repr(key), str(key), format(key)):
        assert text == f"<fndsa.PrivateKey fn-dsa-512 of public key {key.fingerprint}>"
        assert secret.hex()[40:60] not in text
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            pickle.dumps(key, protocol)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            copied(key)
    assert not hasattr(key, "__dict__")
    with pytest.raises(TypeError):
        fndsa.PrivateKey()
    with pytest.raises(TypeError):
        type("Mine", (fndsa.PrivateKey,), {})
    with pytest.raises(AttributeError):
        key.algorithm = "none"


def test_public_keys_are_compared_and_copied_by_value(keys: Keys) -> None:
    public, other = keys["ml-dsa-44"].public_key(), keys["ml-dsa-65"].public_key()
    assert public == keys["ml-dsa-44"].public_key() and public != other and public != public.to_bytes()
    assert len({public, keys["ml-dsa-44"].public_key(), other}) == 2
    assert repr(public) == f"<fndsa.PublicKey ml-dsa-44 {public.fingerprint}>"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(public, protocol)) == public
    assert copy.deepcopy(public) == public
    # Two keys with the same encoding are different if their algorithms differ.
    falcon = keys["falcon-512"].public_key()
    preview = fndsa.PublicKey.from_bytes(falcon.to_bytes(), algorithm="fn-dsa-2024-512")
    assert falcon != preview and falcon.to_bytes() == preview.to_bytes()


def test_all_errors_have_the_same_base_class() -> None:
    for name in ("InvalidSignature", "InvalidSignatures", "InvalidKey", "InvalidFile", "InvalidPassword", "OperationFailed"):
        error = getattr(fndsa, name)
        assert issubclass(error, fndsa.Error) and error.__module__ == "fndsa"
    both = pickle.loads(pickle.dumps(fndsa.InvalidSignatures({3: "why"}, 7)))
    assert both.refused == {3: "why"} and str(both) == "1 of 7 signatures are not valid; number 3: why"


def test_algorithm_names_and_version() -> None:
    verify_only = set(fndsa.ALGORITHMS) - set(fndsa.SIGNING_ALGORITHMS)
    assert verify_only == {"falcon-rs-512", "falcon-rs-1024"}
    for name in verify_only:
        with pytest.raises(ValueError, match="for verification only"):
            fndsa.generate(name)
    assert importlib.metadata.version("fndsa") == fndsa.__version__
