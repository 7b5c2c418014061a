/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the dashboard does at every refresh: one snapshot of many threads, one frame of many CPUs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probes/slot.h"
#include "src/flow/snap.h"
#include "src/lab/rng.h"
#include "tests/bench.h"
#include "tests/fixture.h"
#include "ui/view.h"

enum { SNAPS = 101, FRAMES = 101, RECORDS = 3000 };

/* A skewed distribution, 60 ticks to a million, as the waits of a contended lock are. */
static uint64_t made_up_ticks(struct lab_rng *rng)
{
	double u = (double)(rng_below(rng, 1000000) + 1) / 1000001;

	return (uint64_t)(60 * pow(u, -0.7));
}

/* Threads with wait, hold, gap and run histograms in use, and the slot's counters moving. */
static struct page *page_filled(unsigned threads, int *fd)
{
	struct lab_rng rng = rng_seed(42, threads, 0);
	struct page_row *row[2];
	struct slot_arena arena;
	struct page *p;
	struct err e;

	if (page_create(fd, &p, &e) != 0) {
		fprintf(stderr, "bench: %s\n", e.text);
		exit(1);
	}
	p->lab.role_count = 1;
	for (unsigned i = 0; i < threads; i++) {
		slot_claim(p, i, (int)i + 1, (int)i, &arena);
		slot_rows(&arena, PAGE_PHASE_MEASURED, 1, row);
		slot_state(&p->slot[i], PAGE_SLOT_RUNNING);
		for (unsigned k = 0; k < RECORDS; k++) {
			hist_add(&row[0]->a, made_up_ticks(&rng));
			hist_add(&row[0]->b, 1 + rng_below(&rng, 30));
			hist_add(&row[1]->a, made_up_ticks(&rng));
			hist_add(&row[1]->b, 60 + rng_below(&rng, 100));
			slot_ops(row[0], k + 1);
		}
	}
	return p;
}

static void snap_time(unsigned threads, double bar_us)
{
	double us[SNAPS];
	char what[64], note[64];
	struct snap s[2];
	struct page *p;
	int fd;

	p = page_filled(threads, &fd);
	if (snap_init(&s[0], threads, 0) != 0 || snap_init(&s[1], threads, 0) != 0)
		exit(1);
	for (unsigned i = 0; i < SNAPS; i++) {
		uint64_t t = tick_monotonic_ns();

		snap_take(&s[i % 2], p, TICK_COUNTER);
		us[i] = (double)(tick_monotonic_ns() - t) / 1e3;
	}
	snprintf(what, sizeof(what), "snap_take, %u threads", threads);
	snprintf(note, sizeof(note), "median of %d", SNAPS);
	bench_at_most(what, bench_median(us, SNAPS), bar_us, "us", note);
	snap_fini(&s[0]);
	snap_fini(&s[1]);
	page_unmap(p);
	close(fd);
}

void bench_snap(void)
{
	snap_time(128, 100);
	snap_time(1024, 1000);
}

void bench_frame(void)
{
	static struct model m;
	struct ui_state ui = ui_state_default();
	struct grid g = {0};
	double ms[FRAMES];

	fixture_model(&m, 1024);
	if (grid_init(&g, 200, 60, TIER_UTF8) != 0)
		exit(1);
	for (unsigned i = 0; i < FRAMES; i++) {
		uint64_t t = tick_monotonic_ns();

		view_render(&m, &ui, &g);
		ms[i] = (double)(tick_monotonic_ns() - t) / 1e6;
	}
	bench_at_most("frame 200x60, 1024 CPUs", bench_median(ms, FRAMES), 2, "ms",
		      "median of 101");
	grid_fini(&g);
	fixture_free(&m);
}
