/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space: see pciconf.h. Register numbers are those of <linux/pci_regs.h>;
 * their meaning is in the PCI Local Bus Specification 3.0 (chapter 6) and the PCI Express Base
 * Specification (7.5.2 power management, 7.5.3 capability structure, 7.8.4 error reporting, 7.9.3
 * serial number, 6.6.2 function level reset). The hardware manual, section 3.1, says what a
 * function of the card shows.
 */
#include <linux/pci_regs.h>
#include <string.h>

#include "pciconf.h"

#define CAP_EXPRESS 0x40u
#define CAP_PM 0x80u
#define CAP_AER 0x100u /* extended capabilities begin here */
#define CAP_SERIAL 0x150u

#define STATE_BYTE (CAP_PM + PCI_PM_CTRL) /* has the power state */
#define STATE_D0 0u
#define STATE_D3HOT 3u

#define PM_VERSION 3u
#define AER_VERSION 2u
#define SERIAL_VERSION 1u

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

/* The largest payload is 256 bytes. Software sets the size that all on the path have in common. */
#define PAYLOAD_256B 1u

static void
init_express(struct config *c)
{
	uint8_t *cap = &c->initial[CAP_EXPRESS];

	set(cap, PCI_CAP_LIST_ID, PCI_CAP_ID_EXP, 1);
	set(cap, PCI_CAP_LIST_NEXT, CAP_PM, 1);
	set(cap, PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4, 2);
	set(cap, PCI_EXP_DEVCAP,
	    PAYLOAD_256B | PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_FLR, 4);
	set(cap, PCI_EXP_DEVCTL,
	    PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B, 2);
	set(cap, PCI_EXP_LNKCAP, LINK_SPEED | LINK_WIDTH << 4, 4);
	set(cap, PCI_EXP_LNKSTA, LINK_SPEED | LINK_WIDTH << 4, 2);
	set(cap, PCI_EXP_LNKCAP2, LINK_SPEEDS, 4);
	set(cap, PCI_EXP_LNKCTL2, LINK_SPEED, 2);
}

static void
init_express_masks(struct config *c)
{
	uint8_t *mask = &c->writable[CAP_EXPRESS], *kept = &c->kept[CAP_EXPRESS];

	/* The reset bit is not writable, since it reads 0. config_write() reports it. */
	set(mask, PCI_EXP_DEVCTL,
	    PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE | PCI_EXP_DEVCTL_FERE |
	    PCI_EXP_DEVCTL_URRE | PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_PAYLOAD |
	    PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ, 2);
	set(mask, PCI_EXP_LNKCTL,
	    PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC | PCI_EXP_LNKCTL_ES, 2);
	set(&c->clears[CAP_EXPRESS], PCI_EXP_DEVSTA,
	    PCI_EXP_DEVSTA_CED | PCI_EXP_DEVSTA_NFED | PCI_EXP_DEVSTA_FED | PCI_EXP_DEVSTA_URD, 2);
	/* What belongs to the link is not the function's alone, so a reset of the function keeps
	 * it (6.6.2). */
	set(kept, PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_PAYLOAD, 2);
	set(kept, PCI_EXP_LNKCTL, PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_CCC | PCI_EXP_LNKCTL_ES, 2);
}

/* The function has the states D0 and D3hot only, and no PME. No_Soft_Reset is 0: the way back to D0
 * resets the function. */
static void
init_power(struct config *c)
{
	uint8_t *cap = &c->initial[CAP_PM];

	set(cap, PCI_CAP_LIST_ID, PCI_CAP_ID_PM, 1);
	set(cap, PCI_PM_PMC, PM_VERSION, 2);
}

/* These are the errors that an endpoint has to know. ECRC is not among them, because the function
 * neither makes nor checks it. */
#define UNCORRECTABLE                                                                              \
	(PCI_ERR_UNC_DLP | PCI_ERR_UNC_POISON_TLP | PCI_ERR_UNC_FCP | PCI_ERR_UNC_COMP_TIME |      \
	 PCI_ERR_UNC_COMP_ABORT | PCI_ERR_UNC_UNX_COMP | PCI_ERR_UNC_RX_OVER |                     \
	 PCI_ERR_UNC_MALF_TLP | PCI_ERR_UNC_UNSUP | PCI_ERR_UNC_INTN)
#define FATAL                                                                                      \
	(PCI_ERR_UNC_DLP | PCI_ERR_UNC_FCP | PCI_ERR_UNC_RX_OVER | PCI_ERR_UNC_MALF_TLP |          \
	 PCI_ERR_UNC_INTN)
#define CORRECTABLE                                                                                \
	(PCI_ERR_COR_RCVR | PCI_ERR_COR_BAD_TLP | PCI_ERR_COR_BAD_DLLP | PCI_ERR_COR_REP_ROLL |    \
	 PCI_ERR_COR_REP_TIMER | PCI_ERR_COR_ADV_NFAT | PCI_ERR_COR_INTERNAL)

