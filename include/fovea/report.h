/* Reports of a session, and the pictures of the one that is a page. */
#ifndef FOVEA_REPORT_H
#define FOVEA_REPORT_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A picture of a frame, or of a part of it, for the report that is a page. */
typedef struct FvReportPicture {
    int64_t frame;               /* its number, as fv_session_frame_number() counts */
    const char *name;            /* "reference", "distorted", or that of a map */
    int x, y, width, height;     /* of the part, in luma samples */
    int scale;                   /* 1: sample by sample; n: each pixel stands for n x n samples */
    const void *png;             /* the file */
    size_t bytes;                /* [1, 16 MiB] */
    const char *unit;            /* of a map; else NULL */
    double low, high;            /* of a map: values of its first and of its last colour */
    const uint8_t (*colours)[3]; /* of a map: red, green and blue of equal steps from low to high */
    int colour_count;            /* [0, 256] */
} FvReportPicture;

/*
 * Makes a picture part of the page that FV_REPORT_HTML writes; other reports are without. Copies everything. After
 * start, at most 1000 pictures.
 */
FV_API FvStatus fv_session_add_picture(FvSession *session, const FvReportPicture *picture, FvError *error);

typedef enum FvReportFormat {
    FV_REPORT_JSON = 0, /* docs/report.md, schema in report.schema.json */
    FV_REPORT_CSV,
    FV_REPORT_XML,          /* the shape libvmaf writes */
    FV_REPORT_NDJSON,       /* one object a frame, then one with everything else */
    FV_REPORT_LIBVMAF_JSON, /* the shape libvmaf writes */
    FV_REPORT_HTML,         /* one page for a browser, with everything in it: docs/report.md */
} FvReportFormat;

/* As an FvOutput with the session's sources: whole or not at all, and never in place of one of them. */
FV_API FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
