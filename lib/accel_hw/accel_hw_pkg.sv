// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The crypto_accel authors
//
// The contract between host and card for designs in SystemVerilog. Numbers have the names of the C
// headers. The first byte of a structure in memory is its bits 7 to 0, so a bus that puts the byte
// at the lowest address there needs no swap. A name that is a word of the language ends with a line.
//
// tools/contract makes this file from doc/hardware/contract.
package accel_hw_pkg;

// ---------------- accel_hw_regs.h

	// Manual section 3: the maker of a card may build the driver with other numbers.
	localparam logic [31:0] ACCEL_HW_PCI_VENDOR_ID    = 32'h00001234;
	localparam logic [31:0] ACCEL_HW_PCI_DEVICE_ID_PF = 32'h0000acc0;
	localparam logic [31:0] ACCEL_HW_PCI_DEVICE_ID_VF = 32'h0000acc1;

	localparam logic [31:0] ACCEL_HW_PCI_CLASS        = 32'h00120000; // processing accelerator
	// network and computing encryption, of older cards
	localparam logic [31:0] ACCEL_HW_PCI_CLASS_BEFORE = 32'h00100000;

	// Manual section 3: every register page is 4 KiB and has one writer.
	localparam logic [31:0] ACCEL_HW_PAGE_SIZE       = 32'h00001000; // bytes
	// the only offset that software may hard-code
	localparam logic [31:0] ACCEL_HW_IDENTITY_OFFSET = 32'h00000000;

	// Manual section 4.1: identity page, written by the device.
	localparam logic [31:0] ACCEL_HW_MAGIC         = 32'h30434341; // bytes 'A' 'C' 'C' '0'
	localparam logic [31:0] ACCEL_HW_VERSION_MAJOR = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_VERSION_MINOR = 32'h00000007;
	localparam logic [31:0] ACCEL_HW_VERSION       = 32'h00010007;

	localparam logic [31:0] ACCEL_HW_STATE_BOOTING   = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_STATE_READY     = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_STATE_RESETTING = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_STATE_FATAL     = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_FATAL_NONE     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FATAL_INTERNAL = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_FATAL_THERMAL  = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_FATAL_FIRMWARE = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_FUNCTION_IS_VF      = 32'h80000000;
	localparam logic [31:0] ACCEL_HW_FUNCTION_INDEX_MASK = 32'h0000ffff;

	// Time limits of the device, in milliseconds.
	// a READY function changes HEARTBEAT at least this often (manual section 4.4)
	localparam logic [31:0] ACCEL_HW_HEARTBEAT_MAX_MS  = 32'h00000064;
	// an invalidated context is dropped within this time (manual section 8.4)
	localparam logic [31:0] ACCEL_HW_INVALIDATE_MAX_MS = 32'h0000000a;
	// reset and stop commands (manual sections 4.3, 5.4)
	localparam logic [31:0] ACCEL_HW_COMMAND_MAX_MS    = 32'h000003e8;
	// STATE is booting no longer than this after power-on or FLR (manual section 4.1)
	localparam logic [31:0] ACCEL_HW_BOOTING_MAX_MS    = 32'h00002710;
	// a ready device answers SNAPSHOT_REQ within this time (manual section 4.6)
	localparam logic [31:0] ACCEL_HW_SNAPSHOT_MAX_MS   = 32'h00000064;

	// Manual section 8.4: context invalidation page of 32-bit words, written by the host. The
	// address of a context selects its word. Any change of a word drops every cached context
	// that maps to it.
	localparam logic [31:0] ACCEL_HW_INVALIDATE_WORDS = 32'h00000400;

	// Manual section 5.1: queue pair host page, written by the host.
	localparam logic [31:0] ACCEL_HW_QP_CMD_NONE         = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_CMD_START        = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_QP_CMD_STOP_DRAIN   = 32'h00000002; // STOP and drain
	localparam logic [31:0] ACCEL_HW_QP_CMD_STOP_DISCARD = 32'h00000003; // STOP and discard

	localparam logic [31:0] ACCEL_HW_QP_CMD_MASK      = 32'h000000ff;
	localparam logic [31:0] ACCEL_HW_QP_CMD_SEQ_SHIFT = 32'h00000008; // [31:8] sequence number

	localparam logic [63:0] ACCEL_HW_QP_COMMAND_UPPER_VALID = 64'h8000000000000000;
	localparam logic [31:0] ACCEL_HW_QP_COMMAND_BASE_VALID  = 32'h00000001;
	// in WB_COUNT: the device chooses N and T; 1.2
	localparam logic [31:0] ACCEL_HW_QP_WB_AUTO             = 32'h80000000;
	// then this part of WB_COUNT is the largest N
	localparam logic [31:0] ACCEL_HW_QP_WB_AUTO_MAX         = 32'h0000ffff;

	// Manual section 5.2: queue pair device page, written by the device.
	localparam logic [31:0] ACCEL_HW_QP_STOPPED  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_RUNNING  = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_QP_STOPPING = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_QP_ERROR    = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_QP_ERR_NONE     = 32'h00000000;
	// size not a power of two or out of range, base not aligned, bits [62:34] of a valid
	// COMMAND_UPPER not 0, command ring refused (at START). The ring is that of the size or
	// base, and TX for COMMAND_UPPER and the command ring
	localparam logic [31:0] ACCEL_HW_QP_ERR_CONFIG   = 32'h00000001;
	// descriptor of type 1 or 3
	localparam logic [31:0] ACCEL_HW_QP_ERR_TYPE     = 32'h00000002;
	// type 2 before the first type 0 of the ring
	localparam logic [31:0] ACCEL_HW_QP_ERR_NO_UPPER = 32'h00000003;
	// reserved or interrupt bit set
	localparam logic [31:0] ACCEL_HW_QP_ERR_RESERVED = 32'h00000004;
	// fragment crosses a 1 GiB boundary
	localparam logic [31:0] ACCEL_HW_QP_ERR_BOUNDARY = 32'h00000005;
	// command bit misplaced, command not 64 bytes long, length 0
	localparam logic [31:0] ACCEL_HW_QP_ERR_FRAME    = 32'h00000006;
	// frame with more fragments or bytes than the limits
	localparam logic [31:0] ACCEL_HW_QP_ERR_TOO_LONG = 32'h00000007;
	// SDP not below the ring size
	localparam logic [31:0] ACCEL_HW_QP_ERR_POINTER  = 32'h00000008;
	// a descriptor or command not readable; a response entry or the write-back line not
	// writable, if the device learns of it (6.7)
	localparam logic [31:0] ACCEL_HW_QP_ERR_DMA      = 32'h00000009;

	localparam logic [31:0] ACCEL_HW_RING_TX  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_RING_RX  = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_RING_RSP = 32'h00000002; // responses
	localparam logic [31:0] ACCEL_HW_RING_WB  = 32'h00000003; // write-back

	// Manual section 4.6: the access of the latest fault, FAULT_INFO [7:0].
	localparam logic [31:0] ACCEL_HW_FAULT_NONE     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FAULT_TX_RING  = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_FAULT_RX_RING  = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_FAULT_COMMAND  = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_FAULT_CONTEXT  = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_FAULT_INPUT    = 32'h00000005;
	localparam logic [31:0] ACCEL_HW_FAULT_RESULT   = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_FAULT_RESPONSE = 32'h00000007;
	localparam logic [31:0] ACCEL_HW_FAULT_LINE     = 32'h00000008; // write-back line

	// Manual section 4.6: why it failed, FAULT_INFO [15:8].
	// not mapped (unsupported request, completer abort, no translation)
	localparam logic [31:0] ACCEL_HW_FAULT_UNMAPPED = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_FAULT_TIMEOUT  = 32'h00000002; // no completion in time
	localparam logic [31:0] ACCEL_HW_FAULT_POISONED = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_TEMPERATURE_NONE = 32'h80000000; // not measured
	localparam logic [31:0] ACCEL_HW_POWER_NONE       = 32'hffffffff; // not measured

	// Manual section 4.5: a PF has at most so many virtual functions.
	localparam logic [31:0] ACCEL_HW_VFS_MAX = 32'h00000100;

	// Rates and weight of a changed entry are in effect, and mails have arrived, within this
	// time (manual sections 4.5, 4.8).
	localparam logic [31:0] ACCEL_HW_VF_MAX_MS = 32'h00000064;

	// Manual section 4.8: what the host of the PF says about itself.
	localparam logic [31:0] ACCEL_HW_PF_NONE       = 32'h00000000; // no driver
	localparam logic [31:0] ACCEL_HW_PF_UP         = 32'h00000001; // in operation
	localparam logic [31:0] ACCEL_HW_PF_GOING_DOWN = 32'h00000002;

	// Manual section 4.8: ANSWER_STATUS.
	// granted: the entry was changed
	localparam logic [31:0] ACCEL_HW_ANSWER_GRANTED = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_ANSWER_REFUSED = 32'h00000002;

	// VF_STATE: 0 = the VF is not enabled, else this of enum accel_hw_state.
	localparam logic [31:0] ACCEL_HW_VF_ABSENT = 32'h00000000;

