/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Two ethdev ports for a closed loop of packets, as a plugin that the stock ipsec-secgw loads:
 *
 *   -d libgateway_loop.so --vdev net_loop0,windows=192.168.11.2/64+192.168.11.2/1024,ms=500
 *   --vdev net_loop1
 *
 * The first port is the plain end and has the plan, the second one is the wire. With packets=N in
 * place of ms a window ends by packets, and with refill=1 lost packets are replaced. With full=1
 * both ports hand out full bursts only, and gap_ns=N is the time between two of the first port.
 * They offer what a network card does for ipsec-secgw: the RX checksum offloads, without which it
 * takes no port, the IPv4 checksum of sent packets, and packet types. Packets that have been on no
 * wire have good checksums, so nothing computes the one that a packet asks for.
 */

#include <stdlib.h>

#include <rte_cryptodev.h>
#include <rte_kvargs.h>
#include <rte_version.h>

#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include "loop.h"

struct port {
	enum loop_end end;
	struct loop_plan plan;
	struct rte_mempool *pool;
	struct rte_ether_addr addr;
};

static const struct rte_eth_link link_up = {
	.link_speed = RTE_ETH_SPEED_NUM_100G,
	.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
	.link_status = RTE_ETH_LINK_UP,
	.link_autoneg = RTE_ETH_LINK_FIXED,
};

static uint16_t
rx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_rx(((struct port *)queue)->end, pkts, nb_pkts);
}

static uint16_t
tx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return loop_tx(((struct port *)queue)->end, pkts, nb_pkts);
}

static uint16_t
dequeued(uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t nb_ops, void *arg)
{
	RTE_SET_USED(dev_id);
	RTE_SET_USED(qp_id);
	RTE_SET_USED(ops);
	RTE_SET_USED(arg);
	if (nb_ops != 0)
		loop_dequeued(nb_ops);
	return nb_ops;
}

/* ipsec-secgw starts its crypto devices before its ports. */
static int
watch_crypto(void)
{
	uint8_t dev_id;
	uint16_t qp_id;

	for (dev_id = 0; dev_id < rte_cryptodev_count(); dev_id++) {
		for (qp_id = 0; qp_id < rte_cryptodev_queue_pair_count(dev_id); qp_id++) {
			if (rte_cryptodev_add_deq_callback(dev_id, qp_id, dequeued, NULL) == NULL)
				return -1;
		}
	}
	return 0;
}

static int
port_configure(struct rte_eth_dev *dev)
{
	RTE_SET_USED(dev);
	return 0;
}

static int
port_start(struct rte_eth_dev *dev)
{
	struct port *port = dev->data->dev_private;

	dev->data->dev_link = link_up;
	if (port->end != LOOP_PLAIN)
		return 0;
	if (watch_crypto() != 0)
		return -ENOTSUP;
	loop_begin(&port->plan, port->pool);
	return 0;
}

static int
port_stop(struct rte_eth_dev *dev)
{
	dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
	return 0;
}

static int
port_close(struct rte_eth_dev *dev)
{
	dev->data->mac_addrs = NULL; /* a part of dev_private */
	return 0;
}

static int
port_info(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	RTE_SET_USED(dev);
	info->max_mac_addrs = 1;
	info->max_rx_pktlen = UINT16_MAX;
	info->max_rx_queues = 1;
	info->max_tx_queues = 1;
	info->rx_offload_capa = RTE_ETH_RX_OFFLOAD_CHECKSUM;
	info->tx_offload_capa = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM;
	return 0;
}

static int
port_rx_queue(struct rte_eth_dev *dev, uint16_t queue, uint16_t nb_desc, unsigned int socket,
	      const struct rte_eth_rxconf *conf, struct rte_mempool *pool)
{
	struct port *port = dev->data->dev_private;

	RTE_SET_USED(nb_desc);
	RTE_SET_USED(socket);
	RTE_SET_USED(conf);
	port->pool = pool;
	dev->data->rx_queues[queue] = port;
	return 0;
}

static int
port_tx_queue(struct rte_eth_dev *dev, uint16_t queue, uint16_t nb_desc, unsigned int socket,
	      const struct rte_eth_txconf *conf)
{
	RTE_SET_USED(nb_desc);
	RTE_SET_USED(socket);
	RTE_SET_USED(conf);
	dev->data->tx_queues[queue] = dev->data->dev_private;
	return 0;
}

