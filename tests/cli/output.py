"""Tests what the command writes: it never overwrites an input, writes complete files or none, and keeps the finished
results if work ends early."""

import fcntl
import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import termios
import time

import clip
from command import (FOVEA, INPUT, OK, OUTPUT, PARTIAL, PATIENCE, Skipped, USAGE, case, check, fovea, read,
                     report, run, score, write)

FRAME = b"FRAME\n" + clip.planes(48, 32, "420", 8, 1)


def wait_until(true, what):
    for _ in range(100 * PATIENCE):
        if true():
            return
        time.sleep(0.01)
    check(False, f"waited in vain until {what}")


def waiting_bytes(pipe):
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0\0\0\0"))[0]


def start(*args, **more):
    return subprocess.Popen([FOVEA, *args], stderr=subprocess.PIPE, **{"stdout": subprocess.DEVNULL, **more})


def ends(process, status, says=()):
    """Waits for the process to end, and fails if it does not."""
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        check(False, "it does not end")
    err = process.stderr.read().decode()
    wanted = status if isinstance(status, tuple) else (status,)
    check(process.returncode in wanted, f"exits with {process.returncode}, not {status}: {err}")
    for word in [says] if isinstance(says, str) else says:
        check(word in err, f"does not say '{word}' but: {err}")
    return err


def stop(process):
    """Sends the signals that a terminal, a shell and a batch system send: two at once, and one again."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
        process.send_signal(number)


def left(*names):
    """Returns the names of the files in the folder, except those that every case has."""
    usual = {"ref.y4m", "dis.y4m", "ref10.yuv", "dis10.yuv", "ref10.y4m", "dis10.y4m", *names}
    return sorted(set(os.listdir(".")) - usual)


# ---- Never an input ------------------------------------------------------------------------------------------------


@case
def never_an_input():
    video = read("dis.y4m")
    os.symlink("dis.y4m", "symbolic.y4m")
    os.symlink("symbolic.y4m", "twice.y4m")
    os.link("dis.y4m", "hard.y4m")
    os.makedirs("folder")
    before = sorted(os.listdir("."))
    names = ["dis.y4m", "./dis.y4m", "folder/../dis.y4m", os.path.abspath("dis.y4m"), "symbolic.y4m", "twice.y4m",
             "hard.y4m", f"/proc/{os.getpid()}/cwd/dis.y4m"]
    for name in names:
        for other in ("dis.y4m", name):
            fovea("decode", other, "-o", name, status=USAGE, says=["would overwrite the input", name])
            fovea("score", "-r", "ref.y4m", "-d", other, "-m", "psnr", "--format", "json", "-o", name, status=USAGE,
                  says="overwrite")
    fovea("score", "-r", "dis.y4m", "-d", "ref.y4m", "-m", "psnr", "--format", "json", "-o", "hard.y4m", status=USAGE,
          says="overwrite")
    check(read("dis.y4m") == video and sorted(os.listdir(".")) == before, "something changed")


@case
def never_another_file_that_is_read():
    """No command or option overwrites a file that it reads beside the videos, if its output has that file's name."""
    pair = ["-r", "ref.y4m", "-d", "dis.y4m"]
    score("-o", "old.json")
    fovea("vmaf", *pair, "-n", "--feature", "psnr", "-o", "old.xml")
    fovea("plan", *pair, "-m", "psnr", "--shards", "1")
    fovea("run", "--plan", "plan.json", "--shard", "all", "-o", "shards")
    write("rates.csv", b"bitrate,psnr_y\n100,30\n200,33\n400,36\n900,39\n")
    write("scores.csv", b"stimulus,psnr_y\na,1\nb,2\nc,3\nd,4\ne,5\n")
    write("votes.csv", b"stimulus,mos\na,1\nb,2\nc,3\nd,4\ne,5\n")
    write("mask.json", clip.y4m(seed=5, chroma="400"))
    write("page.html", read("old.json"))
    version = fovea("--version")[0].split()[1]
    write("package.html", b"\x1f\x8b\x08\x08" + bytes(6) + f"fovea-{version}.tar".encode() + bytes(100))
    shard = os.path.join("shards", sorted(os.listdir("shards"))[0])
    for name, *args in (("rates.csv", "bd", "rates.csv", "rates.csv", "--chart"),
                        ("scores.csv", "correlate", "scores.csv", "votes.csv", "-o"),
                        ("votes.csv", "correlate", "scores.csv", "votes.csv", "-o"),
                        ("page.html", "report", "page.html", "-o"),
                        ("plan.json", "merge", "--plan", "plan.json", "shards", "-o"),
                        (shard, "merge", "--plan", "plan.json", "shards", "--format", "json", "-o"),
                        ("mask.json", "score", *pair, "-m", "psnr", "--roi", "mask.json", "-o"),
                        ("package.html", "score", *pair, "-m", "psnr", "--embed", "package.html", "-o"),
                        ("package.html", "report", "old.json", "--embed", "package.html", "-o"),
                        ("package.html", "merge", "--plan", "plan.json", "shards", "--embed", "package.html", "-o"),
                        ("old.xml", "vmaf", *pair, "-n", "--feature", "psnr", "--check", "old.xml", "-o"),
                        ("dis.y4m", "check", "dis.y4m", "--format", "json", "-o")):
        before = read(name)
        fovea(*args, name, status=USAGE, says=name)
        check(read(name) == before, f"{args} {name}: the file changed")


