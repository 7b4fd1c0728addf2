#include "shard/fields.h"

#include <string.h>

#define INT(Struct, name, member, minimum, maximum)                                                                  \
    {                                                                                                                \
        name, FV_FIELD_INT, offsetof(Struct, member), minimum, maximum                                               \
    }
#define LONG(Struct, name, member)                                                                                   \
    {                                                                                                                \
        name, FV_FIELD_LONG, offsetof(Struct, member), 0, INT64_MAX                                                  \
    }
#define REAL(Struct, name, member)                                                                                   \
    {                                                                                                                \
        name, FV_FIELD_REAL, offsetof(Struct, member), 0, 0                                                          \
    }
#define BOOL(Struct, name, member)                                                                                   \
    {                                                                                                                \
        name, FV_FIELD_BOOL, offsetof(Struct, member), 0, 0                                                          \
    }
#define TEXT(Struct, name, member)                                                                                   \
    {                                                                                                                \
        name, FV_FIELD_TEXT, offsetof(Struct, member), 0, 0                                                          \
    }
#define FIELDS(name, table) const FvFields name = {table, sizeof table / sizeof *table}

static const FvField format[] = {
    INT(FvFormat, "width", width, 0, FV_MAX_SIDE),        INT(FvFormat, "height", height, 0, FV_MAX_SIDE),
    INT(FvFormat, "chroma", chroma, 0, FV_CHROMA_410),    INT(FvFormat, "depth", depth, 0, 16),
    INT(FvFormat, "range", range, 0, FV_RANGE_FULL),      INT(FvFormat, "rate_num", rate_num, 0, INT32_MAX),
    INT(FvFormat, "rate_den", rate_den, 0, INT32_MAX),    INT(FvFormat, "transfer", transfer, 0, 255),
    INT(FvFormat, "primaries", primaries, 0, 255),        INT(FvFormat, "matrix", matrix, 0, 255),
    INT(FvFormat, "siting", siting, 0, FV_SITING_BOTTOM), INT(FvFormat, "peak", peak, 0, 10000),
};
FIELDS(fv_fields_format, format);

static const FvField video[] = {
    TEXT(FvPlanVideo, "path", path),
    TEXT(FvPlanVideo, "layout", layout),
    INT(FvPlanVideo, "rgb", given.rgb, 0, FV_RGB_BOTH),
    INT(FvPlanVideo, "tick_num", tick_num, 0, INT32_MAX),
    INT(FvPlanVideo, "tick_den", tick_den, 0, INT32_MAX),
    LONG(FvPlanVideo, "bytes", bytes),
    LONG(FvPlanVideo, "modified", modified),
    TEXT(FvPlanVideo, "sha256_of_pieces", sha256),
    TEXT(FvPlanVideo, "name", name),
    TEXT(FvPlanVideo, "opened_by", opened_by),
    TEXT(FvPlanVideo, "container", container),
    TEXT(FvPlanVideo, "codec", codec),
    TEXT(FvPlanVideo, "mastering", mastering),
};
FIELDS(fv_fields_video, video);

