/* Collective operations, a chunk at a time: each rank gives its part into its slot;
   when all have met, each does its share of the work, or takes what it needs; and when
   they have met again, slots and result may be written anew once the result has been
   taken. Nothing is taken of the memory of another rank, so ranks may be processes. */
#include "collectives.h"

#include "hostcuda/core/written_memory.h"
#include "reduce.h"

static bool is_message(const hd_collective *asked)
{
    return asked->request.kind >= HD_SEND;
}

/* -- Whether all ask for the same ----------------------------------------------------
 */

static void describe(const hd_request *request, char text[160])
{
    static const char *const kinds[] = {"ncclAllReduce", "ncclBroadcast", "ncclReduce",
                                        "ncclAllGather", "ncclReduceScatter"};
    static const char *const types[] = {"int8",    "uint8",   "int32",   "uint32",
                                        "int64",   "uint64",  "float16", "float32",
                                        "float64", "bfloat16"};
    static const char *const operations[] = {"sum", "prod", "max", "min", "avg"};
    snprintf(text, 160, "%s of %llu %s, operation %s, root %d", kinds[request->kind],
             (unsigned long long)request->count, types[request->type],
             operations[request->operation], request->root);
}

static bool all_ask_the_same(const hd_ranks *ranks)
{
    const hd_request *first = hd_ranks_request_unlocked(ranks, 0);
    char one[160], other[160];

    for (int i = 1; i < ranks->size; i++) {
        const hd_request *next = hd_ranks_request_unlocked(ranks, i);
        if (memcmp(first, next, sizeof *first) == 0)
            continue;
        describe(first, one);
        describe(next, other);
        hd_ranks_fail_unlocked(ranks,
                               "ranks ask for different things: rank 0 for %s; "
                               "rank %d for %s",
                               one, i, other);
        return false;
    }
    return true;
}

/* -- A chunk -------------------------------------------------------------------------
 */

typedef struct {
    hd_ranks *ranks;
    const hd_collective *asked;
    size_t size;     /* bytes of an element */
    uint64_t first;  /* element of a part */
    uint64_t n, per; /* elements of this chunk, and most elements of one */
} chunk;

/* The chunk's bytes of part number k. */
static size_t place(const chunk *c, uint64_t k)
{
    return (k * c->asked->request.count + c->first) * c->size;
}

static void give(const chunk *c)
{
    char *slot = hd_ranks_slot_unlocked(c->ranks, c->ranks->rank);
    const hd_collective *asked = c->asked;

    if (asked->request.kind == HD_REDUCE_SCATTER) {
        for (int k = 0; k < c->ranks->size; k++)
            memcpy(slot + k * c->per * c->size, asked->from + place(c, k),
                   c->n * c->size);
    } else if (asked->request.kind != HD_BROADCAST ||
               asked->request.root == c->ranks->rank) {
        memcpy(slot, asked->from + place(c, 0), c->n * c->size);
    }
}

/* Elements first to first + n, counted in slots, of all ranks. */
static void reduce(const chunk *c, uint64_t first, uint64_t n, char *to)
{
    const void *from[HD_RANKS_MOST];

    for (int k = 0; k < c->ranks->size; k++)
        from[k] = hd_ranks_slot_unlocked(c->ranks, k) + first * c->size;
    hd_nccl_reduce_unlocked(c->asked->request.type, c->asked->request.operation, from,
                            c->ranks->size, n, to);
}

/* What this rank does once all have given. */
static void combine(const chunk *c)
{
    hd_ranks *ranks = c->ranks;
    const hd_collective *asked = c->asked;
    uint64_t begin = c->n * ranks->rank / ranks->size;
    uint64_t end = c->n * (ranks->rank + 1) / ranks->size;

    switch (asked->request.kind) {
    case HD_ALL_REDUCE:
    case HD_REDUCE:
        reduce(c, begin, end - begin,
               hd_ranks_result_unlocked(ranks) + begin * c->size);
        break;
    case HD_REDUCE_SCATTER:
        reduce(c, ranks->rank * c->per, c->n, asked->to + place(c, 0));
        break;
    case HD_ALL_GATHER:
        for (int k = 0; k < ranks->size; k++)
            memcpy(asked->to + place(c, k), hd_ranks_slot_unlocked(ranks, k),
                   c->n * c->size);
        break;
    default:
        memcpy(asked->to + place(c, 0),
               hd_ranks_slot_unlocked(ranks, asked->request.root), c->n * c->size);
    }
}