@case
def never_an_input_that_has_no_name():
    video = read("dis.y4m")
    for path in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        with open("dis.y4m", "rb") as file:
            ends(start("decode", path, "-o", "dis.y4m", stdin=file), USAGE, "would overwrite the input")
        with open("dis.y4m", "rb") as file:
            ends(start("score", "-r", "ref.y4m", "-d", path, "-m", "psnr", "--format", "json", "-o", "dis.y4m",
                       stdin=file), USAGE,
                 "would overwrite the input")
    for path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        with open("dis.y4m", "ab") as file:
            ends(start("decode", "dis.y4m", "-o", path, stdout=file), USAGE, "would overwrite the input")
        with open("dis.y4m", "ab") as file:
            ends(start("score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", path, stdout=file), USAGE,
                 "would overwrite the input")
    check(read("dis.y4m") == video, "the input changed")


@case
def never_an_input_by_standard_output():
    video = read("ref.y4m")
    for args in (["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr"],
                 ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json"],
                 ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "-"],
                 ["map", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "ssimulacra2", "-o", "maps"]):
        with open("ref.y4m", "ab") as file:
            fovea(*args, stdout=file, status=USAGE, says=["standard output", "would overwrite the input ref.y4m"])
        check(read("ref.y4m") == video, f"{args}: the input changed")
        check(left() == [], f"{args}: left: {left()}")
    score("-o", "report.json")
    write("a.csv", b"bitrate,vmaf\n100,50\n200,60\n300,70\n400,80\n")
    write("jobs", b'["ref.y4m", "dis.y4m", "--metric", "psnr"]\n')
    fovea("vmaf", "-r", "ref.y4m", "-d", "dis.y4m", "-n", "--feature", "psnr", "-o", "old.xml")
    for args in (["bd", "a.csv", "a.csv"], ["report", "report.json"], ["diff", "report.json", "report.json"],
                 ["correlate", "a.csv", "a.csv"], ["score", "--check", "report.json"],
                 ["vmaf", "-r", "ref.y4m", "-d", "dis.y4m", "--check", "old.xml"], ["score", "--batch", "jobs"]):
        before = read(args[-1])
        with open(args[-1], "ab") as file:
            fovea(*args, stdout=file, status=USAGE, says=["standard output", f"would overwrite the input {args[-1]}"])
        check(read(args[-1]) == before, f"{args}: the input changed")
    for job in ('["ref.y4m", "dis.y4m"]', '["missing.y4m", "dis.y4m"]'): # the answer of a job is output, too
        with open("dis.y4m", "ab") as file:
            fovea("score", "--metric", "psnr", "--batch", "-", stdin=job.encode(), stdout=file, status=USAGE,
                  says="job 1 reads the file that standard output is")
    check(read("dis.y4m") == clip.y4m(seed=2), "a video got an answer")


