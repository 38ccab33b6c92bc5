"""The exceptions of the package."""


class Error(Exception):
    """The base class of the exceptions of this package. A wrong argument raises a `TypeError` or a `ValueError` instead."""

    __module__ = "fndsa"


class InvalidSignature(Error):
    """The signature is not valid for this key, message, context and pre-hash."""

    __module__ = "fndsa"


class InvalidSignatures(InvalidSignature):
    """Some of many signatures are not valid.

    `refused` maps the number of each rejected signature, counted from 0, to the reason.
    """

    __module__ = "fndsa"

    refused: dict[int, str]

    def __init__(self, refused: dict[int, str], count: int) -> None:
        super().__init__(refused, count)
        self.refused = refused
        self._count = count

    def __str__(self) -> str:
        first = min(self.refused, default=None)
        if first is None:
            return f"not all of {self._count} signatures are valid"
        return f"{len(self.refused)} of {self._count} signatures are not valid; number {first}: {self.refused[first]}"


class VerificationError(InvalidSignature):
    """The verdict of a policy is NO. `reason` is the reason code, as in the JSON output of the program `fndsa`."""

    __module__ = "fndsa"

    reason: str

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidKey(Error):
    """The key is not valid: it did not pass the check of the library."""

    __module__ = "fndsa"


class InvalidFile(Error):
    """The file is damaged, or is not a key or signature of the expected kind."""

    __module__ = "fndsa"


class InvalidPassword(Error):
    """The password is missing or wrong, or the key is not encrypted and has no password."""

    __module__ = "fndsa"


class OperationFailed(Error):
    """There are no random bytes, or the machine computed wrong. No key or signature was made."""

    __module__ = "fndsa"
