/*
 * Tests the search for mistakes in a pair of videos (src/doubt): its measures equal those of the reference program,
 * to the bit, and its findings are the same.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "align/reverse.h"
#include "clip/synth.h"
#include "doubt/findings.h"
#include "tap/tap.h"

#define LINE 4096
#define MOST 200

typedef struct Case {
    char name[LINE], modification[64];
    SynthClip clip[2];
    int frames[2], list[MOST];
    char *expected, *found; /* expected and found lines */
    size_t expected_size, found_size;
} Case;

/* ---- Modifications of the distorted video ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    int matrix[3][3]; /* coefficients in units of 2^-14 */
} matrices[] = {
    {"m601", {{16384, 1627, 3141}, {0, 16218, -1813}, {0, -1187, 16112}}},
    {"m709", {{16384, -1893, -3407}, {0, 16689, 1878}, {0, 1230, 16799}}},
    {"m2020", {{16384, -272, 1543}, {0, 16307, -839}, {0, 189, 16427}}},
    {"saturation", {{16384, 0, 0}, {0, 8192, 0}, {0, 0, 8192}}},
    {"hue", {{16384, 0, 0}, {0, 8192, -14189}, {0, 14189, 8192}}},
    {"level", {{13107, 0, 0}, {0, 16384, 0}, {0, 0, 16384}}},
};

static int get(const FvFrame *frame, int plane, int x, int y)
{
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static void set(FvFrame *frame, int plane, int x, int y, int value)
{
    uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    const int most = (1 << frame->format.depth) - 1, clipped = value < 0 ? 0 : value > most ? most : value;
    if (frame->format.depth == 8)
        row[x] = (uint8_t)clipped;
    else
        ((uint16_t *)row)[x] = (uint16_t)clipped;
}

static int divide_down(int a, int b)
{
    return a / b - (a % b < 0);
}

static int squeeze(int v, int plane, int k)
{
    return plane ? 128 * k + divide_down(2 * 224 * (v - 128 * k) + 255, 510) : (2 * 219 * v + 255) / 510 + 16 * k;
}

static int stretch(int v, int plane, int k)
{
    return plane ? 128 * k + divide_down(2 * 255 * (v - 128 * k) + 224, 448)
                 : divide_down(2 * 255 * (v - 16 * k) + 219, 438);
}

static int clip(int v, int depth)
{
    const int most = (1 << depth) - 1;
    return v < 0 ? 0 : v > most ? most : v;
}

static int change(const char *how, int v, int plane, int depth)
{
    const int k = 1 << (depth - 8);
    if (!strcmp(how, "squeezed"))
        return squeeze(v, plane, k);
    if (!strcmp(how, "squeezed twice"))
        return squeeze(clip(squeeze(v, plane, k), depth), plane, k);
    if (!strcmp(how, "stretched"))
        return stretch(v, plane, k);
    if (!strcmp(how, "negative") || (!strcmp(how, "negative luma") && !plane) ||
        (!strcmp(how, "negative Cb") && plane == 1))
        return plane ? 256 * k - v : 251 * k - v;
    if ((!strcmp(how, "no chroma") && plane) || (!strcmp(how, "no Cb") && plane == 1))
        return 128 * k;
    if (!strcmp(how, "tone") && !plane)
        return v * (512 * k - v) / (256 * k);
    return v;
}

static void modify(FvFrame *to, const FvFrame *from, const char *how)
{
    const int depth = from->format.depth, k = 1 << (depth - 8);
    const bool swapped = !strcmp(how, "swapped"), fields = !strcmp(how, "fields");
    for (int plane = 0; plane < fv_format_planes(&from->format); plane++) {
        int width, height;
        fv_format_plane_size(&from->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int v = get(from, swapped && plane ? 3 - plane : plane, x, fields && y < height / 2 * 2 ? y ^ 1 : y);
                if (!strcmp(how, "line") && !plane)
                    v = get(from, 0, x, y ? y - 1 : 0);
                if (!strcmp(how, "bar") && !plane && y < 3)
                    v = 16 * k;
                for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++)
                    if (!strcmp(how, matrices[m].name)) {
                        const int *row = matrices[m].matrix[plane];
                        const int sum = row[0] * (get(from, 0, x, y) - 16 * k) +
                                        row[1] * (get(from, 1, x, y) - 128 * k) +
                                        row[2] * (get(from, 2, x, y) - 128 * k);
                        v = ((sum + 8192) >> 14) + (plane ? 128 * k : 16 * k);
                    }
                set(to, plane, x, y, change(how, v, plane, depth));
            }
    }
}

