/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Flags that the kernel has for a piece of a process's memory in /proc/PID/smaps (proc(5)): "dd"
 * for memory that core dumps leave out, "lo" for memory that is locked.
 */
#include "base/smaps.h"

bool
smaps_flag(pid_t pid, uint64_t address, const char *flag)
{
	char path[64], line[512], rights[8];
	uint64_t from, to;
	bool in = false, has = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", (int)pid);
	f = fopen(path, "r");
	if (f == NULL)
		return false;
	while (!has && fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &from, &to, rights) == 3)
			in = address >= from && address < to;
		else if (in && strncmp(line, "VmFlags:", 8) == 0)
			has = strstr(line, flag) != NULL;
	}
	fclose(f);
	return has;
}
