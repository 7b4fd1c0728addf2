/*
 * Curves through points. Piecewise curves use the order of operations of scipy 1.10 (PchipInterpolator,
 * Akima1DInterpolator, PPoly), for equal numbers. Methods: Fritsch and Butland 1984; Akima 1970; `cubic`: Forsythe
 * 1957.
 */
#include "bd/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

FvStatus fv_bd_curve_open(FvBdCurve *curve, int count, FvError *error)
{
    *curve = (FvBdCurve){
        .count = count, .x = calloc((size_t)count, sizeof(double)), .y = calloc((size_t)count, sizeof(double))};
    return curve->x && curve->y ? FV_OK : fv_fail_memory(error, 2 * (size_t)count * sizeof(double));
}

void fv_bd_curve_close(FvBdCurve *curve)
{
    free(curve->x);
    free(curve->y);
    free(curve->piece);
    *curve = (FvBdCurve){0};
}

static int sign(double v)
{
    return (v > 0) - (v < 0);
}

/* Returns the slope at an end of the curve, from the widths h and the chord slopes m of the two nearest intervals. */
static double end_slope(double h0, double h1, double m0, double m1)
{
    const double d = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
    if (sign(d) != sign(m0))
        return 0;
    return sign(m0) != sign(m1) && fabs(d) > 3 * fabs(m0) ? 3 * m0 : d;
}

/* Computes the slopes d at n points as weighted harmonic means of chord slopes, so that every piece is monotonic. */
static void pchip_slopes(double *d, int n, const double *h, const double *m)
{
    d[0] = end_slope(h[0], h[1], m[0], m[1]);
    for (int k = 1; k < n - 1; k++) {
        const double w1 = 2 * h[k] + h[k - 1], w2 = h[k] + 2 * h[k - 1];
        const bool level = sign(m[k]) != sign(m[k - 1]) || m[k] == 0;
        d[k] = level ? 0 : 1 / ((w1 / m[k - 1] + w2 / m[k]) / (w1 + w2));
    }
    d[n - 1] = end_slope(h[n - 2], h[n - 3], m[n - 2], m[n - 3]);
}

/* Computes the slopes d at n points by Akima's method. m: slopes of the chords; m[-2] to m[n] must be writable. */
static void akima_slopes(double *d, int n, double *m)
{
    m[-1] = 2 * m[0] - m[1];
    m[-2] = 2 * m[-1] - m[0];
    m[n - 1] = 2 * m[n - 2] - m[n - 3];
    m[n] = 2 * m[n - 1] - m[n - 2];
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(m[k + 1] - m[k]) + fabs(m[k - 1] - m[k - 2]));
    for (int k = 0; k < n; k++) {
        const double before = fabs(m[k - 1] - m[k - 2]), after = fabs(m[k + 1] - m[k]), weight = after + before;
        d[k] = weight > 1e-9 * most ? (after * m[k - 1] + before * m[k]) / weight : 0.5 * (m[k + 1] + m[k - 2]);
    }
}

static FvStatus draw_pieces(FvBdCurve *curve, FvBdMethod method, FvError *error)
{
    const int n = curve->count;
    const double *x = curve->x, *y = curve->y;
    double *room = calloc(3 * (size_t)n + 4, sizeof *room);
    curve->piece = calloc((size_t)n, sizeof *curve->piece);
    if (!room || !curve->piece) {
        free(room);
        return fv_fail_memory(error, 7 * (size_t)n * sizeof *room);
    }
    double *d = room, *h = d + n, *m = h + n + 2; /* slopes at points, widths of intervals, slopes of chords */
    for (int k = 0; k < n - 1; k++) {
        h[k] = x[k + 1] - x[k];
        m[k] = (y[k + 1] - y[k]) / h[k];
    }
    if (n == 2)
        d[0] = d[1] = m[0];
    else if (method == FV_BD_AKIMA)
        akima_slopes(d, n, m);
    else
        pchip_slopes(d, n, h, m);
    for (int k = 0; k < n - 1; k++) {
        const double t = ((d[k] + d[k + 1]) - 2 * m[k]) / h[k];
        double *c = curve->piece[k];
        c[0] = y[k];
        c[1] = d[k];
        c[2] = (m[k] - d[k]) / h[k] - t;
        c[3] = t / h[k];
    }
    free(room);
    return FV_OK;
}

/*
 * Fits a cubic by least squares, with polynomials that are orthogonal over the points; each is computed from the
 * previous two.
 */
