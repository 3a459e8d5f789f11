#!/bin/sh
# Brings node_modules up to date with package-lock.json, and the build of the web console with its source, when they are not. Runs before
# `npm start` and `npm test`, on whatever Node the machine has: everything after it runs on the project's own.
set -eu
cd "$(dirname "$0")/.."
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  echo 'floodgauge: installing dependencies (the first time, and after an update)' >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
fi
# The page is written last but one thing: the compressed assets. `built` stands for all of it.
built=web/dist/built
if [ -x node_modules/.bin/vite ] && { [ ! -e "$built" ] || [ -n "$(find web src/contract client package-lock.json -newer "$built" \
  -not -path 'web/dist*' -not -name '*.test.ts' -type f | head -n 1)" ]; }; then
  echo 'floodgauge: building the web console (the first time, and after a change)' >&2
  PATH="$PWD/node_modules/.bin:$PATH" node_modules/.bin/vite build --config web/vite.config.ts --logLevel warn >&2
  touch "$built"
fi
