/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The server: one function for each command of the protocol, a table of them, and the connection's
 * life. A command's function gets the payload in an aligned copy of its fixed part, checks it, and
 * returns 0 with a reply in place, or an errno value.
 */
#include <errno.h>
#include <linux/vfio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "caps.h"
#include "channel.h"
#include "pciconf.h"
#include "maps.h"

#define MAX_XFER VU_DEFAULT_XFER
#define MAX_MESSAGE (sizeof(struct vu_header) + sizeof(struct vu_region_access) + MAX_XFER)
#define BURST 64u /* messages of one vfio_user_process() */
#define LOG_BURST 32u /* lines that a client can cause at once, then one a second */

struct vfio_user {
	struct vfio_user_device device;
	struct config config;
	struct maps maps;
	struct channel channel;
	int wake_fd;
	bool negotiated;
	bool closing; /* once the reply is sent */
	unsigned int log_budget;
	unsigned int log_dropped;
	time_t log_time;
	struct vfio_user_stats stats; /* written by the serving thread, one 64-bit store each */
};

/* A command under way. */
struct request {
	const uint8_t *payload;
	size_t len;
	uint8_t *reply; /* room behind the header */
	size_t reply_len;
	int reply_fd;
	bool close; /* the connection, after the reply */
};

static void
count(uint64_t *counter, uint64_t more)
{
	__atomic_store_n(counter, *counter + more, __ATOMIC_RELAXED);
}

static void
show(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, n, __ATOMIC_RELAXED);
}

/* Log. */

static bool
log_allowed(struct vfio_user *vu, enum vfio_user_log_level level)
{
	struct timespec now;

	if (vu->device.log == NULL)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec > vu->log_time) {
		time_t more = now.tv_sec - vu->log_time;

		vu->log_budget = more > LOG_BURST ? LOG_BURST : vu->log_budget + (unsigned int)more;
		if (vu->log_budget > LOG_BURST)
			vu->log_budget = LOG_BURST;
		vu->log_time = now.tv_sec;
	}
	if (level == VFIO_USER_LOG_DEBUG)
		return true; /* who asks for it wants all */
	if (vu->log_budget == 0) {
		vu->log_dropped++;
		return false;
	}
	vu->log_budget--;
	return true;
}

__attribute__((format(printf, 3, 4))) static void
say(struct vfio_user *vu, enum vfio_user_log_level level, const char *format, ...)
{
	char msg[256];
	va_list ap;

	if (!log_allowed(vu, level))
		return;
	if (vu->log_dropped > 0) {
		snprintf(msg, sizeof(msg), "%u messages were left out", vu->log_dropped);
		vu->log_dropped = 0;
		vu->device.log(vu->device.arg, level, msg);
	}
	va_start(ap, format);
	vsnprintf(msg, sizeof(msg), format, ap);
	va_end(ap);
	vu->device.log(vu->device.arg, level, msg);
}

/* What commands have in common. */

static void
show_maps(struct vfio_user *vu)
{
	show(&vu->stats.maps, vu->maps.nb);
	show(&vu->stats.files, vu->maps.files.nb);
}

/* Bus mastering as the configuration space says. */
static void
follow_bus_master(struct vfio_user *vu)
{
	bool on = config_bus_master(&vu->config);
	int ret = maps_show(&vu->maps, on);

	show(&vu->stats.bus_master, on);
	if (ret == 0)
		return;
	say(vu, VFIO_USER_LOG_WARNING, "not all memory can be given to the device: %s",
	    strerror(-ret));
	if (!on)
		vu->device.reset(vu->device.arg);
}

/* DEVICE_RESET, and function level reset: the client's memory stays known. */
static void
reset_function(struct vfio_user *vu)
{
	vu->device.reset(vu->device.arg);
	config_reset(&vu->config);
	follow_bus_master(vu);
	count(&vu->stats.resets, 1);
}

