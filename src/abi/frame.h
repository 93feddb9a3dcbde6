/* What a running block looks like: shared byte for byte by the code that hostcc
   generates (which takes every offset from here with offsetof) and by hostcuda, which
   fills and owns these structs.

   A kernel runs in *vectors*: `width` consecutive threads of a block executed together,
   one per lane. How a block is cut into vectors is the layout:
     rows    each row of threads (equal y and z) is cut on its own, so a vector has one
             y, one z and consecutive x; the last vector of a row may be short. Vector
             number v of the block is
             ((z * block.y + y) * ceil(block.x / width) + chunk).
     linear  consecutive thread numbers, as CUDA's warps; used only by kernels that need
             real warps (hc_kernel.flags & HC_WARPS, width 32) in blocks where rows
             would not give them.
   A kernel without suspension points is one call per range of blocks. A kernel with
   them is a table of states; after a call each lane is exited or waits in some state,
   and the scheduler in hostcuda decides which state runs next. */
#ifndef PYCUDA_ABI_FRAME_H
#define PYCUDA_ABI_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "coverage.h"

#define HC_LANES 32 /* room in per-vector records; hc_kernel.width is at most this */

/* 16 of numbers in PTX; from 16 + 1024 / n on those of tiles of n threads, n over 32.
 */
#define HC_NAMED_BARRIERS 48

/* Return values of hc_pass and hc_resume beside a state number. */
#define HC_EXITED 0u /* no lane is left (state 0 is the entry, nothing waits there) */
#define HC_MIXED 0xffffffffu /* lanes differ: look at vector_state and lane_state */

typedef struct hc_frame hc_frame;
typedef struct hc_launch hc_launch;

/* What generated code sees of the records by which races on the block's shared memory
   are found. A granule is 1 << hc_kernel.granule_shift bytes. */
typedef struct {
    uint32_t *many;    /* a granule: since `interval`, reading it again changes nothing
                          if this is not less */
    uint32_t interval; /* time of the last barrier */
    uint32_t clock;
} hc_races;

/* An access, as races are told of it: bits. */
#define HC_RACE_WRITES 1u
#define HC_RACE_ATOMIC 2u /* or volatile and waited for */
#define HC_RACE_VOLATILE 4u
#define HC_RACE_VALUE 8u /* what is written is known, if it has up to 8 bytes */
#define HC_RACE_KINDS 15u
#define HC_RACE_START_AT 8       /* from here on: where the variable begins */
#define HC_RACE_FENCE (1u << 31) /* with the thread of race_sign: it is a fence */

/* What hc_services.access is asked, in its low bits. */
#define HC_ASK_NEED 1u   /* init: it is read, so it is to be written */
#define HC_ASK_SOME 2u   /* init: some of it is to be written, at least */
#define HC_ASK_SET 4u    /* init: it is written */
#define HC_ASK_COPY 8u   /* init: the bytes at `value` become as written as these */
#define HC_ASK_RACE 16u  /* race */
#define HC_ASK_START 32u /* race: `value` is where the variable begins, or NULL */

/* The thread that scalar code runs for. An image has one record a thread of the
 * machine.
 */
typedef struct {
    const hc_launch *launch;
    hc_frame *frame;
    uint32_t index[3]; /* threadIdx */
    /* Of threads that run one at a time: */
    uint32_t number;       /* in the block */
    uint32_t shared_bytes; /* of the block, static and dynamic */
    uint32_t reserved;
} hc_thread;

/* Runs the record's thread from its start to its end. */
typedef void hc_entry(const void *params);

