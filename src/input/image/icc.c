/* Reads ICC profiles (ICC.1:2022): matrix profiles of RGB, curves of gray, and the tag of code points (cicp). */
#include "input/image/icc.h"

#include <math.h>
#include <string.h>

#include "arith/transfer.h"
#include "base/bytes.h"
#include "picture/colour.h"

#define HEADER 128         /* bytes of a profile before its table of tags */
#define CURVE_ERROR 0.002  /* largest error in linear light; the curves of sRGB and of gamma 2.2 differ by 0.006 */
#define COLUMN_ERROR 0.003 /* largest error in XYZ; BT.709 and Display P3 differ by 0.09 */

typedef struct Profile {
    const uint8_t *bytes;
    size_t size;
} Profile;

typedef struct Tag {
    const uint8_t *bytes; /* NULL: the tag is missing, or reaches beyond the profile */
    size_t size;
} Tag;

static double fixed(const uint8_t *at)
{
    return (int32_t)fv_be32(at) / 65536.;
}

static bool is(const uint8_t *at, const char *signature)
{
    return !memcmp(at, signature, 4);
}

/* Finds a tag of at least `least` bytes. */
static Tag find_tag(const Profile *profile, const char *signature, size_t least)
{
    const uint32_t count = fv_be32(profile->bytes + HEADER);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = profile->bytes + HEADER + 4 + 12 * (size_t)i;
        const size_t offset = fv_be32(entry + 4), size = fv_be32(entry + 8);
        if (is(entry, signature))
            return offset <= profile->size && size <= profile->size - offset && size >= least
                       ? (Tag){profile->bytes + offset, size}
                       : (Tag){NULL, 0};
    }
    return (Tag){NULL, 0};
}

/* ---- Curves ---------------------------------------------------------------------------------------------------- */

/* Evaluates a parametric curve of function type 0 to 4: a power, with a linear part below `from`. */
static double parametric(const double *p, int type, double v)
{
    static const int counts[] = {1, 3, 4, 5, 7};
    double g = p[0], a = 1, b = 0, c = 0, from = 0, offset = 0, low = 0;
    if (counts[type] > 1) {
        a = p[1];
        b = p[2];
        from = a != 0 ? -b / a : 0;
    }
    if (type == 2)
        offset = low = p[3];
    if (type > 2) {
        c = p[3];
        from = p[4];
    }
    if (type == 4) {
        offset = p[5];
        low = p[6];
    }
    const double base = a * v + b;
    return v >= from ? (base > 0 ? fv_d_pow(base, g) : 0) + offset : c * v + low;
}

/* Converts a component in [0, 1] to linear light; NaN: the curve cannot be read. */
static double light_at(Tag curve, double v)
{
    static const int counts[] = {1, 3, 4, 5, 7};
    const uint8_t *at = curve.bytes;
    if (is(at, "para")) {
        const int type = at[8] << 8 | at[9];
        double p[7];
        if (type > 4 || curve.size < 12 + 4 * (size_t)counts[type])
            return NAN;
        for (int i = 0; i < counts[type]; i++)
            p[i] = fixed(at + 12 + 4 * i);
        return parametric(p, type, v);
    }
    if (!is(at, "curv"))
        return NAN;
    const size_t count = fv_be32(at + 8);
    if (count > (curve.size - 12) / 2)
        return NAN;
    if (!count)
        return v;
    if (count == 1)
        return fv_d_pow(v, (at[12] << 8 | at[13]) / 256.);
    const double place = v * (double)(count - 1);
    const size_t i = place < (double)(count - 2) ? (size_t)place : count - 2;
    const double low = at[12 + 2 * i] << 8 | at[13 + 2 * i], high = at[14 + 2 * i] << 8 | at[15 + 2 * i];
    return (low + (high - low) * (place - (double)i)) / 65535;
}

static double known_light(int transfer, double v)
{
    switch (transfer) {
    case FV_H273_SRGB:
        return fv_srgb(v);
    case FV_H273_GAMMA22:
        return fv_d_pow(v, 2.2);
    case FV_H273_LINEAR:
        return v;
    default: /* the inverse of BT.709's transfer function from light to components */
        return v < 0.081 ? v / 4.5 : fv_d_pow((v + 0.099) / 1.099, 1 / 0.45);
    }
}