// ---------------- accel_hw_dma.h

	typedef struct packed {
		logic [1:0] type_;     // type
		logic [27:0] reserved; // reserved
		logic [33:0] upper;    // address[63:30] of the type 2 descriptors that follow
	} accel_hw_desc0_t;

	typedef struct packed {
		logic [1:0] type_;          // type
		logic [0:0] next;           // next: another fragment of the same frame follows
		logic [0:0] command;        // command: this fragment is a command (TX only)
		logic [11:0] reserved_high; // reserved
		logic [15:0] length;        // length in bytes, 1 to 65535. RX: capacity
		logic [0:0] interrupt;      // interrupt; this contract has no interrupts
		logic [0:0] reserved_low;   // reserved
		logic [29:0] address;       // address[29:0], any byte
	} accel_hw_desc2_t;

	localparam logic [31:0] ACCEL_HW_DESC_SIZE          = 32'h00000008; // bytes
	localparam logic [31:0] ACCEL_HW_DESC_TYPE_SHIFT    = 32'h0000003e;
	localparam logic [31:0] ACCEL_HW_DESC_TYPE_UPPER    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_DESC_TYPE_FRAGMENT = 32'h00000002;

	// a fragment lies within one region of 1 GiB
	localparam logic [31:0] ACCEL_HW_DESC_REGION_SHIFT = 32'h0000001e;
	localparam logic [31:0] ACCEL_HW_DESC_REGION_SIZE  = 32'h40000000;
	localparam logic [31:0] ACCEL_HW_DESC_LOW_MASK     = 32'h3fffffff;

	localparam logic [63:0] ACCEL_HW_DESC0_UPPER_MASK = 64'h00000003ffffffff;
	localparam logic [63:0] ACCEL_HW_DESC0_RESERVED   = 64'h3ffffffc00000000;

	localparam logic [63:0] ACCEL_HW_DESC2_TYPE      = 64'h8000000000000000;
	localparam logic [63:0] ACCEL_HW_DESC2_NEXT      = 64'h2000000000000000;
	localparam logic [63:0] ACCEL_HW_DESC2_COMMAND   = 64'h1000000000000000;
	localparam logic [31:0] ACCEL_HW_DESC2_LEN_SHIFT = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_DESC2_LEN_MAX   = 32'h0000ffff;
	localparam logic [31:0] ACCEL_HW_DESC2_INTERRUPT = 32'h80000000;
	localparam logic [63:0] ACCEL_HW_DESC2_RESERVED  = 64'h0fff0000c0000000;

	// Manual section 6.2: limits that every card keeps; its device tree may allow more.
	localparam logic [31:0] ACCEL_HW_RING_SIZE_MIN       = 32'h00000008; // descriptors
	localparam logic [31:0] ACCEL_HW_RING_BASE_ALIGN     = 32'h00000040; // bytes
	localparam logic [31:0] ACCEL_HW_MIN_MAX_RING_SIZE   = 32'h00000400; // descriptors
	// data fragments of a frame
	localparam logic [31:0] ACCEL_HW_MIN_MAX_FRAGMENTS   = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_MIN_MAX_FRAME_BYTES = 32'h00010000;

	// Manual section 6.5: the write-back line, 64 bytes in host memory, written by the device.
	typedef struct packed {
		logic [11:0][31:0] reserved; // written as 0, or not written
		logic [31:0] status;         // as STATUS of the device page
		// slot after the last RX descriptor of a request with a response
		logic [31:0] rx_hdp;
		// slot after the last TX descriptor of a request with a response
		logic [31:0] tx_hdp;
		logic [31:0] rsp_hhp;        // slot after the last response written
	} accel_hw_writeback_t;

