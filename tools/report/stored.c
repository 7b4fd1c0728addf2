#include "report/stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "table/delimited.h"
#include "table/file_text.h"

#define MOST_BYTES ((size_t)1 << 30) /* maximum bytes of a report */

static FvStatus no_memory(const Stored *stored)
{
    return report_error(FV_ERROR_MEMORY, "out of memory for the numbers of %s", stored->path);
}

static FvStatus add_number(Stored *stored, const char *name, const char *pool, int64_t frame, const char *text)
{
    if (stored->count == stored->room) {
        const size_t room = stored->room ? 2 * stored->room : 256;
        StoredNumber *grown = realloc(stored->number, room * sizeof *grown);
        if (!grown)
            return no_memory(stored);
        stored->number = grown;
        stored->room = room;
    }
    stored->number[stored->count++] = (StoredNumber){name, pool, frame, text};
    if (pool || stored_has(stored, name))
        return FV_OK;
    if (stored->columns == stored->column_room) {
        const int room = stored->column_room ? 2 * stored->column_room : 64;
        const char **grown = realloc(stored->column, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(stored);
        stored->column = grown;
        stored->column_room = room;
    }
    stored->column[stored->columns++] = name;
    return FV_OK;
}

bool stored_has(const Stored *stored, const char *column)
{
    for (int i = 0; i < stored->columns; i++)
        if (!strcmp(stored->column[i], column))
            return true;
    return false;
}

/* Reads a frame's number, which must rise from one frame to the next. */
static FvStatus begin_frame(Stored *stored, const char *text, int64_t *frame)
{
    char *end = NULL;
    *frame = text ? strtoll(text, &end, 10) : -1;
    if (!text || !*text || *end || *frame < 0 || *frame >= UINT32_MAX || (stored->frames && *frame <= stored->last))
        return report_error(FV_FAIL_DAMAGED, "%s is damaged: frame %" PRId64 " of it has the number '%s'",
                            stored->path, stored->frames, text ? text : "");
    if (stored->frames) { /* the greatest common divisor of all distances between numbers */
        int64_t a = *frame - stored->last, b = stored->step;
        while (b) {
            const int64_t rest = a % b;
            a = b;
            b = rest;
        }
        stored->step = a;
    }
    stored->frames++;
    stored->last = *frame;
    return FV_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static bool is_number_part(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '+';
}

/*
 * Returns a copy of a JSON text with every number in quotation marks, so that the parser keeps its digits; nan and
 * inf too, which libvmaf writes and JSON lacks. NULL: out of memory.
 */
static char *quote_numbers(const char *text, size_t size, size_t *quoted)
{
    char *copy = malloc(3 * size + 1), *to = copy;
    bool inside = false;
    for (size_t i = 0; copy && i < size; i++) {
        if (inside || !is_number_part(text[i])) {
            inside ^= text[i] == '"';
            *to++ = text[i];
            if (inside && text[i] == '\\' && i + 1 < size)
                *to++ = text[++i];
            continue;
        }
        size_t length = 1;
        while (i + length < size && is_number_part(text[i + length]))
            length++;
        static const char *const words[] = {"true", "false", "null"};
        bool word = false;
        for (int w = 0; w < 3; w++)
            word |= length == strlen(words[w]) && !strncmp(text + i, words[w], length);
        if (!word)
            *to++ = '"';
        memcpy(to, text + i, length);
        to += length;
        if (!word)
            *to++ = '"';
        i += length - 1;
    }
    *quoted = (size_t)(to - copy);
    return copy;
}

static FvStatus add_members(Stored *stored, const FvNode *object, const char *pool, int64_t frame)
{
    FvStatus status = FV_OK;
    for (uint32_t i = 0; fv_node_is(object, FV_NODE_OBJECT) && i < object->count && !status; i++) {
        const FvNode *value = &object->items[i];
        if (fv_node_is(value, FV_NODE_TEXT) || fv_node_is(value, FV_NODE_NULL))
            status = add_number(stored, value->key, pool, frame, fv_node_text(value) ? fv_node_text(value) : "null");
    }
    return status;
}

/*
 * Adds pooled numbers. `part`: name of the list of intervals or scenes that they belong to; NULL: they are of all
 * frames.
 */
static FvStatus add_pooled(Stored *stored, const FvNode *pooled, const char *part)
{
    FvStatus status = FV_OK;
    for (uint32_t i = 0; fv_node_is(pooled, FV_NODE_OBJECT) && i < pooled->count; i++) {
        const FvNode *pools = &pooled->items[i];
        for (uint32_t p = 0; fv_node_is(pools, FV_NODE_OBJECT) && p < pools->count && !status; p++) {
            const char *text = fv_node_text(&pools->items[p]);
            status = add_number(stored, part ? part : pools->key, part ? "part" : pools->items[p].key, 0,
                                text ? text : "null");
        }
    }
    return status;
}

/* Returns the column's name for a key of libvmaf 1 such as "VMAF score" or "MS-SSIM score", or NULL. */
static const char *whole_score(const char *key)
{
    static const char *const names[][2] = {{"VMAF score", "vmaf"},    {"PSNR score", "psnr"},
                                           {"SSIM score", "ssim"},    {"MS-SSIM score", "ms_ssim"},
                                           {"aggregateVMAF", "vmaf"}, {"aggregatePSNR", "psnr"},
                                           {"aggregateSSIM", "ssim"}, {"aggregateMS_SSIM", "ms_ssim"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(key, names[i][0]))
            return names[i][1];
    return NULL;
}

/* Adds a number that is outside the list of frames. */
static FvStatus add_whole(Stored *stored, const char *key, const char *value)
{
    static const char *const counts[] = {"numOfFrames", "version", "model", "subsample", "schema_version"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(key, counts[i]))
            return FV_OK;
    const char *name = whole_score(key);
    return add_number(stored, name ? name : key, name ? "mean" : "run", 0, value);
}

static void take_size(Stored *stored, const char *key, const char *value)
{
    if (!strcmp(key, "qualityWidth") || !strcmp(key, "scaledWidth"))
        stored->width = atoi(value);
    if (!strcmp(key, "qualityHeight") || !strcmp(key, "scaledHeight"))
        stored->height = atoi(value);
}

static FvStatus read_json(Stored *stored, const char *text, size_t size)
{
    FvError error = {0};
    size_t quoted;
    char *copy = quote_numbers(text, size, &quoted);
    FvStatus status =
        copy ? report_error_if(fv_document_open(&stored->document, stored->path, copy, quoted, &error), &error)
             : no_memory(stored);
    free(copy);
    if (status)
        return status;
    const FvNode *root = &stored->document.root, *frames = fv_node_member(root, "frames");
    const FvNode *params = fv_node_member(root, "params");
    const bool own = fv_node_member(root, "numerics_version") != NULL;
    if (fv_node_member(root, "encodes"))
        return report_error(FV_ERROR_INPUT, "%s has the scores of several encodes; check the reports of -o FOLDER",
                            stored->path);
    if (!fv_node_is(frames, FV_NODE_LIST))
        return report_error(FV_ERROR_INPUT, "%s has no 'frames'; give a report of fovea or libvmaf", stored->path);
    stored->kind = own ? STORED_FOVEA : STORED_JSON;
    stored->version = fv_member_text(root, own ? "fovea_version" : "version");
    const char *numerics = fv_member_text(root, "numerics_version");
    stored->numerics = numerics ? strtoll(numerics, NULL, 10) : 0;
    if (own && stored->numerics <= 0)
        return report_error(FV_FAIL_DAMAGED, "%s is damaged: its 'numerics_version' is not a number", stored->path);
    for (size_t i = 0; i < fv_node_items(frames) && !status; i++) {
        const FvNode *frame = fv_node_item(frames, i);
        int64_t number;
        status = begin_frame(stored, fv_member_text(frame, own ? "frame" : "frameNum"), &number);
        if (!status && !fv_node_is(fv_node_member(frame, "metrics"), FV_NODE_OBJECT))
            status = report_error(FV_FAIL_DAMAGED, "%s is damaged: frame %" PRId64 " has no 'metrics'", stored->path,
                                  number);
        if (!status)
            status = add_members(stored, fv_node_member(frame, "metrics"), NULL, number);
    }
    if (!status)
        status = add_pooled(stored, fv_node_member(root, own ? "pooled" : "pooled_metrics"), NULL);
    static const char *const parts[] = {"intervals", "scenes"};
    for (int k = 0; k < 2 && own; k++) {
        const FvNode *list = fv_node_member(root, parts[k]);
        for (size_t i = 0; i < fv_node_items(list) && !status; i++)
            status = add_pooled(stored, fv_node_member(fv_node_item(list, i), "pooled"), parts[k]);
    }
    if (!status)
        status = add_members(stored, fv_node_member(root, own ? "sequence" : "aggregate_metrics"), "clip", 0);
    for (uint32_t i = 0; !own && i < root->count && !status; i++)
        if (fv_node_is(&root->items[i], FV_NODE_TEXT))
            status = add_whole(stored, root->items[i].key, root->items[i].text);
    for (uint32_t i = 0; fv_node_is(params, FV_NODE_OBJECT) && i < params->count; i++)
        if (fv_node_text(&params->items[i]))
            take_size(stored, params->items[i].key, params->items[i].text);
    return status;
}

/* ---- XML ------------------------------------------------------------------------------------------------------- */

/* Replaces the five named characters of XML and decimal numbers of ASCII, in place. */
static char *unescape(char *text)
{
    static const char *const names[] = {"&quot;", "&amp;", "&lt;", "&gt;", "&apos;"};
    char *to = text;
    for (const char *from = text; *from;) {
        size_t length = 1;
        char c = *from;
        for (int i = 0; i < 5; i++)
            if (!strncmp(from, names[i], strlen(names[i]))) {
                length = strlen(names[i]);
                c = "\"&<>'"[i];
            }
        *to++ = c;
        from += length;
    }
    *to = '\0';
    return text;
}

static FvStatus damaged(const Stored *stored, const char *at)
{
    int line = 1;
    for (const char *c = stored->text; c < at; c++)
        line += *c == '\n';
    return report_error(FV_FAIL_DAMAGED, "%s is damaged: line %d is not XML", stored->path, line);
}

/*
 *  Reads an attribute of an element. Scores of a frame and of a metric are kept until the
 * frame's number or the metric's name is known.
 */
static FvStatus take_attribute(Stored *stored, const char *element, const char *key, const char *value,
                               const char **owner)
{
    const bool frame = !strcmp(element, "frame"), metric = !strcmp(element, "metric");
    if ((frame && (!strcmp(key, "frameNum") || !strcmp(key, "frameno"))) || (metric && !strcmp(key, "name"))) {
        *owner = value;
        return FV_OK;
    }
    if (!strcmp(element, "VMAF") && !strcmp(key, "version"))
        stored->version = value;
    take_size(stored, key, value);
    return frame                                   ? add_number(stored, key, NULL, -1, value)
           : metric                                ? add_number(stored, NULL, key, 0, value)
           : !strcmp(element, "aggregate_metrics") ? add_number(stored, key, "clip", 0, value)
           : !strcmp(element, "fyi")               ? add_whole(stored, key, value)
                                                   : FV_OK;
}

static FvStatus end_element(Stored *stored, const char *element, size_t first, const char *owner)
{
    int64_t number = 0;
    FvStatus status = FV_OK;
    if (!strcmp(element, "frame"))
        status = begin_frame(stored, owner, &number);
    else if (strcmp(element, "metric"))
        return FV_OK;
    else if (!owner)
        return report_error(FV_FAIL_DAMAGED, "%s is damaged: a metric has no name", stored->path);
    for (size_t i = first; i < stored->count; i++) {
        if (!stored->number[i].pool)
            stored->number[i].frame = number;
        else
            stored->number[i].name = owner;
    }
    return status;
}

static FvStatus read_xml(Stored *stored)
{
    static const char blanks[] = " \t\r\n";
    FvStatus status = FV_OK;
    int depth = 0;
    stored->kind = STORED_XML;
    for (char *at = stored->text; !status && (at = strchr(at, '<'));) {
        const char *begin = at++, *owner = NULL;
        const size_t first = stored->count;
        if (*at == '?' || *at == '!') {
            const char *const end = !strncmp(at, "!--", 3) ? "-->" : ">";
            if (!(at = strstr(at, end)))
                return damaged(stored, begin);
            continue;
        }
        const bool closing = *at == '/';
        char *name = at + closing;
        at = name + strcspn(name, " \t\r\n/>");
        char *end = at;
        at += strspn(at, blanks);
        while (!status && *at && *at != '>' && *at != '/') {
            char *key = at, *equals = key + strcspn(key, "= \t\r\n/>\"'");
            at = equals + strspn(equals, blanks);
            if (*at++ != '=' || equals == key)
                return damaged(stored, begin);
            at += strspn(at, blanks);
            const char mark = *at;
            char *value = at + 1, *close = mark == '"' || mark == '\'' ? strchr(value, mark) : NULL;
            if (!close)
                return damaged(stored, begin);
            *equals = *close = '\0';
            at = close + 1 + strspn(close + 1, blanks);
            const char after = *end;
            *end = '\0';
            status = take_attribute(stored, name, key, unescape(value), &owner);
            *end = after;
        }
        const bool single = *at == '/';
        at += single;
        if (!status && *at != '>')
            return damaged(stored, begin);
        *end = '\0';
        depth += single ? 0 : closing ? -1 : 1;
        if (!status && !closing)
            status = end_element(stored, name, first, owner);
        at++;
    }
    if (!status && depth)
        status = report_error(FV_FAIL_CUT_SHORT, "%s is damaged: it ends early", stored->path);
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

static FvStatus read_csv(Stored *stored, char *text)
{
    enum { COLUMNS = 1024 };
    static char *names[COLUMNS], *values[COLUMNS];
    Delimited table = delimited_open(text);
    char *line = delimited_line(&table);
    int columns = 0;
    FvStatus status = FV_OK;
    stored->kind = STORED_CSV;
    for (char *name; line && columns < COLUMNS && (name = delimited_field(&line, ',')); columns++)
        names[columns] = name;
    if (columns && !*names[columns - 1]) /* libvmaf ends every line with a comma */
        columns--;
    for (int i = 0; i < columns; i++)
        if (!strcmp(names[i], "Time"))
            return report_error(FV_ERROR_INPUT, "%s is CSV of fovea, which lacks the options; give the JSON report",
                                stored->path);
    while (!status && (line = delimited_line(&table))) {
        int count = 0;
        int64_t frame;
        for (char *value; count < COLUMNS && (value = delimited_field(&line, ',')); count++)
            values[count] = value;
        if (count && !*values[count - 1])
            count--;
        status = begin_frame(stored, count ? values[0] : NULL, &frame);
        if (count > columns && !status)
            status = report_error(FV_ERROR_INPUT, "%s, line %d has more values than the first line has names",
                                  stored->path, table.line);
        if (count < columns)
            stored->lost += count ? (size_t)count - 1 : 0;
        for (int i = 1; i < count && count == columns && !status; i++)
            if (*values[i])
                status = add_number(stored, names[i], NULL, frame, values[i]);
    }
    return status;
}

/* ---- Any form -------------------------------------------------------------------------------------------------- */

FvStatus stored_open(Stored *stored, const char *path)
{
    size_t size;
    *stored = (Stored){.path = path};
    FvStatus status = file_text(path, MOST_BYTES, &stored->text, &size);
    if (status)
        return status;
    const char *begin = delimited_open(stored->text).rest;
    begin += strspn(begin, " \t\r\n");
    if (strlen(stored->text) != size)
        status = report_error(FV_ERROR_INPUT, "%s is not a text: it has a NUL character", path);
    else if (*begin == '{')
        status = read_json(stored, begin, strlen(begin));
    else if (*begin == '<')
        status = read_xml(stored);
    else if (!strncmp(begin, "Frame,", 6))
        status = read_csv(stored, stored->text);
    else
        status =
            report_error(FV_ERROR_INPUT, "%s is no report; give JSON, XML or CSV of libvmaf, or JSON of fovea", path);
    if (!status && !stored->frames)
        status = report_error(FV_ERROR_INPUT, "%s has no frame", path);
    if (!stored->step)
        stored->step = 1;
    return status;
}

char *stored_describe(const Stored *stored, char *text, size_t size)
{
    static const char *const kinds[] = {"JSON", "JSON", "XML", "CSV"};
    char numerics[64] = "";
    if (stored->numerics)
        snprintf(numerics, sizeof numerics, " (numerics %" PRId64 ")", stored->numerics);
    snprintf(text, size, "%s%s%s%s, %s, %" PRId64 " frame%s", stored->numerics ? "fovea" : "libvmaf",
             stored->version ? " " : "", stored->version ? stored->version : "", numerics, kinds[stored->kind],
             stored->frames, stored->frames == 1 ? "" : "s");
    return text;
}

void stored_close(Stored *stored)
{
    fv_document_close(&stored->document);
    free(stored->number);
    free(stored->column);
    free(stored->text);
    *stored = (Stored){.path = NULL};
}
