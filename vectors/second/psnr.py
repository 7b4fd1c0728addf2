#!/usr/bin/env python3
"""PSNR of planes and of all three together, from psnr.md. Run it as the checker does:

    psnr.py psnr REF.y4m DIS.y4m [NAME=VALUE...]
"""
import math
import sys

from common import log10, options, read_pair, refuse

WEIGHTS = {  # weights of a frame and of a clip, by chroma format
    'aom': ({420: (14, 1, 1), 422: (8, 1, 1), 444: (4, 1, 1)}, {420: (4, 1, 1), 422: (8, 1, 1), 444: (4, 1, 1)}),
    'jvet': ({420: (6, 1, 1), 422: (6, 1, 1), 444: (6, 1, 1)}, {420: (4, 1, 1), 422: (4, 2, 2), 444: (4, 4, 4)}),
}
NAMES = 'y', 'cb', 'cr'


def three(text):
    weights = tuple(int(word) for word in text.split(':'))
    if len(weights) != 3 or min(weights) < 0 or sum(weights) == 0:
        raise ValueError
    return weights


def sse(a, b, stride, w, h):
    return sum(sum((p - q) ** 2 for p, q in zip(a[y * stride:y * stride + w], b[y * stride:y * stride + w]))
               for y in range(h))


def decibels(total, n, peak2, limit):
    return min(10 * log10(peak2 / max(total / n, 1e-16)), limit)


def weighted(weights, values):
    return ((weights[0] * values[0] + weights[1] * values[1]) + weights[2] * values[2]) / sum(weights)


def main():
    o = options(sys.argv[4:],
                {'enable_chroma': (True, bool), 'enable_mse': (False, bool), 'enable_apsnr': (False, bool),
                 'reduced_hbd_peak': (False, bool), 'min_sse': (0.0, float), 'ctc': ('aom', str),
                 'weights': (None, three), 'clip_weights': (None, three)})
    if o['min_sse'] < 0 or o['ctc'] not in WEIGHTS:
        refuse('an option is out of range')
    ref, dis = read_pair(*sys.argv[2:4])
    w, h, depth, chroma = (ref[k] for k in ('w', 'h', 'depth', 'chroma'))
    sizes = [(w, h)] + [(w if chroma == 444 else w // 2, h if chroma != 420 else h // 2)] * 2
    planes = 1 if chroma == 400 or not o['enable_chroma'] else 3
    peak = 255 << (depth - 8) if o['reduced_hbd_peak'] or depth == 8 else (1 << depth) - 1
    yuv_peak = 255 << (depth - 8) if o['ctc'] == 'jvet' else (1 << depth) - 1
    total, frames = [0, 0, 0], len(ref['frames'])
    for number in range(frames):
        yuv = []
        for p in range(planes):
            columns, rows = sizes[p]
            n, limit = columns * rows, 6 * depth + 12
            error = sse(ref['frames'][number][p], dis['frames'][number][p], ref['cw'] if p else w, columns, rows)
            total[p] += error
            if n == 0:
                continue
            if o['min_sse'] > 0:
                limit = math.ceil(10 * log10(peak * peak / (o['min_sse'] / n)))
            print('frame', number, 'psnr_' + NAMES[p], float(decibels(error, n, peak * peak, limit)).hex())
            if o['enable_mse']:
                print('frame', number, 'mse_' + NAMES[p], (error / n).hex())
            yuv.append(float(decibels(error, n, yuv_peak * yuv_peak, 6 * depth + 12)))
        if len(yuv) == 3:
            print('frame', number, 'psnr_yuv', weighted(o['weights'] or WEIGHTS[o['ctc']][0][chroma], yuv).hex())
    if not o['enable_apsnr']:
        return
    counts = [columns * rows * frames for columns, rows in sizes]
    for p in range(planes):
        limit = math.ceil(10 * log10(peak * peak * counts[p] * 2))
        value = 10 * ((log10(peak * peak) + log10(counts[p])) - log10(total[p]))
        print('clip', 'apsnr_' + NAMES[p], float(min(value, limit)).hex())
    if planes == 3 and min(counts):
        means = [(float(total[p]) if total[p] else 0.5) / counts[p] for p in range(3)]
        mean = weighted(o['clip_weights'] or WEIGHTS[o['ctc']][1][chroma], means)
        print('clip', 'apsnr_yuv', (10 * log10(yuv_peak * yuv_peak / mean)).hex())


if __name__ == '__main__':
    main()
