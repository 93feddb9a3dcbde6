/* assert, as NDEBUG says at each #include of this file: C's rule, so there is no guard.
 */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
    ((expression)          \
         ? (void)0         \
         : __assert_fail(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#ifndef HOSTCC_ASSERT_H
#define HOSTCC_ASSERT_H
extern "C" __attribute__((noreturn)) void __assert_fail(const char *expression,
                                                        const char *file, unsigned line,
                                                        const char *function) noexcept;
#if __cplusplus < 202302L
#define static_assert static_assert
#endif
#endif
