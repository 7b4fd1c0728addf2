#!/usr/bin/env python3
"""The visual discrimination model, from vdm.md, whose sections are named below; needs NumPy. Run it as the checker
does:

    vdm.py vdm REF.y4m DIS.y4m [NAME=VALUE...]

Every operation of a sample is a single binary32 operation in the order that the specification gives: each + - * of
NumPy's float32 arrays rounds once, nothing is fused. Every table of the set-up is computed in binary64 with the
functions of section 3.1 and then rounded once to binary32.
"""
import sys

import numpy as np

from common import options, read_pair, refuse

F = np.float32
I32 = np.int32

# ------------------------------------------------------------------------------------------------
# 3.1  float64 set-up functions: basic operations only
# ------------------------------------------------------------------------------------------------
LOG2E = 1.4426950408889634
LN2 = 0.6931471805599453


def d_log2(x):
    """log2 of a positive float64."""
    m, e = np.frexp(float(x))          # x = m * 2^e, 0.5 <= m < 1
    m, e = float(m), int(e)
    if m < 0.7071067811865476:
        m, e = m * 2.0, e - 1
    z = (m - 1.0) / (m + 1.0)
    z2 = z * z
    p = 0.0
    for k in range(25, 0, -2):         # 1/25, 1/23 ... 1/1, Horner in z2
        p = p * z2 + 1.0 / k
    return e + (2.0 * LOG2E) * (z * p)


def d_exp2(y):
    """2^y, y float64 in [-1000, 1000]."""
    n = int(np.floor(y + 0.5))
    f = (y - n) * LN2
    p = 1.0
    for k in range(16, 0, -1):         # Taylor series of exp, Horner: (p * f) / k
        p = 1.0 + (p * f) / k
    return float(np.ldexp(p, n))


def d_exp(x):
    return d_exp2(x * LOG2E)


def d_pow(x, y):
    return d_exp2(y * d_log2(x)) if x > 0.0 else 0.0


def d_sqrt(x):
    return float(np.sqrt(np.float64(x)))   # IEEE 754: correctly rounded


# ------------------------------------------------------------------------------------------------
# 3.2  float32 per-pixel functions
# ------------------------------------------------------------------------------------------------
# minimax coefficients, highest degree first
LOG2_C = [F(float.fromhex(s)) for s in (
    '0x1.b1de9c0000000p-3',
    '-0x1.ce624e0000000p-3',
    '0x1.98cc3e0000000p-3',
    '-0x1.e3645a0000000p-3',
    '0x1.27d15a0000000p-2',
    '-0x1.717f800000000p-2',
    '0x1.ec6eb80000000p-2',
    '-0x1.7154380000000p-1',
    '0x1.7154760000000p+0',
)]
EXP2_C = [F(float.fromhex(s)) for s in (
    '0x1.41d3340000000p-13',
    '0x1.5f456a0000000p-10',
    '0x1.3b2dbc0000000p-7',
    '0x1.c6aed40000000p-5',
    '0x1.ebfbda0000000p-3',
    '0x1.62e4300000000p-1',
    '0x1.0000000000000p+0',
)]


def f32(x):
    return np.asarray(x, dtype=F)


def bits(x):
    return np.ascontiguousarray(x, dtype=F).view(I32)


def unbits(i):
    return np.ascontiguousarray(i, dtype=I32).view(F)


def v_log2(x):
    """log2 of positive normal float32; t = m - 1, m in [2/3, 4/3)."""
    i = bits(x)
    k = (i - I32(0x3F2AAAAB)) >> I32(23)
    t = unbits(i - (k << I32(23))) - F(1.0)
    p = np.full_like(t, LOG2_C[0])
    for c in LOG2_C[1:]:
        p = p * t + c
    return k.astype(F) + t * p


