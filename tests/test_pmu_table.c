/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of events: every name encodes, to the code that the maker of the CPU gave it.
 *
 * Expected codes: perfmon event lists of Intel, AMD PPR (PMC 0x43, 0x44, 0x60), Arm reference
 * manuals; the kernel's numbers for generic names.
 */
#include "probes/pmu_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <linux/perf_event.h>

#include "probes/pmu_list.h"

struct code {
	const char *pmu;
	enum pmu_role role;
	uint64_t config, config1;
};

static const struct code native_codes[] = {
	{"hsw", PMU_TRANSFERS, 0x4d2, 0},
	{"hsw", PMU_OWN, 0x2224, 0},
	{"hsw", PMU_WALK_CYCLES, 0x1008, 0},
	{"hsw_ep", PMU_TRANSFERS, 0x4d2, 0},
	{"hsw_ep", PMU_OWN, 0x2224, 0},
	{"hsw_ep", PMU_WALK_CYCLES, 0x1008, 0},
	{"bdw", PMU_TRANSFERS, 0x4d2, 0},
	{"bdw", PMU_OWN, 0x2224, 0},
	{"bdw", PMU_WALK_CYCLES, 0x1008, 0},
	{"bdw_ep", PMU_TRANSFERS, 0x4d2, 0},
	{"bdw_ep", PMU_OWN, 0x2224, 0},
	{"bdw_ep", PMU_WALK_CYCLES, 0x1008, 0},
	{"skl", PMU_TRANSFERS, 0x4d2, 0},
	{"skl", PMU_OWN, 0x2224, 0},
	{"skl", PMU_WALK_CYCLES, 0x1001008, 0},
	{"skx", PMU_TRANSFERS, 0x4d2, 0},
	{"skx", PMU_OWN, 0x2224, 0},
	{"skx", PMU_WALK_CYCLES, 0x1001008, 0},
	{"clx", PMU_TRANSFERS, 0x4d2, 0},
	{"clx", PMU_OWN, 0x2224, 0},
	{"clx", PMU_WALK_CYCLES, 0x1001008, 0},
	{"icl", PMU_TRANSFERS, 0x4d2, 0},
	{"icl", PMU_OWN, 0x2224, 0},
	{"icl", PMU_WALK_CYCLES, 0x1001008, 0},
	{"icx", PMU_TRANSFERS, 0x4d2, 0},
	{"icx", PMU_OWN, 0x2224, 0},
	{"icx", PMU_WALK_CYCLES, 0x1001008, 0},
	{"spr", PMU_TRANSFERS, 0x4d2, 0},
	{"spr", PMU_OWN, 0x2224, 0},
	{"spr", PMU_WALK_CYCLES, 0x1001012, 0},
	{"amd64_fam17h_zen1", PMU_OWN, 0x4860, 0},
	{"amd64_fam17h_zen2", PMU_OWN, 0x4860, 0},
	{"amd64_fam17h_zen2", PMU_TRANSFERS, 0x1243, 0},
	{"amd64_fam19h_zen3", PMU_OWN, 0x4860, 0},
	{"amd64_fam19h_zen3", PMU_TRANSFERS, 0x1644, 0},
	{"amd64_fam19h_zen4", PMU_OWN, 0x4860, 0},
	{"amd64_fam19h_zen4", PMU_TRANSFERS, 0x1644, 0},
	{"arm_n1", PMU_TRANSFERS, 0x45, 0},
	{"arm_n1", PMU_OWN, 0x48, 0},
	{"arm_n1", PMU_BUS_ACCESSES, 0x19, 0},
	{"arm_v1", PMU_TRANSFERS, 0x45, 0},
	{"arm_v1", PMU_OWN, 0x48, 0},
	{"arm_v1", PMU_BUS_ACCESSES, 0x19, 0},
	{"arm_n2", PMU_TRANSFERS, 0x45, 0},
	{"arm_n2", PMU_OWN, 0x48, 0},
	{"arm_n2", PMU_BUS_ACCESSES, 0x19, 0},
	{"arm_v2", PMU_TRANSFERS, 0x45, 0},
	{"arm_v2", PMU_OWN, 0x48, 0},
	{"arm_v2", PMU_BUS_ACCESSES, 0x19, 0},
	{"arm_ac57", PMU_OWN, 0x48, 0},
	{"arm_ac57", PMU_BUS_ACCESSES, 0x19, 0},
};

