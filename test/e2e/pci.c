/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests what only a PCI function behind an IOMMU can show: DMA outside the map, memory that is
 * unmapped, the addresses of another process, a function level reset that the driver did not start,
 * and a device that is removed or gone for good. The embedded device skips these tests.
 */

#include <pthread.h>
#include <sys/mman.h>

#include <rte_dev.h>
#include <rte_memory.h>
#include <rte_pci.h>

#include "e2e.h"

#define OPS 512u
#define LEN 1024u
#define PAGE 4096u
#define AREA (64 * PAGE)
#define FAIL_WAIT_MS 8000	/* time until an op fails; longer than timeout_ms */
#define HEALINGS 5
#define HEAL_WAIT_MS 60000	/* time until an op succeeds again; longer than a healing */

/* No processor's IOMMU translates the high addresses by default. The low one is not mapped. */
static const rte_iova_t nowhere[] = { 0x7fff00000000, 0x10000, 0x3ffffff00000 };

/* Processes that share this address choose it alike. Every IOMMU has 39 bits. */
#define SHARED_ADDRESS UINT64_C(0x6000000000)
#define SHARED_OPS 2000u

/* The option --break sets the shell command that breaks the device, or another one. */
static const char *break_command;

static bool
is_pci(const struct e2e *t)
{
	struct rte_pci_addr addr;

	return rte_pci_addr_parse(t->name, &addr) == 0;
}

#define PCI_ONLY(t)                                                                    \
	do {                                                                           \
		if (!is_pci(t))                                                        \
			return e2e_skip(t, "needs a PCI function");                    \
		if (rte_eal_iova_mode() != RTE_IOVA_VA)                                \
			return e2e_skip(t, "needs an IOMMU, IOVA as VA");              \
	} while (0)

static unsigned int events;

static void
on_event(uint8_t dev, enum rte_cryptodev_event_type type, void *arg)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(arg);
	if (type == RTE_CRYPTODEV_EVENT_ERROR)
		events++;
}

/* ------------------------------------------------------------------ outside of the map */

/* One of eight ops has an address that the IOMMU does not map. */
static bool
is_stray(unsigned int i)
{
	return i % 8 == 5;
}

/*
 * Gives an op an address that is not mapped. The physical address of its data proves that there is
 * an IOMMU: without translation the DMA would succeed there.
 */
static void
lead_astray(struct e2e_bulk *b, unsigned int i, bool physical)
{
	struct rte_mbuf *m = b->mbuf[i];

	if (physical)
		rte_mbuf_iova_set(m, rte_mem_virt2phy(m->buf_addr));
	else
		rte_mbuf_iova_set(m, nowhere[(i / 8) % RTE_DIM(nowhere)]);
}

static int
check_stray(struct e2e *t, struct e2e_bulk *b, unsigned int i, struct rte_crypto_op *op,
	    const uint8_t *plain)
{
	CHECK(t, e2e_bulk_index(b, op) == i, "the ops came back out of order");
	CHECK(t, b->seen[i]++ == 0, "op %u came back twice", i);
	CHECK(t, op->status == RTE_CRYPTO_OP_STATUS_ERROR, "op %u at an address outside of the "
	      "map: status %s", i, e2e_status_name(op->status));
	CHECK(t, memcmp(rte_pktmbuf_mtod(b->mbuf[i], void *), plain, LEN) == 0,
	      "op %u: the device wrote to memory that is not mapped", i);
	return E2E_PASS;
}

