/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The duties of the manual and who shows them. tools/checks finds a number that only one of the two
 * has.
 */
#include <stdio.h>
#include <string.h>

#include "tests.h"

#define TESTED(number) { number, DUTY_DEVICE, NULL }
#define UNSEEN(number, why) { number, DUTY_UNSEEN, why }
#define HOST(number, what) { number, DUTY_HOST, what }

/* In the order of the manual. */
const struct duty duties_all[] = {
	HOST("GEN-1", "aligned accesses of 32 or 64 bits"),
	HOST("GEN-2", "DOORBELL in one write"),
	UNSEEN("GEN-3", "a doorbell that is taken in halves only waits for the other half"),
	TESTED("GEN-4"),
	HOST("GEN-5", "neither write nor rely on offsets without a register"),
	TESTED("GEN-6"),
	HOST("GEN-7", "write 0 to reserved fields"),
	HOST("BAR-1", "find pages through the device tree"),
	TESTED("BAR-2"),
	TESTED("PCI-1"),
	TESTED("PCI-2"),
	TESTED("PCI-3"),
	TESTED("PCI-4"),
	TESTED("PCI-5"),
	TESTED("PCI-6"),
	TESTED("PCI-7"),
	TESTED("PCI-8"),
	TESTED("PCI-9"),
	UNSEEN("PCI-10", "nothing outside makes a read stay under way"),
	UNSEEN("PCI-11", "nothing outside delays data until the bit is cleared"),
	HOST("PCI-12", "use memory again only after the last resort"),
	TESTED("PCI-13"),
	TESTED("PCI-14"),
	HOST("PCI-15", "begin anew after D3hot"),
	UNSEEN("PCI-16",
	       "it is about requests on the bus, which only an analyser of the bus shows"),
	UNSEEN("PCI-17",
	       "it is about requests on the bus, which only an analyser of the bus shows"),
	UNSEEN("PCI-18",
	       "it is about requests on the bus, which only an analyser of the bus shows"),
	UNSEEN("PCI-19",
	       "nothing outside makes a completion late or poisoned; DMA-1 and DMA-2 show failed reads"),
	TESTED("FN-1"),
	TESTED("FN-2"),
	HOST("FN-3", "refuse an unknown major version"),
	TESTED("FN-4"),
	TESTED("FN-5"),
	TESTED("FN-6"),
	TESTED("FN-7"),
	TESTED("RST-1"),
	TESTED("RST-2"),
	TESTED("RST-3"),
	TESTED("RST-4"),
	UNSEEN("RST-5", "copies inside the device are not visible"),
	TESTED("RST-6"),
	TESTED("RST-7"),
	TESTED("RST-8"),
	TESTED("RST-9"),
	TESTED("RST-10"),
	HOST("RST-11", "reset before the first START"),
	TESTED("RST-12"),
	HOST("RST-13", "read the tree again after each reset"),
	TESTED("RST-14"),
	TESTED("RST-15"),
	TESTED("RST-16"),
	TESTED("LIFE-1"),
	TESTED("LIFE-2"),
	TESTED("LIFE-3"),
	HOST("LIFE-4", "look at STATE when nothing progresses"),
	UNSEEN("VF-1", "it needs a physical function and its virtual functions at once"),
	UNSEEN("VF-2", "it needs a physical function and its virtual functions at once"),
	UNSEEN("VF-3", "it needs a physical function and its virtual functions at once"),
	UNSEEN("VF-4", "it needs a physical function and its virtual functions at once"),
	TESTED("HLT-1"),
	TESTED("HLT-2"),
	TESTED("HLT-3"),
	TESTED("HLT-4"),
	TESTED("HLT-5"),
	TESTED("HLT-6"),
	UNSEEN("FW-1", "it changes the firmware of the card, which no test does"),
	UNSEEN("FW-2", "it changes the firmware of the card, which no test does"),
	UNSEEN("FW-3", "it changes the firmware of the card, which no test does"),
	TESTED("QP-1"),
	TESTED("QP-2"),
	TESTED("QP-3"),
	TESTED("QP-4"),
	TESTED("QP-5"),
	TESTED("QP-6"),
	TESTED("QP-7"),
	TESTED("QP-8"),
	TESTED("QP-9"),
	TESTED("QP-10"),
	TESTED("QP-11"),
	TESTED("QP-12"),
	TESTED("QP-13"),
	TESTED("QP-14"),
	TESTED("QP-15"),
	UNSEEN("QP-16", "copies inside the device are not visible"),
	TESTED("QP-17"),
	TESTED("QP-18"),
	TESTED("QP-19"),
	TESTED("QP-20"),
	TESTED("QP-21"),
	TESTED("QP-22"),
	TESTED("QP-23"),
	HOST("QP-24", "use memory again only after the echo or the last resort"),
	TESTED("RING-1"),
	TESTED("RING-2"),
	TESTED("RING-3"),
	HOST("RING-4", "split buffers at boundaries of 1 GiB"),
	TESTED("RING-5"),
	TESTED("RING-6"),
	TESTED("RING-7"),
	TESTED("RING-8"),
	TESTED("RING-9"),
	TESTED("RING-10"),
	TESTED("RING-11"),
	TESTED("RING-12"),
	HOST("RING-13", "no frame larger than the ring"),
	TESTED("REQ-1"),
	TESTED("REQ-2"),
	TESTED("REQ-3"),
	TESTED("REQ-4"),
	TESTED("RES-1"),
	TESTED("RES-2"),
	TESTED("RES-3"),
	TESTED("RES-4"),
	TESTED("RES-5"),
	TESTED("RES-6"),
	TESTED("RES-7"),
	TESTED("WB-1"),
	HOST("WB-2", "fewer outstanding requests than RSP_SIZE"),
	TESTED("WB-3"),
	TESTED("WB-4"),
	TESTED("WB-5"),
	TESTED("WB-6"),
	TESTED("WB-7"),
	TESTED("WB-8"),
	HOST("ORD-1", "a barrier before DOORBELL"),
	TESTED("ORD-2"),
	TESTED("ORD-3"),
	TESTED("ORD-4"),
	TESTED("ORD-5"),
	HOST("ORD-6", "no request that needs the output of one under way"),
	TESTED("DMA-1"),
	TESTED("DMA-2"),
	TESTED("DMA-3"),
	TESTED("DMA-4"),
	TESTED("DMA-5"),
	HOST("DMA-6", "a missing response is a failure of the queue pair"),
	HOST("DMA-7", "different tags for requests that may be confused"),
	TESTED("CRING-1"),
	TESTED("CRING-2"),
	TESTED("CRING-3"),
	HOST("CRING-4", "no more requests than COMMAND_SIZE"),
	TESTED("CRING-5"),
	UNSEEN("CMD-1", "how often memory is read shows on the bus only"),
	TESTED("CMD-2"),
	TESTED("CMD-3"),
	TESTED("CMD-4"),
	TESTED("CMD-5"),
	TESTED("CMD-6"),
	TESTED("CMD-7"),
	TESTED("CMD-8"),
	TESTED("CMD-9"),
	TESTED("CMD-10"),
	TESTED("REG-1"),
	TESTED("REG-2"),
	TESTED("REG-3"),
	TESTED("REG-4"),
	TESTED("REG-5"),
	TESTED("REG-6"),
	TESTED("REG-7"),
	TESTED("DIS-1"),
	TESTED("DIS-2"),
	TESTED("DIS-3"),
	TESTED("DIS-4"),
	TESTED("DIS-5"),
	TESTED("DIS-6"),
	TESTED("BITS-1"),
	TESTED("BITS-2"),
	TESTED("BITS-3"),
	TESTED("BITS-4"),
	HOST("BITS-5", "no two outstanding requests write bits of one byte"),
	TESTED("BITS-6"),
	TESTED("BITS-7"),
	TESTED("BITS-8"),
	TESTED("RSP-1"),
	TESTED("RSP-2"),
	TESTED("RSP-3"),
	TESTED("RSP-4"),
	TESTED("ST-1"),
	TESTED("ST-2"),
	TESTED("ST-3"),
	TESTED("ST-4"),
	UNSEEN("ST-5", "a difference of nanoseconds drowns in the time of the transfer"),
	HOST("CTX-1", "write the context first and leave it alone"),
	TESTED("CTX-2"),
	TESTED("CTX-3"),
	TESTED("CTX-4"),
	TESTED("CTX-5"),
	TESTED("CTX-6"),
	TESTED("CTX-7"),
	TESTED("ALG-1"),
	TESTED("ALG-2"),
	TESTED("ALG-3"),
	TESTED("ALG-4"),
	TESTED("ALG-5"),
	TESTED("ALG-6"),
	TESTED("ALG-7"),
	TESTED("CACHE-1"),
	TESTED("CACHE-2"),
	TESTED("CACHE-3"),
	HOST("CACHE-4", "a generation that was never used before"),
	HOST("INV-1", "write a value that differs"),
	TESTED("INV-2"),
	TESTED("INV-3"),
	TESTED("INV-4"),
	HOST("INV-5", "clear the words before a reset"),
	TESTED("INV-6"),
	TESTED("PROTO-1"),
	TESTED("PROTO-2"),
	TESTED("DOC-1"),
	TESTED("DOC-2"),
	TESTED("DOC-3"),
	TESTED("DOC-4"),
	TESTED("PDCP-1"),
	TESTED("PDCP-2"),
	TESTED("PDCP-3"),
	TESTED("PDCP-4"),
	TESTED("PDCP-5"),
	TESTED("PDCP-6"),
	TESTED("PDCP-7"),
	TESTED("PDCP-8"),
	TESTED("ERR-1"),
	TESTED("ERR-2"),
	TESTED("ERR-3"),
	TESTED("ERR-4"),
	TESTED("ERR-5"),
	TESTED("ERR-6"),
	TESTED("ERR-7"),
	TESTED("ERR-8"),
	TESTED("SAFE-1"),
	UNSEEN("SAFE-2", "how often memory is read shows on the bus only"),
	HOST("SAFE-3", "check what the device writes"),
	TESTED("DT-1"),
	TESTED("DT-2"),
	TESTED("DT-3"),
	TESTED("DT-4"),
};

const unsigned int duties_nb = sizeof(duties_all) / sizeof(duties_all[0]);

bool
duties_have(const char *list, const char *number)
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

/* Call a function for each test that shows a duty. @return how many there are. */
static unsigned int
tests_of(const char *number, void (*each)(const struct test_group *g, const struct test_case *t))
{
	unsigned int found = 0;

	for (unsigned int i = 0; i < tests_nb_groups; i++) {
		const struct test_group *g = tests_all[i];

		for (unsigned int j = 0; j < g->nb; j++) {
			if (!duties_have(g->test[j].duties, number))
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

/* Print the row of the duties whose letters are those of duties_all[first]. @return the next. */
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

/* True if each number of a test is that of a duty to be tested. */
static bool
numbers_known(const struct test_case *t)
{
	unsigned int known = 0, words = 1;

	for (unsigned int i = 0; i < duties_nb; i++)
		known += duties_all[i].class == DUTY_DEVICE &&
			duties_have(t->duties, duties_all[i].number);
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
