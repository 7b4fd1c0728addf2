/* Reads a file of displays in the format of ColorVideoVDP's display_models.json. */
#include "metric/cvvdp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "json_read.h"

#define INCH 0.0254
#define MOST 1e6 /* maximum value of any number */

typedef struct Reading {
    const char *path;
    const FvNode *display; /* the display; the node's key is its name */
    FvError *error;
} Reading;

static FvStatus fail_member(const Reading *reading, const char *member, const char *what)
{
    return fv_fail(reading->error, FV_ERROR_INPUT, "%s: display '%s': %s %s", reading->path, reading->display->key,
                   member, what);
}

/* Reads a number of the display, at least `least`. Sets *value to `absent` if the file lacks the number. */
static FvStatus read_number(const Reading *reading, const char *member, double least, double absent, double *value)
{
    const FvNode *node = fv_node_member(reading->display, member);
    *value = node ? fv_node_number(node) : absent;
    if (node && (!fv_node_is_number(node) || !(*value >= least && *value <= MOST))) {
        char what[64];
        snprintf(what, sizeof what, "is not a number from %g to %g", least, MOST);
        return fail_member(reading, member, what);
    }
    return FV_OK;
}

static FvStatus take_resolution(const Reading *reading, FvCvvdpDisplay *display)
{
    const FvNode *node = fv_node_member(reading->display, "resolution");
    int *const sides[2] = {&display->width, &display->height};
    for (size_t i = 0; i < 2; i++) {
        const int64_t side = fv_node_integer(fv_node_item(node, i));
        if (fv_node_items(node) != 2 || side < 1 || side > FV_MAX_SIDE)
            return fail_member(reading, "resolution", "is not a list of two numbers of pixels");
        *sides[i] = (int)side;
    }
    return FV_OK;
}

static FvStatus take_colours(const Reading *reading, FvCvvdpDisplay *display)
{
    static const struct {
        const char *name;
        FvCvvdpTransfer transfer;
        FvCvvdpPrimaries primaries;
    } spaces[] = {{"sRGB", FV_CVVDP_SRGB, FV_CVVDP_BT709},
                  {"BT.2020-PQ", FV_CVVDP_PQ, FV_CVVDP_BT2020},
                  {"BT.2020-HLG", FV_CVVDP_HLG, FV_CVVDP_BT2020}};
    const FvNode *node = fv_node_member(reading->display, "colorspace");
    const char *name = node ? fv_node_text(node) : "sRGB";
    for (size_t i = 0; name && i < sizeof spaces / sizeof *spaces; i++)
        if (!strcmp(spaces[i].name, name)) {
            display->transfer = spaces[i].transfer;
            display->primaries = spaces[i].primaries;
            return FV_OK;
        }
    return fail_member(reading, "colorspace", "is none of sRGB, BT.2020-PQ and BT.2020-HLG");
}

/* Returns the tangent of half an angle of 0 to 180 degrees. */
static double half_tangent(double degrees)
{
    double z = degrees / 57.29577951308232 / 8, c = 1;
    z *= z;
    for (int k = 24; k >= 2; k -= 2)
        c = 1 - c * z / (k * (k - 1));
    c = 2 * c * c - 1;
    c = 2 * c * c - 1;
    return sqrt(1 - c * c) / c;
}

static FvStatus take_size(const Reading *reading, FvCvvdpDisplay *display)
{
    double metres, inches, diagonal_metres, angle;
    FvStatus status = read_number(reading, "viewing_distance_meters", 0.01, 0, &metres);
    if (!status)
        status = read_number(reading, "viewing_distance_inches", 0.1, 0, &inches);
    if (!status)
        status = read_number(reading, "diagonal_size_inches", 0.1, 0, &display->diagonal);
    if (!status)
        status = read_number(reading, "diagonal_size_meters", 0.001, 0, &diagonal_metres);
    if (!status)
        status = read_number(reading, "fov_diagonal", 1, 0, &angle);
    if (!status)
        status = read_number(reading, "pixels_per_degree", 5, 0, &display->ppd);
    if (status)
        return status;
    if (angle > 179)
        return fail_member(reading, "fov_diagonal", "is more than 179 degrees");
    display->distance = metres > 0 ? metres : inches * INCH;
    display->diagonal = display->diagonal > 0 ? display->diagonal : diagonal_metres / INCH;
    if (!(display->ppd > 0) && angle > 0) {
        const double across = display->width, down = display->height;
        display->ppd = fv_cvvdp_ppd_at(sqrt(across * across + down * down) / (2 * half_tangent(angle)));
    }
    if (display->ppd > 480)
        return fail_member(reading, "pixels_per_degree", "is more than 480");
    if (display->ppd > 0 || (display->diagonal > 0 && display->distance > 0))
        return FV_OK;
    return fail_member(
        reading, "diagonal_size_inches",
        "and viewing_distance_meters, or fov_diagonal, or pixels_per_degree: one of these must be given");
}

