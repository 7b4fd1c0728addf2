/* Reports of a session, and the pictures in the HTML report. */
#ifndef FOVEA_REPORT_H
#define FOVEA_REPORT_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A picture of a frame, or of a part of it, for the HTML report. */
typedef struct FvReportPicture {
    int64_t frame;               /* its number, as fv_session_frame_number() counts */
    const char *name;            /* "reference", "distorted", "difference" or the name of a map */
    int x, y, width, height;     /* the part, in luma samples */
    int scale;                   /* 1: a pixel per sample; n: a pixel per n x n samples */
    const void *png;             /* a PNG or JPEG file; of a map in gray, from `low` to `high` */
    size_t bytes;                /* [1, 16 MiB] */
    const char *unit;            /* of a map; else NULL */
    double low, high;            /* of a map: the values of black and white */
    const uint8_t (*colours)[3]; /* of a map: red, green and blue of its values, in equal steps */
    int colour_count;            /* [0, 256] */
} FvReportPicture;

/*
 * Adds a picture to the page that FV_REPORT_HTML writes; other reports have none. Copies everything. After start, at
 * most 1000 pictures.
 */
FV_API FvStatus fv_session_add_picture(FvSession *session, const FvReportPicture *picture, FvError *error);

typedef enum FvReportFormat {
    FV_REPORT_JSON = 0, /* docs/report.md, schema in report.schema.json */
    FV_REPORT_CSV,
    FV_REPORT_NDJSON, /* one object per frame, then one with everything else */
    FV_REPORT_HTML,   /* one self-contained page for a browser: docs/report.md */
} FvReportFormat;

/* Writes a report as an FvOutput: whole or not at all, and never over one of the session's inputs. */
FV_API FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error);

/*
 * Prints the same bytes to a stream, which stays open: with open_memstream() the report is in memory.
 * FV_ERROR_OUTPUT: the stream did not take everything.
 */
FV_API FvStatus fv_report_print(FvSession *session, FILE *file, FvReportFormat format, FvError *error);

/*
 * Reads a JSON report that this version of fovea wrote: a session that has ended, with its scores, gates and facts,
 * from which other reports are written. It has no rows of terms and no pictures. FV_ERROR_INPUT: the file is not such
 * a report, or a model file that its metrics name is missing.
 */
FV_API FvStatus fv_report_read(FvSession **session, const char *path, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
