/* Tables of the members of plans and records, one for each struct, by which they are written and read as text. */
#pragma once

#include "shard/plan.h"

#define FV_PLAN_FORMAT 2 /* version of the format of plans */

typedef enum FvFieldKind {
    FV_FIELD_INT,  /* int, unsigned or an enum */
    FV_FIELD_LONG, /* int64_t */
    FV_FIELD_REAL,
    FV_FIELD_BOOL,
    FV_FIELD_TEXT, /* char *, may be NULL */
} FvFieldKind;

typedef struct FvField {
    const char *name;
    FvFieldKind kind;
    size_t offset;
    int64_t minimum, maximum; /* bounds of a member of integer type */
} FvField;

typedef struct FvFields {
    const FvField *field;
    int count;
} FvFields;

extern const FvFields fv_fields_video, fv_fields_format, fv_fields_info, fv_fields_record;

/*
 * Returns whether a parameter of a video or of the run is a separate member of plans. Other parameters are part of a
 * video's format, which is one member, or of a metric's options.
 */
bool fv_plan_has_row(const FvParamRow *row, bool of_video);

/* Returns the parameters of a plan, for fv_run_text(). The texts belong to the plan. */
FvRunParams fv_plan_params(const FvPlan *plan);

/*
 * The arrays of an index. The arrays time, place and packets have one element per frame, the other arrays one per
 * entry.
 */
typedef struct FvIndexField {
    const char *name;
    size_t offset;
    bool of_frames;
} FvIndexField;

#define FV_INDEX_FIELDS 6 /* number of arrays of an index */
extern const FvIndexField fv_index_fields[FV_INDEX_FIELDS];
