"""Gives a program for macOS, or the module in a Python wheel for macOS, an identifier (LC_UUID) that
depends only on its bytes: uuid.py FILE

The linker computes the identifier before symbols are stripped, so the identifier would depend on
the builder's directories. The script also updates the hash of the changed page in the signature, and
the checksum of the module in the wheel.
"""

import base64
import hashlib
import struct
import sys
import zipfile
from pathlib import Path

UUID, CODE_SIGNATURE, CODE_DIRECTORY = 0x1B, 0x1D, 0xFADE0C02


def with_new_identifier(data: bytearray) -> bytearray:
    """Returns the program with the new identifier."""
    count, at, uuid, signature = struct.unpack_from("<I", data, 16)[0], 32, None, len(data)
    for _ in range(count):
        command, length = struct.unpack_from("<2I", data, at)
        if command == UUID:
            uuid = at + 8
        elif command == CODE_SIGNATURE:
            signature = struct.unpack_from("<I", data, at + 8)[0]
        at += length
    assert uuid is not None, "the program has no identifier"
    data[uuid : uuid + 16] = bytes(16)
    identifier = bytearray(hashlib.sha256(data[:signature]).digest()[:16])
    # RFC 9562, UUID version 8: an identifier with a custom rule.
    identifier[6], identifier[8] = identifier[6] & 0x0F | 0x80, identifier[8] & 0x3F | 0x80
    data[uuid : uuid + 16] = identifier
    if signature < len(data):
        blobs = struct.unpack_from(">I", data, signature + 8)[0]
        for i in range(blobs):
            blob = signature + struct.unpack_from(">2I", data, signature + 12 + 8 * i)[1]
            if struct.unpack_from(">I", data, blob)[0] == CODE_DIRECTORY:
                hashes, page = blob + struct.unpack_from(">I", data, blob + 16)[0], uuid >> data[blob + 39]
                length = 1 << data[blob + 39]
                digest = hashlib.sha256(data[page * length : min((page + 1) * length, signature)]).digest()
                data[hashes + 32 * page : hashes + 32 * page + 32] = digest
    return data


def checksum(data: bytes) -> bytes:
    """Returns the checksum that a wheel contains for a file."""
    return b"sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")


def change_wheel(path: Path) -> None:
    """Changes the identifier of the only module in the wheel."""
    with zipfile.ZipFile(path) as wheel:
        files = {entry: wheel.read(entry) for entry in wheel.infolist()}
    (module,) = (entry for entry in files if entry.filename.endswith(".so"))
    (record,) = (entry for entry in files if entry.filename.endswith(".dist-info/RECORD"))
    old = files[module]
    files[module] = bytes(with_new_identifier(bytearray(old)))
    assert files[record].count(checksum(old)) == 1, "RECORD does not contain the checksum of the module"
    files[record] = files[record].replace(checksum(old), checksum(files[module]))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for entry, data in files.items():
            wheel.writestr(entry, data)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    if path.suffix == ".whl":
        change_wheel(path)
        sys.exit()
    path.write_bytes(with_new_identifier(bytearray(path.read_bytes())))
