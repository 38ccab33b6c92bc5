"""One message, and several keys that must all have signed it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fndsa._errors import InvalidSignature

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from fndsa import PublicKey, _Prehash


def verify_each(
    keys: "Iterable[PublicKey]",
    signatures: "Iterable[Buffer]",
    message: "Buffer",
    *,
    context: "Buffer" = b"",
    prehash: "_Prehash | None" = None,
    allow_weak_prehash: bool = False,
) -> None:
    """Verifies that each of the keys has made one of the signatures of a message in memory.

    Returns nothing, and raises `InvalidSignature` if a key has made none of them. Signatures by other keys count for nothing.
    """
    keys, signatures = list(keys), list(signatures)
    if not keys:
        raise ValueError("there are no keys: a YES by nobody would be one that nobody asked for")
    for key in keys:
        for signature in signatures:
            try:
                key.verify(
                    signature, message, context=context, prehash=prehash, allow_weak_prehash=allow_weak_prehash
                )
                break
            except InvalidSignature:
                pass
        else:
            raise InvalidSignature(f"there is no valid signature by {key.algorithm} {key.fingerprint}")
