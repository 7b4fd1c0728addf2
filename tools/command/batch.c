#include "command/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/stop.h"
#include "cli/told.h"
#include "failure.h"
#include "file_facts.h"
#include "json_read.h"
#include "path_names.h"
#include "report/reports.h"
#include "scoring/videos.h"
#include "text.h"

#define SLICE 50       /* milliseconds between checks for a stop request */
#define LINE (1 << 20) /* maximum bytes of a job */

/* The lines of a file or pipe, read without waiting longer than a stop request allows. */
typedef struct Lines {
    int fd;
    const FvCancel *cancel;
    char bytes[LINE];
    size_t begin, end;
    bool ended;
    bool cut, skips; /* cut: the line that next_line() returned is too long; skips: the bytes that follow are the rest
                        of it */
    int64_t number;  /* number of the line that next_line() returned, from 1 */
} Lines;

static int open_lines(Lines *lines, const char *path)
{
    struct stat file;
    lines->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : STDIN_FILENO;
    if (lines->fd < 0 || fstat(lines->fd, &file))
        return report_error(fv_failure_of_system(FV_ERROR_INPUT, errno), "%s: %s", path, strerror(errno));
    if (lines->fd != STDIN_FILENO && !S_ISREG(file.st_mode))
        return report_error(FV_ERROR_INPUT, "%s is not a regular file; write --batch - < %s", path, path);
    return EXIT_OK;
}

