"""Writes a container image to DIR: oci.py DIR LAYER MACHINE NAME VERSION SECONDS LICENCE

LAYER is a tar, the only layer of the image. The script writes DIR in the layout of the OCI image
specification 1.1, and adds a manifest.json for versions of `docker load` that do not read this
layout.
"""
import hashlib
import json
import pathlib
import sys
import time

folder, layer, machine, name, version, seconds, licence = sys.argv[1:]
folder = pathlib.Path(folder)
blobs = folder / "blobs" / "sha256"
blobs.mkdir(parents=True)


def write_blob(data, kind):
    """Writes a blob to the layout, and returns its descriptor."""
    digest = hashlib.sha256(data).hexdigest()
    (blobs / digest).write_bytes(data)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}


def to_json(value):
    return json.dumps(value, sort_keys=True).encode()


created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))
layer = write_blob(pathlib.Path(layer).read_bytes(), "application/vnd.oci.image.layer.v1.tar")
labels = {
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": licence,
}
config = write_blob(
    to_json({
        "architecture": machine,
        "os": "linux",
        "created": created,
        "config": {"Entrypoint": [f"/{name}"], "WorkingDir": "/work", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
        "history": [{"created": created, "created_by": "packages/build image"}],
    }),
    "application/vnd.oci.image.config.v1+json",
)
manifest = write_blob(
    to_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [layer]}),
    "application/vnd.oci.image.manifest.v1+json",
)
manifest["platform"] = {"architecture": machine, "os": "linux"}
manifest["annotations"] = {"io.containerd.image.name": f"docker.io/library/{name}:{version}", "org.opencontainers.image.ref.name": version}
path = lambda descriptor: "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")
(folder / "oci-layout").write_bytes(to_json({"imageLayoutVersion": "1.0.0"}))
(folder / "index.json").write_bytes(
    to_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
)
(folder / "manifest.json").write_bytes(
    to_json([{"Config": path(config), "RepoTags": [f"{name}:{version}"], "Layers": [path(layer)]}])
)
