# A stand-in for nixpkgs: calls a package file with the four arguments that the file needs.
# `attributes` returns the argument of mkDerivation. `package` is a derivation that nix builds with
# the bash and the tools of this system, from a local archive instead of a download.
# packages/test/nix uses this file.
{ file, system, archives ? "", builder ? "", path ? "" }:

let
  call = mkDerivation: fetchurl: import (/. + file) {
    lib = {
      licenses.mit = { spdxId = "MIT"; };
      sourceTypes.binaryNativeCode = { isSource = false; };
    };
    stdenvNoCC = { inherit mkDerivation; hostPlatform = { inherit system; }; };
    inherit fetchurl;
    installShellFiles = "installShellFiles";
  };
in
{
  attributes = call (attributes: attributes) ({ url, sha256 }: { inherit url sha256; });

  package = call
    (attributes: derivation (builtins.removeAttrs attributes [ "meta" ] // {
      name = "${attributes.pname}-${attributes.version}";
      inherit system;
      builder = "/bin/bash";
      args = [ (/. + builder) ];
      PATH = path;
    }))
    # Nix compares the checksum.
    ({ url, sha256 }: builtins.path {
      path = /. + archives + "/${baseNameOf url}";
      name = baseNameOf url;
      recursive = false;
      inherit sha256;
    });
}
