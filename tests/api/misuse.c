/*
 * Calls every public function with NULL for every pointer, and with values that its enums lack. Each call must return
 * an error with a message, or its value for "none", and must not crash. With --list it prints the names of the
 * functions, which tests/api/functions compares with the headers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fovea/check.h"
#include "fovea/fovea.h"
#include "fovea/rgb.h"
#include "tap/tap.h"

#define WRONG 99 /* a value that no enum has */

/* Valid arguments of the calls. */
static const FvFormat format = {.width = 48, .height = 32, .chroma = FV_CHROMA_420, .depth = 8};
static char folder[] = "/tmp/fovea-misuse-XXXXXX", video[64], output_path[64];
static FvSession *session;
static FvSource *source;
static FvFrame *frame;
static FvDeviceList *devices;
static FvOutput *output;
static FvCancel *cancel;

static FvError error;
static Tap tap;
static bool listing;

/* Adds a case: a call of `function`, and whether it did what it must. With --list, prints the function's name. */
#define CHECK(function, good)                                                                                        \
    do {                                                                                                             \
        error = (FvError){0};                                                                                        \
        if (listing)                                                                                                 \
            puts(#function);                                                                                         \
        else                                                                                                         \
            tap_case(&tap, good, #good, error.message);                                                              \
    } while (0)

static bool usage(FvStatus status)
{
    return status == FV_ERROR_USAGE && error.status == FV_ERROR_USAGE && *error.message;
}

static const void *planes[3];
static ptrdiff_t strides[3] = {48, 24, 24};
static const FvSource *known;

static bool plane_size_is_nothing(const FvFormat *of, int plane)
{
    int width = 5, height = 5;
    fv_format_plane_size(of, plane, &width, &height);
    return !width && !height;
}

static bool describes_nothing(void)
{
    char text[64] = "before";
    FvFormat wrong = format;
    wrong.chroma = (FvChroma)WRONG;
    wrong.range = (FvRange)WRONG;
    return !fv_format_describe(&format, NULL, 0) && fv_format_describe(NULL, text, sizeof text) == text && !*text &&
           strstr(fv_format_describe(&wrong, text, sizeof text), "48x32");
}

static bool names_nothing(void)
{
    char text[64] = "before";
    return fv_colour_name((FvColourTag)WRONG, -5, text, sizeof text) == text && strcmp(text, "before");
}

static bool refuses_format(FvFormat wrong)
{
    FvFrame *made = frame;
    return usage(fv_frame_alloc(&made, &wrong, &error)) && !made;
}

static bool refuses_source(FvSourceParams params)
{
    FvSource *opened = source;
    return usage(fv_source_open(&opened, &params, &error)) && !opened;
}

static bool refuses_output(FvOutputParams params)
{
    FvOutput *opened = output;
    return usage(fv_output_open(&opened, &params, &error)) && !opened;
}

static bool refuses_files(int count)
{
    return refuses_output(
        (FvOutputParams){.path = output_path, .files = (const char *[1]){video}, .file_count = count});
}

static void verified(void *opaque, const char *metric, bool good, const char *why)
{
    (void)opaque, (void)metric, (void)good, (void)why;
}

static bool device_is_nothing(void)
{
    FvDeviceHandles handles = {.kind = "before"};
    fv_session_device(NULL, &handles);
    return !handles.kind && !handles.cuda_context;
}

static void count_release(void *opaque)
{
    ++*(int *)opaque;
}

static bool releases_what_it_refuses(FvSession *of, FvFrame **wrapped, const FvFormat *with)
{
    int released = 0;
    FvDeviceFrame where = {.release = count_release, .opaque = &released};
    return usage(fv_session_wrap(of, wrapped, with, &where, &error)) && released == 1;
}

/* Returns a started session, the same on each call. */
static FvSession *started(void)
{
    static FvSession *one;
    if (!one && (fv_session_open(&one, &(FvSessionParams){.device = "cpu", .threads = 1}, NULL) ||
                 fv_session_add(one, "psnr", NULL) || fv_session_start(one, &format, &format, NULL)))
        abort();
    return one;
}

static FvSource *other_source(void)
{
    static FvSource *other;
    if (!other && fv_source_open(&other, &(FvSourceParams){.path = video}, NULL))
        abort();
    return other;
}

/* Refused frames leave their planes to the caller, whatever is wrong. */
static bool borrows_nothing(void)
{
    int released = 0;
    void *data[3] = {frame->data[0], frame->data[1], frame->data[2]},
         *odd[3] = {frame->data[0] + 1, data[1], data[2]};
    const ptrdiff_t narrow[3] = {0, 64, 64};
    FvFrame *made = frame;
    bool good = usage(fv_frame_borrow(&made, &format, data, frame->stride, NULL, &released, &error)) && !released &&
                usage(fv_frame_borrow(NULL, &format, data, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, NULL, data, frame->stride, count_release, &released, &error)) && !made &&
                usage(fv_frame_borrow(&made, &format, NULL, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, data, NULL, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, odd, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, data, narrow, count_release, &released, &error)) && !made &&
                released == 6;
    good = good && !fv_frame_borrow(&made, &format, data, frame->stride, count_release, &released, &error) &&
           made->data[1] == frame->data[1] && released == 6;
    fv_frame_unref(&made);
    return good && released == 7;
}

static void check_pictures(void)
{
    CHECK(fv_colour_name, !fv_colour_name(FV_TAG_MATRIX, 1, NULL, 9) && names_nothing());
    CHECK(fv_colour_code, fv_colour_code(FV_TAG_MATRIX, NULL) == -1 && fv_colour_code(FV_TAG_MATRIX, "256") == -1 &&
                              fv_colour_code((FvColourTag)WRONG, "bt709") == -1);
    CHECK(fv_siting_parse, fv_siting_parse(NULL) == FV_SITING_UNKNOWN && !fv_siting_parse("unknown"));
    CHECK(fv_version, *fv_version());
    CHECK(fv_numerics_version, fv_numerics_version() > 0);
    CHECK(fv_error_code, !*fv_error_code(NULL));
    CHECK(fv_error_code, !*fv_error_code(&(FvError){.status = FV_END}));
    CHECK(fv_error_code, !*fv_error_code(&(FvError){.status = (FvStatus)WRONG}));
    FvError long_message = {.status = FV_ERROR_OUTPUT};
    memset(long_message.message, 0xff, sizeof long_message.message - 1);
    CHECK(fv_error_code, !strcmp(fv_error_code(&long_message), "output"));
    CHECK(fv_nearest, !fv_nearest(NULL, (const char *[]){"a"}, 1));
    CHECK(fv_nearest, !fv_nearest("a", NULL, 1));
    CHECK(fv_nearest, !fv_nearest("a", (const char *[]){NULL}, 1));
    CHECK(fv_nearest, !fv_nearest("a", (const char *[]){"a"}, -1));
    CHECK(fv_cancel_open, usage(fv_cancel_open(NULL, &error)));
    CHECK(fv_cancel_request, (fv_cancel_request(NULL), true));
    CHECK(fv_cancel_requested, !fv_cancel_requested(NULL) && !fv_cancel_requested(cancel));
    CHECK(fv_cancel_close, (fv_cancel_close(NULL), true));
    FvStill *still = NULL;
    CHECK(fv_still_open, usage(fv_still_open(NULL, &(FvStillParams){.threads = 1}, NULL, frame, &error)));
    CHECK(fv_still_open, usage(fv_still_open(&still, NULL, NULL, frame, &error)));
    CHECK(fv_still_open, usage(fv_still_open(&still, &(FvStillParams){.threads = -1}, NULL, frame, &error)));
    CHECK(fv_still_pair, usage(fv_still_pair(NULL, NULL, frame, &error)));
    CHECK(fv_still_map, usage(fv_still_map(NULL, "vdm", "jnd", NULL, &error)));
    FvDeviceMap on_device;
    CHECK(fv_still_map_on_device, usage(fv_still_map_on_device(NULL, "vdm", "jnd", &on_device, &error)));
    FvDeviceHandles of_still = {.kind = "?"};
    CHECK(fv_still_device, (fv_still_device(NULL, &of_still), fv_still_device(NULL, NULL), !of_still.kind));
    CHECK(fv_still_value, isnan(fv_still_value(NULL, "vdm_mean")));
    CHECK(fv_still_close, (fv_still_close(NULL), true));
    CHECK(fv_format_planes, !fv_format_planes(NULL));
    CHECK(fv_format_plane_size, (fv_format_plane_size(NULL, 0, NULL, NULL), true));
    CHECK(fv_format_plane_size, plane_size_is_nothing(NULL, 0));
    CHECK(fv_format_plane_size, plane_size_is_nothing(&format, 3));
    CHECK(fv_format_plane_size, plane_size_is_nothing(&format, -1));
    CHECK(fv_format_sample_bytes, !fv_format_sample_bytes(NULL));
    CHECK(fv_format_describe, describes_nothing());
    CHECK(fv_frame_alloc, usage(fv_frame_alloc(NULL, &format, &error)));
    CHECK(fv_frame_alloc, usage(fv_frame_alloc(&(FvFrame *){NULL}, NULL, &error)));
    CHECK(fv_frame_alloc,
          refuses_format((FvFormat){.width = 48, .height = 32, .chroma = (FvChroma)WRONG, .depth = 8}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .chroma = (FvChroma)-1, .depth = 8}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 8, .range = (FvRange)WRONG}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 7}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 17}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = INT32_MAX, .height = INT32_MAX, .depth = 8}));
    CHECK(fv_frame_copy, usage(fv_frame_copy(NULL, &format, planes, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, NULL, planes, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, NULL, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, (const void *[3]){NULL}, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, planes, NULL, &error)));
    CHECK(fv_source_decoder, !fv_source_decoder(NULL));
    CHECK(fv_frame_fill, usage(fv_frame_fill(NULL, planes, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, NULL, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, planes, NULL, &error)));
    CHECK(fv_frame_fill,
          usage(fv_frame_fill(&(FvFrame){.format = format}, (const void *[3]){NULL}, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, planes, strides, &error)));
    CHECK(fv_raw_layout_row, !fv_raw_layout_row(NULL, 48, 0) && !fv_raw_layout_row("nv12", 48, 2) &&
                                 !fv_raw_layout_row("v210", 48, 1) && !fv_raw_layout_row("nv12", 0, -1));
    CHECK(fv_raw_layout_row, fv_raw_layout_row("p010", 47, 1) == 96 && fv_raw_layout_row("v210", 50, 0) == 256);
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(NULL, "nv12", planes, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, NULL, planes, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, "nv12", NULL, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, "nv12", planes, NULL, &error)));
    CHECK(fv_frame_fill_layout,
          usage(fv_frame_fill_layout(&(FvFrame){.format = format}, "nv12", planes, strides, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(NULL, planes, strides, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(frame, NULL, strides, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(frame, planes, NULL, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(&(FvFrame){.format = format}, planes, strides, 3, &error)));
    const void *const four[4] = {planes[0], planes[0], planes[0], planes[0]};
    const ptrdiff_t steps[4] = {0};
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(NULL, four, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, NULL, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, NULL, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, (const void *[4]){NULL}, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, steps, 4, 1 << 24, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, steps, 4, -1, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(NULL, NULL, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(&(FvFrame *){NULL}, NULL, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(&frame, NULL, &error)));
    FvPreparer *preparer = NULL;
    CHECK(fv_preparer_open, usage(fv_preparer_open(NULL, NULL, &format, &format, &(FvScoreParams){0}, &error)));
    CHECK(fv_preparer_open, usage(fv_preparer_open(&preparer, NULL, &format, NULL, &(FvScoreParams){0}, &error)));
    CHECK(fv_preparer_open, usage(fv_preparer_open(&preparer, NULL, &format, &format, NULL, &error)));
    CHECK(fv_preparer_open,
          usage(fv_preparer_open(&preparer, NULL, NULL, &(FvFormat){0}, &(FvScoreParams){0}, &error)) && !preparer);
    CHECK(fv_preparer_format, !fv_preparer_format(NULL, FV_DISTORTED));
    if (fv_preparer_open(&preparer, NULL, NULL, &format, &(FvScoreParams){0}, &error))
        puts("# no preparer");
    FvFrame *made;
    CHECK(fv_preparer_format,
          !fv_preparer_format(preparer, FV_REFERENCE) && !fv_preparer_format(preparer, (FvSide)WRONG));
    CHECK(fv_preparer_run, usage(fv_preparer_run(NULL, FV_DISTORTED, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_DISTORTED, NULL, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_DISTORTED, frame, NULL, &error)));
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, (FvSide)WRONG, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_REFERENCE, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run,
          usage(fv_preparer_run(preparer, FV_DISTORTED, &(FvFrame){.format = format}, &made, &error)) && !made);
    CHECK(fv_preparer_close, (fv_preparer_close(NULL), fv_preparer_close(&preparer), !preparer));
    CHECK(fv_frame_borrow, borrows_nothing());
    CHECK(fv_frame_ref, !fv_frame_ref(NULL));
    CHECK(fv_frame_unref, (fv_frame_unref(NULL), fv_frame_unref(&(FvFrame *){NULL}), true));
    CHECK(fv_frame_device, !fv_frame_device(NULL, &(FvDeviceFrame){0}) && !fv_frame_device(frame, NULL));
    CHECK(fv_frame_sync, (fv_frame_sync(NULL, NULL, 0), true));
}

static void check_sources(void)
{
    CHECK(fv_source_open, usage(fv_source_open(NULL, &(FvSourceParams){.path = video}, &error)));
    CHECK(fv_source_open, usage(fv_source_open(&(FvSource *){NULL}, NULL, &error)));
    CHECK(fv_source_open, usage(fv_source_open(&(FvSource *){NULL}, &(FvSourceParams){0}, &error)));
    CHECK(fv_source_open, refuses_source((FvSourceParams){.path = video, .reader = "none"}));
    CHECK(fv_source_open, refuses_source((FvSourceParams){.path = video, .raw.range = (FvRange)WRONG}));
    CHECK(fv_source_open, refuses_source((FvSourceParams){.path = video, .threads = -1}));
    CHECK(fv_source_info, !fv_source_info(NULL));
    CHECK(fv_source_read, usage(fv_source_read(NULL, &(FvFrame *){NULL}, &error)));
    CHECK(fv_source_read, usage(fv_source_read(source, NULL, &error)));
    const FvSourceIndex *index;
    CHECK(fv_source_index, usage(fv_source_index(NULL, &index, &error)));
    CHECK(fv_source_index, usage(fv_source_index(source, NULL, &error)));
    CHECK(fv_source_seek, usage(fv_source_seek(NULL, 0, &error)) && usage(fv_source_seek(source, -1, &error)));
    CHECK(fv_source_alpha, !fv_source_alpha(NULL));
    CHECK(fv_source_damaged, !fv_source_damaged(NULL, NULL) && !fv_source_damaged(source, NULL));
    CHECK(fv_libav_version, usage(fv_libav_version(NULL, 9, &error)));
    CHECK(fv_source_close, (fv_source_close(NULL), fv_source_close(&(FvSource *){NULL}), true));
}

static void check_outputs(void)
{
    CHECK(fv_output_open, refuses_output((FvOutputParams){.path = output_path, .file_count = 1}));
    CHECK(fv_output_open, refuses_files(-1) && refuses_files(99));
    CHECK(fv_output_open,
          refuses_output((FvOutputParams){.path = video, .files = (const char *[1]){video}, .file_count = 1}));
    CHECK(fv_output_open, usage(fv_output_open(NULL, &(FvOutputParams){.path = output_path}, &error)));
    CHECK(fv_output_open, usage(fv_output_open(&(FvOutput *){NULL}, NULL, &error)));
    CHECK(fv_output_open, usage(fv_output_open(&(FvOutput *){NULL}, &(FvOutputParams){0}, &error)));
    CHECK(fv_output_open, refuses_output((FvOutputParams){.path = output_path, .source_count = 1}));
    CHECK(fv_output_open, refuses_output((FvOutputParams){.path = output_path, .source_count = -1}));
    CHECK(fv_output_open,
          refuses_output((FvOutputParams){.path = output_path, .sources = &known, .source_count = 9}));
    CHECK(fv_output_open, refuses_output((FvOutputParams){.path = video, .sources = &known, .source_count = 1}));
    CHECK(fv_output_check, usage(fv_output_check(NULL, &error)));
    CHECK(fv_output_check, usage(fv_output_check(&(FvOutputParams){0}, &error)));
    CHECK(fv_output_file, !fv_output_file(NULL));
    CHECK(fv_output_close, !fv_output_close(NULL, &error) && !fv_output_close(&(FvOutput *){NULL}, &error));
    CHECK(fv_output_keep_partial, !fv_output_keep_partial(&(FvOutput *){NULL}, (char[8]){0}, 8, &error));
    CHECK(fv_output_keep_partial, usage(fv_output_keep_partial(&output, NULL, 8, &error)));
    CHECK(fv_output_keep_partial, usage(fv_output_keep_partial(&output, (char[8]){0}, 0, &error)));
    CHECK(fv_output_discard, (fv_output_discard(NULL), fv_output_discard(&(FvOutput *){NULL}), true));
}

static void check_lists(void)
{
    CHECK(fv_processors, fv_processors() > 0);
    CHECK(fv_metric_count, fv_metric_count() > 0);
    CHECK(fv_metric_info, !fv_metric_info(-1) && !fv_metric_info(fv_metric_count()));
    FvModel *model = NULL;
    double score;
    CHECK(fv_model_open, usage(fv_model_open(NULL, &(FvModelParams){.version = "vmaf_v0.6.1"}, &error)));
    CHECK(fv_model_open, usage(fv_model_open(&model, NULL, &error)) && !model);
    CHECK(fv_model_open, usage(fv_model_open(&model, &(FvModelParams){0}, &error)) && !model);
    CHECK(fv_model_open, usage(fv_model_open(&model, &(FvModelParams){"vmaf_v0.6.1", video}, &error)) && !model);
    CHECK(fv_model_features, !fv_model_features(NULL));
    CHECK(fv_model_feature, !fv_model_feature(NULL, 0));
    CHECK(fv_model_may_set_option, fv_model_may_set_option(NULL, "x") && fv_model_may_set_option("cambi", NULL));
    CHECK(fv_model_values, !fv_model_values(NULL));
    CHECK(fv_model_score, usage(fv_model_score(NULL, (FvModelFlags){0}, (double[8]){0}, &score, &error)));
    CHECK(fv_model_close, (fv_model_close(NULL), fv_model_close(&(FvModel *){NULL}), true));
    CHECK(fv_devices_list, usage(fv_devices_list(NULL, &error)));
    CHECK(fv_devices_count, !fv_devices_count(NULL));
    CHECK(fv_devices_info,
          !fv_devices_info(NULL, 0) && !fv_devices_info(devices, -1) && !fv_devices_info(devices, 999));
    CHECK(fv_devices_close, (fv_devices_close(NULL), fv_devices_close(&(FvDeviceList *){NULL}), true));
    CHECK(fv_device_verify, usage(fv_device_verify(NULL, NULL, verified, NULL, &error)));
    CHECK(fv_device_verify, usage(fv_device_verify("cpu", NULL, NULL, NULL, &error)));
    const FvDeviceReportParams report_params = {.brief = true};
    int differing;
    CHECK(fv_device_report, usage(fv_device_report(NULL, &report_params, stderr, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", NULL, stderr, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", &report_params, NULL, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", &report_params, stderr, NULL, &error)));
    CHECK(fv_speeds_list, usage(fv_speeds_list(NULL, NULL, &error)));
    CHECK(fv_speeds_clear, true || fv_speeds_clear(NULL));
}

static bool refuses_curves(const FvBdPoint *anchor, int count, FvBdParams params)
{
    FvBd *bd = (FvBd *)&bd;
    return usage(fv_bd_open(&bd, anchor, count, anchor, count, &params, &error)) && !bd;
}

/* Points that make no curve lead to a result with a refusal, not to an error. */
static bool tells_refusal(FvBdPoint point, FvBdRefusal expected)
{
    const FvBdPoint points[4] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, point};
    FvBd *bd = NULL;
    const bool told = !fv_bd_open(&bd, points, 4, points, 4, &(FvBdParams){0}, &error) &&
                      fv_bd_result(bd)->refusal == expected && isnan(fv_bd_difference(bd, 2)) &&
                      isnan(fv_bd_rate_at(bd, FV_BD_TEST, 2));
    fv_bd_close(&bd);
    return told && !bd;
}

static bool refuses_votes(FvCorrelateVotes votes, int scores, FvBetter better, FvCorrelateParams params,
                          FvStatus expected)
{
    const FvCorrelateScore score = {votes.vote, better};
    FvCorrelation *correlation = (FvCorrelation *)&correlation;
    return fv_correlate_open(&correlation, &votes, &score, scores, &params, &error) == expected && !correlation;
}

static void check_correlations(void)
{
    static const double vote[6] = {1, 2, 3, 4, 5, 7}, flat[6] = {1, 1, 1, 1, 1, 1}, wrong[6] = {1, 2, 3, 4, 5, NAN};
    static const double half[6] = {1, 1, 1, 1, 1, -1};
    const FvCorrelateVotes votes = {.count = 6, .vote = vote};
    const FvCorrelateScore score = {vote, FV_HIGHER_IS_BETTER};
    const FvCorrelateParams params = {.draws = 10};
    const FvBetter higher = FV_HIGHER_IS_BETTER;
    FvCorrelation *c = NULL;
    CHECK(fv_curve_name, !fv_curve_name((FvCurve)WRONG) && !fv_curve_name((FvCurve)-1));
    CHECK(fv_correlate_open, usage(fv_correlate_open(NULL, &votes, &score, 1, &params, &error)));
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, NULL, &score, 1, &params, &error)) && !c);
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, &votes, NULL, 1, &params, &error)) && !c);
    CHECK(fv_correlate_open, usage(fv_correlate_open(&c, &votes, &score, 1, NULL, &error)) && !c);
    CHECK(fv_correlate_open, refuses_votes((FvCorrelateVotes){.count = 6}, 1, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 5, .vote = vote}, 1, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 0, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 257, higher, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 1, (FvBetter)WRONG, params, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes(votes, 1, higher, (FvCorrelateParams){.curve = (FvCurve)WRONG}, FV_ERROR_USAGE));
    CHECK(fv_correlate_open, refuses_votes(votes, 1, higher, (FvCorrelateParams){.draws = -1}, FV_ERROR_USAGE));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 6, .vote = flat}, 1, higher, params, FV_ERROR_INPUT));
    CHECK(fv_correlate_open,
          refuses_votes((FvCorrelateVotes){.count = 6, .vote = wrong}, 1, higher, params, FV_ERROR_INPUT));
    CHECK(fv_correlate_open, refuses_votes((FvCorrelateVotes){.count = 6, .vote = vote, .half = half}, 1, higher,
                                           params, FV_ERROR_INPUT));
    CHECK(fv_correlate_close, (fv_correlate_close(NULL), fv_correlate_close(&(FvCorrelation *){NULL}), true));
    CHECK(fv_correlate_open, !fv_correlate_open(&c, &votes, &score, 1, &params, &error) && c);
    CHECK(fv_correlate_result,
          !fv_correlate_result(NULL, 0) && !fv_correlate_result(c, 1) && !fv_correlate_result(c, -1));
    CHECK(fv_correlate_predictions, !fv_correlate_predictions(NULL, 0) && !fv_correlate_predictions(c, 1));
    CHECK(fv_correlate_curve_at, isnan(fv_correlate_curve_at(NULL, 0, 1)) && isnan(fv_correlate_curve_at(c, 1, 1)));
    CHECK(fv_correlate_differences, !fv_correlate_differences(NULL) && !fv_correlate_differences(c));
    CHECK(fv_correlate_difference, !fv_correlate_difference(NULL, 0) && !fv_correlate_difference(c, 0));
    fv_correlate_close(&c);
}