/* The fixed part of a payload. false: too short, or its argsz says less. */
static bool
take(const struct request *rq, void *to, size_t bytes)
{
	uint32_t argsz;

	if (rq->len < bytes)
		return false;
	memcpy(to, rq->payload, bytes);
	memcpy(&argsz, to, sizeof(argsz));
	return argsz >= bytes;
}

static void
answer(struct request *rq, const void *payload, size_t bytes)
{
	memcpy(rq->reply + rq->reply_len, payload, bytes);
	rq->reply_len += bytes;
}

/* The room that a reply needs at most, from what the client asks for. */
static size_t
reply_room(const struct vu_header *header, const uint8_t *payload, size_t len)
{
	struct vu_region_access access;

	if (header->command != VU_REGION_READ || len < sizeof(access))
		return sizeof(*header) + 512;
	memcpy(&access, payload, sizeof(access));
	return sizeof(*header) + sizeof(access) + (access.count <= MAX_XFER ? access.count : 0);
}

/* The commands. */

static int
do_version(struct vfio_user *vu, struct request *rq)
{
	static const struct caps ours = {
		.named = { true, true, true, true },
		.value = { CHANNEL_FDS, MAX_XFER, MAPS_MAX, MAPS_ALIGN },
	};
	struct vu_version version;
	struct caps theirs = { 0 };
	int len;

	rq->close = true; /* unless all is well */
	if (vu->negotiated || rq->len < sizeof(version))
		return EINVAL;
	memcpy(&version, rq->payload, sizeof(version));
	if (version.major != VU_VERSION_MAJOR) {
		say(vu, VFIO_USER_LOG_WARNING, "the client wants protocol version %u.%u, not 0.x",
		    version.major, version.minor);
		return EPROTONOSUPPORT;
	}
	if (version.minor > VU_VERSION_MINOR)
		version.minor = VU_VERSION_MINOR;
	answer(rq, &version, sizeof(version));
	if (rq->len > sizeof(version)) {
		const char *text = (const char *)rq->payload + sizeof(version);
		size_t text_len = rq->len - sizeof(version);

		if (text[text_len - 1] != '\0' || caps_parse(text, text_len - 1, &theirs) != 0) {
			say(vu, VFIO_USER_LOG_WARNING, "the client's capabilities are malformed");
			return EINVAL;
		}
		len = caps_write((char *)rq->reply + rq->reply_len, 256, &ours, &theirs);
		if (len < 0)
			return -len;
		rq->reply_len += (size_t)len + 1;
	}
	vu->negotiated = true;
	rq->close = false;
	return 0;
}

static int
do_dma_map(struct vfio_user *vu, struct request *rq)
{
	struct vu_dma_map map;
	unsigned int rights = 0;
	int fd = vu->channel.nb_fds > 0 ? vu->channel.fds[0] : -1;
	int ret;

	if (!take(rq, &map, sizeof(map)) || vu->channel.nb_fds > 1)
		return EINVAL;
	if ((map.flags & ~(uint32_t)(VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE)) != 0)
		return EINVAL;
	rights |= (map.flags & VFIO_DMA_MAP_FLAG_READ) != 0 ? VFIO_USER_DMA_READ : 0;
	rights |= (map.flags & VFIO_DMA_MAP_FLAG_WRITE) != 0 ? VFIO_USER_DMA_WRITE : 0;
	if (rights == 0)
		return EINVAL;
	ret = maps_add(&vu->maps, map.iova, map.size, fd, map.offset, rights);
	show_maps(vu);
	if (ret == 0 && fd < 0)
		say(vu, VFIO_USER_LOG_DEBUG,
		    "map %#llx+%#llx has no file: the device cannot reach it",
		    (unsigned long long)map.iova, (unsigned long long)map.size);
	return -ret;
}

/* For want of memory the device may not have let go of the range: then a reset makes it. */
static int
unmap(struct vfio_user *vu, uint64_t iova, uint64_t last)
{
	int ret = maps_remove(&vu->maps, iova, last);

	if (ret != -ENOMEM)
		return ret;
	reset_function(vu);
	return maps_remove(&vu->maps, iova, last);
}

