#!/usr/bin/env python3
"""Prints the published vectors of tests/kat as lines for vectors.c.

A line has a word, the number of the algorithm, and fields in hexadecimal. `-` is an empty field.
"""
import base64
import gzip
import hashlib
import json
import pathlib

KAT = pathlib.Path(__file__).resolve().parents[2] / "tests/kat"
ML_DSA = {"ML-DSA-44": "052c", "ML-DSA-65": "0541", "ML-DSA-87": "0557"}
# The hashes by the last number of their object identifiers: the name in Python, the name in ACVP,
# and the digest length of SHAKE.
HASHES = {
    1: ("sha256", "SHA2-256", None), 2: ("sha384", "SHA2-384", None), 3: ("sha512", "SHA2-512", None),
    4: ("sha224", "SHA2-224", None), 7: ("sha3_224", "SHA3-224", None), 8: ("sha3_256", "SHA3-256", None),
    9: ("sha3_384", "SHA3-384", None), 10: ("sha3_512", "SHA3-512", None), 11: ("shake_128", "SHAKE-128", 32),
    12: ("shake_256", "SHAKE-256", 64),
}


def read(name):
    """Returns the contents of a JSON file in tests/kat, which may be compressed."""
    packed = KAT / f"{name}.gz"
    return json.loads(gzip.decompress(packed.read_bytes()) if packed.exists() else (KAT / name).read_text())


def print_line(*fields):
    """Prints a line with these fields. An empty field is `-`."""
    print(*(field or "-" for field in fields))


def digest(name, message):
    """Returns the number of a hash and the digest of a message, or None for an unknown hash."""
    for number, (python, acvp, length) in HASHES.items():
        if acvp == name:
            hashed = hashlib.new(python, bytes.fromhex(message))
            return number, hashed.hexdigest(length) if length else hashed.hexdigest()
    return None


# Keys from the bytes of the generator: keygen ALGORITHM seed private public.
for vector in read("kat-a.json")["vectors"]:
    # The skipped vectors depend on a candidate that the reference solver gave up
    # (tests/kat/README.md).
    if vector["logn"] == 9 and vector["j"] != 9 or vector["logn"] == 10 and vector["j"] not in (4, 5, 6, 7):
        print_line("keygen", f"010{vector['logn']:x}", vector["keygen_seed"], vector["sk"], vector["vk"])
for group in read("ml-dsa/acvp-keygen.json")["groups"]:
    for test in group["tests"]:
        print_line("keygen", ML_DSA[group["parameterSet"]], test["seed"], test["sk"], test["pk"])
        print_line("keygen", ML_DSA[group["parameterSet"]], test["seed"], test["seed"], test["pk"])

# Signatures from the bytes of the generator: sign ALGORITHM private context pre-hash message random
# signature.
for vector in read("kat-a.json")["vectors"]:
    if vector["logn"] >= 9:
        prehash = {"raw": 0, "SHA3-256": 8}[vector["hash"]]
        print_line("sign", f"010{vector['logn']:x}", vector["sk"], vector["ctx"], str(prehash), vector["hv"], vector["sign_random"],
                   vector["sig"])
for group in read("ml-dsa/acvp-siggen.json")["groups"]:
    if group["signatureInterface"] != "external":
        continue
    for test in group["tests"]:
        hashed = (0, test["message"]) if group["preHash"] == "pure" else digest(test["hashAlg"], test["message"])
        if hashed:
            random = "00" * 32 if group["deterministic"] else test["rnd"]
            key = test["seed"] if group["keyFormat"] == "seed" else test["sk"]
            print_line("sign", ML_DSA[group["parameterSet"]], key, test["context"], str(hashed[0]), hashed[1], random, test["signature"])

# Ed25519 uses no random bytes. With a pre-hash, it is Ed25519ph.
for test in read("ed25519.json")["tests"]:
    print_line("keygen", "0600", test["seed"], test["seed"], test["publicKey"])
    number, message = (0, test["msg"]) if test["prehash"] == "none" else digest("SHA2-512", test["msg"])
    print_line("sign", "0600", test["seed"], test["ctx"], str(number), message, "", test["sig"])
    if number:
        continue
    print_line("verify", "0600", test["publicKey"], test["ctx"], test["msg"], test["sig"], "1")
    for bit in (0, 255, 256, 511):
        changed = bytearray.fromhex(test["sig"])
        changed[bit // 8] ^= 1 << bit % 8
        print_line("verify", "0600", test["publicKey"], test["ctx"], test["msg"], changed.hex(), "0")

# Verdicts: verify ALGORITHM public context message signature verdict.
for algorithm, name in [
    ("0109", "fn_dsa_512_verify_test.json"), ("010a", "fn_dsa_1024_verify_test.json"),
    ("052c", "ml-dsa/wycheproof-44-verify.json"), ("0541", "ml-dsa/wycheproof-65-verify.json"),
    ("0557", "ml-dsa/wycheproof-87-verify.json"), ("052c", "ml-dsa/negative-44-verify.json"),
    ("0541", "ml-dsa/negative-65-verify.json"), ("0557", "ml-dsa/negative-87-verify.json"),
]:
    tests = read(name)
    for group in tests.get("testGroups") or tests["groups"]:
        for test in group["tests"]:
            if "msg" in test and "preHash" not in test:
                print_line("verify", algorithm, group["publicKey"], test.get("ctx", ""), test["msg"], test["sig"],
                           {"valid": "1", "invalid": "0"}[test["result"]])

# Composites: the vectors of the draft, and signatures with a changed half or with the context of
# another signature.
draft = read("composite/draft-19.json")
message, context = (base64.b64decode(draft[field]).hex() for field in ("m", "ctx"))
for test in draft["tests"]:
    algorithm = {"id-MLDSA44-Ed25519-SHA512": "072c", "id-MLDSA65-Ed25519-SHA512": "0741"}[test["tcId"]]
    public, private, plain, with_context = (base64.b64decode(test[field]).hex() for field in ("pk", "sk", "s", "sWithContext"))
    print_line("keygen", algorithm, private, private, public)
    print_line("verify", algorithm, public, "", message, plain, "1")
    print_line("verify", algorithm, public, context, message, with_context, "1")
    print_line("verify", algorithm, public, "", message, with_context, "0")
    print_line("verify", algorithm, public, context, message, plain, "0")
    # The last 64 bytes are the half for Ed25519.
    print_line("verify", algorithm, public, "", message, plain[:-128] + with_context[-128:], "0")
    print_line("verify", algorithm, public, "", message, with_context[:-128] + plain[-128:], "0")
    for byte in (0, len(plain) // 2 - 65, len(plain) // 2 - 64, len(plain) // 2 - 1):
        changed = bytearray.fromhex(plain)
        changed[byte] ^= 1
        print_line("verify", algorithm, public, "", message, changed.hex(), "0")

# Signed messages of Falcon's submission: open ALGORITHM public signed-message message.
for algorithm, name in [("0309", "falcon512-KAT.rsp"), ("030a", "falcon1024-KAT.rsp")]:
    vector = {}
    for text in (KAT / "nist-round3" / name).read_text().splitlines():
        key, _, value = text.partition(" = ")
        vector[key] = value
        if key == "sm":
            print_line("open", algorithm, vector["pk"], vector["sm"], vector["msg"])
