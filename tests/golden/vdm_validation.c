/*
 * Compares the visual discrimination model with its validation: thresholds of gratings and patches, contrast
 * discrimination, and its response to blur, noise and quantisation. golden/vdm_validation.py explains the file; the
 * tolerances are those of docs/metrics/vdm.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature/vdm_steps.h"
#include "golden.h"
#include "metric/vdm.h"
#include "os/memory.h"
#include "tap/tap.h"
#include "vdm_defaults.h"

/* A viewer of the model with two pictures in cd/m2. */
typedef struct Viewer {
    FvVdmPlan plan;
    FvVdmPair pair;
    float *picture[2];
    int width, height;
    double scores[FV_VDM_SCORES];
} Viewer;

static FvVdmParameters parameters_of(const char *preset, double ppd)
{
    FvVdmParameters p = {VDM_DEFAULTS, .ppd = ppd, .psych_slope = 1.3};
    if (!strcmp(preset, "lubin95")) {
        p.n = 1.5;
        p.w = 0.068;
        p.kappa = p.csf_gain = 1;
    }
    return p;
}

static void open_viewer(Viewer *v, const FvVdmParameters *parameters, int width, int height, int bytes)
{
    FvError error;
    *v = (Viewer){.width = width, .height = height};
    if (fv_vdm_plan_open(&v->plan, parameters, width, height, 8, bytes, false, fv_isa_best(), NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    v->pair.frame = fv_alloc(v->plan.floats * sizeof(float));
    v->pair.scratch = fv_alloc(v->plan.scratch_floats * sizeof(float));
    for (int i = 0; i < 2; i++) {
        v->pair.stride[i] = FV_ROUND_UP((size_t)width * bytes + 64, 64);
        v->picture[i] = fv_alloc_zero(v->pair.stride[i] * height);
        v->pair.samples[i] = (uint8_t *)v->picture[i];
    }
}

static void close_viewer(Viewer *v)
{
    fv_free(v->pair.frame);
    fv_free(v->pair.scratch);
    fv_free(v->picture[0]);
    fv_free(v->picture[1]);
    fv_vdm_plan_close(&v->plan);
}

static void look(Viewer *v)
{
    FvTerm terms[FV_VDM_TERMS];
    for (int step = 0; step < FV_VDM_STEPS; step++)
        for (int job = 0; step != FV_VDM_STEP_LEVELS && job < fv_vdm_jobs(&v->plan, step); job++)
            fv_vdm_job(&v->plan, &v->pair, step, job);
    fv_vdm_terms(&v->plan, v->pair.frame, terms);
    fv_vdm_scores(terms, (double)v->width * v->height, v->plan.ppd, v->plan.parameters.psych_slope, v->scores);
}

/* ---- Stimuli -------------------------------------------------------------------------------------------------- */

/* A pattern whose contrast is varied to find the detection threshold. */
typedef struct Stimulus {
    Viewer *viewer;
    double frequency, sigma, luminance, pedestal; /* sigma 0: a grating */
    FvVdmScore score;
} Stimulus;

static void draw(const Stimulus *s, float *picture, double contrast)
{
    const Viewer *v = s->viewer;
    double ppd = v->plan.ppd;
    for (int y = 0; y < v->height; y++)
        for (int x = 0; x < v->width; x++) {
            float *to = (float *)((char *)picture + y * v->pair.stride[0]) + x;
            double across = (x - v->width / 2) / ppd, down = (y - v->height / 2) / ppd;
            double wave = cos(2 * M_PI * s->frequency * (s->sigma > 0 ? across : (x + 0.5) / ppd));
            if (s->sigma > 0)
                wave *= exp(-0.5 * (down * down + across * across) / (s->sigma * s->sigma));
            *to = (float)(s->luminance * (1 + contrast * wave));
        }
}

static double answer(const Stimulus *s, double contrast)
{
    draw(s, s->viewer->picture[1], s->pedestal + contrast);
    look(s->viewer);
    return s->viewer->scores[s->score];
}

/*
 * Searches the contrast whose answer is 1, until the answer's logarithm is within `tolerance` of 0. Returns NaN if
 * that contrast exceeds `most`.
 */
static double threshold(const Stimulus *s, double c, double most, double tolerance)
{
    double low = 0, high = 0;
    for (int i = 0; i < 60; i++) {
        double j = answer(s, c);
        if (fabs(log(fmax(j, 1e-9))) < tolerance)
            return c;
        *(j < 1 ? &low : &high) = c;
        if (low > 0 && high > 0) {
            c = sqrt(low * high);
            if (high / low - 1 < 1e-4)
                return c;
        } else if (j < 1) {
            if (c >= most)
                return NAN;
            c = fmin(most, c * fmin(4, fmax(1.05, j > 1e-3 ? pow(j, -1 / 2.4) : 4)));
        } else
            c = c / fmin(4, fmax(1.05, pow(j, 1 / 2.4)));
    }
    return c;
}

/* Opens a picture of a whole number of periods, so that reflection continues it. The reference picture has the
 * pedestal. */
static Stimulus open_grating(Viewer *viewer, const FvVdmParameters *p, double frequency, double luminance)
{
    double half = p->ppd / (2 * frequency);
    int halves = (int)fmax(1, ceil(256 / half));
    halves += halves % 2;
    int width = (int)rint(halves * half);
    open_viewer(viewer, p, width, 16, 4);
    return (Stimulus){viewer, halves * p->ppd / (2 * width), 0, luminance, 0, FV_VDM_MAX};
}

static double decibel(double a, double b)
{
    return 20 * log10(a / b);
}

/* ---- Checks --------------------------------------------------------------------------------------------------- */

#define SAME 0.03 /* in dB from the recorded thresholds; the search stops within 0.02 */

static void check_detect(Tap *tap, const char *line)
{
    double ppd, luminance, frequency, start, contrast;
    if (sscanf(line, "detect %lf %lf %lf %lf %lf", &ppd, &luminance, &frequency, &start, &contrast) != 5)
        abort();
    FvVdmParameters p = parameters_of("fovea", ppd);
    Viewer viewer;
    Stimulus s = open_grating(&viewer, &p, frequency, luminance);
    draw(&s, viewer.picture[0], 0);
    double found = threshold(&s, fmin(0.9, start), 0.99, 2e-3), error = decibel(found, start);
    bool promised = frequency < 12 || (frequency < 16.5 && luminance >= 10);
    bool good = fabs(decibel(found, contrast)) < SAME && (!promised || fabs(error) <= 3);
    char name[128], why[128];
    snprintf(name, sizeof name, "threshold at %g cycles, %g cd/m2, %g pixels per degree", frequency, luminance, ppd);
    snprintf(why, sizeof why, "contrast %g, recorded %g, %.2f dB from the sensitivity function", found, contrast,
             error);
    tap_case(tap, good, name, why);
    close_viewer(&viewer);
}

static void check_patch(Tap *tap, const char *line)
{
    char pool[16];
    double frequency, sigma, sensitivity;
    if (sscanf(line, "patch %lf %lf %15s %lf", &frequency, &sigma, pool, &sensitivity) != 4)
        abort();
    FvVdmParameters p = parameters_of("fovea", 120);
    Viewer viewer;
    open_viewer(&viewer, &p, 256, 256, 4);
    bool detect = !strcmp(pool, "detect");
    Stimulus s = {&viewer, frequency, sigma, 30, 0, detect ? FV_VDM_DETECT : FV_VDM_MAX};
    draw(&s, viewer.picture[0], 0);
    double found = -log10(threshold(&s, fmin(0.99, pow(10, -sensitivity)), 3, 5e-3));
    char name[128], why[128];
    snprintf(name, sizeof name, "patch of %g cycles, %g degrees, %s", frequency, sigma, pool);
    snprintf(why, sizeof why, "sensitivity 10^%.4f, recorded 10^%.4f", found, sensitivity);
    tap_case(tap, fabs(20 * (found - sensitivity)) < 0.1, name, why);
    close_viewer(&viewer);
}

/* The last `curve` line, and the increments over pedestals that follow it. */
typedef struct Curve {
    char preset[16];
    double ppd, luminance, frequency, start, least, last;
} Curve;

static void check_increment(Tap *tap, Curve *curve, const char *line)
{
    double pedestal, increment;
    if (sscanf(line, "increment %lf %lf", &pedestal, &increment) != 2)
        abort();
    FvVdmParameters p = parameters_of(curve->preset, curve->ppd);
    Viewer viewer;
    Stimulus s = open_grating(&viewer, &p, curve->frequency, curve->luminance);
    s.pedestal = pedestal * curve->start;
    draw(&s, viewer.picture[0], s.pedestal);
    double found = threshold(&s, 0.5 * curve->start, 0.99 - s.pedestal, 2e-3) / curve->start;
    char name[128], why[128];
    snprintf(name, sizeof name, "increment over %g times the threshold at %g cycles, %s", pedestal, curve->frequency,
             curve->preset);
    snprintf(why, sizeof why, "%g thresholds, recorded %g", found, increment);
    tap_case(tap, fabs(decibel(found, increment)) < SAME, name, why);
    close_viewer(&viewer);
    curve->least = fmin(curve->least, found);
    curve->last = found;
}

/* Checks the dip that observers show near the threshold, and masking far above it. */
static void check_dip(Tap *tap, const Curve *curve)
{
    char name[128], why[128];
    snprintf(name, sizeof name, "dip and masking at %g cycles", curve->frequency);
    snprintf(why, sizeof why, "least increment %g, greatest %g", curve->least, curve->last);
    if (!strcmp(curve->preset, "fovea"))
        tap_case(tap, curve->least > 0.4 && curve->least < 0.5 && curve->last > 3, name, why);
}

/* The operation of the last `series` line, and the scores of the previous step of that series. */
typedef struct Series {
    char operation[16];
    double before[5];
} Series;

static uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t u = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ 5 * 0x165667b1u;
    u ^= u >> 15;
    u *= 0x2c1b3c6du;
    u ^= u >> 12;
    u *= 0x297a2d39u;
    return u ^ u >> 15;
}

static void blur(uint8_t *plane, ptrdiff_t step, int length)
{
    uint8_t line[4096];
    for (int i = 0; i < length; i++)
        line[i] = plane[i * step];
    for (int i = 0; i < length; i++)
        plane[i * step] =
            (line[fv_vdm_mirror(i - 1, length)] + 2 * line[i] + line[fv_vdm_mirror(i + 1, length)] + 2) >> 2;
}

static void change(const char *operation, int argument, int width, int height, uint8_t *plane, ptrdiff_t stride)
{
    for (int pass = 0; !strcmp(operation, "blur") && pass < argument; pass++) {
        for (int y = 0; y < height; y++)
            blur(plane + y * stride, 1, width);
        for (int x = 0; x < width; x++)
            blur(plane + x, stride, height);
    }
    for (int y = 0; strcmp(operation, "blur") && y < height; y++)
        for (int x = 0; x < width; x++) {
            int value = plane[y * stride + x];
            if (!strcmp(operation, "quant"))
                value = (value + argument / 2) / argument * argument;
            else
                value += (int)(hash(x, y) % (2u * argument + 1)) - argument;
            plane[y * stride + x] = value < 0 ? 0 : value > 255 ? 255 : value;
        }
}

static void check_step(Tap *tap, Series *series, const FvFrame *frame, const char *line)
{
    static const FvVdmScore kinds[5] = {FV_VDM_MEAN, FV_VDM_P95, FV_VDM_MAX, FV_VDM_MINKOWSKI, FV_VDM_DETECT};
    int argument, width = frame->format.width, height = frame->format.height;
    double recorded[5];
    if (sscanf(line, "step %d %lf %lf %lf %lf %lf", &argument, recorded, recorded + 1, recorded + 2, recorded + 3,
               recorded + 4) != 6)
        abort();
    FvVdmParameters p = parameters_of("fovea", 0);
    Viewer viewer;
    open_viewer(&viewer, &p, width, height, 1);
    for (int i = 0; i < 2; i++)
        for (int y = 0; y < height; y++)
            memcpy((uint8_t *)viewer.picture[i] + y * viewer.pair.stride[i], frame->data[0] + y * frame->stride[0],
                   width);
    change(series->operation, argument, width, height, (uint8_t *)viewer.picture[1], viewer.pair.stride[1]);
    look(&viewer);
    char name[128], why[128] = "";
    bool good = true;
    for (int i = 0; good && i < 5; i++) {
        double score = viewer.scores[kinds[i]];
        good = fabs(score - recorded[i]) <= 6e-6 && score >= series->before[i];
        series->before[i] = score;
        if (!good)
            snprintf(why, sizeof why, "score %d is %.6f, recorded %.5f", kinds[i], score, recorded[i]);
    }
    snprintf(name, sizeof name, "%s %d", series->operation, argument);
    tap_case(tap, good, name, why);
    close_viewer(&viewer);
}

static FvFrame *park_joy(const char *folder)
{
    GoldenClip clip = {.present = true};
    GoldenReader reader;
    FvFrame *frame = NULL;
    FvError error;
    strcpy(clip.file, "park_joy_420_720p50_frm0to9_480x270.y4m");
    if (golden_reader_open(&reader, &clip, folder, &error))
        return NULL;
    if (golden_reader_next(&reader, &frame, &error))
        frame = NULL;
    golden_reader_close(&reader);
    return frame;
}

int main(int argc, char **argv)
{
    Tap tap = {0};
    char line[256];
    Curve curve = {.least = 0};
    Series series = {.operation = ""};
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (!file) {
        fputs("usage: test-vdm-validation FOLDER vdm_validation.txt\n", stderr);
        return 2;
    }
    FvFrame *frame = park_joy(argv[1]);
    while (fgets(line, sizeof line, file)) {
        bool goes_on = !strncmp(line, "increment", 9);
        if (curve.least > 0 && !goes_on) {
            check_dip(&tap, &curve);
            curve.least = 0;
        }
        if (!strncmp(line, "detect", 6))
            check_detect(&tap, line);
        else if (sscanf(line, "curve %15s %lf %lf %lf %lf", curve.preset, &curve.ppd, &curve.luminance,
                        &curve.frequency, &curve.start) == 5)
            curve.least = 1e9;
        else if (goes_on)
            check_increment(&tap, &curve, line);
        else if (sscanf(line, "series %15s", series.operation) == 1)
            memset(series.before, 0, sizeof series.before);
        else if (!strncmp(line, "step", 4) && frame)
            check_step(&tap, &series, frame, line);
        else if (!strncmp(line, "step", 4))
            tap_skip(&tap, series.operation, "the clip is not there");
        else if (!strncmp(line, "patch", 5))
            check_patch(&tap, line);
    }
    fv_frame_unref(&frame);
    fclose(file);
    return tap_done(&tap);
}
