/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * State tables of a queue pair (manual section 5.5) and of a function (section 4.9): what each
 * event does in each state. accel-conformance walks them.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_STATES_H
#define ACCEL_HW_STATES_H

#include "accel_hw_regs.h"

/* Manual section 5.5: what CONTROL_ACK shows after an event, and section 4.9: RESET_ACK. */
enum accel_hw_echo {
	ACCEL_HW_ECHO_NONE = 0,  /* it stays */
	ACCEL_HW_ECHO_NOW = 1,   /* the value that the host has written, after STATUS */
	ACCEL_HW_ECHO_END = 2,   /* at the end of the stop, unless another STOP comes */
	/* when the stop has ended, and the command was carried out in the state stopped */
	ACCEL_HW_ECHO_AFTER = 3,
	ACCEL_HW_ECHO_TAKEN = 4, /* the present value of CONTROL */
	ACCEL_HW_ECHO_ZERO = 5,  /* 0 */
};

/* Manual section 5.5: which write-back line an event leads to. */
enum accel_hw_line {
	ACCEL_HW_LINE_NONE = 0,  /* none is written, and host memory is not accessed */
	ACCEL_HW_LINE_STATE = 1, /* one with STATUS as it becomes, before STATUS */
	ACCEL_HW_LINE_DUE = 2,   /* as manual 6.5 says, in the present state */
};

/* Manual section 5.5: events of a queue pair. */
enum accel_hw_qp_event {
	ACCEL_HW_QP_ON_START = 0,         /* START, with registers that are right */
	ACCEL_HW_QP_ON_START_REFUSED = 1, /* START, with a register that is refused */
	/* START, and the device learns that the write-back line cannot be written */
	ACCEL_HW_QP_ON_START_NO_LINE = 2,
	ACCEL_HW_QP_ON_STOP_DRAIN = 3,    /* STOP and drain */
	ACCEL_HW_QP_ON_STOP_DISCARD = 4,  /* STOP and discard */
	ACCEL_HW_QP_ON_OTHER = 5,         /* 0, or a command that is none of these */
	ACCEL_HW_QP_ON_REQUEST = 6,       /* a doorbell that makes requests complete */
	ACCEL_HW_QP_ON_PART = 7,          /* a doorbell with a part of a frame */
	ACCEL_HW_QP_ON_BAD_SDP = 8,       /* an SDP that is not below the ring size */
	ACCEL_HW_QP_ON_ERROR = 9,         /* the next request has an error of its ring */
	/* nothing is left to do for the STOP, or its time is over */
	ACCEL_HW_QP_ON_FINISHED = 10,
	ACCEL_HW_QP_ON_RESET = 11,        /* a reset of the function */
	ACCEL_HW_QP_ON_FLR = 12,          /* FLR, or power-on */
	ACCEL_HW_QP_ON_FATAL = 13,        /* the function fails */
	ACCEL_HW_QP_ON_NB
};

/*
 * X(state, event, next state, error code, enum accel_hw_echo, enum accel_hw_line, duties). The code
 * is 0 where there is none, or where it is that of the error.
 */
