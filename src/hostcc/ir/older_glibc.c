/* Functions of the C library that are newer than glibc 2.34, in the place of its own:
   archives that Debian 12 builds name them, and a program that asks for them does not
   start on systems that are a little older. Neither is called in practice: LLVM asks
   for random numbers in the names of some temporary files, and throws no exceptions. */
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void);
int _dl_find_object(void *, void *);

uint32_t arc4random(void)
{
    uint32_t bits = 0;
    while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        ;
    return bits;
}

/* -1: no loaded object has unwind tables for this address. */
int _dl_find_object(void *address, void *result)
{
    return -1;
}
