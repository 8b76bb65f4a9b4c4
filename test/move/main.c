/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * accel-move: an application that goes on while its card leaves and comes back, as in a virtual
 * machine that moves to another host. It has crypto_scheduler in fail-over mode, with the card as
 * the first worker and a software driver as the second one. The scheduler is never stopped:
 *
 * - The card leaves when standard input says "leave", or when the kernel wants the function back.
 *   The traffic's thread drains and stops the card between two bursts. What the card does not take
 *   goes to the second worker. Then the device is removed.
 * - It comes back when standard input says "return". The device is probed and set up; the traffic's
 *   thread starts it.
 * - The program ends when standard input says "end", with the card in use.
 *
 * A command is read after NB_PHASE operations of the state before it. Nothing here depends on a
 * clock.
 */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_bus.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_lcore.h>

#include "traffic.h"

#define SCHEDULER "crypto_scheduler0"
#define NB_PHASE 20000

static const char *card_name, *card_args, *software_name;
static uint8_t scheduler, card, software;
static atomic_bool wanted_back; /* the kernel wants the function back */
static unsigned int events;	/* how often it did */
static uint64_t again;		/* operations that were carried out again */
static uint64_t base;		/* operations of the software driver when the card came */
static uint64_t strayed;	/* operations that it had beside a card that works */

/* The EAL calls this when a device is about to go. */
static void
on_device(const char *name, enum rte_dev_event_type type, void *unused)
{
	RTE_SET_USED(unused);
	if (type == RTE_DEV_EVENT_REMOVE && strcmp(name, card_name) == 0)
		wanted_back = true;
}

/* Finds a device by its name, or ends the program. */
static uint8_t
find(const char *name)
{
	int id = rte_cryptodev_get_dev_id(name);

	if (id < 0)
		rte_exit(EXIT_FAILURE, "there is no device %s; see the arguments of the EAL\n",
			 name);
	return (uint8_t)id;
}

/* Configures a device with one queue pair. */
static int
set_up(uint8_t id)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1,
					       .socket_id = rte_cryptodev_socket_id(id) };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = TRAFFIC_DEPTH };

	return rte_cryptodev_configure(id, &config) != 0 ||
	       rte_cryptodev_queue_pair_setup(id, 0, &qp, config.socket_id) != 0;
}

static int
card_stop(void *unused)
{
	RTE_SET_USED(unused);
	rte_cryptodev_stop(card);
	return 0;
}

static int
card_start(void *unused)
{
	RTE_SET_USED(unused);
	return rte_cryptodev_start(card);
}

/* Returns how many operations a worker was given. */
static uint64_t
given(uint8_t id)
{
	struct rte_cryptodev_stats stats = { 0 };

	if (rte_cryptodev_stats_get(id, &stats) != 0)
		rte_exit(EXIT_FAILURE, "%s counts no operations\n", rte_cryptodev_name_get(id));
	return stats.enqueued_count;
}

/* Prints the count of a phase, and begins the next one. */
static void
report(const char *phase)
{
	struct traffic_count count;

	traffic_read(&count);
	again += count.again;
	printf("%s: %" PRIu64 " operations, %" PRIu64 " of them carried out again, "
	       "longest pause %.0f us\n", phase, count.right, count.again,
	       (double)count.pause * 1e6 / (double)rte_get_tsc_hz());
	fflush(stdout);
	traffic_mark();
}

/* Waits until a worker has had a number of operations, and prints that it has the traffic. */
static void
settle(uint8_t worker, const char *phase)
{
	uint64_t begin = given(worker);

	while (given(worker) - begin < NB_PHASE && !(worker == card && wanted_back))
		rte_delay_us_sleep(1000);
	printf("settled: %s\n", phase);
	fflush(stdout);
}

/* Reads a command. Returns "leave" as soon as the kernel wants the function back. */
static const char *
command(bool on_card)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	static char line[32];

	for (;;) {
		if (on_card && wanted_back)
			return "leave";
		if (poll(&input, 1, 10) > 0)
			break;
	}
	/* One character at a time, so that poll() sees what is left. */
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		if (read(STDIN_FILENO, &line[i], 1) != 1) {
			line[i] = 0;
			return i > 0 ? line : "end";
		}
		if (line[i] == '\n') {
			line[i] = 0;
			return line;
		}
	}
	return "";
}

