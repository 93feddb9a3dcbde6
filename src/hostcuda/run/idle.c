/* Deadlocks through memory: threads in loops wait for a value that nobody will write.

   A block is idle when all its living threads are in loops of which hostcc has said
   that memory alone ends them and that turns change nothing (HC_YIELD_IDLE), or wait in
   the block for such threads. If all that runs is idle blocks, and each of them takes
   whole turns after the last of them has become idle, and none goes on, none ever will.

   A thread of the user that waits asks, in rounds. In a round each worker counts turns
   in which its block stands as it stood at the end of the round before; once each has
   counted TURNS of them, the round is complete. A worker whose block stands otherwise,
   or that was not in the round before, spoils the round: it may have written something
   that others have not yet seen. Rounds are numbered; two that follow each other have
   numbers that do. */
#include "idle.h"

#define TURNS 16

/* A round's number, and below it how many workers have counted enough turns. */
#define DONE_BITS 16
#define DONE ((UINT64_C(1) << DONE_BITS) - 1)

static struct {
    _Atomic uint64_t round; /* with their number; 0: nobody asks */
    _Atomic bool spoilt;
    _Atomic uint64_t over; /* the round after which all were told to end */
    uint64_t last;         /* number of a round; under the lock */
} idle;

bool hd_idle_is_asked(void)
{
    return atomic_load(&idle.round) != 0;
}

/* One more worker has counted enough turns in the round, unless that is over. */
static void count_done(uint64_t round)
{
    uint64_t now = atomic_load(&idle.round);

    while (now >> DONE_BITS == round &&
           !atomic_compare_exchange_weak(&idle.round, &now, now + 1))
        continue;
}

bool hd_idle_note_unlocked(hd_worker *worker, uint64_t standing, bool is_idle)
{
    uint64_t round = atomic_load(&idle.round) >> DONE_BITS;
    bool known = worker->idle_round == round || worker->idle_round + 1 == round;

    if (round == 0)
        return false;
    if (round == atomic_load(&idle.over)) { /* who came since is not meant */
        if (worker->idle_round != round)
            atomic_store(&idle.spoilt, true);
        return worker->idle_round == round;
    }
    if (worker->idle_round != round)
        worker->idle_turns = 0;
    worker->idle_round = round;
    if (!known || !is_idle || worker->standing != standing) {
        atomic_store(&idle.spoilt, true);
        worker->standing = standing;
        worker->idle_turns = 0;
    } else if (++worker->idle_turns == TURNS) {
        count_done(round);
    }
    return false;
}

void hd_idle_moved_unlocked(hd_worker *worker)
{
    worker->idle_round = 0;
    atomic_store(&idle.spoilt, true);
}

bool hd_idle_ask(unsigned spinning)
{
    uint64_t round = atomic_load(&idle.round);

    if (round == 0) {
        idle.last++; /* so that rounds of before do not count */
    } else if (!atomic_load(&idle.spoilt)) {
        if ((round & DONE) < spinning)
            return false;
        atomic_store(&idle.over, idle.last);
        return true;
    }
    atomic_store(&idle.spoilt, false);
    atomic_store(&idle.round, ++idle.last << DONE_BITS);
    return false;
}

void hd_idle_forget(void)
{
    atomic_store(&idle.round, 0);
}
