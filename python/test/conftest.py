"""Fixtures for all tests: keys, the vectors of the repository, and the program `fndsa`."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fndsa

KAT = Path(__file__).parents[2] / "tests" / "kat"
SIGNING = list(fndsa.SIGNING_ALGORITHMS)


@pytest.fixture(scope="session")
def keys() -> dict[str, fndsa.PrivateKey]:
    """Returns a private key of each algorithm."""
    return {name: fndsa.generate(name) for name in SIGNING}


@pytest.fixture(scope="session")
def vectors() -> Callable[[str], Any]:
    """Returns a function that reads a file of vectors."""
    return lambda name: json.loads((KAT / name).read_text())


@pytest.fixture
def tool(tmp_path: Path) -> Callable[..., str]:
    """Returns a function that runs the program in a temporary directory and returns its output."""

    def run(*words: object, password: str | None = None, code: int = 0) -> str:
        env = {name: value for name, value in os.environ.items() if not name.startswith("FNDSA")}
        if password is not None:
            env["FNDSA_PASSWORD"] = password
        command = [os.environ["FNDSA"], *map(str, words)]
        process = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert process.returncode == code, f"{command}: {process.returncode}: {process.stderr}"
        return process.stdout

    return run
