#include "scoring/model.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"

typedef struct Text {
    char text[2048];
    size_t used;
} Text;

/* Length up to the next colon that is neither escaped nor quoted, as in options of metrics. */
static size_t word_span(const char *text)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || text[i] != ':'); i++) {
        if (text[i] == '\'')
            quoted = !quoted;
        else if (text[i] == '\\' && !quoted && text[i + 1])
            i++;
    }
    return i;
}

static void put(Text *to, const char *from, size_t length, bool escape)
{
    for (size_t i = 0; i < length && to->used + 3 < sizeof to->text; i++) {
        if (escape && strchr(":,'\\", from[i]))
            to->text[to->used++] = '\\';
        to->text[to->used++] = from[i];
    }
    to->text[to->used] = '\0';
}

static bool starts(const char *word, size_t length, const char *with)
{
    return length >= strlen(with) && !strncmp(word, with, strlen(with));
}

static bool is(const char *word, size_t length, const char *what)
{
    return length == strlen(what) && !strncmp(word, what, length);
}

/* An option of the metric. */
static void put_option(Text *to, const char *name, size_t length)
{
    put(to, to->used > strlen("vmaf") ? ":" : "=", 1, false);
    put(to, name, length, false);
}

/* One word, as an option of the metric; overloads are collected. libvmaf takes any other value than true for off. */
static FvStatus take_word(Text *options, Text *overloads, Text *name, const char *word, size_t length)
{
    static const char *const flags[] = {"disable_clip", "enable_transform"};
    static const char *const texts[] = {"version=", "path=", "name="};
    for (int i = 0; i < 2; i++)
        if (is(word, length, flags[i]) || (starts(word, length, flags[i]) && word[strlen(flags[i])] == '=')) {
            size_t end = strlen(flags[i]);
            bool on = length == end || is(word + end, length - end, "=true");
            put_option(options, flags[i], end);
            put(options, on ? "=true" : "=false", on ? 5 : 6, false);
            return FV_OK;
        }
    for (int i = 0; i < 3; i++)
        if (starts(word, length, texts[i])) {
            put_option(options, word, length);
            if (i == 2) {
                *name = (Text){.text = ""};
                put(name, word + strlen(texts[i]), length - strlen(texts[i]), false);
            }
            return FV_OK;
        }
    const char *point = memchr(word, '.', length), *equals = memchr(word, '=', length);
    if (!point || !equals || point > equals)
        return complain(
            FV_ERROR_USAGE,
            "--model does not know '%.*s': it takes auto, version=NAME, path=FILE, name=NAME, disable_clip, "
            "enable_transform and METRIC.OPTION=VALUE",
            (int)length, word);
    put(overloads, ":", overloads->used > 0, true);
    put(overloads, word, length, true);
    return FV_OK;
}

/* From a model's words to the metric with its options, and the name of its score. */
static FvStatus translate(const char *model, bool allow_hdr, Text *metric, Text *name)
{
    Text overloads = {.text = ""};
    FvStatus status = FV_OK;
    put(metric, "vmaf", 4, false);
    put(name, "vmaf", 4, false);
    for (const char *at = strcmp(model, "auto") ? model : ""; *at && status == FV_OK;) {
        size_t length = word_span(at);
        status = take_word(metric, &overloads, name, at, length);
        at += length;
        if (*at == ':' && !*++at)
            status = complain(FV_ERROR_USAGE, "--model %s: a word is missing after the last colon", model);
    }
    if (!*model)
        status = complain(FV_ERROR_USAGE, "--model: say auto, version=NAME or path=FILE");
    if (status == FV_OK && allow_hdr)
        put_option(metric, "allow_hdr=true", 14);
    if (status == FV_OK && overloads.used) {
        put_option(metric, "overload=", 9);
        put(metric, overloads.text, overloads.used, false);
    }
    if (status == FV_OK && (metric->used + 4 > sizeof metric->text || overloads.used + 4 > sizeof overloads.text))
        status = complain(FV_ERROR_USAGE, "--model %.40s...: too long", model);
    return status;
}

FvStatus model_add(FvSession *session, const ArgList *models, bool allow_hdr)
{
    static Text names[32];
    for (int i = 0; i < models->count; i++) {
        Text metric = {.text = ""}, name = {.text = ""};
        FvStatus status = translate(models->items[i], allow_hdr, &metric, &name);
        if (status != FV_OK)
            return status;
        for (int k = 0; k < i && k < 32; k++)
            if (!strcmp(names[k].text, name.text))
                return complain(FV_ERROR_USAGE,
                                "--model: two models have a score named '%s'; give one of them another name=NAME",
                                name.text);
        if (i < 32)
            names[i] = name;
        FvError error = {0};
        if (complain_if(fv_session_add(session, metric.text, &error), &error))
            return error.status;
    }
    return FV_OK;
}
