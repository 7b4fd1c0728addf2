/*
 * Tests hostile files with libav: nothing but the named file is opened, and every file is refused within limits of
 * time and memory.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavformat/avformat.h>
#include <libavutil/log.h>

#include "video.h"

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void playlists(void **state)
{
    const char *clip_path = scratch_path("clip.mkv"), *path = scratch_path("self.m3u8");
    Clip clip = clip_make(64, 64, FV_CHROMA_420, 8, 3);
    video_write(clip_path, &clip, "yuv420p", "ffv1", NULL);
    write_text(path, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nself.m3u8\n");
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "hls", "libav:hls", NULL);
    path = scratch_path("self.ffconcat");
    write_text(path, "ffconcat version 1.0\nfile 'self.ffconcat'\nfile 'self.ffconcat'\n");
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "concat", "libav:concat", NULL);
    path = scratch_path("show.sdp");
    write_text(path, "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n");
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "libav:sdp", NULL);
    path = scratch_path("list.ffconcat");
    write_text(path, "ffconcat version 1.0\nfile 'clip.mkv'\n");
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "libav:concat", NULL);
    /* A caller who names the format can open local files, but no playlist of another format. */
    FvError error = {0};
    FvSource *source;
    assert_int_equal(fv_source_open(&source, &(FvSourceParams){.path = path, .reader = "libav:concat"}, &error),
                     FV_OK);
    assert_reads(source, &clip);
    fv_source_close(&source);
    write_text(path, "ffconcat version 1.0\nfile 'self.m3u8'\n");
    assert_open_fails(&(FvSourceParams){.path = path, .reader = "libav:concat"}, FV_ERROR_INPUT, path, NULL);
    /* A format without other files can be named, too, and is refused for a file of another format. */
    assert_int_equal(
        fv_source_open(&source, &(FvSourceParams){.path = clip_path, .reader = "libav:matroska"}, &error), FV_OK);
    assert_reads(source, &clip);
    fv_source_close(&source);
    assert_open_fails(&(FvSourceParams){.path = clip_path, .reader = "libav:mov"}, FV_ERROR_INPUT, clip_path, NULL);
    assert_open_fails(&(FvSourceParams){.path = clip_path, .reader = "libav:nothing"}, FV_ERROR_USAGE, "nothing",
                      NULL);
    assert_open_fails(&(FvSourceParams){.path = clip_path, .reader = "libav:"}, FV_ERROR_USAGE, "libav:FORMAT", NULL);
    assert_open_fails(&(FvSourceParams){.path = clip_path, .reader = "y4m:x"}, FV_ERROR_USAGE, "y4m:x", NULL);
    clip_free(&clip);
}

/* A file name with a pattern for numbered pictures names one file. */
static void names(void **state)
{
    Clip clip = clip_make(64, 64, FV_CHROMA_420, 8, 1);
    clip.format.range = FV_RANGE_FULL;
    const char *path = scratch_path("picture%03d.jpg");
    video_write(scratch_path("picture.mjpeg"), &clip, "yuvj420p", "mjpeg", NULL);
    assert_int_equal(rename(scratch_path("picture.mjpeg"), path), 0);
    FvError error = {0};
    FvSource *source;
    if (fv_source_open(&source, &(FvSourceParams){.path = path}, &error))
        fail_msg("%s", error.message);
    fv_source_close(&source);
    clip_free(&clip);
}

/* ---- Pipes ----------------------------------------------------------------------------------------------------- */

typedef struct Writer {
    const char *from, *to;
    long most; /* number of bytes after which the writer stays open but silent */
    int fd;
} Writer;

