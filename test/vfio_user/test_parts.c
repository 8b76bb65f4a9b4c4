/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Parts of lib/vfio_user: the capabilities' JSON, the configuration space, and sockets in the file
 * system.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "caps.h"
#include "client.h"
#include "pciconf.h"

/* Capabilities. */

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
			fail_msg("taken: %s", rows[i]);
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

/* Configuration space. */

static const struct vfio_user_device device = {
	.vendor_id = 0x1234,
	.device_id = 0xacc1,
	.subsystem_vendor_id = 0x5678,
	.subsystem_id = 0x9abc,
	.class_code = 0x100000,
	.revision = 1,
	.bar0_size = 0x40000,
};

static uint32_t
conf(const struct config *c, uint32_t offset, uint32_t bytes)
{
	uint32_t value = 0;

	config_read(c, offset, &value, bytes);
	return value;
}

static unsigned int
conf_set(struct config *c, uint32_t offset, uint32_t value, uint32_t bytes)
{
	return config_write(c, offset, &value, bytes);
}

static void
test_config_header(void **state)
{
	struct config c;

	(void)state;
	config_init(&c, &device);
	assert_int_equal(conf(&c, PCI_VENDOR_ID, 4), 0xacc11234);
	assert_int_equal(conf(&c, PCI_CLASS_REVISION, 4), 0x10000001);
	assert_int_equal(conf(&c, PCI_SUBSYSTEM_VENDOR_ID, 4), 0x9abc5678);
	assert_int_equal(conf(&c, PCI_HEADER_TYPE, 1), 0);
	assert_int_equal(conf(&c, PCI_COMMAND, 2), 0);
	assert_int_equal(conf(&c, PCI_STATUS, 2), PCI_STATUS_CAP_LIST);
	assert_int_equal(conf(&c, PCI_INTERRUPT_PIN, 1), 0);
	/* BAR0 has 64 bits, is prefetchable and not yet placed. The other BARs and the ROM are
	 * empty. */
	assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4), 0xc);
	for (uint32_t bar = PCI_BASE_ADDRESS_1; bar <= PCI_BASE_ADDRESS_5; bar += 4)
		assert_int_equal(conf(&c, bar, 4), 0);
	conf_set(&c, PCI_BASE_ADDRESS_2, 0xffffffff, 4);
	conf_set(&c, PCI_ROM_ADDRESS, 0xffffffff, 4);
	assert_int_equal(conf(&c, PCI_BASE_ADDRESS_2, 4), 0);
	assert_int_equal(conf(&c, PCI_ROM_ADDRESS, 4), 0);
}

static void
test_config_sizing(void **state)
{
	static const uint64_t sizes[] = { 4096, 0x40000, 0x100000, UINT64_C(1) << 32 };
	struct vfio_user_device d = device;
	struct config c;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t mask = ~(sizes[i] - 1);

		d.bar0_size = sizes[i];
		config_init(&c, &d);
		conf_set(&c, PCI_BASE_ADDRESS_0, 0xffffffff, 4);
		conf_set(&c, PCI_BASE_ADDRESS_1, 0xffffffff, 4);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4), (uint32_t)mask | 0xc);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_1, 4), mask >> 32);
		conf_set(&c, PCI_BASE_ADDRESS_0, 0x12345678, 4);
		conf_set(&c, PCI_BASE_ADDRESS_1, 0x00000038, 4);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4),
				 (0x12345678 & (uint32_t)mask) | 0xc);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_1, 4), 0x38 & (mask >> 32));
	}
}

static void
test_config_command(void **state)
{
	struct config c;

	(void)state;
	config_init(&c, &device);
	assert_false(config_bus_master(&c));
	assert_int_equal(conf_set(&c, PCI_COMMAND, 0xffffffff, 4), 0);
	/* There are no I/O space and no special cycles, and the status is read-only. */
	assert_int_equal(conf(&c, PCI_COMMAND, 4), PCI_STATUS_CAP_LIST << 16 | 0x0546);
	assert_true(config_bus_master(&c));
	conf_set(&c, PCI_COMMAND, 0, 1);
	assert_false(config_bus_master(&c));
	assert_int_equal(conf(&c, PCI_COMMAND, 2), 0x0500);
}

static void
test_config_express(void **state)
{
	struct config c;
	uint32_t cap;

	(void)state;
	config_init(&c, &device);
	cap = conf(&c, PCI_CAPABILITY_LIST, 1);
	assert_int_equal(cap & 3, 0);
	assert_int_equal(conf(&c, cap, 1), PCI_CAP_ID_EXP);
	assert_int_equal(conf(&c, cap + 1, 1), 0); /* the only one */
	assert_int_equal(conf(&c, cap + PCI_EXP_FLAGS, 2), 2);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR,
			 PCI_EXP_DEVCAP_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVSTA, 2), 0); /* no transactions pending */
	assert_int_equal(conf(&c, 0x100, 4), 0); /* no extended capability */
	/* The reset bit starts a reset in a write of any size, and reads 0. */
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x8000, 2), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0xffffffff, 4), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 4), 0x79ff);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL + 1, 0x80, 1), CONFIG_FLR);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x7fff, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x80, 1), 0);
}

