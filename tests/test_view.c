/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole screens as golden text.
 *
 * GOLDEN_UPDATE=1 in the environment rewrites tests/golden; look at the difference before keeping
 * it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "ui/view.h"

enum { TEXT_BYTES = 1 << 18, DOWN = 1 /* stands for KEYCODE_DOWN in a string of keys */ };

/* What is changed about the model before a screen is taken. */
enum twist {
	PLAIN,
	MISSING,
	NULL_VARIANT, /* with holds below the clock's floor */
	MEASURE_OFF,
	WARMING,
	FAILED,
	TWO_LOCKS,
	CROWDED, /* more threads than CPUs, the dashboard on one of them */
	COUNTED, /* from here in the order of enum fixture_counters */
	NO_PMU,
	SCALED,
	DENIED,
	AB_BOTH,
	AB_ONLY_A,
	AB_ONLY_B,
	AB_FRESH,  /* set a moment ago: no window yet */
	AB_DIFFER, /* in threads, placement and knobs, not in the variant */
	AB_BLIND,  /* nothing stamped: no waits, no holds */
	CPUS_GONE, /* offline ones, some outside the mask, some shared by workers */
	FLOATING,
	NO_TOPOLOGY,
	NOBODY_WAITED,
};

struct screen {
	const char *name;
	unsigned cols, rows, cpus;
	enum twist twist;
	const char *keys; /* pressed before it is taken */
};

