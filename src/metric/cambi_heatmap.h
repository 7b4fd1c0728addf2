/* CAMBI's heat maps: the c-values of every scale as 16-bit samples. docs/metrics/cambi.md */
#ifndef FV_METRIC_CAMBI_HEATMAP_H
#define FV_METRIC_CAMBI_HEATMAP_H

#include "feature/cambi_picture.h"
#include "os/guard.h"

typedef struct FvCambiHeatmap FvCambiHeatmap;

typedef struct FvCambiHeatmapParams {
    const FvCambiPicture *picture;
    const char *folder;
    const FvGuard *guard; /* what no file may replace */
    const FvCancel *cancel;
} FvCambiHeatmapParams;

/* Creates the folder, with its parents, and opens an output for each scale in it. *id: of the folder. */
FvStatus fv_cambi_heatmap_open(FvCambiHeatmap **heatmap, const FvCambiHeatmapParams *params, FvFileId *id,
                               FvError *error);

/* Appends the c-values of one scale of a frame. */
FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, const FvMap *map, FvError *error);

/* The files appear. */
FvStatus fv_cambi_heatmap_finish(FvCambiHeatmap *heatmap, FvError *error);

/* What was written appears under other names; `kept` says where, and is empty when there is nothing. */
FvStatus fv_cambi_heatmap_keep(FvCambiHeatmap *heatmap, char *kept, size_t size, FvError *error);

/* What was not finished or kept is lost. */
void fv_cambi_heatmap_close(FvCambiHeatmap **heatmap);

/* 65535 for the greatest c-value that the options allow. */
double fv_cambi_heatmap_scale(const FvCambiPicture *picture);
uint16_t fv_cambi_heatmap_sample(double scale, float c);

#endif
