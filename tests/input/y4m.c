/* Tests Y4M files and pipes: every chroma format and depth, odd sizes, and refusals. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clip.h"
#include "config.h"
#include "input/source.h"
#include "picture/signature.h"

#define FIRST_RATE " F30000:1001 Ip A1:1 XCOLORRANGE=LIMITED"

static FvSource *open_source(const char *path)
{
    FvError error = {0};
    FvSource *source;
    if (fv_source_open(&source, &(FvSourceParams){.path = path}, &error))
        fail_msg("%s", error.message);
    return source;
}

static void round_trips(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 2}, {3, 5}, {16, 1}, {1, 17}, {65, 33}, {337, 211}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (FvChroma chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
            for (int depth = 8; depth <= 16; depth++) {
                Clip clip = clip_make(sizes[size][0], sizes[size][1], chroma, depth, 3);
                const char *path = scratch_path("clip.y4m");
                write_y4m(path, &clip, y4m_header(&clip, FIRST_RATE), "FRAME");
                FvSource *source = open_source(path);
                const FvSourceInfo *info = fv_source_info(source);
                assert_string_equal(info->reader, "y4m");
                assert_string_equal(info->container, "y4m");
                assert_string_equal(info->codec, "rawvideo");
                assert_string_equal(info->path, path);
                assert_int_equal(info->frames, 3);
                assert_int_equal(info->format.range, FV_RANGE_LIMITED);
                assert_int_equal(info->format.rate_num, 30000);
                assert_int_equal(info->format.rate_den, 1001);
                assert_reads(source, &clip);
                fv_source_close(&source);
                clip_free(&clip);
            }
        }
    }
}

/* Rows have no padding if they stay aligned without it and do not share a set of the cache. */
static void packed_rows(void **state)
{
    static const struct {
        int width, height, depth, stride[2];
    } sizes[] = {{640, 480, 10, {1280, 640}}, {832, 660, 8, {832, 512}}, {1024, 300, 10, {2112, 1024}}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Clip clip = clip_make(sizes[i].width, sizes[i].height, FV_CHROMA_420, sizes[i].depth, 2);
        const char *path = scratch_path("packed.y4m");
        write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
        FvSource *source = open_source(path);
        FvFrame *frame;
        assert_int_equal(fv_source_read(source, &frame, NULL), FV_OK);
        for (int plane = 0; plane < 2; plane++)
            assert_int_equal(frame->stride[plane], sizes[i].stride[plane]);
        fv_frame_unref(&frame);
        assert_int_equal(fv_source_seek(source, 0, NULL), FV_OK);
        assert_reads(source, &clip);
        fv_source_close(&source);
        clip_free(&clip);
    }
}

/* A signature that several threads make during reading, from slices that end within a block, equals that of the whole
 * frame. */
