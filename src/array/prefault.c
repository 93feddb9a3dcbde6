/* Pages for a big host array, made by threads ahead of the copy that fills it. The
   system makes pages, all zero, as they are first touched: in one thread at a third of
   the rate at which a GPU's driver copies into memory that has them. Nothing is written
   here, so pages may be made while the copy goes on. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "array.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define LEAST (64 << 20) /* bytes for which it is worth starting threads */
#define PIECE (8 << 20)  /* bytes at a time; whole huge pages */
#define MOST_THREADS 8

struct ar_prefault {
    atomic_uintptr_t next;
    uintptr_t end;
    int count;
    pthread_t thread[MOST_THREADS];
};

static void *make_pages(void *argument)
{
    ar_prefault *pages = argument;
    for (uintptr_t at; (at = atomic_fetch_add(&pages->next, PIECE)) < pages->end;) {
        size_t size = pages->end - at < PIECE ? pages->end - at : PIECE;
        if (madvise((void *)at, size, MADV_POPULATE_WRITE)) /* the copy will do it */
            atomic_store(&pages->next, pages->end);
    }
    return NULL;
}

ar_prefault *ar_prefault_begin(void *place, size_t bytes)
{
    cpu_set_t usable;
    sigset_t all, before;
    if (bytes < LEAST || sched_getaffinity(0, sizeof usable, &usable))
        return NULL;
    ar_prefault *pages = calloc(1, sizeof *pages);
    if (!pages)
        return NULL;
    /* Only whole pieces: what the array shares with others is left alone. */
    uintptr_t begin = ((uintptr_t)place + PIECE - 1) / PIECE * PIECE;
    pages->end = ((uintptr_t)place + bytes) / PIECE * PIECE;
    atomic_init(&pages->next, begin);
    sigfillset(&all); /* Python's signals are for Python's threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pages->count < MOST_THREADS && pages->count < CPU_COUNT(&usable) &&
           !pthread_create(&pages->thread[pages->count], NULL, make_pages, pages))
        pages->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pages;
}

void ar_prefault_end(ar_prefault *pages)
{
    if (!pages)
        return;
    atomic_store(&pages->next, pages->end);
    for (int i = 0; i < pages->count; i++)
        pthread_join(pages->thread[i], NULL);
    free(pages);
}
