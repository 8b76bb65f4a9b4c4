/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The client's memory: maps of all kinds, unusual files, limits, and memory that is lost.
 */
#include "fake.h"

static void
test_map(void **state)
{
	int file = new_file(4 * PAGE);

	(void)state;
	assert_int_equal(pwrite(file, "x", 1, 2 * PAGE), 1);
	assert_int_equal(client_map(&c, PAGE, 2 * PAGE, file, 2 * PAGE, RW), 0);
	assert_int_equal(reachable(), 0); /* Bus mastering is off. */
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 2);
	assert_int_equal(dev.rights[1], VFIO_USER_DMA_READ | VFIO_USER_DMA_WRITE);
	assert_int_equal(dev.va[1][0], 'x');
	/* These maps have only one right. */
	assert_int_equal(client_map(&c, 3 * PAGE, PAGE, file, 0, VFIO_DMA_MAP_FLAG_READ), 0);
	assert_int_equal(client_map(&c, 4 * PAGE, PAGE, file, 0, VFIO_DMA_MAP_FLAG_WRITE), 0);
	assert_int_equal(dev.rights[3], VFIO_USER_DMA_READ);
	assert_int_equal(dev.rights[4], VFIO_USER_DMA_WRITE);
	/* Maps that overlap an existing one are refused: at its front, back and inside, around it,
	 * and the same one. */
	assert_int_equal(client_map(&c, 0, 2 * PAGE, file, 0, RW), EEXIST);
	assert_int_equal(client_map(&c, 2 * PAGE, PAGE, file, 0, RW), EEXIST);
	assert_int_equal(client_map(&c, 4 * PAGE, 2 * PAGE, file, 0, RW), EEXIST);
	assert_int_equal(client_map(&c, 0, 4 * PAGE, file, 0, RW), EEXIST);
	assert_int_equal(client_map(&c, PAGE, 2 * PAGE, file, 2 * PAGE, RW), EEXIST);
	assert_int_equal(reachable(), 4);
	assert_int_equal(client_map(&c, 0, PAGE, file, 0, RW), 0);
	assert_int_equal(stats().maps, 4);
	assert_int_equal(client_unmap(&c, 0, 5 * PAGE, 0), 0);
	assert_int_equal(reachable(), 0);
	assert_int_equal(stats().maps, 0);
	assert_int_equal(stats().files, 0);
	/* This map ends with the address space. */
	assert_int_equal(client_map(&c, UINT64_MAX - PAGE + 1, PAGE, file, 0, RW), 0);
	assert_int_equal(client_map(&c, UINT64_MAX - PAGE + 1, PAGE, file, 0, RW), EEXIST);
	assert_int_equal(client_unmap(&c, UINT64_C(1) << 63, UINT64_C(1) << 63, 0), 0);
	assert_int_equal(stats().maps, 0);
	close(file);
}

static void
test_unmap_reply(void **state)
{
	struct vu_dma_unmap range = { sizeof(range), 0, 0x1000000, 0x1000 };
	struct reply r;

	(void)state;
	/* The range was never mapped, which is no error. The reply repeats the entry. */
	assert_true(client_call_fds(&c, VU_DMA_UNMAP, &range, sizeof(range), NULL, 0, &r));
	assert_int_equal(r.header.flags, VU_TYPE_REPLY);
	assert_int_equal(r.len, sizeof(range));
	assert_memory_equal(r.data, &range, sizeof(range));
	reply_drop(&r);
	assert_int_equal(client_unmap(&c, 0, UINT64_C(1) << 63, 0), 0);
	assert_int_equal(client_unmap(&c, 0, UINT64_MAX - PAGE + 1, 0), 0);
	assert_int_equal(client_unmap(&c, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL), 0);
}

/* 512 maps of a page each in a mixed order make one mapping of this process, without a
 * descriptor. */
