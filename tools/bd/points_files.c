#include "bd/points_files.h"

#include <stdlib.h>
#include <string.h>

#include "bd/points_reports.h"
#include "bd/points_table.h"
#include "cli/message.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "table/file_text.h"

#define MOST_BYTES ((size_t)64 << 20) /* maximum bytes of a table of encodes */

static FvStatus read_file(Points *points)
{
    char *text;
    size_t size;
    FvStatus status = file_text(points->path, MOST_BYTES, &text, &size);
    if (!status && strlen(text) != size)
        status = report_error(FV_ERROR_INPUT, "%s is not a text: it has a NUL character", points->path);
    if (!status)
        status = text[strspn(text, " \t\r\n")] == '{' ? points_read_encodes(points, text)
                                                      : points_read_table(points, text);
    free(text);
    return status;
}

FvStatus points_open(Points *points, const char *path)
{
    *points = (Points){.path = path};
    const bool folder = folders_is_one(path);
    FvStatus status = folder ? folders_list(&points->files, path, ".json")
                             : encodes_list(&points->files, &(ArgList){.items = &points->path, .count = 1});
    if (!status && !points->files.count)
        return report_error(FV_ERROR_INPUT, "%s has no reports in JSON: 'fovea score REF A B C D -o %s' writes them",
                            path, path);
    if (status || folder || points->files.count > 1)
        return status ? status : points_read_reports(points);
    points->path = points->files.items[0];
    return read_file(points);
}