static void signatures(void **state)
{
    static const int sizes[][3] = {{1921, 1081, 10}, {1280, 720, 8}, {640, 480, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Clip clip = clip_make(sizes[i][0], sizes[i][1], FV_CHROMA_420, sizes[i][2], 2);
        const char *path = scratch_path("signed.y4m");
        write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
        for (int threads = 1; threads <= 3; threads++) {
            FvSource *source;
            FvFrame *frame;
            int32_t beside[FV_SIGNATURE], whole[FV_SIGNATURE];
            assert_int_equal(fv_source_open(&source, &(FvSourceParams){.path = path, .threads = threads}, NULL),
                             FV_OK);
            source->signature = beside;
            for (int read = 0; read < 2; read++) {
                assert_int_equal(fv_source_read(source, &frame, NULL), FV_OK);
                assert_true(source->has_signature);
                const FvLuma luma = fv_luma_of(frame);
                fv_sample_make(whole, &luma);
                assert_memory_equal(beside, whole, sizeof whole);
                fv_frame_unref(&frame);
            }
            assert_int_equal(fv_source_read(source, &frame, NULL), FV_END);
            assert_false(source->has_signature);
            fv_source_close(&source);
        }
        clip_free(&clip);
    }
}

/* A signature has 16 bits, so bytes and the same samples with more bits have one signature, also the greatest. */
static void signature_depths(void **state)
{
    static const int sizes[][2] = {{33, 19}, {257, 145}, {640, 360}, {1921, 1081}, {4096, 300}, {4500, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int white = 0; white < 2; white++) {
            const int width = sizes[i][0], height = sizes[i][1];
            uint8_t *bytes = malloc((size_t)width * height);
            uint16_t *words = malloc(2 * (size_t)width * height);
            FvLuma luma = {.data = bytes, .stride = width, .width = width, .height = height, .bytes = 1, .depth = 8};
            int32_t narrow[FV_SIGNATURE], wide[FV_SIGNATURE];
            for (int k = 0; k < width * height; k++)
                bytes[k] = white ? 255 : (uint8_t)((uint32_t)k * 2654435761u >> 24);
            fv_sample_make(narrow, &luma);
            luma =
                (FvLuma){.data = (uint8_t *)words, .stride = 2 * width, .width = width, .height = height, .bytes = 2};
            for (luma.depth = 9; luma.depth <= 16; luma.depth++) {
                for (int k = 0; k < width * height; k++)
                    words[k] = (uint16_t)(bytes[k] << (luma.depth - 8));
                fv_sample_make(wide, &luma);
                assert_memory_equal(wide, narrow, sizeof narrow);
            }
            free(bytes);
            free(words);
        }
}

/*
 * If only some rows are needed, the reader reads and checks these and the rows for a signature, with any number of
 * threads.
 */
static void needed_rows(void **state)
{
    Clip clip = clip_make(641, 479, FV_CHROMA_420, 10, 1);
    const char *path = scratch_path("rows.y4m");
    clip.bytes[clip_offset(&clip, 0, 0, 9, 470) + 1] = 4; /* row 470 is 6 below a multiple of 16 */
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    const FvLuma luma = {.data = clip.bytes + clip_offset(&clip, 0, 0, 0, 0),
                         .stride = 641 * 2,
                         .width = 641,
                         .height = 479,
                         .bytes = 2,
                         .depth = 10};
    int32_t whole[FV_SIGNATURE], beside[FV_SIGNATURE];
    fv_sample_make(whole, &luma);
    for (int reach = 4; reach <= 6; reach++)
        for (int threads = 1; threads <= 6; threads++) {
            FvSource *source;
            FvFrame *frame;
            FvError error = {0};
            const bool signs = threads > 3;
            assert_int_equal(
                fv_source_open(&source, &(FvSourceParams){.path = path, .threads = (threads - 1) % 3 + 1}, NULL),
                FV_OK);
            source->signature = signs ? beside : NULL;
            source->services.rows[0] = source->services.rows[1] = fv_needed_rows(16, reach);
            assert_int_equal(fv_source_read(source, &frame, &error), reach < 6 ? FV_OK : FV_ERROR_INPUT);
            if (reach == 6)
                assert_non_null(strstr(error.message, "column 9, row 470"));
            if (reach < 6 && signs)
                assert_memory_equal(beside, whole, sizeof whole);
            for (int plane = 0; plane < 3 && reach < 6; plane++)
                for (int y = 0; y < (plane ? 240 : 479); y++)
                    if (plane == 2 || y % 16 <= reach || y % 16 >= 16 - reach)
                        assert_memory_equal(frame->data[plane] + y * frame->stride[plane],
                                            clip.bytes + clip_offset(&clip, 0, plane, 0, y),
                                            plane ? 321 * 2 : 641 * 2);
            fv_frame_unref(&frame);
            fv_source_close(&source);
        }
    clip_free(&clip);
}

/* Reads frames that are larger than one read, so that reads end within planes. */
static void large_frames(void **state)
{
    Clip clip = clip_make(1921, 1081, FV_CHROMA_420, 10, 2);
    const char *path = scratch_path("large.y4m");
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    for (int threads = 0; threads <= 4; threads++) {
        FvError error = {0};
        FvSource *source;
        if (fv_source_open(&source, &(FvSourceParams){.path = path, .threads = threads}, &error))
            fail_msg("%s", error.message);
        assert_reads(source, &clip);
        fv_source_close(&source);
    }
    /* If two slices that are read concurrently have wrong samples, the message names the first one in the file. */
    clip.bytes[clip_offset(&clip, 1, 0, 7, 500) + 1] = 4;
    clip.bytes[clip_offset(&clip, 1, 2, 0, 0) + 1] = 4;
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    for (int threads = 1; threads <= 8; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 1, FV_ERROR_INPUT, path, "frame 1",
                          "plane Y", "column 7, row 500", NULL);
    clip_free(&clip);
}

typedef struct Header {
    const char *text; /* header line after the size */
    FvChroma chroma;
    int depth;
    FvRange range;
    int num, den;
} Header;

static void headers(void **state)
{
    static const Header cases[] = {
        {"", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" F25:1", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 25, 1},
        {" F0:0 A0:0 I?", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C420jpeg It", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C420mpeg2 Ib", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C420paldv Im", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C420", FV_CHROMA_420, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C422 XCOLORRANGE=FULL", FV_CHROMA_422, 8, FV_RANGE_FULL, 0, 0},
        {" C444  Xwhatever X", FV_CHROMA_444, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" Cmono", FV_CHROMA_400, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" Cmono16", FV_CHROMA_400, 16, FV_RANGE_UNKNOWN, 0, 0},
        {" C420p10 XYSCSS=420P10", FV_CHROMA_420, 10, FV_RANGE_UNKNOWN, 0, 0},
        {" C422p9", FV_CHROMA_422, 9, FV_RANGE_UNKNOWN, 0, 0},
        {" C444p14", FV_CHROMA_444, 14, FV_RANGE_UNKNOWN, 0, 0},
        {" C411", FV_CHROMA_411, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C411 XYSCSS=411", FV_CHROMA_411, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" C440p10", FV_CHROMA_440, 10, FV_RANGE_UNKNOWN, 0, 0},
        {" C410", FV_CHROMA_410, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" XYSCSS=444", FV_CHROMA_444, 8, FV_RANGE_UNKNOWN, 0, 0},
        {" XYSCSS=422 C444p12", FV_CHROMA_444, 12, FV_RANGE_UNKNOWN, 0, 0},
        {" C444p12 XYSCSS=422", FV_CHROMA_444, 12, FV_RANGE_UNKNOWN, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Clip clip = clip_make(5, 3, cases[i].chroma, cases[i].depth, 2);
        char header[256];
        snprintf(header, sizeof header, "YUV4MPEG2 W5 H3%s", cases[i].text);
        const char *path = scratch_path("header.y4m");
        write_y4m(path, &clip, header, "FRAME Ixyz Xsomething");
        FvSource *source = open_source(path);
        const FvSourceInfo *info = fv_source_info(source);
        assert_int_equal(info->format.range, cases[i].range);
        assert_int_equal(info->format.rate_num, cases[i].num);
        assert_int_equal(info->format.rate_den, cases[i].den);
        assert_reads(source, &clip);
        fv_source_close(&source);
        clip_free(&clip);
    }
}

static void refused_headers(void **state)
{
    static const char *const cases[][3] = {
        /* Each case: header line, and two texts of the message. */
        {"YUV4MPEG2 H3", "lacks its width", "Y4M header"},
        {"YUV4MPEG2 W5", "lacks its height", "Y4M header"},
        {"YUV4MPEG2 W0 H3", "'W0'", "width"},
        {"YUV4MPEG2 W5 H0", "'H0'", "height"},
        {"YUV4MPEG2 W-5 H3", "'W-5'", "width"},
        {"YUV4MPEG2 W+5 H3", "'W+5'", "width"},
        {"YUV4MPEG2 W5x H3", "'W5x'", "width"},
        {"YUV4MPEG2 W32769 H3", "'W32769'", "32768"},
        {"YUV4MPEG2 W5 H4294967299", "'H4294967299'", "32768"},
        {"YUV4MPEG2 W5 H99999999999999999999999999", "'H9999", "height"},
        {"YUV4MPEG2 W5 W5 H3", "'W5'", "given twice"},
        {"YUV4MPEG2 W5 H3 F25", "'F25'", "frame rate"},
        {"YUV4MPEG2 W5 H3 F-25:1", "'F-25:1'", "frame rate"},
        {"YUV4MPEG2 W5 H3 F99999999999:1", "'F99999999999:1'", "frame rate"},
        {"YUV4MPEG2 W5 H3 A1", "'A1'", "pixel"},
        {"YUV4MPEG2 W5 H3 Iq", "'Iq'", "field order"},
        {"YUV4MPEG2 W5 H3 C421", "'C421'", "convert"},
        {"YUV4MPEG2 W5 H3 C444alpha", "'C444alpha'", "alpha"},
        {"YUV4MPEG2 W5 H3 C420p7", "'C420p7'", "convert"},
        {"YUV4MPEG2 W5 H3 C420p17", "'C420p17'", "convert"},
        {"YUV4MPEG2 W5 H3 C420p", "'C420p'", "convert"},
        {"YUV4MPEG2 W5 H3 C", "'C'", "convert"},
        {"YUV4MPEG2 W5 H3 XCOLORRANGE=WIDE", "'XCOLORRANGE=WIDE'", "LIMITED"},
        {"YUV4MPEG2 W5 H3 Q1", "'Q1'", "known"},
        {"YUV4MPEG2X W5 H3", "YUV4MPEG2", "not a Y4M"},
    };
    Clip clip = clip_make(5, 3, FV_CHROMA_420, 8, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_path("refused.y4m");
        write_y4m(path, &clip, cases[i][0], "FRAME");
        assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, cases[i][1], cases[i][2], NULL);
    }
    clip_free(&clip);
}

static void damaged_headers(void **state)
{
    const char *path = scratch_path("damaged.y4m");
    const FvSourceParams params = {.path = path};
    char line[8192];
    memset(line, 'X', sizeof line);
    memcpy(line, "YUV4MPEG2 W5 H3 ", 16);
    write_file(path, line, sizeof line);
    assert_open_fails(&params, FV_ERROR_INPUT, path, "longer than", "Y4M header", NULL);
    write_file(path, "YUV4MPEG2 W5 H3", 15);
    assert_open_fails(&params, FV_ERROR_INPUT, path, "ends within", "Y4M header", NULL);
    write_file(path, "YUV4MPEG2 W5\0H3\n", 16);
    assert_open_fails(&params, FV_ERROR_INPUT, path, "zero byte", "Y4M header", NULL);
    write_file(path, "YUV4MPEG2 W5 H3\n", 16);
    assert_open_fails(&params, FV_ERROR_INPUT, path, "no video frame", NULL);
    write_file(path, "ABC", 3);
    assert_open_fails(&(FvSourceParams){.path = path, .reader = "y4m"}, FV_ERROR_INPUT, path, "ends within", NULL);
    write_file(path, "ABC\n", 4);
    assert_open_fails(&(FvSourceParams){.path = path, .reader = "y4m"}, FV_ERROR_INPUT, path, "not a Y4M", NULL);
    /* A small file whose header states a large frame costs no memory. */
    write_file(path, "YUV4MPEG2 W32768 H32768 C444p16\nFRAME\n12", 40);
    assert_read_fails(&params, 0, FV_ERROR_INPUT, path, "frame 0", "2 of its 6442450944 bytes", NULL);
}

static void damaged_frames(void **state)
{
    const char *path = scratch_path("cut.y4m");
    const FvSourceParams params = {.path = path};
    Clip clip = clip_make(16, 16, FV_CHROMA_420, 8, 3);
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 1), 0);
    assert_read_fails(&params, 2, FV_ERROR_INPUT, path, "frame 2", "383 of its 384 bytes", NULL);
    assert_int_equal(truncate(path, info.st_size - 384 - 3), 0);
    assert_read_fails(&params, 2, FV_ERROR_INPUT, path, "frame 2", "ends within", NULL);
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAMED");
    assert_read_fails(&params, 0, FV_ERROR_INPUT, path, "frame 0", "FRAME", NULL);
    write_y4m(path, &clip, y4m_header(&clip, ""), "frame");
    assert_read_fails(&params, 0, FV_ERROR_INPUT, path, "frame 0", "FRAME", NULL);
    /* A wrong width shows at the second frame. */
    write_y4m(path, &clip, "YUV4MPEG2 W15 H16", "FRAME");
    assert_read_fails(&params, 1, FV_ERROR_INPUT, path, "frame 1", NULL);
    clip_free(&clip);
}

/* Every sample position is checked, at each depth below that of its word. */
static void samples_above_depth(void **state)
{
    const char *path = scratch_path("above.y4m");
    static const char *const planes[] = {"plane Y", "plane Cb", "plane Cr"};
    for (int depth = 9; depth < 16; depth++) {
        Clip clip = clip_make(131, 67, FV_CHROMA_422, depth, 2);
        for (int plane = 0; plane < 3; plane++) {
            int width = plane ? 66 : 131, height = 67;
            int x = rand() % width, y = rand() % height;
            if (depth < 13) {
                x = depth % 2 ? width - 1 : 0;
                y = depth < 11 ? height - 1 : 0;
            }
            size_t at = clip_offset(&clip, 1, plane, x, y);
            uint8_t kept[2] = {clip.bytes[at], clip.bytes[at + 1]};
            clip.bytes[at] = 0;
            clip.bytes[at + 1] = (uint8_t)(1 << (depth - 8));
            write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
            char place[64], value[64];
            snprintf(place, sizeof place, "column %d, row %d", x, y);
            snprintf(value, sizeof value, "word %d is not a sample of %d bits", 1 << depth, depth);
            assert_read_fails(&(FvSourceParams){.path = path}, 1, FV_ERROR_INPUT, path, "frame 1", planes[plane],
                              place, value, NULL);
            memcpy(clip.bytes + at, kept, 2);
        }
        clip_free(&clip);
    }
}

static void given_format(void **state)
{
    const char *path = scratch_path("given.y4m");
    Clip clip = clip_make(16, 8, FV_CHROMA_422, 10, 1);
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    FvSourceParams params = {.path = path,
                             .raw = {.width = 16,
                                     .height = 8,
                                     .chroma = FV_CHROMA_422,
                                     .depth = 10,
                                     .range = FV_RANGE_FULL,
                                     .rate_num = 25,
                                     .rate_den = 1}};
    FvError error = {0};
    FvSource *source;
    assert_int_equal(fv_source_open(&source, &params, &error), FV_OK);
    assert_int_equal(fv_source_info(source)->format.range, FV_RANGE_FULL);
    assert_int_equal(fv_source_info(source)->format.rate_num, 25);
    FvFrame *frame;
    assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
    assert_int_equal(frame->format.range, FV_RANGE_FULL);
    fv_frame_unref(&frame);
    fv_source_close(&source);
    write_y4m(path, &clip, y4m_header(&clip, " F50:2 XCOLORRANGE=FULL"), "FRAME");
    assert_int_equal(fv_source_open(&source, &params, &error), FV_OK);
    fv_source_close(&source);
    /* A caller's geometry is ignored for files that state theirs. */
    FvSourceParams wrong = params;
    wrong.raw.width = 17;
    wrong.raw.depth = 8;
    wrong.raw.chroma = FV_CHROMA_420;
    assert_int_equal(fv_source_open(&source, &wrong, &error), FV_OK);
    assert_int_equal(fv_source_info(source)->format.width, 16);
    assert_int_equal(fv_source_info(source)->format.depth, 10);
    fv_source_close(&source);
    /* The caller's tags take precedence over the header's. */
    wrong = params;
    wrong.raw.range = FV_RANGE_UNKNOWN;
    wrong.tags = (FvFormat){.range = FV_RANGE_LIMITED, .matrix = 1, .transfer = 16, .primaries = 9, .siting = 3};
    assert_int_equal(fv_source_open(&source, &wrong, &error), FV_OK);
    assert_int_equal(fv_source_info(source)->format.range, FV_RANGE_LIMITED);
    assert_int_equal(fv_source_info(source)->format.matrix, 1);
    assert_int_equal(fv_source_info(source)->format.transfer, 16);
    assert_int_equal(fv_source_info(source)->format.primaries, 9);
    assert_int_equal(fv_source_info(source)->format.siting, FV_SITING_TOPLEFT);
    fv_source_close(&source);
    wrong = params;
    wrong.raw.range = FV_RANGE_LIMITED;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "range", NULL);
    wrong = params;
    wrong.raw.rate_den = 2;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "frame rate", NULL);
    clip_free(&clip);
}

