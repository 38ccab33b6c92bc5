"""Compares the verdicts of formats.c with the cases of tests/formats.

The argument is the built program of formats.c.
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "formats"))
from cases import FormatCase, agrees, all_cases  # noqa: E402

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


cases = all_cases()
input_lines = "".join("\t".join(input_fields(case)) + "\n" for case in cases)
process = subprocess.run([sys.argv[1]], input=input_lines, capture_output=True, text=True)
assert process.returncode == 0, (process.returncode, [line for line in process.stdout.splitlines() if "\t" not in line], process.stderr)
*lines, result = process.stdout.splitlines()
verdicts = [parse_verdict(line) for line in lines]
differences = [(case.name, case.format, case.verdict, verdict) for case, verdict in zip(cases, verdicts) if not agrees(case, verdict)]
assert len(verdicts) == len(cases) > 300 and not differences, differences[:5]
print(f"{len(cases)} signature files of SSH, JOSE and CMS; {result}")
