"""Tests fovea decode on every device."""

import json
import os
import subprocess

from command import (DEVICE, FOVEA, INPUT, OK, Skipped, USAGE, case, check, fovea, prores, run, usable_gpus,
                     without_leak_check, write)


def first_field(packet):
    """Returns the packet without the bytes after its first picture."""
    start = 8 + int.from_bytes(packet[8:10], "big")
    end = start + int.from_bytes(packet[start + 1:start + 5], "big")
    return end.to_bytes(4, "big") + packet[4:end]


def damaged(packet):
    """Returns the packet with zeros in its last slice, which make codewords that are too long or never end."""
    return packet[:-40] + bytes(20) + packet[-20:]


def headless(packet):
    """Returns the packet with a frame header that states a size of five bytes."""
    return packet[:8] + b"\0\5" + packet[10:]


@case
def decode_on_every_gpu():
    names = usable_gpus()
    if not names:
        raise Skipped("no GPU")
    if subprocess.run([FOVEA, "decode", "ref.y4m", "--md5"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                      check=False).returncode == USAGE:
        raise Skipped("a build without Nettle")
    wide, fields, alpha = prores("ks_hq_w130_s8"), prores("ks_4444_bff_75x33"), prores("cr_444_a16_10bit_bff")
    clips = {
        "progressive": (wide, "10"),
        "interlaced": (fields, "12"),
        "alpha": (alpha * 9, "10"),
        "4444": (prores("ks_4444_w113_s8"), "12"),
        "pixel": (prores("cr_tiny_1x1"), "10"),
        "batches": (wide * 9 + damaged(wide) + wide * 8, "10"),
        "field": (fields + first_field(fields) + fields, "12"),
        "headers": (wide * 3 + headless(wide) * 2 + wide * 9 + damaged(wide) + headless(wide), "10"),
        "alpha headers": (alpha * 2 + headless(alpha) + alpha, "10"),
        "cut": (wide * 10 + wide[:-1], "10"),
    }
    for clip_name, (data, depth) in clips.items():
        path = write(clip_name + ".icpf", data)
        for more in ([], ["--strict"]):
            args = ["decode", path, "--bitdepth", depth, "--md5", *more]
            want = subprocess.run([FOVEA, *args], capture_output=True, check=False)
            lost = clip_name in ("batches", "field", "headers", "alpha headers")
            check(want.returncode == (INPUT if clip_name == "cut" or (lost and more) else OK), f"{clip_name}: cpu")
            check(not lost or b"frame" in want.stderr, f"{clip_name}: the CPU finds no damage")
            for name in names:
                got = subprocess.run([FOVEA, *args, "--device", name], capture_output=True, check=False,
                                     env=without_leak_check(os.environ))
                check((got.returncode, got.stdout, got.stderr) == (want.returncode, want.stdout, want.stderr),
                      f"{name}: {clip_name} {more} is not what the CPU decodes: {got.stderr.decode()[:200]}")
    fovea("decode", "ref.y4m", "-o", "a.y4m", "--device", names[0], status=USAGE,
          says=("ref.y4m", "--device decodes ProRes"))


@case
def decode_device_names():
    path = write("a.icpf", prores("cr_tiny_1x1"))
    fovea("decode", path, "-o", "a.y4m", "--device", "cpu")
    if len(json.loads(fovea("devices", "--json")[0])) == 1:
        fovea("decode", path, "-o", "a.y4m", "--device", "vulkan", status=DEVICE, says="CPU only")
        return
    fovea("decode", path, "-o", "a.y4m", "--device", "abacus", status=USAGE, says="abacus")
    fovea("decode", path, "-o", "a.y4m", "--device", "vulkan:99", status=DEVICE, says="vulkan")
    fovea("decode", path, "-o", "a.y4m", "--device", "auto", status=USAGE, says="vulkan[:N]")


run()