/* Takes the card out. The software driver has the traffic then. */
static void
leave(void)
{
	struct rte_cryptodev_info info;

	if (!wanted_back)
		strayed += given(software) - base;
	report("on the card");
	rte_cryptodev_info_get(card, &info);
	events += wanted_back;
	traffic_between(card_stop, NULL, true);
	settle(software, "software");
	report("from the card to software");
	if (rte_dev_remove(info.device) != 0)
		rte_exit(EXIT_FAILURE, "%s cannot be removed\n", card_name);
	wanted_back = false;
	printf("removed: %s\n", card_name);
	fflush(stdout);
}

/* Takes a new card in. */
static void
come_back(void)
{
	char arguments[256];

	report("in software");
	snprintf(arguments, sizeof(arguments), "%s%s%s", card_name, *card_args != 0 ? "," : "",
		 card_args);
	if (rte_dev_probe(arguments) != 0)
		rte_exit(EXIT_FAILURE, "%s cannot be probed; is it bound to vfio-pci?\n",
			 card_name);
	/*
	 * The scheduler knows its workers by number, and cannot exchange one while it is started. A
	 * new device has the lowest free number, which is that of the old one.
	 */
	if (find(card_name) != card)
		rte_exit(EXIT_FAILURE, "%s has another number than before, so the scheduler does "
			 "not know it; make no other device meanwhile\n", card_name);
	if (set_up(card) != 0 || traffic_between(card_start, NULL, false) != 0)
		rte_exit(EXIT_FAILURE, "%s does not start; its log lines say why\n", card_name);
	base = given(software);
	settle(card, "card");
	report("from software to the card");
}

/* Prints the verdict. */
static int
verdict(void)
{
	unsigned int lost = traffic_lost();
	uint64_t bad = traffic_bad();
	bool good = lost == 0 && bad == 0 && strayed == 0 &&
		    again <= (uint64_t)events * TRAFFIC_SLOTS;

	printf("%s: %u operations lost, %" PRIu64 " wrong, %" PRIu64 " carried out again, %" PRIu64
	       " strayed, %u removals without notice\n", good ? "ok" : "FAILED", lost, bad, again,
	       strayed, events);
	fflush(stdout);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	struct rte_cryptodev_info info;
	const char *word = "";
	bool on_card = true;
	int used = rte_eal_init(argc, argv);
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

	if (used < 0 || argc - used != 4 || lcore == RTE_MAX_LCORE)
		rte_exit(EXIT_FAILURE, "usage: accel-move EAL-ARGUMENTS -- CARD CARD-ARGUMENTS "
			 "SOFTWARE\nThe EAL needs two lcores, and --vdev " SCHEDULER
			 ",worker=SOFTWARE,worker=CARD,mode=fail-over\n");
	card_name = argv[used + 1];
	card_args = argv[used + 2];
	software_name = argv[used + 3];
	scheduler = find(SCHEDULER);
	card = find(card_name);
	software = find(software_name);
	/* The library logs each burst that a stopped worker refuses. */
	rte_log_set_level_pattern("lib.cryptodev", RTE_LOG_CRIT);
	rte_dev_event_callback_register(NULL, on_device, NULL);
	if (set_up(scheduler) != 0 || rte_cryptodev_start(scheduler) != 0)
		rte_exit(EXIT_FAILURE, "the scheduler does not start; its log lines say why\n");
	traffic_init(scheduler);
	if (rte_eal_remote_launch(traffic_run, NULL, lcore) != 0)
		rte_exit(EXIT_FAILURE, "the thread does not start\n");
	base = given(software);
	settle(card, "card");
	while (strcmp(word = command(on_card), "end") != 0 || !on_card) {
		if (strcmp(word, "leave") == 0 && on_card)
			leave();
		else if (strcmp(word, "return") == 0 && !on_card)
			come_back();
		else
			rte_exit(EXIT_FAILURE, "'%s' makes no sense %s the card\n", word,
				 on_card ? "on" : "without");
		on_card = !on_card;
	}
	report("on the card");
	strayed += given(software) - base;
	traffic_end();
	rte_eal_wait_lcore(lcore);
	rte_cryptodev_stop(scheduler);
	traffic_free();
	used = verdict();
	/* The EAL would remove the card first, and the scheduler then looks at what is gone. */
	rte_cryptodev_info_get(scheduler, &info);
	if (rte_dev_remove(info.device) != 0)
		rte_exit(EXIT_FAILURE, "the scheduler cannot be removed\n");
	rte_eal_cleanup();
	return used;
}
