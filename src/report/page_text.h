/* The parts of the page that are text. */
#pragma once

#include "markup.h"
#include "session/session.h"

/* The name of a video without its folders; NULL: there is no reference. */
const char *fv_page_name(const FvSession *session, FvSide side);

/* The outputs that come first, the most telling before the others. Returns how many. */
int fv_page_order(const FvSession *session, int *outputs, int most);

/* "NAME against NAME · fovea report", as text of an element. */
void fv_page_title(FvMarkup *page, const FvSession *session);

/* The element header: names, verdict, gates and warnings. */
void fv_page_head(FvMarkup *page, const FvSession *session);

/* The section of tables. */
void fv_page_tables(FvMarkup *page, const FvSession *session);
