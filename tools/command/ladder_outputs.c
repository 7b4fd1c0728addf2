#include "command/ladder_outputs.h"

#include <string.h>

#include "cli/message.h"
#include "encodes/ladder_files.h"
#include "encodes/ladder_page.h"
#include "encodes/ladder_table.h"
#include "report/reports.h"
#include "scoring/encodes.h"
#include "scoring/videos.h"

#define FILES 15 /* maximum number of encodes that one check compares with an output */

typedef FvStatus Writer(FILE *file, const Ladder *ladder);

const char *ladder_folder(const Options *options)
{
    for (int i = 0; i < options->outputs.count; i++)
        if (reports_is_folder(options->outputs.items[i]))
            return options->outputs.items[i];
    return NULL;
}

const char *ladder_file(const Options *options, int n)
{
    for (int i = 0; i < options->outputs.count; i++)
        if (!reports_is_folder(options->outputs.items[i]) && !n--)
            return options->outputs.items[i];
    return !options->outputs.count && options->format && !n ? "-" : NULL;
}

/*
 * Returns the writer for a file of all pairs, by --format, or by the file's ending if --format is absent or applies
 * to the reports in a folder. NULL: no writer has this ending.
 */
static Writer *writer_of(const Options *options, const char *file)
{
    const char *dot = strrchr(file, '.');
    const char *name = options->format && !ladder_folder(options) ? options->format
                       : !strcmp(file, "-") || !dot               ? "json"
                                                                  : dot + 1;
    return !strcmp(name, "json")   ? ladder_write_json
           : !strcmp(name, "csv")  ? ladder_write_csv
           : !strcmp(name, "html") ? ladder_write_page
                                   : NULL;
}

bool ladder_wants_page(const Options *options)
{
    const char *file;
    for (int n = 0; (file = ladder_file(options, n)); n++)
        if (writer_of(options, file) == ladder_write_page)
            return true;
    return false;
}

static FvStatus check_options(const Options *options)
{
    const ArgList *outputs = &options->outputs;
    const char *folder = ladder_folder(options), *file;
    for (int n = 0; (file = ladder_file(options, n)); n++)
        if (!writer_of(options, file))
            return folder || !options->format
                       ? report_error(
                             FV_ERROR_USAGE,
                             "-o %s: one file for all encodes is .json, .csv or .html; -o FOLDER --format ndjson "
                             "writes a report for each",
                             file)
                       : report_error(
                             FV_ERROR_USAGE,
                             "--format %s is of one encode: add -o FOLDER/ for a file of each, or choose json, csv "
                             "or html for all",
                             options->format);
    for (int i = 0; i < outputs->count; i++) {
        for (int k = 0; k < i; k++)
            if (!strcmp(outputs->items[i], outputs->items[k]))
                return report_error(FV_ERROR_USAGE, "-o %s is given twice: name two files, or leave one out",
                                    outputs->items[i]);
        if (reports_is_folder(outputs->items[i]) && outputs->items[i] != folder)
            return report_error(FV_ERROR_USAGE, "-o %s and -o %s are both folders: each encode has one report",
                                folder, outputs->items[i]);
    }
    return options->print.count && reports_take_output(options)
               ? report_error(FV_ERROR_USAGE,
                              "--print and the report both go to standard output: name a file with -o")
               : FV_OK;
}

/*
 * Checks that an output can be written and is none of the videos, nor (`of_all`: a file of all pairs) the report of
 * an encode. NULL: standard output.
 */
static FvStatus check_output(const Run *run, const char *output, bool of_all)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int first = 0; first < run->encodes->count && !status; first += FILES) {
        const char *files[3 * FILES];
        int count = 0;
        for (int i = first; i < run->encodes->count && i < first + FILES; i++) {
            files[count++] = run->pairs[i].options.distorted;
            if (run->pairs[i].options.reference)
                files[count++] = run->pairs[i].options.reference;
            if (of_all && i < run->reports.count)
                files[count++] = run->reports.items[i];
        }
        status = outputs_check(&(FvOutputParams){.path = output, .files = files, .file_count = count}, &error);
    }
    return report_error_if(status, &error);
}

FvStatus ladder_check_outputs(Run *run)
{
    const Options *options = run->options;
    const char *folder = ladder_folder(options), *file;
    FvStatus status = check_options(options);
    if (!status && folder)
        status = encodes_name(&run->reports, run->encodes, folder, options->format ? options->format : "json");
    if (!status)
        status = check_output(run, NULL, false);
    for (int i = 0; i < run->reports.count && !status; i++)
        status = check_output(run, run->reports.items[i], false);
    for (int n = 0; (file = ladder_file(options, n)) && !status; n++) {
        for (int i = 0; i < run->reports.count && !status; i++)
            if (!strcmp(run->reports.items[i], file))
                status = report_error(FV_ERROR_USAGE, "-o %s is also the report of %s: name another file", file,
                                      run->encodes->items[i]);
        status = status ? status : check_output(run, file, true);
    }
    return status;
}

static FvStatus write_output(const Run *run, const char *path, Writer *writer)
{
    FvOutput *output;
    FvError error = {0};
    FvStatus status = check_output(run, path, true);
    if (status)
        return status;
    status = report_error_if(fv_output_open(&output, &(FvOutputParams){.path = path, .cancel = run->cancel}, &error),
                             &error);
    if (status)
        return status;
    status = writer(fv_output_file(output), &run->ladder);
    if (status) {
        fv_output_discard(&output);
        return status;
    }
    return report_error_if(fv_output_close(&output, &error), &error);
}

FvStatus ladder_write_outputs(const Run *run, bool *table)
{
    const Options *options = run->options;
    const char *file;
    FvStatus status = FV_OK;
    *table = false;
    for (int n = 0; (file = ladder_file(options, n)) && !status; n++)
        status = write_output(run, file, writer_of(options, file));
    for (int r = 0; r < run->ladder.count && !options->print.count && !reports_take_output(options); r++)
        *table |= run->ladder.results[r].scored;
    if (!status && (*table || options->print.count))
        status = write_output(run, "-", *table ? ladder_print_table : ladder_print_picks);
    return status;
}
