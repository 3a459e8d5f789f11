#!/bin/sh
# Brings node_modules up to date with package-lock.json, when it is not. Runs before `npm start` and `npm test`, on whatever Node
# the machine has: everything after it runs on the project's own.
set -eu
cd "$(dirname "$0")/.."
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  echo 'floodgauge: installing dependencies (the first time, and after an update)' >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
fi
