"""Tests policies: the cases of tests/policies, and rejected arguments."""

import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fndsa

POLICIES = Path(__file__).parents[2] / "tests" / "policies"
CASES = json.loads((POLICIES / "cases.json").read_text())
PARTS = json.loads((POLICIES / "parts.json").read_text())
MESSAGE = PARTS["message"].encode()
ALICE, BOB = PARTS["keys"]["alice"], PARTS["keys"]["bob"]


def trusted(keys: list[Any]) -> bytes:
    return "".join("".join(line + "\n" for line in lines) + PARTS["keys"][name]["pem"] for name, lines in keys).encode()


def signature_file(names: list[str]) -> bytes:
    return ("".join(PARTS["signatures"][name] for name in names) or "no signature\n").encode()


def verdict(case: Any) -> tuple[str, str | None, int]:
    """Returns the verdict, the reason of a NO, and the number of different keys that have
    signed."""
    require = case["require"] if case["require"] == "all" else int(case["require"])
    expected = [PARTS["keys"][name]["fingerprint"] for name in case["expect"]]
    day = datetime.date.fromisoformat(case["at"])
    policy = fndsa.Policy(trusted(case["keys"]), require=require, expected=expected or None, at=day)
    try:
        signers = policy.verify(signature_file(case["signatures"]), MESSAGE, context=case["context"].encode())
    except fndsa.VerificationError as e:
        counted = int(str(e).split()[0]) if e.reason == "too_few_signatures" else 0
        return "no", e.reason, counted
    except (fndsa.InvalidFile, ValueError):
        return "error", None, 0
    assert all(isinstance(signer, fndsa.Signer) for signer in signers)
    return "yes", None, len(signers)


def expected_verdict(case: Any) -> tuple[str, str | None, int]:
    expected, signers = case["verdict"], len(case["signers"])
    if expected == "error":
        return "error", None, 0
    if expected == "no":
        return "no", case["reason"], signers if case["reason"] == "too_few_signatures" else 0
    accepted = {name for name, _ in case["keys"] if not case["expect"] or name in case["expect"]}
    different = len({"carol" if name == "twin" else name for name in accepted})
    return "yes", None, different if case["require"] == "all" else int(case["require"])


def test_policies_have_the_verdicts_of_the_model() -> None:
    differences = [(i, verdict(case), expected_verdict(case), case) for i, case in enumerate(CASES) if verdict(case) != expected_verdict(case)]
    assert len(CASES) == 500 and differences == []


def test_the_table_equals_the_output_of_the_model() -> None:
    process = subprocess.run([sys.executable, POLICIES / "model.py"], capture_output=True, text=True, check=True)
    assert process.stdout == (POLICIES / "cases.json").read_text()


def test_signers_are_returned_with_their_names() -> None:
    policy = fndsa.Policy(trusted([["alice", ["name: Alice"]], ["bob", []]]), require="all")
    signers = policy.verify(signature_file(["alice message ", "bob message "]), MESSAGE)
    assert [(it.name, it.algorithm, it.fingerprint) for it in signers] == [
        ("Alice", "ml-dsa-44", ALICE["fingerprint"]),
        (None, "ml-dsa-44", BOB["fingerprint"]),
    ]
    assert repr(signers[1]) == f"<fndsa.Signer ml-dsa-44 {BOB['fingerprint']}>"


def test_a_no_names_the_missing_key() -> None:
    policy = fndsa.Policy(trusted([["alice", []], ["bob", []]]), require=2)
    with pytest.raises(fndsa.VerificationError, match=f"^1 of 2 required keys .* by ML-DSA-44 {BOB['fingerprint']}$"):
        policy.verify(signature_file(["alice message "] * 2), MESSAGE)


def test_the_clock_gives_the_default_date() -> None:
    signatures = signature_file(["alice message "])
    fndsa.Policy(trusted([["alice", ["not-after: 9999-12-31", "not-before: 2000-01-01"]]])).verify(signatures, MESSAGE)
    with pytest.raises(fndsa.VerificationError) as e:
        fndsa.Policy(trusted([["alice", ["not-after: 2000-01-01"]]])).verify(signatures, MESSAGE)
    assert e.value.reason == "key_expired"


def test_the_pre_hash_must_be_that_of_the_signature(tool: Any, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(MESSAGE)
    tool("keygen", "-q", "k")
    tool("sign", "-q", "-k", "k.key", "--prehash", "sha512", "message")
    policy = fndsa.Policy.load(tmp_path / "k.pub")
    signatures = (tmp_path / "message.sig").read_bytes()
    assert len(policy.verify(signatures, MESSAGE, prehash="sha512")) == 1
    with pytest.raises(fndsa.InvalidSignature):
        policy.verify(signatures, MESSAGE)


@pytest.mark.parametrize("lines", [["revokd: stolen"], ["not-after: soon"], ["text"], ["name: a", "name: b"]])
def test_defective_key_lines_are_rejected(lines: list[str]) -> None:
    with pytest.raises(fndsa.InvalidFile, match="^key 2: line"):
        fndsa.Policy(trusted([["alice", []], ["bob", lines]]))


def test_other_files_are_errors(tmp_path: Path) -> None:
    for data in [b"", b"text", signature_file(["alice message "]), fndsa.generate("ed25519").to_pem()]:
        with pytest.raises(fndsa.InvalidFile):
            fndsa.Policy(data)
    with pytest.raises(FileNotFoundError):
        fndsa.Policy.load(tmp_path / "missing")
    (tmp_path / "text").write_text("text")
    with pytest.raises(fndsa.InvalidFile) as e:
        fndsa.Policy.load(tmp_path / "text")
    assert "in the file" in e.value.__notes__[0]
    with pytest.raises(fndsa.InvalidFile):
        fndsa.Policy(trusted([["alice", []]])).verify(b"", MESSAGE)
    with pytest.raises(fndsa.InvalidFile):
        fndsa.Policy(trusted([["alice", []]])).verify(signature_file(["alice message "] * 65), MESSAGE)


@pytest.mark.parametrize(
    "arguments",
    [
        {"require": 0},
        {"require": -1},
        {"require": "2"},
        {"require": "any"},
        {"require": None, "expected": ["sha256:00"]},
        {"expected": [ALICE["fingerprint"][8:]]},
        {"require": 1.5},
        {"expected": "sha256"},
        {"expected": []},
        {"at": "2026-01-01"},
        {"at": datetime.datetime(2026, 1, 1)},
    ],
)
def test_other_arguments_are_errors(arguments: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        fndsa.Policy(trusted([["alice", []]]), **arguments)
