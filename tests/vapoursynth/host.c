#include "host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* ---- Maps ------------------------------------------------------------------------------------------------------ */

typedef struct Entry {
    char key[64];
    VSPropertyType type;
    int64_t whole;
    double real;
    char *data;
    VSNode *node;
} Entry;

struct VSMap {
    Entry entry[MOST];
    int count;
    char error[1200];
};

struct VSFrame {
    atomic_int holders;
    const HostClip *clip;
    uint8_t *plane[3];
    ptrdiff_t stride[3];
    atomic_int *samples; /* number of holders of the planes, which copies share */
    VSMap properties;
};

struct VSNode {
    atomic_int holders;
    HostClip clip;
    atomic_int *made;     /* how often a source made each picture */
    VSFilterGetFrame get; /* the filter's callback */
    VSFilterFree free;
    void *data;
    int mode;
    pthread_mutex_t lock;
};

/* A request for a picture, with the pictures that the filter asked for and got so far. */
struct VSFrameContext {
    struct {
        VSNode *node;
        int n;
        const VSFrame *picture;
    } wanted[4 * MOST];
    int count;
    char error[1200];
};

static atomic_int alive;

static void must(bool condition, const char *broken)
{
    if (condition)
        return;
    fprintf(stderr, "the plugin breaks a rule of VapourSynth's: %s\n", broken);
    abort();
}

static Entry *find(const VSMap *map, const char *key, int index, VSPropertyType type, int *missing)
{
    for (int i = 0; i < map->count; i++)
        if (!strcmp(map->entry[i].key, key) && !index--) {
            *missing = map->entry[i].type == type ? peSuccess : peType;
            return map->entry[i].type == type ? (Entry *)&map->entry[i] : NULL;
        }
    *missing = peUnset;
    return NULL;
}

static Entry *add(VSMap *map, const char *key, VSPropertyType type)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    must(map->count < MOST, "a map is full");
    must(!key[strspn(key, letters)] && (*key < '0' || *key > '9'), "VapourSynth does not take this key");
    Entry *entry = &map->entry[map->count++];
    *entry = (Entry){.type = type};
    snprintf(entry->key, sizeof entry->key, "%s", key);
    return entry;
}

static int64_t get_int(const VSMap *map, const char *key, int index, int *missing)
{
    const Entry *entry = find(map, key, index, ptInt, missing);
    return entry ? entry->whole : 0;
}

static double get_float(const VSMap *map, const char *key, int index, int *missing)
{
    const Entry *entry = find(map, key, index, ptFloat, missing);
    return entry ? entry->real : 0;
}

static int set_float(VSMap *map, const char *key, double value, int mode)
{
    int missing;
    Entry *entry = find(map, key, 0, ptFloat, &missing);
    must(mode == maReplace, "a property is added to");
    (entry ? entry : add(map, key, ptFloat))->real = value;
    return 0;
}

static const char *get_data(const VSMap *map, const char *key, int index, int *missing)
{
    const Entry *entry = find(map, key, index, ptData, missing);
    return entry ? entry->data : NULL;
}

static int count_of(const VSMap *map, const char *key)
{
    int count = 0;
    for (int i = 0; i < map->count; i++)
        count += !strcmp(map->entry[i].key, key);
    return count ? count : -1;
}

static VSNode *get_node(const VSMap *map, const char *key, int index, int *missing)
{
    const Entry *entry = find(map, key, index, ptVideoNode, missing);
    if (entry)
        entry->node->holders++;
    return entry ? entry->node : NULL;
}

