/* Tests scoring two sources: refusals, recorded decisions, and the scores that remain after a failure. */
#include "unit.h"

#include <math.h>

#include "../input/clip.h"
#include "score/timing.h"

typedef struct Outcome {
    FvStatus status;
    FvError error;
    int64_t frames, first_number, last_number;
    double value;
    int decisions;
    char decision[256];
} Outcome;

/* Writes both clips with their header tails and scores them with psnr. */
static Outcome score(const Clip *ref, const char *ref_tail, const Clip *dis, const char *dis_tail,
                     FvScoreParams params, int threads)
{
    const char *ref_path = scratch_path("ref.y4m"), *dis_path = scratch_path("dis.y4m");
    FvSource *sources[2];
    FvSession *session;
    Outcome outcome = {0};
    write_y4m(ref_path, ref, y4m_header(ref, ref_tail), "FRAME");
    write_y4m(dis_path, dis, y4m_header(dis, dis_tail), "FRAME");
    assert_works(fv_source_open(&sources[0], &(FvSourceParams){.path = ref_path}, error));
    assert_works(fv_source_open(&sources[1], &(FvSourceParams){.path = dis_path}, error));
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = threads}, error));
    assert_works(fv_session_add(session, "psnr", error));
    outcome.status = fv_score(session, sources[0], sources[1], &params, &outcome.error);
    outcome.frames = fv_session_frames(session);
    outcome.first_number = fv_session_frame_number(session, 0);
    outcome.last_number = fv_session_frame_number(session, outcome.frames - 1);
    outcome.value = fv_session_value(session, outcome.frames - 1, 0);
    for (int i = 0; i < fv_session_decisions(session); i++)
        if (!strstr(fv_session_decision(session, i), "neither video states its range") && !outcome.decisions++)
            snprintf(outcome.decision, sizeof outcome.decision, "%s", fv_session_decision(session, i));
    fv_session_close(&session);
    fv_source_close(&sources[0]);
    fv_source_close(&sources[1]);
    return outcome;
}

static void assert_refused(Outcome outcome, FvStatus status, const char *a, const char *b, const char *c)
{
    assert_int_equal(outcome.status, status);
    assert_int_equal(outcome.error.status, status);
    const char *words[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (!strstr(outcome.error.message, words[i]))
            fail_msg("message lacks '%s': %s", words[i], outcome.error.message);
}

static void assert_scored(Outcome outcome, int64_t frames, const char *decision)
{
    if (outcome.status)
        fail_msg("%s", outcome.error.message);
    assert_int_equal(outcome.frames, frames);
    assert_int_equal(outcome.decisions, decision ? 1 : 0);
    if (decision && !strstr(outcome.decision, decision))
        fail_msg("decision lacks '%s': %s", decision, outcome.decision);
}

static void test_length(void **state)
{
    Clip five = clip_make(40, 30, FV_CHROMA_420, 8, 5), three = clip_make(40, 30, FV_CHROMA_420, 8, 3);
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_refused(score(&five, " F25:1", &three, " F25:1", (FvScoreParams){0}, threads), FV_ERROR_INPUT,
                       "5 frames", "has 3", "`shortest`");
        assert_scored(score(&five, " F25:1", &three, " F25:1", (FvScoreParams){.shortest = true}, threads), 3,
                      "first 3 frames");
        assert_scored(score(&five, " F25:1", &three, " F25:1", (FvScoreParams){.frames = 2}, threads), 2, NULL);
        assert_scored(score(&five, " F25:1", &three, " F25:1", (FvScoreParams){.skip_reference = 2}, threads), 3,
                      NULL);
        assert_scored(score(&five, " F25:1", &five, " F25:1", (FvScoreParams){0}, threads), 5, NULL);
    }
    clip_free(&five);
    clip_free(&three);
}

