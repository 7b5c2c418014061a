/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histogram: bounds of buckets, and everything a reader makes of a copy.
 */
#include "probes/hist.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t limit = 1ull << HIST_VALUE_BITS;

/* The same values on every machine, of all magnitudes. */
static uint64_t any_value(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33 << 9 >> (*seed >> 20 & 31);
}

static struct hist hist_of(const uint64_t *value, size_t count)
{
	struct hist h = {0};

	for (size_t i = 0; i < count; i++)
		hist_add(&h, value[i]);
	return h;
}

static void powers_of_two_and_neighbours_expect_bounds_around_them(void **state)
{
	(void)state;
	for (unsigned k = 0; k < HIST_VALUE_BITS; k++) {
		for (unsigned d = 0; d <= 2; d++) {
			uint64_t v = (1ull << k) - 1 + d;
			uint64_t lower = hist_lower(hist_index(v));
			uint64_t upper = hist_upper(hist_index(v));

			assert_true(lower <= v && v < upper);
			/* Exact below 64, at most 1/32 wide above. */
			assert_true(v < 64 ? upper - lower == 1 : (upper - lower) * 32 <= lower);
		}
	}
}

static void powers_of_two_at_other_precisions_expect_bounds_around_them(void **state)
{
	(void)state;
	for (unsigned sub_bits = 0; sub_bits <= 16; sub_bits++) {
		for (unsigned k = 0; k < 63; k++) {
			for (unsigned d = 0; d <= 2; d++) {
				uint64_t v = (1ull << k) - 1 + d;
				unsigned i = hist_index_at(v, sub_bits);
				uint64_t lower = hist_lower_at(i, sub_bits);
				uint64_t upper = hist_lower_at(i + 1, sub_bits);

				assert_true(lower <= v && v < upper);
				assert_true(upper - lower == 1 ||
					    (upper - lower) << sub_bits <= lower);
			}
		}
	}
}

static void buckets_in_order_expect_no_gap_and_no_overlap(void **state)
{
	(void)state;
	assert_int_equal(hist_lower(0), 0);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		assert_true(hist_lower(i) < hist_upper(i));
		assert_int_equal(hist_upper(i), hist_lower(i + 1));
		assert_int_equal(hist_index(hist_lower(i)), i);
		assert_int_equal(hist_index(hist_upper(i) - 1), i);
	}
	assert_int_equal(hist_upper(HIST_BUCKETS - 1), limit);
}

static void values_over_range_expect_last_bucket_and_a_count(void **state)
{
	static const uint64_t v[] = {(1ull << 40) - 1, 1ull << 40, (1ull << 40) + 1, 1ull << 63};
	struct hist h = hist_of(v, 4);

	(void)state;
	assert_int_equal(h.bucket[HIST_BUCKETS - 1], 4);
	assert_int_equal(h.over_count, 3);
	assert_int_equal(h.max, 1ull << 63);
	assert_int_equal(hist_count(&h), 4);
	assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void any_records_expect_quantiles_of_the_sorted_list(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 10, 1000};
	static const double qs[] = {0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1};
	uint64_t v[1000], seed = 1;

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		size_t n = sizes[s];
		struct hist h;

		for (size_t i = 0; i < n; i++)
			v[i] = any_value(&seed) % limit;
		h = hist_of(v, n);
		qsort(v, n, sizeof(v[0]), compare_u64);
		for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]); i++) {
			double rank = ceil(qs[i] * (double)n);
			uint64_t truth = v[rank < 1 ? 0 : (size_t)rank - 1];
			double got = hist_quantile(&h, qs[i]);

			assert_int_equal(hist_index((uint64_t)got), hist_index(truth));
			assert_true(truth >= 64 || got == (double)truth);
			assert_true(got <= (double)h.max);
		}
	}
}

