/*
 * Tests that omitting planes and rows that no feature reads changes no score: for every metric, scores of files equal
 * those of complete frames that are pushed.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "score/range.h"

#define FRAMES 3

/* Frames of this size are read in slices. */
static const FvFormat format = {.width = 320,
                                .height = 288,
                                .chroma = FV_CHROMA_444,
                                .depth = 10,
                                .range = FV_RANGE_LIMITED,
                                .rate_num = 25,
                                .rate_den = 1};
static FvFrame *frames[2][FRAMES];
static char path[2][64];

static void make(int side)
{
    FILE *file = fopen(path[side], "wb");
    assert_non_null(file);
    fprintf(file, "YUV4MPEG2 W%d H%d F25:1 C444p10 XCOLORRANGE=LIMITED\n", format.width, format.height);
    unsigned state = 1 + (unsigned)side;
    for (int i = 0; i < FRAMES; i++) {
        assert_works(fv_frame_alloc(&frames[side][i], &format, error));
        fputs("FRAME\n", file);
        for (int plane = 0; plane < 3; plane++)
            for (int y = 0; y < format.height; y++) {
                uint16_t *row = (uint16_t *)(frames[side][i]->data[plane] + y * frames[side][i]->stride[plane]);
                for (int x = 0; x < format.width; x++) {
                    state = state * 1664525 + 1013904223;
                    row[x] = (uint16_t)(200 + (x + 2 * y + 7 * i * (plane + 1)) % 500 + (state >> (side ? 26 : 28)));
                    fputc(row[x] & 255, file);
                    fputc(row[x] >> 8, file);
                }
            }
    }
    fclose(file);
}

static int set_up(void **state)
{
    for (int side = 0; side < 2; side++) {
        snprintf(path[side], sizeof path[side], "/tmp/fovea-planes-%d-%d.y4m", (int)getpid(), side);
        make(side);
    }
    return 0;
}

static int clean_up(void **state)
{
    for (int side = 0; side < 2; side++) {
        unlink(path[side]);
        for (int i = 0; i < FRAMES; i++)
            fv_frame_unref(&frames[side][i]);
    }
    return 0;
}

static FvSession *open_session(const char *metric)
{
    FvSession *session;
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 2}, error));
    assert_works(fv_session_add(session, metric, error));
    return session;
}

/* Scores the files from frame `first` on. */
static FvSession *score_files(const char *metric, int threads, int first)
{
    FvSession *session = open_session(metric);
    FvSource *source[2];
    for (int side = 0; side < 2; side++)
        assert_works(fv_source_open(&source[side], &(FvSourceParams){.path = path[side], .threads = threads}, error));
    const FvSourceIndex *index;
    FvScoreRange range = {.first = first, .end = FRAMES, .last = true};
    for (int side = 0; side < 2 && first; side++)
        assert_works(fv_source_index(source[side], &index, error));
    if (first)
        assert_works(fv_score_range(session, source[0], source[1], &(FvScoreParams){0}, &range, error));
    else
        assert_works(fv_score(session, source[0], source[1], &(FvScoreParams){0}, error));
    fv_pair_signatures_free(&range.pairs);
    fv_looks_free(&range.looked);
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    return session;
}

static FvSession *score_frames(const char *metric)
{
    FvSession *session = open_session(metric);
    const bool both = fv_session_needs_reference(session);
    assert_works(fv_session_start(session, both ? &format : NULL, &format, error));
    for (int i = 0; i < FRAMES; i++)
        assert_works(fv_session_push(session, i, both ? frames[0][i] : NULL, frames[1][i], error));
    assert_works(fv_session_finish(session, error));
    return session;
}

static void compare(FvSession *whole, FvSession *files, int first)
{
    assert_int_equal(fv_session_frames(files) + first, fv_session_frames(whole));
    assert_int_equal(fv_session_outputs(files), fv_session_outputs(whole));
    for (int output = 0; output < fv_session_outputs(whole); output++)
        for (int64_t frame = first;
             (!first || !fv_session_output(whole, output)->sequence) && frame < fv_session_frames(whole); frame++) {
            const double one = fv_session_value(whole, frame, output),
                         two = fv_session_value(files, frame - first, output);
            if (memcmp(&one, &two, sizeof one))
                fail_msg("%s of frame %d: %.17g of whole frames, %.17g of files",
                         fv_session_output(whole, output)->name, (int)frame, one, two);
        }
}

static void test_every_metric(void **state)
{
    for (int i = 0; i < fv_metric_count(); i++) {
        const char *metric = fv_metric_info(i)->name;
        FvSession *whole = score_frames(metric);
        for (int first = 0; first < 2; first++) {
            FvSession *files = score_files(metric, 1 + i % 3, first);
            compare(whole, files, first);
            fv_session_close(&files);
        }
        fv_session_close(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_metric)};
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
