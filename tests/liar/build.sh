#!/usr/bin/env bash
# Builds the component that lies, for the tests.
#
#   tests/liar/build.sh           builds it, installs it with its record
#   tests/liar/build.sh --check   builds it and compares it with what is there
#
# The result does not depend on folders, environment or time: on x86_64 Linux
# with the recorded rustc it is the same to the bit. Needs the target
# wasm32-wasip2, which it installs. With --check, exit status 3 says that this
# machine cannot compare (no target, or another rustc).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=$root/tests/liar/target
record=$root/tests/liar/liar.digest
artefact=$root/tests/liar/liar.wasm
check=${1:-}

# Whatever could change the bits without being among the sources.
unset RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC_BOOTSTRAP CARGO_ENCODED_RUSTFLAGS CARGO_TARGET_DIR
for name in $(compgen -e | grep -E '^CARGO_(BUILD|PROFILE|TARGET)_' || true); do unset "$name"; done
export CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=0 LC_ALL=C

compiler() {
  rustc -vV | awk '/^release:/{r=$2} /^commit-hash:/{c=$2} /^host:/{h=$2} /^LLVM/{l=$3} END{print "rustc " r " " c " " h " LLVM " l}'
}

# A line for each source, and the compiler; tests/it/liar.rs does the same.
sources() {
  (cd "$root" && find tests/liar/Cargo.toml tests/liar/Cargo.lock tests/liar/src wit -type f | sort | xargs sha256sum; compiler)
}

cannot_compare() {
  echo "THE LIAR WAS NOT COMPARED: $1" >&2
  exit 3
}

if [ "$check" = --check ]; then
  [ "$(compiler)" = "$(grep '^rustc' "$record")" ] ||
    cannot_compare "this is $(compiler), and it was built with $(grep '^rustc' "$record")"
fi
if ! rustup target list --installed 2>/dev/null | grep -qx wasm32-wasip2; then
  rustup target add wasm32-wasip2 || { [ "$check" = --check ] && cannot_compare "the target wasm32-wasip2 cannot be installed"; exit 1; }
fi

# Paths of this machine become fixed names. The last prefix that matches wins,
# so the target folder comes after the repository that holds it.
cargo fetch --locked --manifest-path "$root/tests/liar/Cargo.toml" >/dev/null 2>&1 || true
flags=()
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do flags+=("--remap-path-prefix=$registry=/crates"); done
flags+=("--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc")
flags+=("--remap-path-prefix=$root=/sandbox" "--remap-path-prefix=$target=/target")
encoded=$(printf '%s\x1f' "${flags[@]}")

CARGO_ENCODED_RUSTFLAGS=${encoded%$'\x1f'} cargo build --release --locked \
  --target wasm32-wasip2 --manifest-path "$root/tests/liar/Cargo.toml" --target-dir "$target"

built=$target/wasm32-wasip2/release/rlm_liar.wasm
if grep -qaF -e "$root" -e "${CARGO_HOME:-$HOME/.cargo}" "$built"; then
  echo "the liar holds a path of this machine" >&2
  exit 1
fi

if [ "$check" = --check ]; then
  if cmp -s "$built" "$artefact"; then
    echo "the liar is what its sources make"
  else
    echo "the liar differs from what its sources make; run tests/liar/build.sh and commit the result" >&2
    exit 1
  fi
else
  cp "$built" "$artefact"
  printf 'wasm %s\nsources %s\n%s\n' "$(sha256sum "$artefact" | cut -d' ' -f1)" "$(sources | sha256sum | cut -d' ' -f1)" "$(compiler)" >"$record"
  cat "$record"
fi
