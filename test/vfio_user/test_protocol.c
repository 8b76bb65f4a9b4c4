/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The protocol: handshake, information about the device, wrong messages, broken streams, and
 * resets.
 */
#include "fake.h"

/* Handshake. */

static int
hello(uint16_t major, uint16_t minor, const char *text, size_t len, struct reply *r)
{
	uint8_t payload[512];
	struct vu_version version = { major, minor };

	memcpy(payload, &version, sizeof(version));
	if (len > 0)
		memcpy(payload + sizeof(version), text, len);
	assert_true(client_call_fds(&c, VU_VERSION, payload, sizeof(version) + len, NULL, 0, r));
	return (r->header.flags & VU_ERROR) != 0 ? (int)r->header.error : 0;
}

static void
test_version(void **state)
{
	static const struct {
		uint16_t major, minor;
		const char *text; /* NULL: none */
		int error;
		uint16_t answer;
		const char *caps; /* of the reply; NULL: none */
	} rows[] = {
		{ 0, 0, client_caps, 0, 0,
		  "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,"
		  "\"max_dma_maps\":65535,\"pgsizes\":4096}}" },
		{ 0, 1, "{}", 0, 1, "{\"capabilities\":{}}" },
		{ 0, 9, "{\"capabilities\":{\"max_msg_fds\":1}}", 0, 1,
		  "{\"capabilities\":{\"max_msg_fds\":8}}" },
		{ 0, 0, NULL, 0, 0, NULL },
		{ 1, 0, "{}", EPROTONOSUPPORT, 0, NULL },
		{ 0xffff, 0xffff, "{}", EPROTONOSUPPORT, 0, NULL },
		{ 0, 0, "{\"capabilities\":{\"max_msg_fds\":-1}}", EINVAL, 0, NULL },
		{ 0, 0, "", EINVAL, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct vu_version version;
		struct reply r;
		size_t len = rows[i].text != NULL ? strlen(rows[i].text) + 1 : 0;

		assert_int_equal(hello(rows[i].major, rows[i].minor, rows[i].text, len, &r),
				 rows[i].error);
		if (rows[i].error == 0) {
			memcpy(&version, r.data, sizeof(version));
			assert_int_equal(version.major, 0);
			assert_int_equal(version.minor, rows[i].answer);
			assert_int_equal(r.len, sizeof(version) + (rows[i].caps != NULL ?
					 strlen(rows[i].caps) + 1 : 0));
			if (rows[i].caps != NULL)
				assert_string_equal((const char *)r.data + sizeof(version),
						    rows[i].caps);
			assert_alive();
		} else {
			assert_true(client_ended(&c));
		}
		reply_drop(&r);
		wire_close(&c);
		vfio_user_process(vu);
		attach();
	}
}

static void
test_version_bad(void **state)
{
	struct reply r;

	(void)state;
	/* The text has no NUL. */
	assert_int_equal(hello(0, 0, client_caps, sizeof(client_caps) - 1, &r), EINVAL);
	reply_drop(&r);
	assert_true(client_ended(&c));
	wire_close(&c);
	attach();
	/* The version is cut. */
	assert_int_equal(client_errno(&c, VU_VERSION, "x", 1, NULL, 0), EINVAL);
	assert_true(client_ended(&c));
	wire_close(&c);
	attach();
	/* There are two versions. */
	assert_true(client_hello(&c));
	assert_int_equal(hello(0, 0, "{}", 3, &r), EINVAL);
	reply_drop(&r);
	assert_true(client_ended(&c));
	wire_close(&c);
	/* Another command is first. */
	for (uint16_t command = 2; command < 20; command++) {
		attach();
		assert_int_equal(client_errno(&c, command, NULL, 0, NULL, 0), EINVAL);
		assert_true(client_ended(&c));
		wire_close(&c);
		vfio_user_process(vu);
	}
	attach();
}

/* Information about the device. */

static void
test_device_info(void **state)
{
	struct vu_device_info info = { .argsz = sizeof(info) };
	struct reply r;

	(void)state;
	assert_true(client_call_fds(&c, VU_DEVICE_GET_INFO, &info, sizeof(info), NULL, 0, &r));
	assert_int_equal(r.len, sizeof(info));
	memcpy(&info, r.data, sizeof(info));
	assert_int_equal(info.argsz, 16);
	assert_int_equal(info.flags, VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET);
	assert_int_equal(info.num_regions, 9);
	assert_int_equal(info.num_irqs, 3);
	reply_drop(&r);
}

static void
test_region_info(void **state)
{
	(void)state;
	for (uint32_t index = 0; index < 9; index++) {
		struct vu_region_info info = { .argsz = sizeof(info), .index = index };
		struct reply r;

		assert_true(client_call_fds(&c, VU_DEVICE_GET_REGION_INFO, &info, sizeof(info),
					    NULL, 0, &r));
		assert_int_equal(r.len, sizeof(info));
		memcpy(&info, r.data, sizeof(info));
		assert_int_equal(info.index, index);
		assert_int_equal(info.size, index == 0 ? BAR_SIZE : index == CONFIG ? 4096 : 0);
		assert_int_equal(info.flags, index == 0 ? 0xf : index == CONFIG ? 3 : 0);
		assert_int_equal(info.argsz, index == 0 ? 64 : 32);
		assert_int_equal(r.fd >= 0, index == 0);
		reply_drop(&r);
	}
}

/* All of BAR0 can be mapped, and the descriptor is its memory. */
static void
test_bar_mmap(void **state)
{
	struct vu_region_info info = { .argsz = 64, .index = 0 };
	struct vu_sparse_mmap area;
	struct reply r;
	uint8_t *p;

	(void)state;
	assert_true(client_call_fds(&c, VU_DEVICE_GET_REGION_INFO, &info, sizeof(info), NULL, 0,
				    &r));
	assert_int_equal(r.len, 64);
	memcpy(&info, r.data, sizeof(info));
	assert_int_equal(info.cap_offset, 32);
	memcpy(&area, r.data + info.cap_offset, sizeof(area));
	assert_int_equal(area.id, 1);
	assert_int_equal(area.version, 1);
	assert_int_equal(area.next, 0);
	assert_int_equal(area.nr_areas, 1);
	assert_int_equal(area.offset, 0);
	assert_int_equal(area.size, BAR_SIZE);
	p = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, (off_t)info.offset);
	assert_true(p != MAP_FAILED);
	p[BAR_SIZE - 1] = 0x5a;
	assert_int_equal(bar[BAR_SIZE - 1], 0x5a);
	munmap(p, BAR_SIZE);
	reply_drop(&r);
}

