/*
 * Stubs of POSIX threads, which wasi-libc lacks, for programs of one thread. Sessions with one thread start no other.
 */
#pragma once

#include <errno.h>
#include <stdlib.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;
typedef int pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0

#define pthread_mutex_init(mutex, attributes) (void)(mutex)
#define pthread_mutex_destroy(mutex) (void)(mutex)
#define pthread_mutex_lock(mutex) (void)(mutex)
#define pthread_mutex_unlock(mutex) (void)(mutex)
#define pthread_cond_init(condition, attributes) (void)(condition)
#define pthread_cond_destroy(condition) (void)(condition)
#define pthread_cond_broadcast(condition) (void)(condition)
#define pthread_cond_signal(condition) (void)(condition)
#define pthread_cond_wait(condition, mutex) abort() /* no other thread could wake the caller */
#define pthread_create(thread, attributes, run, opaque) ((void)(thread), (void)(run), (void)(opaque), EAGAIN)
#define pthread_join(thread, result) (void)(thread)

static inline void pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (!*once)
        run();
    *once = 1;
}
