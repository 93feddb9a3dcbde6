/* Kinds of characters; for host code, which is read and not run. */
#ifndef HOSTCC_CTYPE_H
#define HOSTCC_CTYPE_H
#include <hostcc_locale_t.h>

extern "C" {
int isalnum(int) noexcept;
int isalpha(int) noexcept;
int isascii(int) noexcept;
int isblank(int) noexcept;
int iscntrl(int) noexcept;
int isdigit(int) noexcept;
int isgraph(int) noexcept;
int islower(int) noexcept;
int isprint(int) noexcept;
int ispunct(int) noexcept;
int isspace(int) noexcept;
int isupper(int) noexcept;
int isxdigit(int) noexcept;
int toascii(int) noexcept;
int tolower(int) noexcept;
int toupper(int) noexcept;
int isdigit_l(int, locale_t) noexcept;
int islower_l(int, locale_t) noexcept;
int isupper_l(int, locale_t) noexcept;
int isxdigit_l(int, locale_t) noexcept;
int tolower_l(int, locale_t) noexcept;
int toupper_l(int, locale_t) noexcept;
}
#endif