static FvStatus draw_cubic(FvBdCurve *curve, FvError *error)
{
    const int n = curve->count;
    double *room = calloc(4 * (size_t)n, sizeof *room);
    if (!room)
        return fv_fail_memory(error, 4 * (size_t)n * sizeof *room);
    double *t = room, *rest = t + n, *now = rest + n, *before = now + n;
    double power[4] = {1}, power_before[4] = {0}, norm_before = 1;
    curve->centre = (curve->x[0] + curve->x[n - 1]) / 2;
    curve->half = (curve->x[n - 1] - curve->x[0]) / 2;
    for (int i = 0; i < n; i++) {
        t[i] = (curve->x[i] - curve->centre) / curve->half;
        rest[i] = curve->y[i];
        now[i] = 1;
    }
    for (int degree = 0; degree < 4; degree++) {
        double norm = 0, factor = 0, alpha = 0;
        for (int i = 0; i < n; i++) {
            norm += now[i] * now[i];
            factor += rest[i] * now[i];
            alpha += t[i] * now[i] * now[i];
        }
        factor /= norm;
        alpha /= norm;
        const double beta = degree ? norm / norm_before : 0;
        for (int i = 0; i < n; i++) {
            rest[i] = rest[i] - factor * now[i];
            const double next = (t[i] - alpha) * now[i] - beta * before[i];
            before[i] = now[i];
            now[i] = next;
        }
        double next[4];
        for (int k = 0; k < 4; k++) {
            curve->cubic[k] = curve->cubic[k] + factor * power[k];
            next[k] = ((k ? power[k - 1] : 0) - alpha * power[k]) - beta * power_before[k];
        }
        for (int k = 0; k < 4; k++) {
            power_before[k] = power[k];
            power[k] = next[k];
        }
        norm_before = norm;
    }
    free(room);
    return FV_OK;
}

FvStatus fv_bd_curve_draw(FvBdCurve *curve, FvBdMethod method, FvError *error)
{
    return method == FV_BD_CUBIC ? draw_cubic(curve, error) : draw_pieces(curve, method, error);
}

/* Returns the last piece that begins at or before v. */
static int piece_of(const FvBdCurve *curve, double v)
{
    int k = 0;
    while (k < curve->count - 2 && v >= curve->x[k + 1])
        k++;
    return k;
}

double fv_bd_curve_value(const FvBdCurve *curve, double v)
{
    if (!curve->piece) {
        const double t = (v - curve->centre) / curve->half, *c = curve->cubic;
        return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    }
    const int k = piece_of(curve, v);
    const double s = v - curve->x[k];
    double value = 0, power = 1;
    for (int j = 0; j < 4; j++) {
        value += curve->piece[k][j] * power;
        power *= s;
    }
    return value;
}

static double cubic_primitive(const FvBdCurve *curve, double v)
{
    const double t = (v - curve->centre) / curve->half, *c = curve->cubic;
    return t * (c[0] + t * (c[1] / 2 + t * (c[2] / 3 + t * (c[3] / 4))));
}

static double piece_primitive(const double c[4], double s)
{
    double value = 0, power = s;
    for (int j = 0; j < 4; j++) {
        value += c[j] * power * (1.0 / (j + 1));
        power *= s;
    }
    return value;
}

double fv_bd_curve_integral(const FvBdCurve *curve, double from, double to)
{
    if (!curve->piece)
        return (cubic_primitive(curve, to) - cubic_primitive(curve, from)) * curve->half;
    const int first = piece_of(curve, from), last = piece_of(curve, to);
    double total = 0;
    for (int k = first; k <= last; k++) {
        const double begin = k == first ? from - curve->x[k] : 0;
        const double end = (k == last ? to : curve->x[k + 1]) - curve->x[k];
        total += piece_primitive(curve->piece[k], end) - piece_primitive(curve->piece[k], begin);
    }
    return total;
}

/*
 * Returns whether c[1] + 2 c[2] s + 3 c[3] s^2, times `sense`, is negative in [low, high]: at its ends or at its
 * vertex.
 */
static bool falls(const double c[4], double low, double high, int sense)
{
    double at[3] = {low, high};
    int count = 2;
    const double vertex = c[3] != 0 ? -c[2] / (3 * c[3]) : low;
    if (low < vertex && vertex < high)
        at[count++] = vertex;
    for (int i = 0; i < count; i++)
        if (sense * (c[1] + at[i] * (2 * c[2] + at[i] * (3 * c[3]))) < 0)
            return true;
    return false;
}

bool fv_bd_curve_turns(const FvBdCurve *curve, double from, double to)
{
    if (!curve->piece) {
        const int sense = fv_bd_curve_value(curve, to) > fv_bd_curve_value(curve, from) ? 1 : -1;
        return falls(curve->cubic, (from - curve->centre) / curve->half, (to - curve->centre) / curve->half, sense);
    }
    const double *x = curve->x;
    const int n = curve->count, last = piece_of(curve, to);
    const int sense = fv_bd_curve_value(curve, x[n - 1]) > fv_bd_curve_value(curve, x[0]) ? 1 : -1;
    for (int k = piece_of(curve, from); k <= last; k++) {
        const double low = fmax(from, x[k]) - x[k], high = fmin(to, x[k + 1]) - x[k];
        if (high > low && falls(curve->piece[k], low, high, sense))
            return true;
    }
    return false;
}
