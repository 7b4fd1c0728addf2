/* The textual parts of the report page. */
#pragma once

#include "markup.h"
#include "session/session.h"

/* Returns the name of a video without its folders; NULL: there is no reference. */
const char *fv_page_name(const FvSession *session, FvSide side);

/* Lists the outputs that are shown first, the most important before the others. Returns how many. */
int fv_page_order(const FvSession *session, int *outputs, int most);

/* Writes "NAME against NAME · fovea report", as text of an element. */
void fv_page_title(FvMarkup *page, const FvSession *session);

/* Writes the element header: names, verdict, gates and warnings. */
void fv_page_head(FvMarkup *page, const FvSession *session);

/* Writes the section of the events that checks found, if there are any. */
void fv_page_checks(FvMarkup *page, const FvSession *session);

/* Writes the section of tables. */
void fv_page_tables(FvMarkup *page, const FvSession *session);