/* Ranges that were never mapped are no error: QEMU unmaps such when a guest's IOMMU changes. */
static int
do_dma_unmap(struct vfio_user *vu, struct request *rq)
{
	struct vu_dma_unmap range;
	int ret;

	if (!take(rq, &range, sizeof(range)) || vu->channel.nb_fds > 0)
		return EINVAL;
	if (range.flags == VFIO_DMA_UNMAP_FLAG_ALL) {
		if (range.iova != 0 || range.size != 0)
			return EINVAL;
		ret = unmap(vu, 0, UINT64_MAX);
	} else {
		if (range.flags != 0 || range.size == 0 ||
		    ((range.iova | range.size) & (MAPS_ALIGN - 1)) != 0 ||
		    range.iova + (range.size - 1) < range.iova)
			return EINVAL;
		ret = unmap(vu, range.iova, range.iova + (range.size - 1));
	}
	show_maps(vu);
	if (ret == 0)
		answer(rq, &range, sizeof(range));
	return -ret;
}

static int
do_device_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_device_info info;

	(void)vu;
	if (!take(rq, &info, sizeof(info)))
		return EINVAL;
	info.argsz = sizeof(info);
	info.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	info.num_regions = VFIO_PCI_NUM_REGIONS;
	info.num_irqs = VFIO_PCI_NUM_IRQS;
	answer(rq, &info, sizeof(info));
	return 0;
}

static uint64_t
region_size(const struct vfio_user *vu, uint32_t index)
{
	if (index == VFIO_PCI_BAR0_REGION_INDEX)
		return vu->device.bar0_size;
	return index == VFIO_PCI_CONFIG_REGION_INDEX ? CONFIG_SIZE : 0;
}

/* All of BAR0 can be mapped. Who has no room for the area is told how much it takes, and where it
 * would be: QEMU checks cap_offset in that reply, too. */
static int
do_region_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_info info;
	struct vu_sparse_mmap area = {
		.id = VFIO_REGION_INFO_CAP_SPARSE_MMAP,
		.version = 1,
		.nr_areas = 1,
	};
	uint32_t room;

	if (!take(rq, &info, sizeof(info)) || info.index >= VFIO_PCI_NUM_REGIONS)
		return EINVAL;
	room = info.argsz;
	info.argsz = sizeof(info);
	info.flags = 0;
	info.cap_offset = 0;
	info.size = region_size(vu, info.index);
	info.offset = 0;
	if (info.size != 0)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	if (info.index != VFIO_PCI_BAR0_REGION_INDEX) {
		answer(rq, &info, sizeof(info));
		return 0;
	}
	area.size = info.size;
	info.flags |= VFIO_REGION_INFO_FLAG_MMAP | VFIO_REGION_INFO_FLAG_CAPS;
	info.argsz += sizeof(area);
	info.cap_offset = sizeof(info);
	answer(rq, &info, sizeof(info));
	if (room >= info.argsz)
		answer(rq, &area, sizeof(area));
	rq->reply_fd = vu->device.bar0_fd;
	return 0;
}

/* The function has no interrupt of any kind. */
static int
do_irq_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_irq_info info;

	(void)vu;
	if (!take(rq, &info, sizeof(info)) || info.index >= VFIO_PCI_NUM_IRQS)
		return EINVAL;
	info.argsz = sizeof(info);
	info.flags = 0;
	info.count = 0;
	answer(rq, &info, sizeof(info));
	return 0;
}

/* So all that can be asked for is to disable them. */
static int
do_set_irqs(struct vfio_user *vu, struct request *rq)
{
	struct vu_irq_set set;

	if (!take(rq, &set, sizeof(set)) || set.index >= VFIO_PCI_NUM_IRQS)
		return EINVAL;
	if (vu->channel.nb_fds > 0 || set.start != 0 || set.count != 0)
		return EINVAL;
	return set.flags == (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER) ? 0 : EINVAL;
}