#define ACCEL_HW_QP_TRANSITIONS(X)                                                                 \
	X(STOPPED, START, RUNNING, NONE, NOW, STATE, "QP-6 QP-7 QP-8 QP-9")                        \
	X(STOPPED, START_REFUSED, ERROR, CONFIG, NOW, NONE, "QP-5 ERR-7")                          \
	X(STOPPED, START_NO_LINE, ERROR, DMA, NOW, NONE, "DMA-4")                                  \
	X(STOPPED, STOP_DRAIN, STOPPED, NONE, NOW, NONE, "QP-26")                                  \
	X(STOPPED, STOP_DISCARD, STOPPED, NONE, NOW, NONE, "QP-26")                                \
	X(STOPPED, OTHER, STOPPED, NONE, NOW, NONE, "QP-26")                                       \
	X(STOPPED, REQUEST, STOPPED, NONE, NONE, NONE, "QP-19 RST-10")                             \
	X(STOPPED, PART, STOPPED, NONE, NONE, NONE, "QP-19 RST-10")                                \
	X(STOPPED, BAD_SDP, STOPPED, NONE, NONE, NONE, "QP-19 RST-10")                             \
	X(STOPPED, RESET, STOPPED, NONE, TAKEN, NONE, "RST-3 RST-6 RST-7 RST-10 WB-12")            \
	X(STOPPED, FLR, STOPPED, NONE, ZERO, NONE, "RST-14 RST-7")                                 \
	X(STOPPED, FATAL, STOPPED, NONE, NONE, NONE, "LIFE-2")                                     \
	X(RUNNING, START, RUNNING, NONE, NOW, DUE, "QP-1 QP-26")                                   \
	X(RUNNING, START_REFUSED, RUNNING, NONE, NOW, DUE, "QP-1 QP-26")                           \
	X(RUNNING, START_NO_LINE, RUNNING, NONE, NOW, DUE, "QP-1 QP-26")                           \
	X(RUNNING, STOP_DRAIN, STOPPING, NONE, END, DUE, "QP-14")                                  \
	X(RUNNING, STOP_DISCARD, STOPPING, NONE, END, DUE, "QP-15")                                \
	X(RUNNING, OTHER, RUNNING, NONE, NOW, DUE, "QP-26")                                        \
	X(RUNNING, REQUEST, RUNNING, NONE, NONE, DUE, "WB-1 WB-5")                                 \
	X(RUNNING, PART, RUNNING, NONE, NONE, DUE, "RING-12")                                      \
	X(RUNNING, BAD_SDP, ERROR, POINTER, NONE, STATE, "RING-11 ERR-2 ERR-3")                    \
	X(RUNNING, ERROR, ERROR, NONE, NONE, STATE, "ERR-1 ERR-2 ERR-3")                           \
	X(RUNNING, RESET, STOPPED, NONE, TAKEN, NONE, "RST-3 RST-6 RST-7 RST-10 WB-12")            \
	X(RUNNING, FLR, STOPPED, NONE, ZERO, NONE, "RST-14 RST-7")                                 \
	X(RUNNING, FATAL, RUNNING, NONE, NONE, NONE, "LIFE-2")                                     \
	X(STOPPING, START, STOPPING, NONE, AFTER, DUE, "QP-26")                                    \
	X(STOPPING, START_REFUSED, STOPPING, NONE, AFTER, DUE, "QP-26")                            \
	X(STOPPING, START_NO_LINE, STOPPING, NONE, AFTER, DUE, "QP-26")                            \
	X(STOPPING, STOP_DRAIN, STOPPING, NONE, END, DUE, "QP-26")                                 \
	X(STOPPING, STOP_DISCARD, STOPPING, NONE, END, DUE, "QP-26")                               \
	X(STOPPING, OTHER, STOPPING, NONE, AFTER, DUE, "QP-26")                                    \
	X(STOPPING, REQUEST, STOPPING, NONE, NONE, DUE, "QP-14 QP-15")                             \
	X(STOPPING, PART, STOPPING, NONE, NONE, DUE, "QP-14 QP-15")                                \
	X(STOPPING, BAD_SDP, STOPPING, NONE, NONE, DUE, "QP-14 QP-15")                             \
	X(STOPPING, ERROR, STOPPING, NONE, NONE, DUE, "ERR-8")                                     \
	X(STOPPING, FINISHED, STOPPED, NONE, NOW, STATE, "RST-5 QP-17 QP-18 QP-19 QP-20")          \
	X(STOPPING, RESET, STOPPED, NONE, TAKEN, NONE, "RST-3 RST-6 RST-7 RST-10 WB-12")           \
	X(STOPPING, FLR, STOPPED, NONE, ZERO, NONE, "RST-14 RST-7")                                \
	X(STOPPING, FATAL, STOPPING, NONE, NONE, NONE, "LIFE-2")                                   \
	X(ERROR, START, ERROR, NONE, NOW, NONE, "QP-26")                                           \
	X(ERROR, START_REFUSED, ERROR, NONE, NOW, NONE, "QP-26")                                   \
	X(ERROR, START_NO_LINE, ERROR, NONE, NOW, NONE, "QP-26")                                   \
	X(ERROR, STOP_DRAIN, STOPPED, NONE, NOW, NONE, "QP-26")                                    \
	X(ERROR, STOP_DISCARD, STOPPED, NONE, NOW, NONE, "QP-26")                                  \
	X(ERROR, OTHER, ERROR, NONE, NOW, NONE, "QP-26")                                           \
	X(ERROR, REQUEST, ERROR, NONE, NONE, NONE, "ERR-4")                                        \
	X(ERROR, PART, ERROR, NONE, NONE, NONE, "ERR-4")                                           \
	X(ERROR, BAD_SDP, ERROR, NONE, NONE, NONE, "ERR-4")                                        \
	X(ERROR, RESET, STOPPED, NONE, TAKEN, NONE, "RST-3 RST-6 RST-7 RST-10 WB-12")              \
	X(ERROR, FLR, STOPPED, NONE, ZERO, NONE, "RST-14 RST-7")                                   \
	X(ERROR, FATAL, ERROR, NONE, NONE, NONE, "LIFE-2")

