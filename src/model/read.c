/* Reads models from files: JSON in libvmaf's form. Wrong values are refused, never replaced by a guess. */
#include "model/model.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "json_read.h"
#include "option/option.h"
#include "os/memory.h"

#define MOST_VALUES 4000000 /* maximum number of values of all support vectors together */
#define MOST_VECTORS 100000 /* maximum number of support vectors of one member */
#define MOST_OPTIONS 32     /* maximum number of options of one feature */

/* The memory blocks to which a model points. */
typedef struct FvModelMemory {
    void **block;
    size_t count, capacity;
} Memory;

typedef struct Reader {
    FvModel *model;
    FvError *error;
    const char *path;
    char member[16]; /* "", or the key of the member and a point, for messages */
    char *types;     /* the model_type of a collection's members after the first */
    double *vectors;
    size_t vector_count, vector_capacity;
    size_t values; /* number of values read so far */
} Reader;

static FvStatus bad(const Reader *r, const char *key, const char *why)
{
    return fv_fail(r->error, FV_FAIL_MODEL, "%s: %s%s %s", r->path, r->member, key, why);
}

static void *allocate_array(Reader *r, size_t count, size_t size)
{
    Memory *memory = r->model->memory;
    if (memory->count == memory->capacity) {
        size_t capacity = memory->capacity ? 2 * memory->capacity : 64;
        void **more = realloc(memory->block, capacity * sizeof *more);
        if (!more)
            return NULL;
        memory->block = more;
        memory->capacity = capacity;
    }
    void *block = calloc(count ? count : 1, size);
    if (block)
        memory->block[memory->count++] = block;
    return block;
}

static FvStatus out_of_memory(const Reader *r)
{
    return fv_fail(r->error, FV_ERROR_MEMORY, "%s: no memory for the model", r->path);
}

static char *copy(Reader *r, const char *text)
{
    size_t size = strlen(text) + 1;
    char *to = allocate_array(r, size, 1);
    return to ? memcpy(to, text, size) : NULL;
}

void fv_model_free(FvModel **model)
{
    if (!*model)
        return;
    Memory *memory = (*model)->memory;
    for (size_t i = 0; memory && i < memory->count; i++)
        free(memory->block[i]);
    if (memory)
        free(memory->block);
    free(memory);
    free(*model);
    *model = NULL;
}

/* ---- Numbers, texts, flags ------------------------------------------------------------------------------------ */

static FvStatus number(const Reader *r, const FvNode *value, const char *key, double *to)
{
    *to = fv_node_is_number(value) ? fv_node_number(value) : NAN;
    return isfinite(*to) ? FV_OK : bad(r, key, "is not a finite number");
}

static bool absent(const FvNode *value)
{
    return !value || fv_node_is(value, FV_NODE_NULL);
}

static FvStatus numbers(Reader *r, const FvNode *values, const char *key, int count, const double **to)
{
    double *list = allocate_array(r, (size_t)count, sizeof *list);
    if (!list)
        return out_of_memory(r);
    if (!fv_node_is(values, FV_NODE_LIST) || fv_node_items(values) != (size_t)count)
        return fv_fail(r->error, FV_FAIL_MODEL,
                       "%s: %s%s is not a list of %d numbers: one for the score and one for each feature", r->path,
                       r->member, key, count);
    for (int i = 0; i < count; i++)
        if (number(r, fv_node_item(values, (size_t)i), key, &list[i]))
            return FV_ERROR_INPUT;
    *to = list;
    return FV_OK;
}

static FvStatus flag(const Reader *r, const FvNode *value, const char *key, bool *to)
{
    const char *text = fv_node_text(value);
    *to = fv_node_is(value, FV_NODE_TRUE) || (text && !strcmp(text, "true"));
    if (absent(value) || fv_node_is_flag(value) || (text && (*to || !strcmp(text, "false"))))
        return FV_OK;
    return bad(r, key, "is neither true nor false");
}

/* ---- The text of the regression ------------------------------------------------------------------------------- */

