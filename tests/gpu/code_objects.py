"""Checks that the code objects for AMD's GPUs contract no operations, use no approximate instruction, and flush no
subnormal number to zero: code_objects.py OBJDUMP FILE...

Every instruction on floats must be one whose result IEEE 754 defines to the last bit: an addition, subtraction,
product, comparison, minimum, maximum, or a conversion. Kernels start with rounding to nearest even and with subnormal
numbers kept, and none changes that. Each rule is broken first, to see it noticed.
"""

import os
import re
import struct
import subprocess
import sys

# v_ldexp is exact. The compiler converts 64-bit integers with it, since it scales results by powers of two.
FLOAT = re.compile(r"_(f16|bf16|f32|f64)(_|$)")
EXACT = re.compile(
    r"v_((add|sub|subrev|mul)_f(32|64)|pk_(add|mul)_f32|(max|min)3?_f(32|64)|(maxmin|minmax|med3)_f32|"
    r"cmpx?_\w+_f(32|64)|cvt_(f32_(i32|u32|f64|ubyte[0-3])|f64_(i32|u32|f32)|[iu]32_f(32|64))|"
    r"trunc_f(32|64)|ldexp_f(32|64)|pk_mov_b32)(_|$)")
# Divisions of integers begin with this estimate, v_rcp_iflag_f32, and correct it in integers. Divisions of floats use
# an instruction without "iflag".
INTEGER_QUOTIENT = re.compile(r"v_rcp_iflag_f32(_|$)")
MODE = re.compile(r"HW_REG_MODE|s_(round|denorm)_mode")
SCALED = re.compile(r"\b(mul:[24]|div:2)\b")  # modifiers that scale a result also flush subnormal numbers
ROUND_NEAREST, KEEP_SUBNORMAL = 0, 3
SHARED = 32768  # in bytes, equal to FV_GPU_MAX_SHARED


def faults(line):
    """Yields the faults of a line of a disassembly, whose instructions are separated by '::'."""
    for part in line.split("::"):
        words = part.split()
        if not words:
            continue
        name = words[0].replace("v_dual_", "v_")
        if FLOAT.search(name) and not EXACT.match(name) and not INTEGER_QUOTIENT.match(name):
            yield name
        if MODE.search(part) and "getreg" not in name:
            yield name + " sets the mode"
        if FLOAT.search(name) and SCALED.search(part):
            yield name + " scales its result"


def descriptors(elf):
    """Yields each kernel's name and descriptor in a code object."""
    at, = struct.unpack_from("<Q", elf, 40)
    size, count = struct.unpack_from("<HH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + i * size) for i in range(count)]
    for kind, offset, bytes_, link in [(s[1], s[4], s[5], s[6]) for s in sections]:
        if kind != 11:  # type of the section of dynamic symbols
            continue
        names = sections[link][4]
        for i in range(bytes_ // 24):
            name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, offset + 24 * i)
            text = elf[names + name:elf.index(b"\0", names + name)].decode()
            if text.endswith(".kd"):
                start = sections[section][4] + value - sections[section][3]
                yield text[:-3], elf[start:start + 64]


def check_descriptor(descriptor):
    shared, = struct.unpack_from("<I", descriptor, 0)
    settings, = struct.unpack_from("<I", descriptor, 48)
    if settings >> 12 & 15 != ROUND_NEAREST:
        yield "it does not round to nearest"
    if settings >> 16 & 15 != KEEP_SUBNORMAL << 2 | KEEP_SUBNORMAL:
        yield "it flushes subnormal numbers"
    if shared > SHARED:
        yield f"it has {shared} bytes of shared memory"


def wave(descriptor):
    return 32 if struct.unpack_from("<H", descriptor, 56)[0] >> 10 & 1 else 64


def disassemble(objdump, files):
    """Returns the instructions of each file."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", "--no-leading-addr", *files], stdout=subprocess.PIPE,
                          check=True, text=True).stdout
    lines = {}
    for line in text.splitlines():
        if line.split(":\tfile format")[0] in files:
            current = lines.setdefault(line.split(":\tfile format")[0], [])
        elif line.startswith("\t"):
            current.append(line.split("//")[0])
    return lines


def scan(objdump, paths):
    bad, kernels, instructions, waves = [], 0, 0, {}
    for path in paths:
        with open(path, "rb") as file:
            for kernel, descriptor in descriptors(file.read()):
                kernels += 1
                waves.setdefault(path.rsplit(".", 1)[1], set()).add(wave(descriptor))
                bad += [f"{os.path.basename(path)}: {kernel}: {fault}" for fault in check_descriptor(descriptor)]
    for architecture in waves:  # the disassembler assumes that all files have the first one's architecture
        some = [path for path in paths if path.endswith("." + architecture)]
        for path, lines in disassemble(objdump, some).items():
            instructions += len(lines)
            bad += sorted({f"{os.path.basename(path)}: {fault}" for line in lines for fault in faults(line)})
    return bad, kernels, instructions, waves


def self_test():
    for line in ("v_fma_f32 v0, v1, v2, v3", "v_fmac_f32_e32 v0, v1, v2", "v_rcp_f32_e32 v0, v1",
                 "v_sqrt_f64_e32 v[0:1], v[2:3]", "v_div_fixup_f32 v0, v1, v2, v3",
                 "v_dual_mul_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v4, v5", "v_mad_f32 v0, v1, v2, v3",
                 "v_mul_f32_e64 v0, v1, v2 mul:2", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0",
                 "s_denorm_mode 0", "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", "v_mul_legacy_f32 v0, v1, v2",
                 "v_add_f16_e32 v0, v1, v2", "global_atomic_add_f32 v0, v1, s[0:1]", "v_cvt_pkrtz_f16_f32 v0, v1, v2",
                 "v_rsq_f32_e32 v0, v1", "v_fma_mix_f32 v0, v1, v2, v3"):
        assert list(faults("\t" + line)), line
    for line in ("v_add_f32_e32 v0, v1, v2", "v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4",
                 "v_cmp_lt_f32_e32 vcc, v0, v1", "v_mad_u64_u32 v[0:1], s[2:3], v4, v5, v[6:7]",
                 "v_cvt_f32_ubyte0_e32 v0, v1", "v_maxmin_f32 v0, v1, v2, v3", "s_getreg_b32 s0, hwreg(HW_REG_MODE)"):
        assert not list(faults("\t" + line)), line
    good = bytearray(64)
    struct.pack_into("<I", good, 48, 15 << 16)
    assert not list(check_descriptor(good))
    for at, value in ((0, SHARED + 1), (48, 15 << 16 | 1 << 12), (48, 3 << 16), (48, 12 << 16)):
        wrong = bytearray(good)
        struct.pack_into("<I", wrong, at, value)
        assert list(check_descriptor(wrong)), (at, value)


def main():
    self_test()
    if len(sys.argv) < 3:
        return 2
    count = len(sys.argv) - 2
    bad, kernels, instructions, waves = scan(sys.argv[1], sys.argv[2:])
    print("\n".join(bad[:40]))
    sizes = ", ".join(f"{name} {'/'.join(map(str, sorted(size)))}" for name, size in sorted(waves.items()))
    print(f"{kernels} kernels in {count} code objects, {instructions} instructions, {len(bad)} faults; "
          f"waves: {sizes}")
    return bool(bad) or not kernels or kernels != count or not instructions


sys.exit(main())
