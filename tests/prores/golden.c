/*
 * Tests that every clip of clips.txt gives frames with the listed MD5 sums, on every instruction set and with several
 * threads.
 *
 *     test-prores-golden CLIPS.txt FOLDER [FOLDER ...]
 *
 * Each folder is searched for a clip by its name, and by its name with the ending .icpf.
 */
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "file.h"
#include "image/md5.h"
#include "tap/tap.h"

enum { MAX_FRAMES = 16, THREADS = 3 };

typedef struct Clip {
    char *name;
    int depth, frames;
    char *md5[MAX_FRAMES];
} Clip;

static bool parse(Clip *clip, char *line)
{
    char *place = NULL, *depth;
    clip->frames = 0;
    clip->name = strtok_r(line, " \n", &place);
    depth = strtok_r(NULL, " \n", &place);
    for (char *word; (word = strtok_r(NULL, " \n", &place)) && clip->frames < MAX_FRAMES;)
        clip->md5[clip->frames++] = word;
    clip->depth = depth ? atoi(depth) : 0;
    return clip->frames > 0;
}

static bool find(File *file, const Clip *clip, char **folders, int count)
{
    char raw[256];
    snprintf(raw, sizeof raw, "%.*s.icpf", (int)strcspn(clip->name, "."), clip->name);
    for (int i = 0; i < count; i++) {
        if (file_read(file, folders[i], clip->name))
            return true;
        file_free(file);
        if (file_read(file, folders[i], raw))
            return true;
        file_free(file);
    }
    return false;
}

/* Describes the first wrong frame in `why`, or sets `why` to "" if all frames are right. */
static void check(const Clip *clip, const File *file, FvProresDecoder *decoder, char *why, size_t size)
{
    size_t at = 0, bytes;
    const uint8_t *packet;
    int frame = 0;
    for (*why = 0; !*why && file_packet(file, &at, &packet, &bytes); frame++) {
        Decoded decoded = decode_packet(decoder, packet, bytes, clip->depth);
        char md5[MD5_TEXT] = "";
        if (decoded.status)
            snprintf(why, size, "frame %d: %s", frame, decoded.error.message);
        else if (decoded.damage.damaged)
            snprintf(why, size, "frame %d: %d slices are damaged", frame, decoded.damage.damaged);
        else if (frame < clip->frames &&
                 strcmp(md5_frames(md5, (const FvFrame *[]){decoded.frame, decoded.alpha}, 2), clip->md5[frame]))
            snprintf(why, size, "frame %d: MD5 is %s, not %s", frame, md5, clip->md5[frame]);
        decoded_free(&decoded);
    }
    if (!*why && frame != clip->frames)
        snprintf(why, size, "%d frames instead of %d", frame, clip->frames);
}

int main(int argc, char **argv)
{
    FILE *list = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!list) {
        fprintf(stderr, "usage: test-prores-golden CLIPS.txt FOLDER [FOLDER ...]\n");
        return 2;
    }
    if (!md5_available()) {
        printf("1..0 # SKIP this build has no Nettle for MD5\n");
        fclose(list);
        return 0;
    }
    Tap tap = {0};
    char line[4096], name[300], why[1200];
    for (Clip clip; fgets(line, sizeof line, list) && parse(&clip, line);) {
        File file;
        if (!find(&file, &clip, argv + 2, argc - 2)) {
            tap_skip(&tap, clip.name, "not here");
            continue;
        }
        for (FvIsa isa = FV_ISA_SCALAR; isa < FV_ISA_COUNT; isa++) {
            FvProresDecoder *decoder = NULL;
            if (!fv_isa_usable(isa))
                continue;
            int threads = isa == fv_isa_best() ? THREADS : 1;
            snprintf(name, sizeof name, "%s %s, %d threads", clip.name, fv_isa_name(isa), threads);
            if (fv_prores_open(&decoder, isa, threads, NULL))
                snprintf(why, sizeof why, "no decoder");
            else
                check(&clip, &file, decoder, why, sizeof why);
            tap_case(&tap, !*why, name, why);
            fv_prores_close(&decoder);
        }
        file_free(&file);
    }
    fclose(list);
    return tap_done(&tap);
}