static void
test_irqs(void **state)
{
	struct vu_irq_set set = {
		.argsz = sizeof(set),
		.flags = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER,
	};

	(void)state;
	for (uint32_t index = 0; index < 3; index++) {
		struct vu_irq_info info = { .argsz = sizeof(info), .index = index };
		struct reply r;

		assert_true(client_call_fds(&c, VU_DEVICE_GET_IRQ_INFO, &info, sizeof(info), NULL,
					    0, &r));
		memcpy(&info, r.data, sizeof(info));
		assert_int_equal(info.index, index);
		assert_int_equal(info.count, 0);
		reply_drop(&r);
		set.index = index;
		assert_int_equal(client_errno(&c, VU_DEVICE_SET_IRQS, &set, sizeof(set), NULL, 0),
				 0);
	}
	set.count = 1;
	assert_int_equal(client_errno(&c, VU_DEVICE_SET_IRQS, &set, sizeof(set), NULL, 0), EINVAL);
}

static void
test_bar_messages(void **state)
{
	static uint8_t out[BAR_SIZE], in[BAR_SIZE];

	(void)state;
	for (uint32_t i = 0; i < BAR_SIZE; i++)
		out[i] = (uint8_t)(i * 7 + 3);
	/* Sizes and offsets are of all kinds, some of them not aligned. */
	for (uint32_t count = 1; count <= 17; count++) {
		for (uint32_t offset = 0; offset < 9; offset++) {
			memset(bar, 0xee, 64);
			assert_int_equal(client_region_write(&c, 0, offset, out, count), 0);
			assert_memory_equal(bar + offset, out, count);
			assert_int_equal(bar[offset + count], 0xee);
			assert_true(client_region_read(&c, 0, offset, in, count));
			assert_memory_equal(in, out, count);
		}
	}
	assert_int_equal(client_region_write(&c, 0, 0, out, BAR_SIZE), 0);
	assert_true(client_region_read(&c, 0, 0, in, BAR_SIZE));
	assert_memory_equal(in, out, BAR_SIZE);
	assert_int_equal(client_region_write(&c, 0, BAR_SIZE - 4, "abcd", 4), 0);
	assert_memory_equal(bar + BAR_SIZE - 4, "abcd", 4);
}

