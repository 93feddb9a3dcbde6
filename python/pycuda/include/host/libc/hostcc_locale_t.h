/* What several headers of this folder have of a locale. */
#ifndef HOSTCC_LOCALE_T
#define HOSTCC_LOCALE_T
typedef struct __hc_locale *locale_t;
#endif