static const struct screen screens[] = {
	{"main-80x24-2", 80, 24, 2, PLAIN, ""},
	{"main-80x24-16", 80, 24, 16, PLAIN, ""},
	{"main-120x40-2", 120, 40, 2, PLAIN, ""},
	{"main-120x40-64", 120, 40, 64, PLAIN, ""},
	{"main-200x60-128", 200, 60, 128, PLAIN, ""},
	{"main-40x10", 40, 10, 2, PLAIN, ""},
	{"main-20x4", 20, 4, 2, PLAIN, ""},
	{"main-1x1", 1, 1, 2, PLAIN, ""},
	{"main-60x30-20", 60, 30, 20, PLAIN, ""},
	{"main-160x14-4", 160, 14, 4, PLAIN, ""},
	{"missing-80x24", 80, 24, 16, MISSING, ""},
	{"missing-120x40", 120, 40, 16, MISSING, ""},
	{"missing-20x4", 20, 4, 2, MISSING, ""},
	{"null-80x24", 80, 24, 2, NULL_VARIANT, ""},
	{"null-120x40", 120, 40, 2, NULL_VARIANT, ""},
	{"off-80x24", 80, 24, 2, MEASURE_OFF, ""},
	{"warming-80x24", 80, 24, 2, WARMING, ""},
	{"failed-80x24", 80, 24, 2, FAILED, ""},
	{"two-locks-80x24", 80, 24, 2, TWO_LOCKS, "\t\1"},
	{"crowded-80x24", 80, 24, 4, CROWDED, ""},
	{"paused-80x24", 80, 24, 2, PLAIN, " "},
	{"question-80x24", 80, 24, 2, PLAIN, "c"},
	{"scrolled-80x24", 80, 24, 64, PLAIN, "\1\1\1\1\1\1\1\1\1"},
	{"zoom-cpu-80x24", 80, 24, 64, PLAIN, "z"},
	{"zoom-wait-80x24", 80, 24, 16, PLAIN, "\tz"},
	{"zoom-variants-120x40", 120, 40, 2, PLAIN, "z\t\t\t\t\t\t"},
	{"zoom-history-80x24", 80, 24, 2, PLAIN, "z\t\t\t\t\t\t\t\t"},
	{"zoom-run-80x24", 80, 24, 2, PLAIN, "z\t\t\t\t"},
	{"help-80x24", 80, 24, 2, PLAIN, "?"},
	{"help-120x40", 120, 40, 2, PLAIN, "?"},
	{"list-80x24", 80, 24, 2, PLAIN, "v"},
	{"search-80x24", 80, 24, 2, PLAIN, "v/pth\1"},
	{"filter-80x24", 80, 24, 2, PLAIN, "vs\\t\1"},
	{"workloads-80x24", 80, 24, 2, PLAIN, "w"},
	{"sorted-80x24", 80, 24, 64, COUNTED, "sss"},
	{"sorted-120x40", 120, 40, 64, COUNTED, "ss"},
	{"sorted-id-80x24", 80, 24, 64, PLAIN, "s"},
	{"cpu-filter-80x24", 80, 24, 64, COUNTED, "\\n1 c2"},
	{"cpu-search-120x40", 120, 40, 64, PLAIN, "/n3"},
	{"cpu-none-80x24", 80, 24, 64, PLAIN, "\\n9"},
	{"one-cpu-80x24", 80, 24, 64, COUNTED, "\1\1\r"},
	{"one-cpu-120x40", 120, 40, 64, SCALED, "\r"},
	{"one-cpu-200x60", 200, 60, 64, DENIED, "\r"},
	{"one-cpu-offline-80x24", 80, 24, 16, PLAIN, "\1\1\1\1\1\r"},
	{"one-cpu-40x10", 40, 10, 4, NO_PMU, "\r"},
	{"knobs-80x24", 80, 24, 2, PLAIN, "k\1"},
	{"edit-80x24", 80, 24, 2, PLAIN, "k\1\r5"},
	{"counters-80x24", 80, 24, 16, COUNTED, ""},
	{"counters-120x40", 120, 40, 16, COUNTED, ""},
	{"counters-200x60", 200, 60, 64, COUNTED, ""},
	{"counters-60x24", 60, 24, 4, COUNTED, ""},
	{"counters-scrolled-80x24", 80, 24, 4, COUNTED, "]]"},
	{"counters-zoomed-80x24", 80, 24, 4, COUNTED, "z"},
	{"no-pmu-80x24", 80, 24, 2, NO_PMU, ""},
	{"no-pmu-120x40", 120, 40, 2, NO_PMU, ""},
	{"scaled-80x24", 80, 24, 4, SCALED, ""},
	{"denied-80x24", 80, 24, 4, DENIED, ""},
	{"ab-80x24", 80, 24, 16, AB_BOTH, ""},
	{"ab-120x40", 120, 40, 64, AB_BOTH, ""},
	{"ab-200x60", 200, 60, 128, AB_BOTH, ""},
	{"ab-40x10", 40, 10, 2, AB_BOTH, ""},
	{"ab-60x30", 60, 30, 20, AB_BOTH, ""},
	{"ab-only-a-80x24", 80, 24, 2, AB_ONLY_A, ""},
	{"ab-only-b-120x40", 120, 40, 2, AB_ONLY_B, ""},
	{"ab-fresh-80x24", 80, 24, 2, AB_FRESH, ""},
	{"ab-differ-120x40", 120, 40, 2, AB_DIFFER, ""},
	{"ab-blind-120x40", 120, 40, 2, AB_BLIND, ""},
	{"zoom-ab-80x24", 80, 24, 16, AB_DIFFER, "z\t\t\t\t\t"},
	{"zoom-ab-120x40", 120, 40, 16, AB_BOTH, "z\t\t\t\t\t"},
	{"zoom-ab-unset-80x24", 80, 24, 2, PLAIN, "z\t\t\t\t\t"},
	{"zoom-heat-80x24", 80, 24, 16, PLAIN, "z\t\t\t"},
	{"zoom-heat-120x40", 120, 40, 64, PLAIN, "z\t\t\t"},
	{"heat-off-80x24", 80, 24, 2, MEASURE_OFF, "z\t\t\t"},
	{"heat-missing-80x24", 80, 24, 2, MISSING, "z\t\t\t"},
	{"heat-free-80x24", 80, 24, 2, NOBODY_WAITED, "z\t\t\t"},
	{"zoom-strip-80x24", 80, 24, 16, PLAIN, "z\t\t\t\t\t\t\t\t\t"},
	{"zoom-strip-120x40", 120, 40, 257, CPUS_GONE, "z\t\t\t\t\t\t\t\t\t"},
	{"strip-1024-80x24", 80, 24, 1024, PLAIN, "z\t\t\t\t\t\t\t\t\t"},
	{"strip-1024-200x60", 200, 60, 1024, AB_BOTH, ""},
	{"strip-gone-200x60", 200, 60, 64, CPUS_GONE, ""},
	{"strip-40x10", 40, 10, 64, CPUS_GONE, ""},
	{"strip-floating-80x24", 80, 24, 1, FLOATING, "z\t\t\t\t\t\t\t\t\t"},
	{"strip-unknown-80x24", 80, 24, 2, NO_TOPOLOGY, "z\t\t\t\t\t\t\t\t\t"},
	{"main-200x60-2", 200, 60, 2, PLAIN, ""},
	{"main-200x50-16", 200, 50, 16, AB_BOTH, ""},
	{"main-80x24-256", 80, 24, 256, PLAIN, ""},
	{"missing-200x60", 200, 60, 16, MISSING, ""},
	{"messages-80x24", 80, 24, 16, PLAIN, "l"},
};

