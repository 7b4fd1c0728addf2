/* Threads, mutexes, conditions, and one-time initialisation. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

typedef pthread_mutex_t FvMutex;
typedef pthread_cond_t FvCondition;
typedef pthread_once_t FvOnce;

#define FV_MUTEX PTHREAD_MUTEX_INITIALIZER
#define FV_CONDITION PTHREAD_COND_INITIALIZER
#define FV_ONCE PTHREAD_ONCE_INIT

static inline void fv_mutex_open(FvMutex *mutex)
{
    pthread_mutex_init(mutex, NULL);
}

static inline void fv_mutex_close(FvMutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

static inline void fv_lock(FvMutex *mutex)
{
    pthread_mutex_lock(mutex);
}

static inline void fv_unlock(FvMutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

static inline void fv_condition_open(FvCondition *condition)
{
    pthread_cond_init(condition, NULL);
}

static inline void fv_condition_close(FvCondition *condition)
{
    pthread_cond_destroy(condition);
}

/*
 * Unlocks the mutex, waits until another thread wakes the condition, and locks the mutex again. May also return
 * earlier.
 */
static inline void fv_condition_wait(FvCondition *condition, FvMutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

static inline void fv_condition_wake(FvCondition *condition)
{
    pthread_cond_broadcast(condition);
}

static inline void fv_condition_wake_one(FvCondition *condition)
{
    pthread_cond_signal(condition);
}

/* Calls `run` once per `once`. Later callers wait until the first call has returned. */
static inline void fv_once(FvOnce *once, void (*run)(void))
{
    pthread_once(once, run);
}

/* A thread. Zeroed: none. Must stay at its address until the thread is joined. */
typedef struct FvThread {
    bool running;
    pthread_t id;
    void (*run)(void *opaque);
    void *opaque;
} FvThread;

/* Starts a thread. false: the system cannot start one. */
bool fv_thread_start(FvThread *thread, void (*run)(void *opaque), void *opaque);

/* Waits for the thread's end, if it was started. */
void fv_thread_join(FvThread *thread);

/* Lets other threads run. */
void fv_thread_yield(void);

void fv_thread_sleep(int nanoseconds);

/* Blocks every signal in this thread, and in those that it starts, until fv_thread_restore_signals(). */
void fv_thread_block_signals(void);
void fv_thread_restore_signals(void);

/* Returns whether this thread, or the thread that started it, has called fv_thread_block_signals(). */
bool fv_thread_blocks_signals(void);
