/* CAMBI's heat maps: the c-values of every scale as 16-bit samples. docs/metrics/cambi.md */
#ifndef FV_METRIC_CAMBI_HEATMAP_H
#define FV_METRIC_CAMBI_HEATMAP_H

#include "feature/cambi.h"

typedef struct FvCambiHeatmap FvCambiHeatmap;

/* Creates the folder, with its parents, and empties one file per scale in it. */
FvStatus fv_cambi_heatmap_open(FvCambiHeatmap **heatmap, const FvCambiPicture *picture, const char *folder,
                               FvError *error);

/* Appends the c-values of one scale of a frame. */
FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, const FvMap *map, FvError *error);

void fv_cambi_heatmap_close(FvCambiHeatmap **heatmap);

/* 65535 for the greatest c-value that the options allow. */
double fv_cambi_heatmap_scale(const FvCambiPicture *picture);
uint16_t fv_cambi_heatmap_sample(double scale, float c);

#endif