/* Messages with wrong contents give an error each, and the connection goes on. */

static void
test_hostile_table(void **state)
{
	const struct vu_dma_map map = { 32, RW, 0, 0, PAGE };
	const struct vu_dma_unmap unmap = { 24, 0, 2 * PAGE, PAGE };
	const struct vu_region_info region = { .argsz = 32 };
	const struct vu_irq_info irq = { .argsz = 16 };
	const struct vu_irq_set set = { .argsz = 20, .flags = 0x21 };
	const struct vu_region_access access = { 0, CONFIG, 4 };
	static const struct {
		const char *what;
		uint16_t command;
		uint16_t len; /* of the payload; 0xffff: all of the good one */
		uint16_t at; /* where 4 or 8 bytes of it are changed */
		uint8_t bytes;
		uint64_t value;
		uint8_t fds; /* copies of a good file's descriptor */
		int error;
	} rows[] = {
		{ "unknown command 0", 0, 0, 0, 0, 0, 0, EINVAL },
		{ "unknown command 19", 19, 0, 0, 0, 0, 0, EINVAL },
		{ "unknown command 65535", 0xffff, 0, 0, 0, 0, 0, EINVAL },
		{ "a command of the server", VU_DMA_READ, 16, 0, 0, 0, 0, EINVAL },
		{ "the other one", VU_DMA_WRITE, 16, 0, 0, 0, 0, EINVAL },
		{ "region I/O fds", VU_DEVICE_GET_REGION_IO_FDS, 16, 0, 0, 0, 0, ENOTSUP },
		{ "dirty pages", VU_DIRTY_PAGES, 16, 0, 0, 0, 0, ENOTSUP },
		{ "write multi", VU_REGION_WRITE_MULTI, 8, 0, 0, 0, 0, ENOTSUP },
		{ "feature", VU_DEVICE_FEATURE, 8, 0, 0, 0, 0, ENOTSUP },
		{ "migration data", VU_MIG_DATA_READ, 8, 0, 0, 0, 0, ENOTSUP },
		{ "migration data to us", VU_MIG_DATA_WRITE, 8, 0, 0, 0, 0, ENOTSUP },

		{ "map: no payload", VU_DMA_MAP, 0, 0, 0, 0, 1, EINVAL },
		{ "map: short", VU_DMA_MAP, 31, 0, 0, 0, 1, EINVAL },
		{ "map: argsz", VU_DMA_MAP, 0xffff, 0, 4, 31, 1, EINVAL },
		{ "map: flags 0", VU_DMA_MAP, 0xffff, 4, 4, 0, 1, EINVAL },
		{ "map: flags", VU_DMA_MAP, 0xffff, 4, 4, 7, 1, EINVAL },
		{ "map: flags high", VU_DMA_MAP, 0xffff, 4, 4, 0x80000003, 1, EINVAL },
		{ "map: two files", VU_DMA_MAP, 0xffff, 0, 0, 0, 2, EINVAL },
		{ "map: eight files", VU_DMA_MAP, 0xffff, 0, 0, 0, 8, EINVAL },
		{ "map: too many files", VU_DMA_MAP, 0xffff, 0, 0, 0, 32, EINVAL },
		{ "map: size 0", VU_DMA_MAP, 0xffff, 24, 8, 0, 1, EINVAL },
		{ "map: size of a part of a page", VU_DMA_MAP, 0xffff, 24, 8, 100, 1, EINVAL },
		{ "map: address within a page", VU_DMA_MAP, 0xffff, 16, 8, 8, 1, EINVAL },
		{ "map: offset within a page", VU_DMA_MAP, 0xffff, 8, 8, 8, 1, EINVAL },
		{ "map: wraps", VU_DMA_MAP, 0xffff, 24, 8, 0xfffffffffffff000, 1, EINVAL },
		{ "map: behind the file", VU_DMA_MAP, 0xffff, 8, 8, 0x10000, 1, EINVAL },
		{ "map: over the file's end", VU_DMA_MAP, 0xffff, 24, 8, 0x11000, 1, EINVAL },
		{ "map: offset wraps", VU_DMA_MAP, 0xffff, 8, 8, 0xfffffffffffff000, 1, EINVAL },
		{ "map: offset negative", VU_DMA_MAP, 0xffff, 8, 8, UINT64_C(1) << 63, 1, EINVAL },

		{ "unmap: no payload", VU_DMA_UNMAP, 0, 0, 0, 0, 0, EINVAL },
		{ "unmap: short", VU_DMA_UNMAP, 23, 0, 0, 0, 0, EINVAL },
		{ "unmap: argsz", VU_DMA_UNMAP, 0xffff, 0, 4, 8, 0, EINVAL },
		{ "unmap: size 0", VU_DMA_UNMAP, 0xffff, 16, 8, 0, 0, EINVAL },
		{ "unmap: wraps", VU_DMA_UNMAP, 0xffff, 16, 8, 0xfffffffffffff000, 0, EINVAL },
		{ "unmap: address within a page", VU_DMA_UNMAP, 0xffff, 8, 8, 8, 0, EINVAL },
		{ "unmap: a part of a page", VU_DMA_UNMAP, 0xffff, 16, 8, 4095, 0, EINVAL },
		{ "unmap: dirty bitmap", VU_DMA_UNMAP, 0xffff, 4, 4, 1, 0, EINVAL },
		{ "unmap: all, with a size", VU_DMA_UNMAP, 0xffff, 4, 4, 2, 0, EINVAL },
		{ "unmap: with a file", VU_DMA_UNMAP, 0xffff, 0, 0, 0, 1, EINVAL },

		{ "info: short", VU_DEVICE_GET_INFO, 15, 0, 0, 0, 0, EINVAL },
		{ "info: argsz 0", VU_DEVICE_GET_INFO, 16, 0, 4, 0, 0, EINVAL },
		{ "info: with a file", VU_DEVICE_GET_INFO, 16, 0, 4, 16, 1, EINVAL },
		{ "region: short", VU_DEVICE_GET_REGION_INFO, 31, 0, 0, 0, 0, EINVAL },
		{ "region: argsz", VU_DEVICE_GET_REGION_INFO, 0xffff, 0, 4, 31, 0, EINVAL },
		{ "region: 9", VU_DEVICE_GET_REGION_INFO, 0xffff, 8, 4, 9, 0, EINVAL },
		{ "region: -1", VU_DEVICE_GET_REGION_INFO, 0xffff, 8, 4, UINT32_MAX, 0, EINVAL },
		{ "irq: short", VU_DEVICE_GET_IRQ_INFO, 12, 0, 0, 0, 0, EINVAL },
		{ "irq: 3", VU_DEVICE_GET_IRQ_INFO, 0xffff, 8, 4, 3, 0, EINVAL },
		{ "irq: -1", VU_DEVICE_GET_IRQ_INFO, 0xffff, 8, 4, UINT32_MAX, 0, EINVAL },
		{ "set irqs: short", VU_DEVICE_SET_IRQS, 19, 0, 0, 0, 0, EINVAL },
		{ "set irqs: argsz", VU_DEVICE_SET_IRQS, 0xffff, 0, 4, 19, 0, EINVAL },
		{ "set irqs: 3", VU_DEVICE_SET_IRQS, 0xffff, 8, 4, 3, 0, EINVAL },
		{ "set irqs: eventfd", VU_DEVICE_SET_IRQS, 0xffff, 4, 4, 0x24, 1, EINVAL },
		{ "set irqs: all flags", VU_DEVICE_SET_IRQS, 0xffff, 4, 4, UINT32_MAX, 0, EINVAL },
		{ "set irqs: start", VU_DEVICE_SET_IRQS, 0xffff, 12, 4, 1, 0, EINVAL },
		{ "set irqs: count", VU_DEVICE_SET_IRQS, 0xffff, 16, 4, UINT32_MAX, 0, EINVAL },

		{ "read: short", VU_REGION_READ, 15, 0, 0, 0, 0, EINVAL },
		{ "read: region 1", VU_REGION_READ, 0xffff, 8, 4, 1, 0, EINVAL },
		{ "read: region 9", VU_REGION_READ, 0xffff, 8, 4, 9, 0, EINVAL },
		{ "read: count 0", VU_REGION_READ, 0xffff, 12, 4, 0, 0, EINVAL },
		{ "read: count 4097", VU_REGION_READ, 0xffff, 12, 4, 4097, 0, EINVAL },
		{ "read: count 1 MiB", VU_REGION_READ, 0xffff, 12, 4, 1 << 20, 0, EINVAL },
		{ "read: count over", VU_REGION_READ, 0xffff, 12, 4, (1 << 20) + 1, 0, E2BIG },
		{ "read: count -1", VU_REGION_READ, 0xffff, 12, 4, UINT32_MAX, 0, E2BIG },
		{ "read: offset 4093", VU_REGION_READ, 0xffff, 0, 8, 4093, 0, EINVAL },
		{ "read: offset 2^32", VU_REGION_READ, 0xffff, 0, 8, UINT64_C(1) << 32, 0, EINVAL },
		{ "read: offset -4", VU_REGION_READ, 0xffff, 0, 8, UINT64_MAX - 3, 0, EINVAL },
		{ "write: no data", VU_REGION_WRITE, 16, 0, 0, 0, 0, EINVAL },
		{ "write: less data", VU_REGION_WRITE, 19, 0, 0, 0, 0, EINVAL },
		{ "write: more data", VU_REGION_WRITE, 21, 0, 0, 0, 0, EINVAL },
		{ "write: offset 4096", VU_REGION_WRITE, 20, 0, 8, 4096, 0, EINVAL },
		{ "write: offset -1", VU_REGION_WRITE, 20, 0, 8, UINT64_MAX, 0, EINVAL },
		{ "write: region 8", VU_REGION_WRITE, 20, 8, 4, 8, 0, EINVAL },
		{ "reset: with a file", VU_DEVICE_RESET, 0, 0, 0, 0, 1, EINVAL },
	};
	int file = new_file(0x10000), fds[CLIENT_FDS];
	unsigned int before;

	(void)state;
	for (unsigned int i = 0; i < CLIENT_FDS; i++)
		fds[i] = file;
	assert_true(client_enable(&c));
	before = open_fds();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const void *good = &access;
		uint8_t payload[64] = { 0 };
		size_t len = rows[i].len;
		int error;

#define GOOD(object) (good = &(object), sizeof(object))
		size_t good_len = rows[i].command == VU_DMA_MAP ? GOOD(map) :
			rows[i].command == VU_DMA_UNMAP ? GOOD(unmap) :
			rows[i].command == VU_DEVICE_GET_REGION_INFO ? GOOD(region) :
			rows[i].command == VU_DEVICE_GET_IRQ_INFO ? GOOD(irq) :
			rows[i].command == VU_DEVICE_SET_IRQS ? GOOD(set) : GOOD(access);

		memcpy(payload, good, good_len);
		memcpy(payload + rows[i].at, &rows[i].value, rows[i].bytes);
		error = client_errno(&c, rows[i].command, payload, len == 0xffff ? good_len : len,
				     fds, rows[i].fds);
		if (error != rows[i].error)
			fail_msg("%s: errno %d, expected %d", rows[i].what, error, rows[i].error);
		assert_alive();
		if (open_fds() != before)
			fail_msg("%s: descriptors leak", rows[i].what);
	}
	assert_int_equal(dev.maps, 0);
	assert_int_equal(stats().errors, sizeof(rows) / sizeof(rows[0]));
	close(file);
}

