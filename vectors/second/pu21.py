#!/usr/bin/env python3
"""pu_psnr and pu_ssim, from pu21.md, whose sections are named below. Run it as the checker does:

    pu21.py pu_psnr|pu_ssim REF.y4m DIS.y4m [NAME=VALUE...]

A binary32 operation is done in binary64 and rounded once by array('f'), which gives the bits of binary32 + - *
(53 >= 2*24 + 2).
"""
import math
import sys
from array import array

from common import options, read_pair, refuse

CURVES = {
    'banding': [1.070275272, 0.4088273932, 0.153224308, 0.2520326168, 1.063512885, 1.14115047, 521.4527484],
    'banding_glare': [0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204,
                      596.3148142],
    'peaks': [1.043882782, 0.6459495343, 0.3194584211, 0.374025247, 1.114783422, 1.095360363, 384.9217577],
    'peaks_glare': [816.885024, 1479.463946, 0.001253215609, 0.9329636822, 0.06746643971, 1.573435413,
                    419.6006374],
}
WEIGHTS = {'bt709': (0.2126729, 0.7151522, 0.0721750), 'bt2020': (0.2627, 0.6780, 0.0593),
           'p3': (0.2290, 0.6917, 0.0793)}
PEAK = {'pq': (10000.0, 0.0), 'hlg': (1000.0, 0.0), 'bt1886': (100.0, 0.1), 'srgb': (100.0, 0.1)}
LIMIT = 120.0


def f32(x):
    return array('f', [x])[0]


# ---- vdm.md 3.1, binary64 --------------------------------------------------------------------
def dlog2(x):
    m, e = math.frexp(x)
    if m < 0.7071067811865476:
        m, e = m * 2.0, e - 1
    z = (m - 1.0) / (m + 1.0)
    z2 = z * z
    p = 0.0
    for k in range(25, 0, -2):
        p = p * z2 + 1.0 / k
    return e + (2.0 * 1.4426950408889634) * (z * p)


def dexp2(y):
    n = math.floor(y + 0.5)
    f = (y - n) * 0.6931471805599453
    p = 1.0
    for k in range(16, 0, -1):
        p = 1.0 + (p * f) / k
    return math.ldexp(p, n)


def dpow(x, y):
    return dexp2(y * dlog2(x)) if x > 0.0 else 0.0


def dlog10(x):
    return dlog2(x) * 0.30102999566398120


# ---- vdm.md 3.2, binary32, on arrays ---------------------------------------------------------
LOG2_C = [float.fromhex(s) for s in (
    '0x1.b1de9cp-3', '-0x1.ce624ep-3', '0x1.98cc3ep-3', '-0x1.e3645ap-3', '0x1.27d15ap-2', '-0x1.717f8p-2',
    '0x1.ec6eb8p-2', '-0x1.715438p-1', '0x1.715476p+0')]
EXP2_C = [float.fromhex(s) for s in (
    '0x1.41d334p-13', '0x1.5f456ap-10', '0x1.3b2dbcp-7', '0x1.c6aed4p-5', '0x1.ebfbdap-3', '0x1.62e43p-1',
    '0x1p+0')]


def F(values):
    return array('f', values)


def add(a, b):
    return F([x + y for x, y in zip(a, b)])


def sub(a, b):
    return F([x - y for x, y in zip(a, b)])


def mul(a, b):
    return F([x * y for x, y in zip(a, b)])


def addc(a, c):
    return F([x + c for x in a])


def mulc(a, c):
    return F([x * c for x in a])


def clamp(a, lo, hi):
    return F([min(max(x, lo), hi) for x in a])


def bits(a):
    return array('i', a.tobytes())


def floats(i):
    return F([]) if not len(i) else array('f', array('i', i).tobytes())


def vlog2(x):
    i = bits(x)
    k = [(v - 0x3F2AAAAB) >> 23 for v in i]
    t = addc(floats([v - (n << 23) for v, n in zip(i, k)]), -1.0)
    p = F([LOG2_C[0]]) * len(t)
    for c in LOG2_C[1:]:
        p = addc(mul(p, t), c)
    return add(F(k), mul(t, p))


