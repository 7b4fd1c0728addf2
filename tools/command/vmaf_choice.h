/* The models and features that `fovea vmaf` scores, in the spelling of libvmaf's command. */
#pragma once

#include "cli/args.h"
#include "libvmaf/libvmaf.h"

#define VMAF_MOST 32 /* models, and features */

typedef struct VmafChosen {
    char *text;        /* the names point into it */
    const char *label; /* the model's version or path */
    const char *path;  /* NULL: it is built in */
    const char *name;  /* name of the score */
    VmafModel *model;
    VmafModelCollection *collection; /* or NULL */
} VmafChosen;

typedef struct VmafChoice {
    VmafChosen model[VMAF_MOST];
    int model_count;
    bool any_depth; /* videos of different depth are scored at the greater one */
} VmafChoice;

/*
 * Loads the models and adds them and the features to the context. `aom_ctc` and `nflx_ctc` are versions of test
 * conditions, or NULL. Returns FV_OK, or the exit code after a message. vmaf_choice_free() in any case.
 */
int vmaf_choose(VmafContext *context, const ArgList *models, const ArgList *features, const char *aom_ctc,
                const char *nflx_ctc, bool no_prediction, VmafChoice *choice);

void vmaf_choice_free(VmafChoice *choice);
