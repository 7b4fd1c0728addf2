/*
 * Tests files read through libavformat and libavcodec: they give the samples that were encoded, or are clearly
 * refused.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/log.h>

#include "codec/prores/prores.h"
#include "input/libav/log.h"
#include "input/source.h"
#include "os/thread.h"
#include "picture/frame.h"
#include "video.h"

typedef struct Case {
    const char *file, *encoder, *options, *pixels;
    FvChroma chroma;
    int depth;
} Case;

/* Lossless encodings, whose decoded samples are known. */
static const Case cases[] = {
    {"a.mkv", "ffv1", NULL, "yuv420p", FV_CHROMA_420, 8},
    {"a.mkv", "ffv1", NULL, "yuv420p10le", FV_CHROMA_420, 10},
    {"a.mkv", "ffv1", NULL, "yuv422p12le", FV_CHROMA_422, 12},
    {"a.avi", "ffv1", NULL, "yuv444p16le", FV_CHROMA_444, 16},
    {"a.mkv", "ffv1", NULL, "gray", FV_CHROMA_400, 8},
    {"a.mkv", "ffv1", NULL, "gray10le", FV_CHROMA_400, 10},
    {"a.mkv", "ffv1", NULL, "yuva444p10le", FV_CHROMA_444, 10},
    {"a.mov", "ffv1", NULL, "yuv444p9le", FV_CHROMA_444, 9},
    {"a.nut", "rawvideo", NULL, "yuv420p10be", FV_CHROMA_420, 10},
    {"a.nut", "rawvideo", NULL, "yuv422p16be", FV_CHROMA_422, 16},
    {"a.nut", "rawvideo", NULL, "nv12", FV_CHROMA_420, 8},
    {"a.avi", "rawvideo", NULL, "uyvy422", FV_CHROMA_422, 8},
    {"a.mov", "v210", NULL, "yuv422p10le", FV_CHROMA_422, 10},
    {"a.mp4", "libx264", "qp=0:preset=ultrafast", "yuv420p", FV_CHROMA_420, 8},
    {"a.mov", "libx264", "qp=0:bf=2:preset=fast", "yuv444p", FV_CHROMA_444, 8},
    {"a.mp4", "libx264", "qp=0:preset=ultrafast", "yuv422p10le", FV_CHROMA_422, 10},
    {"a.mkv", "libx265", "x265-params=lossless=1\\:log-level=0", "yuv420p10le", FV_CHROMA_420, 10},
    {"a.y4m", "wrapped_avframe", NULL, "yuv420p", FV_CHROMA_420, 8},
};

static FvSource *open_source(const char *path, const char *reader, int threads)
{
    FvError error = {0};
    FvSource *source;
    if (fv_source_open(&source, &(FvSourceParams){.path = path, .reader = reader, .threads = threads}, &error))
        fail_msg("%s", error.message);
    return source;
}

static void round_trips(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *this = &cases[i];
        if (!video_possible(this->encoder, this->file)) {
            print_message("no encoder %s: %s is left out\n", this->encoder, this->pixels);
            continue;
        }
        /* Sides are odd if the codec and the sample arrangement allow that. */
        bool even =
            !strncmp(this->encoder, "lib", 3) || !strcmp(this->pixels, "uyvy422") || !strcmp(this->encoder, "v210");
        Clip clip = clip_make(even ? 96 : 97, even ? 66 : 67, this->chroma, this->depth, 7);
        if (!strcmp(this->encoder, "v210")) /* v210 allows code values from 4 to 1019 only */
            for (size_t at = 0; at < clip.frame_bytes * clip.frames; at += 2)
                clip.bytes[at + 1] = clip.bytes[at + 1] == 0 ? 1 : clip.bytes[at + 1] == 3 ? 2 : clip.bytes[at + 1];
        const char *path = scratch_path(this->file);
        video_write(path, &clip, this->pixels, this->encoder, this->options);
        for (int threads = 0; threads <= 4; threads += 2) {
            FvSource *source = open_source(path, "libav", threads);
            const FvSourceInfo *info = fv_source_info(source);
            assert_string_equal(info->reader, "libav");
            assert_int_equal(info->format.rate_num, 25);
            assert_int_equal(info->format.rate_den, 1);
            assert_true(info->frames == -1 || info->frames == 7);
            assert_false(info->frames_exact);
            assert_reads(source, &clip);
            fv_source_close(&source);
        }
        clip_free(&clip);
    }
}

