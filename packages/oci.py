"""Writes a container image to DIR: oci.py DIR LAYER MACHINE NAME VERSION SECONDS LICENCE

LAYER is a tar, the only layer of the image. DIR gets the layout of the OCI image specification 1.1.
It also gets a manifest.json, for versions of `docker load` that do not know this layout.
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


def blob(data, kind):
    digest = hashlib.sha256(data).hexdigest()
    (blobs / digest).write_bytes(data)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}


def text(value):
    return json.dumps(value, sort_keys=True).encode()


created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))
layer = blob(pathlib.Path(layer).read_bytes(), "application/vnd.oci.image.layer.v1.tar")
labels = {
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": licence,
}
config = blob(
    text({
        "architecture": machine,
        "os": "linux",
        "created": created,
        "config": {"Entrypoint": [f"/{name}"], "WorkingDir": "/work", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
        "history": [{"created": created, "created_by": "packages/build image"}],
    }),
    "application/vnd.oci.image.config.v1+json",
)
manifest = blob(
    text({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [layer]}),
    "application/vnd.oci.image.manifest.v1+json",
)
manifest["platform"] = {"architecture": machine, "os": "linux"}
manifest["annotations"] = {"io.containerd.image.name": f"docker.io/library/{name}:{version}", "org.opencontainers.image.ref.name": version}
path = lambda it: "blobs/sha256/" + it["digest"].removeprefix("sha256:")
(folder / "oci-layout").write_bytes(text({"imageLayoutVersion": "1.0.0"}))
(folder / "index.json").write_bytes(
    text({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
)
(folder / "manifest.json").write_bytes(
    text([{"Config": path(config), "RepoTags": [f"{name}:{version}"], "Layers": [path(layer)]}])
)