/* Read-only bits keep their values whatever is written, and a reset restores all others. */
static void
test_config_random(void **state)
{
	uint64_t seed = random_seed(), rnd = seed;
	struct config c, fresh;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	config_init(&c, &device);
	config_init(&fresh, &device);
	for (int i = 0; i < 20000; i++) {
		uint8_t data[64];
		uint32_t count = 1 + random_below(&rnd, sizeof(data));
		uint32_t offset = random_below(&rnd, i % 2 == 0 ? 128 : CONFIG_SIZE - count);

		for (uint32_t k = 0; k < count; k++)
			data[k] = (uint8_t)random_next(&rnd);
		config_write(&c, offset, data, count);
	}
	for (uint32_t i = 0; i < CONFIG_SIZE; i++)
		assert_int_equal((conf(&c, i, 1) ^ conf(&fresh, i, 1)) & ~fresh.writable[i] & 0xff,
				 0);
	assert_int_equal(conf(&c, PCI_VENDOR_ID, 4), 0xacc11234);
	config_reset(&c);
	assert_memory_equal(c.data, fresh.data, CONFIG_SIZE);
}

/* Sockets in the file system. */

static char dir[64];

static int
make_dir(void **state)
{
	(void)state;
	return client_temp_dir(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* fails if a file was left in it */
}

static const struct vfio_user_owner mine;

static void
test_socket(void **state)
{
	struct vfio_user_socket a, b;
	struct client c;
	char path[128];
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/s", dir);
	assert_int_equal(vfio_user_listen(&a, path, &mine), 0);
	assert_int_equal(vfio_user_accept(&a), -EAGAIN);
	assert_true(client_connect(&c, path));
	fd = vfio_user_accept(&a);
	assert_true(fd >= 0);
	close(fd);
	client_close(&c);
	/* A socket that is served is refused, and the first server still works. */
	assert_int_equal(vfio_user_listen(&b, path, &mine), -EADDRINUSE);
	assert_int_equal(access(path, F_OK), 0);
	/* A server that died leaves its file. */
	close(a.fd);
	assert_int_equal(vfio_user_listen(&b, path, &mine), 0);
	/* The first server must not remove a file that is not its own any more. */
	a.fd = dup(b.fd);
	vfio_user_unlisten(&a);
	assert_int_equal(access(path, F_OK), 0);
	vfio_user_unlisten(&b);
	assert_int_equal(access(path, F_OK), -1);
	vfio_user_unlisten(&b);
}

/* The mode is the requested one, or 0600 by default, whatever the umask is. */
static void
test_socket_mode(void **state)
{
	static const mode_t masks[] = { 0, 022, 077, 0177 };
	const struct vfio_user_owner group = { .mode = 0660, .has_gid = true, .gid = getegid() };
	const mode_t before = umask(0);
	struct vfio_user_socket s;
	char path[128];
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "%s/s", dir);
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		umask(masks[i]);
		assert_int_equal(vfio_user_listen(&s, path, &mine), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		vfio_user_unlisten(&s);
		assert_int_equal(vfio_user_listen(&s, path, &group), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0660);
		assert_int_equal(st.st_gid, getegid());
		vfio_user_unlisten(&s);
	}
	umask(before);
}

static void
test_socket_bad(void **state)
{
	struct vfio_user_socket s;
	char path[256];
	FILE *file;

	(void)state;
	assert_int_equal(vfio_user_listen(&s, "", &mine), -EINVAL);
	snprintf(path, sizeof(path), "%s/%0150d", dir, 1);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -ENAMETOOLONG);
	snprintf(path, sizeof(path), "%s/none/s", dir);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -ENOENT);
	snprintf(path, sizeof(path), "%s/file", dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(vfio_user_listen(&s, path, &mine), -EEXIST);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	vfio_user_unlisten(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps_good),
		cmocka_unit_test(test_caps_bad),
		cmocka_unit_test(test_caps_depth),
		cmocka_unit_test(test_caps_write),
		cmocka_unit_test(test_config_header),
		cmocka_unit_test(test_config_sizing),
		cmocka_unit_test(test_config_command),
		cmocka_unit_test(test_config_express),
		cmocka_unit_test(test_config_random),
		cmocka_unit_test_setup_teardown(test_socket, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_socket_mode, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_socket_bad, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
