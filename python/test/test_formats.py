"""Tests signature files of SSH, JOSE and CMS: the cases of tests/formats, and rejected arguments."""

import sys
from pathlib import Path
from typing import Any

import pytest

import fndsa

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "formats"))
from cases import FormatCase, agrees, all_cases, ssh_cases  # noqa: E402

CASES = all_cases()
SSH = ssh_cases()[0]


def arguments(case: FormatCase) -> dict[str, Any]:
    expected = None if case.expected is None else [case.expected]
    values = {"ssh": case.namespace, "jws": case.format == "jws", "cms": case.format == "cms", "signer": case.signer}
    return {**values, "require": case.require, "expected": expected}


def verdict(case: FormatCase) -> str:
    if case.format == "ssh" and case.namespace is None:
        return "error: "  # There is no such call.
    try:
        policy = fndsa.Policy(case.keys, **arguments(case))
        signers = policy.verify(case.signature, case.message, context=case.context, prehash=case.prehash)
    except fndsa.VerificationError as e:
        return e.reason
    except (fndsa.InvalidFile, ValueError) as e:
        return f"error: {e}"
    assert len(signers) == 1
    return "yes"


def test_signature_files_have_the_verdicts_of_the_cases() -> None:
    differences = [(case.name, case.format, case.verdict, verdict(case)) for case in CASES if not agrees(case, verdict(case))]
    assert len(CASES) > 300 and differences == []


def test_signers_have_the_names_in_the_file_of_allowed_signers(tmp_path: Path) -> None:
    (tmp_path / "signers").write_bytes(b"alice@example.com " + SSH.keys)
    policy = fndsa.Policy.load(tmp_path / "signers", ssh="file", signer="alice@example.com")
    [signer] = policy.verify(SSH.signature, SSH.message)
    assert signer.name == "alice@example.com" and signer.algorithm == "ed25519"
    with pytest.raises(fndsa.InvalidFile) as e:
        fndsa.Policy.load(tmp_path / "signers", ssh="file", signer="bob@example.com")
    assert "in the file" in e.value.__notes__[0]


@pytest.mark.parametrize("formats", [{"ssh": "file", "jws": True}, {"ssh": "file", "cms": True}, {"jws": True, "cms": True}])
def test_a_policy_has_one_format(formats: Any) -> None:
    with pytest.raises(ValueError, match="pass only one of them"):
        fndsa.Policy(SSH.keys, **formats)


@pytest.mark.parametrize("formats", [{"ssh": b"file"}, {"ssh": True}, {"jws": 1}, {"cms": "yes"}, {"signer": b"alice"}])
def test_arguments_of_other_types_are_errors(formats: Any) -> None:
    with pytest.raises(TypeError):
        fndsa.Policy(SSH.keys, **formats)


@pytest.mark.parametrize("formats", [{"ssh": "file"}, {"jws": True}, {"cms": True}])
def test_a_list_has_no_signatures_of_other_formats(formats: Any) -> None:
    with pytest.raises(ValueError, match="a list has no"):
        fndsa.Policy(SSH.keys, **formats).verify_list(b"", b"")
