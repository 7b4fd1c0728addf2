/* Finds metrics by name, and converts a metric in a report to the text that fv_session_add() accepts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "compare_text.h"
#include "fovea/metric.h"
#include "json_read.h"

/* Finds the metric whose name is the first `length` bytes of a text; NULL: there is none. */
static inline const FvMetricInfo *fv_metric_named(const char *text, size_t length)
{
    for (int i = 0; i < fv_metric_count(); i++)
        if (fv_span_is(text, length, fv_metric_info(i)->name))
            return fv_metric_info(i);
    return NULL;
}

/*
 * Writes "name=option=value:..." from an item of a report's member "metrics". Omits options at their defaults.
 * Accepts numbers that are written as texts. false: the item is damaged, or its text exceeds `size` bytes.
 */
bool fv_metric_text(const FvNode *metric, char *text, size_t size);