// ---------------- accel_hw_op.h

	// Manual section 7.1: the command, 64 bytes, first fragment of each request frame.
	// moves no data, its status is OK
	localparam logic [31:0] ACCEL_HW_OP_NOP      = 32'h00000001;
	// copies the source to the result frame
	localparam logic [31:0] ACCEL_HW_OP_LOOPBACK = 32'h00000002;
	// symmetric operation as the context says
	localparam logic [31:0] ACCEL_HW_OP_SYM      = 32'h00000003;
	// public-key operation, see accel_hw_pk.h
	localparam logic [31:0] ACCEL_HW_OP_PK       = 32'h00000004;
	// fills the result frame with random bytes
	localparam logic [31:0] ACCEL_HW_OP_RANDOM   = 32'h00000005;

	// the request has no result frame
	localparam logic [31:0] ACCEL_HW_CMD_NO_RX            = 32'h00000001;
	// auth region at 0, cipher region at skip, else reverse (7.2)
	localparam logic [31:0] ACCEL_HW_CMD_AUTH_FIRST       = 32'h00000002;
	// the destination takes the whole source (7.2)
	localparam logic [31:0] ACCEL_HW_CMD_WHOLE            = 32'h00000004;
	// the digest lies after the auth region (7.2)
	localparam logic [31:0] ACCEL_HW_CMD_DIGEST_IN_STREAM = 32'h00000008;
	// cipher_len, auth_len, skip and aad_len count bits (7.2)
	localparam logic [31:0] ACCEL_HW_CMD_BITS             = 32'h00000010;
	// auth_iv has the AAD, and the input has none (7.2)
	localparam logic [31:0] ACCEL_HW_CMD_AAD_IN_COMMAND   = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_CMD_FLAGS            = 32'h0000003f;

	typedef struct packed {
		logic [1:0] gap0;  // 0
		logic [0:0] aad_in_command; // auth_iv has the AAD, and the input has none (7.2)
		logic [0:0] bits;  // cipher_len, auth_len, skip and aad_len count bits (7.2)
		logic [0:0] digest_in_stream; // the digest lies after the auth region (7.2)
		logic [0:0] whole; // the destination takes the whole source (7.2)
		// auth region at 0, cipher region at skip, else reverse (7.2)
		logic [0:0] auth_first;
		logic [0:0] no_rx; // the request has no result frame
	} accel_hw_command_flags_t;

	localparam logic [31:0] ACCEL_HW_IV_MAX      = 32'h00000010; // bytes
	// an IV above 16 bytes takes iv and auth_iv (manual 8.1)
	localparam logic [31:0] ACCEL_HW_LONG_IV_MAX = 32'h00000020;

	typedef struct packed {
		// IV of the authentication algorithm; AAD_IN_COMMAND: the AAD, from its first byte
		logic [15:0][7:0] auth_iv;
		// IV, nonce, counter block or tweak of the cipher or AEAD, from its first byte
		logic [15:0][7:0] iv;
		logic [31:0] auth_len; // bytes of the authentication region (BITS: bits)
		// bytes of the cipher or AEAD region (BITS: bits); LOOPBACK: bytes to copy
		logic [31:0] cipher_len;
		// bytes (BITS: bits) from the start of the source to the later region, manual 7.2
		logic [31:0] skip;
		logic [31:0] generation; // shall equal the generation in the context, and not be 0
		logic [63:0] context_; // IOVA of the context, aligned to 64 bytes (SYM; else 0)
		// bytes of AAD before the source, or in auth_iv; 0 unless the context is an AEAD.
		// BITS: a bit number, manual 7.2
		logic [15:0] aad_len;
		logic [7:0] flags;     // [7:6] 0, else BAD_COMMAND
		logic [7:0] opcode;    // others: status BAD_COMMAND
		logic [31:0] tag;      // any number; echoed in the response
	} accel_hw_command_t;

	localparam logic [31:0] ACCEL_HW_OK               = 32'h00000000;
	// the digest to verify differs; the destination was written (not with 8.6 to 8.8), and its
	// bytes are not to be used. PK: the signature is wrong
	localparam logic [31:0] ACCEL_HW_AUTH_FAILED      = 32'h00000001;
	// opcode, flags, or fields that contradict the context
	localparam logic [31:0] ACCEL_HW_BAD_COMMAND      = 32'h00000002;
	// address not aligned, generation 0 or different, unknown version, kind, algorithm, flag,
	// reserved byte not 0, or key, IV or digest size
	localparam logic [31:0] ACCEL_HW_BAD_CONTEXT      = 32'h00000003;
	// input longer or shorter than the command says, or a region that the algorithm cannot take
	localparam logic [31:0] ACCEL_HW_BAD_LENGTH       = 32'h00000004;
	// result frame (or NO_RX) with less room than the output
	localparam logic [31:0] ACCEL_HW_OUTPUT_TOO_SMALL = 32'h00000005;
	// context or input not readable; result not writable, if the device learns of it (6.7)
	localparam logic [31:0] ACCEL_HW_DMA_FAULT        = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_ENGINE_ERROR     = 32'h00000007; // the engine failed
	// algorithm not given to this function (manual 4.5)
	localparam logic [31:0] ACCEL_HW_DENIED           = 32'h00000008;
	// the sequence number was received before, or is below the window
	localparam logic [31:0] ACCEL_HW_REPLAY           = 32'h00000009;
	// the packet is not one that the SA can take: version, lengths, fragment, extension
	// headers, padding, next header, ECN. TLS: lengths, content type
	localparam logic [31:0] ACCEL_HW_MALFORMED        = 32'h0000000a;
	// the packet belongs to another SA: SPI, protocol, tunnel, UDP ports. TLS: version, epoch
	localparam logic [31:0] ACCEL_HW_MISMATCH         = 32'h0000000b;
	// a hard limit of the SA or connection was reached before
	localparam logic [31:0] ACCEL_HW_EXPIRED          = 32'h0000000c;
	// the SA or connection has no sequence number left
	localparam logic [31:0] ACCEL_HW_SEQUENCE_END     = 32'h0000000d;
	// a dummy packet (RFC 4303, 2.6), which is to be discarded
	localparam logic [31:0] ACCEL_HW_DUMMY            = 32'h0000000e;
	// an operand is too short or too long, or not in its range
	localparam logic [31:0] ACCEL_HW_BAD_OPERAND      = 32'h0000000f;
	// a point is not on its curve, or the result is infinity
	localparam logic [31:0] ACCEL_HW_INVALID_POINT    = 32'h00000010;
	// the number has no inverse
	localparam logic [31:0] ACCEL_HW_NO_INVERSE       = 32'h00000011;
	// the ciphertext is not one that this key can have made
	localparam logic [31:0] ACCEL_HW_DECRYPT_FAILED   = 32'h00000012;
	// the random number source failed
	localparam logic [31:0] ACCEL_HW_NO_ENTROPY       = 32'h00000013;

	// Manual section 7.3: the response, 16 bytes.
	typedef struct packed {
		logic [15:0] rx_used; // RX descriptors consumed by the request, type 0 included
		logic [15:0] tx_used; // TX descriptors consumed by the request, type 0 included
		logic [31:0] produced; // bytes written to the result frame: destination plus digest
		logic [15:0] info;    // manual 8.6 with ESP and AH, 8.7 with TLS and DTLS, else 0
		logic [15:0] status;  // manual 7.4
		logic [31:0] tag;     // of the command
	} accel_hw_response_t;

	// Manual section 8.1: the context, in host memory, written by the host only.
	localparam logic [31:0] ACCEL_HW_KIND_CIPHER           = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_KIND_AUTH             = 32'h00000002;
	// the digest covers the cipher's output
	localparam logic [31:0] ACCEL_HW_KIND_CIPHER_THEN_AUTH = 32'h00000003;
	// the digest covers the cipher's input
	localparam logic [31:0] ACCEL_HW_KIND_AUTH_THEN_CIPHER = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_KIND_AEAD             = 32'h00000005;
	// Ethernet CRC and DOCSIS BPI cipher
	localparam logic [31:0] ACCEL_HW_KIND_DOCSIS           = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_KIND_PDCP             = 32'h00000007; // a whole PDCP PDU
	// an IPsec SA, see accel_hw_ipsec.h
	localparam logic [31:0] ACCEL_HW_KIND_ESP              = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_KIND_AH               = 32'h00000009;
	// records of a connection, see accel_hw_tls.h
	localparam logic [31:0] ACCEL_HW_KIND_TLS12            = 32'h0000000a;
	localparam logic [31:0] ACCEL_HW_KIND_TLS13            = 32'h0000000b;
	localparam logic [31:0] ACCEL_HW_KIND_DTLS12           = 32'h0000000c;
	// a public key, with a format of its own: accel_hw_pk.h
	localparam logic [31:0] ACCEL_HW_KIND_PK               = 32'h0000000d;

	localparam logic [31:0] ACCEL_HW_CTX_VERSION = 32'h00000001;

	localparam logic [31:0] ACCEL_HW_CTX_ENCRYPT = 32'h00000001; // else decrypt
	// else generate; 0 for an AEAD or a protocol, whose direction decides
	localparam logic [31:0] ACCEL_HW_CTX_VERIFY  = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_CTX_FLAGS   = 32'h00000003;

	typedef struct packed {
		logic [5:0] gap0;    // 0
		// else generate; 0 for an AEAD or a protocol, whose direction decides
		logic [0:0] verify;
		logic [0:0] encrypt; // else decrypt
	} accel_hw_context_flags_t;

	localparam logic [31:0] ACCEL_HW_CTX_ALIGN = 32'h00000040; // bytes

	localparam logic [31:0] ACCEL_HW_CIPHER_KEY_MAX = 32'h00000040; // bytes
	localparam logic [31:0] ACCEL_HW_AUTH_KEY_MAX   = 32'h000000c0; // bytes
	localparam logic [31:0] ACCEL_HW_DIGEST_MAX     = 32'h00000040; // bytes
	localparam logic [31:0] ACCEL_HW_DATA_UNIT_MIN  = 32'h00000010; // bytes

	// Manual section 8.5.
	localparam logic [31:0] ACCEL_HW_CRC_LEN         = 32'h00000004; // bytes
	localparam logic [31:0] ACCEL_HW_PDCP_MAC_LEN    = 32'h00000004; // bytes
	localparam logic [31:0] ACCEL_HW_PDCP_BEARER_MAX = 32'h0000001f;
	// bytes of command.iv: the HFN, little-endian
	localparam logic [31:0] ACCEL_HW_PDCP_HFN_LEN    = 32'h00000004;

	typedef struct packed {
		logic [191:0][7:0] auth_key;  // raw key, from its first byte
		logic [63:0][7:0] cipher_key; // raw key, from its first byte
		logic [35:0][7:0] reserved2;
		// bytes after the header that are only authenticated (8.5). Else 0
		logic [7:0] pdcp_sdap_len;
		logic [7:0] pdcp_direction;   // DIRECTION (8.5): 0 uplink, 1 downlink. Else 0
		logic [7:0] pdcp_bearer;      // BEARER (8.5). Else 0
		// bits of the sequence number (8.5), 0: PDUs have no header. Else 0
		logic [7:0] pdcp_sn_len;
		// AES-XTS, SM4-XTS: bytes of a data unit, manual 8.2; 0: the cipher region is one.
		// Other ciphers: 0
		logic [31:0] data_unit_len;
		// bytes of the digest or tag; the leftmost ones of the whole
		logic [15:0] digest_len;
		logic [7:0] auth_iv_len;      // bytes of auth_iv in use
		// bytes of iv in use; kinds 8 to 12: of the IV in the packet or record
		logic [7:0] iv_len;
		logic [15:0] auth_key_len;    // bytes
		logic [15:0] cipher_key_len;  // bytes
		// authentication number, 0 with kinds 1, 5 and 6; with kind 7, and with an AEAD of
		// kinds 8 and 10 to 12, it may be 0
		logic [15:0] auth_alg;
		logic [15:0] cipher_alg;      // cipher or AEAD number of manual 8.2, 0 with kind 2
		logic [7:0] reserved;
		logic [7:0] flags;            // [7:2] 0
		logic [7:0] kind;
		logic [7:0] version;          // 1
		logic [31:0] generation;      // manual 8.3, not 0
	} accel_hw_context_t;