static void set_error(VSMap *map, const char *message)
{
    snprintf(map->error, sizeof map->error, "%s", message);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

static void free_frame(const VSFrame *picture)
{
    VSFrame *own = (VSFrame *)picture;
    if (!own || --own->holders)
        return;
    if (!--*own->samples) {
        for (int plane = 0; plane < 3; plane++)
            free(own->plane[plane]);
        free(own->samples);
    }
    free(own);
    alive--;
}

static VSFrame *copy_frame(const VSFrame *picture, VSCore *core)
{
    VSFrame *copy = malloc(sizeof *copy);
    memcpy(copy, picture, sizeof *copy);
    copy->holders = 1;
    ++*copy->samples;
    alive++;
    return copy;
}

static const VSMap *properties_of(const VSFrame *picture)
{
    return &picture->properties;
}

static VSMap *writable_properties_of(VSFrame *picture)
{
    must(picture->holders == 1, "a picture that others hold is changed");
    return &picture->properties;
}

static ptrdiff_t stride_of(const VSFrame *picture, int plane)
{
    return picture->stride[plane];
}

static const uint8_t *samples_of(const VSFrame *picture, int plane)
{
    return picture->plane[plane];
}

/* Fills a plane with a moving gradient and noise. Its memory ends where its last row ends. */
static void fill(VSFrame *picture, int plane, int n)
{
    const HostClip *clip = picture->clip;
    const VSVideoFormat *format = &clip->info.format;
    int width = plane ? clip->info.width >> format->subSamplingW : clip->info.width;
    int height = plane ? clip->info.height >> format->subSamplingH : clip->info.height,
        bytes = format->bytesPerSample;
    uint32_t state = (uint32_t)(clip->seed * 7919 + n * 104729 + plane);
    picture->stride[plane] = (ptrdiff_t)width * bytes + 32;
    picture->plane[plane] = malloc((size_t)picture->stride[plane] * (size_t)height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            state = state * 1664525 + 1013904223;
            unsigned value = (unsigned)(((x + 3 * n) * 3 + y * 2 + (int)(state >> 28) * clip->seed) % 200 + 20)
                             << (format->bitsPerSample - 8);
            if (clip->over && clip->over == n && !x && !y)
                value = 1u << format->bitsPerSample;
            uint8_t *to = picture->plane[plane] + y * picture->stride[plane] + x * bytes;
            memcpy(to, bytes == 1 ? (void *)&(uint8_t){(uint8_t)value} : (void *)&(uint16_t){(uint16_t)value},
                   (size_t)bytes);
        }
}

static const VSFrame *make_frame(VSNode *source, int n, char *why, size_t size)
{
    const HostClip *clip = &source->clip;
    must(n >= 0 && n < clip->info.numFrames, "the clip has no such picture");
    source->made[n]++;
    if (clip->broken && clip->broken == n) {
        snprintf(why, size, "picture %d is lost", n);
        return NULL;
    }
    VSFrame *picture = calloc(1, sizeof *picture);
    alive++;
    picture->holders = 1;
    picture->clip = clip;
    picture->samples = malloc(sizeof *picture->samples);
    *picture->samples = 1;
    for (int plane = 0; plane < clip->info.format.numPlanes; plane++)
        fill(picture, plane, n);
    static const char *const names[] = {"_Transfer", "_Range", "_ColorRange", "_ChromaLocation"};
    const int64_t values[] = {clip->transfer, clip->range, clip->color_range, clip->siting};
    for (int i = 0; i < 4; i++)
        if (values[i] >= 0)
            add(&picture->properties, names[i], ptInt)->whole = values[i];
    return picture;
}

static const VSFrame *get_frame(int n, VSNode *node, char *why, int size)
{
    return make_frame(node, n, why, (size_t)size);
}

bool host_property(const VSFrame *picture, const char *name, double *value)
{
    int missing;
    *value = get_float(&picture->properties, name, 0, &missing);
    return !missing;
}

/* ---- Nodes ----------------------------------------------------------------------------------------------------- */

static void free_node(VSNode *node)
{
    if (--node->holders)
        return;
    if (node->free)
        node->free(node->data, NULL, &host);
    pthread_mutex_destroy(&node->lock);
    free(node->made);
    free(node);
    alive--;
}

static const VSVideoInfo *info_of(VSNode *node)
{
    return &node->clip.info;
}

HostClip host_clip(int width, int height, int depth, int pictures, int seed)
{
    return (HostClip){.info = {.format = {cfYUV, stInteger, depth, depth > 8 ? 2 : 1, 1, 1, 3},
                               .fpsNum = 25,
                               .fpsDen = 1,
                               .width = width,
                               .height = height,
                               .numFrames = pictures},
                      .seed = seed,
                      .transfer = -1,
                      .range = -1,
                      .color_range = -1,
                      .siting = -1};
}

static VSNode *new_node(void)
{
    VSNode *node = calloc(1, sizeof *node);
    node->holders = 1;
    pthread_mutex_init(&node->lock, NULL);
    alive++;
    return node;
}

VSNode *host_source(const HostClip *clip)
{
    VSNode *node = new_node();
    node->clip = *clip;
    node->made = calloc((size_t)clip->info.numFrames + 1, sizeof *node->made);
    return node;
}

int host_made(const VSNode *source, int picture)
{
    return source->made[picture];
}

static void create(VSMap *out, const char *name, const VSVideoInfo *info, VSFilterGetFrame get, VSFilterFree free,
                   int mode, const VSFilterDependency *inputs, int count, void *data, VSCore *core)
{
    VSNode *node = new_node();
    node->clip.info = *info;
    node->get = get;
    node->free = free;
    node->data = data;
    node->mode = mode;
    add(out, "clip", ptVideoNode)->node = node;
}

/* ---- Requests -------------------------------------------------------------------------------------------------- */

static void request_frame(int n, VSNode *node, VSFrameContext *context)
{
    must(context->count < 4 * MOST && n >= 0 && n < node->clip.info.numFrames, "a request is out of range");
    context->wanted[context->count].node = node;
    context->wanted[context->count].picture = NULL;
    context->wanted[context->count++].n = n;
}

static const VSFrame *requested(int n, VSNode *node, VSFrameContext *context)
{
    for (int i = 0; i < context->count; i++)
        if (context->wanted[i].node == node && context->wanted[i].n == n && context->wanted[i].picture) {
            ((VSFrame *)context->wanted[i].picture)->holders++;
            return context->wanted[i].picture;
        }
    must(false, "a picture was not asked for, or is given back");
    return NULL;
}

static void release(VSNode *node, int n, VSFrameContext *context)
{
    for (int i = 0; i < context->count; i++)
        if (context->wanted[i].node == node && context->wanted[i].n == n) {
            free_frame(context->wanted[i].picture);
            context->wanted[i].picture = NULL;
        }
}

static void set_filter_error(const char *message, VSFrameContext *context)
{
    snprintf(context->error, sizeof context->error, "%s", message);
}

static const VSFrame *call(VSNode *node, int n, int reason, void **memo, VSFrameContext *context)
{
    bool one = node->mode == fmUnordered || (node->mode == fmParallelRequests && reason == arAllFramesReady);
    if (one)
        pthread_mutex_lock(&node->lock);
    const VSFrame *picture = node->get(n, reason, node->data, memo, context, NULL, &host);
    if (one)
        pthread_mutex_unlock(&node->lock);
    return picture;
}

const VSFrame *host_get(VSNode *node, int n, char why[1200])
{
    VSFrameContext *context = calloc(1, sizeof *context);
    void *memo = NULL;
    const VSFrame *picture = NULL;
    int had = 0, reason = arInitial;
    *why = 0;
    call(node, n, reason, &memo, context);
    while (!picture && !*context->error && reason != arError && had < context->count) {
        reason = arAllFramesReady;
        for (; had < context->count; had++) {
            const VSFrame *one =
                make_frame(context->wanted[had].node, context->wanted[had].n, context->error, sizeof context->error);
            context->wanted[had].picture = one;
            reason = one ? reason : arError;
        }
        picture = call(node, n, reason, &memo, context);
    }
    must(picture || *context->error, "a picture fails without a message");
    snprintf(why, 1200, "%s", context->error);
    for (int i = 0; i < context->count; i++)
        free_frame(context->wanted[i].picture);
    free(context);
    return picture;
}

/* ---- The plugin ------------------------------------------------------------------------------------------------ */

static struct {
    char name[32], args[160];
    VSPublicFunction function;
    void *data;
} functions[8];
static int function_count;

static int configure(const char *identifier, const char *space, const char *name, int version, int api, int flags,
                     VSPlugin *plugin)
{
    must(!strcmp(space, "fovea") && api >> 16 == 4, "another plugin");
    return 1;
}

static int enter(const char *name, const char *args, const char *returns, VSPublicFunction function, void *data,
                 VSPlugin *plugin)
{
    snprintf(functions[function_count].name, sizeof functions->name, "%s", name);
    snprintf(functions[function_count].args, sizeof functions->args, "%s", args);
    functions[function_count].function = function;
    functions[function_count++].data = data;
    return 1;
}

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api);

