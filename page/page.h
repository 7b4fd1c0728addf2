/* What browsers are given: style and scripts of the report page and of the viewer, as they lie in this folder. */
#pragma once

#include <stddef.h>

typedef struct FvPageText {
    const char *text; /* UTF-8, and a NUL behind the last byte */
    size_t size;
    const char *sha256; /* in Base64, as a content security policy names it */
} FvPageText;

extern const FvPageText fv_page_report_style;
extern const FvPageText fv_page_report_body; /* between <body> and its scripts: curves and pictures */
extern const FvPageText fv_page_report;
extern const FvPageText fv_page_ladder_style; /* of the page of several encodes, likewise */
extern const FvPageText fv_page_ladder_body;
extern const FvPageText fv_page_ladder;
extern const FvPageText fv_page_view_style; /* of the viewer, likewise */
extern const FvPageText fv_page_view_body;
extern const FvPageText fv_page_view;