static void take(const chunk *c)
{
    const hd_request *request = &c->asked->request;

    if (request->kind == HD_ALL_REDUCE ||
        (request->kind == HD_REDUCE && request->root == c->ranks->rank))
        memcpy(c->asked->to + place(c, 0), hd_ranks_result_unlocked(c->ranks),
               c->n * c->size);
}

bool hd_collective_run_unlocked(hd_ranks *ranks, hd_collective *asked)
{
    const hd_request *request = &asked->request;
    chunk c = {ranks, asked, hd_nccl_size(request->type), 0, 0, 0};
    int parts = request->kind == HD_REDUCE_SCATTER ? ranks->size : 1;
    int results = request->kind == HD_ALL_GATHER ? ranks->size : 1;

    *hd_ranks_request_unlocked(ranks, ranks->rank) = *request;
    c.per = HD_RANKS_CHUNK / c.size / parts;
    for (; c.first < request->count; c.first += c.n) {
        c.n = request->count - c.first;
        c.n = c.n < c.per ? c.n : c.per;
        give(&c);
        if (!hd_ranks_meet_unlocked(ranks) || !all_ask_the_same(ranks))
            return false;
        combine(&c);
        if (!hd_ranks_meet_unlocked(ranks))
            return false;
        take(&c);
    }
    if (request->kind != HD_REDUCE || request->root == ranks->rank)
        hd_written_set_unlocked(asked->to, request->count * c.size * results);
    return true;
}

/* -- Messages ------------------------------------------------------------------------
 */

static uint64_t bytes_of(const hd_collective *asked)
{
    return asked->request.count * hd_nccl_size(asked->request.type);
}

/* Whether some bytes could be moved. */
static bool move(hd_ranks *ranks, hd_collective *asked)
{
    bool sends = asked->request.kind == HD_SEND;
    int peer = asked->request.root;
    hd_box *box = sends ? hd_ranks_box_unlocked(ranks, ranks->rank, peer)
                        : hd_ranks_box_unlocked(ranks, peer, ranks->rank);
    uint64_t total = bytes_of(asked), left = total - asked->moved;

    if (atomic_load(&box->is_full) == sends)
        return false;
    if (sends) {
        box->bytes = left < HD_RANKS_BOX ? left : HD_RANKS_BOX;
        box->total = total;
        memcpy(box->data, asked->from + asked->moved, box->bytes);
    } else if (box->total != total) {
        hd_ranks_fail_unlocked(ranks,
                               "rank %d sends %llu bytes to rank %d, which receives "
                               "%llu",
                               peer, (unsigned long long)box->total, ranks->rank,
                               (unsigned long long)total);
        return false;
    } else {
        memcpy(asked->to + asked->moved, box->data, box->bytes);
        hd_written_set_unlocked(asked->to + asked->moved, box->bytes);
    }
    asked->moved += box->bytes;
    atomic_store(&box->is_full, sends);
    return true;
}

/* Whether an earlier message of the same way is under way still. */
static bool has_to_wait(const hd_collective *asked, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (asked[k].request.kind == asked[i].request.kind &&
            asked[k].request.root == asked[i].request.root &&
            asked[k].moved < bytes_of(&asked[k]))
            return true;
    return false;
}

/* Moves what can be moved; whether that was anything. `waits_for`: a peer of what is
   left, or -1: nothing is. */
static bool move_all(hd_ranks *ranks, hd_collective *asked, unsigned count,
                     int *waits_for)
{
    bool any = false;

    *waits_for = -1;
    for (unsigned i = 0; i < count; i++) {
        if (!is_message(&asked[i]) || asked[i].moved == bytes_of(&asked[i]))
            continue;
        any |= !has_to_wait(asked, i) && move(ranks, &asked[i]);
        if (asked[i].moved < bytes_of(&asked[i]))
            *waits_for = asked[i].request.root;
    }
    return any;
}

bool hd_messages_run_unlocked(hd_ranks *ranks, hd_collective *asked, unsigned count)
{
    unsigned turns = 0;
    int peer;

    for (;;) {
        bool any = move_all(ranks, asked, count, &peer);
        if (peer < 0)
            return true;
        if (any)
            turns = 0;
        else if (!hd_ranks_pause_unlocked(ranks, peer, &turns) &&
                 !move_all(ranks, asked, count, &peer)) {
            if (peer < 0)
                return true;
            hd_ranks_fail_for_unlocked(ranks, peer);
            return false;
        }
    }
}
