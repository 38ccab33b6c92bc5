from collections.abc import Iterable, Sequence
from datetime import date
from os import PathLike
from typing import Any, Final, Literal, Protocol, Self, TypeAlias, final

from typing_extensions import Buffer

from fndsa._errors import (
    Error as Error,
    InvalidFile as InvalidFile,
    InvalidKey as InvalidKey,
    InvalidPassword as InvalidPassword,
    InvalidSignature as InvalidSignature,
    InvalidSignatures as InvalidSignatures,
    OperationFailed as OperationFailed,
    VerificationError as VerificationError,
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

_Path: TypeAlias = str | PathLike[str]
_Prehash: TypeAlias = Literal[
    "sha256",
    "sha384",
    "sha512",
    "sha512-256",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake128",
    "shake256",
    "sha224",
    "sha512-224",
    "sha3-224",
]

class _Readable(Protocol):
    def read(self, size: int, /) -> Buffer: ...

ALGORITHMS: Final[tuple[str, ...]]
SIGNING_ALGORITHMS: Final[tuple[str, ...]]
__version__: Final[str]

def generate(algorithm: str = "fn-dsa-512") -> PrivateKey: ...
def load_signature(path: _Path, *, algorithm: str | None = None) -> bytes: ...
def load_signatures(path: _Path) -> list[bytes]: ...
def verify_each(
    keys: Iterable[PublicKey],
    signatures: Iterable[Buffer],
    message: Buffer,
    *,
    context: Buffer = b"",
    prehash: _Prehash | None = None,
    allow_weak_prehash: bool = False,
) -> None: ...
def verify_many(
    items: Iterable[tuple[PublicKey, Buffer, Buffer]],
    *,
    context: Buffer = b"",
    prehash: _Prehash | None = None,
    allow_weak_prehash: bool = False,
    threads: int | None = None,
) -> None: ...

@final
class Policy:
    def __new__(
        cls,
        trusted_keys: Buffer,
        *,
        require: int | Literal["all"] = 1,
        expected: Sequence[str] | None = None,
        at: date | None = None,
        ssh: str | None = None,
        jws: bool = False,
        cms: bool = False,
        signer: str | None = None,
    ) -> Self: ...
    @classmethod
    def load(
        cls,
        path: _Path,
        *,
        require: int | Literal["all"] = 1,
        expected: Sequence[str] | None = None,
        at: date | None = None,
        ssh: str | None = None,
        jws: bool = False,
        cms: bool = False,
        signer: str | None = None,
    ) -> Self: ...
    def verify(
        self,
        signatures: Buffer, message: Buffer,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> list[Signer]: ...
    def verify_list(
        self, list: Buffer, signatures: Buffer | None = None, *, context: Buffer = b""
    ) -> SignedList: ...

@final
class SignedList:
    @property
    def signers(self) -> list[Signer]: ...
    @property
    def best_before(self) -> date | None: ...
    @property
    def files(self) -> dict[str, str]: ...
    def verify_file(self, name: str, file: _Readable) -> None: ...

@final
class Signer:
    @property
    def name(self) -> str | None: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...

@final
class PrivateKey:
    @classmethod
    def load(cls, path: _Path, *, password: str | Buffer | None = None, algorithm: str | None = None) -> Self: ...
    @classmethod
    def from_bytes(cls, data: Buffer, *, password: str | Buffer | None = None, algorithm: str | None = None) -> Self: ...
    def sign(
        self,
        message: Buffer,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> bytes: ...
    def sign_file(
        self,
        file: _Readable,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> bytes: ...
    def sign_format(
        self,
        message: Buffer,
        *,
        ssh: str | None = None,
        jws: bool = False,
        cms: bool = False,
        certificate: Buffer | None = None,
    ) -> bytes: ...
    def sign_mu(self, mu: Buffer) -> bytes: ...
    def sign_many(
        self,
        messages: Iterable[Buffer],
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
        threads: int | None = None,
    ) -> list[bytes]: ...
    def public_key(self) -> PublicKey: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    def to_pem(self, password: str | Buffer | None = None) -> bytes: ...
    def save(
        self, path: _Path, *, password: str | Buffer | None = None, format: Literal["pem", "raw"] = "pem"
    ) -> None: ...

@final
class PublicKey:
    @classmethod
    def load(cls, path: _Path, *, algorithm: str | None = None) -> Self: ...
    @classmethod
    def from_bytes(cls, data: Buffer, *, algorithm: str | None = None) -> Self: ...
    def verify(
        self,
        signature: Buffer, message: Buffer,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> None: ...
    def verify_file(
        self,
        signature: Buffer, file: _Readable,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> None: ...
    def mu(
        self,
        message: Buffer,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> bytes: ...
    def mu_file(
        self,
        file: _Readable,
        *,
        context: Buffer = b"",
        prehash: _Prehash | None = None,
        allow_weak_prehash: bool = False,
    ) -> bytes: ...
    def verify_mu(self, signature: Buffer, mu: Buffer) -> None: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    def to_pem(self) -> bytes: ...
    def save(self, path: _Path, *, format: Literal["pem", "raw"] = "pem") -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
