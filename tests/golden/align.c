/* Tests that alignment equals the reference program's: every number of the search, every pair and event. */
#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "clip/synth.h"
#include "tap/tap.h"

#define LINE 8192
#define MOST 200

typedef struct Case {
    char name[64];
    SynthClip clip[2];
    int frames[2], list[MOST];
    bool still;
    int rate[2];
    int first[2][8], first_count[2];
    char result[512], why[256], events[512], pairs[LINE];
} Case;

static SynthClip parse_clip(const char *line, int *frames)
{
    SynthClip clip = {0};
    char kind[16];
    int chroma, seed;
    if (sscanf(line, "%*s synth %d %d %d %d %d %d %15s", &clip.width, &clip.height, &chroma, &clip.depth, frames,
               &seed, kind) != 7 ||
        chroma != 420 || !synth_kind_parse(kind, &clip.kind))
        exit(fprintf(stderr, "%s", line));
    clip.chroma = FV_CHROMA_420;
    clip.seed = (uint32_t)seed;
    return clip;
}

static int parse_numbers(const char *text, int *numbers, int most)
{
    int count = 0;
    for (char *end; count < most; text = end) {
        int number = (int)strtol(text, &end, 10);
        if (end == text)
            break;
        numbers[count++] = number;
    }
    return count;
}

static FvFrame *frame_of(const Case *this, int side, int64_t number)
{
    FvFrame *frame = synth_frame(&this->clip[side], side ? this->list[number] : this->still ? 0 : (int)number);
    if (!frame)
        exit(fprintf(stderr, "out of memory\n"));
    return frame;
}

static FvAlignVideo sign(const Case *this, int side)
{
    FvAlignVideo video = {this->frames[side], malloc((size_t)this->frames[side] * FV_SIGNATURE * sizeof(int32_t))};
    for (int i = 0; i < video.frames; i++) {
        FvFrame *frame = frame_of(this, side, i);
        fv_signature_make(video.signatures + i * FV_SIGNATURE, frame);
        fv_frame_unref(&frame);
    }
    return video;
}

static FvStatus compare(void *opaque, FvAlignCheck *checks, int count, FvError *error)
{
    for (int i = 0; i < count; i++) {
        FvFrame *dis = frame_of(opaque, 1, checks[i].frame);
        for (int o = 0; o < 5; o++) {
            FvFrame *ref = frame_of(opaque, 0, checks[i].pair + o - 2);
            fv_align_sse(&checks[i], o, ref, dis);
            fv_frame_unref(&ref);
        }
        checks[i].known = true;
        fv_frame_unref(&dis);
    }
    return FV_OK;
}

/* Writes the result in the form of the file's lines. */
static void describe(char *text, size_t size, const FvAlignment *a, const char *expected)
{
    static const char *const answers[] = {"refused", "offset", "map"};
    char base[16] = "index", rest[1024];
    if (a->base)
        snprintf(base, sizeof base, "time%d", a->base - 1);
    snprintf(rest, sizeof rest,
             "base=%s noise=%lld price=%lld matched=%d residual=%lld far=%lld mixed=%d certain=%d how=%s offset=%lld "
             "verified=%d/%d parts=%d/%d fields=%d answer=%s",
             base, (long long)a->noise, (long long)a->price, a->matched, (long long)a->residual, (long long)a->far,
             a->mixed, a->certain, a->constant ? "constant" : "path", (long long)a->offset, a->verified[0],
             a->verified[1], a->parts[0], a->parts[1], a->fields, answers[a->answer]);
    /* A refusal ends early, so only names that the expected line has are written. */
    *text = 0;
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " ")) {
        char name[32];
        snprintf(name, sizeof name, "%.*s=", (int)strcspn(word, "="), word);
        if (strstr(expected, name))
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? " " : "", word);
    }
}

static void check(Tap *tap, const Case *this)
{
    char text[LINE] = "", why[LINE + 600] = "";
    FvError error = {0};
    FvAlignment found;
    FvAlignVideo video[2] = {sign(this, 0), sign(this, 1)};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < this->first_count[side]; i++)
            if (video[side].signatures[i] != this->first[side][i])
                snprintf(why, sizeof why, "signature %d, value %d is %d", side, i, video[side].signatures[i]);
    FvAlignParams params = {
        .rate_num = this->rate[0], .rate_den = this->rate[1], .compare = compare, .opaque = (void *)this};
    if (fv_align_find(&found, &video[0], &video[1], &params, &error))
        snprintf(why, sizeof why, "%s", error.message);
    describe(text, sizeof text, &found, this->result);
    if (!*why && strcmp(text, this->result))
        snprintf(why, sizeof why, "%s", text);
    if (!*why && *this->why && (!found.why || strcmp(found.why, this->why)))
        snprintf(why, sizeof why, "why: %s", found.why ? found.why : "(none)");
    *text = 0;
    for (int i = 0; i < found.event_count && found.answer; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d:%d", i ? " " : "", found.events[i].at,
                 found.events[i].change);
    if (!*why && strcmp(text, this->events))
        snprintf(why, sizeof why, "events: %s", text);
    *text = 0;
    for (int i = 0; i < found.pair_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? " " : "", (long long)found.pairs[i]);
    if (!*why && *this->pairs && strcmp(text, this->pairs))
        snprintf(why, sizeof why, "pairs: %.400s", text);
    tap_case(tap, !*why, this->name, why);
    fv_align_close(&found);
    free(video[0].signatures);
    free(video[1].signatures);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    static char line[LINE];
    static Case this;
    Tap tap = {0};
    if (!file)
        return fprintf(stderr, "test-align CASES\n"), 2;
    while (true) {
        const bool more = fgets(line, sizeof line, file);
        char *rest = line + strcspn(line, " ");
        rest += *rest == ' ';
        rest[strcspn(rest, "\n")] = 0;
        if ((!more || !strncmp(line, "case ", 5)) && *this.name)
            check(&tap, &this);
        if (!more)
            break;
        if (!strncmp(line, "case ", 5)) {
            memset(&this, 0, sizeof this);
            snprintf(this.name, sizeof this.name, "%s", rest);
        } else if (!strncmp(line, "ref ", 4))
            this.clip[0] = parse_clip(line, &this.frames[0]);
        else if (!strncmp(line, "dis ", 4))
            this.clip[1] = parse_clip(line, &this.frames[1]);
        else if (!strncmp(line, "still", 5)) {
            this.still = true;
            this.frames[0] = 40;
        } else if (!strncmp(line, "rates ", 6))
            parse_numbers(rest, this.rate, 2);
        else if (!strncmp(line, "frames ", 7))
            this.frames[1] = parse_numbers(rest, this.list, MOST);
        else if (!strncmp(line, "first ", 6)) {
            const int side = rest[0] == 'd';
            this.first_count[side] = parse_numbers(rest + 3, this.first[side], 8);
        } else if (!strncmp(line, "result ", 7))
            snprintf(this.result, sizeof this.result, "%s", rest);
        else if (!strncmp(line, "why ", 4))
            snprintf(this.why, sizeof this.why, "%s", rest);
        else if (!strncmp(line, "events ", 7))
            snprintf(this.events, sizeof this.events, "%s", rest);
        else if (!strncmp(line, "pairs ", 6))
            snprintf(this.pairs, sizeof this.pairs, "%s", rest);
    }
    fclose(file);
    return tap_done(&tap);
}