/* Returns the next word of *text, ended with a NUL, or NULL at the end. */
static char *word_of(char **text)
{
    char *start = *text + strspn(*text, " \t\r\n");
    if (!*start)
        return NULL;
    char *end = start + strcspn(start, " \t\r\n");
    *text = *end ? end + 1 : end;
    *end = 0;
    return start;
}

static FvStatus header(Reader *r, char **text, FvModelMember *member)
{
    bool gamma = false, rho = false, count = false;
    for (char *word; (word = word_of(text)) && strcmp(word, "SV");) {
        char *value = word_of(text);
        int64_t whole = 0;
        bool good = value;
        if (!value)
            return bad(r, "model", "ends before its support vectors");
        if (!strcmp(word, "svm_type"))
            good = !strcmp(value, "nu_svr");
        else if (!strcmp(word, "kernel_type"))
            good = !strcmp(value, "rbf");
        else if (!strcmp(word, "gamma"))
            good = gamma = fv_parse_real(value, &member->gamma) && member->gamma > 0;
        else if (!strcmp(word, "rho"))
            good = rho = fv_parse_real(value, &member->rho);
        else if (!strcmp(word, "total_sv"))
            good = count = fv_parse_int(value, 1, MOST_VECTORS, &whole);
        else if (strcmp(word, "nr_class"))
            return fv_fail(r->error, FV_FAIL_MODEL, "%s: %smodel has the unknown line '%.40s %.40s'", r->path,
                           r->member, word, value);
        if (!good)
            return fv_fail(r->error, FV_FAIL_MODEL, "%s: %smodel has the line '%s %.40s', which fovea cannot use",
                           r->path, r->member, word, value);
        if (whole)
            member->count = (int)whole;
    }
    return gamma && rho && count ? FV_OK
                                 : bad(r, "model", "must give gamma, rho and total_sv before SV, as libsvm does");
}

/* Finds a support vector's index in the model's list, which holds equal vectors once, and adds it if it is new. */
static FvStatus place_of(Reader *r, const double *values, uint32_t *place)
{
    size_t n = (size_t)r->model->feature_count;
    for (size_t i = 0; i < r->vector_count && i < 1024; i++)
        if (!memcmp(r->vectors + i * n, values, n * sizeof *values)) {
            *place = (uint32_t)i;
            return FV_OK;
        }
    if (r->vector_count == r->vector_capacity) {
        size_t capacity = r->vector_capacity ? 2 * r->vector_capacity : 256;
        double *more = realloc(r->vectors, capacity * n * sizeof *more);
        if (!more)
            return out_of_memory(r);
        r->vectors = more;
        r->vector_capacity = capacity;
    }
    memcpy(r->vectors + r->vector_count * n, values, n * sizeof *values);
    *place = (uint32_t)r->vector_count++;
    return FV_OK;
}

/*
 * Reads line i of the vectors: a coefficient, then index:value with indices that ascend from 1; missing values are 0.
 */
static FvStatus vector(Reader *r, char *line, int i, double *coefficient, uint32_t *place)
{
    double values[FV_MODEL_FEATURES] = {0};
    int last = 0;
    char *word = word_of(&line);
    bool good = word && fv_parse_real(word, coefficient);
    while (good && (word = word_of(&line))) {
        char *colon = strchr(word, ':');
        int64_t index = 0;
        if (colon)
            *colon = 0;
        good = colon && fv_parse_int(word, last + 1, r->model->feature_count, &index) &&
               fv_parse_real(colon + 1, &values[index - 1]);
        last = (int)index;
    }
    if (!good)
        return fv_fail(r->error, FV_FAIL_MODEL,
                       "%s: %smodel: support vector %d is not a coefficient and index:value pairs with indices that "
                       "ascend from 1 to at most %d",
                       r->path, r->member, i + 1, r->model->feature_count);
    return place_of(r, values, place);
}

