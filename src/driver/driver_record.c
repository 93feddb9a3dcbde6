/* Recording calls for a profile: each call with its time and thread, and for what runs
   on a device (kernels, copies, fills) two events in its stream, between which it ran.
   Events tell times from one another alone, so each context has a first one, whose time
   on the host's clock is known: recorded in an idle context and waited for.

   The wrappers of driver_watch.c call in here while a recording is on. Records and
   contexts grow under one lock; the driver is called without it. A context that is
   about to go settles its records first, for its events go along. */
#define _GNU_SOURCE /* gettid */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "driver_table.h"

enum { NONE = -1 };

/* What runs in a stream: where in the arguments that stream and the bytes are. */
static const struct {
    drv_index index;
    drv_work work;
    int stream, bytes; /* NONE: the null stream; not said */
} works[] = {
    {DRV_cuLaunchKernel, DRV_KERNEL, 8, NONE},
    {DRV_cuLaunchCooperativeKernel, DRV_KERNEL, 8, NONE},
    {DRV_cuLaunchKernelEx, DRV_KERNEL, NONE, NONE}, /* in its first argument */
    {DRV_cuGraphLaunch, DRV_GRAPH, 1, NONE},
    {DRV_cuMemcpy, DRV_COPY, NONE, 2},
    {DRV_cuMemcpyAsync, DRV_COPY, 3, 2},
    {DRV_cuMemcpyPeer, DRV_COPY, NONE, 4},
    {DRV_cuMemcpyPeerAsync, DRV_COPY, 5, 4},
    {DRV_cuMemcpyHtoD, DRV_COPY, NONE, 2},
    {DRV_cuMemcpyDtoH, DRV_COPY, NONE, 2},
    {DRV_cuMemcpyDtoD, DRV_COPY, NONE, 2},
    {DRV_cuMemcpyDtoA, DRV_COPY, NONE, 3},
    {DRV_cuMemcpyAtoD, DRV_COPY, NONE, 3},
    {DRV_cuMemcpyHtoA, DRV_COPY, NONE, 3},
    {DRV_cuMemcpyAtoH, DRV_COPY, NONE, 3},
    {DRV_cuMemcpyAtoA, DRV_COPY, NONE, 4},
    {DRV_cuMemcpyHtoAAsync, DRV_COPY, 4, 3},
    {DRV_cuMemcpyAtoHAsync, DRV_COPY, 4, 3},
    {DRV_cuMemcpyHtoDAsync, DRV_COPY, 3, 2},
    {DRV_cuMemcpyDtoHAsync, DRV_COPY, 3, 2},
    {DRV_cuMemcpyDtoDAsync, DRV_COPY, 3, 2},
    {DRV_cuMemcpy2D, DRV_COPY, NONE, NONE},
    {DRV_cuMemcpy2DUnaligned, DRV_COPY, NONE, NONE},
    {DRV_cuMemcpy2DAsync, DRV_COPY, 1, NONE},
    {DRV_cuMemcpy3D, DRV_COPY, NONE, NONE},
    {DRV_cuMemcpy3DAsync, DRV_COPY, 1, NONE},
    {DRV_cuMemcpy3DPeer, DRV_COPY, NONE, NONE},
    {DRV_cuMemcpy3DPeerAsync, DRV_COPY, 1, NONE},
    {DRV_cuMemsetD8, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD16, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD32, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD2D8, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD2D16, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD2D32, DRV_FILL, NONE, NONE},
    {DRV_cuMemsetD8Async, DRV_FILL, 3, NONE},
    {DRV_cuMemsetD16Async, DRV_FILL, 3, NONE},
    {DRV_cuMemsetD32Async, DRV_FILL, 3, NONE},
    {DRV_cuMemsetD2D8Async, DRV_FILL, 5, NONE},
    {DRV_cuMemsetD2D16Async, DRV_FILL, 5, NONE},
    {DRV_cuMemsetD2D32Async, DRV_FILL, 5, NONE},
};

/* A context with recorded work, and its first event. */
typedef struct {
    CUcontext handle; /* borrowed; NULL: it is gone */
    CUevent first;
    uint64_t time; /* of that event, on the host's clock */
    int device;
} place;