static FvFrame *frame_of(const Case *this, int side, int number)
{
    FvFrame *frame = synth_frame(&this->clip[side], side ? this->list[number] : number), *changed = NULL;
    if (!frame || (side && !(changed = synth_frame(&this->clip[side], 0))))
        exit(fprintf(stderr, "out of memory\n"));
    if (!side)
        return frame;
    modify(changed, frame, this->modification);
    fv_frame_unref(&frame);
    return changed;
}

/* ---- Output ---------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void put(Case *this, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    this->found_size += (size_t)vsnprintf(this->found + this->found_size, 65536 - this->found_size, format, args);
    va_end(args);
}

static void put_signature(Case *this, const char *name, const FvFrame *frame)
{
    put(this, "%s", name);
    for (int plane = 0; plane < 3; plane++) {
        int32_t signature[FV_SIGNATURE];
        FvLuma luma = fv_luma_of(frame);
        fv_format_plane_size(&frame->format, plane, &luma.width, &luma.height);
        luma.data = frame->data[plane];
        luma.stride = frame->stride[plane];
        fv_sample_make(signature, &luma);
        put(this, " %d %d %d %d", signature[0], signature[1], signature[2], signature[3]);
    }
    put(this, "\n");
}

static void put_lines(Case *this, const char *name, int64_t fit)
{
    if (fit == FV_LINES_FIELDS)
        put(this, "%s fields 0\n", name);
    else if (fit)
        put(this, "%s shift %d\n", name, (int)(fit - FV_LINES_SHIFT(0)));
}

static void put_fits(Case *this, const FvMoments *m)
{
    FvHypothesis found[FV_HYPOTHESES];
    char name[96];
    const int count = fv_colour_hypotheses(found, m);
    put(this, "identity %a\n", fv_moments_identity(m, 7));
    for (int i = 0; i < count; i++) {
        const FvHypothesis *h = &found[i];
        static const int values[] = {[FV_MISTAKE_HUE] = 2,
                                     [FV_MISTAKE_SATURATION] = 1,
                                     [FV_MISTAKE_LEVEL] = 2,
                                     [FV_MISTAKE_LEVELS] = 3,
                                     [FV_MISTAKE_TONE] = 0};
        if (h->mistake == FV_MISTAKE_TONE)
            continue;
        put(this, "ratio %s = %a", fv_hypothesis_name(h, name, sizeof name), h->ratio);
        for (int v = 0; v < values[h->mistake]; v++)
            put(this, " %a", h->value[v]);
        put(this, "\n");
    }
    put(this, "tone %a\n", fv_moments_tone(m));
}

static void put_findings(Case *this, const FvLook *looks, int count, const FvReverse *reverse)
{
    static const char *const lost[] = {[2] = "Cb", [4] = "Cr", [6] = "chroma"}, *const axes[] = {"lines", "sides"};
    FvFindings findings;
    char name[96];
    fv_findings_make(&findings, looks, count, false);
    const FvColourFit *colour = &findings.colour;
    if (colour->found.mistake)
        put(this, "colour %s %a %a %d %d\n", fv_hypothesis_name(&colour->found, name, sizeof name),
            colour->found.ratio, colour->rms, colour->votes, colour->seen);
    if (findings.lost)
        put(this, "lost %s\n", lost[findings.lost]);
    for (int axis = 0; axis < FV_AXES; axis++)
        put_lines(this, axes[axis], findings.lines[axis]);
    for (int axis = 0; axis < FV_AXES; axis++)
        for (int i = 0; i < 4; i++)
            if (findings.bars[axis][i / 2][i % 2])
                put(this, "bar %s %d %d %d\n", axes[axis], i / 2, i % 2, (int)findings.bars[axis][i / 2][i % 2]);
    if (findings.unrelated)
        put(this, "unrelated\n");
    if (fv_reverse_found(reverse))
        put(this, "reversed\n");
}

/* Runs a case and compares its lines. The message names the first line that differs. */
static void check(Tap *tap, Case *this)
{
    static FvLook looks[MOST];
    const FvSome looked = fv_looked_pairs(&(FvFrameSelection){.every = 1});
    FvReverse reverse = {.kept = NULL};
    FvMoments m;
    int count = 0;
    char why[2 * LINE] = "";
    this->found_size = 0;
    FvFrame *first[2] = {NULL, NULL};
    for (int i = 0; i < this->frames[0] && i < this->frames[1]; i++) {
        FvFrame *ref = frame_of(this, 0, i), *dis = frame_of(this, 1, i);
        int32_t signature[2][FV_SIGNATURE];
        const FvLuma luma[2] = {fv_luma_of(ref), fv_luma_of(dis)};
        for (int side = 0; side < 2; side++)
            fv_sample_make(signature[side], &luma[side]);
        const int32_t *known[2] = {i % 2 ? signature[0] : NULL, i % 2 ? signature[1] : NULL};
        if (fv_reverse_add(&reverse, signature[0], signature[1], NULL) ||
            (fv_some_has(&looked, i) &&
             fv_look_make(&looks[count++], i, (const FvFrame *[2]){ref, dis}, known, NULL)))
            exit(fprintf(stderr, "out of memory\n"));
        if (!i) {
            first[0] = fv_frame_ref(ref);
            first[1] = fv_frame_ref(dis);
        }
        fv_frame_unref(&ref);
        fv_frame_unref(&dis);
    }
    put(this, "looked %d\n", count);
    put_signature(this, "signature_reference", first[0]);
    put_signature(this, "signature_distorted", first[1]);
    fv_frame_unref(&first[0]);
    fv_frame_unref(&first[1]);
    put(this, "moments");
    for (int i = 0; i < FV_LOOK_MOMENTS; i++) {
        int64_t sum = 0;
        for (int k = 0; k < count; k++)
            sum += looks[k].moments[i];
        put(this, " %lld", (long long)sum);
    }
    put(this, "\n");
    fv_moments_add_up(&m, looks, count);
    put_fits(this, &m);
    put_findings(this, looks, count, &reverse);
    fv_reverse_close(&reverse);
    size_t at = 0, begin = 0;
    for (; this->expected[at] && this->expected[at] == this->found[at]; at++)
        if (this->expected[at] == '\n')
            begin = at + 1;
    const bool same = this->expected[at] == this->found[at];
    if (!same)
        snprintf(why, sizeof why, "'%.*s' instead of '%.*s'", (int)strcspn(this->found + begin, "\n"),
                 this->found + begin, (int)strcspn(this->expected + begin, "\n"), this->expected + begin);
    tap_case(tap, same, this->name, why);
}

