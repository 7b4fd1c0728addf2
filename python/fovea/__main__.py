"""Runs the command `fovea` for `python -m fovea`: the one installed with the package, else the first in PATH."""

import os
import shutil
import sys
import sysconfig


def main():
    near = os.path.join(sysconfig.get_path("scripts"), "fovea")
    command = near if os.access(near, os.X_OK) else shutil.which("fovea")
    if not command:
        sys.exit("python -m fovea: the command fovea is installed neither with this Python nor in the PATH")
    os.execv(command, ["fovea", *sys.argv[1:]])


main()
