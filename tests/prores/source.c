/*
 * Tests ProRes files as sources: they deliver the decoder's frames, damage is refused or concealed, and truncated
 * files are refused.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/prores/maker.h"
#include "decode.h"
#include "input/prores/pieces.h"
#include "tap/tap.h"

static Tap tap;
static char path[] = "prores-source-XXXXXX";

enum { FRAMES = 3 };

static const FvProresShape shape = {.width = 70,
                                    .height = 50,
                                    .chroma_444 = true,
                                    .alpha_bits = 16,
                                    .log2_slice = 2,
                                    .coefficients = 9,
                                    .greatest = 30};

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size)
        abort();
    fclose(file);
}

/* Opens a file and reads it to its end or first failure. Counts frames and damaged slices. */
static FvStatus read_all(const FvSourceParams *params, int *frames, int *damaged, FvError *error)
{
    FvSource *source = NULL;
    FvStatus status = fv_source_open(&source, params, error);
    *frames = *damaged = 0;
    while (!status) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, error);
        *frames += !status;
        *damaged += status ? 0 : fv_source_damaged(source, NULL);
        fv_frame_unref(&frame);
    }
    fv_source_close(&source);
    return status;
}

static void expect(const char *name, const FvSourceParams *params, FvStatus status, const char *message, int frames,
                   int damaged)
{
    FvError error = {0};
    char why[1400];
    int got_frames, got_damaged;
    FvStatus got = read_all(params, &got_frames, &got_damaged, &error);
    bool right = got == status && got_frames == frames && got_damaged == damaged &&
                 (!message || (strstr(error.message, message) && strstr(error.message, path)));
    snprintf(why, sizeof why, "status %d, %d frames, %d damaged slices: %s", got, got_frames, got_damaged,
             error.message);
    tap_case(&tap, right, name, why);
}

/* Checks that frames and alpha of a source with `threads` equal those of the decoder alone. */
static void reads_like_the_decoder(const FvProresMaker *maker, size_t frame_bytes, int threads)
{
    FvProresDecoder *decoder = NULL;
    FvSource *source = NULL;
    FvError error = {0};
    FvSourceParams params = {.path = path, .threads = threads, .alpha = true, .raw.depth = 12};
    bool right = !fv_prores_open(&decoder, FV_ISA_SCALAR, 1, &error) && !fv_source_open(&source, &params, &error) &&
                 fv_source_info(source)->alpha && !strcmp(fv_source_info(source)->reader, "icpf");
    for (int i = 0; i < FRAMES && right; i++) {
        Decoded decoded = decode_packet(decoder, maker->bytes + (size_t)i * frame_bytes, frame_bytes, 12),
                other = decoded;
        right = !fv_source_read(source, &other.frame, &error);
        other.alpha = fv_frame_ref(fv_source_alpha(source));
        right = right && decoded_same(&decoded, &other);
        decoded_free(&decoded);
        decoded_free(&other);
    }
    FvFrame *frame = NULL;
    right =
        right && fv_source_read(source, &frame, &error) == FV_END && fv_source_read(source, &frame, &error) == FV_END;
    char name[100];
    snprintf(name, sizeof name, "a file reads like its frames decode, %d threads", threads);
    tap_case(&tap, right, name, error.message);
    fv_source_close(&source);
    fv_prores_close(&decoder);
}

