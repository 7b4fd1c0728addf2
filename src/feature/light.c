/* Linear light: the matrix, the curve of the display, and the location of chroma. */
#include "feature/light.h"

#include <string.h>

#include "arith/transfer.h"
#include "base/error.h"
#include "option/option.h"
#include "os/memory.h"
#include "picture/colour.h"

/* Values of the options in the order of their names, without "auto". */
typedef enum MatrixName { BT709, BT601, BT2020, RGB } MatrixName;
enum Range { LIMITED, FULL };
typedef enum Transfer { POWER_24, SRGB, PQ, HLG, LINEAR, POWER_22, POWER_28 } Transfer;
typedef enum Location { LEFT, CENTER, TOPLEFT } Location;
const char *const fv_light_matrices[] = {"auto", "bt709", "bt601", "bt2020", "rgb", NULL};
const char *const fv_light_ranges[] = {"auto", "limited", "full", NULL};
const char *const fv_light_transfers[] = {"auto", "bt709", "srgb", "pq", "hlg", "linear", "gamma22", "gamma28", NULL};
const char *const fv_light_primaries[] = {"auto", "bt709", "bt2020", "p3", NULL};
const char *const fv_light_locations[] = {"auto", "left", "center", "topleft", NULL};

/* Matrices to BT.709's primaries from BT.2020's and from Display P3's, which have the same white. */
static const float to_709[2][3][3] = {
    {{1.660491f, -0.587641f, -0.07285f}, {-0.12455f, 1.1329f, -0.008349f}, {-0.018151f, -0.100579f, 1.11873f}},
    {{1.22494f, -0.22494f, 0}, {-0.042057f, 1.042057f, 0}, {-0.019638f, -0.078636f, 1.098274f}}};

/* Returns the index of a name among those after "auto"; "auto" means the first. */
static int place_of(const char *const *names, const char *name)
{
    const int i = fv_choice_index(names, name);
    return i ? i - 1 : 0;
}

typedef struct Display {
    Transfer transfer;
    double white;
} Display;

static double light_of(const void *context, double v)
{
    const Display *display = context;
    switch (display->transfer) {
    case POWER_24:
        return fv_d_pow(v, 2.4);
    case POWER_22:
        return fv_d_pow(v, 2.2);
    case POWER_28:
        return fv_d_pow(v, 2.8);
    case SRGB:
        return fv_srgb(v);
    case PQ:
        return fv_pq(fv_d_pow, v) * (10000 / display->white);
    case HLG:
        return fv_hlg(v);
    case LINEAR:
        break;
    }
    return v;
}

static FvStatus make_curve(FvLight *light, FvLightCurve *of, const void *context, FvError *error)
{
    size_t bytes = (FV_LIGHT_CURVE + 1) * sizeof *light->curve;
    float(*curve)[2] = fv_alloc(bytes);
    if (!curve)
        return fv_fail_memory(error, bytes);
    float next = (float)of(context, 0);
    for (int i = 0; i <= FV_LIGHT_CURVE; i++) {
        float here = next;
        if (i < FV_LIGHT_CURVE)
            next = (float)of(context, (i + 1) / (double)FV_LIGHT_CURVE);
        curve[i][0] = here;
        curve[i][1] = next - here;
    }
    light->curve = (const float(*)[2])curve;
    return FV_OK;
}

static void choose_matrix(FvLight *light, MatrixName name)
{
    static const int codes[] = {FV_H273_BT709, FV_H273_BT601, FV_H273_BT2020, FV_H273_UNKNOWN};
    FvLumaWeights luma = fv_colour_luma(codes[name]);
    double kr = (double)luma.red / FV_LUMA_WHOLE, kb = (double)luma.blue / FV_LUMA_WHOLE, kg = 1 - kr - kb;
    light->rgb = name == RGB;
    light->matrix.rv = (float)(2 * (1 - kr));
    light->matrix.bu = (float)(2 * (1 - kb));
    light->matrix.gu = (float)(2 * (1 - kb) * kb / kg);
    light->matrix.gv = (float)(2 * (1 - kr) * kr / kg);
}

static void choose_samples(FvLight *light, const FvFormat *format, Location location, bool full)
{
    static const int units[] = {1, 16, 128};
    light->width = format->width;
    light->height = format->height;
    if (fv_format_planes(format) > 1)
        fv_format_plane_size(format, 1, &light->chroma_width, &light->chroma_height);
    bool half_width = format->chroma == FV_CHROMA_420 || format->chroma == FV_CHROMA_422;
    bool half_height = format->chroma == FV_CHROMA_420;
    light->across = !half_width ? FV_LIGHT_FULL : location == CENTER ? FV_LIGHT_CENTRED : FV_LIGHT_COSITED;
    light->down = !half_height ? FV_LIGHT_FULL : location == TOPLEFT ? FV_LIGHT_COSITED : FV_LIGHT_CENTRED;
    int s = 1 << (format->depth - 8), m = units[light->across] * units[light->down];
    double greatest = (1 << format->depth) - 1;
    light->luma_zero = full ? 0 : 16 * s;
    light->chroma_zero = 128 * s * m;
    light->luma_scale = (float)(full ? 1 / greatest : 1 / (219. * s));
    light->chroma_scale = (float)(full ? 1 / (greatest * m) : 1 / (224. * s * m));
}

FvStatus fv_light_open_curve(FvLight *light, const FvFormat *format, const FvLightOptions *options, FvLightCurve *of,
                             const void *context, FvError *error)
{
    MatrixName matrix = (MatrixName)place_of(fv_light_matrices, options->matrix);
    const bool tagged = !strcmp(options->range, "auto");
    if (format->chroma == FV_CHROMA_RGB && !strcmp(options->matrix, "auto"))
        matrix = RGB;
    if (format->chroma == FV_CHROMA_RGB && matrix != RGB)
        return fv_fail(error, FV_ERROR_INPUT, "matrix=%s is for Y'CbCr, and these videos are RGB; leave it out",
                       options->matrix);
    if (matrix == RGB && format->chroma != FV_CHROMA_444 && format->chroma != FV_CHROMA_RGB)
        return fv_fail(error, FV_ERROR_INPUT,
                       "matrix=rgb needs 4:4:4 planes, which are R', G' and B'; leave it out for this video");
    choose_samples(light, format, (Location)place_of(fv_light_locations, options->location),
                   tagged ? format->range == FV_RANGE_FULL : place_of(fv_light_ranges, options->range) == FULL);
    choose_matrix(light, matrix);
    return make_curve(light, of, context, error);
}

FvStatus fv_light_open(FvLight *light, const FvFormat *format, const FvLightOptions *options, double white,
                       FvError *error)
{
    Display display = {(Transfer)place_of(fv_light_transfers, options->transfer), white};
    light->hlg = display.transfer == HLG ? (float)(1000 / white) : 0;
    const int primaries = place_of(fv_light_primaries, options->primaries);
    light->wide = primaries ? to_709[primaries - 1] : NULL;
    return fv_light_open_curve(light, format, options, light_of, &display, error);
}

void fv_light_close(FvLight *light)
{
    fv_free((void *)light->curve);
    light->curve = NULL;
}
