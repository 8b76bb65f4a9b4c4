// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The crypto_accel authors
//
// Reads the bytes of the manual's first request (section 13) by the structures of the package. The
// bytes are those of doc/hardware/first-request.txt, which package.py hands over as parameters: what
// stands in memory, with the byte of the lowest address in bits 7 to 0.
module first_request
	import accel_hw_pkg::*;
#(
	parameter logic [511:0] COMMAND = 0,
	parameter logic [63:0] COMMAND_FRAGMENT = 0,
	parameter logic [63:0] SOURCE_FRAGMENT = 0,
	parameter logic [63:0] DOORBELL = 0,
	parameter logic [127:0] RESPONSE = 0,
	parameter logic [127:0] LINE = 0,
	parameter logic [63:0] START = 0
);
	accel_hw_command_t command;
	accel_hw_desc2_t fragment;
	accel_hw_command_flags_t flags;
	accel_hw_response_t response;
	accel_hw_writeback_t line;
	accel_hw_qp_host_doorbell_t doorbell;
	accel_hw_qp_host_control_t control;
	integer wrong = 0;

	// Counts a value that is not the one wanted.
	task check(input logic [63:0] value, input logic [63:0] wanted, input integer place);
		if (value !== wanted) begin
			$display("check %0d: %h, wanted %h", place, value, wanted);
			wrong = wrong + 1;
		end
	endtask

	initial begin
		command = COMMAND;
		check(command.tag, 32'h11223344, 1);
		check(command.opcode, ACCEL_HW_OP_SYM, 2);
		check(command.flags, 0, 3);
		check(command.context_, 64'h100200, 4);
		check(command.generation, 1, 5);
		check(command.cipher_len, 16, 6);
		check(command.auth_len, 0, 7);
		check(command.iv[63:0], 64'h0706050403020100, 8);

		fragment = COMMAND_FRAGMENT;
		check(fragment.type_, ACCEL_HW_DESC_TYPE_FRAGMENT, 9);
		check(fragment.next, 1, 10);
		check(fragment.command, 1, 11);
		check(fragment.length, 64, 12);
		check(fragment.address, 30'h100140, 13);
		fragment = SOURCE_FRAGMENT;
		check(fragment.next, 0, 14);
		check(fragment.command, 0, 15);
		check(fragment.length, 16, 16);
		check(fragment.address, 30'h101000, 17);

		// The fields of a word are where the masks of C have their bits.
		fragment = ACCEL_HW_DESC2_RESERVED;
		check(fragment.reserved_high, 12'hfff, 32);
		check(fragment.interrupt, 1, 33);
		check(fragment.reserved_low, 1, 34);
		check(fragment.length, 0, 35);
		check(fragment.address, 0, 36);
		fragment = {64{1'b1}};
		check(fragment.length, ACCEL_HW_DESC2_LEN_MAX, 37);
		check(fragment.address, ACCEL_HW_DESC_LOW_MASK, 38);
		flags = ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_NO_RX;
		check(flags.digest_in_stream & flags.no_rx, 1, 39);
		check(flags.bits | flags.whole | flags.auth_first, 0, 40);

		control = START;
		check(control.command, ACCEL_HW_QP_CMD_START, 18);
		check(control.sequence_, 1, 19);
		doorbell = DOORBELL;
		check(doorbell.tx_sdp, 3, 20);
		check(doorbell.rx_sdp, 2, 21);

		response = RESPONSE;
		check(response.tag, 32'h11223344, 22);
		check(response.status, ACCEL_HW_OK, 23);
		check(response.produced, 16, 24);
		check(response.tx_used, 3, 25);
		check(response.rx_used, 2, 26);
		line = LINE;
		check(line.rsp_hhp, 1, 27);
		check(line.tx_hdp, 3, 28);
		check(line.rx_hdp, 2, 29);
		check(line.status, ACCEL_HW_QP_RUNNING, 30);
		check($bits(accel_hw_context_t), 8 * 320, 31);
		$display("%0d wrong", wrong);
		$finish;
	end
endmodule