static int
stray_round(struct e2e *t, struct e2e_bulk *b, bool physical)
{
	struct rte_crypto_op *ops[OPS];
	rte_iova_t own[OPS];
	uint8_t *plain = malloc((size_t)OPS * LEN);
	unsigned int i, got;
	int ret = E2E_PASS;

	CHECK(t, plain != NULL, "no memory");
	e2e_bulk_reset(b);
	for (i = 0; i < OPS; i++) {
		memcpy(plain + (size_t)i * LEN, rte_pktmbuf_mtod(b->mbuf[i], void *), LEN);
		own[i] = rte_mbuf_iova_get(b->mbuf[i]);
		if (is_stray(i))
			lead_astray(b, i, physical);
	}
	got = e2e_send(t->dev, 0, b->op, OPS);
	got = e2e_collect(t->dev, 0, ops, got, E2E_TIMEOUT_MS);
	for (i = 0; i < got && ret == E2E_PASS; i++)
		ret = is_stray(i) ? check_stray(t, b, i, ops[i], plain + (size_t)i * LEN)
				  : e2e_bulk_check(t, b, i, ops[i]);
	for (i = 0; i < OPS; i++)
		rte_mbuf_iova_set(b->mbuf[i], own[i]);
	free(plain);
	CHECK(t, ret != E2E_PASS || got == OPS, "%u of %u ops came back", got, OPS);
	return ret;
}

