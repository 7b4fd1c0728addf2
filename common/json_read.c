#include "json_read.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define DEPTH 64

typedef struct Parser {
    char *next; /* the next character of the document's text, which ends with NUL */
    int line;
    FvNode *pending; /* items of the containers that are not closed yet */
    size_t count, room;
    const char *name;
    locale_t plain; /* C locale, in which numbers have a decimal point */
    FvError *error;
} Parser;

static FvStatus fail_parse(FvError *error, FvStatus status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (error) {
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, list);
    }
    va_end(list);
    return status;
}

static FvStatus lack(const Parser *p)
{
    return fail_parse(p->error, FV_ERROR_MEMORY, "%s: out of memory while it was read", p->name);
}

static FvStatus wrong(const Parser *p, const char *why)
{
    return fail_parse(p->error, FV_ERROR_INPUT, "%s: line %d: %s", p->name, p->line, why);
}

static void skip_space(Parser *p)
{
    for (; *p->next && strchr(" \t\r\n", *p->next); p->next++)
        p->line += *p->next == '\n';
}

/* ---- Texts and numbers ----------------------------------------------------------------------------------------- */

/* Returns the value of four hexadecimal digits; -1: there are not four. */
static int hexadecimal(const char *digits)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)digits[i]))
            return -1;
        value = 16 * value + (isdigit((unsigned char)digits[i]) ? digits[i] - '0' : (digits[i] | 32) - 'a' + 10);
    }
    return value;
}

