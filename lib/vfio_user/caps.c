/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Capabilities: see caps.h. This file reads as much of JSON (RFC 8259) as it takes to find them
 * safely. Every function moves a cursor past what it has read, and returns false if the text is
 * invalid.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "caps.h"

#define DEPTH_MAX 16u

static const char *const cap_name[CAP_NB] = {
	[CAP_MAX_MSG_FDS] = "max_msg_fds",
	[CAP_MAX_DATA_XFER_SIZE] = "max_data_xfer_size",
	[CAP_MAX_DMA_MAPS] = "max_dma_maps",
	[CAP_PGSIZES] = "pgsizes",
};

struct cursor {
	const char *at;
	const char *end;
};

/* A function of this type is called for each member of an object after its name was read. The
 * cursor is at the value. */
typedef bool member_fn(struct cursor *c, const char *name, size_t len, void *arg,
		       unsigned int depth);

static bool value(struct cursor *c, unsigned int depth);

static void
blanks(struct cursor *c)
{
	while (c->at < c->end &&
	       (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
		c->at++;
}

static bool
take(struct cursor *c, char ch)
{
	if (c->at == c->end || *c->at != ch)
		return false;
	c->at++;
	return true;
}

static bool
word(struct cursor *c, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(c->end - c->at) < len || memcmp(c->at, text, len) != 0)
		return false;
	c->at += len;
	return true;
}

static bool
hex4(struct cursor *c)
{
	for (int i = 0; i < 4; i++) {
		if (c->at == c->end || strchr("0123456789abcdefABCDEF", *c->at) == NULL ||
		    *c->at == '\0')
			return false;
		c->at++;
	}
	return true;
}

/* Read a string. Escapes are checked but not resolved, because no known name has an escape. */
static bool
string(struct cursor *c, const char **text, size_t *len)
{
	if (!take(c, '"'))
		return false;
	*text = c->at;
	while (c->at < c->end && *c->at != '"') {
		if ((unsigned char)*c->at < 0x20)
			return false;
		if (*c->at++ != '\\')
			continue;
		if (c->at == c->end || *c->at == '\0' || strchr("\"\\/bfnrtu", *c->at) == NULL)
			return false;
		if (*c->at++ == 'u' && !hex4(c))
			return false;
	}
	*len = (size_t)(c->at - *text);
	return take(c, '"');
}

static bool
digits(struct cursor *c)
{
	const char *from = c->at;

	while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
		c->at++;
	return c->at > from;
}

static bool
number(struct cursor *c)
{
	take(c, '-');
	if (!take(c, '0') && !digits(c))
		return false;
	if (take(c, '.') && !digits(c))
		return false;
	if (take(c, 'e') || take(c, 'E')) {
		if (!take(c, '-'))
			take(c, '+');
		return digits(c);
	}
	return true;
}

static bool
object(struct cursor *c, member_fn *fn, void *arg, unsigned int depth)
{
	const char *name;
	size_t len;

	if (depth == DEPTH_MAX || !take(c, '{'))
		return false;
	blanks(c);
	if (take(c, '}'))
		return true;
	do {
		blanks(c);
		if (!string(c, &name, &len))
			return false;
		blanks(c);
		if (!take(c, ':'))
			return false;
		blanks(c);
		if (!(fn != NULL ? fn(c, name, len, arg, depth + 1) : value(c, depth + 1)))
			return false;
		blanks(c);
	} while (take(c, ','));
	return take(c, '}');
}

static bool
array(struct cursor *c, unsigned int depth)
{
	if (depth == DEPTH_MAX || !take(c, '['))
		return false;
	blanks(c);
	if (take(c, ']'))
		return true;
	do {
		blanks(c);
		if (!value(c, depth + 1))
			return false;
		blanks(c);
	} while (take(c, ','));
	return take(c, ']');
}

static bool
value(struct cursor *c, unsigned int depth)
{
	const char *text;
	size_t len;

	if (c->at == c->end)
		return false;
	switch (*c->at) {
	case '{':
		return object(c, NULL, NULL, depth);
	case '[':
		return array(c, depth);
	case '"':
		return string(c, &text, &len);
	case 't':
		return word(c, "true");
	case 'f':
		return word(c, "false");
	case 'n':
		return word(c, "null");
	default:
		return number(c);
	}
}

/* Reads a number of 64 bits without sign, fraction or exponent. */
static bool
integer(struct cursor *c, uint64_t *n)
{
	const char *from = c->at;
	uint64_t sum = 0;

	if (!number(c))
		return false;
	for (; from < c->at; from++) {
		unsigned int digit = (unsigned int)(*from - '0');

		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*n = sum;
	return true;
}

static bool
capability(struct cursor *c, const char *name, size_t len, void *arg, unsigned int depth)
{
	struct caps *caps = arg;

	for (unsigned int i = 0; i < CAP_NB; i++) {
		if (strlen(cap_name[i]) != len || memcmp(cap_name[i], name, len) != 0)
			continue;
		caps->named[i] = true;
		return integer(c, &caps->value[i]);
	}
	return value(c, depth);
}

static bool
top_member(struct cursor *c, const char *name, size_t len, void *arg, unsigned int depth)
{
	if (len == strlen("capabilities") && memcmp(name, "capabilities", len) == 0)
		return object(c, capability, arg, depth);
	return value(c, depth);
}

int
caps_parse(const char *text, size_t len, struct caps *caps)
{
	struct cursor c = { .at = text, .end = text + len };

	memset(caps, 0, sizeof(*caps));
	blanks(&c);
	if (!object(&c, top_member, caps, 0))
		return -EINVAL;
	blanks(&c);
	return c.at == c.end ? 0 : -EINVAL;
}

int
caps_write(char *to, size_t room, const struct caps *ours, const struct caps *named)
{
	const char *comma = "";
	size_t used = 0;

	used += (size_t)snprintf(to, room, "{\"capabilities\":{");
	for (unsigned int i = 0; i < CAP_NB && used < room; i++) {
		if (!ours->named[i] || !named->named[i])
			continue;
		used += (size_t)snprintf(to + used, room - used, "%s\"%s\":%llu", comma,
					 cap_name[i], (unsigned long long)ours->value[i]);
		comma = ",";
	}
	if (used < room)
		used += (size_t)snprintf(to + used, room - used, "}}");
	return used < room ? (int)used : -ENOSPC;
}
