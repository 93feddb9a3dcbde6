/* See migration.h. A block is stopped between two instructions of generated code alone,
   which holds no lock, has no state but its registers and its stack, and does not
   depend on the thread that runs it. Our functions and those of the C library are never
   stopped.

   The signal is SIGURG: its default is to be ignored, so one that comes too late, or
   while our handler is not installed, does no harm. */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "faults.h"
#include "migration.h"

#define MOVE_SIGNAL SIGURG
#define REGISTERS (32u << 10) /* bytes at the end of a stack that keep these */

static struct sigaction handler_before;

/* -- Registers --------------------------------------------------------------------- */

typedef struct {
#ifdef __x86_64__
    gregset_t general;
    size_t size;
    _Alignas(64) char vectors[REGISTERS - 1024];
#else
    mcontext_t all;
#endif
} registers;

static registers *registers_of(const hd_worker *worker)
{
    return (registers *)(void *)(worker->stack.base + HD_STACK_BYTES - REGISTERS);
}

_Static_assert(sizeof(registers) <= REGISTERS, "they have a place behind the stack");

#ifdef __x86_64__

/* The size of the vector registers in a signal's frame: Linux stores what it is beyond
   512 bytes at the end of those (its struct _fpx_sw_bytes). */
#define WORDS 464
#define XSTATE_MAGIC 0x46505853u

static size_t vectors_size(const char *vectors)
{
    uint32_t words[2];

    memcpy(words, vectors + WORDS, sizeof words);
    return words[0] == XSTATE_MAGIC ? words[1] : 512;
}

static bool keep_registers(registers *kept, const mcontext_t *machine)
{
    const char *vectors = (const char *)machine->fpregs;

    if (!vectors || vectors_size(vectors) > sizeof kept->vectors)
        return false;
    kept->size = vectors_size(vectors);
    memcpy(kept->general, machine->gregs, sizeof kept->general);
    memcpy(kept->vectors, vectors, kept->size);
    return true;
}

/* The words stay the frame's own: it may have another size than the one that the
   registers are from (AMX). */
static void put_registers(const registers *kept, mcontext_t *machine)
{
    char *vectors = (char *)machine->fpregs;
    size_t size = vectors_size(vectors);

    memcpy(machine->gregs, kept->general, sizeof kept->general);
    memcpy(vectors, kept->vectors, WORDS);
    if (size > kept->size)
        size = kept->size;
    if (size > 512 + 4) /* it ends with a magic number */
        memcpy(vectors + 512, kept->vectors + 512, size - 512 - 4);
}

/* Calls the function on another stack. Our own stack pointer is kept in rbx, which
   calls preserve. */
void hd_call_on_unlocked(char *top, void (*function)(hd_worker *), hd_worker *worker)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "callq *%[function]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(worker), [top] "+S"(top), [function] "+d"(function)
                     :
                     : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

#else

#define EXTRA_MAGIC 0x45585401u /* more registers than the frame has room for */

static bool keep_registers(registers *kept, const mcontext_t *machine)
{
    uint32_t record[2];
    const char *at = (const char *)machine->__reserved;

    for (;; at += record[1]) {
        memcpy(record, at, sizeof record);
        if (record[0] == EXTRA_MAGIC)
            return false;
        if (record[0] == 0 || record[1] == 0)
            break;
    }
    memcpy(&kept->all, machine, sizeof *machine);
    return true;
}

static void put_registers(const registers *kept, mcontext_t *machine)
{
    memcpy(machine, &kept->all, sizeof *machine);
}

void hd_call_on_unlocked(char *top, void (*function)(hd_worker *), hd_worker *worker)
{
    register void *first __asm__("x0") = worker;
    register void *stack __asm__("x1") = top;
    register void *called __asm__("x2") = (void *)function;

    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, x1\n\t"
                     "blr x2\n\t"
                     "mov sp, x19"
                     : "+r"(first), "+r"(stack), "+r"(called)
                     :
                     : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
                       "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x30", "v0",
                       "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
                       "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
                       "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                       "v29", "v30", "v31", "memory", "cc");
}

#endif

/* -- The signal -------------------------------------------------------------------- */

static void pass_on(int signal, siginfo_t *info, void *machine)
{
    if (handler_before.sa_flags & SA_SIGINFO)
        handler_before.sa_sigaction(signal, info, machine);
    else if (handler_before.sa_handler != SIG_DFL &&
             handler_before.sa_handler != SIG_IGN)
        handler_before.sa_handler(signal);
}

static void handler(int signal, siginfo_t *info, void *context)
{
    ucontext_t *machine = context;
    hd_thread *thread = hd_self;
    hd_worker *worker = thread ? thread->worker : NULL;

    if (worker && worker->arriving) {
        worker->arriving = false;
        put_registers(registers_of(worker), &machine->uc_mcontext);
        return;
    }
    if (!worker || worker->moved || !worker->armed ||
        atomic_load(&worker->wanted) != worker->turn) {
        pass_on(signal, info, context);
        return;
    }
    const char *instruction = HD_INSTRUCTION(&machine->uc_mcontext);
    if (instruction < worker->work->code || instruction >= worker->work->code_end ||
        !keep_registers(registers_of(worker), &machine->uc_mcontext))
        return; /* the watch thread asks again */
    worker->moved = true;
    pthread_sigmask(SIG_SETMASK, &machine->uc_sigmask, NULL);
    hd_worker_leave_unlocked(worker, HD_JUMP_MOVED);
}

void hd_migration_install(void)
{
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct sigaction now;

    sigemptyset(&action.sa_mask);
    sigaction(MOVE_SIGNAL, &action, &now);
    if (now.sa_sigaction != handler)
        handler_before = now;
}

void hd_migration_request(hd_worker *worker)
{
    atomic_store(&worker->wanted, worker->turn);
    pthread_kill(worker->thread, MOVE_SIGNAL);
}

/* -- Stacks ------------------------------------------------------------------------ */

/* Whether the signal can reach this thread, which is determined once. */
static bool is_open(hd_thread *thread)
{
    sigset_t blocked;

    if (thread->signals == HD_SIGNALS_UNKNOWN) {
        bool open = pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 &&
                    !sigismember(&blocked, MOVE_SIGNAL);
        thread->signals = open ? HD_SIGNALS_OPEN : HD_SIGNALS_BLOCKED;
    }
    return thread->signals == HD_SIGNALS_OPEN;
}

bool hd_migration_prepare(hd_worker *worker)
{
    hd_scratch *stack = &worker->stack;

    if (!is_open(hd_self))
        return false;
    if (stack->base)
        return true;
    stack->map_size = HD_STACK_BYTES + hd.page;
    stack->map = mmap(NULL, stack->map_size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack->map == MAP_FAILED ||
        mprotect(stack->map + hd.page, HD_STACK_BYTES, PROT_READ | PROT_WRITE) != 0) {
        if (stack->map != MAP_FAILED)
            munmap(stack->map, stack->map_size);
        return false;
    }
    stack->base = stack->map + hd.page;
    stack->size = HD_STACK_BYTES;
    return true;
}

void hd_migration_call_unlocked(hd_worker *worker, void (*function)(hd_worker *))
{
    hd_call_on_unlocked(worker->stack.base + HD_STACK_BYTES - REGISTERS, function,
                        worker);
}

void hd_migration_resume_unlocked(hd_worker *worker)
{
    worker->arriving = true;
    for (;;) {
        pthread_kill(pthread_self(), MOVE_SIGNAL);
        hd_migration_install(); /* another handler was installed */
    }
}