static void refused_params(void **state)
{
    const char *path = scratch_path("missing.y4m");
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "No such file", NULL);
    assert_open_fails(&(FvSourceParams){.path = NULL}, FV_ERROR_USAGE, "path", NULL);
    assert_open_fails(&(FvSourceParams){.path = ""}, FV_ERROR_USAGE, "path", NULL);
    assert_open_fails(&(FvSourceParams){.path = scratch_path(".")}, FV_ERROR_INPUT, "directory", NULL);
    write_file(path, "", 0);
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "empty", NULL);
    write_file(path, "YUV4MPEG2 W1 H1 Cmono\nFRAME\nx", 30);
    assert_open_fails(&(FvSourceParams){.path = path, .reader = "y4n"}, FV_ERROR_USAGE, "'y4n'", "libav", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .threads = -1}, FV_ERROR_USAGE, "-1 threads", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .threads = 257}, FV_ERROR_USAGE, "257 threads", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .raw.range = 9}, FV_ERROR_USAGE, "range", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .tags.range = 9}, FV_ERROR_USAGE, "range", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .tags.siting = 9}, FV_ERROR_USAGE, "siting", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .stream = -1}, FV_ERROR_USAGE, "numbered from 1", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .raw.rate_num = 25}, FV_ERROR_USAGE, "25/0", NULL);