static int
test_outside(struct e2e *t, const void *arg)
{
	const bool physical = arg != NULL;
	struct e2e_bulk b;
	phys_addr_t phys;

	PCI_ONLY(t);
	TRY(e2e_bulk_open(t, t->dev, OPS, LEN, &b));
	phys = rte_mem_virt2phy(b.mbuf[0]->buf_addr);
	if (physical && (phys == RTE_BAD_IOVA || phys == 0)) {
		e2e_bulk_close(&b);
		return e2e_skip(t, "the kernel hides physical addresses from this user");
	}
	TRY(stray_round(t, &b, physical));
	TRY(e2e_alive(t, t->dev, t->nb_qps));
	e2e_bulk_close(&b);
	e2e_note(t, "%u of %u ops failed, each one alone", OPS / 8, OPS);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ taken out of the map */

static void
area_free(void *addr, void *arg)
{
	RTE_SET_USED(addr);
	RTE_SET_USED(arg);
}

/* Sends one op on the page and checks the op and the page. */
static int
page_op(struct e2e *t, struct e2e_bulk *b, uint8_t *page, bool mapped)
{
	static struct rte_mbuf_ext_shared_info shinfo = { .free_cb = area_free };
	struct rte_mbuf *own = b->mbuf[0], *m = rte_pktmbuf_alloc(t->mbuf_mp);
	struct rte_crypto_op *op = NULL;
	bool same;

	CHECK(t, m != NULL, "no mbuf");
	e2e_bulk_reset(b);
	memcpy(page, rte_pktmbuf_mtod(own, void *), LEN);
	rte_mbuf_ext_refcnt_set(&shinfo, 1);
	rte_pktmbuf_attach_extbuf(m, page, (rte_iova_t)(uintptr_t)page, PAGE, &shinfo);
	rte_pktmbuf_append(m, LEN);
	b->op[0]->sym->m_src = m;
	CHECK(t, e2e_send(t->dev, 0, b->op, 1) == 1, "not accepted");
	CHECK(t, e2e_collect(t->dev, 0, &op, 1, E2E_TIMEOUT_MS) == 1, "did not come back");
	same = memcmp(page, mapped ? b->expect : rte_pktmbuf_mtod(own, uint8_t *), LEN) == 0;
	b->op[0]->sym->m_src = own;
	rte_pktmbuf_free(m);
	CHECK(t, op->status == (mapped ? RTE_CRYPTO_OP_STATUS_SUCCESS : RTE_CRYPTO_OP_STATUS_ERROR),
	      "status %s of an op on memory that is%s mapped", e2e_status_name(op->status),
	      mapped ? "" : " not");
	CHECK(t, same, "memory that is%s mapped has wrong data", mapped ? "" : " not");
	return E2E_PASS;
}

static int
map_and_unmap(struct e2e *t, struct e2e_bulk *b, uint8_t *area)
{
	const uint64_t iova = (uintptr_t)area;
	unsigned int i;

	TRY(page_op(t, b, area, false));
	for (i = 0; i < 20; i++) {
		uint8_t *page = area + e2e_range(&t->rng, 0, AREA / PAGE - 1) * PAGE;

		CHECK(t, rte_dev_dma_map(t->info.device, area, iova, AREA) == 0, "cannot map");
		TRY(page_op(t, b, page, true));
		CHECK(t, rte_dev_dma_unmap(t->info.device, area, iova, AREA) == 0, "no unmap");
		TRY(page_op(t, b, page, false));
	}
	e2e_note(t, "%u times", i);
	return E2E_PASS;
}

static int
test_unmap(struct e2e *t, const void *arg)
{
	struct e2e_bulk b;
	uint8_t *area;
	int ret;

	RTE_SET_USED(arg);
	PCI_ONLY(t);
	area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(t, area != MAP_FAILED, "no memory");
	CHECK(t, rte_extmem_register(area, AREA, NULL, 0, PAGE) == 0, "rte_extmem_register");
	TRY(e2e_bulk_open(t, t->dev, 1, LEN, &b));
	ret = map_and_unmap(t, &b, area);
	e2e_bulk_close(&b);
	rte_extmem_unregister(area, AREA);
	munmap(area, AREA);
	return ret;
}

/* ------------------------------------------------------------------ trouble in mid-burst */

struct storm {
	struct e2e_bulk b;
	uint8_t *plain;
	unsigned int idle[OPS], nb_idle;	/* ops that the device does not have */
	uint64_t sent, good, bad;
};

/* A command that disturbs the device while ops are in-flight. */
struct mishap {
	const char *command;
	pthread_t thread;
	int result;
	bool over;
};

static void *
mishap_thread(void *arg)
{
	struct mishap *m = arg;

	m->result = system(m->command);
	__atomic_store_n(&m->over, true, __ATOMIC_RELEASE);
	return NULL;
}

static int
storm_open(struct e2e *t, struct storm *s)
{
	unsigned int i;

	memset(s, 0, sizeof(*s));
	TRY(e2e_bulk_open(t, t->dev, OPS, LEN, &s->b));
	s->plain = malloc((size_t)OPS * LEN);
	CHECK(t, s->plain != NULL, "no memory");
	for (i = 0; i < OPS; i++) {
		memcpy(s->plain + (size_t)i * LEN, rte_pktmbuf_mtod(s->b.mbuf[i], void *), LEN);
		s->idle[s->nb_idle++] = i;
	}
	return E2E_PASS;
}

static void
storm_close(struct storm *s)
{
	free(s->plain);
	e2e_bulk_close(&s->b);
}

static void
storm_send(struct e2e *t, struct storm *s, uint16_t qp)
{
	struct rte_crypto_op *ops[32];
	unsigned int n = RTE_MIN(s->nb_idle, RTE_DIM(ops)), i;

	for (i = 0; i < n; i++)
		ops[i] = s->b.op[s->idle[i]];
	n = rte_cryptodev_enqueue_burst(t->dev, qp, ops, n);
	memmove(s->idle, s->idle + n, (s->nb_idle - n) * sizeof(s->idle[0]));
	s->nb_idle -= n;
	s->sent += n;
}

/* Dequeues ops. Each must have been in-flight and have a status, and a success must have right
 * data. */
static int
storm_take(struct e2e *t, struct storm *s, uint16_t qp)
{
	struct rte_crypto_op *ops[64];
	unsigned int n = rte_cryptodev_dequeue_burst(t->dev, qp, ops, RTE_DIM(ops)), i, k, j;

	for (i = 0; i < n; i++) {
		k = e2e_bulk_index(&s->b, ops[i]);
		CHECK(t, k < OPS, "an op that was never sent");
		for (j = 0; j < s->nb_idle; j++)
			CHECK(t, s->idle[j] != k, "op %u came back twice", k);
		if (ops[i]->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
			s->b.seen[k] = 0;
			TRY(e2e_bulk_check(t, &s->b, k, ops[i]));
			s->good++;
		} else {
			CHECK(t, ops[i]->status == RTE_CRYPTO_OP_STATUS_ERROR, "op %u: status %s",
			      k, e2e_status_name(ops[i]->status));
			s->bad++;
		}
		memcpy(rte_pktmbuf_mtod(s->b.mbuf[k], void *), s->plain + (size_t)k * LEN, LEN);
		ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		s->idle[s->nb_idle++] = k;
	}
	if (n == 0)
		e2e_relax();
	return E2E_PASS;
}

/* Waits until nothing is in-flight. */
static int
storm_settle(struct e2e *t, struct storm *s, uint16_t qp)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;

	while (s->nb_idle < OPS) {
		TRY(storm_take(t, s, qp));
		CHECK(t, e2e_waited_ms() < end, "%u of %" PRIu64 " ops never came back",
		      OPS - s->nb_idle, s->sent);
	}
	CHECK(t, s->good + s->bad == s->sent, "%" PRIu64 " ops sent, %" PRIu64 " back", s->sent,
	      s->good + s->bad);
	return E2E_PASS;
}

