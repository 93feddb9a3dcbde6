/* Processes that hostcc starts: those that compile a part each, or the device
   library. */
#include "hostcc/ir/unit.h"

#include <errno.h>
#include <sys/wait.h>

static bool is_among(pid_t ended, const pid_t *children, unsigned n)
{
    while (n--)
        if (children[n] == ended)
            return true;
    return false;
}

/* Waits for one of n children: its exit status, or the signal that ended it as a
   negative number. A process that became hostcc may have had others before. */
int cc_await(const pid_t *children, unsigned n)
{
    int status;
    pid_t ended;
    do {
        ended = wait(&status);
        if (ended < 0 && errno != EINTR)
            cc_refuse("cannot wait for a process: %s", strerror(errno));
    } while (!is_among(ended, children, n));
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