static const FvField info[] = {
    {"frames", FV_FIELD_LONG, offsetof(FvSourceInfo, frames), -1, INT64_MAX},
    BOOL(FvSourceInfo, "frames_sure", frames_exact),
    BOOL(FvSourceInfo, "alpha", alpha),
    BOOL(FvSourceInfo, "rgb", rgb),
    BOOL(FvSourceInfo, "image", image),
    BOOL(FvSourceInfo, "floats", floats),
    BOOL(FvSourceInfo, "flattened", flattened),
    INT(FvSourceInfo, "background", background, 0, 0xffffff),
    BOOL(FvSourceInfo, "no_grain", no_grain),
    REAL(FvSourceInfo, "rate_error", rate_error),
    INT(FvSourceInfo, "stream", stream, 0, 256),
    INT(FvSourceInfo, "streams", streams, 0, 256),
    INT(FvSourceInfo, "fields", fields, 0, FV_FIELDS_MIXED),
    INT(FvSourceInfo, "aspect_num", aspect_num, 0, INT32_MAX),
    INT(FvSourceInfo, "aspect_den", aspect_den, 0, INT32_MAX),
    INT(FvSourceInfo, "rotation", display_rotation, 0, 359),
    INT(FvSourceInfo, "turned", applied_rotation, 0, 270),
    BOOL(FvSourceInfo, "mirrored", mirrored),
    LONG(FvSourceInfo, "timecode", timecode.frame),
    INT(FvSourceInfo, "timecode_base", timecode.base, 0, 120),
    BOOL(FvSourceInfo, "timecode_drop", timecode.drop),
    INT(FvSourceInfo, "overruled_range", container_colour.range, 0, FV_RANGE_FULL),
    INT(FvSourceInfo, "overruled_transfer", container_colour.transfer, 0, 255),
    INT(FvSourceInfo, "overruled_primaries", container_colour.primaries, 0, 255),
    INT(FvSourceInfo, "overruled_matrix", container_colour.matrix, 0, 255),
    INT(FvSourceInfo, "rgb_matrix", rgb_matrix, 0, 255),
    INT(FvSourceInfo, "named_range", named.range, 0, FV_RANGE_FULL),
    INT(FvSourceInfo, "named_transfer", named.transfer, 0, 255),
    INT(FvSourceInfo, "named_primaries", named.primaries, 0, 255),
    INT(FvSourceInfo, "named_matrix", named.matrix, 0, 255),
    REAL(FvSourceInfo, "seconds", seconds),
    LONG(FvSourceInfo, "left_out", left_out),
    INT(FvSourceInfo, "pictures", pictures, 0, INT32_MAX),
};
FIELDS(fv_fields_info, info);

static const FvField record[] = {
    TEXT(FvRecord, "requested", requested), TEXT(FvRecord, "kind", kind),
    TEXT(FvRecord, "title", title),         TEXT(FvRecord, "isa", isa),
    BOOL(FvRecord, "compared", compared),   BOOL(FvRecord, "differs", differs),
};
FIELDS(fv_fields_record, record);

const FvIndexField fv_index_fields[FV_INDEX_FIELDS] = {
    {"entries", offsetof(FvIndex, entries), false},
    {"enter_pts", offsetof(FvIndex, enter_pts), false},
    {"enter_dts", offsetof(FvIndex, enter_dts), false},
    {"place", offsetof(FvIndex, place), true},
    {"time", offsetof(FvIndex, time), true},
    {"packets", offsetof(FvIndex, packets), true},
};

bool fv_plan_has_row(const FvParamRow *row, bool of_video)
{
    const size_t raw = offsetof(FvRunParams, source[0].raw), tags = offsetof(FvRunParams, source[0].tags);
    const bool in_format = (row->offset >= raw && row->offset < raw + sizeof(FvFormat)) ||
                           (row->offset >= tags && row->offset < tags + sizeof(FvFormat));
    const bool in_run = row->offset < offsetof(FvRunParams, session); /* later members belong to metrics */
    return row->info.tasks & FV_TASK_PLAN && in_run && !in_format && of_video == (row->info.sides != FV_OF_RUN);
}

FvRunParams fv_plan_params(const FvPlan *plan)
{
    return (FvRunParams){.source = {plan->video[0].given, plan->video[1].given}, .score = plan->score};
}

static bool same_field(const FvField *field, const void *a, const void *b)
{
    const void *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
    switch (field->kind) {
    case FV_FIELD_INT:
        return *(const int *)x == *(const int *)y;
    case FV_FIELD_LONG:
        return *(const int64_t *)x == *(const int64_t *)y;
    case FV_FIELD_REAL:
        return *(const double *)x == *(const double *)y;
    case FV_FIELD_BOOL:
        return *(const bool *)x == *(const bool *)y;
    case FV_FIELD_TEXT:
        break;
    }
    return true;
}

const char *fv_plan_difference(const FvSourceInfo *a, const FvSourceInfo *b)
{
    for (int i = 0; i < fv_fields_format.count; i++)
        if (!same_field(&format[i], &a->format, &b->format))
            return format[i].name;
    for (int i = 0; i < fv_fields_info.count; i++)
        if (!same_field(&info[i], a, b))
            return info[i].name;
    return strcmp(a->reader, b->reader)         ? "reader"
           : strcmp(a->container, b->container) ? "container"
           : strcmp(a->codec, b->codec)         ? "codec"
                                                : NULL;
}
