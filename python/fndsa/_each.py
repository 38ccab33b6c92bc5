"""Verifies a message that several keys must have signed."""

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
    """Verifies that each key made at least one of the signatures of a message in memory.

    Raises `InvalidSignature` if there is no valid signature by one of the keys. Signatures by other keys are ignored.
    """
    keys, signatures = list(keys), list(signatures)
    if not keys:
        raise ValueError("there are no keys: pass at least one key, because without a key nothing is verified")
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