static void
test_many_small(void **state)
{
	unsigned int fds;
	int file = new_file(512 * PAGE);

	(void)state;
	assert_true(client_enable(&c));
	fds = open_fds();
	for (uint32_t i = 0; i < 512; i++) {
		uint32_t page = i * 37 % 512;

		assert_int_equal(client_map(&c, page * PAGE, PAGE, file, (511 - page) * PAGE, RW),
				 0);
	}
	assert_int_equal(reachable(), 512);
	assert_int_equal(mappings(), 1);
	assert_int_equal(open_fds(), fds);
	assert_int_equal(stats().files, 1);
	assert_int_equal(stats().maps, 512);
	assert_int_equal(pwrite(file, "y", 1, 411 * PAGE + 5), 1);
	assert_int_equal(dev.va[100][5], 'y');
	/* Every second page is unmapped alone, the rest at once. */
	for (uint32_t page = 0; page < 512; page += 2)
		assert_int_equal(client_unmap(&c, page * PAGE, PAGE, 0), 0);
	assert_int_equal(reachable(), 256);
	assert_int_equal(client_unmap(&c, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL), 0);
	assert_int_equal(reachable(), 0);
	assert_int_equal(stats().files, 0);
	assert_int_equal(mappings(), 0);
	close(file);
}

static void
test_cut_maps(void **state)
{
	int file = new_file(16 * PAGE);

	(void)state;
	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 0, 16 * PAGE, file, 0, RW), 0);
	/* The range is in the middle. */
	assert_int_equal(client_unmap(&c, 4 * PAGE, 2 * PAGE, 0), 0);
	assert_int_equal(client_unmap(&c, 0, PAGE, 0), 0);
	assert_int_equal(client_unmap(&c, 15 * PAGE, 100 * PAGE, 0), 0);
	assert_int_equal(reachable(), 12);
	assert_int_equal(stats().maps, 2);
	assert_int_equal(pwrite(file, "z", 1, 6 * PAGE), 1);
	assert_int_equal(dev.va[6][0], 'z');
	/* The parts remain when bus mastering is disabled and enabled. */
	assert_true(client_config_write(&c, 4, 0, 2));
	assert_int_equal(reachable(), 0);
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 12);
	assert_int_equal(dev.rights[4] | dev.rights[5] | dev.rights[0] | dev.rights[15], 0);
	assert_int_equal(dev.va[6][0], 'z');
	/* The range covers the back of one map and the front of the next. */
	assert_int_equal(client_unmap(&c, 3 * PAGE, 4 * PAGE, 0), 0);
	assert_int_equal(reachable(), 10);
	assert_int_equal(stats().files, 1);
	assert_int_equal(client_unmap(&c, 0, 16 * PAGE, 0), 0);
	assert_int_equal(stats().files, 0);
	close(file);
}

