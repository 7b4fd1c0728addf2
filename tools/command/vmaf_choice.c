#include "command/vmaf_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "fovea/fovea.h"

/* ---- Models ---------------------------------------------------------------------------------------------------- */

/* Splits the next word off a model's text into name and value. A flag without a value gets the value "true". */
static char *split(char **text, char **value)
{
    char *word = strsep(text, ":");
    *value = word ? strchr(word, '=') : NULL;
    if (*value)
        *(*value)++ = 0;
    else if (word && (!strcmp(word, "disable_clip") || !strcmp(word, "enable_transform")))
        *value = "true";
    return word;
}

typedef struct Overload {
    const char *feature, *option, *value;
} Overload;

typedef struct ModelText {
    const char *version, *path;
    VmafModelConfig cfg;
    Overload overload[VMAF_MOST];
    int overloads;
} ModelText;

static int add_overload(ModelText *model, char *word, const char *value)
{
    char *point = strchr(word, '.');
    if (!point || model->overloads == VMAF_MOST)
        return report_error(FV_FAIL_VALUE,
                            point ? "--model takes at most 32 overloads; '%s' is too many"
                                  : "--model does not know '%s': it takes path, version, name, disable_clip, "
                                    "enable_transform and feature.option",
                            word);
    *point = 0;
    model->overload[model->overloads++] = (Overload){word, point + 1, value};
    return FV_OK;
}

static int parse_model(char *text, ModelText *model)
{
    char *word, *value;
    *model = (ModelText){.cfg = {.name = "vmaf"}};
    while ((word = split(&text, &value))) {
        uint64_t flag = !strcmp(word, "disable_clip")       ? VMAF_MODEL_FLAG_DISABLE_CLIP
                        : !strcmp(word, "enable_transform") ? VMAF_MODEL_FLAG_ENABLE_TRANSFORM
                                                            : 0;
        if (!value)
            return report_error(FV_ERROR_USAGE, "--model: '%s' is not of the form name=value", word);
        if (!strcmp(word, "path"))
            model->path = value;
        else if (!strcmp(word, "version"))
            model->version = value;
        else if (!strcmp(word, "name"))
            model->cfg.name = value;
        else if (flag)
            model->cfg.flags |= strcmp(value, "true") ? 0 : flag;
        else if (add_overload(model, word, value))
            return FV_ERROR_USAGE;
    }
    return model->version || model->path ? FV_OK
                                         : report_error(FV_ERROR_USAGE, "--model needs version=NAME or path=FILE");
}

static int overload(const VmafChosen *chosen, const Overload *what)
{
    VmafFeatureDictionary *options = NULL;
    VmafModelCollection *collection = chosen->collection;
    if (vmaf_feature_dictionary_set(&options, what->option, what->value))
        return -1;
    return collection ? vmaf_model_collection_feature_overload(chosen->model, &collection, what->feature, options)
                      : vmaf_model_feature_overload(chosen->model, what->feature, options);
}

/* Loads a model or a collection: the text does not say which, so both are tried. */
static int load_model(VmafChosen *chosen, ModelText *text)
{
    return text->version
               ? vmaf_model_load(&chosen->model, &text->cfg, text->version) &&
                     vmaf_model_collection_load(&chosen->model, &chosen->collection, &text->cfg, text->version)
               : vmaf_model_load_from_path(&chosen->model, &text->cfg, text->path) &&
                     vmaf_model_collection_load_from_path(&chosen->model, &chosen->collection, &text->cfg,
                                                          text->path);
}

static int add_model(VmafContext *context, const char *text, VmafChoice *choice)
{
    ModelText parsed;
    if (choice->model_count == VMAF_MOST)
        return report_error(FV_ERROR_USAGE, "at most %d models are scored at once", VMAF_MOST);
    VmafChosen *chosen = &choice->model[choice->model_count++];
    *chosen = (VmafChosen){.text = strdup(text)};
    if (!chosen->text)
        return report_error(FV_ERROR_MEMORY, "out of memory for the models");
    if (parse_model(chosen->text, &parsed))
        return FV_ERROR_USAGE;
    chosen->label = parsed.version ? parsed.version : parsed.path;
    chosen->path = parsed.version ? NULL : parsed.path;
    chosen->name = parsed.cfg.name;
    for (int i = 0; i < choice->model_count - 1; i++)
        if (!strcmp(choice->model[i].name, chosen->name))
            return report_error(FV_ERROR_USAGE,
                                "two models are called '%s': give one of them another name, as in "
                                "--model version=%s:name=other",
                                chosen->name, chosen->label);
    if (load_model(chosen, &parsed))
        return report_error(FV_ERROR_INPUT, "problem loading model: %s", chosen->label);
    for (int i = 0; i < parsed.overloads; i++)
        if (overload(chosen, &parsed.overload[i]))
            return report_error(FV_ERROR_INPUT, "problem overloading feature extractors from model: %s",
                                chosen->label);
    int failed = chosen->collection ? vmaf_use_features_from_model_collection(context, chosen->collection)
                                    : vmaf_use_features_from_model(context, chosen->model);
    return failed ? report_error(FV_ERROR_INPUT, "problem loading feature extractors from model: %s", chosen->label)
                  : FV_OK;
}

