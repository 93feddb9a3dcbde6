/* <poll.h> under its old name, in a folder. */
#include <poll.h>