/* libavformat's reader of Y4M and fovea's give the same frames. */
static void same_as_y4m(void **state)
{
    static const int depths[] = {8, 9, 10, 12, 14, 16};
    for (FvChroma chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            if (!chroma && depths[i] == 14)
                continue; /* libavformat has no tag for this format */
            Clip clip = clip_make(33, 21, chroma, depths[i], 3);
            const char *path = scratch_path("both.y4m");
            write_y4m(path, &clip, y4m_header(&clip, " F25:1 XCOLORRANGE=FULL"), "FRAME");
            FvSource *source = open_source(path, "libav", 1);
            assert_int_equal(fv_source_info(source)->format.range, FV_RANGE_FULL);
            assert_reads(source, &clip);
            fv_source_close(&source);
            source = open_source(path, NULL, 1);
            assert_string_equal(fv_source_info(source)->reader, "y4m");
            assert_reads(source, &clip);
            fv_source_close(&source);
            clip_free(&clip);
        }
    }
}

static void ranges(void **state)
{
    const char *path = scratch_path("range.mkv");
    for (FvRange range = FV_RANGE_UNKNOWN; range <= FV_RANGE_FULL; range++) {
        Clip clip = clip_make(32, 32, FV_CHROMA_420, 8, 2);
        clip.format.range = range;
        video_write(path, &clip, "yuv420p", "ffv1", NULL);
        FvSource *source = open_source(path, NULL, 0);
        assert_int_equal(fv_source_info(source)->format.range, range);
        assert_reads(source, &clip);
        fv_source_close(&source);
        clip_free(&clip);
    }
    Clip clip = clip_make(32, 32, FV_CHROMA_420, 8, 1);
    clip.format.range = FV_RANGE_FULL;
    path = scratch_path("range.mjpeg");
    video_write(path, &clip, "yuvj420p", "mjpeg", NULL);
    FvSource *source = open_source(path, NULL, 0);
    assert_int_equal(fv_source_info(source)->format.range, FV_RANGE_FULL);
    fv_source_close(&source);
    clip_free(&clip);
}

static void flip(const char *path, int64_t position)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)position, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, (long)position, SEEK_SET), 0);
    fputc(byte ^ 0x40, file);
    fclose(file);
}

static void copy_bytes(const char *from, const char *to, int64_t size, bool append)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, append ? "ab" : "wb");
    assert_true(in && out);
    for (int byte; size-- && (byte = fgetc(in)) != EOF;)
        fputc(byte, out);
    fclose(in);
    fclose(out);
}

/* FFV1 stores a checksum of every slice. The frame that fails must not depend on the number of threads. */
static void damaged_frame(void **state)
{
    Clip clip = clip_make(128, 96, FV_CHROMA_422, 10, 8);
    const char *path = scratch_path("damaged.mkv");
    video_write(path, &clip, "yuv422p10le", "ffv1", "level=3:slicecrc=1");
    int64_t position;
    int size;
    video_packet(path, 5, &position, &size);
    flip(path, position + size / 2);
    for (int threads = 1; threads <= 4; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 5, FV_ERROR_INPUT, path, "frame 5",
                          "damaged", NULL);
    clip_free(&clip);
}

/*
 * HEVC can store a hash of every picture. With frame threads, damage can show while earlier frames are still being
 * decoded; all frames before it must still be delivered.
 */
static void damaged_hash(void **state)
{
    const char *path = scratch_path("hash.mp4");
    if (!video_possible("libx265", path))
        skip();
    Clip clip = clip_make(128, 128, FV_CHROMA_420, 8, 12);
    video_write(path, &clip, "yuv420p", "libx265", "x265-params=hash=1\\:log-level=0\\:keyint=1\\:qp=20");
    int64_t position;
    int size;
    video_packet(path, 7, &position, &size);
    flip(path, position + size * 2 / 3);
    for (int threads = 1; threads <= 4; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 7, FV_ERROR_INPUT, path, "frame 7",
                          NULL);
    clip_free(&clip);
}

