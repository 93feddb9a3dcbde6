/* Parts of a path, for host code. */
#ifndef HOSTCC_LIBGEN_H
#define HOSTCC_LIBGEN_H
extern "C" {
char *dirname(char *) noexcept;
char *__xpg_basename(char *) noexcept;
#define basename __xpg_basename
}
#endif
