#!/usr/bin/env bash
# Generates the crate that the guest is built with: Monty as released, with the
# patches and the source files of this folder.
#
#   guest/monty/generate.sh   writes guest/target/monty, if anything changed
#
# Needs the registry once, for one crate whose checksum stands in the lock file
# beside this script. Prints nothing where the crate is up to date.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
generated=$here/../target/monty
release() { awk -v field="$1" '/^name = /{name=$3} name=="\"monty\"" && $1==field {gsub(/"/,"",$3); print $3}' "$here/Cargo.lock"; }
version=$(release version)
checksum=$(release checksum)

# Everything that the result depends on.
stamp=$({ echo "$checksum"; cd "$here" && find . -type f | LC_ALL=C sort | xargs sha256sum; } | sha256sum | cut -d' ' -f1)
[ "$(cat "$generated/.stamp" 2>/dev/null || true)" = "$stamp" ] && exit 0

cargo fetch --quiet --locked --manifest-path "$here/Cargo.toml"
crate=
for candidate in "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"monty-$version.crate"; do
  [ -f "$candidate" ] || continue
  if [ "$(sha256sum <"$candidate" | cut -d' ' -f1)" = "$checksum" ]; then crate=$candidate; fi
done
if [ -z "$crate" ]; then
  echo "monty-$version.crate with the checksum $checksum is not in the registry's cache" >&2
  exit 1
fi

# Two runs at a time write two folders; the last one stays.
mkdir -p "$here/../target"
work=$(mktemp -d "$here/../target/monty.XXXXXX")
trap 'rm -rf "$work"' EXIT
tar -xmzf "$crate" -C "$work" --strip-components=1
# With the time of now (-m): cargo goes by it. What only Monty's own tests need would be resolved for nothing.
rm -rf "$work/tests" "$work/test_cases" "$work/Cargo.lock" "$work/Cargo.toml.orig"
for patch in "$here"/patches/*.patch; do
  # Without fuzz: a hunk that does not fit exactly is one that somebody has to read.
  patch --quiet --batch --fuzz=0 --no-backup-if-mismatch -p1 -d "$work" <"$patch" || {
    echo "$(basename "$patch") does not apply to monty $version" >&2
    exit 1
  }
done
cp -R "$here/src/." "$work/src/"
echo "$stamp" >"$work/.stamp"
rm -rf "$generated"
mv "$work" "$generated"
chmod 755 "$generated"
