"""Applies operations that must not change a score: each container, codec and frame rate with each operation, in one
process for all pairs of a table. Every cell has its expected answer, and a file that ffmpeg cannot make fails the
case."""

import json
import subprocess

from command import FOVEA, Skipped, case, check, ffmpeg, run

# Containers that can store the packets of each codec, as Debian's ffmpeg writes them.
TAKES = {
    "libx264": "mkv mp4 mov ts flv nut",
    "libx265": "mkv mp4 mov ts nut",
    "mpeg2video": "mkv mp4 mov ts avi mxf nut",
    "mpeg4": "mkv mp4 mov ts avi nut",
    "libvpx": "mkv webm avi nut",
    "libvpx-vp9": "mkv mp4 webm nut",
    "libsvtav1": "mkv mp4 webm nut",
    "mjpeg": "mkv mov avi nut",
    "ffv1": "mkv mov avi nut",
    "prores_ks": "mkv mov nut",
    "rawvideo": "mkv nut",  # from AVI, ffmpeg copies raw frames into NUT in pieces
}
OPTIONS = {
    "libx264": ["-bf", "2", "-g", "12", "-preset", "ultrafast"],
    "libx265": ["-preset", "ultrafast", "-x265-params", "log-level=0:open-gop=0:keyint=12:bframes=2"],
    "mpeg2video": ["-bf", "2", "-g", "12", "-flags", "cgop", "-sc_threshold", "1000000000"],
    "mpeg4": ["-bf", "2", "-g", "12", "-flags", "cgop", "-sc_threshold", "1000000000"],
    "libvpx": ["-deadline", "realtime", "-g", "12"],
    "libvpx-vp9": ["-deadline", "realtime", "-cpu-used", "8", "-g", "12", "-strict", "experimental"],
    "libsvtav1": ["-preset", "12", "-g", "12"],
    "ffv1": ["-level", "3", "-g", "12"],
    "prores_ks": ["-pix_fmt", "yuv422p10le"],
}
RATES = ["24", "25", "24000/1001", "30000/1001", "50", "60000/1001", "60"]
MANY = ("libx264", "mpeg4")  # codecs that are tested at every rate
OTHERS = ("25", "30000/1001")
FRAMES, CUT = 24, 12


def rates(codec):
    allowed = set(RATES)
    if codec == "mpeg2video":  # ffmpeg's MXF muxer refuses the other rates
        allowed = {"25", "30000/1001"}
    return [rate for rate in RATES if rate in allowed and (codec in MANY or rate in OTHERS)]


def encode(codec, rate, name, *more):
    wide, high = (128, 96) if codec == "libsvtav1" else (64, 64)
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={wide}x{high}:r={rate}", "-frames:v", str(FRAMES),
           "-pix_fmt", "yuv420p", "-c:v", codec, *OPTIONS.get(codec, []), *more, name)


