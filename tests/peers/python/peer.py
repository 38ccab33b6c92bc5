"""The package `cryptography` as a peer.

Each line of standard input is a command: words with tabs between them, and bytes in hexadecimal.
The answer is a line. tests/common/mldsa_programs.rs defines the commands. There is also a command
`certificate SET PEM`, whose answer is `true` if the certificate is self-signed. Private keys are
PKCS#8 with the seed, and public keys are SPKI. The command `jws SET JWK TOKEN` verifies a JSON Web
Signature. Its answer is the payload and the thumbprint of the key.
"""

import base64
import hashlib
import json
import sys

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
        raise ValueError("another algorithm")
    key = PUBLIC[algorithm].from_public_bytes(base64url(jwk["pub"]))
    key.verify(base64url(signature), f"{header}.{payload}".encode())
    members = json.dumps({name: jwk[name] for name in ("alg", "kty", "pub")}, separators=(",", ":"))
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=")
    return f"{base64url(payload).hex()}\t{thumbprint.hex()}"


def answer(command, algorithm, *words):
    if command == "keygen":
        key = PRIVATE[algorithm].generate()
        private = key.private_bytes(files.Encoding.DER, files.PrivateFormat.PKCS8, files.NoEncryption())
        public = key.public_key().public_bytes(files.Encoding.DER, files.PublicFormat.SubjectPublicKeyInfo)
        return f"{private.hex()}\t{public.hex()}"
    if command == "certificate":
        # Checks a self-signed certificate.
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
