/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Starts the EAL and the device at the first use in a process. A process that is forked from one
 * that has the device never touches it.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_errno.h>

#include "lane.h"

#define ARGS_MAX 64

enum state {
	STATE_NEW,
	STATE_READY,
	STATE_ABSENT,
	STATE_FORKED
};

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static _Atomic int state = STATE_NEW;
static _Atomic bool starting, told;
static pthread_t starter;
static _Thread_local bool is_starter; /* the thread itself: it may run before `starter` is set */
static pid_t starter_process;

struct oc_device oc_device;

/* Takes the device from a child of a process that has it, or that was about to have it. */
static void
in_child(void)
{
	if (atomic_load(&state) != STATE_READY && !atomic_load(&starting))
		return;
	atomic_store(&state, STATE_FORKED);
	atomic_store(&starting, false);
	atomic_store(&told, false);
	pthread_mutex_init(&start_lock, NULL);
}

static void
watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

/* Splits the EAL's arguments at blanks. Returns how many there are. */
static int
split(char *text, char **argv, char *lcores)
{
	static char name[] = OC_NAME, option[] = "--lcores";
	bool has_cores = false;
	char *rest = NULL, *word;
	int argc = 0;

	argv[argc++] = name;
	for (word = strtok_r(text, " \t", &rest); word != NULL && argc < ARGS_MAX - 3;
			word = strtok_r(NULL, " \t", &rest)) {
		has_cores |= strncmp(word, "--lcores", 8) == 0 || strncmp(word, "-l", 2) == 0 ||
				(word[0] == '-' && word[1] == 'c');
		argv[argc++] = word;
	}
	if (!has_cores) {
		argv[argc++] = option;
		argv[argc++] = lcores;
	}
	argv[argc] = NULL;
	return argc;
}

/* Passes on what other threads print while the EAL starts, and drops its own text on how to use
 * it.
 */
static ssize_t
print_others(void *cookie, const char *text, size_t len)
{
	return oc_inside != 0 ? len : fwrite(text, 1, len, cookie);
}

/* Calls rte_eal_init(). With wrong arguments it prints a long text to stdout, where the program's
 * output goes.
 */
static int
eal_init_quietly(int argc, char **argv)
{
	const cookie_io_functions_t functions = { .write = print_others };
	static FILE *quiet;
	FILE *real = stdout;
	int ret;

	quiet = fopencookie(real, "w", functions);
	if (quiet != NULL) {
		setvbuf(quiet, NULL, _IONBF, 0);
		stdout = quiet;
	}
	ret = rte_eal_init(argc, argv);
	stdout = real;
	/* Another thread may still be about to print to `quiet`, so it stays open. */
	return ret;
}

/* Starts the EAL. */
static bool
start_eal(void)
{
	static char *text, *argv[ARGS_MAX], lcores[32]; /* the EAL keeps pointers to them */
	cpu_set_t cpus;
	int argc, cpu = 0, ret;

	text = strdup(oc_settings.eal);
	if (text == NULL)
		return false;
	pthread_getaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &cpus))
		cpu++;
	snprintf(lcores, sizeof(lcores), "0@%d", cpu);
	argc = split(text, argv, lcores);
	ret = eal_init_quietly(argc, argv);
	if (ret >= 0)
		return true;
	if (rte_errno == EALREADY)
		oc_warn("this program uses DPDK itself; the default provider does the work");
	else
		oc_warn("the EAL does not start with '%s': %s; the default provider does the work",
				oc_settings.eal, rte_strerror(rte_errno));
	return false;
}

/* True if the device has ciphers or public keys, whatever they are. crypto_null has none. */
static bool
useful(const struct rte_cryptodev_info *info)
{
	for (const struct rte_cryptodev_capabilities *cap = info->capabilities;
			cap != NULL && cap->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; cap++)
		if (cap->op == RTE_CRYPTO_OP_TYPE_ASYMMETRIC ||
				cap->sym.xform_type == RTE_CRYPTO_SYM_XFORM_AEAD ||
				(cap->sym.xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
						cap->sym.cipher.algo != RTE_CRYPTO_CIPHER_NULL))
			return true;
	return false;
}

/* Finds the device that the setting names, or the first one with ciphers or public keys. */
static bool
find_device(struct rte_cryptodev_info *info)
{
	const char *name = oc_settings.device;
	bool found = false;

	for (int id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		if (!rte_cryptodev_is_valid_dev(id) ||
				(name[0] != '\0' && strcmp(name, rte_cryptodev_name_get(id)) != 0))
			continue;
		found = true;
		oc_device.id = id;
		rte_cryptodev_info_get(id, info);
		oc_device.features = info->feature_flags;
		if (useful(info))
			return true;
	}
	oc_warn("%s crypto device '%s'%s; the default provider does the work",
			found && name[0] != '\0' ? "the" : "no", name,
			found && name[0] != '\0' ? " has neither ciphers nor public keys" : "");
	return false;
}

