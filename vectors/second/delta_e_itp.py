#!/usr/bin/env python3
"""delta_e_itp, from delta_e_itp.md. Run it as the checker does:

    delta_e_itp.py delta_e_itp REF.y4m DIS.y4m [NAME=VALUE...]
"""
import math
import sys

from common import options, read_pair, refuse
from pu21 import F, NAMES, PEAK, add, bits, clamp, dpow, f32, hlg_gamma, mul, mulc, rgb, sub, table, vexp2, vlog2

LOW, PER_OCTAVE_SHIFT = 2.0 ** -24, 14  # 512 entries per octave
FIRST = 0x33800000                      # bits of 2^-24
ENTRIES = 38 * 512
TO_2020 = {
    'bt709': ((0.6274039, 0.3292830, 0.0433131), (0.0690973, 0.9195404, 0.0113623),
              (0.0163914, 0.0880133, 0.8955953)),
    'p3': ((0.7538330, 0.1985974, 0.0475696), (0.0457438, 0.9417772, 0.0124789), (-0.0012103, 0.0176017, 0.9836086)),
}
LMS = ((1688 / 4096, 2146 / 4096, 262 / 4096), (683 / 4096, 2951 / 4096, 462 / 4096),
       (99 / 4096, 309 / 4096, 3688 / 4096))
SCALE = 16384.0


def pq_table():
    """Returns the inverse of PQ at 2^-24 * (1 + (i % 512)/512) * 2^(i / 512), computed in binary64 and rounded
    once."""
    t = []
    for i in range(ENTRIES + 1):
        x = math.ldexp(1 + (i % 512) / 512, i // 512 - 24)
        u = dpow(x / 10000.0, 0.1593017578125)
        t.append(dpow((0.8359375 + 18.8515625 * u) / (1.0 + 18.6875 * u), 78.84375))
    t = F(t)
    t.append(t[-1])
    return t


def row(m, a, b, c):
    k = [f32(v) for v in m]
    return add(add(mulc(a, k[0]), mulc(b, k[1])), mulc(c, k[2]))


def linear(p, o, e):
    """Returns linear light of BT.2020 primaries, in cd/m2."""
    lin = []
    for c in p:
        t = mulc(c, 4096.0)
        i = [int(v) for v in t]
        f = F([v - j for v, j in zip(t, i)])
        lo = F([e[j] for j in i])
        lin.append(add(lo, mul(f, F([e[j + 1] - e[j] for j in i]))))
    if o['transfer'] == 'hlg':
        ys = row((0.2627, 0.6780, 0.0593), *lin)
        ys = F([max(v, 2.0 ** -20) for v in ys])
        k = mulc(vexp2(mulc(vlog2(ys), f32(hlg_gamma(o['peak']) - 1.0))), f32(o['peak']))
        lin = [mul(c, k) for c in lin]
    if o['primaries'] != 'bt2020':
        lin = [row(m, *lin) for m in TO_2020[o['primaries']]]
    return lin


def itp(lin, t):
    """Returns I, T and P (section 5)."""
    out = []
    for m in LMS:
        x = clamp(row(m, *lin), LOW, 16383.9990234375)
        b = bits(x)
        i = [(v - FIRST) >> PER_OCTAVE_SHIFT for v in b]
        f = F([(v & 0x3FFF) / 16384.0 for v in b])
        lo = F([t[j] for j in i])
        out.append(add(lo, mul(f, F([t[j + 1] - t[j] for j in i]))))
    l, m, s = out
    return (mulc(add(l, m), 0.5),
            add(sub(mulc(l, 6610 / 8192), mulc(m, 13613 / 8192)), mulc(s, 7003 / 8192)),
            sub(sub(mulc(l, 17933 / 4096), mulc(m, 17390 / 4096)), mulc(s, 543 / 4096)))


def compare(a, b):
    """Returns q of each pixel (section 6)."""
    d = [sub(x, y) for x, y in zip(a, b)]
    s = add(add(mul(d[0], d[0]), mul(d[1], d[1])), mul(d[2], d[2]))
    r = F([math.sqrt(v) for v in s])  # binary64 root of a binary32 number, rounded: the binary32 root
    return [int(v) for v in F([v + 0.5 for v in mulc(r, 720.0 * SCALE)])]


def main():
    names = {name: values for name, values in NAMES.items() if name != 'curve'}
    o = options(sys.argv[4:], {name: (None, str) for name in names} | {'peak': (None, float), 'black': (None, float)})
    o.update({name: value for name, value in (('matrix', 'bt2020'), ('range', 'limited'), ('chroma_location', 'left'),
                                              ('transfer', 'pq'), ('primaries', 'bt2020')) if o[name] is None})
    if any(o[name] not in values for name, values in names.items()):
        refuse('an option is out of range')
    peak, black = PEAK[o['transfer']]
    o['peak'] = peak if o['peak'] is None else o['peak']
    o['black'] = black if o['black'] is None else o['black']
    hlg = o['transfer'] == 'hlg'
    if not (400 if hlg else 1) <= o['peak'] <= (2000 if hlg else 10000) or not 0 <= o['black'] <= o['peak'] / 2:
        refuse('peak or black is out of range')
    if hlg and o['primaries'] != 'bt2020':
        refuse('hlg needs primaries=bt2020')
    ref, dis = read_pair(*sys.argv[2:4])
    if ref['chroma'] == 400 or (o['matrix'] == 'rgb' and ref['chroma'] != 444):
        refuse('the format has no colour, or is not R, G and B')
    e, t, n = table(o), pq_table(), ref['w'] * ref['h']
    for number, pair in enumerate(zip(ref['frames'], dis['frames'])):
        q = compare(*(itp(linear(rgb(frame, ref, o), o, e), t) for frame in pair))
        print('frame', number, 'delta_e_itp', (sum(q) / (n * SCALE)).hex())
        print('frame', number, 'delta_e_itp_visible', (sum(v > SCALE for v in q) / n).hex())


if __name__ == '__main__':
    main()
