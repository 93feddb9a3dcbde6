#include "device.h" /* all of it is built in */
