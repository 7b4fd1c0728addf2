/* Tests that stop requests end calls that wait for a pipe, from any thread and at any time. */
#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fovea-cancel-XXXXXX", pipe_path[64], file_path[64];
static FvCancel *cancel;

static int set_up(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe.y4m", folder);
    snprintf(file_path, sizeof file_path, "%s/file.y4m", folder);
    return mkfifo(pipe_path, 0600);
}

static int clean_up(void **state)
{
    unlink(pipe_path);
    unlink(file_path);
    return rmdir(folder);
}

static void request(int number)
{
    fv_cancel_request(cancel);
}

/* Requests the stop 20 ms later, when the caller most likely waits. An earlier stop has the same result. */
static void *request_later(void *argument)
{
    usleep(20000);
    fv_cancel_request(cancel);
    return NULL;
}

static void test_null_is_never_requested(void **state)
{
    fv_cancel_request(NULL);
    assert_false(fv_cancel_requested(NULL));
    fv_cancel_close(NULL);
    fv_cancel_close(&(FvCancel *){NULL});
    assert_fails(fv_cancel_open(NULL, error), FV_ERROR_USAGE, "NULL");
}

static void test_signal_handlers_may_ask(void **state)
{
    assert_works(fv_cancel_open(&cancel, error));
    assert_false(fv_cancel_requested(cancel));
    void (*before)(int) = signal(SIGUSR1, request);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    signal(SIGUSR1, before);
    assert_true(fv_cancel_requested(cancel));
    fv_cancel_close(&cancel);
    assert_null(cancel);
}

static void test_a_pipe_without_writer_can_be_left(void **state)
{
    FvSource *source;
    pthread_t thread;
    assert_works(fv_cancel_open(&cancel, error));
    pthread_create(&thread, NULL, request_later, NULL);
    assert_fails(fv_source_open(&source, &(FvSourceParams){.path = pipe_path, .cancel = cancel}, error),
                 FV_ERROR_PARTIAL, "stopped on request");
    assert_null(source);
    pthread_join(thread, NULL);
    assert_fails(fv_source_open(&source, &(FvSourceParams){.path = pipe_path, .cancel = cancel}, error),
                 FV_ERROR_PARTIAL, "stopped on request");
    fv_cancel_close(&cancel);
}

/* Input of a thread that opens a file or pipe, writes `frames` frames of 8x8 to it and leaves it open. */
typedef struct Writer {
    const char *path;
    int frames, fd;
} Writer;

static void *write_frames(void *argument)
{
    static const char samples[96], start[] = "YUV4MPEG2 W8 H8 C420\n";
    Writer *writer = argument;
    writer->fd = open(writer->path, O_WRONLY | O_CREAT, 0600);
    bool good = write(writer->fd, start, strlen(start)) > 0;
    for (int i = 0; i < writer->frames && good; i++)
        good = write(writer->fd, "FRAME\n", 6) > 0 && write(writer->fd, samples, sizeof samples) > 0;
    if (!good)
        perror(writer->path);
    return NULL;
}

static void test_scoring_a_pipe_that_stalls(void **state)
{
    Writer file = {.path = file_path, .frames = 200};
    write_frames(&file);
    close(file.fd);
    for (int threads = 1; threads <= 2; threads++) {
        Writer writer = {.path = pipe_path, .frames = 100};
        FvSource *ref, *dis;
        FvSession *session;
        pthread_t writing, asking;
        assert_works(fv_cancel_open(&cancel, error));
        pthread_create(&writing, NULL, write_frames, &writer);
        assert_works(fv_source_open(&ref, &(FvSourceParams){.path = file_path, .cancel = cancel}, error));
        assert_works(fv_source_open(&dis, &(FvSourceParams){.path = pipe_path, .cancel = cancel}, error));
        assert_works(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = threads}, error));
        assert_works(fv_session_add(session, "psnr", error));
        pthread_join(writing, NULL);
        pthread_create(&asking, NULL, request_later, NULL);
        assert_fails(fv_score(session, ref, dis, &(FvScoreParams){0}, error), FV_ERROR_PARTIAL, "stopped on request");
        assert_true(fv_session_frames(session) <= writer.frames);
        pthread_join(asking, NULL);
        close(writer.fd);
        fv_session_close(&session);
        fv_source_close(&ref);
        fv_source_close(&dis);
        fv_cancel_close(&cancel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_is_never_requested),
        cmocka_unit_test(test_signal_handlers_may_ask),
        cmocka_unit_test(test_a_pipe_without_writer_can_be_left),
        cmocka_unit_test(test_scoring_a_pipe_that_stalls),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
