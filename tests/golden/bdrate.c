/*
 * Tests that BD-rates of published and of degenerate curves equal those of the programs that define the methods:
 * bdrate FILE.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fovea/fovea.h"
#include "tap/tap.h"

#define MOST 128

typedef struct Case {
    char name[64];
    FvBdParams params;
    FvBdPoint given[2][MOST];
    int given_count[2], hull[2];
    bool resolutions;
    const FvBdPoint *point[2];
    FvBdPoint *made[2];
    int count[2];
} Case;

static bool is_near(double value, double expected, double tolerance)
{
    return isnan(expected) ? isnan(value) : fabs(value - expected) <= tolerance * fmax(1, fabs(expected));
}

static FvBdMethod method_of(const char *name)
{
    int method = 0;
    while (method < FV_BD_METHOD_COUNT && strcmp(name, fv_bd_method_name((FvBdMethod)method)))
        method++;
    return (FvBdMethod)method;
}

static void begin(Case *this, const char *line)
{
    char better[8];
    int drop, little;
    for (int side = 0; side < 2; side++)
        fv_bd_free_hull(&this->made[side]);
    *this = (Case){0};
    if (sscanf(line, "case %63s %7s %lf %d %d %d", this->name, better, &this->params.saturated,
               &this->params.least_points, &drop, &little) != 6)
        exit(fprintf(stderr, "%s", line));
    this->params.better = strcmp(better, "lower") ? FV_HIGHER_IS_BETTER : FV_LOWER_IS_BETTER;
    this->params.drop_dominated = drop;
    this->params.allow_little_overlap = little;
}

/* Completes a case once the points of both curves are known: with resolutions, each curve is the hull of its
 * points. */
static void complete(Case *this, Tap *tap)
{
    for (int side = 0; side < 2; side++) {
        this->point[side] = this->given[side];
        this->count[side] = this->given_count[side];
        if (!this->resolutions)
            continue;
        FvError error = {0};
        fv_bd_hull(this->given[side], this->given_count[side], this->params.better, &this->made[side],
                   &this->count[side], &error);
        this->point[side] = this->made[side];
        char name[96];
        snprintf(name, sizeof name, "%s hull of the %s", this->name, side ? "test" : "anchor");
        if (this->hull[0])
            tap_case(tap, this->count[side] == this->hull[side], name, error.message);
    }
}

static FvBd *check(Case *this, const char *line, Tap *tap)
{
    char method[16], text[5][64], name[96], why[256];
    double tolerance;
    int dropped[2], used = 0;
    sscanf(line, "%15s", method);
    this->params.method = method_of(method);
    snprintf(name, sizeof name, "%s %s", this->name, method);
    FvError error = {0};
    FvBd *bd = NULL;
    if (fv_bd_open(&bd, this->point[0], this->count[0], this->point[1], this->count[1], &this->params, &error)) {
        tap_case(tap, false, name, error.message);
        return NULL;
    }
    const FvBdResult *result = fv_bd_result(bd);
    const char *refused = strstr(line, " refuse ");
    if (refused) {
        const size_t length = strcspn(refused + 8, "\n");
        const char *code = fv_bd_refusal_name(result->refusal);
        snprintf(why, sizeof why, "it says %s: %.150s", code, result->reason);
        tap_case(tap,
                 strlen(code) == length && !strncmp(code, refused + 8, length) && *result->reason &&
                     isnan(result->bd_rate) && isnan(result->bd_quality),
                 name, why);
        return bd;
    }
    if (sscanf(line, "%*s %63s %63s %63s %63s %d %d%n", text[0], text[1], text[2], text[3], &dropped[0], &dropped[1],
               &used) != 6)
        exit(fprintf(stderr, "%s", line));
    tolerance = strtod(text[0], NULL);
    const double expected[3] = {strtod(text[1], NULL), strtod(text[2], NULL), strtod(text[3], NULL)};
    const FvBdDropped *list;
    const bool counts =
        fv_bd_dropped(bd, FV_BD_ANCHOR, &list) == dropped[0] && fv_bd_dropped(bd, FV_BD_TEST, &list) == dropped[1];
    const bool warned =
        result->few_shared == !!strstr(line + used, " overlap") && result->turns == !!strstr(line + used, " turns");
    snprintf(why, sizeof why, "%.17g %.17g %.17g%s%s%s %.100s", result->bd_rate, result->bd_quality, result->overlap,
             counts ? "" : ", other points dropped", warned ? "" : ", other warnings",
             result->refusal ? ", refused:" : "", result->reason);
    tap_case(tap,
             !result->refusal && counts && warned && is_near(result->bd_rate, expected[0], tolerance) &&
                 is_near(result->bd_quality, expected[1], tolerance) &&
                 is_near(result->overlap, expected[2], tolerance),
             name, why);
    return bd;
}

int main(int argc, char **argv)
{
    static char line[512];
    static Case this;
    Tap tap = {0};
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return fprintf(stderr, "usage: bdrate FILE\n");
    FvBd *bd = NULL;
    bool completed = true;
    while (fgets(line, sizeof line, file)) {
        double rate, value;
        char side[8], first[64], second[64];
        int resolution;
        if (*line == '#')
            continue;
        if (!strncmp(line, "case ", 5)) {
            begin(&this, line);
            completed = false;
        } else if (!strncmp(line, "hull ", 5)) {
            sscanf(line, "hull %d %d", &this.hull[0], &this.hull[1]);
        } else if (!strncmp(line, "anchor ", 7) || !strncmp(line, "test ", 5)) {
            const int read = sscanf(line, "%7s %63s %63s %d", side, first, second, &resolution);
            const int which = !strcmp(side, "test");
            if (read < 3 || this.given_count[which] == MOST)
                exit(fprintf(stderr, "%s", line));
            this.given[which][this.given_count[which]++] =
                (FvBdPoint){strtod(first, NULL), strtod(second, NULL), read == 4 ? resolution : 0};
            this.resolutions |= read == 4;
        } else if (sscanf(line, "rcd %lf %lf", &rate, &value) == 2) {
            char name[96], why[64];
            snprintf(name, sizeof name, "%s difference at %.3f", this.name, rate);
            const double got = fv_bd_difference(bd, rate);
            snprintf(why, sizeof why, "%.17g instead of %.17g", got, value);
            tap_case(&tap, is_near(got, value, 1e-11), name, why);
        } else {
            if (!completed)
                complete(&this, &tap);
            completed = true;
            fv_bd_close(&bd);
            bd = check(&this, line, &tap);
        }
    }
    fv_bd_close(&bd);
    for (int side = 0; side < 2; side++)
        fv_bd_free_hull(&this.made[side]);
    fclose(file);
    return tap_done(&tap);
}