# ---- Whole or not at all -------------------------------------------------------------------------------------------


@case
def decode_keeps_the_good_frames_of_a_damaged_file():
    write("cut.y4m", clip.header() + FRAME * 3 + FRAME[:700])
    write("out.y4m", b"the old one")
    for name in ("out.partial.y4m", "out.partial-2.y4m"):
        fovea("decode", "cut.y4m", "-o", "out.y4m", status=INPUT, says=["cut.y4m", "3 frames", name])
        check(read(name).endswith(FRAME * 3) and read(name).count(b"FRAME\n") == 3, "other frames")
    check(read("out.y4m") == b"the old one", "the old file is gone")
    check(left("cut.y4m", "out.y4m") == ["out.partial-2.y4m", "out.partial.y4m"], f"left: {left()}")
    write("cut.y4m", clip.header() + FRAME[:700])
    fovea("decode", "cut.y4m", "-o", "none.y4m", status=INPUT)
    check(not os.path.exists("none.y4m") and not os.path.exists("none.partial.y4m"), "a file without frames is left")
    fovea("decode", "ref.y4m", "-o", "out.y4m")
    check(read("out.y4m").count(b"FRAME\n") == 3, "the whole one is not there")


@case
def long_names_and_names_without_end():
    write("cut.y4m", clip.header() + FRAME * 2 + FRAME[:700])
    long = "n" * 251 + ".y4m"
    fovea("decode", "cut.y4m", "-o", long, status=INPUT, says=".partial.y4m")
    fovea("decode", "cut.y4m", "-o", ".hidden", status=INPUT, says=".hidden.partial")
    fovea("decode", "ref.y4m", "-o", long)
    check(os.path.exists(long), "the file is missing")
    check(not [name for name in os.listdir(".") if name.endswith(".tmp")], "a temporary file is left")


def small_files(most):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


@case
def limit_of_file_sizes():
    write("long.y4m", clip.header() + FRAME * 200)
    write("out.y4m", b"the old one")
    usual = ("long.y4m", "out.y4m")
    fovea("decode", "long.y4m", "-o", "out.y4m", status=OUTPUT, says=["out.y4m", "too large"],
          limit=small_files(50000))
    fovea("score", "-r", "long.y4m", "-d", "long.y4m", "-m", "psnr", "--format", "json", "-o", "out.y4m",
          status=OUTPUT, says=["out.y4m", "too large"], limit=small_files(3000))
    with open("table", "wb") as table:
        fovea("metrics", status=OUTPUT, says="standard output", limit=small_files(100), stdout=table)
    fovea("demo", "-o", "report.json", status=OUTPUT, says=["report.json", "too large"], limit=small_files(100))
    check(read("out.y4m") == b"the old one" and left(*usual, "table") == [], f"left: {left(*usual)}")


@case
def full_disk():
    fovea("decode", "ref.y4m", "-o", "/dev/full", status=OUTPUT, says=["/dev/full", "No space left"])
    write("long.y4m", clip.header() + FRAME * 200)
    os.makedirs("disk")
    script = 'mount -t tmpfs -o size=64k none disk && echo old >disk/out.y4m && shift && "$@"; ' \
             'status=$?; ls -A disk; cat disk/out.y4m; exit $status'
    command = ["unshare", "-rm", "sh", "-c", script, "sh"]
    if not shutil.which("unshare") or subprocess.run([*command, "-", "true"], capture_output=True,
                                                     check=False).returncode:
        raise Skipped("no file system can be mounted")
    for args in (["decode", "long.y4m", "-o", "disk/out.y4m"],
                 ["score", "-r", "long.y4m", "-d", "long.y4m", "-m", "psnr,psnr_hvs", "--format", "json",
                  "-o", "disk/out.y4m"]):
        process = subprocess.run([*command, "-", FOVEA, *args], capture_output=True, check=False)
        if args[0] == "score" and process.returncode == OK:
            continue # the report fits on the disk
        check(process.returncode == OUTPUT and b"No space left" in process.stderr, f"{args}: {process}")
        check(process.stdout == b"out.y4m\nold\n", f"on the disk: {process.stdout}")


