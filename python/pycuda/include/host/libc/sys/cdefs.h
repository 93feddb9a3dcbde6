/* What headers of C say to be read as C++, too. */
#ifndef HOSTCC_SYS_CDEFS_H
#define HOSTCC_SYS_CDEFS_H
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define __THROW noexcept
#endif
