/* Catalogues of messages of host code. */
#ifndef HOSTCC_NL_TYPES_H
#define HOSTCC_NL_TYPES_H

extern "C" {
typedef void *nl_catd;
typedef int nl_item;
#define NL_SETD 1
#define NL_CAT_LOCALE 1
nl_catd catopen(const char *, int);
char *catgets(nl_catd, int, int, const char *) noexcept;
int catclose(nl_catd) noexcept;
}
#endif