def vexp2(y):
    y = clamp(y, -126.0, 126.0)
    r = addc(y, 12582912.0)
    n = [v - 0x4B400000 for v in bits(r)]
    f = sub(y, addc(r, -12582912.0))
    p = F([EXP2_C[0]]) * len(f)
    for c in EXP2_C[1:]:
        p = addc(mul(p, f), c)
    return floats([v + (m << 23) for v, m in zip(bits(p), n)])


def vrcp(b):
    r = floats([0x7EF311C3 - v for v in bits(b)])
    for _ in range(3):
        r = mul(r, F([2.0 - v for v in mul(b, r)]))
    return r


# ---- section 4: luminance --------------------------------------------------------------------
def hlg_gamma(peak):
    return 1.2 + 0.42 * dlog10(peak / 1000.0)


def table(o):
    tr, lw, lb = o['transfer'], o['peak'], o['black']
    e = []
    if tr == 'bt1886':
        rw, rb = dpow(lw, 1 / 2.4), dpow(lb, 1 / 2.4)
        a, b = dpow(rw - rb, 2.4), rb / (rw - rb)
    if tr == 'hlg':
        beta = math.sqrt(3.0 * dpow(lb / lw, 1.0 / hlg_gamma(lw)))
    for i in range(4097):
        v = i / 4096.0
        if tr == 'bt1886':
            x = a * dpow(v + b, 2.4)
        elif tr == 'srgb':
            x = lb + (lw - lb) * (v / 12.92 if v <= 0.04045 else dpow((v + 0.055) / 1.055, 2.4))
        elif tr == 'pq':
            t = dpow(v, 1 / 78.84375)
            x = 10000.0 * dpow(max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125)
            x = min(max(x, lb), lw)
        else:
            u = (1.0 - beta) * v + beta
            x = (u * u / 3.0 if u <= 0.5 else
                 (dexp2((u - 0.55991072952956202) / 0.17883277 * 1.4426950408889634) + 0.28466892) / 12.0)
        e.append(x)
    return F(e + [e[4096]])


