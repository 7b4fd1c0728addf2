#include "dictionary.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_mode.h"
#include "number.h"

static LvEntry *find_entry(const VmafFeatureDictionary *dict, const char *key)
{
    for (int i = 0; dict && i < dict->count; i++)
        if (!strcmp(dict->entry[i].key, key))
            return &dict->entry[i];
    return NULL;
}

const char *lv_dictionary_get(const VmafFeatureDictionary *dict, const char *key)
{
    const LvEntry *entry = find_entry(dict, key);
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
    LvEntry *old = find_entry(made, key);
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
    FV_FLOAT_MODE;
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

static void clear(VmafFeatureDictionary *dict)
{
    for (int i = 0; i < dict->count; i++) {
        free(dict->entry[i].key);
        free(dict->entry[i].value);
    }
    free(dict->entry);
    *dict = (VmafFeatureDictionary){0};
}

/*
 * The latest dictionaries that failed calls have consumed. They stay allocated, because some clients free them once
 * more.
 */
enum { BURIED = 16 };
static pthread_mutex_t buried_lock = PTHREAD_MUTEX_INITIALIZER;
static VmafFeatureDictionary *buried[BURIED];
static int buried_next;

void lv_dictionary_bury(VmafFeatureDictionary *dict)
{
    if (!dict)
        return;
    clear(dict);
    pthread_mutex_lock(&buried_lock);
    VmafFeatureDictionary *oldest = buried[buried_next];
    buried[buried_next] = dict;
    buried_next = (buried_next + 1) % BURIED;
    pthread_mutex_unlock(&buried_lock);
    free(oldest);
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict)
{
    FV_FLOAT_MODE;
    if (!dict)
        return -EINVAL;
    pthread_mutex_lock(&buried_lock);
    for (int i = 0; *dict && i < BURIED; i++)
        if (buried[i] == *dict)
            buried[i] = NULL;
    pthread_mutex_unlock(&buried_lock);
    if (*dict)
        clear(*dict);
    free(*dict);
    *dict = NULL;
    return 0;
}
