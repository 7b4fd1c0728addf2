/*
 * Shared parts of the C programs of this folder: files, the functions of vdm.md 3.1 and 3.2, and R'G'B' of
 * ssimulacra2.md 5. Written for reading, not for speed.
 */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int w, h;
    float *p;
} Plane;

/* Ends the program as one that refuses its input. */
static void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(3);
}

static void *take(size_t n)
{
    void *p = malloc(n ? n : 1);
    if (!p)
        die("no memory");
    return p;
}
static Plane plane(int w, int h)
{
    Plane a = {w, h, take(sizeof(float) * w * h)};
    return a;
}
static uint32_t bits(float x)
{
    uint32_t i;
    memcpy(&i, &x, 4);
    return i;
}
static float from_bits(uint32_t i)
{
    float x;
    memcpy(&x, &i, 4);
    return x;
}
static float max32(float a, float b)
{
    return a > b ? a : b;
}
static float min32(float a, float b)
{
    return a < b ? a : b;
}

/* ---- vdm.md 3.1: functions for set-up and the final score, binary64 ---- */

static double dlog2(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.7071067811865476) {
        m *= 2;
        e -= 1;
    }
    double z = (m - 1) / (m + 1), z2 = z * z, p = 0;
    for (int k = 25; k >= 1; k -= 2)
        p = p * z2 + 1.0 / k;
    return e + (2 * 1.4426950408889634) * (z * p);
}

static double dexp2(double y)
{
    double n = floor(y + 0.5), f = (y - n) * 0.6931471805599453, p = 1;
    for (int k = 16; k >= 1; k--)
        p = 1 + (p * f) / k;
    return ldexp(p, (int)n);
}

static double dpow(double x, double y)
{
    return x > 0 ? dexp2(y * dlog2(x)) : 0;
}

/* ---- vdm.md 3.2: functions of a sample, binary32 ---- */

static float vlog2(float x)
{
    static const float c[9] = {0x1.b1de9cp-3f, -0x1.ce624ep-3f, 0x1.98cc3ep-3f,  -0x1.e3645ap-3f, 0x1.27d15ap-2f,
                               -0x1.717f8p-2f, 0x1.ec6eb8p-2f,  -0x1.715438p-1f, 0x1.715476p+0f};
    uint32_t i = bits(x);
    int32_t k = (int32_t)(i - 0x3F2AAAABu) >> 23;
    float t = from_bits(i - ((uint32_t)k << 23)) - 1.0f, p = c[0];
    for (int n = 1; n < 9; n++)
        p = p * t + c[n];
    return (float)k + t * p;
}

static float vexp2(float y)
{
    static const float d[7] = {0x1.41d334p-13f, 0x1.5f456ap-10f, 0x1.3b2dbcp-7f, 0x1.c6aed4p-5f,
                               0x1.ebfbdap-3f,  0x1.62e43p-1f,   0x1p+0f};
    y = min32(max32(y, -126.0f), 126.0f);
    volatile float shifted = y + 12582912.0f;
    float r = shifted, f = y - (r - 12582912.0f), p = d[0];
    uint32_t n = bits(r) - 0x4B400000u;
    for (int i = 1; i < 7; i++)
        p = p * f + d[i];
    return from_bits(bits(p) + (n << 23));
}

static float vrcp(float b)
{
    float r = from_bits(0x7EF311C3u - bits(b));
    for (int i = 0; i < 3; i++)
        r = r * (2.0f - b * r);
    return r;
}

/* ---- ssimulacra2.md 5: R'G'B' ---- */

static const char *const matrices[] = {"bt709", "bt601", "bt2020", "rgb", 0};
static const char *const ranges[] = {"limited", "full", 0};
static const char *const locations[] = {"left", "center", "topleft", 0};

/* A picture. sx, sy: 1 if chroma is halved in that direction; gray: 1 if there is only luma. */
typedef struct {
    int w, h, sx, sy, gray, depth;
    uint16_t *p[3];
} Picture;

