#include "replay.h"
bool replay(struct card *c, const char *path) { (void)c; (void)path; return false; }