#if !FV_HAVE_LIBAV
    static const char words[] = "This build cannot know what these words are.";
    const char *unknown = scratch_path("unknown.mkv");
    write_file(unknown, words, sizeof words);
    assert_open_fails(&(FvSourceParams){.path = unknown}, FV_ERROR_INPUT, unknown, "raw video and ProRes", NULL);
    assert_open_fails(&(FvSourceParams){.path = unknown, .reader = "libav"}, FV_ERROR_USAGE, unknown, "no libav",
                      NULL);
#endif
    if (geteuid()) {
        assert_int_equal(chmod(path, 0), 0);
        assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "Permission denied", NULL);
    }
}

typedef struct Feed {
    int fd;
    const uint8_t *bytes;
    size_t size, piece;
} Feed;

static void *feed(void *argument)
{
    const Feed *work = argument;
    for (size_t sent = 0; sent < work->size;) {
        size_t piece = work->size - sent < work->piece ? work->size - sent : work->piece;
        ssize_t wrote = write(work->fd, work->bytes + sent, piece);
        if (wrote < 0)
            break;
        sent += (size_t)wrote;
    }
    close(work->fd);
    return NULL;
}

/* Replaces standard input by a pipe. Returns the pipe's other end, and in *kept the former standard input. */
static int pipe_open(int *kept)
{
    int ends[2];
    *kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return ends[1];
}