// ---------------- accel_hw_ipsec.h

	// accel_hw_ipsec.options, and the mask of the device tree's property.
	// tunnel mode, else transport mode
	localparam logic [31:0] ACCEL_HW_IPSEC_TUNNEL      = 32'h00000001;
	// the outer header is IPv6, else IPv4; only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_OUTER_V6    = 32'h00000002;
	// sequence numbers of 64 bits
	localparam logic [31:0] ACCEL_HW_IPSEC_ESN         = 32'h00000004;
	// UDP header before ESP (RFC 3948); not with AH
	localparam logic [31:0] ACCEL_HW_IPSEC_UDP         = 32'h00000008;
	// both UDP ports are checked against the context; only with UDP
	localparam logic [31:0] ACCEL_HW_IPSEC_UDP_VERIFY  = 32'h00000010;
	// outer DF is the inner one (IPv4 in IPv4); only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_COPY_DF     = 32'h00000020;
	// outer DSCP is the inner one; inbound the other way round; only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_COPY_DSCP   = 32'h00000040;
	// outer flow label is the inner one (IPv6 in IPv6); only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_COPY_FLABEL = 32'h00000080;
	// outbound the outer ECN is the inner one; inbound the inner ECN is made of both (RFC 6040,
	// figure 4); only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_ECN         = 32'h00000100;
	// the inner TTL or hop limit is lowered by 1; only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_DEC_TTL     = 32'h00000200;
	// outbound the header checksum of the inner IPv4 packet is made, inbound it is checked
	localparam logic [31:0] ACCEL_HW_IPSEC_IP_CHECKSUM = 32'h00000400;
	// outbound the checksum of TCP or UDP in the inner packet is made, inbound it is checked
	localparam logic [31:0] ACCEL_HW_IPSEC_L4_CHECKSUM = 32'h00000800;
	// the IV is iv of the command, else the card makes it
	localparam logic [31:0] ACCEL_HW_IPSEC_IV_GIVEN    = 32'h00001000;
	// the outer destination is checked against outer_header; only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_VERIFY_DST  = 32'h00002000;
	// the outer source is checked against outer_header; only with TUNNEL
	localparam logic [31:0] ACCEL_HW_IPSEC_VERIFY_SRC  = 32'h00004000;
	localparam logic [31:0] ACCEL_HW_IPSEC_OPTIONS     = 32'h00007fff;

	typedef struct packed {
		logic [16:0] gap0;    // 0
		// the outer source is checked against outer_header; only with TUNNEL
		logic [0:0] verify_src;
		// the outer destination is checked against outer_header; only with TUNNEL
		logic [0:0] verify_dst;
		logic [0:0] iv_given; // the IV is iv of the command, else the card makes it
		// outbound the checksum of TCP or UDP in the inner packet is made, inbound it is
		// checked
		logic [0:0] l4_checksum;
		// outbound the header checksum of the inner IPv4 packet is made, inbound it is
		// checked
		logic [0:0] ip_checksum;
		// the inner TTL or hop limit is lowered by 1; only with TUNNEL
		logic [0:0] dec_ttl;
		// outbound the outer ECN is the inner one; inbound the inner ECN is made of both
		// (RFC 6040, figure 4); only with TUNNEL
		logic [0:0] ecn;
		// outer flow label is the inner one (IPv6 in IPv6); only with TUNNEL
		logic [0:0] copy_flabel;
		// outer DSCP is the inner one; inbound the other way round; only with TUNNEL
		logic [0:0] copy_dscp;
		logic [0:0] copy_df;  // outer DF is the inner one (IPv4 in IPv4); only with TUNNEL
		// both UDP ports are checked against the context; only with UDP
		logic [0:0] udp_verify;
		logic [0:0] udp;      // UDP header before ESP (RFC 3948); not with AH
		logic [0:0] esn;      // sequence numbers of 64 bits
		logic [0:0] outer_v6; // the outer header is IPv6, else IPv4; only with TUNNEL
		logic [0:0] tunnel;   // tunnel mode, else transport mode
	} accel_hw_ipsec_options_t;

	// Bits of accel_hw_command.skip.
	// outbound: make it, although the context does not ask
	localparam logic [31:0] ACCEL_HW_IPSEC_CMD_IP_CHECKSUM = 32'h00000001;
	// outbound: make it, although the context does not ask
	localparam logic [31:0] ACCEL_HW_IPSEC_CMD_L4_CHECKSUM = 32'h00000002;
	// inbound, see Places
	localparam logic [31:0] ACCEL_HW_IPSEC_CMD_KEEP_PLACE  = 32'h00000004;

	typedef struct packed {
		logic [28:0] gap0;       // 0
		logic [0:0] keep_place;  // inbound, see Places
		logic [0:0] l4_checksum; // outbound: make it, although the context does not ask
		logic [0:0] ip_checksum; // outbound: make it, although the context does not ask
	} accel_hw_ipsec_skip_t;

	// Bits of accel_hw_response.info.
	// bytes of the result frame before the output, which were left alone, see Places
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_OFFSET     = 32'h000003ff;
	// a soft limit was reached
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_SOFT       = 32'h00000400;
	// inbound with IP_CHECKSUM: the header checksum was checked
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_IP_CHECKED = 32'h00000800;
	// inbound: the header checksum is wrong
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_IP_BAD     = 32'h00001000;
	// inbound with L4_CHECKSUM: the checksum of TCP or UDP was checked
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_L4_CHECKED = 32'h00002000;
	// inbound: the checksum of TCP or UDP is wrong
	localparam logic [31:0] ACCEL_HW_IPSEC_INFO_L4_BAD     = 32'h00004000;

	typedef struct packed {
		logic [0:0] gap0;   // 0
		logic [0:0] l4_bad; // inbound: the checksum of TCP or UDP is wrong
		// inbound with L4_CHECKSUM: the checksum of TCP or UDP was checked
		logic [0:0] l4_checked;
		logic [0:0] ip_bad; // inbound: the header checksum is wrong
		logic [0:0] ip_checked; // inbound with IP_CHECKSUM: the header checksum was checked
		logic [0:0] soft_;  // a soft limit was reached
		// bytes of the result frame before the output, which were left alone, see Places
		logic [9:0] offset;
	} accel_hw_ipsec_info_t;

	localparam logic [31:0] ACCEL_HW_IPSEC_SALT_MAX    = 32'h00000004; // bytes
	// bytes of an IV that is made by counting
	localparam logic [31:0] ACCEL_HW_IPSEC_IV_COUNTED  = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_IPSEC_OUTER_MAX   = 32'h00000028; // bytes
	localparam logic [31:0] ACCEL_HW_IPSEC_WINDOW_MAX  = 32'h00001000; // numbers
	// bits of a word of the window, and the least window
	localparam logic [31:0] ACCEL_HW_IPSEC_WINDOW_WORD = 32'h00000040;

	// The part that the host writes.
	typedef struct packed {
		logic [23:0][7:0] reserved3;
		// tunnel: outer header of 20 (IPv4) or 40 bytes (IPv6), in network order; total or
		// payload length, identification, protocol or next header, and checksum are 0, and
		// no flag but DF is set. The rest, and all of it in transport mode, is 0
		logic [39:0][7:0] outer_header;
		logic [63:0] reserved2;
		logic [63:0] bytes_hard;      // limit, 0 for none
		logic [63:0] bytes_soft;      // limit, 0 for none
		logic [63:0] packets_hard;    // limit, 0 for none
		logic [63:0] packets_soft;    // limit (see Limits), 0 for none
		logic [31:0] reserved;
		logic [15:0] udp_destination; // a port, with UDP; else 0
		logic [15:0] udp_source;      // a port, with UDP; else 0
		// first bytes of the nonce (AEAD, AES-CTR, AES-GMAC), as they stand in the nonce.
		// CCM: 3 bytes, the fourth is 0
		logic [3:0][7:0] salt;
		// inbound: numbers that the window covers, 0 for no check, at most
		// replay-window-max. Outbound: 0
		logic [31:0] replay_window;
		logic [31:0] options;         // the next table
		logic [31:0] spi;             // a number; the packet has it in network order
	} accel_hw_ipsec_t;

	// The part that the device writes.
	typedef struct packed {
		// inbound: bit n modulo M (bit 0 is the least significant one of the first byte) is
		// set if number n was received. M is the least power of two from 64 on that is not
		// below replay_window; without a window there are no such bytes
		logic [63:0][63:0] window;
		logic [63:0] reserved;      // not written
		logic [63:0] iv_count;      // last IV that was made by counting
		logic [63:0] replay_errors; // of these: REPLAY
		logic [63:0] auth_errors;   // of these: AUTH_FAILED
		// operations that passed the checks 1 to 9 of 7.4 and did not end with OK
		logic [63:0] errors;
		// of the same packets, without IPsec and without bytes that follow the packet
		// (IPS-11): outbound source, inbound output
		logic [63:0] bytes;
		logic [63:0] packets;       // outbound: numbers taken. Inbound: packets with OK
		// outbound: last number taken. Inbound: highest number received
		logic [63:0] sequence_;
	} accel_hw_ipsec_state_t;

	// A whole context of ESP or AH. The device reads it up to the state.
	typedef struct packed {
		accel_hw_ipsec_state_t state;
		accel_hw_ipsec_t ipsec;
		accel_hw_context_t common;
	} accel_hw_ipsec_context_t;