static void check_curves(void)
{
    static const FvBdPoint points[4] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 0}};
    FvBd *bd = NULL;
    FvBdPoint *hull = NULL;
    int count = 0;
    CHECK(fv_bd_open, usage(fv_bd_open(NULL, points, 4, points, 4, &(FvBdParams){0}, &error)));
    CHECK(fv_bd_open, refuses_curves(NULL, 4, (FvBdParams){0}));
    CHECK(fv_bd_open, usage(fv_bd_open(&bd, points, 4, NULL, 4, &(FvBdParams){0}, &error)) && !bd);
    CHECK(fv_bd_open, usage(fv_bd_open(&bd, points, 4, points, 4, NULL, &error)) && !bd);
    CHECK(fv_bd_open, refuses_curves(points, 0, (FvBdParams){0}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.method = (FvBdMethod)WRONG}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.better = FV_NEITHER_IS_BETTER}));
    CHECK(fv_bd_open, refuses_curves(points, 4, (FvBdParams){.least_points = 1}));
    CHECK(fv_bd_open, tells_refusal((FvBdPoint){-4, 4, 0}, FV_BD_RATE));
    CHECK(fv_bd_open, tells_refusal((FvBdPoint){4, NAN, 0}, FV_BD_QUALITY));
    CHECK(fv_bd_close, (fv_bd_close(NULL), fv_bd_close(&(FvBd *){NULL}), true));
    CHECK(fv_bd_result, !fv_bd_result(NULL));
    CHECK(fv_bd_points, !fv_bd_points(NULL, FV_BD_TEST, &(const FvBdPoint *){NULL}));
    CHECK(fv_bd_dropped, !fv_bd_dropped(NULL, FV_BD_TEST, &(const FvBdDropped *){NULL}));
    CHECK(fv_bd_rate_at, isnan(fv_bd_rate_at(NULL, FV_BD_TEST, 1)));
    CHECK(fv_bd_difference, isnan(fv_bd_difference(NULL, 1)));
    CHECK(fv_bd_method_name, !fv_bd_method_name((FvBdMethod)WRONG) && !fv_bd_method_name((FvBdMethod)-1));
    CHECK(fv_bd_refusal_name, !fv_bd_refusal_name((FvBdRefusal)WRONG));
    CHECK(fv_bd_drop_name, !fv_bd_drop_name((FvBdDrop)WRONG));
    CHECK(fv_bd_hull, usage(fv_bd_hull(NULL, 4, FV_HIGHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull, usage(fv_bd_hull(points, 0, FV_HIGHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull, usage(fv_bd_hull(points, 4, FV_NEITHER_IS_BETTER, &hull, &count, &error)) && !hull);
    CHECK(fv_bd_hull,
          fv_bd_hull(&(FvBdPoint){0, 1, 0}, 1, FV_HIGHER_IS_BETTER, &hull, &count, &error) == FV_ERROR_INPUT &&
              !hull);
    CHECK(fv_bd_free_hull, (fv_bd_free_hull(NULL), fv_bd_free_hull(&(FvBdPoint *){NULL}), true));
}

static bool refuses_ladder(const FvLadderEncode *encodes, int count, FvLadderParams params)
{
    FvLadder *ladder = (FvLadder *)&ladder;
    return usage(fv_ladder_open(&ladder, encodes, count, &params, &error)) && !ladder;
}

static void check_ladders(void)
{
    static const FvLadderEncode one = {.name = "a", .rate = 1, .quality = 1, .mean = 1, .whole = true};
    const FvLadderParams params = {.meaning = fv_meaning("vmaf")};
    FvLadder *ladder = NULL;
    FvBdResult result;
    CHECK(fv_ladder_open, usage(fv_ladder_open(NULL, &one, 1, &params, &error)));
    CHECK(fv_ladder_open, refuses_ladder(NULL, 1, params));
    CHECK(fv_ladder_open, usage(fv_ladder_open(&ladder, &one, 1, NULL, &error)) && !ladder);
    CHECK(fv_ladder_open, refuses_ladder(&one, 0, params));
    CHECK(fv_ladder_open, refuses_ladder(&one, 1, (FvLadderParams){.better = FV_HIGHER_IS_BETTER}));
    CHECK(fv_ladder_open,
          refuses_ladder(&one, 1, (FvLadderParams){.meaning = params.meaning, .better = FV_NEITHER_IS_BETTER}));
    CHECK(fv_ladder_open, refuses_ladder(&one, 1, (FvLadderParams){.meaning = params.meaning, .gates = -1}));
    CHECK(fv_ladder_open, refuses_ladder(&(FvLadderEncode){.rate = 1}, 1, params));
    CHECK(fv_ladder_open, refuses_ladder(&(FvLadderEncode){.name = "a"}, 1, params));
    CHECK(fv_ladder_close, (fv_ladder_close(NULL), fv_ladder_close(&(FvLadder *){NULL}), true));
    CHECK(fv_ladder_pick, !fv_ladder_pick(NULL));
    CHECK(fv_ladder_place, !fv_ladder_place(NULL, 0));
    CHECK(fv_ladder_groups, !fv_ladder_groups(NULL));
    CHECK(fv_ladder_group, !fv_ladder_group(NULL, 0));
    CHECK(fv_ladder_bd, usage(fv_ladder_bd(NULL, 0, 1, &result, &error)));
    CHECK(fv_pick_kind_name, !fv_pick_kind_name((FvPickKind)WRONG));
}

static void check_sessions(void)
{
    CHECK(fv_session_open, usage(fv_session_open(NULL, &(FvSessionParams){.threads = 1}, &error)));
    CHECK(fv_session_open, usage(fv_session_open(&(FvSession *){NULL}, NULL, &error)));
    CHECK(fv_session_add, usage(fv_session_add(NULL, "psnr", &error)));
    CHECK(fv_session_add, usage(fv_session_add(session, NULL, &error)));
    CHECK(fv_session_add, usage(fv_session_add(session, "", &error)));
    CHECK(fv_session_needs_reference, !fv_session_needs_reference(NULL));
    CHECK(fv_session_start, usage(fv_session_start(NULL, &format, &format, &error)));
    CHECK(fv_session_start, usage(fv_session_start(session, &format, NULL, &error)));
    CHECK(fv_session_start_frames, usage(fv_session_start_frames(NULL, NULL, NULL, &error)));
    CHECK(fv_session_start_frames, usage(fv_session_start_frames(session, NULL, NULL, &error)));
    CHECK(fv_session_memory, !fv_session_memory(NULL));
    CHECK(fv_session_push, usage(fv_session_push(NULL, 0, frame, frame, &error)));
    CHECK(fv_session_push, usage(fv_session_push(started(), 0, NULL, frame, &error)));
    CHECK(fv_session_push, usage(fv_session_push(started(), 0, frame, NULL, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(NULL, 0, frame, frame, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(started(), 0, NULL, frame, &error)));
    CHECK(fv_session_skip, usage(fv_session_skip(started(), 0, frame, NULL, &error)));
    CHECK(fv_session_wait, usage(fv_session_wait(NULL, &error)) && usage(fv_session_wait(session, &error)));
    CHECK(fv_session_finish, usage(fv_session_finish(NULL, &error)));
    CHECK(fv_session_release, usage(fv_session_release(NULL, &error)) && usage(fv_session_release(session, &error)));
    CHECK(fv_session_release, usage(fv_session_release(started(), &error)));
    CHECK(fv_session_frames, !fv_session_frames(NULL));
    CHECK(fv_session_frame_number, fv_session_frame_number(NULL, 0) < 0 && fv_session_frame_number(session, 0) < 0);
    CHECK(fv_session_outputs, !fv_session_outputs(NULL));
    CHECK(fv_session_output, !fv_session_output(NULL, 0) && !fv_session_output(session, 0));
    CHECK(fv_session_output, !fv_session_output(NULL, FV_LOW_SECONDS) && !fv_session_output(session, -1));
    CHECK(fv_session_find_output, fv_session_find_output(NULL, "psnr_y") == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), NULL) == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), "fluff") == -1);
    CHECK(fv_session_find_output, fv_session_find_output(started(), "low_seconds") == FV_LOW_SECONDS);
    CHECK(fv_session_output_origin, !fv_session_output_origin(NULL, 0, NULL));
    CHECK(fv_session_output_origin, !fv_session_output_origin(started(), 999, &(int){0}));
    CHECK(fv_meaning, !fv_meaning(NULL) && !fv_meaning("psnr") && fv_meaning("psnr_y"));
    CHECK(fv_meaning_count, fv_meaning_count() > 0);
    CHECK(fv_meaning_at, !fv_meaning_at(-1) && !fv_meaning_at(fv_meaning_count()));
    CHECK(fv_session_meaning, !fv_session_meaning(NULL, 0) && !fv_session_meaning(session, 0));
    CHECK(fv_session_meaning, !fv_session_meaning(started(), -1) && !fv_session_meaning(started(), 999));
    CHECK(fv_session_display, fv_session_display(NULL, 0) == FV_DISPLAY_PART);
    CHECK(fv_session_grade_bound, fv_session_grade_bound(NULL, 0) == FV_GRADE_BOUND_NONE);
    CHECK(fv_session_verdict, !fv_session_verdict(NULL, 0, 1, &(FvVerdict){0}));
    CHECK(fv_session_verdict, !fv_session_verdict(started(), 0, 1, NULL));
    CHECK(fv_session_headline, fv_session_headline(NULL) == -1 && fv_session_headline(session) == -1);
    CHECK(fv_session_equal_frames, !fv_session_equal_frames(NULL, 0) && !fv_session_equal_frames(started(), 999));
    CHECK(fv_session_events, !fv_session_events(NULL) && !fv_session_events(started()));
    CHECK(fv_session_event, !fv_session_event(NULL, 0) && !fv_session_event(started(), 0));
    const FvClipVerdict *verdict = NULL;
    CHECK(fv_session_judge, usage(fv_session_judge(NULL, &verdict, &error)));
    CHECK(fv_session_judge, usage(fv_session_judge(started(), NULL, &error)));
    CHECK(fv_session_judge, usage(fv_session_judge(session, &verdict, &error)) && !verdict);
    CHECK(fv_session_judge, !fv_session_judge(started(), &verdict, &error) && verdict->kind == FV_VERDICT_PARTIAL);
    CHECK(fv_verdict_kind_name, !fv_verdict_kind_name((FvVerdictKind)WRONG));
    CHECK(fv_session_add_default, usage(fv_session_add_default(NULL, &format, &format, false, &error)) &&
                                      usage(fv_session_add_default(session, NULL, &format, false, &error)) &&
                                      usage(fv_session_add_default(session, &format, NULL, false, &error)) &&
                                      usage(fv_session_add_default(started(), &format, &format, false, &error)));
    CHECK(fv_session_metrics, !fv_session_metrics(NULL));
    CHECK(fv_session_metric, !fv_session_metric(NULL, 0) && !fv_session_metric(started(), 999));
    CHECK(fv_session_metric, !fv_session_metric(started(), -1));
    CHECK(fv_session_want_map, usage(fv_session_want_map(NULL, &(FvMapRequest){0}, &error)));
    CHECK(fv_session_want_map, usage(fv_session_want_map(session, NULL, &error)));
    CHECK(fv_session_want_map, usage(fv_session_want_map(session, &(FvMapRequest){.metric = -1}, &error)));
    CHECK(fv_session_terms, !fv_session_terms(NULL));
    CHECK(fv_session_term, !fv_session_term(NULL, 0, NULL) && !fv_session_term(started(), -1, NULL));
    CHECK(fv_session_term, !fv_session_term(started(), 999, NULL));
    CHECK(fv_session_rows, !fv_session_rows(NULL));
    CHECK(fv_session_row, !fv_session_row(NULL, 0, NULL, NULL) && !fv_session_row(started(), -1, NULL, NULL));
    CHECK(fv_session_row, !fv_session_row(started(), 999, NULL, NULL));
    CHECK(fv_session_value, isnan(fv_session_value(NULL, 0, 0)) && isnan(fv_session_value(started(), 0, 999)));
    CHECK(fv_session_value, isnan(fv_session_value(started(), -1, 0)) && isnan(fv_session_value(started(), 0, -1)));
    CHECK(fv_session_pool, isnan(fv_session_pool(NULL, 0, FV_POOL_MEAN)));
    CHECK(fv_session_pool, isnan(fv_session_pool(started(), 0, (FvPool)WRONG)));
    CHECK(fv_session_pool, isnan(fv_session_pool(started(), 0, (FvPool)-1)));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(NULL, 0, FV_POOL_MEAN, &(FvPart){0, 1, 0})));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, NULL)));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, &(FvPart){-1, 1, 0})));
    CHECK(fv_session_pool_part, isnan(fv_session_pool_part(started(), 0, FV_POOL_MEAN, &(FvPart){0, INT64_MAX, 0})));
    CHECK(fv_session_next_part, !fv_session_next_part(NULL, FV_PARTS_SCENES, &(FvPart){0}));
    CHECK(fv_session_next_part, !fv_session_next_part(started(), FV_PARTS_SCENES, NULL));
    CHECK(fv_session_next_part, !fv_session_next_part(started(), FV_PARTS_INTERVALS, &(FvPart){0}));
    CHECK(fv_pool_name, !fv_pool_name((FvPool)WRONG) && !fv_pool_name((FvPool)-1));
    CHECK(fv_session_partial, !fv_session_partial(NULL) && fv_session_partial(session));
    CHECK(fv_session_identical, !fv_session_identical(NULL) && !fv_session_identical(started()));
    CHECK(fv_session_time, isnan(fv_session_time(NULL, 0)) && isnan(fv_session_time(session, 0)));
    char timecode[FV_TIMECODE_TEXT];
    CHECK(fv_session_timecode,
          !fv_session_timecode(NULL, 0, timecode) && !fv_session_timecode(started(), 0, timecode));
    CHECK(fv_session_bit_rate,
          isnan(fv_session_bit_rate(NULL, FV_DISTORTED)) && isnan(fv_session_bit_rate(started(), FV_REFERENCE)));
    CHECK(fv_session_packet,
          !fv_session_packet(NULL, 0, NULL, NULL) && !fv_session_packet(started(), -1, NULL, NULL));
    CHECK(fv_session_format, !fv_session_format(NULL, FV_REFERENCE) && !fv_session_format(session, FV_DISTORTED));
    CHECK(fv_session_input, !fv_session_input(NULL, FV_REFERENCE, &(FvSourceInfo){0}));
    CHECK(fv_session_input, !fv_session_input(started(), FV_DISTORTED, NULL));
    CHECK(fv_session_note, !fv_session_note(NULL, 0) && !fv_session_note(started(), 999));
    CHECK(fv_session_decisions, !fv_session_decisions(NULL));
    CHECK(fv_session_decision, !fv_session_decision(NULL, 0) && !fv_session_decision(session, -1));
    CHECK(fv_session_device, (fv_session_device(NULL, NULL), fv_session_device(session, NULL), true));
    CHECK(fv_session_device, device_is_nothing());
    CHECK(fv_session_takes_device_frames, !fv_session_takes_device_frames(NULL));
    CHECK(fv_session_takes_device_frames, !fv_session_takes_device_frames(started()));
    CHECK(fv_session_open,
          usage(fv_session_open(&(FvSession *){NULL}, &(FvSessionParams){.device = "cpu", .cuda_context = &error},
                                &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(NULL, &(FvFrame *){NULL}, &format, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, NULL, &format, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, &(FvFrame *){NULL}, NULL, FV_MEMORY_PINNED, &error)));
    CHECK(fv_session_frame, usage(fv_session_frame(session, &(FvFrame *){NULL}, &format, (FvMemory)WRONG, &error)));
    CHECK(fv_session_wrap, usage(fv_session_wrap(session, &(FvFrame *){NULL}, &format, NULL, &error)));
    CHECK(fv_session_wrap, releases_what_it_refuses(NULL, &(FvFrame *){NULL}, &format));
    CHECK(fv_session_wrap, releases_what_it_refuses(session, NULL, &format));
    CHECK(fv_session_wrap, releases_what_it_refuses(session, &(FvFrame *){NULL}, NULL));
}

