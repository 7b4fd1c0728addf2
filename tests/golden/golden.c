#include "golden.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool parse_chroma(int number, FvChroma *chroma)
{
    static const int numbers[] = {400, 420, 422, 444};
    for (int i = 0; i < 4; i++)
        if (numbers[i] == number) {
            *chroma = i;
            return true;
        }
    return false;
}

#define MAX_WORDS 32

static int split(char *text, char *words[MAX_WORDS])
{
    int count = 0;
    for (char *rest = text, *word; count < MAX_WORDS && (word = strsep(&rest, " "));)
        words[count++] = word;
    return count;
}

static bool parse_clip(GoldenClip *clip, int count, char **words)
{
    SynthClip *synth = &clip->synth;
    *clip = (GoldenClip){.present = true};
    if (count > 2 && !strcmp(words[0], "file")) {
        snprintf(clip->file, sizeof clip->file, "%s", words[1]);
        clip->frames = atoi(words[2]);
        int taken = 3;
        if (count > 6 && parse_chroma(atoi(words[5]), &clip->raw.chroma)) {
            clip->raw.width = atoi(words[3]);
            clip->raw.height = atoi(words[4]);
            clip->raw.depth = atoi(words[6]);
            taken = 7;
        }
        return clip->frames > 0 && synth_changes_parse(&synth->changes, count - taken, words + taken);
    }
    if (count < 7 || !parse_chroma(atoi(words[2]), &synth->chroma) || !synth_kind_parse(words[6], &synth->kind))
        return false;
    synth->width = atoi(words[0]);
    synth->height = atoi(words[1]);
    synth->depth = atoi(words[3]);
    clip->frames = atoi(words[4]);
    synth->seed = (uint32_t)strtoul(words[5], NULL, 10);
    return clip->frames > 0 && synth_changes_parse(&synth->changes, count - 7, words + 7);
}

static bool parse_value(GoldenValues *values, int count, char **words)
{
    GoldenValue *more = realloc(values->value, (values->count + 1) * sizeof *more);
    if (!more || count != 2)
        return false;
    values->value = more;
    GoldenValue *value = &more[values->count++];
    char *end;
    snprintf(value->output, sizeof value->output, "%s", words[0]);
    value->value = strtod(words[1], &end);
    return !*end;
}

/* Adds NAME=VALUE to the metric's text, and writes a backslash before each colon of the value. */
static bool parse_option(GoldenCase *golden, const char *text)
{
    size_t length = strlen(golden->metric);
    const size_t size = sizeof golden->metric - 2;
    golden->metric[length] = strchr(golden->metric, '=') ? ':' : '=';
    for (length++; *text && length < size; text++) {
        if (*text == ':')
            golden->metric[length++] = '\\';
        golden->metric[length++] = *text;
    }
    return !*text;
}

static bool parse_frame(GoldenCase *golden, int count, char **words)
{
    int number = count ? atoi(words[0]) : -1;
    if (!golden->frames)
        golden->frames = calloc(golden->dis.frames, sizeof *golden->frames);
    return golden->frames && number >= 0 && number < golden->dis.frames &&
           parse_value(&golden->frames[number], count - 1, words + 1);
}

static bool parse_map(GoldenMap *map, int count, char **words)
{
    if (count != 3 || map->count > 1)
        return false;
    snprintf(map->name, sizeof map->name, "%s", words[1]);
    return sscanf(words[2], "%" SCNx64, &map->hash[map->count++]) == 1;
}

static bool parse_line(GoldenCase *golden, const char *first, char *text)
{
    char *words[MAX_WORDS];
    if (!strcmp(first, "option"))
        return parse_option(golden, text);
    int count = split(text, words);
    if (!strcmp(first, "ref"))
        return parse_clip(&golden->ref, count, words);
    if (!strcmp(first, "dis"))
        return parse_clip(&golden->dis, count, words);
    if (!strcmp(first, "tolerance"))
        return (golden->tolerance = atof(text)) > 0;
    if (!strcmp(first, "map"))
        return parse_map(&golden->map, count, words);
    if (!strcmp(first, "refuse"))
        return golden->refuse = true;
    if (!strcmp(first, "clip"))
        return parse_value(&golden->clip, count, words);
    return (!strcmp(first, "frame") && parse_frame(golden, count, words)) || !strcmp(first, "end");
}

static GoldenCase *add_case(GoldenFile *golden, const char *name)
{
    GoldenCase *more = realloc(golden->cases, (golden->count + 1) * sizeof *more);
    if (!more)
        return NULL;
    golden->cases = more;
    more[golden->count] = (GoldenCase){.tolerance = golden->tolerance};
    snprintf(more[golden->count].name, sizeof more->name, "%s", name);
    strcpy(more[golden->count].metric, golden->metric);
    return &more[golden->count++];
}