static char *put_character(char *to, int code)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(first[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    return to;
}

/* Decodes the escape after a backslash at *from. False: it is invalid, or means NUL or half of a surrogate pair. */
static bool unescape(char **from, char **to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found = **from ? strchr(names, **from) : NULL;
    if (found) {
        *(*to)++ = values[found - names];
        (*from)++;
        return true;
    }
    int code = **from == 'u' ? hexadecimal(*from + 1) : -1, length = 5;
    if (code >= 0xd800 && code < 0xdc00) {
        const char *second = *from + length;
        const int low = second[0] == '\\' && second[1] == 'u' ? hexadecimal(second + 2) : -1;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
        length += 6;
    } else if (code >= 0xdc00 && code < 0xe000)
        code = -1;
    if (code <= 0)
        return false;
    *to = put_character(*to, code);
    *from += length;
    return true;
}

/* Reads a text and decodes it in place, which has room: no escape is shorter than its character. */
static FvStatus take_text(Parser *p, const char **text)
{
    char *from = p->next + 1, *to = from;
    *text = to;
    while (*from != '"') {
        if ((unsigned char)*from < ' ')
            return wrong(p, *from ? "a text has a control character" : "a text has no end");
        if (*from == '\\') {
            from++;
            if (!unescape(&from, &to))
                return wrong(p, "a text has a wrong escape");
            continue;
        }
        int bytes = fv_utf8_length(from);
        if (!bytes)
            return wrong(p, "a text is not UTF-8");
        while (bytes--)
            *to++ = *from++;
    }
    *to = '\0';
    p->next = from + 1;
    return FV_OK;
}

static char *skip_digits(char *text)
{
    while (isdigit((unsigned char)*text))
        text++;
    return text;
}

/* Returns the end of the number at `text`; NULL: there is none. */
static char *end_of_number(char *text, bool *whole)
{
    *whole = true;
    text += *text == '-';
    if (!isdigit((unsigned char)*text))
        return NULL;
    text = *text == '0' ? text + 1 : skip_digits(text);
    if (*text == '.') {
        *whole = false;
        if (skip_digits(text + 1) == text + 1)
            return NULL;
        text = skip_digits(text + 1);
    }
    if (*text == 'e' || *text == 'E') {
        *whole = false;
        text += text[1] == '+' || text[1] == '-' ? 2 : 1;
        if (skip_digits(text) == text)
            return NULL;
        text = skip_digits(text);
    }
    return text;
}

static FvStatus take_number(Parser *p, FvNode *node)
{
    bool whole;
    char *text = p->next, *end = end_of_number(text, &whole);
    if (!end)
        return wrong(p, "a number is not JSON's");
    const char behind = *end;
    *end = '\0';
    errno = 0;
    node->kind = FV_NODE_INTEGER;
    node->integer = strtoll(text, NULL, 10);
    if (!whole || errno || !strcmp(text, "-0")) {
        node->kind = FV_NODE_REAL;
        node->real = strtod_l(text, NULL, p->plain);
    }
    *end = behind;
    p->next = end;
    return node->kind == FV_NODE_REAL && !isfinite(node->real) ? wrong(p, "a number is too large") : FV_OK;
}

static FvStatus take_word(Parser *p, FvNode *node)
{
    static const struct {
        const char *word;
        FvNodeKind kind;
    } words[] = {{"null", FV_NODE_NULL}, {"false", FV_NODE_FALSE}, {"true", FV_NODE_TRUE}};
    for (int i = 0; i < 3; i++)
        if (!strncmp(p->next, words[i].word, strlen(words[i].word))) {
            p->next += strlen(words[i].word);
            node->kind = words[i].kind;
            return FV_OK;
        }
    return wrong(p, *p->next ? "a value is not JSON's" : "the text ends too early");
}

/* ---- Containers ------------------------------------------------------------------------------------------------ */

static FvStatus add_node(Parser *p, const FvNode *node)
{
    if (p->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 64;
        FvNode *grown = realloc(p->pending, room * sizeof *grown);
        if (!grown)
            return lack(p);
        p->pending = grown;
        p->room = room;
    }
    p->pending[p->count++] = *node;
    return FV_OK;
}

/* Returns the addresses of an object's members in the order of keys; they follow the members in memory. */
static const FvNode **by_key(const FvNode *object)
{
    return (const FvNode **)(object->items + object->count);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp((*(const FvNode *const *)a)->key, (*(const FvNode *const *)b)->key);
}

/* Moves the pending nodes from index `first` on into a container, and adds the container to the pending nodes. */
static FvStatus close_container(Parser *p, FvNode *node, size_t first)
{
    const size_t count = p->count - first, bytes = count * (sizeof(FvNode) + sizeof(FvNode *));
    if (count > UINT32_MAX)
        return wrong(p, "a container has too many items");
    node->items = malloc(bytes + 1);
    if (!node->items)
        return lack(p);
    if (count)
        memcpy(node->items, p->pending + first, count * sizeof *node->items);
    node->count = (uint32_t)count;
    p->count = first;
    FvStatus status = add_node(p, node);
    if (status)
        free(node->items); /* adding fails for an empty container only: others reuse the room of their first item */
    if (status || node->kind == FV_NODE_LIST)
        return status;
    const FvNode **ordered = by_key(node);
    for (size_t i = 0; i < count; i++)
        ordered[i] = &node->items[i];
    qsort(ordered, count, sizeof *ordered, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(ordered[i - 1]->key, ordered[i]->key))
            return fail_parse(p->error, FV_ERROR_INPUT, "%s: line %d: an object has the duplicate member '%.60s'",
                              p->name, p->line, ordered[i]->key);
    return FV_OK;
}

static FvStatus take_key(Parser *p, const char **key)
{
    if (*p->next != '"')
        return wrong(p, "a member of an object has no name");
    FvStatus status = take_text(p, key);
    skip_space(p);
    if (!status && *p->next != ':')
        status = wrong(p, "a member's name has no ':' behind it");
    p->next += !status;
    return status;
}

static FvStatus take_value(Parser *p, const char *key, int depth);

static FvStatus take_items(Parser *p, FvNode *node, int depth)
{
    const size_t first = p->count;
    const char close = *p->next++ == '{' ? '}' : ']';
    node->kind = close == '}' ? FV_NODE_OBJECT : FV_NODE_LIST;
    if (depth == DEPTH)
        return wrong(p, "containers are nested too deeply");
    skip_space(p);
    bool more = *p->next != close;
    while (more) {
        const char *key = NULL;
        FvStatus status = node->kind == FV_NODE_OBJECT ? take_key(p, &key) : FV_OK;
        if (!status)
            status = take_value(p, key, depth + 1);
        if (status)
            return status;
        more = *p->next == ',';
        if (more) {
            p->next++;
            skip_space(p);
        } else if (*p->next != close)
            return wrong(p, "neither ',' nor the end of the container follows a value");
    }
    p->next++;
    return close_container(p, node, first);
}

/* Reads a value and the space around it. The value becomes the last pending node. */
static FvStatus take_value(Parser *p, const char *key, int depth)
{
    FvNode node = {.key = key};
    FvStatus status = FV_OK;
    skip_space(p);
    if (*p->next == '{' || *p->next == '[')
        status = take_items(p, &node, depth);
    else {
        if (*p->next == '"') {
            node.kind = FV_NODE_TEXT;
            status = take_text(p, &node.text);
        } else if (*p->next == '-' || isdigit((unsigned char)*p->next))
            status = take_number(p, &node);
        else
            status = take_word(p, &node);
        if (!status)
            status = add_node(p, &node);
    }
    skip_space(p);
    return status;
}

static void free_items(const FvNode *node)
{
    if (node->kind != FV_NODE_LIST && node->kind != FV_NODE_OBJECT)
        return;
    for (uint32_t i = 0; i < node->count; i++)
        free_items(&node->items[i]);
    free(node->items);
}

FvStatus fv_document_open(FvDocument *document, const char *name, const char *text, size_t size, FvError *error)
{
    *document = (FvDocument){.text = malloc(size + 1)};
    Parser p = {.next = document->text, .line = 1, .name = name, .error = error};
    p.plain = document->text ? newlocale(LC_ALL_MASK, "C", NULL) : NULL;
    if (!p.plain)
        return lack(&p);
    memcpy(document->text, text, size);
    document->text[size] = '\0';
    FvStatus status = take_value(&p, NULL, 0);
    if (!status && p.next != document->text + size)
        status = wrong(&p, "a second value follows the first");
    if (!status)
        document->root = p.pending[0];
    for (size_t i = 0; i < p.count && status; i++)
        free_items(&p.pending[i]);
    free(p.pending);
    freelocale(p.plain);
    return status;
}

void fv_document_close(FvDocument *document)
{
    free_items(&document->root);
    free(document->text);
    *document = (FvDocument){.text = NULL};
}

/* ---- Nodes ----------------------------------------------------------------------------------------------------- */

const FvNode *fv_node_member(const FvNode *node, const char *key)
{
    if (!fv_node_is(node, FV_NODE_OBJECT))
        return NULL;
    const FvNode wanted = {.key = key}, *address = &wanted, **found;
    found = bsearch(&address, by_key(node), node->count, sizeof address, compare_keys);
    return found ? *found : NULL;
}

size_t fv_node_items(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_LIST) ? node->count : 0;
}

const FvNode *fv_node_item(const FvNode *node, size_t i)
{
    return i < fv_node_items(node) ? &node->items[i] : NULL;
}

int64_t fv_node_integer(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_INTEGER) ? node->integer : 0;
}

double fv_node_number(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_REAL) ? node->real : (double)fv_node_integer(node);
}

const char *fv_node_text(const FvNode *node)
{
    return fv_node_is(node, FV_NODE_TEXT) ? node->text : NULL;
}

const char *fv_member_text(const FvNode *node, const char *key)
{
    return fv_node_text(fv_node_member(node, key));
}

double fv_node_real(const FvNode *node)
{
    const char *text = fv_node_text(node);
    return fv_node_is_number(node) ? fv_node_number(node)
           : !text                 ? NAN
           : !strcmp(text, "inf")  ? INFINITY
           : !strcmp(text, "-inf") ? -INFINITY
                                   : NAN;
}