static int
mishap_begin(struct e2e *t, struct mishap *m)
{
	CHECK(t, pthread_create(&m->thread, NULL, mishap_thread, m) == 0, "no thread");
	return E2E_PASS;
}

static bool
mishap_is_over(const struct mishap *m)
{
	return __atomic_load_n(&m->over, __ATOMIC_ACQUIRE);
}

static int
mishap_end(struct e2e *t, struct mishap *m)
{
	pthread_join(m->thread, NULL);
	CHECK(t, m->result == 0, "'%s' ended with %d", m->command, m->result);
	return E2E_PASS;
}

/* Fills the queue pair, starts the mishap, and sends until ops fail. */
static int
storm_run(struct e2e *t, struct storm *s, struct mishap *m)
{
	const uint64_t bad = s->bad, good = s->good;
	uint64_t end = 0;
	bool begun = false;

	while (s->bad == bad) {
		storm_send(t, s, 0);
		TRY(storm_take(t, s, 0));
		if (!begun && s->good >= good + 2 * OPS) {
			TRY(mishap_begin(t, m));
			begun = true;
		}
		if (end == 0 && mishap_is_over(m))
			end = e2e_waited_ms() + FAIL_WAIT_MS;
		CHECK(t, end == 0 || e2e_waited_ms() < end, "'%s' had no effect on %" PRIu64 " ops",
		      m->command, s->sent);
	}
	return storm_settle(t, s, 0);
}

static int
storm(struct e2e *t, struct mishap *m, struct storm *s)
{
	int ret;

	events = 0;
	CHECK(t, rte_cryptodev_callback_register(t->dev, RTE_CRYPTODEV_EVENT_ERROR, on_event,
						 NULL) == 0, "callback not registered");
	ret = storm_open(t, s);
	if (ret == E2E_PASS)
		ret = storm_run(t, s, m);
	rte_cryptodev_callback_unregister(t->dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, NULL);
	TRY(ret);
	CHECK(t, events == 1, "%u events for a queue pair that failed once", events);
	e2e_note(t, "%" PRIu64 " sent, %" PRIu64 " right, %" PRIu64 " with an error", s->sent,
		 s->good, s->bad);
	return E2E_PASS;
}

/* Others reset the function, with --break in that way. The driver gets no notice and must detect
 * it. */
static int
test_outage(struct e2e *t, const void *arg)
{
	struct mishap m = { 0 };
	char command[128];
	struct storm s;

	PCI_ONLY(t);
	snprintf(command, sizeof(command), "bdf=%s; %s", t->name, (const char *)arg);
	m.command = break_command != NULL ? break_command : command;
	TRY(storm(t, &m, &s));
	TRY(mishap_end(t, &m));
	storm_close(&s);
	TRY(e2e_dev_setup(t, t->dev, t->nb_qps, 2048));
	return e2e_alive(t, t->dev, t->nb_qps);
}