// ---------------- accel_hw_tls.h

	// accel_hw_tls.options.
	// write: the explicit IV is iv of the command, else the card makes it
	localparam logic [31:0] ACCEL_HW_TLS_IV_GIVEN = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_TLS_OPTIONS  = 32'h00000001;

	typedef struct packed {
		logic [30:0] gap0; // 0
		// write: the explicit IV is iv of the command, else the card makes it
		logic [0:0] iv_given;
	} accel_hw_tls_options_t;

	// Bits of accel_hw_command.skip.
	// write: content type
	localparam logic [31:0] ACCEL_HW_TLS_CMD_TYPE          = 32'h000000ff;
	localparam logic [31:0] ACCEL_HW_TLS_CMD_KEEP_PLACE    = 32'h00000100; // read, see Places
	// write: bytes of extra padding
	localparam logic [31:0] ACCEL_HW_TLS_CMD_PADDING_SHIFT = 32'h00000010;

	typedef struct packed {
		logic [15:0] padding;   // write: bytes of extra padding
		logic [6:0] gap0;       // 0
		logic [0:0] keep_place; // read, see Places
		logic [7:0] type_;      // write: content type
	} accel_hw_tls_skip_t;

	// Bits of accel_hw_response.info.
	// read: content type; else 0
	localparam logic [31:0] ACCEL_HW_TLS_INFO_TYPE         = 32'h000000ff;
	// read: bytes of the result frame before the content, which were left alone, see Places
	localparam logic [31:0] ACCEL_HW_TLS_INFO_OFFSET       = 32'h00003f00;
	localparam logic [31:0] ACCEL_HW_TLS_INFO_OFFSET_SHIFT = 32'h00000008;
	// a soft limit was reached
	localparam logic [31:0] ACCEL_HW_TLS_INFO_SOFT         = 32'h00004000;

	typedef struct packed {
		logic [0:0] gap0;  // 0
		logic [0:0] soft_; // a soft limit was reached
		// read: bytes of the result frame before the content, which were left alone, see
		// Places
		logic [5:0] offset;
		logic [7:0] type_; // read: content type; else 0
	} accel_hw_tls_info_t;

	// Content types that the card knows (RFC 5246, 6.2.1).
	localparam logic [31:0] ACCEL_HW_TLS_CHANGE_CIPHER_SPEC = 32'h00000014;
	localparam logic [31:0] ACCEL_HW_TLS_ALERT              = 32'h00000015;
	localparam logic [31:0] ACCEL_HW_TLS_HANDSHAKE          = 32'h00000016;
	localparam logic [31:0] ACCEL_HW_TLS_APPLICATION_DATA   = 32'h00000017;

	// in the header of TLS 1.2 and TLS 1.3
	localparam logic [31:0] ACCEL_HW_TLS_VERSION  = 32'h00000303;
	localparam logic [31:0] ACCEL_HW_DTLS_VERSION = 32'h0000fefd;

	// bytes: type, version, length
	localparam logic [31:0] ACCEL_HW_TLS_HEADER         = 32'h00000005;
	// bytes: type, version, epoch, number, length
	localparam logic [31:0] ACCEL_HW_DTLS_HEADER        = 32'h0000000d;
	// bytes; TLS 1.2, DTLS 1.2
	localparam logic [31:0] ACCEL_HW_TLS_CONTENT_MAX    = 32'h00004400;
	localparam logic [31:0] ACCEL_HW_TLS13_CONTENT_MAX  = 32'h00004000; // bytes
	// bytes after the header; TLS 1.2, DTLS 1.2
	localparam logic [31:0] ACCEL_HW_TLS_FRAGMENT_MAX   = 32'h00004800;
	// bytes after the header
	localparam logic [31:0] ACCEL_HW_TLS13_FRAGMENT_MAX = 32'h00004100;
	// CBC, with the byte of its length
	localparam logic [31:0] ACCEL_HW_TLS_PADDING_MAX    = 32'h00000100;

	localparam logic [31:0] ACCEL_HW_TLS_NONCE          = 32'h0000000c; // bytes
	// bytes of the nonce before an explicit IV
	localparam logic [31:0] ACCEL_HW_TLS_FIXED_IV       = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_TLS_EXPLICIT_NONCE = 32'h00000008; // bytes
	localparam logic [63:0] ACCEL_HW_TLS_NUMBER_MAX     = 64'hfffffffffffffffe;
	localparam logic [63:0] ACCEL_HW_DTLS_NUMBER_MAX    = 64'h0000ffffffffffff;

	// The part that the host writes.
	typedef struct packed {
		logic [83:0][7:0] reserved2;
		// TLS 1.3, write: content and padding have at least so many bytes, at most 16384.
		// Else 0
		logic [31:0] payload_min;
		logic [63:0] records_hard; // limit, 0 for none
		logic [63:0] records_soft; // limit (see Limits), 0 for none
		// AEAD: the part of the nonce that no record has (below), the rest 0. Other
		// ciphers: 0
		logic [11:0][7:0] fixed_iv;
		logic [15:0] reserved;
		logic [15:0] epoch;        // DTLS; else 0
		// DTLS, read: numbers that the window covers, 0 for no check, at most
		// replay-window-max. Else 0
		logic [31:0] replay_window;
		logic [31:0] options;      // [31:1] 0
	} accel_hw_tls_t;

	// The part that the device writes, in the order of struct accel_hw_ipsec_state.
	typedef struct packed {
		// DTLS, read: as in 8.6, where the bit of number n is n + 1 modulo M
		logic [63:0][63:0] window;
		logic [1:0][63:0] reserved; // not written
		logic [63:0] replay_errors; // errors with the status REPLAY
		logic [63:0] auth_errors;   // errors with the status AUTH_FAILED
		// operations that reached the state and did not end with OK
		logic [63:0] errors;
		logic [63:0] bytes;         // content of the counted records
		logic [63:0] records;       // write: numbers taken. Read: records with OK
		// DTLS, read: highest number received plus 1, 0 if none was. Else the number of the
		// next record
		logic [63:0] sequence_;
	} accel_hw_tls_state_t;

	// A whole context. The device reads it up to the state.
	typedef struct packed {
		accel_hw_tls_state_t state;
		accel_hw_tls_t tls;
		accel_hw_context_t common;
	} accel_hw_tls_context_t;

// ---------------- accel_hw_pk.h

	// Not each algorithm has all of them.
	localparam logic [31:0] ACCEL_HW_PK_ENCRYPT  = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_PK_DECRYPT  = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_PK_SIGN     = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_PK_VERIFY   = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_PK_COMPUTE  = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_PK_GENERATE = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_PK_PUBLIC   = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_PK_SHARED   = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_PK_CHECK    = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_PK_ENCAPS   = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_PK_DECAPS   = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_PK_PADDING_NONE  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_PK_PADDING_PKCS1 = 32'h00000001; // v1.5
	localparam logic [31:0] ACCEL_HW_PK_PADDING_OAEP  = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_PK_PADDING_PSS   = 32'h00000003;

	localparam logic [31:0] ACCEL_HW_PK_PURE      = 32'h00000000; // EdDSA, ML-DSA
	localparam logic [31:0] ACCEL_HW_PK_CONTEXT   = 32'h00000001; // EdDSA
	localparam logic [31:0] ACCEL_HW_PK_PREHASHED = 32'h00000002; // EdDSA, ML-DSA
	localparam logic [31:0] ACCEL_HW_PK_MU        = 32'h00000003; // ML-DSA

	localparam logic [31:0] ACCEL_HW_CURVE_NONE    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_CURVE_P192    = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_CURVE_P224    = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_CURVE_P256    = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_CURVE_P384    = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_CURVE_P521    = 32'h00000005;
	localparam logic [31:0] ACCEL_HW_CURVE_SM2     = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_CURVE_X25519  = 32'h00000007;
	localparam logic [31:0] ACCEL_HW_CURVE_X448    = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_CURVE_ED25519 = 32'h00000009;
	localparam logic [31:0] ACCEL_HW_CURVE_ED448   = 32'h0000000a;
	localparam logic [31:0] ACCEL_HW_ML_KEM_512    = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_ML_KEM_768    = 32'h00000011;
	localparam logic [31:0] ACCEL_HW_ML_KEM_1024   = 32'h00000012;
	localparam logic [31:0] ACCEL_HW_ML_DSA_44     = 32'h00000013;
	localparam logic [31:0] ACCEL_HW_ML_DSA_65     = 32'h00000014;
	localparam logic [31:0] ACCEL_HW_ML_DSA_87     = 32'h00000015;

	// Numbers of components in accel_hw_pk_context.component.
	localparam logic [31:0] ACCEL_HW_RSA_N          = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_RSA_E          = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_RSA_D          = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_RSA_P          = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_RSA_Q          = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_RSA_DP         = 32'h00000005;
	localparam logic [31:0] ACCEL_HW_RSA_DQ         = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_RSA_QINV       = 32'h00000007;
	localparam logic [31:0] ACCEL_HW_MOD_MODULUS    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MOD_EXPONENT   = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_DH_P           = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_DH_G           = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_DH_Q           = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_DSA_P          = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_DSA_Q          = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_DSA_G          = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_DSA_X          = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_DSA_Y          = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_EC_D           = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_EC_X           = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_EC_Y           = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_PK_PRIVATE_KEY = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_PK_PUBLIC_KEY  = 32'h00000001;

	// Manual section 11: limits that every card keeps.
	localparam logic [31:0] ACCEL_HW_MIN_MAX_KEY_SIZE     = 32'h00000040; // bytes
	localparam logic [31:0] ACCEL_HW_MIN_MAX_OPERAND_SIZE = 32'h00000001; // bytes
	localparam logic [31:0] ACCEL_HW_MIN_MAX_RANDOM       = 32'h00000001; // bytes of one RANDOM

	localparam logic [31:0] ACCEL_HW_PK_OPERANDS         = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_PK_COMPONENTS       = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_PK_MODULUS_BITS_MAX = 32'h00002000;

	// The command of the opcode PK, in place of struct accel_hw_command.
	typedef struct packed {
		// 8 lengths of 4 bytes each: bytes of each operand, 0: it is absent
		logic [7:0][31:0] operand;
		logic [5:0][7:0] reserved;
		// PSS: bytes of the salt, exact also when verifying. Else 0
		logic [15:0] salt_len;
		// EdDSA: 0 pure, 1 with context, 2 prehashed. ML-DSA: 0 pure, 2 prehashed, 3 mu.
		// Else 0
		logic [7:0] variant;
		logic [7:0] mgf_hash;    // OAEP, PSS: that of MGF1; 0: as hash. Else 0
		// number of an authentication algorithm without key (8.2), 0: none
		logic [7:0] hash;
		logic [7:0] padding;     // with RSA; else 0
		logic [31:0] generation; // as in 7.1
		logic [63:0] context_;   // IOVA of a context of kind 13
		logic [15:0] operation;  // see the table below
		logic [7:0] flags;       // [0] NO_RX, for operations without a result. [7:1] 0
		logic [7:0] opcode;      // 4
		logic [31:0] tag;        // as in 7.1
	} accel_hw_pk_command_t;

	// The header of a context of kind 13. The components follow.
	typedef struct packed {
		logic [15:0][7:0] reserved2;
		// 16 lengths of 2 bytes each: bytes of each component, 0: it is absent
		logic [15:0][15:0] component;
		logic [31:0] key_len;    // bytes of all components
		logic [15:0] reserved;
		logic [15:0] alg;        // number of manual 8.2, 128 to 139
		// a curve or parameter set, see below; 0 with algorithms that have none
		logic [7:0] curve;
		logic [7:0] flags;       // 0
		logic [7:0] kind;        // 13
		logic [7:0] version;     // 1
		logic [31:0] generation; // manual 8.3, not 0
	} accel_hw_pk_context_t;

