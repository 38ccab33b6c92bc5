"""Checks that macOS can load a program, or the module in a Python wheel: macho.py FILE (x86_64|aarch64)

The program or module must be for this processor, contain the number of the oldest supported macOS, and link
only the system library. If the program has a code signature, the hashes in the signature must match
the program's pages. A Mac with an Apple processor starts only programs with such a signature.

Layouts: <mach-o/loader.h>, and cs_blobs.h of Apple's kernel.
"""

import hashlib
import struct
import sys
import zipfile
from pathlib import Path

EXECUTABLE, DYNAMIC_LIBRARY = 2, 6
CODE_SIGNATURE, BUILD_VERSION, MINIMUM_VERSION, LOAD_LIBRARY = 0x1D, 0x32, 0x24, 0xC
EMBEDDED_SIGNATURE, CODE_DIRECTORY, AD_HOC, SHA256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


def check_ad_hoc_signature(data: bytes, offset: int) -> int:
    """Checks the ad hoc signature (a signature without a key) at `offset`. Returns the number of
    signed pages."""
    magic, _, count = struct.unpack_from(">3I", data, offset)
    assert magic == EMBEDDED_SIGNATURE, hex(magic)
    blobs = [offset + struct.unpack_from(">2I", data, offset + 12 + 8 * i)[1] for i in range(count)]
    (directory,) = (blob for blob in blobs if struct.unpack_from(">I", data, blob)[0] == CODE_DIRECTORY)
    fields = struct.unpack_from(">6I4B", data, directory + 12)
    flags, hashes_offset, _, _, pages, code_limit, hash_size, hash_type, _, page_shift = fields
    assert flags & AD_HOC and hash_type == SHA256 and hash_size == 32, (flags, hash_type, hash_size)
    assert code_limit == offset, f"only {code_limit} of {offset} bytes are signed"
    page_size = 1 << page_shift
    assert pages == -(-code_limit // page_size), pages
    for i in range(pages):
        found = hashlib.sha256(data[i * page_size : min((i + 1) * page_size, code_limit)]).digest()
        stored = data[directory + hashes_offset + 32 * i :][:32]
        assert stored == found, f"page {i} does not match its hash in the signature"
    return pages


def check_program(data: bytes, machine: str, expected_type: int) -> str:
    """Checks the program or module. Returns, as text, the oldest macOS version that it supports and its
    number of signed pages."""
    magic, processor, _, file_type, count, _ = struct.unpack_from("<6I", data)
    assert magic == 0xFEEDFACF and file_type == expected_type, (hex(magic), file_type)
    assert processor == {"x86_64": 0x01000007, "aarch64": 0x0100000C}[machine], hex(processor)
    offset, libraries, oldest_macos, pages = 32, [], None, None
    for _ in range(count):
        command, command_size = struct.unpack_from("<2I", data, offset)
        if command == LOAD_LIBRARY:
            name = offset + struct.unpack_from("<I", data, offset + 8)[0]
            libraries.append(data[name : data.index(0, name)].decode())
        elif command in (BUILD_VERSION, MINIMUM_VERSION):
            version = struct.unpack_from("<I", data, offset + (12 if command == BUILD_VERSION else 8))[0]
            oldest_macos = (version >> 16, version >> 8 & 255)
        elif command == CODE_SIGNATURE:
            pages = check_ad_hoc_signature(data, struct.unpack_from("<I", data, offset + 8)[0])
        offset += command_size
    assert libraries == ["/usr/lib/libSystem.B.dylib"], libraries
    assert oldest_macos is not None and oldest_macos <= (13, 0), oldest_macos
    assert pages is not None or machine == "x86_64", "the program has no signature"
    return f"for macOS {oldest_macos[0]}.{oldest_macos[1]} and newer, {pages or 'no'} signed pages"


if __name__ == "__main__":
    path, machine = Path(sys.argv[1]), sys.argv[2]
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(".so"))
            program, expected_type = wheel.read(name), DYNAMIC_LIBRARY
    else:
        program, expected_type = path.read_bytes(), EXECUTABLE
    print(check_program(program, machine, expected_type))
    # The check must detect a changed bit.
    if machine == "aarch64":
        changed = bytearray(program)
        changed[len(changed) // 2] ^= 1
        try:
            check_program(bytes(changed), machine, expected_type)
        except AssertionError:
            sys.exit(0)
        sys.exit("the check does not detect a changed page")
