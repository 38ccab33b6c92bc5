"""Tests files that the package exchanges with the program `fndsa`."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import KAT, SIGNING

import fndsa

Tool = Callable[..., str]


@pytest.mark.parametrize("name", SIGNING)
def test_files_are_exchanged_with_the_program(name: str, tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(b"a message\n")
    tool("keygen", "-a", name, "theirs")
    key, public = fndsa.PrivateKey.load(tmp_path / "theirs.key"), fndsa.PublicKey.load(tmp_path / "theirs.pub")
    if name.startswith("fn-dsa-2024"):
        # Raw keys of FN-DSA-2024 look like Falcon keys. Only the label distinguishes them.
        assert b"FNDSA2024" in (tmp_path / "theirs.key").read_bytes()
    assert key.algorithm == public.algorithm == name and key.public_key() == public
    assert key.fingerprint in tool("inspect", "theirs.pub")
    tool("sign", "-k", "theirs.key", "message")
    signature = fndsa.load_signature(tmp_path / "message.sig", algorithm=name)
    public.verify(signature, b"a message\n")
    (tmp_path / "ours.sig").write_bytes(key.sign(b"a message\n"))
    assert "OK" in tool("verify", "-p", "theirs.pub", "-s", "ours.sig", "message")
    (tmp_path / "ours.sig").write_bytes(key.sign(b"a massage\n"))
    tool("verify", "-p", "theirs.pub", "-s", "ours.sig", "message", code=1)
    # The package must write the same bytes as the tool.
    key.save(tmp_path / "ours.key")
    public.save(tmp_path / "ours.pub")
    for end in ("key", "pub"):
        assert (tmp_path / f"ours.{end}").read_bytes() == (tmp_path / f"theirs.{end}").read_bytes()
    assert key.to_pem() == (tmp_path / "ours.key").read_bytes()
    if name.endswith("ed25519"):
        # A composite's raw public key has a unique length, so only its private key is rejected.
        for key_or_public in (key, public) if name == "ed25519" else (key,):
            with pytest.raises(ValueError, match="cannot be read again"):
                key_or_public.save(tmp_path / "raw.key", format="raw")
        assert not (tmp_path / "raw.key").exists()
        return
    key.save(str(tmp_path / "raw.key"), format="raw")
    public.save(str(tmp_path / "raw.pub"), format="raw")
    assert (tmp_path / "raw.key").read_bytes() == key.to_bytes()
    tool("sign", "-a", name, "-k", "raw.key", "-o", "raw.sig", "message")
    public.verify(fndsa.load_signature(tmp_path / "raw.sig", algorithm=name), b"a message\n")


@pytest.mark.parametrize("name", ["fn-dsa-512", "falcon-512", "ml-dsa-65", "ed25519"])
def test_encrypted_keys_are_exchanged_with_the_program(name: str, tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(b"a message\n")
    tool("keygen", "-a", name, "--encrypt", "theirs", password="correct horse")
    key = fndsa.PrivateKey.load(tmp_path / "theirs.key", password="correct horse")
    with pytest.raises(fndsa.InvalidPassword) as caught:
        fndsa.PrivateKey.load(tmp_path / "theirs.key")
    assert caught.value.__notes__ == [f"in the file {tmp_path / 'theirs.key'}"]
    key.save(tmp_path / "ours.key", password=b"battery staple")
    tool("sign", "-k", "ours.key", "-o", "ours.sig", "message", password="battery staple")
    tool("sign", "-k", "ours.key", "-o", "other.sig", "message", password="correct horse", code=5)
    key.public_key().verify(fndsa.load_signature(tmp_path / "ours.sig"), b"a message\n")
    with pytest.raises(ValueError, match="fndsa cannot encrypt raw files"):
        key.save(tmp_path / "raw.key", password="x", format="raw")
    assert not (tmp_path / "raw.key").exists()


@pytest.mark.parametrize("prehash", ["sha256", "sha384", "sha512", "sha512-256", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"])
def test_prehashes_agree_with_the_program(prehash: str, tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(b"a message\n" * 1000)
    key = fndsa.generate("fn-dsa-512")
    key.save(tmp_path / "x.key")
    key.public_key().save(tmp_path / "x.pub")
    with (tmp_path / "message").open("rb") as file:
        (tmp_path / "x.sig").write_bytes(key.sign_file(file, context=b"v1", prehash=prehash))
    tool("verify", "-p", "x.pub", "-s", "x.sig", "--context", "v1", "--prehash", prehash, "message")
    tool("sign", "-k", "x.key", "-o", "y.sig", "--context", "v1", "--prehash", prehash, "message")
    key.public_key().verify(fndsa.load_signature(tmp_path / "y.sig"), b"a message\n" * 1000, context=b"v1", prehash=prehash)


@pytest.mark.parametrize("prehash", ["sha224", "sha512-224", "sha3-224"])
def test_weak_prehashes_of_the_program_require_an_argument(prehash: str, tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(b"a message\n")
    tool("keygen", "-a", "ml-dsa-44", "x")
    tool("sign", "-k", "x.key", "-o", "x.sig", "--prehash", prehash, "--allow-weak", "message")
    public, signature = fndsa.PublicKey.load(tmp_path / "x.pub"), fndsa.load_signature(tmp_path / "x.sig")
    public.verify(signature, b"a message\n", prehash=prehash, allow_weak_prehash=True)
    with pytest.raises(ValueError, match="is too weak for ML-DSA-44"):
        public.verify(signature, b"a message\n", prehash=prehash)
    tool("verify", "-p", "x.pub", "-s", "x.sig", "--prehash", prehash, "--allow-weak", "message")
    tool("verify", "-p", "x.pub", "-s", "x.sig", "--prehash", prehash, "message", code=2)
    with pytest.raises(fndsa.InvalidSignature):
        public.verify(signature, b"a message\n")


def test_files_of_other_programs_are_read() -> None:
    folder = KAT / "oqs-provider"
    public = fndsa.PublicKey.load(folder / "falcon512.pub.pem")
    assert public.algorithm == "falcon-512"


def test_new_files_have_safe_modes_and_replace_no_file(tmp_path: Path) -> None:
    key = fndsa.generate()
    old = os.umask(0o022)
    try:
        key.save(tmp_path / "x.key")
        key.public_key().save(tmp_path / "x.pub")
    finally:
        os.umask(old)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("x.key", "x.pub")]
    assert modes == [0o600, 0o644]
    before = (tmp_path / "x.key").read_bytes()
    for save in (fndsa.generate().save, fndsa.generate().public_key().save):
        with pytest.raises(FileExistsError) as caught:
            save(tmp_path / "x.key")
        assert caught.value.filename == str(tmp_path / "x.key") and caught.value.strerror == "File exists"
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        key.save(tmp_path / "link")
    assert (tmp_path / "x.key").read_bytes() == before and not (tmp_path / "nowhere").exists()
    with pytest.raises(FileNotFoundError):
        key.save(tmp_path / "no" / "such" / "folder")
    with pytest.raises(ValueError, match='no format is named "der"; the names are pem, raw'):
        key.save(tmp_path / "y.key", format="der")
    assert not (tmp_path / "y.key").exists()


def test_other_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fndsa.PrivateKey.load(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        fndsa.PublicKey.load(tmp_path)
    for load in (fndsa.PrivateKey.load, fndsa.PublicKey.load, fndsa.load_signature):
        with pytest.raises(fndsa.InvalidFile, match="larger than any key"):
            load("/dev/zero")
        with pytest.raises(TypeError):
            load(5)
    (tmp_path / "text").write_text("not a key")
    with pytest.raises(fndsa.InvalidFile) as caught:
        fndsa.load_signature(tmp_path / "text")
    assert caught.value.__notes__ == [f"in the file {tmp_path / 'text'}"]
    with pytest.raises(TypeError):
        fndsa.PrivateKey.load(tmp_path / "text", algorithm=5)
