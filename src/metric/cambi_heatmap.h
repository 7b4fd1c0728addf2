/* CAMBI's heat maps: the c-values of every scale as 16-bit samples. docs/metrics/cambi.md */
#pragma once

#include "feature/cambi_picture.h"
#include "os/guard.h"

typedef struct FvCambiHeatmap FvCambiHeatmap;

typedef struct FvCambiHeatmapParams {
    const FvCambiPicture *picture;
    const char *folder;
    const FvGuard *guard; /* files that the heat maps must not replace */
    const FvCancel *cancel;
    bool overwrite; /* heat maps may replace existing files, but never a link */
} FvCambiHeatmapParams;

/*
 * Creates the folder and its parents, and opens an output for each scale in it. *id receives the folder's identity.
 */
FvStatus fv_cambi_heatmap_open(FvCambiHeatmap **heatmap, const FvCambiHeatmapParams *params, FvFileId *id,
                               FvError *error);

/* Appends the c-values of one scale of a frame. */
FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, const FvMap *map, FvError *error);

/* Completes the files, which only then appear under their names. */
FvStatus fv_cambi_heatmap_finish(FvCambiHeatmap *heatmap, FvError *error);

/* Keeps incomplete heat maps under other names. Writes to `kept` where they are, or "" if none were written. */
FvStatus fv_cambi_heatmap_keep(FvCambiHeatmap *heatmap, char *kept, size_t size, FvError *error);

/* Discards heat maps that were neither finished nor kept. */
void fv_cambi_heatmap_close(FvCambiHeatmap **heatmap);