/* Reads a packet in several pieces from within a file, and a packet of which the file has only a part. */
static void reads_in_pieces(int threads)
{
    enum { FILE_BYTES = 1300000, FIRST = 777 };
    static uint8_t bytes[FILE_BYTES], read[FILE_BYTES];
    FvProresMaker random = {.random = 99};
    for (int i = 0; i < FILE_BYTES; i++)
        bytes[i] = (uint8_t)(fv_prores_maker_random(&random) >> 24);
    write_file(bytes, FILE_BYTES);
    static FvStream stream;
    FvPieces *pieces = NULL;
    FvError error = {0};
    size_t whole = 0, part = 0, none = 0;
    memset(read, 0, sizeof read);
    const size_t size = FILE_BYTES - 2 * FIRST;
    bool right = !fv_stream_open(&stream, path, NULL, &error) && !fv_pieces_open(&pieces, threads, &error) &&
                 !fv_pieces_read(pieces, &stream, FIRST, read, size, &whole, &error) && whole == size &&
                 !memcmp(read, bytes + FIRST, size) && !read[size] &&
                 !fv_pieces_read(pieces, &stream, FIRST, read, FILE_BYTES, &part, &error) &&
                 part == FILE_BYTES - FIRST && !memcmp(read, bytes + FIRST, part) &&
                 !fv_pieces_read(pieces, &stream, FILE_BYTES, read, FILE_BYTES, &none, &error) && !none;
    char name[100], why[1200];
    snprintf(name, sizeof name, "a file in pieces, %d threads", threads);
    snprintf(why, sizeof why, "%zu, %zu and %zu bytes %s", whole, part, none, error.message);
    tap_case(&tap, right, name, why);
    fv_pieces_close(&pieces);
    fv_stream_close(&stream);
}

int main(void)
{
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    FvProresMaker maker = {.random = 4711};
    fv_prores_maker_frame(&maker, &shape);
    size_t bytes = maker.used;
    for (int i = 1; i < FRAMES; i++) { /* repeats the frame, so that all frames have the same size */
        fv_prores_maker_frame(&maker, &shape);
        maker.used = (size_t)(i + 1) * bytes;
        memmove(maker.bytes + (size_t)i * bytes, maker.bytes, bytes);
    }
    write_file(maker.bytes, maker.used);
    reads_like_the_decoder(&maker, bytes, 1);
    reads_like_the_decoder(&maker, bytes, 4);
    expect("three frames", &(FvSourceParams){.path = path}, FV_END, NULL, FRAMES, 0);
    expect("depth 8", &(FvSourceParams){.path = path, .raw.depth = 8}, FV_ERROR_USAGE, "10 or 12 bits, not 8", 0, 0);
    expect("a width for raw video", &(FvSourceParams){.path = path, .raw.width = 71}, FV_END, NULL, FRAMES, 0);

    write_file(maker.bytes, maker.used - 1);
    expect("cut in the last frame", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "frame 2 should have", 2, 0);
    write_file(maker.bytes, 2 * bytes + 5);
    expect("cut in a signature", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "frame 2 is not a ProRes frame", 2,
           0);

    uint8_t *second = maker.bytes + bytes, kept = second[8 + 9];
    second[8 + 9]--;
    write_file(maker.bytes, maker.used);
    expect("another width", &(FvSourceParams){.path = path, .conceal = true}, FV_ERROR_INPUT, "frame 1 is 69x50", 1,
           0);
    second[8 + 9] = kept;

    second[28 + 8 + 2 * 8 + 2] = 0xff; /* damages luma of the first slice of frame 1 */
    write_file(maker.bytes, maker.used);
    expect("damage is refused", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "frame 1: 1 of 8 slices", 1, 0);
    expect("damage is concealed when asked", &(FvSourceParams){.path = path, .conceal = true}, FV_END, NULL, FRAMES,
           1);

    second[9] = 19; /* states a wrong size of the frame's header */
    write_file(maker.bytes, maker.used);
    expect("a packet that cannot be decoded", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "frame 1", 1, 0);
    expect("frames behind it when asked", &(FvSourceParams){.path = path, .conceal = true}, FV_END, NULL, FRAMES, 1);

    memcpy(maker.bytes, "\x7f\xff\xff\xff", 4);
    write_file(maker.bytes, maker.used);
    expect("a size of 2 GB", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "the file ends after", 0, 0);
    memcpy(maker.bytes, "\0\0\0\7", 4);
    write_file(maker.bytes, maker.used);
    expect("a size of 7 bytes", &(FvSourceParams){.path = path}, FV_ERROR_INPUT, "frame 0 is not a ProRes frame", 0,
           0);
    expect("an unknown decoder", &(FvSourceParams){.path = path, .decoder = "prores=x"}, FV_ERROR_USAGE, NULL, 0, 0);
    fv_prores_maker_free(&maker);
    reads_in_pieces(1);
    reads_in_pieces(3);
    unlink(path);
    return tap_done(&tap);
}
