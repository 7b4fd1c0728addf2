/* Frames in order: videos in parts, going to a frame, and which decoders are tried. */
#include "hwdec.h"

#include "input/hwdec/codecs.h"

const Coding codings[CODINGS] = {
    {"libx264", "preset=veryfast:g=13:bf=3:threads=1", "a.mp4", 8, 4, true},
    {"libx264", "preset=veryfast:g=13:bf=3:threads=1", "a.ts", 8, 4, false},
    {"libx264", "preset=veryfast:g=5:bf=0:threads=1", "a.mkv", 8, 4, false},
    {"libx264", "preset=veryfast:threads=1:x264-params=open-gop=1\\:keyint=8\\:bframes=3", "a.mkv", 8, 0, true},
    {"libx264", "preset=veryfast:threads=1:x264-params=interlaced=1\\:keyint=14\\:bframes=2", "a.mp4", 8, 4, false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=0\\:keyint=13\\:bframes=3\\:log-level=none", "a.mp4", 8, 4,
     false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=1\\:keyint=13\\:bframes=3\\:log-level=none", "a.mkv", 8, 1,
     false},
    {"libx265", "preset=ultrafast:x265-params=open-gop=0\\:keyint=16\\:bframes=4\\:log-level=none", "a.mkv", 10, 4,
     false},
    {"libvpx-vp9", "g=13:deadline=realtime:cpu-used=8:lag-in-frames=12:auto-alt-ref=1", "a.mkv", 8, 0, false},
};

/* Puts a message that asks for film grain before the encoder's own text, and shortens that text. */
static bool ask_for_grain(const char *path)
{
    static const uint8_t grain[] = {19, 10, 0x01, 0x20, 0x02, 0x00, 0xff, 0x03, 0xc0, 0x40, 0x20, 0xa0, 5};
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "r+b");
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    size_t text = 32;
    while (text + 16 < count && memcmp(bytes + text, "x264 - core", 11))
        text++;
    /* The payload type 5, its size in several bytes, and an identifier of 16 bytes precede the text. */
    size_t at = text - 17, size = bytes[at];
    while (bytes[--at] == 255)
        size += 255;
    const size_t room = text - 16 + size - (at + sizeof grain), rest = room - 1 - (room - 1) / 256;
    memcpy(bytes + at, grain, sizeof grain);
    at += sizeof grain;
    memset(bytes + at, 255, rest / 255);
    bytes[at + rest / 255] = rest % 255;
    rewind(file);
    const bool written = fwrite(bytes, 1, count, file) == count;
    return !fclose(file) && written;
}

void parts_of_videos(void **state)
{
    for (size_t i = 0; i < CODINGS; i++) {
        const Coding *coding = &codings[i];
        const char *path =
            coding->quick || full ? write_video(coding->name, coding->encoder, coding->options, coding->depth) : NULL;
        if (!path)
            continue;
        Given cpu, gpu;
        fault.opened = 0;
        read_all(&cpu, path, 0, 0);
        assert_int_equal(cpu.count, FRAMES);
        assert_int_equal(fault.opened, 0);
        read_all(&gpu, path, -1, 0);
        assert_same(&cpu, &gpu);
        assert_int_equal(fault.opened, 0);
        for (int decoders = 1; decoders <= 4; decoders++) {
            fault.opened = 0;
            read_all(&gpu, path, decoders, decoders == 2 ? 0 : (size_t)1 << 24);
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
            if (coding->decoders)
                assert_int_equal(fault.opened, decoders < coding->decoders ? decoders : coding->decoders);
        }
    }
}

/* After a seek, decoding begins at that frame, or at the nearest earlier place where the video can be cut. */
void entering(void **state)
{
    static const int64_t frames[] = {30, 31, 13, 0, 60, 26, 59, 12};
    for (size_t i = 0; i < CODINGS; i++) {
        const Coding *coding = &codings[i];
        const char *path =
            coding->quick || full ? write_video(coding->name, coding->encoder, coding->options, coding->depth) : NULL;
        Given cpu;
        if (!path)
            continue;
        read_all(&cpu, path, 0, 0);
        FvSource *source = open_source(path, 3, 1 << 24);
        source->strict = true;
        for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
            FvError error = {0};
            if (fv_source_seek(source, frames[k], &error))
                fail_msg("%s: %s", coding->options, error.message);
            for (int64_t number = frames[k]; number < FRAMES && number < frames[k] + 3; number++) {
                FvFrame *frame;
                int64_t time = -1;
                if (fv_source_read(source, &frame, &error))
                    fail_msg("%s: %s", coding->options, error.message);
                fv_frame_time(frame, &time);
                assert_int_equal(time, cpu.time[number]);
                assert_true(hash_frame(frame) == cpu.hash[number]);
                fv_frame_unref(&frame);
            }
            if (contains(source->decoder, "GPU (") != (source->index.enter_pts != NULL))
                fail_msg("%s: %s", coding->options, source->decoder);
        }
        fv_source_close(&source);
    }
}

/* Frames that the host reads too have all planes, in memory of the host; others have the needed planes only. */
void looked_at(void **state)
{
    static const int64_t frames[] = {0, 33};
    const char *path = write_video("l.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    FvSource *source = open_source(path, 0, 0);
    source->services.planes = 1;
    source->services.whole = (FvSome){.begin = 3, .first = 4, .step = 5, .later = 7, .end = 30};
    use_fakes(source, 2, 1 << 24);
    for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
        FvError error = {0};
        if (fv_source_seek(source, frames[k], &error))
            fail_msg("%s", error.message);
        for (int64_t number = frames[k]; number < FRAMES; number++) {
            FvFrame *frame;
            if (fv_source_read(source, &frame, &error))
                fail_msg("%s", error.message);
            const bool whole = fv_some_has(&source->services.whole, number);
            assert_int_equal(memory_of(frame), whole ? FV_MEMORY_PINNED : FV_MEMORY_DEVICE);
            assert_int_equal(hash_frame(frame) == cpu.hash[number], whole);
            fv_frame_unref(&frame);
        }
    }
    assert_true(contains(source->decoder, "GPU ("));
    fv_source_close(&source);
}

