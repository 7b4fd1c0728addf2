/* Reports written through the library: unfinished sessions, refusals, and a locale whose numbers have commas. */
#include "unit.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "session.h"

static const FvFormat format = {.width = 64, .height = 48, .chroma = FV_CHROMA_420, .depth = 8};

static const struct {
    FvReportFormat format;
    const char *mark; /* of a partial report */
} formats[] = {
    {FV_REPORT_JSON, "\"partial\": true"},
    {FV_REPORT_NDJSON, "\"partial\": true"},
    {FV_REPORT_CSV, "# partial: "},
    {FV_REPORT_XML, " partial=\""},
    {FV_REPORT_LIBVMAF_JSON, "\"partial\": \""},
};
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
    static char text[2][16384];
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
    (void)state;
    FvSession *session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        assert_non_null(strstr(text_of_report(session, formats[i].format), formats[i].mark));
    assert_works(fv_session_finish(session, error));
    for (int i = 0; i < FORMATS; i++)
        assert_null(strstr(text_of_report(session, formats[i].format), formats[i].mark));
    fv_session_close(&session);
}

static void test_refusals(void **state)
{
    (void)state;
    FvSession *session = NULL;
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
    assert_fails(fv_report_write(session, path, FV_REPORT_JSON, error), FV_ERROR_USAGE, "not been started");
    fv_session_close(&session);
    session = session_with_a_frame();
    assert_fails(fv_report_write(session, path, (FvReportFormat)99, error), FV_ERROR_USAGE, "99");
    assert_fails(fv_report_write(session, folder, FV_REPORT_JSON, error), FV_ERROR_OUTPUT, folder);
    fv_session_close(&session);
}

/* Debian's base system has no locale but C, so one with a decimal comma is made. */
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
    (void)state;
    char before[FORMATS][16384];
    FvSession *session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        strcpy(before[i], text_of_report(session, formats[i].format));
    fv_session_close(&session);
    if (!use_commas())
        skip();
    session = session_with_a_frame();
    for (int i = 0; i < FORMATS; i++)
        assert_string_equal(text_of_report(session, formats[i].format), before[i]);
    fv_session_close(&session);
    setlocale(LC_ALL, "C");
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/report", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* Files that options name, such as models, are inputs as well. */
static void test_never_over_a_file_of_an_option(void **state)
{
    (void)state;
    char model[96];
    snprintf(model, sizeof model, "%s/model.json", folder);
    FILE *file = fopen(model, "w");
    assert_true(file && fputs("a model", file) >= 0 && !fclose(file));
    FvSession *session = session_with_a_frame();
    FvMetricRun *run = &session->metrics[0];
    struct stat info;
    assert_int_equal(stat(model, &info), 0);
    run->files = calloc((size_t)run->metric->options.count, sizeof *run->files);
    run->files[1].id = fv_file_id(&info);
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
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_commas),
        cmocka_unit_test(test_never_over_a_file_of_an_option),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