static void check_scores(void)
{
    FvFormat formats[2];
    CHECK(fv_score, usage(fv_score(NULL, source, other_source(), &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, source, NULL, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, source, other_source(), NULL, &error)));
    CHECK(fv_score, usage(fv_score(session, source, source, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(session, NULL, source, &(FvScoreParams){0}, &error)));
    CHECK(fv_score, usage(fv_score(started(), source, other_source(), &(FvScoreParams){0}, &error)));
    const FvScoreParams simple = {.shortest = false};
    const FvEncode right = {.session = session, .distorted = source, .params = &simple};
    FvEncode encodes[] = {right, right}, wrong[] = {right, right, right};
    wrong[0].session = NULL;
    wrong[1].distorted = NULL;
    wrong[2].params = NULL;
    CHECK(fv_score_encodes, usage(fv_score_encodes(NULL, 1, source, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 0, NULL, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 1, NULL, -1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 1, source, 1, &error)));
    CHECK(fv_score_encodes, usage(fv_score_encodes(encodes, 2, other_source(), 1, &error)));
    for (int i = 0; i < 3; i++)
        CHECK(fv_score_encodes, usage(fv_score_encodes(&wrong[i], 1, other_source(), 1, &error)));
    CHECK(fv_severity_name, !fv_severity_name((FvSeverity)WRONG));
    CHECK(fv_check_count, fv_check_count() == 14);
    CHECK(fv_check_info, !fv_check_info(-1) && !fv_check_info(WRONG));
    CHECK(fv_check_find, fv_check_find(NULL) == -1 && fv_check_find("fluff") == -1);
    CHECK(fv_session_check_events, !fv_session_check_events(NULL));
    CHECK(fv_session_check_events, !fv_session_check_events(started()));
    CHECK(fv_session_check_event, !fv_session_check_event(NULL, 0) && !fv_session_check_event(started(), 0));
    CHECK(fv_session_intend, usage(fv_session_intend(NULL, "black", &error)));
    CHECK(fv_session_intend, usage(fv_session_intend(started(), NULL, &error)));
    CHECK(fv_session_intend, usage(fv_session_intend(started(), "fluff", &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(NULL, "black", &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(started(), NULL, &error)));
    CHECK(fv_session_choose_checks, usage(fv_session_choose_checks(started(), "fluff", &error)));
    CHECK(fv_session_check, !fv_session_check(NULL, 0, &(FvCheckResult){0}));
    CHECK(fv_session_check, !fv_session_check(started(), WRONG, &(FvCheckResult){0}));
    CHECK(fv_session_check, !fv_session_check(started(), 0, NULL));
    CHECK(fv_session_check_verdict, !fv_session_check_verdict(NULL));
    CHECK(fv_session_gate, fv_session_gate(NULL, &(FvGate){0}, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_gate, fv_session_gate(started(), NULL, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_gate, fv_session_gate(started(), &(FvGate){.output = WRONG}, NULL) == FV_GATE_UNDEFINED);
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(NULL, &(FvGate){0}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), NULL, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.output = -1}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.pool = (FvPool)WRONG}, &error)));
    CHECK(fv_session_add_gate, usage(fv_session_add_gate(started(), &(FvGate){.limit = NAN}, &error)));
    FvAlignment *none = NULL;
    const FvSourceParams file = {.path = video};
    CHECK(fv_align, usage(fv_align(NULL, &file, &file, FV_ALIGN_BY_OFFSET, &error)));
    CHECK(fv_align, usage(fv_align(&none, NULL, &file, FV_ALIGN_BY_OFFSET, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, NULL, FV_ALIGN_BY_OFFSET, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, &file, FV_ALIGN_BY_TIME, &error)) && !none);
    CHECK(fv_align, usage(fv_align(&none, &file, &file, (FvAlignMode)WRONG, &error)) && !none);
    CHECK(fv_raw_layout, !fv_raw_layout(NULL, NULL) && !fv_raw_layout("", &(FvFormat){0}));
    CHECK(fv_find_bars, usage(fv_find_bars(NULL, &file, &error)));
    CHECK(fv_find_bars, usage(fv_find_bars(&(FvCrop){0}, NULL, &error)));
    CHECK(fv_alignment_frames, fv_alignment_frames(NULL) == 0);
    CHECK(fv_alignment_pair, fv_alignment_pair(NULL, 0) == -1);
    CHECK(fv_alignment_close, (fv_alignment_close(NULL), fv_alignment_close(&none), true));
    CHECK(fv_score_formats, usage(fv_score_formats(source, NULL, &(FvScoreParams){0}, formats, &error)));
    CHECK(fv_score_formats, usage(fv_score_formats(source, known, NULL, formats, &error)));
    CHECK(fv_score_formats, usage(fv_score_formats(source, known, &(FvScoreParams){0}, NULL, &error)));
    CHECK(fv_score_formats,
          usage(fv_score_formats(NULL, known, &(FvScoreParams){.crop[1] = {1, 0, 2, 2}}, formats, &error)));
    CHECK(fv_score_formats,
          usage(fv_score_formats(NULL, known, &(FvScoreParams){.crop[1] = {0, 0, 2, 33}}, formats, &error)));
    CHECK(fv_score_ycbcr_formats,
          usage(fv_score_ycbcr_formats(source, NULL, &(FvScoreParams){0}, formats, &error)) &&
              usage(fv_score_ycbcr_formats(source, known, NULL, formats, &error)) &&
              usage(fv_score_ycbcr_formats(source, known, &(FvScoreParams){0}, NULL, &error)));
    CHECK(fv_score_add_default,
          usage(fv_score_add_default(NULL, source, known, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), NULL, known, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), source, NULL, &(FvScoreParams){0}, false, &error)) &&
              usage(fv_score_add_default(started(), source, known, NULL, false, &error)));
    CHECK(fv_is_picture, !fv_is_picture(NULL) && !fv_is_picture("png") && !fv_is_picture("a%d.png") &&
                             fv_is_picture("a.b.PNG") && !fv_is_picture("a.png.mp4"));
    CHECK(fv_rgb_mode, fv_rgb_mode(2, 0, true) == FV_RGB_CONVERT && fv_rgb_mode(2, 1, true) == FV_RGB_BOTH &&
                           fv_rgb_mode(2, 1, false) == FV_RGB_REFUSE && fv_rgb_mode(2, 2, false) == FV_RGB_KEEP &&
                           fv_rgb_mode(0, 0, false) == FV_RGB_REFUSE);
    CHECK(fv_frame_ycbcr, !fv_frame_ycbcr(NULL));
    FvPairs *pairs = NULL;
    FvFrame *both[2];
    CHECK(fv_pairs_open, usage(fv_pairs_open(NULL, &file, &file, &(FvScoreParams){0}, &error)));
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, &file, NULL, &(FvScoreParams){0}, &error)) && !pairs);
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &file, NULL, &error)) && !pairs);
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &(FvSourceParams){0}, &(FvScoreParams){0}, &error)));
    CHECK(fv_pairs_open, usage(fv_pairs_open(&pairs, NULL, &file, &(FvScoreParams){.align = 1}, &error)) && !pairs);
    CHECK(fv_pairs_info, !fv_pairs_info(NULL, 0));
    CHECK(fv_pairs_read, usage(fv_pairs_read(NULL, 0, both, &error)));
    CHECK(fv_pairs_set_cache, (fv_pairs_set_cache(NULL, 1), true));
    CHECK(fv_pairs_nearest_entry, fv_pairs_nearest_entry(NULL, 3) == 3);
    FvCoding coding;
    FvPacket packet;
    CHECK(fv_pairs_coding, usage(fv_pairs_coding(NULL, 0, &coding, &error)));
    CHECK(fv_pairs_packet, usage(fv_pairs_packet(NULL, 0, 0, 0, &packet, &error)));
    CHECK(fv_pairs_close, (fv_pairs_close(NULL), fv_pairs_close(&pairs), true));
    int64_t places[2];
    char text[64];
    CHECK(fv_better_name, !fv_better_name((FvBetter)3) && !fv_better_name((FvBetter)-1));
    CHECK(fv_session_worst, !fv_session_worst(NULL, 0, 1, places, 2) && !fv_session_worst(started(), 0, 1, NULL, 2));
    CHECK(fv_session_worst, !fv_session_worst(started(), 999, 1, places, 2));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(NULL, 0, text, sizeof text, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), 0, NULL, 9, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), -1, text, sizeof text, &error)));
    CHECK(fv_session_metric_text, usage(fv_session_metric_text(started(), 0, text, 0, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(NULL, &(FvReportPicture){0}, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(started(), NULL, &error)));
    CHECK(fv_session_add_picture, usage(fv_session_add_picture(started(), &(FvReportPicture){0}, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(NULL, "x", 1, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), NULL, 1, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), "x", 0, &error)));
    CHECK(fv_session_embed, usage(fv_session_embed(started(), "x", (16 << 20) + 1, &error)));
    CHECK(fv_session_set_command, usage(fv_session_set_command(NULL, "fovea", &error)) &&
                                      usage(fv_session_set_command(started(), NULL, &error)));
    CHECK(fv_report_read,
          usage(fv_report_read(NULL, "x", &error)) && usage(fv_report_read(&(FvSession *){0}, NULL, &error)));
    CHECK(fv_report_write, usage(fv_report_write(NULL, output_path, FV_REPORT_JSON, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), NULL, FV_REPORT_JSON, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), output_path, (FvReportFormat)WRONG, &error)));
    CHECK(fv_report_write, usage(fv_report_write(started(), output_path, (FvReportFormat)-1, &error)));
    CHECK(fv_report_write, usage(fv_report_write(session, output_path, FV_REPORT_JSON, &error)));
    CHECK(fv_report_print, usage(fv_report_print(NULL, stderr, FV_REPORT_JSON, &error)) &&
                               usage(fv_report_print(started(), NULL, FV_REPORT_JSON, &error)) &&
                               usage(fv_report_print(started(), stderr, (FvReportFormat)WRONG, &error)) &&
                               usage(fv_report_print(session, stderr, FV_REPORT_JSON, &error)));
    CHECK(fv_session_close, (fv_session_close(NULL), fv_session_close(&(FvSession *){NULL}), true));
}

