/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The daemon's log: lines of many threads, a stderr that takes nothing, and a stderr whose reader
 * is gone.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"

#define THREADS 4u
#define TEXT_MAX 400000u

/* stderr is a pipe during a test. */
static int saved, reader;
static char text[TEXT_MAX];

static int
setup(void **state)
{
	int ends[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	saved = dup(STDERR_FILENO);
	assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
	close(ends[1]);
	reader = ends[0];
	return 0;
}

/* Restores stderr, so that the pipe has no writer and its reader finds the end. */
static void
give_stderr_back(void)
{
	if (saved >= 0) {
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
	saved = -1;
}

static int
teardown(void **state)
{
	(void)state;
	give_stderr_back();
	if (reader >= 0)
		close(reader);
	return 0;
}

/* Reads the pipe to its end. */
static void
read_all(void)
{
	size_t used = 0;
	ssize_t n;

	while ((n = read(reader, text + used, TEXT_MAX - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
}

/* Fills stderr until it takes nothing. */
static void
fill_stderr(void)
{
	int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK);
	char dots[4096];

	assert_true(fd >= 0);
	memset(dots, '.', sizeof(dots));
	while (write(fd, dots, sizeof(dots)) > 0)
		continue;
	while (write(fd, dots, 1) > 0)
		continue;
	close(fd);
}

struct talker {
	pthread_t thread;
	unsigned int index;
	unsigned int lines;
};

static void *
talk(void *arg)
{
	const struct talker *t = arg;

	for (unsigned int i = 0; i < t->lines; i++)
		log_line(LOG_LEVEL_WARNING, "test", "thread %u line %u end", t->index, i);
	return NULL;
}

static void
talk_all(unsigned int lines)
{
	struct talker t[THREADS];

	for (unsigned int i = 0; i < THREADS; i++) {
		t[i] = (struct talker){ .index = i, .lines = lines };
		assert_int_equal(pthread_create(&t[i].thread, NULL, talk, &t[i]), 0);
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(t[i].thread, NULL);
}

/* Checks that lines are whole and those of each thread in order. Returns their number, with those
 * that the log says were left out. */
static unsigned long
count_lines(char *from)
{
	long last[THREADS] = { -1, -1, -1, -1 };
	unsigned long nb = 0, out;
	char *save, *line;

	for (; (line = strtok_r(from, "\n", &save)) != NULL; from = NULL) {
		unsigned int thread;
		long number;
		int end = 0;

		if (sscanf(line, "accel-device: warning: log: %lu lines were left", &out) == 1) {
			nb += out;
			continue;
		}
		if (sscanf(line, "accel-device: warning: test: thread %u line %ld end%n", &thread,
			   &number, &end) != 2 || line[end] != '\0' || thread >= THREADS)
			fail_msg("unexpected line \"%s\"", line);
		assert_true(number > last[thread]);
		last[thread] = number;
		nb++;
	}
	return nb;
}

/* Reads until this many lines came or were left out. */
static void
read_lines(unsigned long lines)
{
	static char copy[TEXT_MAX];
	size_t used = 0;

	do {
		ssize_t n = read(reader, text + used, TEXT_MAX - 1 - used);

		assert_true(n > 0);
		used += (size_t)n;
		text[used] = '\0';
		strcpy(copy, text + strspn(text, "."));
	} while (text[used - 1] != '\n' || count_lines(copy) < lines);
}

/* No line is lost while stderr takes it. The log can be started again. */
static void
test_lines(void **state)
{
	(void)state;
	assert_int_equal(log_start(), 0);
	log_stop();
	assert_int_equal(log_start(), 0);
	talk_all(110); /* These are fewer than there are slots. */
	read_lines(THREADS * 110);
	assert_null(strstr(text, "left out"));
	log_line(LOG_LEVEL_DEBUG, "test", "not wanted");
	log_stop();
	log_line(LOG_LEVEL_WARNING, "test", "thread 0 line 1000 end"); /* This thread writes it. */
	give_stderr_back();
	read_all();
	assert_int_equal(count_lines(text), 1);
}

/* stderr takes nothing at first, and all later. */
static void
test_full_for_a_while(void **state)
{
	(void)state;
	fill_stderr();
	assert_int_equal(log_start(), 0);
	talk_all(5000);
	read_lines(THREADS * 5000);
	assert_non_null(strstr(text, "left out"));
	log_stop();
	give_stderr_back();
	read_all();
	assert_string_equal(text, "");
}

static unsigned int
threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned int nb = 0;

	assert_non_null(tasks);
	while (readdir(tasks) != NULL)
		nb++;
	closedir(tasks);
	return nb - 2; /* . and .. */
}

/* Neither the lines nor the end wait for a reader. */
static void
test_full_for_ever(void **state)
{
	unsigned int before = threads(); /* A sanitizer may have one of its own. */

	(void)state;
	fill_stderr();
	assert_int_equal(log_start(), 0);
	talk_all(1000);
	log_stop();
	assert_int_equal(threads(), before);
}

static void
test_reader_gone(void **state)
{
	(void)state;
	close(reader);
	reader = -1;
	assert_int_equal(log_start(), 0);
	talk_all(1000);
	log_stop();
	log_line(LOG_LEVEL_WARNING, "test", "not read");
}

/* A line that is too long is cut and still ends with a newline. */
static void
test_long(void **state)
{
	static char long_text[5000];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	assert_int_equal(log_start(), 0);
	log_line(LOG_LEVEL_ERROR, long_text, "%s", long_text);
	log_line(LOG_LEVEL_INFO, "test", "short");
	log_stop();
	give_stderr_back();
	read_all();
	assert_non_null(strstr(text, "x\naccel-device: test: short\n"));
	assert_true(strlen(text) < 600);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_for_a_while, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_for_ever, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reader_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
