"""Verifies and makes DSSE envelopes with in-toto's securesystemslib, and ML-DSA of `cryptography`.

    dsse.py verify ENVELOPE PUBLIC KEYID     prints the payload in hexadecimal, if the key signed it
    dsse.py sign PAYLOAD TYPE PRIVATE KEYID  prints an envelope

Private keys are PKCS#8 with the seed, and public keys are SPKI, both in DER.
"""

import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization as files
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError
from securesystemslib.signer import Key, Signature, Signer


class Public(Key):
    def __init__(self, keyid, key):
        super().__init__(keyid, "ml-dsa", "ml-dsa", {"public": ""})
        self.key = key

    @classmethod
    def from_dict(cls, keyid, key_dict):
        raise NotImplementedError

    def to_dict(self):
        raise NotImplementedError

    def verify_signature(self, signature, data):
        try:
            self.key.verify(bytes.fromhex(signature.signature), data)
        except InvalidSignature as error:
            raise UnverifiedSignatureError from error


class Private(Signer):
    def __init__(self, keyid, key):
        self.keyid = keyid
        self.key = key

    @property
    def public_key(self):
        return Public(self.keyid, self.key.public_key())

    @classmethod
    def from_priv_key_uri(cls, priv_key_uri, public_key, secrets_handler=None):
        raise NotImplementedError

    def sign(self, payload):
        return Signature(self.keyid, self.key.sign(payload).hex())


if sys.argv[1] == "verify":
    envelope, key, keyid = sys.argv[2:]
    envelope = Envelope.from_dict(json.loads(Path(envelope).read_bytes()))
    envelope.verify([Public(keyid, files.load_der_public_key(Path(key).read_bytes()))], 1)
    print(envelope.pae().hex())
else:
    payload, payload_type, key, keyid = sys.argv[2:]
    envelope = Envelope(Path(payload).read_bytes(), payload_type, {})
    envelope.sign(Private(keyid, files.load_der_private_key(Path(key).read_bytes(), None)))
    print(json.dumps(envelope.to_dict()))
