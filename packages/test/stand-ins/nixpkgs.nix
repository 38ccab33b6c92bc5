# A stand-in for nixpkgs: calls the file of a package with the four things that it asks for. `attributes` is what it hands to
# mkDerivation; `package` is built by nix, with bash and the tools of this system, from an archive that is there in place of a download.
# Run by packages/test/nix.
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
    # Nix itself compares the checksum.
    ({ url, sha256 }: builtins.path {
      path = /. + archives + "/${baseNameOf url}";
      name = baseNameOf url;
      recursive = false;
      inherit sha256;
    });
}
