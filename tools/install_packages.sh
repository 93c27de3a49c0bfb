#!/bin/sh
# Installs the Debian packages named on the command line that are missing; if that is not allowed,
# names them and stops. Does nothing on a machine that has them, or that has no dpkg.
command -v dpkg-query >/dev/null 2>&1 || exit 0
missing=""
for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then sudo=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo="sudo"
else
    echo "purl needs these Debian packages, and may not install them:$missing" >&2
    echo "install them:  sudo apt-get install$missing" >&2
    exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { $sudo apt-get update && $sudo apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "could not install:$missing (full log: $log)" >&2
    exit 1
fi
rm -f "$log"