static void hist_scale(struct hist *h, double factor)
{
	struct hist *out = calloc(1, sizeof(*out));

	assert_non_null(out);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		for (uint64_t n = 0; h->bucket[i] && n < 50; n++)
			hist_add(out, (uint64_t)((double)hist_lower(i) * factor));
	}
	*h = *out;
	free(out);
}

static void ab_twist(struct model *m, enum twist twist)
{
	struct config *b = &m->ab.side[AB_B].config;

	if (twist == AB_BLIND) {
		fixture_missing(m);
		m->ops_per_s_mean = value_of(3.8e6);
	}
	fixture_ab(m, twist == AB_ONLY_B ? 0 : 12, twist == AB_ONLY_A ? 0 : 9);
	if (twist == AB_FRESH)
		ab_clear(&m->ab);
	if (twist != AB_DIFFER)
		return;
	snprintf(b->variant, sizeof(b->variant), "%s", m->config.variant);
	b->threads++;
	b->place = PLACE_PACK;
	snprintf(b->cpus, sizeof(b->cpus), "0,2-5");
	snprintf(b->knob[0].value, sizeof(b->knob[0].value), "5000");
	b->knob_count = 1;
	m->config = *b;
}

/* What became of the CPUs, and of those who should use them. */
static void cpu_twist(struct model *m, enum twist twist)
{
	switch ((unsigned)twist) {
	case CROWDED:
		m->config.threads = 48;
		for (unsigned i = 0; i < m->cpu_count; i++)
			m->cpu[i].threads = 12;
		m->self_shares_cpu = true;
		m->recording = true;
		break;
	case CPUS_GONE:
		fixture_offline(m, 20, 23);
		fixture_not_allowed(m, 100, 107);
		m->cpu[30].threads = 3;
		m->cpu[31].threads = 14;
		break;
	case FLOATING:
		m->cpu[0].cpu = m->cpu[0].core = m->cpu[0].numa_node = -1;
		m->config.place = PLACE_NONE;
		break;
	case NO_TOPOLOGY:
		fixture_topology_free(m);
		break;
	}
}

static void trial_fails(struct model *m)
{
	m->state = MODEL_FAILED;
	m->disturbed_why = DISTURBED_RUN_DELAY;
	m->message[m->message_count].severity = MODEL_ERROR;
	m->message[m->message_count].at_s = 143;
	snprintf(m->message[m->message_count++].text, sizeof(m->message[0].text),
		 "mcs: thread 1 on cpu 4 made no progress for 2 s at 1203 ops; "
		 "1-9 or Enter starts another trial");
}

static void model_twist(struct model *m, enum twist twist)
{
	switch (twist) {
	case PLAIN:
		break;
	case MISSING:
		fixture_missing(m);
		break;
	case NULL_VARIANT:
		fixture_variant(m, 12);
		hist_scale(&m->hold[0].hist, 0.1);
		m->hold[0].stat.p50_ns = (struct value){20, WHY_UNRESOLVED};
		break;
	case MEASURE_OFF:
		fixture_missing(m);
		m->plan.measure = PAGE_MEASURE_OFF;
		break;
	case WARMING:
		m->state = MODEL_WARMING;
		m->figures_warming = true;
		m->elapsed_s = 0;
		break;
	case FAILED:
		trial_fails(m);
		break;
	case TWO_LOCKS:
		m->role_count = 2;
		snprintf(m->role_name[0], sizeof(m->role_name[0]), "giant");
		snprintf(m->role_name[1], sizeof(m->role_name[1]), "cred");
		m->wait[1] = m->hold[0];
		m->hold[1] = m->wait[0];
		break;
	case COUNTED:
	case NO_PMU:
	case SCALED:
	case DENIED:
		fixture_counters(m, (enum fixture_counters)(twist - COUNTED));
		break;
	case AB_BOTH:
	case AB_ONLY_A:
	case AB_ONLY_B:
	case AB_FRESH:
	case AB_DIFFER:
	case AB_BLIND:
		ab_twist(m, twist);
		break;
	case CROWDED:
	case CPUS_GONE:
	case FLOATING:
	case NO_TOPOLOGY:
		cpu_twist(m, twist);
		break;
	case NOBODY_WAITED:
		for (unsigned i = 0; i < MODEL_HISTORY; i++)
			memset(m->heat[i].count, 0, sizeof(m->heat[i].count));
		break;
	}
}