// ---------------- accel_hw_alg.h

	// Manual section 8.2: where the range of numbers of each kind of node begins. It ends where
	// the next one begins.
	localparam logic [31:0] ACCEL_HW_CIPHER_FIRST = 32'h00000001; // ciphers
	localparam logic [31:0] ACCEL_HW_AUTH_FIRST   = 32'h00000040; // authentication
	localparam logic [31:0] ACCEL_HW_PROTO_FIRST  = 32'h00000060; // protocols
	// public keys and random numbers
	localparam logic [31:0] ACCEL_HW_PK_FIRST     = 32'h00000080;
	localparam logic [31:0] ACCEL_HW_AEAD_FIRST   = 32'h000000c0; // AEADs
	// authentication, second range
	localparam logic [31:0] ACCEL_HW_AUTH2_FIRST  = 32'h000000e0;

	// Ciphers
	localparam logic [31:0] ACCEL_HW_CIPHER_NULL           = 32'h00000001;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_CBC        = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_CTR        = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_ECB        = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_XTS        = 32'h00000005;
	localparam logic [31:0] ACCEL_HW_CIPHER_DES_CBC        = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_CIPHER_3DES_CBC       = 32'h00000007;
	localparam logic [31:0] ACCEL_HW_CIPHER_3DES_ECB       = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_CIPHER_3DES_CTR       = 32'h00000009;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_DOCSIS_BPI = 32'h0000000a;
	localparam logic [31:0] ACCEL_HW_CIPHER_DES_DOCSIS_BPI = 32'h0000000b;
	localparam logic [31:0] ACCEL_HW_CIPHER_SNOW3G_UEA2    = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_CIPHER_KASUMI_F8      = 32'h0000000d;
	localparam logic [31:0] ACCEL_HW_CIPHER_ZUC_EEA3       = 32'h0000000e;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_ECB        = 32'h0000000f;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_CBC        = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_CTR        = 32'h00000011;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_CFB        = 32'h00000012;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_OFB        = 32'h00000013;
	localparam logic [31:0] ACCEL_HW_CIPHER_SM4_XTS        = 32'h00000014;
	localparam logic [31:0] ACCEL_HW_CIPHER_SNOW5G_NEA4    = 32'h00000015;
	localparam logic [31:0] ACCEL_HW_CIPHER_AES_NEA5       = 32'h00000016;
	localparam logic [31:0] ACCEL_HW_CIPHER_ZUC_NEA6       = 32'h00000017;

	// Authentication
	localparam logic [31:0] ACCEL_HW_AUTH_NULL          = 32'h00000040;
	localparam logic [31:0] ACCEL_HW_AUTH_MD5           = 32'h00000041;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA1          = 32'h00000042;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA224        = 32'h00000043;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA256        = 32'h00000044;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA384        = 32'h00000045;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA512        = 32'h00000046;
	localparam logic [31:0] ACCEL_HW_AUTH_MD5_HMAC      = 32'h00000047;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA1_HMAC     = 32'h00000048;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA224_HMAC   = 32'h00000049;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA256_HMAC   = 32'h0000004a;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA384_HMAC   = 32'h0000004b;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA512_HMAC   = 32'h0000004c;
	localparam logic [31:0] ACCEL_HW_AUTH_AES_GMAC      = 32'h0000004d;
	localparam logic [31:0] ACCEL_HW_AUTH_AES_XCBC_MAC  = 32'h0000004e;
	localparam logic [31:0] ACCEL_HW_AUTH_AES_CMAC      = 32'h0000004f;
	localparam logic [31:0] ACCEL_HW_AUTH_SNOW3G_UIA2   = 32'h00000050;
	localparam logic [31:0] ACCEL_HW_AUTH_KASUMI_F9     = 32'h00000051;
	localparam logic [31:0] ACCEL_HW_AUTH_ZUC_EIA3      = 32'h00000052;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_224      = 32'h00000053;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_256      = 32'h00000054;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_384      = 32'h00000055;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_512      = 32'h00000056;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_224_HMAC = 32'h00000057;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_256_HMAC = 32'h00000058;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_384_HMAC = 32'h00000059;
	localparam logic [31:0] ACCEL_HW_AUTH_SHA3_512_HMAC = 32'h0000005a;
	localparam logic [31:0] ACCEL_HW_AUTH_SM3           = 32'h0000005b;
	localparam logic [31:0] ACCEL_HW_AUTH_SM3_HMAC      = 32'h0000005c;
	localparam logic [31:0] ACCEL_HW_AUTH_SHAKE_128     = 32'h0000005d;
	localparam logic [31:0] ACCEL_HW_AUTH_SHAKE_256     = 32'h0000005e;
	localparam logic [31:0] ACCEL_HW_AUTH_SNOW5G_NIA4   = 32'h000000e0;
	localparam logic [31:0] ACCEL_HW_AUTH_AES_NIA5      = 32'h000000e1;
	localparam logic [31:0] ACCEL_HW_AUTH_ZUC_NIA6      = 32'h000000e2;

	// AEAD
	localparam logic [31:0] ACCEL_HW_AEAD_AES_GCM           = 32'h000000c0;
	localparam logic [31:0] ACCEL_HW_AEAD_AES_CCM           = 32'h000000c1;
	localparam logic [31:0] ACCEL_HW_AEAD_CHACHA20_POLY1305 = 32'h000000c2;
	localparam logic [31:0] ACCEL_HW_AEAD_SM4_GCM           = 32'h000000c3;
	localparam logic [31:0] ACCEL_HW_AEAD_SNOW5G_NCA4       = 32'h000000c4;
	localparam logic [31:0] ACCEL_HW_AEAD_AES_NCA5          = 32'h000000c5;
	localparam logic [31:0] ACCEL_HW_AEAD_ZUC_NCA6          = 32'h000000c6;

	// Protocols, each with its context kind
	localparam logic [31:0] ACCEL_HW_PROTO_DOCSIS = 32'h00000060;
	localparam logic [31:0] ACCEL_HW_PROTO_PDCP   = 32'h00000061;
	localparam logic [31:0] ACCEL_HW_PROTO_ESP    = 32'h00000062;
	localparam logic [31:0] ACCEL_HW_PROTO_AH     = 32'h00000063;
	localparam logic [31:0] ACCEL_HW_PROTO_TLS12  = 32'h00000064;
	localparam logic [31:0] ACCEL_HW_PROTO_TLS13  = 32'h00000065;
	localparam logic [31:0] ACCEL_HW_PROTO_DTLS12 = 32'h00000066;

	// Public keys, see accel_hw_pk.h
	localparam logic [31:0] ACCEL_HW_PK_RSA    = 32'h00000080;
	localparam logic [31:0] ACCEL_HW_PK_MODEXP = 32'h00000081;
	localparam logic [31:0] ACCEL_HW_PK_MODINV = 32'h00000082;
	localparam logic [31:0] ACCEL_HW_PK_DH     = 32'h00000083;
	localparam logic [31:0] ACCEL_HW_PK_DSA    = 32'h00000084;
	localparam logic [31:0] ACCEL_HW_PK_ECDSA  = 32'h00000085;
	localparam logic [31:0] ACCEL_HW_PK_ECDH   = 32'h00000086;
	localparam logic [31:0] ACCEL_HW_PK_EC_MUL = 32'h00000087;
	localparam logic [31:0] ACCEL_HW_PK_SM2    = 32'h00000088;
	localparam logic [31:0] ACCEL_HW_PK_EDDSA  = 32'h00000089;
	localparam logic [31:0] ACCEL_HW_PK_ML_KEM = 32'h0000008a;
	localparam logic [31:0] ACCEL_HW_PK_ML_DSA = 32'h0000008b;
	localparam logic [31:0] ACCEL_HW_RANDOM    = 32'h0000008c;

