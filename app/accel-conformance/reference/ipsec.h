/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Security associations for the tests of IPsec (manual 8.6), and packets that their cards should
 * make or take. Ciphers are NULL here, so that each byte of a packet is seen; the authentication is
 * NULL or HMAC-SHA256. Other algorithms have known packets (known_ipsec.h).
 */
#ifndef CONF_IPSEC_H
#define CONF_IPSEC_H

#include <stdbool.h>
#include <stdint.h>

#include "known_ipsec.h"
#include "sym.h"

#define IPSEC_ROOM 2048u /* bytes of any packet here */
#define IPSEC_SPI 0x0badcafeu
#define IPSEC_ICV 16u
#define SA_WHY 100u

/** Holds a security association: its context as the host writes it, and its state as it was read
 * last. */
struct sa {
	struct accel_hw_ipsec_context x;
	uint64_t at; /* IOVA */
};

/* Make an SA of ESP without algorithms, of ESP with authentication, or of AH. A tunnel has an outer
 * header. */
void sa_null(struct sa *s, bool outbound, uint32_t options);
void sa_hmac(struct sa *s, bool outbound, uint32_t options);
void sa_ah(struct sa *s, bool outbound, uint32_t options);

/** True if the tree has what the SA needs. Else sa_possible() writes the reason to why, and
 * sa_there() skips the test. */
bool sa_possible(const struct card *c, const struct sa *s, char why[SA_WHY]);
bool sa_there(struct card *c, const struct sa *s);

/** True if the tree has what the SA needs. If so, add one to *nb. */
bool sa_count(const struct card *c, const struct sa *s, unsigned int *nb);

/** Write the SA to new memory and open a queue for it. False: the test is skipped, or fails. */
bool sa_open(struct sa *s, struct queue *q, struct card *c);

/** Read the state and stop the queue. */
void sa_close(struct sa *s, struct queue *q);

/** Make the SA of a known packet. If @p outbound, the command has the IV, if there is one. */
void sa_known(const struct known_packet *k, bool outbound, struct sa *s);

/** True if the tree has what the SA of a known packet needs, with the sizes of its algorithms. */
bool sa_known_possible(const struct card *c, const struct sa *s);

/** Write the SA to new memory or to given memory, with a new generation. */
void sa_store(struct card *c, struct sa *s);
void sa_store_at(struct card *c, struct sa *s, uint64_t iova);

/** Return the bytes of an SA's state and window. */
uint32_t sa_bytes(const struct sa *s);

/** Read the state from memory and accept it as written by the device. */
void sa_state(struct card *c, struct sa *s);

/** Begin a request with a packet in new memory, and a result frame of @p room bytes. */
void sa_request(struct card *c, struct request *r, const struct sa *s, const uint8_t *in,
		uint32_t len, uint32_t room);

/** Run a packet that shall give a status, and with OK this output. */
bool sa_run(struct queue *q, const struct sa *s, const uint8_t *in, uint32_t len,
	    const uint8_t *out, uint32_t out_len, uint16_t status);

/** Run a request that the test has made, and which shall give a status. late: the result frame may
 * have anything if the status is not OK. */
bool sa_run_request(struct queue *q, struct request *r, uint16_t status, bool late);

/* Make a packet of IPv4 or IPv6 with UDP, @p data bytes of data and right checksums.
 * @return bytes of the packet. */
uint32_t packet_v4(uint8_t *p, uint32_t data);
uint32_t packet_v6(uint8_t *p, uint32_t data);
/** Make a packet of IPv6 to @p destination, of 16 bytes. */
uint32_t packet_v6_to(uint8_t *p, const uint8_t *destination, uint32_t data);

/** Set DSCP and ECN. The header's checksum stays as it is. */
void packet_set_class(uint8_t *p, uint8_t value);

/** Return the Internet checksum of bytes. */
uint16_t packet_checksum(const uint8_t *p, uint32_t len);

/** Give a packet the length and the header checksum that it should have. */
void packet_finish(uint8_t *p, uint32_t len);

/** Make the outer header of the packet with a number: the header in the context, with the packet's
 * identification.
 * @return its bytes. */
uint32_t packet_outer(const struct sa *s, uint64_t number, uint8_t *head);

/**
 * Put ESP or AH between a header and what it protects.
 *
 * @param next_at where the header names what follows.
 * @param next what the protected bytes are.
 * @return bytes of the packet.
 */
uint32_t packet_protect(const struct sa *s, uint64_t number, const uint8_t *head,
			uint32_t head_len, uint32_t next_at, uint8_t next, const uint8_t *text,
			uint32_t len, uint8_t *out);

/** Make the ICV of an ESP packet anew. @p head bytes lie before its SPI. */
void packet_esp_icv(const struct sa *s, uint64_t number, uint8_t *packet, uint32_t head,
		    uint32_t len);

/** Make the ICV of an AH packet without options anew. @p head bytes lie before its AH header. */
void packet_ah_icv(const struct sa *s, uint64_t number, uint8_t *packet, uint32_t head,
		   uint32_t len);

/** Make the packet of an SA with this number: in a tunnel, or in transport mode after the IP
 * header. @return its bytes. */
uint32_t packet_send(const struct sa *s, uint64_t number, const uint8_t *in, uint32_t len,
		     uint8_t *out);

/** Write a number as 2, 4 or 8 bytes, the most significant one first. */
void packet_put(uint8_t *to, uint64_t value, unsigned int bytes);

#endif /* CONF_IPSEC_H */
