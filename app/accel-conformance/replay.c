/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carries out scripts: see replay.h. A line is an action on the card or a check of it. If a line is
 * not understood, no line is carried out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay.h"

#define LINES_MAX 1024u
#define BYTES_MAX 64u
#define MAPS_MAX 8u
#define MAP_BYTES_MAX (UINT64_C(16) << 20)

enum action {
	MAP,
	MEMORY,
	EXPECT,
	AWAIT,
	WRITE32,
	WRITE64,
	READ32,
	READ64,
	WAIT32,
	CONFIG16,
	CONFIG16_IS,
	ACTIONS
};

static const char *const words[ACTIONS] = {
	[MAP] = "map", [MEMORY] = "memory", [EXPECT] = "expect", [AWAIT] = "await",
	[WRITE32] = "write32", [WRITE64] = "write64", [READ32] = "read32", [READ64] = "read64",
	[WAIT32] = "wait32", [CONFIG16] = "config16", [CONFIG16_IS] = "config16?",
};

struct step {
	enum action action;
	unsigned int line;
	uint64_t at;
	uint64_t value;
	uint32_t nb; /* bytes */
	uint8_t byte[BYTES_MAX];
	char text[160];
};

struct script {
	struct step step[LINES_MAX];
	unsigned int nb;
	struct dma_run map[MAPS_MAX];
	unsigned int nb_maps;
};

static bool
wrong(const char *path, unsigned int line, const char *what)
{
	fprintf(stderr, "accel-conformance: %s:%u: %s\n", path, line, what);
	return false;
}

/* Read a number in hex with 0x. */
static bool
number(const char *word, uint64_t max, uint64_t *to)
{
	char *end;

	if (word == NULL || strncmp(word, "0x", 2) != 0)
		return false;
	errno = 0;
	*to = strtoull(word, &end, 16);
	return errno == 0 && *end == '\0' && *to <= max;
}

static bool
bytes(struct step *s, char **rest)
{
	char *word;

	while ((word = strtok_r(NULL, " \t", rest)) != NULL) {
		if (s->nb == BYTES_MAX || strlen(word) != 2 ||
		    strspn(word, "0123456789abcdefABCDEF") != 2)
			return false;
		s->byte[s->nb++] = (uint8_t)strtoul(word, NULL, 16);
	}
	return s->nb > 0;
}

static uint64_t
value_max(enum action action)
{
	return action == CONFIG16 || action == CONFIG16_IS ? UINT16_MAX :
		action == WRITE64 || action == READ64 || action == MAP ? UINT64_MAX : UINT32_MAX;
}

/* Parse a line. @return false after a message. */
static bool
parse_line(const char *path, struct step *s, char *line)
{
	char *rest, *word, *colon;
	bool memory;

	snprintf(s->text, sizeof(s->text), "%.150s", line);
	word = strtok_r(line, " \t", &rest);
	for (s->action = MAP; s->action < ACTIONS; s->action++) {
		if (strcmp(word, words[s->action]) == 0)
			break;
	}
	if (s->action == ACTIONS)
		return wrong(path, s->line, "unknown word");
	memory = s->action == MEMORY || s->action == EXPECT || s->action == AWAIT;
	word = strtok_r(NULL, " \t", &rest);
	colon = word != NULL ? strchr(word, ':') : NULL;
	if (memory != (colon != NULL && colon[1] == '\0'))
		return wrong(path, s->line, memory ? "no address with a colon" : "no address");
	if (colon != NULL)
		*colon = '\0';
	if (!number(word, UINT64_MAX, &s->at))
		return wrong(path, s->line, "no address in hex with 0x");
	if (memory)
		return bytes(s, &rest) ? true : wrong(path, s->line, "no bytes of two digits");
	if (!number(strtok_r(NULL, " \t", &rest), value_max(s->action), &s->value))
		return wrong(path, s->line, "no value in hex with 0x, or too large");
	if (strtok_r(NULL, " \t", &rest) != NULL)
		return wrong(path, s->line, "more than a value");
	return true;
}

static bool
parse(const char *path, struct script *script)
{
	FILE *file = fopen(path, "r");
	char line[512];
	unsigned int nb = 0;
	bool good = file != NULL;

	if (!good)
		fprintf(stderr, "accel-conformance: %s: %s\n", path, strerror(errno));
	while (good && fgets(line, sizeof(line), file) != NULL) {
		nb++;
		line[strcspn(line, "\r\n")] = '\0';
		if (line[strspn(line, " \t")] == '\0' || line[0] == '#')
			continue;
		if (script->nb == LINES_MAX) {
			good = wrong(path, nb, "too many lines");
		} else {
			script->step[script->nb].line = nb;
			good = parse_line(path, &script->step[script->nb++], line);
		}
	}
	if (file != NULL)
		fclose(file);
	return good;
}

