/* The style, body and scripts of the report pages and of the viewer, made from the files in this folder. */
#pragma once

#include <stddef.h>

typedef struct FvPageText {
    const char *text; /* UTF-8, with a NUL after the last byte */
    size_t size;
    const char *sha256; /* hash in Base64, the form that a content security policy uses */
} FvPageText;

extern const FvPageText fv_page_report_style;
extern const FvPageText fv_page_report_body; /* HTML between <body> and the scripts: curves and pictures */
extern const FvPageText fv_page_report;
extern const FvPageText fv_page_compare_style; /* style of the form that scores two files; the body follows */
extern const FvPageText fv_page_compare_body;
extern const FvPageText fv_page_compare;      /* script that starts the npm package in the element #package */
extern const FvPageText fv_page_ladder_style; /* style of the page of several encodes; body and script follow */
extern const FvPageText fv_page_ladder_body;
extern const FvPageText fv_page_ladder;
extern const FvPageText fv_page_view_style; /* style of the viewer; body and scripts follow */
extern const FvPageText fv_page_view_body;
extern const FvPageText fv_page_view;
