/*
 * Explains differences of colour by named mistakes. Computes with binary64 in the order of docs/doubt.md, so that
 * results do not depend on the machine.
 */
#include "doubt/colour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CODE 256.0
#define FLOOR 256.0 /* squared error added to each plane of a block: that of 1/16 code */
#define BLOCKS 576.0
#define WHITE 56064.0 /* white minus black, in limited range, 16 bits */
#define SQUEEZE (219.0 / 255.0)
#define STRETCH (255.0 / 219.0)
#define SQUEEZE_CHROMA (224.0 / 255.0)
#define STRETCH_CHROMA (255.0 / 224.0)
#define CAP 64.0 /* maximum ratio that counts: 18 dB */

/*
 * Thresholds of hypotheses by their freedom. weight: divisor of ratios; ratio: minimum; root: minimum ratio within a
 * pair; rms: minimum difference, in 8-bit codes.
 */
static const struct {
    double weight, ratio, root, rms;
} least[] = {
    [FV_FREEDOM_FIXED] = {1, 4, 2, 0.35},
    [FV_FREEDOM_TWICE] = {2, 4, 2, 0.75},
    [FV_FREEDOM_BOTH] = {1.25, 4, 2, 0.75},
    [FV_FREEDOM_CHROMA] = {1.5, 6, 0x1.3988e1409212ep+1, 1.5},
    [FV_FREEDOM_LEVEL] = {1.5, 8, 0x1.6a09e667f3bcdp+1, 2},
    [FV_FREEDOM_LEVELS] = {2.5, 8, 0x1.6a09e667f3bcdp+1, 2},
    [FV_FREEDOM_TONE] = {2, 8, 0x1.6a09e667f3bcdp+1, 3},
    [FV_FREEDOM_AFFINE] = {3, 16, 4, 3},
};

/* ---- Moments --------------------------------------------------------------------------------------------------- */

bool fv_moments_add_up(FvMoments *m, const FvLook *looks, int count)
{
    int64_t sums[FV_LOOK_MOMENTS] = {0}, bins[FV_LOOK_BINS][FV_BIN_SUMS] = {{0}};
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < FV_LOOK_MOMENTS && looks[k].coloured; i++)
            sums[i] += looks[k].moments[i];
        for (int b = 0; b < FV_LOOK_BINS && looks[k].coloured; b++)
            for (int i = 0; i < FV_BIN_SUMS; i++)
                bins[b][i] += looks[k].bins[b][i];
    }
    const int64_t *sum = sums;
    for (int i = 0; i < FV_LOOK_VECTOR; i++)
        for (int j = i; j < FV_LOOK_VECTOR; j++)
            m->of[i][j] = m->of[j][i] = (double)*sum++;
    for (int b = 0; b < FV_LOOK_BINS; b++)
        for (int i = 0; i < FV_BIN_SUMS; i++)
            m->bins[b][i] = (double)bins[b][i];
    return sums[0] > 0;
}

double fv_moments_variance(const FvMoments *m, int i)
{
    return fv_moments_covariance(m, i, i);
}

double fv_moments_covariance(const FvMoments *m, int i, int j)
{
    const double n = m->of[0][0];
    return m->of[i][j] / n - m->of[0][i] / n * (m->of[0][j] / n);
}