void host_load(void)
{
    VapourSynthPluginInit2(NULL, &(VSPLUGINAPI){.configPlugin = configure, .registerFunction = enter});
}

static int place_of(const char *name)
{
    for (int i = 0; i < function_count; i++)
        if (!strcmp(functions[i].name, name))
            return i;
    return -1;
}

bool host_has_function(const char *name)
{
    return place_of(name) >= 0;
}

VSNode *host_invoke(const char *function, VSNode *reference, VSNode *distorted, const char *options, char why[1200])
{
    int place = place_of(function);
    VSMap *in = calloc(1, sizeof *in), *out = calloc(1, sizeof *out);
    const bool list = strstr(functions[place].args, "metrics:data[]");
    char *copy = strdup(options ? options : ""), *rest = copy, *word;
    add(in, "reference", ptVideoNode)->node = reference;
    add(in, "distorted", ptVideoNode)->node = distorted;
    while (options && (word = list ? strsep(&rest, "|") : copy)) {
        add(in, list ? "metrics" : "options", ptData)->data = word;
        options = list ? options : NULL;
    }
    functions[place].function(in, out, functions[place].data, NULL, &host);
    VSNode *made = out->count ? out->entry[0].node : NULL;
    must(!made != !*out->error, "neither a clip nor a message, or both");
    snprintf(why, 1200, "%s", out->error);
    free(copy);
    free(in);
    free(out);
    return made;
}

int host_alive(void)
{
    return alive;
}

static void core_info(VSCore *core, VSCoreInfo *info)
{
    *info = (VSCoreInfo){.numThreads = 2};
}

static void log_message(int type, const char *message, VSCore *core)
{
    printf("# %s\n", message);
}

const VSAPI host = {.createVideoFilter = create,
                    .freeNode = free_node,
                    .getVideoInfo = info_of,
                    .freeFrame = free_frame,
                    .copyFrame = copy_frame,
                    .getFramePropertiesRO = properties_of,
                    .getFramePropertiesRW = writable_properties_of,
                    .getStride = stride_of,
                    .getReadPtr = samples_of,
                    .getFrame = get_frame,
                    .getFrameFilter = requested,
                    .requestFrameFilter = request_frame,
                    .releaseFrameEarly = release,
                    .setFilterError = set_filter_error,
                    .mapSetError = set_error,
                    .mapNumElements = count_of,
                    .mapGetInt = get_int,
                    .mapGetFloat = get_float,
                    .mapSetFloat = set_float,
                    .mapGetData = get_data,
                    .mapGetNode = get_node,
                    .getCoreInfo = core_info,
                    .logMessage = log_message};
