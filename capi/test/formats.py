"""Compares the verdicts of formats.c with the cases of tests/formats, and verifies its new signatures
with `ssh-keygen` and `openssl`.

The argument is the built program of formats.c.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "formats"))
from cases import KAT, FormatCase, agrees, all_cases  # noqa: E402

FORMATS = {"fndsa": 0, "ssh": 1, "jws": 2, "cms": 3}
PREHASHES = {None: 0, "sha512": 3}


def input_fields(case: FormatCase) -> list[str]:
    """Returns the fields of a case in a line of input for formats.c. A text that is absent is `-`."""
    texts = [text.encode().hex() if text is not None else "-" for text in (case.namespace, case.signer, case.expected)]
    contents = [data.hex() for data in (case.context, case.keys, case.signature, case.message)]
    return [str(FORMATS[case.format]), str(case.require), str(PREHASHES[case.prehash]), *texts, *contents]


def parse_verdict(line: str) -> str:
    """Parses a line of output, and returns a verdict as in the cases."""
    code, report = line.split("\t")
    assert report, "a verdict without a report"
    match int(code):
        case 0:
            return "yes"
        case -1:
            return report.partition(": ")[0]
        case -16 | -17:
            return f"error: {report}"
    raise AssertionError(line)


def verify_new_signatures(place: Path) -> list[str]:
    """Verifies the signatures that formats.c wrote, and returns the programs that can verify them.
    `openssl` verifies CMS signatures of Ed25519 since version 3.2."""
    verified = []
    (place / "m").write_bytes(b"a message")
    commands = {
        "ssh-keygen": ["ssh-keygen", "-Y", "check-novalidate", "-n", "file", "-s", "ssh.sig"],
        "openssl": ["openssl", "cms", "-verify", "-binary", "-noverify", "-inform", "DER", "-in", "cms.p7s", "-content", "m", "-out", "out"],
    }
    for name, command in commands.items():
        if shutil.which(name) is None:
            continue
        process = subprocess.run(command, cwd=place, stdin=(place / "m").open("rb"), capture_output=True, text=True)
        if name == "openssl" and "OpenSSL 3.0" in subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout:
            continue
        assert process.returncode == 0, (name, process.stderr)
        verified.append(name)
    return verified


cases = all_cases()
input_lines = "".join("\t".join(input_fields(case)) + "\n" for case in cases)
program = [str(Path(sys.argv[1]).resolve()), str(KAT / "cms" / "ed25519.p8.der"), str(KAT / "cms" / "ed25519.crt.der")]
with tempfile.TemporaryDirectory() as directory:
    process = subprocess.run(program, cwd=directory, input=input_lines, capture_output=True, text=True)
    verified = verify_new_signatures(Path(directory)) if process.returncode == 0 else []
assert process.returncode == 0, (process.returncode, [line for line in process.stdout.splitlines() if "\t" not in line], process.stderr)
*lines, result = process.stdout.splitlines()
verdicts = [parse_verdict(line) for line in lines]
differences = [(case.name, case.format, case.verdict, verdict) for case, verdict in zip(cases, verdicts) if not agrees(case, verdict)]
assert len(verdicts) == len(cases) > 300 and not differences, differences[:5]
print(f"{len(cases)} signature files of SSH, JOSE and CMS; new signatures verified by {verified}; {result}")
