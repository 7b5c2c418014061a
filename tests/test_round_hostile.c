/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a crashed or lying lab may leave in a snapshot: no cell of any table is NaN or infinite.
 */
#include "src/flow/field.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/flow/round.h"
#include "tests/made_trial.h"

enum { THREADS = 3 };

static int scene_setup(void **state)
{
	static struct made_trial m;

	*state = &m;
	made_trial_init(&m, THREADS);
	return 0;
}

static int scene_teardown(void **state)
{
	made_trial_fini(*state);
	return 0;
}

/* Fetches every cell of every table. Returns how many hold a number. */
static unsigned cells_check(const struct machine *machine, const struct round *r)
{
	unsigned numbers = 0;

	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		struct field_input in = {machine, r, 0};
		unsigned count;
		const struct field *f = field_table(NULL, scope, &count);

		for (in.row = 0; in.row < field_rows(scope, r); in.row++) {
			for (unsigned i = 0; i < count; i++) {
				struct field_cell cell;

				field_get(&f[i], &in, &cell);
				assert_true(cell.value.why < WHY_COUNT);
				assert_non_null(memchr(cell.text, '\0', sizeof(cell.text)));
				/* A missing one may hold a bound, which the screen prints. */
				if (!isfinite(cell.value.v))
					fail_msg("%s is %g", f[i].id, cell.value.v);
				numbers += f[i].kind != FIELD_TEXT && value_known(cell.value);
			}
		}
	}
	return numbers;
}

/* A round of the snapshot as it is now, all of its cells looked at. */
static unsigned round_check(struct made_trial *m)
{
	struct round r;
	unsigned numbers;

	assert_int_equal(round_make(&r, &m->in), 0);
	assert_true(r.thread_count <= THREADS && r.cpu_count <= THREADS);
	assert_true(r.lock_count <= PAGE_ROLES);
	numbers = cells_check(&m->machine, &r);
	round_free(&r);
	return numbers;
}

static void trial_in_order_expect_numbers_in_most_cells(void **state)
{
	/* Keys, round, CPUs, threads, lock, buckets, metrics. */
	assert_true(round_check(*state) > 120);
}

static void numbers_of_the_lab_that_are_none_expect_finite_cells(void **state)
{
	static const double bad[] = {NAN, -NAN,    INFINITY, -INFINITY, -1,
				     0,   DBL_MAX, -DBL_MAX, 1e-320};
	struct made_trial *m = *state;
	struct page_lab *l = &m->snap.lab;
	double *const word[] = {&l->tick_hz,         &l->stamp_ns,      &l->resolution_ns,
				&l->bias_ns,         &l->floor_ns,      &l->delay_per_ns,
				&l->probe_before_ns, &l->probe_after_ns};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (size_t k = 0; k < sizeof(word) / sizeof(word[0]); k++) {
			double good = *word[k];

			*word[k] = bad[i];
			round_check(m);
			*word[k] = good;
		}
		for (size_t k = 0; k < sizeof(word) / sizeof(word[0]); k++)
			*word[k] = bad[i];
		round_check(m);
	}
}

static void whole_numbers_at_their_ends_expect_finite_cells(void **state)
{
	static const uint64_t bad[] = {0, 1, UINT32_MAX, 1ull << 63, UINT64_MAX};
	struct made_trial *m = *state;
	struct snap_thread *t = &m->snap.thread[1];
	uint64_t *const word[] = {
		&t->begin_ticks,
		&t->end_ticks,
		&t->taken_ticks,
		&t->backwards_count,
		&t->row[0].ops,
		&t->row[0].a.sum,
		&t->row[0].a.max,
		&t->row[0].b.max,
		&t->row[1].a.sum,
		&t->row[1].a.max,
		&t->row[1].b.over_count,
		&t->row[1].contended,
		&t->begin.user_us,
		&t->end.user_us,
		&t->end.run_delay_ns,
		&t->end.steal_us,
		&t->begin.migrations,
		&t->row[0].b.bucket[2],
		&m->snap.lab.invariant_expected,
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (size_t k = 0; k < sizeof(word) / sizeof(word[0]); k++) {
			uint64_t good = *word[k];

			*word[k] = bad[i];
			round_check(m);
			*word[k] = good;
		}
		for (unsigned k = 0; k < THREADS; k++)
			m->snap.thread[k].row[0].ops = bad[i];
		round_check(m);
	}
}

