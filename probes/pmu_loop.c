/* SPDX-License-Identifier: MIT */
/*
 * The known loop of the self-test.
 *
 * Its instructions are written out, so that no compiler and no flag changes their number: two that
 * load the counter, then two a turn. The walk behind it adds a few ten thousand, which the
 * judgement allows for.
 */
#include "probes/pmu_loop.h"

#include <stddef.h>
#include <sys/mman.h>

enum {
	TURNS = (PMU_LOOP_INSTRUCTIONS - 2) / 2,
	LINE_BYTES = 64,
	PAGE_BYTES = 4096,
	WALK_BYTES = 512 * 1024, /* four times the largest first-level cache known */
	WALK_LINES = WALK_BYTES / LINE_BYTES,
	WALK_STRIDE = 2741, /* odd: visits every line once; no prefetcher expects it */
};
_Static_assert(2 * TURNS + 2 == PMU_LOOP_INSTRUCTIONS, "exactly");

static void turns(void)
{
#if defined(__x86_64__)
	unsigned n;

	__asm__ volatile("movl %1, %0\n\t"
			 "nop\n"
			 "1:\n\t"
			 "decl %0\n\t"
			 "jnz 1b"
			 : "=&r"(n)
			 : "i"(TURNS)
			 : "cc");
#elif defined(__aarch64__)
	unsigned n;

	__asm__ volatile("movz %w0, %1\n\t"
			 "movk %w0, %2, lsl #16\n"
			 "1:\n\t"
			 "subs %w0, %w0, #1\n\t"
			 "b.ne 1b"
			 : "=&r"(n)
			 : "i"(TURNS & 0xffff), "i"(TURNS >> 16)
			 : "cc");
#else
#error "no loop of known length for this architecture"
#endif
}

/* The first pass has the kernel fill in the pages, the second misses: it has all gone by then. */
static void walk(void)
{
	char *area =
		mmap(NULL, WALK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return;
	for (unsigned i = 0; i < WALK_BYTES; i += PAGE_BYTES)
		area[i] = 1;
	for (unsigned i = 0; i < WALK_LINES; i++) {
		char c = area[i * WALK_STRIDE % WALK_LINES * LINE_BYTES];

		__asm__ volatile("" : : "r"(c));
	}
	munmap(area, WALK_BYTES);
}

void pmu_loop_run(void)
{
	turns();
	walk();
}