static void test_skipping_and_subsampling(void **state)
{
    Clip seven = clip_make(40, 30, FV_CHROMA_420, 8, 7);
    Outcome outcome = score(&seven, " F25:1", &seven, " F25:1", (FvScoreParams){.subsample = 3}, 2);
    assert_scored(outcome, 3, NULL);
    assert_int_equal(outcome.last_number, 6);
    outcome = score(&seven, " F25:1", &seven, " F25:1",
                    (FvScoreParams){.skip_reference = 2, .skip_distorted = 2, .subsample = 2}, 2);
    assert_scored(outcome, 3, NULL);
    assert_int_equal(outcome.first_number, 0);
    assert_int_equal(outcome.last_number, 4);
    assert_true(outcome.value == 60);
    assert_refused(
        score(&seven, " F25:1", &seven, " F25:1", (FvScoreParams){.skip_reference = 9, .skip_distorted = 9}, 2),
        FV_ERROR_INPUT, "has 7 frames", "9 were to be skipped", "skipped");
    assert_refused(score(&seven, " F25:1", &seven, " F25:1", (FvScoreParams){.skip_reference = 7}, 2), FV_ERROR_INPUT,
                   "ref.y4m has 7 frames", "7 were to be skipped", "skipped");
    clip_free(&seven);
}

static void test_rate(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 2);
    assert_refused(score(&clip, " F25:1", &clip, " F24000:1001", (FvScoreParams){0}, 1), FV_ERROR_INPUT, "25/1",
                   "24000/1001", "`align=time`");
    assert_scored(score(&clip, " F25:1", &clip, " F24:1", (FvScoreParams){.ignore_rate = true}, 1), 2,
                  "frame rates differ");
    assert_scored(score(&clip, " F25:1", &clip, " F50:2", (FvScoreParams){0}, 1), 2, NULL);
    clip_free(&clip);
}

/* Start and duration select frames by their times. tests/input/rates.c tests the rates of containers. */
static void test_times(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 9);
    FvScoreParams params = {.start = 120000, .duration = 80000};
    assert_scored(score(&clip, " F25:1", &clip, " F25:1", params, 1), 2, NULL);
    params = (FvScoreParams){.start = 120001, .skip_reference = 1, .skip_distorted = 1};
    assert_scored(score(&clip, " F25:1", &clip, " F25:1", params, 2), 4, NULL);
    params = (FvScoreParams){.duration = 40001, .frames = 5};
    assert_scored(score(&clip, " F25:1", &clip, " F25:1", params, 2), 2, NULL);
    assert_refused(score(&clip, "", &clip, "", params, 2), FV_ERROR_INPUT, "frame rate", "ref.y4m", "frames to skip");
    assert_refused(score(&clip, "", &clip, "", (FvScoreParams){.start = -1}, 2), FV_ERROR_USAGE, "start", "negative",
                   "");
    clip_free(&clip);
}

/* Bars are cut off, gray is compared with luma, chroma is converted to the richer format, and sizes are scaled. */
static void test_prepared(void **state)
{
    Clip big = clip_make(40, 30, FV_CHROMA_420, 8, 2), small = clip_make(20, 16, FV_CHROMA_420, 8, 2);
    Clip gray = clip_make(40, 30, FV_CHROMA_400, 8, 2), rich = clip_make(40, 30, FV_CHROMA_444, 8, 2);
    for (int i = 0; i < 2; i++)
        memcpy(gray.bytes + clip_offset(&gray, i, 0, 0, 0), big.bytes + clip_offset(&big, i, 0, 0, 0), 40 * 30);
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_refused(score(&big, "", &small, "", (FvScoreParams){0}, threads), FV_ERROR_INPUT, "40x30", "20x16",
                       "`scale=dis`");
        FvScoreParams params = {.scale = {.to = FV_SCALE_DISTORTED}};
        assert_scored(score(&big, "", &small, "", params, threads), 2,
                      "scaled from 20x16 to 40x30, bicubic (b 0, c 0.6)");
        params.crop[0] = (FvCrop){.x = 2, .y = 2, .width = 20, .height = 16};
        Outcome outcome = score(&big, "", &small, "", params, threads);
        assert_int_equal(outcome.status, FV_OK);
        assert_non_null(strstr(outcome.decision, "the reference was cropped to 20x16 at column 2, row 2"));
        params.crop[0].x = 1;
        assert_refused(score(&big, "", &small, "", params, threads), FV_ERROR_USAGE, "column 1", "4:2:0",
                       "multiple of 2");
        outcome = score(&big, "", &gray, "", (FvScoreParams){0}, threads);
        assert_scored(outcome, 2, "is gray: luma alone is compared");
        assert_true(outcome.value == 60);
        assert_refused(score(&big, "", &rich, "", (FvScoreParams){0}, threads), FV_ERROR_INPUT, "4:2:0", "4:4:4",
                       "`convert=chroma`");
        params = (FvScoreParams){.convert = FV_CONVERT_CHROMA};
        assert_scored(score(&big, "", &rich, "", params, threads), 2,
                      "the reference was converted from 4:2:0 to 4:4:4");
    }
    clip_free(&big);
    clip_free(&small);
    clip_free(&gray);
    clip_free(&rich);
}

static FvSource *open_tagged(const Clip *clip, const char *name, FvFormat tags)
{
    FvSource *source;
    const char *path = scratch_path(name);
    write_y4m(path, clip, y4m_header(clip, " F25:1"), "FRAME");
    assert_works(fv_source_open(&source, &(FvSourceParams){.path = path, .tags = tags}, error));
    return source;
}

typedef struct ColourCase {
    FvFormat ref, dis;
    FvScoreParams params;
    FvStatus status;
    const char *words; /* words of the message, or of the first decision after FV_OK; NULL: no decision */
} ColourCase;

static void test_colour(void **state)
{
    static const ColourCase cases[] = {
        {{.transfer = 1}, {.transfer = 16}, {0}, FV_ERROR_INPUT, "the transfer of the reference is bt709"},
        {{.transfer = 1}, {.transfer = 16}, {.ignore_colour = true}, FV_OK, "transfer differs"},
        {{.transfer = 1},
         {.transfer = 14},
         {0},
         FV_OK,
         "neither video states its range: both are taken to be limited"},
        {{.range = FV_RANGE_FULL}, {.range = FV_RANGE_FULL}, {0}, FV_OK, NULL},
        {{.transfer = 18}, {0}, {0}, FV_OK, "the distorted video does not state its transfer: taken to be hlg"},
        {{.primaries = 9}, {.primaries = 1}, {0}, FV_ERROR_INPUT, "`reference.primaries`"},
        {{.primaries = 6}, {.primaries = 1}, {0}, FV_OK, "primaries differ"},
        {{.matrix = 5, .range = FV_RANGE_LIMITED}, {.matrix = 6, .range = FV_RANGE_LIMITED}, {0}, FV_OK, NULL},
        {{.matrix = 1}, {.matrix = 6}, {0}, FV_ERROR_INPUT, "`convert=matrix`"},
        {{.matrix = 1, .range = FV_RANGE_LIMITED},
         {.matrix = 6, .range = FV_RANGE_LIMITED},
         {.convert = FV_CONVERT_MATRIX},
         FV_OK,
         "from the matrix of BT.601 to that of BT.709"},
        {{.matrix = 1}, {.matrix = 9}, {.convert = FV_CONVERT_MATRIX}, FV_ERROR_INPUT, "`ignore_colour`"},
        {{.range = FV_RANGE_FULL}, {0}, {0}, FV_ERROR_INPUT, "`distorted.range=full`"},
        {{0}, {.range = FV_RANGE_FULL}, {0}, FV_ERROR_INPUT, "`reference.range=limited`"},
        {{.range = FV_RANGE_FULL}, {.range = FV_RANGE_LIMITED}, {0}, FV_ERROR_INPUT, "`convert=range`"},
        {{.range = FV_RANGE_FULL},
         {.range = FV_RANGE_LIMITED},
         {.convert = FV_CONVERT_RANGE},
         FV_OK,
         "the distorted video was converted from limited to full range"},
    };
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvSource *ref = open_tagged(&clip, "ref.y4m", cases[i].ref),
                 *dis = open_tagged(&clip, "dis.y4m", cases[i].dis);
        FvSession *session;
        FvError error = {0};
        assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
        assert_works(fv_session_add(session, "psnr", error));
        FvStatus status = fv_score(session, ref, dis, &cases[i].params, &error);
        const char *said = status ? error.message : fv_session_decision(session, 0);
        if (status != cases[i].status || !said != !cases[i].words || (said && !strstr(said, cases[i].words)))
            fail_msg("case %zu: status %d: %s", i, status, said ? said : "nothing");
        fv_session_close(&session);
        fv_source_close(&ref);
        fv_source_close(&dis);
    }
    clip_free(&clip);
}

static void test_range(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 2);
    const char *limited = " F25:1 XCOLORRANGE=LIMITED", *full = " F25:1 XCOLORRANGE=FULL";
    assert_refused(score(&clip, limited, &clip, full, (FvScoreParams){0}, 1), FV_ERROR_INPUT, "limited", "full",
                   "`ignore_range`");
    assert_scored(score(&clip, limited, &clip, full, (FvScoreParams){.ignore_range = true}, 1), 2, "ranges differ");
    assert_scored(score(&clip, limited, &clip, " F25:1", (FvScoreParams){0}, 1), 2, "taken to be limited");
    assert_scored(score(&clip, full, &clip, full, (FvScoreParams){0}, 1), 2, NULL);
    clip_free(&clip);
}

/* 8-bit samples equal the same samples times four in 10 bits, so the score is the limit of 10 bits. */
static void test_depth(void **state)
{
    Clip eight = clip_make(41, 31, FV_CHROMA_420, 8, 2), ten = clip_make(41, 31, FV_CHROMA_420, 10, 2);
    for (size_t i = 0; i < eight.frame_bytes * 2; i++) {
        unsigned value = eight.bytes[i] * 4u;
        ten.bytes[2 * i] = (uint8_t)(value & 255);
        ten.bytes[2 * i + 1] = (uint8_t)(value >> 8);
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        Outcome outcome = score(&ten, " F25:1", &eight, " F25:1", (FvScoreParams){0}, threads);
        assert_scored(outcome, 2, "distorted video's 8-bit samples were multiplied by 4");
        assert_true(outcome.value == 72);
        outcome = score(&eight, " F25:1", &ten, " F25:1", (FvScoreParams){0}, threads);
        assert_scored(outcome, 2, "reference video's 8-bit samples were multiplied by 4");
        assert_true(outcome.value == 72);
    }
    assert_refused(score(&eight, " F25:1 XCOLORRANGE=FULL", &ten, " F25:1 XCOLORRANGE=FULL", (FvScoreParams){0}, 1),
                   FV_ERROR_INPUT, "8 bits", "10", "full range");
    clip_free(&eight);
    clip_free(&ten);
}

static void test_size(void **state)
{
    Clip a = clip_make(40, 30, FV_CHROMA_420, 8, 2), b = clip_make(38, 30, FV_CHROMA_420, 8, 2);
    Clip c = clip_make(40, 30, FV_CHROMA_422, 8, 2);
    assert_refused(score(&a, " F25:1", &b, " F25:1", (FvScoreParams){0}, 1), FV_ERROR_INPUT, "40x30", "38x30",
                   "scale");
    assert_refused(score(&a, " F25:1", &c, " F25:1", (FvScoreParams){0}, 1), FV_ERROR_INPUT, "4:2:0", "4:2:2",
                   "convert");
    clip_free(&a);
    clip_free(&b);
    clip_free(&c);
}

/* The distorted file loses the end of its last frame. The scores of the frames before it stay. */
static void test_broken_frame(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 4);
    for (int threads = 1; threads <= 3; threads += 2) {
        const char *path = scratch_path("whole.y4m");
        write_y4m(path, &clip, y4m_header(&clip, " F25:1"), "FRAME");
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        static uint8_t bytes[1 << 16];
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        const char *cut_path = scratch_path("cut.y4m");
        write_file(cut_path, bytes, size - 10);
        FvSource *ref, *dis;
        FvSession *session;
        FvError error = {0};
        assert_works(fv_source_open(&ref, &(FvSourceParams){.path = path}, error));
        assert_works(fv_session_open(&session, &(FvSessionParams){.threads = threads}, error));
        assert_works(fv_session_add(session, "psnr", error));
        FvStatus status = fv_source_open(&dis, &(FvSourceParams){.path = cut_path}, &error);
        if (!status) {
            status = fv_score(session, ref, dis, &(FvScoreParams){.shortest = true}, &error);
            assert_int_equal(status, FV_ERROR_PARTIAL);
            assert_int_equal(fv_session_frames(session), 3);
            assert_non_null(strstr(error.message, "cut.y4m"));
        } else {
            fail_msg("the cut file was refused at once: %s", error.message);
        }
        fv_session_close(&session);
        fv_source_close(&ref);
        fv_source_close(&dis);
    }
    clip_free(&clip);
}

static bool stop_after_three(void *opaque, const FvProgress *progress)
{
    *(int64_t *)opaque = progress->total;
    return progress->frames < 3;
}

static void test_stopped(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 6);
    int64_t total = 0;
    Outcome outcome =
        score(&clip, " F25:1", &clip, " F25:1", (FvScoreParams){.progress = stop_after_three, .opaque = &total}, 2);
    assert_refused(outcome, FV_ERROR_PARTIAL, "stopped", "on", "request");
    assert_int_equal(outcome.frames, 3);
    assert_int_equal(total, 6);
    clip_free(&clip);
}

static FvSession *watched;

static bool count_scored(void *opaque, const FvProgress *progress)
{
    int64_t *scored = opaque;
    scored[0] = progress->frames;
    scored[1] = fv_session_frames(watched);
    return true;
}

/* fv_score() waits for all pairs in flight before it reports progress for the last time. */
static void test_last_progress(void **state)
{
    Clip clip = clip_make(400, 300, FV_CHROMA_420, 8, 6);
    const char *path = scratch_path("ref.y4m");
    FvSource *sources[2];
    int64_t scored[2] = {0, 0};
    const FvScoreParams params = {.progress = count_scored, .opaque = scored};
    write_y4m(path, &clip, y4m_header(&clip, " F25:1"), "FRAME");
    for (int i = 0; i < 2; i++)
        assert_works(fv_source_open(&sources[i], &(FvSourceParams){.path = path}, error));
    assert_works(fv_session_open(&watched, &(FvSessionParams){.threads = 2, .in_flight = 8}, error));
    assert_works(fv_session_add(watched, "psnr_hvs", error));
    assert_works(fv_score(watched, sources[0], sources[1], &params, error));
    assert_int_equal(scored[0], 6);
    assert_int_equal(scored[1], 6);
    for (int i = 0; i < 2; i++)
        fv_source_close(&sources[i]);
    fv_session_close(&watched);
    clip_free(&clip);
}

static FvSource *open_clip(const Clip *clip, const char *name)
{
    FvSource *source;
    const char *path = scratch_path(name);
    write_y4m(path, clip, y4m_header(clip, " F25:1"), "FRAME");
    assert_works(fv_source_open(&source, &(FvSourceParams){.path = path}, error));
    return source;
}

static FvSession *open_psnr(int threads)
{
    FvSession *session;
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = threads}, error));
    assert_works(fv_session_add(session, "psnr", error));
    return session;
}

/* A session scores once. Later calls are refused and change nothing, whether the first succeeded or failed. */
static void test_scored_twice(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 3), other = clip_make(50, 30, FV_CHROMA_420, 8, 3);
    for (int good = 0; good < 2; good++) {
        FvSource *ref = open_clip(&clip, "ref.y4m"), *dis = open_clip(good ? &clip : &other, "dis.y4m");
        FvSource *again = open_clip(&clip, "again.y4m"), *more = open_clip(&clip, "more.y4m");
        FvSession *session = open_psnr(2);
        assert_int_equal(fv_score(session, ref, dis, &(FvScoreParams){0}, NULL), good ? FV_OK : FV_ERROR_INPUT);
        assert_fails(fv_score(session, again, more, &(FvScoreParams){0}, error), FV_ERROR_USAGE, "open another");
        assert_int_equal(fv_session_frames(session), good ? 3 : 0);
        const char *path = scratch_path("report.json");
        if (good) {
            char text[4096] = "";
            assert_works(fv_report_write(session, path, FV_REPORT_JSON, error));
            FILE *file = fopen(path, "rb");
            assert_true(fread(text, 1, sizeof text - 1, file) > 0);
            fclose(file);
            assert_non_null(strstr(text, "dis.y4m"));
            assert_non_null(strstr(text, "\"partial\": false"));
        } else {
            assert_fails(fv_report_write(session, path, FV_REPORT_JSON, error), FV_ERROR_USAGE, "nothing to report");
        }
        fv_session_close(&session);
        fv_source_close(&ref);
        fv_source_close(&dis);
        fv_source_close(&again);
        fv_source_close(&more);
    }
    clip_free(&clip);
    clip_free(&other);
}

