/* Tests that sessions which score the same reference frame share its analysis: each part is computed once. */
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/analysis.h"
#include "option/option.h"

#define PARTS 200
#define SESSIONS 4

typedef struct SampleOptions {
    int factor;
} SampleOptions;

#define SAMPLE_OPTIONS(X) X(SampleOptions, factor, INT, ("factor", "f", 1, 0, 9, "", "what parts are multiplied by"))
FV_OPTIONS(sample_options, SAMPLE_OPTIONS);

static atomic_int made[PARTS], begun; /* how often parts were made, and part 0 begun */
static bool meets; /* makes part 0 wait until another thread has made part 1 or, wrongly, begun part 0 */

static void make(const FvFeatureInstance *run, const FvWork *work, int part)
{
    int *numbers = fv_analysis_memory(work->analysis);
    const SampleOptions *options = run->options;
    if (meets && part == 0) {
        const int before = atomic_load(&made[1]);
        atomic_fetch_add(&begun, 1);
        while (atomic_load(&made[1]) == before && atomic_load(&begun) == 1)
            usleep(100);
    }
    numbers[part] = part * options->factor;
    atomic_fetch_add(&made[part], 1);
}

static const FvFeature feature = {
    .name = "sample", FV_FEATURE_OPTIONS(sample_options, SampleOptions), .analyse = make};
static const SampleOptions once = {1}, thrice = {3};
static const FvFormat format = {.width = 16, .height = 16, .depth = 8};

static FvFeatureInstance run_with(const SampleOptions *options)
{
    return (FvFeatureInstance){.feature = &feature,
                               .options = options,
                               .ref = format,
                               .isa = FV_ISA_SCALAR,
                               .analysis_bytes = PARTS * sizeof(int),
                               .analysis_parts = PARTS};
}

static FvFrame *share_frame(FvAnalyses *analyses)
{
    FvFrame *frame;
    assert_works(fv_frame_alloc(&frame, &format, error));
    fv_analyses_share(analyses, frame);
    return frame;
}

static void *need_all(void *frame)
{
    FvFeatureInstance run = run_with(&thrice);
    FvWork work = {.ref = frame, .analysis = fv_analysis_of(&run, frame)};
    const int *numbers = fv_analysis_memory(work.analysis);
    for (int half = 0; half < 2; half++)
        for (int part = half * PARTS / 2; part < (half + 1) * PARTS / 2; part++) {
            fv_analysis_need(&run, &work, part, half * PARTS / 2, (half + 1) * PARTS / 2);
            if (numbers[part] != 3 * part)
                return frame;
        }
    return NULL;
}

static void test_parts_are_made_once(void **state)
{
    FvAnalyses *analyses;
    assert_works(fv_analyses_open(&analyses, error));
    const void *first = NULL;
    meets = true;
    for (int frames = 1; frames <= 3; frames++) { /* later frames reuse the memory of the first frame */
        atomic_store(&begun, 0);
        FvFrame *frame = share_frame(analyses);
        FvFeatureInstance run = run_with(&thrice);
        const void *memory = fv_analysis_memory(fv_analysis_of(&run, frame));
        assert_ptr_equal(first ? first : memory, memory);
        first = memory;
        pthread_t thread[SESSIONS];
        for (int i = 0; i < SESSIONS; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, need_all, frame), 0);
        for (int i = 0; i < SESSIONS; i++) {
            void *failed;
            pthread_join(thread[i], &failed);
            assert_null(failed);
        }
        for (int part = 0; part < PARTS; part++)
            assert_int_equal(atomic_load(&made[part]), frames);
        if (frames == 3)
            fv_analyses_close(&analyses); /* closed before the last frame is freed */
        fv_frame_unref(&frame);
    }
}