def v_exp2(y):
    """2^y for y in [-126, 126] (clamped)."""
    y = np.minimum(np.maximum(f32(y), F(-126.0)), F(126.0))
    r = y + F(12582912.0)
    n = bits(r) - I32(0x4B400000)
    f = y - (r - F(12582912.0))
    p = np.full_like(f, EXP2_C[0])
    for c in EXP2_C[1:]:
        p = p * f + c
    return unbits(bits(p) + (n << I32(23)))


def v_rcp(b):
    """1/b, b positive normal: integer seed, three Newton steps."""
    r = unbits(I32(0x7EF311C3) - bits(b))
    for _ in range(3):
        r = r * (F(2.0) - b * r)
    return r


# ------------------------------------------------------------------------------------------------
# 4  parameters
# ------------------------------------------------------------------------------------------------
DEFAULTS = dict(
    eotf='bt1886', lw=100.0, lb=0.1, ambient_lux=0.0, reflectance=0.01, full_range=0,
    distance_h=3.0, ppd=0.0, retinal_ppd=0.0, max_ppd=160.0,
    levels=7, optics=1, csf='barten89', csf_width=10.0, csf_gain=0.6,
    n=2.4, w=0.4, kappa=2.5, q=2.4, pool=5, minkowski=4.0, psych_slope=1.3,
    temporal=0, fps=50.0, tau_s=0.040, tau_f=0.010, transient_sens=100.0,
)
PRESETS = {'fovea': {}, 'lubin95': dict(n=1.5, w=0.068, kappa=1.0, csf_gain=1.0)}

# 7.3: per level (the last entry serves all coarser levels): peak frequency in cycles per sample of the
# level, peak gain of the linear chain without optics
CH_PEAK = (0.2475, 0.2275, 0.2225)
CH_GAIN = (0.9045, 0.6890, 0.6440)

# 6.3: MTF of the Westheimer point spread at 0, 1, 2 ... 64 cycles/degree
WEST_MTF = [
    1.000000, 0.998566, 0.994278, 0.987185, 0.977360, 0.964910, 0.949964, 0.932676,
    0.913220, 0.891788, 0.868585, 0.843824, 0.817727, 0.790516, 0.762412, 0.733634,
    0.704392, 0.674888, 0.645309, 0.615832, 0.586618, 0.557813, 0.529544, 0.501926,
    0.475054, 0.449009, 0.423857, 0.399648, 0.376420, 0.354199, 0.332999, 0.312824,
    0.293669, 0.275522, 0.258366, 0.242175, 0.226920, 0.212571, 0.199093, 0.186447,
    0.174597, 0.163504, 0.153128, 0.143432, 0.134376, 0.125923, 0.118037, 0.110682,
    0.103826, 0.097435, 0.091479, 0.085929, 0.080756, 0.075936, 0.071443, 0.067255,
    0.063350, 0.059708, 0.056310, 0.053139, 0.050178, 0.047412, 0.044827, 0.042411,
    0.040150,
]


def pixels_per_degree(p, height):
    """6.1: the ppd at the centre of the picture, or as given."""
    if p['ppd'] > 0:
        return float(p['ppd'])
    # one picture height at distance_h heights: pixels per degree = height * distance_h * pi / 180
    return height * p['distance_h'] * 0.017453292519943295


# ------------------------------------------------------------------------------------------------
# 5  display model
# ------------------------------------------------------------------------------------------------
def display_table(p, depth):
    n = 1 << depth
    s = 1 << (depth - 8)
    lut = np.zeros(n, dtype=F)
    lw, lb = p['lw'], p['lb']
    refl = p['ambient_lux'] * p['reflectance'] / 3.141592653589793
    if p['eotf'] == 'bt1886':
        rw, rb = d_pow(lw, 1.0 / 2.4), d_pow(lb, 1.0 / 2.4)
        a, b = d_pow(rw - rb, 2.4), rb / (rw - rb)
    for c in range(n):
        v = c / float(n - 1) if p['full_range'] else (c - 16.0 * s) / (219.0 * s)
        v = min(max(v, 0.0), 1.0)
        if p['eotf'] == 'bt1886':
            l = a * d_pow(max(v + b, 0.0), 2.4)
        elif p['eotf'] == 'srgb':
            e = v / 12.92 if v <= 0.04045 else d_pow((v + 0.055) / 1.055, 2.4)
            l = lb + (lw - lb) * e
        elif p['eotf'] == 'pq':
            t = d_pow(v, 1.0 / 78.84375)
            e = d_pow(max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t), 1.0 / 0.1593017578125)
            l = min(max(10000.0 * e, lb), lw)
        elif p['eotf'] == 'linear':
            l = lb + (lw - lb) * v
        else:
            raise ValueError(p['eotf'])
        lut[c] = F(max(l + refl, 2.0 ** -10))
    return lut


