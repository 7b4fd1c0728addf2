/*
 * Options of features, for programs built for libvmaf 3. Part of fovea's stand-in for libvmaf.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 */
#ifndef LIBVMAF_FEATURE_H
#define LIBVMAF_FEATURE_H

#include "picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names of options with their values as text. NULL is an empty dictionary. */
typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/*
 * Sets an option. If *dict is NULL, creates a dictionary. A value that is a number is stored as a float with six
 * digits. The call that uses the dictionary checks the value, and ignores names that the feature lacks. -EINVAL: an
 * argument is NULL. -ENOMEM: out of memory.
 */
VMAF_API int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/* Frees a dictionary and sets *dict to NULL. -EINVAL: `dict` itself is NULL. */
VMAF_API int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif
