/*
 * Tests pairs of frames by number: in any order they equal the pairs that fv_score() compares, and a refused pair
 * leaves the others readable.
 */
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../input/clip.h"
#include "input/source_params.h"

#define FRAMES 7

static FvSourceParams file[2];
static const char *header; /* path of include/fovea/source.h */

static void write_videos(int width, int height, FvChroma chroma, int depth, const char *tail)
{
    for (int side = 0; side < 2; side++) {
        Clip clip = clip_make(width, height, chroma, side ? depth : 8, FRAMES + side);
        const char *path = scratch_path(side ? "dis.y4m" : "ref.y4m");
        write_y4m(path, &clip, y4m_header(&clip, tail), "FRAME");
        file[side] = (FvSourceParams){.path = path};
        clip_free(&clip);
    }
}

/* The frames of a pair as the session compared them, which FvMap passes along with the pair's map. */
typedef struct Seen {
    FvFrame *frames[2];
} Seen;

static Seen seen[FRAMES + 1];

static FvStatus remember(void *opaque, const FvMap *map, FvError *error)
{
    seen[map->number].frames[0] = map->reference ? fv_frame_ref((FvFrame *)map->reference) : NULL;
    seen[map->number].frames[1] = fv_frame_ref((FvFrame *)map->distorted);
    return FV_OK;
}

static void score(const FvScoreParams *params)
{
    FvSource *sources[2];
    FvSession *session;
    for (int side = 0; side < 2; side++)
        assert_works(fv_source_open(&sources[side], &file[side], error));
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
    assert_works(fv_session_add(session, "xpsnr", error));
    assert_works(fv_session_want_map(session, &(FvMapRequest){.on_map = remember}, error));
    assert_works(fv_score(session, sources[0], sources[1], params, error));
    fv_session_close(&session);
    fv_source_close(&sources[0]);
    fv_source_close(&sources[1]);
}

static void forget(void)
{
    for (int i = 0; i <= FRAMES; i++) {
        fv_frame_unref(&seen[i].frames[0]);
        fv_frame_unref(&seen[i].frames[1]);
    }
}

static void assert_same(const FvFrame *a, const FvFrame *b)
{
    assert_int_equal(a->format.width, b->format.width);
    assert_int_equal(a->format.depth, b->format.depth);
    assert_int_equal(fv_format_planes(&a->format), fv_format_planes(&b->format));
    for (int plane = 0; plane < fv_format_planes(&a->format); plane++) {
        int width, height;
        fv_format_plane_size(&a->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            assert_memory_equal(a->data[plane] + y * a->stride[plane], b->data[plane] + y * b->stride[plane],
                                (size_t)width * (size_t)fv_format_sample_bytes(&a->format));
    }
}

/* Reads pairs forwards, backwards, the same one again, and beyond the end in between. */
static void assert_reads_what_was_scored(const FvScoreParams *params, int count)
{
    static const int64_t order[] = {0, 1, 3, 3, 2, 99, 4, 0, 5, 6};
    FvPairs *pairs = NULL;
    score(params);
    assert_works(fv_pairs_open(&pairs, &file[0], &file[1], params, error));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        FvFrame *frames[2];
        if (order[i] >= count) {
            assert_int_equal(fv_pairs_read(pairs, order[i], frames, NULL), FV_END);
            assert_null(frames[1]);
            continue;
        }
        assert_works(fv_pairs_read(pairs, order[i], frames, error));
        for (int side = 0; side < 2; side++) {
            assert_same(frames[side], seen[order[i]].frames[side]);
            fv_frame_unref(&frames[side]);
        }
    }
    fv_pairs_close(&pairs);
    assert_null(pairs);
    forget();
}

/* Frames that a preparer handles before they are pushed equal those that fv_score() compares, with the same decisions
 * and scores. */