# ------------------------------------------------------------------------------------------------
# 2.2  border rule: half-sample symmetric reflection, repeated as often as needed
# ------------------------------------------------------------------------------------------------
def refl(i, n):
    i = np.array(i, dtype=np.int64)
    while True:
        i = np.where(i < 0, -1 - i, i)
        i = np.where(i >= n, 2 * n - 1 - i, i)
        if ((i >= 0) & (i < n)).all():
            return i


def rows(x, off, step=1, count=None):
    """Returns the columns x[:, step*j + off], reflected at the borders."""
    n = x.shape[1]
    j = np.arange(n if count is None else count) * step + off
    return x[:, refl(j, n)]


def cols(x, off, step=1, count=None):
    n = x.shape[0]
    j = np.arange(n if count is None else count) * step + off
    return x[refl(j, n), :]


# ------------------------------------------------------------------------------------------------
# 6  retina: optics and sampling
# ------------------------------------------------------------------------------------------------
def westheimer(rho):
    """Q(rho), rho in minutes of arc (float64)"""
    if rho <= 0.0:
        return 1.0
    l = d_log2(rho)
    return (0.952 * d_exp(-2.59 * d_exp2(1.36 * l)) + 0.048 * d_exp(-2.43 * d_exp2(1.74 * l)))


def optics_kernel(ppd):
    """6.2: cell integrals of the point spread, one weight per class (a, b), 0 <= b <= a <= R."""
    r = int(np.ceil(ppd / 60.0 - 1e-9))
    r = max(1, min(4, r))
    sub = 8
    arcmin = 60.0 / ppd
    cls, tot = {}, 0.0
    for a in range(0, r + 1):
        for b in range(0, a + 1):
            s = 0.0
            for v in range(sub):
                dy = (b + (v + 0.5) / sub - 0.5) * arcmin
                for u in range(sub):
                    dx = (a + (u + 0.5) / sub - 0.5) * arcmin
                    s += westheimer(d_sqrt(dx * dx + dy * dy))
            n = 1 if a == 0 else (4 if (b == 0 or a == b) else 8)
            cls[(a, b)] = s
            tot += n * s
    return r, {k: F(v / tot) for k, v in cls.items()}


def optics(x, ppd):
    r, k = optics_kernel(ppd)
    y = x.copy()
    rowcache = {dy: cols(x, dy) for dy in range(-r, r + 1)}
    for a in range(1, r + 1):
        for b in range(0, a + 1):
            s, n = None, 0
            for dy in range(-a, a + 1):
                for dx in range(-a, a + 1):
                    hi, lo = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
                    if hi == a and lo == b:
                        t = rows(rowcache[dy], dx)
                        s = t if s is None else s + t
                        n += 1
            y = y + k[(a, b)] * (s - F(n) * x)
    return y


def reduce_(x):
    """7.1 REDUCE: binomial 1 4 6 4 1, written so that a constant is kept exactly."""
    for fn, ax in ((rows, 1), (cols, 0)):
        m = (x.shape[ax] + 1) >> 1
        x0 = fn(x, 0, 2, m)
        two = x0 + x0
        d1 = (fn(x, -1, 2, m) + fn(x, 1, 2, m)) - two
        d2 = (fn(x, -2, 2, m) + fn(x, 2, 2, m)) - two
        x = x0 + (F(4.0) * d1 + d2) * F(0.0625)
    return x


