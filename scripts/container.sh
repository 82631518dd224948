#!/usr/bin/env bash
# Builds the image of dist/container/Containerfile where there is no registry, and tries it: the base image is made of Debian's own packages
# (debootstrap), under the name that the recipe asks for; buildah runs the recipe as it stands; in the container, as its user, a
# notebook is executed and the recipe's command has to serve it. Needs root, debootstrap, buildah, 2 GB in build/, the package archives of Debian and PyPI.
#
#   make dist && scripts/container.sh
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "container.sh: making a root file system needs root" >&2; exit 1; }
for tool in debootstrap buildah; do
  command -v $tool >/dev/null || { echo "container.sh: $tool is needed: apt install $tool" >&2; exit 1; }
done
ls build/dist/*.whl >/dev/null 2>&1 || { echo "container.sh: there are no wheels in build/dist: make dist" >&2; exit 1; }
# Debian's Python 3.13 is the one that the recipe's base image has.
suite=trixie base=$(sed -n 's/^FROM //p' dist/container/Containerfile) work=$PWD/build/container
rm -rf "$work" && mkdir -p "$work"
store() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
clean() { [ -n "${KEEP:-}" ] || rm -rf "$work"; }
trap clean EXIT

echo "container: $base from Debian $suite"
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates $suite "$work/base" >"$work/debootstrap.log" || { tail "$work/debootstrap.log" >&2; exit 1; }
chroot "$work/base" python3 -m venv /usr/local # where the base image has its Python
cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$work/base/etc/ssl/certs/host.crt"
tar -C "$work/base" -cf "$work/base.tar" . && rm -rf "$work/base"
cat >"$work/Base" <<'EOF'
FROM scratch
ADD base.tar /
ENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin PIP_CERT=/etc/ssl/certs/host.crt
EOF
store build --quiet --isolation chroot --pull=never -t "$base" -f "$work/Base" "$work"
rm "$work/base.tar"
echo "container: the recipe"
store build --quiet --isolation chroot --pull=never -t vyre-kernel -f dist/container/Containerfile .
container=$(store from --pull=never localhost/vyre-kernel)
within() { store run --isolation chroot "$container" -- "$@"; }

echo "container: a notebook"
within sh -ec '
  test "$(id -u):$PWD" = 1000:/home/vyre
  jupyter kernelspec list | grep -w vyre
  cp notebooks/01-tour.ipynb /tmp/tour.ipynb
  jupyter execute --inplace /tmp/tour.ipynb'
within python -c '
import json
outputs = [o for c in json.load(open("/tmp/tour.ipynb"))["cells"] for o in c.get("outputs", [])]
assert outputs and not [o for o in outputs if o["output_type"] == "error"], outputs
print(len(outputs), "outputs")'

echo "container: its command"
command=$(store inspect --format "{{.OCIv1.Config.Cmd}}" "$container" | tr -d "[]")
within timeout 120 python -c '
import json, subprocess, sys, time, urllib.request
server = subprocess.Popen(sys.argv[1:] + ["--port=18888", "--IdentityProvider.token=t"], stderr=subprocess.DEVNULL)
try:
    for _ in range(600):
        assert server.poll() is None, "the server ended by itself"
        try:
            r = urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:18888/api/contents", headers={"Authorization": "token t"}))
            break
        except OSError:
            time.sleep(0.1)
    names = [f["name"] for f in json.load(r)["content"]]
    assert "01-tour.ipynb" in names, names
    print("serves", ", ".join(sorted(names)))
finally:
    server.terminate()
    server.wait(30)' $command
echo "container: the image is built, executes notebooks and serves them"