/* Opens "-" while another thread fills standard input, a pipe, in pieces of this many bytes. */
static void assert_reads_pipe(const uint8_t *bytes, size_t size, size_t piece, const Clip *clip,
                              FvSourceParams params)
{
    int kept;
    pthread_t thread;
    Feed work = {pipe_open(&kept), bytes, size, piece};
    assert_int_equal(pthread_create(&thread, NULL, feed, &work), 0);
    FvError error = {0};
    FvSource *source;
    if (fv_source_open(&source, &params, &error))
        fail_msg("%s", error.message);
    assert_string_equal(fv_source_info(source)->path, "standard input");
    assert_int_equal(fv_source_info(source)->frames, -1);
    assert_reads(source, clip);
    fv_source_close(&source);
    pthread_join(thread, NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
}

static void pipes(void **state)
{
    static const size_t pieces[] = {1, 7, 4096, 1 << 20};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        Clip clip = clip_make(pieces[i] < 100 ? 33 : 333, 35, FV_CHROMA_444, 12, 3);
        const char *path = scratch_path("pipe.y4m");
        write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
        FILE *file = fopen(path, "rb");
        static uint8_t bytes[1 << 18];
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_true(size < sizeof bytes);
        assert_reads_pipe(bytes, size, pieces[i], &clip, (FvSourceParams){.path = "-"});
        /* The video is also read as raw samples, without its header. */
        assert_reads_pipe(clip.bytes, clip.frame_bytes * 3, pieces[i], &clip,
                          (FvSourceParams){.path = "-", .raw = clip.format});
        clip_free(&clip);
    }
}