def expand(x, shape):
    """7.1 EXPAND to shape (h, w)."""
    for fn, ax in ((rows, 1), (cols, 0)):
        n = shape[ax]
        ne, no = (n + 1) >> 1, n >> 1
        x0 = fn(x, 0, 1, ne)
        ev = x0 + ((fn(x, -1, 1, ne) + fn(x, 1, 1, ne)) - (x0 + x0)) * F(0.125)
        od = (fn(x, 0, 1, no) + fn(x, 1, 1, no)) * F(0.5)
        y = np.empty((x.shape[0], n) if ax == 1 else (n, x.shape[1]), dtype=F)
        if ax == 1:
            y[:, 0::2], y[:, 1::2] = ev, od
        else:
            y[0::2, :], y[1::2, :] = ev, od
        x = y
    return x


def resample_axis(x, ratio, axis):
    """6.4: general resampling, out sample j at (j + 0.5) * ratio - 0.5; Gaussian taps."""
    n = x.shape[axis]
    m = max(1, int(np.floor(n / ratio + 0.5)))
    sg = 0.6 * max(1.0, ratio)
    rad = int(np.ceil(2.5 * sg))
    out = None
    ctr = [(j + 0.5) * ratio - 0.5 for j in range(m)]
    base = [int(np.floor(c)) for c in ctr]
    wts = np.zeros((m, 2 * rad), dtype=F)
    for j in range(m):
        w = []
        for t in range(2 * rad):
            d = (base[j] - rad + 1 + t) - ctr[j]
            w.append(d_exp(-0.5 * (d / sg) * (d / sg)))
        tot = 0.0
        for v in w:
            tot += v
        wts[j] = [F(v / tot) for v in w]
    base = np.array(base)
    for t in range(2 * rad):
        idx = refl(base - rad + 1 + t, n)
        s = x[:, idx] * wts[:, t][None, :] if axis == 1 else x[idx, :] * wts[:, t][:, None]
        out = s if out is None else out + s
    return out


# ------------------------------------------------------------------------------------------------
# 7.3  oriented energy: steerable G2/H2 in separable form, 11 taps
# ------------------------------------------------------------------------------------------------
TAP = 0.67                       # sample distance in units of the Gaussian exp(-x^2)
EN_F = 0.2125                    # cycles per sample at which both filters have unit gain
H2_B, H2_A = 0.7515, 2.254


def _sum6(v, k):
    """k[0] v[0] + 2 (k[1] v[1] + ... + k[5] v[5])"""
    s = 0.0
    for i in range(1, 6):
        s += k[i] * v[i]
    return k[0] * v[0] + 2.0 * s


def _cos_sin(a):
    """float64 Taylor series, |a| < 2"""
    c, s, t = 0.0, 0.0, 1.0
    for k in range(30):
        if k % 2 == 0:
            c += t if k % 4 == 0 else -t
        else:
            s += t if k % 4 == 1 else -t
        t = t * a / (k + 1)
    return c, s


def energy_taps():
    """float64: the five tap vectors (i = 0..5) and the two energy scales A, B"""
    m0, m1, g2, h2, h3 = [], [], [], [], []
    for i in range(6):
        x = TAP * i
        e = d_exp(-(x * x))
        m0.append(e)
        m1.append(x * e)
        g2.append(x * x * e)
        h2.append((x * x - H2_B) * e)
        h3.append((x * x * x - H2_A * x) * e)
    one = [1.0] * 6
    beta = _sum6(one, g2) / _sum6(one, m0)
    g2 = [g2[i] - beta * m0[i] for i in range(6)]
    c1, s1 = _cos_sin(2.0 * 3.141592653589793 * EN_F)
    c, s = [1.0], [0.0]
    for _ in range(5):
        c.append(c[-1] * c1 - s[-1] * s1)
        s.append(s[-1] * c1 + (c[-2] * s1))
    dc = _sum6(one, m0)
    g = _sum6(c, g2) * dc
    h = _sum6(s, h3) * dc
    return (m0, m1, g2, h2, h3), 1.0 / (g * g), 1.0 / (h * h)