@case
def links_keep():
    os.symlink("nothing-yet.y4m", "link.y4m")
    os.makedirs("folder")
    os.symlink("../link.y4m", "folder/chain.y4m")
    fovea("decode", "ref.y4m", "-o", "folder/chain.y4m")
    check(os.path.islink("link.y4m") and os.path.islink("folder/chain.y4m"), "a link is gone")
    check(read("nothing-yet.y4m").count(b"FRAME\n") == 3, "the file is elsewhere")
    os.symlink("round", "round")
    fovea("decode", "ref.y4m", "-o", "round", status=OUTPUT, says="round")
    os.umask(0o027)
    fovea("decode", "ref.y4m", "-o", "new.y4m")
    check(os.stat("new.y4m").st_mode & 0o777 == 0o640, "other permissions than the umask's")
    if os.getuid():
        os.chmod("new.y4m", 0o400)
        fovea("decode", "ref.y4m", "-o", "new.y4m", status=OUTPUT, says="Permission denied")
        score("-o", "new.y4m", status=OUTPUT, says="Permission denied")


@case
def outputs_that_never_open():
    """A socket, and a terminal that the process does not have, are refused at once, without waiting for either."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        check(score("-o", "report.json") and
              fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "--shards", "1"),
              "there is no report")
        fovea("run", "--shard", "all")
        write("curve.csv",
              b"bitrate,psnr_y\n" + b"".join(b"%d,%d\n" % (rate, rate // 100) for rate in (100, 200, 400, 800)))
        videos = ("-r", "ref.y4m", "-d", "dis.y4m")
        writers = {"score": (*videos, "-m", "psnr", "--format", "json", "-o"),
                   "score several": ("ref.y4m", "dis.y4m", "ref10.y4m", "-m", "psnr", "--format", "json", "-o"),
                   "decode": ("ref.y4m", "-o"), "plan": (*videos, "--shards", "2", "-o"),
                   "merge": ("shards", "--format", "json", "-o"), "report": ("report.json", "--format", "csv", "-o"),
                   "bd": ("curve.csv", "curve.csv", "--chart"), "vmaf": (*videos, "-n", "--feature", "psnr", "-o"),
                   "map": (*videos, "-m", "xpsnr", "--frame", "0", "--format", "y4m", "-o")}
        for name in ("socket", "/dev/tty"):
            for command, args in writers.items():
                ends(start(command.split()[0], *args, name, stdout=subprocess.DEVNULL, start_new_session=True),
                     OUTPUT if command != "vmaf" else (OUTPUT, 1), says=name)


@case
def written_in_place():
    fovea("decode", "ref.y4m", "-o", "want.y4m")
    want = read("want.y4m")
    for path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        process = subprocess.run([FOVEA, "decode", "ref.y4m", "-o", path], capture_output=True, check=True)
        check(process.stdout == want, f"{path}: other bytes")
        with open("got.y4m", "wb") as file:
            file.write(b"before ")
            file.flush()
            subprocess.run([FOVEA, "decode", "ref.y4m", "-o", path], stdout=file, check=True)
        check(read("got.y4m") == b"before " + want, f"{path}: other bytes in a file")
    os.mkfifo("fifo")
    process = subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE)
    fovea("decode", "ref.y4m", "-o", "fifo")
    check(process.communicate(timeout=PATIENCE)[0] == want, "other bytes through a named pipe")
    fovea("decode", "ref.y4m", "-o", "/dev/null")
    check(not os.path.isfile("/dev/null"), "/dev/null is replaced")


@case
def closed_standard_streams():
    close = lambda: [os.close(fd) for fd in (0, 1)]
    fovea("decode", "ref.y4m", "-o", "want.y4m")
    fovea("decode", "ref.y4m", "-o", "got.y4m", limit=close, stdout=None)
    check(read("got.y4m") == read("want.y4m"), "other bytes")
    score("-o", "report.json", limit=close, stdout=None, status=OUTPUT, says="standard output")
    report()
    fovea("decode", "-", "-o", "got.y4m", limit=close, stdout=None, status=INPUT, says="standard input")


# ---- Ended by signals ----------------------------------------------------------------------------------------------


@case
def signals_while_an_input_stalls():
    write("long.y4m", clip.header() + FRAME * 2000)
    for threads in ("1", "2"):
        process = start("score", "-r", "long.y4m", "-d", "-", "-m", "psnr", "-o", "report.json", "--threads", threads,
                        stdin=subprocess.PIPE)
        process.stdin.write(clip.header() + FRAME * 20)
        process.stdin.flush()
        wait_until(lambda: not waiting_bytes(process.stdin), "the frames are read")
        stop(process)
        ends(process, PARTIAL, "stopped on request")
        value = report()
        check(value["partial"] and "stopped on request" in value["partial_reason"], "not marked as partial")
        check(0 < value["frame_count"] <= 20, f"{value['frame_count']} frames")


def opened(pid, name):
    try:
        return any(os.readlink(f"/proc/{pid}/fd/{fd}").endswith(name) for fd in os.listdir(f"/proc/{pid}/fd"))
    except OSError: # the descriptor was closed meanwhile
        return False


@case
def one_pipe_for_both_videos():
    os.mkfifo("in.y4m")
    os.symlink("in.y4m", "other.y4m")
    for names in (("-", "-"), ("in.y4m", "in.y4m"), ("in.y4m", "other.y4m"), ("-", "/dev/stdin"), ("/dev/fd/0", "-")):
        process = start("score", "-r", names[0], "-d", names[1], "-m", "psnr", stdin=subprocess.PIPE)
        ends(process, USAGE, "only one of the two videos")
        process.stdin.close()


@case
def signals_during_a_decode():
    write("out.y4m", b"the old one")
    process = start("decode", "-", "-o", "out.y4m", stdin=subprocess.PIPE)
    process.stdin.write(clip.header() + FRAME * 20)
    process.stdin.flush()
    wait_until(lambda: not waiting_bytes(process.stdin), "the frames are read")
    stop(process)
    ends(process, PARTIAL, ["stopped on request", "out.partial.y4m"])
    check(read("out.y4m") == b"the old one", "the old file is gone")
    count = read("out.partial.y4m").count(b"FRAME\n")
    check(0 < count <= 20 and read("out.partial.y4m").endswith(FRAME * count), "other frames")
    check(left("out.y4m") == ["out.partial.y4m"], f"left: {left()}")


@case
def signals_while_a_reader_stalls():
    write("long.y4m", clip.header() + FRAME * 2000)
    os.mkfifo("fifo")
    for path in ("-", "fifo"):
        reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
        process = start("decode", "long.y4m", "-o", path, stdout=subprocess.PIPE)
        pipe = process.stdout if path == "-" else reader
        wait_until(lambda: waiting_bytes(pipe) >= 60000, "the pipe is full")
        stop(process)
        try:
            process.wait(timeout=PATIENCE)
        finally:
            process.kill()
        check(process.returncode == PARTIAL, f"{path}: exits with {process.returncode}")
        os.close(reader)
        process.communicate()


KILLED = "the signal's own"
VIDEOS = ["-r", "ref.y4m", "-d", "dis.y4m"]
METRIC = ["--metric", "psnr"]

# In each entry a pipe that nobody writes to replaces a file that a command opens. The command refuses it, or waits
# until a signal ends it with this code.
OPENED = [
    (["score", "-r", "pipe", "-d", "dis.y4m", *METRIC], PARTIAL),
    (["score", "-r", "ref.y4m", "-d", "pipe", *METRIC], PARTIAL),
    (["score", "-d", "pipe", "--metric", "cambi", "-o", "report.json"], PARTIAL),
    (["score", *VIDEOS, "--model", "path=pipe"], INPUT), (["score", *VIDEOS, "--metric", "vmaf=path=pipe"], INPUT),
    (["score", *VIDEOS, *METRIC, "-o", "pipe"], PARTIAL),
    (["score", *VIDEOS, *METRIC, "-o", "pipe", "--format", "html"], PARTIAL),
    (["view", "-r", "pipe", "-d", "dis.y4m", *METRIC], PARTIAL), (["view", *VIDEOS, "--model", "path=pipe"], INPUT),
    (["map", "-d", "pipe", "-o", "maps"], PARTIAL), (["map", *VIDEOS, "-o", "pipe"], OUTPUT),
    (["map", *VIDEOS, "-o", "pipe.y4m"], PARTIAL),
    (["plan", "-r", "pipe", "-d", "dis.y4m", *METRIC, "--shards", "1"], PARTIAL),
    (["plan", *VIDEOS, "--model", "path=pipe", "--shards", "1"], INPUT),
    (["plan", *VIDEOS, *METRIC, "--shards", "1", "-o", "pipe"], PARTIAL),
    (["run", "--plan", "pipe", "--shard", "all"], INPUT), (["run", "--shard", "all", "-o", "pipe"], OUTPUT),
    (["run", "--shard", "all", "-o", "records"], PARTIAL),
    (["merge", "pipe"], INPUT), (["merge", "--plan", "pipe", "shards"], INPUT), (["merge", "records"], INPUT),
    (["merge", "shards", "-o", "pipe"], PARTIAL),
    (["report", "pipe"], INPUT), (["report", "report.json", "-o", "pipe", "--format", "html"], KILLED),
    (["decode", "pipe", "--md5"], PARTIAL), (["decode", "pipe", "-o", "pipe-2.y4m"], PARTIAL),
    (["decode", "ref.y4m", "-o", "pipe"], PARTIAL),
    (["vmaf", "-r", "pipe", "-d", "dis.y4m", "-n", "--feature", "psnr"], PARTIAL),
    (["vmaf", *VIDEOS, "-m", "path=pipe"], 255),
    (["vmaf", *VIDEOS, "-n", "--feature", "psnr", "-o", "pipe"], (PARTIAL, OUTPUT)), # during scoring or after it
    (["diff", "pipe", "report.json"], INPUT), (["diff", "report.json", "pipe"], INPUT),
    (["score", "--batch", "pipe"], INPUT),
    (["correlate", "pipe", "a.csv"], INPUT), (["correlate", "a.csv", "pipe"], INPUT),
    (["score", "--check", "pipe"], INPUT),
    (["vmaf", *VIDEOS, "--check", "pipe"], INPUT),
    (["bd", "pipe", "a.csv"], INPUT), (["bd", "a.csv", "pipe"], INPUT),
    (["bd", "a.csv", "a.csv", "--chart", "pipe"], KILLED),
]


def has_ended(process, code):
    """Returns whether the process has ended or, if only a signal ends it, is ready for the signal."""
    if process.poll() is not None or code == KILLED:
        return True
    return code in (PARTIAL, (PARTIAL, OUTPUT)) and signals_caught(process.pid)


@case
def a_pipe_without_another_end():
    os.mkfifo("pipe")
    os.mkfifo("pipe.y4m")
    fovea("plan", *VIDEOS, *METRIC, "--shards", "1")
    fovea("run", "--shard", "all")
    fovea("run", "--shard", "all", "-o", "records")
    os.remove("records/000000.run.json")
    os.mkfifo("records/000000.run.json")
    score("-o", "report.json")
    write("a.csv", b"bitrate,vmaf\n100,50\n200,60\n300,70\n400,80\n")
    before = {name: os.path.isfile(name) and read(name) for name in os.listdir(".")}
    for args, code in OPENED:
        for number in (signal.SIGINT, signal.SIGTERM):
            process = start(*args, stdout=subprocess.DEVNULL)
            wait_until(lambda: has_ended(process, code), f"{args} ends, or waits")
            time.sleep(0.1) # a signal that comes earlier or later ends the process, too
            process.send_signal(number)
            said = ends(process, -number if code == KILLED else code)
            check(code not in (INPUT, OUTPUT) or "pipe" in said or "records" in said,
                  f"{args} does not name it: {said}")
            check({name: os.path.isfile(name) and read(name) for name in os.listdir(".")} == before,
                  f"{args}: other files: {left(*before)}")
            if code in (INPUT, OUTPUT, 255):
                break


@case
def a_report_of_libvmaf_after_a_stop():
    old = write("report.xml", b"the old one")
    process = start("vmaf", "-r", "-", "-d", "dis.y4m", "-n", "--feature", "psnr", "-o", old, stdin=subprocess.PIPE)
    process.stdin.write(clip.header() + FRAME * 2)
    process.stdin.flush()
    wait_until(lambda: not waiting_bytes(process.stdin), "the frames are read")
    time.sleep(0.2)
    stop(process)
    ends(process, PARTIAL, ["stopped on request", "report.xml was not written"])
    check(read(old) == b"the old one", "the old report is gone")


@case
def never_the_model_of_a_plan():
    write("model.json", json.dumps({"model_dict": {
        "model_type": "LIBSVMNUSVR", "norm_type": "linear_rescale", "slopes": [0.01, 1.5], "score_clip": [0, 100],
        "feature_names": ["VMAF_integer_feature_motion2_score"], "intercepts": [-0.3, -0.5],
        "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\ntotal_sv 1\nrho "
        "-1.3\nSV\n1 1:0.5 \n"}}).encode())
    os.makedirs("shards")
    os.rename("model.json", "shards/000001.run.json")
    model = read("shards/000001.run.json")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "vmaf=path=shards/000001.run.json", "--shards", "2")
    fovea("run", "--shard", "all", status=USAGE, says="would overwrite the input")
    check(read("shards/000001.run.json") == model, "the model is gone")
    check(os.listdir("shards") == ["000001.run.json"], "a shard was computed before the refusal")


def full_pipe():
    """Returns both ends of a pipe that is full."""
    ends_of_it = os.pipe()
    os.set_blocking(ends_of_it[1], False)
    try:
        while True:
            os.write(ends_of_it[1], b"." * 4096)
    except BlockingIOError:
        os.set_blocking(ends_of_it[1], True)
    return ends_of_it


@case
def signals_while_nobody_reads_messages():
    write("long.y4m", clip.header() + FRAME * 2000)
    for style in ("json", "bar"):
        reader, writer = full_pipe()
        process = subprocess.Popen([FOVEA, "score", "-r", "long.y4m", "-d", "long.y4m", "-m", "psnr", "-o",
                                    "report.json", "--progress", style], stdout=subprocess.DEVNULL, stderr=writer)
        wait_until(lambda: signals_caught(process.pid), "it has begun")
        time.sleep(0.2)
        stop(process)
        try:
            process.wait(timeout=PATIENCE)
        finally:
            process.kill()
        check(process.returncode == PARTIAL and report()["partial"], f"exits with {process.returncode}")
        os.close(reader)
        os.close(writer)


@case
def signals_while_nobody_reads_the_table():
    for args in (["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json"],
                 ["map", "-d", "wide.y4m", "-o", "maps"]):
        write("wide.y4m", clip.y4m(1, width=240, height=216))
        reader, writer = full_pipe()
        process = start(*args, stdout=writer)
        made = "report.json" if args[0] == "score" else "maps/frame_0"
        wait_until(lambda: os.path.exists(made), "the work is done")
        time.sleep(0.2)
        stop(process)
        ends(process, PARTIAL, "stopped on request")
        os.close(reader)
        os.close(writer)


def signals_caught(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        mask = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt"))
    return mask >> (signal.SIGINT - 1) & 1 and mask >> (signal.SIGTERM - 1) & 1


run()
