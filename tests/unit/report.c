/*
 * Tests reports written through the library: unfinished sessions, refusals, several threads, and a locale whose
 * numbers have commas.
 */
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "metric/missing.h"
#include "os/locale.h"
#include "os/workers.h"
#include "report/report.h"
#include "session/state.h"

static const FvFormat format = {.width = 64, .height = 48, .chroma = FV_CHROMA_420, .depth = 8};

static const struct {
    FvReportFormat format;
    const char *mark; /* text that only partial reports contain */
} formats[] = {
    {FV_REPORT_JSON, "\"partial\": true"}, {FV_REPORT_NDJSON, "\"partial\": true"}, {FV_REPORT_CSV, "# partial: "},
    {FV_REPORT_HTML, "\"partial\": true"}, {FV_REPORT_EVENTS, "# partial: "},
};
#define MOST_TEXT (1 << 17)
#define FORMATS ((int)(sizeof formats / sizeof *formats))

static char folder[] = "/tmp/fovea-report-XXXXXX";
static char path[64];

static FvSession *session_with_a_frame(void)
{
    FvSession *session = NULL;
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
    assert_works(fv_session_add(session, "psnr=min_sse=0.5", error));
    assert_works(fv_session_start(session, &format, &format, error));
    FvFrame *frame[2];
    for (int i = 0; i < 2; i++) {
        assert_works(fv_frame_alloc(&frame[i], &format, error));
        for (int plane = 0; plane < 3; plane++)
            memset(frame[i]->data[plane], 100 + 3 * i, (size_t)(frame[i]->stride[plane] * (plane ? 24 : 48)));
    }
    assert_works(fv_session_push(session, 0, frame[0], frame[1], error));
    fv_frame_unref(&frame[0]);
    fv_frame_unref(&frame[1]);
    return session;
}

static const char *text_of_report(FvSession *session, FvReportFormat report)
{
    static char text[2][MOST_TEXT];
    static int turn;
    char *into = text[turn++ % 2];
    assert_works(fv_report_write(session, path, report, error));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(into, 1, sizeof text[0] - 1, file);
    into[length] = '\0';
    fclose(file);
    return into;
}

static void test_unfinished_is_partial(void **state)
{
    FvSession *session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        assert_non_null(strstr(text_of_report(session, formats[i].format), formats[i].mark));
    assert_works(fv_session_finish(session, error));
    for (int i = 0; i < FORMATS; i++)
        assert_null(strstr(text_of_report(session, formats[i].format), formats[i].mark));
    fv_session_close(&session);
}

/* A report in memory equals the report in a file. Printing to a full stream fails. */
static void test_print(void **state)
{
    FvSession *session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *memory = open_memstream(&text, &size), *full = fopen("/dev/full", "w");
        assert_works(fv_report_print(session, memory, formats[i].format, error));
        fclose(memory);
        assert_string_equal(text, text_of_report(session, formats[i].format));
        assert_fails(fv_report_print(session, full, formats[i].format, error), FV_ERROR_OUTPUT, "stream");
        fclose(full);
        free(text);
    }
    fv_session_close(&session);
}

static void test_refusals(void **state)
{
    FvSession *session = NULL;
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
    assert_fails(fv_report_write(session, path, FV_REPORT_JSON, error), FV_ERROR_USAGE, "not been started");
    fv_session_close(&session);
    session = session_with_a_frame();
    assert_fails(fv_report_write(session, path, (FvReportFormat)99, error), FV_ERROR_USAGE, "99");
    assert_fails(fv_report_write(session, folder, FV_REPORT_JSON, error), FV_ERROR_OUTPUT, folder);
    fv_session_close(&session);
}

/* Calls that the linker redirects here: the threads of a report, and the texts that they write. */
static int opened_threads; /* number of threads that the last report asked for; 0: it asked for none */
static bool no_threads;    /* no thread can be started */
static int lost;           /* each lost-th text of the frames finds no memory; 0: none */
static atomic_int texts;

FvStatus __real_fv_workers_open(FvWorkers **workers, int threads, FvError *error);
FvStatus __wrap_fv_workers_open(FvWorkers **workers, int threads, FvError *error);
FvStatus __wrap_fv_workers_open(FvWorkers **workers, int threads, FvError *error)
{
    opened_threads = threads;
    *workers = NULL;
    return no_threads ? FV_ERROR_MEMORY : __real_fv_workers_open(workers, threads, error);
}