static void pipe_with(const void *bytes, size_t size, int *kept)
{
    int end = pipe_open(kept);
    assert_int_equal(write(end, bytes, size), size);
    close(end);
}

static void damaged_pipes(void **state)
{
    int kept;
    pipe_with("YUV4MPEG2 W2 H2 Cmono\n", 22, &kept);
    assert_read_fails(&(FvSourceParams){.path = "-"}, 0, FV_ERROR_INPUT, "standard input", "no video frame", NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    pipe_with("YUV4MPEG2 W2 H2 Cmono\nFRAME\n1234FRAME\n123", 41, &kept);
    assert_read_fails(&(FvSourceParams){.path = "-"}, 1, FV_ERROR_INPUT, "frame 1", "3 of its 4 bytes", NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    FvSourceParams params = {.path = "-", .raw = {.width = 3, .height = 1, .depth = 8}};
    pipe_with("12345", 5, &kept);
    assert_read_fails(&params, 1, FV_ERROR_INPUT, "frame 1", "2 of its 3 bytes", NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    pipe_with("12345", 5, &kept);
    assert_open_fails(&(FvSourceParams){.path = "-"}, FV_ERROR_INPUT, "standard input", "geometry", NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    pipe_with("", 0, &kept);
    assert_open_fails(&(FvSourceParams){.path = "-"}, FV_ERROR_INPUT, "standard input", "empty", NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
}

/* Standard input may be a file, which need not be at its beginning. */
static void redirected(void **state)
{
    Clip clip = clip_make(20, 10, FV_CHROMA_420, 8, 4);
    const char *path = scratch_path("redirected.yuv");
    write_file(path, clip.bytes, clip.frame_bytes * 4);
    int kept = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(lseek(fd, (off_t)clip.frame_bytes, SEEK_SET), clip.frame_bytes);
    dup2(fd, STDIN_FILENO);
    close(fd);
    FvError error = {0};
    FvSource *source;
    FvSourceParams params = {.path = "-", .reader = "raw", .raw = clip.format};
    assert_int_equal(fv_source_open(&source, &params, &error), FV_OK);
    assert_int_equal(fv_source_info(source)->frames, 3);
    Clip rest = clip;
    rest.bytes += clip.frame_bytes;
    rest.frames = 3;
    assert_reads(source, &rest);
    fv_source_close(&source);
    dup2(kept, STDIN_FILENO);
    close(kept);
    clip_free(&clip);
}

/* Returns the number of read calls of this process, or -1 if the system does not count them. */
static long read_calls(void)
{
    long calls = -1;
    char line[64];
    FILE *file = fopen("/proc/self/io", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "syscr: %ld", &calls) == 1)
            break;
    if (file)
        fclose(file);
    return calls;
}

/* One read call takes many small frames. */
static void few_calls(void **state)
{
    Clip clip = clip_make(1, 1, FV_CHROMA_420, 8, 3000);
    const char *path = scratch_path("tiny.y4m");
    write_y4m(path, &clip, y4m_header(&clip, ""), "FRAME");
    FvSource *source = open_source(path);
    long before = read_calls();
    if (before < 0)
        skip();
    assert_reads(source, &clip);
    assert_in_range(read_calls() - before, 0, 50);
    fv_source_close(&source);
    clip_free(&clip);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(packed_rows),
        cmocka_unit_test(signatures),
        cmocka_unit_test(signature_depths),
        cmocka_unit_test(needed_rows),
        cmocka_unit_test(large_frames),
        cmocka_unit_test(headers),
        cmocka_unit_test(refused_headers),
        cmocka_unit_test(damaged_headers),
        cmocka_unit_test(damaged_frames),
        cmocka_unit_test(samples_above_depth),
        cmocka_unit_test(given_format),
        cmocka_unit_test(refused_params),
        cmocka_unit_test(pipes),
        cmocka_unit_test(damaged_pipes),
        cmocka_unit_test(redirected),
        cmocka_unit_test(few_calls),
    };
    return cmocka_run_group_tests_name("y4m", tests, scratch_open, scratch_close);
}