/*
 * The same under a program that does not know of errors: it registers no callback, resets nothing,
 * and goes on sending. The driver has to heal the queue pair.
 */
static int
heal(struct e2e *t, struct storm *s, struct mishap *m)
{
	uint64_t good, end = 0;

	TRY(storm_run(t, s, m));
	good = s->good;
	while (s->good < good + 10 * OPS) {
		storm_send(t, s, 0);
		TRY(storm_take(t, s, 0));
		if (end == 0 && mishap_is_over(m))
			end = e2e_waited_ms() + HEAL_WAIT_MS;
		CHECK(t, end == 0 || s->good != good || e2e_waited_ms() < end,
		      "not healed after '%s'", m->command);
	}
	TRY(storm_settle(t, s, 0));
	return mishap_end(t, m);
}

static int
test_heal(struct e2e *t, const void *arg)
{
	struct mishap m = { 0 };
	char command[128];
	struct storm s;

	PCI_ONLY(t);
	snprintf(command, sizeof(command), "bdf=%s; %s", t->name, (const char *)arg);
	m.command = break_command != NULL ? break_command : command;
	TRY(storm_open(t, &s));
	TRY(heal(t, &s, &m));
	storm_close(&s);
	e2e_note(t, "%" PRIu64 " sent, %" PRIu64 " right, %" PRIu64 " with an error", s.sent,
		 s.good, s.bad);
	return E2E_PASS;
}

/* The same several times, with the command of --break, under one queue pair and its sessions. */
static int
test_heal_again(struct e2e *t, const void *arg)
{
	struct storm s;
	unsigned int i;

	RTE_SET_USED(arg);
	PCI_ONLY(t);
	if (break_command == NULL)
		return e2e_skip(t, "needs --break COMMAND");
	TRY(storm_open(t, &s));
	for (i = 0; i < HEALINGS; i++) {
		struct mishap m = { .command = break_command };

		TRY(heal(t, &s, &m));
	}
	storm_close(&s);
	e2e_note(t, "%u times, %" PRIu64 " sent, %" PRIu64 " right, %" PRIu64 " with an error", i,
		 s.sent, s.good, s.bad);
	return E2E_PASS;
}

/* The device is gone for good. Stop must end, and start must fail. */
static int
test_break(struct e2e *t, const void *arg)
{
	struct mishap m = { .command = break_command };
	struct storm s;

	RTE_SET_USED(arg);
	PCI_ONLY(t);
	if (break_command == NULL)
		return e2e_skip(t, "needs --break COMMAND");
	TRY(storm(t, &m, &s));
	TRY(mishap_end(t, &m));
	storm_close(&s);
	rte_cryptodev_stop(t->dev);
	CHECK(t, rte_cryptodev_start(t->dev) != 0, "the device started although it is gone");
	return E2E_PASS;
}

/*
 * Root takes the device away from the process. The kernel asks for it, and the command waits until
 * the application has removed the device. Tests after this one would have none.
 */
static int
test_removal(struct e2e *t, const void *arg)
{
	struct mishap m = { .command = break_command };
	struct storm s;

	RTE_SET_USED(arg);
	PCI_ONLY(t);
	if (break_command == NULL)
		return e2e_skip(t, "needs --break COMMAND");
	TRY(storm(t, &m, &s));
	CHECK(t, !mishap_is_over(&m), "'%s' did not wait for this process", m.command);
	rte_cryptodev_stop(t->dev);
	storm_close(&s);
	CHECK(t, rte_dev_remove(t->info.device) == 0, "cannot remove the device");
	CHECK(t, !rte_cryptodev_is_valid_dev(t->dev), "the device is there after its removal");
	return mishap_end(t, &m);
}

/* ------------------------------------------------------------------ beside another process */

