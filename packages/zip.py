"""Writes a zip of PARENT/DIR to FILE: zip.py PARENT DIR SECONDS FILE

The same files give the same bytes. All entries have the timestamp SECONDS.
"""
import pathlib
import sys
import time
import zipfile

parent, name, seconds, file = sys.argv[1:]
parent = pathlib.Path(parent)
# A zip cannot store a date before 1980.
date = max(time.gmtime(int(seconds))[:6], (1980, 1, 1, 0, 0, 0))
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(path for path in (parent / name).rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(str(path.relative_to(parent)), date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = (0o100000 | path.stat().st_mode & 0o777) << 16
        archive.writestr(entry, path.read_bytes(), compresslevel=9)
