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

static bool parse_clip(GoldenClip *clip, const char *text)
{
    char kind[16];
    int chroma;
    SynthClip *synth = &clip->synth;
    *clip = (GoldenClip){.present = true, .fill = {-1, -1, -1}};
    if (sscanf(text, "synth %d %d %d %d %u %15s", &synth->width, &synth->height, &chroma, &synth->depth, &synth->seed,
               kind) == 6)
        return synth_kind_parse(kind, &synth->kind) && parse_chroma(chroma, &synth->chroma);
    FvFormat *raw = &clip->raw;
    int fields = sscanf(text, "file %127s %d %d %d %d", clip->file, &raw->width, &raw->height, &chroma, &raw->depth);
    return fields == 1 || (fields == 5 && parse_chroma(chroma, &raw->chroma));
}

static bool parse_values(GoldenValues *values, char *text)
{
    char *rest = text, *word;
    while ((word = strsep(&rest, " "))) {
        char *equals = strchr(word, '=');
        GoldenValue *more = realloc(values->value, (values->count + 1) * sizeof *more);
        if (!more)
            return false;
        values->value = more;
        GoldenValue *value = &more[values->count];
        if (!equals || equals - word >= (int)sizeof value->output)
            return false;
        *equals = 0;
        strcpy(value->output, word);
        char *end;
        value->value = strtod(equals + 1, &end);
        if (end == equals + 1 || *end)
            return false;
        values->count++;
    }
    return values->count > 0;
}

static GoldenClip *clip_named(GoldenCase *golden, const char *name)
{
    return !strcmp(name, "ref") ? &golden->ref : !strcmp(name, "dis") ? &golden->dis : NULL;
}

static bool parse_option(GoldenCase *golden, const char *text)
{
    const char *space = strchr(text, ' ');
    size_t length = strlen(golden->metric);
    bool first = !strchr(golden->metric, '=');
    return space && snprintf(golden->metric + length, sizeof golden->metric - length, "%c%.*s=%s", first ? '=' : ':',
                             (int)(space - text), text, space + 1) < (int)(sizeof golden->metric - length);
}

static bool parse_change(GoldenCase *golden, const char *line)
{
    char word[8], name[8];
    int a, b;
    int fields = sscanf(line, "%7s %7s %d %d", word, name, &a, &b);
    GoldenClip *clip = fields >= 2 ? clip_named(golden, name) : NULL;
    if (!clip)
        return false;
    if (!strcmp(word, "fill") && fields == 4 && a >= 0 && a < 3)
        clip->fill[a] = b;
    else if (!strcmp(word, "skip") && fields == 3)
        clip->skip = a;
    else if (!strcmp(word, "quant") && fields == 3 && a > 0)
        clip->quant = a;
    else if (!strcmp(word, "hold") && fields == 2)
        clip->hold = true;
    else
        return false;
    return true;
}

static bool parse_chroma_of(GoldenCase *golden, const char *text)
{
    GoldenClip *clip =
        clip_named(golden, (char[]){text[0], text[0] ? text[1] : 0, text[0] && text[1] ? text[2] : 0, 0});
    GoldenClip other;
    if (!clip || !parse_clip(&other, text + 4) || *other.file)
        return false;
    clip->chroma = other.synth;
    return true;
}

static bool parse_line(GoldenCase *golden, char *line)
{
    char *text = strchr(line, ' ');
    text = text ? text + 1 : line + strlen(line);
    if (!strncmp(line, "metric ", 7))
        return snprintf(golden->metric, sizeof golden->metric, "%s", text) > 0;
    if (!strncmp(line, "option ", 7))
        return parse_option(golden, text);
    if (!strncmp(line, "ref ", 4))
        return parse_clip(&golden->ref, text);
    if (!strncmp(line, "dis ", 4))
        return parse_clip(&golden->dis, text);
    if (!strncmp(line, "chroma ", 7))
        return parse_chroma_of(golden, text);
    if (!strncmp(line, "tolerance ", 10))
        return (golden->tolerance = atof(text)) > 0;
    if (!strncmp(line, "map ", 4))
        return (golden->map.count = sscanf(text, "%31s %" SCNx64 "%" SCNx64, golden->map.name, &golden->map.hash[0],
                                           &golden->map.hash[1]) -
                                    1) > 0;
    if (!strcmp(line, "slow"))
        return golden->slow = true;
    if (!strcmp(line, "reject"))
        return golden->reject = true;
    if (!strncmp(line, "clip ", 5))
        return parse_values(&golden->clip, text);
    if (strncmp(line, "frame ", 6))
        return parse_change(golden, line);
    GoldenValues *more = realloc(golden->frames, (golden->frame_count + 1) * sizeof *more);
    if (!more)
        return false;
    golden->frames = more;
    more[golden->frame_count] = (GoldenValues){0};
    return parse_values(&more[golden->frame_count++], text);
}

