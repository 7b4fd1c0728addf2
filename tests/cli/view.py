"""Talks to fovea view as a browser does: its answers, the clients that it refuses, and its conduct under many or
malicious clients."""

import base64
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import threading

import clip
from command import (DEVICE, FOVEA, GATE, ROOT, INPUT, OUTPUT, USAGE, Skipped, case, check, ffmpeg, fovea, read,
                     report, run, without_leak_check, write)
from server import Server

WIDTH, HEIGHT, FRAMES = 48, 32, 6


def reals(text):
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def videos(depth=8, frames=FRAMES, width=WIDTH, height=HEIGHT):
    write("r.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=3))
    write("d.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=4))
    return "-r", "r.y4m", "-d", "d.y4m"


@case
def says_what_it_lacks_or_wants():
    with Server(*videos()):
        pass
    fovea("view", status=USAGE, says="fovea view REFERENCE DISTORTED")
    fovea("view", "-d", "none.y4m", "-m", "cambi", status=INPUT, says="none.y4m")
    fovea("view", "-d", "d.y4m", "-m", "psnr", status=USAGE, says="-r FILE")
    fovea("view", *videos(), "-m", "nix", status=USAGE, says="nix")
    fovea("view", *videos(), "-m", "psnr", "--listen", "localhost", status=USAGE, says="numbers")
    fovea("view", "-r", "r.y4m", "-d", "-", "-m", "psnr", status=INPUT, says="only once", stdin=read("d.y4m"))
    with Server(*videos(), "-m", "psnr") as server:
        fovea("view", *videos(), "-m", "psnr", "--port", str(server.port), status=OUTPUT, says=str(server.port))


@case
def tells_strangers_nothing():
    with Server(*videos(), "-m", "psnr") as server:
        wrong = ["", "x", server.token[:-1], server.token + "0",
                 server.token[:-1] + ("0" if server.token[-1] != "0" else "1"),
                 server.token.upper() if server.token.upper() != server.token else "x"]
        for token in wrong:
            for what in ("", "clip", "frame?frame=0&side=1"):
                status, body, _ = server.ask(what, token=token)
                check((status, body) == (403, b""), f"token '{token}', {what}: {status} {body}")
        for host in ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example",
                     "[::1", "", ":80", "127.0.0.1:80@evil", "localhost:80/x", "[::1]:80:80", "localhost:8o"):
            status, body, _ = server.ask("clip", headers={"Host": host})
            check((status, body) == (403, b"") or status == 400, f"host '{host}': {status} {body}")
        for host in ("localhost", "localhost:1", "127.0.0.1:80", "[::1]:80", "192.168.0.7:99"):
            check(server.ask("clip", headers={"Host": host})[0] == 200, f"host '{host}' is refused")
        for hosts in ("Host: localhost\r\nHost: evil.example\r\n", "Host: localhost\r\nHost: localhost\r\n", ""):
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.send(f"GET /{server.token}/clip HTTP/1.0\r\n{hosts}\r\n".encode())
                check(client.recv(12)[9:12] in (b"403", b"400"), f"'{hosts}' is answered")
        check(server.ask("", method="POST")[0] == 405, "POST is answered")
        for path in ("/", "/etc/passwd", "/../../etc/passwd", "/%2e%2e/", "//"):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", path)
            check(connection.getresponse().status == 403, f"{path} is answered")


@case
def page_may_load_nothing_else():
    with Server(*videos(), "-m", "psnr") as server:
        status, body, headers = server.ask("")
        policy = headers["Content-Security-Policy"]
        check(status == 200 and "default-src 'none'" in policy and "unsafe" not in policy and
              "sha256-" in policy, policy)
        check(headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer",
              f"{headers}")
        for name in ["score.js", "plot.js"] + sorted(n for n in os.listdir(os.path.join(ROOT, "web"))
                                                     if n.startswith("view")):
            check(read(os.path.join(ROOT, "web", name)) in body, f"the page is not made of {name}")
        check(b"http://" not in body and b"https://" not in body, "something comes from elsewhere")
        value = json.loads(server.get("clip"))
        check(value["encodes"][0]["distorted"]["name"] == "d.y4m" and os.getcwd() not in json.dumps(value),
              "folders are told")


@case
def scores_are_those_of_a_report():
    metrics = ("-m", "psnr=enable_apsnr=true,psnr_hvs")
    with Server(*videos(), *metrics) as server:
        answer = server.scores()
        fovea("score", *videos(), *metrics, "-o", "report.json")
        frames = report()["frames"]
        check(answer["frames"] == answer["count"] == answer["total"] == FRAMES, f"{answer['frames']} frames")
        check(reals(answer["numbers"]) == [f["frame"] for f in frames], "other numbers")
        for output, values in zip(answer["outputs"], answer["values"]):
            if output["sequence"]:
                check(output["whole"] == report()["sequence"][output["name"]], f"another value of {output['name']}")
            else:
                check(reals(values) == [f["metrics"][output["name"]] for f in frames],
                      f"other values of {output['name']}")
        check({o["name"] for o in answer["outputs"] if o["sequence"]} == set(report()["sequence"]) != set(),
              "other scores of the clip")
        check(answer["decisions"] == report()["decisions"] != [], f"other decisions: {answer['decisions']}")
        rest = json.loads(server.get("scores?from=4"))
        check(rest["count"] == 2 and reals(rest["numbers"]) == [4, 5], "not what is new")
        check(json.loads(server.get(f"scores?from={FRAMES + 1}"))["count"] == 0, "frames behind the last")


def plain(value):
    """Returns a number, or a word such as "inf", which JSON has no number for, as a float."""
    return float(value)


@case
def pooled_gated_and_cut_as_a_report():
    args = (*videos(width=96, height=64), "-m", "psnr,psnr_hvs", "--scenes", "--fail-below", "psnr_y=3:p5",
            "--fail-below", "psnr_hvs=90")
    fovea("score", *args, "--intervals", "0.08", "-o", "report.json", status=GATE)
    with Server(*args) as server:
        answer = server.scores()
        check([{**g, "value": plain(g["value"])} for g in answer["gates"]] == report()["gates"],
              f"other gates: {answer['gates']}")
        check([[s["frame"], s["frame_count"]] for s in report()["scenes"]] == answer["scenes"] != [],
              f"other scenes: {answer['scenes']}")
        for part in report()["intervals"]:
            pool = json.loads(server.get(f"pool?from={part['frame']}&count={part['frame_count']}"))
            got = {name: dict(zip(pool["pools"], values)) for name, values in pool["scores"].items()}
            check(got == part["pooled"], f"other values from frame {part['frame']} on: {got}")
        for what in ("pool", "pool?from=0", "pool?from=0&count=0", f"pool?from=1&count={FRAMES}",
                     "pool?from=-1&count=2", "pool?count=1"):
            status, body, _ = server.ask(what)
            check(status == 400 and json.loads(body)["error"], f"{what}: {status} {body}")
    for gate, says in (("psnr_x=3", "psnr_x"), ("psnr_y=3:often", "often"), ("psnr_y", "VALUE")):
        server = subprocess.run([FOVEA, "view", *videos(), "-m", "psnr", "--fail-below", gate],
                                capture_output=True, timeout=60, env=without_leak_check(dict(os.environ)),
                                check=False)
        check(server.returncode == USAGE and says in server.stderr.decode(),
              f"{gate}: {server.returncode} {server.stderr.decode()}")


@case
def videos_are_made_comparable_as_score_does():
    write("r.y4m", clip.y4m(FRAMES, width=64, height=48, chroma="444", seed=3))
    write("d.y4m", clip.y4m(FRAMES + 2, seed=4))
    for options, width, height in ((("--scale", "dis", "--stretch", "--convert", "chroma", "--shortest"), 64, 48),
                                   (("--crop-ref", "40:24:2:4", "--crop-dis", "40:24:4:2", "--convert", "chroma",
                                     "--shortest"), 40, 24),
                                   (("--scale", "32x16", "--stretch", "--convert", "chroma", "--align", "time",
                                     "--shortest"), 32, 16),
                                   (("--scale", "ref", "--stretch", "--convert", "chroma", "--frame-skip-dist", "2",
                                     "--frames", "4"), 48, 32)):
        args = ("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", *options)
        fovea("score", *args, "-o", "report.json")
        with Server(*args) as server:
            answer, about = server.scores(), json.loads(server.get("clip"))["encodes"][0]
            frames = report()["frames"]
            check(reals(answer["numbers"]) == [f["frame"] for f in frames], f"{options}: other frames")
            check(reals(answer["values"][0]) == [f["metrics"][answer["outputs"][0]["name"]] for f in frames],
                  f"{options}: other values")
            check((about["distorted"]["width"], about["distorted"]["height"]) == (width, height),
                  f"{options}: {about['distorted']}")
            for side in (0, 1):
                check(len(server.get(f"frame?frame=3&side={side}")) == 3 * width * height,
                      f"{options}: frames of another size")
    fovea("view", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", status=INPUT, says="--convert")
    fovea("view", "-r", "r.y4m", "-d", "d.y4m", "--align", "time", "--start", "1", status=USAGE, says="--align")


@case
def pairs_by_content_in_any_order():
    shown = [n for n in range(40) if n not in (20, 21)]
    write("r.y4m", clip.moving(range(40)))
    write("d.y4m", clip.moving(shown))
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "--align", "map") as server:
        check(server.scores()["frames"] == len(shown), "not all pairs are scored")
        for number in (30, 5, 29, 28, 19, 20, 0, 37, 36):
            reference, distorted = (server.get(f"frame?frame={number}&side={side}") for side in (0, 1))
            check(reference == distorted == clip.moving([shown[number]]).split(b"FRAME\n")[1],
                  f"frame {number} is paired with another one")
        check(server.ask("frame?frame=38&side=0")[0] == 404, "a pair behind the last")


@case
def changed_files_are_told():
    with Server(*videos(), "-m", "psnr") as server:
        server.scores()
        good = server.get("frame?frame=1&side=1")
        write("d.y4m", read("r.y4m"))
        status, body, _ = server.ask("frame?frame=4&side=1")
        check(status == 422 and b"d.y4m has changed" in body, f"{status} {body[:200]}")
        check(server.get("frame?frame=1&side=1") == good, "what was read before is another picture")


@case
def several_encodes_of_one_reference():
    videos()
    write("e.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, seed=5))
    write("f.y4m", clip.y4m(FRAMES, width=WIDTH - 8, height=HEIGHT, seed=6))
    scores = {}
    for name in ("d.y4m", "e.y4m"):
        fovea("score", "r.y4m", name, "-m", "psnr,psnr_hvs", "--fail-below", "psnr_y=1", "-o", "report.json")
        scores[name] = [list(f["metrics"].values()) for f in report()["frames"]]
    os.mkdir("folder")
    os.link("f.y4m", "folder/f.y4m")
    with Server("r.y4m", "d.y4m", "folder/f.y4m", "[e].y4m", "-m", "psnr,psnr_hvs",
                "--fail-below", "psnr_y=1") as server:
        encodes = json.loads(server.get("clip"))["encodes"]
        check([e["name"] for e in encodes] == ["d.y4m", "f.y4m", "e.y4m"], f"{encodes}")
        check([e["refused"] is None for e in encodes] == [True, False, True] and
              "--scale" in encodes[1]["refused"] and "folder" not in json.dumps(encodes), f"{encodes}")
        check([e.get("distorted", {}).get("name") for e in encodes] == ["d.y4m", None, "e.y4m"], f"{encodes}")
        for number, name in ((1, "d.y4m"), (3, "e.y4m")):
            answer = server.scores(number)
            names = [o["name"] for o in answer["outputs"]]
            order = [list(report()["frames"][0]["metrics"]).index(n) for n in names]
            got = list(zip(*(reals(values) for values in answer["values"])))
            check(got == [tuple(values[i] for i in order) for values in scores[name]], f"{name}: other scores")
            check([g["outcome"] for g in answer["gates"]] == ["passed"] and not answer["message"],
                  f"{name}: {answer['gates']}, {answer['message']}")
            fovea("decode", name, "-o", "out.y4m")
            check(server.get(f"frame?frame=4&side=1&encode={number}") == read("out.y4m").split(b"FRAME\n")[5],
                  f"{name}: another frame")
            check(server.get(f"frame?frame=4&side=0&encode={number}") == read("r.y4m").split(b"FRAME\n")[5],
                  f"{name}: another reference")
            fovea("map", "r.y4m", name, "-m", "butteraugli", "--map", "distance", "--frame", "4", "--format", "pfm",
                  "--overwrite", "-o", "maps")
            pfm, (head, values) = (read("maps/frame_4/distance.pfm").split(b"\n", 3)[3],
                                   map_of(server.get(f"map?frame=4&metric=butteraugli&map=distance&encode={number}")))
            row = 4 * head["width"]
            check(values == b"".join(pfm[at:at + row] for at in range(len(pfm) - row, -1, -row)),
                  f"{name}: another map")
        tags = [server.ask(f"frame?frame=4&side=1&encode={n}")[2]["ETag"] for n in (1, 3)]
        check(tags[0] != tags[1], "one tag for two encodes")
        for what, want, says in (("frame?frame=1&side=1&encode=2", 422, "--scale"),
                                 ("scores?from=0&encode=2", 422, "--scale"),
                                 ("thumb?frame=0&encode=2", 422, "--scale"),
                                 ("scores?from=0&encode=4", 400, "encode="),
                                 ("pool?from=0&count=1&encode=0", 400, "encode="),
                                 ("frame?frame=0&side=1&encode=x", 400, "encode=")):
            status, body, _ = server.ask(what)
            check(status == want and says in json.loads(body)["error"], f"{what}: {status} {body}")
        said = server.stop()
        check("f.y4m" in said and "--scale" in said, f"the refusal is not told: {said}")
    fovea("view", "r.y4m", "f.y4m", "none.y4m", "-m", "psnr", status=INPUT, says=("f.y4m", "none.y4m"))
    fovea("view", "r.y4m", "d.y4m", "f.y4m", "-m", "nix", status=USAGE, says="nix")
    fovea("view", "r.y4m", "d.y4m", "-", "-m", "psnr", status=USAGE, says="standard input", stdin=read("e.y4m"))
    for i in range(17):
        os.link("d.y4m", f"g{i}.y4m")
    fovea("view", "r.y4m", "g*.y4m", "-m", "psnr", status=USAGE, says="17 encodes")
    for name in ("d.y4m", "e.y4m"):
        write(name, clip.y4m(FRAMES, width=384, height=216))
    with Server("-d", "d.y4m", "-d", "e.y4m") as server:
        check(all(e["refused"] is None and e["reference"] is None for e in json.loads(server.get("clip"))["encodes"]),
              "without a reference")
        check(server.scores(2)["frames"] == FRAMES and server.ask("frame?frame=0&side=0&encode=2")[0] == 400,
              "without a reference")


@case
def events_with_a_place_are_those_of_the_report():
    write("r.y4m", clip.moving(range(60)))
    write("d.y4m", clip.moving([*range(20), *[19] * 20, *range(40, 60)], seed=1))
    args = ("r.y4m", "d.y4m", "-m", "psnr")
    fovea("score", *args, "-o", "report.json")
    want = [{name: event[name] for name in ("kind", "first", "text")} for event in report()["events"]
            if event["first"] is not None]
    with Server(*args) as server:
        check(server.scores()["events"] == want != [], f"other events than {want}")


@case
def the_verdict_is_that_of_the_report():
    for more in ((), ("--fail-below", "psnr_y=90:p5"), ("--fail-below", "psnr_y=1")):
        args = (*videos(), "-m", "psnr", *more)
        fovea("score", *args, "-o", "report.json", status=GATE if "psnr_y=90:p5" in more else 0)
        with Server(*args) as server:
            answer = server.scores()
            check(answer["verdict"] == report()["verdict"], f"{answer['verdict']} instead of {report()['verdict']}")
    for name in ("r", "d"):
        ffmpeg("-i", f"{name}.y4m", "-c:v", "ffv1", f"{name}.mkv")
    fovea("score", "r.mkv", "d.mkv", "-m", "psnr", "-o", "report.json")
    with Server("r.mkv", "d.mkv", "-m", "psnr") as server:
        rate, want = server.scores()["bit_rate"], report()["inputs"]["distorted"]["bit_rate"]
        check(rate and rate == want, f"{rate} instead of {want}")


@case
def small_pictures_are_means():
    for name, seed in (("r.y4m", 3), ("d.y4m", 4)):
        write(name, clip.y4m(FRAMES, width=200, height=40, chroma="400", seed=seed))
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr") as server:
        frame, small = server.get("frame?frame=4&side=1"), server.get("thumb?frame=4&near=1")
        number, width, height = struct.unpack("<qHH", small[:12])
        check((number, width, height, len(small)) == (4, 100, 20, 12 + 3 * 100 * 20),
              f"{number} {width}x{height}, {len(small)} bytes")
        luma = sum(frame[y * 200 + x] for x in (6, 7) for y in (10, 11)) / 4 - 16
        at = 12 + 3 * (5 * 100 + 3)
        check(all(abs(small[at + i] - 255 * luma / 219) < 1.1 for i in range(3)),
              f"{small[at:at + 3]}, not {255 * luma / 219:.1f}")
        for what, want in (("thumb", 400), ("thumb?frame=x", 400), (f"thumb?frame={FRAMES}", 404)):
            check(server.ask(what)[0] == want, f"{what}: {server.ask(what)[0]}")


@case
def frames_are_those_of_decode():
    for depth in (8, 10):
        args = videos(depth)
        fovea("decode", "d.y4m", "-o", "out.y4m")
        data, size = read("out.y4m"), WIDTH * HEIGHT * 3 // 2 * (2 if depth > 8 else 1)
        frames = [f[:size] for f in data.split(b"FRAME\n")[1:]] if depth == 8 else None
        with Server(*args, "-m", "psnr") as server:
            for number in (5, 4, 0, 1, 3, 2, 3):
                got = server.get(f"frame?frame={number}&side=1")
                start = data.index(b"\n") + 1 + number * (size + 6) + 6
                check(got == data[start:start + size] and (not frames or got == frames[number]),
                      f"frame {number} of {depth} bits")
            status, _, headers = server.ask("frame?frame=3&side=0")
            check(status == 200 and
                  server.ask("frame?frame=3&side=0", headers={"If-None-Match": headers["ETag"]})[:2] == (304, b""),
                  "what is known is sent again")
            check(server.ask("frame?frame=3&side=1", headers={"If-None-Match": headers["ETag"]})[0] == 200,
                  "one tag for two")
            for number in (6, 7, 10 ** 12): # the page could make up tags of missing frames
                tag = headers["ETag"].replace("-3\"", f"-{number}\"")
                check(server.ask(f"frame?frame={number}&side=0", headers={"If-None-Match": tag})[0] == 404,
                      f"frame {number} is known")


def packets_of(body):
    """Returns the number of the frame, whether it is a key packet, and the bytes of each packet."""
    packets, at = [], 0
    while at < len(body):
        number, size, key = struct.unpack_from("<qIB", body, at)
        packets.append((number, key, body[at + 13:at + 13 + size]))
        at += 13 + size
    return packets


@case
def packets_are_for_other_decoders():
    write("r.y4m", clip.y4m(60, width=96, height=64, seed=3))
    coded = (("h.mp4", "avc1.4d401f", "-c:v", "libx264", "-profile:v", "main", "-level", "3.1", "-bf", "2"),
             ("h.ts", "avc1.4d401f", "-c:v", "libx264", "-profile:v", "main", "-level", "3.1", "-bf", "2"),
             ("e.mp4", "hvc1.1.6.L93.90", "-c:v", "libx265", "-x265-params", "level-idc=3.1:log-level=none"),
             ("8.webm", "vp8", "-c:v", "libvpx"), ("9.webm", "vp09.00.", "-c:v", "libvpx-vp9", "-deadline",
                                                   "realtime"),
             ("1.mp4", "av01.0.", "-c:v", "libsvtav1", "-preset", "12"))
    for name, _, *args in coded:
        ffmpeg("-i", "r.y4m", "-pix_fmt", "yuv420p", *args, "-g", "12", name)
    ffmpeg("-i", "r.y4m", "-pix_fmt", "yuv420p10le", "-c:v", "libx264", "10.mp4")
    with Server("r.y4m", *(name for name, *_ in coded), "-m", "psnr") as server:
        refused = json.loads(server.get("coding?encode=1&side=0"))
        check(refused["codec"] is None and "do not come in packets" in refused["refused"], f"{refused}")
        for encode, (name, codec, *_) in enumerate(coded, 1):
            answer = json.loads(server.get(f"coding?encode={encode}&side=1"))
            check(answer["refused"] is None and answer["codec"].startswith(codec), f"{name}: {answer}")
            described = base64.b64decode(answer["description"])
            check(bool(described) == (name in ("h.mp4", "e.mp4")), f"{name}: {described}")
            whole, more = [], [True]
            while more:
                more = packets_of(server.get(f"packets?encode={encode}&side=1&frame=0&passed={len(whole)}"))
                whole += more
            shown = sorted(n for n, *_ in whole if n >= 0)
            check(whole[0][1] and shown == list(range(60)), f"{name}: these frames: {shown}")
            late = packets_of(server.get(f"packets?encode={encode}&side=1&frame=42&passed=0"))
            check(late[0] in whole and late[0][1] and 0 < late[0][0] <= 42, f"{name}: begins at {late[0][:2]}")
            again = packets_of(server.get(f"packets?encode={encode}&side=1&frame=42&passed=3"))
            check(again[:5] == late[3:8], f"{name}: other packets in the middle")
        check(server.ask("packets?encode=1&side=1&frame=60&passed=0")[:2] == (200, b""), "packets after the end")
        for wrong in ("side=1&frame=0", "side=2&frame=0&passed=0", "frame=0&passed=0", "side=1&frame=-1&passed=0",
                      "side=1&frame=0&passed=x"):
            check(server.ask(f"packets?encode=1&{wrong}")[0] == 400, f"'{wrong}' is answered")
        for wrong in ("encode=1&side=2", "encode=9&side=1"):
            check(server.ask(f"coding?{wrong}")[0] == 400, f"'{wrong}' is answered")
        check(server.ask("packets?encode=1&side=0&frame=0&passed=0")[0] == 422, "packets of Y4M")
        ffmpeg("-i", "r.y4m", "-vf", "negate", "-pix_fmt", "yuv420p", *coded[0][2:], "h.mp4")
        check(b"has changed" in server.ask("packets?encode=1&side=1&frame=0&passed=0")[1], "packets of another file")
    for args, reason in ((("h.mp4", "10.mp4"), "prepared"), (("h.mp4", "e.mp4", "--scale", "80x48"), "prepared"),
                         (("h.mp4", "e.mp4", "--align", "time"), "aligned"),
                         (("10.mp4", "10.mp4"), "8 bits")):
        with Server(*args, "-m", "psnr") as server:
            answer = json.loads(server.get("coding?side=0"))
            check(reason in (answer["refused"] or ""), f"{args}: {answer}")
    with Server("h.mp4", "e.mp4", "-m", "psnr", "--frame-skip-dis", "5", "--shortest") as server:
        first = packets_of(server.get("packets?side=1&frame=0&passed=0"))
        check(0 in [n for n, *_ in first] and sum(n < 0 for n, *_ in first) >= 5, "skipped frames are shown")


def map_of(body):
    length = struct.unpack("<I", body[:4])[0]
    head = json.loads(body[4:4 + length])
    check((4 + length) % 8 == 0, "values are not aligned")
    values = body[4 + length:]
    check(len(values) == 4 * head["width"] * head["height"], "another number of values")
    return head, values


@case
def maps_are_those_of_the_command():
    args = videos(width=96, height=64)
    with Server(*args, "-m", "psnr") as server:
        for metric in ("vdm", "vdm=distance_h=1.5:lw=300", "butteraugli"):
            name = "distance" if metric == "butteraugli" else "jnd"
            fovea("map", *args, "-m", metric, "--map", name, "--frame", "2", "--format", "pfm", "--overwrite",
                  "-o", "maps")
            head, values = map_of(server.get(f"map?frame=2&metric={metric.replace('=', '%3D')}&map={name}"))
            pfm = read(f"maps/frame_2/{name}.pfm").split(b"\n", 3)[3]
            row = 4 * head["width"]
            check(values == b"".join(pfm[at:at + row] for at in range(len(pfm) - row, -1, -row)),
                  f"{metric}: another map")
            check(head["values"], f"{metric}: no scores")
        fovea("map", *args, "-m", "vdm", "--map", "jnd", "--frame", "4", "--format", "pfm", "--overwrite",
              "-o", "maps")
        _, values = map_of(server.get("map?frame=4&metric=vdm&map=jnd"))
        pfm = read("maps/frame_4/jnd.pfm").split(b"\n", 3)[3]
        check(values == b"".join(pfm[at:at + 4 * 96] for at in range(len(pfm) - 4 * 96, -1, -4 * 96)),
              "another map of the next frame")


@case
def maps_come_from_the_device_that_is_named():
    args = videos(width=96, height=64)
    for name, status, says in (("nix", USAGE, "unknown device 'nix'"), ("auto", USAGE, "name a device here"),
                               ("cpu:1", USAGE, "cpu:1"), ("vulkan:99", DEVICE, "vulkan"),
                               ("cuda:99", DEVICE, "cuda")):
        fovea("view", *args, "-m", "psnr", "--map-device", name, status=status,
              says=("--map-device", says, "without this option"))
    names = [line.split()[0] for line in fovea("devices")[0].splitlines() if line.startswith("vulkan:")]
    if not names:
        raise Skipped("no Vulkan device; the refusals were checked")
    with Server(*args, "-m", "psnr") as cpu, Server(*args, "-m", "psnr", "--map-device", names[-1]) as gpu:
        for what in ("frame=2&metric=vdm&map=jnd", "frame=4&metric=vdm&map=jnd",
                     "frame=4&metric=vdm%3Dlw%3D300&map=jnd"):
            got, want = gpu.ask(f"map?{what}"), cpu.ask(f"map?{what}")
            check(got[0] == want[0] == 200 and got[1] == want[1],
                  f"{names[-1]}, {what}: {got[0]} {got[1][:200]}, on the CPU {want[0]} {want[1][:200]}")
        status, body, _ = gpu.ask("map?frame=2&metric=vdm%3Dlw%3D300&map=none")
        check(status == 400 and b"none" in body, f"{status} {body[:200]}")
        check(gpu.ask("map?frame=99&metric=vdm&map=jnd")[0] == 404, "a map of no frame")
        check(gpu.ask("map?frame=2&metric=vdm&map=jnd")[0] == 200, "no map after a refusal")


@case
def wrong_requests_get_a_sentence():
    with Server(*videos(), "-m", "psnr") as server:
        for what, want in (("frame?frame=99&side=1", 404), ("frame?frame=-1&side=1", 400),
                           ("frame?frame=1x&side=1", 400), ("frame?side=1", 400), ("frame?frame=1&side=2", 400),
                           ("frame?frame=999999999999999999999&side=1", 404), ("thumb?frame=99&near=0", 404),
                           ("scores", 400), ("scores?from=-5", 400), ("nothing", 404), ("clip/", 404),
                           ("map?frame=1", 400), ("map?frame=1&metric=vdm&map=none", 400),
                           ("map?frame=1&metric=none&map=none", 400), ("map?frame=77&metric=vdm&map=jnd", 404),
                           ("map?frame=1&metric=vdm%3Dlw%3D0&map=jnd", 400),
                           ("map?frame=1&metric=cambi%3Dheatmaps_path%3Dx&map=cambi_0", 400),
                           ("map?frame=1&metric=vmaf%3Dpath%3Dx&map=m", 400),
                           ("map?frame=1&metric=vdm%3D%27lw%27%3D5&map=jnd", 400),
                           ("map?frame=1&metric=psnr%2Cvdm&map=jnd", 400),
                           ("map?frame=1&metric=vdm%3D&map=jnd", 400)):
            status, body, _ = server.ask(what)
            check(status == want and json.loads(body)["error"], f"{what}: {status} {body}")
        check(not os.path.exists("x"), "a request made a folder")
        server.stop()


@case
def damage_is_told_and_the_rest_shown():
    args = videos()
    write("d.y4m", read("d.y4m")[:-9])
    with Server(*args, "-m", "psnr", "--shortest") as server:
        answer = server.scores()
        check(answer["frames"] == FRAMES - 1 and "d.y4m" in answer["message"], f"{answer['message']}")
        status, body, _ = server.ask(f"frame?frame={FRAMES - 1}&side=1")
        check(status == 422 and "d.y4m" in json.loads(body)["error"], f"{status} {body}")
        check(server.ask("frame?frame=1&side=1")[0] == 200, "a good frame is not shown")


@case
def pictures_that_a_metric_refuses():
    """The pictures are too small for the metric, and the server answers with the metric's error."""
    with Server(*videos(width=40, height=7), "-m", "psnr") as server:
        status, body, _ = server.ask("map?frame=1&metric=ssimulacra2&map=error")
        check(status == 422 and json.loads(body)["error"], f"{status} {body}")


@case
def silent_strangers_keep_no_one_out():
    with Server(*videos(), "-m", "psnr") as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(256)]
        for client in silent[:20]:
            client.send(b"GET /x HTTP/1.1\r\nHost: localhost\r\n")
        known = socket.create_connection(("127.0.0.1", server.port))
        for _ in range(40):
            server.get("clip")
            silent.append(socket.create_connection(("127.0.0.1", server.port)))
        request = f"GET /{server.token}/clip HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        known.close()
        known = socket.create_connection(("127.0.0.1", server.port))
        known.send(request)
        check(known.recv(12)[9:12] == b"200", "the token opens nothing")
        for client in silent: # waits until the server closes the connection
            client.settimeout(30)
            try:
                while client.recv(4096):
                    pass
            except ConnectionError:
                pass
        known.send(request)
        check(b"200" in known.recv(1 << 20), "a connection that showed the token is closed too")


@case
def fifty_clients_and_rude_ones():
    with Server(*videos(), "-m", "psnr") as server:
        rude = []
        for text in (b"", b"GET /", b"GET /" + server.token.encode() +
                     b"/frame?frame=1&side=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01", b"POST / HTTP/1.1\r\nContent-Length: 999\r\n\r\nabc"):
            client = socket.create_connection(("127.0.0.1", server.port))
            client.send(text)
            rude.append(client)
        rude.pop(2).close() # closes before it has read anything
        wrong = []

        def visit(n):
            try:
                for what in ("", "clip", "scores?from=0", f"frame?frame={n % FRAMES}&side={n % 2}"):
                    server.get(what)
            except Exception as error: # the case fails with any error
                wrong.append(f"client {n}: {error}")

        clients = [threading.Thread(target=visit, args=(n,)) for n in range(50)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        check(not wrong, "; ".join(wrong[:3]))
        server.stop(signal.SIGTERM)
        for client in rude:
            client.close()


@case
def ends_while_it_scores():
    args = videos(frames=200, width=96, height=64)
    with Server(*args, "-m", "psnr_hvs,ssimulacra2", "--threads", "1") as server:
        check(server.ask("frame?frame=199&side=1")[0] == 200, "a frame cannot be seen while scores are computed")
        check("fovea: " not in server.stop(), "stopping is an error")


run()
