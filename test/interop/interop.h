/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Declares what the interoperability tests of IPsec share. One end of each SA is the tested device
 * with a lookaside protocol session ("the card"). The other end is DPDK's librte_ipsec with the
 * plain symmetric sessions of any driver ("the peer"). What the card has to answer comes from an
 * oracle that knows the true sequence number of every packet.
 */

#ifndef INTEROP_H
#define INTEROP_H

#include <rte_ip.h>
#include <rte_ipsec.h>
#include <rte_security.h>

#include "e2e.h"

#define INTEROP_MAX_PACKET 2300	/* bytes of a packet before it is protected */
#define INTEROP_MAX_WIRE 2560	/* bytes of a protected packet */
#define INTEROP_PEERS 8		/* devices that the peer may use */
#define INTEROP_KEY 64

/* Statuses of the card (manual, section 7.4), which the driver tells in rte_crypto_op.aux_flags. */
#define INTEROP_AUTH_FAILED (1u << 1)
#define INTEROP_REPLAY (1u << 9)
#define INTEROP_MALFORMED (1u << 10)
#define INTEROP_MISMATCH (1u << 11)
#define INTEROP_EXPIRED (1u << 12)
#define INTEROP_SEQUENCE_END (1u << 13)

/* ------------------------------------------------------------------ algorithms (suites.c) */

struct interop_suite {
	const char *name;
	enum rte_crypto_sym_xform_type type;	/* AEAD, CIPHER (with auth) or AUTH (alone) */
	int aead, cipher, auth;
	uint16_t keys[3];	/* of AEAD or cipher; 0 ends the list */
	uint16_t auth_key;
	uint16_t icvs[3];	/* 0 ends the list */
	uint8_t iv;		/* bytes in the packet */
	uint8_t pad;		/* what ciphertext is padded to */
	bool no_esn;		/* see the table */
};

extern const struct interop_suite interop_suites[];
extern const unsigned int interop_nb_suites;

/* ------------------------------------------------------------------ oracle (oracle.c) */

/* What a device has to know of an SA, kept in the simplest way: each number that was received. */
struct interop_oracle {
	bool outbound, esn;
	uint32_t window;
	uint64_t top;			/* outbound: last number taken; inbound: highest */
	uint64_t packets, bytes, errors;
	struct rte_security_ipsec_lifetime life;
	uint64_t below;			/* inbound: up to here all count as received */
	uint64_t *seen;			/* number n at n % (window + 1); 0: none */
};

/* What the card shall answer for one packet. */
struct interop_verdict {
	uint32_t reasons;	/* INTEROP_*; 0: success */
	bool soft;		/* a soft limit is reached */
	uint64_t number;	/* outbound: the packet's number */
};

/* Begins with `value` as the next number. Limits and counts stay. Returns -ENOMEM if so. */
int interop_oracle_begin(struct interop_oracle *o, bool outbound, bool esn, uint32_t window,
			 uint64_t value);
void interop_oracle_free(struct interop_oracle *o);
/* Takes the next outbound number for a packet of `bytes`. */
struct interop_verdict interop_oracle_send(struct interop_oracle *o, uint32_t bytes);
/*
 * Enters an inbound packet with the true number `number` and `bytes` after decapsulation. `damage`
 * are the reasons why it cannot be accepted, whatever its number is.
 */
struct interop_verdict interop_oracle_receive(struct interop_oracle *o, uint64_t number,
					      uint32_t bytes, uint32_t damage);

/* ------------------------------------------------------------------ SAs (sa.c) */

struct interop_sa {
	uint32_t spi;
	bool outbound;		/* the card sends, the peer receives; else the other way round */
	bool tunnel, outer6, inner6;
	const struct interop_suite *suite;
	struct rte_security_ipsec_xform ipsec;	/* as the card gets it */
	struct rte_crypto_sym_xform xform[2];	/* of the card's session */
	uint8_t key[INTEROP_KEY], auth_key[INTEROP_KEY];
	uint16_t key_len, icv;

	void *card;		/* security session */
	struct interop_oracle oracle;