static GoldenCase *add_case(GoldenFile *golden, const char *name)
{
    GoldenCase *more = realloc(golden->cases, (golden->count + 1) * sizeof *more);
    if (!more)
        return NULL;
    golden->cases = more;
    more[golden->count] = (GoldenCase){0};
    snprintf(more[golden->count].name, sizeof more->name, "%s", name);
    return &more[golden->count++];
}

bool golden_read(GoldenFile *golden, const char *path)
{
    *golden = (GoldenFile){0};
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
        if (!strncmp(line, "case ", 5))
            good = (current = add_case(golden, line + 5));
        else
            good = current && parse_line(current, line);
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
        for (int frame = 0; frame < golden->cases[i].frame_count; frame++)
            free(golden->cases[i].frames[frame].value);
        free(golden->cases[i].frames);
        free(golden->cases[i].clip.value);
    }
    free(golden->cases);
    *golden = (GoldenFile){0};
}

bool golden_equal(const GoldenCase *golden, double expected, double value)
{
    if (golden->tolerance > 0 && isfinite(expected))
        return fabs(value - expected) <= golden->tolerance * fabs(expected);
    return !memcmp(&expected, &value, sizeof value) || (isnan(expected) && isnan(value));
}

FvStatus golden_reader_open(GoldenReader *reader, const GoldenClip *clip, const char *folder, FvError *error)
{
    *reader = (GoldenReader){.clip = clip};
    if (!*clip->file) {
        reader->next = clip->skip;
        return FV_OK;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, clip->file);
    FvSourceParams params = {.path = path, .reader = clip->raw.width ? "raw" : NULL, .raw = clip->raw};
    FvStatus status = fv_source_open(&reader->source, &params, error);
    for (int i = 0; i < clip->skip && !status; i++) {
        FvFrame *frame;
        status = fv_source_read(reader->source, &frame, error);
        if (!status)
            fv_frame_unref(&frame);
    }
    return status;
}

static void fill_plane(FvFrame *frame, int plane, int value)
{
    int width, height;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height; y++) {
        uint8_t *row = frame->data[plane] + y * frame->stride[plane];
        for (int x = 0; x < width; x++)
            if (frame->format.depth == 8)
                row[x] = (uint8_t)value;
            else
                ((uint16_t *)row)[x] = (uint16_t)value;
    }
}

static void quantize(FvFrame *frame, int step)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint8_t *sample = frame->data[plane] + y * frame->stride[plane] + x;
                int value = (*sample + step / 2) / step * step;
                *sample = (uint8_t)(value < 255 ? value : 255);
            }
    }
}

/* Cb and Cr of frame `index` of another clip. */
static bool borrow_chroma(FvFrame *frame, const SynthClip *clip, int index)
{
    FvFrame *other = synth_frame(clip, index);
    for (int plane = 1; plane < 3 && other; plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            memcpy(frame->data[plane] + y * frame->stride[plane], other->data[plane] + y * other->stride[plane],
                   (size_t)width * (size_t)fv_format_sample_bytes(&frame->format));
    }
    bool good = other;
    fv_frame_unref(&other);
    return good;
}

static FvStatus next_unchanged(GoldenReader *reader, FvFrame **frame, FvError *error)
{
    if (reader->source)
        return fv_source_read(reader->source, frame, error);
    *frame = synth_frame(&reader->clip->synth, reader->next++);
    return *frame ? FV_OK : FV_ERROR_MEMORY;
}

FvStatus golden_reader_next(GoldenReader *reader, FvFrame **frame, FvError *error)
{
    const GoldenClip *clip = reader->clip;
    if (reader->first) {
        *frame = fv_frame_ref(reader->first);
        return FV_OK;
    }
    FvStatus status = next_unchanged(reader, frame, error);
    if (status)
        return status;
    if (clip->chroma.width && !borrow_chroma(*frame, &clip->chroma, reader->next - 1)) {
        fv_frame_unref(frame);
        return FV_ERROR_MEMORY;
    }
    if (clip->quant)
        quantize(*frame, clip->quant);
    for (int plane = 0; plane < 3; plane++)
        if (clip->fill[plane] >= 0)
            fill_plane(*frame, plane, clip->fill[plane]);
    if (clip->hold)
        reader->first = fv_frame_ref(*frame);
    return FV_OK;
}

void golden_reader_close(GoldenReader *reader)
{
    fv_source_close(&reader->source);
    fv_frame_unref(&reader->first);
}