/*
 * Changes the second packet of DNxHD, since the first is decoded on opening. The byte after the first one of the
 * first macroblock has the bit 0x10, which states Y'CbCr or RGB.
 */
static void flip_macroblock(const char *path)
{
    int64_t position;
    int size;
    video_packet(path, 1, &position, &size);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)position + 0x281, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, (long)position + 0x281, SEEK_SET), 0);
    fputc(byte ^ 0x10, file);
    fclose(file);
}

/*
 * DNxHD's decoder logs some errors only once per process, yet every reading must have the same result. A colour flag
 * that 4:2:2 does not have changes no sample. RGB in 4:4:4 that is decoded as Y'CbCr is refused.
 */
static void said_once(void **state)
{
    const char *path = scratch_path("once.mov"), *plain = scratch_path("plain.mov");
    if (!video_possible("dnxhd", path))
        skip();
    Clip clip = clip_make(256, 120, FV_CHROMA_422, 8, 2);
    video_write(path, &clip, "yuv422p", "dnxhd", "profile=dnxhr_hq");
    copy_bytes(path, plain, INT64_MAX, false);
    flip_macroblock(path);
    for (int threads = 1; threads <= 4; threads++) {
        FvSource *flagged = open_source(path, NULL, threads), *good = open_source(plain, NULL, threads);
        for (int frame = 0; frame < 2; frame++) {
            FvFrame *pair[2];
            FvError error = {0};
            if (fv_source_read(flagged, &pair[0], &error) || fv_source_read(good, &pair[1], &error))
                fail_msg("%s", error.message);
            for (int y = 0; y < 120; y++)
                assert_memory_equal(pair[0]->data[0] + y * pair[0]->stride[0],
                                    pair[1]->data[0] + y * pair[1]->stride[0], 256);
            fv_frame_unref(&pair[0]);
            fv_frame_unref(&pair[1]);
        }
        fv_source_close(&flagged);
        fv_source_close(&good);
    }
    clip_free(&clip);
    clip = clip_make(256, 120, FV_CHROMA_444, 10, 2);
    video_write(path, &clip, "yuv444p10le", "dnxhd", "profile=dnxhr_444");
    for (int threads = 1; threads <= 4; threads++) {
        FvSource *good = open_source(path, NULL, threads);
        FvFrame *frame;
        FvError error = {0};
        if (fv_source_read(good, &frame, &error))
            fail_msg("%s", error.message);
        fv_frame_unref(&frame);
        fv_source_close(&good);
    }
    flip_macroblock(path);
    for (int threads = 1; threads <= 4; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 1, FV_ERROR_INPUT, path, "frame 1",
                          "RGB", NULL);
    clip_free(&clip);
}

/* Turns the last unit of a packet into one that decoders skip. In MP4 each unit follows its length of four bytes. */
static void lose_slice(const char *path, int64_t position, int size)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    int64_t unit = position;
    for (int64_t next = position; next < position + size;) {
        uint8_t length[4];
        unit = next;
        assert_int_equal(fseek(file, (long)unit, SEEK_SET), 0);
        assert_int_equal(fread(length, 1, 4, file), 4);
        next += 4 + (length[0] << 24 | length[1] << 16 | length[2] << 8 | length[3]);
    }
    assert_true(unit > position);
    assert_int_equal(fseek(file, (long)unit + 4, SEEK_SET), 0);
    fputc(12, file); /* type of filler data */
    fclose(file);
}

/*
 * H.264's decoder replaces a lost slice from other pictures. With threads, the samples then vary from run to run, and
 * neither an error nor the picture's flags report it. Packet 7 is frame 9; frames 7 and 8 refer to it, and the
 * decoder delivers frame 6 after it.
 */
static void lost_slice(void **state)
{
    const char *path = scratch_path("slice.mp4");
    if (!video_possible("libx264", path))
        skip();
    Clip clip = clip_make(128, 128, FV_CHROMA_420, 8, 24);
    video_write(path, &clip, "yuv420p", "libx264",
                "preset=veryfast:bf=2:qp=20:x264-params=slices=4\\:keyint=24\\:b-adapt=0\\:b-pyramid=0");
    int64_t position;
    int size;
    video_packet(path, 7, &position, &size);
    lose_slice(path, position, size);
    for (int threads = 1; threads <= 4; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 6, FV_ERROR_INPUT, path, "frame 6",
                          "damaged", NULL);
    clip_free(&clip);
}

