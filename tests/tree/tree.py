"""What the tests of the tree share: which files it has, and how a test answers."""

import os
import subprocess


def tracked(root):
    """Files of the tree from its root, those that git ignores left out; of a tarball all files."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, check=False).stdout.decode().split("\0")
    files = [path for path in listed if path and os.path.isfile(os.path.join(root, path))]
    return files or [os.path.relpath(os.path.join(folder, name), root)
                     for folder, _, names in os.walk(root) for name in names]


def answer(checks):
    """Writes TAP for checks by name, each with its list of faults. Returns whether one has any: an exit code."""
    print(f"1..{len(checks)}")
    for number, (name, faults) in enumerate(checks.items(), 1):
        print(f"{'not ' if faults else ''}ok {number} - {name}")
        for fault in faults:
            print(f"# {fault}")
    return any(checks.values())