_T, _A, _B = energy_taps()
M0, M1, G2, H2, H3 = [np.array(t, dtype=F) for t in _T]
EN_A, EN_B = F(_A), F(_B)


def _even(x, fn, k):
    y = k[0] * x
    for i in range(1, 6):
        y = y + k[i] * (fn(x, -i) + fn(x, i))
    return y


def _odd(x, fn, k):
    y = k[1] * (fn(x, 1) - fn(x, -1))
    for i in range(2, 6):
        y = y + k[i] * (fn(x, i) - fn(x, -i))
    return y


def oriented_energy(c):
    """Returns the energies of a contrast image at 0, 45, 90 and 135 degrees."""
    r0, r1 = _even(c, rows, M0), _odd(c, rows, M1)
    rg, rb, ra = _even(c, rows, G2), _even(c, rows, H2), _odd(c, rows, H3)
    ga, gb, gc = _even(rg, cols, M0), _odd(r1, cols, M1), _even(r0, cols, G2)
    ha, hb, hc, hd = _even(ra, cols, M0), _odd(rb, cols, M1), _even(r1, cols, H2), _odd(r0, cols, H3)
    gs = (ga + gc) * F(0.5)
    p, q = ha + F(3.0) * hc, hd + F(3.0) * hb
    r = F(0.35355338)                       # sqrt(2) / 4
    h45, h135 = r * (p - q), r * (p + q)
    return [EN_A * (g * g) + EN_B * (h * h)
            for g, h in ((ga, ha), (gs - gb, h45), (gc, hd), (gs + gb, h135))]


def kernels():
    """Returns the eight 11x11 kernels, float64, [row][column], for documentation and tests."""
    def full(t, odd):
        return np.array([(-t[-i] if odd else t[-i]) for i in range(-5, 0)] + list(t[0:6]))
    m0, m1, g2, h2, h3 = full(_T[0], 0), full(_T[1], 1), full(_T[2], 0), full(_T[3], 0), full(_T[4], 1)
    ga, gb, gc = np.outer(m0, g2), np.outer(m1, m1), np.outer(g2, m0)
    ha, hb, hc, hd = np.outer(m0, h3), np.outer(m1, h2), np.outer(h2, m1), np.outer(h3, m0)
    r, a, b = np.sqrt(2) / 4, np.sqrt(_A), np.sqrt(_B)
    return {'G0': a * ga, 'G45': a * ((ga + gc) / 2 - gb), 'G90': a * gc, 'G135': a * ((ga + gc) / 2 + gb),
            'H0': b * ha, 'H45': b * r * (ha + 3 * hc - hd - 3 * hb), 'H90': b * hd,
            'H135': b * r * (ha + 3 * hc + hd + 3 * hb)}


# ------------------------------------------------------------------------------------------------
# 8  contrast sensitivity
# ------------------------------------------------------------------------------------------------
def csf_barten89(f, l, width):
    a = 540.0 * d_pow(1.0 + 0.7 / l, -0.2) / (1.0 + 12.0 / (width * (1.0 + f / 3.0) * (1.0 + f / 3.0)))
    b = 0.3 * d_pow(1.0 + 100.0 / l, 0.15)
    e = d_exp(b * f)
    return a * f * d_sqrt(1.0 + 0.06 * e) / e


def csf_barten03(f, l, width):
    x2 = width * width
    num = 5200.0 * d_exp(-(0.0016 * f * f * d_pow(1.0 + 100.0 / l, 0.08)))
    den = (1.0 + 144.0 / x2 + 0.64 * f * f) * (63.0 / d_pow(l, 0.83) + 1.0 / (1.0 - d_exp(-0.02 * f * f)))
    return num / d_sqrt(den)