	int peer_dev;		/* index of the peer's device */
	void *peer_session;
	struct rte_ipsec_sa *peer_sa;
	uint32_t peer_size;
	struct rte_ipsec_session peer;
	uint64_t peer_next;	/* inbound: number that the peer gives to the next packet */
};

/* What a test demands of a random SA. */
struct interop_wish {
	int outbound;		/* -1: any */
	int esn;
	int suite;
	int limits;		/* 0: none, else soft and hard limits within so many packets */
	int64_t window;		/* -1: any */
	uint64_t packets;	/* hard limit; 0: as `limits` says */
	uint64_t value;		/* first number; 0: any */
};

#define INTEROP_ANY ((struct interop_wish){ .outbound = -1, .esn = -1, .suite = -1, .window = -1 })

struct interop;
int interop_sa_open(struct interop *x, struct interop_sa *sa, const struct interop_wish *wish);
/* Returns whether card and peer have a combination of algorithms. */
bool interop_suite_possible(struct interop *x, const struct interop_suite *suite);
int interop_sa_close(struct interop *x, struct interop_sa *sa);
/* Gives both ends new numbers and another window: session_update() and a new librte_ipsec SA. */
int interop_sa_update(struct interop *x, struct interop_sa *sa, uint64_t value, uint32_t window);
/* Lets the peer go on with another number. */
int interop_peer_renumber(struct interop *x, struct interop_sa *sa, uint64_t value);
/* Compares the statistics of the session with the oracle. */
int interop_sa_check_stats(struct interop *x, const struct interop_sa *sa);
const char *interop_sa_name(const struct interop_sa *sa);

/* ------------------------------------------------------------------ packets (packet.c) */

struct interop_bytes {
	uint32_t len;
	uint8_t data[INTEROP_MAX_WIRE];
};

/* Makes a random IP packet that the SA protects. */
void interop_packet_random(struct interop *x, const struct interop_sa *sa,
			   struct interop_bytes *p);
/* Returns the offset of ESP in a protected packet, behind IP and UDP. 0: there is no ESP. */
uint32_t interop_esp_offset(const struct interop_bytes *p, bool udp);
/* Returns the offset at which librte_ipsec shall insert ESP in transport mode. */
uint32_t interop_insert_offset(const struct interop_bytes *p);
uint32_t interop_wire_number(const struct interop_bytes *p, bool udp);
uint32_t interop_wire_spi(const struct interop_bytes *p, bool udp);
/* Makes the header checksum of an IPv4 packet anew. */
void interop_ip_checksum(struct interop_bytes *p);
/* Changes a plain packet as the card does before it sends it in a tunnel. */
void interop_expect_inner(const struct interop_sa *sa, struct interop_bytes *p);
/* Changes a plain packet as the card does when it takes it out of a tunnel with this outer header.
 * Returns the reasons to refuse it. */
uint32_t interop_expect_decap(const struct interop_sa *sa, const struct interop_bytes *wire,
			      struct interop_bytes *p);
/* Compares the outer header of a packet that the card made. Returns NULL or what is wrong. */
const char *interop_outer_wrong(const struct interop_sa *sa, const struct interop_bytes *plain,
				const struct interop_bytes *wire);
/* Gives a packet of the peer an outer header with other TOS, TTL and bytes behind it. */
void interop_wire_vary(struct interop *x, const struct interop_sa *sa, struct interop_bytes *wire);
/* Damages a packet. Returns the reasons for which it has to be refused. */
uint32_t interop_wire_damage(struct interop *x, const struct interop_sa *sa,
			     struct interop_bytes *wire);

/* ------------------------------------------------------------------ the card (card.c) */

/* One packet on its way through the card. */
struct interop_work {
	struct interop_sa *sa;
	uint64_t number;		/* inbound: true sequence number */
	uint32_t damage;		/* inbound: reasons to refuse it, besides its number */
	uint64_t key;			/* inbound: place in the order of arrival */
	struct interop_bytes in;	/* what the card gets */
	struct interop_bytes want;	/* inbound: the packet; outbound: before protection */
	struct interop_bytes out;	/* what the card made */
	struct interop_verdict verdict;
	struct rte_crypto_op *op;
	uint64_t flags;			/* of the result's mbuf */
	uint16_t qp;
	uint8_t status, aux;
	uint8_t seen;			/* how often it came back */
};

