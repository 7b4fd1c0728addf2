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

/* Names of options with their values as text. NULL is an empty one. */
typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/*
 * Sets an option, in a dictionary that is made when *dict is NULL. A value that is a number is kept as a float with
 * six digits. Whether the option exists and takes the value is found out where the dictionary is used; names that
 * the feature does not have are ignored there. -EINVAL for NULL, -ENOMEM when memory runs out.
 */
VMAF_API int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/* Leaves NULL. -EINVAL when `dict` itself is NULL. */
VMAF_API int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif
