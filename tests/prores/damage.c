/*
 * Tests the decoder with damaged frames: it refuses them with a message, or conceals and counts the damage, the same
 * on every instruction set. Part one breaks one field of a valid frame at a time; part two is a corpus of mutated
 * frames.
 *
 *     test-prores-damage [--seed NUMBER] [--mutations NUMBER] FOLDER
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "codec/prores/maker.h"
#include "decode.h"
#include "file.h"
#include "tap/tap.h"

static Tap tap;
static FvProresDecoder *decoders[FV_ISA_COUNT];

/* Decodes on all instruction sets. Fills `why` if they do not agree. */
static Decoded decode_all(const uint8_t *packet, size_t size, int depth, char *why, size_t why_size)
{
    Decoded reference = decode_packet(decoders[FV_ISA_SCALAR], packet, size, depth);
    *why = 0;
    for (FvIsa isa = FV_ISA_SCALAR + 1; isa < FV_ISA_COUNT && !*why; isa++) {
        if (!decoders[isa])
            continue;
        Decoded other = decode_packet(decoders[isa], packet, size, depth);
        if (!decoded_same(&reference, &other))
            snprintf(why, why_size, "%s differs from scalar: status %d and %d, %d and %d damaged slices",
                     fv_isa_name(isa), other.status, reference.status, other.damage.damaged,
                     reference.damage.damaged);
        decoded_free(&other);
    }
    return reference;
}

/* ---- One wrong field --------------------------------------------------------------------------------------------
 */

/* The frame that each edit starts from: 48x40, 4:2:2, with 3 rows of a slice of two macroblocks and a slice of
 * one. */
static const FvProresShape small = {
    .width = 48, .height = 40, .log2_slice = 1, .scale = 4, .coefficients = 10, .greatest = 9};
enum { HEADER = 8, PICTURE = 28, TABLE = 36, SLICES = 6, FIRST_SLICE = TABLE + 2 * SLICES };

typedef struct Edit {
    int at, value; /* below 0: removes -at bytes from the end of the packet */
} Edit;

typedef struct Wrong {
    const char *name;
    Edit edit[4];        /* ends with two zeros */
    const char *message; /* part of the message of a refusal; NULL: the damage is concealed */
    int damaged;         /* number of damaged slices that are concealed */
} Wrong;

static const Wrong wrongs[] = {
    {"nothing", {{0}}, NULL, 0},
    {"frame size field", {{0, 9}, {3, 1}}, NULL, 0},
    {"no signature", {{4, 'x'}}, "does not start with a frame", 0},
    {"header longer than the packet", {{HEADER, 0xff}}, "the frame header has", 0},
    {"header too short", {{HEADER + 1, 19}}, "the frame header has 19 bytes; it needs 20", 0},
    {"matrix flagged, header too short", {{HEADER + 19, 1}}, "it needs 84", 0},
    {"version 2", {{HEADER + 3, 2}}, "version 2", 0},
    {"version 0", {{HEADER + 3, 0}}, NULL, 0},
    {"width 0", {{HEADER + 9, 0}}, "0x40", 0},
    {"height 0", {{HEADER + 11, 0}}, "48x0", 0},
    {"65535 wide", {{HEADER + 8, 255}, {HEADER + 9, 255}}, "65535x40", 0},
    {"16384 high", {{HEADER + 10, 64}, {HEADER + 11, 0}}, "table of 2048 slices", 0},
    {"alpha type 3", {{HEADER + 17, 3}}, "alpha type 3", 0},
    {"reserved bits", {{HEADER + 17, 0xf0}, {HEADER + 18, 0xff}, {HEADER + 12, 0xb3}}, NULL, 0},
    {"chroma format 1", {{HEADER + 12, 0x40}}, NULL, 0},
    {"alpha that is not there", {{HEADER + 17, 2}}, NULL, 0},
    {"picture header too short", {{PICTURE, 7 << 3}}, "the picture header has 7 bytes", 0},
    {"picture longer than the packet", {{PICTURE + 1, 1}}, "the picture has", 0},
    {"picture shorter than its table", {{PICTURE + 3, 0}, {PICTURE + 4, 19}}, "the picture has 19 bytes", 0},
    {"slice count field", {{PICTURE + 5, 1}, {PICTURE + 6, 77}}, NULL, 0},
    {"slices 16 wide", {{PICTURE + 7, 4 << 4}}, "2^4 by 2^0", 0},
    {"slices 2 high", {{PICTURE + 7, 1 << 4 | 1}}, "2^1 by 2^1", 0},
    {"slice of 5 bytes", {{TABLE, 0}, {TABLE + 1, 5}}, "slice 0 of 6 has 5 bytes", 0},
    {"slice behind the packet", {{TABLE + 2 * SLICES - 2, 0xff}}, "slice 5 of 6 has", 0},
    {"packet cut", {{-1, 0}}, "the picture has", 0},
    {"packet cut to its signature", {{-100000, 0}}, "packet of 8 bytes", 0},
    {"slice header of 5 bytes", {{FIRST_SLICE, 5 << 3}}, NULL, 1},
    {"slice header of 31 bytes, data cut",
     {{FIRST_SLICE, 31 << 3}, {FIRST_SLICE + 6, 0}, {FIRST_SLICE + 7, 255}},
     NULL,
     1},
    {"luma longer than the slice", {{FIRST_SLICE + 2, 0xff}}, NULL, 1},
    {"cb longer than the slice", {{FIRST_SLICE + 4, 0xff}}, NULL, 1},
    {"cr longer than the slice", {{FIRST_SLICE + 6, 0xff}}, NULL, 1},
    {"codeword too long",
     {{FIRST_SLICE + 8, 0}, {FIRST_SLICE + 9, 0}, {FIRST_SLICE + 10, 0}, {FIRST_SLICE + 11, 0}},
     NULL,
     1},
};

static void one_wrong_field(const Wrong *wrong)
{
    FvProresMaker maker = {.random = 12345};
    fv_prores_maker_frame(&maker, &small);
    size_t size = maker.used;
    for (const Edit *edit = wrong->edit; edit->at || edit->value; edit++)
        if (edit->at >= 0)
            maker.bytes[edit->at] = (uint8_t)edit->value;
        else
            size = size > 8 + (size_t)-edit->at ? size - (size_t)-edit->at : 8;
    char why[1200], name[200];
    Decoded decoded = decode_all(maker.bytes, size, 10, why, sizeof why);
    if (*why)
        ;
    else if (wrong->message && (decoded.status != FV_ERROR_INPUT || !strstr(decoded.error.message, wrong->message)))
        snprintf(why, sizeof why, "status %d, '%s' lacks '%s'", decoded.status, decoded.error.message,
                 wrong->message);
    else if (!wrong->message && decoded.status)
        snprintf(why, sizeof why, "refused: %s", decoded.error.message);
    else if (!wrong->message && decoded.damage.damaged != wrong->damaged)
        snprintf(why, sizeof why, "%d damaged slices, not %d", decoded.damage.damaged, wrong->damaged);
    snprintf(name, sizeof name, "wrong field: %s", wrong->name);
    tap_case(&tap, !*why, name, why);
    decoded_free(&decoded);
    fv_prores_maker_free(&maker);
}

/* In a damaged slice, samples of the damaged component and of the components after it are 0. Components before it are
 * undamaged. */
static void concealment(void)
{
    FvProresMaker maker = {.random = 12345};
    fv_prores_maker_frame(&maker, &small);
    Decoded good = decode_packet(decoders[FV_ISA_SCALAR], maker.bytes, maker.used, 10);
    uint8_t *slice = maker.bytes + FIRST_SLICE;
    memset(slice + 8 + fv_be16(slice + 2), 0, 4); /* breaks the first codewords of Cb */
    Decoded bad = decode_packet(decoders[FV_ISA_SCALAR], maker.bytes, maker.used, 10);
    bool right = !good.status && !bad.status && bad.damage.damaged == 1;
    for (int plane = 0; plane < 3 && right; plane++)
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < (plane ? 24 : 48); x++) {
                int a = ((const uint16_t *)(good.frame->data[plane] + y * good.frame->stride[plane]))[x];
                int b = ((const uint16_t *)(bad.frame->data[plane] + y * bad.frame->stride[plane]))[x];
                right &= b == (plane && y < 16 && x < 16 ? 0 : a);
            }
    tap_case(&tap, right, "damage in Cb leaves luma and zeroes Cb and Cr of its slice", NULL);
    decoded_free(&good);
    decoded_free(&bad);
    fv_prores_maker_free(&maker);
}

/* An interlaced frame that ends after its first field gets a second field of zeros. */
static void missing_field(void)
{
    FvProresShape frame = small;
    frame.interlaced = frame.bottom_first = true;
    frame.alpha_bits = 8;
    FvProresMaker maker = {.random = 99};
    fv_prores_maker_frame(&maker, &frame);
    size_t size = PICTURE + fv_be32(maker.bytes + PICTURE + 1);
    char why[1200];
    Decoded decoded = decode_all(maker.bytes, size, 12, why, sizeof why);
    bool right = !decoded.status && decoded.damage.field_missing;
    for (int y = 0; y < 40 && right; y++) {
        int luma = ((const uint16_t *)(decoded.frame->data[0] + y * decoded.frame->stride[0]))[3];
        int alpha = ((const uint16_t *)(decoded.alpha->data[0] + y * decoded.alpha->stride[0]))[3];
        right &= y % 2 ? luma >= 4 : luma == 0 && alpha == 0;
    }
    tap_case(&tap, right && !*why, "missing second field is zero and reported", why);
    decoded_free(&decoded);
    fv_prores_maker_free(&maker);
}

static void all_slices_damaged(void)
{
    FvProresMaker maker = {.random = 7};
    FvProresShape frame = small;
    frame.width = frame.height = 16;
    fv_prores_maker_frame(&maker, &frame);
    maker.bytes[TABLE + 2] = 0;
    char why[1200];
    Decoded decoded = decode_all(maker.bytes, maker.used, 10, why, sizeof why);
    bool right = decoded.status == FV_ERROR_INPUT && strstr(decoded.error.message, "all 1 slices");
    tap_case(&tap, right && !*why, "a picture of damaged slices only is refused", *why ? why : decoded.error.message);
    decoded_free(&decoded);
    fv_prores_maker_free(&maker);
}

/* ---- Mutated frames ---------------------------------------------------------------------------------------------
 */

static void mutate(FvProresMaker *random, uint8_t *bytes, size_t *size)
{
    for (int edits = 1 + (int)(fv_prores_maker_random(random) % 4); edits; edits--) {
        uint32_t r = fv_prores_maker_random(random);
        size_t span = r & 64 && *size > 64 ? 64 : *size; /* half of the edits hit headers */
        uint8_t *at = bytes + fv_prores_maker_random(random) % span;
        switch (r % 5) {
        case 0:
            *at ^= (uint8_t)(1 << (r >> 8) % 8);
            break;
        case 1:
            *at = (uint8_t)(r >> 8);
            break;
        case 2:
            *at = r & 256 ? 0 : 255;
            break;
        case 3:
            memset(at, r & 256 ? 0 : (int)(r >> 9),
                   (r >> 16) % 16 < (size_t)(bytes + *size - at) ? (r >> 16) % 16 : 1);
            break;
        default:
            if (r % 3 == 0)
                *size = 1 + fv_prores_maker_random(random) % *size;
        }
    }
}

/* Returns the number of mutations that were decoded. */
static int mutate_packet(FvProresMaker *random, const uint8_t *packet, size_t size, int mutations, char *why,
                         size_t why_size)
{
    int decoded_count = 0;
    uint8_t *copy = malloc(size);
    *why = 0;
    for (int i = 0; i < mutations && !*why; i++) {
        memcpy(copy, packet, size);
        size_t bytes = size;
        mutate(random, copy, &bytes);
        Decoded decoded = decode_all(copy, bytes, i % 2 ? 12 : 10, why, why_size);
        decoded_count += !decoded.status;
        decoded_free(&decoded);
    }
    free(copy);
    return decoded_count;
}

static void mutate_made(FvProresMaker *random, int mutations)
{
    char why[1200], name[200];
    for (int i = 0; i < 24; i++) {
        FvProresMaker maker = {.random = fv_prores_maker_random(random) | 1};
        FvProresShape frame = {.width = 1 + (int)(fv_prores_maker_random(random) % 150),
                               .height = 1 + (int)(fv_prores_maker_random(random) % 70),
                               .chroma_444 = i & 1,
                               .interlaced = i & 2,
                               .bottom_first = i & 4,
                               .matrices = i & 8,
                               .alpha_bits = 8 * (i % 3),
                               .log2_slice = i % 4,
                               .coefficients = 1 + i,
                               .greatest = 1 << i % 16};
        fv_prores_maker_frame(&maker, &frame);
        Decoded whole = decode_all(maker.bytes, maker.used, 10, why, sizeof why);
        snprintf(name, sizeof name, "made frame %d: %dx%d, whole", i, frame.width, frame.height);
        tap_case(&tap, !*why && !whole.status && !whole.damage.damaged, name, *why ? why : whole.error.message);
        decoded_free(&whole);
        mutate_packet(random, maker.bytes, maker.used, mutations, why, sizeof why);
        snprintf(name, sizeof name, "made frame %d: %d mutations", i, mutations);
        tap_case(&tap, !*why, name, why);
        fv_prores_maker_free(&maker);
    }
}

static int ordinary(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void mutate_clips(FvProresMaker *random, const char *folder, int mutations)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, ordinary, alphasort);
    for (int i = 0; i < count; i++) {
        File file;
        char why[1200] = "", name[400];
        const uint8_t *packet;
        size_t at = 0, size;
        if (file_read(&file, folder, entries[i]->d_name) && file_packet(&file, &at, &packet, &size)) {
            int decoded = mutate_packet(random, packet, size, mutations, why, sizeof why);
            snprintf(name, sizeof name, "%s: %d mutations, %d decoded", entries[i]->d_name, mutations, decoded);
            tap_case(&tap, !*why, name, why);
        }
        file_free(&file);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    FvProresMaker random = {.random = 20260101};
    int mutations = 24;
    for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2) {
        if (!strcmp(argv[1], "--seed"))
            random.random = (uint32_t)strtoul(argv[2], NULL, 0) | 1;
        else
            mutations = atoi(argv[2]);
    }
    for (FvIsa isa = FV_ISA_SCALAR; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa) && fv_prores_open(&decoders[isa], isa, 1, NULL))
            return 1;
    printf("# seed %u\n", random.random);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        one_wrong_field(&wrongs[i]);
    concealment();
    missing_field();
    all_slices_damaged();
    mutate_made(&random, mutations);
    if (argc > 1)
        mutate_clips(&random, argv[1], mutations);
    for (FvIsa isa = FV_ISA_SCALAR; isa < FV_ISA_COUNT; isa++)
        fv_prores_close(&decoders[isa]);
    return tap_done(&tap);
}
