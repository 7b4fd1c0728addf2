"""docs/loops.md: its search runs as it stands there, with a real encoder."""

import os
import re
import subprocess

from command import FOVEA, ROOT, case, check, ffmpeg, fovea, run


def worst(crf):
    ffmpeg("-i", "source.mkv", "-c:v", "libx264", "-preset", "veryfast", "-crf", str(crf), "check.mkv")
    return float(fovea("score", "source.mkv", "check.mkv", "--print", "vmaf:p5")[0])


@case
def search():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x240:r=25,noise=alls=9", "-frames:v", "8", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
           "source.mkv")
    with open(os.path.join(ROOT, "docs", "loops.md"), encoding="utf-8") as page:
        script = re.search(r"```sh\n(.*?)```", page.read(), re.S)[1]
    os.mkdir("bin")
    os.symlink(os.path.abspath(FOVEA), "bin/fovea")
    done = subprocess.run(["sh", "-ec", script], capture_output=True, timeout=200, check=False,
                          env=dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"]))
    found = re.fullmatch(r"--crf (\d+)\n", done.stdout.decode())
    check(not done.returncode and found, f"the search ends with {done.returncode}: {done.stdout} {done.stderr[-200:]}")
    crf = int(found[1])
    check(10 < crf < 50, f"the clip decides nothing: {crf}")
    check(worst(crf) >= 90 > worst(crf + 1), f"{crf} is not the highest: {worst(crf)}, {worst(crf + 1)}")


if __name__ == "__main__":
    run()