static const struct {
	enum pmu_role role;
	uint32_t type;
	uint64_t config;
} generic_codes[] = {
	{PMU_CYCLES, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{PMU_INSTRUCTIONS, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{PMU_MISSES, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{PMU_REFERENCES, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{PMU_BUS_CYCLES, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{PMU_DTLB_MISSES, PERF_TYPE_HW_CACHE,
	 PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_RESULT_MISS << 16},
	{PMU_ITLB_MISSES, PERF_TYPE_HW_CACHE,
	 PERF_COUNT_HW_CACHE_ITLB | PERF_COUNT_HW_CACHE_RESULT_MISS << 16},
	{PMU_TASK_CLOCK, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{PMU_SWITCHES, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{PMU_MIGRATIONS, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{PMU_FAULTS, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

static const char *const vendors[] = {"intel", "amd", "arm", ""};

static const struct code *code_find(const struct pmu_row *row)
{
	for (size_t i = 0; i < sizeof(native_codes) / sizeof(native_codes[0]); i++) {
		if (native_codes[i].role == row->role && strcmp(native_codes[i].pmu, row->pmu) == 0)
			return &native_codes[i];
	}
	return NULL;
}

static bool name_seen(void *arg, const char *name)
{
	(void)name;
	*(bool *)arg = true;
	return false;
}

/* libpfm4 has the PMUs of the architecture it was built for. */
static bool pmu_known(const char *pmu)
{
	bool known = false;

	pmu_sys_names(pmu, name_seen, &known);
	return known;
}

static int encode(const char *name, struct perf_event_attr *a)
{
	char full[sizeof(((struct pmu_event *)NULL)->full)];
	int rc;

	*a = (struct perf_event_attr){.size = sizeof(*a)};
	rc = pmu_sys_linux.encode(NULL, name, true, a, full, sizeof(full));
	/* None is cut off. */
	assert_true(rc || strlen(full) < sizeof(full) - 1);
	return rc;
}

static void native_check(const struct pmu_row *row, const struct code *code)
{
	struct perf_event_attr a;
	char name[128];
	int rc;

	snprintf(name, sizeof(name), "%s::%s", row->pmu, row->event);
	rc = encode(name, &a);
	if (rc)
		fail_msg("%s: %s", name, pmu_sys_encode_error(rc));
	if (a.type != PERF_TYPE_RAW || a.config != code->config || a.config1 != code->config1)
		fail_msg("%s: type %u, config %#llx, config1 %#llx", name, a.type,
			 (unsigned long long)a.config, (unsigned long long)a.config1);
	assert_false(a.exclude_user || a.exclude_kernel || a.exclude_guest || a.pinned);
}

/* Rows of PMUs with @prefix, or of all without it. */
static void natives_check(const char *prefix, bool with)
{
	unsigned count, checked = 0;
	const struct pmu_row *row = pmu_table_all(&count);

	for (unsigned i = 0; i < count; i++) {
		bool has = strncmp(row[i].pmu, prefix, strlen(prefix)) == 0;

		if (!row[i].native || has != with || !pmu_known(row[i].pmu))
			continue;
		assert_non_null(code_find(&row[i]));
		native_check(&row[i], code_find(&row[i]));
		checked++;
	}
	if (!checked) {
		print_message("skip %s: this libpfm4 has none of its PMUs\n",
			      with ? "arm_rows_expect_codes_of_the_maker"
				   : "x86_rows_expect_codes_of_the_makers");
		skip();
	}
	for (unsigned i = 0; i < count; i++) {
		bool has = strncmp(row[i].pmu, prefix, strlen(prefix)) == 0;

		if (row[i].native && has == with && !pmu_known(row[i].pmu))
			fail_msg("libpfm4 knows no PMU %s", row[i].pmu);
	}
}

static void x86_rows_expect_codes_of_the_makers(void **state)
{
	(void)state;
	natives_check("arm_", false);
}

static void arm_rows_expect_codes_of_the_maker(void **state)
{
	(void)state;
	natives_check("arm_", true);
}

static void native_rows_expect_one_code_each(void **state)
{
	unsigned count, natives = 0;
	const struct pmu_row *row = pmu_table_all(&count);

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		if (row[i].native && !code_find(&row[i]))
			fail_msg("%s::%s has no expected code", row[i].pmu, row[i].event);
		natives += row[i].native;
	}
	assert_int_equal(natives, sizeof(native_codes) / sizeof(native_codes[0]));
}

static void generic_rows_expect_codes_of_the_kernel(void **state)
{
	const size_t codes = sizeof(generic_codes) / sizeof(generic_codes[0]);
	unsigned count;
	const struct pmu_row *row = pmu_table_all(&count);

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		struct perf_event_attr a;
		size_t k = 0;

		if (row[i].native)
			continue;
		while (k < codes && generic_codes[k].role != row[i].role)
			k++;
		assert_true(k < codes);
		assert_int_equal(encode(row[i].event, &a), 0);
		assert_int_equal(a.type, generic_codes[k].type);
		assert_int_equal(a.config, generic_codes[k].config);
	}
}

static void texts_expect_they_fit(void **state)
{
	unsigned count;
	const struct pmu_row *row = pmu_table_all(&count);
	struct pmu_event ev;

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		assert_in_range(strlen(row[i].label), 1, 8);
		/* Room for "stands in for ROLE: " in front. */
		assert_in_range(strlen(row[i].means), 1, sizeof(ev.means) - 48);
		assert_in_range(strlen(row[i].pmu) + 2 + strlen(row[i].event), 1,
				sizeof(ev.id) - sizeof(":u"));
		assert_true(!row[i].native || row[i].pmu[0]);
	}
}

static void rows_expect_one_a_pmu_and_role(void **state)
{
	unsigned count;
	const struct pmu_row *row = pmu_table_all(&count);

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		assert_true(row[i].role > PMU_OTHER && row[i].role < PMU_ROLES);
		assert_ptr_equal(pmu_table_find(row[i].pmu, "", row[i].role), &row[i]);
	}
}

static void levels_of_vendors_expect_different_labels(void **state)
{
	static const enum pmu_role role[] = {PMU_MISSES, PMU_REFERENCES};

	(void)state;
	for (size_t r = 0; r < sizeof(role) / sizeof(role[0]); r++) {
		for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal(pmu_table_find("", vendors[i], role[r])
								->label,
							pmu_table_find("", vendors[k], role[r])
								->label);
		}
	}
}

static void find_expect_pmu_before_vendor_before_generic(void **state)
{
	static const struct {
		const char *pmu, *vendor;
		enum pmu_role role;
		const char *event, *label;
	} row[] = {
		{"spr", "intel", PMU_TRANSFERS, "MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD", "ld-fwd"},
		{"icx", "intel", PMU_TRANSFERS, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM", "ld-HITM"},
		{"spr", "intel", PMU_MISSES, "cache-misses", "LLC-miss"},
		{"", "intel", PMU_MISSES, "cache-misses", "LLC-miss"},
		{"amd64_fam19h_zen4", "amd", PMU_MISSES, "cache-misses", "L2-miss"},
		{"arm_n1", "arm", PMU_MISSES, "cache-misses", "L1D-miss"},
		{"", "", PMU_MISSES, "cache-misses", "misses"},
		{"spr", "intel", PMU_CYCLES, "cycles", "cycles"},
		{"arm_v2", "arm", PMU_SWITCHES, "context-switches", "switches"},
		{"", "intel", PMU_TRANSFERS, NULL, NULL},
		{"amd64_fam17h_zen1", "amd", PMU_TRANSFERS, NULL, NULL},
		{"amd64_fam17h_zen1", "amd", PMU_WALK_CYCLES, NULL, NULL},
		{"spr", "intel", PMU_BUS_ACCESSES, NULL, NULL},
		{"spr", "intel", PMU_OTHER, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct pmu_row *found =
			pmu_table_find(row[i].pmu, row[i].vendor, row[i].role);

		if (!row[i].event) {
			assert_null(found);
			continue;
		}
		assert_non_null(found);
		assert_string_equal(found->event, row[i].event);
		assert_string_equal(found->label, row[i].label);
	}
}

static void roles_expect_a_name_and_label_of_their_own(void **state)
{
	(void)state;
	for (enum pmu_role i = PMU_OTHER; i < PMU_ROLES; i++) {
		assert_non_null(pmu_role_name(i));
		assert_non_null(pmu_role_label(i));
		assert_in_range(strlen(pmu_role_label(i)), 1, 8);
		for (enum pmu_role k = PMU_OTHER; k < i; k++) {
			assert_string_not_equal(pmu_role_name(i), pmu_role_name(k));
			assert_string_not_equal(pmu_role_label(i), pmu_role_label(k));
		}
	}
}

static void presets_expect_different_roles_and_names(void **state)
{
	unsigned count;
	const struct pmu_preset *p = pmu_presets(&count);

	(void)state;
	assert_int_equal(count, 5);
	for (unsigned i = 0; i < count; i++) {
		unsigned seen = 0, n = 0;

		assert_ptr_equal(pmu_preset_find(p[i].name), &p[i]);
		assert_true(strlen(p[i].doc) > 0);
		for (; n < PMU_PRESET_ROLES && p[i].role[n] != PMU_OTHER; n++) {
			assert_true(p[i].role[n] < PMU_ROLES);
			assert_false(seen & 1u << p[i].role[n]);
			seen |= 1u << p[i].role[n];
		}
		assert_true(n > 0);
		assert_true(p[i].split < n);
		assert_true((p[i].split ? p[i].split : n) <= PMU_GROUP);
		assert_true(n - p[i].split <= PMU_GROUP);
	}
	assert_null(pmu_preset_find("none"));
	assert_null(pmu_preset_find(""));
	assert_null(pmu_preset_find("Contention"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_rows_expect_codes_of_the_makers),
		cmocka_unit_test(arm_rows_expect_codes_of_the_maker),
		cmocka_unit_test(native_rows_expect_one_code_each),
		cmocka_unit_test(generic_rows_expect_codes_of_the_kernel),
		cmocka_unit_test(texts_expect_they_fit),
		cmocka_unit_test(rows_expect_one_a_pmu_and_role),
		cmocka_unit_test(levels_of_vendors_expect_different_labels),
		cmocka_unit_test(find_expect_pmu_before_vendor_before_generic),
		cmocka_unit_test(roles_expect_a_name_and_label_of_their_own),
		cmocka_unit_test(presets_expect_different_roles_and_names),
	};

	/* libpfm4 looks at it once, when it is initialised. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