static void test_pushed(void **state)
{
    static const FvScoreParams params = {.shortest = true,
                                         .convert = FV_CONVERT_DEPTH | FV_CONVERT_RANGE,
                                         .crop = {{2, 2, 30, 14, 0}, {0, 0, 0, 0, 0}},
                                         .scale = {.to = FV_SCALE_REFERENCE, .fit = FV_FIT_STRETCH}};
    write_videos(35, 18, FV_CHROMA_420, 10, " F25:1 XCOLORRANGE=LIMITED");
    FvSource *sources[2];
    FvSession *files, *session;
    FvPreparer *preparer = NULL;
    for (int side = 0; side < 2; side++)
        assert_works(fv_source_open(&sources[side], &file[side], error));
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
    assert_works(fv_session_add(session, "psnr", error));
    assert_works(fv_preparer_open(&preparer, session, &fv_source_info(sources[0])->format,
                                  &fv_source_info(sources[1])->format, &params, error));
    assert_works(fv_session_start(session, fv_preparer_format(preparer, FV_REFERENCE),
                                  fv_preparer_format(preparer, FV_DISTORTED), error));
    for (int i = 0; i < FRAMES; i++) {
        FvFrame *frame, *prepared[2];
        for (int side = 0; side < 2; side++) {
            assert_works(fv_source_read(sources[side], &frame, error));
            assert_works(fv_preparer_run(preparer, (FvSide)side, frame, &prepared[side], error));
            fv_frame_unref(&frame);
        }
        assert_works(fv_session_push(session, i, prepared[0], prepared[1], error));
        fv_frame_unref(&prepared[0]);
        fv_frame_unref(&prepared[1]);
    }
    FvFrame *wrong, *none;
    assert_works(fv_frame_alloc(&wrong, fv_preparer_format(preparer, FV_REFERENCE), error));
    assert_fails(fv_preparer_run(preparer, FV_REFERENCE, wrong, &none, error), FV_ERROR_INPUT,
                 "frame 7 of the reference video is 35x18");
    fv_frame_unref(&wrong);
    assert_null(none);
    fv_preparer_close(&preparer);
    assert_works(fv_session_finish(session, error));
    for (int side = 0; side < 2; side++)
        fv_source_close(&sources[side]);

    for (int side = 0; side < 2; side++)
        assert_works(fv_source_open(&sources[side], &file[side], error));
    assert_works(fv_session_open(&files, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
    assert_works(fv_session_add(files, "psnr", error));
    assert_works(fv_score(files, sources[0], sources[1], &params, error));
    assert_int_equal(fv_session_frames(files), FRAMES);
    for (int i = 0; i < FRAMES; i++)
        for (int o = 0; o < fv_session_outputs(files); o++)
            assert_true(fv_session_value(files, i, o) == fv_session_value(session, i, o));
    for (int i = 0; i < fv_session_decisions(session); i++) {
        bool told = false;
        for (int k = 0; k < fv_session_decisions(files); k++)
            told |= !strcmp(fv_session_decision(files, k), fv_session_decision(session, i));
        if (!told)
            fail_msg("only of pushed frames: %s", fv_session_decision(session, i));
    }
    assert_true(fv_session_decisions(session) >= 2);
    assert_fails(fv_preparer_open(&preparer, session, NULL, fv_session_format(session, FV_DISTORTED), &params, error),
                 FV_ERROR_USAGE, "");
    FvFormat smaller = *fv_session_format(session, FV_REFERENCE);
    smaller.width -= 2;
    assert_fails(fv_preparer_open(&preparer, NULL, &smaller, fv_session_format(session, FV_DISTORTED),
                                  &(FvScoreParams){0}, error),
                 FV_ERROR_INPUT, "the reference is 33x18 and the distorted video 35x18");
    assert_null(preparer);
    fv_session_close(&files);
    fv_session_close(&session);
    for (int side = 0; side < 2; side++)
        fv_source_close(&sources[side]);
}

static void test_any_order(void **state)
{
    write_videos(35, 18, FV_CHROMA_420, 8, " F25:1");
    assert_reads_what_was_scored(&(FvScoreParams){.shortest = true}, FRAMES);
    assert_reads_what_was_scored(&(FvScoreParams){.skip_distorted = 1}, FRAMES);
    assert_reads_what_was_scored(&(FvScoreParams){.shortest = true, .start = 80000}, FRAMES - 2);
    assert_reads_what_was_scored(&(FvScoreParams){.frames = 4}, 4);
    assert_reads_what_was_scored(&(FvScoreParams){.align = FV_ALIGN_BY_TIME}, FRAMES);
}

static void test_prepared(void **state)
{
    write_videos(36, 20, FV_CHROMA_420, 10, " F25:1");
    FvScoreParams params = {.shortest = true, .scale = {.to = FV_SCALE_SIZE, .width = 18, .height = 12}};
    assert_reads_what_was_scored(&params, FRAMES);
    params = (FvScoreParams){.shortest = true, .crop = {{2, 4, 30, 12}, {0, 2, 30, 12}}};
    assert_reads_what_was_scored(&params, FRAMES);
}

static void test_one_side(void **state)
{
    FvPairs *pairs;
    FvFrame *frames[2];
    write_videos(16, 16, FV_CHROMA_400, 8, "");
    assert_works(fv_pairs_open(&pairs, NULL, &file[1], &(FvScoreParams){0}, error));
    assert_null(fv_pairs_info(pairs, 0));
    assert_null(fv_pairs_info(pairs, 2));
    assert_int_equal(fv_pairs_info(pairs, 1)->frames, FRAMES + 1);
    assert_works(fv_pairs_read(pairs, FRAMES, frames, error));
    assert_null(frames[0]);
    fv_frame_unref(&frames[1]);
    fv_pairs_close(&pairs);
}

static void test_refusals(void **state)
{
    FvPairs *pairs;
    write_videos(16, 16, FV_CHROMA_400, 8, "");
    FvScoreParams params = {.crop[1] = {0, 0, 8, 8}};
    assert_fails(fv_pairs_open(&pairs, &file[0], &file[1], &params, error), FV_ERROR_INPUT, "16x16");
    params = (FvScoreParams){.shortest = true};
    const char *pipe = scratch_path("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_fails(fv_pairs_open(&pairs, &file[0], &(FvSourceParams){.path = pipe}, &params, error), FV_ERROR_INPUT,
                 "read only once"); /* fails at once, without a writer of the pipe */
    assert_fails(fv_pairs_open(&pairs, NULL, &(FvSourceParams){.path = "-"}, &params, error), FV_ERROR_INPUT,
                 "standard input");
}

/* Pairs refuse a file that was changed after they opened it. A file that was only renamed can still be read. */
static void test_changed_files(void **state)
{
    FvPairs *pairs;
    FvFrame *frames[2];
    static const FvAlignMode modes[] = {FV_ALIGN_BY_INDEX, FV_ALIGN_BY_TIME};
    for (int i = 0; i < 2; i++) {
        const FvScoreParams params = {.shortest = true, .align = modes[i]};
        write_videos(16, 16, FV_CHROMA_400, 8, " F25:1");
        assert_works(fv_pairs_open(&pairs, &file[0], &file[1], &params, error));
        assert_fails(fv_pairs_read(pairs, -1, frames, error), FV_ERROR_USAGE, "no frame -1");
        assert_works(fv_pairs_read(pairs, 3, frames, error));
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
        assert_int_equal(rename(file[1].path, scratch_path("moved")), 0);
        assert_works(fv_pairs_read(pairs, 1, frames, error));
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
        assert_int_equal(rename(scratch_path("moved"), file[1].path), 0);
        struct stat info;
        assert_int_equal(stat(file[1].path, &info), 0);
        const struct timespec later[2] = {info.st_mtim, {info.st_mtim.tv_sec + 1, 0}};
        assert_int_equal(utimensat(AT_FDCWD, file[1].path, later, 0), 0);
        assert_fails(fv_pairs_read(pairs, 0, frames, error), FV_ERROR_INPUT, "has changed");
        assert_null(frames[0]);
        assert_null(frames[1]);
        assert_int_equal(truncate(file[1].path, 5), 0);
        assert_fails(fv_pairs_read(pairs, 5, frames, error), FV_ERROR_INPUT, "has changed");
        fv_pairs_close(&pairs);
    }
}

static void test_damage(void **state)
{
    FvPairs *pairs;
    FvFrame *frames[2];
    Clip clip = clip_make(16, 16, FV_CHROMA_400, 8, 3);
    const char *path = scratch_path("dis.y4m");
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    clip_free(&clip);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 5), 0);
    assert_works(fv_pairs_open(&pairs, NULL, &(FvSourceParams){.path = path}, &(FvScoreParams){0}, error));
    for (int round = 0; round < 2; round++) {
        assert_fails(fv_pairs_read(pairs, 2, frames, error), FV_ERROR_INPUT, "frame 2");
        assert_works(fv_pairs_read(pairs, 1, frames, error));
        fv_frame_unref(&frames[1]);
    }
    fv_pairs_close(&pairs);
}

