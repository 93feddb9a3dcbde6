/* Conversions of UTF-16 and UTF-32 of host code. */
#ifndef HOSTCC_UCHAR_H
#define HOSTCC_UCHAR_H
#include <stddef.h>
#include <hostcc_mbstate_t.h>

extern "C" {
size_t mbrtoc16(char16_t *, const char *, size_t, mbstate_t *) noexcept;
size_t c16rtomb(char *, char16_t, mbstate_t *) noexcept;
size_t mbrtoc32(char32_t *, const char *, size_t, mbstate_t *) noexcept;
size_t c32rtomb(char *, char32_t, mbstate_t *) noexcept;
}
#endif