static struct {
    pthread_mutex_t lock;
    drv_record *records; /* owned */
    place *places;       /* owned */
    size_t count, room, places_count;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

atomic_int drv_recording;

uint64_t drv_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* Call with the lock held: -1: there is none yet. */
static int find_place(CUcontext handle)
{
    for (size_t i = 0; i < self.places_count; i++)
        if (self.places[i].handle == handle)
            return (int)i;
    return -1;
}

/* The current context's place; -1: there is none. */
static int enter_place(void)
{
    place new = {NULL};
    pthread_mutex_lock(&self.lock);
    int found = drv_real.cuCtxGetCurrent(&new.handle) || !new.handle
                    ? -1
                    : find_place(new.handle);
    pthread_mutex_unlock(&self.lock);
    if (found >= 0 || !new.handle || drv_real.cuCtxGetDevice(&new.device) ||
        drv_real.cuEventCreate(&new.first, CU_EVENT_DEFAULT))
        return found;
    drv_real.cuCtxSynchronize();
    CUresult failed = drv_real.cuEventRecord(new.first, NULL);
    failed = failed ? failed : drv_real.cuEventSynchronize(new.first);
    new.time = drv_now();
    pthread_mutex_lock(&self.lock);
    place *larger =
        failed ? NULL : realloc(self.places, (self.places_count + 1) * sizeof new);
    if (larger) {
        self.places = larger;
        found = (int)self.places_count++;
        larger[found] = new;
    }
    pthread_mutex_unlock(&self.lock);
    if (!larger)
        drv_real.cuEventDestroy(new.first);
    return found;
}

static void describe(drv_record *record, const long long *arguments)
{
    const CUlaunchConfig *config = (const void *)(uintptr_t)arguments[0];
    CUfunction function = (void *)(uintptr_t)arguments[0];
    const char *name = NULL;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (works[i].index != (drv_index)record->index)
            continue;
        record->work = works[i].work;
        if (works[i].stream != NONE)
            record->stream = (void *)(uintptr_t)arguments[works[i].stream];
        if (works[i].bytes != NONE)
            record->bytes = (size_t)arguments[works[i].bytes];
    }
    if (record->work != DRV_KERNEL)
        return;
    if (record->index == DRV_cuLaunchKernelEx) {
        function = (void *)(uintptr_t)arguments[1];
        record->stream = config->hStream;
        const unsigned extents[] = {config->gridDimX,  config->gridDimY,
                                    config->gridDimZ,  config->blockDimX,
                                    config->blockDimY, config->blockDimZ};
        memcpy(record->extents, extents, sizeof extents);
    } else {
        for (int i = 0; i < 6; i++)
            record->extents[i] = (unsigned)arguments[1 + i];
    }
    if (drv_real.cuFuncGetName(&name, function) == CUDA_SUCCESS && name)
        strncpy(record->kernel, name, sizeof record->kernel - 1);
}

static int is_capturing(CUstream stream)
{
    CUstreamCaptureStatus status = 0;
    return drv_real.cuStreamIsCapturing(stream, &status) || status;
}

drv_record *drv_record_before(int index, const long long *arguments)
{
    drv_record *record = malloc(sizeof *record);
    if (!record)
        return NULL;
    *record = (drv_record){
        .index = index, .name = drv_rows[index].name, .thread = gettid(), .place = -1};
    describe(record, arguments);
    if (index == DRV_cuCtxDestroy)
        drv_record_settle((void *)(uintptr_t)arguments[0]);
    if (index == DRV_cuDevicePrimaryCtxRelease || index == DRV_cuDevicePrimaryCtxReset)
        drv_record_settle(NULL);
    if (record->work && !is_capturing(record->stream) &&
        (record->place = enter_place()) >= 0 &&
        drv_real.cuEventCreate(&record->before, CU_EVENT_DEFAULT) == CUDA_SUCCESS &&
        drv_real.cuEventCreate(&record->after, CU_EVENT_DEFAULT) == CUDA_SUCCESS)
        drv_real.cuEventRecord(record->before, record->stream);
    record->begin = drv_now();
    return record;
}

void drv_record_after(drv_record *record, CUresult result)
{
    record->end = drv_now();
    record->result = result;
    if (record->after)
        drv_real.cuEventRecord(record->after, record->stream);
    pthread_mutex_lock(&self.lock);
    if (self.count == self.room) {
        size_t room = self.room ? 2 * self.room : 1024;
        drv_record *larger = realloc(self.records, room * sizeof *larger);
        if (larger) {
            self.records = larger;
            self.room = room;
        }
    }
    if (self.count < self.room) /* else it is lost */
        self.records[self.count++] = *record;
    pthread_mutex_unlock(&self.lock);
    free(record);
}

/* From events to times, in the context of the place, which is current. */
static void settle(drv_record *record, const place *place)
{
    float from = 0, took = 0;
    if (record->before && record->after &&
        !drv_real.cuEventElapsedTime(&from, place->first, record->before) &&
        !drv_real.cuEventElapsedTime(&took, record->before, record->after)) {
        record->started = place->time + (uint64_t)((double)from * 1e6);
        record->ended = record->started + (uint64_t)((double)took * 1e6);
        record->device = place->device;
    }
    if (record->before)
        drv_real.cuEventDestroy(record->before);
    if (record->after)
        drv_real.cuEventDestroy(record->after);
    record->before = record->after = NULL;
}

void drv_record_settle(CUcontext context)
{
    pthread_mutex_lock(&self.lock);
    for (size_t i = 0; i < self.places_count; i++) {
        place *at = &self.places[i];
        if (!at->handle || (context && context != at->handle) ||
            drv_real.cuCtxPushCurrent(at->handle))
            continue;
        drv_real.cuCtxSynchronize();
        for (size_t j = 0; j < self.count; j++)
            if (self.records[j].place == (int)i)
                settle(&self.records[j], at);
        drv_real.cuEventDestroy(at->first);
        drv_real.cuCtxPopCurrent(&at->handle);
        at->handle = NULL;
    }
    pthread_mutex_unlock(&self.lock);
}

const drv_record *drv_record_get(size_t *count)
{
    *count = self.count;
    return self.records;
}

void drv_record_clear(void)
{
    pthread_mutex_lock(&self.lock);
    free(self.records);
    free(self.places);
    self.records = NULL;
    self.places = NULL;
    self.count = self.room = self.places_count = 0;
    pthread_mutex_unlock(&self.lock);
}
