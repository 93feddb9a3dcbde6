/* How far a conversion of characters has come. */
#ifndef HOSTCC_MBSTATE_T
#define HOSTCC_MBSTATE_T
typedef struct {
    int count;
    unsigned int value;
} mbstate_t;
#endif
