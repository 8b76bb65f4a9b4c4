/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state that outlives the process: see keep.h. The first part is the memory for all functions,
 * the second one what a function writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keep.h"

#define NAME "state"
#define MAGIC UINT64_C(0x6b65657061636365)
#define FORMAT 1u /* changes with anything in the file, and with what it means */
#define PAGE 4096u
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

struct header {
	uint64_t magic;
	uint32_t format;
	uint32_t nb; /* functions */
	uint64_t options; /* a hash of the options on which the functions depend */
};

struct vfio_user_state {
	struct vfio_user_store *store;
	uint8_t *at;
	size_t size;
	unsigned int nb;
	bool found; /* a former process has written it */
};

/* The functions below map the memory of the state. */

static size_t
area_size(void)
{
	return (sizeof(struct keep_area) + PAGE - 1) / PAGE * PAGE;
}

static uint64_t
hash(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *text != '\0'; text++)
		h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return h;
}

/* Maps the state. Only a few places of it are used, so it takes no swap space in advance. Its
 * content is of no use in a core dump. */
static int
map_state(struct vfio_user_state *s, int fd)
{
	void *p = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	madvise(p, s->size, MADV_DONTDUMP);
	s->at = p;
	return 0;
}

/* Maps the state of a former process, if it has this process's format, options and size. */
static bool
find_state(struct vfio_user_state *s, const struct header *wanted)
{
	const int fd = store_take(s->store, NAME);
	struct stat st;
	bool good;

	if (fd < 0)
		return false;
	good = fstat(fd, &st) == 0 && (size_t)st.st_size == s->size &&
	       (fcntl(fd, F_GET_SEALS) & SEALS) == SEALS && map_state(s, fd) == 0;
	if (good && memcmp(s->at, wanted, sizeof(*wanted)) != 0) {
		munmap(s->at, s->size);
		s->at = NULL;
		good = false;
	}
	close(fd);
	return good;
}

static int
new_state(struct vfio_user_state *s, const struct header *header)
{
	int fd = memfd_create("vfio_user_state", MFD_CLOEXEC | MFD_ALLOW_SEALING), ret = 0;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)s->size) != 0 || fcntl(fd, F_ADD_SEALS, SEALS) != 0)
		ret = -errno;
	if (ret == 0)
		ret = map_state(s, fd);
	if (ret == 0) {
		memcpy(s->at, header, sizeof(*header));
		store_remove(s->store, NAME);
		store_put(s->store, NAME, fd);
	}
	close(fd);
	return ret;
}

int
vfio_user_state_open(struct vfio_user_store *store, unsigned int nb, const char *options,
		     struct vfio_user_state **state)
{
	const struct header header = { MAGIC, FORMAT, nb, hash(options) };
	struct vfio_user_state *s = calloc(1, sizeof(*s));
	int ret;

	*state = NULL;
	if (s == NULL)
		return -ENOMEM;
	s->store = store;
	s->nb = nb;
	s->size = PAGE + nb * area_size();
	s->found = find_state(s, &header);
	ret = s->found ? 0 : new_state(s, &header);
	if (ret != 0) {
		free(s);
		return ret;
	}
	*state = s;
	return s->found;
}

void
vfio_user_state_close(struct vfio_user_state *state)
{
	if (state == NULL)
		return;
	munmap(state->at, state->size);
	free(state);
}

void
keep_init(struct keep *keep, struct vfio_user_state *state, unsigned int index)
{
	memset(keep, 0, sizeof(*keep));
	keep->index = index;
	if (state == NULL || index >= state->nb)
		return;
	keep->store = state->store;
	keep->area = (struct keep_area *)(void *)(state->at + PAGE + index * area_size());
}

void
keep_name(char name[STORE_NAME], const char *what, unsigned int index)
{
	snprintf(name, STORE_NAME, "%s-%u", what, index);
}

/* The functions below write what one PCI function keeps. */

static void
publish(struct keep *keep)
{
	__atomic_store_n(&keep->area->word, keep->word, __ATOMIC_RELEASE);
}

