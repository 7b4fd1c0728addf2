/*
 * Tests that pictures in CUDA memory get the scores of pictures in host memory, in the primary context and in a
 * client's, and that every failure is reported. The program is linked with NVIDIA's driver, or with an imitation
 * whose n-th call fails.
 */
#include "on_cuda.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libvmaf/libvmaf_cuda.h"
#include "picture.h"
#include "returns.h"
#include "tap/tap.h"

enum { FRAMES = 9, COLUMNS = 40 };

typedef struct Clip {
    const char *name;
    unsigned width, height, depth, subsample, threads;
    bool own;   /* the client has a context of its own */
    bool mixed; /* the reference is in host memory */
} Clip;

typedef struct Scores {
    int failed;
    double value[COLUMNS][FRAMES];
} Scores;

static Tap tap;

static const char *const columns[] = {"psnr_y",
                                      "VMAF_integer_feature_adm2_score",
                                      "VMAF_integer_feature_vif_scale0_score",
                                      "VMAF_integer_feature_vif_scale3_score",
                                      "VMAF_integer_feature_motion2_score",
                                      "VMAF_integer_feature_motion3_score",
                                      "Cambi_feature_cambi_score",
                                      "Speed_temporal_feature_speed_temporal_score",
                                      "float_ssim",
                                      "float_ms_ssim"};

static int add_features(VmafContext *context)
{
    static const char *const names[] = {"adm",        "vif",          "motion", "cambi", "speed_temporal",
                                        "float_ssim", "float_ms_ssim"};
    VmafFeatureDictionary *luma = NULL;
    int failed = vmaf_feature_dictionary_set(&luma, "enable_chroma", "false");
    failed = failed ? failed : vmaf_use_feature(context, "psnr", luma);
    for (size_t i = 0; on_cuda.all && i < sizeof names / sizeof *names && !failed; i++)
        failed = vmaf_use_feature(context, names[i], NULL);
    return failed;
}

/* Paints luma in a host picture of the same stride, and uploads it. */
static int upload(void *context, const VmafPicture *picture, unsigned number, unsigned noise)
{
    VmafPicture host = *picture;
    size_t bytes = (size_t)picture->stride[0] * picture->h[0];
    host.data[0] = calloc(1, bytes);
    host.data[1] = host.data[2] = NULL;
    if (!host.data[0])
        return -ENOMEM;
    paint(&host, number, noise);
    bool good = on_cuda.upload(context, (uint64_t)(uintptr_t)picture->data[0], host.data[0], bytes);
    free(host.data[0]);
    return good ? 0 : -EIO;
}

static int make(VmafContext *context, const Clip *clip, bool cuda, void *own, unsigned number, unsigned noise,
                VmafPicture *picture)
{
    int failed = cuda ? vmaf_cuda_fetch_preallocated_picture(context, picture)
                      : vmaf_picture_alloc(picture, VMAF_PIX_FMT_YUV420P, clip->depth, clip->width, clip->height);
    if (failed)
        return failed;
    if (cuda)
        failed = upload(own, picture, number, noise);
    else
        paint(picture, number, noise);
    if (failed)
        vmaf_picture_unref(picture);
    return failed;
}

static int feed(VmafContext *context, const Clip *clip, bool cuda, void *own, unsigned number)
{
    VmafPicture ref = {0}, dist = {0};
    int failed = make(context, clip, cuda && !clip->mixed, own, number, 3, &ref);
    failed = failed ? failed : make(context, clip, cuda, own, number, 19, &dist);
    failed = failed ? failed : vmaf_read_pictures(context, &ref, &dist, number);
    vmaf_picture_unref(&ref);
    vmaf_picture_unref(&dist);
    return failed;
}

static int prepare(VmafContext *context, const Clip *clip, void *own)
{
    VmafCudaState *state = NULL;
    VmafCudaPictureConfiguration cfg = {{clip->width, clip->height, clip->depth, VMAF_PIX_FMT_YUV420P},
                                        VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE};
    int failed = vmaf_cuda_state_init(&state, (VmafCudaConfiguration){own});
    failed = failed ? failed : vmaf_cuda_import_state(context, state);
    return failed ? failed : vmaf_cuda_preallocate_pictures(context, cfg);
}

static Scores score(const Clip *clip, bool cuda)
{
    Scores scores = {0};
    VmafContext *context = NULL;
    void *own = cuda && clip->own ? on_cuda.context() : NULL;
    int failed = cuda && clip->own && !own ? -ENODEV : 0;
    if (!failed)
        failed = vmaf_init(&context, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_NONE,
                                                         .n_threads = clip->threads,
                                                         .n_subsample = clip->subsample});
    failed = failed || !cuda ? failed : prepare(context, clip, own);
    failed = failed ? failed : add_features(context);
    for (unsigned i = 0; i < FRAMES && !failed; i++)
        failed = feed(context, clip, cuda, own, i);
    failed = failed ? failed : vmaf_read_pictures(context, NULL, NULL, 0);
    for (size_t c = 0; c < sizeof columns / sizeof *columns && !failed; c++)
        for (unsigned i = 0; i < FRAMES; i++)
            if (vmaf_feature_score_at_index(context, columns[c], &scores.value[c][i], i))
                scores.value[c][i] = -1;
    if (context)
        vmaf_close(context);
    if (own)
        on_cuda.close_context(own);
    scores.failed = failed;
    return scores;
}

