/* VMAF models on the command line. */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

/*
 * Adds a metric for each --model: auto, or words with colons between in libvmaf's spelling: version=NAME, path=FILE,
 * name=NAME, disable_clip, enable_transform, METRIC.OPTION=VALUE. Says what is wrong.
 */
FvStatus model_add(FvSession *session, const ArgList *models, bool allow_hdr);