/* Gives works to a queue pair, in random bursts and layouts, and takes finished ones in between. */
int interop_card_put(struct interop *x, uint16_t qp, struct interop_work **w, unsigned int n);
/* Takes all that are still there. */
int interop_card_drain(struct interop *x, uint16_t qp);
/* Compares the answer with the verdict. */
int interop_work_check(struct interop *x, struct interop_work *w);

/* ------------------------------------------------------------------ the peer (peer.c) */

int interop_peers_open(struct interop *x);
void interop_peers_close(struct interop *x);
/* Protects a packet, with the SA's next number. */
int interop_peer_send(struct interop *x, struct interop_sa *sa, const struct interop_bytes *plain,
		      struct interop_bytes *wire);
/* Takes a packet of the card, which has to be good, out of its protection. */
int interop_peer_receive(struct interop *x, struct interop_sa *sa,
			 const struct interop_bytes *wire, struct interop_bytes *plain);
bool interop_xform_fits(const struct rte_cryptodev_symmetric_capability *c,
			const struct rte_crypto_sym_xform *xf);
/* Returns the index of a random device that has the transforms, or -1. */
int interop_peer_find(struct interop *x, const struct rte_crypto_sym_xform *xf);

/* ------------------------------------------------------------------ the network (network.c) */

struct interop_network {
	unsigned int loss, copies, damage;	/* one packet in so many; 0: none */
	uint32_t distance;			/* packets are delivered so much later at most */
};

/*
 * Lets packets of the peer be lost, come late, twice or damaged. `w` has n works in the order of
 * the peer, `max` of room. Returns how many arrive. Their verdicts are the oracle's.
 */
unsigned int interop_network_pass(struct interop *x, const struct interop_network *net,
				  struct interop_work **w, unsigned int n, unsigned int max);

/* ------------------------------------------------------------------ the context (interop.c) */

#define INTEROP_WORKS 512

struct interop_peer_dev {
	uint8_t dev;
	bool ours;		/* plugged by the test */
	char name[RTE_CRYPTODEV_NAME_MAX_LEN];
};

struct interop {
	struct e2e *t;
	struct rte_security_ctx *ctx;
	struct e2e_rng *rng;	/* of the thread that uses this context */
	struct rte_mempool *card_sessions, *peer_sessions, *ops, *mbufs;
	struct interop_peer_dev peer[INTEROP_PEERS];
	unsigned int nb_peers;
	uint16_t card_qp;	/* first queue pair of the tests; the peer has the one behind */
	uint16_t peer_qp;
	struct interop_work *work;	/* INTEROP_WORKS */
	struct interop_work **list;	/* INTEROP_WORKS */
	unsigned int in_flight[4];	/* of each queue pair */
	uint64_t sent, accepted, refused;
};

void e2e_add_interop(void);
void interop_add_traffic(void);
void interop_add_numbers(void);
void interop_add_life(void);
void interop_add_threads(void);
/* Sets up the device and the peers, and skips the test without IPsec. */
int interop_open(struct e2e *t, struct interop *x, uint16_t nb_qps, unsigned int nb_sas);
/* Frees all; fails if something is left. */
int interop_close(struct interop *x);
/* Makes a packet that the card shall send. */
void interop_draw_out(struct interop *x, struct interop_work *w, struct interop_sa *sa);
/* Makes a packet that the peer sends. It has no verdict yet. */
int interop_draw_in(struct interop *x, struct interop_work *w, struct interop_sa *sa);
/* Lets the peer receive what the card sent, and compares the packet. */
int interop_deliver(struct interop *x, struct interop_work *w);
/* Sends n random packets of the SAs through the card and to the peer, and checks all. */
int interop_traffic_out(struct interop *x, struct interop_sa **sas, unsigned int nb_sas,
			unsigned int n);
/* Lets the peer send n random packets of the SAs over a network to the card. */
int interop_traffic_in(struct interop *x, struct interop_sa **sas, unsigned int nb_sas,
		       unsigned int n, const struct interop_network *net);

#endif /* INTEROP_H */