/* Reads a line that comes before the first case. */
static bool parse_head(GoldenFile *golden, const char *first, const char *text)
{
    if (!strcmp(first, "metric"))
        return snprintf(golden->metric, sizeof golden->metric, "%s", text) < (int)sizeof golden->metric;
    if (!strcmp(first, "tolerance"))
        return (golden->tolerance = atof(text)) >= 0;
    return (!strcmp(first, "fovea-vectors") && !strcmp(text, "1")) || !strcmp(first, "spec") ||
           (!strcmp(first, "numerics") && atoi(text) <= fv_numerics_version());
}

bool golden_read(GoldenFile *golden, const char *path)
{
    *golden->metric = '\0';
    golden->tolerance = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    GoldenCase *current = NULL;
    for (int number = 1; good && getline(&line, &size, file) > 0; number++) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        char *text = line;
        const char *first = strsep(&text, " ");
        text = text ? text : line + strlen(line);
        if (!strcmp(first, "case"))
            good = *golden->metric && (current = add_case(golden, text));
        else
            good = current ? parse_line(current, first, text) : parse_head(golden, first, text);
        if (!good)
            fprintf(stderr, "%s:%d: cannot read this line\n", path, number);
    }
    free(line);
    fclose(file);
    return good;
}

void golden_free(GoldenFile *golden)
{
    for (int i = 0; i < golden->count; i++) {
        for (int frame = 0; golden->cases[i].frames && frame < golden->cases[i].dis.frames; frame++)
            free(golden->cases[i].frames[frame].value);
        free(golden->cases[i].frames);
        free(golden->cases[i].clip.value);
    }
    free(golden->cases);
    *golden = (GoldenFile){0};
}

bool golden_slow(const GoldenCase *golden)
{
    static const struct {
        const char *metric;
        int64_t samples; /* number of luma samples of all frames above which a case is slow */
    } limits[] = {{"adm", 170000}, {"butteraugli", 100000}, {"motion", 500000}, {"vif", 500000}, {"vmaf", 670000}};
    const GoldenClip *dis = &golden->dis;
    const int64_t y4m = 480 * 270; /* samples per frame of the Y4M files */
    const int64_t frame = *dis->file ? dis->raw.width ? (int64_t)dis->raw.width * dis->raw.height : y4m
                                     : (int64_t)dis->synth.width * dis->synth.height;
    int64_t limit = 1000000;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strncmp(golden->metric, limits[i].metric, strcspn(golden->metric, "=")))
            limit = limits[i].samples;
    return frame * dis->frames > limit;
}

bool golden_equal(const GoldenCase *golden, double expected, double value)
{
    if (golden->tolerance > 0 && isfinite(expected))
        return fabs(value - expected) <= golden->tolerance * fmax(1, fabs(expected));
    return !memcmp(&expected, &value, sizeof value) || (isnan(expected) && isnan(value));
}

FvStatus golden_reader_open(GoldenReader *reader, const GoldenClip *clip, const char *folder, FvError *error)
{
    *reader = (GoldenReader){.clip = clip};
    if (!*clip->file)
        return FV_OK;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, clip->file);
    FvSourceParams params = {.path = path, .reader = clip->raw.width ? "raw" : NULL, .raw = clip->raw};
    FvStatus status = fv_source_open(&reader->source, &params, error);
    for (int i = 0; i < clip->synth.changes.skip && !status; i++) {
        FvFrame *frame;
        status = fv_source_read(reader->source, &frame, error);
        if (!status)
            fv_frame_unref(&frame);
    }
    return status;
}

static void quantize(FvFrame *frame, uint32_t step)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint8_t *sample = frame->data[plane] + y * frame->stride[plane] + x;
                *sample = (uint8_t)synth_quantized(*sample, step);
            }
    }
}

FvStatus golden_reader_next(GoldenReader *reader, FvFrame **frame, FvError *error)
{
    const GoldenClip *clip = reader->clip;
    if (!reader->source) {
        *frame = synth_frame(&clip->synth, reader->next++);
        return *frame ? FV_OK : FV_ERROR_MEMORY;
    }
    FvStatus status = fv_source_read(reader->source, frame, error);
    if (!status && clip->synth.changes.quant)
        quantize(*frame, (uint32_t)clip->synth.changes.quant);
    return status;
}

void golden_reader_close(GoldenReader *reader)
{
    fv_source_close(&reader->source);
}