// ---------------- accel_hw_dt.h

	// bytes; a larger blob is refused
	localparam logic [31:0] ACCEL_HW_DT_SIZE_MAX      = 32'h00010000;
	// operation-ms is no larger
	localparam logic [31:0] ACCEL_HW_OPERATION_MAX_MS = 32'h000927c0;

// ---------------- accel_hw_states.h

	// Manual section 5.5: what CONTROL_ACK shows after an event, and section 4.9: RESET_ACK.
	localparam logic [31:0] ACCEL_HW_ECHO_NONE  = 32'h00000000; // it stays
	// the value that the host has written, after STATUS
	localparam logic [31:0] ACCEL_HW_ECHO_NOW   = 32'h00000001;
	// at the end of the stop, unless another STOP comes
	localparam logic [31:0] ACCEL_HW_ECHO_END   = 32'h00000002;
	// when the stop has ended, and the command was carried out in the state stopped
	localparam logic [31:0] ACCEL_HW_ECHO_AFTER = 32'h00000003;
	localparam logic [31:0] ACCEL_HW_ECHO_TAKEN = 32'h00000004; // the present value of CONTROL
	localparam logic [31:0] ACCEL_HW_ECHO_ZERO  = 32'h00000005; // 0

	// Manual section 5.5: which write-back line an event leads to.
	// none is written, and host memory is not accessed
	localparam logic [31:0] ACCEL_HW_LINE_NONE  = 32'h00000000;
	// one with STATUS as it becomes, before STATUS
	localparam logic [31:0] ACCEL_HW_LINE_STATE = 32'h00000001;
	// as manual 6.5 says, in the present state
	localparam logic [31:0] ACCEL_HW_LINE_DUE   = 32'h00000002;

	// Manual section 5.5: events of a queue pair.
	// START, with registers that are right
	localparam logic [31:0] ACCEL_HW_QP_ON_START         = 32'h00000000;
	// START, with a register that is refused
	localparam logic [31:0] ACCEL_HW_QP_ON_START_REFUSED = 32'h00000001;
	// START, and the device learns that the write-back line cannot be written
	localparam logic [31:0] ACCEL_HW_QP_ON_START_NO_LINE = 32'h00000002;
	localparam logic [31:0] ACCEL_HW_QP_ON_STOP_DRAIN    = 32'h00000003; // STOP and drain
	localparam logic [31:0] ACCEL_HW_QP_ON_STOP_DISCARD  = 32'h00000004; // STOP and discard
	// 0, or a command that is none of these
	localparam logic [31:0] ACCEL_HW_QP_ON_OTHER         = 32'h00000005;
	// a doorbell that makes requests complete
	localparam logic [31:0] ACCEL_HW_QP_ON_REQUEST       = 32'h00000006;
	// a doorbell with a part of a frame
	localparam logic [31:0] ACCEL_HW_QP_ON_PART          = 32'h00000007;
	// an SDP that is not below the ring size
	localparam logic [31:0] ACCEL_HW_QP_ON_BAD_SDP       = 32'h00000008;
	// the next request has an error of its ring
	localparam logic [31:0] ACCEL_HW_QP_ON_ERROR         = 32'h00000009;
	// nothing is left to do for the STOP, or its time is over
	localparam logic [31:0] ACCEL_HW_QP_ON_FINISHED      = 32'h0000000a;
	// a reset of the function
	localparam logic [31:0] ACCEL_HW_QP_ON_RESET         = 32'h0000000b;
	localparam logic [31:0] ACCEL_HW_QP_ON_FLR           = 32'h0000000c; // FLR, or power-on
	localparam logic [31:0] ACCEL_HW_QP_ON_FATAL         = 32'h0000000d; // the function fails

	// Manual section 4.9: events of a function.
	localparam logic [31:0] ACCEL_HW_FN_ON_BOOTED = 32'h00000000; // the function has booted
	// RESET_REQ becomes another number than RESET_ACK
	localparam logic [31:0] ACCEL_HW_FN_ON_RESET  = 32'h00000001;
	// RESET_REQ is written with the number of RESET_ACK
	localparam logic [31:0] ACCEL_HW_FN_ON_SAME   = 32'h00000002;
	// no access to host memory is under way any more
	localparam logic [31:0] ACCEL_HW_FN_ON_SILENT = 32'h00000003;
	// FLR, power-on, or the change from D3hot to D0
	localparam logic [31:0] ACCEL_HW_FN_ON_FLR    = 32'h00000004;
	// a failure that the device cannot handle
	localparam logic [31:0] ACCEL_HW_FN_ON_FAILED = 32'h00000005;

// ---------------- Identity page (manual 4.1), written by the device

	localparam logic [31:0] ACCEL_HW_IDENTITY_MAGIC_OFFSET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_IDENTITY_MAGIC_RESET       = 32'h30434341;
	localparam logic [31:0] ACCEL_HW_IDENTITY_VERSION_OFFSET    = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_IDENTITY_VERSION_RESET     = 32'h00010007;
	localparam logic [31:0] ACCEL_HW_IDENTITY_STATE_OFFSET      = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_IDENTITY_STATE_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_IDENTITY_FATAL_CODE_OFFSET = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_IDENTITY_FATAL_CODE_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_IDENTITY_HEARTBEAT_OFFSET  = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_IDENTITY_RESET_ACK_OFFSET  = 32'h00000018;
	localparam logic [31:0] ACCEL_HW_IDENTITY_RESET_ACK_RESET   = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_IDENTITY_FUNCTION_OFFSET   = 32'h0000001c;
	localparam logic [31:0] ACCEL_HW_IDENTITY_DT_OFFSET_OFFSET  = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_IDENTITY_DT_SIZE_OFFSET    = 32'h00000024;

	typedef struct packed {
		logic [15:0] major; // major version
		logic [15:0] minor; // minor version of this contract
	} accel_hw_identity_version_t;

	typedef struct packed {
		logic [0:0] vf;     // 1 = virtual function
		logic [14:0] gap0;  // 0
		logic [15:0] index; // its index, from 0; 0 of a physical function
	} accel_hw_identity_function_t;

// ---------------- Function control page (manual 4.2), written by the host

	localparam logic [31:0] ACCEL_HW_CONTROL_RESET_REQ_OFFSET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_CONTROL_RESET_REQ_RESET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_CONTROL_SNAPSHOT_REQ_OFFSET = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_CONTROL_SNAPSHOT_REQ_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_CONTROL_PF_STATE_OFFSET     = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_CONTROL_PF_STATE_RESET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_CONTROL_DROP_ALL_OFFSET     = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_CONTROL_DROP_ALL_RESET      = 32'h00000000;

// ---------------- Entry of the VF resource table (manual 4.5), written by the host

	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_SEQUENCE_OFFSET         = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_SEQUENCE_RESET          = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_NB_QUEUE_PAIRS_OFFSET   = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_NB_QUEUE_PAIRS_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_WEIGHT_OFFSET           = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_WEIGHT_RESET            = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_OPS_PER_SECOND_OFFSET   = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_OPS_PER_SECOND_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_BYTES_PER_SECOND_OFFSET = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_BYTES_PER_SECOND_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_ALGORITHMS_OFFSET       = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_VF_RESOURCES_ALGORITHMS_RESET        = 32'h00000000;

