/* Wide characters of host code. */
#ifndef HOSTCC_WCHAR_H
#define HOSTCC_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <hostcc_locale_t.h>

extern "C" {
typedef unsigned int wint_t;
struct tm;
#define WEOF 4294967295U
wint_t fgetwc(FILE *);
wchar_t *fgetws(wchar_t *, int, FILE *);
wint_t fputwc(wchar_t, FILE *);
int fputws(const wchar_t *, FILE *);
int fwide(FILE *, int) noexcept;
wint_t getwc(FILE *);
wint_t getwchar(void);
wint_t putwc(wchar_t, FILE *);
wint_t putwchar(wchar_t);
wint_t ungetwc(wint_t, FILE *);
int fwprintf(FILE *, const wchar_t *, ...);
int wprintf(const wchar_t *, ...);
int swprintf(wchar_t *, size_t, const wchar_t *, ...) noexcept;
int vfwprintf(FILE *, const wchar_t *, va_list);
int vwprintf(const wchar_t *, va_list);
int vswprintf(wchar_t *, size_t, const wchar_t *, va_list) noexcept;
int fwscanf(FILE *, const wchar_t *, ...);
int wscanf(const wchar_t *, ...);
int swscanf(const wchar_t *, const wchar_t *, ...) noexcept;
int vfwscanf(FILE *, const wchar_t *, va_list);
int vwscanf(const wchar_t *, va_list);
int vswscanf(const wchar_t *, const wchar_t *, va_list) noexcept;
double wcstod(const wchar_t *, wchar_t **) noexcept;
float wcstof(const wchar_t *, wchar_t **) noexcept;
long double wcstold(const wchar_t *, wchar_t **) noexcept;
long wcstol(const wchar_t *, wchar_t **, int) noexcept;
long long wcstoll(const wchar_t *, wchar_t **, int) noexcept;
unsigned long wcstoul(const wchar_t *, wchar_t **, int) noexcept;
unsigned long long wcstoull(const wchar_t *, wchar_t **, int) noexcept;
wchar_t *wcscpy(wchar_t *, const wchar_t *) noexcept;
wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wcscat(wchar_t *, const wchar_t *) noexcept;
wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t) noexcept;
int wcscmp(const wchar_t *, const wchar_t *) noexcept;
int wcsncmp(const wchar_t *, const wchar_t *, size_t) noexcept;
int wcscoll(const wchar_t *, const wchar_t *) noexcept;
int wcscoll_l(const wchar_t *, const wchar_t *, locale_t) noexcept;
size_t wcsxfrm(wchar_t *, const wchar_t *, size_t) noexcept;
size_t wcsxfrm_l(wchar_t *, const wchar_t *, size_t, locale_t) noexcept;
wchar_t *wcschr(const wchar_t *, wchar_t) noexcept;
wchar_t *wcsrchr(const wchar_t *, wchar_t) noexcept;
wchar_t *wcspbrk(const wchar_t *, const wchar_t *) noexcept;
wchar_t *wcsstr(const wchar_t *, const wchar_t *) noexcept;
wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **) noexcept;
size_t wcscspn(const wchar_t *, const wchar_t *) noexcept;
size_t wcsspn(const wchar_t *, const wchar_t *) noexcept;
size_t wcslen(const wchar_t *) noexcept;
wchar_t *wmemchr(const wchar_t *, wchar_t, size_t) noexcept;
int wmemcmp(const wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wmemset(wchar_t *, wchar_t, size_t) noexcept;
size_t wcsftime(wchar_t *, size_t, const wchar_t *, const struct tm *) noexcept;
wint_t btowc(int) noexcept;
int wctob(wint_t) noexcept;
int mbsinit(const mbstate_t *) noexcept;
size_t mbrlen(const char *, size_t, mbstate_t *) noexcept;
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *) noexcept;
size_t wcrtomb(char *, wchar_t, mbstate_t *) noexcept;
size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *) noexcept;
size_t mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *) noexcept;
size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *) noexcept;
size_t wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *) noexcept;
}
#endif
