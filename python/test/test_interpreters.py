"""Tests the interpreters that the package does not support."""

import subprocess
import sys


def test_python_without_the_lock_is_refused() -> None:
    program = (
        "import sysconfig; old = sysconfig.get_config_var\n"
        "sysconfig.get_config_var = lambda name: 1 if name == 'Py_GIL_DISABLED' else old(name)\n"
        "import fndsa"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: fndsa does not support free-threaded Python: ")