/* An access as a CPU would make it if it can be one: registers are read and written whole. */
static void
copy_registers(volatile uint8_t *to, const volatile uint8_t *from, uint32_t bytes)
{
	uintptr_t both = (uintptr_t)to | (uintptr_t)from;

	while (bytes >= 8 && (both & 7) == 0) {
		*(volatile uint64_t *)to = *(const volatile uint64_t *)from;
		to += 8;
		from += 8;
		bytes -= 8;
	}
	while (bytes >= 4 && (both & 3) == 0) {
		*(volatile uint32_t *)to = *(const volatile uint32_t *)from;
		to += 4;
		from += 4;
		bytes -= 4;
	}
	while (bytes-- > 0)
		*to++ = *from++;
}

/* The fixed part of a read or write, whose range has to lie in its region. */
static int
take_access(const struct vfio_user *vu, const struct request *rq, struct vu_region_access *access)
{
	uint64_t size;

	if (rq->len < sizeof(*access))
		return EINVAL;
	memcpy(access, rq->payload, sizeof(*access));
	if (access->region >= VFIO_PCI_NUM_REGIONS || access->count == 0)
		return EINVAL;
	if (access->count > MAX_XFER)
		return E2BIG;
	size = region_size(vu, access->region);
	return access->offset <= size && access->count <= size - access->offset ? 0 : EINVAL;
}

static int
do_region_read(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_access access;
	int ret = take_access(vu, rq, &access);

	if (ret != 0)
		return ret;
	answer(rq, &access, sizeof(access));
	if (access.region == VFIO_PCI_CONFIG_REGION_INDEX)
		config_read(&vu->config, (uint32_t)access.offset, rq->reply + rq->reply_len,
			    access.count);
	else
		copy_registers(rq->reply + rq->reply_len,
			       (const uint8_t *)vu->device.bar0 + access.offset, access.count);
	rq->reply_len += access.count;
	return 0;
}

static int
do_region_write(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_access access;
	const uint8_t *data = rq->payload + sizeof(access);
	int ret = take_access(vu, rq, &access);

	if (ret != 0)
		return ret;
	if (rq->len != sizeof(access) + access.count)
		return EINVAL;
	answer(rq, &access, sizeof(access));
	if (access.region != VFIO_PCI_CONFIG_REGION_INDEX) {
		copy_registers((uint8_t *)vu->device.bar0 + access.offset, data, access.count);
		return 0;
	}
	if ((config_write(&vu->config, (uint32_t)access.offset, data, access.count) & CONFIG_FLR) !=
	    0)
		reset_function(vu);
	else
		follow_bus_master(vu);
	return 0;
}

static int
do_reset(struct vfio_user *vu, struct request *rq)
{
	(void)rq;
	reset_function(vu);
	return 0;
}

/* No migration, no dirty tracking, no interrupts by descriptor. */
static int
do_not_supported(struct vfio_user *vu, struct request *rq)
{
	(void)vu;
	(void)rq;
	return ENOTSUP;
}

struct command {
	int (*fn)(struct vfio_user *vu, struct request *rq);
	bool takes_fds;
};

static const struct command commands[] = {
	[VU_VERSION] = { do_version, false },
	[VU_DMA_MAP] = { do_dma_map, true },
	[VU_DMA_UNMAP] = { do_dma_unmap, false },
	[VU_DEVICE_GET_INFO] = { do_device_info, false },
	[VU_DEVICE_GET_REGION_INFO] = { do_region_info, false },
	[VU_DEVICE_GET_REGION_IO_FDS] = { do_not_supported, false },
	[VU_DEVICE_GET_IRQ_INFO] = { do_irq_info, false },
	[VU_DEVICE_SET_IRQS] = { do_set_irqs, true },
	[VU_REGION_READ] = { do_region_read, false },
	[VU_REGION_WRITE] = { do_region_write, false },
	[VU_DEVICE_RESET] = { do_reset, false },
	[VU_DIRTY_PAGES] = { do_not_supported, false },
	[VU_REGION_WRITE_MULTI] = { do_not_supported, false },
	[VU_DEVICE_FEATURE] = { do_not_supported, false },
	[VU_MIG_DATA_READ] = { do_not_supported, false },
	[VU_MIG_DATA_WRITE] = { do_not_supported, false },
};

