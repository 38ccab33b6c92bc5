"""Tests the interpreters that the package does not support."""

import subprocess
import sys


def test_free_threaded_python_is_rejected() -> None:
    program = (
        "import sysconfig; old = sysconfig.get_config_var\n"
        "sysconfig.get_config_var = lambda name: 1 if name == 'Py_GIL_DISABLED' else old(name)\n"
        "import fndsa"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith("ImportError: fndsa does not support free-threaded Python: ")


def test_sub_interpreters_are_rejected_by_new_versions() -> None:
    """Python 3.12 and newer do not load the module in a sub-interpreter."""
    module = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    program = (
        f"import {module} as interpreters\n"
        "program = 'try:\\n import fndsa\\n print(len(fndsa.generate(\"ed25519\").sign(b\"\")))\\n'\n"
        "program += 'except ImportError as e:\\n print(e)'\n"
        "interpreters.run_string(interpreters.create(), program)\n"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    error = "module fndsa._fndsa does not support loading in subinterpreters"
    assert process.stdout.strip() == ("64" if sys.version_info < (3, 12) else error)
