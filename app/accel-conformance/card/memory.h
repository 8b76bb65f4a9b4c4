/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Manages the memory that the device may access. It lies at IOVAs in several regions of 1 GiB with
 * holes between them, and the halves around MEMORY_EDGE are not neighbours in this process. A
 * shadow has what each byte should be: what the host wrote, a pattern, or what a test has accepted
 * as written by the device. So a stray write of the device is found at the end of each test.
 */
#ifndef CONF_MEMORY_H
#define CONF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport/transport.h"

#define MEMORY_EDGE (UINT64_C(5) << 30) /* between LOW and HIGH, which are mapped without a gap */
#define MEMORY_HOLE (UINT64_C(11) << 30) /* never mapped, at least 1 GiB */

enum memory_area {
	MEMORY_LOW, /* ends at MEMORY_EDGE */
	MEMORY_HIGH, /* begins at MEMORY_EDGE */
	MEMORY_FAR, /* alone in another region of 1 GiB */
	MEMORY_READ, /* the device may only read this area */
	MEMORY_NB
};

struct memory_part {
	uint64_t iova;
	uint64_t size;
	uint64_t offset; /* offset in va, shadow and the file */
	unsigned int rights;
	uint64_t used; /* bytes from the part's start that memory_get() has given away */
	bool mapped;
};

struct memory {
	int fd;
	uint8_t *va;
	uint8_t *shadow;
	uint64_t size;
	struct memory_part part[MEMORY_NB];
};

/** Make the memory and map it for the device. @return 0 or a negative errno value. */
int memory_open(struct memory *m, struct transport *t);
void memory_close(struct memory *m, struct transport *t);

/** Map an area that a test has unmapped. */
int memory_map(struct memory *m, struct transport *t, enum memory_area area);
int memory_unmap(struct memory *m, struct transport *t, enum memory_area area);

/** Fill everything with a pattern and forget what was reserved. */
void memory_begin(struct memory *m, uint64_t seed);

/** Reserve bytes. The program ends if an area has too few, because then the test is wrong. */
uint64_t memory_get(struct memory *m, enum memory_area area, uint64_t bytes, uint64_t align);

/** Return where this process has bytes of an area, or NULL if not all of them lie in one area. */
void *memory_at(const struct memory *m, uint64_t iova, uint64_t bytes);

/** Write memory as the host. */
void memory_write(struct memory *m, uint64_t iova, const void *from, uint64_t bytes);
void memory_set(struct memory *m, uint64_t iova, uint8_t value, uint64_t bytes);
void memory_read(const struct memory *m, uint64_t iova, void *to, uint64_t bytes);

/** Accept what the device wrote to this place. */
void memory_take(struct memory *m, uint64_t iova, uint64_t bytes);

/** Read the shadow: what each byte is unless the device writes to it. */
void memory_was(const struct memory *m, uint64_t iova, void *to, uint64_t bytes);

/** True if all bytes are as they should be. Else iova receives the place of the first byte that is
 * not. */
bool memory_same(const struct memory *m, uint64_t *iova);

/** True if all bytes of one area are as they should be. */
bool memory_same_in(const struct memory *m, enum memory_area area);

#endif /* CONF_MEMORY_H */
