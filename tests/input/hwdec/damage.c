/* Decoders that fail, and damaged videos. */
#include "hwdec.h"

/* If a hardware decoder fails, the frames still equal the CPU's, and the source names the CPU as its decoder. */
void failures(void **state)
{
    const char *path = write_video("f.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    fault.open = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.open = false;
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (no fake)");
    fault.memory = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.memory = false;
    assert_same(&cpu, &gpu);
    assert_string_equal(gpu.decoder, "CPU: the GPU fails (no memory)");
    fault.loses = true;
    read_all(&gpu, path, 4, 1 << 20);
    fault.loses = false;
    assert_same(&cpu, &gpu);
    assert_true(contains(gpu.decoder, "is shown at another time than its packets state"));
    for (int picture = 1; picture < FRAMES; picture += full ? 1 : 19)
        for (int decoders = 1; decoders <= 4; decoders += 3) {
            fault.picture = picture;
            fault.taken = 0;
            read_all(&gpu, path, decoders, 0);
            fault.picture = 0;
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "CPU"));
        }
}

/*
 * Decoders that can be opened decode all parts, while others are not open yet, or cannot be opened. The least room
 * lets one decoder hold the end of a part and begin the next.
 */
void some_decoders(void **state)
{
    const char *path = write_video("s.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    read_all(&cpu, path, 0, 0);
    for (int room = 0; room < 2; room++)
        for (int many = 1; many < 4; many++) {
            fault.only = many;
            read_all(&gpu, path, 4, (size_t)room << 24);
            fault.only = 0;
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
            fault.taken = 0;
            fault.late = 13 * many + 5;
            read_all(&gpu, path, 4, (size_t)room << 24);
            fault.late = 0;
            assert_same(&cpu, &gpu);
            assert_true(contains(gpu.decoder, "GPU ("));
        }
}

/* Hardware decoders and the CPU refuse damage at the same frame, with the same message. */
void damage(void **state)
{
    const char *path = write_video("d.mp4", "libx264", "preset=veryfast:g=13:bf=3:threads=1:qp=10", 8);
    Given cpu, gpu;
    if (!path)
        skip();
    for (int number = 13; number < 40; number += 13) {
        int64_t position;
        int size;
        video_packet(path, number, &position, &size);
        FILE *file = fopen(path, "r+b");
        fseek(file, (long)position + size / 3, SEEK_SET);
        for (int i = 0; i < size / 3; i++)
            fputc(0x55 + 37 * i, file);
        fclose(file);
        read_all(&cpu, path, 0, 0);
        assert_int_equal(cpu.status, FV_ERROR_INPUT);
        for (int decoders = -1; decoders <= 4; decoders += decoders < 0 ? 4 : 1) {
            read_all(&gpu, path, decoders, 1 << 20);
            assert_same(&cpu, &gpu);
        }
    }
}
