/* Writes a clip of the vectors as Y4M on standard output. Build: cc -O2 -o synth synth.c */
#include "synth.h"

static int usage(void)
{
    fputs("usage: synth WIDTH HEIGHT 400|420|422|444 8|10|12|16 FRAMES SEED KIND [CHANGE]... > clip.y4m\n"
          "KIND: ref, band, noise, mix, steps, blocks, cells, columns, lines, checks1, checks2, checks8\n"
          "CHANGE: skip N, hold, chroma KIND, quant N, fill PLANE VALUE\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    SynthPlane plane = {0};
    if (argc < 8 || !synth_kind_parse(argv[7], &plane.kind) ||
        !synth_changes_parse(&plane.changes, argc - 8, argv + 8))
        return usage();
    const int width = atoi(argv[1]), height = atoi(argv[2]), chroma = atoi(argv[3]);
    plane.depth = atoi(argv[4]);
    plane.seed = (uint32_t)strtoul(argv[6], NULL, 10);
    if (width < 1 || height < 1 || (chroma != 400 && chroma != 420 && chroma != 422 && chroma != 444) ||
        (plane.depth != 8 && plane.depth != 10 && plane.depth != 12 && plane.depth != 16))
        return usage();
    return synth_write(stdout, width, height, chroma, plane, atoi(argv[5])) ? 0 : 1;
}
