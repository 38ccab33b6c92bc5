"""The package `cryptography` as a peer.

Each line of standard input is a command: words with tabs between them, and bytes in hexadecimal.
The answer is a line. Private keys are PKCS#8 with the seed, and public keys are SPKI.
tests/common/mldsa_programs.rs defines `keygen`, `sign` and `verify`. There are more commands:

| command | answer |
|---|---|
| `certificate SET PEM` | `true` if the certificate is self-signed |
| `jws SET JWK TOKEN` | the payload of a valid JSON Web Signature, and the thumbprint of the key |
| `cose SET COSE_KEY MESSAGE` | the payload of a valid COSE_Sign1 message |
| `cose-sign SET PRIVATE PAYLOAD` | a COSE_Sign1 message |

The package `cbor2` encodes and decodes COSE messages.
"""

import base64
import hashlib
import json
import sys

import cbor2
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization as files
from cryptography.hazmat.primitives.asymmetric import mldsa

PRIVATE = {
    "ml-dsa-44": mldsa.MLDSA44PrivateKey,
    "ml-dsa-65": mldsa.MLDSA65PrivateKey,
    "ml-dsa-87": mldsa.MLDSA87PrivateKey,
}
PUBLIC = {
    "ml-dsa-44": mldsa.MLDSA44PublicKey,
    "ml-dsa-65": mldsa.MLDSA65PublicKey,
    "ml-dsa-87": mldsa.MLDSA87PublicKey,
}

# The numbers of the algorithms in COSE messages (RFC 9964).
COSE = {"ml-dsa-44": -48, "ml-dsa-65": -49, "ml-dsa-87": -50}


def base64url(text):
    """Decodes base64url without padding, as RFC 7515 requires it."""
    if not text.replace("-", "").replace("_", "").isalnum():
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def jws(algorithm, jwk, token):
    """Verifies a JWS in compact form (RFC 7515) with a key of type AKP (RFC 9964)."""
    jwk = json.loads(jwk)
    header, payload, signature = token.split(".")
    if jwk["kty"] != "AKP" or not jwk["alg"].lower() == algorithm == json.loads(base64url(header))["alg"].lower():
        raise ValueError("the key or the token is for another algorithm")
    key = PUBLIC[algorithm].from_public_bytes(base64url(jwk["pub"]))
    key.verify(base64url(signature), f"{header}.{payload}".encode())
    members = json.dumps({name: jwk[name] for name in ("alg", "kty", "pub")}, separators=(",", ":"))
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=")
    return f"{base64url(payload).hex()}\t{thumbprint.hex()}"


def to_sign(protected, payload):
    """Returns the Sig_structure of a COSE_Sign1 message (RFC 9052, section 4.4)."""
    return cbor2.dumps(["Signature1", protected, b"", payload])


def cose(algorithm, key, message):
    """Verifies a tagged COSE_Sign1 message with a COSE_Key of type AKP (7, RFC 9964)."""
    key = cbor2.loads(key)
    message = cbor2.loads(message)
    if message.tag != 18:
        raise ValueError("not COSE_Sign1")
    protected, unprotected, payload, signature = message.value
    if key[1] != 7 or not key[3] == COSE[algorithm] == cbor2.loads(protected)[1] or unprotected:
        raise ValueError("the key or the message is for another algorithm")
    PUBLIC[algorithm].from_public_bytes(key[-1]).verify(signature, to_sign(protected, payload))
    return payload.hex()


def answer(command, algorithm, *words):
    if command == "keygen":
        key = PRIVATE[algorithm].generate()
        private = key.private_bytes(files.Encoding.DER, files.PrivateFormat.PKCS8, files.NoEncryption())
        public = key.public_key().public_bytes(files.Encoding.DER, files.PublicFormat.SubjectPublicKeyInfo)
        return f"{private.hex()}\t{public.hex()}"
    if command == "certificate":
        # Check a self-signed certificate.
        certificate = x509.load_pem_x509_certificate(bytes.fromhex(words[0]))
        key = certificate.public_key()
        if not isinstance(key, PUBLIC[algorithm]) or certificate.issuer != certificate.subject:
            return "false"
        try:
            key.verify(certificate.signature, certificate.tbs_certificate_bytes, b"")
        except InvalidSignature:
            return "false"
        return "true"
    if command == "jws":
        return jws(algorithm, *(bytes.fromhex(word).decode() for word in words))
    if command == "cose":
        return cose(algorithm, *map(bytes.fromhex, words))
    if command == "cose-sign":
        private, payload = map(bytes.fromhex, words)
        protected = cbor2.dumps({1: COSE[algorithm]})
        signature = files.load_der_private_key(private, None).sign(to_sign(protected, payload))
        return cbor2.dumps(cbor2.CBORTag(18, [protected, {}, payload, signature])).hex()
    if words[0] not in ("pure", "mu"):
        raise ValueError(f"no form {words[0]}")
    key, message, context, *signature = map(bytes.fromhex, words[1:])
    if command == "sign":
        key = files.load_der_private_key(key, None)
        if not isinstance(key, PRIVATE[algorithm]):
            raise ValueError("a key of another algorithm")
        return (key.sign_mu(message) if words[0] == "mu" else key.sign(message, context)).hex()
    key = files.load_der_public_key(key)
    if not isinstance(key, PUBLIC[algorithm]):
        raise ValueError("a key of another algorithm")
    try:
        key.verify(signature[0], message, context)
    except InvalidSignature:
        return "false"
    return "true"


for line in sys.stdin:
    try:
        print(answer(*line.rstrip("\n").split("\t")), flush=True)
    except Exception as error:
        print("error:", str(error).split("\n")[0] or type(error).__name__, flush=True)
