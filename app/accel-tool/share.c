/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * share is about the parts of a card that its virtual functions have. On a physical function it
 * shows, sets and refuses shares. On a virtual function it shows the function's own share and asks
 * for another one.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include <rte_pmd_accel.h>

#include "base/print.h"
#include "commands.h"
#include "device/device.h"
#include "share_text.h"

enum { KEY_VF = 1, KEY_SET, KEY_ASK, KEY_REFUSE, KEY_HOLD };

static const struct tool_option options[] = {
	{ "vf", "N", "the virtual function, from 0 (all that are there)", KEY_VF },
	{ "set", "SHARE", "give a VF a share: queue-pairs=2,weight=3,...", KEY_SET },
	{ "refuse", NULL, "refuse what a VF has asked for", KEY_REFUSE },
	{ "ask", "SHARE", "on a VF: ask the physical function for a share", KEY_ASK },
	{ "hold", NULL, "stay until SIGINT or SIGTERM, and keep the function", KEY_HOLD },
	{ NULL, NULL, NULL, 0 },
};

struct share {
	struct tool_device device;
	int count; /* VFs of a physical function; negative: this is no physical function */
	int vf; /* -1: all */
	struct rte_pmd_accel_vf_share wanted;
	bool set, ask, refuse, hold;
};

static int
parse(struct tool_args *args, struct share *s)
{
	const char *value;
	uint64_t n;
	int key;

	memset(s, 0, sizeof(*s));
	s->vf = -1;
	while ((key = tool_next(args, &value)) != TOOL_END) {
		switch (key) {
		case KEY_VF:
			if (!tool_number("vf", value, 0, 255, &n))
				return TOOL_USAGE;
			s->vf = (int)n;
			break;
		case KEY_SET:
		case KEY_ASK:
			if (!share_parse(key == KEY_SET ? "set" : "ask", value, &s->wanted))
				return TOOL_USAGE;
			s->set = s->set || key == KEY_SET;
			s->ask = s->ask || key == KEY_ASK;
			break;
		case KEY_REFUSE:
			s->refuse = true;
			break;
		case KEY_HOLD:
			s->hold = true;
			break;
		default:
			return TOOL_USAGE;
		}
	}
	if (s->set + s->ask + s->refuse > 1)
		return tool_usage("--set, --ask and --refuse exclude each other");
	if ((s->set || s->refuse) && s->vf < 0)
		return tool_usage("--%s needs --vf N", s->set ? "set" : "refuse");
	if (s->ask && s->vf >= 0)
		return tool_usage("--ask is for a VF itself, without --vf; --set gives a VF a "
				  "share");
	return TOOL_GOOD;
}

/* ------------------------------------------------------------------ changes */

static int
failed(const struct share *s, const char *what, int ret)
{
	const char *why = strerror(-ret);

	if (ret == -ENOSPC)
		why = "the card does not have so many queue pairs left";
	else if (ret == -ENOENT)
		why = "the VF has not asked, or has an answer";
	else if (ret == -EINVAL)
		why = "the card has no such VF, or cannot give it that";
	else if (ret == -ENOTSUP)
		why = "the card has no mailboxes between its functions";
	else if (ret == -EIO)
		why = "the card is gone or has failed; 'info' says how it is";
	else if (ret == -ETIMEDOUT)
		why = "the card does not answer; 'info' says how it is";
	tool_error("%s: cannot %s: %s", s->device.name, what, why);
	return ret == -EINVAL || ret == -ENOENT ? TOOL_ABSENT : TOOL_BROKEN;
}

static int
change(const struct share *s)
{
	const uint8_t id = s->device.id;
	int ret = 0;

	if (s->ask && s->count > 0) {
		tool_error("%s is a physical function; only a VF asks, and --set gives it a share",
			   s->device.name);
		return TOOL_ABSENT;
	}
	if (s->set) {
		ret = rte_pmd_accel_vf_share_set(id, (uint16_t)s->vf, &s->wanted);
		if (ret != 0)
			return failed(s, "set the share", ret);
	}
	if (s->refuse) {
		ret = rte_pmd_accel_vf_share_set(id, (uint16_t)s->vf, NULL);
		if (ret != 0)
			return failed(s, "refuse", ret);
	}
	if (s->ask) {
		ret = rte_pmd_accel_share_ask(id, &s->wanted);
		if (ret != 0)
			return failed(s, "ask for a share", ret);
	}
	return TOOL_GOOD;
}

/* ------------------------------------------------------------------ answers */

static json_t *
vf_row(const struct share *s, uint16_t vf)
{
	struct rte_pmd_accel_vf_info info;
	json_t *row;
	bool known;

	if (rte_pmd_accel_vf_info_get(s->device.id, vf, &info) != 0)
		return NULL;
	known = info.state != RTE_PMD_ACCEL_VF_UNKNOWN;
	row = json_pack("{s:i, s:s, s:o}", "vf", (int)vf, "state", info.state_name,
			"queue_pairs_now",
			known ? json_integer(info.queue_pairs) : json_null());
	share_add(row, &info.share);
	json_object_set_new(row, "in_effect", known ? json_boolean(info.share_in_effect) :
			    json_null());
	json_object_set_new(row, "asks_for", known && info.request_pending ?
			    share_text(&info.asked) : json_null());
	return row;
}

