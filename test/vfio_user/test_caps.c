/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The JSON of the protocol's capabilities.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "caps.h"
#include "client.h"

static int
parse(const char *text, struct caps *caps)
{
	return caps_parse(text, strlen(text), caps);
}

static void
test_caps_good(void **state)
{
	static const struct {
		const char *text;
		bool named[CAP_NB];
		uint64_t value[CAP_NB];
	} rows[] = {
		{ client_caps, { true, true, true, true }, { 16, 1048576, 65535, 4096 } },
		{ "{}", { false }, { 0 } },
		{ " { } ", { false }, { 0 } },
		{ "{\"capabilities\":{}}", { false }, { 0 } },
		{ "{\"capabilities\":{\"max_msg_fds\":0}}", { true }, { 0 } },
		{ "{\"capabilities\":{\"pgsizes\":18446744073709551615}}",
		  { false, false, false, true }, { 0, 0, 0, UINT64_MAX } },
		/* Names count only as a whole and only inside capabilities. */
		{ "{\"max_msg_fds\":3,\"other\":{\"max_msg_fds\":4}}", { false }, { 0 } },
		{ "{\"capabilities\":{\"max_msg_fds2\":3,\"max_msg\":4,\"\":5}}", { false },
		  { 0 } },
		{ "{\"a\":[1,-2.5e+3,\"x\\u00e9\\n\",true,false,null,{\"b\":[]}],"
		  "\"capabilities\":\n\t{\"twin_socket\":{\"supported\":true},\"max_dma_maps\":7}}",
		  { false, false, true }, { 0, 0, 7 } },
	};
	struct caps caps;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (parse(rows[i].text, &caps) != 0)
			fail_msg("refused: %s", rows[i].text);
		assert_memory_equal(caps.named, rows[i].named, sizeof(caps.named));
		assert_memory_equal(caps.value, rows[i].value, sizeof(caps.value));
	}
}

static void
test_caps_bad(void **state)
{
	static const char *const rows[] = {
		"", " ", "1", "[]", "null", "\"capabilities\"", "{", "{]", "{\"a\"}", "{\"a\":}",
		"{\"a\":1,}", "{a:1}", "{\"a\":1}x", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
		"{\"a\":+1}", "{\"a\":1e}", "{\"a\":--1}", "{\"a\":tru}", "{\"a\":nul",
		"{\"a\":\"x}",
		"{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\n\"}",
		"{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"capabilities\":1}",
		"{\"capabilities\":[]}", "{\"capabilities\":{\"max_msg_fds\":-1}}",
		"{\"capabilities\":{\"max_msg_fds\":1.0}}",
		"{\"capabilities\":{\"max_msg_fds\":1e3}}",
		"{\"capabilities\":{\"max_msg_fds\":\"1\"}}",
		"{\"capabilities\":{\"max_msg_fds\":{}}}",
		"{\"capabilities\":{\"pgsizes\":18446744073709551616}}",
	};
	struct caps caps;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (parse(rows[i], &caps) != -EINVAL)
			fail_msg("accepted: %s", rows[i]);
	}
	/* The text is cut off at any place, in memory of exactly this size, so nothing behind it
	 * may be read. */
	for (size_t len = 0; len < strlen(client_caps); len++) {
		char *cut = malloc(len + 1);

		memcpy(cut, client_caps, len);
		cut = realloc(cut, len == 0 ? 1 : len);
		assert_int_equal(caps_parse(cut, len, &caps), -EINVAL);
		free(cut);
	}
}

static void
test_caps_depth(void **state)
{
	char text[256];
	struct caps caps;

	(void)state;
	for (int depth = 1; depth < 40; depth++) {
		char *p = text;

		for (int i = 0; i < depth; i++)
			p += sprintf(p, i == 0 ? "{\"a\":" : "[");
		*p++ = '1';
		for (int i = 0; i < depth; i++)
			*p++ = i == depth - 1 ? '}' : ']';
		*p = '\0';
		assert_int_equal(parse(text, &caps), depth <= 16 ? 0 : -EINVAL);
	}
}

static void
test_caps_write(void **state)
{
	const struct caps ours = { { true, true, true, true }, { 8, 100, 10, 4096 } };
	struct caps named = { { true, false, false, true }, { 1, 2, 3, 4 } }, again;
	char text[256];
	int len;

	(void)state;
	len = caps_write(text, sizeof(text), &ours, &named);
	assert_string_equal(text, "{\"capabilities\":{\"max_msg_fds\":8,\"pgsizes\":4096}}");
	assert_int_equal(len, strlen(text));
	assert_int_equal(parse(text, &again), 0);
	assert_int_equal(again.value[CAP_PGSIZES], 4096);
	memset(&named, 0, sizeof(named));
	caps_write(text, sizeof(text), &ours, &named);
	assert_string_equal(text, "{\"capabilities\":{}}");
	for (size_t room = 0; room < strlen(text) + 1; room++)
		assert_int_equal(caps_write(text, room, &ours, &named), -ENOSPC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps_good),
		cmocka_unit_test(test_caps_bad),
		cmocka_unit_test(test_caps_depth),
		cmocka_unit_test(test_caps_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