// ---------------- Health page (manual 4.6), written by the device

	localparam logic [31:0] ACCEL_HW_HEALTH_SNAPSHOT_ACK_OFFSET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_SNAPSHOT_ACK_RESET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_COUNT_OFFSET      = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_COUNT_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_INFO_OFFSET       = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_INFO_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_TAG_OFFSET        = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_TAG_RESET         = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_ADDRESS_OFFSET    = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_HEALTH_FAULT_ADDRESS_RESET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_FIRMWARE_VERSION_OFFSET = 32'h00000018;
	localparam logic [31:0] ACCEL_HW_HEALTH_SERIAL_OFFSET           = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_HEALTH_TEMPERATURE_OFFSET      = 32'h00000028;
	localparam logic [31:0] ACCEL_HW_HEALTH_POWER_OFFSET            = 32'h0000002c;
	localparam logic [31:0] ACCEL_HW_HEALTH_MEM_CORRECTED_OFFSET    = 32'h00000030;
	localparam logic [31:0] ACCEL_HW_HEALTH_MEM_UNCORRECTED_OFFSET  = 32'h00000038;
	localparam logic [31:0] ACCEL_HW_HEALTH_TIME_NS_OFFSET          = 32'h00000040;
	localparam logic [31:0] ACCEL_HW_HEALTH_TIME_NS_RESET           = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_OPS_OFFSET              = 32'h00000048;
	localparam logic [31:0] ACCEL_HW_HEALTH_OPS_RESET               = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_HITS_OFFSET     = 32'h00000050;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_HITS_RESET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_MISSES_OFFSET   = 32'h00000058;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_MISSES_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_DROPS_OFFSET    = 32'h00000060;
	localparam logic [31:0] ACCEL_HW_HEALTH_CONTEXT_DROPS_RESET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_ENGINE_BUSY_NS_OFFSET   = 32'h00000068;
	localparam logic [31:0] ACCEL_HW_HEALTH_ENGINE_BUSY_NS_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_NS_SUM_OFFSET   = 32'h00000070;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_NS_SUM_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_NS_MAX_OFFSET   = 32'h00000078;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_NS_MAX_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_OPS_OFFSET      = 32'h00000080;
	localparam logic [31:0] ACCEL_HW_HEALTH_LATENCY_OPS_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_HEALTH_WRITEBACKS_OFFSET       = 32'h00000088;
	localparam logic [31:0] ACCEL_HW_HEALTH_WRITEBACKS_RESET        = 32'h00000000;

	typedef struct packed {
		logic [15:0] qp;    // queue pair
		logic [7:0] cause;  // cause
		logic [7:0] access; // access
	} accel_hw_health_fault_info_t;

	typedef struct packed {
		logic [15:0] major; // major
		logic [7:0] minor;  // minor version
		logic [7:0] patch;  // patch level
	} accel_hw_health_firmware_version_t;

// ---------------- Firmware, host page (manual 4.7), written by the host

	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_CONTROL_OFFSET = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_CONTROL_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_LENGTH_OFFSET  = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_LENGTH_RESET   = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_BASE_OFFSET    = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_HOST_FW_BASE_RESET     = 32'h00000000;

	typedef struct packed {
		logic [23:0] sequence_; // sequence number
		logic [7:0] command;    // command
	} accel_hw_firmware_host_fw_control_t;

// ---------------- Firmware, device page (manual 4.7), written by the device

	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_CONTROL_ACK_OFFSET = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_CONTROL_ACK_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_STATE_OFFSET       = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_PROGRESS_OFFSET    = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_PROGRESS_RESET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_REASON_OFFSET      = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_RUNNING_OFFSET     = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_FIRMWARE_DEVICE_FW_LOADED_OFFSET      = 32'h00000014;

// ---------------- Mailbox, host page of the VF (manual 4.8), written by the host

	localparam logic [31:0] ACCEL_HW_MAILBOX_HOST_REQUEST_OFFSET = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MAILBOX_HOST_REQUEST_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MAILBOX_HOST_SHARE_OFFSET   = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_MAILBOX_HOST_SHARE_RESET    = 32'h00000000;

// ---------------- Mailbox, device page of the VF (manual 4.8), written by the device

	localparam logic [31:0] ACCEL_HW_MAILBOX_ANSWER_OFFSET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MAILBOX_ANSWER_RESET         = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MAILBOX_ANSWER_STATUS_OFFSET = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_MAILBOX_ANSWER_STATUS_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_MAILBOX_PF_STATE_OFFSET      = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_MAILBOX_SHARE_COUNT_OFFSET   = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_MAILBOX_QUEUE_PAIRS_OFFSET   = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_MAILBOX_SHARE_OFFSET         = 32'h00000040;

// ---------------- Mailbox, answer of the PF to a VF (manual 4.8), written by the host

	localparam logic [31:0] ACCEL_HW_VF_ANSWER_ANSWER_OFFSET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_ANSWER_ANSWER_RESET         = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_ANSWER_ANSWER_STATUS_OFFSET = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_VF_ANSWER_ANSWER_STATUS_RESET  = 32'h00000000;

// ---------------- Mailbox, request of a VF to the PF (manual 4.8), written by the device

	localparam logic [31:0] ACCEL_HW_VF_REQUEST_REQUEST_OFFSET = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_REQUEST_REQUEST_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_REQUEST_SHARE_OFFSET   = 32'h00000004;

// ---------------- Mailbox, status of a VF for the PF (manual 4.8), written by the device

	localparam logic [31:0] ACCEL_HW_VF_STATUS_SHARE_ACK_OFFSET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_STATUS_SHARE_ACK_RESET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_VF_STATUS_QUEUE_PAIRS_OFFSET   = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_VF_STATUS_VF_STATE_OFFSET      = 32'h00000006;
	localparam logic [31:0] ACCEL_HW_VF_STATUS_VF_FATAL_CODE_OFFSET = 32'h00000007;

// ---------------- Queue pair, host page (manual 5.1), written by the host

	localparam logic [31:0] ACCEL_HW_QP_HOST_CONTROL_OFFSET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_CONTROL_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_TX_SIZE_OFFSET       = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_QP_HOST_TX_SIZE_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RX_SIZE_OFFSET       = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RX_SIZE_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RSP_SIZE_OFFSET      = 32'h0000000c;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RSP_SIZE_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_TX_BASE_OFFSET       = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_QP_HOST_TX_BASE_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RX_BASE_OFFSET       = 32'h00000018;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RX_BASE_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RSP_BASE_OFFSET      = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_QP_HOST_RSP_BASE_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_BASE_OFFSET       = 32'h00000028;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_BASE_RESET        = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_COUNT_OFFSET      = 32'h00000030;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_COUNT_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_TIMEOUT_NS_OFFSET = 32'h00000034;
	localparam logic [31:0] ACCEL_HW_QP_HOST_WB_TIMEOUT_NS_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_UPPER_OFFSET = 32'h00000038;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_UPPER_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_DOORBELL_OFFSET      = 32'h00000040;
	localparam logic [31:0] ACCEL_HW_QP_HOST_DOORBELL_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_BASE_OFFSET  = 32'h00000048;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_BASE_RESET   = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_SIZE_OFFSET  = 32'h00000050;
	localparam logic [31:0] ACCEL_HW_QP_HOST_COMMAND_SIZE_RESET   = 32'h00000000;

	typedef struct packed {
		logic [23:0] sequence_; // sequence number
		logic [7:0] command;    // command
	} accel_hw_qp_host_control_t;

	typedef struct packed {
		// AUTO: the device chooses N and T; possible only if the device tree has wb-auto
		logic [0:0] auto;
		// N of manual 6.5, 0 means 1; with AUTO [30:16] are 0 and [15:0] is the largest N
		logic [30:0] n;
	} accel_hw_qp_host_wb_count_t;

	typedef struct packed {
		logic [0:0] valid;  // valid; if it is 0 the rest is ignored
		logic [28:0] gap0;  // 0
		logic [33:0] upper; // address[63:30] of all commands, manual 6.1
	} accel_hw_qp_host_command_upper_t;

	typedef struct packed {
		logic [31:0] rx_sdp; // RX_SDP
		logic [31:0] tx_sdp; // TX_SDP
	} accel_hw_qp_host_doorbell_t;

	typedef struct packed {
		logic [57:0] base; // address[63:6] of the command ring, manual 6.8
		logic [4:0] gap0;  // 0
		logic [0:0] valid; // valid; if it is 0 the rest is ignored
	} accel_hw_qp_host_command_base_t;

// ---------------- Queue pair, device page (manual 5.2), written by the device

	localparam logic [31:0] ACCEL_HW_QP_DEVICE_CONTROL_ACK_OFFSET = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_CONTROL_ACK_RESET  = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_STATUS_OFFSET      = 32'h00000004;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_STATUS_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_ERROR_SLOT_OFFSET  = 32'h00000008;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_ERROR_SLOT_RESET   = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_TX_HDP_OFFSET      = 32'h00000010;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_TX_HDP_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_RX_HDP_OFFSET      = 32'h00000014;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_RX_HDP_RESET       = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_RSP_HHP_OFFSET     = 32'h00000018;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_RSP_HHP_RESET      = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_OPS_OFFSET         = 32'h00000020;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_OPS_RESET          = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_OP_ERRORS_OFFSET   = 32'h00000028;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_OP_ERRORS_RESET    = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_BYTES_IN_OFFSET    = 32'h00000030;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_BYTES_IN_RESET     = 32'h00000000;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_BYTES_OUT_OFFSET   = 32'h00000038;
	localparam logic [31:0] ACCEL_HW_QP_DEVICE_BYTES_OUT_RESET    = 32'h00000000;

	typedef struct packed {
		logic [7:0] gap0;  // 0
		logic [7:0] ring;  // ring of the error
		logic [7:0] error; // error code, manual 9.1
		logic [7:0] state; // state
	} accel_hw_qp_device_status_t;

endpackage