/* ---- The file -------------------------------------------------------------------------------------------------- */

static bool parse_case(Case *this, const char *line)
{
    char clips[2][64], list[LINE];
    if (sscanf(line, "case %63[^|]| %63[^|]| %4095[^|]| %63[^\n]", clips[0], clips[1], list, this->modification) != 4)
        return false;
    snprintf(this->name, sizeof this->name, "%s| %s: %s%s", clips[0], clips[1], this->modification,
             *list == '-' ? "" : ", frames in another order");
    for (int side = 0; side < 2; side++) {
        SynthClip *clip = &this->clip[side];
        char kind[16];
        int chroma, seed;
        if (sscanf(clips[side], "%d %d %d %d %d %d %15s", &clip->width, &clip->height, &chroma, &clip->depth,
                   &this->frames[side], &seed, kind) != 7 ||
            !synth_kind_parse(kind, &clip->kind))
            return false;
        clip->chroma = chroma == 444 ? FV_CHROMA_444 : chroma == 422 ? FV_CHROMA_422 : FV_CHROMA_420;
        clip->seed = (uint32_t)seed;
    }
    const char *at = list;
    for (int i = 0; i < this->frames[1] && i < MOST; i++) {
        char *end = NULL;
        this->list[i] = *list == '-' ? i : (int)strtol(at, &end, 10);
        at = end;
    }
    return true;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    static char line[LINE];
    Tap tap = {0};
    Case this = {.expected = malloc(65536), .found = malloc(65536)};
    bool more = file && this.expected && this.found, open = false;
    if (!more)
        return fprintf(stderr, "test-doubt CASES\n"), 2;
    while (more) {
        more = fgets(line, sizeof line, file) != NULL;
        const bool begins = more && !strncmp(line, "case ", 5);
        if (open && (!more || begins))
            check(&tap, &this);
        if (begins && !(open = parse_case(&this, line)))
            return fprintf(stderr, "%s", line), 2;
        if (begins)
            *this.expected = (char)(this.expected_size = 0);
        else if (more && open && *line != '\n')
            this.expected_size +=
                (size_t)snprintf(this.expected + this.expected_size, 65536 - this.expected_size, "%s", line);
    }
    fclose(file);
    free(this.expected);
    free(this.found);
    return tap_done(&tap);
}
