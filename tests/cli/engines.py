"""Runs shards on job engines as they are installed: GNU parallel, and a Slurm of one machine that this test starts
and stops (docs/many-machines.md)."""

import os
import shutil
import signal
import socket
import subprocess
import time

import clip
from command import FOVEA, Skipped, case, check, fovea, read, run, write

SHARDS = 8
# This configuration makes Slurm look for jobs every second instead of every minute.
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def needs(*programs):
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [name for name in programs if not shutil.which(name, path=path)]
    if missing:
        raise Skipped("not installed: " + " ".join(missing))
    os.environ["PATH"] = path


def make_plan():
    write("ref.y4m", clip.y4m(frames=40, seed=1))
    write("dis.y4m", clip.y4m(frames=40, seed=5))
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr_hvs,psnr", "-o", "whole.json")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr_hvs,psnr", "--shards", str(SHARDS))


def check_merged():
    fovea("merge", "-o", "merged.json", "shards")
    check(read("merged.json") == read("whole.json"), "the merged report is not that of one run")


@case
def gnu_parallel():
    needs("parallel")
    make_plan()
    command = f"{FOVEA} run --shard {{}} --threads 1"
    done = subprocess.run(["parallel", "-j", "2", command, ":::", *map(str, range(SHARDS))], timeout=60, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(not done.returncode, f"parallel: {done.stdout.decode()[-300:]}")
    check_merged()


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


class Slurm:
    """Runs a controller and a node on the loopback interface, with their files in one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.host = socket.gethostname().split(".")[0]
        for name in ("munge", "state", "spool"):
            os.makedirs(f"{folder}/{name}", mode=0o700)
        with open(f"{folder}/munge/key", "wb") as key:
            os.fchmod(key.fileno(), 0o600)
            key.write(os.urandom(1024))
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=folder, host=self.host, controller=free_port(), node=free_port()))
        self.env = dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")

    def call(self, *words, timeout=60):
        return subprocess.run(words, env=self.env, timeout=timeout, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()

    def start(self):
        munge = f"{self.folder}/munge"
        said = self.call("munged", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                         f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        said += self.call("slurmctld") + self.call("slurmd")
        for _ in range(100):
            if "idle" in self.call("sinfo", "-h", "-o", "%t"):
                return
            time.sleep(0.2)
        raise Skipped("Slurm does not start here: " + " ".join(said.split())[:200])

    def kill(self, name, number=signal.SIGTERM):
        path = f"{self.folder}/munge/pid" if name == "munged" else f"{self.folder}/{name}.pid"
        try:
            with open(path, encoding="utf-8") as file:
                pid = int(file.read())
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() != name:
                    return
            os.kill(pid, number)
        except (OSError, ValueError):
            return
        for _ in range(50):
            if not os.path.exists(f"/proc/{pid}"):
                return
            time.sleep(0.1)


@case
def slurm_array():
    needs("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
    if os.geteuid():
        raise Skipped("its daemons are started as root")
    make_plan()
    slurm = Slurm(os.path.abspath("slurm"))
    try:
        slurm.start()
        write("job.sh", f"#!/bin/sh\nexec {FOVEA} run --threads 1\n".encode())
        waiting = subprocess.Popen(["sbatch", "--wait", "--requeue", f"--array=0-{SHARDS - 1}",
                                    "-o", "out.%a", "job.sh"],
                                   env=slurm.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        slurm.kill("slurmd", signal.SIGKILL)
        slurm.call("slurmd")
        check(not waiting.wait(120), "the array job failed")
        check_merged()
    finally:
        for name in ("slurmd", "slurmctld", "munged"):
            slurm.kill(name)


if __name__ == "__main__":
    run()
