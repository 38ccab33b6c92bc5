"""Checks that macOS can load a program: macho.py FILE (x86_64|aarch64)

The program must be for this processor, contain the number of the oldest supported macOS, and link
only the system library. If the program has a code signature, the hashes in the signature must match
the program's pages. A Mac with an Apple processor starts only programs with such a signature.

Layouts: <mach-o/loader.h>, and cs_blobs.h of Apple's kernel.
"""

import hashlib
import struct
import sys
from pathlib import Path

CODE_SIGNATURE, BUILD_VERSION, MINIMUM_VERSION, LOAD_LIBRARY = 0x1D, 0x32, 0x24, 0xC
EMBEDDED_SIGNATURE, CODE_DIRECTORY, AD_HOC, SHA256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


def signed_pages(data: bytes, at: int) -> int:
    """Checks the ad hoc signature (without a key) at `at`, and returns the number of signed
    pages."""
    magic, _, count = struct.unpack_from(">3I", data, at)
    assert magic == EMBEDDED_SIGNATURE, hex(magic)
    blobs = [at + struct.unpack_from(">2I", data, at + 12 + 8 * i)[1] for i in range(count)]
    (directory,) = (blob for blob in blobs if struct.unpack_from(">I", data, blob)[0] == CODE_DIRECTORY)
    flags, hashes, _, _, pages, limit, size, kind, _, page = struct.unpack_from(">6I4B", data, directory + 12)
    assert flags & AD_HOC and kind == SHA256 and size == 32, (flags, kind, size)
    assert limit == at, f"only {limit} of {at} bytes are signed"
    length = 1 << page
    assert pages == -(-limit // length), pages
    for i in range(pages):
        found = hashlib.sha256(data[i * length : min((i + 1) * length, limit)]).digest()
        assert data[directory + hashes + 32 * i :][:32] == found, f"page {i} does not match its hash in the signature"
    return pages


def check_program(data: bytes, machine: str) -> str:
    """Checks the program, and returns its oldest macOS and its number of signed pages as text."""
    magic, processor, _, kind, count, _ = struct.unpack_from("<6I", data)
    assert magic == 0xFEEDFACF and kind == 2, "not a 64-bit executable"
    assert processor == {"x86_64": 0x01000007, "aarch64": 0x0100000C}[machine], hex(processor)
    at, libraries, oldest, pages = 32, [], None, None
    for _ in range(count):
        command, length = struct.unpack_from("<2I", data, at)
        if command == LOAD_LIBRARY:
            name = at + struct.unpack_from("<I", data, at + 8)[0]
            libraries.append(data[name : data.index(0, name)].decode())
        elif command in (BUILD_VERSION, MINIMUM_VERSION):
            version = struct.unpack_from("<I", data, at + (12 if command == BUILD_VERSION else 8))[0]
            oldest = (version >> 16, version >> 8 & 255)
        elif command == CODE_SIGNATURE:
            pages = signed_pages(data, struct.unpack_from("<I", data, at + 8)[0])
        at += length
    assert libraries == ["/usr/lib/libSystem.B.dylib"], libraries
    assert oldest is not None and oldest <= (13, 0), oldest
    assert pages is not None or machine == "x86_64", "the program has no signature"
    return f"for macOS {oldest[0]}.{oldest[1]} and newer, {pages or 'no'} signed pages"


if __name__ == "__main__":
    program, machine = Path(sys.argv[1]).read_bytes(), sys.argv[2]
    print(check_program(program, machine))
    # Makes sure that the check detects a changed bit.
    if machine == "aarch64":
        changed = bytearray(program)
        changed[len(changed) // 2] ^= 1
        try:
            check_program(bytes(changed), machine)
        except AssertionError:
            sys.exit(0)
        sys.exit("the check does not detect a changed page")