/* Reads more bytes; false: a stop request, an error, or a line that is too long. */
static bool read_lines(Lines *lines)
{
    memmove(lines->bytes, lines->bytes + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    while (lines->end < LINE - 1 && !fv_cancel_requested(lines->cancel)) {
        struct pollfd input = {.fd = lines->fd, .events = POLLIN};
        if (poll(&input, 1, SLICE) <= 0)
            continue;
        const ssize_t got = read(lines->fd, lines->bytes + lines->end, LINE - 1 - lines->end);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        lines->ended = got <= 0;
        lines->end += got > 0 ? (size_t)got : 0;
        return got >= 0;
    }
    return false;
}

/* Drops the bytes read of a line that is longer than the buffer. */
static void drop_line(Lines *lines)
{
    lines->cut = !lines->skips;
    lines->skips = true;
    lines->begin = lines->end = 0;
}

/*
 * Returns the next line without its line end; if lines->cut, only its beginning. NULL: there is no further line, or a
 * failure was printed and *status is its code.
 */
static char *next_line(Lines *lines, const char *path, int *status)
{
    lines->cut = false;
    while (!lines->cut) {
        char *line = lines->bytes + lines->begin, *end = memchr(line, '\n', lines->end - lines->begin);
        if (!end && lines->ended && lines->begin < lines->end)
            end = lines->bytes + lines->end;
        if (end) {
            *end = '\0';
            lines->begin = (size_t)(end - lines->bytes) + 1;
            lines->begin = lines->begin < lines->end ? lines->begin : lines->end;
            if (!lines->skips) {
                lines->number++;
                return line;
            }
            lines->skips = false;
            continue;
        }
        if (lines->ended)
            return NULL;
        if (read_lines(lines))
            continue;
        if (lines->end == LINE - 1 && !fv_cancel_requested(lines->cancel)) {
            drop_line(lines);
            continue;
        }
        *status = fv_cancel_requested(lines->cancel)
                      ? report_error(FV_FAIL_STOPPED, "stopped on request between two jobs")
                      : report_error(FV_ERROR_INPUT, "%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    lines->number++;
    return lines->bytes;
}

/* ---- Files of all jobs --------------------------------------------------------------------------------------------
 */

/* A file that a job writes. */
typedef struct Output {
    FvFileId id; /* identity of the file, or of its folder if the file does not exist yet */
    char *path;
    const char *name; /* name of a file that does not exist yet, in path; "" if the file exists */
    int64_t line;     /* number of the job's line */
} Output;

/* The files that the jobs of a regular file read and write, in ascending order. */
typedef struct Files {
    FvFileId *input;
    size_t inputs, input_room;
    Output *output;
    size_t outputs, output_room;
} Files;

static int by_id(const void *a, const void *b)
{
    const FvFileId *x = a, *y = b;
    return x->device != y->device ? (x->device > y->device) - (x->device < y->device)
                                  : (x->number > y->number) - (x->number < y->number);
}

static int by_file(const void *a, const void *b)
{
    const Output *x = a, *y = b;
    const int id = by_id(&x->id, &y->id), name = id ? id : strcmp(x->name, y->name);
    return name ? name : (x->line > y->line) - (x->line < y->line);
}

/* Returns the n-th file that a job reads; NULL after the last one. */
static const char *input_of(const Options *job, int n)
{
    const char *files[4] = {NULL};
    int count = 0;
    if (job->reference)
        files[count++] = job->reference;
    if (job->encodes.count)
        files[count++] = job->encodes.items[0];
    if (job->run.roi)
        files[count++] = job->run.roi;
    return n < count ? files[n] : NULL;
}

/* Gets the identity of a regular file. */
static bool identify(FvFileId *id, const char *path)
{
    FvFileFacts facts;
    fv_file_facts_of(path, &facts);
    *id = facts.id;
    return facts.kind == FV_FILE_REGULAR && facts.id.known;
}

static FvStatus fail_memory(void)
{
    return report_error(FV_ERROR_MEMORY, "out of memory for the names of the jobs' files");
}

/* Makes room for one more element of an array. */
static bool grow(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? 2 * *room : 64;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *room = wanted;
    return true;
}

static FvStatus add_input(Files *files, const char *path)
{
    FvFileId id;
    if (!identify(&id, path))
        return FV_OK;
    if (!grow((void **)&files->input, files->inputs, &files->input_room, sizeof *files->input))
        return fail_memory();
    files->input[files->inputs++] = id;
    return FV_OK;
}

/* Adds a file that is regular, or does not exist yet. A path that cannot be written to is reported by its job. */
static FvStatus add_output(Files *files, const char *path, int64_t line)
{
    const char *slash = fv_last_slash(path), *name = slash ? slash + 1 : path;
    FvFileFacts facts;
    char *folder = NULL;
    const bool exists = fv_file_facts_of(path, &facts);
    if (!exists && asprintf(&folder, "%.*s", slash ? (int)(name - path) : 1, slash ? path : ".") < 0)
        return fail_memory();
    if (!exists)
        fv_file_facts_of(folder, &facts);
    free(folder);
    if (facts.kind != (exists ? FV_FILE_REGULAR : FV_FILE_FOLDER) || !facts.id.known)
        return FV_OK;
    char *copy = strdup(path);
    if (!copy || !grow((void **)&files->output, files->outputs, &files->output_room, sizeof *files->output)) {
        free(copy);
        return fail_memory();
    }
    files->output[files->outputs++] = (Output){facts.id, copy, exists ? "" : copy + (name - path), line};
    return FV_OK;
}

/* Refuses a batch in which two jobs write one file. */
static FvStatus check_outputs(const Files *files)
{
    for (size_t i = 1; i < files->outputs; i++) {
        const Output *a = &files->output[i - 1], *b = &files->output[i];
        if (a->line != b->line && fv_file_same(a->id, b->id) && !strcmp(a->name, b->name)) {
            const bool renamed = strcmp(a->path, b->path);
            return report_error(FV_ERROR_USAGE,
                                "%s is written by line %" PRId64 " and by line %" PRId64 "%s%s; name a file for each",
                                a->path, a->line, b->line, renamed ? " as " : "", renamed ? b->path : "");
        }
    }
    return FV_OK;
}

static void free_files(Files *files)
{
    for (size_t i = 0; i < files->outputs; i++)
        free(files->output[i].path);
    free(files->output);
    free(files->input);
}

/* Refuses a job that would overwrite an input of another job. */
static FvStatus check_job(const Files *files, const Options *job)
{
    for (int n = 0; files->inputs && n < job->outputs.count; n++) {
        const char *path = job->outputs.items[n];
        FvFileId id;
        if (identify(&id, path) && bsearch(&id, files->input, files->inputs, sizeof id, by_id))
            return report_error(FV_FAIL_OVERWRITES,
                                "%s is written by this job and read by one of the batch: name another file", path);
    }
    return FV_OK;
}

/* ---- A job ------------------------------------------------------------------------------------------------------
 */

typedef struct Batch {
    const Command *command;
    const Options *options; /* options of the command, which each job adds to */
    BatchJob *run;
    Lines *lines;
    Files files;
    char **words; /* words of the job */
} Batch;

static void drop_words(Batch *batch)
{
    told_words(NULL, 0, true);
    free(batch->words);
    batch->words = NULL;
}

/*
 * Parses the words of a line as options, in addition to those of the command. The texts belong to *words. `line`
 * NULL: the line was cut.
 */
static int take_words(Batch *batch, const char *line, FvDocument *words, void *values)
{
    FvError wrong;
    ArgList rest = {0};
    if (!line)
        return report_error(FV_ERROR_USAGE, "a job is longer than %d bytes", LINE - 2);
    const FvStatus read = fv_document_open(words, "a job is not JSON", line, strlen(line), &wrong);
    if (read)
        return report_error(read == FV_ERROR_MEMORY ? read : FV_ERROR_USAGE, "%s", wrong.message);
    const size_t count = fv_node_items(&words->root);
    char **argv = calloc(count + 1, sizeof *argv);
    drop_words(batch);
    batch->words = argv;
    if (!argv)
        return report_error(FV_ERROR_MEMORY, "out of memory for the words of a job");
    bool good = fv_node_is(&words->root, FV_NODE_LIST);
    for (size_t i = 0; i < count && good; i++) {
        argv[i] = (char *)(uintptr_t)fv_node_text(fv_node_item(&words->root, i));
        good = argv[i] != NULL;
    }
    int status = EXIT_OK;
    if (!good || !count)
        status = report_error(FV_ERROR_USAGE, "a job is not a JSON array of the words behind 'fovea %s'",
                              batch->command->name);
    else
        told_words(argv, (int)count, true);
    const ArgResult parsed = status ? ARGS_OK : args_parse(batch->command, (int)count, argv, values, &rest);
    if (parsed == ARGS_HELP)
        report_error(FV_ERROR_USAGE, "a job of --batch asks for help: leave out --help");
    if (parsed != ARGS_OK)
        status = parsed == ARGS_MEMORY ? FV_ERROR_MEMORY : FV_ERROR_USAGE;
    free(rest.items);
    return status;
}

/* Fills zeroed values with those of the command and of a line. Messages name the line. */
static int take_job(Batch *batch, const char *line, FvDocument *words, void *values)
{
    char name[40];
    snprintf(name, sizeof name, "line %" PRId64, batch->lines->number);
    message_about(name);
    const int status =
        args_copy(batch->command, values, batch->options) ? take_words(batch, line, words, values) : FV_ERROR_MEMORY;
    message_about(NULL);
    return status;
}

/* Lists the files of all jobs. A line that is not a job is reported later, when it would run. */
static FvStatus list_files(Batch *batch, const char *path)
{
    Lines *lines = batch->lines;
    struct stat facts;
    int status = FV_OK;
    if (fstat(lines->fd, &facts) || !S_ISREG(facts.st_mode))
        return FV_OK;
    const off_t place = lseek(lines->fd, 0, SEEK_CUR);
    for (char *line; !status && (line = next_line(lines, path, &status));) {
        FvDocument words = {.text = NULL};
        ArgList none = {0};
        if (lines->cut || !line[strspn(line, " \t\r")])
            continue;
        void *values = calloc(1, batch->command->values_size);
        message_hush(true);
        const int taken = values ? take_job(batch, line, &words, values) : FV_ERROR_MEMORY;
        message_hush(false);
        if (taken == FV_ERROR_MEMORY)
            status = report_error(taken, "out of memory for the names of the jobs' files");
        const char *file;
        for (int n = 0; !taken && !status && (file = input_of(values, n)); n++)
            status = add_input(&batch->files, file);
        const ArgList *outputs = &((const Options *)values)->outputs;
        for (int n = 0; !taken && !status && n < outputs->count; n++)
            status = add_output(&batch->files, outputs->items[n], lines->number);
        if (values)
            args_free(batch->command, values, &none);
        free(values);
        drop_words(batch);
        fv_document_close(&words);
    }
    if (batch->files.inputs)
        qsort(batch->files.input, batch->files.inputs, sizeof *batch->files.input, by_id);
    if (batch->files.outputs)
        qsort(batch->files.output, batch->files.outputs, sizeof *batch->files.output, by_file);
    if (!status)
        status = check_outputs(&batch->files);
    lines->begin = lines->end = 0;
    lines->ended = lines->cut = lines->skips = false;
    lines->number = 0;
    if (!status && lseek(lines->fd, place, SEEK_SET) < 0)
        status = report_error(FV_ERROR_INPUT, "%s: cannot be read twice: %s", path, strerror(errno));
    return (FvStatus)status;
}

static void end_answer(FvJson *json, int status)
{
    message_write_outcome(json, status);
    fv_json_close(json);
}

static FvJson begin_answer(FILE *file, int64_t number, int64_t line)
{
    FvJson json = {.file = file};
    fv_json_open_line(&json, NULL, '{');
    fv_json_int(&json, "job", number);
    fv_json_int(&json, "line", line);
    return json;
}

/* Runs a job unless its options are those of several videos, or take standard input or output from the batch. */
static int run_job(const Batch *batch, const Options *job, FvJson *answer, FvStatus *output)
{
    const char *from = batch->options->batch;
    Options one = *job;
    if (job->batch != from)
        return report_error(FV_ERROR_USAGE, "a job of --batch names --batch: leave it out");
    if (reports_take_output(job) || job->print.count)
        return report_error(FV_ERROR_USAGE, "answers of --batch take standard output: leave out %s",
                            job->print.count ? "--print" : "-o - and --format without -o");
    if (job->encodes.count > 1)
        return report_error(FV_ERROR_USAGE, "a job of --batch has one video: write a line for each encode");
    one.distorted = job->encodes.count ? job->encodes.items[0] : NULL;
    const bool pipes =
        (one.distorted && !strcmp(one.distorted, "-")) || (one.reference && !strcmp(one.reference, "-"));
    if (pipes && !strcmp(from, "-"))
        return report_error(FV_ERROR_USAGE, "the jobs come from standard input, so no video does: name a file");
    if (!one.distorted)
        return report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: name it in the job");
    return batch->run(&one, answer, output);
}

/*
 * Runs a job and prints its answer, but not before the job has found out whether standard output is one of its files.
 * Without memory for the answer, prints one with status 7 and the error.
 */
static int answer(Batch *batch, int64_t number, const char *line, int *fatal)
{
    const Command *command = batch->command;
    FvDocument words = {.text = NULL};
    ArgList none = {0};
    void *own = calloc(1, command->values_size);
    char *text = NULL;
    size_t size;
    FvStatus output = FV_OK;
    FILE *file = own ? fv_text_open(&text, &size) : NULL;
    int status = file ? EXIT_OK : FV_ERROR_MEMORY;
    message_forget_error();
    if (file) {
        FvJson json = begin_answer(file, number, batch->lines->number);
        status = take_job(batch, line, &words, own);
        if (!status)
            status = check_job(&batch->files, own);
        if (!status)
            status = run_job(batch, own, &json, &output);
        end_answer(&json, status);
        if (!fv_text_close(file, &text))
            status = FV_ERROR_MEMORY;
        else if (!output)
            puts(text);
    }
    if (output)
        *fatal =
            output == FV_ERROR_USAGE
                ? report_error(FV_FAIL_OVERWRITES,
                               "job %" PRId64 " reads the file that standard output is: name another file", number)
                : report_error(output,
                               "job %" PRId64 ": out of memory before it is known whether it reads the file that "
                               "standard output is; pipe the answers",
                               number);
    else if (!file || !text) {
        report_error(status, "out of memory for the answer to job %" PRId64, number);
        FvJson json = begin_answer(stdout, number, batch->lines->number);
        end_answer(&json, status);
        putchar('\n');
    }
    free(text);
    if (own)
        args_free(command, own, &none);
    free(own);
    drop_words(batch);
    fv_document_close(&words);
    return status;
}

int batch_run(const Command *command, const Options *options, BatchJob *run)
{
    static Lines lines;
    const char *path = options->batch;
    Batch batch = {.command = command, .options = options, .run = run, .lines = &lines};
    if (options->outputs.count)
        return report_error(FV_ERROR_USAGE, "each job of --batch would replace %s: write -o into the jobs",
                            options->outputs.items[0]);
    lines.cancel = stop_on_signals();
    FvError error = {0};
    const FvOutputParams answers = {.files = &path, .file_count = strcmp(path, "-") != 0};
    int status = lines.cancel ? open_lines(&lines, path) : FV_ERROR_MEMORY, worst = EXIT_OK;
    if (!status && report_error_if(outputs_check(&answers, &error), &error))
        status = error.status;
    if (!status)
        status = list_files(&batch, path);
    int64_t number = 0;
    for (char *line; !status && (line = next_line(&lines, path, &status));) {
        if (!lines.cut && !line[strspn(line, " \t\r")])
            continue;
        const int code = answer(&batch, ++number, lines.cut ? NULL : line, &status);
        if (code != EXIT_OK && worst != FV_ERROR_PARTIAL)
            worst = code == EXIT_GATE ? EXIT_GATE : FV_ERROR_PARTIAL;
        if (!status && fv_cancel_requested(lines.cancel))
            status = report_error(FV_FAIL_STOPPED, "stopped on request after job %" PRId64, number);
        if (fflush(stdout) && !status)
            status = FV_ERROR_PARTIAL;
    }
    if (lines.fd > STDERR_FILENO)
        close(lines.fd);
    free_files(&batch.files);
    return status ? status : worst;
}
