/* <fcntl.h> under its old name, in a folder. */
#include <fcntl.h>