/* Counts how often the declaration of FvSourceParams contains `words` outside comments. */
static int count_in_params(const char *words)
{
    char text[16384];
    FILE *stream = fopen(header, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    char *from = strstr(text, "typedef struct FvSourceParams {"),
         *end = from ? strstr(from, "} FvSourceParams;") : NULL;
    assert_non_null(end);
    *end = 0;
    for (char *comment; (comment = strstr(from, "/*"));)
        memset(comment, ' ', (size_t)(strstr(comment, "*/") + 2 - comment));
    int count = 0;
    for (; (from = strstr(from, words)); from++)
        count++;
    return count;
}

/* Pairs reopen their files after the caller's strings may be gone, so they copy all strings. Only the cancel pointer
 * stays the caller's. */
static void test_copied_strings(void **state)
{
    FvSourceParams given, copy;
    const size_t words = sizeof given / sizeof(char *);
    const char *at[sizeof given / sizeof(char *)];
    static const char *const texts[] = {"path", "reader", "layout", "decoder", "device", "scored on"};
    const int strings = sizeof texts / sizeof *texts;
    assert_int_equal(count_in_params("const char *"), strings);
    assert_int_equal(count_in_params("*"), strings + 1);
    memset(&given, 0, sizeof given);
    given.path = texts[0], given.reader = texts[1], given.raw_layout = texts[2];
    given.decoder = texts[3], given.device = texts[4], given.scored_on = texts[5];
    assert_works(fv_source_params_copy(&copy, &given, error));
    memcpy(at, &copy, sizeof at);
    for (size_t i = 0; i < words; i++)
        for (int t = 0; t < strings; t++)
            assert_ptr_not_equal(at[i], texts[t]);
    assert_string_equal(copy.path, "path");
    assert_string_equal(copy.reader, "reader");
    assert_string_equal(copy.raw_layout, "layout");
    assert_string_equal(copy.decoder, "decoder");
    assert_string_equal(copy.device, "device");
    assert_string_equal(copy.scored_on, "scored on");
    fv_source_params_free(&copy);
    assert_null(copy.path);
}

int main(int argc, char **argv)
{
    header = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushed),   cmocka_unit_test(test_any_order),      cmocka_unit_test(test_prepared),
        cmocka_unit_test(test_one_side), cmocka_unit_test(test_refusals),       cmocka_unit_test(test_changed_files),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_copied_strings),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