static void test_other_runs_have_their_own(void **state)
{
    FvAnalyses *analyses;
    assert_works(fv_analyses_open(&analyses, error));
    FvFrame *frame = share_frame(analyses), *alone;
    FvFeatureInstance run[4];
    for (int i = 0; i < 4; i++)
        run[i] = run_with(i == 1 ? &thrice : &once);
    run[2].ref.range = FV_RANGE_FULL;
    run[3].isa = FV_ISA_AVX2;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            assert_int_equal(fv_analysis_of(&run[i], frame) == fv_analysis_of(&run[k], frame), i == k);
    const SampleOptions equal = once;
    FvFeatureInstance same = run_with(&equal), none = run_with(&once);
    assert_ptr_equal(fv_analysis_of(&same, frame), fv_analysis_of(&run[0], frame));
    none.analysis_parts = 0;
    assert_null(fv_analysis_of(&none, frame));
    assert_works(fv_frame_alloc(&alone, &format, error));
    assert_null(fv_analysis_of(&same, alone));
    assert_null(fv_analysis_of(&same, NULL));
    fv_frame_unref(&alone);
    fv_frame_unref(&frame);
    fv_analyses_close(&analyses);
}

static bool starved;
void *__real_fv_alloc(size_t bytes);
void *__wrap_fv_alloc(size_t bytes);

void *__wrap_fv_alloc(size_t bytes)
{
    return starved ? NULL : __real_fv_alloc(bytes);
}

/* A session that got no memory for the first part gets none for the others. */
static void test_short_of_memory(void **state)
{
    FvAnalyses *analyses;
    assert_works(fv_analyses_open(&analyses, error));
    FvFrame *frame = share_frame(analyses);
    FvFeatureInstance run = run_with(&once), other = run_with(&thrice);
    FvAnalysis *before = fv_analysis_of(&run, frame);
    starved = true;
    assert_null(fv_analysis_of(&other, frame));
    starved = false;
    assert_null(fv_analysis_of(&other, frame));
    assert_non_null(before);
    assert_ptr_equal(fv_analysis_of(&run, frame), before);
    fv_frame_unref(&frame);
    fv_analyses_close(&analyses);
}

/* ---- Several encodes ------------------------------------------------------------------------------------------- */

static atomic_int needed;
void __real_fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end);
void __wrap_fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end);

void __wrap_fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end)
{
    atomic_fetch_add(&needed, 1);
    __real_fv_analysis_need(run, work, part, first, end);
}

#define FRAMES 3

static void write_clip(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("YUV4MPEG2 W16 H16 F25:1 Ip C420\n", file);
    for (int i = 0; i < FRAMES; i++) {
        fputs("FRAME\n", file);
        for (int k = 0; k < 16 * 16 * 3 / 2; k++)
            fputc(64 + (k * 7 + i * 13) % 128, file);
    }
    assert_int_equal(fclose(file), 0);
}

static int needs_of(const char *path, int count)
{
    FvEncode encode[SESSIONS] = {0};
    const FvScoreParams params = {0};
    FvSource *reference;
    atomic_store(&needed, 0);
    assert_works(fv_source_open(&reference, &(FvSourceParams){.path = path}, error));
    for (int i = 0; i < count; i++) {
        encode[i].params = &params;
        assert_works(fv_session_open(&encode[i].session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
        assert_works(fv_session_add(encode[i].session, "ssimulacra2", error));
        assert_works(fv_source_open(&encode[i].distorted, &(FvSourceParams){.path = path}, error));
    }
    assert_works(fv_score_encodes(encode, count, reference, 1, error));
    for (int i = 0; i < count; i++) {
        assert_true(fv_session_pool(encode[i].session, 0, FV_POOL_MEAN) == 100);
        fv_session_close(&encode[i].session);
        fv_source_close(&encode[i].distorted);
    }
    fv_source_close(&reference);
    return atomic_load(&needed);
}

static void test_encodes_share(void **state)
{
    char path[] = "/tmp/fovea-analysis-XXXXXX.y4m";
    assert_true(close(mkstemps(path, 4)) == 0);
    write_clip(path);
    const int of_two = needs_of(path, 2);
    assert_true(of_two >= 2 * FRAMES && of_two % (2 * FRAMES) == 0);
    assert_int_equal(needs_of(path, SESSIONS), of_two * SESSIONS / 2);
    assert_int_equal(needs_of(path, 1), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_made_once),
        cmocka_unit_test(test_other_runs_have_their_own),
        cmocka_unit_test(test_short_of_memory),
        cmocka_unit_test(test_encodes_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
