/*
 * Tests the plugin for VapourSynth: scores equal those of a session that gets the frames in order, whichever frames
 * are requested, and by any number of threads.
 */
#include "host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clip.h"
#include "tap/tap.h"

enum { PICTURES = 5 };

static Tap tap;

/* Returns a session with the expected scores: all pictures are pushed in order through fovea's own interface. */
static FvSession *expect(const char *metrics, const HostClip clip[2], int transfer, FvRange range)
{
    char why[64];
    FvSession *session;
    FvError error = {0};
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, &error);
    const VSVideoInfo *info = &clip[0].info;
    FvFormat format = {.width = info->width,
                       .height = info->height,
                       .chroma = info->format.numPlanes == 1 ? FV_CHROMA_400
                                 : info->format.subSamplingH ? FV_CHROMA_420
                                 : info->format.subSamplingW ? FV_CHROMA_422
                                                             : FV_CHROMA_444,
                       .depth = info->format.bitsPerSample,
                       .rate_num = 25,
                       .rate_den = 1,
                       .transfer = transfer,
                       .range = range,
                       .siting = clip[0].siting == 1 ? FV_SITING_CENTER : FV_SITING_UNKNOWN};
    VSNode *node[2] = {host_source(&clip[0]), host_source(&clip[1])};
    if (!status)
        status = fv_session_add(session, metrics, &error);
    if (!status)
        status = fv_session_start(session, &format, &format, &error);
    for (int n = 0; n < info->numFrames && !status; n++) {
        FvFrame *frame[2] = {NULL, NULL};
        for (int side = 0; side < 2 && !status; side++) {
            const VSFrame *picture = host.getFrame(n, node[side], why, sizeof why);
            status = clip_frame(picture, &format, &frame[side], &host, &error);
            host.freeFrame(picture);
        }
        if (!status)
            status = fv_session_push(session, n, frame[0], frame[1], &error);
        fv_frame_unref(&frame[0]);
        fv_frame_unref(&frame[1]);
    }
    if (!status)
        status = fv_session_finish(session, &error);
    host.freeNode(node[0]);
    host.freeNode(node[1]);
    if (status)
        tap_case(&tap, false, metrics, error.message);
    return session;
}

static bool same(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) || (a != a && b != b);
}

