/* Check mode: the list of what checked kernels did wrong, and how a program hears of
   it. */
#ifndef HOSTCUDA_CHECK_REPORTS_H
#define HOSTCUDA_CHECK_REPORTS_H

#include "context_state.h"

/* The kinds of checks (cuxCheckKind) that records are kept for. */
extern unsigned hd_check_kinds;
/* The order of blocks under CUX_CHECK_ORDER. */
extern uint64_t hd_check_seed;

/* HOSTCUDA_CHECK, "memory,race" or "all": fails with the list of words. */
CUresult hd_check_read_environment(void);
/* hostcc's option for checks in kernels that are compiled now, "--check=memory,race";
   "" where no kind is on. Coverage is not among them: sources that are linked are of
   one name. */
void hd_check_option(char *text, size_t size);
/* Keeps a finding, or counts it with one of the same kind at the same site. The first
   error since the last synchronization is what the next one answers. */
void hd_check_report(hd_context *context, const cuxCheckReport *report);
/* Counts one that has come before, if its sentence is not needed: kind, fault, kernel
   and sites are all that it must have. False: it is to be reported whole. */
bool hd_check_counted(const hd_context *context, const cuxCheckReport *report);
/* Once after an error was reported: LAUNCH_FAILED with its sentence. The context goes
   on. */
CUresult hd_check_status(hd_context *context);
/* The report of that number; NULL: there are no more. */
const cuxCheckReport *hd_check_report_at(size_t number);
void hd_check_reports_clear(void);

#endif