static json_t *
pf_answer(const struct share *s)
{
	const int from = s->vf < 0 ? 0 : s->vf, to = s->vf < 0 ? s->count : s->vf + 1;
	json_t *rows = json_array(), *row;
	int vf;

	for (vf = from; vf < to; vf++) {
		row = vf_row(s, (uint16_t)vf);
		if (row != NULL)
			json_array_append_new(rows, row);
	}
	return json_pack("{s:s, s:s, s:s, s:i, s:o}", "kind", "share", "device", s->device.name,
			 "function", "physical", "vfs_max", s->count, "vfs", rows);
}

static json_t *
vf_answer(const struct share *s, const struct rte_pmd_accel_share_info *info)
{
	static const char *const answers[] = { "none", "pending", "granted", "refused" };
	static const char *const pfs[] = { "unknown", "up", "going down" };
	char text[32];
	json_t *o;

	snprintf(text, sizeof(text), "code %u", info->answer_code);
	o = json_pack("{s:s, s:s, s:s, s:i, s:b, s:s, s:s}", "kind", "share", "device",
		      s->device.name,
		      "function", "virtual", "queue_pairs_now", (int)info->queue_pairs, "is_set",
		      info->is_set != 0, "answer",
		      info->answer < RTE_DIM(answers) ? answers[info->answer] : text,
		      "physical_function",
		      info->pf_state < RTE_DIM(pfs) ? pfs[info->pf_state] : "unknown");
	share_add(o, &info->share);
	return o;
}

static int
show(const struct share *s, bool json)
{
	struct rte_pmd_accel_share_info info;

	if (s->count > 0)
		return tool_print(pf_answer(s), json) ? TOOL_GOOD : TOOL_BROKEN;
	if (rte_pmd_accel_share_info_get(s->device.id, &info) != 0) {
		tool_error("the card does not say what share %s has", s->device.name);
		return TOOL_BROKEN;
	}
	return tool_print(vf_answer(s, &info), json) ? TOOL_GOOD : TOOL_BROKEN;
}

/* Blocks the signals that end --hold, before the EAL makes threads that would get them. */
static void
block(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigprocmask(SIG_BLOCK, signals, NULL);
}

/* Checks that the device has shares. */
static int
check(struct share *s)
{
	struct rte_pmd_accel_share_info info;
	int ret;

	s->count = rte_pmd_accel_vf_count(s->device.id);
	ret = s->count > 0 ? 0 : rte_pmd_accel_share_info_get(s->device.id, &info);
	if (s->count <= 0 && ret != 0) {
		tool_error("%s is neither a physical function with VFs nor a VF; name one with -a "
			   "BDF",
			   s->device.name);
		return TOOL_ABSENT;
	}
	if (s->vf < 0)
		return TOOL_GOOD;
	if (s->count <= 0) {
		tool_error("%s is a VF and has none itself; --vf is for the physical function",
			   s->device.name);
		return TOOL_ABSENT;
	}
	if (s->vf >= s->count) {
		tool_error("%s has VFs 0 to %d, not %d", s->device.name, s->count - 1, s->vf);
		return TOOL_ABSENT;
	}
	return TOOL_GOOD;
}

static int
run(struct tool_args *args)
{
	sigset_t signals;
	struct share s;
	int ret, got;

	ret = parse(args, &s);
	if (ret == TOOL_GOOD && s.hold)
		block(&signals);
	if (ret == TOOL_GOOD)
		ret = tool_start(args);
	if (ret != TOOL_GOOD)
		return ret;
	ret = tool_device_find(args, true, &s.device);
	if (ret == TOOL_GOOD)
		ret = check(&s);
	if (ret == TOOL_GOOD)
		ret = change(&s);
	if (ret == TOOL_GOOD)
		ret = show(&s, args->json);
	if (ret == TOOL_GOOD && s.set && !s.hold && rte_eal_process_type() == RTE_PROC_PRIMARY)
		fprintf(stderr, TOOL_NAME " share: if no other process holds %s, Linux resets it "
			"now and the share is lost; --hold keeps it\n", s.device.name);
	/* When the last user of a PF on vfio-pci ends, Linux resets it and its VFs. */
	if (ret == TOOL_GOOD && s.hold)
		sigwait(&signals, &got);
	rte_eal_cleanup();
	return ret;
}

const struct tool_command tool_share = {
	.name = "share",
	.what = "Show, set and ask for the shares of virtual functions",
	.eal = true,
	.options = options,
	.examples = "  " TOOL_NAME " share -a 0000:03:00.0\n"
		    "  " TOOL_NAME " share -a 0000:03:00.0 --vf 1 --set queue-pairs=2,weight=3 "
		    "--hold\n"
		    "  " TOOL_NAME " share --proc-type=secondary --file-prefix pf --vf 1 --set "
		    "weight=5\n"
		    "  " TOOL_NAME " share -a 0000:03:10.0 --ask peak-bytes=1250000000\n",
	.run = run,
};
