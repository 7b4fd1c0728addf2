/*
 * Parses any bytes as a model file. The result must be a refusal with a message, or a model whose predictions stay
 * within its clipping range.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void predict(const FvModel *model)
{
    double features[FV_MODEL_FEATURES], low, high;
    int count = fv_model_values(model);
    double *scratch = calloc(fv_model_scratch(model), sizeof *scratch),
           *values = calloc((size_t)count, sizeof *values);
    if (scratch && values)
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < model->feature_count; k++)
                features[k] = i == 3 ? NAN : i * 0.5 * (k + 1);
            FvModelFlags flags = {.disable_clip = i == 1, .enable_transform = i == 2};
            fv_model_predict(model, flags, features, scratch, values);
            fv_model_range(model, flags, &low, &high);
            check(isnan(values[0]) || (values[0] >= low && values[0] <= high), "a score leaves its clip");
        }
    free(scratch);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FvModel *model;
    FvError error = {0};
    FvStatus status = fv_model_read(&model, "model.json", (const char *)bytes, size, "0", &error);
    if (status)
        check(!model && (status == FV_ERROR_INPUT || status == FV_ERROR_MEMORY) && error.status == status &&
                  !strncmp(error.message, "model.json", 10),
              "refused without a message");
    else
        predict(model);
    fv_model_free(&model);
    return 0;
}
