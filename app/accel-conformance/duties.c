/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Compares the table of duties (duties_table.c) with the tests, and prints both.
 */
#include <stdio.h>
#include <string.h>

#include "duties.h"
#include "tests.h"

/* True if a list of numbers has this number. */
static bool
list_has(const char *list, const char *number)
{
	size_t len = strlen(number);

	while (*list != '\0') {
		size_t word = strcspn(list, " ");

		if (word == len && memcmp(list, number, len) == 0)
			return true;
		list += word;
		list += strspn(list, " ");
	}
	return false;
}

/* Call a function for each test that shows a duty. @return the number of these tests. */
static unsigned int
tests_of(const char *number, void (*each)(const struct test_group *g, const struct test_case *t))
{
	unsigned int found = 0;

	for (unsigned int i = 0; i < tests_nb_groups; i++) {
		const struct test_group *g = tests_all[i];

		for (unsigned int j = 0; j < g->nb; j++) {
			if (!list_has(g->test[j].duties, number))
				continue;
			found++;
			if (each != NULL)
				each(g, &g->test[j]);
		}
	}
	return found;
}

static void
print_test(const struct test_group *g, const struct test_case *t)
{
	printf("          %s: %s\n", g->subject, t->title);
}

void
duties_list(void)
{
	static const char *const class[] = {
		[DUTY_DEVICE] = "tested",
		[DUTY_UNSEEN] = "not visible",
		[DUTY_HOST] = "host",
	};

	for (unsigned int i = 0; i < duties_nb; i++) {
		const struct duty *d = &duties_all[i];

		printf("%-9s %s%s%s\n", d->number, class[d->class], d->text != NULL ? ": " : "",
		       d->text != NULL ? d->text : "");
		tests_of(d->number, print_test);
	}
}

/* Print the row of the duties whose letters are those of duties_all[first]. @return the index of
 * the first duty after them. */
static unsigned int
print_chapter(unsigned int first)
{
	size_t letters = strcspn(duties_all[first].number, "-");
	unsigned int count[3] = { 0 }, i = first;

	while (i < duties_nb && strncmp(duties_all[i].number, duties_all[first].number,
					letters + 1) == 0)
		count[duties_all[i++].class]++;
	printf("%-8.*s %7u %12u %6u\n", (int)letters, duties_all[first].number, count[DUTY_DEVICE],
	       count[DUTY_UNSEEN], count[DUTY_HOST]);
	return i;
}

void
duties_table(void)
{
	unsigned int count[3] = { 0 };

	printf("duties    tested  not visible   host\n");
	for (unsigned int i = 0; i < duties_nb;)
		i = print_chapter(i);
	for (unsigned int i = 0; i < duties_nb; i++)
		count[duties_all[i].class]++;
	printf("%-8s %7u %12u %6u\n\nNot visible from outside:\n", "all", count[DUTY_DEVICE],
	       count[DUTY_UNSEEN], count[DUTY_HOST]);
	for (unsigned int i = 0; i < duties_nb; i++) {
		if (duties_all[i].class == DUTY_UNSEEN)
			printf("%-9s %s\n", duties_all[i].number, duties_all[i].text);
	}
}

/* True if each number of a test names a duty that is to be tested. */
static bool
numbers_known(const struct test_case *t)
{
	unsigned int known = 0, words = 1;

	for (unsigned int i = 0; i < duties_nb; i++)
		known += duties_all[i].class == DUTY_DEVICE &&
			list_has(t->duties, duties_all[i].number);
	for (const char *p = t->duties; *p != '\0'; p++)
		words += *p == ' ';
	return known == words;
}

bool
duties_check(void)
{
	bool good = true;

	for (unsigned int i = 0; i < duties_nb; i++) {
		if ((duties_all[i].class == DUTY_DEVICE) ==
		    (tests_of(duties_all[i].number, NULL) > 0))
			continue;
		fprintf(stderr, "accel-conformance: %s: class and tests disagree\n",
			duties_all[i].number);
		good = false;
	}
	for (unsigned int i = 0; i < tests_nb_groups; i++) {
		for (unsigned int j = 0; j < tests_all[i]->nb; j++) {
			if (numbers_known(&tests_all[i]->test[j]))
				continue;
			fprintf(stderr, "accel-conformance: unknown number in \"%s\"\n",
				tests_all[i]->test[j].duties);
			good = false;
		}
	}
	return good;
}