static void few_records_expect_quantiles_known_by_hand(void **state)
{
	/* 130 and 131 share the bucket {128 .. 131}. */
	static const uint64_t v[] = {1, 2, 3, 130, 131};
	struct hist h = hist_of(v, 5);
	const struct hist empty = {0};

	(void)state;
	assert_true(hist_quantile(&h, 0.2) == 1);
	assert_true(hist_quantile(&h, 0.5) == 3);
	assert_true(hist_quantile(&h, 0.61) == 129.5);
	assert_true(hist_mean(&h) == 53.4);
	assert_true(hist_quantile(&empty, 0.5) == 0);
	assert_true(hist_mean(&empty) == 0);
	/* The middle of a bucket is never above what was recorded. */
	h = hist_of((const uint64_t[]){1024}, 1);
	assert_true(hist_quantile(&h, 1) == 1024);
}

static void batch_expect_the_same_bytes_as_single_adds(void **state)
{
	struct hist one = {0}, many = {0};
	uint64_t seed = 2;

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct hist_batch b = hist_batch_begin(&many);

		for (int i = 0; i < 100; i++) {
			uint64_t v = any_value(&seed) << (i == 50 ? 20 : 0);

			hist_add(&one, v);
			hist_batch_add(&many, &b, v);
		}
		hist_batch_end(&many, &b);
		assert_memory_equal(&one, &many, sizeof(one));
	}
	assert_true(one.over_count > 0);
}

static void copies_of_a_growing_histogram_expect_equal_bytes(void **state)
{
	struct hist h = {0}, copy = {0};
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < round; i++)
			hist_add(&h, any_value(&seed) >> (round < 50 ? 20 : 0));
		hist_copy(&copy, &h);
		assert_memory_equal(&copy, &h, sizeof(h));
	}
}

static void block_not_in_use_expect_not_copied(void **state)
{
	struct hist h = hist_of((const uint64_t[]){5}, 1), copy = {0};

	(void)state;
	h.bucket[HIST_BLOCK_BUCKETS] = 77;
	hist_copy(&copy, &h);
	assert_int_equal(copy.bucket[5], 1);
	assert_int_equal(copy.bucket[HIST_BLOCK_BUCKETS], 0);
}

static void difference_expect_what_was_recorded_in_between(void **state)
{
	struct hist h = {0}, later = {0}, prev, out;
	uint64_t seed = 4;

	(void)state;
	memset(&out, 0, sizeof(out));
	for (int round = 0; round < 50; round++) {
		prev = h;
		hist_clear(&later);
		for (int i = 0; i < 20; i++) {
			uint64_t v = any_value(&seed);

			hist_add(&h, v);
			hist_add(&later, v);
		}
		assert_int_equal(hist_diff(&out, &prev, &h), 0);
		assert_memory_equal(out.bucket, later.bucket, sizeof(out.bucket));
		assert_int_equal(out.used_mask, later.used_mask);
		assert_int_equal(out.sum, later.sum);
		assert_int_equal(out.over_count, later.over_count);
		assert_true(out.max >= later.max && out.max <= h.max);
		assert_true(out.max == h.max || hist_index(out.max) == hist_index(later.max));
	}
}

static void difference_below_the_old_maximum_expect_bound_that_was_recorded(void **state)
{
	static const struct {
		uint64_t old, new, max;
	} row[] = {
		{5000, 100, 101},   /* the end of its bucket */
		{1025, 1024, 1025}, /* {1024 .. 1055}, but nothing was above 1025 */
		{1ull << 50, 1ull << 41, 1ull << 50}, /* the last bucket has no end */
		{100, 5000, 5000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct hist prev = hist_of(&row[i].old, 1), cur = prev, out = {0};

		hist_add(&cur, row[i].new);
		assert_int_equal(hist_diff(&out, &prev, &cur), 0);
		assert_int_equal(out.max, row[i].max);
	}
}

static void difference_of_equal_copies_expect_zeroes(void **state)
{
	static const uint64_t v[] = {1, 100, 10000, 1ull << 41};
	struct hist h = hist_of(v, 4), out = h;
	const struct hist zero = {0};

	(void)state;
	assert_int_equal(hist_diff(&out, &h, &h), 0);
	assert_memory_equal(&out, &zero, sizeof(out));
}

static void counter_that_ran_backwards_expect_range_error_and_zeroes(void **state)
{
	static const uint64_t v[] = {1, 100, 10000, 1ull << 41};
	static const size_t fields[] = {
		offsetof(struct hist, sum),
		offsetof(struct hist, over_count),
		offsetof(struct hist, bucket) + 8 * 1,
		offsetof(struct hist, bucket) + 8 * (HIST_BUCKETS - 1),
	};
	const struct hist zero = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct hist prev = hist_of(v, 4), cur = prev, out = prev;

		hist_add(&cur, 3);
		*(uint64_t *)((char *)&cur + fields[i]) = 0;
		assert_int_equal(hist_diff(&out, &prev, &cur), -ERANGE);
		assert_memory_equal(&out, &zero, sizeof(out));
	}
}

