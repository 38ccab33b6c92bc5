"""Links the static library of fndsa to a PlatformIO project, also with the Arduino framework.

README.md describes the options. This file is an extra script of PlatformIO.
"""

import inspect
import os
import pathlib
import subprocess
import sys

Import("env")  # noqa: F821, a function of SCons

# SCons runs the script without `__file__`.
SCRIPT = pathlib.Path(inspect.getframeinfo(inspect.currentframe()).filename).resolve()
ROOT = SCRIPT.parents[2]


def fail(message):
    """Ends the build with a message."""
    sys.stderr.write(f"fndsa: {message}\n")
    env.Exit(1)  # noqa: F821


def option(name, default=""):
    """Returns an option of platformio.ini."""
    return env.GetProjectOption("custom_fndsa_" + name, default).strip()  # noqa: F821


def build(target):
    """Builds the static library for a rustup target, and returns its path."""
    build_dir = pathlib.Path(env.subst("$BUILD_DIR"), "fndsa").resolve()  # noqa: F821
    environment = dict(os.environ, CARGO_TARGET_DIR=str(build_dir), CARGO_PROFILE_SMALL_OPT_LEVEL=option("opt_level", "s"))
    command = [
        "cargo", "rustc", "--quiet", "--locked", "--profile", "small", "-p", "fndsa-capi", "--lib", "--crate-type", "staticlib",
        "--no-default-features", "--features=" + option("features", "ml-dsa"), "--target", target,
    ]
    try:
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    except FileNotFoundError:
        fail("cargo is missing: install Rust, or set custom_fndsa_library in platformio.ini")
    if code != 0:
        fail(f"the library was not built; if the target is missing, run rustup target add {target}")
    return build_dir / target / "small" / "libfndsa.a"


if option("library"):
    library = pathlib.Path(option("library"))
    if not library.exists():
        fail(f"custom_fndsa_library does not exist: {library}")
elif option("target"):
    library = build(option("target"))
else:
    fail("set custom_fndsa_target in platformio.ini to the rustup target of the processor, for example thumbv7em-none-eabihf")
env.Append(  # noqa: F821
    CPPPATH=[str(ROOT / "capi" / "include")],
    LIBS=[env.File(str(library.resolve()))],  # noqa: F821
)
