"""Prints the licences or the bill of materials of the crates that are linked into the program: the
crates in Cargo.lock that the feature cli needs.

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
    """Returns the output of a cargo command."""
    return subprocess.run(["cargo", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def linked_crates(root, target):
    """Returns the crates in the program: a dictionary from (name, version) to the metadata of the
    crate and the names and versions of its dependencies.

    The first crate is the program itself.
    """
    options = ["--locked", "--features", "cli", "--edges", "normal,no-proc-macro", "--prefix", "depth", "--no-dedupe"]
    lines = cargo(root, "tree", *options, "--target", target)
    dependencies, path = {}, []
    for line in lines.splitlines():
        if not line:
            continue
        depth, name, version = re.match(r"(\d+)(\S+) v(\S+)", line).groups()
        path[int(depth):] = [(name, version)]
        dependencies.setdefault(path[-1], set())
        if len(path) > 1:
            dependencies[path[-2]].add(path[-1])
    packages = json.loads(cargo(root, "metadata", "--locked", "--format-version", "1"))["packages"]
    metadata = {(package["name"], package["version"]): package for package in packages}
    return {key: (metadata[key], sorted(keys)) for key, keys in dependencies.items()}


def print_licences(root, target):
    """Prints each licence text once, after the names of its crates."""
    texts, without_text = {}, []
    own, *others = linked_crates(root, target).values()
    for package, _ in sorted(others, key=lambda it: it[0]["name"]):
        folder = pathlib.Path(package["manifest_path"]).parent
        title = f"{package['name']} {package['version']} ({package['license']})"
        files = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|copyright|notice|unlicense)", path.name) and path.is_file())
        for path in files:
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip("\n")
            texts.setdefault(text, []).append(title)
        if not files:
            without_text.append(title)
    print(f"{own[0]['name']} {own[0]['version']} is linked with the crates below, with Rust's standard library (MIT OR Apache-2.0)")
    print("and, in static programs for Linux, with musl (MIT, Copyright 2005-2020 Rich Felker and others).")
    if without_text:
        print("\nThese crates contain no file with their licence:\n")
        print("\n".join(without_text))
    for text, titles in texts.items():
        print("\n" + "=" * 79 + "\n" + "\n".join(titles) + "\n" + "=" * 79 + "\n")
        print(text)


def package_url(key):
    """Returns the package URL (purl) of a crate."""
    return f"pkg:cargo/{key[0]}@{key[1]}"


def component(key, package, checksum):
    """Returns the CycloneDX component of a crate. The program itself has no checksum."""
    kind = "application" if checksum is None else "library"
    result = {"type": kind, "bom-ref": package_url(key), "name": key[0], "version": key[1], "purl": package_url(key)}
    if package["description"]:
        result["description"] = " ".join(package["description"].split())
    if package["license"]:
        # In older versions of Cargo.toml, a slash means OR.
        result["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum:
        result["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        result["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return result


def print_sbom(root, target, seconds):
    """Prints the software bill of materials of the program."""
    lock = tomllib.loads((pathlib.Path(root) / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    crates = linked_crates(root, target)
    own = next(iter(crates))
    components = {key: component(key, package, checksums[key]) for key, (package, _) in crates.items()}
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
        "dependencies": [
            {"ref": package_url(key), "dependsOn": [package_url(it) for it in uses]} for key, (_, uses) in sorted(crates.items())
        ],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


{"licences": print_licences, "sbom": print_sbom}[sys.argv[1]](*sys.argv[2:])