def make(*args):
    """Runs ffmpeg as ffmpeg() does, but fails the case if ffmpeg fails."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-y", *args], stderr=subprocess.PIPE, check=False)
    check(not done.returncode, f"ffmpeg {' '.join(args)}: {done.stderr.decode().strip()[:200]}")


def answers(pairs):
    """Scores all pairs in one process. Returns for each pair "same", its difference, or the error."""
    jobs = "".join(json.dumps(list(pair)) + "\n" for pair in pairs)
    done = subprocess.run([FOVEA, "score", "--batch", "-", "-m", "psnr,float_ssim", "--device", "cpu",
                           "--threads", "2"],
                          input=jobs.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=240)
    found = {}
    for line in done.stdout.decode().splitlines():
        value = json.loads(line)
        if "scores" not in value:
            found[value["job"]] = value.get("error", line)
            continue
        cap = 72 if any(pool["max"] > 60 for name, pool in value["scores"].items() if name.startswith("psnr")) else 60
        least = {name: pool["min"] for name, pool in value["scores"].items()}
        same = all(v == (1 if name == "float_ssim" else cap) for name, v in least.items())
        found[value["job"]] = ("same" if same else f"differs: {least}") + f", {value['frames']} frames"
    return [found.get(i + 1, "no answer: " + done.stderr.decode()[-200:]) for i in range(len(pairs))]


def expect(cells):
    """Checks cells, which are (name, pair, expected answer)."""
    wrong = [f"{name}: {got}, not {want}" for (name, _, want),
             got in zip(cells, answers([pair for _, pair, _ in cells]))
             if got != want]
    check(not wrong, f"{len(wrong)} of {len(cells)} cells: " + "; ".join(wrong[:4]))


def usable(codecs):
    """Returns `codecs`; skips the case if this ffmpeg lacks one of their encoders."""
    try:
        listed = subprocess.run(["ffmpeg", "-v", "error", "-encoders"], stdout=subprocess.PIPE,
                                check=True).stdout.decode()
    except FileNotFoundError as missing:
        raise Skipped("ffmpeg is missing") from missing
    lacking = [codec for codec in codecs if f" {codec} " not in listed]
    if lacking:
        raise Skipped("this ffmpeg lacks " + ", ".join(lacking))
    return codecs


@case
def remuxed_packets_are_the_same_video():
    """Packets are copied from each container into every other one that takes the codec, and once more from there."""
    cells = []
    for codec in usable(list(TAKES)):
        containers = TAKES[codec].split()
        for rate in rates(codec):
            stem = f"{codec}-{rate.replace('/', '_')}"
            encode(codec, rate, f"{stem}.mkv")
            outputs = [word for c in containers if c != "mkv"
                       for word in ("-c", "copy", "-strict", "experimental", f"{stem}.{c}")]
            make("-i", f"{stem}.mkv", *outputs)
            second = [word for c in containers if c != containers[1]
                      for word in ("-c", "copy", "-strict", "experimental", f"{stem}.2.{c}")]
            make("-i", f"{stem}.{containers[1]}", *second)
            names = [f"{stem}.{c}" for c in containers if c != "mkv"] + [f"{stem}.2.{c}" for c in containers
                                                                         if c != containers[1]]
            cells += [(name, (f"{stem}.mkv", name), f"same, {FRAMES} frames") for name in names]
            cells += [(f"{containers[1]} against {name}", (f"{stem}.{containers[1]}", name), f"same, {FRAMES} frames")
                      for name in names]
    check(len(cells) > 300, f"{len(cells)} cells")
    expect(cells)


@case
def copies_cuts_tags_and_lossless_recodings_are_the_same_video():
    cells = []
    for codec in usable(list(TAKES)):
        stem, rate, intra = codec, "25", codec in ("mjpeg", "ffv1", "prores_ks", "rawvideo")
        # Without B-frames, a cut in packet order is also one in display order.
        encode(codec, rate, f"{stem}.mkv", *(["-bf", "0"] if codec.startswith("mpeg") else []))
        source = f"{stem}.mkv"
        first = TAKES[codec].split()[1]
        deep = ["-pix_fmt", "yuv422p10le" if codec == "prores_ks" else "yuv420p10le"]
        plain = ["-pix_fmt", "yuv422p10le" if codec == "prores_ks" else "yuvj420p" if codec == "mjpeg" else "yuv420p"]
        same_range = ["-vf", "scale=in_range=full:out_range=full,format=yuv420p", "-color_range", "pc"]
        make("-i", source, "-c", "copy", "-strict", "experimental", "-frames:v", str(CUT), f"{stem}.cut.mkv",
             "-c:v", "ffv1", *(same_range if codec == "mjpeg" else plain), f"{stem}.ffv1.mkv", "-c:v", "libx264",
             "-qp", "0", "-preset", "ultrafast", *plain, f"{stem}.qp0.mp4", "-c:v", "ffv1", *deep, f"{stem}.deep.mkv",
             *(["-strict", "-1", *plain, f"{stem}.y4m"]))
        make("-ss", "0.48", "-i", source, "-c", "copy", "-strict", "experimental", f"{stem}.late.{first}")
        whole = f"same, {FRAMES} frames"
        cells += [(f"{stem} {how}", (source, name), whole) for how, name in (
            ("ffv1", f"{stem}.ffv1.mkv"), ("qp0", f"{stem}.qp0.mp4"), ("y4m", f"{stem}.y4m"))]
        if codec != "mjpeg":  # full range has no exact equivalent in 10 bits
            cells.append((f"{stem} 10 bits", (source, f"{stem}.deep.mkv"), whole))
        cells += [(f"{stem} cut", (source, f"{stem}.cut.mkv", "--frames", str(CUT)), f"same, {CUT} frames"),
                  (f"{stem} against itself", (source, source), whole),
                  (f"{stem} late", (source, f"{stem}.late.{first}", "--frame-skip-ref", str(CUT)),
                   f"same, {FRAMES - CUT} frames")]
        check(intra or codec in OPTIONS, codec)
    for codec in ("libx264", "libx265"):  # the added tags state what holds anyway, or change no sample
        name = codec[3:].replace("x", "h")
        make("-i", f"{codec}.mkv", "-c", "copy",
             "-bsf:v", f"{'h264' if name == 'h264' else 'hevc'}_metadata=video_full_range_flag=0",
             f"{codec}.limited.mkv")
        make("-i", f"{codec}.limited.mkv", "-c", "copy", f"{codec}.limited.mp4")
        cells += [(f"{codec} limited in {c}", (f"{codec}.mkv", f"{codec}.limited.{c}"), f"same, {FRAMES} frames")
                  for c in ("mkv", "mp4")]
    expect(cells)


if __name__ == "__main__":
    run()