void
keep_begin(struct keep *keep, int fd, int bar0_fd)
{
	char name[STORE_NAME];

	if (keep->area == NULL)
		return;
	keep->on = true;
	keep->word = KEEP_CONNECTED;
	keep->area->tries = 0;
	memset(keep->area->config[0], 0, CONFIG_SIZE);
	publish(keep);
	keep_name(name, "bar", keep->index);
	store_put(keep->store, name, bar0_fd);
	keep_name(name, "connection", keep->index);
	store_put(keep->store, name, fd);
}

void
keep_end(struct keep *keep)
{
	char name[STORE_NAME];

	if (!keep->on)
		return;
	keep->on = false;
	keep->word = 0;
	publish(keep);
	keep_name(name, "bar", keep->index);
	store_remove(keep->store, name);
	keep_name(name, "connection", keep->index);
	store_remove(keep->store, name);
}

static void
record_of(const struct map *m, struct keep_record *r)
{
	const struct window *w = m->window;

	*r = (struct keep_record){
		.kind = KEEP_MAP,
		.rights = (uint16_t)m->rights,
		.has_file = w != NULL,
		.iova = m->iova,
		.last = m->iova + (m->len - 1),
	};
	if (w == NULL)
		return;
	r->writable = w->rdwr;
	r->offset = w->offset + (uint64_t)(m->va - w->va);
	r->dev = w->dev;
	r->ino = w->ino;
}

static unsigned int
journal_of(uint64_t word)
{
	return (word & KEEP_JOURNAL) != 0;
}

/* Writes all maps to the other journal. */
static void
write_anew(struct keep *keep, const struct maps *maps)
{
	struct keep_record *to;

	keep->word ^= KEEP_JOURNAL;
	to = keep->area->journal[journal_of(keep->word)];
	for (uint32_t i = 0; i < maps->nb; i++)
		record_of(&maps->map[i], &to[i]);
	keep->word &= (UINT64_C(1) << KEEP_COUNT_SHIFT) - 1;
	keep->word |= (uint64_t)maps->nb << KEEP_COUNT_SHIFT;
}

static void
note(struct keep *keep, const struct maps *maps, const struct keep_record *record)
{
	const uint64_t nb = keep->word >> KEEP_COUNT_SHIFT;

	if (nb == KEEP_RECORDS) {
		write_anew(keep, maps);
		return;
	}
	keep->area->journal[journal_of(keep->word)][nb] = *record;
	keep->word += UINT64_C(1) << KEEP_COUNT_SHIFT;
}

void
keep_map(struct keep *keep, const struct maps *maps, uint64_t iova)
{
	const struct map *m = maps_at(maps, iova);
	struct keep_record record;

	if (!keep->on || m == NULL)
		return;
	record_of(m, &record);
	note(keep, maps, &record);
}

void
keep_unmap(struct keep *keep, const struct maps *maps, uint64_t iova, uint64_t last)
{
	const struct keep_record record = { .kind = KEEP_UNMAP, .iova = iova, .last = last };

	if (keep->on)
		note(keep, maps, &record);
}

void
keep_commit(struct keep *keep, const struct config *config, bool negotiated)
{
	const bool copy = (keep->word & KEEP_CONFIG) != 0;

	if (!keep->on)
		return;
	if (memcmp(keep->area->config[copy], config->data, CONFIG_SIZE) != 0) {
		memcpy(keep->area->config[!copy], config->data, CONFIG_SIZE);
		keep->word ^= KEEP_CONFIG;
	}
	keep->word &= ~(uint64_t)KEEP_BROKEN;
	keep->word |= KEEP_DONE | (negotiated ? KEEP_NEGOTIATED : 0);
	publish(keep);
}

void
keep_taken(struct keep *keep)
{
	if (!keep->on)
		return;
	keep->area->tries = 0;
	keep->word &= ~(uint64_t)KEEP_DONE;
	publish(keep);
}

void
keep_break(struct keep *keep)
{
	if (!keep->on)
		return;
	keep->word |= KEEP_BROKEN;
	publish(keep);
}

void
keep_repaired(struct keep *keep)
{
	if (!keep->on || (keep->word & KEEP_BROKEN) == 0)
		return;
	keep->word &= ~(uint64_t)KEEP_BROKEN;
	publish(keep);
}