static FvStatus regression(Reader *r, const FvNode *value, FvModelMember *member)
{
    if (!fv_node_is(value, FV_NODE_TEXT))
        return bad(r, "model", "is not the text of a libsvm model");
    char *text = copy(r, fv_node_text(value));
    FvStatus status = text ? header(r, &text, member) : out_of_memory(r);
    if (status)
        return status;
    r->values += (size_t)member->count * (size_t)r->model->feature_count;
    if (r->values > MOST_VALUES)
        return bad(r, "model", "has too many support vectors: all members together may have 4 million values");
    double *coefficient = allocate_array(r, (size_t)member->count, sizeof *coefficient);
    uint32_t *which = allocate_array(r, (size_t)member->count, sizeof *which);
    if (!coefficient || !which)
        return out_of_memory(r);
    for (int i = 0; i < member->count; i++) {
        text += strspn(text, " \t\r\n");
        char *line = text;
        text += strcspn(text, "\n");
        if (!*line)
            return fv_fail(r->error, FV_FAIL_MODEL, "%s: %smodel has %d support vectors, but total_sv says %d",
                           r->path, r->member, i, member->count);
        if (*text)
            *text++ = 0;
        if ((status = vector(r, line, i, &coefficient[i], &which[i])))
            return status;
    }
    if (text[strspn(text, " \t\r\n")])
        return bad(r, "model", "has more support vectors than total_sv");
    member->coefficient = coefficient;
    member->which = which;
    return FV_OK;
}

/* ---- Transform and clip ---------------------------------------------------------------------------------------- */

static FvStatus knots(const Reader *r, const FvNode *list, FvModelTransform *t)
{
    size_t count = fv_node_items(list);
    if (absent(list))
        return FV_OK;
    if (!fv_node_is(list, FV_NODE_LIST) || count < 2 || count > FV_MODEL_KNOTS)
        return bad(r, "score_transform.knots", "is not a list of 2 to 10 points");
    for (size_t i = 0; i < count; i++) {
        const FvNode *point = fv_node_item(list, i);
        for (size_t k = 0; k < 2; k++)
            if (fv_node_items(point) != 2 ||
                number(r, fv_node_item(point, k), "score_transform.knots", &t->knot[i][k]))
                return bad(r, "score_transform.knots", "has a point that is not two finite numbers");
        if (i && (t->knot[i][0] <= t->knot[i - 1][0] || t->knot[i][1] < t->knot[i - 1][1]))
            return bad(r, "score_transform.knots", "must rise: each x above the x before, no y below the y before");
    }
    t->knot_count = (int)count;
    return FV_OK;
}

/* Refuses unknown members, because a member of a newer format may change scores. `known` ends with NULL. */
static FvStatus refuse_unknown(const Reader *r, const FvNode *object, const char *name, const char *const *known)
{
    for (uint32_t i = 0; i < object->count; i++) {
        int k = 0;
        while (known[k] && strcmp(known[k], object->items[i].key))
            k++;
        if (!known[k])
            return fv_fail(
                r->error, FV_FAIL_MODEL,
                "%s: %s%s has the member '%.64s', which this version of fovea does not know; if scores do not "
                "depend on it, remove it from the file",
                r->path, r->member, name, object->items[i].key);
    }
    return FV_OK;
}

static FvStatus transform(const Reader *r, const FvNode *words, FvModelTransform *t)
{
    static const char *const powers[] = {"p0", "p1", "p2"};
    if (absent(words))
        return FV_OK;
    if (!fv_node_is(words, FV_NODE_OBJECT))
        return bad(r, "score_transform", "is not an object");
    t->present = true;
    static const char *const known[] = {"enabled", "p0", "p1", "p2", "out_lte_in", "out_gte_in", "knots", NULL};
    FvStatus status = flag(r, fv_node_member(words, "enabled"), "score_transform.enabled", &t->enabled);
    for (int i = 0; i < 3 && !status; i++) {
        const FvNode *value = fv_node_member(words, powers[i]);
        t->has[i] = !absent(value);
        if (t->has[i])
            status = number(r, value, powers[i], &t->p[i]);
    }
    if (!status)
        status = flag(r, fv_node_member(words, "out_lte_in"), "score_transform.out_lte_in", &t->at_most_input);
    if (!status)
        status = flag(r, fv_node_member(words, "out_gte_in"), "score_transform.out_gte_in", &t->at_least_input);
    if (!status)
        status = knots(r, fv_node_member(words, "knots"), t);
    return status ? status : refuse_unknown(r, words, "score_transform", known);
}

