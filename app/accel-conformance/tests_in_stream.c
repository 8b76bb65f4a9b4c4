#include "tests.h"
static void none(struct card *c) { (void)c; }
static const struct test_case tests[] = { { "X", "x", none } };
const struct test_group tests_in_stream = TEST_GROUP("in_stream", tests);