static void cut_files(void **state)
{
    static const char *const files[][3] = {
        {"cut.mkv", "ffv1", NULL},
        {"cut.avi", "ffv1", NULL},
        {"cut.nut", "rawvideo", NULL},
        {"cut.mp4", "libx264", "preset=ultrafast:bf=2:qp=10"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!video_possible(files[i][1], files[i][0]))
            continue;
        Clip clip = clip_make(64, 64, FV_CHROMA_420, 8, 10);
        const char *whole = scratch_path(files[i][0]), *path = scratch_path("part");
        video_write(whole, &clip, "yuv420p", files[i][1], files[i][2]);
        int64_t position;
        int size;
        video_packet(whole, 6, &position, &size);
        /* A cut between two frames shows only in a container with an index. */
        for (int part = 0; part < 2; part++) {
            copy_bytes(whole, path, position + (part ? size / 2 : 0), false);
            FvError error = {0};
            FvSource *source;
            FvFrame *frame;
            int status = fv_source_open(&source, &(FvSourceParams){.path = path}, &error), frames = 0;
            while (!status && !(status = fv_source_read(source, &frame, &error))) {
                frames++;
                fv_frame_unref(&frame);
            }
            bool known = part || !strcmp(files[i][0], "cut.mp4");
            if (known && (status != FV_ERROR_INPUT || !strstr(error.message, path)))
                fail_msg("%s cut: status %d after %d frames: %s", files[i][0], status, frames, error.message);
            if (known && frames > 6)
                fail_msg("%s cut: %d frames", files[i][0], frames);
            fv_source_close(&source);
        }
        clip_free(&clip);
    }
}

static void changing_size(void **state)
{
    Clip first = clip_make(32, 32, FV_CHROMA_420, 8, 2), second = clip_make(48, 32, FV_CHROMA_420, 8, 2);
    first.format.range = second.format.range = FV_RANGE_FULL;
    const char *path = scratch_path("first.mjpeg"), *other = scratch_path("second.mjpeg");
    video_write(path, &first, "yuvj420p", "mjpeg", NULL);
    video_write(other, &second, "yuvj420p", "mjpeg", NULL);
    copy_bytes(other, path, INT64_MAX, true);
    for (int threads = 1; threads <= 4; threads++)
        assert_read_fails(&(FvSourceParams){.path = path, .threads = threads}, 2, FV_ERROR_INPUT, path, "frame 2",
                          "48x32", "32x32", NULL);
    clip_free(&first);
    clip_free(&second);
}

static void refused(void **state)
{
    Clip clip = clip_make(32, 32, FV_CHROMA_444, 8, 1);
    const char *path = scratch_path("refused.nut");
    static const char *const formats[] = {"rgb24", "gbrp", "bgra", "pal8", "monow"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        Clip dark = clip_make(32, 32, FV_CHROMA_400, 8, 1);
        memset(dark.bytes, 0, dark.frame_bytes);
        video_write(path, &dark, formats[i], "rawvideo", NULL);
        assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, formats[i], "convert", NULL);
        clip_free(&dark);
    }
    /* A decoder of uncompressed video passes on samples above the depth. */
    clip_free(&clip);
    clip = clip_make(30, 30, FV_CHROMA_420, 10, 2);
    clip.bytes[clip_offset(&clip, 1, 1, 3, 2) + 1] = 4;
    video_write(path, &clip, "yuv420p10le", "rawvideo", NULL);
    assert_read_fails(&(FvSourceParams){.path = path}, 1, FV_ERROR_INPUT, path, "frame 1", "plane Cb",
                      "column 3, row 2", "10 bits", NULL);
    clip_free(&clip);
    path = scratch_path("noise.bin");
    uint8_t noise[5000];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)(i * i >> 3);
    write_file(path, noise, sizeof noise);
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "raw", NULL);
    /* The file is one second of silence as WAV. */
    static uint8_t wave[44 + 16000] =
        "RIFF\xa4\x3e\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x80\x3e\0";
    path = scratch_path("sound.wav");
    write_file(path, wave, sizeof wave);
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "libav:wav", NULL);
    assert_open_fails(&(FvSourceParams){.path = path, .reader = "libav:wav"}, FV_ERROR_INPUT, path, "no video stream",
                      NULL);
    assert_open_fails(&(FvSourceParams){.path = scratch_path("missing.mkv")}, FV_ERROR_INPUT, "No such file", NULL);
}