static double plane_error(const FvMoments *m, const FvColourMap map, int plane)
{
    const double *a = map[plane];
    const int target = 4 + plane;
    double e = m->of[target][target];
    for (int j = 0; j < 4; j++)
        e -= 2.0 * (a[j] * m->of[j][target]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            e += a[i] * a[j] * m->of[i][j];
    return e > 0.0 ? e : 0.0;
}

double fv_moments_error(const FvMoments *m, const FvColourMap map)
{
    return plane_error(m, map, 0) + plane_error(m, map, 1) + plane_error(m, map, 2);
}

static const FvColourMap identity = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

double fv_moments_identity(const FvMoments *m, unsigned planes)
{
    double sum = 0;
    for (int plane = 0; plane < 3; plane++)
        if (planes >> plane & 1)
            sum += plane_error(m, identity, plane);
    return sum;
}

double fv_moments_tone(const FvMoments *m)
{
    double sum = 0;
    for (int b = 0; b < FV_LOOK_BINS; b++) {
        const double *bin = m->bins[b];
        const double n = bin[FV_BIN_N], r = bin[FV_BIN_R], d = bin[FV_BIN_D];
        double e;
        if (n < 4.0)
            e = bin[FV_BIN_DD] - 2.0 * bin[FV_BIN_RD] + bin[FV_BIN_RR];
        else {
            const double rr = bin[FV_BIN_RR] - r * r / n, rd = bin[FV_BIN_RD] - r * d / n;
            const double dd = bin[FV_BIN_DD] - d * d / n;
            e = rr > n * 64.0 ? dd - rd * rd / rr : dd;
        }
        sum += e > 0.0 ? e : 0.0;
    }
    return sum;
}

/* ---- The catalogue --------------------------------------------------------------------------------------------- */

typedef double Matrix[3][3];

static void multiply(Matrix to, const Matrix a, const Matrix b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static const double luma_weights[FV_DOUBT_MATRICES][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}};

/* Makes the matrix from R'G'B' in [0, 1] to Y', Cb and Cr without their offsets. */
static void from_rgb(Matrix to, FvDoubtMatrix name)
{
    const double kr = luma_weights[name][0], kb = luma_weights[name][1], kg = 1.0 - kr - kb;
    const double b = 112.0 / (1.0 - kb), r = 112.0 / (1.0 - kr);
    const Matrix made = {
        {219.0 * kr, 219.0 * kg, 219.0 * kb}, {-kr * b, -kg * b, (1.0 - kb) * b}, {(1.0 - kr) * r, -kg * r, -kb * r}};
    memcpy(to, made, sizeof made);
}

static void to_rgb(Matrix to, FvDoubtMatrix name)
{
    const double kr = luma_weights[name][0], kb = luma_weights[name][1], kg = 1.0 - kr - kb;
    const double y = 1.0 / 219.0, cb = (1.0 - kb) / 112.0, cr = (1.0 - kr) / 112.0;
    const Matrix made = {{y, 0, cr}, {y, -kb * cb / kg, -kr * cr / kg}, {y, cb, 0}};
    memcpy(to, made, sizeof made);
}

/* Makes the map that applies a matrix and then changes the range. */
static void set_map(FvColourMap map, const Matrix m, FvDoubtRange range)
{
    static const double factors[][3] = {
        /* factor of luma, factor of chroma, offset of luma */
        [FV_DOUBT_SAME] = {1, 1, 0},
        [FV_DOUBT_SQUEEZED] = {SQUEEZE, SQUEEZE_CHROMA, 4096.0 * 219.0 / 255.0},
        [FV_DOUBT_STRETCHED] = {STRETCH, STRETCH_CHROMA, -4096.0},
        [FV_DOUBT_SQUEEZED_TWICE] = {SQUEEZE * SQUEEZE, SQUEEZE_CHROMA * SQUEEZE_CHROMA,
                                     4096.0 * 219.0 / 255.0 * SQUEEZE + 4096.0 * 219.0 / 255.0},
        [FV_DOUBT_STRETCHED_TWICE] = {STRETCH * STRETCH, STRETCH_CHROMA * STRETCH_CHROMA,
                                      -4096.0 * 255.0 / 219.0 - 4096.0},
    };
    for (int plane = 0; plane < 3; plane++) {
        map[plane][0] = plane ? 0 : factors[range][2];
        for (int j = 0; j < 3; j++)
            map[plane][1 + j] = factors[range][plane ? 1 : 0] * m[plane][j];
    }
}

static const Matrix same = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Adds the six changes of the matrix, each followed by a change of the range. */
static FvHypothesis *add_matrices(FvHypothesis *next, FvFreedom kind, FvDoubtRange range)
{
    for (int from = 0; from < FV_DOUBT_MATRICES; from++)
        for (int to = 0; to < FV_DOUBT_MATRICES; to++) {
            Matrix there, back, m;
            if (from == to)
                continue;
            *next = (FvHypothesis){.mistake = FV_MISTAKE_COLOURS, .kind = kind, .range = range};
            next->from = (FvDoubtMatrix)from;
            next->to = (FvDoubtMatrix)to;
            from_rgb(there, next->to);
            to_rgb(back, next->from);
            multiply(m, there, back);
            set_map(next++->map, m, range);
        }
    return next;
}

/* Adds the maps without free parameters. Of equally good ones, the first is preferred. */
static FvHypothesis *add_catalogue(FvHypothesis *next)
{
    static const char *const orders[] = {"BGR", "GRB", "RBG", "GBR", "BRG"};
    static const unsigned negatives[] = {7, 1, 6, 2, 4};
    next = add_matrices(next, FV_FREEDOM_FIXED, FV_DOUBT_SAME);
    for (int range = FV_DOUBT_SQUEEZED; range <= FV_DOUBT_STRETCHED_TWICE; range++) {
        const bool twice = range >= FV_DOUBT_SQUEEZED_TWICE;
        *next = (FvHypothesis){.mistake = FV_MISTAKE_COLOURS,
                               .kind = twice ? FV_FREEDOM_TWICE : FV_FREEDOM_FIXED,
                               .range = (FvDoubtRange)range};
        set_map(next++->map, same, (FvDoubtRange)range);
    }
    next = add_matrices(next, FV_FREEDOM_BOTH, FV_DOUBT_SQUEEZED);
    next = add_matrices(next, FV_FREEDOM_BOTH, FV_DOUBT_STRETCHED);
    *next++ = (FvHypothesis){.mistake = FV_MISTAKE_PLANES, .map = {{0, 1, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}}};
    for (int i = 0; i < 5; i++) {
        Matrix there, back, exchange, m;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                exchange[row][column] = orders[i][row] == "RGB"[column];
        *next = (FvHypothesis){.mistake = FV_MISTAKE_RGB, .order = orders[i]};
        from_rgb(there, FV_DOUBT_BT709);
        to_rgb(back, FV_DOUBT_BT709);
        multiply(m, exchange, back);
        multiply(exchange, there, m);
        set_map(next++->map, exchange, FV_DOUBT_SAME);
    }
    for (int i = 0; i < 5; i++) {
        *next = (FvHypothesis){.mistake = FV_MISTAKE_NEGATIVE, .planes = negatives[i]};
        for (int plane = 0; plane < 3; plane++)
            next->map[plane][1 + plane] = negatives[i] >> plane & 1 ? -1 : 1;
        next->map[0][0] = negatives[i] & 1 ? WHITE : 0;
        next++;
    }
    return next;
}

/* ---- Fits of a few parameters ---------------------------------------------------------------------------------- */

/* Fits v[target] by least squares from v[0] to v[count - 1], without pivoting. false: the matrix is singular. */
static bool solve(double x[4], const FvMoments *m, int count, int target)
{
    double a[4][5], scale[4];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            a[i][j] = m->of[i][j];
        a[i][count] = m->of[i][target];
        scale[i] = a[i][i];
    }
    for (int i = 0; i < count; i++) {
        if (!(a[i][i] > 1e-6 * scale[i]) || !(scale[i] > 0.0))
            return false;
        for (int k = i + 1; k < count; k++) {
            const double f = a[k][i] / a[i][i];
            for (int j = i; j <= count; j++)
                a[k][j] -= f * a[i][j];
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        double s = a[i][count];
        for (int j = i + 1; j < count; j++)
            s -= a[i][j] * x[j];
        x[i] = s / a[i][i];
    }
    return true;
}

/* Fits one complex factor of chroma, which leaves gray unchanged, and adds it as a change of hue or of saturation. */
static FvHypothesis *add_chroma(FvHypothesis *next, const FvMoments *m, double power)
{
    const double x = (m->of[2][5] + m->of[3][6]) / power, y = (m->of[2][6] - m->of[3][5]) / power;
    const double s = sqrt(x * x + y * y);
    const bool turned = (s > 0.0 && fabs(y) > 0.1736481776669303 * s) || x < 0.0; /* a turn of 10 degrees or more */
    if (turned && s >= 0.2)
        *next++ = (FvHypothesis){.mistake = FV_MISTAKE_HUE,
                                 .kind = FV_FREEDOM_CHROMA,
                                 .map = {{0, 1, 0, 0}, {0, 0, x, -y}, {0, 0, y, x}},
                                 .value = {x, y}};
    else if (s <= 0.8 || s >= 1.25)
        *next++ = (FvHypothesis){.mistake = FV_MISTAKE_SATURATION,
                                 .kind = FV_FREEDOM_CHROMA,
                                 .map = {{0, 1, 0, 0}, {0, 0, x, 0}, {0, 0, 0, x}},
                                 .value = {x}};
    return next;
}

static FvHypothesis *add_levels(FvHypothesis *next, const FvMoments *m, double factor)
{
    double g[4];
    if (!solve(g, m, 2, 4) || g[1] < 0.4 || g[1] > 2.5)
        return next;
    if (fabs(g[0]) > 4.0 * CODE || fabs(g[0] + g[1] * WHITE - WHITE) > 8.0 * CODE)
        *next++ = (FvHypothesis){.mistake = FV_MISTAKE_LEVEL,
                                 .kind = FV_FREEDOM_LEVEL,
                                 .map = {{g[0], g[1], 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
                                 .value = {g[0], g[1]}};
    if (factor >= 0.2 && factor <= 5.0 && !(factor > 0.8 && factor < 1.25))
        *next++ = (FvHypothesis){.mistake = FV_MISTAKE_LEVELS,
                                 .kind = FV_FREEDOM_LEVELS,
                                 .map = {{g[0], g[1], 0, 0}, {0, 0, factor, 0}, {0, 0, 0, factor}},
                                 .value = {g[0], g[1], factor}};
    return next;
}

static FvHypothesis *add_affine(FvHypothesis *next, const FvMoments *m)
{
    const double luma = fv_moments_variance(m, 1), other = fv_moments_variance(m, 4);
    const double both = fv_moments_covariance(m, 1, 4);
    *next = (FvHypothesis){.mistake = FV_MISTAKE_AFFINE, .kind = FV_FREEDOM_AFFINE};
    for (int plane = 0; plane < 3; plane++)
        if (!solve(next->map[plane], m, 4, 4 + plane))
            return next;
    return next + (4.0 * both * both >= luma * other && 16.0 * other >= luma);
}

/* Computes the mean lumas of both videos in each bin of at least 16 blocks. *count: number of such bins. */
static void curve_of(const FvMoments *m, double curve[FV_LOOK_BINS][2], int *count)
{
    *count = 0;
    for (int b = 0; b < FV_LOOK_BINS; b++) {
        const double n = m->bins[b][FV_BIN_N];
        if (n < 16.0)
            continue;
        curve[*count][0] = (m->bins[b][FV_BIN_R] / n + 4096.0) / CODE;
        curve[(*count)++][1] = (m->bins[b][FV_BIN_D] / n + 4096.0) / CODE;
    }
}

static double left_by(const FvHypothesis *hypothesis, const FvMoments *m)
{
    return hypothesis->mistake == FV_MISTAKE_TONE ? fv_moments_tone(m) + fv_moments_identity(m, 6)
                                                  : fv_moments_error(m, hypothesis->map);
}

int fv_colour_catalogue(FvHypothesis found[FV_HYPOTHESES])
{
    return (int)(add_catalogue(found) - found);
}

static bool is_flat(const FvMoments *m)
{
    return !(fv_moments_variance(m, 1) + fv_moments_variance(m, 2) + fv_moments_variance(m, 3) >= 9.0 * CODE * CODE);
}

/*
 * Returns whether a picture is varied enough to tell a hypothesis: a flat one fits any, and encodes of the lowest
 * rates squeeze pictures like noise, whose means vary by 17 codes of 8 bits.
 */
static bool can_tell(const FvHypothesis *hypothesis, const FvMoments *m)
{
    return !is_flat(m) && !(hypothesis->range && !(fv_moments_variance(m, 1) >= 18.0 * 18.0 * CODE * CODE));
}

int fv_colour_hypotheses(FvHypothesis found[FV_HYPOTHESES], const FvMoments *m)
{
    const double light = fv_moments_variance(m, 1), n = m->of[0][0], power = m->of[2][2] + m->of[3][3];
    const bool vivid = !is_flat(m) && n * (2.0 * CODE) * (2.0 * CODE) < power;
    FvHypothesis *next = add_catalogue(found), *kept = found;
    for (const FvHypothesis *h = found; h < next; h++)
        if (can_tell(h, m))
            *kept++ = *h;
    next = kept;
    if (vivid)
        next = add_chroma(next, m, power);
    if (light > 36.0 * CODE * CODE) {
        double curve[FV_LOOK_BINS][2];
        int count;
        next = add_levels(next, m, vivid ? (m->of[2][5] + m->of[3][6]) / power : 1.0);
        next = add_affine(next, m);
        curve_of(m, curve, &count);
        if (count >= 4 && fabs(fv_moments_covariance(m, 1, 4)) >= 0.25 * light)
            *next++ = (FvHypothesis){.mistake = FV_MISTAKE_TONE, .kind = FV_FREEDOM_TONE};
    }
    const double n3 = 3.0 * n, own = fv_moments_identity(m, 7) + FLOOR * n3;
    for (FvHypothesis *h = found; h < next; h++)
        h->ratio = own / (left_by(h, m) + FLOOR * n3);
    return (int)(next - found);
}

char *fv_hypothesis_name(const FvHypothesis *h, char *text, size_t size)
{
    static const char *const matrices[] = {"bt601", "bt709", "bt2020"};
    static const char *const ranges[] = {"", "squeezed", "stretched", "squeezed twice", "stretched twice"};
    static const char *const negatives[8] = {
        [7] = "negative", [1] = "negative luma", [6] = "negative chroma", [2] = "negative Cb", [4] = "negative Cr"};
    static const char *const names[] = {[FV_MISTAKE_PLANES] = "planes swapped",
                                        [FV_MISTAKE_HUE] = "hue",
                                        [FV_MISTAKE_SATURATION] = "saturation",
                                        [FV_MISTAKE_LEVEL] = "level",
                                        [FV_MISTAKE_LEVELS] = "level and saturation",
                                        [FV_MISTAKE_AFFINE] = "colours",
                                        [FV_MISTAKE_TONE] = "tone"};
    int used = 0;
    if (h->mistake == FV_MISTAKE_COLOURS) {
        if (h->from != h->to)
            used = snprintf(text, size, "matrix %s %s", matrices[h->from], matrices[h->to]);
        if (h->range)
            snprintf(text + used, size - (size_t)used, "%srange %s", used ? ", " : "", ranges[h->range]);
    } else if (h->mistake == FV_MISTAKE_RGB)
        snprintf(text, size, "rgb %s", h->order);
    else
        snprintf(text, size, "%s", h->mistake == FV_MISTAKE_NEGATIVE ? negatives[h->planes] : names[h->mistake]);
    return text;
}

/* ---- The choice ------------------------------------------------------------------------------------------------ */

static double weighted(const FvHypothesis *h)
{
    return h->ratio / least[h->kind].weight;
}

static double capped(const FvHypothesis *h)
{
    return (h->ratio < CAP ? h->ratio : CAP) / least[h->kind].weight;
}

static const FvHypothesis *best_of(const FvHypothesis *found, int count, unsigned kinds)
{
    const FvHypothesis *best = NULL;
    for (int i = 0; i < count; i++)
        if (kinds >> found[i].kind & 1 && (!best || weighted(&found[i]) > weighted(best)))
            best = &found[i];
    return best;
}

/* Chooses the best hypothesis, but prefers a named mistake to a fit of more parameters if both reach CAP. */
static const FvHypothesis *choose_hypothesis(const FvHypothesis *found, int count)
{
    const unsigned fixed = 1u << FV_FREEDOM_FIXED | 1u << FV_FREEDOM_TWICE | 1u << FV_FREEDOM_BOTH;
    const FvHypothesis *best = best_of(found, count, ~0u);
    const FvHypothesis *others[2] = {best_of(found, count, ~(1u << FV_FREEDOM_AFFINE)), best_of(found, count, fixed)};
    for (int i = 0; i < 2 && best; i++)
        if (others[i] && capped(others[i]) >= capped(best))
            best = others[i];
    return best;
}

/* The squared errors of one look. `before` and `after` include the floor. */
typedef struct Errors {
    double before, after; /* without and with a hypothesis */
    double least;         /* minimum difference for the hypothesis, without the floor */
} Errors;

static Errors errors_of(const FvHypothesis *h, const FvMoments *m)
{
    const double n3 = 3.0 * m->of[0][0], rms = least[h->kind].rms * CODE;
    return (Errors){fv_moments_identity(m, 7) + FLOOR * n3, left_by(h, m) + FLOOR * n3, n3 * rms * rms};
}

FvVote fv_colour_vote(const FvHypothesis *hypothesis, const FvMoments *look)
{
    if (!look->of[0][0] || !can_tell(hypothesis, look))
        return FV_VOTE_NONE;
    const Errors error = errors_of(hypothesis, look);
    if (error.before >= error.least && error.before >= least[hypothesis->kind].ratio * error.after)
        return FV_VOTE_FOR;
    return error.after >= error.before + error.least / 4.0 ? FV_VOTE_AGAINST : FV_VOTE_NONE;
}

void fv_colour_explain(FvColourFit *fit, const FvLook *looks, int count)
{
    FvMoments m, own;
    FvHypothesis found[FV_HYPOTHESES];
    *fit = (FvColourFit){.votes = 0};
    if (!fv_moments_add_up(&m, looks, count))
        return;
    const FvHypothesis *best = choose_hypothesis(found, fv_colour_hypotheses(found, &m));
    const double e0 = fv_moments_identity(&m, 7), n3 = 3.0 * m.of[0][0];
    if (!best || best->ratio < least[best->kind].ratio)
        return;
    const double rms = least[best->kind].rms * CODE;
    if (e0 < n3 * rms * rms)
        return;
    for (int k = 0; k < count; k++) {
        if (!fv_moments_add_up(&own, &looks[k], 1))
            continue;
        const double before = fv_moments_identity(&own, 7);
        if (before < 3.0 * BLOCKS * (rms / 2.0) * (rms / 2.0))
            continue;
        const Errors error = errors_of(best, &own);
        fit->seen++;
        fit->votes += error.before >= least[best->kind].root * error.after;
    }
    if (!fit->seen || 4 * fit->votes < 3 * fit->seen)
        return;
    fit->found = *best;
    fit->rms = sqrt(e0 / n3) / CODE;
    if (best->mistake == FV_MISTAKE_TONE) {
        double curve[FV_LOOK_BINS][2];
        int bins;
        curve_of(&m, curve, &bins);
        memcpy(fit->curve[0], curve[0], sizeof *curve);
        memcpy(fit->curve[1], curve[bins / 2], sizeof *curve);
        memcpy(fit->curve[2], curve[bins - 1], sizeof *curve);
    }
}

unsigned fv_colour_lost(const FvLook *looks, int count, double variance)
{
    unsigned lost = 0;
    for (int plane = 1; plane < 3; plane++) {
        int seen = 0, votes = 0;
        for (int k = 0; k < count; k++) {
            FvMoments m;
            if (!fv_moments_add_up(&m, &looks[k], 1))
                continue;
            const double ref = fv_moments_variance(&m, 1 + plane), dis = fv_moments_variance(&m, 4 + plane);
            if (ref < variance)
                continue;
            seen++;
            votes += 64.0 * dis <= ref && 4.0 * (fv_moments_identity(&m, 1) / m.of[0][0]) <= ref;
        }
        lost |= seen && votes == seen ? 1u << plane : 0;
    }
    return lost;
}
