/* A kernel that touches memory it must not, or divides by zero, raises a signal in the
   thread that runs the block. If that thread is armed, the handler notes what happened
   and jumps out of the block; any other signal is passed on to the handlers that others
   installed, before ours or since. */
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "faults.h"

#define SIGNAL_STACK (64 << 10)
#define FAULTS 4 /* kinds of signals */
/* Threads that run pieces check no more often than this whether our handlers are still
   in front: that is a system call. */
#define CHECK_NANOSECONDS 20000

volatile bool hd_faults_unguarded;

static const struct {
    int signal;
    CUresult status;
} faults[FAULTS] = {
    {SIGSEGV, CUDA_ERROR_ILLEGAL_ADDRESS},
    {SIGBUS, CUDA_ERROR_ILLEGAL_ADDRESS},
    {SIGFPE, CUDA_ERROR_LAUNCH_FAILED},
    {SIGILL, CUDA_ERROR_ILLEGAL_INSTRUCTION},
};

/* -- Whose handlers there are ------------------------------------------------------ */

/* The handlers of others. A program may at any time install one in front of ours, keep
   ours as the previous one, and call it for signals that it does not handle. So a
   signal that is not ours is passed on by removing our handler: the newest of the
   others is installed, and gets the signal when the instruction runs again. Before the
   next pieces run, ours is installed again in front of whatever is there then. */
#define CHAIN 8

static struct {
    struct sigaction before[CHAIN]; /* the newest last */
    _Atomic unsigned count;
} chains[FAULTS];

static void handler(int signal, siginfo_t *info, void *machine);

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handler;
}

static void put_in_front(unsigned which)
{
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction now;
    unsigned count = atomic_load(&chains[which].count);

    sigemptyset(&action.sa_mask);
    sigaction(faults[which].signal, NULL, &now);
    if (is_ours(&now))
        return;
    /* In a full chain the newest entry is replaced. */
    if (count == CHAIN)
        count--;
    if (count == 0 ||
        chains[which].before[count - 1].sa_sigaction != now.sa_sigaction) {
        chains[which].before[count] = now;
        atomic_store(&chains[which].count, count + 1);
    }
    sigaction(faults[which].signal, &action, NULL);
}

void hd_faults_install(void)
{
    for (unsigned i = 0; i < FAULTS; i++)
        put_in_front(i);
}

void hd_faults_check_unlocked(uint64_t now)
{
    static _Atomic uint64_t last;
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    struct sigaction action;

    if (now != 0 && !hd_faults_unguarded &&
        now - atomic_load_explicit(&last, memory_order_relaxed) < CHECK_NANOSECONDS)
        return;
    if (now != 0)
        atomic_store_explicit(&last, now, memory_order_relaxed);
    sigaction(SIGSEGV, NULL, &action);
    if ((now != 0 && !hd_faults_unguarded && is_ours(&action)) ||
        atomic_flag_test_and_set(&busy))
        return;
    hd_faults_unguarded = false;
    hd_faults_install();
    atomic_flag_clear(&busy);
}

/* -- A signal ---------------------------------------------------------------------- */

/* Returning runs the instruction again, which raises the signal again; one that was
   sent is sent again. */
static void pass_on(unsigned which, const siginfo_t *info)
{
    int signal = faults[which].signal;
    struct sigaction next = {.sa_handler = SIG_DFL}, now;
    unsigned count = atomic_load(&chains[which].count);

    sigaction(signal, NULL, &now);
    if (is_ours(&now)) { /* or another thread has done it */
        if (count > 0) {
            next = chains[which].before[count - 1];
            atomic_store(&chains[which].count, count - 1);
        }
        sigaction(signal, &next, NULL);
        hd_faults_unguarded = true;
    }
    if (info->si_code <= 0)
        raise(signal);
}

/* A handler in front of ours may have raised the signal again to pass it on. */
static bool is_fault(const siginfo_t *info)
{
    return info->si_code > 0 || (info->si_code == SI_TKILL && info->si_pid == getpid());
}

/* Whether the address is where the stack has just grown to: code touches each page of
   its frame in order. */
static bool is_stack_end(const char *address, const mcontext_t *machine)
{
    return (uintptr_t)address + hd.page - HD_STACK_POINTER(machine) < 2 * hd.page;
}

static void handler(int signal, siginfo_t *info, void *context)
{
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    hd_thread *thread = hd_self;
    hd_worker *worker = thread ? thread->worker : NULL;
    unsigned which = 0;

    while (faults[which].signal != signal)
        which++;
    if (!worker || !worker->armed || !is_fault(info)) {
        pass_on(which, info);
        return;
    }
    worker->signal = signal;
    worker->failure = faults[which].status;
    worker->address = info->si_code > 0 ? info->si_addr : NULL;
    worker->untold = info->si_code == SI_KERNEL; /* x86 does so of misaligned ones */
    worker->stack_full = worker->address && is_stack_end(worker->address, machine);
    worker->instruction = HD_INSTRUCTION(machine);
    /* Restores the signal mask, as returning would: the jump does not. */
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
    hd_worker_leave_unlocked(worker, HD_JUMP_FAILED);
}

void hd_faults_start_thread_unlocked(hd_thread *thread)
{
    stack_t now;

    if (thread->signal_stack)
        return;
    if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) {
        thread->signal_stack = MAP_FAILED; /* the thread has one already */
        return;
    }
    thread->signal_stack = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (thread->signal_stack != MAP_FAILED)
        sigaltstack(&(stack_t){.ss_sp = thread->signal_stack, .ss_size = SIGNAL_STACK},
                    NULL);
}

void hd_faults_end_thread_unlocked(hd_thread *thread)
{
    stack_t now;

    if (!thread->signal_stack || thread->signal_stack == MAP_FAILED)
        return;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == thread->signal_stack)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(thread->signal_stack, SIGNAL_STACK);
}