static Scores on_host(const Clip *clip)
{
    const char *before = getenv("FOVEA_DEVICE");
    char *kept = before ? strdup(before) : NULL;
    setenv("FOVEA_DEVICE", "cpu", 1);
    Scores scores = score(clip, false);
    if (kept)
        setenv("FOVEA_DEVICE", kept, 1);
    else
        unsetenv("FOVEA_DEVICE");
    free(kept);
    return scores;
}

static void begin(long failing, bool lost)
{
    if (on_cuda.reset)
        on_cuda.reset(failing, lost);
}

static bool clean(char *why, size_t size)
{
    return !on_cuda.clean || on_cuda.clean(why, size);
}

static void compare(const Clip *clip, const char *device)
{
    char name[160], why[400] = "";
    setenv("FOVEA_DEVICE", device, 1);
    begin(0, false);
    Scores want = on_host(clip), got = score(clip, true);
    bool good = !want.failed && !got.failed && want.value[0][0] > 0 && clean(why, sizeof why);
    if (!good && !*why)
        snprintf(why, sizeof why, "it returned %d, and on the host %d", got.failed, want.failed);
    if (good && on_cuda.downloads && !on_cuda.downloads() == !strcmp(device, "cpu")) {
        snprintf(why, sizeof why, "%ld pictures were copied to the host", on_cuda.downloads());
        good = false;
    }
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (unsigned i = 0; i < FRAMES && good; i++)
            if (got.value[c][i] != want.value[c][i]) {
                snprintf(why, sizeof why, "%s of picture %u is %.17g, and on the host %.17g", columns[c], i,
                         got.value[c][i], want.value[c][i]);
                good = false;
            }
    snprintf(name, sizeof name, "%s, FOVEA_DEVICE=%s", clip->name, device);
    tap_case(&tap, good, name, why);
}

/* Every call of the driver fails once, either alone or with all later ones. */
static void fail_each(bool lost)
{
    static const Clip clip = {.name = "", .width = 70, .height = 50, .depth = 8};
    char name[96], why[400] = "";
    begin(0, false);
    Scores want = on_host(&clip);
    long total = 0;
    bool good = !score(&clip, true).failed && (total = on_cuda.calls()) > 0;
    for (long n = 1; n <= total && good; n++) {
        begin(n, lost);
        Scores got = score(&clip, true);
        if (got.failed < 0 || (!got.failed && !memcmp(got.value[0], want.value[0], sizeof want.value[0])))
            good = clean(why, sizeof why);
        else
            good = false;
        if (!good && !*why)
            snprintf(why, sizeof why, "call %ld of %ld: it returned %d", n, total, got.failed);
    }
    snprintf(name, sizeof name, "each of %ld calls of the driver fails, %s", total, lost ? "for good" : "once");
    tap_case(&tap, good, name, why);
}

/* Repeats the run with each allocation failing in turn. */
static void starve(void)
{
    static const Clip clip = {.name = "", .width = 70, .height = 50, .depth = 10};
    char name[96], why[400] = "";
    begin(0, false);
    Scores want = on_host(&clip);
    on_cuda.starve(0);
    bool good = !score(&clip, true).failed;
    long total = on_cuda.allocations();
    for (long n = 1; n <= total && good; n++) {
        begin(0, false);
        on_cuda.starve(n);
        Scores got = score(&clip, true);
        on_cuda.allocations();
        good = (got.failed < 0 || (!got.failed && !memcmp(got.value[0], want.value[0], sizeof want.value[0]))) &&
               clean(why, sizeof why);
        if (!good && !*why)
            snprintf(why, sizeof why, "number %ld of %ld: it returned %d", n, total, got.failed);
    }
    snprintf(name, sizeof name, "each of %ld allocations fails", total);
    tap_case(&tap, good && total, name, why);
}

static VmafContext *open_context(VmafCudaState *state)
{
    VmafContext *context = NULL;
    vmaf_init(&context, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_NONE});
    if (state)
        vmaf_cuda_import_state(context, state);
    return context;
}