/* Streams of bytes. */

static void
test_pieces(void **state)
{
	struct vu_device_info info = { .argsz = sizeof(info) };
	struct vu_header header = { 77, VU_DEVICE_GET_INFO, 32, 0, 0 };
	uint8_t bytes[320];
	struct reply r;

	(void)state;
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), &info, sizeof(info));
	/* The message comes byte by byte, and the server runs in between. */
	for (unsigned int i = 0; i < 32; i++) {
		assert_true(client_write(&c, bytes + i, 1, NULL, 0));
		assert_int_equal(vfio_user_process(vu), 0);
	}
	assert_true(client_receive(&c, &r));
	assert_int_equal(r.header.id, 77);
	reply_drop(&r);
	/* Ten messages come at once. */
	for (unsigned int i = 1; i < 10; i++)
		memcpy(bytes + i * 32, bytes, 32);
	assert_true(client_write(&c, bytes, 320, NULL, 0));
	for (unsigned int i = 0; i < 10; i++) {
		assert_true(client_receive(&c, &r));
		assert_int_equal(r.len, 16);
		reply_drop(&r);
	}
	assert_alive();
}

static void
test_broken_streams(void **state)
{
	static const struct {
		const char *what;
		struct vu_header header;
		uint32_t bytes; /* to send, zeros behind the header */
	} rows[] = {
		{ "size 0", { 1, VU_DEVICE_GET_INFO, 0, 0, 0 }, 16 },
		{ "size 15", { 1, VU_DEVICE_GET_INFO, 15, 0, 0 }, 16 },
		{ "size too large", { 1, VU_REGION_WRITE, 0x200000, 0, 0 }, 4096 },
		{ "size -1", { 1, VU_REGION_WRITE, UINT32_MAX, 0, 0 }, 4096 },
		{ "a reply", { 1, VU_DEVICE_GET_INFO, 16, VU_TYPE_REPLY, 0 }, 16 },
		{ "type 7", { 1, VU_DEVICE_GET_INFO, 16, 7, 0 }, 16 },
	};
	static uint8_t bytes[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int resets = dev.resets;

		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, &rows[i].header, sizeof(rows[i].header));
		assert_true(client_write(&c, bytes, rows[i].bytes, NULL, 0));
		if (!client_ended(&c))
			fail_msg("%s: the connection goes on", rows[i].what);
		assert_int_equal(dev.resets, resets + 1);
		wire_close(&c);
		attach();
		assert_true(client_hello(&c));
	}
	/* The stream ends at each place of a message with a descriptor. */
	for (unsigned int at = 1; at < 48; at++) {
		struct vu_header header = { 5, VU_DMA_MAP, 48, 0, 0 };
		unsigned int before = open_fds();
		int file = new_file(PAGE);

		memcpy(bytes, &header, sizeof(header));
		assert_true(client_write(&c, bytes, at, &file, 1));
		assert_int_equal(vfio_user_process(vu), 0);
		close(file);
		detach();
		assert_int_equal(open_fds(), before - 2);
		attach();
		assert_true(client_hello(&c));
	}
}

