/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The guest's memory and queue pairs: see guest.h. The oracle is in oracle.c.
 */
#include "guest.h"
#include "oracle.h"
#include "requests.h"

#define RIGHTS (ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)

struct accel_model *guest_card;
struct guest guests[FUNCTIONS];
bool guest_faulty;
bool guest_paced;
loads_fn guest_on_read;

static uint8_t pattern[MEMORY];

uint64_t
guest_iova(const struct guest *g, const void *p)
{
	return BASE + (uint64_t)((const uint8_t *)p - g->mem);
}

void
guest_write(struct guest *g, uint32_t at, const void *from, uint32_t len)
{
	if (at >= MEMORY)
		return;
	if (len > MEMORY - at)
		len = MEMORY - at;
	memcpy(g->mem + at, from, len);
	memcpy(g->shadow + at, from, len);
}

/* Data begin with packets, which protocols can take; the rest is any bytes. */
static void
make_pattern(void)
{
	uint64_t state = 1;

	for (uint32_t i = 0; i < MEMORY; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		pattern[i] = (uint8_t)(state >> 56);
	}
	memset(pattern, 0, DATA_AT);
	request_packets(pattern + DATA_AT);
}

void
guest_open(void)
{
	const struct accel_model_config config = {
		.nb_functions = FUNCTIONS,
		.nb_queue_pairs = PAIRS,
		.nb_workers = 1,
	};

	uint8_t *mem = mmap(NULL, FUNCTIONS * MEMORY, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	fuzz_check(mem != MAP_FAILED, "no memory");
	fuzz_check(accel_model_create(&config, &guest_card) == 0, "no card");
	make_pattern();
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		struct guest *g = &guests[i];

		g->fn = accel_model_function(guest_card, i);
		g->index = i;
		g->mem = mem + i * MEMORY;
	}
}

void
guest_map_page(struct guest *g, uint32_t page, bool map)
{
	const uint64_t iova = BASE + page * 4096u;

	if (g->mapped[page] == map)
		return;
	oracle_check(g);
	g->holes = true;
	g->mapped[page] = map;
	if (map)
		fuzz_check(accel_function_dma_map(g->fn, iova, g->mem + page * 4096u, 4096,
						  RIGHTS) == 0,
			   "map");
	else
		fuzz_check(accel_function_dma_unmap(g->fn, iova, 4096) == 0, "unmap");
}

/* A tree is seldom another one than before. */
static void
find_pages(struct guest *g)
{
	static struct host known[FUNCTIONS];
	static uint8_t *tree[FUNCTIONS];
	const uint32_t size = rd32(&g->h.id->dt_size);
	const uint8_t *now = g->h.bar + rd32(&g->h.id->dt_offset);

	if (tree[g->index] != NULL && memcmp(tree[g->index], now, size) == 0) {
		g->h = known[g->index];
		return;
	}
	host_find_pages(&g->h);
	known[g->index] = g->h;
	tree[g->index] = realloc(tree[g->index], ACCEL_HW_DT_SIZE_MAX);
	memcpy(tree[g->index], now, size);
}

void
guest_find(struct guest *g)
{
	memset(&g->h, 0, sizeof(g->h));
	memset(g->q, 0, sizeof(g->q));
	g->h.model = guest_card;
	g->h.fn = g->fn;
	g->h.mem = g->mem;
	g->h.bar = accel_function_bar0(g->fn, &g->h.bar_size, NULL);
	g->h.id = (void *)g->h.bar;
	find_pages(g);
	g->nb_queues = 0;
	for (unsigned int i = 0; i < g->h.nb_qps + g->h.nb_pks && i < QUEUES; i++) {
		struct fqueue *q = &g->q[i];

		q->h = i < g->h.nb_qps ? g->h.q[i] : g->h.pk[i - g->h.nb_qps];
		q->is_pk = i >= g->h.nb_qps;
		q->index = i;
		q->h.tx = (void *)(g->mem + RINGS_AT(i));
		q->h.rx = (void *)(g->mem + RINGS_AT(i) + RX_AT);
		q->h.rsp = (void *)(g->mem + RINGS_AT(i) + RSP_AT);
		q->h.wb = (void *)(g->mem + RINGS_AT(i) + LINE_AT);
		q->h.tx_upper = q->h.rx_upper = UINT64_MAX;
		g->nb_queues++;
	}
}

static void
renew(struct guest *g)
{
	accel_function_dma_unmap_all(g->fn);
	accel_function_flr(g->fn);
	accel_function_set_present(g->fn, true);
	g->holes = g->loose = g->racing = g->held = false;
	memset(g->has_state, 0, sizeof(g->has_state));
	memset(g->mapped, 1, sizeof(g->mapped));
	g->last_at = DATA_AT;
	g->last_len = 64;
	memcpy(g->mem, pattern, MEMORY);
	memcpy(g->shadow, pattern, MEMORY);
	fuzz_check(accel_function_dma_map(g->fn, BASE, g->mem, MEMORY, RIGHTS) == 0, "map");
	guest_find(g);
}

/* One round of the device. @return how many responses it wrote. */
static unsigned int
round_of_device(void)
{
	unsigned int answered;

	if (guest_on_read != NULL)
		loads_watch(guests[0].mem, FUNCTIONS * MEMORY, guest_on_read, NULL);
	answered = accel_model_worker_poll(guest_card, 0);
	loads_forget();
	return answered;
}

void
guest_begin(void)
{
	guest_faulty = guest_paced = false;
	accel_model_fault(guest_card, "none");
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		renew(&guests[i]);
	round_of_device();
}

