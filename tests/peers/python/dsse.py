"""Verifies and makes DSSE envelopes with securesystemslib, the library of in-toto and TUF.

    dsse.py key PUBLIC                        prints the key as JSON, with its key identifier
    dsse.py verify ENVELOPE [KEYID KEY]...    prints the signed bytes in hexadecimal, if all keys signed
    dsse.py sign PAYLOAD TYPE PRIVATE...      prints an envelope that all keys have signed

PRIVATE is PKCS#8 and PUBLIC is SPKI, both in PEM. KEY is a key as JSON.
"""

import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner, Key, SSlibKey

if sys.argv[1] == "key":
    key = SSlibKey.from_crypto(load_pem_public_key(Path(sys.argv[2]).read_bytes()))
    print(json.dumps({"keyid": key.keyid, **key.to_dict()}))
elif sys.argv[1] == "verify":
    envelope = Envelope.from_dict(json.loads(Path(sys.argv[2]).read_bytes()))
    words = sys.argv[3:]
    keys = [Key.from_dict(i, json.loads(Path(file).read_bytes())) for i, file in zip(words[::2], words[1::2])]
    envelope.verify(keys, len(keys))
    print(envelope.pae().hex())
else:
    payload, payload_type, *private = sys.argv[2:]
    envelope = Envelope(Path(payload).read_bytes(), payload_type, {})
    for file in private:
        envelope.sign(CryptoSigner(load_pem_private_key(Path(file).read_bytes(), None)))
    print(json.dumps(envelope.to_dict()))
