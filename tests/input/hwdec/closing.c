/* Sources that are closed early, and the ends of videos. */
#include "hwdec.h"

/* After a seek, or after the hardware decoders are taken away, reading continues with the right frame. */
void leaving(void **state)
{
    const char *path = write_video("l.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu;
    FvError error;
    FvFrame *frame;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    FvSource *source = open_source(path, 4, 1 << 20);
    for (int i = 0; i < 40; i++) {
        if (i == 7)
            source->ops->use_hwdec(source, NULL);
        if (i == 20)
            assert_int_equal(fv_source_seek(source, i, &error), FV_OK);
        assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
        assert_true(hash_frame(frame) == cpu.hash[i]);
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    for (int decoders = -1; decoders <= 3; decoders += 4) {
        source = open_source(path, decoders, 1 << 20);
        assert_int_equal(fv_source_seek(source, 30, &error), FV_OK);
        assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
        assert_true(hash_frame(frame) == cpu.hash[30]);
        fv_frame_unref(&frame);
        fv_source_close(&source);
    }
}

/* If the reader states which frame it needs last, parts after it are decoded only when it reads further. */
void ending(void **state)
{
    const char *path = write_video("e.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    for (int all = 0; all < 2; all++) {
        FvSource *source = open_source(path, 0, 0);
        source->ops->use_hwdec(source, &(FvHwdecService){.on_host = true,
                                                         .has_signature = true,
                                                         .room = 1 << 24,
                                                         .decoders = 4,
                                                         .end = 20,
                                                         .ops = &fake_decoder,
                                                         .make = make_frame});
        fault.taken = 0;
        for (int i = 0; i < 20 && !all; i++) {
            FvFrame *frame;
            FvError error;
            assert_int_equal(fv_source_read(source, &frame, &error), FV_OK);
            assert_true(hash_frame(frame) == cpu.hash[i]);
            fv_frame_unref(&frame);
        }
        if (all) {
            read_source(&gpu, &source);
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
        } else {
            /* Closing stops the second part's thread, which has decoded a few frames beyond the twenty read here. */
            fv_source_close(&source);
            assert_in_range(fault.taken, 20, 26);
        }
    }
}