static FvStatus take_light(const Reading *reading, FvCvvdpDisplay *display)
{
    double contrast;
    FvStatus status = read_number(reading, "max_luminance", 1, 0, &display->peak);
    if (!status)
        status = read_number(reading, "min_luminance", 0, -1, &display->black);
    if (!status)
        status = read_number(reading, "E_ambient", 0, 0, &display->ambient);
    if (!status) { /* up to a billion, like the option's value */
        const FvNode *node = fv_node_member(reading->display, "contrast");
        contrast = node ? fv_node_number(node) : 0;
        if (node && (!fv_node_is_number(node) || !(contrast >= 2 && contrast <= 1e9)))
            status = fail_member(reading, "contrast", "is not a number from 2 to 1e9");
    }
    if (status)
        return status;
    if (!(display->peak >= 1 && display->peak <= 10000) || display->ambient > 10000)
        return fail_member(reading, "max_luminance",
                           "must be from 1 to 10000 cd/m2, and E_ambient from 0 to 10000 lx");
    if (display->black < 0 && contrast > 0)
        display->black = display->peak / contrast;
    return display->black >= 0 ? FV_OK : fail_member(reading, "contrast", "or min_luminance is missing");
}

/* Refuses unknown members, because ignoring one would give other scores than the file's author expects. */
static FvStatus check_members(const Reading *reading)
{
    static const char *const known[] = {"name",
                                        "source",
                                        "colorspace",
                                        "resolution",
                                        "viewing_distance_meters",
                                        "viewing_distance_inches",
                                        "diagonal_size_inches",
                                        "diagonal_size_meters",
                                        "fov_diagonal",
                                        "pixels_per_degree",
                                        "max_luminance",
                                        "min_luminance",
                                        "contrast",
                                        "E_ambient"};
    for (uint32_t m = 0; m < reading->display->count; m++) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(reading->display->items[m].key, known[i]))
            i++;
        if (i == sizeof known / sizeof *known)
            return fail_member(reading, reading->display->items[m].key,
                               "is not known; give reflectance and exposure as options of the metric");
    }
    return FV_OK;
}

static FvStatus choose_display(Reading *reading, const FvNode *root, const char *wanted)
{
    char names[200] = "";
    if (!fv_node_is(root, FV_NODE_OBJECT) || !root->count)
        return fv_fail(reading->error, FV_ERROR_INPUT, "%s is not a JSON object of displays by their names",
                       reading->path);
    for (uint32_t i = 0; i < root->count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", root->items[i].key);
    }
    reading->display = wanted ? fv_node_member(root, wanted) : root->count == 1 ? root->items : NULL;
    if (!reading->display)
        return fv_fail(reading->error, FV_ERROR_USAGE, "cvvdp: choose one display of %s with display_name: %s",
                       reading->path, names);
    if (!fv_node_is(reading->display, FV_NODE_OBJECT))
        return fail_member(reading, "it", "is not a JSON object");
    return FV_OK;
}

FvStatus fv_cvvdp_display_read(FvCvvdpOwnDisplay *own, const char *path, const FvContent *content, const char *wanted,
                               FvError *error)
{
    FvDocument document;
    Reading reading = {.path = path, .error = error};
    FvCvvdpDisplay *display = &own->display;
    FvStatus status = fv_document_open(&document, path, (const char *)content->bytes, content->size, error);
    *own = (FvCvvdpOwnDisplay){.name = ""};
    if (!status)
        status = choose_display(&reading, &document.root, wanted);
    if (!status)
        status = check_members(&reading);
    if (!status)
        status = take_resolution(&reading, display);
    if (!status)
        status = take_colours(&reading, display);
    if (!status)
        status = take_size(&reading, display);
    if (!status)
        status = take_light(&reading, display);
    if (!status)
        snprintf(own->name, sizeof own->name, "%s", reading.display->key);
    display->name = own->name;
    fv_document_close(&document);
    return status;
}
