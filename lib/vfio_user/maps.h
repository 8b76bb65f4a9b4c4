/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the client's DMA maps: the IOVA ranges that it has mapped, and where they lie in this
 * process. The device can reach them while bus mastering is on.
 */
#ifndef VFIO_USER_MAPS_H
#define VFIO_USER_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"
#include "vfio_user.h"

#define MAPS_MAX 65535u /* the protocol's default, on which clients rely */
#define MAPS_ALIGN 4096u

struct map {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
	struct window *window; /* NULL: no file, so the device cannot reach it */
	unsigned int rights; /* VFIO_USER_DMA_* */
};

struct maps {
	const struct vfio_user_device *device;
	struct files files;
	struct map *map; /* sorted, without overlap */
	uint32_t nb;
	uint32_t room;
	bool shown; /* the maps were given to the device */
};

void maps_init(struct maps *maps, const struct vfio_user_device *device, int wake_fd);

/**
 * Add a range. A range without a file (@p fd < 0) is recorded, but the device cannot reach it.
 *
 * @return 0; -EINVAL if the range is empty, wraps or is not of whole pages; -EEXIST if it overlaps
 *   another one; -ENOSPC; -ENOMEM; or an error of files_get().
 */
int maps_add(struct maps *maps, uint64_t iova, uint64_t len, int fd, uint64_t offset,
	     unsigned int rights);

/**
 * Remove [iova, last], which may cover whole ranges and parts of ranges.
 *
 * @return 0: the device cannot reach the range any more, and nothing of it is mapped here; -EINVAL,
 *   -ENOSPC or -ENOMEM: nothing has changed.
 */
int maps_remove(struct maps *maps, uint64_t iova, uint64_t last);

/** Give all maps to the device if @p show, else take them away. Bus mastering decides which.
 * @return 0, or the first error. The device then lacks the maps that failed. */
int maps_show(struct maps *maps, bool show);

/** Return the map that contains the address, or NULL. */
const struct map *maps_at(const struct maps *maps, uint64_t iova);

/** Take lost windows from the device. @return their number. */
unsigned int maps_drop_lost(struct maps *maps);

/** Remove all maps. The caller has reset the device. */
void maps_clear(struct maps *maps);

#endif /* VFIO_USER_MAPS_H */
