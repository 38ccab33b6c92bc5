# Functions for other processors in emulators. tests/machines/run, tests/ct/trace and
# tests/ct/divisions source this file.

here=$(dirname "${BASH_SOURCE[0]}")
target_dir=$(realpath -m "${CARGO_TARGET_DIR:-$here/../../target}")/machines

# A line has these fields: target, with compiler flags; linker (`rust-lld` is a part of the
# compiler); Debian packages of the linker; emulator; levels.
machines='
aarch64-unknown-linux-musl|rust-lld||qemu-aarch64 -cpu max|emulated scalar neon neon-sha3
aarch64-unknown-linux-musl|rust-lld||qemu-aarch64 -cpu cortex-a72|emulated scalar neon
riscv64gc-unknown-linux-gnu|riscv64-linux-gnu-gcc|gcc-riscv64-linux-gnu libc6-dev-riscv64-cross|qemu-riscv64 -cpu rv64|emulated scalar-fdiv scalar
riscv64gc-unknown-linux-gnu|riscv64-linux-gnu-gcc|gcc-riscv64-linux-gnu libc6-dev-riscv64-cross|qemu-riscv64 -cpu rv64,v=true,vlen=128,elen=64,vext_spec=v1.0,rvv_ta_all_1s=true,rvv_ma_all_1s=true|emulated scalar-fdiv scalar rvv-fdiv rvv
riscv64gc-unknown-linux-gnu|riscv64-linux-gnu-gcc|gcc-riscv64-linux-gnu libc6-dev-riscv64-cross|qemu-riscv64 -cpu rv64,v=true,vlen=256,elen=64,vext_spec=v1.0,rvv_ta_all_1s=true,rvv_ma_all_1s=true|emulated scalar-fdiv scalar rvv-fdiv rvv
powerpc64-unknown-linux-gnu|powerpc64-linux-gnu-gcc|gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross|qemu-ppc64|emulated scalar
i586-unknown-linux-gnu|cc|gcc-12-multilib|qemu-i386 -cpu pentium2|emulated
i686-unknown-linux-gnu|cc|gcc-12-multilib|qemu-i386 -cpu max|emulated scalar sse2 avx2
i686-unknown-linux-gnu|cc|gcc-12-multilib|qemu-i386 -cpu n270|emulated scalar sse2
armv7-unknown-linux-gnueabihf|arm-linux-gnueabihf-gcc|gcc-arm-linux-gnueabihf libc6-dev-armhf-cross|qemu-arm -cpu cortex-a15|scalar-fdiv emulated
s390x-unknown-linux-gnu|s390x-linux-gnu-gcc|gcc-s390x-linux-gnu libc6-dev-s390x-cross|qemu-s390x -cpu max|emulated scalar
wasm32-wasip1|rust-lld||node --no-warnings wasi.mjs|emulated scalar
wasm32-wasip1 -Ctarget-feature=+simd128|rust-lld||node --no-warnings wasi.mjs|emulated scalar simd128
wasm32-wasip1 --cfg=fndsa_small|rust-lld||node --no-warnings wasi.mjs|scalar
wasm32-wasip1 --cfg=fndsa_small -Ctarget-feature=+simd128|rust-lld||node --no-warnings wasi.mjs|simd128
'

# Prints the build directory. Builds with different flags have different directories, because each
# build would start from the beginning in a shared directory.
directory() { local flags=${1#"${1%% *}"}; echo "$target_dir${flags//[^a-z0-9]/}"; } # "target flags"

# Runs cargo for a target, with the profile `ct`. With these flags, function names contain the types
# of their generic arguments, so that the scripts can see the level of a function.
cargo_for() { # "target flags" linker emulator command arguments
  local target=${1%% *} variable
  variable=CARGO_TARGET_${target//-/_} variable=${variable^^}
  env "${variable}_LINKER=$2" "${variable}_RUNNER=$3" CARGO_TARGET_DIR="$(directory "$1")" \
    RUSTFLAGS="-C target-feature=+crt-static -C symbol-mangling-version=v0 ${1#"$target"}" \
    cargo "$4" --quiet --profile ct --locked --manifest-path "$here/Cargo.toml" --target "$target" "${@:5}"
}

# Builds this package, or another package that the arguments name.
build() { # "target flags" linker arguments
  cargo_for "$1" "$2" none build "${@:3}"
}

# Parts of the function names for the levels with hardware division. The library uses these levels
# only if the user or the build selects them.
by_hardware='ScalarFdiv|scalar_fdiv|VectorExtensionKb1_'

# Prints the path of a built program.
program() { # "target flags" name
  local file
  file=$(directory "$1")/${1%% *}/ct/$2
  [ -e "$file" ] || file=$file.wasm
  echo "$file"
}

# Builds the plugin of QEMU that counts and traces, and prints its path.
plugin() {
  cc -O2 -shared -fPIC -o "$target_dir/plugin.so" "$here/plugin.c"
  echo "$target_dir/plugin.so"
}

# Calls a function with `name target linker emulator levels` for each machine. If there are
# arguments, leaves out machines whose target does not begin with an argument. Prints the reason for
# each skipped machine.
each_machine() { # function prefixes..
  local target linker packages emulator levels name prefix wanted
  while IFS='|' read -r target linker packages emulator levels; do
    [ -n "$target" ] || continue
    wanted=$([ $# -eq 1 ] && echo yes || true)
    for prefix in "${@:2}"; do [[ $target == "$prefix"* ]] && wanted=yes; done
    [ -n "$wanted" ] || continue
    name="$target, $emulator"
    if [ ! -d "$(rustc --print target-libdir --target "${target%% *}")" ]; then
      echo "skip: $name: the target is not installed (rustup target add ${target%% *})"; continue
    elif ! command -v "${emulator%% *}" >/dev/null; then
      echo "skip: $name: there is no ${emulator%% *} (Debian: qemu-user, nodejs)"; continue
    elif [ "$linker" != rust-lld ] && ! command -v "$linker" >/dev/null; then
      echo "skip: $name: there is no $linker (Debian: $packages)"; continue
    fi
    "$1" "$name" "$target" "$linker" "$emulator" "$levels" </dev/null
  done <<<"$machines"
}