/* Returns whether the picture has exactly the scores of row n. */
static bool agrees(const FvSession *expected, const VSFrame *picture, int n)
{
    bool good = picture != NULL;
    for (int o = 0; good && o < fv_session_outputs(expected); o++) {
        char name[256];
        double value;
        const FvOutputInfo *info = fv_session_output(expected, o);
        snprintf(name, sizeof name, "%s", info->name);
        for (char *c = name; *c; c++)
            *c = strchr(".+-", *c) ? '_' : *c;
        bool has = host_property(picture, name, &value);
        good =
            has == (!info->sequence || n == PICTURES - 1) && (!has || same(value, fv_session_value(expected, n, o)));
    }
    return good;
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

typedef struct Asker {
    pthread_t thread;
    VSNode *node;
    const FvSession *expected;
    const int *order;
    int count;
    atomic_int *wrong;
} Asker;

static void *ask(void *argument)
{
    Asker *asker = argument;
    char why[1200];
    for (int i = 0; i < asker->count; i++) {
        const VSFrame *picture = host_get(asker->node, asker->order[i], why);
        *asker->wrong += !agrees(asker->expected, picture, asker->order[i]);
        host.freeFrame(picture);
    }
    return NULL;
}

/* Requests the last picture first, and some pictures twice, from one thread and from three at once. */
static void any_order(const char *function, const char *options, const char *metrics, const HostClip clip[2])
{
    static const int order[3][7] = {{4, 0, 2, 2, 1, 3, 0}, {1, 4, 3, 0, 4, 2, 1}, {0, 1, 2, 3, 4, 0, 4}};
    FvSession *expected = expect(metrics, clip, clip[0].transfer > 0 ? (int)clip[0].transfer : 0, FV_RANGE_UNKNOWN);
    char why[1200], text[1300];
    atomic_int wrong = 0;
    for (int threads = 1; threads <= 3 && expected; threads += 2) {
        VSNode *source[2] = {host_source(&clip[0]), host_source(&clip[1])};
        VSNode *node = host_invoke(function, source[0], source[1], options, why);
        host.freeNode(source[0]);
        host.freeNode(source[1]);
        if (!node) {
            tap_case(&tap, false, metrics, why);
            break;
        }
        Asker asker[3];
        for (int t = 0; t < threads; t++) {
            asker[t] = (Asker){.node = node, .expected = expected, .order = order[t], .count = 7, .wrong = &wrong};
            pthread_create(&asker[t].thread, NULL, ask, &asker[t]);
        }
        for (int t = 0; t < threads; t++)
            pthread_join(asker[t].thread, NULL);
        host.freeNode(node);
    }
    fv_session_close(&expected);
    snprintf(text, sizeof text, "%s %s in any order", function, metrics);
    tap_case(&tap, !wrong && !host_alive(), text, wrong ? "scores differ" : "pictures or clips are left");
}

/* ---- Requests for pictures ------------------------------------------------------------------------------------- */

/* Checks that the metric, to score picture `asked`, reads pictures `first` to `last`, and picture 0 for its
 * format. */
static void reads(const char *metric, int asked, int first, int last, int width, int height)
{
    char why[1200], text[1300];
    HostClip clip = host_clip(width, height, 8, 40, 1);
    VSNode *source = host_source(&clip), *node = host_invoke("Score", source, source, metric, why);
    const VSFrame *picture = node ? host_get(node, asked, why) : NULL;
    bool good = picture != NULL;
    for (int n = 1; n < 40; n++)
        good &= (n >= first && n <= last) == (host_made(source, n) > 0) && host_made(source, n) <= 2;
    host.freeFrame(picture);
    if (node)
        host.freeNode(node);
    host.freeNode(source);
    snprintf(text, sizeof text, "%s of picture %d reads %d to %d", metric, asked, first, last);
    tap_case(&tap, good && !host_alive(), text, why);
}

/* A metric that writes files scores pictures in order, although cambi reads only one picture per score. */
static void reads_for_files(void)
{
    char folder[] = "/tmp/test-vapoursynth-XXXXXX", metric[80], command[80];
    if (!mkdtemp(folder))
        return;
    snprintf(metric, sizeof metric, "cambi=heatmaps_path=%s", folder);
    reads(metric, 3, 1, 3, 240, 216);
    snprintf(command, sizeof command, "rm -r %s", folder);
    tap_case(&tap, !system(command), "the files are gone", NULL);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

static void refuses(const char *name, const HostClip *reference, const HostClip *distorted, const char *function,
                    const char *options, const char *words)
{
    char why[1200];
    VSNode *source[2] = {host_source(reference), host_source(distorted)};
    VSNode *node = host_invoke(function, source[0], source[1], options, why);
    tap_case(&tap, !node && !strncmp(why, "fovea: ", 7) && strstr(why, words), name, why);
    if (node)
        host.freeNode(node);
    host.freeNode(source[0]);
    host.freeNode(source[1]);
}

static void refusals(void)
{
    HostClip clip = host_clip(96, 80, 8, 3, 1), other = clip;
    refuses("unknown metric", &clip, &clip, "Score", "ssimulacra", "ssimulacra2");
    refuses("unknown option", &clip, &clip, "SSIMULACRA2", "nosuch=1", "nosuch");
    refuses("unknown model", &clip, &clip, "VMAF", "version=nosuch", "nosuch");
    other.info.numFrames = 4;
    refuses("another length", &clip, &other, "VMAF", NULL, "std.Trim");
    other = host_clip(98, 80, 8, 3, 1);
    refuses("another size", &clip, &other, "VMAF", NULL, "98x80");
    other = clip;
    other.info.format.colorFamily = cfRGB;
    other.info.format.subSamplingW = other.info.format.subSamplingH = 0;
    refuses("RGB", &clip, &other, "VMAF", NULL, "the distorted clip is neither grey nor YUV");
    other = clip;
    other.info.format.subSamplingW = 2;
    refuses("4:1:0", &other, &clip, "VMAF", NULL, "the reference clip is neither grey nor YUV");
    other = clip;
    other.info.format.sampleType = stFloat;
    refuses("floating point", &other, &clip, "VMAF", NULL, "resize.Bicubic");
    other = clip;
    other.info.format = (VSVideoFormat){.colorFamily = cfUndefined};
    refuses("no format", &clip, &other, "VMAF", NULL, "changes its format");
    tap_case(&tap, !host_alive(), "refusals leave nothing", NULL);
}

/* A picture that is missing or invalid fails. Others still get scores if the metric reads each picture alone. */
static void broken_pictures(const char *metric, bool alone)
{
    char why[1200], text[100];
    HostClip clip = host_clip(96, 80, 10, 6, 1), lost = clip, over = clip;
    lost.broken = over.over = 3;
    for (int i = 0; i < 2; i++) {
        VSNode *source[2] = {host_source(&clip), host_source(i ? &over : &lost)};
        VSNode *node = host_invoke("Score", source[0], source[1], metric, why);
        const VSFrame *before = host_get(node, 1, why), *at = host_get(node, 3, why);
        bool named = strstr(why, i ? "1024" : "picture 3 is lost");
        const VSFrame *behind = host_get(node, 5, why), *again = host_get(node, 1, why);
        snprintf(text, sizeof text, "%s: a picture that is %s", metric, i ? "wrong" : "lost");
        tap_case(&tap, before && !at && named && again && !behind == !alone, text, why);
        const VSFrame *pictures[] = {before, at, behind, again};
        for (int k = 0; k < 4; k++)
            host.freeFrame(pictures[k]);
        host.freeNode(node);
        host.freeNode(source[0]);
        host.freeNode(source[1]);
    }
    tap_case(&tap, !host_alive(), "broken pictures leave nothing", NULL);
}

/* Without a constant rate, the second picture is refused with the option that states the rate. */
static void no_rate(void)
{
    char why[1200];
    HostClip clip = host_clip(96, 80, 8, 3, 1);
    clip.info.fpsNum = clip.info.fpsDen = 0;
    VSNode *source = host_source(&clip), *node = host_invoke("Score", source, source, "cvvdp", why);
    const VSFrame *picture = host_get(node, 1, why);
    tap_case(&tap, !picture && strstr(why, "fps="), "cvvdp without a rate", why);
    host.freeFrame(picture);
    host.freeNode(node);
    host.freeNode(source);
}

/* The properties of the first picture state the colour. */
static void colour(void)
{
    HostClip clip[2] = {host_clip(96, 80, 10, PICTURES, 1), host_clip(96, 80, 10, PICTURES, 2)};
    for (int i = 0; i < 2; i++) {
        clip[i].transfer = 16;
        clip[i].siting = 1;
    }
    any_order("SSIMULACRA2", NULL, "ssimulacra2", clip);
    for (int i = 0; i < 3; i++) {
        char why[1200];
        VSNode *source[2];
        FvSession *expected = expect("vdm", clip, 16, i == 2 ? FV_RANGE_LIMITED : FV_RANGE_FULL);
        for (int side = 0; side < 2; side++) {
            clip[side].range = i ? -1 : 1;
            clip[side].color_range = i - 1;
            source[side] = host_source(&clip[side]);
        }
        VSNode *node = host_invoke("Score", source[0], source[1], "vdm", why);
        const VSFrame *picture = node ? host_get(node, 2, why) : NULL;
        tap_case(&tap, agrees(expected, picture, 2), i == 2 ? "limited range" : "full range", why);
        host.freeFrame(picture);
        if (node)
            host.freeNode(node);
        host.freeNode(source[0]);
        host.freeNode(source[1]);
        fv_session_close(&expected);
    }
}

int main(void)
{
    HostClip small[2] = {host_clip(96, 80, 8, PICTURES, 1), host_clip(96, 80, 8, PICTURES, 2)};
    HostClip wide[2] = {host_clip(240, 216, 8, PICTURES, 1), host_clip(240, 216, 8, PICTURES, 2)};
    host_load();
    tap_case(&tap,
             host_has_function("SSIMULACRA2") && host_has_function("Butteraugli") && host_has_function("VMAF") &&
                 host_has_function("Score"),
             "functions", NULL);
    any_order("SSIMULACRA2", "white=200", "ssimulacra2=white=200", small);
    any_order("Score", "ssimulacra2|ssimulacra2=white=200.5", "ssimulacra2,ssimulacra2=white=200.5", small);
    any_order("Butteraugli", NULL, "butteraugli", small);
    any_order("VMAF", "version=vmaf_v0.6.1", "vmaf=version=vmaf_v0.6.1", small);
    any_order("Score", "psnr=enable_mse=true|psnr_hvs|ciede|float_ssim|adm=adm_min_val=0.5|vif|pu_ssim|delta_e_itp",
              "psnr=enable_mse=true,psnr_hvs,ciede,float_ssim,adm=adm_min_val=0.5,vif,pu_ssim,delta_e_itp", small);
    any_order("Score", "float_ms_ssim|cambi|speed_chroma", "float_ms_ssim,cambi,speed_chroma", wide);
    any_order("Score", "xpsnr|psnr=enable_apsnr=true|vdm|pu_psnr", "xpsnr,psnr=enable_apsnr=true,vdm,pu_psnr", small);
    any_order("Score", "motion=motion_five_frame_window=true|cvvdp", "motion=motion_five_frame_window=true,cvvdp",
              small);
    for (int i = 0; i < 3; i++) {
        static const VSVideoFormat formats[] = {{cfGray, stInteger, 16, 2, 0, 0, 1},
                                                {cfYUV, stInteger, 12, 2, 0, 0, 3},
                                                {cfYUV, stInteger, 10, 2, 1, 0, 3}};
        HostClip other[2] = {small[0], small[1]};
        other[0].info.format = other[1].info.format = formats[i];
        any_order("Score", "psnr|float_ssim", "psnr,float_ssim", other);
    }
    any_order("Score", "speed_temporal|ssimulacra2", "speed_temporal,ssimulacra2", wide);
    reads("ssimulacra2", 30, 30, 30, 96, 80);
    reads("motion", 30, 1, 31, 96, 80);
    reads("motion", 39, 1, 39, 96, 80);
    reads("xpsnr", 3, 1, 3, 96, 80);
    reads("cambi", 3, 3, 3, 240, 216);
    reads_for_files();
    refusals();
    broken_pictures("psnr", true);
    broken_pictures("motion", false);
    no_rate();
    colour();
    return tap_done(&tap);
}
