"""Names the cases that a system cannot run. FOVEA_WITHOUT names a file with lines 'FILE CASE: REASON'."""

import os
import sys


def left_out():
    """Returns the cases of this program that the system cannot run, each with its reason."""
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0] + " "
    with open(os.environ.get("FOVEA_WITHOUT") or os.devnull, encoding="utf-8") as file:
        return dict(line[len(name):].strip().split(": ", 1) for line in file if line.startswith(name))