static void misuse(void)
{
    VmafCudaPictureConfiguration cfg = {{64, 48, 8, VMAF_PIX_FMT_YUV420P},
                                        VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE},
                                 wrong = cfg;
    VmafCudaState *state = NULL, *again = NULL;
    VmafPicture p = {0}, q = {0}, kept = {0};
    char why[400] = "";
    begin(0, false);
    RETURNS(vmaf_cuda_state_init(NULL, (VmafCudaConfiguration){0}), -EINVAL);
    RETURNS(vmaf_cuda_state_init(&state, (VmafCudaConfiguration){0}), 0);
    RETURNS(vmaf_cuda_state_init(&again, (VmafCudaConfiguration){0}), 0);
    VmafContext *v = open_context(NULL), *w = open_context(again), *plain = open_context(NULL);
    RETURNS(vmaf_cuda_import_state(v, NULL), -EINVAL);
    RETURNS(vmaf_cuda_import_state(NULL, state), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(v, cfg), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), -EINVAL);
    RETURNS(vmaf_cuda_import_state(v, state), 0);
    RETURNS(vmaf_cuda_import_state(v, state), 0);
    RETURNS(vmaf_cuda_preallocate_pictures(NULL, cfg), -EINVAL);
    wrong.pic_prealloc_method = (enum VmafCudaPicturePreallocationMethod)4;
    RETURNS(vmaf_cuda_preallocate_pictures(v, wrong), -EINVAL);
    wrong = cfg;
    wrong.pic_params.w = 0;
    RETURNS(vmaf_cuda_preallocate_pictures(v, wrong), -EINVAL);
    wrong = cfg;
    wrong.pic_params.bpc = 17;
    RETURNS(vmaf_cuda_preallocate_pictures(v, wrong), -EINVAL);
    wrong = cfg;
    wrong.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST;
    RETURNS(vmaf_cuda_preallocate_pictures(v, wrong), 0);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), 0);
    paint(&p, 0, 3);
    RETURNS(vmaf_picture_unref(&p), 0);
    wrong.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE;
    RETURNS(vmaf_cuda_preallocate_pictures(v, wrong), 0);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(v, cfg), 0);
    RETURNS(vmaf_cuda_preallocate_pictures(v, cfg), 0);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(NULL, &p), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, NULL), -EINVAL);
    /* FFmpeg's filter copies luma only, so features that read chroma are refused. */
    RETURNS(vmaf_use_feature(v, "psnr", NULL), -EINVAL);
    RETURNS(vmaf_use_feature(v, "speed_chroma", NULL), -EINVAL);
    RETURNS(vmaf_use_feature(v, "vif", NULL), 0);
    vmaf_use_feature(plain, "vif", NULL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), 0);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &q), 0);
    tap_case(&tap, p.data[0] && p.stride[0] == 256 && p.w[1] == 32 && p.h[2] == 24 && p.data[0] != q.data[0],
             "pictures lie in rows of their own", NULL);
    /* The context `plain` has no CUDA state, so it refuses the pair, which the caller still owns. */
    RETURNS(vmaf_read_pictures(plain, &p, &q, 0), -EINVAL);
    tap_case(&tap, p.ref && q.ref, "a picture that was refused is the caller's", NULL);
    /* A feature of chroma that was added before the first CUDA picture makes the context refuse that picture. */
    RETURNS(vmaf_use_feature(w, "psnr", NULL), 0);
    RETURNS(vmaf_read_pictures(w, &p, &q, 0), -EINVAL);
    RETURNS(vmaf_picture_unref(&p), 0);
    RETURNS(vmaf_picture_unref(&p), -EINVAL);
    RETURNS(vmaf_picture_unref(&q), 0);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &kept), 0);
    /* The context closes although it was not flushed and a picture is still in use. */
    RETURNS(vmaf_close(v), 0);
    RETURNS(vmaf_picture_unref(&kept), 0);
    RETURNS(vmaf_close(w), 0);
    RETURNS(vmaf_close(plain), 0);
    tap_case(&tap, clean(why, sizeof why), "nothing is left behind", why);
}

int main(void)
{
    static const Clip clips[] = {
        {.name = "the primary context, 8 bits", .width = 352, .height = 288, .depth = 8},
        {.name = "the client's context, 8 bits", .width = 352, .height = 288, .depth = 8, .own = true},
        {.name = "the client's context, 10 bits, odd", .width = 323, .height = 241, .depth = 10, .own = true},
        {.name = "pictures left out, threads", .width = 352, .height = 288, .depth = 8, .subsample = 3, .threads = 2},
        {.name = "one side on the host", .width = 352, .height = 288, .depth = 10, .mixed = true, .own = true},
    };
    const char *why = "";
    char folder[] = "/tmp/fovea-on-cuda-XXXXXX";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!on_cuda.open(&why)) {
        tap_skip(&tap, "pictures in CUDA's memory", why);
        return tap_done(&tap);
    }
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1); /* self-tests store their results there */
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        compare(&clips[i], "auto");
        compare(&clips[i], "cuda:0");
        compare(&clips[i], "cpu");
    }
    unsetenv("FOVEA_DEVICE");
    misuse();
    if (on_cuda.calls) {
        fail_each(false);
        fail_each(true);
        starve();
    }
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    tap_case(&tap, !system(command), "the folder is removed", folder);
    return tap_done(&tap);
}
