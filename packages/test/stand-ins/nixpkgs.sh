# shellcheck shell=bash disable=SC2154
# Builds a package as stdenvNoCC of nixpkgs does, if the package has no configurePhase and no
# buildPhase. Also defines the functions of installShellFiles that nix/fndsa.nix uses. nixpkgs.nix
# names this script as the builder, so nix runs it, with the package's attributes as variables.
set -euo pipefail

installManPage() {
  local page
  for page in "$@"; do
    install -D -m 644 -T -- "$page" "$out/share/man/man${page##*.}/${page##*/}"
  done
}

installShellCompletion() {
  local shell='' name='' dir
  while [ $# -gt 0 ]; do
    case $1 in
      --bash|--fish|--zsh) shell=${1#--} ;;
      --name) name=$2; shift ;;
      -*) echo "installShellCompletion: there is no flag $1"; return 1 ;;
      *)
        case $shell in
          bash) dir=bash-completion/completions ;;
          fish) dir=fish/vendor_completions.d ;;
          zsh) dir=zsh/site-functions ;;
          *) echo "installShellCompletion: no shell for $1"; return 1 ;;
        esac
        install -D -m 644 -T -- "$1" "$out/share/$dir/${name:-${1##*/}}"
        name='' ;;
    esac
    shift
  done
}

[ "$dontConfigure$dontBuild" = 11 ] || { echo "this stand-in neither configures nor builds"; exit 1; }
[ "$nativeBuildInputs" = installShellFiles ] || { echo "this stand-in has installShellFiles alone, not $nativeBuildInputs"; exit 1; }
tar xzf "$src"
cd -- */
eval "$installPhase"
[ "${doInstallCheck:-}" != 1 ] || eval "$installCheckPhase"