static void merge_expect_the_same_as_all_in_one(void **state)
{
	struct hist part[3] = {{0}}, all = {0}, merged = {0};
	uint64_t seed = 5;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		uint64_t v = any_value(&seed) << (i == 150 ? 20 : 0);

		hist_add(&part[i % 3], v);
		hist_add(&all, v);
	}
	for (unsigned i = 0; i < 3; i++)
		hist_merge(&merged, &part[i]);
	assert_memory_equal(&merged, &all, sizeof(all));
}

static void clear_expect_zeroes(void **state)
{
	const struct hist zero = {0};
	struct hist h = {0};
	uint64_t seed = 6;

	(void)state;
	for (int i = 0; i < 100; i++)
		hist_add(&h, any_value(&seed));
	hist_add(&h, UINT64_MAX);
	hist_clear(&h);
	assert_memory_equal(&h, &zero, sizeof(h));
}

/* Under a sanitizer: a mask that names blocks which do not exist is not followed. */
static void damaged_mask_expect_nothing_outside_touched(void **state)
{
	struct hist *h = malloc(sizeof(*h)), *copy = calloc(1, sizeof(*copy));

	(void)state;
	assert_true(h && copy);
	memset(h, 0xff, sizeof(*h));
	hist_copy(copy, h);
	assert_int_equal(copy->used_mask >> HIST_BLOCKS, 0);
	assert_int_equal(hist_count(h), (uint64_t)-HIST_BUCKETS);
	assert_true(isfinite(hist_quantile(h, 0.5)));
	hist_merge(copy, h);
	assert_int_equal(copy->used_mask >> HIST_BLOCKS, 0);
	hist_diff(copy, h, h);
	hist_clear(h);
	assert_int_equal(hist_count(h), 0);
	free(h);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_two_and_neighbours_expect_bounds_around_them),
		cmocka_unit_test(powers_of_two_at_other_precisions_expect_bounds_around_them),
		cmocka_unit_test(buckets_in_order_expect_no_gap_and_no_overlap),
		cmocka_unit_test(values_over_range_expect_last_bucket_and_a_count),
		cmocka_unit_test(any_records_expect_quantiles_of_the_sorted_list),
		cmocka_unit_test(few_records_expect_quantiles_known_by_hand),
		cmocka_unit_test(batch_expect_the_same_bytes_as_single_adds),
		cmocka_unit_test(copies_of_a_growing_histogram_expect_equal_bytes),
		cmocka_unit_test(block_not_in_use_expect_not_copied),
		cmocka_unit_test(difference_expect_what_was_recorded_in_between),
		cmocka_unit_test(difference_below_the_old_maximum_expect_bound_that_was_recorded),
		cmocka_unit_test(difference_of_equal_copies_expect_zeroes),
		cmocka_unit_test(counter_that_ran_backwards_expect_range_error_and_zeroes),
		cmocka_unit_test(merge_expect_the_same_as_all_in_one),
		cmocka_unit_test(clear_expect_zeroes),
		cmocka_unit_test(damaged_mask_expect_nothing_outside_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
