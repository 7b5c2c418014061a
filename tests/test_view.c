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
	COUNTED,
	NO_PMU,
	SCALED,
	DENIED,
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
	{"scrolled-80x24", 80, 24, 64, PLAIN, "\1\1\1"},
	{"zoom-cpu-80x24", 80, 24, 64, PLAIN, "z"},
	{"zoom-wait-80x24", 80, 24, 16, PLAIN, "\tz"},
	{"zoom-variants-120x40", 120, 40, 2, PLAIN, "z\t\t\t\t"},
	{"zoom-history-80x24", 80, 24, 2, PLAIN, "z\t\t\t\t\t\t"},
	{"help-80x24", 80, 24, 2, PLAIN, "?"},
	{"help-120x40", 120, 40, 2, PLAIN, "?"},
	{"list-80x24", 80, 24, 2, PLAIN, "v"},
	{"search-80x24", 80, 24, 2, PLAIN, "v/pth\1"},
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
		m->state = MODEL_FAILED;
		m->disturbed_why = DISTURBED_RUN_DELAY;
		m->message[m->message_count].severity = MODEL_ERROR;
		m->message[m->message_count].at_s = 143;
		snprintf(m->message[m->message_count++].text, sizeof(m->message[0].text),
			 "mcs: thread 1 on cpu 4 made no progress for 2 s at 1203 ops; "
			 "1-9 or Enter starts another trial");
		break;
	case TWO_LOCKS:
		m->role_count = 2;
		snprintf(m->role_name[0], sizeof(m->role_name[0]), "giant");
		snprintf(m->role_name[1], sizeof(m->role_name[1]), "cred");
		m->wait[1] = m->hold[0];
		m->hold[1] = m->wait[0];
		break;
	case CROWDED:
		m->config.threads = 48;
		for (unsigned i = 0; i < m->cpu_count; i++)
			m->cpu[i].threads = 12;
		m->self_shares_cpu = true;
		m->recording = true;
		break;
	case COUNTED:
		fixture_counters(m, COUNTERS_LIVE);
		break;
	case NO_PMU:
		fixture_counters(m, COUNTERS_NO_PMU);
		break;
	case SCALED:
		fixture_counters(m, COUNTERS_SCALED);
		break;
	case DENIED:
		fixture_counters(m, COUNTERS_DENIED);
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
