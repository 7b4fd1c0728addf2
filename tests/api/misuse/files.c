/* Sources and outputs. */
#include "misuse.h"

static bool refuses_source(FvSourceParams params)
{
    FvSource *opened = source;
    return usage(fv_source_open(&opened, &params, &error)) && !opened;
}

void check_sources(void)
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

void check_outputs(void)
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
    CHECK(fv_output_open, refuses_output((FvOutputParams){
                              .path = output_path, .sources = (const FvSource *[1]){source}, .source_count = 9}));
    CHECK(fv_output_open, refuses_output((FvOutputParams){
                              .path = video, .sources = (const FvSource *[1]){source}, .source_count = 1}));
    CHECK(fv_output_check, usage(fv_output_check(NULL, &error)));
    CHECK(fv_output_check, usage(fv_output_check(&(FvOutputParams){0}, &error)));
    CHECK(fv_output_file, !fv_output_file(NULL));
    CHECK(fv_output_close, !fv_output_close(NULL, &error) && !fv_output_close(&(FvOutput *){NULL}, &error));
    CHECK(fv_output_keep_partial, !fv_output_keep_partial(&(FvOutput *){NULL}, (char[8]){0}, 8, &error));
    CHECK(fv_output_keep_partial, usage(fv_output_keep_partial(&output, NULL, 8, &error)));
    CHECK(fv_output_keep_partial, usage(fv_output_keep_partial(&output, (char[8]){0}, 0, &error)));
    CHECK(fv_output_discard, (fv_output_discard(NULL), fv_output_discard(&(FvOutput *){NULL}), true));
}