void
guest_end(void)
{
	guest_settle();
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		memset(guests[i].q, 0, sizeof(guests[i].q));
		guests[i].nb_queues = 0;
		accel_function_flr(guests[i].fn);
		oracle_check(&guests[i]);
		accel_function_dma_unmap_all(guests[i].fn);
	}
	/* Nothing is under way any more: what the device wrote now would be after a reset. */
	round_of_device();
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		oracle_check(&guests[i]);
}

bool
guest_interrupt(struct guest *g, bool work)
{
	const bool loose = g->loose;

	if (!work)
		guest_settle();
	g->loose |= work;
	for (unsigned int i = 0; i < g->nb_queues; i++) {
		if (work)
			guest_ring(&g->q[i]);
		g->q[i].running = false;
	}
	return loose;
}

void
guest_interrupted(struct guest *g, bool loose)
{
	oracle_check(g);
	g->loose = loose;
	guest_find(g);
}

/* START and STOP write the line. */
static void
allow_line(struct guest *g, struct fqueue *q)
{
	oracle_check(g);
	q->starting = true;
}

void
guest_command(struct guest *g, struct fqueue *q, uint32_t command)
{
	static uint32_t sequence; /* never the one before, whatever was reset */
	const uint32_t control = (++sequence << ACCEL_HW_QP_CMD_SEQ_SHIFT) | command;

	wr32(&q->h.regs->control, control);
	/* A worker looks seldom at public-key queue pairs while it has other work. */
	for (unsigned int i = 0; i < 100 && rd32(&q->h.dev->control_ack) != control; i++)
		guest_poll();
	fuzz_check(g->held || guest_paced || rd32(&q->h.dev->control_ack) == control,
		   "command %u has no echo", command);
	if (command == ACCEL_HW_QP_CMD_STOP_DRAIN || command == ACCEL_HW_QP_CMD_STOP_DISCARD) {
		q->running = q->loose = false;
	}
}

void
guest_start(struct guest *g, struct fqueue *q, uint32_t tx, uint32_t rx, uint32_t rsp)
{
	struct accel_hw_qp_host *r = q->h.regs;

	if (q->running || g->held)
		return;
	wr64(&r->doorbell, 0);
	wr32(&r->tx_size, tx);
	wr32(&r->rx_size, rx);
	wr32(&r->rsp_size, rsp);
	wr64(&r->tx_base, guest_iova(g, q->h.tx));
	wr64(&r->rx_base, guest_iova(g, q->h.rx));
	wr64(&r->rsp_base, guest_iova(g, q->h.rsp));
	wr64(&r->wb_base, guest_iova(g, q->h.wb));
	wr64(&r->command_upper, q->command_upper == UINT64_MAX ? 0 :
	     ACCEL_HW_QP_COMMAND_UPPER_VALID | q->command_upper >> ACCEL_HW_DESC_REGION_SHIFT);
	wr64(&r->command_base, q->ring_of_commands ?
	     (BASE + COMMANDS_AT(q->index)) | ACCEL_HW_QP_COMMAND_BASE_VALID : 0);
	wr32(&r->command_size, SLOTS_MAX);
	q->h.tx_size = tx;
	q->h.rx_size = rx;
	q->h.rsp_size = rsp;
	q->h.tx_sdp = q->h.rx_sdp = q->h.rsp_slot = 0;
	q->h.tx_upper = q->h.rx_upper = q->tx_up = q->rx_up = UINT64_MAX;
	q->tx_rung = q->rx_rung = q->tx_at = q->rx_at = q->posted = q->answered = 0;
	allow_line(g, q);
	guest_command(g, q, ACCEL_HW_QP_CMD_START);
	q->starting = false;
	q->running = true;
	oracle_check(g);
}

static bool
post(struct guest *g, uint64_t *ring, uint32_t size, uint32_t at, uint32_t *sdp, uint64_t desc)
{
	const uint32_t next = (*sdp + 1) & (size - 1);

	if (next == at)
		return false;
	guest_write(g, (uint32_t)((uint8_t *)&ring[*sdp] - g->mem), &desc, sizeof(desc));
	oracle_new(&ring[*sdp], sizeof(desc));
	*sdp = next;
	return true;
}

bool
guest_post_tx(struct guest *g, struct fqueue *q, uint64_t desc)
{
	return q->running && post(g, q->h.tx, q->h.tx_size, q->tx_at, &q->h.tx_sdp, desc);
}

bool
guest_post_rx(struct guest *g, struct fqueue *q, uint64_t desc)
{
	return q->running && post(g, q->h.rx, q->h.rx_size, q->rx_at, &q->h.rx_sdp, desc);
}

void
guest_ring(struct fqueue *q)
{
	q->tx_rung = q->h.tx_sdp;
	q->rx_rung = q->h.rx_sdp;
	if (q->running)
		wr64(&q->h.regs->doorbell, (uint64_t)q->h.rx_sdp << 32 | q->h.tx_sdp);
}

/* The last check of an input is of all functions. */
static void
check_active(void)
{
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		bool active = false;

		for (unsigned int j = 0; j < guests[i].nb_queues; j++)
			active |= guests[i].q[j].running;
		if (active)
			oracle_check(&guests[i]);
	}
}

void
guest_poll(void)
{
	round_of_device();
	check_active();
}

/* A visit takes 64 requests or fewer, and a public-key operation is one round's work. */
void
guest_settle(void)
{
	unsigned int quiet = 0;

	for (unsigned int i = 0; i < 400 && quiet < 3; i++)
		quiet = round_of_device() == 0 ? quiet + 1 : 0;
	check_active();
	if (quiet == 3 && !guest_paced) {
		for (unsigned int i = 0; i < FUNCTIONS; i++)
			oracle_finished(&guests[i]);
	}
}