static FvStatus clip(const Reader *r, const FvNode *range, FvModelMember *member)
{
    if (absent(range))
        return FV_OK;
    if (fv_node_items(range) != 2 || number(r, fv_node_item(range, 0), "score_clip", &member->minimum) ||
        number(r, fv_node_item(range, 1), "score_clip", &member->maximum) || member->minimum > member->maximum)
        return bad(r, "score_clip", "is not a list of a minimum and a maximum");
    member->clip = true;
    return FV_OK;
}

/* ---- Features -------------------------------------------------------------------------------------------------- */

/* Returns an option as libvmaf writes it: a number becomes a float with six digits. */
static const char *option_text(Reader *r, const FvNode *value)
{
    char text[32];
    if (fv_node_is(value, FV_NODE_TEXT))
        return copy(r, fv_node_text(value));
    if (fv_node_is_number(value))
        snprintf(text, sizeof text, "%g", (float)fv_node_number(value));
    else
        snprintf(text, sizeof text, fv_node_is(value, FV_NODE_TRUE) ? "true" : "false");
    return copy(r, text);
}

static FvStatus feature_options(Reader *r, const FvNode *object, FvModelFeature *feature)
{
    const size_t count = fv_node_is(object, FV_NODE_OBJECT) ? object->count : 0;
    if (!absent(object) && (!fv_node_is(object, FV_NODE_OBJECT) || count > MOST_OPTIONS))
        return bad(r, "feature_opts_dicts", "has an element that is not an object of at most 32 options");
    FvModelOption *options = allocate_array(r, count + 1, sizeof *options);
    if (!options)
        return out_of_memory(r);
    for (size_t i = 0; i < count; i++) {
        const FvNode *value = &object->items[i];
        if (!fv_node_is_number(value) && !fv_node_is_flag(value) && !fv_node_is(value, FV_NODE_TEXT))
            return fv_fail(r->error, FV_FAIL_MODEL,
                           "%s: %sfeature_opts_dicts: %.60s is not a number, a text, true or false", r->path,
                           r->member, value->key);
        options[i].name = copy(r, value->key);
        options[i].value = option_text(r, value);
        if (!options[i].name || !options[i].value)
            return out_of_memory(r);
    }
    feature->options = options;
    return FV_OK;
}

static FvStatus read_features(Reader *r, const FvNode *document, const FvModelFeature **list, int *count)
{
    const FvNode *names = fv_node_member(document, "feature_names");
    const FvNode *options = fv_node_member(document, "feature_opts_dicts");
    size_t n = fv_node_items(names);
    if (!n || n > FV_MODEL_FEATURES)
        return bad(r, "feature_names", "is not a list of 1 to 64 names");
    if (!absent(options) && (!fv_node_is(options, FV_NODE_LIST) || fv_node_items(options) > n))
        return bad(r, "feature_opts_dicts", "is not a list with at most one element for each feature");
    FvModelFeature *feature = allocate_array(r, n, sizeof *feature);
    if (!feature)
        return out_of_memory(r);
    for (size_t i = 0; i < n; i++) {
        const char *name = fv_node_text(fv_node_item(names, i));
        if (!name || !*name)
            return bad(r, "feature_names", "has an element that is not a name");
        if (!(feature[i].name = copy(r, name)))
            return out_of_memory(r);
        FvStatus status = feature_options(r, fv_node_item(options, i), &feature[i]);
        if (status)
            return status;
    }
    *list = feature;
    *count = (int)n;
    return FV_OK;
}

