"""Signatures with ML-DSA, FN-DSA (Falcon) and Ed25519: make keys, sign and verify.

>>> import fndsa
>>> key = fndsa.generate()
>>> signature = key.sign(b"a message")
>>> key.public_key().verify(signature, b"a message")
>>> key.public_key().verify(signature, b"another message")
Traceback (most recent call last):
fndsa.InvalidSignature: the signature does not match

A signature that is not valid raises an exception, so a program cannot overlook it. All exceptions of this package are subclasses of
`Error`.
"""

import sysconfig as _sysconfig

if _sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError("fndsa does not support free-threaded Python: use a Python with the global interpreter lock (GIL)")

from fndsa._errors import (
    Error,
    InvalidFile,
    InvalidKey,
    InvalidPassword,
    InvalidSignature,
    InvalidSignatures,
    OperationFailed,
    VerificationError,
)
from fndsa._each import verify_each
from fndsa._fndsa import (
    ALGORITHMS,
    SIGNING_ALGORITHMS,
    Policy,
    PrivateKey,
    PublicKey,
    SignedList,
    Signer,
    __version__,
    generate,
    load_signature,
    load_signatures,
    verify_many,
)

__all__ = [
    "ALGORITHMS",
    "Error",
    "InvalidFile",
    "InvalidKey",
    "InvalidPassword",
    "InvalidSignature",
    "InvalidSignatures",
    "OperationFailed",
    "Policy",
    "PrivateKey",
    "PublicKey",
    "SIGNING_ALGORITHMS",
    "SignedList",
    "Signer",
    "VerificationError",
    "__version__",
    "generate",
    "load_signature",
    "load_signatures",
    "verify_each",
    "verify_many",
]
