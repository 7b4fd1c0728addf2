#include "json.h"

#include <inttypes.h>
#include <math.h>

int fv_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned c = s[0];
    if (c < 0x80)
        return 1;
    int length = c >= 0xc2 && c <= 0xdf ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && s[1] < 0xa0) || (c == 0xed && s[1] > 0x9f) || (c == 0xf0 && s[1] < 0x90) ||
        (c == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Returns the end of the characters at `text` that need no escape. */
static const char *skip_plain(const FvJson *json, const char *text)
{
    for (int length; *text; text += length) {
        const unsigned char c = (unsigned char)*text;
        length = fv_utf8_length(text);
        if (!length || c < 0x20 || c == 0x7f || c == '"' || c == '\\' || (c == '<' && json->in_html))
            break;
    }
    return text;
}

static void print_string(const FvJson *json, const char *text)
{
    FILE *file = json->file;
    fputc('"', file);
    for (;; text++) {
        const char *end = skip_plain(json, text);
        fwrite(text, 1, (size_t)(end - text), file);
        text = end;
        if (!*text)
            break;
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (fv_utf8_length(text))
            fprintf(file, "\\u%04x", (unsigned char)*text);
        else
            fputs("\\ufffd", file);
    }
    fputc('"', file);
}

static bool on_one_line(const FvJson *json)
{
    return json->line && json->depth >= json->line;
}

static void new_line(FvJson *json)
{
    fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

/* Writes the comma, the line break and the key before the next value. */
static void lead_in(FvJson *json, const char *key)
{
    if (json->many)
        fputs(on_one_line(json) ? ", " : ",", json->file);
    if (json->depth && !on_one_line(json))
        new_line(json);
    json->many = true;
    if (key) {
        print_string(json, key);
        fputs(": ", json->file);
    }
}

void fv_json_open(FvJson *json, const char *key, char bracket)
{
    lead_in(json, key);
    fputc(bracket, json->file);
    json->close[json->depth++] = bracket == '{' ? '}' : ']';
    json->many = false;
}

void fv_json_open_line(FvJson *json, const char *key, char bracket)
{
    fv_json_open(json, key, bracket);
    if (!json->line)
        json->line = json->depth;
}

void fv_json_close(FvJson *json)
{
    bool line = on_one_line(json);
    if (json->line == json->depth)
        json->line = 0;
    char bracket = json->close[--json->depth];
    if (json->many && !line)
        new_line(json);
    fputc(bracket, json->file);
    json->many = true;
}

void fv_json_text(FvJson *json, const char *key, const char *value)
{
    if (!value) {
        fv_json_null(json, key);
        return;
    }
    lead_in(json, key);
    print_string(json, value);
}

void fv_json_begin_text(FvJson *json, const char *key)
{
    lead_in(json, key);
    fputc('"', json->file);
}

void fv_json_end_text(FvJson *json)
{
    fputc('"', json->file);
}

bool fv_json_is_text(const char *value)
{
    for (const unsigned char *s = (const unsigned char *)value; *s;) {
        const int length = fv_utf8_length((const char *)s);
        if (!length)
            return false;
        s += length;
    }
    return true;
}

void fv_json_int(FvJson *json, const char *key, int64_t value)
{
    lead_in(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void fv_json_real(FvJson *json, const char *key, double value)
{
    lead_in(json, key);
    if (isfinite(value))
        fprintf(json->file, "%.17g", value);
    else
        fputs(isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"", json->file);
}

void fv_json_number(FvJson *json, const char *key, double value)
{
    if (isnan(value))
        fv_json_null(json, key);
    else
        fv_json_real(json, key, value);
}

void fv_json_bool(FvJson *json, const char *key, bool value)
{
    lead_in(json, key);
    fputs(value ? "true" : "false", json->file);
}

void fv_json_null(FvJson *json, const char *key)
{
    lead_in(json, key);
    fputs("null", json->file);
}
