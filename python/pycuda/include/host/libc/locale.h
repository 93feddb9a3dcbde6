/* Locales of host code, as <locale> names them. */
#ifndef HOSTCC_LOCALE_H
#define HOSTCC_LOCALE_H
#include <stddef.h>
#include <hostcc_locale_t.h>

extern "C" {
struct lconv {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol,
        *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign,
        *negative_sign;
    char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes,
        n_sep_by_space, p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space,
        int_n_cs_precedes, int_n_sep_by_space, int_p_sign_posn, int_n_sign_posn;
};
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_TIME_MASK 4
#define LC_COLLATE_MASK 8
#define LC_MONETARY_MASK 16
#define LC_MESSAGES_MASK 32
#define LC_ALL_MASK 8127
#define LC_GLOBAL_LOCALE ((locale_t) - 1)
char *setlocale(int, const char *) noexcept;
struct lconv *localeconv(void) noexcept;
locale_t newlocale(int, const char *, locale_t) noexcept;
locale_t duplocale(locale_t) noexcept;
locale_t uselocale(locale_t) noexcept;
void freelocale(locale_t) noexcept;
}
#endif
