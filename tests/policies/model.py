#!/usr/bin/env python3
"""Prints 500 policy cases with the expected verdicts.

The model follows docs/policies.md and shares no code with fndsa.

model.py                  prints the cases (tests/policies/cases.json is this output)
model.py --parts PROGRAM  makes new keys and signatures with the program fndsa, and prints them
                          (tests/policies/parts.json)

A case is a file of trusted keys, a signature file, and the options of the verifier. Keys and
signatures have names: `carol` and `twin` are the same key, for FN-DSA and for Falcon. `mallory` and
`trent` are never trusted. `alice message ci` is a signature by alice for the message with the
context ci.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

# The number of cases.
COUNT = 500
# The owners of the keys, and the algorithms.
ALGORITHMS = {
    "alice": "ml-dsa-44",
    "bob": "ml-dsa-44",
    "carol": "fn-dsa-512",
    "twin": "falcon-512",
    "dave": "ed25519",
    "mallory": "ml-dsa-44",
    "trent": "ed25519",
}
# The file to verify (`message`), and a second file, which some signatures cover instead.
MESSAGES = {"message": "the message of the policies\n", "other": "another message\n"}
CONTEXTS = ["", "ci"]
# The name of a signature block that another program wrote.
FOREIGN = "foreign"


def identity(key):
    """Returns the name of a key's owner: the FN-DSA and the Falcon form of a key count as one
    key."""
    return "carol" if key == "twin" else key


def restriction(lines, date, context):
    """Returns the reason code if these key lines reject a signature for the context on this date, or None."""
    terms = dict(line.split(": ", 1) for line in lines)
    required_context = terms.get("context")
    if required_context is not None and required_context.startswith("hex:"):
        required_context = bytes.fromhex(required_context[4:]).decode()
    if "revoked" in terms:
        return "key_revoked"
    if "not-after" in terms and date > terms["not-after"]:
        return "key_expired"
    if "not-before" in terms and date < terms["not-before"]:
        return "key_not_yet_valid"
    if required_context is not None and required_context != context:
        return "key_context"
    return None


def expected_result(case):
    """Returns the verdict, the reason of a NO or an error, and the keys whose signatures count."""
    lines = {}
    for key, key_lines in case["keys"]:
        lines.setdefault(identity(key), []).extend(line for line in key_lines if not line.startswith("name: "))
    given = [key for key, _ in case["keys"]]
    accepted = [key for key in given if not case["expect"] or key in case["expect"]]
    different = len({identity(key) for key in accepted})
    required = max(different, 1) if case["require"] == "all" else int(case["require"])
    if required > max(different, 1):
        return "error", "too_few_keys", []
    blocks = [block.split(" ") for block in case["signatures"] if block != FOREIGN]
    if not blocks:
        return "error", "foreign_file" if case["signatures"] else "not_recognised", []
    if any(key not in given for key in case["expect"]):
        return "no", "unexpected_key", []
    algorithms = {ALGORITHMS[key] for key in accepted}
    if not any(ALGORITHMS[signer] in algorithms for signer, _, _ in blocks):
        return "no", "algorithm_mismatch", []
    signers, first = set(), None
    for signer, message, context in blocks:
        if signer in accepted and message == "message" and context == case["context"]:
            reason = restriction(lines[identity(signer)], case["at"], case["context"])
            if reason is None:
                signers.add(identity(signer))
            else:
                first = first or reason
    if len(signers) >= required:
        return "yes", None, sorted(signers)
    return "no", first or ("too_few_signatures" if signers else "signature_mismatch"), sorted(signers)


class Choices:
    """A deterministic generator: the SHA-256 of the case number and the choice number."""

    def __init__(self, number):
        self.number, self.count = number, 0

    def below(self, bound):
        """Returns a number below `bound`."""
        self.count += 1
        digest = hashlib.sha256(f"policies {self.number} {self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def one(self, values):
        """Returns one of the values."""
        return values[self.below(len(values))]

    def chance(self, percent):
        """Returns True with a probability of `percent` percent."""
        return self.below(100) < percent


def key_lines(choose, number):
    """Returns random key lines for the key with this number."""
    lines = []
    if choose.chance(40):
        lines.append(f"name: key {number} of the team")
    if choose.chance(20):
        # A key is valid on the day in `not-before` and on the day in `not-after`. The lists also
        # contain days on which cases verify, to test this.
        lines.append("not-before: " + choose.one(["2026-01-01", "2026-03-02", "2026-03-03"]))
    if choose.chance(25):
        lines.append("not-after: " + choose.one(["2026-03-03", "2026-03-04", "2027-12-31"]))
    if choose.chance(12):
        lines.append("revoked: " + choose.one(["2026-02-01, stolen", "lost"]))
    if choose.chance(20):
        lines.append("context: " + choose.one(["ci", "ci", "hex:6369", "release"]))
    return lines


def make_case(number):
    """Returns the case with this number, together with its expected result."""
    choose = Choices(number)
    context = "ci" if choose.chance(35) else ""
    # The key `twin` is a Falcon key, and Falcon has no context.
    names = [name for name in ("alice", "bob", "carol", "dave", "twin") if name != "twin" or not context]
    chosen = []
    for _ in range(1 + choose.below(4)):
        name = choose.one(names)
        if name not in chosen:
            chosen.append(name)
    keys, done = [], set()
    for name in chosen:
        lines = [] if identity(name) in done or choose.chance(45) else key_lines(choose, len(keys) + 1)
        done.add(identity(name))
        keys.append([name, lines])
    if len(keys) < 4 and choose.chance(10):
        keys.append([choose.one(chosen), []])
    different = len({identity(name) for name in chosen})
    require = choose.one(["1", "1", "all", "all", "2", "3"])
    if require.isdigit() and int(require) > different and not choose.chance(20):
        require = "all"
    expect = []
    if choose.chance(30):
        expect = [name for name in dict.fromkeys(chosen) if choose.chance(60)]
        if choose.chance(20):
            expect.append(choose.one(["mallory", "trent"]))
    signatures = []
    for _ in range(choose.below(25) and 1 + choose.below(4)):
        kind = choose.below(20)
        other = "" if context else "ci"
        signer = choose.one(chosen)
        if kind < 13:
            block = f"{signer} message {context}"
        elif kind == 13:
            block = f"{signer} other {context}"
        elif kind == 14 and signer != "twin":
            block = f"{signer} message {other}"
        elif kind == 15 and signatures:
            block = choose.one(signatures)
        elif kind == 16:
            block = f"mallory message {context}"
        elif kind == 17:
            block = f"trent message {context}"
        elif kind == 18:
            block = FOREIGN
        else:
            block = f"{choose.one(names)} message {context}"
        signatures.append(block)
    date = choose.one(["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"])
    case = {
        "keys": keys, "require": require, "expect": expect, "at": date, "context": context, "signatures": signatures
    }
    case["verdict"], case["reason"], case["signers"] = expected_result(case)
    return case


def table_text():
    """Returns all cases as JSON, with a line for each case."""
    cases = [make_case(number) for number in range(COUNT)]
    return "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n"


def make_parts(program):
    """Makes keys and signatures, and returns them without the private keys."""
    with tempfile.TemporaryDirectory() as home:
        run = lambda *words: subprocess.run([program, *words], cwd=home, check=True)
        read = lambda name: pathlib.Path(home, name).read_text()
        for name, text in MESSAGES.items():
            pathlib.Path(home, name).write_text(text)
        keys, signatures = {}, {FOREIGN: "-----BEGIN PGP SIGNATURE-----\nAAAA\n-----END PGP SIGNATURE-----\n"}
        for name, algorithm in ALGORITHMS.items():
            if name == "twin":
                for end in ("key", "pub"):
                    run("convert", "-q", f"carol.{end}", "--to", "pem", "-a", algorithm, "-o", f"twin.{end}")
            else:
                run("keygen", "-q", "-a", algorithm, name)
            document = json.loads(subprocess.run(
                [program, "--json", "inspect", f"{name}.pub"], cwd=home, check=True, capture_output=True).stdout)
            keys[name] = {"pem": read(f"{name}.pub"), "fingerprint": document["results"][0]["key"]["fingerprint"]}
            for message in MESSAGES:
                for context in CONTEXTS[: 1 if name == "twin" else 2]:
                    run("sign", "-q", "-k", f"{name}.key", *(["-c", context] if context else []), "-o", "sig", "--force", message)
                    signatures[f"{name} {message} {context}"] = read("sig")
        parts = {"message": MESSAGES["message"], "keys": keys, "signatures": signatures}
        return json.dumps(parts, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(make_parts(sys.argv[2]) if sys.argv[1:2] == ["--parts"] else table_text())
