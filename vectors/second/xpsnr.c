/*
 * XPSNR, from its specification. Run it as the checker does: xpsnr xpsnr REF.y4m DIS.y4m [NAME=VALUE...]
 * Build: cc -O2 -ffp-contract=off -o xpsnr xpsnr.c -lm
 */
#include "common.h"

typedef struct {
    int w, h;
    uint16_t *s;
} Samples;
typedef struct {
    uint64_t sse[3], sa, ta;
    double weight;
} Block;

/* Returns a sample of a plane, with both coordinates clamped. Only odd sizes above the HD threshold need the
 * clamp. */
static int64_t at(const Samples *p, int x, int y)
{
    x = x < 0 ? 0 : x >= p->w ? p->w - 1 : x;
    y = y < 0 ? 0 : y >= p->h ? p->h - 1 : y;
    return p->s[(size_t)y * p->w + x];
}

static int64_t quad(const Samples *p, int x, int y)
{
    return at(p, x, y) + at(p, x + 1, y) + at(p, x, y + 1) + at(p, x + 1, y + 1);
}

static int64_t fine(const Samples *p, int x, int y)
{
    return 12 * at(p, x, y) - 2 * (at(p, x - 1, y) + at(p, x + 1, y) + at(p, x, y - 1) + at(p, x, y + 1)) -
           (at(p, x - 1, y - 1) + at(p, x + 1, y - 1) + at(p, x - 1, y + 1) + at(p, x + 1, y + 1));
}

static int64_t coarse(const Samples *p, int x, int y)
{
    static const int k[6][6] = {{0, 1, 1, 1, 1, 0},     {1, 2, 3, 3, 2, 1}, {1, 3, -12, -12, 3, 1},
                                {1, 3, -12, -12, 3, 1}, {1, 2, 3, 3, 2, 1}, {0, 1, 1, 1, 1, 0}};
    int64_t f = 0;
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            f -= k[j][i] * at(p, x - 2 + i, y - 2 + j);
    return f;
}

static uint64_t absolute(int64_t v)
{
    return v < 0 ? -v : v;
}

static uint64_t sse(const Samples *a, const Samples *b, int x0, int y0, int x1, int y1)
{
    uint64_t sum = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            int64_t d = at(a, x, y) - at(b, x, y);
            sum += d * d;
        }
    return sum;
}

static double score(double d, int w, int h, int depth)
{
    uint64_t peak = ((uint64_t)1 << depth) - 1;
    double ratio = (double)((uint64_t)w * h * (peak * peak)) / (d * d);
    return 10.0 * (double)log10l(ratio); /* correctly rounded, unlike log10() of some C libraries */
}