static void *pour(void *argument)
{
    Writer *writer = argument;
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(writer->from, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    writer->fd = open(writer->to, O_WRONLY);
    size = writer->most && (size_t)writer->most < size ? (size_t)writer->most : size;
    (void)!write(writer->fd, bytes, size);
    if (!writer->most)
        close(writer->fd);
    return NULL;
}

static void pipes(void **state)
{
    static const char *const files[][2] = {{"a.mkv", "ffv1"}, {"a.ts", "libx264"}, {"a.nut", "rawvideo"}};
    const char *pipe = scratch_path("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!video_possible(files[i][1], files[i][0]))
            continue;
        Clip clip = clip_make(96, 64, FV_CHROMA_420, 8, 9);
        const char *path = scratch_path(files[i][0]);
        video_write(path, &clip, "yuv420p", files[i][1], strcmp(files[i][1], "libx264") ? NULL : "qp=0");
        for (int threads = 1; threads <= 4; threads += 3) {
            Writer writer = {.from = path, .to = pipe};
            FvError error = {0};
            FvSource *source;
            pthread_t thread;
            pthread_create(&thread, NULL, pour, &writer);
            if (fv_source_open(&source, &(FvSourceParams){.path = pipe, .threads = threads}, &error))
                fail_msg("%s: %s", files[i][0], error.message);
            assert_reads(source, &clip);
            fv_source_close(&source);
            pthread_join(thread, NULL);
        }
        clip_free(&clip);
    }
}

static void *request_later(void *cancel)
{
    usleep(20000);
    fv_cancel_request(cancel);
    return NULL;
}

/* The writer of a pipe stops within the file's header, or within its frames. */
static void stalling_pipe(void **state)
{
    const char *pipe = scratch_path("stall"), *path = scratch_path("stall.mkv");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    Clip clip = clip_make(64, 64, FV_CHROMA_420, 8, 12);
    video_write(path, &clip, "yuv420p", "ffv1", NULL);
    for (int part = 0; part < 2; part++) {
        Writer writer = {.from = path, .to = pipe, .most = part ? 40000 : 300};
        FvError error = {0};
        FvSource *source;
        FvFrame *frame;
        FvCancel *cancel;
        pthread_t writing, asking;
        assert_int_equal(fv_cancel_open(&cancel, &error), FV_OK);
        pthread_create(&writing, NULL, pour, &writer);
        pthread_create(&asking, NULL, request_later, cancel);
        int status = fv_source_open(&source, &(FvSourceParams){.path = pipe, .cancel = cancel}, &error);
        while (!status && !(status = fv_source_read(source, &frame, &error)))
            fv_frame_unref(&frame);
        if (status != FV_ERROR_PARTIAL || !strstr(error.message, "stopped on request"))
            fail_msg("status %d: %s", status, error.message);
        fv_source_close(&source);
        pthread_join(writing, NULL);
        pthread_join(asking, NULL);
        close(writer.fd);
        fv_cancel_close(&cancel);
    }
    clip_free(&clip);
}

/* A playlist that names itself is opened only because the caller names its format. */
static void endless_playlist(void **state)
{
    const char *path = scratch_path("endless.m3u8");
    FvError error = {0};
    FvSource *source;
    FvCancel *cancel;
    pthread_t asking;
    write_text(path, "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nendless.m3u8\n");
    assert_int_equal(fv_cancel_open(&cancel, &error), FV_OK);
    pthread_create(&asking, NULL, request_later, cancel);
    assert_int_equal(
        fv_source_open(&source, &(FvSourceParams){.path = path, .reader = "libav:hls", .cancel = cancel}, &error),
        FV_ERROR_PARTIAL);
    assert_non_null(strstr(error.message, "stopped on request"));
    assert_null(source);
    pthread_join(asking, NULL);
    fv_cancel_close(&cancel);
}

/* ---- Limits ---------------------------------------------------------------------------------------------------- */

/* MOV tables that claim an enormous size are reported as damage, not as a lack of memory. */
static void damaged_mov(void **state)
{
    static const char *const boxes[] = {"stsd", "stts", "stss", "ctts", "stsc",
                                        "stsz", "stco", "elst", "dref", "hdlr"};
    static uint8_t bytes[1 << 16];
    Clip clip = clip_make(64, 64, FV_CHROMA_420, 8, 6);
    const char *whole = scratch_path("whole.mp4"), *path = scratch_path("damaged.mov");
    if (!video_possible("libx264", whole))
        skip();
    video_write(whole, &clip, "yuv420p", "libx264", "bf=2");
    FILE *file = fopen(whole, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    int found = 0, refused = 0;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        uint8_t *box = memmem(bytes, size, boxes[i], 4);
        for (int at = -4; box && at < 24; at += at == -1 ? 5 : 1) {
            const uint8_t kept = box[at];
            for (int value = 0x7f; value <= 0xff; value += 0x80) {
                FvError error = {0};
                FvSource *source;
                FvFrame *frame;
                box[at] = (uint8_t)value;
                write_file(path, bytes, size);
                int status = fv_source_open(&source, &(FvSourceParams){.path = path, .threads = 1}, &error);
                while (!status && !(status = fv_source_read(source, &frame, &error)))
                    fv_frame_unref(&frame);
                fv_source_close(&source);
                if (status != FV_END && status != FV_ERROR_INPUT)
                    fail_msg("%s, byte %d: status %d: %s", boxes[i], at, status, error.message);
                refused += status == FV_ERROR_INPUT;
            }
            box[at] = kept;
        }
        found += box != NULL;
    }
    assert_true(found >= 7 && refused >= 50);
    clip_free(&clip);
}

/* A JPEG of a few hundred bytes states a size of 20000x20000. Refusing it must not touch the 600 MB of its
 * picture. */
static void giant_picture(void **state)
{
    static uint8_t bytes[1 << 16];
    Clip clip = clip_make(16, 16, FV_CHROMA_420, 8, 1);
    const char *path = scratch_path("giant.mjpeg");
    video_write(path, &clip, "yuvj420p", "mjpeg", NULL);
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *start = memmem(bytes, size, "\xff\xc0", 2);
    assert_non_null(start);
    memcpy(start + 5, (uint8_t[]){20000 >> 8, 20000 & 255, 20000 >> 8, 20000 & 255}, 4);
    write_file(path, bytes, size);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_open_fails(&(FvSourceParams){.path = path, .threads = 1}, FV_ERROR_INPUT, path,
                      "a size that no decoder takes", NULL);
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 100 << 10); /* in KiB */
    clip_free(&clip);
}