static void all_threads_end_before_they_begin_expect_no_rate(void **state)
{
	struct made_trial *m = *state;
	struct round r;

	for (unsigned i = 0; i < THREADS; i++)
		m->snap.thread[i].end_ticks = MADE_BEGIN_TICKS - 1 - i;
	assert_int_equal(round_make(&r, &m->in), 0);
	assert_int_equal(r.ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(r.thread[0].ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(r.cpu[0].ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(r.steal_ratio.why, WHY_NOT_YET);
	assert_int_equal(r.disturbed_why, 0);
	cells_check(&m->machine, &r);
	round_free(&r);
}

static void clock_whose_rate_is_not_known_expect_no_times(void **state)
{
	struct made_trial *m = *state;
	struct round r;

	m->in.tick_hz = 0;
	assert_int_equal(round_make(&r, &m->in), 0);
	assert_int_equal(r.duration_s.why, WHY_NOT_YET);
	assert_int_equal(r.gap_max_ns.why, WHY_NOT_YET);
	assert_int_equal(r.lock[0].wait.mean_ns.why, WHY_NOT_YET);
	assert_true(cells_check(&m->machine, &r) > 0);
	round_free(&r);
}

static void identities_out_of_range_expect_bounded_tables(void **state)
{
	static const int cpus[] = {-2, INT32_MIN, INT32_MAX, 4};
	struct made_trial *m = *state;

	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		for (unsigned k = 0; k < THREADS; k++) {
			m->snap.thread[k].cpu = cpus[i] - (int)(cpus[i] > 0 ? k : 0);
			m->snap.thread[k].tid = cpus[i];
			m->snap.thread[k].thread = UINT32_MAX - k;
		}
		m->snap.lab.invariant_checked = UINT32_MAX;
		m->snap.lab.limit_hit = UINT32_MAX;
		m->snap.lab.state = UINT32_MAX;
		memset(m->snap.lab.role, 0xff, sizeof(m->snap.lab.role));
		round_check(m);
	}
}

static uint64_t any(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 24;
}

/* Random words wherever a snapshot copies the page without a look. */
static void random_words_in_a_snapshot_expect_finite_cells(void **state)
{
	struct made_trial *m = *state;
	struct page_lab good_lab = m->snap.lab;
	struct snap_thread good[THREADS];
	uint64_t seed = 3;

	memcpy(good, m->snap.thread, sizeof(good));
	for (int round = 0; round < 3000; round++) {
		for (uint64_t n = any(&seed) % 6; n > 0; n--) {
			struct snap_thread *t = &m->snap.thread[any(&seed) % THREADS];
			uint64_t word = any(&seed) << (any(&seed) % 3 * 24);
			bool lab = any(&seed) % 2;
			size_t bytes = lab ? offsetof(struct page_lab, role)
					   : offsetof(struct snap_thread, row);

			memcpy((char *)(lab ? (void *)&m->snap.lab : t) +
				       any(&seed) % (bytes / 8) * 8,
			       &word, 8);
			/* What a snapshot makes sure of. */
			t->row_count = t->row_count ? 2 : 0;
			t->phase &= 1;
		}
		m->plan.measure = any(&seed) % 4 ? PAGE_MEASURE_EVERY : PAGE_MEASURE_OFF;
		round_check(m);
		m->snap.lab = good_lab;
		memcpy(m->snap.thread, good, sizeof(good));
	}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(trial_in_order_expect_numbers_in_most_cells),
		SCENE(numbers_of_the_lab_that_are_none_expect_finite_cells),
		SCENE(whole_numbers_at_their_ends_expect_finite_cells),
		SCENE(all_threads_end_before_they_begin_expect_no_rate),
		SCENE(clock_whose_rate_is_not_known_expect_no_times),
		SCENE(identities_out_of_range_expect_bounded_tables),
		SCENE(random_words_in_a_snapshot_expect_finite_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