/* Descriptors with any byte of a message belong to this message only. */
static void
test_late_descriptor(void **state)
{
	struct vu_header header = { 5, VU_DMA_MAP, 48, 0, 0 };
	struct vu_dma_map map = { 32, RW, 0, 0, PAGE };
	int file = new_file(PAGE);
	uint8_t bytes[48];
	struct reply r;

	(void)state;
	assert_true(client_enable(&c));
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), &map, sizeof(map));
	assert_true(client_write(&c, bytes, 40, NULL, 0));
	assert_int_equal(vfio_user_process(vu), 0);
	assert_true(client_write(&c, bytes + 40, 8, &file, 1));
	assert_true(client_receive(&c, &r));
	assert_int_equal(r.header.flags, VU_TYPE_REPLY);
	reply_drop(&r);
	assert_int_equal(reachable(), 1);
	assert_alive();
	close(file);
}

static void
test_no_reply(void **state)
{
	struct vu_region_access access = { 8, 0, 4 };
	uint8_t payload[20];

	(void)state;
	memcpy(payload, &access, sizeof(access));
	memcpy(payload + 16, "wxyz", 4);
	assert_true(client_send(&c, VU_REGION_WRITE, VU_NO_REPLY, payload, 20, NULL, 0));
	/* This message is too short. */
	assert_true(client_send(&c, VU_REGION_WRITE, VU_NO_REPLY, payload, 7, NULL, 0));
	assert_alive(); /* The next reply is for this message. */
	assert_memory_equal(bar + 8, "wxyz", 4);
}