static void check_plans(void)
{
    const FvSourceParams file = {.path = video};
    const FvScoreParams plain = {.shortest = false};
    const FvPlanParams good = {.session = session,
                               .reference = source,
                               .distorted = listing ? NULL : other_source(),
                               .reference_params = &file,
                               .distorted_params = &file,
                               .score = &plain,
                               .shards = 1};
    FvPlanParams wrong = good;
    FvPlan *plan = NULL, *none = NULL;
    FvSession *made = NULL;
    FvPlanShard shard;
    const bool there = listing || !fv_plan_make(&plan, &good, &error);
    CHECK(fv_plan_make,
          there && usage(fv_plan_make(NULL, &good, &error)) && usage(fv_plan_make(&none, NULL, &error)));
    wrong.session = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)) && !none);
    wrong = good;
    wrong.distorted = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.reference_params = NULL;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.frames_per_shard = 1;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong = good;
    wrong.shards = -1;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)));
    wrong.shards = 2;
    CHECK(fv_plan_make, usage(fv_plan_make(&none, &wrong, &error)) && !none);
    CHECK(fv_plan_write, usage(fv_plan_write(NULL, output_path, &error)) && usage(fv_plan_write(plan, NULL, &error)));
    CHECK(fv_plan_write, usage(fv_plan_write(plan, video, &error)));
    FvPlanHold *hold = NULL;
    CHECK(fv_plan_hold, usage(fv_plan_hold(NULL, plan, folder, &error)) &&
                            usage(fv_plan_hold(&hold, NULL, folder, &error)) &&
                            usage(fv_plan_hold(&hold, plan, NULL, &error)) && !hold);
    CHECK(fv_plan_hold, fv_plan_hold(&hold, plan, video, &error) == FV_ERROR_OUTPUT && !hold);
    CHECK(fv_plan_release, (fv_plan_release(NULL), fv_plan_release(&hold), true));
    CHECK(fv_plan_clear, usage(fv_plan_clear(NULL, video, &error)) && usage(fv_plan_clear(plan, NULL, &error)));
    CHECK(fv_plan_read, usage(fv_plan_read(NULL, video, &error)) && usage(fv_plan_read(&none, NULL, &error)));
    CHECK(fv_plan_read, fv_plan_read(&none, video, &error) && !none);
    CHECK(fv_plan_hash, !fv_plan_hash(NULL) && strlen(fv_plan_hash(plan)) == 64);
    CHECK(fv_plan_shards, !fv_plan_shards(NULL) && fv_plan_shards(plan) == 1);
    CHECK(fv_plan_shard, !fv_plan_shard(NULL, 0, &shard) && !fv_plan_shard(plan, 1, &shard) &&
                             !fv_plan_shard(plan, -1, &shard) && !fv_plan_shard(plan, 0, NULL));
    CHECK(fv_plan_run, usage(fv_plan_run(NULL, &(FvPlanRunParams){.folder = folder}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, NULL, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .first = 1}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .count = 2}, &error)));
    CHECK(fv_plan_run, usage(fv_plan_run(plan, &(FvPlanRunParams){.folder = folder, .session.device = ","}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(NULL, plan, &(FvMergeParams){.count = 0}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, NULL, &(FvMergeParams){.count = 0}, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, plan, NULL, &error)));
    CHECK(fv_plan_merge, usage(fv_plan_merge(&made, plan, &(FvMergeParams){.count = 1}, &error)) && !made);
    CHECK(fv_plan_score, usage(fv_plan_score(NULL, plan, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_score, usage(fv_plan_score(&made, NULL, &(FvPlanRunParams){.first = 0}, &error)));
    CHECK(fv_plan_score, usage(fv_plan_score(&made, plan, NULL, &error)) && !made);
    CHECK(fv_plan_close, (fv_plan_close(NULL), fv_plan_close(&none), true));
    fv_plan_close(&plan);
}

static bool make_good_ones(void)
{
    FvSource *opened;
    FILE *file = mkdtemp(folder) ? NULL : stderr;
    snprintf(video, sizeof video, "%s/video.y4m", folder);
    snprintf(output_path, sizeof output_path, "%s/output", folder);
    file = file ? NULL : fopen(video, "wb");
    if (!file)
        return false;
    fprintf(file, "YUV4MPEG2 W48 H32 C420\nFRAME\n%*s", 48 * 32 * 3 / 2, "");
    fclose(file);
    bool good = !fv_source_open(&opened, &(FvSourceParams){.path = video}, &error) &&
                !fv_cancel_open(&cancel, &error) && !fv_frame_alloc(&frame, &format, &error) &&
                !fv_devices_list(&devices, &error) &&
                !fv_output_open(&output, &(FvOutputParams){.path = output_path}, &error) &&
                !fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, &error) &&
                !fv_session_add(session, "psnr", &error);
    known = source = opened;
    for (int plane = 0; good && plane < 3; plane++)
        planes[plane] = frame->data[plane];
    return good;
}

static void close_good_ones(void)
{
    FvSource *other = other_source();
    FvSession *running = started();
    fv_source_close(&source);
    fv_source_close(&other);
    fv_session_close(&session);
    fv_session_close(&running);
    fv_frame_unref(&frame);
    fv_devices_close(&devices);
    fv_output_discard(&output);
    fv_cancel_close(&cancel);
    unlink(video);
    tap_case(&tap, !rmdir(folder), "nothing is left in the folder", folder);
}

static void check_params(void)
{
    FvRunParams run = {.roi = NULL};
    FvAlignment *alignment = NULL;
    char text[32] = "";
    CHECK(fv_param_count, fv_param_count() > 0);
    CHECK(fv_param_info, !fv_param_info(-1) && !fv_param_info(fv_param_count()));
    CHECK(fv_param_number, fv_param_number(NULL) == -1 && fv_param_number("no such") == -1);
    CHECK(fv_run_set, usage(fv_run_set(NULL, "align", "time", &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, NULL, "time", &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, "align", NULL, &error)));
    CHECK(fv_run_set, usage(fv_run_set(&run, "no such", "time", &error)));
    CHECK(fv_run_given, !fv_run_given(NULL, "align") && !fv_run_given(&run, NULL) && !fv_run_given(&run, "align"));
    CHECK(fv_run_text, !fv_run_text(&run, "align", NULL, 0) && !*fv_run_text(NULL, "align", text, sizeof text));
    CHECK(fv_run_text, !*fv_run_text(&run, NULL, text, sizeof text));
    CHECK(fv_run_settle, usage(fv_run_settle(NULL, 0, 0, false, &error)));
    CHECK(fv_run_add, usage(fv_run_add(NULL, &run, "psnr", &error)));
    CHECK(fv_run_add, usage(fv_run_add(session, NULL, "psnr", &error)));
    CHECK(fv_run_look, usage(fv_run_look(NULL, &alignment, &error)));
    CHECK(fv_run_look, usage(fv_run_look(&run, NULL, &error)));
}

int main(int argc, char **argv)
{
    listing = argc > 1 && !strcmp(argv[1], "--list");
    /* After a crash, the last line names the call that crashed or its predecessor. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!listing && !make_good_ones()) {
        tap_case(&tap, false, "set-up", error.message);
        return tap_done(&tap);
    }
    check_pictures();
    check_sources();
    check_outputs();
    check_lists();
    check_sessions();
    check_params();
    check_scores();
    check_plans();
    check_curves();
    check_ladders();
    check_correlations();
    if (listing)
        return 0;
    close_good_ones();
    return tap_done(&tap);
}
