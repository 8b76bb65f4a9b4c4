/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space: see pciconf.h. Register numbers are those of <linux/pci_regs.h>;
 * their meaning is in the PCI Local Bus Specification 3.0 (chapter 6) and the PCI Express Base
 * Specification (7.5.3 capability structure, 6.6.2 function level reset). The hardware manual,
 * section 3.1, says what a function of the card shows.
 */
#include <linux/pci_regs.h>
#include <string.h>

#include "pciconf.h"

#define CAP_EXPRESS 0x40u

/* The link of the card has 8 GT/s and 8 lanes. */
#define LINK_SPEED 3u
#define LINK_WIDTH 8u
#define LINK_SPEEDS 0x0eu /* 2.5, 5 and 8 GT/s */

static void
set(uint8_t *data, uint32_t offset, uint32_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		data[offset + i] = (uint8_t)(value >> (8 * i));
}

static uint16_t
get16(const uint8_t *data, uint32_t offset)
{
	return (uint16_t)(data[offset] | data[offset + 1] << 8);
}

static void
init_header(struct config *c, const struct vfio_user_device *device)
{
	uint64_t size_bits = ~((uint64_t)device->bar0_size - 1);

	set(c->initial, PCI_VENDOR_ID, device->vendor_id, 2);
	set(c->initial, PCI_DEVICE_ID, device->device_id, 2);
	set(c->initial, PCI_STATUS, PCI_STATUS_CAP_LIST, 2);
	set(c->initial, PCI_CLASS_REVISION, device->class_code << 8 | device->revision, 4);
	set(c->initial, PCI_BASE_ADDRESS_0,
	    PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH, 4);
	set(c->initial, PCI_SUBSYSTEM_VENDOR_ID, device->subsystem_vendor_id, 2);
	set(c->initial, PCI_SUBSYSTEM_ID, device->subsystem_id, 2);
	set(c->initial, PCI_CAPABILITY_LIST, CAP_EXPRESS, 1);

	set(c->writable, PCI_COMMAND,
	    PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
	    PCI_COMMAND_INTX_DISABLE, 2);
	set(c->writable, PCI_CACHE_LINE_SIZE, 0xff, 1);
	/* Only the bits above the size are writable, so software that writes ones reads the
	 * size. */
	set(c->writable, PCI_BASE_ADDRESS_0, (uint32_t)size_bits & ~0xfu, 4);
	set(c->writable, PCI_BASE_ADDRESS_1, (uint32_t)(size_bits >> 32), 4);
	set(c->writable, PCI_INTERRUPT_LINE, 0xff, 1);
}

static void
init_express(struct config *c)
{
	uint8_t *cap = &c->initial[CAP_EXPRESS], *mask = &c->writable[CAP_EXPRESS];

	set(cap, PCI_CAP_LIST_ID, PCI_CAP_ID_EXP, 1);
	set(cap, PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4, 2);
	set(cap, PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_FLR,
	    4);
	set(cap, PCI_EXP_DEVCTL,
	    PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B, 2);
	set(cap, PCI_EXP_LNKCAP, LINK_SPEED | LINK_WIDTH << 4, 4);
	set(cap, PCI_EXP_LNKSTA, LINK_SPEED | LINK_WIDTH << 4, 2);
	set(cap, PCI_EXP_LNKCAP2, LINK_SPEEDS, 4);
	set(cap, PCI_EXP_LNKCTL2, LINK_SPEED, 2);

	/* The reset bit is not writable, since it reads 0. config_write() reports it. */
	set(mask, PCI_EXP_DEVCTL,
	    PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE | PCI_EXP_DEVCTL_FERE |
	    PCI_EXP_DEVCTL_URRE | PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_PAYLOAD |
	    PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ, 2);
	set(mask, PCI_EXP_LNKCTL,
	    PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC | PCI_EXP_LNKCTL_ES, 2);
}

void
config_init(struct config *config, const struct vfio_user_device *device)
{
	memset(config, 0, sizeof(*config));
	init_header(config, device);
	init_express(config);
	config_reset(config);
}

void
config_reset(struct config *config)
{
	memcpy(config->data, config->initial, sizeof(config->data));
}

void
config_read(const struct config *config, uint32_t offset, void *to, uint32_t count)
{
	memcpy(to, &config->data[offset], count);
}

unsigned int
config_write(struct config *config, uint32_t offset, const void *from, uint32_t count)
{
	const uint32_t flr_byte = CAP_EXPRESS + PCI_EXP_DEVCTL + 1;
	const uint8_t *in = from;
	unsigned int asked = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = offset + i;
		uint8_t mask = config->writable[at];

		config->data[at] = (uint8_t)((config->data[at] & ~mask) | (in[i] & mask));
		if (at == flr_byte && (in[i] & (PCI_EXP_DEVCTL_BCR_FLR >> 8)) != 0)
			asked |= CONFIG_FLR;
	}
	return asked;
}

bool
config_bus_master(const struct config *config)
{
	return (get16(config->data, PCI_COMMAND) & PCI_COMMAND_MASTER) != 0;
}