/* A client does not read. One reply waits, and its other messages stay in the socket. */
static void
test_flood(void **state)
{
	struct vu_region_access access = { 0, 0, BAR_SIZE };
	unsigned int sent = 0;

	(void)state;
	for (int rounds = 0; rounds < 1000; rounds++) {
		struct vu_header header = { (uint16_t)sent, VU_REGION_READ, 32, 0, 0 };
		uint8_t bytes[32];

		memcpy(bytes, &header, sizeof(header));
		memcpy(bytes + 16, &access, sizeof(access));
		if (send(c.fd, bytes, sizeof(bytes), MSG_DONTWAIT) == sizeof(bytes))
			sent++;
		assert_int_equal(vfio_user_process(vu), 0);
	}
	assert_true(sent > 10);
	assert_true(stats().messages < 30); /* The replies have 64 KiB each. */
	for (unsigned int i = 0; i < sent; i++) {
		struct reply r;

		assert_true(client_receive(&c, &r));
		assert_int_equal(r.header.id, i);
		assert_int_equal(r.len, 16 + BAR_SIZE);
		reply_drop(&r);
	}
}

static void
test_second_client(void **state)
{
	struct wire other = { .fd = -1 };
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	other.fd = pair[0];
	assert_int_equal(vfio_user_attach(vu, pair[1]), -EBUSY);
	assert_true(client_ended(&other));
	wire_close(&other);
	assert_alive();
}