static void test_the_same_source_twice(void **state)
{
    Clip clip = clip_make(40, 30, FV_CHROMA_420, 8, 9);
    for (int threads = 1; threads <= 3; threads += 2) {
        FvSource *source = open_clip(&clip, "ref.y4m");
        FvSession *session = open_psnr(threads);
        assert_fails(fv_score(session, source, source, &(FvScoreParams){0}, error), FV_ERROR_USAGE,
                     "open the file twice");
        fv_session_close(&session);
        fv_source_close(&source);
    }
    clip_free(&clip);
}

/* Sources are read from their current frame, and their length is the number of frames left. */
static void test_sources_that_were_read_from(void **state)
{
    Clip five = clip_make(40, 30, FV_CHROMA_420, 8, 5), three = clip_make(40, 30, FV_CHROMA_420, 8, 3);
    FvSource *ref = open_clip(&five, "ref.y4m"), *dis = open_clip(&three, "dis.y4m");
    for (int i = 0; i < 2; i++) {
        FvFrame *frame;
        assert_works(fv_source_read(ref, &frame, error));
        fv_frame_unref(&frame);
    }
    FvSession *session = open_psnr(1), *next = open_psnr(1);
    assert_works(fv_score(session, ref, dis, &(FvScoreParams){0}, error));
    assert_int_equal(fv_session_frames(session), 3);
    assert_fails(fv_score(next, ref, dis, &(FvScoreParams){0}, error), FV_ERROR_INPUT,
                 "before the first frame to score");
    fv_session_close(&session);
    fv_session_close(&next);
    fv_source_close(&ref);
    fv_source_close(&dis);
    clip_free(&five);
    clip_free(&three);
}

/* The bottleneck is the part that the others wait for. */
static void test_timing(void **state)
{
    const FvWorkTimes even = {.path = {"/a/ref.mp4", "dis.y4m"},
                              .decodes = {true, false},
                              .device = "cuda",
                              .worked = {{10, 4, 1, 0.5}, {10, 2, 0, 0}},
                              .pushed = 2,
                              .transferring = 0.5,
                              .frames = 10};
    static const struct {
        double waited, transferring, prepares;
        const char *limit;
    } cases[] = {{5, 0.5, 0.5, "decoding ref.mp4"},
                 {5, 0.5, 2.8, "preparing ref.mp4"},
                 {5, 0.5, -3, "reading dis.y4m"},
                 {1, 0.5, 0.5, "scoring on cuda"},
                 {1, 1.5, 0.5, "transfer to cuda"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvWorkTimes times = even;
        FvTiming timing;
        char text[64];
        times.waited = cases[i].waited;
        times.transferring = cases[i].transferring;
        times.worked[0].preparing = cases[i].prepares > 0 ? cases[i].prepares : 0;
        times.worked[0].seconds += cases[i].prepares < 0 ? cases[i].prepares : 0;
        fv_timing_fill(&timing, &times, text, sizeof text);
        assert_string_equal(timing.limited_by, cases[i].limit);
    }
    FvTiming timing;
    char text[64];
    fv_timing_fill(&timing, &even, text, sizeof text);
    assert_true(timing.reading[0] == 10 && timing.decoding[0] == 4 && timing.preparing[0] == 20);
    assert_true(timing.reading[1] == 5 && !timing.decoding[1] && !timing.preparing[1]);
    assert_true(timing.transfer == 20 && !timing.scoring);
    /* Frames come late because threads that score occupy the processors: the readers worked for 4 of 9 seconds. */
    FvWorkTimes starved = even;
    starved.waited = 9;
    starved.pushed = 1;
    starved.scoring = 12;
    starved.threads = 2;
    fv_timing_fill(&timing, &starved, text, sizeof text);
    assert_string_equal(timing.limited_by, "scoring on cuda");
    starved.worked[0].seconds = 8;
    fv_timing_fill(&timing, &starved, text, sizeof text);
    assert_string_equal(timing.limited_by, "decoding ref.mp4");
    FvWorkTimes none = even;
    none.frames = 0;
    fv_timing_fill(&timing, &none, text, sizeof text);
    assert_null(timing.limited_by);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_skipping_and_subsampling),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_prepared),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_broken_frame),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_scored_twice),
        cmocka_unit_test(test_the_same_source_twice),
        cmocka_unit_test(test_sources_that_were_read_from),
        cmocka_unit_test(test_last_progress),
        cmocka_unit_test(test_timing),
    };
    return cmocka_run_group_tests_name("score", tests, scratch_open, scratch_close);
}
