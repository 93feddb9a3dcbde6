/* Marks for profilers, where newer toolkits have them. */
#include "../nvToolsExt.h"
