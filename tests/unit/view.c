/*
 * Tests that many threads, which request everything from a viewer while it scores, get the answers that a single
 * thread gets.
 */
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>

#include "../input/clip.h"
#include "image/rgb.h"
#include "view/answer.h"

#define THREADS 8
#define ROUNDS 12
#define FRAMES 40
#define ENCODES 2

static View view;
static ViewMaps *maps;
static FvSession *session[ENCODES];
static FvSource *reference, *source[ENCODES];
static ViewEncode encodes[ENCODES];
static const FvScoreParams params;

static FvSourceParams write_video(const char *name)
{
    Clip made = clip_make(48, 32, FV_CHROMA_420, 8, FRAMES);
    const FvSourceParams file = {.path = scratch_path(name)};
    write_y4m(file.path, &made, y4m_header(&made, " F25:1"), "FRAME");
    clip_free(&made);
    return file;
}

/* Opens a viewer of several encodes with one reference. */
static int open_view(void **state)
{
    ViewClipParams clip = {.encodes = encodes, .count = ENCODES, .threads = 2, .cache_bytes = 20000};
    scratch_open(NULL);
    const FvSourceParams file = write_video("ref.y4m");
    assert_works(fv_source_open(&reference, &file, error));
    for (int e = 0; e < ENCODES; e++) {
        ViewEncode *own = &encodes[e];
        own->file[0] = file;
        own->file[1] = write_video(e ? "other.y4m" : "dis.y4m");
        assert_works(fv_source_open(&source[e], &own->file[1], error));
        assert_works(fv_session_open(&session[e], &(FvSessionParams){.device = "cpu", .threads = 1}, error));
        assert_works(fv_session_add(session[e], "psnr,psnr_hvs", error));
        own->scores = (ViewScoresParams){.session = session[e], .source = {reference, source[e]}, .params = &params};
        assert_works(fv_score_formats(reference, source[e], &params, own->format, error));
    }
    clip.shared = reference;
    assert_works(view_maps_open(&maps, NULL, 2, error));
    assert_works(view_maps_wait(maps, error));
    clip.maps = maps;
    assert_true(view_make_token(view.token));
    assert_works(view_clip_open(&view.clip, &clip, error));
    return 0;
}

static int close_view(void **state)
{
    view_clip_close(&view.clip);
    view_maps_close(&maps);
    for (int e = 0; e < ENCODES; e++) {
        fv_session_close(&session[e]);
        fv_source_close(&source[e]);
    }
    fv_source_close(&reference);
    return scratch_close(NULL);
}

typedef struct Arguments {
    char frame[8], from[8], count[8], encode[8];
    const char *side, *metric;
} Arguments;

static const char *argument_of(void *opaque, const char *name)
{
    const Arguments *arguments = opaque;
    return !strcmp(name, "frame")    ? arguments->frame
           : !strcmp(name, "from")   ? arguments->from
           : !strcmp(name, "side")   ? arguments->side
           : !strcmp(name, "metric") ? arguments->metric
           : !strcmp(name, "count")  ? arguments->count
           : !strcmp(name, "encode") ? arguments->encode
           : !strcmp(name, "map")    ? "distance"
                                     : NULL;
}

static ViewAnswer ask(const char *what, int number)
{
    char path[64];
    Arguments arguments = {.side = number & 1 ? "1" : "0",
                           .metric = number & 2 ? "butteraugli=intensity_target=200" : "butteraugli"};
    ViewRequest request = {
        .method = "GET", .path = path, .host = "localhost", .argument = argument_of, .opaque = &arguments};
    ViewAnswer answer;
    snprintf(path, sizeof path, "/%s/%s", view.token, what);
    snprintf(arguments.frame, sizeof arguments.frame, "%d", number);
    snprintf(arguments.from, sizeof arguments.from, "%d", number);
    snprintf(arguments.count, sizeof arguments.count, "%d", 1 + number % 3);
    snprintf(arguments.encode, sizeof arguments.encode, "%d", 1 + number / 2 % ENCODES);
    view_answer(&view, &request, &answer);
    return answer;
}

