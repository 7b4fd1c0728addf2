"""Functions that tests of the tree share: the list of its files, and how a test reports."""

import os
import subprocess


def tracked(root):
    """Returns the paths of the tree's files, without files that git ignores. A tarball has no git, so all its files
    count."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, check=False).stdout.decode().split("\0")
    files = [path for path in listed if path and os.path.isfile(os.path.join(root, path))]
    return files or [os.path.relpath(os.path.join(folder, name), root)
                     for folder, _, names in os.walk(root) for name in names]


def answer(checks):
    """Prints TAP for checks, given by name with their lists of faults. Returns whether there is a fault, as the exit
    code."""
    print(f"1..{len(checks)}")
    for number, (name, faults) in enumerate(checks.items(), 1):
        print(f"{'not ' if faults else ''}ok {number} - {name}")
        for fault in faults:
            print(f"# {fault}")
    return any(checks.values())
