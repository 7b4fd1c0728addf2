#include "input/source_params.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { STRINGS = 6 };

static void list_strings(FvSourceParams *params, const char **strings[STRINGS])
{
    strings[0] = &params->path;
    strings[1] = &params->reader;
    strings[2] = &params->raw_layout;
    strings[3] = &params->decoder;
    strings[4] = &params->device;
    strings[5] = &params->scored_on;
}

FvStatus fv_source_params_copy(FvSourceParams *copy, const FvSourceParams *given, FvError *error)
{
    const char **strings[STRINGS];
    FvStatus status = FV_OK;
    *copy = *given;
    list_strings(copy, strings);
    for (int i = 0; i < STRINGS; i++) {
        const char *text = *strings[i];
        *strings[i] = text && !status ? strdup(text) : NULL;
        if (text && !status && !*strings[i])
            status = fv_fail_memory(error, strlen(text) + 1);
    }
    return status;
}

FvSourceParams fv_source_params_luma(const FvSourceParams *params)
{
    FvSourceParams luma = *params;
    if (params->rgb == FV_RGB_KEEP || params->rgb == FV_RGB_BOTH) {
        luma.rgb = FV_RGB_CONVERT;
        luma.tags.matrix = 0;
    }
    return luma;
}

void fv_source_params_free(FvSourceParams *copy)
{
    const char **strings[STRINGS];
    list_strings(copy, strings);
    for (int i = 0; i < STRINGS; i++) {
        free((char *)*strings[i]);
        *strings[i] = NULL;
    }
}
