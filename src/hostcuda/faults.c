/* A kernel that touches memory it must not, or divides by zero, raises a signal in the
   thread that runs the block. If that thread is armed, the handler notes what happened
   and jumps out of the block; any other signal goes to who was there before us. */
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "process.h"

#define SIGNAL_STACK (64 << 10)

#ifdef __x86_64__
#define INSTRUCTION(machine) ((const char *)(machine)->gregs[REG_RIP])
#else
#define INSTRUCTION(machine) ((const char *)(machine)->pc)
#endif

static const struct {
    int signal;
    CUresult status;
} faults[HD_FAULTS] = {
    {SIGSEGV, CUDA_ERROR_ILLEGAL_ADDRESS},
    {SIGBUS, CUDA_ERROR_ILLEGAL_ADDRESS},
    {SIGFPE, CUDA_ERROR_LAUNCH_FAILED},
    {SIGILL, CUDA_ERROR_ILLEGAL_INSTRUCTION},
};

static void pass_on(unsigned which, int signal, siginfo_t *info, void *machine)
{
    const struct sigaction *before = &hd.handlers_before[which];

    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, machine);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(signal);
    } else {
        /* Returning runs the instruction again, or the signal comes again: it kills. */
        sigaction(signal, before, NULL);
        if (info->si_code <= 0)
            raise(signal);
    }
}

static void handler(int signal, siginfo_t *info, void *machine)
{
    hd_thread *thread = hd_self;
    hd_worker *worker = thread != NULL ? thread->worker : NULL;
    unsigned which = 0;

    while (faults[which].signal != signal)
        which++;
    if (worker == NULL || !worker->armed || info->si_code <= 0) {
        pass_on(which, signal, info, machine);
        return;
    }
    worker->signal = signal;
    worker->failure = faults[which].status;
    worker->address = info->si_addr;
    worker->instruction = INSTRUCTION(&((const ucontext_t *)machine)->uc_mcontext);
    /* As returning would: the jump leaves the mask alone. */
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)machine)->uc_sigmask, NULL);
    siglongjmp(worker->jump, 1);
}

void hd_faults_install(void)
{
    for (unsigned i = 0; i < HD_FAULTS; i++) {
        struct sigaction action = {.sa_sigaction = handler,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        sigaction(faults[i].signal, NULL, &hd.handlers_before[i]);
        sigaction(faults[i].signal, &action, NULL);
    }
}

void hd_faults_start_thread_unlocked(hd_thread *thread)
{
    stack_t now;

    if (thread->signal_stack != NULL)
        return;
    if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) {
        thread->signal_stack = MAP_FAILED; /* it has one of its own */
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

    if (thread->signal_stack == NULL || thread->signal_stack == MAP_FAILED)
        return;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == thread->signal_stack)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(thread->signal_stack, SIGNAL_STACK);
}
