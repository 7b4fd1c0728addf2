"""Checks that sound encodes cause no warning: encodes by each codec of this ffmpeg, at ordinary and at the lowest
rates, of many kinds of sources, and of scenes that an encode may change in a part.

    alarms.py FOVEA SOURCE_ROOT       every 47th cell of the table
    alarms.py FOVEA SOURCE_ROOT N     every N-th cell; 1: the whole table, with the counts at the end

A cell whose encoder is missing, or that ffmpeg refuses for this source, is counted as such."""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

FOVEA, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
EVERY = int(sys.argv[3]) if sys.argv[3:] else 47
DATA = os.path.join(ROOT, "..", "shared", "data")
SIZE = "s=352x288:r=25"
# Options of `gradients` that leave nothing to chance; a seed alone does not.
COLOURS = "speed=0.05:seed=7:x0=96:y0=0:x1=96:y1=127:n=3:c0=#c83232:c1=#3232c8:c2=#f0e0a0"

# Name of each source, and the lavfi filter that makes it; every source has at most 12 frames.
SOURCES = [
    ("testsrc2", f"testsrc2={SIZE}"), ("testsrc", f"testsrc={SIZE}"), ("bars", f"smptehdbars={SIZE}"),
    ("mandelbrot", f"mandelbrot={SIZE}"), ("gradients", f"gradients={SIZE}:{COLOURS}"),
    ("cells", f"cellauto={SIZE}:rule=18:seed=3"),
    ("life", f"life={SIZE}:seed=3:mold=10:life_color=#c83232:death_color=#3232c8"),
    ("noise", f"testsrc2={SIZE},noise=alls=40:allf=t"), ("dark", f"testsrc2={SIZE},eq=brightness=-0.35:contrast=0.4"),
    ("fade", f"testsrc2={SIZE},fade=in:0:10"), ("leader", f"testsrc2={SIZE},drawbox=t=fill:c=black:enable='lt(n,5)'"),
    ("fade_out", f"mandelbrot={SIZE},fade=out:2:9"), ("flat", f"color=c=#a06428:{SIZE}"),
    ("gray", f"mandelbrot={SIZE},hue=s=0"),
    ("pale", f"testsrc2={SIZE},hue=s=0.15"), ("zone", f"zoneplate=s=352x288:r=25:ku=512:kv=100") ,
    ("one", f"testsrc2={SIZE}"), ("odd", "testsrc2=s=350x286:r=25"),
    ("bars_of_film", f"testsrc2=s=352x216:r=25,pad=352:288:0:36"), ("scroll", f"testsrc2={SIZE},scroll=h=0.01"),
    ("park_joy", "park_joy_420_720p50_frm0to9_480x270.y4m"), ("src01", "src01_hrc00_576x324.yuv420p10le.yuv"),
]
SHOT = "s=192x128:r=25"
SHOTS = (f"testsrc2={SHOT},trim=end_frame=40[a];mandelbrot={SHOT},trim=end_frame=40[b]"
         f";testsrc={SHOT},trim=end_frame=40[c]")