/* The CPU decodes streams whose packets have no times. */
void no_times(void **state)
{
    const char *path = write_video("t.h264", "libx264", "preset=veryfast:g=13:bf=2:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    read_all(&gpu, path, 4, 1 << 20);
    assert_same(&cpu, &gpu);
    assert_true(contains(gpu.decoder, "CPU: "));
}

/* Where NVDEC exists, its frames equal the CPU's, and it decodes every coding that can be made here. */
void on_cuda(void **state)
{
    const char *path = write_video("g.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    FvSource *source = NULL;
    FvError error = {0};
    Given cpu, gpu;
    if (!path || fv_source_open(&source, &(FvSourceParams){.path = path, .device = "cuda"}, &error)) {
        print_message("%s\n", path ? error.message : "libx264 is missing");
        skip();
    }
    read_source(&gpu, &source);
    if (contains(gpu.decoder, "libnvcuvid")) {
        print_message("%s\n", gpu.decoder);
        skip();
    }
    for (size_t i = 0; i < CODINGS; i++) {
        path = write_video(codings[i].name, codings[i].encoder, codings[i].options, codings[i].depth);
        if (!path)
            continue;
        read_all(&cpu, path, 0, 0);
        if (fv_source_open(&source, &(FvSourceParams){.path = path, .device = "cuda"}, &error))
            fail_msg("%s", error.message);
        read_source(&gpu, &source);
        assert_same(&cpu, &gpu);
        if (!contains(gpu.decoder, "GPU ("))
            fail_msg("%s: %s", codings[i].options, gpu.decoder);
    }
}

/* With --device auto, VP9 is decoded on the CPU, because GPUs do not notice damage in VP9's pictures. Callers who
 * name a GPU get it. */
void vp9_on_auto(void **state)
{
    const char *path = write_video("n.mkv", "libvpx-vp9", "g=13:deadline=realtime:cpu-used=8", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    chosen_alone = true;
    fault.opened = 0;
    read_all(&gpu, path, 4, 1 << 20);
    chosen_alone = false;
    assert_same(&cpu, &gpu);
    assert_int_equal(fault.opened, 0);
    assert_true(contains(gpu.decoder, "CPU: GPUs decode damaged VP9"));
    read_all(&gpu, path, 4, 1 << 20);
    assert_true(contains(gpu.decoder, "which does not refuse all damage"));
}

/* The CPU adds film grain and GPUs do not, so frames of a GPU are not used. */
void film_grain(void **state)
{
    const char *path = write_video("g.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given before, cpu, gpu;
    if (!path)
        skip();
    read_all(&before, path, 0, 0);
    assert_true(ask_for_grain(path));
    read_all(&cpu, path, 0, 0);
    assert_int_equal(cpu.count, FRAMES);
    assert_true(cpu.hash[0] != before.hash[0]);
    read_all(&gpu, path, 4, 1 << 20);
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (it asks for film grain, which GPUs leave out)");
}

void what_is_tried(void **state)
{
    static const struct {
        enum AVCodecID codec;
        FvChroma chroma;
        int depth;
        const char *why;
        int profile; /* the codec's profile; 0: one that GPUs decode */
    } cases[] = {
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "", 66 | 1 << 9},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "H.264 of profile 244", 244},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 8, "H.264 of profile 88", 88},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile 4", 4},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 12, "", 4},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile 9", 9},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 8, "HEVC of profile -99", -99},
        {AV_CODEC_ID_H264, FV_CHROMA_420, 10, "H.264 of 10 bits", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_422, 8, "H.264 of 4:2:2", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 12, "", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_422, 10, "HEVC of 4:2:2", 0},
        {AV_CODEC_ID_HEVC, FV_CHROMA_420, 16, "HEVC of 16 bits", 0},
        {AV_CODEC_ID_VP9, FV_CHROMA_420, 10, "", 0},
        {AV_CODEC_ID_AV1, FV_CHROMA_420, 12, "AV1 of 12 bits", 0},
        {AV_CODEC_ID_MPEG2VIDEO, FV_CHROMA_420, 8, "mpeg2video", 0},
        {AV_CODEC_ID_H264, FV_CHROMA_400, 8, "H.264 of 4:0:0", 0},
    };
    const char *path = write_video("w.avi", "mpeg4", NULL, 8);
    char why[64];
    Given given;
    if (!path)
        skip();
    read_all(&given, path, 4, 1 << 20);
    assert_string_equal(given.decoder, "CPU: GPUs do not decode mpeg4");
    path = write_video("w.mp4", "libx264", "qp=0:preset=ultrafast:threads=1", 8);
    if (path)
        read_all(&given, path, 4, 1 << 20);
    if (path)
        assert_string_equal(given.decoder, "CPU: GPUs do not decode H.264 of profile 244");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const FvFormat format = {.width = 64, .height = 64, .chroma = cases[i].chroma, .depth = cases[i].depth};
        const int profile = cases[i].profile ? cases[i].profile : cases[i].codec == AV_CODEC_ID_H264 ? 100 : 1;
        assert_int_equal(fv_hwdec_takes(cases[i].codec, profile, &format, why, sizeof why), !*cases[i].why);
        assert_string_equal(why, cases[i].why);
    }
}
