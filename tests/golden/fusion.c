/*
 * Tests that models compute the reference program's scores from values of features. golden/fusion.py explains the
 * file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tap/tap.h"

/*
 * The reference program uses the C library's exponential function, and fovea its own, so sums of a few hundred terms
 * differ in their last bits.
 */
#define TOLERANCE 1e-10

#define MOST_VALUES 128

typedef struct Case {
    char name[96], version[64];
    FvModel model;
    FvModelMember member[64];
    FvModelFlags flags;
    int frame;
    double worst;
    char why[160];
} Case;

static bool open_case(Case *c, const char *line)
{
    char words[2][32] = {"", ""};
    *c = (Case){0};
    if (sscanf(line, "fusion %95s %63s %31s %31s", c->name, c->version, words[0], words[1]) < 2)
        return false;
    const FvModel *model = fv_model_find(c->version);
    if (!model)
        return false;
    c->model = *model;
    for (int i = 0; i < 2; i++) {
        c->flags.disable_clip |= !strcmp(words[i], "disable_clip");
        c->flags.enable_transform |= !strcmp(words[i], "enable_transform");
    }
    return true;
}

static bool choose_members(Case *c, const char *line)
{
    const FvModel *whole = fv_model_find(c->version);
    int count = 0, index, length;
    for (line += strlen("members"); sscanf(line, "%d%n", &index, &length) == 1 && count < 64; line += length) {
        if (index < 0 || index >= whole->member_count)
            return false;
        c->member[count++] = whole->member[index];
    }
    c->model.member = c->member;
    c->model.member_count = count;
    return count > 0;
}

static int read_numbers(const char **line, double *to, int most)
{
    int count = 0;
    for (char *end; count < most; *line = end) {
        to[count] = strtod(*line, &end);
        if (end == *line)
            break;
        count++;
    }
    return count;
}

static bool check_frame(Case *c, const char *line, double *scratch)
{
    double features[FV_MODEL_FEATURES], want[MOST_VALUES], got[MOST_VALUES];
    line += strlen("frame");
    if (read_numbers(&line, features, FV_MODEL_FEATURES) != c->model.feature_count || strncmp(line, " = ", 3))
        return false;
    line += 3;
    int count = read_numbers(&line, want, MOST_VALUES);
    if (count != fv_model_values(&c->model))
        return false;
    fv_model_predict(&c->model, c->flags, features, scratch, got);
    for (int i = 0; i < count; i++) {
        double difference = fabs(want[i] - got[i]);
        c->worst = fmax(c->worst, difference);
        if (!(difference <= TOLERANCE) && !*c->why)
            snprintf(c->why, sizeof c->why, "frame %d, value %d: %.17g instead of %.17g", c->frame, i, got[i],
                     want[i]);
    }
    c->frame++;
    return true;
}

static void close_case(Tap *tap, Case *c, double *worst)
{
    char name[256];
    if (!*c->name)
        return;
    snprintf(name, sizeof name, "%s %s%s%s, %d frames", c->name, c->version,
             c->flags.disable_clip ? " disable_clip" : "", c->flags.enable_transform ? " enable_transform" : "",
             c->frame);
    tap_case(tap, c->frame && !*c->why, name, c->why);
    *worst = fmax(*worst, c->worst);
    *c->name = 0;
}

int main(int argc, char **argv)
{
    static double scratch[8192];
    Tap tap = {0};
    Case c = {0};
    double worst = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fputs("usage: test-fusion fusion.txt\n", stderr);
        return 2;
    }
    char *line = NULL;
    size_t size = 0;
    for (int number = 1; getline(&line, &size, file) > 0; number++) {
        bool good = true;
        if (!strncmp(line, "fusion ", 7)) {
            close_case(&tap, &c, &worst);
            good = open_case(&c, line);
        } else if (!strncmp(line, "members ", 8))
            good = choose_members(&c, line);
        else if (!strncmp(line, "frame ", 6))
            good = check_frame(&c, line, scratch);
        if (!good) {
            fprintf(stderr, "%s:%d: cannot read this line\n", argv[1], number);
            tap_case(&tap, false, "the file", NULL);
            break;
        }
    }
    close_case(&tap, &c, &worst);
    printf("# greatest difference: %.3g\n", worst);
    free(line);
    fclose(file);
    return tap_done(&tap);
}
