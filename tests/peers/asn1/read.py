"""Reads keys and signatures with two other readers. The first reader is OpenSSL. The second reader
decodes PEM with GnuTLS, and DER with pyasn1.

Each line of standard input names a file: FORM, a tab, and the name. FORM is `spki`, `pkcs8` or
`encrypted`, with `-pem` after it for PEM, or `signature-pem`. The answer is a line with the result
of the first reader, a tab, and the result of the second reader. A result is the SHA-256 of the key
or signature in the file, or `-` if the reader rejects the file.

The script calls the libraries through ctypes, so that a single process can read thousands of files.
"""

import ctypes
import hashlib
import sys

from pyasn1.codec.der.decoder import decode
from pyasn1.error import PyAsn1Error
from pyasn1.type import namedtype, tag, univ

LABELS = {
    "spki": "PUBLIC KEY",
    "pkcs8": "PRIVATE KEY",
    "encrypted": "ENCRYPTED PRIVATE KEY",
    "signature": "FNDSA SIGNATURE",
}

C = ctypes.CDLL("libcrypto.so.3")
G = ctypes.CDLL("libgnutls.so.30")
POINTER, LONG, INT = ctypes.c_void_p, ctypes.c_long, ctypes.c_int


def function(library, name, result, *arguments):
    it = getattr(library, name)
    it.restype, it.argtypes = result, arguments
    return it


PLACE = ctypes.POINTER(POINTER)
d2i = {
    "spki": function(C, "d2i_X509_PUBKEY", POINTER, POINTER, PLACE, LONG),
    "pkcs8": function(C, "d2i_PKCS8_PRIV_KEY_INFO", POINTER, POINTER, PLACE, LONG),
    "encrypted": function(C, "d2i_X509_SIG", POINTER, POINTER, PLACE, LONG),
}
free = {
    "spki": function(C, "X509_PUBKEY_free", None, POINTER),
    "pkcs8": function(C, "PKCS8_PRIV_KEY_INFO_free", None, POINTER),
    "encrypted": function(C, "X509_SIG_free", None, POINTER),
}
LENGTH = ctypes.POINTER(INT)
spki_content = function(C, "X509_PUBKEY_get0_param", INT, PLACE, PLACE, LENGTH, PLACE, POINTER)
pkcs8_content = function(C, "PKCS8_pkey_get0", INT, PLACE, PLACE, LENGTH, PLACE, POINTER)
sig_content = function(C, "X509_SIG_get0", None, POINTER, PLACE, PLACE)
string_data = function(C, "ASN1_STRING_get0_data", POINTER, POINTER)
string_length = function(C, "ASN1_STRING_length", INT, POINTER)
new_bio = function(C, "BIO_new_mem_buf", POINTER, ctypes.c_char_p, INT)
free_bio = function(C, "BIO_free", INT, POINTER)
read_pem = function(C, "PEM_read_bio", INT, POINTER, PLACE, PLACE, PLACE, ctypes.POINTER(LONG))
crypto_free = function(C, "CRYPTO_free", None, POINTER, ctypes.c_char_p, INT)
clear_errors = function(C, "ERR_clear_error", None)


class Datum(ctypes.Structure):
    _fields_ = [("data", POINTER), ("size", ctypes.c_uint)]


gnutls_pem = function(
    G, "gnutls_pem_base64_decode2", INT, ctypes.c_char_p, ctypes.POINTER(Datum), ctypes.POINTER(Datum)
)
gnutls_free = POINTER.in_dll(G, "gnutls_free")
gnutls_free = ctypes.CFUNCTYPE(None, POINTER)(gnutls_free.value)


def openssl_pem(data, label):
    bio = new_bio(data, len(data))
    name, header, body, length = POINTER(), POINTER(), POINTER(), LONG()
    ok = read_pem(bio, name, header, body, length)
    free_bio(bio)
    clear_errors()
    if ok != 1:
        return None
    found = ctypes.string_at(name.value).decode("latin-1"), ctypes.string_at(header.value)
    content = ctypes.string_at(body.value, length.value)
    for it in (name, header, body):
        crypto_free(it, b"", 0)
    return content if found == (label, b"") else None


def openssl_der(form, data):
    buffer = ctypes.create_string_buffer(data, len(data))
    at = POINTER(ctypes.addressof(buffer))
    it = d2i[form](None, ctypes.byref(at), len(data))
    clear_errors()
    if not it:
        return None
    read_len = at.value - ctypes.addressof(buffer)
    content, length = POINTER(), INT()
    if form == "encrypted":
        algorithm, string = POINTER(), POINTER()
        sig_content(it, algorithm, string)
        result = ctypes.string_at(string_data(string), string_length(string))
    else:
        (spki_content if form == "spki" else pkcs8_content)(None, content, length, None, it)
        result = ctypes.string_at(content.value, length.value)
    free[form](it)
    # Reject bytes after the end of the object.
    return result if read_len == len(data) else None


class Algorithm(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.NamedType("algorithm", univ.ObjectIdentifier()),
        namedtype.OptionalNamedType("parameters", univ.Any()),
    )


class Spki(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.NamedType("algorithm", Algorithm()), namedtype.NamedType("key", univ.BitString())
    )


class Pkcs8(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.NamedType("version", univ.Integer()),
        namedtype.NamedType("algorithm", Algorithm()),
        namedtype.NamedType("key", univ.OctetString()),
        namedtype.OptionalNamedType(
            "attributes", univ.SetOf(univ.Any()).subtype(implicitTag=tag.Tag(tag.tagClassContext, 32, 0))
        ),
    )


class Encrypted(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.NamedType("algorithm", Algorithm()), namedtype.NamedType("key", univ.OctetString())
    )


SHAPES = {"spki": Spki(), "pkcs8": Pkcs8(), "encrypted": Encrypted()}


def pyasn1_der(form, data):
    try:
        found, rest = decode(data, asn1Spec=SHAPES[form])
        return None if rest else found["key"].asOctets()
    except (PyAsn1Error, ValueError, IndexError, KeyError, TypeError, OverflowError, AttributeError, RecursionError):
        # pyasn1 raises any of these errors for bytes that are not DER.
        return None


def gnutls_block(data, label):
    buffer = ctypes.create_string_buffer(data, len(data))
    given, found = Datum(ctypes.addressof(buffer), len(data)), Datum()
    if gnutls_pem(label.encode(), ctypes.byref(given), ctypes.byref(found)) != 0:
        return None
    content = ctypes.string_at(found.data, found.size)
    gnutls_free(found.data)
    return content


def read(form, data):
    base, _, text = form.partition("-")
    answers = []
    for pem, der in ((openssl_pem, openssl_der), (gnutls_block, pyasn1_der)):
        content = pem(data, LABELS[base]) if text else data
        if content is not None and base != "signature":
            content = der(base, content)
        answers.append("-" if content is None else hashlib.sha256(content).hexdigest())
    return "\t".join(answers)


for line in sys.stdin:
    form, name = line.rstrip("\n").split("\t")
    with open(name, "rb") as file:
        print(read(form, file.read()))