EARLY = SHOTS.replace("end_frame=40[a]", "end_frame=38[a]").replace("end_frame=40[b]", "end_frame=42[b]")
LATE = SHOTS.replace("trim=end_frame=40[b]", "trim=start_frame=2:end_frame=42,setpts=PTS-STARTPTS[b]")
JOIN, ZOOM = "[a][b][c]concat=n=3", f"mandelbrot={SHOT}:start_scale=1.5"
# Name of each scene of 120 frames, the lavfi graph that makes it, and the filter or graph of what is encoded.
SCENES = [
    ("shots", f"{SHOTS};{JOIN}", ""), ("slow fade", f"mandelbrot={SHOT},fade=in:0:100", ""),
    ("dips", f"{SHOTS};{JOIN},fade=out:30:10,fade=in:40:20:enable='gte(n,40)'", ""),
    ("to white", f"testsrc2={SHOT},fade=out:20:90:color=white", ""),
    ("dissolve", f"testsrc2={SHOT}[a];{ZOOM}[b];[a][b]xfade=duration=2:offset=1", ""),
    ("flashes", f"mandelbrot={SHOT},eq=brightness=0.5:enable='lt(mod(n,24),3)'", ""),
    ("long flash", f"mandelbrot={SHOT},eq=brightness=0.3:enable='between(n,40,70)'", ""),
    ("club", f"mandelbrot={SHOT},hue=H=t*3:s=2", ""), ("sunset", f"mandelbrot={SHOT},hue=s=2-t/2.5", ""),
    ("another cut", f"{LATE};{JOIN}", f"{EARLY};{JOIN}"),
    ("subtitle", f"mandelbrot={SHOT}", "drawbox=30:104:130:10:white:fill:enable='between(n,30,80)'"),
    ("box", f"testsrc2={SHOT}", "drawbox=0:96:192:22:black:fill:enable='between(n,30,80)'"),
    ("logo", f"testsrc2={SHOT}", "drawbox=150:8:30:24:red:fill:enable='between(n,30,90)'"),
    ("long leader", f"testsrc2={SHOT},drawbox=t=fill:c=black:enable='lt(n,40)'", ""),
    ("letterbox", f"{ZOOM},drawbox=0:0:192:16:black:fill:enable='lt(n,60)'"
     ",drawbox=0:112:192:16:black:fill:enable='lt(n,60)'", ""),
    ("gray shot", f"mandelbrot={SHOT},hue=s=0:enable='between(n,40,79)'", ""),
    ("pale shot", f"testsrc2={SHOT},hue=s=0.12:enable='between(n,40,79)'", ""),
    ("night", f"mandelbrot={SHOT},eq=brightness=-0.3:contrast=0.3:enable='gte(n,50)',noise=alls=6:allf=t", ""),
    ("grain", f"{ZOOM},noise=alls=25:allf=t:enable='between(n,40,90)'", ""),
    ("credits", "life=s=48x32:r=25:mold=0:ratio=0.1:seed=2,scale=192:128:flags=neighbor,scroll=v=0.01", ""),
    ("long cells", f"cellauto={SHOT}:rule=18:seed=3", ""), ("long life", f"life={SHOT}:seed=3:mold=10", ""),
    ("long gradients", f"gradients={SHOT}:{COLOURS}", ""), ("still", f"mandelbrot={SHOT},loop=120:1", ""),
    ("pan", "testsrc2=s=384x128:r=25,crop=192:128:n:0", ""),
]
# Name of each encode, ffmpeg's options that make it from the source, and its file extension.
ENCODES = [
    ("x264 18", "-c:v libx264 -crf 18", "mkv"), ("x264 35", "-c:v libx264 -crf 35", "mp4"),
    ("x264 51", "-c:v libx264 -crf 51", "mkv"), ("x264 12k", "-c:v libx264 -b:v 12k", "mkv"),
    ("x265 28", "-c:v libx265 -crf 28 -pix_fmt yuv420p10le", "mkv"), ("x265 51", "-c:v libx265 -crf 51", "mp4"),
    ("av1 35", "-c:v libsvtav1 -crf 35 -preset 10", "mkv"), ("av1 63", "-c:v libsvtav1 -crf 63 -preset 10", "mkv"),
    ("vp9 36", "-c:v libvpx-vp9 -crf 36 -b:v 0 -cpu-used 8", "webm"),
    ("vp9 63", "-c:v libvpx-vp9 -crf 63 -b:v 0 -cpu-used 8", "webm"),
    ("vp8 low", "-c:v libvpx -b:v 30k -cpu-used 8", "webm"), ("mpeg2 2", "-c:v mpeg2video -q:v 2", "ts"),
    ("mpeg2 31", "-c:v mpeg2video -q:v 31", "mkv"), ("mpeg1 20", "-c:v mpeg1video -q:v 20", "mkv"),
    ("mpeg4 31", "-c:v mpeg4 -q:v 31", "avi"), ("xvid 8", "-c:v libxvid -q:v 8", "avi"),
    ("mjpeg 31", "-c:v mjpeg -q:v 31 -strict unofficial -pix_fmt yuv420p", "avi"),
    ("theora 0", "-c:v libtheora -q:v 0", "ogv"),
    ("h263 31", "-c:v h263p -q:v 31", "avi"), ("wmv2 31", "-c:v wmv2 -q:v 31", "avi"),
    ("flv 20", "-c:v flv -q:v 20", "flv"),
    ("snow", "-c:v snow -q:v 12", "avi"), ("jpeg2000", "-c:v jpeg2000 -q:v 20", "mkv"),
    ("dirac", "-c:v vc2 -b:v 20M", "mkv"),
    ("ffv1", "-c:v ffv1", "mkv"), ("prores", "-c:v prores_ks -profile:v 0", "mov"),
    ("asv1", "-c:v asv1 -q:v 31", "avi"),
    ("144 lines", "-vf scale=256:144,scale={w}:{h} -c:v libx264 -crf 30", "mkv"),
    ("72 lines", "-vf scale=128:72:flags=bilinear,scale={w}:{h} -c:v ffv1", "mkv"),
    ("denoised", "-vf hqdn3d=12 -c:v libx264 -crf 28", "mkv"), ("blurred", "-vf gblur=sigma=3 -c:v ffv1", "mkv"),
    ("sharp", "-vf unsharp=7:7:2.5 -c:v ffv1", "mkv"),
    ("grain", "-vf noise=alls=30:allf=t -c:v libx264 -crf 30", "mkv"),
    ("chroma low", "-c:v libx264 -crf 38 -x264-params chroma-qp-offset=12", "mkv"),
]
# Warnings that are right: these encodes flatten or clip their pictures, leave frames out, or delay a motion, as
# filters over time do: PSNR rises if frames are shifted back.
RIGHT = {("cells", "prores"): "level", ("life", "sharp"): "level", ("leader", "theora 0"): "black",
         ("park_joy", "x264 12k"): "one_colour", ("night", "x265 51"): "frozen",
         ("long gradients", "denoised"): "offset", ("long leader", "theora 0"): "black offset",
         ("long cells", "mjpeg 31"): "level", ("long cells", "asv1"): "level", ("long life", "sharp"): "tone"}