static const char *option_of(const FvModelFeature *feature, const char *name)
{
    for (const FvModelOption *option = feature->options; option->name; option++)
        if (!strcmp(option->name, name))
            return option->value;
    return NULL;
}

static int options_of(const FvModelFeature *feature)
{
    int count = 0;
    while (feature->options[count].name)
        count++;
    return count;
}

static bool same_features(const FvModelFeature *a, const FvModelFeature *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(a[i].name, b[i].name) || options_of(&a[i]) != options_of(&b[i]))
            return false;
        for (const FvModelOption *option = a[i].options; option->name; option++) {
            const char *other = option_of(&b[i], option->name);
            if (!other || strcmp(option->value, other))
                return false;
        }
    }
    return true;
}

/* ---- Members --------------------------------------------------------------------------------------------------- */

static FvStatus norm(Reader *r, const FvNode *document, FvModelMember *member)
{
    const char *type = fv_member_text(document, "norm_type");
    int count = r->model->feature_count + 1;
    member->rescale = type && !strcmp(type, "linear_rescale");
    if (!type || (!member->rescale && strcmp(type, "none")))
        return bad(r, "norm_type", "is neither 'linear_rescale' nor 'none'");
    if (!member->rescale)
        return FV_OK;
    FvStatus status = numbers(r, fv_node_member(document, "slopes"), "slopes", count, &member->slope);
    if (!status)
        status = numbers(r, fv_node_member(document, "intercepts"), "intercepts", count, &member->intercept);
    for (int i = 0; i < count && !status; i++)
        if (member->slope[i] == 0 && (i == 0 || !absent(fv_node_member(document, "chroma_correction_parameter"))))
            status = bad(r, "slopes", "contains 0, by which features would be divided");
    return status;
}

/*
 * Reads the type. A plain model, and the main member of a collection, may have any of the three types. The other
 * members must all have the same one of the two BOOTSTRAP types.
 */
static FvStatus type_of(Reader *r, const FvNode *document, int index)
{
    const char *type = fv_member_text(document, "model_type");
    bool plain = type && !strcmp(type, "LIBSVMNUSVR");
    if (!type || (!plain && strcmp(type, "BOOTSTRAP_LIBSVMNUSVR") && strcmp(type, "RESIDUEBOOTSTRAP_LIBSVMNUSVR")))
        return bad(r, "model_type", "is not LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR");
    if (!*r->member || !index)
        return FV_OK;
    if (plain)
        return bad(r, "model_type", "is for a plain model, but this is a collection");
    if (!r->types)
        r->types = copy(r, type);
    if (!r->types)
        return out_of_memory(r);
    return strcmp(r->types, type) ? bad(r, "model_type", "differs from member 1") : FV_OK;
}

static FvStatus read_member(Reader *r, const FvNode *document, int index, FvModelMember *member)
{
    const FvNode *model = fv_node_member(document, "model_dict");
    if (!fv_node_is(model, FV_NODE_OBJECT))
        return bad(r, "model_dict", "is not an object");
    static const char *const known[] = {"feature_dict",
                                        "feature_names",
                                        "feature_opts_dicts",
                                        "intercepts",
                                        "slopes",
                                        "model",
                                        "model_type",
                                        "norm_type",
                                        "score_clip",
                                        "score_transform",
                                        "chroma_correction_parameter",
                                        NULL}; /* feature_dict only describes the training */
    const FvModelFeature *list = NULL;
    int count = 0;
    FvStatus status = type_of(r, model, index);
    if (!status)
        status = read_features(r, model, &list, &count);
    if (status)
        return status;
    if (!index) {
        r->model->feature = list;
        r->model->feature_count = count;
    } else if (count != r->model->feature_count || !same_features(r->model->feature, list, count))
        return bad(r, "feature_names", "and their options differ from member 0");
    const FvNode *chroma = fv_node_member(model, "chroma_correction_parameter");
    if (!absent(chroma))
        status = number(r, chroma, "chroma_correction_parameter", &member->chroma);
    if (!status)
        status = norm(r, model, member);
    if (!status)
        status = transform(r, fv_node_member(model, "score_transform"), &member->transform);
    if (!status)
        status = clip(r, fv_node_member(model, "score_clip"), member);
    if (!status)
        status = regression(r, fv_node_member(model, "model"), member);
    return status ? status : refuse_unknown(r, model, "model_dict", known);
}