def upsample(plane, cw, ch, w, h, chroma, loc):
    """Returns the integer sums of ssimulacra2.md 5.1 and their unit."""
    def taps(i, sub_, cosited):
        if not sub_:
            return i, (1,)
        if cosited:
            return (i // 2, (16,)) if i % 2 == 0 else ((i - 1) // 2 - 1, (-1, 9, 9, -1))
        return (i // 2 - 2, (-3, 29, 111, -9)) if i % 2 == 0 else ((i - 1) // 2 - 1, (-9, 111, 29, -3))
    sh, sv = chroma != 444, chroma == 420
    ch_, cv_ = loc in ('left', 'topleft'), loc == 'topleft'
    unit = (16 if ch_ else 128) if sh else 1
    unit *= (16 if cv_ else 128) if sv else 1
    rows = []
    for y in range(ch):
        r = plane[y * cw:(y + 1) * cw]
        out = []
        for x in range(w):
            i, k = taps(x, sh, ch_)
            out.append(sum(c * r[min(max(i + j, 0), cw - 1)] for j, c in enumerate(k)))
        rows.append(out)
    res = []
    for y in range(h):
        i, k = taps(y, sv, cv_)
        src = [rows[min(max(i + j, 0), ch - 1)] for j in range(len(k))]
        res += [sum(c * s[x] for c, s in zip(k, src)) for x in range(w)]
    return res, unit


def rgb(frame, clip, o):
    """Returns the clamped R'G'B' of ssimulacra2.md 5.2."""
    w, h, d = clip['w'], clip['h'], clip['depth']
    s, limited = 2.0 ** (d - 8), o['range'] == 'limited'
    off = int(16 * s) if limited else 0
    ky = f32(1.0 / (219.0 * s) if limited else 1.0 / (2.0 ** d - 1))
    y = mulc(F([v - off for v in frame[0]]), ky)
    if clip['chroma'] == 400:
        p = [y, y, y]
    elif o['matrix'] == 'rgb':
        p = [y] + [mulc(F([v - off for v in frame[c]]), ky) for c in (1, 2)]
    else:
        kr, kb = {'bt709': (0.2126, 0.0722), 'bt601': (0.299, 0.114), 'bt2020': (0.2627, 0.0593)}[o['matrix']]
        kg = 1.0 - kr - kb
        rv, bu = f32(2 * (1 - kr)), f32(2 * (1 - kb))
        gu, gv = f32(2 * (1 - kb) * kb / kg), f32(2 * (1 - kr) * kr / kg)
        uv = []
        for c in (1, 2):
            sums, m = upsample(frame[c], clip['cw'], clip['ch'], w, h, clip['chroma'], o['chroma_location'])
            kc = f32(1.0 / (224.0 * s * m) if limited else 1.0 / ((2.0 ** d - 1) * m))
            uv.append(mulc(F([v - int(128 * s * m) for v in sums]), kc))
        u, v = uv
        p = [add(y, mulc(v, rv)), sub(sub(y, mulc(u, gu)), mulc(v, gv)), add(y, mulc(u, bu))]
    return [clamp(c, 0.0, 1.0) for c in p]


def luminance(p, o, e):
    lin = []
    for c in p:
        t = mulc(c, 4096.0)
        i = [int(v) for v in t]
        f = F([v - j for v, j in zip(t, i)])
        lo = F([e[j] for j in i])
        lin.append(add(lo, mul(f, F([e[j + 1] - e[j] for j in i]))))
    wr, wg, wb = (f32(v) for v in WEIGHTS[o['primaries']])
    y = add(add(mulc(lin[0], wr), mulc(lin[1], wg)), mulc(lin[2], wb))
    if o['transfer'] == 'hlg':
        y = F([max(v, 2.0 ** -20) for v in y])
        y = mulc(vexp2(mulc(vlog2(y), f32(hlg_gamma(o['peak'])))), f32(o['peak']))
    return y


# ---- section 5: the curve --------------------------------------------------------------------
def encode(y, curve):
    p = [f32(v) for v in CURVES[curve]]
    y = clamp(y, f32(0.005), 10000.0)
    u = vexp2(mulc(vlog2(y), p[3]))
    r = mul(addc(mulc(u, p[1]), p[0]), vrcp(addc(mulc(u, p[2]), 1.0)))
    v = mulc(addc(vexp2(mulc(vlog2(r), p[4])), -p[5]), p[6])
    return F([max(x, 0.0) for x in v])


def quantise(v):
    return [int(x) for x in addc(mulc(v, 16384.0), 0.5)]


# ---- sections 6 and 7 ------------------------------------------------------------------------
def decibel(total, n, peak):
    if total == 0:
        return LIMIT
    hi, lo = total >> 32, total & 0xFFFFFFFF
    mse = ((hi * 4294967296.0 + lo) / n) / 268435456.0
    return min(10.0 * dlog10(peak * peak / mse), LIMIT)


WINDOW = [f32(g) for g in (0.001028, 0.007599, 0.036001, 0.109361, 0.213006, 0.266012, 0.213006, 0.109361,
                           0.036001, 0.007599, 0.001028)]


def blur(img, w, h):
    ow, oh = w - 10, h - 10
    rows = []
    for y in range(h):
        r = img[y * w:(y + 1) * w]
        acc = [0.0] * ow
        for k, g in enumerate(WINDOW):
            acc = [a + b for a, b in zip(acc, mulc(r[k:k + ow], g))]
        rows.append(F(acc))
    out = array('f')
    for y in range(oh):
        acc = [0.0] * ow
        for k, g in enumerate(WINDOW):
            acc = [a + b for a, b in zip(acc, mulc(rows[y + k], g))]
        out.extend(F(acc))
    return out


def decimate(img, w, h, n):
    if n == 1:
        return img, w, h
    k = f32(1.0 / (n * n))
    sw, sh, o = w // n + w % 2, h // n + h % 2, n // 2
    mirror = lambda i, m: -1 - i if i < 0 else 2 * m - 1 - i if i >= m else i
    out = array('f')
    for y in range(sh):
        acc = [0.0] * sw
        for dy in range(n):
            r = mulc(img[mirror(n * y - o + dy, h) * w:][:w], k)
            for dx in range(n):
                acc = [a + r[mirror(n * x - o + dx, w)] for x, a in enumerate(acc)]
        out.extend(F(acc))
    return out, sw, sh


def ssim(a, b, w, h, scale):
    if scale == 0:
        q = f32(min(w, h) / 256.0)
        scale = max(1, math.floor(q) + (q - math.floor(q) >= 0.5))
    (a, w, h), (b, _, _) = decimate(a, w, h, scale), decimate(b, w, h, scale)
    if w < 11 or h < 11:
        refuse('pu_ssim: a side is below 11')
    k1, k2 = f32(f32(0.01) * 256.0), f32(f32(0.03) * 256.0)
    c1, c2 = f32(k1 * k1), f32(k2 * k2)
    c3 = f32(c2 / 2)
    m1, m2 = blur(a, w, h), blur(b, w, h)
    v1 = F([max(0.0, x) for x in sub(blur(mul(a, a), w, h), mul(m1, m1))])
    v2 = F([max(0.0, x) for x in sub(blur(mul(b, b), w, h), mul(m2, m2))])
    c12 = sub(blur(mul(a, b), w, h), mul(m1, m2))
    sd = F([math.sqrt(x) for x in mul(v1, v2)])
    ld = addc(add(mul(m1, m1), mul(m2, m2)), c1)
    cd = addc(add(v1, v2), c2)
    xs = F([0.0 if x < 0 and s <= 0 else x for x, s in zip(c12, sd)])
    st = F([n / d for n, d in zip(addc(xs, c3), addc(sd, c3))])
    total = 0.0
    for i in range(len(m1)):
        l = (2.0 * m1[i] * m2[i] + c1) / ld[i]
        c = (2.0 * sd[i] + c2) / cd[i]
        total += (l * c) * st[i]
    return f32(total / ((w - 10) * (h - 10)))


NAMES = {'matrix': ('bt709', 'bt601', 'bt2020', 'rgb'), 'range': ('limited', 'full'), 'transfer': tuple(PEAK),
         'chroma_location': ('left', 'center', 'topleft'), 'primaries': tuple(WEIGHTS), 'curve': tuple(CURVES)}


def main():
    metric = sys.argv[1]
    known = {name: (None, str) for name in NAMES}
    known.update({'peak': (None, float), 'black': (None, float)})
    known.update({'psnr_peak': (256.0, float)} if metric == 'pu_psnr' else {'scale': (1, int)})
    o = options(sys.argv[4:], known)
    o.update({name: value for name, value in (('matrix', 'bt2020'), ('range', 'limited'), ('chroma_location', 'left'),
                                              ('transfer', 'pq'), ('primaries', 'bt2020'), ('curve', 'banding_glare'))
              if o[name] is None})
    if any(o[name] not in values for name, values in NAMES.items()) or (o['peak'] is not None and o['peak'] <= 0):
        refuse('an option is out of range')
    peak, black = PEAK[o['transfer']]
    o['peak'] = peak if o['peak'] is None else o['peak']
    o['black'] = black if o['black'] is None else o['black']
    ref, dis = read_pair(*sys.argv[2:4])
    e = table(o)
    n, total = ref['w'] * ref['h'], 0
    for number, pair in enumerate(zip(ref['frames'], dis['frames'])):
        q = [quantise(encode(luminance(rgb(frame, ref, o), o, e), o['curve'])) for frame in pair]
        if metric == 'pu_ssim':
            planes = [mulc(F(v), 2.0 ** -14) for v in q]
            print('frame', number, 'pu_ssim', ssim(planes[0], planes[1], ref['w'], ref['h'], o['scale']).hex())
        else:
            error = sum((a - b) * (a - b) for a, b in zip(*q))
            total += error
            print('frame', number, 'pu_psnr', decibel(error, n, o['psnr_peak']).hex())
    if metric == 'pu_psnr':
        print('clip', 'pu_apsnr', decibel(total, n * len(ref['frames']), o['psnr_peak']).hex())


if __name__ == '__main__':
    main()
