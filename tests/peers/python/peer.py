"""The package `cryptography` as a peer.

Each line of standard input is a command: words with tabs between them, and bytes in hexadecimal.
The answer is a line. tests/common/mldsa_programs.rs defines the commands. There is also a command
`certificate SET PEM`, whose answer is `true` if the certificate is self-signed. Private keys are
PKCS#8 with the seed, and public keys are SPKI.
"""

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
        print("error:", str(error).split("\n")[0], flush=True)