/* ---- Features -------------------------------------------------------------------------------------------------- */

static int add_feature(VmafContext *context, const char *text)
{
    VmafFeatureDictionary *options = NULL;
    char *copy = strdup(text), *rest = copy, *word, *value;
    char *name = copy ? strsep(&rest, "=") : NULL;
    int status = copy ? FV_OK : report_error(FV_ERROR_MEMORY, "out of memory for the features");
    while (!status && (word = split(&rest, &value))) {
        if (!value)
            status = report_error(FV_ERROR_USAGE, "--feature %s: '%s' is not of the form option=value", name, word);
        else if (vmaf_feature_dictionary_set(&options, word, value))
            status = report_error(FV_ERROR_MEMORY, "out of memory for the features");
    }
    if (status)
        vmaf_feature_dictionary_free(&options);
    else if (vmaf_use_feature(context, name, options)) {
        status = report_error(FV_ERROR_INPUT, "problem loading feature extractor: %s", name);
    }
    free(copy);
    return status;
}

/* ---- Test conditions ------------------------------------------------------------------------------------------- */

/* The models and features of some versions of test conditions. */
typedef struct Conditions {
    const char *names; /* names of versions, with blanks around each */
    const char *model[2], *feature[6];
    bool any_depth;
} Conditions;

#define AOM_MODELS                                                                                                   \
    {                                                                                                                \
        "version=vmaf_v0.6.1:name=vmaf", "version=vmaf_v0.6.1neg:name=vmaf_neg"                                      \
    }
#define AOM_PSNR "psnr=reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5"
#define DECIBELS "enable_db=true:clip_db=true"

/* The common test conditions of AOM; those of Netflix follow. */
static const Conditions aom[] = {
    {" v1.0 v2.0 ",
     AOM_MODELS,
     {AOM_PSNR, "ciede", "float_ssim=" DECIBELS, "float_ms_ssim=" DECIBELS, "psnr_hvs"},
     false},
    {" v3.0 v4.0 v5.0 ",
     AOM_MODELS,
     {AOM_PSNR, "ciede", "float_ssim=" DECIBELS, "float_ms_ssim=" DECIBELS, "psnr_hvs", "cambi"},
     false},
    {" v6.0 ",
     AOM_MODELS,
     {AOM_PSNR, "ciede", "float_ssim=" DECIBELS, "float_ms_ssim=" DECIBELS, "psnr_hvs", "cambi"},
     true},
    {" v7.0 ",
     AOM_MODELS,
     {AOM_PSNR, "ciede", "float_ssim=scale=1:" DECIBELS, "float_ms_ssim=" DECIBELS, "psnr_hvs", "cambi"},
     true},
};
static const Conditions nflx[] = {
    {" v1.0 ",
     {"version=vmaf_4k_v0.6.1:name=vmaf", "version=vmaf_4k_v0.6.1neg:name=vmaf_neg"},
     {"psnr=enable_chroma=true:enable_apsnr=true", "float_ssim=" DECIBELS, "cambi"},
     false},
};

static const Conditions *find_conditions(const Conditions *list, size_t count, const char *version)
{
    char word[32];
    snprintf(word, sizeof word, " %.24s ", version ? version : "?");
    for (size_t i = 0; i < count; i++)
        if (strstr(list[i].names, word))
            return &list[i];
    return NULL;
}

/* ---- All of them ----------------------------------------------------------------------------------------------- */

int vmaf_choose(VmafContext *context, const ArgList *models, const ArgList *features, const char *aom_ctc,
                const char *nflx_ctc, bool no_prediction, VmafChoice *choice)
{
    const Conditions *all[] = {find_conditions(aom, sizeof aom / sizeof *aom, aom_ctc),
                               find_conditions(nflx, sizeof nflx / sizeof *nflx, nflx_ctc)};
    int status = FV_OK;
    *choice = (VmafChoice){.model_count = 0};
    for (int c = 0; c < 2; c++)
        for (int i = 0; all[c] && i < 2 && !status; i++)
            status = add_model(context, all[c]->model[i], choice);
    for (int i = 0; i < models->count && !status; i++)
        status = add_model(context, models->items[i], choice);
    if (!status && !choice->model_count && !no_prediction)
        status = add_model(context, "version=vmaf_v0.6.1", choice);
    for (int c = 0; c < 2; c++) {
        for (int i = 0; all[c] && i < 6 && all[c]->feature[i] && !status; i++)
            status = add_feature(context, all[c]->feature[i]);
        choice->any_depth |= all[c] && all[c]->any_depth;
    }
    for (int i = 0; i < features->count && !status; i++)
        status = add_feature(context, features->items[i]);
    return status;
}

void vmaf_choice_free(VmafChoice *choice)
{
    for (int i = 0; i < choice->model_count; i++) {
        vmaf_model_destroy(choice->model[i].model);
        vmaf_model_collection_destroy(choice->model[i].collection);
        free(choice->model[i].text);
    }
    *choice = (VmafChoice){.model_count = 0};
}
