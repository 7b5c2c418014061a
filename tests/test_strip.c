/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every CPU has one cell of its own in the strip, at any width and for any numbering.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/strip.h"

enum { CPUS = 5000, COLS = 220 };

/* A machine whose ids run through all nodes (@striped) or through one after the other. */
static void make(struct topology *t, struct topology_cpu *cpu, unsigned cpus, unsigned nodes,
		 bool striped)
{
	unsigned each = (cpus + nodes - 1) / nodes;

	*t = (struct topology){.cpu_count = cpus, .numa_count = nodes, .cpu = cpu};
	for (unsigned i = 0; i < cpus; i++)
		cpu[i] = (struct topology_cpu){
			.cpu = (int)i,
			.numa_node = (int)(striped ? i % nodes : i / each),
			.online = true,
			.allowed = true,
		};
}

/* Marks the cells of all segments: inside, none twice, every CPU once. */
static void check(const struct topology *t, int cols)
{
	static struct strip s;
	static unsigned char used[CPUS][COLS], seen[CPUS];

	strip_make(&s, t, cols);
	memset(seen, 0, sizeof(seen));
	for (int line = 0; line < s.lines; line++)
		memset(used[line], 0, sizeof(used[line]));
	for (unsigned i = 0; i < s.segment_count; i++) {
		const struct strip_segment *g = &s.segment[i];
		int labels = s.word_cells + s.range_cells + (g->node >= 0 ? s.node_cells : 0);

		assert_in_range(g->line, 0, s.lines - 1);
		if (g->col - labels < 0 || g->col + (int)g->count > cols)
			fail_msg("%u CPUs, %d cols: segment %u is outside", t->cpu_count, cols, i);
		for (int c = g->col - labels; c < g->col + (int)g->count; c++) {
			if (used[g->line][c]++)
				fail_msg("%u CPUs, %d cols: cell %d of line %d twice", t->cpu_count,
					 cols, c, g->line);
		}
		for (unsigned k = 0; k < g->count; k++)
			assert_int_equal(seen[s.order[g->at + k]]++, 0);
		assert_int_equal(t->cpu[s.order[g->at]].cpu, g->first);
		assert_int_equal(t->cpu[s.order[g->at + g->count - 1]].cpu, g->last);
	}
	for (unsigned i = 0, n = 0; i < t->cpu_count; i++) {
		n += seen[i];
		if (i + 1 == t->cpu_count)
			assert_int_equal(n, s.cpu_count);
	}
}

static void any_width_expect_each_cpu_once_and_inside(void **state)
{
	static const unsigned cpus[] = {1, 2, 7, 20, 64, 130, 257, 1024};
	static const unsigned nodes[] = {1, 2, 4, 7, 16};
	static struct topology_cpu cpu[CPUS];
	struct topology t;

	(void)state;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		for (size_t n = 0; n < sizeof(nodes) / sizeof(nodes[0]); n++) {
			for (int cols = 1; cols <= COLS; cols += 3) {
				make(&t, cpu, cpus[i], nodes[n], cols % 2);
				check(&t, cols);
				assert_true(cpus[i] <= STRIP_SEGMENTS);
			}
		}
	}
}

static void more_cpus_than_cells_expect_counted(void **state)
{
	static struct topology_cpu cpu[CPUS];
	static struct strip s;
	struct topology t;

	(void)state;
	make(&t, cpu, CPUS, 1, false);
	strip_make(&s, &t, 200);
	assert_int_equal(s.cpu_count, STRIP_CPUS);
	check(&t, 200);
	strip_make(&s, &t, 1);
	assert_int_equal(s.cpu_count, STRIP_SEGMENTS);
}

static void nothing_known_expect_no_lines(void **state)
{
	struct topology t = {.cpu_count = 4};
	struct strip s;

	(void)state;
	strip_make(&s, NULL, 80);
	assert_int_equal(s.lines, 0);
	strip_make(&s, &t, 80);
	assert_int_equal(s.lines, 0);
}

/* The labels of all segments as "0-15 64-79". */
static char *labels(const struct topology *t, char *out, size_t size)
{
	static struct strip s;
	char buf[STRIP_TEXT];
	size_t used = 0;

	strip_make(&s, t, 120);
	out[0] = '\0';
	for (unsigned i = 0; i < s.segment_count; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s%s", i ? " " : "",
					 strip_range(&s.segment[i], buf),
					 s.segment[i].is_smt ? "s" : "");
	return out;
}

static void runs_expect_labels_as_people_write_them(void **state)
{
	struct topology_cpu cpu[16];
	struct topology t;
	char text[256];

	(void)state;
	make(&t, cpu, 16, 1, false);
	assert_string_equal(labels(&t, text, sizeof(text)), "0-15");
	make(&t, cpu, 16, 2, true);
	assert_string_equal(labels(&t, text, sizeof(text)), "0-14/2 1-15/2");
	make(&t, cpu, 16, 2, false);
	for (unsigned i = 0; i < 16; i++) {
		cpu[i].numa_node = i % 8 / 4;
		cpu[i].smt_rank = i >= 8;
	}
	assert_string_equal(labels(&t, text, sizeof(text)), "0-3 8-11s 4-7 12-15s");
	make(&t, cpu, 8, 1, false);
	cpu[6].cpu = 9;
	cpu[7].cpu = 20;
	assert_string_equal(labels(&t, text, sizeof(text)), "0-5 9 20");
}

static void offline_cpu_expect_with_its_neighbours(void **state)
{
	struct topology_cpu cpu[16];
	struct topology t;
	char text[256];

	(void)state;
	make(&t, cpu, 16, 2, false);
	cpu[0].online = cpu[5].online = cpu[8].online = false;
	cpu[0].numa_node = cpu[5].numa_node = cpu[8].numa_node = -1;
	assert_string_equal(labels(&t, text, sizeof(text)), "0-8 9-15");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_width_expect_each_cpu_once_and_inside),
		cmocka_unit_test(more_cpus_than_cells_expect_counted),
		cmocka_unit_test(nothing_known_expect_no_lines),
		cmocka_unit_test(runs_expect_labels_as_people_write_them),
		cmocka_unit_test(offline_cpu_expect_with_its_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
