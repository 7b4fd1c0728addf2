/* Any bytes as a metric's option string: refused with a message, or values in range that read back as themselves. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../option_sample.h"

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
    check(!strcmp(sample->mode, sample_modes[0]) || !strcmp(sample->mode, sample_modes[1]),
          "mode is none of its choices");
}

/* The number options of a sample, printed and parsed, are the same numbers. */
static void check_round_trip(const Sample *sample)
{
    for (int i = 0; i < 3; i++) {
        char value[64], text[128];
        Sample back;
        FvError error = {0};
        fv_option_print(sample, &sample_options, i, value, sizeof value);
        snprintf(text, sizeof text, "%s=%s", sample_options.info[i].name, value);
        fv_options_default(&back, &sample_options);
        check(!fv_options_parse(&back, &sample_options, "sample", text, &error), error.message);
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
    fv_options_default(&sample, &sample_options);
    FvStatus status = fv_options_parse(&sample, &sample_options, "sample", text, &error);
    if (status) {
        check(status == FV_ERROR_USAGE && error.status == status && *error.message, "refused without a message");
    } else {
        char suffix[256];
        check_values(&sample);
        check_round_trip(&sample);
        fv_options_suffix(&sample, &sample_options, suffix, sizeof suffix);
        check(memchr(suffix, 0, sizeof suffix) != NULL, "the suffix has no end");
    }
    free(text);
    return 0;
}
