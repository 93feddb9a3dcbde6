/* What stands behind a texture or surface object, and behind a texture reference of a
   module: filled in by hostcuda, read by device code (texture.h, surface.h). C and CUDA
   C++; an object is the address of its record. */
#ifndef HOSTCC_TEXTURE_RECORD_H
#define HOSTCC_TEXTURE_RECORD_H

enum { __HC_WRAP, __HC_CLAMP, __HC_MIRROR, __HC_BORDER }; /* CUaddress_mode */
enum { __HC_AS_IS, __HC_FROM_HALF, __HC_TO_UNIT };        /* what becomes of a texel */

typedef struct {
    char *base;
    unsigned long long pitch, slice; /* bytes from row to row, from slice to slice */
    int extent[3];                   /* texels; depth: also layers and faces */
    float size[3];                   /* the same numbers */
    unsigned mode[3];                /* of addresses; normalized alone WRAP, MIRROR */
    unsigned linear, normalized;     /* filter; coordinates go from 0 to 1 */
    unsigned element, channels;      /* bytes of a texel */
    unsigned direct;                 /* element, where one texel is read as it is */
    unsigned conversion, is_signed, spare_bits; /* of a channel, of its 32 */
    float unit;                                 /* the integer that reads as 1 */
    unsigned border[4];                         /* a texel */
    unsigned is_surface;
} __hc_texture;

#endif