FILE *__real_fv_text_open(char **text, size_t *size);
FILE *__wrap_fv_text_open(char **text, size_t *size);
FILE *__wrap_fv_text_open(char **text, size_t *size)
{
    *text = NULL;
    return opened_threads && lost && atomic_fetch_add(&texts, 1) % lost == 0 ? NULL : __real_fv_text_open(text, size);
}

/* Makes a finished session whose `frames` frames have different values, some of them missing. */
static FvSession *session_with_frames(int frames)
{
    FvSession *session = session_with_a_frame();
    assert_works(fv_session_finish(session, error));
    assert_works(fv_session_release(session, error));
    const int columns = session->scores.column_count;
    double *values = malloc((size_t)frames * (size_t)columns * sizeof *values);
    int64_t *numbers = malloc((size_t)frames * sizeof *numbers);
    double *sequence = calloc((size_t)columns, sizeof *sequence);
    assert_true(values && numbers && sequence);
    for (int i = 0; i < frames; i++)
        numbers[i] = 3 * i;
    for (int i = 0; i < frames * columns; i++)
        values[i] = i % 97 ? 100. * i / (frames * columns) : fv_missing();
    assert_works(fv_session_restore(
        session, &(FvRestored){.frames = frames, .numbers = numbers, .values = values, .sequence = sequence}, error));
    free(values);
    free(numbers);
    free(sequence);
    return session;
}

static char *printed(FvSession *session, FvReportFormat report, int threads)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    session->devices.threads = threads;
    opened_threads = 0;
    assert_works(fv_report_print(session, memory, report, error));
    fclose(memory);
    return text;
}

#define LONG 2000 /* number of frames of a report that several threads format */

/* Adds events of a check to the frames of a report, several of them in some blocks and none in others. */
static void add_events(FvSession *session)
{
    static const int64_t ends[] = {0, 767, 768, 768, 3 * LONG - 3, 771, 2304};
    enum { COUNT = sizeof ends / sizeof *ends };
    FvCheckEvent events[COUNT];
    const char *reasons[FV_CHECK_KINDS] = {NULL};
    for (int i = 0; i < COUNT; i++)
        events[i] = (FvCheckEvent){.side = FV_DISTORTED, .last = ends[i], .frames = 1, .time = i, .duration = 1};
    assert_works(fv_session_restore_checks(session, events, COUNT, reasons, error));
}

/* Tests that reports of any number of threads have the bytes of one thread. */
static void compare_threads(void)
{
    static const int counts[] = {2, 3, 5, 1024};
    FvSession *session = session_with_frames(LONG);
    add_events(session);
    for (int i = 0; i < FORMATS; i++) {
        const FvReportFormat report = formats[i].format;
        const bool has_frames = report == FV_REPORT_JSON || report == FV_REPORT_NDJSON || report == FV_REPORT_CSV;
        char *one = printed(session, report, 1);
        assert_int_equal(opened_threads, 0);
        for (int k = 0; k < 4; k++) {
            char *several = printed(session, report, counts[k]);
            assert_string_equal(several, one);
            assert_int_equal(opened_threads, !has_frames ? 0 : counts[k] < 7 ? counts[k] : 7);
            free(several);
        }
        free(one);
    }
    fv_session_close(&session);
}

static void test_threads(void **state)
{
    compare_threads();
    FvSession *session = session_with_frames(LONG);
    char *text = printed(session, FV_REPORT_CSV, 4);
    int lines = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        assert_int_equal(atoi(line), 3 * lines++);
    assert_int_equal(lines, LONG);
    free(text);
    fv_session_close(&session);
    session = session_with_frames(511);
    free(printed(session, FV_REPORT_JSON, 4));
    assert_int_equal(opened_threads, 0); /* a short report is worth no thread */
    fv_session_close(&session);
}

/* Counts the blocks that are written in another locale than the one to which `opaque` points. */
static atomic_int in_other_locales;

static void look_at_the_locale(FILE *file, const FvSession *session, int64_t first, int64_t end, const void *opaque)
{
    atomic_fetch_add(&in_other_locales, uselocale((locale_t)0) != *(const locale_t *)opaque);
}