static void
test_unusual_files(void **state)
{
	char name[] = "/var/tmp/accel-vfio-XXXXXX", link[64];
	int disk = mkstemp(name), null = open("/dev/null", O_RDWR), file = new_file(PAGE);
	int dirfd = open("/dev/shm", O_RDONLY | O_DIRECTORY), path, ro, sealed = new_file(PAGE);
	int wo;

	(void)state;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	ro = open(link, O_RDONLY);
	wo = open(link, O_WRONLY);
	path = open(link, O_PATH);
	unlink(name);
	assert_int_equal(ftruncate(disk, PAGE), 0);
	assert_int_equal(fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE), 0);
	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 0, PAGE, null, 0, RW), EINVAL);
	assert_int_equal(client_map(&c, 0, PAGE, dirfd, 0, RW), EINVAL);
	assert_int_equal(client_map(&c, 0, PAGE, c.fd, 0, RW), EINVAL);
	assert_int_not_equal(client_map(&c, 0, PAGE, path, 0, RW), 0);
	assert_int_equal(client_map(&c, 0, PAGE, ro, 0, RW), EACCES);
	assert_int_equal(client_map(&c, 0, PAGE, wo, 0, RW), EACCES);
	assert_int_equal(client_map(&c, 0, PAGE, wo, 0, VFIO_DMA_MAP_FLAG_WRITE), EACCES);
	assert_int_equal(client_map(&c, 0, PAGE, sealed, 0, RW), EPERM);
	/* A file on a disk is refused, because a third party may have to load it. Where /var/tmp is
	 * memory it is a usual file. */
	assert_int_equal(client_map(&c, PAGE, PAGE, disk, 0, RW) == 0,
			 client_map(&c, PAGE, PAGE, disk, 0, RW) == EEXIST);
	assert_int_equal(client_map(&c, 0, PAGE, ro, 0, VFIO_DMA_MAP_FLAG_READ), 0);
	/* The window of the read-only file does not serve a writable map. */
	assert_int_equal(client_map(&c, 2 * PAGE, PAGE, file, 0, RW), 0);
	*(uint8_t *)(uintptr_t)dev.va[2] = 9;
	assert_int_equal(dev.va[0][0], 9);
	/* A map without a file is known, but not given to the device. */
	assert_int_equal(client_map(&c, 3 * PAGE, PAGE, -1, 0, RW), 0);
	assert_int_equal(client_map(&c, 3 * PAGE, PAGE, file, 0, RW), EEXIST);
	assert_int_equal(dev.rights[3], 0);
	assert_int_equal(client_unmap(&c, 0, 4 * PAGE, 0), 0);
	assert_int_equal(reachable(), 0);
	close(disk);
	close(null);
	close(file);
	close(dirfd);
	close(path);
	close(ro);
	close(wo);
	close(sealed);
}

static void
test_limits(void **state)
{
	int huge, file;

	(void)state;
	/* A file of 4 TiB takes no memory until it is used. Its GiBs are mapped one by one. */
	huge = new_file(UINT64_C(1) << 42);
	assert_int_equal(client_map(&c, 0, UINT64_C(1) << 42, huge, 0, RW), ENOSPC);
	for (uint64_t i = 0; i < 256; i++)
		assert_int_equal(client_map(&c, i * PAGE, PAGE, huge, i << 31, RW), 0);
	assert_int_equal(client_map(&c, 300 * PAGE, PAGE, huge, UINT64_C(300) << 31, RW), ENOSPC);
	assert_int_equal(stats().files, 256);
	assert_int_equal(client_unmap(&c, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL), 0);
	assert_int_equal(stats().files, 0);
	close(huge);
	/* There are as many maps as the handshake announced. */
	file = new_file(PAGE);
	for (uint64_t i = 0; i < 65535; i++)
		assert_int_equal(client_map(&c, i * 2 * PAGE, PAGE, file, 0, RW), 0);
	assert_int_equal(client_map(&c, PAGE, PAGE, file, 0, RW), ENOSPC);
	assert_int_equal(client_unmap(&c, 0, 0, VFIO_DMA_UNMAP_FLAG_ALL), 0);
	assert_int_equal(stats().maps, 0);
	/* The last place is taken, and a cut would need one more. */
	for (uint64_t i = 0; i < 65534; i++)
		assert_int_equal(client_map(&c, i * PAGE * 2, PAGE, file, 0, RW), 0);
	assert_int_equal(client_map(&c, UINT64_C(1) << 40, 3 * PAGE, -1, 0, RW), 0);
	assert_int_equal(client_unmap(&c, (UINT64_C(1) << 40) + PAGE, PAGE, 0), ENOSPC);
	assert_int_equal(stats().maps, 65535);
	assert_int_equal(client_unmap(&c, 0, PAGE, 0), 0);
	assert_int_equal(client_unmap(&c, (UINT64_C(1) << 40) + PAGE, PAGE, 0), 0);
	assert_int_equal(stats().maps, 65535);
	close(file);
}