/* Returns the number of keys that are decimal numbers without leading zeros. */
static int members_of(const FvNode *document)
{
    int count = 0;
    for (uint32_t i = 0; i < document->count; i++) {
        const char *key = document->items[i].key;
        count += isdigit((unsigned char)*key) && (*key != '0' || !key[1]) && !key[strspn(key, "0123456789")];
    }
    return count;
}

static bool same_kernel(const FvModelMember *a, const FvModelMember *b, int features)
{
    size_t bytes = (size_t)features * sizeof *a->slope;
    return a->rescale == b->rescale && a->gamma == b->gamma && a->chroma == b->chroma &&
           (!a->rescale ||
            (!memcmp(a->slope + 1, b->slope + 1, bytes) && !memcmp(a->intercept + 1, b->intercept + 1, bytes)));
}

static FvStatus read_document(Reader *r, const FvNode *document)
{
    FvModel *model = r->model;
    bool plain = fv_node_member(document, "model_dict");
    int count = plain ? 1 : members_of(document);
    if (!plain && (count < 2 || count > FV_MODEL_MEMBERS))
        return fv_fail(r->error, FV_FAIL_MODEL,
                       "%s has neither model_dict nor a collection of 2 to %d members with the keys 0, 1, 2, ...",
                       r->path, FV_MODEL_MEMBERS);
    FvModelMember *member = allocate_array(r, (size_t)count, sizeof *member);
    if (!member)
        return out_of_memory(r);
    model->member = member;
    model->alike = true;
    for (int i = 0; i < count; i++) {
        char key[8];
        snprintf(key, sizeof key, "%d", i);
        const FvNode *one = plain ? document : fv_node_member(document, key);
        if (!one)
            return fv_fail(r->error, FV_FAIL_MODEL, "%s: the collection has %d members, but none with the key %s",
                           r->path, count, key);
        if (!plain)
            snprintf(r->member, sizeof r->member, "%s.", key);
        FvStatus status = read_member(r, one, i, &member[i]);
        if (status)
            return status;
        model->alike = model->alike && same_kernel(member, &member[i], model->feature_count);
        model->member_count = i + 1;
    }
    double *vectors = allocate_array(r, r->vector_count * (size_t)model->feature_count, sizeof *vectors);
    if (!vectors)
        return out_of_memory(r);
    memcpy(vectors, r->vectors, r->vector_count * (size_t)model->feature_count * sizeof *vectors);
    model->vector = vectors;
    model->vector_count = (int)r->vector_count;
    return FV_OK;
}

FvStatus fv_model_read(FvModel **model, const char *path, const char *text, size_t size, const char *sha256,
                       FvError *error)
{
    Reader reader = {.error = error, .path = path};
    FvDocument document;
    *model = NULL;
    FvStatus status = fv_document_open(&document, path, text, size, error);
    if (!status &&
        (!(*model = reader.model = calloc(1, sizeof **model)) || !(reader.model->memory = calloc(1, sizeof(Memory)))))
        status = out_of_memory(&reader);
    if (!status && (!(reader.model->name = copy(&reader, path)) || !(reader.model->sha256 = copy(&reader, sha256))))
        status = out_of_memory(&reader);
    if (!status)
        status = fv_node_is(&document.root, FV_NODE_OBJECT)
                     ? read_document(&reader, &document.root)
                     : fv_fail(error, FV_FAIL_MODEL, "%s: this is not a JSON object", path);
    free(reader.vectors);
    fv_document_close(&document);
    if (status)
        fv_model_free(model);
    return status;
}