/* Return where this process has memory of the script, or NULL if it was not mapped. */
static uint8_t *
memory_of(const struct script *s, uint64_t at, uint32_t nb)
{
	for (unsigned int i = 0; i < s->nb_maps; i++) {
		const struct dma_run *run = &s->map[i];

		if (at >= run->iova && nb <= run->size && at - run->iova <= run->size - nb)
			return (uint8_t *)run->va + (at - run->iova);
	}
	return NULL;
}

static bool
do_map(struct card *c, struct script *s, const struct step *step)
{
	struct dma_run *run = &s->map[s->nb_maps];
	int ret;

	ENSURE(c, s->nb_maps < MAPS_MAX && step->value > 0 && step->value <= MAP_BYTES_MAX &&
	       step->at % 4096 == 0 && step->value % 4096 == 0, "not whole pages, or too many");
	*run = (struct dma_run){ .iova = step->at, .size = step->value,
				 .rights = TRANSPORT_READ | TRANSPORT_WRITE };
	run->fd = memfd_create("accel-conformance", MFD_CLOEXEC);
	ENSURE(c, run->fd >= 0 && ftruncate(run->fd, (off_t)run->size) == 0, "no memory");
	run->va = mmap(NULL, run->size, PROT_READ | PROT_WRITE, MAP_SHARED, run->fd, 0);
	ENSURE(c, run->va != MAP_FAILED, "no memory");
	ret = c->transport->ops->dma_map(c->transport, run);
	ENSURE(c, ret == 0, "it cannot be mapped: %s", strerror(-ret));
	s->nb_maps++;
	return true;
}

static bool
do_memory(struct card *c, const struct script *s, const struct step *step)
{
	uint8_t *p = memory_of(s, step->at, step->nb);
	struct patience wait;

	ENSURE(c, p != NULL, "no map has this memory");
	if (step->action == MEMORY) {
		memcpy(p, step->byte, step->nb);
		return true;
	}
	patience_begin(&wait, c);
	while (step->action == AWAIT && memcmp(p, step->byte, step->nb) != 0 &&
	       patience_left(&wait))
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < step->nb; i++)
		ENSURE(c, p[i] == step->byte[i], "the byte at %#" PRIx64 " is %#04x", step->at + i,
		       p[i]);
	return true;
}

static bool
do_register(struct card *c, const struct step *step)
{
	uint64_t value = step->value;

	switch (step->action) {
	case WRITE32:
		card_write32(c, step->at, (uint32_t)value);
		return true;
	case WRITE64:
		card_write64(c, step->at, value);
		return true;
	case READ32:
		ENSURE(c, card_read32(c, step->at) == value, "it is %#x",
		       card_read32(c, step->at));
		return true;
	case READ64:
		ENSURE(c, card_read64(c, step->at) == value, "it is %#" PRIx64,
		       card_read64(c, step->at));
		return true;
	case WAIT32:
		ENSURE(c, card_wait32(c, step->at, UINT32_MAX, (uint32_t)value), "it stays %#x",
		       card_read32(c, step->at));
		return true;
	case CONFIG16:
		ENSURE(c, card_config_write(c, (uint32_t)step->at, (uint32_t)value, 2),
		       "it cannot be written");
		return true;
	default:
		ENSURE(c, card_config(c, (uint32_t)step->at, 2) == value, "it is %#x",
		       card_config(c, (uint32_t)step->at, 2));
		return true;
	}
}

/* Carry out a step. The steps after a failed step mean nothing. */
static bool
do_step(struct card *c, struct script *s, const struct step *step)
{
	if (step->action == MAP)
		return do_map(c, s, step);
	if (step->action <= AWAIT)
		return do_memory(c, s, step);
	return do_register(c, step);
}

bool
replay(struct card *c, const char *path)
{
	struct script *s = calloc(1, sizeof(*s));
	bool good = s != NULL && parse(path, s);

	if (good)
		result_plan(&c->result, s->nb);
	for (unsigned int i = 0; good && i < s->nb; i++) {
		char line[32];

		snprintf(line, sizeof(line), "line %u:", s->step[i].line);
		result_begin(&c->result);
		good = do_step(c, s, &s->step[i]);
		result_end(&c->result, line, s->step[i].text, c->verbose);
	}
	for (unsigned int i = 0; s != NULL && i < s->nb_maps; i++) {
		c->transport->ops->dma_unmap(c->transport, s->map[i].iova, s->map[i].size);
		munmap(s->map[i].va, s->map[i].size);
		close(s->map[i].fd);
	}
	free(s);
	return good && result_close(&c->result);
}