/* Resets. */

static void
test_resets(void **state)
{
	int file = new_file(PAGE);

	(void)state;
	assert_int_equal(client_map(&c, 0, PAGE, file, 0, RW), 0);
	for (int how = 0; how < 2; how++) {
		unsigned int resets = dev.resets;

		assert_true(client_enable(&c));
		assert_int_equal(reachable(), 1);
		bar[100] = 1;
		if (how == 0)
			assert_int_equal(client_errno(&c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
		else
			assert_true(client_config_write(&c, 0x48, 0x8000, 2));
		assert_int_equal(dev.resets, resets + 1);
		assert_int_equal(bar[100], 0);
		/* Bus mastering is off. The client's maps remain, because they do not belong to the
		 * function. */
		assert_int_equal(client_config_read(&c, 4, 2), 0);
		assert_int_equal(reachable(), 0);
		assert_int_equal(stats().maps, 1);
	}
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 1);
	close(file);
}

static void
test_reconnect(void **state)
{
	int file = new_file(PAGE);

	(void)state;
	for (int i = 0; i < 20; i++) {
		unsigned int resets = dev.resets, fds = open_fds();

		assert_int_equal(client_map(&c, 0, PAGE, file, 0, RW), 0);
		assert_true(client_enable(&c));
		bar[7] = 1;
		assert_int_equal(client_config_read(&c, 4, 2), 6);
		detach();
		assert_int_equal(dev.resets, resets + 1);
		assert_int_equal(stats().maps, 0);
		assert_int_equal(stats().files, 0);
		attach();
		assert_true(client_hello(&c));
		assert_int_equal(open_fds(), fds);
		assert_int_equal(client_config_read(&c, 4, 2), 0);
		assert_int_equal(bar[7], 0);
	}
	assert_int_equal(stats().connections, 21);
	close(file);
}

/* BAR0 could not be renewed, and the client that left may still map it. Others are refused until it
 * was. */
static void
test_renew_fails(void **state)
{
	int pair[2];

	(void)state;
	dev.fail_renew = -ENOMEM;
	detach();
	for (int i = 0; i < 3; i++) {
		unsigned int resets = dev.resets;

		dev.fail_renew = -EMFILE;
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
		assert_int_equal(vfio_user_attach(vu, pair[1]), -EMFILE);
		assert_int_equal(dev.resets, resets + 1);
		c = client_of(pair[0], vu);
		assert_true(client_ended(&c));
		assert_false(vfio_user_connected(vu));
		wire_close(&c);
	}
	assert_int_equal(stats().connections, 1);
	attach();
	assert_true(client_hello(&c));
	assert_int_equal(stats().connections, 2);
	assert_alive();
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_hello, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_version, setup, teardown),
		cmocka_unit_test_setup_teardown(test_version_bad, setup, teardown),
		TEST(test_device_info),
		TEST(test_region_info),
		TEST(test_bar_mmap),
		TEST(test_irqs),
		TEST(test_bar_messages),
		TEST(test_hostile_table),
		TEST(test_pieces),
		TEST(test_broken_streams),
		TEST(test_late_descriptor),
		TEST(test_no_reply),
		TEST(test_flood),
		TEST(test_second_client),
		TEST(test_resets),
		TEST(test_reconnect),
		TEST(test_renew_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