/* Works on random pages until the command ends. What no op has written must stay as it is. */
static int
share_address(struct e2e *t, struct e2e_bulk *b, uint8_t *area, uint8_t *shadow,
	      const struct mishap *m)
{
	unsigned int i;

	e2e_bytes(&t->rng, shadow, AREA);
	memcpy(area, shadow, AREA);
	for (i = 0; i < SHARED_OPS || !mishap_is_over(m); i++) {
		size_t at = e2e_range(&t->rng, 0, AREA / PAGE - 1) * PAGE;

		CHECK(t, memcmp(area + at, shadow + at, PAGE) == 0,
		      "before op %u: another function has written to its page", i);
		TRY(page_op(t, b, area + at, true));
		memcpy(shadow + at, area + at, LEN);
	}
	CHECK(t, memcmp(area, shadow, AREA) == 0, "another function has written to the area");
	e2e_note(t, "%u ops at IOVA 0x%" PRIx64, i, (uint64_t)(uintptr_t)area);
	return E2E_PASS;
}

static int
share_mapped(struct e2e *t, uint8_t *area, uint8_t *shadow)
{
	struct mishap m = { .command = break_command };
	const uint64_t iova = (uintptr_t)area;
	struct e2e_bulk b;
	int ret;

	CHECK(t, rte_dev_dma_map(t->info.device, area, iova, AREA) == 0, "cannot map");
	TRY(e2e_bulk_open(t, t->dev, 1, LEN, &b));
	TRY(mishap_begin(t, &m));
	ret = share_address(t, &b, area, shadow, &m);
	TRY(mishap_end(t, &m));
	e2e_bulk_close(&b);
	CHECK(t, rte_dev_dma_unmap(t->info.device, area, iova, AREA) == 0, "no unmap");
	return ret;
}

/* Another process uses the same addresses with another function, other keys and other data. The
 * command ends when the other one has been at work, too. */
static int
test_same_address(struct e2e *t, const void *arg)
{
	uint8_t *area, *shadow;
	int ret;

	RTE_SET_USED(arg);
	PCI_ONLY(t);
	if (break_command == NULL)
		return e2e_skip(t, "needs --break COMMAND, which waits for another process");
	area = mmap((void *)(uintptr_t)SHARED_ADDRESS, AREA, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CHECK(t, area == (void *)(uintptr_t)SHARED_ADDRESS, "the address is in use");
	CHECK(t, rte_extmem_register(area, AREA, NULL, 0, PAGE) == 0, "rte_extmem_register");
	shadow = malloc(AREA);
	CHECK(t, shadow != NULL, "no memory");
	ret = share_mapped(t, area, shadow);
	free(shadow);
	rte_extmem_unregister(area, AREA);
	munmap(area, AREA);
	return ret;
}

void
e2e_add_pci(const char *command)
{
	break_command = command;
	e2e_add("pci/outside-the-map", test_outside, NULL, true);
	e2e_add("pci/physical-address", test_outside, "", true);
	e2e_add("pci/map-and-unmap", test_unmap, NULL, true);
	e2e_add("pci/flr-in-burst", test_outage, "echo 1 >/sys/bus/pci/devices/$bdf/reset", true);
	e2e_add("pci/sleep-in-burst", test_outage,
		"setpci -s $bdf CAP_PM+4.w=3 && sleep 0.2 && setpci -s $bdf CAP_PM+4.w=0", true);
	e2e_add("pci/heal-flr", test_heal, "echo 1 >/sys/bus/pci/devices/$bdf/reset", true);
	e2e_add("pci/heal-sleep", test_heal,
		"setpci -s $bdf CAP_PM+4.w=3 && sleep 0.2 && setpci -s $bdf CAP_PM+4.w=0", true);
	e2e_add("pci/heal-again", test_heal_again, NULL, true);
	e2e_add("pci/break", test_break, NULL, true);
	e2e_add("pci/same-address", test_same_address, NULL, true);
	e2e_add("pci/removal", test_removal, NULL, true);
}