/* Returns the known transfer that the curve is close to; 0: none. */
static int transfer_of(Tag curve)
{
    static const int known[] = {FV_H273_SRGB, FV_H273_GAMMA22, FV_H273_LINEAR, FV_H273_BT709};
    for (size_t k = 0; curve.bytes && k < sizeof known / sizeof *known; k++) {
        double most = 0;
        for (int i = 0; i <= 64; i++) {
            const double error = fabs(light_at(curve, i / 64.) - known_light(known[k], i / 64.));
            most = error <= most ? most : error;
        }
        if (most <= CURVE_ERROR)
            return known[k];
    }
    return 0;
}

/* ---- Primaries ------------------------------------------------------------------------------------------------- */

static int primaries_of(const Profile *profile)
{
    static const char *const names[] = {"rXYZ", "gXYZ", "bXYZ"};
    /* Columns of red, green and blue, adapted to D50 by Bradford's matrix. */
    static const struct {
        int code;
        double column[3][3];
    } known[] = {
        {FV_H273_BT709,
         {{0.4360747, 0.2225045, 0.0139322}, {0.3850649, 0.7168786, 0.0971045}, {0.1430804, 0.0606169, 0.7141733}}},
        {FV_H273_DISPLAY_P3,
         {{0.5151187, 0.2411892, -0.0010505}, {0.2919778, 0.6922441, 0.0418791}, {0.1571035, 0.0665668, 0.7840713}}},
        {FV_H273_BT2020,
         {{0.6734241, 0.2790177, -0.0019336}, {0.1656411, 0.6753402, 0.0299810}, {0.1250857, 0.0456421, 0.7968469}}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double most = 0;
        for (int c = 0; c < 3; c++) {
            const Tag column = find_tag(profile, names[c], 20);
            for (int i = 0; i < 3; i++) {
                const double error =
                    column.bytes ? fabs(fixed(column.bytes + 8 + 4 * i) - known[k].column[c][i]) : INFINITY;
                most = error > most ? error : most;
            }
        }
        if (most <= COLUMN_ERROR)
            return known[k].code;
    }
    return 0;
}

/* ---- Together -------------------------------------------------------------------------------------------------- */

static void take_name(FvIcc *icc, const Profile *profile)
{
    const Tag tag = find_tag(profile, "desc", 12);
    size_t from = 12, count = 0, step = 1, used = 0;
    if (tag.bytes && is(tag.bytes, "desc"))
        count = fv_be32(tag.bytes + 8);
    else if (tag.bytes && is(tag.bytes, "mluc") && tag.size >= 28) {
        count = fv_be32(tag.bytes + 20) / 2;
        from = (size_t)fv_be32(tag.bytes + 24) + 1; /* begins at the low byte of the first UTF-16 character */
        step = 2;
    }
    for (; count-- && from < tag.size && used < sizeof icc->name - 1; from += step)
        if (tag.bytes[from] >= ' ' && tag.bytes[from] < 127 && tag.bytes[from] != '\'')
            icc->name[used++] = (char)tag.bytes[from];
}

bool fv_icc_read(FvIcc *icc, const uint8_t *bytes, size_t size)
{
    *icc = (FvIcc){.primaries = 0};
    if (size < HEADER + 4 || !is(bytes + 36, "acsp") || fv_be32(bytes) > size ||
        fv_be32(bytes + HEADER) > (size - HEADER - 4) / 12)
        return false;
    const Profile profile = {bytes, size};
    const bool gray = is(bytes + 16, "GRAY");
    if (!gray && !is(bytes + 16, "RGB "))
        return false;
    take_name(icc, &profile);
    const Tag codes = find_tag(&profile, "cicp", 12);
    if (codes.bytes && codes.bytes[8] != 2 && codes.bytes[9] != 2) {
        icc->primaries = codes.bytes[8];
        icc->transfer = codes.bytes[9];
        return true;
    }
    icc->primaries = gray ? FV_H273_BT709 : primaries_of(&profile);
    icc->transfer = transfer_of(find_tag(&profile, gray ? "kTRC" : "rTRC", 12));
    const bool same = gray || (icc->transfer == transfer_of(find_tag(&profile, "gTRC", 12)) &&
                               icc->transfer == transfer_of(find_tag(&profile, "bTRC", 12)));
    icc->transfer = same ? icc->transfer : 0;
    return true;
}