static void test_every_thread_enters_the_locale(void **state)
{
    FvSession *session = session_with_frames(LONG);
    FvLocale before;
    FILE *nowhere = fopen("/dev/null", "w");
    session->devices.threads = 4;
    assert_true(fv_locale_enter(&before));
    const locale_t plain = uselocale((locale_t)0);
    fv_report_frames(nowhere, session, look_at_the_locale, &plain);
    assert_ptr_equal(uselocale((locale_t)0), plain);
    fv_locale_leave(before);
    assert_ptr_not_equal(uselocale((locale_t)0), plain);
    assert_int_equal(in_other_locales, 0);
    fclose(nowhere);
    fv_session_close(&session);
}

/* The calling thread writes a report for which there are no threads, or no memory for their texts. */
static void test_threads_without_means(void **state)
{
    FvSession *session = session_with_frames(LONG);
    add_events(session);
    for (int i = 0; i < 3; i++) {
        char *one = printed(session, formats[i].format, 1);
        for (lost = 0; lost < 4; lost++) {
            no_threads = !lost;
            char *other = printed(session, formats[i].format, 4);
            assert_int_equal(opened_threads, 4);
            assert_string_equal(other, one);
            free(other);
        }
        lost = 0;
        free(one);
    }
    fv_session_close(&session);
}

/* Debian's base system has only the C locale, so the test makes a locale with a decimal comma. Returns whether it
 * could. */
static bool use_commas(void)
{
    char command[256];
    snprintf(
        command, sizeof command,
        "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\ngrouping 3;3\\nEND LC_NUMERIC\\n' "
        ">source && localedef -c -i source -f ANSI_X3.4-1968 ./commas >/dev/null 2>&1",
        folder);
    int made = system(command);
    char text[8] = "";
    setenv("LOCPATH", folder, 1);
    if (setlocale(LC_ALL, "commas"))
        snprintf(text, sizeof text, "%.1f", 0.5);
    return made != -1 && !strcmp(text, "0,5");
}

static void test_commas(void **state)
{
    static char before[FORMATS][MOST_TEXT];
    FvSession *session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        strcpy(before[i], text_of_report(session, formats[i].format));
    fv_session_close(&session);
    if (!use_commas())
        LEAVE_OUT("no locale with commas is installed");
    compare_threads();
    session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        assert_string_equal(text_of_report(session, formats[i].format), before[i]);
    fv_session_close(&session);
    setlocale(LC_ALL, "C");
}

