"""The package `jwcrypto` as a peer.

Each line of standard input is a command: words with tabs between them, and bytes in hexadecimal.
The answer is a line.

| command | answer |
|---|---|
| `keygen-of ALG` | the private key as a JSON Web Key |
| `sign-detached JWK ALG B64 PAYLOAD` | a JSON Web Signature in the compact form, without the payload |
| `verify-detached JWK ALG JWS PAYLOAD` | the thumbprint of the key |
"""

import sys

from jwcrypto import jwk, jws
from jwcrypto.common import json_encode


def keygen(algorithm):
    if algorithm == "EdDSA":
        return jwk.JWK.generate(kty="OKP", crv="Ed25519").export()
    return jwk.JWK.generate(kty="AKP", alg=algorithm).export()


def sign_detached(key, algorithm, b64, payload):
    header = {"alg": algorithm}
    if b64 == "false":
        header.update(b64=False, crit=["b64"])
    token = jws.JWS(payload)
    token.allowed_algs = [algorithm]
    token.add_signature(jwk.JWK.from_json(key.decode()), alg=None, protected=json_encode(header))
    token.detach_payload()
    return token.serialize(compact=True)


def verify_detached(key, algorithm, text, payload):
    key = jwk.JWK.from_json(key.decode())
    token = jws.JWS()
    token.allowed_algs = [algorithm]
    token.deserialize(text.decode().strip())
    token.verify(key, detached_payload=payload)
    return key.thumbprint()


def answer(command, *words):
    if command == "keygen-of":
        return keygen(words[0]).encode().hex()
    if command == "sign-detached":
        key, algorithm, b64, payload = words
        return sign_detached(bytes.fromhex(key), algorithm, b64, bytes.fromhex(payload)).encode().hex()
    key, algorithm, text, payload = words
    return verify_detached(bytes.fromhex(key), algorithm, bytes.fromhex(text), bytes.fromhex(payload)).encode().hex()


for line in sys.stdin:
    try:
        print(answer(*line.rstrip("\n").split("\t")), flush=True)
    except Exception as error:  # A rejected signature or key.
        print(f"error: {type(error).__name__} {error}".splitlines()[0], flush=True)