/* The device refuses. The client gets the error, and both agree on what is mapped. */
static void
test_device_fails(void **state)
{
	int file = new_file(4 * PAGE);
	unsigned int unmaps;

	(void)state;
	assert_true(client_enable(&c));
	dev.fail_map = -ENOMEM;
	assert_int_equal(client_map(&c, 0, PAGE, file, 0, RW), ENOMEM);
	assert_int_equal(stats().files, 0);
	assert_int_equal(client_map(&c, 0, 4 * PAGE, file, 0, RW), 0);
	/* The device lacks the memory to unmap, so the call is repeated. */
	unmaps = dev.unmaps;
	dev.fail_unmap = -ENOMEM;
	assert_int_equal(client_unmap(&c, 0, PAGE, 0), 0);
	assert_int_equal(dev.unmaps, unmaps + 2);
	assert_int_equal(reachable(), 3);
	dev.fail_unmap = -ENOMEM;
	assert_true(client_config_write(&c, 4, 0, 2));
	assert_int_equal(reachable(), 0);
	/* A map that the device refuses is missing, and the others are there. */
	assert_int_equal(client_map(&c, 8 * PAGE, PAGE, file, 0, RW), 0);
	dev.fail_map = -ENOMEM;
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 1);
	dev.fail_unmap = -ENOMEM;
	detach();
	attach();
	close(file);
}

/* Memory that the client takes away. */

static void
test_truncated(void **state)
{
	int file = new_file(8 * PAGE), other = new_file(PAGE);
	volatile const uint8_t *p;

	(void)state;
	/* The test installs the handler itself, because cmocka installs one before each test. */
	assert_int_equal(vfio_user_guard_memory(), 0);
	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 0, 8 * PAGE, file, 0, RW), 0);
	assert_int_equal(client_map(&c, 8 * PAGE, PAGE, other, 0, RW), 0);
	p = dev.va[7];
	assert_int_equal(pwrite(file, "q", 1, 7 * PAGE), 1);
	assert_int_equal(*p, 'q');
	assert_int_equal(ftruncate(file, PAGE), 0);
	/* The device's access does not end the process, and reads zeros. */
	assert_int_equal(*p, 0);
	*(volatile uint8_t *)(uintptr_t)dev.va[3] = 1;
	/* Then the range is taken from the device, and the other one is not. */
	assert_int_equal(vfio_user_process(vu), 0);
	assert_int_equal(reachable(), 1);
	assert_int_equal(stats().lost, 1);
	assert_alive();
	/* The range stays away when bus mastering is enabled again. A new map must fit into the
	 * file. */
	assert_true(client_config_write(&c, 4, 0, 2));
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 1);
	assert_int_equal(client_map(&c, 16 * PAGE, 8 * PAGE, file, 0, RW), EINVAL);
	assert_int_equal(client_map(&c, 16 * PAGE, PAGE, file, 0, RW), 0);
	assert_int_equal(reachable(), 2);
	assert_int_equal(client_unmap(&c, 0, 32 * PAGE, 0), 0);
	assert_int_equal(stats().files, 0);
	close(file);
	close(other);
}

/* Memory is lost, and the client leaves before the server ran. Nothing of it remains. */
static void
test_lost_and_gone(void **state)
{
	struct pollfd fds[VFIO_USER_POLL_FDS];
	int file = new_file(PAGE);

	(void)state;
	assert_int_equal(vfio_user_guard_memory(), 0);
	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 0, PAGE, file, 0, RW), 0);
	assert_int_equal(ftruncate(file, 0), 0);
	assert_int_equal(*(volatile const uint8_t *)dev.va[0], 0);
	vfio_user_poll_fds(vu, fds);
	assert_int_equal(poll(fds, VFIO_USER_POLL_FDS, 0), 1);
	assert_int_equal(fds[1].revents, POLLIN);
	vfio_user_detach(vu);
	vfio_user_poll_fds(vu, fds);
	assert_int_equal(poll(fds, VFIO_USER_POLL_FDS, 0), 0);
	wire_close(&c);
	attach();
	vfio_user_poll_fds(vu, fds);
	assert_int_equal(poll(fds, VFIO_USER_POLL_FDS, 0), 0);
	assert_true(client_hello(&c));
	assert_int_equal(stats().lost, 0);
	close(file);
}

