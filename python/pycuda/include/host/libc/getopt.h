/* Options of a program, for host code. */
#ifndef HOSTCC_GETOPT_H
#define HOSTCC_GETOPT_H
extern "C" {
extern char *optarg;
extern int optind, opterr, optopt;
struct option {
    const char *name;
    int has_arg, *flag, val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
int getopt(int, char *const *, const char *) noexcept;
int getopt_long(int, char *const *, const char *, const option *, int *) noexcept;
int getopt_long_only(int, char *const *, const char *, const option *, int *) noexcept;
}
#endif