static int
port_link(struct rte_eth_dev *dev, int wait)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(wait);
	return 0;
}

/* ipsec-secgw looks at all four, although the loop has no IPv6. */
static const uint32_t types[] = {
	RTE_PTYPE_L3_IPV4_EXT_UNKNOWN,
	RTE_PTYPE_L3_IPV6_EXT_UNKNOWN,
	RTE_PTYPE_TUNNEL_ESP,
	RTE_PTYPE_L4_UDP,
	RTE_PTYPE_UNKNOWN,
};

#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
static const uint32_t *
port_ptypes(struct rte_eth_dev *dev, size_t *nb)
{
	RTE_SET_USED(dev);
	*nb = RTE_DIM(types) - 1; /* since 24.03 nothing ends the list */
	return types;
}
#else
static const uint32_t *
port_ptypes(struct rte_eth_dev *dev)
{
	RTE_SET_USED(dev);
	return types;
}
#endif

static const struct eth_dev_ops ops = {
	.dev_configure = port_configure,
	.dev_start = port_start,
	.dev_stop = port_stop,
	.dev_close = port_close,
	.dev_infos_get = port_info,
	.rx_queue_setup = port_rx_queue,
	.tx_queue_setup = port_tx_queue,
	.link_update = port_link,
	.dev_supported_ptypes_get = port_ptypes,
};

static int
arg_windows(const char *key, const char *value, void *plan)
{
	RTE_SET_USED(key);
	return loop_parse(value, plan);
}

static int
arg_number(const char *key, const char *value, void *number)
{
	RTE_SET_USED(key);
	*(uint64_t *)number = strtoull(value, NULL, 0);
	return 0;
}

static int
read_plan(const char *args, struct loop_plan *plan)
{
	struct rte_kvargs *list = rte_kvargs_parse(args, NULL);
	uint64_t ms = 0, warm_ms = 0, refill = 0, full = 0;
	int ret = -1;

	if (list == NULL)
		return -1;
	if (rte_kvargs_process(list, "windows", arg_windows, plan) == 0 &&
	    rte_kvargs_process(list, "ms", arg_number, &ms) == 0 &&
	    rte_kvargs_process(list, "warm_ms", arg_number, &warm_ms) == 0 &&
	    rte_kvargs_process(list, "packets", arg_number, &plan->packets) == 0 &&
	    rte_kvargs_process(list, "refill", arg_number, &refill) == 0 &&
	    rte_kvargs_process(list, "full", arg_number, &full) == 0 &&
	    rte_kvargs_process(list, "gap_ns", arg_number, &plan->gap_ns) == 0)
		ret = plan->nb_windows != 0 && (ms != 0 || plan->packets != 0) ? 0 : -1;
	plan->ms = (unsigned int)ms;
	plan->warm_ms = (unsigned int)warm_ms;
	plan->refill = refill != 0;
	plan->full = full != 0;
	rte_kvargs_free(list);
	return ret;
}

static int
loop_probe(struct rte_vdev_device *vdev)
{
	const char *args = rte_vdev_device_args(vdev);
	struct rte_eth_dev *dev;
	struct port *port;

	dev = rte_eth_vdev_allocate(vdev, sizeof(*port));
	if (dev == NULL)
		return -ENOMEM;
	port = dev->data->dev_private;
	port->end = args != NULL && *args != '\0' ? LOOP_PLAIN : LOOP_WIRE;
	if (port->end == LOOP_PLAIN && read_plan(args, &port->plan) != 0) {
		rte_eth_dev_release_port(dev);
		return -EINVAL;
	}
	rte_eth_random_addr(port->addr.addr_bytes);
	dev->data->mac_addrs = &port->addr;
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = rx;
	dev->tx_pkt_burst = tx;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
loop_remove(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	if (dev == NULL)
		return 0; /* closed already */
	port_close(dev);
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver loop_driver = {
	.probe = loop_probe,
	.remove = loop_remove,
};

RTE_PMD_REGISTER_VDEV(net_loop, loop_driver);