/* Messages. */

static int
carry_out(struct vfio_user *vu, const struct vu_header *header, struct request *rq)
{
	const struct command *c;

	if (!vu->negotiated && header->command != VU_VERSION) {
		rq->close = true;
		return EINVAL;
	}
	if (header->command >= sizeof(commands) / sizeof(commands[0]) ||
	    commands[header->command].fn == NULL)
		return EINVAL;
	c = &commands[header->command];
	if (vu->channel.fds_lost || (vu->channel.nb_fds > 0 && !c->takes_fds))
		return EINVAL;
	return c->fn(vu, rq);
}

/* Carry out the message that was received, and put the reply in place. false: end it all. */
static bool
handle(struct vfio_user *vu)
{
	struct channel *ch = &vu->channel;
	struct request rq = { .reply_fd = -1 };
	struct vu_header header;
	uint8_t *room;
	int ret;

	memcpy(&header, ch->in, sizeof(header));
	count(&vu->stats.messages, 1);
	if ((header.flags & VU_TYPE_MASK) != VU_TYPE_COMMAND) {
		say(vu, VFIO_USER_LOG_WARNING, "a message of type %u is no command",
		    header.flags & VU_TYPE_MASK);
		return false;
	}
	rq.payload = ch->in + sizeof(header);
	rq.len = header.size - sizeof(header);
	room = channel_reply_room(ch, reply_room(&header, rq.payload, rq.len));
	if (room == NULL)
		return false;
	rq.reply = room + sizeof(header);
	ret = carry_out(vu, &header, &rq);
	vu->closing = rq.close;
	if (ret != 0) {
		count(&vu->stats.errors, 1);
		say(vu, VFIO_USER_LOG_WARNING, "command %u refused: %s", header.command,
		    strerror(ret));
		rq.reply_len = 0;
		rq.reply_fd = -1;
	}
	if ((header.flags & VU_NO_REPLY) != 0)
		return !vu->closing;
	header.size = (uint32_t)(sizeof(header) + rq.reply_len);
	header.flags = VU_TYPE_REPLY | (ret != 0 ? VU_ERROR : 0);
	header.error = (uint32_t)ret;
	memcpy(room, &header, sizeof(header));
	ch->out_len = header.size;
	ch->out_sent = 0;
	ch->out_fd = rq.reply_fd;
	return true;
}

/* One message in, one reply out. */
static enum channel_event
step(struct vfio_user *vu)
{
	struct channel *ch = &vu->channel;
	enum channel_event event;
	bool good;

	if (ch->out_len == 0) {
		event = channel_receive(ch, MAX_MESSAGE);
		if (event == CHANNEL_BROKEN)
			say(vu, VFIO_USER_LOG_WARNING, "a broken message ends the connection");
		if (event != CHANNEL_MESSAGE)
			return event;
		good = handle(vu);
		channel_done(ch);
		if (!good)
			return CHANNEL_BROKEN;
	}
	event = channel_send(ch);
	return event == CHANNEL_MESSAGE && vu->closing ? CHANNEL_CLOSED : event;
}

static void
look_for_losses(struct vfio_user *vu)
{
	unsigned int lost;
	uint64_t n;

	if (read(vu->wake_fd, &n, sizeof(n)) != (ssize_t)sizeof(n))
		return;
	lost = maps_drop_lost(&vu->maps);
	if (lost == 0)
		return;
	count(&vu->stats.lost, lost);
	say(vu, VFIO_USER_LOG_WARNING,
	    "the client cut off memory that the device was using: taken from the device");
}

