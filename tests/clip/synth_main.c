/* Writes a clip of synth.h as Y4M on standard output, for test scripts. */
#include <stdlib.h>

#include "synth.h"

int main(int argc, char **argv)
{
    SynthClip clip = {0};
    if (argc != 8 || !synth_kind_parse(argv[7], &clip.kind)) {
        fputs("usage: synth WIDTH HEIGHT 400|420|422|444 8|10|12|16 FRAMES SEED KIND > clip.y4m, KIND being ref, "
              "band, noise, mix, steps, blocks or cells\n",
              stderr);
        return 2;
    }
    int chroma = atoi(argv[3]);
    clip.width = atoi(argv[1]);
    clip.height = atoi(argv[2]);
    clip.chroma = chroma == 400   ? FV_CHROMA_400
                  : chroma == 420 ? FV_CHROMA_420
                  : chroma == 422 ? FV_CHROMA_422
                                  : FV_CHROMA_444;
    clip.depth = atoi(argv[4]);
    clip.seed = strtoul(argv[6], NULL, 10);
    return synth_write_y4m(&clip, atoi(argv[5]), stdout) ? 0 : 1;
}
