"""Lists the crates in the program for a target: the crates in Cargo.lock that the feature cli
needs.

crates.py licences ROOT TARGET        prints each licence text once, after the names of its crates
crates.py sbom ROOT TARGET SECONDS    prints a software bill of materials: CycloneDX 1.6 in JSON,
                                      with the checksums of Cargo.lock
"""
import json
import pathlib
import re
import subprocess
import sys
import time
import tomllib


def cargo(root, *arguments):
    return subprocess.run(["cargo", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def crates(root, target):
    """Returns the packages in the program by (name, version), each with the packages that it uses.

    The first package is the program itself.
    """
    options = ["--locked", "--features", "cli", "--edges", "normal,no-proc-macro", "--prefix", "depth", "--no-dedupe"]
    lines = cargo(root, "tree", *options, "--target", target)
    used, path = {}, []
    for line in lines.splitlines():
        if not line:
            continue
        depth, name, version = re.match(r"(\d+)(\S+) v(\S+)", line).groups()
        path[int(depth):] = [(name, version)]
        used.setdefault(path[-1], set())
        if len(path) > 1:
            used[path[-2]].add(path[-1])
    everything = json.loads(cargo(root, "metadata", "--locked", "--format-version", "1"))["packages"]
    known = {(package["name"], package["version"]): package for package in everything}
    return {key: (known[key], sorted(uses)) for key, uses in used.items()}


def licences(root, target):
    texts, silent = {}, []
    own, *others = crates(root, target).values()
    for package, _ in sorted(others, key=lambda it: it[0]["name"]):
        folder = pathlib.Path(package["manifest_path"]).parent
        title = f"{package['name']} {package['version']} ({package['license']})"
        files = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|copyright|notice|unlicense)", path.name) and path.is_file())
        for path in files:
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip("\n")
            texts.setdefault(text, []).append(title)
        if not files:
            silent.append(title)
    print(f"{own[0]['name']} {own[0]['version']} is linked with the crates below, with Rust's standard library (MIT OR Apache-2.0)")
    print("and, in static programs for Linux, with musl (MIT, Copyright 2005-2020 Rich Felker and others).")
    if silent:
        print("\nThese bring no file with their licence:\n")
        print("\n".join(silent))
    for text, titles in texts.items():
        print("\n" + "=" * 79 + "\n" + "\n".join(titles) + "\n" + "=" * 79 + "\n")
        print(text)


def url(key):
    return f"pkg:cargo/{key[0]}@{key[1]}"


def component(key, package, checksum):
    kind = "application" if checksum is None else "library"
    found = {"type": kind, "bom-ref": url(key), "name": key[0], "version": key[1], "purl": url(key)}
    if package["description"]:
        found["description"] = " ".join(package["description"].split())
    if package["license"]:
        # A slash is the older way to write OR.
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum:
        found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        found["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return found


def sbom(root, target, seconds):
    lock = tomllib.loads((pathlib.Path(root) / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    found = crates(root, target)
    own = next(iter(found))
    components = {key: component(key, package, checksums[key]) for key, (package, _) in found.items()}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))),
            "component": components.pop(own),
            "properties": [{"name": "cargo:target", "value": target}],
        },
        "components": [components[key] for key in sorted(components)],
        "dependencies": [{"ref": url(key), "dependsOn": [url(it) for it in uses]} for key, (_, uses) in sorted(found.items())],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


{"licences": licences, "sbom": sbom}[sys.argv[1]](*sys.argv[2:])
