/* Names that match a pattern, for host code. */
#ifndef HOSTCC_FNMATCH_H
#define HOSTCC_FNMATCH_H
extern "C" {
#define FNM_NOMATCH 1
int fnmatch(const char *, const char *, int);
}
#endif
