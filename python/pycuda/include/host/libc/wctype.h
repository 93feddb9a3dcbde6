/* Kinds of wide characters of host code. */
#ifndef HOSTCC_WCTYPE_H
#define HOSTCC_WCTYPE_H
#include <wchar.h>

extern "C" {
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
int iswalnum(wint_t) noexcept;
int iswalnum_l(wint_t, locale_t) noexcept;
int iswalpha(wint_t) noexcept;
int iswalpha_l(wint_t, locale_t) noexcept;
int iswblank(wint_t) noexcept;
int iswblank_l(wint_t, locale_t) noexcept;
int iswcntrl(wint_t) noexcept;
int iswcntrl_l(wint_t, locale_t) noexcept;
int iswdigit(wint_t) noexcept;
int iswdigit_l(wint_t, locale_t) noexcept;
int iswgraph(wint_t) noexcept;
int iswgraph_l(wint_t, locale_t) noexcept;
int iswlower(wint_t) noexcept;
int iswlower_l(wint_t, locale_t) noexcept;
int iswprint(wint_t) noexcept;
int iswprint_l(wint_t, locale_t) noexcept;
int iswpunct(wint_t) noexcept;
int iswpunct_l(wint_t, locale_t) noexcept;
int iswspace(wint_t) noexcept;
int iswspace_l(wint_t, locale_t) noexcept;
int iswupper(wint_t) noexcept;
int iswupper_l(wint_t, locale_t) noexcept;
int iswxdigit(wint_t) noexcept;
int iswxdigit_l(wint_t, locale_t) noexcept;
int iswctype(wint_t, wctype_t) noexcept;
int iswctype_l(wint_t, wctype_t, locale_t) noexcept;
wctype_t wctype(const char *) noexcept;
wint_t towlower(wint_t) noexcept;
wint_t towupper(wint_t) noexcept;
wint_t towlower_l(wint_t, locale_t) noexcept;
wint_t towupper_l(wint_t, locale_t) noexcept;
wint_t towctrans(wint_t, wctrans_t) noexcept;
wctrans_t wctrans(const char *) noexcept;
}
#endif