/* ProRes packets for a device equal the bytes of the file, even where libavformat has not buffered them. */
static void handed_packets(void **state)
{
    const char *path = scratch_path("handed.mov");
    if (!video_possible("prores_ks", path))
        skip();
    Clip clip = clip_make(640, 352, FV_CHROMA_422, 10, 3);
    video_write(path, &clip, "yuv422p10le", "prores_ks", "profile=3");
    FvSource *source = NULL;
    FvError error = {0};
    assert_int_equal(fv_source_open(&source, &(FvSourceParams){.path = path}, &error), FV_OK);
    source->services.hands_packets = true;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int i = 0; i < 3; i++) {
        FvFrame *frame = NULL;
        int64_t position;
        int size;
        video_packet(path, i, &position, &size);
        assert_true(size > 131072); /* packets are larger than what libavformat buffers */
        uint8_t *bytes = malloc((size_t)size);
        assert_int_equal(fseek(file, (long)position, SEEK_SET), 0);
        assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
        assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
        const FvProresPacket *packet = fv_frame_place(frame)->packet;
        assert_non_null(packet);
        assert_int_equal(packet->size, size);
        assert_memory_equal(packet->memory.bytes, bytes, (size_t)size);
        fv_frame_unref(&frame);
        free(bytes);
    }
    fclose(file);
    fv_source_close(&source);
    clip_free(&clip);
}

/* Lines that libav logs appear in fovea's messages, and never on standard error. */
static void nothing_on_stderr(void **state)
{
    const char *path = scratch_path("stderr.txt");
    int kept = dup(STDERR_FILENO), fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && fd >= 0);
    fflush(stderr);
    dup2(fd, STDERR_FILENO);
    damaged_frame(state);
    cut_files(state);
    refused(state);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    char text[256] = "";
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_true(read(fd, text, sizeof text - 1) >= 0);
    close(fd);
    assert_string_equal(text, "");
}

static void *complain(void *argument)
{
    av_log(NULL, AV_LOG_ERROR, "a thread of a decoder\n");
    return NULL;
}

/* An error that a decoder's thread logs does not count as an error of the demuxer, which reads concurrently. */
static void threads_of_decoders(void **state)
{
    FvLibavLog log = {.threads = true}, other = {.threads = false};
    pthread_t thread;
    fv_libav_log_open(&log);
    fv_libav_log_open(&other);
    fv_libav_log_enter(&log);
    fv_thread_block_signals();
    assert_int_equal(pthread_create(&thread, NULL, complain, NULL), 0);
    fv_thread_restore_signals();
    pthread_join(thread, NULL);
    assert_true(fv_libav_log_complained(&log) && !fv_libav_log_complained_here(&log));
    assert_false(fv_libav_log_complained(&other));
    complain(NULL);
    assert_true(fv_libav_log_complained_here(&log));
    fv_libav_log_clear(&log);
    assert_false(fv_libav_log_complained(&log) || fv_libav_log_complained_here(&log));
    fv_libav_log_leave();
    fv_libav_log_close(&other);
    fv_libav_log_close(&log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(same_as_y4m),
        cmocka_unit_test(ranges),
        cmocka_unit_test(damaged_frame),
        cmocka_unit_test(damaged_hash),
        cmocka_unit_test(lost_slice),
        cmocka_unit_test(said_once),
        cmocka_unit_test(cut_files),
        cmocka_unit_test(changing_size),
        cmocka_unit_test(refused),
        cmocka_unit_test(handed_packets),
        cmocka_unit_test(nothing_on_stderr),
        cmocka_unit_test(threads_of_decoders),
    };
    av_log_set_level(AV_LOG_ERROR); /* encoders log warnings */
    return cmocka_run_group_tests_name("libav", tests, scratch_open, scratch_close);
}
