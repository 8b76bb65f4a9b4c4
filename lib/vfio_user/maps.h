/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The client's DMA maps: which IOVA ranges it named, and where they lie here. The device is told of
 * them while bus mastering is on.
 */
#ifndef VFIO_USER_MAPS_H
#define VFIO_USER_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"
#include "vfio_user.h"

#define MAPS_MAX 65535u /* what clients assume unless told otherwise */
#define MAPS_ALIGN 4096u

struct map {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
	struct window *window; /* NULL: without memory that we could reach */
	unsigned int rights; /* VFIO_USER_DMA_* */
};

struct maps {
	const struct vfio_user_device *device;
	struct files files;
	struct map *map; /* sorted, without overlap */
	uint32_t nb;
	uint32_t room;
	bool shown; /* the device has them */
};

void maps_init(struct maps *maps, const struct vfio_user_device *device, int wake_fd);

/**
 * Add a range. Without a file (@p fd < 0) it is remembered and the device cannot reach it.
 *
 * @return 0; -EINVAL empty, wrapping or not of whole pages; -EEXIST on overlap; -ENOSPC, -ENOMEM;
 *   errors of files_get().
 */
int maps_add(struct maps *maps, uint64_t iova, uint64_t len, int fd, uint64_t offset,
	     unsigned int rights);

/**
 * Take [iova, last] away, whole ranges and parts alike. After 0 the device does not reach it any
 * more and nothing of it is mapped here. -EINVAL, -ENOSPC, -ENOMEM: nothing changed.
 */
int maps_remove(struct maps *maps, uint64_t iova, uint64_t last);

/** Bus mastering was turned on or off. After off the device reaches nothing. 0, or the first error:
 * maps that could not be given are missing. */
int maps_show(struct maps *maps, bool show);

/** Lost files were replaced by empty memory: take that from the device. @return how many. */
unsigned int maps_drop_lost(struct maps *maps);

/** The device has been reset. Everything goes. */
void maps_clear(struct maps *maps);

#endif /* VFIO_USER_MAPS_H */
