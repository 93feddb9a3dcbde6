/* What libc++ asks of the C library: which one it is (none that it knows), and who
   numbers the kinds of characters. */
#define _LIBCPP_PROVIDES_DEFAULT_RUNE_TABLE
