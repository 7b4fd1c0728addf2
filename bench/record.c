#include "record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "fovea/fovea.h"

#define MOST 4096 /* maximum number of figures */
#define NAME 512

typedef struct Figure {
    char name[NAME];
    double speed, before; /* `before`: speed in the other record; 0: it lacks the figure */
} Figure;

static struct {
    const char *write_to, *against;
    Figure *figures;
    int count;
} kept;

static Figure *find_figure(const char *name)
{
    for (int i = 0; i < kept.count; i++)
        if (!strcmp(kept.figures[i].name, name))
            return &kept.figures[i];
    if (kept.count == MOST)
        return NULL;
    snprintf(kept.figures[kept.count].name, NAME, "%s", name);
    return &kept.figures[kept.count++];
}

static int read_record(void)
{
    char line[NAME + 64];
    FILE *file = fopen(kept.against, "r");
    if (!file)
        return report_error(FV_ERROR_INPUT, "%s: cannot be opened", kept.against);
    int status = EXIT_OK;
    while (!status && fgets(line, sizeof line, file)) {
        char *name = strchr(line, '\t'), *end;
        const double speed = strtod(line, &end);
        line[strcspn(line, "\n")] = '\0';
        Figure *figure = name && end == name && isfinite(speed) && speed > 0 ? find_figure(name + 1) : NULL;
        if (!figure)
            status = report_error(FV_ERROR_INPUT, "%s is not a record of fovea bench: write one with --record FILE",
                                  kept.against);
        else
            figure->before = speed;
    }
    fclose(file);
    return status;
}

int record_open(const char *write_to, const char *against)
{
    FvError error = {0};
    kept.write_to = write_to;
    kept.against = against;
    if (write_to || against)
        kept.figures = calloc(MOST, sizeof *kept.figures);
    if ((write_to || against) && !kept.figures)
        return report_error(FV_ERROR_MEMORY, "out of memory for the record");
    const FvOutputParams params = {.path = write_to, .files = &against, .file_count = against != NULL};
    if (write_to && report_error_if(fv_output_check(&params, &error), &error))
        return error.status;
    return against ? read_record() : EXIT_OK;
}

void record_add(const char *what, const char *title, double frames_per_second)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s, %s", what, title);
    Figure *figure = kept.figures ? find_figure(name) : NULL;
    if (figure)
        figure->speed = frames_per_second;
}

static int write_record(void)
{
    FvError error = {0};
    FvOutput *output = NULL;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = kept.write_to}, &error);
    for (int i = 0; i < kept.count && !status; i++)
        if (kept.figures[i].speed > 0)
            fprintf(fv_output_file(output), "%.1f\t%s\n", kept.figures[i].speed, kept.figures[i].name);
    if (!status)
        status = fv_output_close(&output, &error);
    return report_error_if(status, &error);
}

static int compare_records(void)
{
    int compared = 0, slower = 0;
    for (int i = 0; i < kept.count; i++) {
        const Figure *figure = &kept.figures[i];
        if (!(figure->speed > 0) || !(figure->before > 0))
            continue;
        const double change = figure->speed / figure->before - 1;
        compared++;
        slower += change < -RECORD_LOSS;
        if (change < -RECORD_LOSS)
            report_error(EXIT_GATE, "%s: %.1f frames/s, %.1f %% less than %.1f", figure->name, figure->speed,
                         -100 * change, figure->before);
    }
    if (!compared)
        return report_error(EXIT_GATE, "%s has none of these figures: it is of another device, or of other metrics",
                            kept.against);
    fprintf(stderr, "%d of %d figures are more than %g %% slower than in %s\n", slower, compared, 100 * RECORD_LOSS,
            kept.against);
    return slower ? EXIT_GATE : EXIT_OK;
}

int record_close(void)
{
    int status = kept.write_to ? write_record() : EXIT_OK;
    if (!status && kept.against)
        status = compare_records();
    free(kept.figures);
    kept.figures = NULL;
    return status;
}
