/*
 * Compares reports written through libvmaf's interface, byte by byte, with those recorded from libvmaf. In odd.*,
 * fovea escapes a name that libvmaf writes unescaped, which breaks the format.
 */
#include "calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scores models, extra features, chroma and aggregates. */
static VmafContext *run_plain(unsigned threads)
{
    VmafContext *v = open_context(threads, 0);
    VmafModel *m = load("vmaf_v0.6.1", "vmaf", 0), *n = load("vmaf_v0.6.1neg", "neg", 0), *one;
    VmafModelCollection *c;
    VmafModelConfig cfg = {.name = "b"};
    VmafFeatureDictionary *d = options("enable_apsnr", "true");
    double s;
    VmafModelCollectionScore many;
    vmaf_model_collection_load(&one, &c, &cfg, "vmaf_b_v0.6.3");
    vmaf_model_feature_overload(n, "vif", options("vif_enhn_gain_limit", "1.5"));
    vmaf_use_features_from_model(v, m);
    vmaf_use_features_from_model(v, n);
    vmaf_use_features_from_model_collection(v, c);
    vmaf_feature_dictionary_set(&d, "enable_mse", "true");
    vmaf_use_feature(v, "psnr", d);
    vmaf_use_feature(v, "motion", options("motion_five_frame_window", "true"));
    vmaf_use_feature(v, "psnr_hvs", NULL);
    for (unsigned i = 0; i < 4; i++)
        feed(v, i);
    flush(v);
    vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 0, 3);
    vmaf_score_pooled(v, n, VMAF_POOL_METHOD_HARMONIC_MEAN, &s, 0, 3);
    vmaf_score_pooled(v, one, VMAF_POOL_METHOD_MIN, &s, 0, 3);
    vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_MEAN, &many, 0, 3);
    vmaf_model_destroy(m);
    vmaf_model_destroy(n);
    vmaf_model_destroy(one);
    vmaf_model_collection_destroy(c);
    return v;
}

/* Scores pictures with gaps, refused ones and a missing first one, and imports numbers of all kinds. */
static VmafContext *run_odd(unsigned subsample)
{
    static const double numbers[] = {-0.0, 1e-5, 1e-6, 9.9e-7, 1e-7,   -1e-9,    0.5,
                                     1e15, 3e9,  NAN,  -2.5,   1e-300, INFINITY, -INFINITY};
    VmafContext *v = open_context(0, subsample);
    vmaf_use_feature(v, "psnr", NULL);
    vmaf_use_feature(v, "vif", NULL);
    for (unsigned i = 2; i < 12; i += 2)
        feed(v, i);
    feed(v, 4);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        vmaf_import_feature_score(v, "a \"name\" & <more>", numbers[i], i + 2);
    flush(v);
    return v;
}

/* Returns a report without what differs from run to run and from library to library. */
static char *read_report(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 17);
    if (!file || !text || !fread(text, 1, (1 << 17) - 1, file))
        text = text ? text : NULL;
    if (file)
        fclose(file);
    static const struct {
        const char *before, *stop;
    } cuts[] = {{"version=\"", "\""}, {"\"version\": \"", "\""}, {"fps=\"", "\""}, {"\"fps\": ", ","}};
    for (int i = 0; text && i < 4; i++) {
        char *at = strstr(text, cuts[i].before);
        char *from = at ? at + strlen(cuts[i].before) : NULL, *to = from ? strstr(from, cuts[i].stop) : NULL;
        if (to)
            memmove(from, to, strlen(to) + 1);
    }
    return text;
}

/* Writes a report in each of `formats`, the first letters of "xml", "json", "csv" and "sub", and compares or records
 * it. */
static void report(VmafContext *context, const char *name, const char *formats, const char *recorded, bool record)
{
    static const char *const ends[] = {"", "xml", "json", "csv", "sub"};
    for (int format = VMAF_OUTPUT_FORMAT_XML; format <= VMAF_OUTPUT_FORMAT_SUB; format++) {
        char base[64], expected[512], what[128];
        if (!strchr(formats, *ends[format]))
            continue;
        snprintf(base, sizeof base, "%s.%s", name, ends[format]);
        const char *path = place(base);
        snprintf(expected, sizeof expected, "%s/%s.%s", recorded, name, ends[format]);
        snprintf(what, sizeof what, "%s.%s is as recorded", name, ends[format]);
        int failed = vmaf_write_output(context, path, (enum VmafOutputFormat)format);
        char *got = read_report(path), *want = record ? NULL : read_report(expected);
        FILE *file = record ? fopen(expected, "wb") : NULL;
        if (file) {
            fputs(got, file);
            fclose(file);
        }
        tap_case(&tap, !failed && got && *got && (record || (want && !strcmp(got, want))), what, NULL);
        free(got);
        free(want);
    }
}

void check_reports(const char *recorded, bool record)
{
    VmafContext *v = run_plain(0);
    report(v, "plain", "xj", recorded, record);
    vmaf_close(v);
    v = run_plain(2);
    report(v, "threads", "c", recorded, record);
    vmaf_close(v);
    v = run_odd(0);
    report(v, "odd", "xjcs", recorded, record);
    vmaf_close(v);
    v = run_odd(4);
    report(v, "subsample", "s", recorded, record);
    vmaf_close(v);
}
