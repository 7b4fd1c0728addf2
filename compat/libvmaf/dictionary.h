/* Dictionaries of options: distinct names with their values as text. */
#pragma once

#include "libvmaf/feature.h"

typedef struct LvEntry {
    char *key, *value;
} LvEntry;

struct VmafFeatureDictionary {
    int count;
    LvEntry *entry;
};

/*
 * Sets an option to `value`, unchanged; *dict NULL: in a new dictionary. After -ENOMEM, the dictionary is as before.
 */
int lv_dictionary_put(VmafFeatureDictionary **dict, const char *key, const char *value);

/* Sets all options of `from`, which may be NULL, in *to. */
int lv_dictionary_merge(VmafFeatureDictionary **to, const VmafFeatureDictionary *from);

/*
 * Frees a dictionary except the struct itself, so that a second vmaf_feature_dictionary_free() does no harm. Accepts
 * NULL.
 */
void lv_dictionary_bury(VmafFeatureDictionary *dict);

/* Returns an option's value; NULL: it is not set. `dict` may be NULL. */
const char *lv_dictionary_get(const VmafFeatureDictionary *dict, const char *key);