typedef struct Visit {
    pthread_t thread;
    int first;
    int wrong; /* number of answers with a status other than 200 */
    ViewAnswer frame, map;
} Visit;

static void *visit(void *opaque)
{
    static const char *const whats[] = {"", "clip", "scores", "frame", "map", "thumb", "pool"};
    Visit *own = opaque;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 7; i++) {
            ViewAnswer answer = ask(whats[i], (own->first + 7 * round) % FRAMES);
            /* The pool request fails until a range has scores. */
            own->wrong += answer.status != 200 && (strcmp(whats[i], "pool") || answer.status != 400);
            free(answer.body);
        }
    own->frame = ask("frame", own->first);
    own->map = ask("map", own->first);
    return NULL;
}

static void assert_same_answer(ViewAnswer got, ViewAnswer want)
{
    assert_int_equal(got.status, 200);
    assert_int_equal(got.size, want.size);
    assert_memory_equal(got.body, want.body, want.size);
    assert_string_equal(got.tag, want.tag);
    free(got.body);
    free(want.body);
}

static void test_threads(void **state)
{
    Visit visits[THREADS] = {{.first = 0}};
    for (int i = 0; i < THREADS; i++) {
        visits[i].first = i;
        assert_int_equal(pthread_create(&visits[i].thread, NULL, visit, &visits[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(visits[i].thread, NULL);
        assert_int_equal(visits[i].wrong, 0);
        assert_same_answer(visits[i].frame, ask("frame", i));
        assert_same_answer(visits[i].map, ask("map", i));
    }
    for (int e = 0; e < ENCODES; e++) {
        ViewProgress progress = {0};
        while (!progress.ended)
            view_scores_progress(view_clip_scores(view.clip, e), &progress);
        assert_int_equal(progress.status, FV_OK);
        assert_int_equal(progress.frames, FRAMES);
    }
}

/* The viewer's values of a range equal those that the session pools over it, bit by bit. */
static void test_pool(void **state)
{
    ViewScores *scores = view_clip_scores(view.clip, 1);
    double pooled[64 * FV_POOL_COUNT];
    const FvPart part = {.first = 7, .count = 20, .frame = 7};
    assert_true(view_scores_pool(scores, 7, 20, pooled));
    for (int o = 0; view_scores_output(scores, o); o++)
        for (int p = 0; p < FV_POOL_COUNT; p++) {
            const double want = fv_session_pool_part(session[1], o, (FvPool)p, &part);
            assert_memory_equal(&want, &pooled[o * FV_POOL_COUNT + p], sizeof want);
        }
    assert_false(view_scores_pool(scores, 21, 20, pooled));
    assert_false(view_scores_pool(scores, -1, 3, pooled));
    assert_false(view_scores_pool(scores, 3, 0, pooled));
    assert_false(view_scores_pool(scores, FRAMES, 1, pooled));
    assert_false(view_scores_pool(scores, 1, INT64_MAX, pooled));
}

/* Each pixel of a thumbnail is the mean of the pixels that it covers. This thumbnail is as large as the picture, so
 * they are equal. */
static void test_thumb(void **state)
{
    FvFrame *frames[2];
    ViewThumb thumb;
    assert_works(view_clip_thumb(view.clip, 0, 5, &thumb, error));
    assert_int_equal(thumb.number, 5);
    assert_int_equal(thumb.width, 48);
    assert_int_equal(thumb.height, 32);
    assert_works(view_clip_frames(view.clip, 0, 5, frames, error));
    uint8_t *rgb = rgb_of_frame(frames[1]);
    assert_memory_equal(thumb.rgb, rgb, 48 * 32 * 3);
    free(rgb);
    free(thumb.rgb);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_pool),
                                       cmocka_unit_test(test_thumb)};
    return cmocka_run_group_tests(tests, open_view, close_view);
}