/* Huge pages are used as any file. After a truncation all of the window is replaced, because it
 * cannot be cut. */
static void
test_huge_pages(void **state)
{
	const uint64_t huge = 2u << 20;
	int file = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB | 21u << 26);
	volatile uint8_t *p = MAP_FAILED;

	(void)state;
	if (file >= 0 && ftruncate(file, (off_t)(2 * huge)) == 0)
		p = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (p == MAP_FAILED) {
		if (file >= 0)
			close(file);
		print_message("skipped: there are no huge pages\n");
		skip();
	}
	assert_int_equal(vfio_user_guard_memory(), 0);
	p[huge + 5] = 77;
	munmap((void *)(uintptr_t)p, 2 * huge);
	assert_true(client_enable(&c));
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(client_map(&c, i * PAGE, PAGE, file, huge + i * PAGE, RW), 0);
	assert_int_equal(stats().files, 1);
	assert_int_equal(dev.va[0][5], 77);
	assert_int_equal(ftruncate(file, (off_t)huge), 0);
	p = (volatile uint8_t *)(uintptr_t)dev.va[1];
	*p = 1;
	assert_int_equal(vfio_user_process(vu), 0);
	assert_int_equal(stats().lost, 1);
	assert_int_equal(reachable(), 0);
	assert_int_equal(client_unmap(&c, 0, 8 * PAGE, 0), 0);
	close(file);
}

/* Random maps and unmaps are compared with a table of one byte per page. */

static void
random_change(uint64_t *rnd, uint8_t *want, int file)
{
	uint32_t page = random_below(rnd, PAGES), nb = 1 + random_below(rnd, 40);
	uint32_t rights = 1 + random_below(rnd, 3);
	bool busy = false;

	if (page + nb > PAGES)
		nb = PAGES - page;
	if (random_below(rnd, 2) == 0) {
		assert_int_equal(client_unmap(&c, page * PAGE, nb * PAGE, 0), 0);
		memset(want + page, 0, nb);
		return;
	}
	for (uint32_t i = 0; i < nb; i++)
		busy |= want[page + i] != 0;
	/* Page n of IOVA space is page 2 n of the file. */
	for (uint32_t i = 0; i < nb && nb > 1 && !busy; i++) {
		assert_int_equal(client_map(&c, (page + i) * PAGE, PAGE, file,
					    (page + i) * 2 * PAGE, rights), 0);
		want[page + i] = (uint8_t)rights;
	}
	if (nb == 1 || busy)
		assert_int_equal(client_map(&c, page * PAGE, nb * PAGE, file, page * 2 * PAGE,
					    rights), busy ? EEXIST : 0);
	if (nb == 1 && !busy)
		want[page] = (uint8_t)rights;
}

static void
test_random_maps(void **state)
{
	uint64_t seed = random_seed(), rnd = seed;
	int file = new_file(2 * PAGES * PAGE);
	uint8_t want[PAGES] = { 0 };
	bool on = false;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (uint32_t i = 0; i < 2 * PAGES; i++)
		assert_int_equal(pwrite(file, &i, 4, i * PAGE), 4);
	for (int round = 0; round < 1500; round++) {
		random_change(&rnd, want, file);
		if (random_below(&rnd, 10) == 0) {
			on = !on;
			assert_true(client_config_write(&c, 4, on ? 6 : 2, 2));
		}
		for (uint32_t i = 0; i < PAGES; i++) {
			assert_int_equal(dev.rights[i], on ? want[i] : 0);
			if (on && want[i] != 0)
				assert_int_equal(*(const uint32_t *)(const void *)dev.va[i], 2 * i);
		}
	}
	close(file);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_hello, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_map),
		TEST(test_unmap_reply),
		TEST(test_many_small),
		TEST(test_cut_maps),
		TEST(test_unusual_files),
		TEST(test_limits),
		TEST(test_device_fails),
		TEST(test_truncated),
		TEST(test_lost_and_gone),
		TEST(test_huge_pages),
		TEST(test_random_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