static int make_folder(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/report", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The session copies pictures, and only pages contain them. */
static void test_pictures(void **state)
{
    FvSession *session = NULL;
    char png[] = "\x89PNG\r\n", name[] = "</script>";
    const uint8_t colours[2][3] = {{0, 1, 2}, {255, 254, 253}};
    FvReportPicture picture = {.frame = 7,
                               .name = name,
                               .width = 64,
                               .height = 48,
                               .scale = 1,
                               .png = png,
                               .bytes = 6,
                               .unit = "JND",
                               .high = INFINITY,
                               .colours = colours,
                               .colour_count = 2};
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
    assert_fails(fv_session_add_picture(session, &picture, error), FV_ERROR_USAGE, "has not been started");
    fv_session_close(&session);
    session = session_with_a_frame();
    assert_works(fv_session_add_picture(session, &picture, error));
    memset(png, 0, sizeof png);
    memset(name, 0, sizeof name);
    const char *text = text_of_report(session, FV_REPORT_HTML);
    assert_non_null(strstr(text, "\"name\": \"\\u003c/script>\""));
    assert_non_null(strstr(text, "\"png\": \"iVBORw0K\""));
    assert_non_null(strstr(text, "\"colours\": [\"#000102\", \"#fffefd\"]"));
    assert_non_null(strstr(text, "\"high\": \"inf\""));
    assert_null(strstr(text_of_report(session, FV_REPORT_JSON), "iVBOR"));
    picture.scale = 0;
    assert_fails(fv_session_add_picture(session, &picture, error), FV_ERROR_USAGE, "scale");
    picture.scale = 1;
    picture.bytes = (16 << 20) + 1;
    assert_fails(fv_session_add_picture(session, &picture, error), FV_ERROR_USAGE, "too large");
    fv_session_close(&session);
}

/* The test sets the values of psnr_y. The worst frames are then listed from the lowest value on, and apart from each
 * other by a given distance. */
static void test_worst(void **state)
{
    static const double values[] = {5, 3, NAN, 3, 1, 2, 9, -INFINITY};
    enum { COUNT = sizeof values / sizeof *values };
    int64_t frames[COUNT];
    FvSession *session = session_with_a_frame();
    FvFrame *frame;
    assert_works(fv_frame_alloc(&frame, &format, error));
    for (int plane = 0; plane < 3; plane++)
        memset(frame->data[plane], 100, (size_t)(frame->stride[plane] * (plane ? 24 : 48)));
    for (int i = 1; i < COUNT; i++)
        assert_works(fv_session_push(session, 2 * i, frame, frame, error));
    fv_frame_unref(&frame);
    assert_works(fv_session_finish(session, error));
    for (int i = 0; i < COUNT; i++)
        session->scores.values[i * session->scores.column_count] = values[i];
    static const int64_t all[] = {7, 4, 5, 1, 3, 0, 6}, apart[] = {7, 4, 1};
    assert_int_equal(fv_session_worst(session, 0, 1, frames, COUNT), 7);
    assert_memory_equal(frames, all, sizeof all);
    assert_int_equal(fv_session_worst(session, 0, 3, frames, COUNT), 3);
    assert_memory_equal(frames, apart, sizeof apart);
    assert_int_equal(fv_session_worst(session, 0, 1, frames, 2), 2);
    assert_int_equal(fv_session_worst(session, 0, 0, frames, 2), 0);
    session->scores.columns[0].info.better = FV_NEITHER_IS_BETTER;
    assert_int_equal(fv_session_worst(session, 0, 1, frames, COUNT), 0);
    fv_session_close(&session);
}

/* fv_session_metric_text() returns the text that adds the same metric with the same options. */
static void test_metric_text(void **state)
{
    static const char *const texts[] = {"psnr", "psnr=reduced_hbd_peak=true:min_sse=0.5",
                                        "cambi=heatmaps_path=a\\:b\\,c"};
    FvSession *session = NULL;
    char text[128];
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
    for (int i = 0; i < 3; i++) {
        assert_works(fv_session_add(session, texts[i], error));
        assert_works(fv_session_metric_text(session, i, text, sizeof text, error));
        assert_string_equal(text, texts[i]);
    }
    assert_fails(fv_session_metric_text(session, 1, text, 20, error), FV_ERROR_USAGE, "20 bytes");
    assert_fails(fv_session_metric_text(session, 3, text, 20, error), FV_ERROR_USAGE, "metric 3 does not exist");
    fv_session_close(&session);
}

/* On the page of a long clip, each point stands for several frames, so that the page stays small. */
static void test_many_frames(void **state)
{
    static const FvFormat tiny = {.width = 1, .height = 1, .chroma = FV_CHROMA_400, .depth = 8};
    enum { FRAMES = 300000 }; /* far more frames than points */
    FvSession *session = NULL;
    FvFrame *frame;
    assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error));
    assert_works(fv_session_add(session, "psnr", error));
    assert_works(fv_session_start(session, &tiny, &tiny, error));
    assert_works(fv_frame_alloc(&frame, &tiny, error));
    frame->data[0][0] = 5;
    for (int i = 0; i < FRAMES; i++)
        assert_works(fv_session_push(session, i, frame, frame, error));
    fv_frame_unref(&frame);
    assert_works(fv_session_finish(session, error));
    assert_works(fv_report_write(session, path, FV_REPORT_HTML, error));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char head[1 << 16];
    head[fread(head, 1, sizeof head - 1, file)] = '\0';
    assert_non_null(strstr(head, "\"frames_per_bin\": 18"));
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    assert_in_range(ftell(file), 400000, 1500000);
    fclose(file);
    fv_session_close(&session);
}

/* A report never overwrites a file that was read for the session, such as a model. */
static void test_never_over_a_file_that_was_read(void **state)
{
    char model[96];
    snprintf(model, sizeof model, "%s/model.json", folder);
    FILE *file = fopen(model, "w");
    assert_true(file && fputs("a model", file) >= 0 && !fclose(file));
    FvSession *session = session_with_a_frame();
    fv_guard_add_path(&session->facts.read, model);
    assert_fails(fv_report_write(session, model, FV_REPORT_CSV, error), FV_ERROR_USAGE, "would overwrite the input");
    fv_session_close(&session);
    char text[16] = "";
    file = fopen(model, "r");
    assert_true(file && fgets(text, sizeof text, file) && !fclose(file));
    assert_string_equal(text, "a model");
    unlink(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfinished_is_partial),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_worst),
        cmocka_unit_test(test_metric_text),
        cmocka_unit_test(test_many_frames),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_every_thread_enters_the_locale),
        cmocka_unit_test(test_threads_without_means),
        cmocka_unit_test(test_commas),
        cmocka_unit_test(test_never_over_a_file_that_was_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