/* Writes a file of streams with one broken packet each. The first stream has `extradata` bytes for its decoder. */
static void write_streams(const char *path, int count, int extradata)
{
    AVFormatContext *muxer = NULL;
    assert_true(avformat_alloc_output_context2(&muxer, NULL, NULL, path) >= 0);
    for (int i = 0; i < count; i++) {
        AVStream *stream = avformat_new_stream(muxer, NULL);
        AVCodecParameters *codec = stream->codecpar;
        codec->codec_type = AVMEDIA_TYPE_VIDEO;
        codec->codec_id = AV_CODEC_ID_FFV1;
        codec->width = codec->height = 16;
        codec->extradata_size = i ? 0 : extradata;
        codec->extradata = av_mallocz((size_t)extradata + AV_INPUT_BUFFER_PADDING_SIZE);
        stream->time_base = (AVRational){1, 25};
    }
    assert_true(avio_open(&muxer->pb, path, AVIO_FLAG_WRITE) >= 0);
    assert_true(avformat_write_header(muxer, NULL) >= 0);
    AVPacket *packet = av_packet_alloc();
    for (int i = 0; i < count; i++) {
        assert_true(av_new_packet(packet, 8) >= 0);
        memset(packet->data, 0, 8);
        packet->stream_index = i;
        packet->pts = packet->dts = 0;
        assert_true(av_write_frame(muxer, packet) >= 0);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    assert_true(av_write_trailer(muxer) >= 0);
    avio_closep(&muxer->pb);
    avformat_free_context(muxer);
}

static void streams(void **state)
{
    const char *path = scratch_path("streams.mov");
    write_streams(path, 300, 0);
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "256", NULL);
    path = scratch_path("streams.mkv");
    write_streams(path, 2, 2 << 20);
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "stream 0", "2097152", NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(playlists),
        cmocka_unit_test(names),
        cmocka_unit_test(pipes),
        cmocka_unit_test(stalling_pipe),
        cmocka_unit_test(endless_playlist),
        cmocka_unit_test(damaged_mov),
        cmocka_unit_test(giant_picture),
        cmocka_unit_test(streams),
    };
    av_log_set_level(AV_LOG_FATAL); /* encoders and muxers log warnings */
    return cmocka_run_group_tests_name("container", tests, scratch_open, scratch_close);
}