def csf(p, f, l):
    return (csf_barten89 if p['csf'] == 'barten89' else csf_barten03)(f, l, p['csf_width']) * p['csf_gain']


def mtf(f):
    if f >= 64.0:
        return WEST_MTF[64]
    i = int(np.floor(f))
    return WEST_MTF[i] + (f - i) * (WEST_MTF[i + 1] - WEST_MTF[i])


LUM_LO = -10
LUM_OCT = 24


def lum_nodes():
    return [np.ldexp(1.0 + (i % 8) / 8.0, LUM_LO + i // 8) for i in range(8 * LUM_OCT + 1)]


def weight_table(p, ppd, k):
    """8.2: W_k at the 193 luminance nodes: squared sensitivity of channel k, in 1/contrast^2."""
    z = min(k, 2)
    f = CH_PEAK[z] * ppd / (1 << k)
    g = 1.0 / (CH_GAIN[z] * (mtf(f) if p['optics'] else 1.0))
    out = []
    for l in lum_nodes():
        s = csf(p, f, l) * g
        out.append(F(max(s * s, 2.0 ** -100)))
    return np.array(out, dtype=F)


def weight_lookup(tab, lum):
    l = np.minimum(np.maximum(lum, F(2.0 ** LUM_LO)), F(16383.0))
    i = bits(l)
    idx = (i >> I32(20)) - I32((127 + LUM_LO) << 3)
    fr = (i & I32(0xFFFFF)).astype(F) * F(2.0 ** -20)
    lo = tab[idx]
    return lo + fr * (tab[idx + 1] - lo)


# ------------------------------------------------------------------------------------------------
# 9  transducer, pooling, distance
# ------------------------------------------------------------------------------------------------
def transducer(p, e):
    """9.1: T = (1 + kappa) e^(n/2) / (kappa + e^((n-w)/2)), e the normalised energy."""
    e = np.minimum(np.maximum(e, F(2.0 ** -30)), F(2.0 ** 40))
    lg = v_log2(e)
    num = v_exp2(F(0.5 * p['n']) * lg)
    x = p['n'] - p['w']
    den = F(p['kappa']) + (e if abs(x - 2.0) < 1e-9 else v_exp2(F(0.5 * x) * lg))
    return (F(1.0 + p['kappa']) * num) * v_rcp(den)


def box5(x):
    """9.2: 5x5 mean, rows then columns, left to right."""
    for fn in (rows, cols):
        x = ((((fn(x, -2) + fn(x, -1)) + x) + fn(x, 1)) + fn(x, 2)) * F(0.2)
    return x


def box(x, size):
    if size == 1:
        return x
    if size == 5:
        return box5(x)
    raise ValueError(size)


def power_q(d, q):
    """|d|^q, zero below 2^-16"""
    a = np.abs(d)
    s = np.maximum(a, F(2.0 ** -16))
    return np.where(a < F(2.0 ** -16), F(0.0), v_exp2(F(q) * v_log2(s)))


# ------------------------------------------------------------------------------------------------
# the metric
# ------------------------------------------------------------------------------------------------
class Vdm:
    def __init__(self, shape, **kw):
        self.p = dict(DEFAULTS)
        self.p.update(PRESETS[kw.pop('preset', 'fovea')])
        self.p.update(kw)
        self.shape = shape
        p = self.p
        self.ppd_in = pixels_per_degree(p, shape[0])
        self.halvings, ppd = 0, self.ppd_in
        if p['retinal_ppd'] > 0:
            ppd = float(p['retinal_ppd'])
        else:
            while ppd > p['max_ppd']:
                ppd *= 0.5
                self.halvings += 1
        self.ppd = ppd
        self.tab = [weight_table(p, ppd, k) for k in range(p['levels'])]
        self.tstate = [None, None]

    def retina(self, lum):
        p = self.p
        x = f32(lum)
        if p['optics']:
            x = optics(x, self.ppd_in)
        if p['retinal_ppd'] > 0:
            ratio = self.ppd_in / self.ppd
            if abs(ratio - 1.0) > 1e-9:
                x = resample_axis(resample_axis(x, ratio, 1), ratio, 0)
        else:
            for _ in range(self.halvings):
                x = reduce_(x)
        return x

    def pyramid(self, x):
        """Gaussian levels 0 .. levels+1, contrast and adaptation luminance 0 .. levels-1"""
        n = self.p['levels']
        g = [x]
        for _ in range(n + 1):
            g.append(reduce_(g[-1]))
        up = [expand(g[k + 1], g[k].shape) for k in range(n + 1)]
        con, ada = [], []
        for k in range(n):
            d = np.maximum(expand(up[k + 1], g[k].shape), F(2.0 ** LUM_LO))
            con.append((g[k] - up[k]) * v_rcp(d))
            ada.append(d)
        return g, con, ada

    def responses(self, x):
        g, con, ada = self.pyramid(x)
        out = []
        for k in range(self.p['levels']):
            w = weight_lookup(self.tab[k], ada[k])
            e = oriented_energy(con[k])
            t = [transducer(self.p, v * w) for v in e]
            out.append(t)
        return out, g, ada

    def temporal(self, x, which):
        """12.1: sustained and transient images of one stream"""
        p = self.p
        a_s = F(1.0 - d_exp(-1.0 / (p['fps'] * p['tau_s'])))
        a_f = F(1.0 - d_exp(-1.0 / (p['fps'] * p['tau_f'])))
        st = self.tstate[which]
        if st is None:
            st = [x.copy(), x.copy(), x.copy()]
        else:
            s1 = st[0] + a_s * (x - st[0])
            s2 = st[1] + a_s * (s1 - st[1])
            f1 = st[2] + a_f * (x - st[2])
            st = [s1, s2, f1]
        self.tstate[which] = st
        return st[1], st[2] - st[1]

    def transient(self, b, ada3):
        """12.2: transient response at level 3"""
        for _ in range(3):
            b = reduce_(b)
        c = b * v_rcp(ada3)
        s = F(self.p['transient_sens'])
        cs = c * s
        return transducer(self.p, cs * cs)

    def frame(self, ref, dis):
        """JND map of one pair of luminance planes (cd/m2, float32)."""
        p = self.p
        xr, xd = self.retina(ref), self.retina(dis)
        tr = None
        if p['temporal']:
            xr, br = self.temporal(xr, 0)
            xd, bd = self.temporal(xd, 1)
        (rr, _, ar), (rd, _, ad) = self.responses(xr), self.responses(xd)
        if p['temporal'] and p['levels'] > 3:
            tr = self.transient(br, ar[3]) - self.transient(bd, ad[3])
        acc = None
        for k in range(p['levels'] - 1, -1, -1):
            s = None
            for o in range(4):
                v = power_q(box(rr[k][o] - rd[k][o], p['pool']), p['q'])
                s = v if s is None else s + v
            if tr is not None and k == 3:
                s = s + power_q(box(tr, p['pool']), p['q'])
            acc = s if acc is None else s + expand(acc, s.shape)
        j = np.where(acc < F(2.0 ** -40), F(0.0),
                     v_exp2(F(1.0 / p['q']) * v_log2(np.maximum(acc, F(2.0 ** -40)))))
        for _ in range(self.halvings):
            j = expand(j, _up_shape(self.shape, self.halvings, j.shape))
        if p['retinal_ppd'] > 0 and j.shape != tuple(self.shape):
            j = bilinear(j, self.shape)
        return j


def _up_shape(full, n, cur):
    """Returns the shape of the level that is one finer than `cur` in the chain full, ceil(full/2), ..."""
    chain = [tuple(full)]
    for _ in range(n):
        h, w = chain[-1]
        chain.append(((h + 1) >> 1, (w + 1) >> 1))
    return chain[chain.index(tuple(cur)) - 1]


def bilinear(x, shape):
    for ax in (1, 0):
        n, m = x.shape[ax], shape[ax]
        c = [(j + 0.5) * n / m - 0.5 for j in range(m)]
        i0 = np.array([int(np.floor(v)) for v in c])
        fr = np.array([F(v - np.floor(v)) for v in c], dtype=F)
        a, b = refl(i0, n), refl(i0 + 1, n)
        if ax == 1:
            x = x[:, a] + fr[None, :] * (x[:, b] - x[:, a])
        else:
            x = x[a, :] + fr[:, None] * (x[b, :] - x[a, :])
    return x


# ------------------------------------------------------------------------------------------------
# 11  statistics
# ------------------------------------------------------------------------------------------------
def _fixed_sum(v):
    """Returns a sum that does not depend on the order in a row: fixed point in units of 2^-26 per row (uint64), rows
    added in float64 from top to bottom."""
    q = (v.astype(np.float64) * 67108864.0 + 0.5).astype(np.uint64)
    tot = 0.0
    for r in q.sum(axis=1, dtype=np.uint64):
        tot += float(r)
    return tot / 67108864.0


def percentile(j, frac):
    key = (bits(j.ravel()) >> I32(16)).astype(np.int64)
    hist = np.bincount(key, minlength=1)
    need = int(np.ceil(frac * j.size - 1e-9))
    c = np.cumsum(hist)
    b = int(np.searchsorted(c, max(need, 1)))
    return float(unbits(np.array([b << 16], dtype=I32))[0])


def statistics(j, p, ppd):
    """Returns the scores of a frame. ppd: pixels per degree of the map."""
    n = float(j.size)
    s = np.minimum(j, F(63.0))
    s2 = s * s
    mean = _fixed_sum(s) / n
    d2 = _fixed_sum(s2) / (ppd * ppd)
    m4 = _fixed_sum(s2 * s2) / n
    b = p['psych_slope']
    mx = float(j.max())
    pr = (1.0 - 0.5 * d_exp2(-d_pow(mx, b))) if mx > 0 else 0.5
    return {
        'vdm_mean': mean, 'vdm_min': float(j.min()), 'vdm_max': mx,
        'vdm_p50': percentile(j, 0.50), 'vdm_p95': percentile(j, 0.95), 'vdm_p99': percentile(j, 0.99),
        'vdm_minkowski': d_pow(m4, 0.25) if m4 > 0 else 0.0,
        'vdm_detect': d_sqrt(d2),
        'vdm_visible': float((j >= F(1.0)).sum()) / n,
        'vdm_correct_2afc': pr,
    }


def main():
    kinds = {name: (None, bool if name in ('full_range', 'optics', 'temporal') else type(value))
             for name, value in DEFAULTS.items()}
    given = options(sys.argv[4:], dict(kinds, preset=('fovea', str)))
    preset = given.pop('preset')
    given = {name: int(value) if isinstance(value, bool) else value for name,
             value in given.items() if value is not None}
    o = dict(DEFAULTS, **given)
    if (preset not in PRESETS or o['csf'] not in ('barten89', 'barten03') or
        o['eotf'] not in ('bt1886', 'srgb', 'pq', 'linear') or
            o['lb'] >= o['lw']):
        refuse('an option is out of range')
    ref, dis = read_pair(*sys.argv[2:4])
    table = display_table(o, ref['depth'])
    model = None
    for number, pair in enumerate(zip(ref['frames'], dis['frames'])):
        light = [table[np.array(frame[0]).reshape(ref['h'], ref['w'])] for frame in pair]
        model = model or Vdm(light[0].shape, preset=preset, **given)
        for name, value in statistics(model.frame(*light), model.p, model.ppd_in).items():
            print('frame', number, name, float(value).hex())


if __name__ == '__main__':
    main()
