"""FN-DSA (Falcon), ML-DSA and Ed25519 signatures: make keys, sign, verify.

>>> import fndsa
>>> key = fndsa.generate()
>>> signature = key.sign(b"a message")
>>> key.public_key().verify(signature, b"a message")
>>> key.public_key().verify(signature, b"another message")
Traceback (most recent call last):
fndsa.InvalidSignature: the signature does not match

A signature that is not valid is an exception, so that it cannot be overlooked. Every exception of this package is an `Error`.
"""

from fndsa._errors import (
    Error,
    InvalidFile,
    InvalidKey,
    InvalidPassword,
    InvalidSignature,
    InvalidSignatures,
    OperationFailed,
)
from fndsa._each import verify_each
from fndsa._fndsa import (
    ALGORITHMS,
    SIGNING_ALGORITHMS,
    PrivateKey,
    PublicKey,
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
    "PrivateKey",
    "PublicKey",
    "SIGNING_ALGORITHMS",
    "__version__",
    "generate",
    "load_signature",
    "load_signatures",
    "verify_each",
    "verify_many",
]
