/* <signal.h> under its old name, in a folder. */
#include <signal.h>