static int clampi(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Weights of the four chroma samples from first(x) on, and their denominator. */
static int weights(int x, int sub, int cosited, int *first, int w[4])
{
    static const int quarter[4] = {-9, 111, 29, -3}, half[4] = {-1, 9, 9, -1};
    memset(w, 0, 4 * sizeof *w);
    if (!sub) {
        *first = x;
        w[0] = 1;
        return 1;
    }
    if (cosited) {
        *first = x / 2 - 1;
        if (x & 1)
            memcpy(w, half, sizeof half);
        else
            w[1] = 16;
        return 16;
    }
    *first = (x & 1) ? x / 2 - 1 : x / 2 - 2;
    for (int k = 0; k < 4; k++)
        w[k] = (x & 1) ? quarter[k] : quarter[3 - k];
    return 128;
}

static int32_t chroma(const Picture *a, int c, int x, int y, int location, int *unit)
{
    int cw = (a->w + a->sx) >> a->sx, ch = (a->h + a->sy) >> a->sy, x0, y0, wx[4], wy[4];
    int ux = weights(x, a->sx, location != 1, &x0, wx), uy = weights(y, a->sy, location == 2, &y0, wy);
    int32_t s = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            if (wx[i] && wy[j])
                s += wx[i] * wy[j] * (int32_t)a->p[c][(size_t)clampi(y0 + j, ch) * cw + clampi(x0 + i, cw)];
    *unit = ux * uy;
    return s;
}

/* R'G'B' of a sample before clamping. `matrix` and `full` are indices into `matrices` and `ranges`. */
static void to_rgb(const Picture *a, int matrix, int full, int location, int x, int y, float c[3])
{
    static const double kr[] = {0.2126, 0.299, 0.2627, 0}, kb[] = {0.0722, 0.114, 0.0593, 0};
    double Kr = kr[matrix], Kb = kb[matrix], Kg = 1 - Kr - Kb;
    float rv = (float)(2 * (1 - Kr)), bu = (float)(2 * (1 - Kb));
    float gu = (float)(2 * (1 - Kb) * Kb / Kg), gv = (float)(2 * (1 - Kr) * Kr / Kg);
    int s = 1 << (a->depth - 8);
    double top = (double)((1 << a->depth) - 1);
    int y_zero = full ? 0 : 16 * s, c_zero = 128 * s;
    float ky = (float)(1 / (full ? top : 219.0 * s));
    size_t n = (size_t)y * a->w + x;
    float yf = (float)((int32_t)a->p[0][n] - y_zero) * ky;
    if (a->gray) {
        c[0] = c[1] = c[2] = yf;
    } else if (matrix == 3) {
        c[0] = yf;
        c[1] = (float)((int32_t)a->p[1][n] - y_zero) * ky;
        c[2] = (float)((int32_t)a->p[2][n] - y_zero) * ky;
    } else {
        int m;
        int32_t u = chroma(a, 1, x, y, location, &m), v = chroma(a, 2, x, y, location, &m);
        float kc = (float)(1 / ((full ? top : 224.0 * s) * m));
        float cb = (float)(u - c_zero * m) * kc, cr = (float)(v - c_zero * m) * kc;
        c[0] = yf + rv * cr;
        c[1] = (yf - gu * cb) - gv * cr;
        c[2] = yf + bu * cb;
    }
}

/* FNV-1a of the samples, as the vectors define it. */
static uint64_t hash(Plane a)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t n = 0; n < (size_t)a.w * a.h; n++) {
        uint32_t b = bits(a.p[n] + 0.0f);
        for (int k = 0; k < 4; k++)
            h = (h ^ (b >> (8 * k) & 255)) * 0x100000001b3u;
    }
    return h;
}

/* ---- files ---- */

typedef struct {
    FILE *f;
    int w, h, chroma, depth;
    double rate;
} Clip;

static Clip open_clip(const char *name)
{
    Clip c = {fopen(name, "rb"), 0, 0, 420, 8, 25};
    double part;
    char line[512];
    if (!c.f || !fgets(line, sizeof line, c.f) || strncmp(line, "YUV4MPEG2", 9))
        die("not a Y4M file");
    for (char *t = strtok(line, " \n"); t; t = strtok(0, " \n")) {
        if (*t == 'W')
            c.w = atoi(t + 1);
        if (*t == 'H')
            c.h = atoi(t + 1);
        if (*t == 'F' && sscanf(t + 1, "%lf:%lf", &c.rate, &part) == 2)
            c.rate = c.rate / part;
        if (*t == 'C') {
            c.chroma = !strncmp(t + 1, "mono", 4) ? 400 : atoi(t + 1);
            char *u = strchr(t, 'p');
            if (c.chroma == 400 && strlen(t) > 5)
                c.depth = atoi(t + 5);
            else if (u && u[1] >= '0' && u[1] <= '9')
                c.depth = atoi(u + 1);
        }
    }
    return c;
}

/* Reads the next frame. Returns 0 at the end. */
static int read_picture(Clip *c, Picture *a)
{
    char line[256];
    memset(a, 0, sizeof *a);
    a->w = c->w;
    a->h = c->h;
    a->depth = c->depth;
    a->gray = c->chroma == 400;
    a->sx = c->chroma == 420 || c->chroma == 422;
    a->sy = c->chroma == 420;
    if (!fgets(line, sizeof line, c->f))
        return 0;
    int planes = a->gray ? 1 : 3;
    for (int k = 0; k < planes; k++) {
        int w = k ? (a->w + a->sx) >> a->sx : a->w, h = k ? (a->h + a->sy) >> a->sy : a->h;
        a->p[k] = take(sizeof(uint16_t) * w * h);
        for (size_t n = 0; n < (size_t)w * h; n++) {
            int lo = fgetc(c->f), hi = c->depth > 8 ? fgetc(c->f) : 0;
            if (lo < 0 || hi < 0)
                return 0;
            a->p[k][n] = (uint16_t)(lo | hi << 8);
        }
    }
    return 1;
}

/* Opens both clips, which must have one format. */
static void open_pair(char **argv, Clip *ref, Clip *dis)
{
    *ref = open_clip(argv[2]);
    *dis = open_clip(argv[3]);
    if (ref->w != dis->w || ref->h != dis->h || ref->chroma != dis->chroma || ref->depth != dis->depth)
        die("the clips differ in format");
}

static int pick(const char *v, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(v, list[i]))
            return i;
    die("unknown value");
    return 0;
}

/* Returns the text after "name=" in an argument, or NULL for another option. */
static const char *option(const char *argument, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(argument, name, n) && argument[n] == '=' ? argument + n + 1 : NULL;
}

static double positive(const char *text)
{
    double v = atof(text);
    if (!(v > 0))
        die("an option must be above 0");
    return v;
}
