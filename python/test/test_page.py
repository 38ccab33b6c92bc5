"""Runs the blocks of docs/python.md that are not interactive sessions, in their order."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fndsa

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "formats"))
from cases import ssh_cases, vector  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_blocks_of_the_page_run(tool: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [rest.split("\n```")[0] for rest in PAGE.read_text().split("\n```py\n")[1:]]
    assert len(blocks) == 3
    # Create the files that exist before the first block of the page, and run the page's command for
    # the tool.
    password = "correct horse battery staple"
    key = fndsa.generate()
    key.save(tmp_path / "release.key", password=password)
    message = b"an application"
    (tmp_path / "app.tar.gz").write_bytes(message)
    command = "fndsa sign -k release.key app.tar.gz"
    assert f"\n```sh\n{command}\n```\n" in PAGE.read_text()
    tool(*command.split()[1:], password=password)
    # Create the files that the remaining blocks read.
    (tmp_path / "trusted.pem").write_bytes(b"name: release 2026\n" + key.public_key().to_pem())
    ssh = ssh_cases()[0].keys
    (tmp_path / "id_ed25519.pub").write_bytes(ssh)
    (tmp_path / "allowed_signers").write_bytes(b"alice@example.com " + ssh)
    fndsa.generate("ml-dsa-65").public_key().save(tmp_path / "signer.pub")
    tool("convert", "signer.pub", "--to", "jwk", "-o", "signer.jwk")
    certificate = vector("cms/mldsa65.crt.der")
    (tmp_path / "signer.crt").write_bytes(certificate)
    signer = fndsa.PrivateKey.from_bytes(vector("cms/mldsa65.p8.der"))
    (tmp_path / "app.tar.gz.p7s").write_bytes(signer.sign_format(message, cms=True, certificate=certificate))

    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"fndsa": fndsa, "public": key.public_key(), "print": lambda value: printed.append(value)}
    printed: list[Any] = []
    for block in blocks:
        exec(block, names)
    assert printed == [["release 2026"]]
    assert names["signers"][0].algorithm == "ml-dsa-65" and names["jws"] is not names["cms"]
    # All three blocks verify the file, and must reject it after a change.
    Path("app.tar.gz").write_bytes(message + b"!")
    for block in blocks:
        with pytest.raises(fndsa.InvalidSignature):
            exec(block, names)
