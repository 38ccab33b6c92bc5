"""Compares the verdicts of policy.c with the model, for each case of tests/policies.

The argument is the built program of policy.c.
"""

import json
import subprocess
import sys
from pathlib import Path

POLICIES = Path(__file__).parents[2] / "tests" / "policies"
CASES = json.loads((POLICIES / "cases.json").read_text())
PARTS = json.loads((POLICIES / "parts.json").read_text())
CODES = {0: "yes", -1: "no", -16: "error", -17: "error"}


def input_fields(case):
    """Returns the fields of a case in a line of input for policy.c."""
    keys = "".join("".join(line + "\n" for line in lines) + PARTS["keys"][name]["pem"] for name, lines in case["keys"])
    signatures = "".join(PARTS["signatures"][name] for name in case["signatures"]) or "no signature\n"
    expected = " ".join(PARTS["keys"][name]["fingerprint"] for name in case["expect"])
    contents = [text.encode().hex() for text in (case["context"], keys, signatures, PARTS["message"])]
    return [case["require"], case["at"], expected, *contents]


def expected_result(case):
    """Returns the verdict, the signers of a YES, the reason of a NO, and the signers of that NO."""
    signers = len(case["signers"])
    if case["verdict"] != "yes":
        counted = signers if case.get("reason") == "too_few_signatures" else None
        return case["verdict"], 0, case["reason"] if case["verdict"] == "no" else None, counted
    accepted = {name for name, _ in case["keys"] if not case["expect"] or name in case["expect"]}
    different = len({"carol" if name == "twin" else name for name in accepted})
    return "yes", different if case["require"] == "all" else int(case["require"]), None, None


def parse_result(line):
    """Parses a line of output, and returns the same values as `expected_result`."""
    code, lines, report = line.split("\t")
    verdict = CODES[int(code)]
    reason, _, message = report.partition(": ") if verdict == "no" else (None, "", report)
    counted = int(message.split()[0]) if reason == "too_few_signatures" else None
    assert report, "a verdict without a report"
    return verdict, int(lines), reason, counted


input_lines = "".join("\t".join(input_fields(case)) + "\n" for case in CASES)
process = subprocess.run([sys.argv[1]], input=input_lines, capture_output=True, text=True)
assert process.returncode == 0, (process.returncode, [line for line in process.stdout.splitlines() if "\t" not in line], process.stderr)
*lines, result = process.stdout.splitlines()
verdicts = [parse_result(line) for line in lines]
differences = [(i, found, expected_result(case)) for i, (found, case) in enumerate(zip(verdicts, CASES)) if found != expected_result(case)]
assert len(verdicts) == len(CASES) == 500 and not differences, differences[:5]
print(f"{len(CASES)} policies; {result}")