int
vfio_user_process(struct vfio_user *vu)
{
	enum channel_event event = CHANNEL_MESSAGE;

	if (!vfio_user_connected(vu))
		return -ENOTCONN;
	look_for_losses(vu);
	for (unsigned int i = 0; i < BURST && event == CHANNEL_MESSAGE; i++)
		event = step(vu);
	if (event == CHANNEL_MESSAGE || event == CHANNEL_LATER)
		return 0;
	if (event == CHANNEL_BROKEN)
		count(&vu->stats.errors, 1);
	vfio_user_detach(vu);
	return -ENOTCONN;
}

/* Life. */

int
vfio_user_create(const struct vfio_user_device *device, struct vfio_user **vu)
{
	size_t size = device->bar0_size;
	struct vfio_user *new;

	if (size < 4096 || (size & (size - 1)) != 0 || device->bar0 == NULL ||
	    device->class_code >> 24 != 0)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (new == NULL)
		return -ENOMEM;
	new->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (new->wake_fd < 0) {
		free(new);
		return -errno;
	}
	new->device = *device;
	config_init(&new->config, device);
	maps_init(&new->maps, &new->device, new->wake_fd);
	channel_init(&new->channel);
	new->log_budget = LOG_BURST;
	*vu = new;
	return 0;
}

void
vfio_user_destroy(struct vfio_user *vu)
{
	if (vu == NULL)
		return;
	vfio_user_detach(vu);
	close(vu->wake_fd);
	free(vu);
}

int
vfio_user_attach(struct vfio_user *vu, int fd)
{
	if (vfio_user_connected(vu)) {
		close(fd);
		return -EBUSY;
	}
	channel_open(&vu->channel, fd);
	vu->negotiated = false;
	vu->closing = false;
	count(&vu->stats.connections, 1);
	show(&vu->stats.connected, 1);
	say(vu, VFIO_USER_LOG_INFO, "a client connected");
	return 0;
}

static void
renew_device(struct vfio_user *vu)
{
	int fd = vu->device.renew(vu->device.arg);

	if (fd >= 0)
		vu->device.bar0_fd = fd;
	else
		say(vu, VFIO_USER_LOG_WARNING, "BAR0 remains in reach of the client that is gone: %s",
		    strerror(-fd));
}

/* The socket is closed last: a client that sees it closed may rely on the rest. */
void
vfio_user_detach(struct vfio_user *vu)
{
	if (!vfio_user_connected(vu))
		return;
	renew_device(vu);
	config_reset(&vu->config);
	maps_clear(&vu->maps);
	show_maps(vu);
	show(&vu->stats.bus_master, 0);
	show(&vu->stats.connected, 0);
	say(vu, VFIO_USER_LOG_INFO, "the client is gone; the device was reset");
	channel_close(&vu->channel);
}

bool
vfio_user_connected(const struct vfio_user *vu)
{
	return vu->channel.fd >= 0;
}

void
vfio_user_poll_fds(const struct vfio_user *vu, struct pollfd fds[VFIO_USER_POLL_FDS])
{
	fds[0].fd = vu->channel.fd;
	fds[0].events = vu->channel.out_len > 0 ? POLLOUT : POLLIN | POLLRDHUP;
	fds[0].revents = 0;
	fds[1].fd = vu->wake_fd;
	fds[1].events = POLLIN;
	fds[1].revents = 0;
}

void
vfio_user_stats(const struct vfio_user *vu, struct vfio_user_stats *stats)
{
	const uint64_t *from = (const uint64_t *)&vu->stats;
	uint64_t *to = (uint64_t *)stats;

	for (size_t i = 0; i < sizeof(*stats) / sizeof(*to); i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

int
vfio_user_guard_memory(void)
{
	return files_guard();
}
