/* Loads the models and features that `fovea vmaf` scores, named in the spelling of libvmaf's command. */
#pragma once

#include "cli/args.h"
#include "libvmaf/libvmaf.h"

#define VMAF_MOST 32 /* maximum number of models, and of features */

typedef struct VmafChosen {
    char *text;        /* text into which the names point */
    const char *label; /* the model's version or path */
    const char *path;  /* path of the model; NULL: it is built in */
    const char *name;  /* name of the score */
    VmafModel *model;
    VmafModelCollection *collection; /* the collection, instead of `model`; or NULL */
} VmafChosen;

typedef struct VmafChoice {
    VmafChosen model[VMAF_MOST];
    int model_count;
    bool any_depth; /* videos of different depths are allowed, and scored at the greater depth */
} VmafChoice;

/*
 * Loads the models and adds them and the features to the context. `aom_ctc` and `nflx_ctc` are versions of test
 * conditions, or NULL. On failure, prints a message and returns the exit code. Call vmaf_choice_free() in any case.
 */
int vmaf_choose(VmafContext *context, const ArgList *models, const ArgList *features, const char *aom_ctc,
                const char *nflx_ctc, bool no_prediction, VmafChoice *choice);

void vmaf_choice_free(VmafChoice *choice);