/* What generated code may ask of the runtime. Thread is {x, y, z} of threadIdx. */
typedef struct {
    int (*print)(hc_frame *, const char *format, const void *arguments);
    /* These two do not return. */
    void (*assert_fail)(hc_frame *, const uint32_t *thread, const char *expression,
                        const char *file, uint32_t line, const char *function);
    void (*trap)(hc_frame *, const uint32_t *thread);
    void *(*allocate)(hc_frame *, uint64_t size); /* NULL when the heap is full */
    void (*release)(hc_frame *, void *);
    uint64_t (*nanoseconds)(void); /* %globaltimer */
    void (*pause)(hc_frame *);     /* this block only spins: let other blocks run */
    /* Check mode: looks at these lanes of a vector, each at where[lane]; ends the block
       unless all of them are right. The same for the thread of that number in the
       block, and any number of bytes. */
    void (*check)(hc_frame *, const hc_access *, uint32_t vector, uint32_t lanes,
                  const uint64_t *where);
    void (*check_thread)(hc_frame *, const hc_access *, uint32_t thread, uint64_t where,
                         uint64_t bytes);
    /* Lanes read, or write, what is at where[lane]: whether it was written. */
    void (*need_written)(hc_frame *, const hc_access *, uint32_t vector, uint32_t lanes,
                         const uint64_t *where);
    void (*set_written)(hc_frame *, const hc_access *, uint32_t vector, uint32_t lanes,
                        const uint64_t *where);
    /* Race checks, of lanes that access memory that they share at first + stride *
       lane, or at address[lane]. `what`: lanes | number of the first lane's thread <<
       32 | HC_RACE_... << 42 | where the variable begins << 46. Of a write, `values` is
       what each lane writes. */
    void (*race)(hc_frame *, const hc_access *, const char *first, uint64_t what,
                 const uint64_t *values, int64_t stride);
    void (*race_each)(hc_frame *, const hc_access *, const char *const *address,
                      uint64_t what, const uint64_t *values);
    /* Of the warp of that thread: an atomic operation, a volatile access or a fence is
       done (HC_RACE_FENCE); these lanes have met in __syncwarp, each with its mask. */
    void (*race_sign)(hc_frame *, uint32_t thread);
    void (*race_meet)(hc_frame *, uint32_t thread, uint32_t lanes,
                      const uint32_t *masks);
    /* Init and race checks of one thread, in functions that are not inlined and of
       copies. `what`: HC_ASK_... | number of the thread << 32 | HC_RACE_... << 42 |
       where the variable begins << 46. `value`: what a write writes, or as HC_ASK_...
       says. */
    void (*access)(hc_frame *, const hc_access *, const void *at, uint64_t bytes,
                   uint64_t what, uint64_t value);
    /* Threads that run one at a time, each on a stack of its own (option -G). The first
       two do what hc_pass and hc_resume do: `entry` starts threads, NULL lets them go
       on. `record` is where the image's code finds its thread. */
    uint32_t (*pass_threads)(const hc_launch *, hc_frame *, hc_entry *entry,
                             hc_thread *record);
    uint32_t (*resume_threads)(const hc_launch *, hc_frame *, uint32_t vector,
                               uint32_t lanes, hc_entry *entry, hc_thread *record);
    /* The thread waits in a state. Returns the barrier's value, the warp function's
       result, or the lanes that go on together (HC_LOCKSTEP). */
    uint64_t (*wait)(hc_frame *, uint32_t state, uint64_t value, uint32_t mask,
                     uint32_t argument);
    /* At the end of a loop's turn: waits in the state (HC_YIELD) after some. */
    void (*turn)(hc_frame *, uint32_t state);
} hc_services;

/* One kernel launch: read only while it runs. */
struct hc_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared; /* bytes, after the kernel's static shared memory */
    uint32_t cached_turns; /* what it writes in so many turns goes through the caches */
    const void *params;    /* arguments packed at hc_param.offset, 16-byte aligned */
    const hc_services *services;
    uint32_t *arrived; /* counts at the barrier of a whole grid, from 0; or NULL */
    const hc_written *written; /* marks of global memory */
    const hc_bounds *bounds;   /* checked kernels: one for each 8 bytes of params */
    const uint8_t *raced; /* the same: whether what they point into may be written */
};

/* A vector's record for warp functions that must wait for other lanes: the suspended
   lanes write value, mask and argument; the scheduler answers in result and flag. */
typedef struct {
    uint64_t value[HC_LANES], result[HC_LANES];
    uint32_t mask[HC_LANES];     /* lanes named by the caller */
    uint32_t argument[HC_LANES]; /* shuffles: source | width << 16 */
    uint32_t flag[HC_LANES];     /* predicate of a barrier; out: shuffle in range */
} hc_exchange;

/* One running block. One frame a worker; hostcuda resets it for each block. */
struct hc_frame {
    uint32_t index[3];      /* blockIdx, written by whoever starts the block */
    uint32_t barrier_value; /* result of the last __syncthreads_count/and/or */
    char *shared;    /* static then dynamic shared memory, HC_SHARED_ALIGN aligned */
    char *context;   /* vectors * hc_kernel.context_bytes, 64-byte aligned */
    uint32_t *alive; /* a vector: bit mask of lanes that have not exited */
    uint32_t *vector_state; /* a vector: the state all its living lanes wait in,
                               HC_EXITED or HC_MIXED; valid after a pass that returned
                               HC_MIXED, where lanes were alive before */
    uint32_t *lane_state;   /* a vector: HC_LANES states, valid where vector_state is
                               HC_MIXED */
    hc_exchange *exchange;  /* a vector: its record; NULL if the kernel has no use */
    uint32_t whole;         /* not 0: every lane of every vector is alive */
    uint32_t reserved;
    void *worker; /* borrowed: hostcuda's own data of the worker thread */
    hc_bounds known[HC_KNOWN + HC_KNOWN_OBJECTS]; /* checked kernels: what an address
                                                     was found in */
    char *written;        /* marks of shared memory; NULL: not kept */
    hc_races *races;      /* NULL: races are not looked for */
    hc_counter *counters; /* hc_image.ncounters; NULL: the kernel does not count */
    /* Barriers of a part of the block: arrivals, and in the upper half how often each
       was passed. Blocks leave the lower halves 0. */
    uint32_t named[HC_NAMED_BARRIERS];
};

#define HC_SHARED_ALIGN 128

#endif
