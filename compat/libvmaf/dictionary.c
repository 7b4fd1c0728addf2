#include "dictionary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static LvEntry *find(const VmafFeatureDictionary *dict, const char *key)
{
    for (int i = 0; dict && i < dict->count; i++)
        if (!strcmp(dict->entry[i].key, key))
            return &dict->entry[i];
    return NULL;
}

const char *lv_dictionary_get(const VmafFeatureDictionary *dict, const char *key)
{
    const LvEntry *entry = find(dict, key);
    return entry ? entry->value : NULL;
}

static int append(VmafFeatureDictionary *dict, const char *key, char *value)
{
    LvEntry *grown = realloc(dict->entry, (size_t)(dict->count + 1) * sizeof *grown);
    char *name = grown ? strdup(key) : NULL;
    if (grown)
        dict->entry = grown;
    if (!name)
        return -ENOMEM;
    dict->entry[dict->count++] = (LvEntry){name, value};
    return 0;
}

int lv_dictionary_put(VmafFeatureDictionary **dict, const char *key, const char *value)
{
    VmafFeatureDictionary *made = *dict ? *dict : calloc(1, sizeof *made);
    char *copy = strdup(value);
    LvEntry *old = find(made, key);
    int failed = made && copy ? 0 : -ENOMEM;
    if (!failed && old) {
        free(old->value);
        old->value = copy;
        copy = NULL;
    } else if (!failed) {
        failed = append(made, key, copy);
        copy = failed ? copy : NULL;
    }
    free(copy);
    if (!*dict && failed)
        vmaf_feature_dictionary_free(&made);
    else
        *dict = made;
    return failed;
}

int lv_dictionary_merge(VmafFeatureDictionary **to, const VmafFeatureDictionary *from)
{
    int failed = 0;
    for (int i = 0; from && i < from->count && !failed; i++)
        failed = lv_dictionary_put(to, from->entry[i].key, from->entry[i].value);
    return failed;
}

int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val)
{
    float number;
    char text[32];
    if (!dict || !key || !val)
        return -EINVAL;
    if (lv_number_whole(val, &number)) {
        locale_t before = lv_number_begin();
        snprintf(text, sizeof text, "%g", number);
        lv_number_end(before);
        val = text;
    }
    return lv_dictionary_put(dict, key, val);
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict)
{
    if (!dict)
        return -EINVAL;
    for (int i = 0; *dict && i < (*dict)->count; i++) {
        free((*dict)->entry[i].key);
        free((*dict)->entry[i].value);
    }
    if (*dict)
        free((*dict)->entry);
    free(*dict);
    *dict = NULL;
    return 0;
}
