#!/usr/bin/env bash
# Makes the environment that the tests and `make lab` use: a Python virtual environment in .venv with
# the packages of lab/requirements.txt, and Chromium where the system's package manager can give it.
# What cannot be had is said, and the tests that need it say that they were left out.
#
#   lab/setup.sh [--browser] [--quiet]
set -euo pipefail
cd "$(dirname "$0")/.."
browser=no quiet=no
for arg in "$@"; do
  case $arg in
    --browser) browser=yes ;;
    --quiet) quiet=yes ;;
    *) echo "lab/setup.sh: unknown argument $arg" >&2; exit 2 ;;
  esac
done
say() { [ "$quiet" = yes ] || echo "lab: $*"; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"; else return 1; fi; }
apt_install() {
  command -v apt-get >/dev/null || return 1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1 && return 0
  as_root apt-get update -qq >/dev/null 2>&1 || return 1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1
}

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  say "no $python found, asking the system's packages for it"
  apt_install python3 python3-venv || { echo "lab: Python 3.10 or newer is needed: install it, or set PYTHON=/path/to/python3" >&2; exit 1; }
fi
wanted=$(cat lab/requirements.txt lab/setup.sh | sha256sum | cut -d' ' -f1)
if [ "$(cat .venv/.requirements 2>/dev/null)" != "$wanted" ]; then
  say "installing JupyterLab and the clients into .venv (about a minute)"
  rm -rf .venv
  "$python" -m venv .venv 2>/dev/null || { apt_install python3-venv && "$python" -m venv .venv; } ||
    { echo "lab: $python cannot make a virtual environment: install python3-venv" >&2; exit 1; }
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r lab/requirements.txt
  echo "$wanted" > .venv/.requirements
fi
if [ "$browser" = yes ] && ! command -v chromium chromium-browser google-chrome >/dev/null; then
  say "installing Chromium from the system's packages"
  apt_install chromium fonts-dejavu-core || say "no Chromium here: the browser tests will be left out (install chromium, or set CHROMIUM=/path)"
fi
say "ready: $(.venv/bin/jupyter-lab --version 2>/dev/null | sed 's/^/JupyterLab /')"