def ffmpeg(*args):
    done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-nostdin", *args], stderr=subprocess.PIPE, check=False,
                          timeout=300)
    return not done.returncode


def make_source(name, text, path, count=10):
    frames = ["-frames:v", "1" if name == "one" else str(count)]
    if "=" in text:
        return ffmpeg("-f", "lavfi", "-i", text, *frames, "-pix_fmt", "yuv420p", path)
    shape = ["-f", "rawvideo", "-s", "576x324", "-pix_fmt", "yuv420p10le"] if text.endswith(".yuv") else []
    return ffmpeg(*shape, "-i", os.path.join(DATA, text), *frames, "-pix_fmt", "yuv420p", path)


def make_scene(name, graph, change, path):
    """Writes a scene and, where encodes are made of a changed one, that too."""
    given = ("-f", "lavfi", "-i", change) if ";" in change else ("-i", path, "-vf", change)
    return make_source(name, graph, path, 120) and (
        not change or ffmpeg(*given, "-frames:v", "120", "-pix_fmt", "yuv420p", path + ".changed.y4m"))


def size_of(path):
    with open(path, "rb") as file:
        words = file.readline().decode().split()
    return [next(word[1:] for word in words if word[0] == letter) for letter in "WH"]


def try_cell(cell):
    """Returns the warnings that a cell causes; None if ffmpeg does not make the encode."""
    folder, source, (name, options, ending) = cell
    ref = os.path.join(folder, source + ".y4m")
    dis = os.path.join(folder, f"{source} {name}.{ending}".replace(" ", "_"))
    if not os.path.exists(ref):
        return None
    width, height = size_of(ref)
    made_of = ref + ".changed.y4m"
    if not ffmpeg("-i", made_of if os.path.exists(made_of) else ref, *options.format(w=width, h=height).split(),
                  "-threads", "1", dis):
        return None
    done = subprocess.run([FOVEA, "score", ref, dis, "-m", "psnr", "--device", "cpu", "--threads", "1", "--shortest",
                           "--ignore-rate", "--convert", "range,depth,chroma", "-o", dis + ".json", "-q"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=300)
    os.remove(dis)
    if done.returncode:
        return [f"refused: {done.stderr.decode().strip()}"]
    with open(dis + ".json", encoding="utf-8") as file:
        events = json.load(file)["events"]
    return [f"{event['kind']} {event['gain'] or ''}: {event['text']}" for event in events
            if event["kind"] not in RIGHT.get((source, name), "").split()]


def main():
    made = alarms = count = 0
    with tempfile.TemporaryDirectory() as folder:
        names = [source[0] for source in SOURCES + SCENES]
        cells = [(folder, name, encode) for name in names for encode in ENCODES][::EVERY]
        wanted = {source for _, source, _ in cells}
        for source, text in SOURCES:
            if source in wanted:
                make_source(source, text, os.path.join(folder, source + ".y4m"))
        for name, graph, change in SCENES:
            if name in wanted:
                make_scene(name, graph, change, os.path.join(folder, name + ".y4m"))
        lines = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (_, source, encode), told in zip(cells, pool.map(try_cell, cells)):
                count += 1
                if told is None:
                    lines.append(f"ok {count} - {source}, {encode[0]} # SKIP ffmpeg does not make it")
                    continue
                made += 1
                alarms += bool(told)
                lines.append(f"{'not ' if told else ''}ok {count} - {source}, {encode[0]}")
                lines += ["# " + text for text in told]
                if told and EVERY == 1:
                    print("\n".join(lines[-1 - len(told):]), flush=True)
    print("\n".join([f"1..{count}"] + lines) if EVERY > 1 else "", end="\n")
    print(f"# {made} encodes, {count - made} not made, {alarms} with a warning")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