/* Makes the pools of sessions for what the device has. */
static bool
make_session_pools(int socket)
{
	uint8_t id = oc_device.id;

	if (oc_device.features & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) {
		oc_device.sym_sessions = rte_cryptodev_sym_session_pool_create(
				"ossl_cryptodev_sessions", oc_settings.sessions,
				rte_cryptodev_sym_get_private_session_size(id), 0, 0, socket);
		if (oc_device.sym_sessions == NULL)
			return false;
	}
	if (oc_device.features & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) {
		oc_device.asym_sessions = rte_cryptodev_asym_session_pool_create(
				"ossl_cryptodev_keys", oc_settings.sessions, 0, 0, socket);
		if (oc_device.asym_sessions == NULL)
			return false;
	}
	return true;
}

/* Configures and starts the device with a queue pair for each thread, as far as it has so many. */
static bool
start_device(const struct rte_cryptodev_info *info)
{
	unsigned int nb = RTE_MIN(oc_settings.queues, RTE_MAX(info->max_nb_queue_pairs, 1u));
	uint8_t device = oc_device.id;
	int socket = RTE_MAX(rte_cryptodev_socket_id(device), 0);
	struct rte_cryptodev_config config = { .socket_id = socket, .nb_queue_pairs = nb };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 512 };

	if (rte_cryptodev_configure(device, &config) != 0 || !make_session_pools(socket))
		return false;
	qp.mp_session = oc_device.sym_sessions;
	for (unsigned int i = 0; i < nb; i++)
		if (rte_cryptodev_queue_pair_setup(device, i, &qp, socket) != 0)
			return false;
	if (rte_cryptodev_start(device) != 0 || !oc_lanes_start(nb, socket))
		return false;
	oc_memory_register(info->device);
	return true;
}

/* Starts EAL and device, and finds the smallest size for it if the setting asks for that. */
static void *
start(void *arg)
{
	struct rte_cryptodev_info info;
	bool ok;

	is_starter = true;
	oc_inside++;
	ok = start_eal() && find_device(&info);
	if (ok && !start_device(&info)) {
		oc_warn("device '%s' does not start: %s; the default provider does the work",
				rte_cryptodev_name_get(oc_device.id), rte_strerror(rte_errno));
		ok = false;
	}
	oc_inside--;
	atomic_store(&state, ok ? STATE_READY : STATE_ABSENT);
	if (ok && oc_settings.automatic)
		oc_measure();
	atomic_store(&starting, false);
	return arg;
}

/* Starts a thread that takes no signal of the program, nor do those that it starts. */
bool
oc_thread_start(pthread_t *thread, void *(*function)(void *))
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = pthread_create(thread, NULL, function, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* Lets the start come to its end before the process is taken down. */
static void
await_start(void)
{
	if (starter_process == getpid())
		pthread_join(starter, NULL);
}

/* Has a thread do the start, so the caller keeps its affinity. It may also be an ASYNC_JOB, whose
 * stack has 32 KB and which pauses in operations. With `min-size = auto` nobody waits for the
 * thread, because the default provider is not to be slower than without us.
 */
static void
start_in_thread(void)
{
	atomic_store(&starting, true);
	if (!oc_thread_start(&starter, start)) {
		oc_warn("no thread to start the EAL; the default provider does the work");
		atomic_store(&state, STATE_ABSENT);
		atomic_store(&starting, false);
	} else if (oc_settings.automatic && atexit(await_start) == 0) {
		starter_process = getpid();
	} else {
		pthread_join(starter, NULL);
	}
}

/* Starts the device if this process has not tried. Returns why it cannot be used, or OC_REASONS. */
enum oc_reason
oc_process_begin(void)
{
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (now == STATE_NEW) {
		pthread_once(&fork_once, watch_forks);
		pthread_mutex_lock(&start_lock);
		if (atomic_load(&state) == STATE_NEW && !atomic_load(&starting))
			start_in_thread();
		pthread_mutex_unlock(&start_lock);
		now = atomic_load(&state);
	}
	if (oc_settings.automatic && atomic_load_explicit(&starting, memory_order_relaxed) &&
			!is_starter)
		return OC_STARTING;
	if (now == STATE_READY)
		return OC_REASONS;
	if (now == STATE_ABSENT)
		return OC_NO_DEVICE;
	if (!atomic_exchange(&told, true))
		oc_warn("the device belongs to the process that forked this one; "
			"the default provider does the work here");
	return OC_FORKED;
}

/* True in a child of a process that has the device. */
bool
oc_process_forked(void)
{
	return atomic_load_explicit(&state, memory_order_relaxed) == STATE_FORKED;
}

/* Gives up a device that may still write to a buffer of the program. */
void
oc_device_stop(void)
{
	int ready = STATE_READY;

	if (!atomic_compare_exchange_strong(&state, &ready, STATE_ABSENT))
		return;
	oc_warn("device '%s' lost an operation and is stopped; the default provider does the work",
			rte_cryptodev_name_get(oc_device.id));
	rte_cryptodev_stop(oc_device.id);
}

/* Frees a session of the device. A forked child only forgets it. */
void
oc_session_free(enum rte_crypto_op_type type, void *handle)
{
	if (handle == NULL || oc_process_forked())
		return;
	oc_inside++;
	if (type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)
		rte_cryptodev_sym_session_free(oc_device.id, handle);
	else
		rte_cryptodev_asym_session_free(oc_device.id, handle);
	oc_inside--;
}