static uint32_t
extended(uint32_t id, uint32_t version, uint32_t next)
{
	return id | version << 16 | next << 20;
}

/*
 * There is no link here on which an error could happen, so no status bit is ever set and the header
 * log stays 0. All bits are sticky.
 */
static void
init_errors(struct config *c, bool more)
{
	uint8_t *cap = &c->initial[CAP_AER], *mask = &c->writable[CAP_AER];
	uint8_t *clears = &c->clears[CAP_AER];

	set(cap, 0, extended(PCI_EXT_CAP_ID_ERR, AER_VERSION, more ? CAP_SERIAL : 0), 4);
	set(cap, PCI_ERR_UNCOR_MASK, PCI_ERR_UNC_INTN, 4);
	set(cap, PCI_ERR_UNCOR_SEVER, FATAL, 4);
	set(cap, PCI_ERR_COR_MASK, PCI_ERR_COR_ADV_NFAT | PCI_ERR_COR_INTERNAL, 4);
	set(clears, PCI_ERR_UNCOR_STATUS, UNCORRECTABLE, 4);
	set(clears, PCI_ERR_COR_STATUS, CORRECTABLE, 4);
	set(mask, PCI_ERR_UNCOR_MASK, UNCORRECTABLE, 4);
	set(mask, PCI_ERR_UNCOR_SEVER, UNCORRECTABLE, 4);
	set(mask, PCI_ERR_COR_MASK, CORRECTABLE, 4);
	for (uint32_t i = PCI_ERR_UNCOR_STATUS; i < PCI_ERR_CAP; i++)
		c->kept[CAP_AER + i] = mask[i] | clears[i];
}

static void
init_serial(struct config *c, uint64_t serial)
{
	uint8_t *cap = &c->initial[CAP_SERIAL];

	set(cap, 0, extended(PCI_EXT_CAP_ID_DSN, SERIAL_VERSION, 0), 4);
	set(cap, 4, (uint32_t)serial, 4);
	set(cap, 8, (uint32_t)(serial >> 32), 4);
}

void
config_init(struct config *config, const struct vfio_user_device *device)
{
	memset(config, 0, sizeof(*config));
	init_header(config, device);
	init_express(config);
	init_express_masks(config);
	init_power(config);
	init_errors(config, device->serial != 0);
	if (device->serial != 0)
		init_serial(config, device->serial);
	config_power_on(config);
}

void
config_power_on(struct config *config)
{
	memcpy(config->data, config->initial, sizeof(config->data));
}

void
config_reset(struct config *config)
{
	for (uint32_t i = 0; i < CONFIG_SIZE; i++) {
		uint8_t kept = config->kept[i];

		config->data[i] = (uint8_t)((config->data[i] & kept) |
					    (config->initial[i] & ~kept));
	}
}

void
config_set_pending(struct config *config, bool pending)
{
	uint8_t *status = &config->data[CAP_EXPRESS + PCI_EXP_DEVSTA];

	*status = (uint8_t)((*status & ~PCI_EXP_DEVSTA_TRPND) |
			    (pending ? PCI_EXP_DEVSTA_TRPND : 0));
}

void
config_read(const struct config *config, uint32_t offset, void *to, uint32_t count)
{
	memcpy(to, &config->data[offset], count);
}

/* Write the power state. A state that the function does not have is discarded, and the write
 * succeeds (7.5.2.2). */
static unsigned int
write_state(struct config *config, uint8_t value)
{
	uint8_t *byte = &config->data[STATE_BYTE];
	uint8_t old = *byte & PCI_PM_CTRL_STATE_MASK, new = value & PCI_PM_CTRL_STATE_MASK;

	if (new != STATE_D0 && new != STATE_D3HOT)
		return 0;
	*byte = (uint8_t)((*byte & ~PCI_PM_CTRL_STATE_MASK) | new);
	return old == STATE_D3HOT && new == STATE_D0 ? CONFIG_WAKE : 0;
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
		config->data[at] &= (uint8_t)~(in[i] & config->clears[at]);
		if (at == flr_byte && (in[i] & (PCI_EXP_DEVCTL_BCR_FLR >> 8)) != 0)
			asked |= CONFIG_FLR;
		if (at == STATE_BYTE)
			asked |= write_state(config, in[i]);
	}
	return asked;
}

void
config_restore(struct config *config, const uint8_t from[CONFIG_SIZE])
{
	config_power_on(config);
	for (uint32_t i = 0; i < CONFIG_SIZE; i++) {
		const uint8_t mask = config->writable[i];

		config->data[i] = (uint8_t)((config->data[i] & ~mask) | (from[i] & mask));
	}
	write_state(config, from[STATE_BYTE]);
}

bool
config_bus_master(const struct config *config)
{
	return (get16(config->data, PCI_COMMAND) & PCI_COMMAND_MASTER) != 0 &&
	       !config_is_suspended(config);
}

bool
config_is_suspended(const struct config *config)
{
	return (config->data[STATE_BYTE] & PCI_PM_CTRL_STATE_MASK) == STATE_D3HOT;
}