/* The screen as text, malloced. */
static char *screen_take(const struct screen *sc, enum grid_tier tier)
{
	struct model *m = malloc(sizeof(*m));
	char *text = malloc(TEXT_BYTES);
	struct ui_state s = ui_state_default();
	struct grid g;

	assert_non_null(m);
	assert_non_null(text);
	fixture_model(m, sc->cpus);
	model_twist(m, sc->twist);
	ui_resize(&s, sc->cols, sc->rows);
	for (const char *k = sc->keys; *k; k++)
		ui_key(&s, m, *k == DOWN ? KEYCODE_DOWN : (unsigned char)*k);
	assert_int_equal(grid_init(&g, sc->cols, sc->rows, tier), 0);
	view_render(m, &s, &g);
	assert_true(grid_to_text(&g, text, TEXT_BYTES - 1) < TEXT_BYTES - 1);
	strcat(text, "\n");
	grid_fini(&g);
	fixture_free(m);
	free(m);
	return text;
}

/* Names the first line that differs. Returns false if one does. */
static bool same_lines(const char *path, const char *want, const char *have)
{
	for (unsigned line = 1; *want || *have; line++) {
		size_t w = strcspn(want, "\n"), h = strcspn(have, "\n");

		if (w != h || memcmp(want, have, w) != 0 || want[w] != have[h]) {
			print_error("%s:%u differs\n- %.*s\n+ %.*s\n", path, line, (int)w, want,
				    (int)h, have);
			return false;
		}
		want += w + (want[w] == '\n');
		have += h + (have[h] == '\n');
	}
	return true;
}

static char *file_read(const char *path)
{
	char *text = calloc(1, TEXT_BYTES);
	FILE *f = fopen(path, "r");

	assert_non_null(text);
	if (f) {
		size_t n = fread(text, 1, TEXT_BYTES - 1, f);

		text[n] = '\0';
		fclose(f);
	} else {
		print_error("%s: cannot be read (run from the top folder; GOLDEN_UPDATE=1 "
			    "writes it)\n",
			    path);
	}
	return text;
}

static bool golden_check(const struct screen *sc, enum grid_tier tier, const char *suffix)
{
	char path[128];
	char *have = screen_take(sc, tier);
	bool same = true;

	snprintf(path, sizeof(path), "tests/golden/%s-%s.txt", sc->name, suffix);
	if (getenv("GOLDEN_UPDATE")) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fputs(have, f);
		assert_int_equal(fclose(f), 0);
	} else {
		char *want = file_read(path);

		same = same_lines(path, want, have);
		free(want);
	}
	free(have);
	return same;
}

static void screens_in_both_tiers_expect_golden_text(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		wrong += !golden_check(&screens[i], TIER_UTF8, "utf8");
		wrong += !golden_check(&screens[i], TIER_ASCII, "ascii");
	}
	assert_int_equal(wrong, 0);
}

/* The cells of a line, by its code points. */
static size_t cells(const char *s, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static void ascii_expect_no_byte_above_0x7f_and_same_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		char *utf8 = screen_take(&screens[i], TIER_UTF8);
		char *ascii = screen_take(&screens[i], TIER_ASCII);
		const char *u = utf8, *a = ascii;

		for (const char *p = ascii; *p; p++)
			assert_true((unsigned char)*p < 0x80);
		for (unsigned row = 0; row < screens[i].rows; row++) {
			size_t ub = strcspn(u, "\n"), ab = strcspn(a, "\n");

			assert_int_equal(cells(u, ub), ab);
			u += ub + 1;
			a += ab + 1;
		}
		free(utf8);
		free(ascii);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_in_both_tiers_expect_golden_text),
		cmocka_unit_test(ascii_expect_no_byte_above_0x7f_and_same_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