static void print(const char *frame, double v, int c)
{
    printf("%s_%s %a\n", frame, c == 0 ? "y" : c == 1 ? "cb" : "cr", v);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        die("usage: xpsnr METRIC REF DIS [NAME=VALUE...]");
    double stated = 25;
    for (int i = 4; i < argc; i++) {
        const char *v = option(argv[i], "rate");
        if (!v)
            die("unknown option");
        stated = atof(v);
    }
    if (!(stated >= 0))
        die("a rate is above 0");
    Clip clips[2];
    open_pair(argv, &clips[0], &clips[1]);
    int w = clips[0].w, h = clips[0].h, chroma = clips[0].chroma, depth = clips[0].depth, rate = (int)stated;
    int planes = chroma == 400 ? 1 : 3;

    /* Section 3: geometry. */
    double ratio = (double)(w * h) / 8294400.0;
    int size = 4 * (int)(32.0 * sqrt(ratio) + 0.5), weighted = size >= 4;
    int across = weighted ? (w + size - 1) / size : 1, down = weighted ? (h + size - 1) / size : 1;
    int big = w * h > 2048 * 1152, edge = big ? 2 : 1, smooth = w * h <= 640 * 480;
    double picture = sqrt(16.0 * (double)(1 << (2 * depth - 9)) / sqrt(ratio > 0.00001 ? ratio : 0.00001));
    double floor_activity = (double)(1 << (depth - 6));

    Samples now[2][3], before[3];
    for (int c = 0; c < 3; c++) {
        int pw = c && (chroma == 420 || chroma == 422) ? (w + 1) / 2 : w, ph = c && chroma == 420 ? (h + 1) / 2 : h;
        for (int s = 0; s < 2; s++)
            now[s][c] = (Samples){pw, ph, NULL};
        before[c] = (Samples){w, h, calloc((size_t)w * h, 2)}; // [0]: previous luma, [1]: luma before that
    }
    Block *block = calloc((size_t)across * down, sizeof *block);
    double total[3] = {0}, total_score[3] = {0};
    int n = 0;
    Picture picture_of[2];
    for (; read_picture(&clips[0], &picture_of[0]) && read_picture(&clips[1], &picture_of[1]); n++) {
        for (int s = 0; s < 2; s++)
            for (int c = 0; c < planes; c++)
                now[s][c].s = picture_of[s].p[c];
        const Samples *o = &now[0][0];
        uint64_t wsse[3] = {0};
        if (!weighted) {
            for (int c = 0; c < planes; c++)
                wsse[c] = sse(&now[0][c], &now[1][c], 0, 0, now[0][c].w, now[0][c].h);
        } else {
            /* Section 4: sums and activity of each block. */
            for (int k = 0; k < across * down; k++) {
                Block *b = &block[k];
                int x0 = k % across * size, y0 = k / across * size;
                int bw = x0 + size > w ? w - x0 : size, bh = y0 + size > h ? h - y0 : size;
                for (int c = 0; c < planes; c++) {
                    const Samples *p = &now[0][c];
                    int sx = c ? size * p->w / w : size, sy = c ? size * p->h / h : size;
                    int cx = k % across * sx, cy = k / across * sy;
                    b->sse[c] =
                        sse(p, &now[1][c], cx, cy, cx + sx > p->w ? p->w : cx + sx, cy + sy > p->h ? p->h : cy + sy);
                }
                int xa = x0 > 0 ? 0 : edge, ya = y0 > 0 ? 0 : edge;
                int wa = x0 + bw < w ? bw : bw - edge, ha = y0 + bh < h ? bh : bh - edge;
                b->sa = b->ta = 0;
                if (wa <= xa || ha <= ya) {
                    b->weight = 1.0;
                    continue;
                }
                int step = big ? 2 : 1;
                if (!big || wa > 12)
                    for (int y = ya; y < ha; y += step)
                        for (int x = xa; x < wa; x += step)
                            b->sa += absolute(big ? coarse(o, x0 + x, y0 + y) : fine(o, x0 + x, y0 + y));
                for (int y = 0; y < bh; y += step)
                    for (int x = 0; x < bw; x += step) {
                        int64_t (*v)(const Samples *, int, int) = big ? quad : at;
                        int64_t t = rate < 32 ? v(o, x0 + x, y0 + y) - v(&before[0], x0 + x, y0 + y)
                                              : v(o, x0 + x, y0 + y) - 2 * v(&before[0], x0 + x, y0 + y) +
                                                    v(&before[1], x0 + x, y0 + y);
                        b->ta += 2 * absolute(t);
                    }
                double act = (double)b->sa / ((double)(wa - xa) * (double)(ha - ya));
                act = act + (double)b->ta / ((double)bw * (double)bh);
                if (act < floor_activity)
                    act = floor_activity;
                b->weight = 1.0 / sqrt(act * act);
            }
            /* Section 5: smoothing of small pictures, in raster order. */
            if (smooth)
                for (int k = 1; k < across * down; k++) {
                    int column = k % across;
                    double m;
                    /* k was just computed; the weight of block k-1 changes */
                    if (column == 0)
                        m = k > 1 ? block[k - 2].weight : 0.0;
                    else
                        m = column > 1 ? fmax(block[k - 2].weight, block[k].weight) : block[k].weight;
                    if (k > across)
                        m = fmax(m, block[k - 1 - across].weight);
                    if (block[k - 1].weight > m)
                        block[k - 1].weight = m;
                    if (k == across * down - 1 && k > across) {
                        m = fmax(block[k - 1].weight, block[k - across].weight);
                        if (block[k].weight > m)
                            block[k].weight = m;
                    }
                }
            /* Section 6: weighted sums. */
            for (int c = 0; c < planes; c++) {
                double sum = 0.0;
                for (int k = 0; k < across * down; k++)
                    sum += (double)block[k].sse[c] * block[k].weight;
                wsse[c] = sum <= 0.0 ? 0 : (uint64_t)(sum * picture + 0.5);
            }
        }
        for (int c = 0; c < planes; c++) {
            double root = sqrt((double)wsse[c]),
                   x = wsse[c] ? score(root, now[0][c].w, now[0][c].h, depth) : INFINITY;
            total[c] += root;
            total_score[c] += x;
            char name[32];
            snprintf(name, sizeof name, "frame %d xpsnr", n);
            print(name, x, c);
        }
        uint16_t *spare = before[1].s;
        before[1].s = before[0].s;
        before[0].s = spare;
        memcpy(before[0].s, o->s, (size_t)w * h * 2);
        for (int s = 0; s < 2; s++)
            for (int c = 0; c < 3; c++)
                free(picture_of[s].p[c]);
    }
    for (int c = 0; c < planes; c++)
        print("clip xpsnr_clip",
              total[c] >= n ? score(total[c] / n, now[0][c].w, now[0][c].h, depth) : total_score[c] / n, c);
    return 0;
}