/* Manual section 4.9: events of a function. */
enum accel_hw_fn_event {
	ACCEL_HW_FN_ON_BOOTED = 0, /* the function has booted */
	ACCEL_HW_FN_ON_RESET = 1,  /* RESET_REQ becomes another number than RESET_ACK */
	ACCEL_HW_FN_ON_SAME = 2,   /* RESET_REQ is written with the number of RESET_ACK */
	ACCEL_HW_FN_ON_SILENT = 3, /* no access to host memory is under way any more */
	ACCEL_HW_FN_ON_FLR = 4,    /* FLR, power-on, or the change from D3hot to D0 */
	ACCEL_HW_FN_ON_FAILED = 5, /* a failure that the device cannot handle */
	ACCEL_HW_FN_ON_NB
};

/*
 * X(state, event, next state, enum accel_hw_echo of RESET_ACK, event of all queue pairs, duties).
 * ACCEL_HW_QP_ON_NB is no event.
 */
#define ACCEL_HW_FN_TRANSITIONS(X)                                                                 \
	X(BOOTING, BOOTED, READY, NONE, NB, "FN-4")                                                \
	X(BOOTING, RESET, BOOTING, NONE, NB, "")                                                   \
	X(BOOTING, SAME, BOOTING, NONE, NB, "")                                                    \
	X(BOOTING, FLR, BOOTING, ZERO, FLR, "PCI-8 PCI-14 LIFE-3 RST-14 RST-15 RST-7")             \
	X(BOOTING, FAILED, FATAL, NONE, FATAL, "LIFE-2")                                           \
	X(READY, RESET, RESETTING, NONE, RESET, "RST-1 RST-3")                                     \
	X(READY, SAME, READY, NONE, NB, "")                                                        \
	X(READY, FLR, BOOTING, ZERO, FLR, "PCI-8 PCI-14 LIFE-3 RST-14 RST-15 RST-7")               \
	X(READY, FAILED, FATAL, NONE, FATAL, "LIFE-2")                                             \
	X(RESETTING, RESET, RESETTING, NONE, NB, "")                                               \
	X(RESETTING, SILENT, READY, NOW, NB, "RST-8 RST-9 RST-12")                                 \
	X(RESETTING, FLR, BOOTING, ZERO, FLR, "PCI-8 PCI-14 LIFE-3 RST-14 RST-15 RST-7")           \
	X(RESETTING, FAILED, FATAL, NONE, FATAL, "LIFE-2")                                         \
	X(FATAL, RESET, FATAL, NONE, NB, "")                                                       \
	X(FATAL, SAME, FATAL, NONE, NB, "")                                                        \
	X(FATAL, FLR, BOOTING, ZERO, FLR, "PCI-8 PCI-14 LIFE-3 RST-14 RST-15 RST-7")

#endif /* ACCEL_HW_STATES_H */
