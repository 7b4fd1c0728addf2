/* Options of features: names with text, each once. */
#pragma once

#include "libvmaf/feature.h"

typedef struct LvEntry {
    char *key, *value;
} LvEntry;

struct VmafFeatureDictionary {
    int count;
    LvEntry *entry;
};

/* Sets it as it is; *dict NULL: in a new one. -ENOMEM leaves what there was. */
int lv_dictionary_put(VmafFeatureDictionary **dict, const char *key, const char *value);

/* All of `from` (or NULL) into *to. */
int lv_dictionary_merge(VmafFeatureDictionary **to, const VmafFeatureDictionary *from);

/* Frees all but the struct itself, so that freeing it once more does no harm. Accepts NULL. */
void lv_dictionary_bury(VmafFeatureDictionary *dict);

/* NULL when there is none. `dict` may be NULL. */
const char *lv_dictionary_get(const VmafFeatureDictionary *dict, const char *key);
