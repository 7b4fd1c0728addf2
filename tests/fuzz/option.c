/* Any bytes as a metric's option string: refused with a message, or values in range that read back as themselves. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"

typedef struct Sample {
    bool flag;
    int count;
    double share;
    const char *mode, *path;
} Sample;

static const char *const modes[] = {"fast", "slow", NULL};

#define OPTION_LIST(X)                                                                                               \
    X(Sample, flag, BOOL, ("flag", "f", 0, "a switch"))                                                              \
    X(Sample, count, INT, ("count", "c", 3, -7, 1000, "px", "a number"))                                             \
    X(Sample, share, REAL, ("share", "s", 0.5, -1e300, 1e300, NULL, "a part"))                                       \
    X(Sample, mode, TEXT, ("mode", "m", "fast", modes, "one of two"))                                                \
    X(Sample, path, TEXT, ("path", NULL, NULL, NULL, "any text"))
FV_OPTIONS(sample, OPTION_LIST);

static const FvOptions table = {sample_info, sample_offset, sample_count};

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_values(const Sample *sample)
{
    check(sample->count >= -7 && sample->count <= 1000, "count is out of range");
    check(isfinite(sample->share) && fabs(sample->share) <= 1e300, "share is out of range");
    check(!strcmp(sample->mode, modes[0]) || !strcmp(sample->mode, modes[1]), "mode is none of its choices");
}

/* The number options of a sample, printed and parsed, are the same numbers. */
static void check_round_trip(const Sample *sample)
{
    for (int i = 0; i < 3; i++) {
        char value[64], text[128];
        Sample back;
        FvError error = {0};
        fv_option_print(sample, &table, i, value, sizeof value);
        snprintf(text, sizeof text, "%s=%s", table.info[i].name, value);
        fv_options_default(&back, &table);
        check(!fv_options_parse(&back, &table, "sample", text, &error), error.message);
        check(i ? i == 1 ? back.count == sample->count : back.share == sample->share : back.flag == sample->flag,
              "a printed value reads back differently");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    Sample sample;
    FvError error = {0};
    if (!text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    fv_options_default(&sample, &table);
    FvStatus status = fv_options_parse(&sample, &table, "sample", text, &error);
    if (status) {
        check(status == FV_ERROR_USAGE && error.status == status && *error.message, "refused without a message");
    } else {
        char suffix[256];
        check_values(&sample);
        check_round_trip(&sample);
        fv_options_suffix(&sample, &table, suffix, sizeof suffix);
        check(memchr(suffix, 0, sizeof suffix) != NULL, "the suffix has no end");
    }
    free(text);
    return 0;
}
