"""The exceptions of the package."""


class Error(Exception):
    """What every exception of this package is. Wrong arguments are a `TypeError` or a `ValueError` instead."""

    __module__ = "fndsa"


class InvalidSignature(Error):
    """The signature is not valid: not for this key, message, context and pre-hash."""

    __module__ = "fndsa"


class InvalidSignatures(InvalidSignature):
    """Some of many signatures are not valid. `refused` has the number of each of them, from 0 on, and why."""

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


class InvalidKey(Error):
    """The key is damaged, or was never one: it does not pass the check that every key goes through."""

    __module__ = "fndsa"


class InvalidFile(Error):
    """The file is no key or signature of the kind that was asked for, or a damaged one."""

    __module__ = "fndsa"


class InvalidPassword(Error):
    """A password is missing, wrong, or given for a key that has none."""

    __module__ = "fndsa"


class OperationFailed(Error):
    """There are no random bytes, or the machine computed wrong: no key or signature was made."""

    __module__ = "fndsa"
