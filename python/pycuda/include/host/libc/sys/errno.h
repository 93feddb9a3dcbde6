/* <errno.h> under its old name, in a folder. */
#include <errno.h>
