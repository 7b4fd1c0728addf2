/* What browsers are given: style and scripts of the report page and of the viewer, as they lie in this folder. */
#ifndef FV_PAGE_H
#define FV_PAGE_H

#include <stddef.h>

/* `size` bytes of UTF-8 and a NUL behind them. */
typedef struct FvPageText {
    const char *text;
    size_t size;
} FvPageText;

extern const FvPageText fv_page_style;
extern const FvPageText fv_page_timeline;    /* curves over frames, for both pages */
extern const FvPageText fv_page_report_body; /* of the report, between <body> and its scripts */
extern const FvPageText fv_page_report;

#endif
