#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of the autograder.
set -euo pipefail
apt-get update
apt-get install -y python3 python3-venv bubblewrap perl
python3 -m venv /opt/crosscount
# A wheel beside this file is taken before the one of the package index.
cd /autograder/source
wheel=$(ls crosscount-*.whl 2>/dev/null | head -n 1 || true)
/opt/crosscount/bin/pip install "${wheel:-crosscount}[grade]"
